#!/bin/sh
# SentencePiece: bpe-apply --spm compared with spm_encode and spm_decode, and models that have such subwords.
. "$HEED_TOP/tests/lib.sh"
g=$HEED_TOP/tests/data/spm

cp "$g"/*.model "$g/text" .
if ! bpe-apply --text --spm unigram.model < text > out 2> err; then
	plan 2
	matches libsentencepiece-dev err; say $? 'without libsentencepiece --spm is refused, and the package named'
	n=2; echo "ok 2 - segmentation by SentencePiece # SKIP this build has no libsentencepiece"
	exit
fi
plan 53

# spaced FIELD: the field of a stream, a record a line; lists with spaces between
spaced() {
	heed-show | perl -CO -MJSON::PP -ne 'BEGIN { $f = shift } next unless /^\{/; my $x = decode_json($_)->{$f};
		print ref $x ? "@$x" : $x, "\n"' "$1"
}

for m in unigram bpe; do
	same "$m: subwords of spm_encode" "$g/$m.pieces" "bpe-apply --text --spm $m.model text"
	same "$m: text of spm_decode" "$g/$m.text" "bpe-apply --restore --spm $m.model '$g/$m.pieces'"
done
if [ -n "${HEED_LONG-}" ] && command -v spm_encode > /dev/null; then
	cat "$HEED_TOP"/man/*.[0-9] "$HEED_TOP"/tests/golden/text/*.txt > many
	for m in unigram bpe; do
		spm_encode --model=$m.model < many > want
		same "$m: subwords of spm_encode, for all pages" want "bpe-apply --text --spm $m.model many"
		spm_decode --model=$m.model < want > back
		same "$m: text of spm_decode, for all pages" back "bpe-apply --restore --spm $m.model want"
	done
else
	for i in 1 2 3 4; do n=$((n + 1)); echo "ok $n - long texts # SKIP only with HEED_LONG=1 and spm_encode"; done
fi

# Words are those of the text: U+00A0, U+00AD and U+3000 separate none; spaces at the ends and between are no words.
printf ' two   men\ntwo\302\240men a\302\255b\343\200\200c d\n\n' > src
heed-pack --no-pg src > words
cat > want <<'EOT'
{"id":1,"src":" two   men","src.pieces":["▁","t","w","o","▁m","en"],"src.word":[0,0,0,0,1,1]}
{"id":2,"src":"two men a­b　c d","src.pieces":["▁","t","w","o","▁m","en","▁","ab","▁c","▁","d"],"src.word":[0,0,0,0,0,0,1,1,1,2,2]}
{"id":3,"src":"","src.pieces":[],"src.word":[]}
EOT
same 'a stream gets the subwords and the word of each' want 'bpe-apply --spm unigram.model words | heed-show | grep "^{"'
# Words that normalization makes a space have no subword; the model is that of nmt_nfkc.
printf 'a \302\240 b c\na \343\200\200 b\na\302\240 b\n\302\240 a\n\302\240b c \302\240\na \342\200\246 b\n' > blank
printf '0 2 3\n0 2\n0 1\n1\n0 1\n0 1 1 2\n' > want
same 'a subword belongs to the word of a character that normalization keeps' want \
	'heed-pack blank | bpe-apply --spm unigram.model | heed-show -f src.word'
heed-pack blank | bpe-apply --spm unigram.model 2>&1 > out | matches 'src: words of 4 sentences have no subwords, first in record 1;'
say $? '... with a warning of words without subwords'
printf 'a\343\200\201%.0s' $(seq 30000) | heed-pack > long
timeout 10 bpe-apply --spm unigram.model long | heed-show -f src.word | grep -o 0 | wc -l | matches -x 60000
say $? 'a word of 60,000 subwords takes less than 10 seconds'
heed-pack --no-pg text | bpe-apply --spm unigram.model | spaced src.pieces > out
equals out "$g/unigram.pieces"; say $? '... which are those of its text'
printf 'low lower\n' > tgt; head -n 1 text > src; printf '#version: 0.2\nl o\n' > codes
heed-pack --no-pg src tgt > pair
bpe-apply --side src --spm unigram.model pair | bpe-apply --side tgt -c codes | heed-show | grep '^{' > want
same 'a side with codes and one with a model' want 'bpe-apply --src-spm unigram.model --tgt-codes codes pair | heed-show | grep "^{"'
same '... in any case the model of the side' want 'bpe-apply -c codes --src-spm unigram.model pair | heed-show | grep "^{"'

# Sampling depends on the seed and the number of the sentence alone.
sample() { bpe-apply --text --spm "$@" text; }
sample unigram.model --alpha 0.1 -s 7 > all; sample unigram.model --alpha 0.1 -s 7 --nbest-size 20 > best; sample bpe.model --alpha 0.3 -s 7 > dropped
sample unigram.model --alpha 0.1 -s 7 | equals - all && sample unigram.model --alpha 0.1 -s 7 --nbest-size 20 | equals - best &&
    sample bpe.model --alpha 0.3 -s 7 | equals - dropped; say $? 'the same seed gives the same subwords'
for f in all best dropped; do
	m=unigram; o='--alpha 0.1'; [ $f != best ] || o="$o --nbest-size 20"
	[ $f != dropped ] || { m=bpe; o='--alpha 0.3'; }
	sample $m.model $o -s 8 | equals - $f; that $? = 1 && differ $f "$g/$m.pieces"; say $? "$f: another seed gives others"
	{ sed -n 1,3p text; sed -n '4,$s/.*/x/p' text; } | bpe-apply --text --spm $m.model $o -s 7 | head -n 3 > out
	head -n 3 $f | equals - out; say $? '... other sentences do not change them'
	same '... and they restore to the same text' "$g/$m.text" "bpe-apply --restore --spm $m.model $f"
done
sample unigram.model --alpha 0.1 --nbest-size 1 | equals - "$g/unigram.pieces"; say $? 'of one best segmentation that one is drawn'
# The probability of a segmentation is exp of the sum of the scores of its subwords, to the power of alpha.
yes 'ein' | head -n 4000 > many
exits 2 '--nbest-size with a BPE model' 'bpe-apply --text --spm bpe.model --alpha 0.3 --nbest-size 20 many'
bpe-apply --text --spm unigram.model --alpha 0.5 --nbest-size 3 many | sort | uniq -c | sort -rn > drawn
runs perl -e 'open F, "<:raw", "unigram.model"; local $/; $_ = <F>;
	while (/\G\x0a(.)/gs) { my $e = substr $_, pos, ord $1; pos() += ord $1; my ($t, $s) = $e =~ /^\x0a.(.*?)\x15(....)/s; $x{$t} = unpack "f<", $s }
	open D, "drawn"; local $/ = "\n"; my @n; my @p;
	while (<D>) { my ($n, @t) = split; my $s = 0; $s += $x{$_} for @t; push @n, $n; push @p, exp(0.5 * $s) }
	my $sum = 0; $sum += $_ for @p; my $far = 0;
	for (0 .. $#n) { my $p = $p[$_] / $sum; my $z = abs($n[$_] - 4000 * $p) / sqrt(4000 * $p * (1 - $p)); $far = $z if $z > $far }
	print "@n: $far\n"; exit !(@n == 3 && $far < 4)' > found
say $? 'segmentations are drawn with their probabilities'

# Models.
head -n 12 text > t.src; sed -n 3,14p text > t.tgt
heed-pack --no-pg t.src t.tgt | bpe-apply --src-spm unigram.model --tgt-spm bpe.model > train
heed-sample -n 10 train > dev
runs nmt-train -q -t 1 --size tiny --updates 3 --warmup 0 --dev dev --dev-bleu --spm unigram.model --tgt-spm bpe.model -o model.tar train 2> err && that ! -s err
say $? 'nmt-train stores SentencePiece models'
nmt-info model.tar | matches "^spm.src	$(wc -c < unigram.model)$" && nmt-info model.tar | matches "^spm.tgt	$(wc -c < bpe.model)$" &&
    nmt-info --spm tgt model.tar | equals - bpe.model; say $? '... which nmt-info prints'
bpe-apply --side src --spm unigram.model train | nmt-translate -q -t 1 --beam 2 -m model.tar > out.heed
spaced hyp.pieces < out.heed | bpe-apply --restore --spm bpe.model > want
same 'nmt-translate --text needs nothing but the model, and text' want 'nmt-translate -q -t 2 --beam 2 -m model.tar --text t.src'
spaced hyp < out.heed | equals - want && that "$(tr -d '\n' < want | wc -c)" -gt 20; say $? '... and gives the text of its stream'
runs nmt-train -q -t 1 --init model.tar --updates 2 -o tuned.tar train && nmt-info --spm src tuned.tar | equals - unigram.model
say $? 'nmt-train --init keeps SentencePiece models'
runs nmt-train -q -t 1 --init model.tar --updates 2 -c codes -o coded.tar train && nmt-info coded.tar | lacks '^spm' && nmt-info coded.tar | matches '^bpe	yes'
say $? '... but for BPE codes'
nmt-train -q -t 1 --init model.tar --updates 1 --spm bpe.model -o other.tar train 2>&1 | matches "not segmented with the model's SentencePiece model, .* 12 of the first 12 "
say $? '... with a warning if they are not those of the data'
exits 3 'nmt-average wants the same SentencePiece models' 'nmt-average model.tar other.tar'
matches 'other SentencePiece models, expected those of model.tar' err; say $? '... and says so'

# BPE codes for the source, and a model for the target.
heed-pack --no-pg t.src t.tgt | bpe-apply --src-codes codes --tgt-spm bpe.model > mixed
runs nmt-train -q -t 1 --size tiny --updates 3 --warmup 0 -c codes --tgt-spm bpe.model -o mixed.tar mixed 2> err && that ! -s err
say $? 'nmt-train stores BPE codes and a SentencePiece model'
nmt-info mixed.tar | matches '^bpe	yes' && nmt-info --spm tgt mixed.tar | equals - bpe.model && ends 3 nmt-info --spm src mixed.tar > out 2> err
say $? '... each for its side'
nmt-translate -q -t 1 --beam 2 -m mixed.tar mixed > out.heed; spaced hyp.pieces < out.heed | bpe-apply --restore --spm bpe.model > want
spaced hyp < out.heed | equals - want && that "$(tr -d '\n' < want | wc -c)" -gt 20; say $? '... and nmt-translate restores the text'
same '... also of text' want 'nmt-translate -q -t 1 --beam 2 -m mixed.tar --text t.src'
runs nmt-train -q -t 1 --size tiny --updates 1 --warmup 0 --tgt-spm bpe.model -o half.tar mixed && nmt-translate -q -t 1 --beam 2 -m half.tar mixed | spaced hyp | lacks '▁'
say $? 'a model for the target alone'

# What cannot be done.
exits 3 'a file that is no model' 'bpe-apply --text --spm text text'
exits 3 'a truncated model' 'head -c 3000 unigram.model > cut.model; bpe-apply --text --spm cut.model text'
perl -pe 's/\x15..../"\x15\0\0\xc0\x7f"/es' unigram.model > nan.model
exits 3 'a score that is NaN' 'bpe-apply --text --spm nan.model text'
matches 'nan.model: entry 1 has a score that is not finite' err; say $? '... the entry is named'
exits 3 '... in nmt-train, too' 'nmt-train -q --size tiny --updates 1 --spm nan.model -o x.tar train'
exits 2 'codes and a model' 'bpe-apply --text --spm unigram.model -c codes text'
exits 2 '--dropout of BPE codes' 'bpe-apply --text --spm unigram.model --dropout 0.1 text'
exits 2 '--separator of BPE codes' 'bpe-apply --text --spm unigram.model --separator _ text'
exits 2 '--alpha above 1 with a BPE model, where it is a probability' 'bpe-apply --text --spm bpe.model --alpha 1.5 text'
exits 2 '--alpha without a model' 'bpe-apply --text -c codes --alpha 0.1 text'

# Trees over words: subwords of the same word, or of words that a dependency links, see each other.
printf 'a man sits in the street .\nthe dogs run .\n' | heed-pack --no-pg | parse -q | bpe-apply --spm unigram.model | tree2mask |
	heed-show | runs perl -MJSON::PP -ne 'my $r = decode_json($_); next if ref $r ne "HASH"; my ($w, $h, $m) = @$r{qw(src.word src.heads src.dep)};
	$n++; $more++ if @$w > @$h;
	for my $i (0 .. $#$w) { for my $j (0 .. $#$w) { my ($a, $b) = ($w->[$i], $w->[$j]);
		my $linked = $a == $b || $h->[$a] == $b + 1 || $h->[$b] == $a + 1;
		$bad++ if substr($m->[$i], $j, 1) != $linked } } END { exit !($n == 2 && $more && !$bad) }'
say $? 'dependency masks over subwords follow the trees over words'
