#!/bin/sh
# bpe-learn --spm: SentencePiece models, compared with the vocabularies that spm_train learns.
. "$HEED_TOP/tests/lib.sh"
g=$HEED_TOP/tests/data/spm golden=$HEED_TOP/tests/golden/text

cat "$golden/ru.txt" "$golden/en.txt" "$golden/bpe.txt" > train
if ! bpe-learn --text --spm unigram --vocabulary-size 400 -o unigram.model train 2> err; then
	plan 2
	matches libsentencepiece-dev err; say $? 'without libsentencepiece --spm is refused, and the package named'
	n=2; echo "ok 2 - training by SentencePiece # SKIP this build has no libsentencepiece"
	exit
fi
plan 39

# vocabulary MODEL: its entries and scores, a line each, as spm_export_vocab prints them
vocabulary() {
	perl -e 'open F, "<:raw", $ARGV[0]; local $/; $_ = <F>;
		while (/\G\x0a(.)/gs) { my $e = substr $_, pos, ord $1; pos() += ord $1; my ($n) = $e =~ /^\x0a(.)/s;
			my ($s) = substr($e, 2 + ord $n) =~ /^\x15(....)/s; printf "%s\t%.6g\n", substr($e, 2, ord $n), unpack "f<", $s // "\0\0\0\0" }' "$1"
}
vocabulary unigram.model | equals "$g/trained-unigram.vocab" -; say $? 'a unigram model has the entries and scores of spm_train'
exits 0 'a BPE model, without normalization' 'bpe-learn --text --spm bpe --vocabulary-size 300 --normalization identity --coverage 0.99 -o bpe.model train'
# Version 0.2 takes other pairs first of those that are as frequent.
vocabulary bpe.model > got; known=$g/trained-bpe-0.2.vocab; cmp -s "$known" got || known=$g/trained-bpe.vocab
equals "$known" got; say $? '... has the entries and scores of spm_train'
that ! -s err; say $? '... without messages'
if command -v spm_encode > /dev/null; then
	for m in unigram bpe; do
		spm_encode --model=$m.model < train > want
		same "$m: subwords of spm_encode" want "bpe-apply --text --spm $m.model train"
	done
else
	for i in 1 2; do n=$((n + 1)); echo "ok $n - compared with spm_encode # SKIP not installed"; done
fi
tr -s ' ' < train | sed 's/^ //; s/ $//' > plain
bpe-apply --text --spm bpe.model plain | bpe-apply --restore --spm bpe.model | equals plain -; say $? 'without normalization, text is restored as it was'
bpe-learn --text --spm unigram --vocabulary-size 400 train | equals unigram.model -; say $? 'the model can go to standard output'

# Streams, and several texts.
cp "$golden/ru.txt" r; head -n "$(wc -l < r)" "$golden/en.txt" > e; head -n "$(wc -l < e)" r > r2; cat r2 e > both
heed-pack r2 e > pair
bpe-learn --text --spm unigram --vocabulary-size 300 -o want both
bpe-learn --spm unigram --vocabulary-size 300 pair | equals want -; say $? 'both sides of a stream are one text'
bpe-learn --text --spm unigram --vocabulary-size 300 r2 e | equals want -; say $? '... as several texts are'
bpe-learn --text --spm unigram --vocabulary-size 300 e > want; bpe-learn --side tgt --spm unigram --vocabulary-size 300 pair | equals want -; say $? '--side'

# Japanese has no blanks: 30 characters of which 20 are frequent.
for i in 1 2 3 4 5 6 7 8; do printf '私は本を読みます。\n彼は新しい車を買いました。\n彼女は本を買いません。\n'; done > ja
exits 0 'text without blanks' 'bpe-learn --text --spm unigram --normalization identity --vocabulary-size 60 -o ja.model ja'
that "$(bpe-apply --text --spm ja.model ja | head -n 1 | wc -w)" -gt 4; say $? '... has subwords'
bpe-apply --text --spm ja.model ja | bpe-apply --restore --spm ja.model | equals ja -; say $? '... and is restored'
exits 0 'fewer entries than requested' 'bpe-learn --text --spm unigram --vocabulary-size 5000 ja | wc -c'
matches '^bpe-learn: learned [0-9]* entries: no other subword is frequent enough$' err; say $? '... are reported'
{ cat train; printf '%05000d\n' 0; } > long
bpe-learn --text --spm unigram --vocabulary-size 400 long 2> err | wc -c > out
matches 'warning: 1 lines of more than 4192 bytes are left out' err; say $? 'so are lines that are too long'
exits 3 'a vocabulary smaller than the number of characters is an error' 'bpe-learn --text --spm bpe --vocabulary-size 10 ja'
matches 'libsentencepiece: ' err; say $? '... with the message of the library'
exits 3 'no text is an error' 'bpe-learn --text --spm bpe /dev/null'
printf '\n \n' > blank; fails 3 '... and so are blank lines' 'no text, expected a line that is not blank' 'bpe-learn --text --spm bpe blank'
printf '\343\200\200\n' > wide; fails 3 '... also of full-width spaces' 'no text, expected a line that is not blank' 'bpe-learn --text --spm unigram wide'
# SentencePiece's rules remove these: a zero-width space, control characters, its own mark of spaces, U+FFFD.
for x in '\342\200\213' '\001' '\342\226\201' '\357\277\275' '\177'; do
	printf " $x\n\n" > removed
	for m in unigram bpe; do
		fails 3 "... and so is $x, $m" 'no text, expected a line that is not blank after normalization' \
			"bpe-learn --text --spm $m removed"
	done
done
{ yes "$(printf '\001')" | head -n 50000; echo ab; } > last
exits 0 'text after many lines without any' "bpe-learn -q --text --spm unigram --vocabulary-size 20 last | wc -c"
for x in 0 nan; do fails 2 "--coverage $x" 'expected a number from 0.98 to 1' "bpe-learn --text --spm bpe --coverage $x ja"; done
exits 2 '--vocabulary-size with --spm none' 'bpe-learn --text --spm none --vocabulary-size 100 ja'
exits 0 '--merges with --spm none' 'bpe-learn -q --text --spm none --merges 2 ja'
exits 2 '--merges with --spm is a usage error' 'bpe-learn --text --spm bpe --merges 10 ja'
exits 2 '--coverage without --spm, too' 'bpe-learn --text --coverage 0.99 ja'
