#!/bin/sh
# nmt-translate: a toy model that knows its few sentences by heart, on streams and on text.
. "$HEED_TOP/tests/lib.sh"
plan 55

cat > t.en <<'END'
a dog runs
the colour of a house
two men talk
the dog talks
a house
two dogs run and talk
END
cat > t.de <<'END'
ein Hund rennt
die Farbe eines Hauses
zwei Männer reden
der Hund redet
ein Haus
zwei Hunde rennen und reden
END
cat t.en t.de | bpe-learn --text -n 40 > codes 2> /dev/null
heed-pack -q t.en t.de | bpe-apply -c codes > t.heed
nmt-train -q --precision fp32 --size tiny --updates 150 --lr 0.005 --warmup 20 --dropout 0 -c codes -o model.tar t.heed 2> train.err ||
    { echo "Bail out! no model"; cat train.err >&2; exit 1; }
tr='nmt-translate -q -m model.tar'

# heads switched off
$tr --mask-heads cross:all --max-ratio 0 --max-extra 9 t.heed | heed-show -f hyp | sort -u > blind
[ "$(wc -l < blind)" = 1 ]
say $? 'without its attention to the source it says the same of every sentence'
$tr --mask-heads 'dec-self:1 cross.1:2' --batch-tokens 1 --no-pg t.heed |
	heed-show -f hyp.score > one
$tr --mask-heads 'cross.1:2;dec.1.self:1 dec-self.2:1' -t 2 --no-pg t.heed |
	heed-show -f hyp.score | cmp -s one -
say $? 'a list may be written in several ways, and batches and threads change nothing'
exits 2 'a head that there is not' "$tr --mask-heads enc-self.1:9 t.heed"
grep -q "head of enc-self.1: '9', expected an integer from 1 to" err; say $? '... is told'

# in the stream
same 'the sentences it has learned' t.de "$tr t.heed | heed-show -f hyp"
same 'text in, text out, by the model'\''s own codes' t.de "$tr --text t.en"
same 'the same in bf16' t.de "$tr --precision bf16 t.heed | heed-show -f hyp"
same 'the same in int16' t.de "$tr --precision int16 t.heed | heed-show -f hyp"
$tr --precision int16 t.heed | heed-show -f hyp,hyp.score > int16
$tr --precision int16 -t 3 --batch-tokens 1 t.heed | heed-show -f hyp,hyp.score | cmp -s - int16
say $? '... and the same scores with three threads, one sentence at a time'
$tr t.heed | heed-show -f hyp.score | paste - int16 | awk -F '\t' 'NR > 1 { d = $1 - $3; if (d * d > 1e-6) bad = 1; if (d) other = 1 }
	END { exit bad || !other }'; say $? '... which are near those in fp32, and not those'
$tr t.heed > h.heed && heed-check -q h.heed 2> /dev/null; say $? 'the output is a whole stream'
heed-show -f id,src,tgt,src.pieces t.heed > before; heed-show -f id,src,tgt,src.pieces h.heed | cmp -s before -
say $? 'what was there goes through'
heed-show -f hyp,hyp.pieces h.heed | tr -d '[]",' | sed 's/@@ *//g' |
    awk -F '\t' '{ gsub(/@@,?/, "", $2); gsub(/ /, "", $1); gsub(/ /, "", $2); if ($1 != $2) bad = 1 } END { exit bad }'
say $? 'hyp is hyp.pieces, restored'

# scores
$tr --length-penalty 0 --beam 4 t.heed | heed-show | sed 's/"tgt.pieces"/"x.tgt.pieces"/; s/"hyp.pieces"/"tgt.pieces"/' |
    heed-pack -j > swapped.heed 2> swap.err; say $? 'hypotheses take the place of the references'
nmt-score -q -m model.tar swapped.heed | heed-show -f hyp.score,score |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-4) bad = 1; n++ } END { exit bad || n != 6 }'
say $? 'a score without length penalty is what nmt-score says'
for v in fairseq gnmt onmt voita; do
	$tr --search $v --beam 3 t.heed | heed-show -f hyp | cmp -s - t.de; say $? "search $v finds them too"
done
$tr --beam 4 --n-best 4 t.heed | heed-show | sed -n 's/.*"hyp":"\([^"]*\)".*"hyp.nbest":\["\([^"]*\)".*"hyp.nbest.score":\[\([^]]*\)\].*/\1|\2|\3/p' > best
awk -F '|' '{ n = split($3, s, ","); for (i = 2; i <= n; i++) if (s[i] > s[i-1] + 0) bad = 1
	if (n != 4 || $1 != $2) bad = 1 } END { exit bad || NR != 6 }' best
say $? 'the n best are sorted, four of four'
exits 2 'more than the beam has is refused' "$tr --beam 3 --n-best 4 t.heed"

# company, order, threads
for i in 1 2 3 4 5 6 7 8 9; do cat t.en; echo; done > long.en
for i in 1 2 3 4 5 6 7 8 9; do cat t.de; echo; done > long.de
same 'order is kept, an empty line gives an empty line' long.de "$tr --text long.en"
same '... whatever shares a batch' long.de "$tr --text --batch-tokens 1 long.en"
same '... and at once' long.de "$tr --text --flush long.en"
$tr --text -t 1 long.en > one; $tr --text -t 2 long.en | cmp -s - one; say $? 'threads change nothing'
for t in 1 2 5; do $tr --text -t $t --batch-tokens 20 --beam 3 long.en > $t.few || : > $t.few; done
[ -s 1.few ] && cmp -s 1.few 2.few && cmp -s 1.few 5.few; say $? '... each with batches of its own'
for t in 1 2; do
	exits 3 "a batch that fails ($t threads)" "$tr --text -t $t --batch-tokens 20 --max-extra 0 --max-ratio 0.1 --prefix 'zwei Hunde' long.en"
	grep -q 'long.en: record [0-9]*: a prefix of 5 symbols' err; say $? '... names the record'
done
$tr --no-pg t.heed > a; $tr --no-pg --batch-tokens 3 t.heed > b
heed-show -f hyp a > a.txt; heed-show -f hyp b | cmp -s - a.txt; say $? 'nor do batches'
$tr --text --beam 1 t.en > greedy && [ "$(wc -l < greedy)" = 6 ]; say $? 'greedy search gives every line'

# interactive use: the answer is there before the next line
mkfifo to from
$tr --text --flush < to > from & pid=$!
exec 3> to 4< from
echo 'a house' >&3; read -r answer <&4; [ "$answer" = 'ein Haus' ]; say $? '--flush answers each line'
echo >&3; read -r answer <&4; [ "$answer" = '' ]; say $? '... an empty one too'
echo 'two men talk' >&3; read -r answer <&4; [ "$answer" = 'zwei Männer reden' ]; say $? '... and goes on'
exec 3>&- 4<&-; wait $pid; say $? '... and ends well'

# prefixes
$tr --text --prefix 'zwei Hunde' t.en > p.de; ! grep -qv '^zwei Hunde' p.de; say $? 'a prefix is forced'
heed-show t.heed | sed 's/"fields":{/&"x.begin":"str",/; /"id":2/s/"id"/"x.begin":"zwei","id"/' | heed-pack -j > begin.heed 2> /dev/null
$tr --prefix-field x.begin begin.heed 2> err | heed-show -f hyp > p.txt
[ "$(sed -n 1p p.txt)" = 'ein Hund rennt' ] && sed -n 2p p.txt | grep -q '^zwei '; say $? '... or comes from a field, where it is'
exits 2 'two kinds of prefix' "$tr --prefix a --prefix-field b t.heed"
exits 2 'a field with text' "$tr --text --prefix-field b t.en"
$tr --text --max-ratio 0 --max-extra 3 t.en > short && awk '{ if (NF > 3) bad = 1 } END { exit bad }' short
say $? 'the longest translation can be set'

# odd input
printf 'a house\r\na house' > crlf.en; printf 'ein Haus\nein Haus\n' > crlf.de
same 'CRLF and a missing last line end' crlf.de "$tr --text crlf.en"
: > none.en; same 'no line at all' none.en "$tr --text none.en"
heed-pack -q none.en none.en | bpe-apply -c codes | $tr | heed-check > out 2>&1; say $? 'no record at all'
printf 'a house\n\377\n' > bad.en
exits 3 'invalid UTF-8' "$tr --text bad.en"
grep -q 'bad.en: line 2' err; say $? '... names file and line'
yes 'a house' | head -n 3000 | tr '\n' ' ' > longest.en; echo >> longest.en
exits 3 'a line that is too long for the model' "$tr --text --too-long fail longest.en"
heed-pack -q t.en t.de > plain.heed
exits 3 'a stream without pieces' "$tr plain.heed"
grep -q 'bpe-apply' err; say $? '... says what is missing'
exits 2 'no model' 'nmt-translate t.heed'
exits 4 'a model that is not there' 'nmt-translate -m nope.tar t.heed'
head -c 3000 model.tar > cut.tar
exits 3 'a model that is cut' 'nmt-translate -m cut.tar t.heed'
size=$(wc -c < t.heed); head -c $((size - 20)) t.heed > cut.heed
exits 3 'a stream that is cut' "$tr -o x.heed cut.heed"
! ls x.heed* 2> /dev/null; say $? '... leaves no file'
exits 4 'a full disk' "$tr --text t.en > /dev/full"
