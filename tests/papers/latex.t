#!/bin/sh
# Tables in LaTeX are compiled by pdflatex: each section of all grids, and hostile names of systems.
. "$HEED_TOP/tests/lib.sh"
if ! kpsewhich booktabs.sty > /dev/null 2>&1; then
	echo '1..0 # SKIP no booktabs.sty here: apt-get install texlive-latex-recommended'
	exit 0
fi
plan 4

# compile FILE ...: a document with these tables; fails at errors, and at characters without a glyph
compile() {
	{ printf '\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n'
	for file; do printf '\\input{%s}\\par\n' "$file"; done
	printf '\\end{document}\n'; } > all.tex
	pdflatex -interaction=nonstopmode -halt-on-error all.tex > out 2>&1; r=$?
	! grep -A 3 '^!\|^Missing character' out all.log | sed 's/^/# /' | grep . && return $r
}

for p in "$HEED_TOP"/src/papers/*.grid; do
	name=$(basename "$p" .grid)
	records=$(find "$HEED_TOP/results/$name" -name record 2> /dev/null)
	heed-table --rows -g "$p" | cut -d / -f 1 | sort -u | while read -r s; do
		heed-table -g "$p" --section "$s" --to latex $records > $name.$s.tex < /dev/null 2> err ||
			sed "s/^/# $name, $s: /" err
	done
done
set -- *.*.tex
that $# -gt 40; say $? 'each section of the grids has a table'
runs compile "$@"; say $? 'they compile'

printf 'the dog bites a man\na man sees\n' > ref
for name in 'a_b~c^d' 'x{y}$%' '[s] <t>|\z' '*&#' '--x---y'; do cp ref "./$name"; done
runs bleu -q -r ref --paired --to latex -- 'a_b~c^d' 'x{y}$%' '[s] <t>|\z' '*&#' '--x---y' > names.tex 2> err
say $? 'names of systems with the special characters of LaTeX'
runs compile names.tex; say $? 'they compile, too'
