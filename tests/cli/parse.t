#!/bin/sh
# parse, parse-train: an invented grammar is learned completely; threads, batches, streams and
# interruptions do not change the result; every sentence gets a tree over its own words.
. "$HEED_TOP/tests/lib.sh"

trees() { awk -v n="$2" -v seed="$3" -v what="$1" -f "$HEED_TOP/tests/data/trees.awk"; }
for what in conllu ptb tokens; do trees $what 300 1 > train.$what; trees $what 80 2 > dev.$what; done
config=width=32,heads=2,layers=1,ff=32,word_width=16,feature_width=16,feature_rows=512,arc=32,span=32,hidden=32,dropout=0.1
settings="-q -t 2 --arch $config --lr 0.01 --warmup 20 --batch-words 300 --updates 200 --no-pg"
last="sh $HEED_TOP/tests/last.sh parse-train"
train() { $last $settings "$@"; }
words() { cut -f 2 | awk '/./ { printf "%s%s", s, $0; s = " "; next } { print ""; s = "" }'; }

plan 143
runs train --dev dev.conllu,dev.ptb --keep-best --validate-every 40 -o p.tar train.conllu,train.ptb
say $? 'parse-train'
parse -q -m p.tar --tokens --to conllu dev.tokens | cut -f 1,2,4,5,7,8 > got
cut -f 1,2,4,5,7,8 dev.conllu | equals - got; say $? 'dependencies and tags of unseen sentences are correct'
parse -q -m p.tar --tokens --to ptb dev.tokens | equals - dev.ptb; say $? '... and constituents'
parse -q -m p.tar --tokens --to conllu --projective dev.tokens | cut -f 7 > got
cut -f 7 dev.conllu | equals - got; say $? '... and dependencies of the projective decoder'

# --- its validation measures against parse-score(1), for a parser with few updates
parse-train -t 2 --arch $config --lr 0.01 --batch-words 300 --warmup 20 --updates 12 --dev dev.conllu,dev.ptb \
    -o e.tar train.conllu,train.ptb 2> log
for form in conllu ptb; do
	parse -q --precision fp32 -m e.tar --tokens --to $form dev.tokens > e.$form
	parse-score dev.$form e.$form
done | awk '$1 ~ /^(uas|las|f1)$/ { print $1, $2 }' > scores
wrong=0; while read -r name x; do grep -q "$name $x\\b" log || wrong=1; done < scores
that "$(wc -l < scores)" -eq 3 && that $wrong = 0; say $? 'validation prints the scores of parse-score'
computes '$2 > 95 { exit 1 }' scores; say $? '... which are below 95'

# --- --keep-best, with a development set of an early parser's trees, from which later parsers differ
short="$last -t 2 --arch $config --lr 0.01 --batch-words 300 --warmup 5 --precision fp32"
best_step() { awk '/best so far/ { sub(",", ""); print $2 }' log | tail -n 1; }
$short -q --updates 10 -o early.tar train.conllu
parse -q --precision fp32 -m early.tar --tokens --to conllu dev.tokens > early.conllu
$short --updates 40 --validate-every 10 --keep-best --dev early.conllu -o k.tar train.conllu 2> log
that "$(nmt-info k.tar | awk '$1 == "step" { print $2 }')" = "$(best_step)" && that "$(best_step)" -lt 40
say $? '--keep-best writes an earlier parser than the last one'
parse -q --precision fp32 -m k.tar --tokens --to conllu dev.tokens > got
las=$(parse-score early.conllu got | awk '$1 == "las" { print $2 }')
matches "las $las (best so far)" log && tail -n 1 log | lacks "las $las\b"; say $? '... with the scores of the best validation'
awk 'BEGIN { FS = OFS = "\t" } /./ { $5 = $7 = $8 = "_" } 1' train.conllu > tags.conllu
$short --updates 12 --validate-every 4 --keep-best --dev dev.conllu -o k.tar tags.conllu 2> log
grep -o 'upos [0-9.]*' log | cut -d ' ' -f 2 > upos; sort -n upos | equals - upos && that "$(best_step)" = 12
say $? '... of a tagger, with the highest upos'
awk 'BEGIN { FS = OFS = "\t" } /./ { $8 = "_" } 1' train.conllu > bare.conllu
$short --updates 12 --validate-every 4 --keep-best --dev dev.conllu -o k.tar bare.conllu 2> log
grep -o 'uas [0-9.]*' log | cut -d ' ' -f 2 > uas; sort -n uas | equals - uas && that "$(best_step)" = 12
say $? '... of a parser without relations, with the highest uas'
lacks las log; say $? '... whose las is not printed'
awk 'BEGIN { FS = OFS = "\t" } /./ { $4 = $5 = "_" } 1' train.conllu > heads.conllu
exits 3 'a development set without the annotation of the training set' parse-train -q --updates 1 --dev tags.conllu -o k.tar heads.conllu

# --- one kind of trees
runs train -o d.tar train.conllu; say $? 'training on dependencies only'
parse -q -m d.tar --tokens --to conllu dev.tokens | cut -f 7,8 > got; cut -f 7,8 dev.conllu | equals - got
say $? '... predicts them'
exits 2 '... but no constituents' parse -m d.tar --tokens --to ptb dev.tokens
runs train -o c.tar train.ptb; say $? 'training on constituents only'
parse -q -m c.tar --tokens --to ptb dev.tokens | equals - dev.ptb; say $? '... predicts them'

# --- determinism
train -t 1 -o x.tar train.ptb; equals x.tar c.tar; say $? 'one thread gives the same parser'
train -t 3 -o x.tar train.ptb; equals x.tar c.tar; say $? '... and three threads'
train -s 2 -o x.tar train.ptb; equals x.tar c.tar; that $? = 1; say $? '... but another seed another one'
parse -q -t 1 -m p.tar --tokens --to ptb dev.tokens > one
parse -q -t 3 -m p.tar --batch-words 7 --tokens --to ptb dev.tokens | equals - one
say $? 'threads and batch sizes do not change the trees'
cp p.tar whole.tar
settings_best="$settings --dev dev.conllu,dev.ptb --keep-best --validate-every 40 --checkpoint cp"
best() { $last $settings_best "$@"; }
parse-train $settings_best -o x.tar train.conllu,train.ptb &
for i in $(seq 200); do ! [ -e cp ] || break; sleep 0.05; done
kill -9 $! 2> /dev/null; wait $! 2> /dev/null || true
best -o x.tar train.conllu,train.ptb
equals x.tar whole.tar; say $? 'a training that was killed and resumed gives the same parser'
rm -f cp x.tar; i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	parse-train $settings_best -o x.tar train.conllu,train.ptb 2> /dev/null & pid=$!
	sleep 0.1; kill -TERM $pid 2> /dev/null; wait $pid && break
done
best -o x.tar train.conllu,train.ptb; equals x.tar whole.tar; say $? '... and one that was stopped repeatedly'
best --lr 0.02 --arch hidden=16 -o y.tar train.conllu,train.ptb 2> err; that $? = 2; say $? 'resuming with other settings is an error'
matches 'config.hidden was 32, is 16; --lr was' err; say $? '... that names them'
best -o y.tar train.ptb 2> err; that $? = 2; say $? 'resuming with another treebank is an error'
matches 'training-data was' err; say $? '... that says so'
cp c.tar nocp; exits 3 'a parser in place of the checkpoint' parse-train -q --checkpoint nocp -o y.tar train.ptb
$last $settings --updates 100000 --validate-every 5 --checkpoint cp2 -o y.tar train.ptb 2> err & pid=$!
for i in $(seq 200); do ! [ -e cp2 ] || break; sleep 0.05; done
kill -TERM $pid; wait $pid; that $? = 143; say $? 'TERM ends a training with 143'
that -e cp2 && that ! -e y.tar && matches 'resumes from cp2' err; say $? '... and leaves a checkpoint'

# --- 8-bit integers instead of floats
train --i8 --dev dev.conllu,dev.ptb --keep-best --validate-every 40 -o i8.tar train.conllu,train.ptb
parse -q -m i8.tar --tokens --to ptb dev.tokens | equals - dev.ptb; say $? '8-bit parameters give the same trees'
that "$(wc -c < i8.tar)" -lt "$(wc -c < p.tar)"; say $? '... in a smaller file'

# --- streams
heed-pack dev.tokens dev.tokens > in.heed
parse -q -m p.tar in.heed > out.heed; runs heed-check -q out.heed; say $? 'parsing a stream'
heed-show -f src.tree out.heed | equals - dev.ptb; say $? '... adds constituents'
heed-show -f src.heads out.heed | tr -d '[]' | tr ', ' '\n\n' | grep . > got
cut -f 7 dev.conllu | grep . | equals - got; say $? '... and dependencies'
parse -q -m p.tar --side tgt out.heed | heed-show -f tgt.tree,src.tree | computes - -F '\t' '$1 != $2 { bad = 1 } END { exit bad || NR != 80 }'
say $? '... to the target side, next to those of the source'
heed-pack dev.tokens | parse -q -m p.tar --side tgt > got 2> err; that $? = 3; say $? 'a stream without the side'

printf '["heed",1,"sentence",{"fields":{"src":"str"}}]\n{"src":"a\\tb c\\nd"}\n["heed-note","who","us"]\n["heed-end",1]\n' |
    heed-pack --json --no-pg > tab.heed
parse -q -m p.tar tab.heed | heed-show -f src.heads | matches '^[0-9] [0-9]$'; say $? 'only spaces separate words'
parse -q -m p.tar tab.heed | heed-show | matches '^\["heed-note","who","us"\]$'; say $? 'a note passes through'
parse -q -m p.tar --to conllu tab.heed | cut -f 2 | tr '\n' ' ' | matches '^a_b c_d  *$'; say $? 'tabs and line ends in words become _ in CoNLL-U'
exits 3 'a stream in place of text' parse -m p.tar --tokens --to ptb in.heed; matches 'omit --tokens' err; say $? '... has a hint'

# --- every sentence gets a tree
{ printf '\n'; printf 'x\n'; printf '( ) [ ] -LRB- &quot;\n'; printf 'Ж %s\n' "$(printf 'ü%.0s' $(seq 300))"
  seq 450 | tr '\n' ' '; echo; } > odd
runs parse -m p.tar --tokens --to conllu odd > odd.conllu 2> err; say $? 'unusual sentences are parsed'
matches '1 sentences of more than 200 words' err; say $? '... the long one in parts'
sed 's/ $//' odd > odd.plain; words < odd.conllu | tail -n 4 > got; tail -n 4 odd.plain | equals - got
say $? '... with their own words'
computes -F '\t' 'NF == 10 && $7 == 0 { n++ } /^$/ { if (n != 1 && seen) exit 1; n = 0; seen = 1 }' odd.conllu
say $? '... with one root each'
computes -F '\t' 'NF == 10 && ($7 == 0) != ($8 == "root") { exit 1 }' odd.conllu; say $? '... which is the only one with relation root'
parse -q -m p.tar --tokens --to ptb odd > odd.ptb; wc -l < odd.ptb | tr -d ' ' | matches -x 5; say $? 'one line per sentence in brackets'
sed -n 1p odd.ptb | matches -x ''; say $? '... empty for a sentence without words'
grep -o '([^() ]* [^() ]*)' odd.ptb | tail -n 450 | sed 's/.* \(.*\))/\1/' | equals - "$(seq 450 > nums; echo nums)"
say $? '... all words of the long one'

# --- untokenized text
cat > raw <<'END'
Two men, both old, sit on a couch.
Who is he?
A dog barks at Mr. Smith
The U.S. is large.
Stop!
END
tokenize raw > raw.tokens
right() { parse --control right --to ptb "$@" 2>&1 > got; }
right --tokens raw > err; that "$(cat err)" = "parse: warning: 4 of the first 5 sentences have punctuation attached to words, such as 'couch.', expected tokens: run tokenize(1) first"
say $? 'untokenized text gives a warning'
that "$(wc -l < got)" = 5; say $? '... and is parsed'
heed-pack raw raw | right > err; matches '4 of the first 5' err; say $? '... also in a stream'
for i in $(seq 2000); do cat raw; done | right --tokens > err; that "$(grep -c attached err)" = 1; say $? '... once'
that -z "$(right -q --tokens raw)"; say $? '... but not with -q'
that -z "$(right --text raw)" && that "$(wc -l < got)" = 5; say $? '--text tokenizes without a warning'
that -z "$(right --tokens raw.tokens)"; say $? 'no warning about tokens'
printf '%s\n' 'He met J. R. Smith Jr. , Inc. and others , etc.' 'Sales rose 3.5 % in the U.S.' '&quot; No &quot; , said Dr. No .' \
	'A headline without an end' 'see www.example.org' 'why ? !' > abbreviated
that -z "$(right --tokens abbreviated)"; say $? '... about tokens that end in a period'
trees tokens 3000 4 | right --tokens > err; that ! -s err; say $? '... about many tokens'
: | right --tokens > err; that ! -s err; say $? '... about empty input'

# --- text in another language
cat > speech.en << 'END'
The children of the old teacher went to the river in the morning , but they did not find the boat .
We think that this is the best way to solve the problem of the new house and the road .
She said that her brother had seen him with two friends at the end of the week .
END
cat > speech.de << 'END'
Die Kinder des alten Lehrers gingen am Morgen an den Fluss , aber sie fanden das Boot nicht .
Wir glauben , dass dies der beste Weg ist , die Frage des neuen Hauses und der Straße zu lösen .
Sie sagte , dass ihr Bruder ihn mit zwei Freunden am Ende der Woche gesehen hatte .
END
printf '%s\n' '私 は 昨日 学校 へ 行き まし た 。' '彼 は 本 を 読ん で い ます 。' > speech.ja
for i in 1 2 3; do cat speech.ja; done > twice && cat twice twice > speech.ja
other() { "$@" --tokens --to conllu 2>&1 > got | grep -c "warning: the parser does not know"; }
for l in de ja; do that "$(other parse -t 1 speech.$l)" = 1; say $? "the English parser on $l gives a warning"; done
matches . got; say $? '... and parses it'
that "$(other parse -t 1 -l de speech.en)" = 1; say $? '... the German parser on English, too'
parse -t 1 --tokens --to conllu speech.ja 2>&1 > got |
    matches 'does not know 96 of the first 96 words with letters, expected text in its language, en$'
say $? '... which counts words and names the language'
that "$(other parse -t 1 speech.en)$(other parse -t 1 -l de speech.de)" = 00; say $? 'no warning about text in the language'
that "$(other parse -q -t 1 speech.ja)" = 0; say $? '... or with -q'
parse --pcfg --tokens --to ptb speech.ja 2>&1 > got | matches 'warning: the parser does not know'; say $? 'grammars warn, too'
that -z "$(right --tokens speech.ja)"; say $? '... but not baselines, which know no words'
head -n 2 speech.ja > short; that "$(other parse -t 1 short)" = 0; say $? '... and not a few words'

# --- baselines and corruption
parse -q --control right --tokens --to ptb odd.plain | sed -n 2p | matches x; say $? '--control needs no parser'
for i in $(seq 60); do cat dev.tokens; done > many; parse -q --control right --tokens --to ptb dev.tokens > one
parse -q --control right --tokens --to ptb many > all; for i in $(seq 60); do cat one; done | equals - all
say $? 'more sentences than one window'
exits 2 '--control with --model' parse --control right -m p.tar --tokens --to ptb dev.tokens
seq 400 | tr '\n' ' ' > long
for c in adjacent right; do
	parse -q --control $c --tokens --to conllu long | cut -f 7 | sed '$d' > got; seq 0 399 | equals - got; say $? "$c: heads of a long sentence"
done
parse -q --control right --tokens --to ptb long > got
awk 'BEGIN { for (i = 1; i < 400; i++) printf "(X (X %d) ", i; printf "(X 400)"; while (--i > 0) printf ")"; print "" }' | equals - got
say $? '... and constituents'
parse -q --control random --corrupt 0.01 --tokens --to conllu long |
    computes - '{ h[$1] = $7 } END { for (i = 2; i <= 200; i++) n += h[i] && h[i] + 200 != h[i + 200]; exit !(n > 20) }'
say $? 'parts of a long sentence get different random trees'
parse -q -s 7 --corrupt 0.5 -m p.tar --tokens --to conllu dev.tokens > a
parse -q -t 1 -s 7 --corrupt 0.5 --batch-words 9 -m p.tar --tokens --to conllu dev.tokens | equals - a
say $? 'corruption depends only on the seed'
paste dev.conllu a | computes - -F '\t' 'NF > 9 { n++; bad += $7 != $17 } END { exit !(bad / n > 0.4 && bad / n < 0.65) }'
say $? '... and corrupts about the given share'
for name in right random; do parse -q --control $name --corrupt 0.9 --tokens --to conllu dev.tokens; done |
    computes - -F '\t' 'NF > 9 { n++; bad += ($7 == 0) != ($8 == "root") || $7 && $8 != "dep" } END { exit !n || bad }'
say $? 'with --control, too, the root alone is called root'
parse -q --corrupt 0 -m p.tar --tokens --to ptb dev.tokens | equals - dev.ptb; say $? '... nothing with share 0'

# --- a grammar
runs parse-train --pcfg -o g.pcfg train.conllu,train.ptb; say $? 'training a grammar'
parse -q --pcfg -m g.pcfg --tokens --to ptb dev.tokens > got; paste got dev.ptb | computes - -F '\t' '$1 == $2 { n++ } END { exit !(n > 40) }'
say $? 'the grammar finds most trees'
parse --pcfg -m g.pcfg --tokens --to ptb odd.plain 2> err | wc -l | tr -d ' ' | matches -x 5; say $? '... and a tree for every sentence'
matches 'right-branching trees' err; say $? '... and reports the sentences without a parse'
exits 2 '--pcfg predicts no dependencies' parse --pcfg -m g.pcfg --tokens --to conllu dev.tokens
exits 3 'a parser in place of a grammar' parse --pcfg -m p.tar --tokens --to ptb dev.tokens
exits 2 'a language without a parser' parse --language xx --tokens --to ptb dev.tokens

# --- incomplete treebanks
printf '\n( (A a) (B b))\n(S (A a) (B b))\n' > unlabelled.ptb; train --updates 3 -o x.tar unlabelled.ptb
echo a b | parse -q -m x.tar --tokens --to ptb | matches '^([SX] ([AB] a) ([AB] b))$'; say $? 'a phrase without a label'
awk -F '\t' -v OFS='\t' 'NF > 9 { $8 = "_" } { print }' train.conllu > bare.conllu; train -o x.tar bare.conllu
parse -q -m x.tar --tokens --to conllu dev.tokens | cut -f 7 > got; cut -f 7 dev.conllu | equals - got
say $? 'heads without relations are learned'
parse-train -t 2 --arch $config --lr 0.01 --batch-words 300 --updates 20 --validate-every 5 --dev bare.conllu -o x.tar \
    bare.conllu 2> log
lacks 'las\|f1' log && matches 'dev upos [0-9.]*, xpos [0-9.]*, uas [0-9.]*' log
say $? '... of which the validation has no las and f1'
sed 's/.*uas \([0-9.]*\)/\1/' log | computes - '($1 > top) != /best so far/ { exit n = 1 } $1 > top { top = $1; n-- } END { exit n > -3 }'
say $? '... and the validation with the most correct heads is the best'
awk -F '\t' -v OFS='\t' 'NF > 9 { $4 = $5 = $7 = $8 = "_" } { print }' train.conllu > bare.conllu
awk -F '\t' -v OFS='\t' 'NF > 9 { $2 = "_" } { print }' train.conllu > none.conllu
exits 3 'a treebank without text' parse-train -q --updates 1 -o y.tar train.conllu none.conllu
exits 3 'a treebank without trees and tags' parse-train -q -o y.tar bare.conllu
runs train --max-words 7 --leave-out 'x*' --updates 1 -o x.tar train.ptb 2> err; say $? 'sentences longer than --max-words are skipped'
computes -v n="$(awk -F '[^() ]) *' 'NF - 1 > 7' train.ptb | wc -l)" '$3 == n && /more than 7 words/ { n = -1 } END { exit n != -1 }' err
say $? '... and counted'; matches -e "--leave-out x\* matches no document" err; say $? '--leave-out without a match gives a warning'
sed '1s/^/# newdoc id = one\n/' train.conllu > doc.conllu
parse-train --pcfg --leave-out two --leave-out one -o y.pcfg doc.conllu,train.ptb train.ptb 2> err
echo 'parse-train: warning: --leave-out two matches no document' | equals - err; say $? '... one for each pattern, also for grammars'

# --- other programs
runs nmt-info p.tar > info; say $? 'nmt-info of a parser'
matches '^config.width	32$' info && matches "^labels.xpos	$(cut -f 5 train.conllu | grep . | sort -u | wc -l | tr -d ' ')$" info
say $? '... prints settings and label counts'
nmt-info cp | matches "^member	adam/m	[0-9]*$"; say $? '... and the other members of a checkpoint'
exits 3 'a parser in place of a translation model' nmt-translate -m p.tar in.heed
matches 'p.tar: this is a heed-parser, expected a model of nmt-train' err; say $? '... is named in the error'

# --- built-in parsers
heads() { parse -q --language "$1" --tokens --to conllu | cut -f 7,8 | paste -s -d ' ' - | sed 's/ *$//' | tr '\t' '/'; }
echo 'The old man sees a dog in the garden .' | heads en > got
echo '3/det 3/amod 4/nsubj 0/root 6/det 4/obj 9/case 9/det 4/obl 10' > want
cut -d ' ' -f 1-6,7-8 got > a; cut -d ' ' -f 1-6,7-8 want | equals - a; say $? 'dependencies of an English sentence'
echo 'Der alte Mann sieht einen Hund .' | heads de | cut -d ' ' -f 1-7 > got
echo '3/det 3/amod 4/nsubj 0/root 6/det 4/obj 4/punct' | equals - got; say $? 'dependencies of a German sentence'
echo 'She saw the dog .' | parse -q --tokens --to ptb > got
echo '(S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN dog))) (. .))' | equals - got; say $? 'constituents of an English sentence'
echo 'She saw the dog .' | parse -q --pcfg --tokens --to ptb | equals - got; say $? '... by the grammar'

# --- the words of treebanks
show() { parse -q --tokens --to conllu "$@" | cut -f 2,4,5,7,8; }
echo "He isn 't here ." | show --tokenization treebank > got
echo "He is n't here ." | show | sed "s/^is\t/isn\t/; s/^n't\t/'t\t/" | equals - got
say $? 'the parse of the words of a treebank'
echo "He isn 't here ." | show | equals - got; that $? = 1; say $? '... differs from that of the tokens'
echo 'He isn &apos;t here .' | show --tokenization treebank | sed "s/^&apos;t/'t/" | equals - got
say $? '... also with escapes'
echo 'Er geht zum Haus .' | show --language de --tokenization treebank > got
echo 'Er geht zu dem Haus .' | show --language de | awk -F '\t' -v OFS='\t' 'NR != 4 { if ($4 > 3) $4--; print }' |
	sed 's/^zu\t/zum\t/' | equals - got; say $? 'a German word that is two words of a treebank'
cat > odd <<'END'
http : / / a.org / b ! ! ! :
( 10 : 30PM ) don 't &amp; cannot AT &amp; T 15-year-old isn ’ t ` ' ' . .
! ! !
@-@ a-b @-@ -LRB- -RRB- e @ mail.org _ x _ y
x

END
many() { parse -q --tokens --tokenization treebank "$@" odd; }
many --to conllu > odd.conllu; heed-pack odd | runs conllu2heed -p odd.conllu -o odd.heed; say $? 'dependencies of joined and divided words form trees'
computes -F '\t' 'NF && $7 == 0 { n++ } END { exit n != 5 }' odd.conllu; say $? '... with one root each'
many --to ptb | sed 's/^$/(())/' > odd.ptb; sed 's/-LRB-/(/g; s/-RRB-/)/g' odd | heed-pack | runs ptb2heed -p odd.ptb -o odd2.heed; say $? '... and constituents'
heed-pack raw | parse -q | heed-show -f src.heads,src.tree > got
heed-pack raw | parse -q --tokenization given | heed-show -f src.heads,src.tree | equals - got; say $? 'the words of a stream are parsed as given'
echo "He isn't here." > raw2; parse -q --text --to conllu raw2 > got
tokenize raw2 | parse -q --tokens --tokenization treebank --to conllu | equals - got; say $? 'text is parsed as in the treebank'
parse -q -m p.tar --text --to conllu raw2 > got; tokenize raw2 | parse -q -m p.tar --tokens --to conllu | equals - got
say $? '... but not with --model'
parse-train -q --updates 2 --arch $config --language fr -o fr.tar train.ptb
echo "L'eau aujourd'hui." | tee raw3 | parse -q -m fr.tar --text --to ptb > got; tokenize -l fr raw3 | parse -q -m fr.tar --tokens --to ptb | equals - got
say $? 'text is tokenized by the rules of the language in the parser file'
parse -q -m fr.tar -l en --text --to ptb raw3 > got; tokenize -l en raw3 | parse -q -m fr.tar --tokens --to ptb | equals - got
say $? '... or of --language'
w() { printf '%s\t%s\t_\t_\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
{ echo '# text = Er geht zum Haus.'; w 1 Er 2 nsubj 2 geht 0 root 3-4 zum _ _ 3 zu 5 case 4 dem 5 det 5 Haus 2 obl 6 . 2 punct; echo
  echo '# text = Er geht.'; w 1 Er 2 nsubj 2 geht 0 root 3 . 2 punct; echo; } > bank.conllu
runs sh "$HEED_TOP/src/papers/parser-scores.sh" de bank.conllu > got; say $? 'scores on text'
printf '%s\n' 'all	gold	2	7	' 'all	treebank	2	7	' 'all	given	2	7	' 'differ	gold	1	4	' 'differ	treebank	1	4	' 'differ	given	1	4	' > want
sed 1d got | sed 's/[0-9.]*\t[0-9.]*$//' | equals - want; say $? '... of common words, and in sentences with other tokens'
exits 2 '--upos without a parser' parse --upos --control adjacent in.heed
exits 2 '--tokenization treebank for a language without rules' parse -m p.tar --language fr --tokenization treebank in.heed

# --- errors
exits 4 'a missing output directory, before input is read' parse-train -o none/y.tar none.ptb
exits 4 'a directory in place of the parser' parse-train -o . none.ptb
exits 2 '--keep-best without --dev' parse-train --keep-best -o y.tar train.ptb
cp train.ptb same.ptb
exits 2 'an output that is a treebank' parse-train --updates 1 -o same.ptb train.ptb train.conllu,./same.ptb
exits 2 '... or one to validate on' parse-train --updates 1 --checkpoint same.ptb --dev ./same.ptb -o y.tar train.ptb
exits 2 '... or the checkpoint' parse-train --updates 1 --checkpoint y.tar -o ./y.tar train.ptb
equals train.ptb same.ptb && that ! -e y.tar; say $? '... nothing is written'
exits 2 'an epsilon of 0' parse-train --updates 1 --eps 0 -o y.tar train.ptb
awk -F '\t' -v OFS='\t' 'NR == 2 { $5 = "A B" } { print }' train.conllu > bad.conllu
exits 3 'a space in a tag' parse-train --updates 1 -o y.tar bad.conllu
exits 2 '--projective with a control' 'parse --control right --projective --tokens --to conllu dev.tokens'
exits 2 '... or a grammar' 'parse --pcfg --projective --tokens --to ptb dev.tokens'
exits 2 '... or trees in brackets' 'parse --projective --tokens --to ptb dev.tokens'
exits 2 'a side of tokens' 'parse --side tgt --tokens --to ptb dev.tokens'
exits 2 '--tokens with --to stream' parse -m p.tar --tokens dev.tokens
head -c 1000 p.tar > cut.tar; exits 3 'a truncated parser' parse -m cut.tar --tokens --to ptb dev.tokens
printf '(S (A a)\n' > bad.ptb; exits 3 'unbalanced brackets' parse-train --updates 1 -o y.tar bad.ptb
awk -F '\t' -v OFS='\t' 'NR == 2 { $7 = 999 } { print }' train.conllu > bad.conllu
exits 3 'a head outside the sentence' parse-train --updates 1 -o y.tar bad.conllu
sed '1s/[a-z]* /whatever /' train.ptb | sed '1s/(DT [a-z]*)/(DT whatever)/' > bad.ptb
exits 3 'different words in the two files of a treebank' parse-train --updates 1 -o y.tar train.conllu,bad.ptb

# --- the other kind of model
printf 'heed-pcfg\t1\n' > g.pcfg
parse -q -m g.pcfg --tokens --to ptb dev.tokens > out 2> err
that $? = 2 && matches 'a grammar needs --pcfg' err; say $? 'a grammar without --pcfg is an error'
parse -q --pcfg -m p.tar --tokens --to ptb dev.tokens > out 2> err
that $? = 3 && matches 'p.tar is a tar file' err && matches 'omit --pcfg' err; say $? '... and a parser with it'
