#!/bin/sh
# bpe-learn and bpe-apply: compared with subword-nmt, on text and on streams.
. "$HEED_TOP/tests/lib.sh"
g=$HEED_TOP/tests/golden/text

# The example of the paper by Sennrich et al.; merges and subwords are those of subword-nmt.
{
	echo 'low low low low low'
	echo 'lower lower newest newest newest newest newest newest widest widest widest'
} > small
printf '%s\n' '#version: 0.2' 's t</w>' 'e st</w>' 'l o' 'w est</w>' 'n e' 'ne west</w>' 'lo w</w>' 'w i' \
	'wi d' 'wid est</w>' 'w e' 'we r</w>' > small.codes
same 'twelve merges of the example' small.codes 'bpe-learn --text -q --merges 12 small'
echo 'low lo@@ wer lo@@ west ne@@ wer widest x ne@@ we@@ s@@ t@@ low' > want
same 'words are segmented as in the example' want \
	'echo low lower lowest newer widest x newestlow | bpe-apply --text -c small.codes'
printf 'low 5\nlower 2\nnewest 6\nwidest 3\n' > small.dict
same 'a dictionary gives the same merges as the text' small.codes 'bpe-learn --dict-input -q --merges 12 small.dict'

same 'bpe-learn writes the same bytes as subword-nmt' "$g/bpe.codes" "bpe-learn --text --merges 300 '$g/bpe.txt'"
same '--total-symbols subtracts the number of characters' "$g/total.codes" \
	"bpe-learn --text -q --merges 300 --total-symbols '$g/bpe.txt'"
same 'bpe-apply writes the same bytes as subword-nmt' "$g/bpe.out" "bpe-apply --text -c '$g/bpe.codes' '$g/bpe.txt'"
same 'glossaries are not segmented' "$g/bpe.glossaries" \
	"bpe-apply --text -c '$g/bpe.codes' --glossaries 'H[oa]' --glossaries '[0-9]+' '$g/bpe.txt'"
same 'subwords that are not in the vocabulary are split' "$g/bpe.threshold" \
	"bpe-apply --text -c '$g/bpe.codes' --vocabulary '$g/bpe.vocabulary' --vocabulary-threshold 8 '$g/bpe.txt'"
same 'BPE codes of version 0.1 are read' "$g/bpe-0.1.out" "bpe-apply --text -c '$g/bpe-0.1.codes' '$g/bpe.txt'"
same 'joint BPE codes of two files' "$g/joint.codes" \
	"bpe-learn --text -q --merges 150 --write-vocabulary v.en --write-vocabulary v.de '$g/en.txt' '$g/de.txt'"
equals v.en "$g/joint.en" && equals v.de "$g/joint.de"; say $? '... and the vocabulary of each file'

sed 's/$/ 7/; 1d' small.codes > fast.codes
same 'codes of fastBPE are read, frequencies ignored' want \
	'echo low lower lowest newer widest x newestlow | bpe-apply --text -c fast.codes'
head -n 4 small.codes > three.codes
bpe-apply --text -c three.codes small > want
same '--merges uses only the first merges' want 'bpe-apply --text -c small.codes --merges 3 small'
sed 's/@@ /_ /g' want > under
same 'another separator' under 'bpe-apply --text -c three.codes --separator _ small'
same '... also for --restore' small 'bpe-apply --restore --separator _ under'
grep -v leading "$g/bpe.txt" | tr -s ' ' > single	# no spaces are lost in these lines
same '--restore undoes the segmentation' single "bpe-apply --text -c '$g/bpe.codes' single | bpe-apply --restore"

# Line ends and invalid input.
printf 'low\r\n\n  low  lower \n \nlow' > odd
printf 'low\n\n  low lo@@ wer \n \nlow\n' > want
same 'CRLF, empty lines, spaces and a missing last line end' want 'bpe-apply --text -c small.codes < odd'
printf 'ok\nlow \377\n' > bad
exits 3 'text that is not UTF-8 is refused' 'bpe-apply --text -c small.codes bad'
matches 'bad: line 2: .*byte 5' err; say $? '... and the message names line and byte'
exits 3 '... by bpe-learn, too' 'bpe-learn --text bad'
printf 'low \001lo\001w\n' > control; printf 'low \001@@ lo@@ \001@@ w\n' > want
same 'control characters are ordinary characters' want 'bpe-apply --text -c small.codes control'
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "newes"; print "t" }' > long
bpe-apply --text -c small.codes long | bpe-apply --restore | equals - long; say $? 'a word of one megabyte is restored'
mkfifo to from
bpe-apply --text -c small.codes --flush < to > from & pid=$!
exec 3> to 4< from
echo lower >&3; that "$(timeout 20 head -n 1 <&4)" = 'lo@@ wer'; say $? '--flush writes each line at once'
exec 3>&- 4<&-; runs wait $pid; say $? '... and the end of the input is the end'

# Dropout is a function of the seed and the line number.
bpe-apply --text -c "$g/bpe.codes" --dropout 0.2 -s 7 single > once
same 'the same seed gives the same subwords' once "bpe-apply --text -c '$g/bpe.codes' --dropout 0.2 -s 7 single"
bpe-apply --text -c "$g/bpe.codes" --dropout 0.2 -s 8 single | equals - once; that $? = 1; say $? 'another seed gives other subwords'
same '--restore undoes it' single 'bpe-apply --restore once'
bpe-apply --text -c small.codes --dropout 1 small > out; printf 'l@@ o@@ w l@@' > want
head -c 13 out | equals - want; say $? 'probability 1 gives only characters'

# Streams.
printf 'low lower\n\nnewest  x\n' > src; printf 'widest low\n\nlowest\n' > tgt
heed-pack --no-pg src tgt > pairs
cat > want <<'EOT'
{"id":1,"src":"low lower","tgt":"widest low","src.pieces":["low","lo@@","wer"],"src.word":[0,1,1],"tgt.pieces":["widest","low"],"tgt.word":[0,1]}
{"id":2,"src":"","tgt":"","src.pieces":[],"src.word":[],"tgt.pieces":[],"tgt.word":[]}
{"id":3,"src":"newest  x","tgt":"lowest","src.pieces":["newest","x"],"src.word":[0,1],"tgt.pieces":["lo@@","west"],"tgt.word":[0,0]}
EOT
same 'subwords and their words are added to a stream' want 'bpe-apply -c small.codes pairs | heed-show | grep "^{"'
same 'two runs for one side each equal one run for both' want \
	'bpe-apply --src-codes small.codes pairs | bpe-apply --side tgt -c small.codes | heed-show | grep "^{"'
echo 'lo@@ 9' > lo.voc
printf 'lo@@ w lo@@ w@@ e@@ r\twidest low\n\t\nn@@ e@@ w@@ e@@ s@@ t x\tlo@@ west\n' > want
same 'a vocabulary for the source side' want 'bpe-apply -c small.codes --src-vocabulary lo.voc pairs | heed-show -f src.pieces,tgt.pieces'
printf 'low lo@@ wer\tw@@ i@@ d@@ e@@ s@@ t lo@@ w\n\t\nnewest x\tlo@@ w@@ e@@ s@@ t\n' > want
same '... and for the target side' want 'bpe-apply -c small.codes --tgt-vocabulary lo.voc pairs | heed-show -f src.pieces,tgt.pieces'
same 'a stream gives the same merges as its text' small.codes \
	'heed-pack small | bpe-learn -q --merges 12'
bpe-learn --text -q --merges 20 src tgt > want
same 'both sides are used by default' want 'bpe-learn -q --merges 20 pairs'
bpe-learn --text -q --merges 20 tgt > want
same '--side selects one' want 'bpe-learn -q --merges 20 --side tgt pairs'
heed-pack src > one
exits 3 'a side that the stream does not have is an error' 'bpe-apply --side tgt -c small.codes one > x'
exits 3 'so are BPE codes for such a side' 'bpe-apply --tgt-codes small.codes one > x'
exits 3 'a truncated stream is refused' 'head -c 60 pairs | bpe-apply -c small.codes > x'

# Errors.
printf 'the 77\nr 12\n' > vocab
bpe-apply --text -c vocab src > out 2> err
that $? = 3 && that ! -s out && matches -- '--vocabulary' err; say $? 'a vocabulary is no BPE codes'
printf '#version: 0.2\n1 2\n' > digits; that "$(echo 123 | bpe-apply --text -c digits)" = '12@@ 3'; say $? '... but merges of digits are'
exits 2 'without BPE codes text is an error' 'bpe-apply --text src'
exits 2 '... and so is a stream' 'bpe-apply pairs'
exits 3 'a model in place of BPE codes' "bpe-apply --text -c '$HEED_TOP/common/parser/models/en.parser' src"
matches 'en.parser is a tar file, such as a model, expected BPE codes' err; say $? '... is named'
exits 3 '... and a SentencePiece model' "bpe-apply --text -c '$HEED_TOP/tests/data/spm/bpe.model' src"
matches 'use --spm' err; say $? '... with a hint'
exits 4 'a missing file of BPE codes' 'bpe-apply --text -c none src'
printf '#version: 0.2\na b\na b c\n' > bad.codes
exits 3 'BPE codes with a malformed line' 'bpe-apply --text -c bad.codes src'
matches 'bad.codes: codes: line 3' err; say $? '... and the message names the line'
printf '#version: 0.3\na b\n' > bad.codes
exits 3 'BPE codes of an unknown version' 'bpe-apply --text -c bad.codes src'
printf '#version: 0.2\nĠ t\nĠ a\nh e\nĠt he\n' > bad.codes
exits 3 'byte-level BPE codes of GPT-2' 'bpe-apply --text -c bad.codes src'
printf '#version: 0.2\nĠ a\na </w>\nd a</w>\n' > maltese.codes
exits 0 '... but not codes for words with this letter' 'bpe-apply --text -c maltese.codes src'
exits 0 '... of which only the first are used' 'bpe-apply --text -c maltese.codes --merges 1 src'
printf '#version: 0.2 byte\na b\n' > bad.codes
exits 3 'byte-level BPE codes' 'bpe-apply --text -c bad.codes src'
echo 'dad 2019 abc123 12ab é7' > letters
bpe-apply --text -c small.codes --glossaries '[0-9]+' letters > want
bpe-apply --text -c small.codes --glossaries '[0-9]*' letters | equals - want && matches '@@ 123 ' want
say $? 'an empty match separates nothing, and the search continues'
for bad in '\d+' 'x[\w]' '[]\d]'; do
	exits 2 "an escape of other notations: $bad" "bpe-apply --text -c small.codes --glossaries '$bad' src"
done
matches 'd within brackets, expected a POSIX regular expression' err; say $? '... with the expected notation'
exits 0 'escapes that regex(7) knows' "bpe-apply --text -c small.codes --glossaries '\w+[]0-9]|a\.b' src"
exits 2 'a glossary that is not a regular expression' "bpe-apply --text -c small.codes --glossaries '(' src"
printf 'x\n' > bad.voc
exits 3 'a vocabulary without frequencies' 'bpe-apply --text -c small.codes --vocabulary bad.voc src'
exits 3 'a dictionary without frequencies' 'bpe-learn --dict-input bad.voc'
printf 'ab 3000000000000000\ncd 1000000000000000\n' > many.dict; printf 'abc 900000000000000\n' > more.dict
exits 0 'frequencies whose sums are exact' 'bpe-learn --dict-input -q --merges 1 many.dict'
exits 3 'words of several dictionaries that have more than 2^53 bytes' \
	'bpe-learn --dict-input -q --merges 1 -o sum.codes many.dict more.dict'
matches 'more.dict: line 1: .*expected lower frequencies' err && that ! -e sum.codes; say $? '... names file and line'
exits 2 'a threshold without a vocabulary' 'bpe-apply --text -c small.codes --vocabulary-threshold 5 src'
fails 2 '-c beside codes for both sides' 'each side has its own codes' 'bpe-apply -c small.codes --src-codes small.codes --tgt-codes small.codes pairs'
fails 2 '--vocabulary beside those of both sides' 'each side has its own vocabulary' 'bpe-apply -c small.codes --vocabulary bad.voc --src-vocabulary bad.voc --tgt-vocabulary bad.voc pairs'
exits 2 'text and dictionary' 'bpe-learn --text --dict-input src'
exits 2 '--restore with --dropout' 'bpe-apply --restore --dropout 0.5 src'
exits 2 '--restore with BPE codes' 'bpe-apply --restore -c small.codes src'
for o in codes spm vocabulary; do
	exits 2 "--src-$o for another side" "bpe-apply -c small.codes --side tgt --src-$o none pairs"
	exits 2 '... the other way round' "bpe-apply -c small.codes --side src --tgt-$o none pairs"
done
matches -- '--side src with options for tgt, expected --side both' err; say $? '... which the message names'
heed-pack src > one.heed
exits 3 'a side that the stream does not have' 'bpe-learn --side tgt one.heed' && matches 'one.heed: the stream has no tgt' err
say $? '... names the file'
exits 3 '... of bpe-apply' 'bpe-apply --side tgt -c small.codes one.heed' && matches 'one.heed: the stream has no tgt' err
say $? '... names the file, too'
exits 2 'fewer vocabularies than inputs' 'bpe-learn --text --write-vocabulary v src tgt'
exits 2 'the same vocabulary file for two inputs' 'bpe-learn --text --write-vocabulary v --write-vocabulary ./v src tgt'
exits 2 'the same file for vocabulary and codes' 'bpe-learn --text --write-vocabulary v -o ./v src'
exits 2 'a separator without a vocabulary' 'bpe-learn --text --separator _ src'
that ! -e v; say $? '... and nothing is written'
exits 0 '... but a device may be given twice' 'bpe-learn -q --text --write-vocabulary /dev/null --write-vocabulary /dev/null src tgt'
exits 4 'a full disk is a system error of bpe-apply' 'bpe-apply --text -c small.codes src > /dev/full'
exits 4 '... and of bpe-learn' 'bpe-learn --text src > /dev/full'
plan $n
