#!/bin/sh
# heed-plan-papers: rules and refusals of small papers, without a training.
. "$HEED_TOP/tests/lib.sh"
plan 41

mkdir -p house toy work; cp -r "$HEED_TOP/src" house
for s in train dev test; do for l in en de; do echo a b c > toy/$s.$l; done; done
# paper NAME LINE...: its settings, and a table of the variants plain and b
paper() {
	name=$1; shift
	printf '%s\n' 'title = Mine' 'variant.plain =' 'variant.b =' "$@" > house/src/papers/$name.conf
	printf '%s\n' 'section table1 T' 'columns -' 'plain - - P' 'b plain - B' > house/src/papers/$name.grid
}
# rules PAPERS SETTING...: work/run.mk
rules() {
	papers=$1; shift
	heed-plan -q --drafts --make work/run.mk --top "$scratch/house/" --papers "$papers" PROFILE=smoke WALK=4 W=work R=work/results \
	    MODELS=x DATA=toy SEEDS=1 MORE_SEEDS=1 "$@" 2> err
}
# made FILE: the command that makes it
made() { awk -v file="$1:" '$1 == file { on = 1; next } /^[^\t]/ { on = 0 } on' work/run.mk; }

# A corpus of two papers.
paper one 'corpora.table1 = words' 'text.words = sh one.sh'; paper two 'corpora.table1 = words' 'text.words = sh two.sh'
runs rules two && made work/text/words.en-de/train.heed | matches 'sh two.sh'; say $? 'a paper makes its corpus by its own commands'
ends 3 rules 'one two' && matches 'papers/one.conf and .*papers/two.conf: different commands text.words' err
say $? '... and two that make it differently are refused'
paper two 'corpora.table1 = words' 'text.words = sh {script}' 'script = one.sh'; runs rules 'one two'; say $? '... but not two that make it in the same way'
rm house/src/papers/one.* house/src/papers/two.*

# A search before the run before a run.
paper mine 'searches = tune' 'search.plain = whole/tune' 'begin.b = plain' 'variant.c =' 'begin.c = b'
echo 'c b - C' >> house/src/papers/mine.grid; printf '%s\n' 'stage rate' '--lr 1 | --lr 2' > house/src/papers/mine.tune.smoke
for v in plain b c; do
	rules mine RUN_NAME=mine/toy.en-de/$v/1 && echo $v
	grep -q "mine/toy.en-de/$v/1 needs the search mine/search/toy.en-de/tune; first" err || echo "$v: $(cat err)"
done > taken; that ! -s taken; say $? 'run-one refuses a run with a missing search before it, at any distance'

# On a whole corpus, one run for two systems that differ in the size of their search only.
# variants SETTING...: those of the runs
variants() { rules mine "$@" && cut -f 1 work/wanted | grep -v /search/ | cut -d / -f 3 | xargs > found; cat found; }
twin() { paper mine 'searches = tune' 'search.b = whole/tune' 'search.c = size/tune' 'variant.c =' "$@"; echo 'c plain - C' >> house/src/papers/mine.grid; }
twin; that "$(variants)" = 'b plain'; say $? 'a system with the same search as another is not trained again'
for key in 'begin.c = plain' 'aligned.c = plain' 'closed.c = plain gate' 'tested.c = pruned' 'data.c = src' 'variant.c.smoke = --lr 1'; do
	twin "$key"; that "$(variants)" = 'b c plain' || echo "$key"
done > taken; that ! -s taken; say $? '... but one with other settings'
twin; that "$(variants SYSTEMS=c)" = 'c plain'; say $? '... or without the other in the requested systems'

# A list of runs is that of the last command.
paper mine; rules mine; that -s work/wanted; say $? 'the wanted runs are listed'
printf '%s\n' 'section claims C' 'columns -' 'b plain - b helps' >> house/src/papers/mine.grid
runs rules mine TABLES=claims && that ! -s work/wanted && runs heed-plan -q work/wanted > out && that ! -s out; say $? '... and none if none is wanted'

# Settings with quotes in a signature.
paper mine 'maps = first' "map.first = b --unit 'a b'"
# signed: the words that the rule of the map writes after the digests
signed() { made work/results/mine/first.svg | sed -n "s,^	echo [$][$](sed .*/dev/null) \(.*\) > .*[.]of$,printf '%s\\\\n' \1,p" | sh; }
rules mine; that "$(signed)" = "b --unit 'a b'"; say $? 'a signature may have quotes'

# Sentences for measures of heads, which another run masks, with the BPE codes of the run.
paper mine 'begin.b = plain' 'closed.c = b gradient' 'variant.c =' 'sizes = 2' 'main = table1'; sed -i '/^columns/iscope sizes' house/src/papers/mine.grid
echo 'c plain - C' >> house/src/papers/mine.grid
mkdir -p work/text/toy.en-de; echo 9 > work/text/toy.en-de/pairs; rules mine
probe=work/prepared/mine/probe/toy.en-de@2.1/dev.heed; run=work/run/mine/toy.en-de@2/plain/1
grep "^$run/heads.heed: " work/run.mk | matches " $probe " && made $run/heads.heed | matches " $probe " && matches "^$probe: .* work/codes/toy.en-de@2.1/" work/run.mk
say $? 'heads are measured on tokens of the BPE codes of the model'
grep '^data: ' work/run.mk | matches " $probe"; say $? '... which prepare makes'; rm -r work/text

# A paper whose sections all have a corpus of their own.
paper mine 'corpora.table1 = words' 'text.words = sh words.sh' 'studied = plain' 'parse.probe = src' 'timed = plain' 'timed-on = 3' 'probe = 3' 'few = 2' \
    'also = statistics heads speed' 'statistics = plain' 'head-maps = relevance' 'searches = tune' 'search.b = whole/tune'
echo > house/src/papers/mine.statistics; runs rules mine
for f in heads.tsv speed.tsv relevance.svg; do made work/results/mine/$f | grep -q 'mine/words.en-de/' || grep -q "^work/results/mine/$f: .*/words.en-de/" work/run.mk || echo $f; done > lacking
that ! -s lacking; say $? 'tables of heads are of its corpus'
made work/results/mine/statistics.tsv | matches 'prepared/mine/plain/words.en-de/train.heed' && made work/results/mine/statistics.tsv | lacks toy
say $? '... and so are its trees'
matches '^mine/search/words.en-de/tune	' work/wanted && that -n "$(made work/results/mine/search/words.en-de/tune/best)"; say $? '... and its searches'

# Seeds of samples, and a chain of variants.
paper mine 'seeds@2 = 4 5' 'seeds = 1' 'sizes = 2 all'; sed -i '/^columns/iscope sizes' house/src/papers/mine.grid
mkdir -p work/text/toy.en-de; echo 9 > work/text/toy.en-de/pairs
heed-plan -q --drafts --make work/run.mk --top "$scratch/house/" --papers mine PROFILE=smoke W=work R=work/results MODELS=x DATA=toy
cut -f 1 work/wanted | cut -d / -f 2- | xargs > found; that "$(cat found)" = 'toy.en-de/b/1 toy.en-de/plain/1 toy.en-de@2/b/4 toy.en-de@2/b/5 toy.en-de@2/plain/4 toy.en-de@2/plain/5'
say $? 'samples may have seeds of their own'; rm -r work/text
paper mine 'variant.v-{1..30} ='; begin=b
for i in $(seq 30); do echo "begin.v-$i = $begin" >> house/src/papers/mine.conf; begin=v-$i; done; echo 'v-30 plain - V' >> house/src/papers/mine.grid
runs rules mine; say $? 'a chain of 30 variants'
# A copy of trees that an editor keeps.
for s in train dev test; do : > toy/$s.en.conllu.bak; done; paper mine 'data = src'; rules mine; lacks conllu work/run.mk; say $? 'other files next to trees are not read'
for s in train dev test; do : > toy/$s.en.conllu.gz; done; rules mine; matches 'conllu.gz' work/run.mk; say $? '... but compressed trees are'
rm toy/*.conllu*

# refused 'part of the message' SETTING... -- LINE...: a paper with these lines, on this command line
refused() {
	message=$1; shift; taken=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do taken="$taken $1"; shift; done; [ $# = 0 ] || shift
	paper mine "$@"
	! rules mine $taken && grep -qF "$message" err; r=$?
	say $r "refused: $message"; [ $r = 0 ] || sed 's/^/# /' err
}
f=src/papers/mine.conf
paper mine; ends 2 rules mine ALSO='more more' && matches "ALSO=more more: 'more' is given twice" err; say $? 'refused: a test set that is given twice'
refused 'UPDATES: no value; expected one' UPDATES=
cp -r toy toy@5; refused 'the name toy@5 is that of a sample of 5 pairs' DATA=toy@5; mkdir toy@x; cp toy/* toy@x
runs rules mine DATA=toy@x; say $? '... but not another name with @'
refused "$f:4: mine.statistics: nosuch, expected a preparation" -- 'statistics = nosuch'
refused "$f:4: mine.data.b: 'src both', expected one word" -- 'data.b = src both'
refused "$f:4: mine.tested.b: 'model pruned', expected one word" -- 'tested.b = model pruned'
refused "$f:4: mine.begin.b: 'plain plain', expected one word" -- 'begin.b = plain plain'
refused "$f:4: mine.closed.b: 'plain', expected 2 words" -- 'closed.b = plain'
refused "$f:7: mine.also: kept needs the table heads" -- 'studied = plain' 'probe = 3' 'few = 2' 'also = kept'
refused "$f:7: mine.head-maps: fate needs the table heads" -- 'studied = plain' 'probe = 3' 'few = 2' 'head-maps = fate'
refused "{steps nosuch}: expected a variant" -- 'begin.b = plain' 'recipe = --updates {steps nosuch more}' 'more = 2'
sed -i 1d house/src/papers/mine.tune.smoke
refused 'src/papers/mine.tune.smoke: line 1: options before the first stage, expected stage NAME' -- 'searches = tune' 'search.b = whole/tune'
ends 2 make -s -f "$HEED_TOP/pipeline.mk" -C house run-one PROFILE=smoke > out 2> err && matches 'run-one: no RUN_NAME' err; say $? 'refused: run-one without a run'

# What models are measured on: their own test set, and the preparation probe of the development set.
measured="'studied = plain' 'probe = 3' 'few = 2' 'timed = plain b' 'timed-on = 3' 'also = heads speed' 'posthoc = c' 'curve-on.c = 3' 'curve.c = --points 3' 'posthoc-by = --by confidence'"
measured() { eval "paper mine $measured \"\$@\""; }
measured 'data = rev' 'prepare.rev = cat | {bpe}' 'parse.probe = src' 'prepare.probe = {prepare.rev}'; runs rules mine
made work/results/mine/speed.tsv | matches 'work/prepared/mine/rev/toy.en-de/test.heed' && made work/results/mine/posthoc/c/1.heed.gz | matches 'prepared/mine/rev/' &&
	lacks prepared/mine/plain work/run.mk; say $? 'speed and pruning curves are of the data of the variants'
made work/prepared/mine/probe/toy.en-de/dev.heed | matches ' cat | bpe-apply'; say $? '... and measures of heads of the commands of probe'
wrong() {
	message=$1; shift; measured "$@"
	ends 3 rules mine && matches -F "$message" err; say $? "refused: $message"
}
wrong "$f:15: mine.prepare.rev: the heads of plain are measured on the preparation probe, expected prepare.probe" 'data = rev' 'prepare.rev = cat' 'parse.probe = src'
wrong "$f:14: mine.data: plain reads trees of the parser pcfg, and its heads are measured with those of src" 'data = pcfg' 'parse.probe = src'
wrong "$f:4: mine.studied: the roles of heads need trees, expected parse.probe = src"
wrong "$f:7: mine.timed: plain reads the data preparation plain and b reads src, expected variants with the same data" 'data.b = src' 'parse.probe = none'

# The two sides of a text.
mkdir sides; cp toy/* sides; mv sides/dev.de sides/val.de; paper mine
ends 3 rules mine DATA=sides && matches 'sides/dev.en and .*sides/val.de: expected texts with the same name' err; say $? 'refused: two sides of different names'
gzip sides/val.de; mv sides/dev.en sides/val.en; runs rules mine DATA=sides; say $? '... but not a compressed one'
