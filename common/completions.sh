#!/bin/sh
# completions.sh BIN FOLDER: writes the completions of the programs in BIN for bash, FOLDER/heed, and
# for zsh, FOLDER/_heed, with the option tables of the programs.
set -eu
bin=$1 folder=$2

# Values of options that are no choices: attention variants, and the measures in a help text "...: a, b, c (none)".
variants=$("$bin"/nmt-train -a help | sed -n 's/^\([a-z0-9-]*\): .*/\1/p' | paste -s -d ' ' -)
values() {
	awk -F '\t' -v OFS='\t' -v variants="$variants" '
		$4 == "attention" { $8 = variants }
		$4 == "measure" && $6 ~ /: .*, .* [(]/ { $8 = $6; sub(/^[^:]*: /, "", $8); sub(/ [(].*/, "", $8); gsub(/,/, "", $8) }
		{ print }'
}

# Lines "option PROGRAM ..." as of --options-tsv, and "word PROGRAM WORD" for words that are not options.
tables() {
	for program in "$bin"/*; do
		[ -f "$program" ] && [ -x "$program" ] || continue
		"$program" --options-tsv | sed "s/^/option	${program##*/}	/"
	done | values
	printf 'word\theed\t%s\n' help
	for page in man/*.[0-9]; do page=${page##*/}; printf 'word\theed help\t%s\n' "${page%.*}"; done | sort -u
	MAKEFLAGS= make --no-print-directory -s -f pipeline.mk help | sed -n 's/^targets: //p; s/^settings: //p' | tr ' ' '\n' |
	    sed 's/=.*/=/; s/^/word	heed-pipeline	/'
}
tables > "$folder/tables"
for shell in bash zsh; do awk -v shell=$shell -f src/completions.awk "$folder/tables" > "$folder/$shell"; done
mv "$folder/bash" "$folder/heed"
mv "$folder/zsh" "$folder/_heed"
