#!/bin/sh
# pipeline-folder: two commands at once in one folder W, and prepared data that is out of date.
. "$HEED_TOP/tests/lib.sh"
plan 7

mkdir pairs; copy_pipeline house
for p in one two; do
	printf 'title = %s\nvariant.%s =\n' $p $p > house/src/papers/$p.conf
	printf '%s\n' 'section table1 Scores' 'columns bleu:-' "$p - - - P" > house/src/papers/$p.grid
done
for s in train dev test; do for l in en de; do seq 40 | awk '{ print "a b", $1 % 9, "c ." }' > pairs/$s.$l; done; done
# pipeline TARGET SETTING...
pipeline() {
	make --no-print-directory -C house -f pipeline.mk THREADS=1 PROFILE=smoke SEEDS=1 MORE_SEEDS=1 MERGES=30 UPDATES=2 DRAFTS=1 \
	    DATA="$scratch/pairs" W="$scratch/w" R="$scratch/r" "$@"
}
runs pipeline prepare reproduce-one reproduce-two > out 2>&1; say $? 'data of two papers is prepared'
pipeline reproduce-one > one 2>&1 & first=$!
pipeline reproduce-two SEEDS=2 > two 2>&1; second=$?; wait $first; r=$?
that $r = 0 && matches "report: $scratch/r/one/report.html" one && lacks /two/ one; say $? 'of two commands at once, one makes its own targets'
that $second = 0 && matches "report: $scratch/r/two/report.html" two && lacks /one/ two; say $? '... and so does the other'
(cd r && ls one/run/*/*/*/record two/run/*/*/*/record) > found
printf '%s/record\n' one/run/pairs.en-de/one/1 two/run/pairs.en-de/two/2 | equals - found; say $? '... each with its own settings'

# The plan after a text was corrected
runs pipeline plan reproduce-one > out 2> err && lacks warning err && that ! -s out; say $? 'prepared data is up to date'
sleep 0.01; for l in en de; do echo 'd e f' >> pairs/train.$l; done
runs pipeline plan reproduce-one > out 2> err && matches '^plan: warning: prepared data is out of date, .*/prepared/one/plain/pairs.en-de; first: prepare' err
say $? '... until a text changes, which plan says'
pipeline prepare reproduce-one > out 2>&1; runs pipeline plan reproduce-one > out 2> err && lacks warning err && matches '	one/pairs.en-de/one/1	' out
say $? '... and once it is prepared again, the run is missing'
