#!/bin/bash
# overview.sh TOP R W KEY PAPERS: the page R/report.html with the claims and the main table of each paper
# that has a report, and links to the reports.  PAPERS has name, title, authors and main sections of each
# paper, KEY explains forest plots.
set -eu
top=$1 results=$2 work=$3 key=$4 papers=$5
verdicts=('confirmed' 'reversed' 'smaller than reported' 'no difference' 'NLL and BLEU disagree' 'open'
    'not judged: waits for claims of the paper' 'not judged: A/A rows differ' 'not judged: one seed'
    'not judged: no test NLL' 'not judged: no BLEU' 'not judged: both below 1 BLEU'
    'not judged: NLL of different tokens' 'not judged: equal differences' 'not run')
shopt -s nullglob

# The number of claims by verdict, one line per paper; reasons that no claim has are left out.
sums() {
	{ printf paper; printf '\t%s' "${verdicts[@]}"; echo
	while IFS='	' read -r name title _; do
		claims=("$results/$name"/claims{,-*}.md)
		[ -e "${claims[0]}" ] || claims=("${claims[@]:1}")
		[ -e "$results/$name/report.html" ] && [ "${#claims[@]}" -gt 0 ] || continue
		printf '%s' "$title"
		for v in "${verdicts[@]}"; do
			printf '\t%s' "$(cat "${claims[@]}" | grep -c "| $v\( larger than [^|]*\|: [^|]*\)\? |$")"
		done || true
		echo
	done < "$papers"; } | awk -F '\t' '{ row[NR] = $0 } NR > 1 { for (i = 2; i <= NF; i++) sum[i] += $i }
	    END { n = split(row[1], name); for (r = 1; r <= NR; r++) { split(row[r], cell);
	    for (i = 1; i <= n; i++) if (sum[i] || name[i] !~ /^not judged/)
	    printf("%s%s", i == 1 ? "" : "\t", cell[i]); print "" } }'
}
mkdir -p "$work/brief"
sums > "$work/brief/sums.tsv"
set -- --title 'Attention-head papers: claims and replications' --table "$work/brief/sums.tsv" \
    --caption 'Number of claims by verdict, including our own claims' --text "$key"
while IFS='	' read -r name title by main; do
	[ -e "$results/$name/report.html" ] || continue
	set -- "$@" --heading "$title"
	[ "$by" = - ] || set -- "$@" --text "$by."
	[ ! -s "$work/brief/$name/missing" ] || [ -z "$(tr -d '\n ' < "$work/brief/$name/missing")" ] ||
		set -- "$@" --text "$(cat "$work/brief/$name/missing")"
	[ ! -e "$results/$name/claims.svg" ] || set -- "$@" --figure "$results/$name/claims.svg" \
	    --caption 'Forest plot of the claims' --alt 'Forest plot of the claims'
	for f in "$results/$name"/claims.md "$results/$name"/claims-*.md; do [ ! -e "$f" ] || set -- "$@" --claims "$f"; done
	for s in $main table1; do
		[ -e "$results/$name/$s.md" ] || continue
		set -- "$@" --table "$results/$name/$s.md"
		break
	done
	set -- "$@" --link "$name/report.html" --caption 'Full report: all tables, figures, heads and runs'
done < "$papers"
page=$results/report.html
heed-report "$@" --heading Explanations --terms "$top"src/papers/verdicts.terms \
    --caption 'Verdicts and columns explained' --terms "$top"src/papers/tables.terms \
    --caption 'Marks and columns explained' -o "$page.tmp"
cmp -s "$page.tmp" "$page" && rm "$page.tmp" || mv "$page.tmp" "$page"
