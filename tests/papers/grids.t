#!/bin/sh
# The grids of the five papers from text to report, profile smoke, on pairs of two artificial languages, of
# which the first resembles English.
. "$HEED_TOP/tests/lib.sh"
plan 39

mkdir toy
awk -v n=2160 -v seed=1 -f "$HEED_TOP/tests/data/pairs.awk" > all.tsv
for s in train dev test; do
	case $s in train) range=1,2000p ;; dev) range=2001,2060p ;; test) range=2061,2160p ;; esac
	sed -n $range all.tsv | cut -f 1 > toy/$s.en
	sed -n $range all.tsv | cut -f 2 > toy/$s.de
done
W=$scratch/work R=$scratch/work/results
make_all() {
	make --no-print-directory -C "$HEED_TOP" -f pipeline.mk -j2 THREADS=1 PROFILE=smoke \
	    DATA="$scratch/toy" W="$W" reproduce-rhe reproduce-syncattn reproduce-treemask reproduce-dhicm reproduce-voita "$@"
}
begun=$(date +%s)
make_all > log 2>&1; r=$?
[ $r = 0 ] || grep -v '^update' log | tail -n 12 | sed 's/^/# /'
say $r "one command makes all tables and figures of five papers, $(($(date +%s) - begun)) seconds"

# Every section of the grids has its files.  On the whole corpus, systems per size are left out.
sections() { heed-table --rows -g "$HEED_TOP/src/papers/$1.grid" | cut -d / -f 1 | sort -u; }
for p in rhe syncattn treemask dhicm voita; do
	sections $p > names
	missing=$(while read -r s; do
		[ -s $R/$p/$s.tsv ] && [ -s $R/$p/$s.md ] || echo $s; done < names)
	that -s names && that -z "$missing"; say $? "$p: all sections have tables"; [ -z "$missing" ] || echo "# $missing"
	grep -v claims names | while read -r s; do
		awk -F '\t' '$9 == "" && !($2 ~ /per size/ && $5 !~ /@/) { print "# " FILENAME ": " $2 } END { if (NR < 2) print "# " FILENAME ": " NR " lines" }' \
			$R/$p/$s.tsv || echo "# $s"; done > empty
	that ! -s empty; say $? "$p: all cells have values"; cat empty
	matches '</html>' $R/$p/report.html && matches '<svg role="group"' $R/$p/report.html &&
		matches '<iframe' $R/$p/report.html && matches "href=\"$p/report.html\"" $R/report.html
	say $? "$p: a report with figures and heads, and a link to it"
	case $p in
	voita) lead='Number of pruning strengths' ;;
	dhicm) lead='Differences from T-base' ;;
	*) lead='Forest plot of the claims' ;;
	esac
	grep -o '<svg role="group" aria-label="[^"]*' $R/$p/report.html | head -n 1 | matches "=\"$lead" &&
		matches "<svg role=\"group\" aria-label=\"$lead" $R/report.html && matches '^verdict' $R/$p/findings.tsv
	say $? "$p: its own figure comes first, also in the overview"
	that -s $R/$p/runs.jsonl && lacks -v '^{"paper":.*"bleu":.*"data.train":.*}$' $R/$p/runs.jsonl
	say $? "$p: runs.jsonl has a line for each run"
done
for f in rhe/fig4.svg rhe/fig5-lpea-rhe.svg syncattn/fig2-sync.svg treemask/fig2.svg \
    treemask/fig3.svg treemask/statistics.tsv dhicm/table4.svg dhicm/fig1-dhicm.svg dhicm/fig3.svg \
    dhicm/found.tsv voita/encoder.svg voita/attention.svg voita/confidence.svg voita/syntax.tsv \
    voita/rare.tsv voita/kept.tsv voita/roles.tsv voita/measures.tsv voita/speed.tsv voita/relevance.svg \
    voita/offsets.svg voita/layers.svg voita/drift.svg voita/gates.svg voita/posthoc-encoder.tsv \
    voita/posthoc-all.svg voita/posthoc-bleu.svg voita/roles-updates.tsv voita/roles-updates.svg \
    rhe/claims.svg syncattn/claims.svg treemask/claims.svg dhicm/claims.svg voita/claims.svg; do
	[ -s "$R/$f" ] || echo $f
done > missing
that ! -s missing; say $? 'figures, and tables that are not made from rows of grids'; sed 's/^/# /' missing
computes - -F '\t' '$3 == "plain" && $7 == "bleu" { exit !($9 > 0) }' < $R/rhe/table1.tsv
say $? 'BLEU is above 0'
matches 'uas.src' $R/syncattn/runs.jsonl && matches 'strength.min' $R/treemask/runs.jsonl
say $? 'facts of the papers'

stamps() {
	find "$W/run" "$W/parsed" "$W/prepared" "$W/search" \( -name '*.tar' -o -name '*.heed' -o -name best \) |
		sort | xargs stat -c '%n %Y'
}
stamps > before; make_all > log 2>&1; r=$?
say $r 'a second run of the same command'; [ $r = 0 ] || tail -n 12 log | sed 's,^,# ,'
stamps | equals before -; say $? '... rebuilds nothing'
git -C "$HEED_TOP" status --porcelain 2> /dev/null | lacks 'results/'
say $? 'the source tree has no new files in results'
cp -r $R drawn
find drawn \( -name '*.svg' -o -name '*.md' -o -name '*.tsv' ! -name model.tsv -o -name '*.html' -o -name '*.jsonl' \) |
	while read -r f; do [ -e "$f.of" ] || rm "$f"; done
draw() { make --no-print-directory -C "$HEED_TOP" -f pipeline.mk draw R="$scratch/drawn" W="$scratch/other" > log 2>&1; }
draw; r=$?
[ $r = 0 ] && diff -r $R drawn > diff; r=$?
say $r 'draw makes identical results from the ledger'; [ $r = 0 ] || { tail -n 12 log; [ ! -e diff ] || cat diff; } | head -n 30 | sed 's/^/# /'
# Of a ledger that is not complete, draw shows what there is.
rm -r drawn/voita/run/toy.en-de/enc-6 drawn/voita/posthoc/all/*.heed.gz drawn/treemask/walk.html.gz
draw; r=$?
[ $r = 0 ] && grep -q 'warning: the ledger lacks [0-9]* of [0-9]* runs, the first of them voita/toy.en-de/enc-6/1;' log &&
	grep -q 'warning: left out.*/voita/heads.tsv' log && grep -q 'warning: left out.*/treemask/walk.html.gz' log
r=$?; say $r 'draw warns of missing runs, and of files that need a model'; [ $r = 0 ] || tail -n 12 log | sed 's/^/# /'
for p in rhe treemask voita; do
	grep -c 'runs are missing\|<iframe\|(Figure 10)\|Masking all heads' drawn/$p/report.html
done | xargs > found
that "$(cat found)" = '1 0 2'
say $? '... and leaves them out of the reports, which say so'
equals drawn/voita/attention.tsv $R/voita/attention.tsv && grep 'enc-6' $R/voita/encoder.tsv | cut -f 9 | matches . &&
	grep 'enc-6' drawn/voita/encoder.tsv | cut -f 9 | lacks .
say $? '... and only the missing values out of the tables'
cp -rp $R/voita/run/toy.en-de/enc-6 drawn/voita/run/toy.en-de; cp -p $R/voita/posthoc/all/*.heed.gz drawn/voita/posthoc/all
cp -p $R/treemask/walk.html.gz drawn/treemask
draw; r=$?
[ $r = 0 ] && diff -r $R drawn > diff; r=$?
say $r '... until they are there'; [ $r = 0 ] || { tail -n 12 log; cat diff; } | head -n 30 | sed 's/^/# /'
rm -r "$W/run/rhe/toy.en-de/prune/1" "$R/rhe/run/toy.en-de/prune/1"
make_all TABLES=table2 > log 2>&1; r=$?
[ $r = 0 ] || grep -v '^update' log | tail -n 20 | sed 's/^/# /'
cut -d ' ' -f 1 before > files; stamps | cut -d ' ' -f 1 > after
equals files after && that $r = 0; say $? 'a missing run is made again'
diff files after | sed 's/^/# /'
# Files of runs that no requested section has are left out.
rm $R/voita/gates.svg $R/voita/layers.svg
make --no-print-directory -C "$HEED_TOP" -f pipeline.mk -j2 THREADS=1 PROFILE=smoke DATA="$scratch/toy" W="$W" \
    TABLES=attention reproduce-voita > log 2>&1; r=$?
[ $r = 0 ] || tail -n 12 log | sed 's/^/# /'
that $r = 0 && that -s $R/voita/layers.svg && that ! -e $R/voita/gates.svg; say $? 'a section of voita without the runs of others'
