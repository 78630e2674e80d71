#!/bin/sh
# nmt-translate: a toy model that has memorized its few sentences, on streams and on text.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/toy-model.sh"
plan 130

tr='nmt-translate -q -m model.tar'

# masked heads
$tr --mask-heads cross:all --max-ratio 0 --max-extra 9 t.heed | heed-show -f hyp | sort -u > blind
that "$(wc -l < blind)" = 1
say $? 'without encoder-decoder attention all translations are the same'
$tr --mask-heads 'dec-self:1 cross.1:2' --batch-tokens 1 --no-pg t.heed |
	heed-show -f hyp.score > one
$tr --mask-heads 'cross.1:2;dec.1.self:1 dec-self.2:1' -t 2 --no-pg t.heed |
	heed-show -f hyp.score | equals one -
say $? 'all forms of a list of heads give the same scores, with other batches and threads'
exits 2 'a nonexistent head is refused' "$tr --mask-heads enc-self.1:9 t.heed"
matches "head of enc-self.1: '9', expected an integer from 1 to" err
say $? '... and the message names it'

# in the stream
same 'the training sentences are translated' t.de "$tr --precision fp32 t.heed | heed-show -f hyp"
same 'lines of text are segmented with the model'\''s BPE codes' t.de "$tr --text t.en"
same 'the same in bf16' t.de "$tr --precision bf16 t.heed | heed-show -f hyp"
same 'the same in int16' t.de "$tr --precision int16 t.heed | heed-show -f hyp"
$tr --precision int16 t.heed | heed-show -f hyp,hyp.score > int16
$tr --precision int16 -t 3 --batch-tokens 1 t.heed | heed-show -f hyp,hyp.score | equals - int16
say $? '... with the same scores with three threads and one sentence per batch'
$tr --precision fp32 t.heed | heed-show -f hyp.score | paste - int16 | computes - -F '\t' 'NR > 1 { d = $1 - $3; if (d * d > 1e-6) bad = 1; if (d) other = 1 }
	END { exit bad || !other }'; say $? '... which are near those in fp32 but different'
same 'the same in int8' t.de "$tr --precision int8 t.heed | heed-show -f hyp"
$tr --precision int8 t.heed | heed-show -f hyp,hyp.score > int8
$tr --precision int8 -t 3 --batch-tokens 1 t.heed | heed-show -f hyp,hyp.score | equals - int8
say $? '... with the same scores with three threads and one sentence per batch'
$tr --precision fp32 t.heed | heed-show -f hyp.score | paste - int8 | computes - -F '\t' 'NR > 1 { d = $1 - $3; if (d * d > 1e-2) bad = 1; if (d * d > 1e-8) other = 1 }
	END { exit bad || !other }'; say $? '... which are near those in fp32, but not as near as in int16'
runs nmt-average --i8 -o i8.tar model.tar && nmt-translate -q -m i8.tar t.heed | heed-show -f hyp,hyp.score | equals - int8
say $? 'a model stored as 8-bit integers gives the same translations and scores by default'
that $(($(wc -c < i8.tar) * 2)) -lt "$(wc -c < model.tar)"; say $? '... and is smaller'
nmt-translate -q -m i8.tar --precision fp32 t.heed | heed-show -f hyp,hyp.score > i8.fp32
that -s i8.fp32 && differ int8 i8.fp32; say $? '... and other scores in fp32'
runs $tr t.heed > h.heed && runs heed-check -q h.heed 2> /dev/null; say $? 'the output is a complete stream'
heed-show -f id,src,tgt,src.pieces t.heed > before; heed-show -f id,src,tgt,src.pieces h.heed | equals before -
say $? 'other fields pass through unchanged'
heed-show -f hyp,hyp.pieces h.heed | tr -d '[]",' | sed 's/@@ *//g' |
    computes - -F '\t' '{ gsub(/@@,?/, "", $2); gsub(/ /, "", $1); gsub(/ /, "", $2); if ($1 != $2) bad = 1 } END { exit bad || !NR }'
say $? 'hyp is hyp.pieces, joined into words'

# scores
$tr --precision fp32 --length-penalty 0 --beam 4 t.heed | heed-show | sed 's/"tgt.pieces"/"x.tgt.pieces"/; s/"hyp.pieces"/"tgt.pieces"/' |
    runs heed-pack -j > swapped.heed 2> swap.err; say $? 'hypotheses can replace the references'
nmt-score -q -m model.tar swapped.heed | heed-show -f hyp.score,score |
    computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-4) bad = 1; n++ } END { exit bad || n != 6 }'
say $? 'the score without length penalty is that of nmt-score'
for v in fairseq gnmt onmt voita marian; do
	$tr --search $v --beam 3 t.heed | heed-show -f hyp | equals - t.de
	say $? "search $v finds the same translations"
done
$tr --beam 4 --n-best 4 t.heed | heed-show | sed -n 's/.*"hyp":"\([^"]*\)".*"hyp.nbest":\["\([^"]*\)".*"hyp.nbest.score":\[\([^]]*\)\].*/\1|\2|\3/p' > best
computes -F '|' '{ n = split($3, s, ","); for (i = 2; i <= n; i++) if (s[i] > s[i-1] + 0) bad = 1
	if (n != 4 || $1 != $2) bad = 1 } END { exit bad || NR != 6 }' best
say $? 'the n best hypotheses are complete and sorted'
$tr --beam 2 --n-best 2 t.heed | $tr | heed-show | grep '^{' | grep -c '"hyp.nbest' | matches -x 0
say $? 'the n best hypotheses of another model are removed'
described() { $tr t.heed | heed-show | sed "1s/\"fields\":{/\"lrp.target\":\"$1\",&\"bleu\":\"[int]\",\"relevance.best\":\"[str]\",/; /^{/s/}\$/,\"bleu\":[1],\"relevance.best\":[\"a\"]}/" | heed-pack -j; }
runs described hyp > old.heed && heed-show old.heed | grep '^{' | matches 'bleu.*relevance' && runs $tr old.heed > new.heed &&
	heed-show new.heed | lacks '"bleu\|"relevance\|"lrp'
say $? '... as are counts and relevances of other translations'
described ref | $tr | runs heed-show > new && matches '^{.*"relevance.best"' new && matches '"lrp.target":"ref"' new && lacks '"bleu' new
say $? '... but not relevances of references'
runs heed-check -q new.heed; say $? '... and the header has only fields that the records may have'
exits 2 'more hypotheses than the beam has are refused' "$tr --beam 3 --n-best 4 t.heed"

# batches, order, threads
for i in 1 2 3 4 5 6 7 8 9; do cat t.en; echo; done > long.en
for i in 1 2 3 4 5 6 7 8 9; do cat t.de; echo; done > long.de
same 'sentences stay in order, and an empty line gives an empty line' long.de "$tr --text long.en"
same '... with one sentence per batch' long.de "$tr --text --batch-tokens 1 long.en"
same '... and with --flush' long.de "$tr --text --flush long.en"
$tr --text -t 1 long.en > one; $tr --text -t 2 long.en | equals - one
say $? 'two threads give the same translations'
for t in 1 2 5; do $tr --text -t $t --batch-tokens 20 --beam 3 long.en > $t.few || : > $t.few; done
that -s 1.few && equals 1.few 2.few && equals 1.few 5.few
say $? '... and so do threads that each translate batches'
for t in 1 2; do
	exits 3 "a failing batch ends the program ($t threads)" \
		"$tr --text -t $t --batch-tokens 20 --max-extra 0 --max-ratio 0.1 --prefix 'zwei Hunde' long.en"
	matches 'long.en: line [0-9]*: prefix has 5 tokens' err && matches 'hint: --max-ratio and --max-extra' err
	say $? '... and the message names the line'
done
$tr --no-pg t.heed > a; $tr --no-pg --batch-tokens 3 t.heed > b
heed-show -f hyp a > a.txt; heed-show -f hyp b | equals - a.txt
say $? 'the size of the batches changes nothing'
runs $tr --text --beam 1 t.en > greedy && that "$(wc -l < greedy)" = 6
say $? 'greedy search translates every line'

# interactive use: the answer comes before the next line is read
mkfifo to from
$tr --text --flush < to > from & pid=$!
exec 3> to 4< from
echo 'a house' >&3; read -r answer <&4; that "$answer" = 'ein Haus'
say $? '--flush answers each line'
echo >&3; read -r answer <&4; that "$answer" = ''; say $? '... including an empty one'
echo 'two men talk' >&3; read -r answer <&4; that "$answer" = 'zwei Männer reden'
say $? '... and those that follow'
exec 3>&- 4<&-; runs wait $pid; say $? '... and exits with status 0'

# prefixes
$tr --text --prefix 'zwei Hunde' t.en > p.de; that "$(wc -l < p.de)" = 6 && lacks -v '^zwei Hunde' p.de
say $? 'every translation starts with the prefix'
heed-show t.heed | sed 's/"fields":{/&"x.begin":"str",/; /"id":2/s/"id"/"x.begin":"zwei","id"/' | heed-pack -j > begin.heed 2> /dev/null
$tr --prefix-field x.begin begin.heed 2> err | heed-show -f hyp > p.txt
that "$(sed -n 1p p.txt)" = 'ein Hund rennt' && sed -n 2p p.txt | matches '^zwei '
say $? '... or with that in a field, if the record has it'
# first tokens
first='--first-src two --first-tgt zwei'
$tr $first --no-pg t.heed > first.heed; heed-show -f hyp first.heed > first.txt
lacks '^zwei' first.txt && that "$(wc -l < first.txt)" = 6
say $? 'the first token of a target is not part of the translation'
sed -n 3p first.txt | matches -x 'Männer reden' && sed -n 6p first.txt | matches -x 'Hunde rennen und reden'
say $? '... which continues it, from sources that begin with theirs already'
that "$(echo dogs run and talk | $tr --text --first-src two)" = 'zwei Hunde rennen und reden'
say $? 'the first token of a source is put before the others'
$tr --precision fp32 --first-tgt zwei --length-penalty 0 --beam 1 --no-pg t.heed | heed-show |
    perl -MJSON::PP -ne 'my $r = decode_json($_);
	$r->{"tgt.pieces"} = ["zwei", @{$r->{"hyp.pieces"}}] if ref $r eq "HASH";
	print encode_json($r), "\n"' | heed-pack -j > with.heed
nmt-score -q -m model.tar with.heed | heed-show | runs perl -MJSON::PP -ne 'my $r = decode_json($_);
	next if ref $r ne "HASH";
	$n++; $d = $r->{score} - $r->{"score.tokens"}{d}[0] - $r->{"hyp.score"} if ref $r->{"score.tokens"} eq "HASH";
	$d = $r->{score} - $r->{"score.tokens"}[0] - $r->{"hyp.score"} if ref $r->{"score.tokens"} eq "ARRAY";
	$bad++ if abs($d) > 1e-4; END { exit !($n == 6 && !$bad) }'
say $? '... and its probability is no part of the score'
exits 2 'a first token that is not in the vocabulary is refused' "$tr --first-tgt nie t.heed"
matches 'first-tgt nie: expected an entry of the vocabulary' err; say $? '... with its name'
runs $tr --first-tgt zwei --max-ratio 0 --max-extra 1 --text t.en > one && that "$(awk 'NF' one | wc -l)" = 6
say $? 'it does not count in the maximum length'
$tr --first-tgt zwei --search gnmt --beam 5 --n-best 5 --max-ratio 0 --max-extra 3 t.heed | heed-show > best
matches '"hyp.nbest"' best && lacks '"hyp.nbest":\[[^]]*""' best; say $? '... nor in the minimum length'
$tr --first-tgt zwei --beam 1 --length-penalty 0 --max-ratio 0 --max-extra 9 t.heed | heed-show -f hyp.score > plain
$tr --first-tgt zwei --beam 1 --length-penalty 1 --max-ratio 0 --max-extra 9 t.heed | heed-show -f hyp.score,hyp.pieces | paste plain - |
    computes - -F '\t' '{ n = split($3, x, " ") + 1; if (($1 / n - $2) ^ 2 < 1e-8) same++ } END { exit same != 6 }'
say $? '... nor in that of the score'
for o in '' --text; do
	exits 2 "a prefix with tokens that the model does not know is refused $o" "$tr $o --prefix 'zwei Qu' t.heed"
done
matches -- "--prefix: 'Q.*' is not in the model's vocabulary" err; say $? '... and the message has one'
heed-show begin.heed | sed 's/"x.begin":"zwei"/"x.begin":"zwei Q"/' | heed-pack -j > strange.heed 2> /dev/null
$tr --prefix-field x.begin strange.heed 2> err > /dev/null; matches '1 tokens of prefixes are not in the model' err
say $? '... in a field they are counted'
$tr --prefix-field x.begni begin.heed 2> err | heed-show -f hyp > p.txt; matches 'begin.heed: the header has no x.begni' err && equals p.txt t.de
say $? 'a field that the header does not have is a warning'
exits 2 '--prefix with --prefix-field is refused' "$tr --prefix a --prefix-field b t.heed"
exits 2 '--prefix-field with --text is refused' "$tr --text --prefix-field b t.en"
runs $tr --text --max-ratio 0 --max-extra 3 t.en > short && computes '{ if (NF > 3) bad = 1 } END { exit bad || !NR }' short
say $? 'the maximum length of a translation can be set'

# unusual input
printf 'a house\r\na house' > crlf.en; printf 'ein Haus\nein Haus\n' > crlf.de
same 'CRLF and a missing newline at the end are accepted' crlf.de "$tr --text crlf.en"
: > none.en; same 'an empty file gives an empty file' /dev/null "$tr --text none.en"
heed-pack -q none.en none.en | bpe-apply -c codes | $tr | runs heed-check > out 2>&1
say $? 'a stream without records gives one without records'
printf 'a house\n\377\n' > bad.en
exits 3 'invalid UTF-8 is refused' "$tr --text bad.en"
matches 'bad.en: line 2' err; say $? '... and the message names file and line'
yes 'a house' | head -n 3000 | tr '\n' ' ' > longest.en; echo >> longest.en
exits 3 'a line with too many tokens is refused with --too-long fail' \
	"$tr --text --too-long fail longest.en"
heed-pack -q t.en t.de > plain.heed
exits 3 'a stream without subwords is refused' "$tr plain.heed"
matches 'bpe-apply' err; say $? '... and the message names the program that adds them'
exits 2 'a missing --model is refused' 'nmt-translate t.heed'
exits 4 'a nonexistent model is refused' 'nmt-translate -m nope.tar t.heed'
head -c 3000 model.tar > cut.tar
exits 3 'a truncated model is refused' 'nmt-translate -m cut.tar t.heed'
size=$(wc -c < t.heed); head -c $((size - 20)) t.heed > cut.heed
exits 3 'a truncated stream is refused' "$tr -o x.heed cut.heed"
that -z "$(ls x.heed* 2> /dev/null)"; say $? '... and leaves no output file'
exits 4 'a full disk is an error' "$tr --text t.en > /dev/full"

# ensembles
for p in fp32 int16 int8; do
	for b in 1 4; do
		$tr --precision $p --beam $b t.heed | heed-show -f hyp,hyp.score > alone
		$tr -m model.tar --precision $p --beam $b t.heed | heed-show -f hyp,hyp.score | equals - alone
		say $? "an ensemble of a model with itself gives the same translations and scores ($p, beam $b)"
	done
done
nmt-train -q --precision fp32 --preset onmt --size tiny --updates 60 --lr 0.005 --warmup 20 --seed 2 -c codes \
	-o other.tar t.heed 2> /dev/null
ensemble() { nmt-translate -q -m "$@" --beam 3 --search fairseq --length-penalty 1 t.heed | heed-show -f hyp,hyp.score; }
ensemble model.tar > one; ensemble other.tar > two; ensemble model.tar -m other.tar > both
ensemble other.tar -m model.tar | equals - both && differ one both && differ two both
say $? 'an ensemble of two presets has the same scores in any order, and other scores than each'
ensemble model.tar -m other.tar -t 3 --batch-tokens 8 | computes - -F '\t' 'NR == FNR { hyp[FNR] = $1; score[FNR] = $2; next }
	$1 != hyp[FNR] || (score[FNR] - $2) ^ 2 > 1e-10 { bad = 1 } END { exit bad || FNR != 6 }' both -
say $? '... with any number of threads and any batch'
tr a-z n-za-m < t.en > r.en; heed-pack -q r.en t.de | bpe-apply -c codes 2> /dev/null |
	nmt-train -q --preset onmt --size tiny --updates 1 -c codes -o source.tar 2> /dev/null
nmt-translate -q -m model.tar -m source.tar t.heed 2> err > /dev/null
matches '^nmt-translate: warning: t.heed, model 2: [0-9]* of [0-9]* source tokens are not in' err && lacks 't.heed: ' err
say $? 'source tokens that the second model does not know are counted, too'
sed 's/Haus/Heim/' t.de > u.de; heed-pack -q t.en u.de | bpe-apply -c codes > u.heed
nmt-train -q --size tiny --updates 1 -c codes -o vocab.tar u.heed
exits 3 'models with different target vocabularies are refused' "$tr -m vocab.tar t.heed"
matches 'model.tar and vocab.tar have different target vocabularies' err; say $? '... and both are named'
nmt-train -q --size tiny --updates 1 -o nocodes.tar t.heed
exits 3 'models with different BPE codes are refused' "$tr -m nocodes.tar t.heed"
matches 'model.tar and nocodes.tar have different BPE codes' err; say $? '... and both are named'
nmt-train -q --size tiny --updates 1 --arch max_length=8 -c codes -o short.tar t.heed
for pair in 'short.tar -m model.tar' 'model.tar -m short.tar'; do
	exits 0 "sentences too long for one model of an ensemble are skipped ($pair)" "nmt-translate -q -m $pair t.heed"
done
nmt-train -q --preset onmt --size tiny --updates 1 --arch max_length=8 -c codes -o noend.tar t.heed
echo 'a a a a a a a a' > eight.en
for pair in 'short.tar -m noend.tar' 'noend.tar -m short.tar'; do
	exits 0 "... also if only the end token of one does not fit ($pair)" "nmt-translate -q -m $pair --text eight.en"
	matches 'eight.en: line 1: src has 9 tokens, expected at most 8: skipped' err; say $? '... with a warning'
done
$tr -m i8.tar t.heed | heed-show -f hyp,hyp.score | equals - int8
say $? 'stored as integers or not, models give the same translations and scores in int8, the default of both'

# untokenized text
printf '\ntwo dogs, not houses, run.\na dog talks.\nmen\n' > raw.en
attached="nmt-translate: warning: 2 of the first 4 sentences have punctuation attached to words, such as 'run.'"
nmt-translate -m model.tar --text --prefix ein raw.en 2>&1 > out | matches "^$attached"
say $? 'untokenized lines give a warning if the model has BPE codes'
for o in '-m nocodes.tar raw.en' '-q -m model.tar raw.en' '-m model.tar t.en'; do
	nmt-translate --text $o 2>&1 > out | grep -c attached | matches -x 0; say $? "... but not with $o"
done

# samples
sample="$tr --sample --temperature 3"
$sample --text -s 5 long.en > drawn; cp drawn drawn.5
for t in '-t 2' '-t 3 --batch-tokens 9' '--batch-tokens 1' '--flush'; do
	same "the same seed gives the same samples ($t)" drawn.5 "$sample --text -s 5 $t long.en"
done
$sample --text -s 6 long.en > drawn; that -s drawn && differ drawn drawn.5; say $? '... and another seed others'
that "$(sed -n '1~7p' drawn.5 | sort -u | wc -l)" -gt 5; say $? 'the same sentence has other samples at other places'
$sample --text -m model.tar -s 5 long.en | equals - drawn.5; say $? 'an ensemble of a model with itself has the same samples'
$sample --n-best 4 -s 5 t.heed | heed-show > four; $sample -s 5 t.heed | heed-show -f hyp > first
sed -n '2,$s/.*"hyp":"\([^"]*\)".*/\1/p' four | equals - first; say $? 'the first of four samples is that of --n-best 1'
same '--top-k 1 draws the most probable tokens' t.de "$sample --top-k 1 --text t.en"
same '... and so does --top-p 0' t.de "$sample --top-p 0 --text t.en"
same '... and a low temperature' t.de "$tr --sample --temperature 0.01 --text t.en"
for v in gnmt onmt voita marian; do
	$sample --search $v --text t.en > drawn; that "$(wc -l < drawn)" = 6; say $? "samples with search $v"
done
lacks '<unk>' drawn; say $? '... which never has <unk> with marian'
$sample --precision fp32 --length-penalty 0 t.heed | heed-show | sed 's/"tgt.pieces"/"x.tgt.pieces"/; s/"hyp.pieces"/"tgt.pieces"/' |
	heed-pack -q -j > drawn.heed; nmt-score -q -m model.tar drawn.heed | heed-show -f hyp.score,score |
	computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-3) bad = 1; n++ } END { exit bad || n != 6 }'
say $? 'the score of a sample without length penalty is that of nmt-score'
exits 2 '--sample with a beam is refused' "$tr --sample --beam 4 t.heed"
exits 2 '--top-k without --sample is refused' "$tr --top-k 4 t.heed"
exits 2 '... and --seed' "$tr --seed 4 t.heed"
exits 2 '--spread with another search than voita is refused' "$tr --search onmt --spread 3 t.heed"
exits 0 '... but not with voita' "$tr --search voita --spread 3 t.heed"

# coverage penalty
cover="$tr --beam 4 --coverage-penalty 0.2"
$cover t.heed | heed-show -f hyp > covered; equals covered t.de; say $? 'with a coverage penalty, too, the training sentences are translated'
$cover t.heed | heed-show -f hyp.score > covered; $tr --beam 4 t.heed | heed-show -f hyp.score | paste - covered |
	computes - '$2 > $1 + 1e-5 { bad = 1 } $2 < $1 - 0.01 { n++ } END { exit bad || NR != 6 || !n }'; say $? '... with lower scores'
$cover --precision int16 t.heed | heed-show -f hyp.score > covered
$cover --precision int16 -t 3 --batch-tokens 1 t.heed | heed-show -f hyp.score | equals - covered
say $? '... which do not depend on threads and batches'
exits 2 '--coverage-penalty with --sample is refused' "$tr --sample --coverage-penalty 1 t.heed"
