# roles-updates.awk: the shares that roles are derived from, for each encoder head at several
# updates; called by pipeline.mk.  Input, for each model: lines of update, "arcs", relation and
# number of its dependencies; then a table of heads with column names, the update before each
# line.  The column syntactic is the accuracy for the best relation minus its fixed-offset
# baseline, for relations with at least 30 dependencies.
BEGIN {
	FS = OFS = "\t"
	print "update", "layer", "head", "positional", "offset", "syntactic", "relation", "rare2", "confidence", "role"
}
$2 == "arcs" { arcs[$3] = $4; next }
$2 == "site" {
	split("", at); ways = 0
	for (i = 2; i <= NF; i++) {
		at[$i] = i
		if ($i ~ /^syntax\..*\.(dep|head)$/) way[++ways] = $i
	}
	next
}
function value(name) { return name in at && $at[name] != "" ? $at[name] : "-" }
function best_relation(k, name, gain) {
	syntactic = relation = "-"
	for (k = 1; k <= ways; k++) {
		name = way[k]; sub(/\.[a-z]*$/, ".base", name)
		if (arcs[substr(name, 8, length(name) - 12)] < 30) continue
		if (value(way[k]) == "-" || value(name) == "-") continue
		gain = value(way[k]) - value(name)
		if (syntactic != "-" && gain <= syntactic) continue
		syntactic = gain
		relation = substr(way[k], 8)
	}
}
value("site") == "enc-self" {
	best_relation()
	print $1, value("layer"), value("head"), value("positional"), value("offset"), \
	    (syntactic == "-" ? "-" : sprintf("%.6g", syntactic)), relation, value("rare2"), value("confidence"), value("role")
}
