#!/bin/sh
# ptb2heed: trees from files; what does not fit is refused or counted.
. "$HEED_TOP/tests/lib.sh"

plan 30

# fails CODE 'what' 'words of the message' 'command'
fails() {
	got=0; sh -c "$4" > out 2> err < /dev/null || got=$?
	[ "$got" = "$1" ] && grep -qF -- "$3" err; r=$?
	say $r "$2"
	[ $r = 0 ] || { echo "# exit $got"; sed 's/^/# /' err; }
}

cat > t.ptb <<'END'
( (S (NP-SBJ-1 (PRP He))
   (VP (VBD asked) (NP=2 (-NONE- *T*-1)) (-LRB- -LRB-) (ADVP (RB twice)) (-RRB- -RRB-))
   (. .)) )

(ROOT (INTJ (UH Yes)))(NP (DT no) (NN dog))
END
printf 'He asked ( twice ) .\n\nYes\nno dog\n' > t.en
heed-pack --no-pg t.en > t.heed
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.tree":"str"}}]
{"id":1,"src":"He asked ( twice ) .","src.tree":"(S (NP-SBJ-1 (PRP He)) (VP (VBD asked) (-LRB- -LRB-) (ADVP (RB twice)) (-RRB- -RRB-)) (. .))"}
{"id":2,"src":"","src.tree":""}
{"id":3,"src":"Yes","src.tree":"(INTJ (UH Yes))"}
{"id":4,"src":"no dog","src.tree":"(NP (DT no) (NN dog))"}
["heed-end",4]
END
same 'trees' want 'ptb2heed --no-pg -p t.ptb t.heed | heed-show'
same 'the options that are not given' want \
	'ptb2heed --no-pg --invalid error --align words --side src --parses t.ptb < t.heed | heed-show'
: > empty
same 'nothing is said when all is well' empty 'ptb2heed -p t.ptb -o o.heed t.heed 2>&1'
gzip -k t.ptb
same 'compressed' want 'ptb2heed --no-pg -p t.ptb.gz t.heed | heed-show'
ptb2heed -p t.ptb t.heed > parsed.heed
same 'from another stream' want 'ptb2heed --no-pg -p parsed.heed t.heed | heed-show'
same 'over what was there' want 'ptb2heed --no-pg -p t.ptb t.heed | ptb2heed --no-pg -p t.ptb | heed-show'
sed 's/src/tgt/g' want > want.tgt
same 'the target side' want.tgt \
	'heed-show t.heed | sed s/src/tgt/g | heed-pack -j --no-pg | ptb2heed --no-pg --side tgt -p t.ptb | heed-show'
sed 's/NP-SBJ-1/NP/' want > want.strip
same 'labels without functions' want.strip 'ptb2heed --no-pg --strip-func -p t.ptb t.heed | heed-show'

# A parser's failures; one stands for the sentence without words.
sed 's/(NP (DT no).*/(())/' t.ptb > some.ptb
sed '5s/,"src.tree.*/}/' want > want.some
same 'no tree' want.some 'ptb2heed --no-pg -p some.ptb t.heed | heed-show'
echo 'ptb2heed: 4 sentences: 1 without a tree, 0 invalid' > want.err
same '... is counted' want.err 'ptb2heed -p some.ptb t.heed 2>&1 > o.heed'
same '... but not with -q' empty 'ptb2heed -q -p some.ptb t.heed 2>&1 > o.heed'
same '... takes an old one with it' want.some \
	'ptb2heed --no-pg -p some.ptb parsed.heed | heed-show | sed "s/,\"pg\":[^]]*]//"'
sed '4s/^$/( ())/' t.ptb > four.ptb
same '... of a sentence without words' want 'ptb2heed --no-pg -p four.ptb t.heed | heed-show'
same '... from another stream' want.some \
	'ptb2heed --no-pg -p some.ptb t.heed > some.heed; ptb2heed --no-pg -p some.heed t.heed | heed-show'

sed 's/twice/once/' t.ptb > bad.ptb
sed '2s/,"src.tree.*/}/' want > want.bad
same 'no tree for other words' want.bad 'ptb2heed --no-pg --invalid drop-tree -p bad.ptb t.heed | heed-show'
sed '2d; s/heed-end",4/heed-end",3/' want > want.bad
same '... or no sentence' want.bad 'ptb2heed --no-pg --invalid skip -p bad.ptb t.heed | heed-show'
echo 'ptb2heed: 4 sentences: 0 without a tree, 1 invalid and left out' > want.err
same '... is counted' want.err 'ptb2heed --invalid skip -p bad.ptb t.heed 2>&1 > o.heed'

printf 'Heas ked (twice) .\n\nYe s\nnodog\n' > c.en
cat > want <<'END'
(S (NP-SBJ-1 (PRP Heas)) (VP (VBD ked) (-LRB- -LRB-twice-RRB-)) (. .))

(INTJ (UH Ye s))
(NP (DT nodog))
END
same 'other words of the same characters' want \
	'heed-pack c.en | ptb2heed --align char -p t.ptb | heed-show -f src.tree'
same '... are those of the tree' empty \
	'heed-pack c.en | ptb2heed --align char -p t.ptb | phrase-rp 2>&1 > /dev/null'

fails 3 'a word that is another one' \
	"t.heed: record 1 (id 1): bad.ptb: line 1: word 4 is 'once', but word 4 of src is 'twice'" \
	'ptb2heed -p bad.ptb t.heed > o'
fails 3 'other words, and the cure' 'hint: the characters are the same: --align char' \
	'heed-pack c.en | ptb2heed -p t.ptb > o'
fails 3 'other characters' "bad.ptb: line 1: word 4 is 'once', but word 3 of src is '(twice)'" \
	'heed-pack c.en | ptb2heed --align char -p bad.ptb > o'
! grep -q hint err; say $? '... which has no cure'
fails 3 'fewer trees' 'short has no more parses' 'sed 4q t.ptb > short; ptb2heed -p short t.heed > o'
fails 3 'more trees' 't.ptb: line 5: a parse more than the stream has sentences, which are 3' \
	'head -n 3 t.en | heed-pack | ptb2heed -p t.ptb -o more.heed'
[ ! -e more.heed ]; say $? '... leave no output under its name'
fails 3 'brackets that do not match' 'line 1: the tree that begins here is not closed' \
	'sed 3s/\)// t.ptb > b; ptb2heed --invalid drop-tree -p b t.heed > o'
ptb2heed -p t.ptb t.heed | phrase-rp | ptb2heed -p t.ptb | heed-show > o
grep -q '"src.tree"' o && ! grep -q '"src.phrase"' o; say $? 'what was made of another tree goes'
fails 3 'dependencies' 't.conllu has no trees in brackets' \
	'echo "# a comment" > t.conllu; ptb2heed -p t.conllu t.heed > o'
fails 2 'no parses' 'no parses, expected -p file' 'ptb2heed t.heed'
