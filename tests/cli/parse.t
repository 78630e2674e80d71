#!/bin/sh
# parse, parse-train: an invented grammar is learnt whole; threads, batches, streams and a stop in
# the middle change nothing; every sentence gets a tree over its own words.
. "$HEED_TOP/tests/lib.sh"

trees() { awk -v n="$2" -v seed="$3" -v what="$1" -f "$HEED_TOP/tests/data/trees.awk"; }
for what in conllu ptb tokens; do trees $what 300 1 > train.$what; trees $what 80 2 > dev.$what; done
config=width=32,heads=2,layers=1,ff=32,word_width=16,feature_width=16,feature_rows=512,arc=32,span=32,hidden=32,dropout=0.1
settings="-q -t 2 --config $config --lr 0.01 --warmup 20 --batch-words 300 --updates 200 --no-pg"
last="sh $HEED_TOP/tests/last.sh parse-train"
learn() { $last $settings "$@"; }
words() { cut -f 2 | awk '/./ { printf "%s%s", s, $0; s = " "; next } { print ""; s = "" }'; }

plan 92
learn --dev dev.conllu,dev.ptb --keep-best --validate-every 40 -o p.tar train.conllu,train.ptb
say $? 'parse-train'
parse -q -m p.tar --tokens --to conllu dev.tokens | cut -f 1,2,4,5,7,8 > got
cut -f 1,2,4,5,7,8 dev.conllu | cmp -s - got; say $? 'dependencies and parts of speech of new sentences are right'
parse -q -m p.tar --tokens --to ptb dev.tokens | cmp -s - dev.ptb; say $? 'and so are constituents'
parse -q -m p.tar --tokens --to conllu --projective dev.tokens | cut -f 7 > got
cut -f 7 dev.conllu | cmp -s - got; say $? '... with the projective decoder, too'

# --- what it says of itself, against parse-score(1), of a parser that has learnt little
parse-train -t 2 --config $config --lr 0.01 --batch-words 300 --warmup 20 --updates 12 --dev dev.conllu,dev.ptb \
    -o e.tar train.conllu,train.ptb 2> log
for form in conllu ptb; do
	parse -q --precision fp32 -m e.tar --tokens --to $form dev.tokens > e.$form
	parse-score dev.$form e.$form
done | awk '$1 ~ /^(uas|las|f1)$/ { print $1, $2 }' > scores
wrong=0; while read -r name x; do grep -q "$name $x\\b" log || wrong=1; done < scores
[ "$(wc -l < scores)" -eq 3 ] && [ $wrong = 0 ]; say $? 'scores of validation'
awk '$2 > 95 { exit 1 }' scores; say $? '... of which none is perfect'

# --- one kind alone
learn -o d.tar train.conllu; say $? 'dependencies alone'
parse -q -m d.tar --tokens --to conllu dev.tokens | cut -f 7,8 > got; cut -f 7,8 dev.conllu | cmp -s - got
say $? '... are right'
exits 2 'without constituents there are none' parse -m d.tar --tokens --to ptb dev.tokens
learn -o c.tar train.ptb; say $? 'constituents alone'
parse -q -m c.tar --tokens --to ptb dev.tokens | cmp -s - dev.ptb; say $? '... are right'

# --- the same whatever happens
learn -t 1 -o x.tar train.ptb; cmp -s x.tar c.tar; say $? 'one thread learns the same'
learn -t 3 -o x.tar train.ptb; cmp -s x.tar c.tar; say $? '... three, too'
learn -s 2 -o x.tar train.ptb; cmp -s x.tar c.tar; [ $? = 1 ]; say $? '... another seed does not'
parse -q -t 1 -m p.tar --tokens --to ptb dev.tokens > one
parse -q -t 3 -m p.tar --batch-words 7 --tokens --to ptb dev.tokens | cmp -s - one
say $? 'threads and batches find the same trees'
cp p.tar whole.tar
settings_best="$settings --dev dev.conllu,dev.ptb --keep-best --validate-every 40 --checkpoint cp"
best() { $last $settings_best "$@"; }
parse-train $settings_best -o x.tar train.conllu,train.ptb &
for i in $(seq 200); do ! [ -e cp ] || break; sleep 0.05; done
kill -9 $! 2> /dev/null; wait $! 2> /dev/null || true
best -o x.tar train.conllu,train.ptb
cmp -s x.tar whole.tar; say $? 'killed and resumed, it learns the same'
rm -f cp x.tar; i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	parse-train $settings_best -o x.tar train.conllu,train.ptb 2> /dev/null & pid=$!
	sleep 0.1; kill -TERM $pid 2> /dev/null; wait $pid && break
done
best -o x.tar train.conllu,train.ptb; cmp -s x.tar whole.tar; say $? 'stopped again and again, too'
best --lr 0.02 --config hidden=16 -o y.tar train.conllu,train.ptb 2> err; [ $? = 2 ]; say $? 'a checkpoint of other settings'
grep -q 'config.hidden was 32, is 16; --lr was' err; say $? '... says which'
best -o y.tar train.ptb 2> err; [ $? = 2 ]; say $? '... or of another treebank'
grep -q 'training-data was' err; say $? '... says so, too'
cp c.tar nocp; exits 3 'a parser is no checkpoint' parse-train -q --checkpoint nocp -o y.tar train.ptb
$last $settings --updates 100000 --validate-every 5 --checkpoint cp2 -o y.tar train.ptb 2> err & pid=$!
for i in $(seq 200); do ! [ -e cp2 ] || break; sleep 0.05; done
kill -TERM $pid; wait $pid; [ $? = 143 ]; say $? 'TERM ends with 143'
[ -e cp2 ] && ! [ -e y.tar ] && grep -q 'resumes from cp2' err; say $? '... and leaves a checkpoint'

# --- bytes instead of floats
learn --i8 --dev dev.conllu,dev.ptb --keep-best --validate-every 40 -o i8.tar train.conllu,train.ptb
parse -q -m i8.tar --tokens --to ptb dev.tokens | cmp -s - dev.ptb; say $? 'a byte a number is enough here'
[ "$(wc -c < i8.tar)" -lt "$(wc -c < p.tar)" ]; say $? '... and makes the file smaller'

# --- streams
heed-pack dev.tokens dev.tokens > in.heed
parse -q -m p.tar in.heed > out.heed; heed-check -q out.heed; say $? 'a stream'
heed-show -f src.tree out.heed | cmp -s - dev.ptb; say $? '... gets constituents'
heed-show -f src.heads out.heed | tr -d '[]' | tr ', ' '\n\n' | grep . > got
cut -f 7 dev.conllu | grep . | cmp -s - got; say $? '... and dependencies'
parse -q -m p.tar --side tgt out.heed | heed-show -f tgt.tree,src.tree | awk -F '\t' '$1 != $2 { exit 1 }'
say $? '... on the other side, too, beside those of the first'
heed-pack dev.tokens | parse -q -m p.tar --side tgt > got 2> err; [ $? = 3 ]; say $? 'a side that is not there'

printf '["heed",1,"sentence",{"fields":{"src":"str"}}]\n{"src":"a\\tb c\\nd"}\n["heed-note","who","us"]\n["heed-end",1]\n' |
    heed-pack --json --no-pg > tab.heed
parse -q -m p.tar tab.heed | heed-show -f src.heads | grep -q '^[0-9] [0-9]$'; say $? 'only blanks part words'
parse -q -m p.tar tab.heed | heed-show | grep -q '^\["heed-note","who","us"\]$'; say $? 'a note goes on'
parse -q -m p.tar --to conllu tab.heed | cut -f 2 | tr '\n' ' ' | grep -q '^a_b c_d  *$'; say $? 'what a column cannot hold is _'
exits 3 'a stream is no text' parse -m p.tar --tokens --to ptb in.heed; grep -q 'leave --tokens out' err; say $? '... says so'

# --- any sentence gets its trees
{ printf '\n'; printf 'x\n'; printf '( ) [ ] -LRB- &quot;\n'; printf 'Ж %s\n' "$(printf 'ü%.0s' $(seq 300))"
  seq 450 | tr '\n' ' '; echo; } > odd
parse -m p.tar --tokens --to conllu odd > odd.conllu 2> err; say $? 'odd sentences are parsed'
grep -q '1 sentences of more than 200 words' err; say $? '... the long one in parts'
words < odd.conllu | cmp -s - odd
sed 's/ $//' odd > odd.plain; words < odd.conllu | tail -n 4 > got; tail -n 4 odd.plain | cmp -s - got
say $? '... over their own words'
awk -F '\t' 'NF == 10 && $7 == 0 { n++ } /^$/ { if (n != 1 && seen) exit 1; n = 0; seen = 1 }' odd.conllu
say $? '... with one root each'
awk -F '\t' 'NF == 10 && ($7 == 0) != ($8 == "root") { exit 1 }' odd.conllu; say $? '... which alone is called root'
parse -q -m p.tar --tokens --to ptb odd > odd.ptb; wc -l < odd.ptb | tr -d ' ' | grep -qx 5; say $? 'a line each in brackets'
sed -n 1p odd.ptb | grep -qx ''; say $? '... empty for no words'
grep -o '([^() ]* [^() ]*)' odd.ptb | tail -n 450 | sed 's/.* \(.*\))/\1/' | cmp -s - "$(seq 450 > nums; echo nums)"
say $? '... all words of the long one'

# --- text that was not tokenized
cat > raw <<'END'
Two men, both old, sit on a couch.
Who is he?
A dog barks at Mr. Smith
The U.S. is large.
Stop!
END
tokenize raw > raw.tokens
right() { parse --control right --to ptb "$@" 2>&1 > got; }
right --tokens raw > err; [ "$(cat err)" = "parse: warning: 4 of the first 5 sentences have punctuation joined to words, such as 'couch.', expected tokens: run tokenize(1) first" ]
say $? 'text is not taken for tokens without a word'
[ "$(wc -l < got)" = 5 ]; say $? '... but gets its trees'
heed-pack raw raw | right > err; grep -q '4 of the first 5' err; say $? '... in a stream, too'
for i in $(seq 2000); do cat raw; done | right --tokens > err; [ "$(grep -c joined err)" = 1 ]; say $? '... once'
[ -z "$(right -q --tokens raw)" ]; say $? '... unless asked to be quiet'
[ -z "$(right --text raw)" ] && [ "$(wc -l < got)" = 5 ]; say $? 'with --text it tokenizes, and says nothing'
[ -z "$(right --tokens raw.tokens)" ]; say $? 'of tokens it says nothing'
printf '%s\n' 'He met J. R. Smith Jr. , Inc. and others , etc.' 'Sales rose 3.5 % in the U.S.' '&quot; No &quot; , said Dr. No .' \
	'A headline without an end' 'see www.example.org' 'why ? !' > abbreviated
[ -z "$(right --tokens abbreviated)" ]; say $? '... nor of those that end in a point'
trees tokens 3000 4 | right --tokens > err; [ ! -s err ]; say $? '... nor of many'
: | right --tokens > err; [ ! -s err ]; say $? '... nor of none'

# --- controls and corruption
parse -q --control right --tokens --to ptb odd.plain | sed -n 2p | grep -q x; say $? 'a control needs no parser'
for i in $(seq 60); do cat dev.tokens; done > many; parse -q --control right --tokens --to ptb dev.tokens > one
parse -q --control right --tokens --to ptb many > all; for i in $(seq 60); do cat one; done | cmp -s - all
say $? 'more sentences than it takes at a time'
exits 2 '... and takes none' parse --control right -m p.tar --tokens --to ptb dev.tokens
seq 400 | tr '\n' ' ' | parse -q --control random --tokens --to conllu |
    awk '{ h[$1] = $7 } END { for (i = 2; i <= 200; i++) n += h[i] && h[i] + 200 != h[i + 200]; exit !(n > 20) }'
say $? 'parts of a long sentence get random trees of their own'
parse -q -s 7 --corrupt 0.5 -m p.tar --tokens --to conllu dev.tokens > a
parse -q -t 1 -s 7 --corrupt 0.5 --batch-words 9 -m p.tar --tokens --to conllu dev.tokens | cmp -s - a
say $? 'corruption depends on the seed alone'
paste dev.conllu a | awk -F '\t' 'NF > 9 { n++; bad += $7 != $17 } END { exit !(bad / n > 0.4 && bad / n < 0.65) }'
say $? '... and spoils about the share'
parse -q --corrupt 0 -m p.tar --tokens --to ptb dev.tokens | cmp -s - dev.ptb; say $? '... nothing of nothing'

# --- a grammar
parse-train --pcfg -o g.pcfg train.conllu,train.ptb; say $? 'a grammar'
parse -q --pcfg -m g.pcfg --tokens --to ptb dev.tokens > got; paste got dev.ptb | awk -F '\t' '$1 == $2 { n++ } END { exit !(n > 40) }'
say $? '... finds most trees'
parse --pcfg -m g.pcfg --tokens --to ptb odd.plain 2> err | wc -l | tr -d ' ' | grep -qx 5; say $? '... and some tree for any sentence'
grep -q 'branch to the right' err; say $? '... and says of how many it knew none'
exits 2 'a grammar has no dependencies' parse --pcfg -m g.pcfg --tokens --to conllu dev.tokens
exits 3 'a parser is no grammar' parse --pcfg -m p.tar --tokens --to ptb dev.tokens
exits 2 'a language without a parser' parse --lang xx --tokens --to ptb dev.tokens

# --- what treebanks may lack
printf '\n( (A a) (B b))\n(S (A a) (B b))\n' > unlabelled.ptb; learn --updates 3 -o x.tar unlabelled.ptb
echo a b | parse -q -m x.tar --tokens --to ptb | grep -q '^([SX] ([AB] a) ([AB] b))$'; say $? 'a phrase without a label'
awk -F '\t' -v OFS='\t' 'NF > 9 { $8 = "_" } { print }' train.conllu > bare.conllu; learn -o x.tar bare.conllu
parse -q -m x.tar --tokens --to conllu dev.tokens | cut -f 7 > got; cut -f 7 dev.conllu | cmp -s - got
say $? 'heads without labels are learnt'
awk -F '\t' -v OFS='\t' 'NF > 9 { $4 = $5 = $7 = $8 = "_" } { print }' train.conllu > bare.conllu
exits 3 'no trees and no tags: nothing to learn' parse-train -q -o y.tar bare.conllu
learn --max-words 7 --leave-out 'x*' --updates 1 -o x.tar train.ptb 2> err; say $? 'sentences may be too long'
awk -v n="$(awk -F '[^() ]) *' 'NF - 1 > 7' train.ptb | wc -l)" '$3 == n && /more than 7 words/ { n = -1 } END { exit n != -1 }' err
say $? '... so many'; grep -q 'leaves nothing out' err; say $? 'no document is left out: it says so'

# --- other programs
nmt-info p.tar > info; say $? 'nmt-info of a parser'
grep -q '^config.width	32$' info && grep -q "^labels.xpos	$(cut -f 5 train.conllu | grep . | sort -u | wc -l | tr -d ' ')$" info
say $? '... says what it knows'
nmt-info cp | grep -q "^member	adam/m	[0-9]*$"; say $? '... and what a checkpoint has more'
exits 3 'a parser does not translate' nmt-translate -m p.tar in.heed
grep -q 'p.tar: this is a heed-parser, expected a heed-model' err; say $? '... which is said'

# --- what comes with the programs
heads() { parse -q --lang "$1" --tokens --to conllu | cut -f 7,8 | paste -s -d ' ' - | sed 's/ *$//' | tr '\t' '/'; }
echo 'The old man sees a dog in the garden .' | heads en > got
echo '3/det 3/amod 4/nsubj 0/root 6/det 4/obj 9/case 9/det 4/obl 10' > want
cut -d ' ' -f 1-6,7-8 got > a; cut -d ' ' -f 1-6,7-8 want | cmp -s - a; say $? 'an English sentence'
echo 'Der alte Mann sieht einen Hund .' | heads de | cut -d ' ' -f 1-7 > got
echo '3/det 3/amod 4/nsubj 0/root 6/det 4/obj 4/punct' | cmp -s - got; say $? 'a German one'
echo 'She saw the dog .' | parse -q --tokens --to ptb > got
echo '(S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN dog))) (. .))' | cmp -s - got; say $? 'constituents of an English one'
echo 'She saw the dog .' | parse -q --pcfg --tokens --to ptb | cmp -s - got; say $? '... by the grammar, too'

# --- errors
exits 4 'a folder that is not there, before anything is read' parse-train -o none/y.tar none.ptb
exits 4 'a folder in the place of the parser' parse-train -o . none.ptb
exits 2 'the best of no validation' parse-train --keep-best -o y.tar train.ptb
awk -F '\t' -v OFS='\t' 'NR == 2 { $5 = "A B" } { print }' train.conllu > bad.conllu
exits 3 'a blank in a part of speech' parse-train --updates 1 -o y.tar bad.conllu
exits 2 'text does not become a stream' parse -m p.tar --tokens dev.tokens
head -c 1000 p.tar > cut.tar; exits 3 'a parser that is cut' parse -m cut.tar --tokens --to ptb dev.tokens
printf '(S (A a)\n' > bad.ptb; exits 3 'brackets that do not match' parse-train --updates 1 -o y.tar bad.ptb
awk -F '\t' -v OFS='\t' 'NR == 2 { $7 = 999 } { print }' train.conllu > bad.conllu
exits 3 'a head outside of the sentence' parse-train --updates 1 -o y.tar bad.conllu
sed '1s/[a-z]* /whatever /' train.ptb | sed '1s/(DT [a-z]*)/(DT whatever)/' > bad.ptb
exits 3 'other words in the second file' parse-train --updates 1 -o y.tar train.conllu,bad.ptb
