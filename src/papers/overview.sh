#!/bin/bash
# overview.sh TOP R W KEY PAPERS: the page R/report.html with what each paper that has a report shows first,
# and links to the reports.  PAPERS has name, title, authors, main sections and lead figure of each paper,
# KEY explains forest plots.
set -eu
top=$1 results=$2 work=$3 key=$4 papers=$5

# The number of claims by verdict, one line per paper; verdicts that no claim has are left out.
sums() {
	while IFS='	' read -r name title _; do
		[ ! -e "$results/$name/report.html" ] || [ ! -e "$results/$name/findings.tsv" ] ||
			awk -F '\t' -v OFS='\t' -v title="$title" '$1 == "verdict" { print title, $3, $2 }' "$results/$name/findings.tsv"
	done < "$papers" | awk -F '\t' '
	    !($1 in row) { row[$1]; paper[++papers] = $1 }
	    !($2 in column) { column[$2]; verdict[++verdicts] = $2 }
	    { n[$1, $2] = $3 }
	    END { printf "paper"; for (v = 1; v <= verdicts; v++) printf "\t%s", verdict[v]; print ""
	        for (p = 1; p <= papers; p++) { printf "%s", paper[p]
	            for (v = 1; v <= verdicts; v++) printf "\t%d", n[paper[p], verdict[v]]; print "" } }'
}
mkdir -p "$work/brief"
# Other makes may write the page at the same time.
page=$results/report.html
sh "${top}src/papers/place.sh" "$page"
new=$page.$$-$(hostname).tmp sums=$work/brief/sums.$$.tsv
trap 'rm -f "$new" "$sums"' EXIT
sums > "$sums"
# The papers that have a report, those of others before our own, which have no authors.
reported() {
	awk -F '\t' '$3 != "-"' "$papers"; awk -F '\t' '$3 == "-"' "$papers"
}
set -- --title 'Attention-head papers: claims and replications'
while IFS='	' read -r name title by main lead; do
	[ -e "$results/$name/report.html" ] || continue
	set -- "$@" --heading "$title"
	if [ -e "$results/$name/findings.tsv" ]; then
		set -- "$@" --findings "$results/$name/findings.tsv"
	else
		for s in $main table1; do
			[ -e "$results/$name/$s.md" ] || continue
			set -- "$@" --table "$results/$name/$s.md"
			break
		done
	fi
	about=
	[ "$by" = - ] || about="$by."
	[ ! -s "$work/brief/$name/missing" ] || about="$about $(cat "$work/brief/$name/missing")"
	[ -z "${about// /}" ] || set -- "$@" --text "$about"
	set -- "$@" --link "$name/report.html" --caption 'Full report: claims, figures, tables and runs'
done < <(reported)
# What each report begins with, after what was found.
figures=
while IFS='	' read -r name title by main lead; do
	[ -e "$results/$name/report.html" ] || continue
	[ -e "$results/$name/$lead.svg" ] || lead=claims
	[ -e "$results/$name/$lead.svg" ] || continue
	[ -n "$figures" ] || { figures=yes; set -- "$@" --fold Figures; }
	set -- "$@" --subheading "$title" --figure "$results/$name/$lead.svg"
	if [ "$lead" = claims ]; then
		set -- "$@" --caption "$key" --alt 'Forest plot of the claims'
	else
		set -- "$@" --caption "$(cat "$work/brief/$name/top-caption")"
	fi
	[ ! -e "$results/$name/$lead-narrow.svg" ] || set -- "$@" --narrow "$results/$name/$lead-narrow.svg"
done < <(reported)
[ "$(wc -l < "$sums")" -lt 2 ] || set -- "$@" --fold 'Verdicts' --table "$sums" \
    --caption 'Number of claims by verdict, including our own claims'
heed-report "$@" --fold Explanations --terms "$top"src/papers/verdicts.terms \
    --caption 'Verdicts and columns explained' --terms "$top"src/papers/tables.terms \
    --caption 'Marks and columns explained' -o "$new"
cmp -s "$new" "$page" || mv "$new" "$page"
