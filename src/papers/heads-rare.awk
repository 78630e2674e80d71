# heads-rare.awk: how often each head of the first encoder layer looks at the rarest token of a
# sentence, or at one of the two rarest, in per cent; for pipeline.mk.  Input: a table of heads with
# names of columns; the paper's lines stand behind.
BEGIN { FS = OFS = "\t"; print "head", "the rarest", "one of the two rarest", "role" }
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["site"] == "enc-self" && $at["layer"] == 1 {
	print "1." $at["head"], percent($at["rare"]), percent($at["rare2"]), $at["role"]
}
function percent(x) { return x == "" ? "" : sprintf("%.1f", 100 * x) }
END {
	print "paper, OpenSubtitles", 66, 83, "rare"
	print "paper, WMT", "", "> 50", "rare"
}
