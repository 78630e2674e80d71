#!/bin/sh
# pipeline-ledger: texts of a ledger, which may be that of a stranger, are settings and options, and no commands.
. "$HEED_TOP/tests/lib.sh"
plan 9

mkdir toy r; copy_pipeline house
for l in en de; do for s in train dev test; do echo a b c > toy/$s.$l; done; done
printf '%s\n' 'title = Mine' 'variant.plain =' 'searches = tune' 'search.plain = whole/tune' > house/src/papers/mine.conf
printf '%s\n' 'section table1 T' 'columns bleu:-' 'plain - - - P' > house/src/papers/mine.grid
printf '%s\n' 'stage rate' '--dropout 0.1 | --dropout 0.2' > house/src/papers/mine.tune.smoke
# draws COMMAND: draw of a ledger with this text
draws() {
	echo "$1" > r/mine/command
	make --no-print-directory -C house -f pipeline.mk draw W="$scratch/w" R="$scratch/r" > out 2>&1
}
mkdir -p r/mine/run
for bad in "SEEDS='1' ; touch $scratch/EXEC" "SEEDS='1' \$(touch $scratch/EXEC)" "SEEDS='1' \`touch $scratch/EXEC\`" '<<<<<<< HEAD' 'mine.title=a"b'; do
	! draws "$bad" && grep -qF "r/mine/command:1: " out && [ ! -e EXEC ] || { echo "$bad"; rm -f EXEC; }
done > accepted; that ! -s accepted; say $? 'stored settings with characters of a shell are refused, with file and line'
for bad in MODE=x R=/tmp RUN=env CC=touch _bin=x SHELL=sh PATH=x "SEEDS='1" "SEEDS='1'2" SEEDS=x BEAM=0 'mine.x/y=1' toy; do
	! draws "SEEDS=1 $bad" && grep -qF "r/mine/command:1: " out || echo "$bad"
done > accepted; that ! -s accepted; say $? '... and so are settings on which no report depends, and malformed ones'
draws "PROFILE=smoke CORPUS='toy' SEEDS='1 2' UPDATES=4"; matches 'lacks all of its 2 runs, such as mine/toy.en-de/plain/1' out
say $? 'quotes around values are accepted'
mkdir -p 'r/;touch EXEC;/run' 'r/$(touch EXEC)/run' 'r/`touch EXEC`'; : > 'r/`touch EXEC`/command'; : > 'r/$(touch EXEC)/command'
draws SEEDS=1; that -z "$(find . -name EXEC)" && matches 'the runs in .*/;touch EXEC; are not drawn' out && matches 'there is no paper .*touch' out
say $? 'names of folders are no commands'

# rules: the rules of the paper
rules() {
	heed-plan -q --drafts --make work/run.mk --top house/ --papers mine PROFILE=smoke W="$scratch/work" R="$scratch/r" MODELS=x \
	    DATA="$scratch/toy" "$@" 2> err
}
best=r/mine/search/toy.en-de/tune/best; mkdir -p work ${best%/best}; rm -r r/mine/command
for bad in '--dropout 0.2; touch EXEC' '--dropout $(touch EXEC)' '<<<<<<< HEAD' 'dropout 0.2'; do
	echo "$bad" > $best; ! rules && grep -qF "$best:1: " err || echo "$bad"
done > accepted; that ! -s accepted; say $? 'found options with characters of a shell are refused, with file and line'
: > $best; ends 3 rules && matches "$best: 0 lines, expected one" err; say $? '... and so is an empty file'
printf -- '--dropout 0.2\n--dropout 0.3\n' > $best; ends 3 rules && matches "$best: 2 lines" err; say $? '... or one of two lines'
rm $best; mkfifo $best; ends 3 rules; say $? '... or a FIFO'
rm $best; echo > $best; runs rules && echo '--dropout 0.2 --freeze dec.*' > $best && runs rules && matches -- '--freeze dec[.][*]' work/options
say $? 'a search may find options, or that none are best'
