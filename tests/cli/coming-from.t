#!/bin/sh
# heed-coming-from(7): what its tables name on our side exists.  tests/cli/man.t runs its commands.
. "$HEED_TOP/tests/lib.sh"
page=$HEED_TOP/man/heed-coming-from.7
plan 4

# rows: "default-program<tab>right cell" of each row.  A table is a list with tags, whose first item is the heading.
awk '/^\.Bl -tag/ { head = ""; table = 1; next }
	/^\.El/ { table = 0 }
	table && /^\.It / { getline; sub(/^\.(No )?/, ""); if (head == "") head = substr($0, 4); else print head "\t" $0 }' "$page" > rows
that "$(wc -l < rows)" -gt 120; say $? 'the page has its tables'

# Each option belongs to the program that its cell names before it, or else to the table's; in a table of
# several programs to the one named last.
ls "$(dirname "$(command -v heed-show)")" > programs.list
awk -F '\t' 'NR == FNR { program[$1] = 1; next }
	{ if ($1 != "heed") now = $1
	  n = split($2, w, " "); kind = "No"; more = 0
	  for (i = 1; i <= n; i++) {
		if (w[i] ~ /^(Fl|Cm|No|Ar|Li|Xr)$/) { kind = w[i]; continue }
		if (kind ~ /^(Xr|No)$/ && program[w[i]]) now = w[i]
		else if (kind == "Fl" && w[i] !~ /^[,;]$/) print now, w[i]
		else if (kind == "Cm" && w[i - 2] == "-arch" || w[i - 1] == "," && more) { print "setting", w[i]; more = 1; continue }
		if (w[i] != ",") more = 0
	  } }' programs.list rows | sort -u > named
grep -v '^setting' named | while read -r program option; do
	"$program" --options-tsv | awk -F '\t' -v o="$option" '$1 == o || $2 != "" && "-" $2 == o { found = 1 } END { exit !found }' ||
		echo "$program: no option -$option"
done > wrong
that "$(wc -l < named)" -gt 90 && that ! -s wrong; say $? 'each option is an option of its program'; sed 's/^/# /' wrong
sed -n 's/^setting //p' named | sed 's/=[a-z0-9]*//g; s/,/\n/g' | sort -u > keys
while read -r key; do
	nmt-train --arch "$key=@" --epochs 1 -o model.tar /dev/null 2>&1 | grep -q "arch: $key: '@', expected" || echo "$key"
done < keys > wrong
that "$(wc -l < keys)" -gt 15 && that ! -s wrong; say $? 'each setting is one of a model'; sed 's/^/# /' wrong
grep -oE '^\.Xr [a-z-]+ [1-7]' "$page" | sort -u | while read -r x name section; do [ -e "$HEED_TOP/man/$name.$section" ] || echo "$name.$section"; done > wrong
that ! -s wrong; say $? 'each page that it names exists'; sed 's/^/# /' wrong
