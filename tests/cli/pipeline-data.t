#!/bin/sh
# pipeline-data: other texts and trees in the folder DATA, or another folder with its name, are noticed;
# equal ones keep their times, so that nothing is made again.  An entry of the ledger counts by what it
# says, not by its time.
. "$HEED_TOP/tests/lib.sh"
plan 48

mkdir -p corp else/corp
for s in train dev test; do
	for l in en de; do seq 5 | sed "s/^/$s $l /" > corp/$s.$l; done
	printf '1\t%s\t_\t_\t_\t_\t0\troot\t_\t_\n\n' $s > corp/$s.en.conllu
done
cp corp/* else/corp
sed -i 's/test/other/' else/corp/test.en
# made DATA TARGET: makes a file of the working folder
made() {
	for goal in planned "$scratch/w/$2"; do
		make --no-print-directory -s -f "$HEED_TOP/pipeline.mk" _goals=rhe DATA="$1" W="$scratch/w" R="$scratch/r" \
		    PROFILE=smoke $goal > log 2>&1 || { sed 's/^/# /' log; return; }
	done
}
text=text/corp.en-de/test.src.raw trees=parsed/src/corp.en-de/test.settings
# as_before FILE: it has the time of the file "then"
as_before() { that ! "$1" -nt then && that ! then -nt "$1"; }

# Partial files of a process that is gone, of this one, and of another host
true & gone=$!; wait
for f in $gone-$(hostname) $$-$(hostname) $gone-elsewhere; do : > shared.$f.tmp; done
sh "$HEED_TOP/src/papers/place.sh" shared
that ! -e shared.$gone-$(hostname).tmp && that -e shared.$$-$(hostname).tmp && that -e shared.$gone-elsewhere.tmp
say $? 'partial files of killed processes are removed, no others'
runs env HOSTNAME=elsewhere bash "$HEED_TOP/src/papers/into.sh" shared sh -c 'ls shared.*.tmp' && matches -x "shared[.][0-9]*-$(hostname)[.]tmp" shared &&
	lacks 'HOSTNAME' "$HEED_TOP/pipeline.mk"; say $? '... which have the name of the host, not that in the environment'

made corp $text; equals w/$text corp/test.en; say $? 'the text of a folder'
touch -d '1 hour ago' w/$text w/${text%.raw}.found; touch -r w/$text then
touch corp/test.en; made corp $text; as_before w/$text; say $? '... is not made again for a file with another time'
gzip corp/test.en; made corp $text; as_before w/$text; say $? '... nor for a compressed file with the same text'
made corp $text; as_before w/$text && as_before w/${text%.raw}.found; say $? '... whose checksum is then known'
gunzip corp/test.en.gz; sed -i 's/$/ more/' corp/test.en; made corp $text
equals w/$text corp/test.en; say $? 'a corrected text is noticed'
made else/corp $text; equals w/$text else/corp/test.en; say $? '... and another folder with the same name'
rm else/corp/test.en; made else/corp $text > said; matches 'no text, expected one of these files' said; say $? '... and a text that is gone'
grep -q 'found texts' said; that $? = 1; say $? '... without a pair of languages that are not there'
: > else/corp/test.ja.gz; made else/corp $text > said; matches 'found texts in de ja: PAIR=de-ja?' said; say $? '... or with those that are'

made corp $trees; cp w/$trees first; touch -d '1 hour ago' w/$trees; touch -r w/$trees then
matches 'conllu2heed' first; say $? 'user-supplied trees are a setting'
made corp $trees; as_before w/$trees; say $? '... that is written once'
sed -i 's,root,dep,' corp/test.en.conllu; made corp $trees; differ w/$trees first; say $? 'corrected trees are noticed'

# Sentences with a tree, without a tree, with two roots and, in the test set, with a cycle.
mkdir wood; printf '%s\n' 'a b c' 'd e' 'f g' > wood/train.en
T() { printf '%s\t%s\t_\tX\t_\t_\t%s\tdep\t_\t_\n' "$@"; echo; }
{ T 1 a 2 2 b 0 3 c 2; T 1 d _ 2 e _; T 1 f 0 2 g 0; } > wood/train.en.conllu
for s in dev test; do cp wood/train.en wood/$s.en; cp wood/train.en.conllu wood/$s.en.conllu; done
for s in train dev test; do cp wood/$s.en wood/$s.de; done
T 1 a 2 2 b 1 3 c 0 | cat - wood/train.en.conllu | sed 5,8d > wood/test.en.conllu
# grown SPLIT SETTING...: reads the trees of a split
grown() {
	split=$1; shift
	make --no-print-directory -f "$HEED_TOP/pipeline.mk" _goals=rhe DATA=wood W="$scratch/w" R="$scratch/r" PROFILE=smoke "$@" planned > out 2>&1 || return
	sh "$HEED_TOP/src/papers/watch.sh" w 2 - make --no-print-directory -f "$HEED_TOP/pipeline.mk" _goals=rhe DATA=wood W="$scratch/w" \
	    R="$scratch/r" PROFILE=smoke "$@" "$scratch/w/parsed/src/wood.en-de/$split.heed" > out 2>&1
}
grown train; r=$?; heed-show -f src.heads,src.tree w/parsed/src/wood.en-de/train.heed | tr '\t' ';' > found
that $r = 0 && printf '%s\n' '2 0 2;(XP (X a) (X b) (X c))' ';' '0 0;(ROOT (X f) (X g))' | equals - found
say $? 'own trees may lack sentences and have several roots'
matches '^.1 of 1. read-trees parsed/src/wood.en-de/train.heed' out; say $? '... they are read, and not parsed'
matches '^conllu2heed: 3 sentences: 1 without a tree' out; say $? '... and the sentences without a tree are counted'
ends 2 grown test && matches 'conllu2heed: .*cycle' out; say $? 'a cycle is an error'
grown test INVALID=drop-tree; r=$?; heed-show -f src.heads w/parsed/src/wood.en-de/test.heed > found
that $r = 0 && printf '%s\n' '' '' '0 0' | equals - found && matches '^conllu2heed: .*1 of them with an invalid parse' out
say $? '... unless INVALID=drop-tree'
grown test INVALID=drop; matches 'INVALID=drop: expected error or drop-tree' out; say $? '... and a misspelt action is refused'

# ^C at a terminal reaches all processes of the group.
perl -e '$SIG{INT} = "DEFAULT"; setpgrp; exec @ARGV' sh "$HEED_TOP/src/papers/watch.sh" w 2 'long things' sleep 20 > out 2>&1 & pid=$!
until grep -q long out; do sleep 0.1; done; sleep 0.3; kill -s INT -- -$pid; wait $pid; r=$?
that $r = 130 && matches '^interrupted; to resume, run the same command again$' out
say $? 'after an interrupt, a line says how to resume'

# The warnings of programs that are not steps.
printf 'all: ; @echo "one: warning: empty" >&2; echo "two: warning: nothing"; echo "warning: not a program"; exit $(r)\n' > warn.mk
sh "$HEED_TOP/src/papers/watch.sh" w 2 'light things' make --no-print-directory -s -f warn.mk r=0 > seen 2> err
printf '%s\n' 'one: warning: empty' 'two: warning: nothing' | equals - err; say $? 'warnings are printed after a success'
sh "$HEED_TOP/src/papers/watch.sh" w 2 'light things' make --no-print-directory -s -f warn.mk r=1 > seen 2> err
matches 'one: warning: empty' seen && that ! -s err; say $? '... and with the end of the log after a failure'

# A paper with one run, trained again.
copy_pipeline house
printf 'title = Toy\nvariant.plain =\n' > house/src/papers/toy.conf
printf '%s\n' 'section table1 Scores' 'columns bleu:-' 'plain - - - Plain' > house/src/papers/toy.grid
mkdir pairs
awk -v n=300 -v seed=1 -f "$HEED_TOP/tests/data/pairs.awk" > all.tsv
for s in train dev test; do
	case $s in train) range=1,260p ;; dev) range=261,280p ;; test) range=281,300p ;; esac
	sed -n $range all.tsv | cut -f 1 > pairs/$s.en; sed -n $range all.tsv | cut -f 2 > pairs/$s.de
done
# again SETTING...: makes the paper; its last lines are comments if it fails
again() {
	make --no-print-directory -C house -f pipeline.mk reproduce-toy THREADS=1 PROFILE=smoke UPDATES=4 SEEDS=1 MORE_SEEDS=1 MERGES=50 \
	    DRAFTS=1 DATA="$scratch/pairs" W="$scratch/toy" R="$scratch/ledger" "$@" > out 2>&1 || { tail -n 5 out | sed 's/^/# /'; false; }
}
entry=ledger/toy/run/pairs.en-de/plain/1/record
runs again && that -s $entry; say $? 'a run is trained and recorded'; cp $entry first; cp -r ledger kept
for l in en de; do sed -i 250,260d pairs/train.$l; done
runs again; say $? 'with other training data, it is trained from scratch'
! diff first $entry | grep '^. digest' > found; that -s found; say $? '... and recorded'
runs again MERGES=40; say $? '... and so with other BPE codes'
settings=$(sed -n 's/^settings	//p' $entry)
cp -r kept/. ledger; runs again MERGES=40
say $? 'entries that are newer but of other settings'
that "$(sed -n 's/^settings	//p' $entry)" = "$settings"; say $? '... are replaced'

# An array of tasks that begin at once after prepare: none makes the shared data again.  The table of trees names
# the prepared streams in a rule.
printf 'title = Array\nvariant.plain =\ndata = src\nalso = statistics\nstatistics = src\n' > house/src/papers/array.conf
cp house/src/papers/toy.grid house/src/papers/array.grid; echo > house/src/papers/array.statistics
mkdir forest; cp pairs/* forest
for s in train dev test; do
	awk '{ for (i = 1; i <= NF; i++) print i "\t" $i "\t_\tX\t_\t_\t" i - 1 "\tdep\t_\t_"; print "" }' forest/$s.en > forest/$s.en.conllu
done
# array TARGET SETTING...
array() {
	make --no-print-directory -C house -f pipeline.mk THREADS=1 PROFILE=smoke UPDATES=4 SEEDS='1 2 3' MERGES=50 DRAFTS=1 \
	    DATA="$scratch/forest" W="$scratch/array" R="$scratch/rows" "$@"
}
shared() { find array/text array/codes array/parsed array/prepared -type f -printf '%p %T@\n' | sort; }
array prepare reproduce-array > out 2>&1; r=$?; shared > before
that $r = 0 && matches '/parsed/src/forest.en-de/test.heed ' before; say $? 'data is prepared'
for i in 1 2 3; do { array run-one RUN_NAME=array/forest.en-de/plain/$i > out.$i 2>&1; echo $? > status.$i; } & done; wait
[ "$(cat status.? | xargs)" = '0 0 0' ] && [ "$(cat rows/array/run/forest.en-de/plain/?/record | grep -c '^digest')" = 3 ]; r=$?
say $r 'three tasks begin at once and end well'; [ $r = 0 ] || tail -n 3 out.? | sed 's/^/# /'
shared | equals before -; say $? '... and no shared file is made again'
# A task that fails, after another one has made the same file.
mkdir fails; parsed=$scratch/array/parsed/src/forest.en-de/test.heed
printf '#!/bin/sh\ntouch %s; exit 3\n' "$parsed" > fails/conllu2heed; chmod +x fails/conllu2heed
touch array/parsed/none/forest.en-de/test.heed
! PATH=$scratch/fails:$PATH array _goals=array "$parsed" > out 2>&1 && [ -s "$parsed" ]; r=$?
say $r 'a task that fails deletes no file of another one'; [ $r = 0 ] || sed 's/^/# /' out
that -z "$(find array -name '*.tmp')"; say $? '... and leaves none of its own'

# Ledgers of two machines, merged as in heed-cluster(7): the settings and files of the first one stay.
array reproduce-array SEEDS=1 > out 2>&1 || tail -n 5 out | sed 's/^/# /'
mkdir merge merge/there; cp -r rows merge/results; cp -r rows merge/there/results; rm -r merge/results/array/run/forest.en-de/plain/[23]
for f in command curves.svg; do echo other > merge/there/results/array/$f; done
sed -n '/^heed-record --check/,/^\.Ed/p' "$HEED_TOP/man/heed-cluster.7" | sed '/^\.Ed/d; s/\\e$/\\/; s/--check/--check --drafts/' > merge.sh
(cd merge && sh ../merge.sh) > out 2>&1
runs ls merge/results/array/run/*/*/[123]/record >> out 2>&1; say $? 'ledgers are merged'
equals rows/array/command merge/results/array/command && equals rows/array/curves.svg merge/results/array/curves.svg
say $? '... and no other file is replaced'
# drawn SETTING...: the number of runs that draw draws
drawn() {
	make --no-print-directory -C house -f pipeline.mk draw THREADS=1 PROFILE=smoke W="$scratch/bare" R="$scratch/merge/results" "$@" > out 2> err ||
		tail -n 5 out | sed 's/^/# /'
	wc -l < merge/results/array/runs.jsonl
}
that "$(drawn)" = 1 && matches '^draw: warning: 2 runs in the ledger are not drawn, the first of them array/forest.en-de/plain/2; see SEEDS' err
say $? 'draw warns of runs that it does not draw'
that "$(drawn SEEDS='1 2 3')" = 3 && lacks warning err; say $? '... and draws them with their seeds'
that "$(drawn)" = 3 && lacks warning err; say $? '... from then on'
mkdir -p merge/results/other/run; drawn > found; matches '^draw: warning: the runs in .*/other are not drawn' err
say $? '... and warns of papers without settings'

# A corpus that a paper makes has its own texts; one that is made of another begins with that.
mkdir mark; for s in train dev test; do for l in en de; do echo 'a small dog sees the cat .' > mark/$s.$l; done; done
marked() {
	for goal in planned "$*"; do
		make --no-print-directory -s -f "$HEED_TOP/pipeline.mk" _goals=control DATA=mark W="$scratch/w" R="$scratch/r" PROFILE=smoke $goal \
		    > log 2>&1 || sed 's/^/# /' log
	done
}
marked "$scratch/w/text/links.en-de/test.tgt.raw" "$scratch/w/text/links.en-de/test.src.tok" "$scratch/w/text/mark+links30.en-de/test.tgt.tok" \
    "$scratch/w/text/mark+links30.en-de/test.tgt.raw"
that "$(wc -l < w/text/links.en-de/test.src.tok)" = 20 && runs tr -d ' +-' < w/text/links.en-de/test.tgt.raw > found &&
	tr -d ' ' < w/text/links.en-de/test.src.tok | equals - found; say $? 'an artificial language repeats the words of its source'
matches '^a small dog sees the cat [.] .* [+-]$' w/text/mark+links30.en-de/test.tgt.tok; say $? 'marks are after the text of the corpus'
matches '^a small dog sees the cat[.] .* [+-]$' w/text/mark+links30.en-de/test.tgt.raw; say $? 'translations are compared with detokenized text'
seq 40 | sed 's/$/ a b c d e/' > words; { echo src; cat words; } | awk -f "$HEED_TOP/src/papers/shuffle.awk" > shuffled
sorted() { awk '{ n = split($0, w, " "); for (i = 1; i <= n; i++) print NR, w[i] }' | sort; }
sed 1d shuffled | sorted > found; sorted < words | equals - found && that "$(sed 1d shuffled | cut -d ' ' -f 1 | grep -c '[a-e]')" -gt 25 &&
	that "$(sed 1d shuffled | tr -dc 'a-e\n' | sort -u | wc -l)" -gt 25; say $? 'shuffled sentences have the same words'
printf 'src\ttgt\talignment\nthe big red house is here\tla maison grande rouge est ici\t0-0 3-1 1-2 2-3 4-4 5-5\nb a\tc d e\t0-0 0-2 1-0\na b\tc\t\n' |
	awk -f "$HEED_TOP/src/papers/reorder.awk" > found
equals - found <<'END'; say $? 'source words take the order of their target words'
src	tgt
the house big red is here	la maison grande rouge est ici
a b	c d e
a b	c
END

# Commands of a paper that leave sentences out of a test set
printf 'tgt\na\nb c\n' | heed-pack --tsv > parsed.heed
cp parsed.heed kept.heed; printf 'tgt\na\n' | heed-pack --tsv > left.heed
whole() { exits "$1" "$2" sh "$HEED_TOP/src/papers/whole.sh" parsed.heed $3; }
whole 0 'a test set with all its sentences' kept.heed
whole 3 'a test set that lacks a sentence is refused' left.heed
matches 'left.heed: 1 sentences, expected all 2 of parsed.heed' err && that ! -e left.heed; say $? '... by name'
