# trials.awk: the journal of nmt-search(1) as a table, one line for each finished training, without times;
# called by pipeline.mk.
BEGIN { FS = "\""; print "stage\ttrial\tseed\tupdates\tscore" }
function value(name,    s) {
	s = substr($0, index($0, "\"" name "\":") + length(name) + 3)
	if (s ~ /^"/) return substr(s, 2, index(substr(s, 2), "\"") - 1)
	sub(/[,}].*/, "", s)
	return s
}
{
	$0 = substr($0, index($0, "\"trial\":"))
	printf "%s\t%s\t%s\t%s\t%s\n", value("stage"), value("trial"), value("seed"), value("updates"), value("score")
}
