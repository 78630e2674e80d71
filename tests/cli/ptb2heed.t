#!/bin/sh
# ptb2heed: trees from files; parses that do not match are errors or counted.
. "$HEED_TOP/tests/lib.sh"

plan 42

cat > t.ptb <<'END'
( (S (NP-SBJ-1 (PRP He))
   (VP (VBD asked) (NP=2 (-NONE- *T*-1)) (-LRB- -LRB-) (ADVP (RB twice)) (-RRB- -RRB-))
   (. .)) )

(ROOT (INTJ (UH Yes)))(NP (DT no) (NN dog))
END
printf 'He asked ( twice ) .\n\nYes\nno dog\n' > t.en
heed-pack --no-pg --languages none t.en > t.heed
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.tree":"str"}}]
{"id":1,"src":"He asked ( twice ) .","src.tree":"(S (NP-SBJ-1 (PRP He)) (VP (VBD asked) (-LRB- -LRB-) (ADVP (RB twice)) (-RRB- -RRB-)) (. .))"}
{"id":2,"src":"","src.tree":""}
{"id":3,"src":"Yes","src.tree":"(INTJ (UH Yes))"}
{"id":4,"src":"no dog","src.tree":"(NP (DT no) (NN dog))"}
["heed-end",4]
END
same 'trees' want 'ptb2heed --no-pg -p t.ptb t.heed | heed-show'
same 'the default options, given explicitly' want \
	'ptb2heed --no-pg --invalid error --align words --side src --parses t.ptb < t.heed | heed-show'
: > empty
same 'no messages if all sentences have a parse' /dev/null 'ptb2heed -p t.ptb -o o.heed t.heed 2>&1'
gzip -k t.ptb
same 'compressed parses' want 'ptb2heed --no-pg -p t.ptb.gz t.heed | heed-show'
ptb2heed -p t.ptb t.heed > parsed.heed
same 'parses from another stream' want 'ptb2heed --no-pg -p parsed.heed t.heed | heed-show'
same 'existing fields are replaced' want 'ptb2heed --no-pg -p t.ptb t.heed | ptb2heed --no-pg -p t.ptb | heed-show'
sed 's/src/tgt/g' want > want.tgt
same 'the target side' want.tgt \
	'heed-show t.heed | sed s/src/tgt/g | heed-pack -j --no-pg | ptb2heed --no-pg --side tgt -p t.ptb | heed-show'
sed 's/NP-SBJ-1/NP/' want > want.strip
same '--strip-func removes function labels' want.strip 'ptb2heed --no-pg --strip-func -p t.ptb t.heed | heed-show'

# A parser's failures; one is in place of the sentence without words.
sed 's/(NP (DT no).*/(())/' t.ptb > some.ptb
sed '5s/,"src.tree.*/}/' want > want.some
same 'a sentence without a tree' want.some 'ptb2heed --no-pg -p some.ptb t.heed | heed-show'
echo 'ptb2heed: 4 sentences: 1 without a tree' > want.err
same '... is counted' want.err 'ptb2heed -p some.ptb t.heed 2>&1 > o.heed'
same '... and not reported with -q' /dev/null 'ptb2heed -q -p some.ptb t.heed 2>&1 > o.heed'
same '... loses a previous tree' want.some \
	'ptb2heed --no-pg -p some.ptb parsed.heed | heed-show | sed "s/,\"pg\":[^]]*]//"'
sed '4s/^$/( ())/' t.ptb > four.ptb
same '(()) as the parse of an empty sentence' want 'ptb2heed --no-pg -p four.ptb t.heed | heed-show'
same 'sentences without a tree from another stream' want.some \
	'ptb2heed --no-pg -p some.ptb t.heed > some.heed; ptb2heed --no-pg -p some.heed t.heed | heed-show'

sed 's/twice/once/' t.ptb > bad.ptb
sed '2s/,"src.tree.*/}/' want > want.bad
same '--invalid drop-tree drops trees with different words' want.bad 'ptb2heed --no-pg --invalid drop-tree -p bad.ptb t.heed | heed-show'
sed '2d; s/heed-end",4/heed-end",3/' want > want.bad
same '--invalid skip removes their sentences' want.bad 'ptb2heed --no-pg --invalid skip -p bad.ptb t.heed | heed-show'
echo 'ptb2heed: 4 sentences: 0 without a tree, 1 invalid, removed' > want.err
same '... which are counted' want.err 'ptb2heed --invalid skip -p bad.ptb t.heed 2>&1 > o.heed'

printf 'Heas ked (twice) .\n\nYe s\nnodog\n' > c.en
cat > want <<'END'
(S (NP-SBJ-1 (PRP Heas)) (VP (VBD ked) (-LRB- -LRB-twice-RRB-)) (. .))

(INTJ (UH Ye s))
(NP (DT nodog))
END
same '--align char: other words with the same characters' want \
	'heed-pack c.en | ptb2heed --align char -p t.ptb | heed-show -f src.tree'
same '... are the words of the tree' /dev/null \
	'heed-pack c.en | ptb2heed --align char -p t.ptb | phrase-rp 2>&1 > /dev/null'

# The text of a treebank may have its escapes.
echo '(NP (CD 1\/2) (-LRB- -LRB-) (NN cup) (-RRB- -RRB-))' > esc.ptb
echo '1\/2 -LRB- cup -RRB-' | heed-pack --no-pg > esc.heed
printf '%s\n' '(NP (CD 1\\/2) (-LRB- -LRB-) (NN cup) (-RRB- -RRB-))' > want
same 'text with the escapes of the treebank' want 'ptb2heed -p esc.ptb esc.heed | heed-show -f src.tree'
same '... with --align char' want 'ptb2heed --align char -p esc.ptb esc.heed | heed-show -f src.tree'
# Such text, parsed: \/ is protected, but -LRB- cannot be; one word has both.
printf '%s\n' 'the 1\/2 dog -LRB- x -RRB-' 'a -LRB-\/ b' 'c \* ( d )' 'e \\/ -LCB- f' > both
same 'escapes in text that parse has parsed' both \
	'parse -q --tokens --to ptb both > both.ptb; heed-pack both | ptb2heed -p both.ptb -o o.heed && heed-show -f src o.heed'
same '... also by characters' both \
	'heed-pack both | ptb2heed --align char -p both.ptb -o o.heed && heed-show -f src o.heed'
echo '(S (A\*B w))' > want; same 'labels have no escapes' want 'echo w | heed-pack - | ptb2heed -p want - | heed-show -f src.tree'

fails 3 'a different word' \
	"t.heed: record 1 (id 1): bad.ptb: line 1: word 4 is 'once', but word 4 of src is 'twice'" \
	'ptb2heed -p bad.ptb t.heed > o'
fails 3 'different words with the same characters: hint' 'hint: the characters are the same: --align char' \
	'heed-pack c.en | ptb2heed -p t.ptb > o'
fails 3 '--align char: different characters' "bad.ptb: line 1: word 4 is 'once', but word 3 of src is '(twice)'" \
	'heed-pack c.en | ptb2heed --align char -p bad.ptb > o'
lacks hint err; say $? '... without a hint'
fails 3 'fewer parses than sentences' 'short has no more parses' 'sed 4q t.ptb > short; ptb2heed -p short t.heed > o'
fails 3 'more parses than sentences' 't.ptb: line 5: more parses than sentences, expected 3' \
	'head -n 3 t.en | heed-pack | ptb2heed -p t.ptb -o more.heed'
that ! -e more.heed; say $? '... and no output file'
# Comments as in the files of the Penn Treebank, and others.
{ echo '*x*x*x*x*'; echo '*x* Copyright (C) *x*'; echo; sed '4s/^$/; tree 2\n  % and\n# more/' t.ptb; } > comments.ptb
heed-pack t.en | ptb2heed -p t.ptb | heed-show -f src.tree > want
same 'comments between trees' want 'heed-pack t.en | ptb2heed -p comments.ptb | heed-show -f src.tree'
{ echo '# tree 1'; cat t.ptb; } > comment.ptb
same '... first in the file' want 'heed-pack t.en | ptb2heed -p comment.ptb | heed-show -f src.tree'
printf '# 1\n# 2\n(X # # (Y ;))' > hash.ptb
echo '(X # # (Y ;))' > want
same '... but # is a word inside of trees' want \
	'echo "# # ;" | heed-pack | ptb2heed -p hash.ptb | heed-show -f src.tree'
fails 3 'other text between trees' "line 2: column 1: 'x' outside of brackets" \
	'printf "(A a)\nx # y\n" > b; printf "a\nb\n" | heed-pack | ptb2heed -p b > o'

fails 3 'unbalanced brackets' 'line 1: the tree that begins here is not closed' \
	'sed 3s/\)// t.ptb > b; ptb2heed --invalid drop-tree -p b t.heed > o'
ptb2heed -p t.ptb t.heed | phrase-rp | ptb2heed -p t.ptb | heed-show > o
matches '"src.tree"' o && lacks '"src.phrase"' o; say $? 'positions of a previous tree are removed'
fails 3 'parses that are dependencies' 't.conllu has no bracketed trees' \
	'echo "# a comment" > t.conllu; ptb2heed -p t.conllu t.heed > o'
fails 2 '-p is required' 'no parses, expected -p file' 'ptb2heed t.heed'

# The parse of the second of four sentences is missing: (()) stands for it.
printf '%s\n' 'a b' 'c d' 'e f' 'g h' | heed-pack -o four.heed
printf '(S (X a) (X b))\n(S (X e) (X f))\n(S (X g) (X h))\n' > three.ptb
exits 3 'a missing parse' 'ptb2heed -p three.ptb four.heed > o'
matches -xF 'ptb2heed: hint: the next sentence has the words of this parse: add a parse before it, (()) for a sentence without a tree' err
say $? '... with a hint'
printf '(S (X a) (X b))\n\n(S (X e) (X f))\n(S (X g) (X h))\n' > want
same '... whose advice helps' want "sed '1a (())' three.ptb > stand-in.ptb; ptb2heed -q -p stand-in.ptb four.heed | heed-show -f src.tree"
