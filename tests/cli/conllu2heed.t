#!/bin/sh
# conllu2heed: dependencies from files of three formats; parses that do not match are errors or
# counted.
. "$HEED_TOP/tests/lib.sh"

plan 77

# words: "ID form head rel" lines as CoNLL-U; - stands for _
words() {
	awk '!NF { print ""; next } /^#/ { print; next } { if ($3 == "-") $3 = "_"
		printf "%s\t%s\t_\tX\t_\t_\t%s\t%s\t_\t_\n", $1, $2, $3, $4 }'
}
words > t.conllu <<'END'
# text = I cannot say .
1 I 4 nsubj
2-3 cannot - _
2 can 4 aux
3 not 4 advmod
3.1 nothing - _
4 say 0 root
5 . 4 punct

# newdoc
1 Yes 0 root

1 Oh 2 discourse
2 no 0 root

END
printf 'I can not say .\n\nYes\nOh no\n' > t.en
heed-pack --no-pg --languages none t.en > t.heed
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","src.rels":"[str]"}}]
{"id":1,"src":"I can not say .","src.heads":[4,4,4,0,4],"src.rels":["nsubj","aux","advmod","root","punct"]}
{"id":2,"src":"","src.heads":[],"src.rels":[]}
{"id":3,"src":"Yes","src.heads":[0],"src.rels":["root"]}
{"id":4,"src":"Oh no","src.heads":[2,0],"src.rels":["discourse","root"]}
["heed-end",4]
END
same 'heads and relations of words, not of multi-word tokens and empty nodes' want \
	'conllu2heed --no-pg -p t.conllu t.heed | heed-show'
same 'the default options, given explicitly' want \
	'conllu2heed --no-pg --invalid error --align words --side src --parses t.conllu < t.heed | heed-show'
awk -F '\t' -v OFS='\t' 'NF > 9 { $4 = toupper(substr($2, 1, 1)) } { print }' t.conllu > upos.conllu
cat > tags <<'END'
["I","C","N","S","."]
[]
["Y"]
["O","N"]
END
tags() { heed-show | sed -n 's/.*"src.upos":\(\[[^]]*\]\).*/\1/p'; }
conllu2heed --upos -p upos.conllu t.heed | tags | equals - tags; say $? '--upos adds tags'
conllu2heed --upos -p upos.conllu t.heed > tagged.heed
conllu2heed --upos -p tagged.heed t.heed | tags | equals - tags; say $? '... from another stream, too'
printf 'I cannot say.\n\nYes\nO h no\n' | heed-pack | conllu2heed --upos --align char -p upos.conllu | tags > got
printf '%s\n' '["I","C","S"]' '[]' '["Y"]' '["O","O","N"]' | equals - got; say $? '... by characters: of the word closest to the root'
sed 's/^4\tsay\t_\tS\t_\t_\t0/4\tsay\t_\tS\t_\t_\t4/' upos.conllu > cycle.conllu
conllu2heed -q --upos -i drop-tree -p cycle.conllu tagged.heed | tags | equals - tags; that $? = 1; say $? '... but not without a tree'
fails 2 '--upos with --heads' '--upos has no effect with --heads' 'conllu2heed --heads --upos -p t.conllu t.heed'
# The Czech token aby has the words aby and by.
words > aby.conllu <<'END'
1-2 aby - _
1 aby 3 mark
2 by 3 aux
3 prišel 0 root

END
aby() { heed-pack aby.cs | conllu2heed "$@" -p aby.conllu | heed-show -f src.heads; }
echo 'aby prišel' > aby.cs; that "$(aby)" = '2 0'; say $? 'a token that is equal to its first word'
that "$(aby --align char)" = '2 0'; say $? '... by characters'
echo 'aby by prišel' > aby.cs; that "$(aby)" = '3 3 0'; say $? '... and its words'
: > empty
same 'no messages if all sentences have a parse' /dev/null 'conllu2heed -p t.conllu -o o.heed t.heed 2>&1'
gzip -k t.conllu
same 'compressed parses' want 'conllu2heed --no-pg -p t.conllu.gz t.heed | heed-show'
sed '$d' t.conllu > short.conllu
same 'without an empty line after the last word' want 'conllu2heed --no-pg -p short.conllu t.heed | heed-show'
conllu2heed -p t.conllu t.heed > parsed.heed
same 'parses from another stream' want 'conllu2heed --no-pg -p parsed.heed t.heed | heed-show'
same 'existing fields are replaced' want 'conllu2heed --no-pg -p t.conllu t.heed | conllu2heed --no-pg -p t.conllu | heed-show'
sed 's/src/tgt/g' want > want.tgt
same 'the target side' want.tgt \
	'heed-show t.heed | sed s/src/tgt/g | heed-pack -j --no-pg | conllu2heed --no-pg --side tgt -p t.conllu | heed-show'
sed 's/,"src.rels":"[^"]*"//; s/,"src.rels":\[[^]]*\]//' want > want.heads
printf '4 4 4 0 4\n\n0\n 2  0 \n' > t.heads
same 'heads only' want.heads 'conllu2heed --no-pg --heads -p t.heads t.heed | heed-show'
same '... and the relations of the previous heads are removed' want.heads \
	'conllu2heed --no-pg --heads -p t.heads parsed.heed | heed-show | sed "s/,\"pg\":[^]]*]//"'

# Sentences without heads.
sed 's/\t0\troot/\t_\troot/; s/\t2\tdisc/\t_\tdisc/' t.conllu | sed '1,9s/\t_\troot/\t0\troot/' > some.conllu
sed '4,5s/,"src.heads.*/}/' want > want.some
same 'sentences without heads' want.some 'conllu2heed --no-pg -p some.conllu t.heed | heed-show'
echo 'conllu2heed: 4 sentences: 2 without a tree' > want.err
same '... are counted' want.err 'conllu2heed --no-pg -p some.conllu t.heed 2>&1 > o.heed'
same '... and not reported with -q' /dev/null 'conllu2heed -q --no-pg -p some.conllu t.heed 2>&1 > o.heed'
same '... and lose previous heads' want.some \
	'conllu2heed --no-pg -p some.conllu parsed.heed | heed-show | sed "s/,\"pg\":[^]]*]//"'
same '... also with parses from another stream' want.some \
	'conllu2heed --no-pg -p some.conllu t.heed > some.heed; conllu2heed --no-pg -p some.heed t.heed | heed-show'

# A cycle in the first, another word in the last.
sed 's/\t0\troot/\t5\troot/; s/no\t/now\t/' t.conllu | sed '11s/\t5\troot/\t0\troot/; 14s/\t5\troot/\t0\troot/' > bad.conllu
sed '2s/,"src.heads.*/}/; 5s/,"src.heads.*/}/' want > want.bad
same '--invalid drop-tree drops trees of invalid parses' want.bad 'conllu2heed --no-pg --invalid drop-tree -p bad.conllu t.heed | heed-show'
sed '2d; 5d; s/heed-end",4/heed-end",2/' want > want.bad
same '--invalid skip removes their sentences' want.bad 'conllu2heed --no-pg --invalid skip -p bad.conllu t.heed | heed-show'
echo 'conllu2heed: 4 sentences: 0 without a tree, 2 invalid, removed' > want.err
same '... which are counted' want.err 'conllu2heed --invalid skip -p bad.conllu t.heed 2>&1 > o.heed'
echo 'conllu2heed: 4 sentences: 2 without a tree, 2 of them with an invalid parse' > want.err
same 'dropped trees are counted' want.err 'conllu2heed --invalid drop-tree -p bad.conllu t.heed 2>&1 > o.heed'

# Other words of the same characters.
printf 'I cannot say.\n\nY es\nOhno\n' > c.en
cat > want <<'END'
3 3 0	nsubj aux root
	
0 1	root goeswith
0	root
END
same '--align char: other words with the same characters' want \
	'heed-pack c.en | conllu2heed --align char -p t.conllu | heed-show -f src.heads,src.rels'
same '... have heads that form a tree' want \
	'heed-pack c.en | conllu2heed --align char -p t.conllu | tree2mask | heed-show -f src.heads,src.rels'

# Multi-word tokens: zum is zu and dem; do and n't are the characters of don't.
printf '1\tEr\t_\t_\t_\t_\t2\tnsubj\t_\t_
2\tgeht\t_\t_\t_\t_\t0\troot\t_\t_
3-4\tzum\t_\t_\t_\t_\t_\t_\t_\t_
3\tzu\t_\t_\t_\t_\t5\tcase\t_\t_
4\tdem\t_\t_\t_\t_\t5\tdet\t_\t_
5\tHaus\t_\t_\t_\t_\t2\tobl\t_\t_
6\t.\t_\t_\t_\t_\t2\tpunct\t_\t_

1-2\tdon'"'"'t\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\t_\t_\t_\t_\t3\taux\t_\t_
2\tn'"'"'t\t_\t_\t_\t_\t3\tadvmod\t_\t_
3\tgo\t_\t_\t_\t_\t0\troot\t_\t_
' > multi.conllu
printf "Er geht zum Haus.\ndo n't go\n" > multi.de
cat > want <<'END'
2 0 4 2	nsubj root case obl
3 3 0	aux advmod root
END
same '--align char compares the text of multi-word tokens' want \
	'heed-pack multi.de | conllu2heed --align char -p multi.conllu | heed-show -f src.heads,src.rels'
fails 3 'different words with the same characters as multi-word tokens: hint' 'hint: the characters are the same: --align char' \
	'head -n 1 multi.de | heed-pack | conllu2heed -p multi.conllu > o'
fails 3 '... and the error names the first different word' "word 5 is 'Haus', but word 4 of src is 'Haus.'" \
	'head -n 1 multi.de | heed-pack | conllu2heed -p multi.conllu > o'

printf "Er geht zum Haus .\ndon't go\n" > tokens.de
cat > want <<'END'
2 0 4 2 2	nsubj root case obl punct
2 0	aux root
END
same 'words that are multi-word tokens' want \
	'heed-pack tokens.de | conllu2heed -p multi.conllu | heed-show -f src.heads,src.rels'
fails 3 '... not only their beginning' "word 3 is 'zu', but word 3 of src is 'zumal'" \
	'sed "s/zum/zumal/" tokens.de | heed-pack | conllu2heed -p multi.conllu > o'
fails 3 '... and the words after them must match' "word 5 is 'Haus', but word 4 of src is 'Heim'" \
	'sed "s/Haus/Heim/" tokens.de | heed-pack | conllu2heed -p multi.conllu > o'
printf '%s\n' 'conllu2heed: 2 sentences: 1 without a tree, 1 of them with an invalid parse' \
	'conllu2heed: hint: 1 invalid parses have the same characters: --align char ignores spaces' > want
same 'invalid parses with the same characters are counted' want \
	'heed-pack multi.de | conllu2heed --invalid drop-tree -p multi.conllu 2>&1 > o.heed'

fails 3 'a different word' \
	"t.heed: record 4 (id 4): bad2: line 14: word 2 is 'now', but word 2 of src is 'no'" \
	'sed "s/no	/now	/" t.conllu > bad2; conllu2heed -p bad2 t.heed > o'
fails 3 'a parse with an additional word' "line 8: word 5 is '.', but src has only 4" \
	'sed "s/ \\.$//" t.en | heed-pack | conllu2heed -p t.conllu > o'
fails 3 'a parse with a missing word' "word 6 of src is 'so'" \
	'sed "s/ \\.$/ . so/" t.en | heed-pack | conllu2heed -p t.conllu > o'
fails 3 'different words with the same characters: hint' 'hint: the characters are the same: --align char' \
	'heed-pack c.en | conllu2heed -p t.conllu > o'
fails 3 '--align char: different characters' "t.conllu: line 7: word 4 is 'say', but word 3 of src is 'saw.'" \
	'sed "s/say/saw/" c.en | heed-pack | conllu2heed --align char -p t.conllu > o'
lacks hint err; say $? '... without a hint'
fails 3 'a cycle' 't.heed: record 1 (id 1): b: line 7: word 4: cycle through head 2' \
	'sed "s/4	punct/0	root/; 7s/0	root/2	dep/" t.conllu > b; conllu2heed -p b t.heed > o'
fails 3 'a head outside the sentence' 'b: line 13: word 1: head 3, expected one from 0 to 2' \
	'sed "13s/	2	/	3	/" t.conllu > b; conllu2heed -p b t.heed > o'
fails 3 'fewer parses than sentences' 'short has no more parses' 'sed 9q t.conllu > short; conllu2heed -p short t.heed > o'
fails 3 'more parses than sentences' 't.conllu: line 13: more parses than sentences, expected 3' \
	'head -n 3 t.en | heed-pack | conllu2heed -p t.conllu -o more.heed'
that ! -e more.heed; say $? '... and no output file'
fails 3 'a line with too many columns' 'line 2: 11 columns' \
	'sed "2s/$/	_/" t.conllu > b; conllu2heed --invalid drop-tree -p b t.heed > o'
conllu2heed -p t.conllu t.heed | tree2mask | conllu2heed -p t.conllu | heed-show > o
matches '"src.heads"' o && lacks '"src.dep"' o; say $? 'a mask of previous heads is removed'
fails 3 'parses that are bracketed trees' 't.ptb has no dependencies' 'echo "(X a)" > t.ptb; conllu2heed -p t.ptb t.heed > o'
fails 3 'a truncated stream' 't.cut' 'head -c 90 t.heed > t.cut; conllu2heed -p t.conllu t.cut > o'
fails 3 'a stream without the side' 'has no tgt' 'conllu2heed --side tgt -p t.conllu t.heed > o'
fails 3 'heads of another number of words' 'b: line 4: heads of 1 words, but src has 2' \
	'sed 4s/2// t.heads > b; conllu2heed --heads -p b t.heed > o'
fails 3 'a head that is not a number' "b: line 4: head 1: 'x', expected an integer" \
	'sed 4s/2/x/ t.heads > b; conllu2heed --heads --invalid skip -p b t.heed > o'
fails 3 'heads with a cycle' 'record 1 (id 1): b: line 1: word 1: cycle through head 2' \
	'sed "1s/4 4 4/2 1 4/" t.heads > b; conllu2heed --heads -p b t.heed > o'
fails 2 '-p is required' 'no parses, expected -p file' 'conllu2heed t.heed'
fails 2 '--heads with --align char' '--heads has no words to align' 'conllu2heed --heads --align char -p t.heads t.heed'

# --- words that look the same: NFC and NFD, a soft hyphen, and characters with equal first bytes
look() {
	printf "1\t$1\t_\tX\t_\t_\t0\troot\t_\t_\n\n" > look.conllu
	fails 3 "the message names the characters: $3" "the first difference is $3" \
		"printf '$2\n' | heed-pack | conllu2heed -p look.conllu"
}
look 'cafe\314\201' 'caf\303\251' 'U+0065 instead of U+00E9'
look 'ab' 'ab\302\255' 'no character instead of U+00AD'
look '\303\244' '\303\251' 'U+00E4 instead of U+00E9'

# --- a missing parse: of eight sentences "a K b" with K from 1, the parse of the third is missing ---
sentence() { printf '1 a 2 x\n2 %s 0 root\n3 b 2 x\n\n' "$1"; }
for k in 1 2 3 4 5 6 7 8; do echo "a $k b"; done | heed-pack -o eight.heed
for k in 1 2 4 5 6 7 8; do sentence $k; done | words > missing.conllu
fails 3 'a missing parse' "record 3 (id 3): missing.conllu: line 10: word 2 is '4', but word 2 of src is '3'" \
	'conllu2heed -p missing.conllu eight.heed > o'
matches -xF 'conllu2heed: hint: the next sentence has the words of this parse: add a parse before it, words with HEAD _ for a sentence without a tree' err
say $? '... with a hint'
fails 3 '... by characters, too' 'hint: the next sentence has the words of this parse' \
	'sed "s/a/a /" missing.conllu | conllu2heed --align char -p - eight.heed > o'
fails 3 '... not if the next sentence has other words' "word 2 is '9'" 'sed "10s/4/9/" missing.conllu > b; conllu2heed -p b eight.heed > o'
lacks hint err; say $? '... without a hint'
{ heed-show -f src eight.heed | sed -n 1,6p; echo a 9 b; } | heed-pack > seven.heed
for k in 1 2 3 4 5 6 7; do sentence $k; done | words > seven.conllu
fails 3 '... nor if it is the last' "word 2 is '7', but word 2 of src is '9'" 'conllu2heed -p seven.conllu seven.heed > o'
lacks hint err; say $? '... without a hint, too'
# Dropped trees are counted, also if the parses do not suffice.  Four of the invalid parses fit the next sentence, which is known for all but the last.
fails 3 'dropped trees, but parses are missing' 'missing.conllu has no more parses' 'conllu2heed -i drop-tree -p missing.conllu eight.heed > o'
cat > want.err <<'END'
conllu2heed: 7 sentences: 5 without a tree, 5 of them with an invalid parse
conllu2heed: hint: 4 invalid parses have the words of the next sentence, so a parse is missing before them: add words with HEAD _
END
head -n 2 err | equals - want.err; say $? '... are counted, with a hint'
fails 3 '... not with -q' 'has no more parses' 'conllu2heed -q -i drop-tree -p missing.conllu eight.heed > o'
that "$(wc -l < err)" = 1; say $? '... the error is all'
{ cat missing.conllu; sentence 9 | words; } > shifted.conllu
sed '1s/7/8/; 1s/5/6/g; 2s/4/5/' want.err > want
same 'a missing parse and another one later' want 'conllu2heed -i drop-tree -p shifted.conllu eight.heed 2>&1 > o.heed'
for k in 1 2 3 4 5 6 7 8; do sentence $k; done | awk 'NR > 8 && NR < 12 { $3 = "-" } { print }' | words > stand-in.conllu
echo 'conllu2heed: 8 sentences: 1 without a tree' > want
same 'words with HEAD _ for the missing parse' want 'conllu2heed -p stand-in.conllu eight.heed 2>&1 > o.heed'
heed-show -f src.heads o.heed | tr '\n' ';' | matches -x '2 0 2;2 0 2;;2 0 2;2 0 2;2 0 2;2 0 2;2 0 2;'; say $? '... one sentence has no tree'

# Heads of only some words are as invalid as other heads that are no tree.
sed '6s/	0	/	_	/; 7s/	2	/	0	/' stand-in.conllu > partial.conllu
fails 3 'heads of some words' 'record 2 (id 2): partial.conllu: line 6: HEAD _, but the previous words have one' 'conllu2heed -p partial.conllu eight.heed > o'
echo 'conllu2heed: 8 sentences: 2 without a tree, 1 of them with an invalid parse' > want
same '... are an invalid parse' want 'conllu2heed -i drop-tree -p partial.conllu eight.heed 2>&1 > o.heed'
fails 3 'no root' 'record 2 (id 2): b: line 5: no word has head 0, expected at least one root' 'sed "6s/	0	/	3	/" stand-in.conllu > b; conllu2heed -p b eight.heed > o'
