# curves.awk: learning curves as points for heed-plot(1); called by pipeline.mk.  NLL of the
# development set against updates; one panel per table and corpus, one line per system with its
# label in the tables.
#
# Input files: output of names.awk; words "TABLE RUN BASE", BASE the run that RUN continues, or -;
# then for each run PLACE/RUN.tsv with lines of update, training NLL and development NLL (at
# validations only). The curve of a run begins where its base ends.  Panels with a single run
# are left out, unless there are no others; these also have the training curve.  To keep the scale, points more than 0.5 nats above the highest final
# value of a panel are left out at the beginning of a line, and drawn at this limit later.
BEGIN { FS = OFS = "\t"; margin = 0.5 }
FILENAME != file { file = FILENAME; run = substr(file, length(place) + 2); sub(/\.tsv$/, "", run) }
index(file, place "/") != 1 && NF > 1 { name[$1] = $3; next }
index(file, place "/") != 1 {
	lines = split($0, word, " ") / 3
	for (i = 1; i <= lines; i++) {
		table[i] = word[3 * i - 2]; of[i] = word[3 * i - 1]; base[of[i]] = word[3 * i]
		split(of[i], part, "/")
		panel[i] = table[i] SUBSEP part[2]; runs[panel[i]]++
		if (runs[panel[i]] > 1) several = 1
	}
	for (i = 1; i <= lines; i++)
		if (!several || runs[panel[i]] > 1) { tables += !(table[i] in has); has[table[i]] }
	next
}
$1 != "" {
	last[run] = $1
	if ($2 != "") { x[run, "training", ++n[run, "training"]] = $1; y[run, "training", n[run, "training"]] = $2 }
	if ($3 != "") { x[run, "", ++n[run, ""]] = $1; y[run, "", n[run, ""]] = $3 }
}
function updates_before(run) {
	return base[run] == "" || base[run] == "-" ? 0 : updates_before(base[run]) + last[base[run]]
}
function system_of(run,    part) {
	split(run, part, "/")
	return part[3] in name ? name[part[3]] : part[3]
}
function point(line, label, u, v) {
	if (v <= ceiling[panel[line]]) begun[line, label]
	if ((line, label) in begun)
		print "dev NLL, " (tables > 1 ? table[line] ", " : "") column, label, "line", u, (v <= ceiling[panel[line]] ? v : ceiling[panel[line]]), "-", "-"
}
function draw(line, what, label,    run, before, k, b) {
	run = of[line]
	b = base[run]
	before = updates_before(run)
	if (what == "" && n[b, ""]) point(line, label, before, y[b, "", n[b, ""]])
	for (k = 1; k <= n[run, what]; k++) point(line, label, before + x[run, what, k], y[run, what, k])
}
END {
	print "panel", "series", "kind", "x", "y", "low", "high"
	for (i = 1; i <= lines; i++) {
		end = y[of[i], "", n[of[i], ""]] + margin
		if (end > ceiling[panel[i]]) ceiling[panel[i]] = end
	}
	for (i = 1; i <= lines; i++) {
		split(panel[i], part, SUBSEP)
		column = part[2]
		if (several && runs[panel[i]] == 1) continue
		draw(i, "", system_of(of[i]))
		if (runs[panel[i]] == 1) draw(i, "training", system_of(of[i]) ", training")
	}
}
