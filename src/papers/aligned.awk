# aligned.awk: the table of keys as aligned text; called by pipeline.mk.  The table is given twice.
BEGIN { FS = "\t"; row("key", "default", "example", "meaning") }
function wide(i, text) { if (length(text) > width[i]) width[i] = length(text) }
function row(key, value, example, meaning) {
	if (NR != FNR)
		printf "%-" width[1] "s  %-" width[2] "s  %-" width[3] "s  %s\n", key, value, example, meaning
	wide(1, key); wide(2, value); wide(3, example)
}
NR > FNR && FNR == 1 { row("key", "default", "example", "meaning") }
{ row($1, $2, $3, $4) }
