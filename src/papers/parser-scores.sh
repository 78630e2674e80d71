#!/bin/sh
# parser-scores.sh LANGUAGE FILE.conllu: scores of a built-in parser on text, "# text =" of a
# treebank, for heed-parsers(7).  Prints the attachment scores of the words that tokenize(1) and
# the treebank have in common, in all sentences and in those whose tokens differ:
#
#	gold		the words of the treebank were parsed
#	treebank	the text was parsed, with --tokenization treebank
#	given		the text was parsed, with --tokenization given
set -eu
language=$1 bank=$2
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT

words() { awk -F '\t' '/^#/ { next } !NF { print ""; s = ""; next } $1 !~ /[-.]/ {
	gsub(/ /, "", $2); printf "%s%s", s, $2; s = " " }' "$@"; }
parsed() { parse -q --language "$language" --to conllu "$@"; }

# row WHICH HOW GOLD SYSTEM
row() {
	parse-score --align char --to tsv "$3" "$4" |
	    awk -v row="$1	$2	$(grep -c '^1	' "$3")" -F '\t' '$1 == "uas" || $1 == "las" {
		if (!n++) row = row "\t" $6; row = row sprintf("\t%.2f", $2) } END { print row }'
}

# scores WHICH GOLD
scores() {
	sed -n 's/^# text = *//p' "$2" > "$t/text"
	parsed --text --tokenization treebank "$t/text" > "$t/treebank"
	parsed --text --tokenization given "$t/text" > "$t/given"
	# The parse of the treebank's words, with its multi-word tokens, transferred to the tokens.
	words "$2" | parsed --tokens | grep . > "$t/parsed"
	awk -F '\t' -v OFS='\t' -v from="$t/parsed" '$1 ~ /^[0-9]+$/ { getline line < from
		split(line, p, "\t"); $7 = p[7]; $8 = p[8] } { print }' "$2" > "$t/words"
	words "$t/given" | heed-pack | conllu2heed --align char -p "$t/words" > "$t/gold"
	for how in gold treebank given; do row "$1" $how "$2" "$t/$how"; done
}

printf 'sentences\ttokens\tn\twords\tUAS\tLAS\n'
scores all "$bank"
words "$bank" > "$t/a"; words "$t/given" > "$t/b"
awk 'NR == FNR { word[FNR] = $0; next } $0 != word[FNR] { print FNR }' "$t/a" "$t/b" > "$t/list"
awk 'NR == FNR { keep[$1] = 1; next } (n + 1) in keep { print } !NF { n++ }' "$t/list" "$bank" \
    > "$t/differ.conllu"
scores differ "$t/differ.conllu"
