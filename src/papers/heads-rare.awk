# heads-rare.awk: share of rows, in percent, in which each head of the first encoder layer attends
# most to the rarest token of the sentence, or to one of the two rarest; called by pipeline.mk.
# Input: a table of heads with column names.  The paper's rows come last.
BEGIN { FS = OFS = "\t"; print "head", "rarest token", "two rarest tokens", "role" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["site"] == "enc-self" && $at["layer"] == 1 {
	print "1." $at["head"], percent($at["rare"]), percent($at["rare2"]), $at["role"]
}
function percent(x) { return x == "" ? "" : sprintf("%.1f", 100 * x) }
END {
	print "paper, OpenSubtitles", 66, 83, "rare"
	print "paper, WMT", "", "> 50", "rare"
}
