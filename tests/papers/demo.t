#!/bin/sh
# The pipeline of the demo from text to report, profile smoke, on pairs of two artificial languages.
. "$HEED_TOP/tests/lib.sh"
plan 29

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
say $r 'one command makes a report from text'
for f in table1.tsv curves.svg report.html; do
	that -s $results/$f; say $? "... with $f"
done
computes - -F'\t' 'NR == 2 { ok = $9 > 50 && $9 <= 100 && $3 == "plain" && $8 == 1 } END { exit !ok }' < $results/table1.tsv
say $? '... and BLEU above 50 on the toy language'
grep -c '<dl class="sample">' $results/report.html | matches -x 12; say $? '... and translations in the report'

that "$(grep -vc ': warning: ' log)" -le 9 && matches '^.1 of 2. train demo/toy.en-xx/plain/1$' log && matches "^report: $results/report.html" log &&
	matches '^update ' $run/model.tar.log && matches '^bpe-learn\|bpe-learn --text' "$scratch"/work/rules/demo-*/log
	say $? 'the output has a line for each heavy step; all else is in logs'

entry=$results/run/toy.en-xx/plain/1
stamp() { stat -c %Y.%y $run/model.tar $entry/record | tr '\n' ' '; }
before=$(stamp); touch mark; sleep 0.1; runs run demo > log 2>&1; say $? 'a second run of the same command'
that "$before" = "$(stamp)"; say $? '... rebuilds nothing'
that -z "$(find "$scratch/work/prepared" "$scratch/work/parsed" -newer mark)"
say $? '... and does not touch the data'
run demo V=1 BEAM=1 UPDATES=310 > log 2>&1
that "$before" != "$(stamp)"; say $? 'a changed setting rebuilds what depends on it'
matches 'heed-report --title' log; say $? '... V=1 shows all commands'

run demo BEAM=2 UPDATES=310 > log 2>&1
matches 'nmt-translate --beam 2' $entry/record && that "$(grep -c '^.*train demo' log)" = 0; say $? 'another beam size translates again, without training'
run demo BEAM=1 UPDATES=310 > log 2>&1

# --- the ledger ---
cp -r "$scratch/results" published
rm -rf "$scratch/work"; find "$scratch/results" -exec touch -d 2001-01-01 {} +
touch toy/*
run demo BEAM=1 UPDATES=310 > log 2>&1; r=$?
that $r = 0 && that ! -e $run && equals published "$scratch/results"
say $? 'with the ledger alone nothing is trained, and the results are identical'
rm -rf "$scratch/work" drawn; cp -r published drawn
find drawn -name '*.svg' -o -name '*.md' -o -name 'table*.tsv' -o -name '*.html' -o -name '*.jsonl' | xargs rm
draw() { make --no-print-directory -C "$HEED_TOP" -f pipeline.mk draw W="$scratch/other" R="$scratch/drawn" "$@"; }
draw > log 2>&1; r=$?
that $r = 0 && equals published drawn
say $? 'draw makes identical results from the ledger without data'
that ! -e other/text && that ! -e other/run; say $? '... and nothing else'
plan_of() { run plan demo BEAM=1 "$@" 2> err; }
plan_of UPDATES=310 > list; r=$?
that $r = 0 && that ! -s list && matches '0 of 1 runs to make' err; say $? 'an empty plan'
plan_of UPDATES=40 SEEDS='1 2' > list
cut -f 2-3 list | tr '\t\n' ' ;' > found
that "$(cat found)" = 'demo/toy.en-xx/plain/1 -;demo/toy.en-xx/plain/2 -;' && matches 'settings differs from the wanted run' err
say $? 'a plan lists missing runs and runs with other settings'
( cd "$HEED_TOP" && bash src/papers/plan-line.sh "$scratch/list" 2 ) > log 2>&1; r=$?
that $r = 0 && that -s $results/run/toy.en-xx/plain/2/record; say $?  'plan-line.sh makes the run of a line'
plan_of UPDATES=40 SEEDS='1 2' | cut -f 2 | matches -x demo/toy.en-xx/plain/1; say $? '... which is then in the ledger'
plan_of UPDATES=40 SEEDS=2 DRAFTS= > list
matches . list && matches 'plain/2/record: commit .*-dirty, expected' err || lacks 'commit.*-dirty' $results/run/*/*/2/record
say $? 'a draft is refused without DRAFTS'
run run-one RUN_NAME=demo/toy.en-xx/nobody/1 > log 2>&1; that $? = 2 && matches 'expected one of the runs' log
say $? 'run-one refuses an unknown run'
( cd "$HEED_TOP" && exec bash src/papers/plan-line.sh "$scratch/list9" 1 ) > log 2>&1; that $? = 2; say $? 'plan-line.sh refuses a missing line'
plan_of UPDATES=100000 SEEDS=3 > list
mkdir slurm; printf '#!/bin/sh\necho "$@" >> "%s"\n' "$scratch/requeued" > slurm/scontrol; chmod +x slurm/scontrol
( cd "$HEED_TOP" && PATH=$scratch/slurm:$PATH SLURM_JOB_ID=10 SLURM_ARRAY_JOB_ID=10 SLURM_ARRAY_TASK_ID=1 \
	exec bash src/papers/plan-line.sh "$scratch/list" ) > log 2>&1 & task=$!
three=$scratch/work/run/demo/toy.en-xx/plain/3
i=0; while [ ! -e $three/commit ] && [ $((i += 1)) -lt 300 ]; do sleep 0.1; done; sleep 2
kill -USR1 $task; wait $task; that $? != 0 && that -s $three/checkpoint.tar && that ! -e $three/model.tar
say $? 'a task that is stopped saves its checkpoint'
that "$(cat requeued)" = 'requeue 10_1'; say $? '... and only this task of the array is requeued'
sed -i 's/lo /la /' toy/train.xx; rm -rf "$scratch/work"
run demo BEAM=1 UPDATES=310 > log 2>&1
that -s $run/model.tar && differ published/demo/run/toy.en-xx/plain/1/record $entry/record
say $? 'changed data make the run again'
draw FORBIDDEN=1 > log 2>&1; that $? != 0; say $? 'draw refuses an unknown variable'
rm -r drawn/demo/run; draw > log 2>&1; that $? != 0 && matches 'demo is not drawn: .*such as demo/toy.en-xx/plain/1' log && matches 'no paper has runs' log
say $? 'draw refuses a ledger without runs'
mkdir bare && cp toy/train.* toy/dev.* bare
ends 2 make --no-print-directory -C "$HEED_TOP" -f pipeline.mk demo PROFILE=smoke DATA="$scratch/bare" PAIR=en-xx \
	W="$scratch/work" R="$scratch/results" MERGES=200 > log 2>&1 && matches 'no text, expected one of these files:.*test.en' log
say $? 'a folder without a test set is refused, with the file names'
