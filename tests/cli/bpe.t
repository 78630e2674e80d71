#!/bin/sh
# bpe-learn and bpe-apply: as subword-nmt does it, on text and on streams.
. "$HEED_TOP/tests/lib.sh"
g=$HEED_TOP/tests/golden/text

# The worked example: the reference's merges and pieces, published in its paper's manner.
{
	echo 'low low low low low'
	echo 'lower lower newest newest newest newest newest newest widest widest widest'
} > small
printf '%s\n' '#version: 0.2' 's t</w>' 'e st</w>' 'l o' 'w est</w>' 'n e' 'ne west</w>' 'lo w</w>' 'w i' \
	'wi d' 'wid est</w>' 'w e' 'we r</w>' > small.codes
same 'twelve merges of the worked example' small.codes 'bpe-learn --text -q -n 12 small'
echo 'low lo@@ wer lo@@ west ne@@ wer widest x ne@@ we@@ s@@ t@@ low' > want
same 'words are cut as in the worked example' want \
	'echo low lower lowest newer widest x newestlow | bpe-apply --text -c small.codes'
printf 'low 5\nlower 2\nnewest 6\nwidest 3\n' > small.dict
same 'a dictionary gives the merges of the text' small.codes 'bpe-learn --dict-input -q -n 12 small.dict'

same 'learning gives the bytes of subword-nmt' "$g/bpe.codes" "bpe-learn --text -n 300 '$g/bpe.txt'"
same 'initial characters can count as merges' "$g/total.codes" \
	"bpe-learn --text -q -n 300 --total-symbols '$g/bpe.txt'"
same 'applying gives the bytes of subword-nmt' "$g/bpe.out" "bpe-apply --text -c '$g/bpe.codes' '$g/bpe.txt'"
same 'glossaries stay whole' "$g/bpe.glossaries" \
	"bpe-apply --text -c '$g/bpe.codes' --glossaries 'H[oa]' --glossaries '[0-9]+' '$g/bpe.txt'"
same 'pieces out of the vocabulary are taken apart' "$g/bpe.threshold" \
	"bpe-apply --text -c '$g/bpe.codes' --vocabulary '$g/bpe.vocabulary' --vocabulary-threshold 8 '$g/bpe.txt'"
same 'codes of version 0.1 are read' "$g/bpe-0.1.out" "bpe-apply --text -c '$g/bpe-0.1.codes' '$g/bpe.txt'"
same 'joint codes of two files' "$g/joint.codes" \
	"bpe-learn --text -q -n 150 --write-vocabulary v.en --write-vocabulary v.de '$g/en.txt' '$g/de.txt'"
cmp -s v.en "$g/joint.en" && cmp -s v.de "$g/joint.de"; say $? 'and the vocabulary of each file'

sed 's/$/ 7/; 1d' small.codes > fast.codes
same 'fastBPE codes are read, counts ignored' want \
	'echo low lower lowest newer widest x newestlow | bpe-apply --text -c fast.codes'
head -n 4 small.codes > three.codes
bpe-apply --text -c three.codes small > want
same 'the first merges only' want 'bpe-apply --text -c small.codes --merges 3 small'
same 'another separator' small 'bpe-apply --text -c three.codes --separator _ small | bpe-apply --restore --separator _'
grep -v leading "$g/bpe.txt" | tr -s ' ' > single	# there no blanks are dropped
same 'restoring undoes applying' single "bpe-apply --text -c '$g/bpe.codes' single | bpe-apply --restore"

# Lines.
printf 'low\r\n\n  low  lower \n \nlow' > odd
printf 'low\n\n  low lo@@ wer \n \nlow\n' > want
same 'CRLF, empty lines, blanks and a missing last newline' want 'bpe-apply --text -c small.codes < odd'
printf 'ok\nlow \377\n' > bad
exits 3 'text that is not UTF-8 is refused' 'bpe-apply --text -c small.codes bad'
grep -q 'bad: line 2: .*byte 5' err; say $? 'and the message names line and byte'
exits 3 'so does bpe-learn' 'bpe-learn --text bad'
printf 'low \001lo\001w\n' > control; printf 'low \001@@ lo@@ \001@@ w\n' > want
same 'control characters are characters' want 'bpe-apply --text -c small.codes control'
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "newes"; print "t" }' > long
bpe-apply --text -c small.codes long | bpe-apply --restore | cmp -s - long; say $? 'a word of a megabyte'
(echo lower; sleep 1) | bpe-apply --text -c small.codes --flush | (read -r x; echo "$x") > out
[ "$(cat out)" = 'lo@@ wer' ]; say $? 'with --flush a line comes at once'

# Dropout: a function of seed and line.
bpe-apply --text -c "$g/bpe.codes" --dropout 0.2 -s 7 single > once
same 'dropout repeats itself' once "bpe-apply --text -c '$g/bpe.codes' --dropout 0.2 -s 7 single"
bpe-apply --text -c "$g/bpe.codes" --dropout 0.2 -s 8 single | cmp -s - once; [ $? = 1 ]; say $? 'another seed, other pieces'
same 'nothing is lost by it' single 'bpe-apply --restore once'
bpe-apply --text -c small.codes --dropout 1 small > out; printf 'l@@ o@@ w l@@' > want
head -c 13 out | cmp -s - want; say $? 'with probability 1 there are only characters'

# Streams.
printf 'low lower\n\nnewest  x\n' > src; printf 'widest low\n\nlowest\n' > tgt
heed-pack --no-pg src tgt > pairs
cat > want <<'EOT'
{"id":1,"src":"low lower","tgt":"widest low","src.pieces":["low","lo@@","wer"],"src.word":[0,1,1],"tgt.pieces":["widest","low"],"tgt.word":[0,1]}
{"id":2,"src":"","tgt":"","src.pieces":[],"src.word":[],"tgt.pieces":[],"tgt.word":[]}
{"id":3,"src":"newest  x","tgt":"lowest","src.pieces":["newest","x"],"src.word":[0,1],"tgt.pieces":["lo@@","west"],"tgt.word":[0,0]}
EOT
same 'a stream gets pieces and their words' want 'bpe-apply -c small.codes pairs | heed-show | grep "^{"'
same 'two runs for two sides are one for both' want \
	'bpe-apply --src-codes small.codes pairs | bpe-apply --side tgt -c small.codes | heed-show | grep "^{"'
same 'a stream is learned from as its texts are' small.codes \
	'heed-pack small | bpe-learn -q -n 12'
bpe-learn --text -q -n 20 src tgt > want
same 'both sides are learned from' want 'bpe-learn -q -n 20 pairs'
bpe-learn --text -q -n 20 tgt > want
same 'or one of them' want 'bpe-learn -q -n 20 --side tgt pairs'
heed-pack src > one
exits 3 'a side that is not there' 'bpe-apply --side tgt -c small.codes one > x'
exits 3 'codes for a side that is not there' 'bpe-apply --tgt-codes small.codes one > x'
exits 3 'a truncated stream is refused' 'head -c 60 pairs | bpe-apply -c small.codes > x'

# Refusals.
exits 2 'no codes' 'bpe-apply --text src'
exits 2 'no codes for a stream' 'bpe-apply pairs'
exits 4 'codes that are not there' 'bpe-apply --text -c none src'
printf '#version: 0.2\na b\na b c\n' > bad.codes
exits 3 'codes with a wrong line' 'bpe-apply --text -c bad.codes src'
grep -q 'bad.codes: codes: line 3' err; say $? 'and the message names it'
printf '#version: 0.3\na b\n' > bad.codes
exits 3 'codes of an unknown version' 'bpe-apply --text -c bad.codes src'
printf '#version: 0.2 byte\na b\n' > bad.codes
exits 3 'byte-level codes' 'bpe-apply --text -c bad.codes src'
exits 2 'a glossary that is no regular expression' "bpe-apply --text -c small.codes --glossaries '(' src"
printf 'x\n' > bad.voc
exits 3 'a vocabulary without counts' 'bpe-apply --text -c small.codes --vocabulary bad.voc src'
exits 3 'a dictionary without counts' 'bpe-learn --dict-input bad.voc'
exits 2 'vocabularies must be one per input' 'bpe-learn --text --write-vocabulary v src tgt'
exits 4 'a full disk' 'bpe-apply --text -c small.codes src > /dev/full'
exits 4 'a full disk when learning' 'bpe-learn --text src > /dev/full'
plan $n
