#!/bin/sh
# The demo's pipeline from text to report, profile smoke, on pairs of two invented languages.
. "$HEED_TOP/tests/lib.sh"
plan 12

command -v gnuplot > /dev/null || { echo 'Bail out! no gnuplot: apt-get install gnuplot-nox'; exit 1; }
mkdir toy
awk -v n=2300 -v seed=1 -f "$HEED_TOP/tests/data/pairs.awk" > all.tsv
i=0
for s in train dev test; do
	case $s in train) range=1,2000p ;; dev) range=2001,2100p ;; test) range=2101,2300p ;; esac
	sed -n $range all.tsv | cut -f 1 > toy/$s.en
	sed -n $range all.tsv | cut -f 2 > toy/$s.xx
done
gzip toy/train.en
run() { make --no-print-directory -C "$HEED_TOP" -f pipeline.mk "$@" PROFILE=smoke DATA="$scratch/toy" PAIR=en-xx \
	W="$scratch/work" R="$scratch/results" MERGES=200; }
results=$scratch/results/demo run=$scratch/work/run/demo/toy.en-xx/plain/1

run demo > log 2>&1; r=$?
[ $r = 0 ] || sed 's/^/# /' log
say $r 'text to report in one command'
for f in table1.tsv curves.svg report.html; do
	[ -s $results/$f ]; say $? "$f is there"
done
awk -F'\t' 'NR == 2 { ok = $9 > 50 && $9 <= 100 && $3 == "plain" && $8 == 1 } END { exit !ok }' $results/table1.tsv
say $? 'the toy language is learnt: BLEU over 50'
grep -c '<dl class="sample">' $results/report.html | grep -qx 12; say $? 'the report shows translations'

[ "$(wc -l < log)" -le 9 ] && grep -q '^.1 of 2. train demo/toy.en-xx/plain/1$' log && grep -q "^report: $results/report.html" log &&
	grep -q '^update ' $run/model.tar.log && grep -q '^bpe-learn\|bpe-learn --text' "$scratch/work/log"; r=$?
say $r 'a person sees a line for each heavy step, the rest is in logs'; [ $r = 0 ] || sed 's/^/# /' log

stamp() { stat -c %Y.%y $run/model.tar $run/bleu.tsv | tr '\n' ' '; }
before=$(stamp); run demo V=1 > log 2>&1; say $? 'once more'
[ "$before" = "$(stamp)" ]; say $? '... makes nothing again'
grep -q 'heed-report --title' log; say $? '... and V=1 shows what is done'
run demo BEAM=1 UPDATES=310 > log 2>&1
[ "$before" != "$(stamp)" ]; say $? 'a changed setting makes again what depends on it'
mkdir bare && cp toy/train.* toy/dev.* bare
! make --no-print-directory -C "$HEED_TOP" -f pipeline.mk demo PROFILE=smoke DATA="$scratch/bare" PAIR=en-xx \
	W="$scratch/work" R="$scratch/results" MERGES=200 > log 2>&1 && grep -q 'none of these is there:.*test.en' log
say $? 'a folder without a test set is refused by name'
