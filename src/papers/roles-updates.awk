# roles-updates.awk: what each head of the encoder does at each of some updates, as shares, before any
# of them makes a role; for pipeline.mk.  Input: update, then a table of heads with names of columns,
# model after model; before it "arcs", a relation and how many of its dependencies there were.
# syntactic is the best relation's accuracy less its baseline, a fixed offset; as for the role, of
# relations with 30 dependencies or more.
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
	    syntactic == "-" ? "-" : sprintf("%.6g", syntactic), relation, value("rare2"), value("confidence"), value("role")
}
