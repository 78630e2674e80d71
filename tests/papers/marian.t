#!/bin/sh
# marian: a model that Marian trains on real sentence pairs, and Marian's translations and scores, against
# those of the imported model; and exported models, whole and with a third of the heads removed, which
# Marian decodes.  Needs marian and marian-decoder in HEED_MARIAN and the corpus in HEED_MULTI30K
# (train.en.gz, train.de.gz, test.en.gz).  About five minutes on one processor.
. "$HEED_TOP/tests/lib.sh"
if [ -z "$HEED_LONG" ] || [ ! -x "$HEED_MARIAN/marian-decoder" ] || [ ! -e "$HEED_MULTI30K/train.en.gz" ]; then
	echo '1..0 # SKIP needs HEED_LONG=1, HEED_MARIAN and HEED_MULTI30K'
	exit
fi
for l in en de; do
	gzip -dc "$HEED_MULTI30K/train.$l.gz" | tokenize -l $l > tok.$l
	gzip -dc "$HEED_MULTI30K/test.$l.gz" | tokenize -l $l > test.tok.$l
done
cat tok.en tok.de | bpe-learn --text -q --merges 4000 > codes
for l in en de; do bpe-apply --text -c codes < tok.$l > train.$l; bpe-apply --text -c codes < test.tok.$l > test.$l; done
mkdir theirs
cat train.en train.de | tr ' ' '\n' | sort | uniq -c | sort -rn | awk 'BEGIN { print "\"</s>\": 0"; print "\"<unk>\": 1" }
	{ gsub(/\\/, "\\\\", $2); gsub(/"/, "\\\"", $2); printf "\"%s\": %d\n", $2, NR + 1 }' > theirs/vocab.yml
cp theirs/vocab.yml .
"$HEED_MARIAN/marian" --type transformer --dim-emb 128 --enc-depth 3 --dec-depth 3 --transformer-heads 4 \
	--transformer-dim-ffn 512 --transformer-ffn-activation swish --transformer-postprocess dan --transformer-dropout 0.1 \
	--tied-embeddings-all --vocabs vocab.yml vocab.yml --train-sets train.en train.de --model theirs/model.npz \
	--after-batches ${UPDATES:-800} --mini-batch 64 --maxi-batch 50 --cpu-threads 1 --learn-rate 0.002 --lr-warmup 200 \
	--lr-decay-inv-sqrt 200 --optimizer-params 0.9 0.98 1e-09 --clip-norm 5 --label-smoothing 0.1 \
	--cost-type ce-mean-words --seed 1 --max-length 60 --workspace 1000 --quiet > log 2>&1
sed 's,theirs/,,; s/^relative-paths: false/relative-paths: true/' theirs/model.npz.decoder.yml > theirs/decoder.yml
rm -f theirs/model.npz.*
nmt-import -q --no-pg -o model.tar theirs; r=$?; say $r 'a model of Marian is imported'
[ $r = 0 ] || sed 's/^/# /' log

perl -CSD -MJSON::PP -ne 'BEGIN { print q(["heed",1,"sentence",{"fields":{"src.pieces":"[str]"}}]), "\n" }
	chomp; print JSON::PP->new->encode({ "src.pieces" => [split / /] }), "\n"; END { print qq(["heed-end",$.]\n) }' test.en |
	heed-pack --json > test.heed
# The limit of Marian's lengths depends on the longest sentence of a batch: batches of one sentence.
marian() { # FOLDER BEAM NORMALIZE OPTION...
	folder=$1 beam=$2 normalize=$3; shift 3
	"$HEED_MARIAN/marian-decoder" -c $folder/decoder.yml --cpu-threads 1 --quiet --quiet-translation -w 500 --mini-batch 1 \
		-b $beam --normalize $normalize "$@" < test.en
}
ours() { nmt-translate -q -m $1 --precision fp32 --search marian --beam $2 --length-penalty $3 test.heed; }
# compare FOLDER MODEL BEAM NORMALIZE
compare() {
	marian $1 $3 $4 > want; ours $2 $3 $4 | heed-show -f hyp.pieces > got
	same=$(paste want got | awk -F '\t' '$1 == $2 { n++ } END { print n + 0 }')
	echo "# beam $3: $same of $(wc -l < got) translations are the same"
	that "$(wc -l < got)" = "$(wc -l < test.en)" && that $((1000 * same)) -ge $((995 * $(wc -l < got)))
}
for search in '1 0' '6 1'; do
	compare theirs model.tar $search; say $? "beam ${search% *}: translations are Marian's"
	marian theirs $search --n-best | awk -F ' [|][|][|] ' 'BEGIN { last = "none" } $1 != last { print $4; last = $1 }' > want
	ours model.tar $search | heed-show -f hyp.score > got
	paste want got | computes - '{ d = ($1 - $2) / $1; if (d < 0) d = -d; if (d > 1e-4) n++ } END { exit !(n <= NR / 200 && NR >= 1000) }'
	say $? '... and so are their scores, within 1e-4'
done
runs nmt-export --to marian -o whole model.tar && compare whole model.tar 6 1; say $? 'an exported model translates as before'
head-prune -q -m model.tar -o third.tar \
	--heads 'enc-self.1:1,3 enc-self.2:2 enc-self.3:4 dec-self.1:2 dec-self.2:1,4 dec-self.3:3 cross.1:1 cross.2:2,3 cross.3:4'
runs nmt-export --to marian -o third third.tar && compare third third.tar 6 1; say $? '... and so does one without a third of its heads'
compare third third.tar 1 0; say $? '... greedily, too'

heed-pack --no-pg tok.en tok.de | bpe-apply --no-pg -c codes > train.heed
# Norms follow the layers: marian-decoder leaves out a norm of keys and values otherwise; see nmt-export(1).
runs nmt-train -q --preset story --size small --arch width=128,ff=512,heads=4,pre_norm=off,final_norm=off --updates 200 --batch-tokens 2000 --schedule inverse_sqrt --lr 0.001 --warmup 100 \
	-o story.tar train.heed 2> err && runs nmt-export --to marian -o story story.tar && compare story story.tar 6 1
say $? 'Marian decodes a model that was trained here'
echo "1..$n"
