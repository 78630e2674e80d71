#!/bin/sh
# nmt-import: models of Marian and Hugging Face, whose log-probabilities an independent Transformer in
# double precision has computed (tests/data/import/make.py); and files that cannot be imported.
. "$HEED_TOP/tests/lib.sh"
plan 200
data=$HEED_TOP/tests/data/import
. "$HEED_TOP/tests/imported.sh"

while read -r name options; do
	nmt-import -q --no-pg $options -o $name.tar "$data/$name" 2> err
	most=$(apart $name); within "$most" 1e-5
	r=$?; say $r "$name: log-probabilities as in the original"
	[ $r = 0 ] || { echo "# $most apart"; sed 's/^/# /' err; }
done <<END
opus
pre
untied
marianmt
marianmt-f16
fsmt
m2m --first-src __en__ --first-tgt __de__
nllb-bf16 --first-src __en__ --first-tgt __de__
bart
mbart --first-src en_XX
t5
t5-gated
umt5
byt5
END
that "$(apart marianmt-f16)" != none && runs heed-show -f score marianmt.heed > a && runs heed-show -f score marianmt-f16.heed > b &&
    paste a b | computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d } END { exit !(most > 0 && most < 0.02) }'
say $? 'a file in 16 bits is a file in 32 bits rounded'

# what the settings of the search become, and what is carried along
info opus 'recipe.search\tmarian' && info opus 'recipe.beam\t6' && info opus 'recipe.length_penalty\t0.6'
say $? 'decoder.yml gives beam and normalization of the search'
info opus 'mask.tgt\t0' && info opus 'config.output_mask\ton' && info opus 'config.tie\tall'
say $? 'Marian has no tokens for padding and beginning: they are masked'
info marianmt 'recipe.beam\t6' && info fsmt 'recipe.beam\t4' && info fsmt 'recipe.length_penalty\t1.1'
say $? 'generation_config.json and config.json do the same'
tar -xOf opus.tar spm/src | equals - "$data/opus/source.spm" && tar -xOf opus.tar spm/tgt | equals - "$data/opus/target.spm"
say $? 'SentencePiece models of both sides are in the file'
tar -xOf m2m.tar spm/src | equals - "$data/m2m/sentencepiece.bpe.model" && tar -tf m2m.tar | lacks spm/tgt
say $? '... and one of both sides once'
info m2m 'first.src\t__en__' && info m2m 'first.tgt\t__de__' && info bart 'first.src\t<s>' && info mbart 'first.tgt\tde_DE'
say $? 'first tokens are in the file'
nmt-info --vocabulary src m2m.tar | tail -n 5 | xargs | matches -x '__de__ __en__ __fr__ <row-21> <row-22>'
say $? 'languages have their rows, and rows without a text have names'
runs nmt-info --codes fsmt.tar > codes && echo 'low newer lower .' | runs bpe-apply --text -c codes > cut && matches -x 'low ne@@ w@@ er lo@@ w@@ er .' cut
say $? "FSMT's merges are BPE codes, and mark subwords as its vocabulary does"

# all programs take such models
# (this one would begin with __de__ by itself)
nmt-import -q --no-pg --first-src __en__ --first-tgt __fr__ -o french.tar "$data/m2m"
for m in opus m2m bart; do given $m > $m.in; done; cp m2m.in french.in
bpe-apply --text --spm "$data/opus/source.spm" < /dev/null > spm.out 2>&1 && spm=yes || spm=
for m in opus french bart; do
	if [ -z "$spm" ] && [ $m != bart ]; then
		n=$((n + 1)); echo "ok $n - $m: greedy search # SKIP this build has no libsentencepiece"; continue
	fi
	nmt-translate -q --precision fp32 --no-pg --beam 1 --length-penalty 0 -m $m.tar $m.in > out.heed 2> err
	heed-show out.heed | perl -MJSON::PP -ne 'my $r = decode_json($_);
		$r->{"tgt.pieces"} = $r->{"hyp.pieces"} if ref $r eq "HASH"; print encode_json($r), "\n"' |
	    heed-pack -j | nmt-score -q --no-pg -m $m.tar > own.heed
	heed-show own.heed | runs perl -MJSON::PP -ne 'my $r = decode_json($_); next if ref $r ne "HASH";
		my $t = $r->{"score.tokens"}; my $s = 0; $s += $_ for @$t; $s -= $t->[0] if "'$m'" ne "opus";
		$n++; $bad++ if abs($s - $r->{"hyp.score"}) > 1e-4; END { exit !($n == 6 && !$bad) }'
	say $? "$m: greedy search and nmt-score give its translations the same probability"
done
if [ -n "$spm" ]; then
	cut -f 1 "$data/opus.tsv" | tr ' ' '\n' | grep -v "$(printf '\302\240')" | paste -sd '    \n' > some
	bpe-apply --restore --spm "$data/opus/source.spm" some > raw; bpe-apply --text --spm "$data/opus/source.spm" raw |
	    perl -CSD -MJSON::PP -ne 'BEGIN { print q(["heed",1,"sentence",{"fields":{"src.pieces":"[str]"}}]), "\n" } chomp;
		print JSON::PP->new->encode({ "src.pieces" => [split / /] }), "\n"; END { print qq(["heed-end",$.]\n) }' |
	    heed-pack -j | nmt-translate -q --precision fp32 -m opus.tar | heed-show -f hyp > want
	that -s raw && nmt-translate -q --precision fp32 --text -m opus.tar raw | equals - want; say $? 'opus: raw text is translated with its SentencePiece models'
else
	n=$((n + 1)); echo "ok $n - opus: raw text # SKIP this build has no libsentencepiece"
fi
head-lrp -q -m opus.tar opus.in > lrp 2> err && that -s lrp; r=$?; say $r 'head-lrp: relevance is conserved'
[ $r = 0 ] || sed 's/^/# /' err
head-stat -q -m m2m.tar m2m.in > stat 2> err && that -s stat; r=$?; say $r 'head-stat'
[ $r = 0 ] || sed 's/^/# /' err
head-map -m bart.tar --site cross.1 bart.in -o map.svg 2> err && that -s map.svg; r=$?; say $r 'head-map'
[ $r = 0 ] || sed 's/^/# /' err
head-prune -q -m opus.tar --heads 'enc-self.1:2 cross.2:1' -o less.tar 2> err
nmt-score -q -m less.tar opus.in 2>> err | heed-show -f score > pruned
nmt-score -q --mask-heads 'enc-self.1:2 cross.2:1' -m opus.tar opus.in 2>> err | heed-show -f score > masked
that -s pruned && equals pruned masked; say $? 'head-prune: a pruned model scores as one with masked heads'
tar -xOf less.tar spm/src | equals - "$data/opus/source.spm"; say $? '... and keeps the SentencePiece models'
nmt-train -q -t 1 --init opus.tar --updates 40 --lr 0.01 --schedule constant --warmup 0 --dropout 0 -o tuned.tar opus.in 2> err
nmt-score -q -m tuned.tar opus.in | heed-show -f score | paste - masked | computes - '{ a += $1; b += $2 } END { exit !(a > b + 10) }'
say $? 'nmt-train --init: training continues'
info tuned "spm.src\\t$(wc -c < "$data/opus/source.spm")" && info tuned 'config.activation\tswish'; say $? '... with the settings and SentencePiece models'
runs nmt-train -q -t 1 --init opus.tar -a l0-gate:at=all,coef=0.1 --updates 3 -o gated.tar opus.in 2> err
say $? 'l0-gate trains on one'
runs nmt-average --no-pg opus.tar opus.tar > mean.tar && tar -xOf mean.tar spm/tgt | equals - "$data/opus/target.spm"
say $? 'nmt-average keeps SentencePiece models'
runs nmt-import -q -o one.tar "$data/opus" && runs nmt-import -q -o two.tar "$data/opus/opus.bpe.npz" && nmt-info one.tar | runs grep -v ^pg > a &&
    nmt-info two.tar | grep -v ^pg | equals - a; say $? 'the name of the .npz does as well as that of its folder'

# --i8
for name in opus ct2 m2m; do
	runs nmt-import -q --no-pg -o wide.tar "$data/$name" && runs nmt-average --no-pg --i8 -o later.tar wide.tar &&
	    runs nmt-import -q --no-pg --i8 -o now.tar "$data/$name" && equals later.tar now.tar &&
	    runs nmt-info --check now.tar && nmt-info now.tar | matches '^parameter	dec.1.ff.in.weight	.*	i8$'
	say $? "--i8 writes the file of nmt-average --i8: $name"
done
nmt-import --i8 --list "$data/opus" > out 2> err; that $? = 2 && matches -F -e '--i8 has no effect with --list' err; say $? '... and is an error with --list'

# --list
runs nmt-import --list "$data/pre" > list && matches '^tensor	decoder_l1_context_Wv	<f4	8x8	dec.1.cross.kv.weight 9-16 transposed$' list &&
    matches '^config.dec_ff	10$' list && lacks '	?$' list; say $? '--list prints tensors, shapes, parameters and settings'
nmt-import --list "$data/marianmt-f16" | matches 'embed_positions.weight	F16	64x8	- (the sinusoids'
say $? '... and why a tensor is not needed'
cp -r "$data/t5" few; sed -i '/feed_forward_proj/d; /layer_norm_epsilon/d' few/config.json; nmt-import --list few | grep ^assumed | sort > got
printf 'assumed\t%s\n' 'feed_forward_proj	relu' 'layer_norm_epsilon	1e-06' 'share_encoder_decoder_embeddings	true' | equals - got
say $? '... and the settings that are assumed because the file lacks them'
runs nmt-import -o x.tar few 2> err && matches -F ' assumed, because no file says so: feed_forward_proj=relu, ' err &&
    matches -F 'checked: encoder.embed_tokens.weight has 24 rows, as vocab_size says' err &&
    matches -F 'checked: </s> has number 1 in the vocabulary of the source, as eos_token_id says' err &&
    nmt-import --list few | matches '^checked	63 tensors have'; say $? 'notes: what was checked and assumed'
runs nmt-import -o x.tar "$data/opus" 2> err && matches 'assumed, because no file says so: .*transformer-no-bias=false' err &&
    matches 'checked: 16 of 18 subwords' err && runs nmt-import -o x.tar "$data/ct2" 2> err && matches 'assumed, because no file says so: .*alibi=0' err
say $? '... of Marian and CTranslate2, too'
runs nmt-import -o x.tar "$data/m2m" 2> err && that "$(grep -c 'token of their language' err)" = 2
say $? 'models of many languages ask for first tokens'

# models that are changed
noted() { that "$(grep -Evc '^nmt-import: (example, |checked: |assumed, )' err)" = "$1"; }
npz() { rm -rf npz; mkdir npz; cp "$data"/opus/*.yml "$data"/opus/*.spm npz; perl "$HEED_TOP/tests/tensors.pl" "$data/opus/opus.bpe.npz" npz/opus.bpe.npz "$1"; }
hf() { rm -rf hf; cp -r "$data/$1" hf; rm hf/model.safetensors; perl "$HEED_TOP/tests/tensors.pl" "$data/$1/model.safetensors" hf/model.safetensors "$2"; }
hf marianmt-f16 'substr($data, -2) = "\0\x49" if $name eq "final_logits_bias"'	# 10.0, of the last row
runs nmt-import -q --no-pg -o marianmt-f16.tar hf && within "$(apart marianmt-f16)" 1e-5
say $? 'MarianMT: padding is never an output, whatever its logit'
runs nmt-import -o x.tar "$data/marianmt" 2> err && lacks bad_words_ids err; say $? '... which bad_words_ids says, without a note'
hf bart ''; sed -i '/num_beams/d' hf/config.json; runs nmt-import -q -o plain.tar hf && info plain 'recipe.beam\t1' &&
    runs nmt-translate -q --precision fp32 --no-pg -m plain.tar bart.in > plain.heed && nmt-translate -q --precision fp32 --no-pg --beam 1 -m plain.tar bart.in | equals - plain.heed
say $? 'transformers searches greedily unless num_beams is set'
echo '{"no_repeat_ngram_size": 3, "bad_words_ids": [[4], [5, 6]], "min_length": 0, "do_sample": false, "repetition_penalty": 1.0,
    "suppress_tokens": [], "force_words_ids": null}' > hf/generation_config.json
sed -i '2s/^/"num_beams": 4,/' hf/config.json; runs nmt-import -o plain.tar hf 2> err && info plain 'recipe.beam\t1' && that "$(grep -c generation_config err)" = 2 &&
    matches -F 'bad_words_ids is [[4], [5, 6]], which the search here does not have' err && matches 'no_repeat_ngram_size is 3, which' err
say $? '... by generation_config.json alone if there is one; what the search does not have is noted'
echo '{"max_length": 7, "max_new_tokens": 5, "early_stopping": true}' > hf/generation_config.json; nmt-import -o plain.tar hf 2> err
that "$(grep -c generation_config err)" = 2 && matches 'max_length is 7, which.*--max-ratio' err && matches 'max_new_tokens is 5, which' err
say $? '... and limits of translations'
for stop in '' ', "early_stopping": false' ', "early_stopping": "never"' ', "early_stopping": true'; do
	echo '{"num_beams": 3'"$stop"'}' > hf/generation_config.json; nmt-import -o plain.tar hf 2>&1 | grep -c 'early_stopping is not true.*when 3 hypotheses'
done | xargs | matches -x '1 1 1 0'
say $? '... and a search that continues when enough hypotheses are finished, unlike that of heed'
hf fsmt ''; sed -i '/num_beams/d' hf/config.json; runs nmt-import -q -o plain.tar hf && info plain 'recipe.beam\t5'; say $? '... but with FSMT'
sed -i 's/"pad_token_id": 1/"pad_token_id": 3/' hf/config.json; runs nmt-import -q -o plain.tar hf && info plain 'config.position_first\t4'
say $? 'positions of FSMT begin after the number of padding'
hf fsmt ''; { echo '#version: 0.2'; runs cat hf/merges.txt; } > merges && runs cp merges hf/merges.txt && runs nmt-import -q --no-pg -o plain.tar hf &&
    equals plain.tar fsmt.tar; say $? 'merges with the line of a version are the same'

# gelu VERSION ACTIVATION: what gelu is in a model of this version of Marian
gelu() {
	npz 's/activation: swish/activation: gelu/, s/^version: .*\n/'"$1"'/m, $shape = length . "," for $name eq "special:model.yml" ? $data : ()'
	runs nmt-import -o plain.tar npz 2> err && info plain "config.activation\t$2"; say $? "Marian's gelu with '$1': $2"
}
gelu 'version: v1.12.0 f6de1677 2023-02-20\n' gelu_sigmoid
gelu 'version: v1.12.3+d225c24d\n' gelu
gelu 'version: v1.9.56\n' gelu_sigmoid; noted 0 && gelu '' gelu_sigmoid && matches 'no version of Marian' err
say $? '... and a note if there is no version'
hf m2m ''; sed -i 's/"relu"/"quick_gelu"/' hf/config.json; runs nmt-import -q -o plain.tar hf && info plain 'config.activation\tgelu_sigmoid'
say $? "... as is transformers' quick_gelu"

# BPE codes of older models
npz ''; rm npz/*.spm; printf '#version: 0.2\na b\nab c\n' > npz/source.bpe; cp npz/source.bpe npz/target.bpe
runs nmt-import -o bpe.tar npz 2> err && noted 0 && nmt-info --codes bpe.tar | equals - npz/source.bpe
say $? 'source.bpe and target.bpe that are the same become the BPE codes'
runs nmt-export --to marian -o again bpe.tar && runs nmt-import -o again.tar again && nmt-info --codes again.tar | equals - npz/source.bpe
say $? '... as do those of nmt-export'
echo 'a c' >> npz/target.bpe; runs nmt-import -o bpe.tar npz 2> err && that -z "$(nmt-info --codes bpe.tar 2> /dev/null)" &&
    matches 'bpe-apply --src-codes source.bpe --tgt-codes target.bpe' err; say $? '... and a note says what to do if they differ'
echo 'a' >> npz/target.bpe; got=0; nmt-import -o x.tar npz 2> err || got=$?
that $got = 3 && matches 'npz/target.bpe: codes: line 5' err; say $? 'codes that are malformed are an error'

# what cannot be imported
rm -f x.tar
setting() { npz '$data =~ s/^'"$1"':.*$/'"$1: $2"'/m, $shape = length($data) . "," if $name eq "special:model.yml"'; }
while IFS='	' read -r key value expected; do
	setting "$key" "$value"
	refused "$key: $value" "$key is $expected" npz
done <<'END'
type	s2s	s2s, expected transformer
transformer-decoder-autoreg	rnn	rnn, expected self-attention
transformer-postprocess	dhn	dhn, expected an
transformer-preprocess	r	r, expected n or nothing
transformer-ffn-activation	tanh	tanh, expected relu, swish or gelu
transformer-ffn-depth	3	3, expected 2
enc-depth	200	200, expected an integer from 1 to 64
right-left	true	true, expected false
tied-embeddings-all	maybe	maybe, expected true or false
END
npz '$data =~ s/^(transformer-tied-layers:\n)  \[\]/$1  - 1\n  - 1/m, $shape = length($data) . "," if $name eq "special:model.yml"'
refused 'tied layers' 'transformer-tied-layers is [1, 1], expected an empty list' npz
npz '$name = undef if $name eq "decoder_l2_context_bk"'
refused 'a tensor that is missing' 'tensor decoder_l2_context_bk is missing, expected it for dec.2.cross.kv.bias' npz
npz 'push @more, ["encoder_l1_self_Wr", $type, $shape, $data] if $name eq "encoder_l1_self_Wq"'
refused 'a tensor too many' 'tensor encoder_l1_self_Wr cannot be imported' npz
npz '$shape = "4, 16" if $name eq "encoder_l1_self_Wq"'
refused 'another shape' 'encoder_l1_self_Wq has shape 4x16, expected 8x8 for enc.1.self.qkv.weight' npz
npz '$type = "<i4" if $name eq "Wemb"'
refused 'integers' 'tensor Wemb has type <i4, expected floating point' npz
npz 'substr($data, 40, 4) = "\0\0\xc0\x7f" if $name eq "encoder_l2_ffn_W1"'
refused 'a NaN' 'tensor encoder_l2_ffn_W1 has a value that is NaN or infinite' npz
npz '$shape = "1000000, 1000000, 1000000" if $name eq "Wemb"'
refused 'a shape that overflows' 'has no shape that a tensor can have' npz
npz '$shape = "100000000, 8" if $name eq "Wemb"'
refused 'a shape beyond the file' 'Wemb.npy' npz
npz 'push @more, ["Wemb", $type, $shape, $data] if $name eq "Wemb"'
refused 'the same tensor twice' 'duplicate tensor Wemb' npz
npz '$name = undef if $name eq "special:model.yml"'
refused 'an .npz without settings' 'special:model.yml' npz
npz ''; printf '"\\u2581b": 900\n' >> npz/opus.vocab.yml
refused 'a vocabulary with a duplicate entry' 'duplicate key' npz
npz ''; echo 'zz: 900' >> npz/opus.vocab.yml
refused 'a number beyond the embeddings' 'zz has number 900, expected 0 to 23' npz
npz ''; echo 'zz: 5' >> npz/opus.vocab.yml
refused 'two entries of one row' 'both have number 5' npz
npz ''; echo 'zz: &a 5' >> npz/opus.vocab.yml
refused 'YAML that is not read' 'opus.vocab.yml: line 25' npz
# The names that row 19 could have are those of rows 2 to 18, in either notation.
for name in '<row-19%s>' '<row-19.%s>'; do
	npz ''; sed -i '3,18d; /: 19$/d' npz/opus.vocab.yml
	perl -e '$f = shift; for (0 .. 15) { my $m = $f =~ /[.]/ ? $_ : "+" x $_; $n = sprintf $f, $m; $n =~ s/[.]0>/>/; print "\"$n\": ", $_ + 2, "\n" }' \
		"$name" >> npz/opus.vocab.yml
	runs timeout 20 nmt-import -q -o rows.tar --vocabulary npz/opus.vocab.yml npz; say $? "rows with the names of others: $name"
done
nmt-info --vocabulary src rows.tar | matches -xF '<row-19.16>'; say $? '... the number of the next name is free'
npz ''; rm npz/*.vocab.yml npz/decoder.yml
refused 'no vocabulary' 'no vocabulary of the source' npz
matches 'vocab' err && runs nmt-import -q -o given.tar --vocabulary "$data/opus/opus.vocab.yml" npz && info given 'config.tie\tall'
say $? '... but with --vocabulary'
npz ''; sed -i 's/^word-penalty:.*/word-penalty: 0.5/; $a max-length-factor: 2' npz/decoder.yml; nmt-import -o plain.tar npz 2> err
noted 2 && matches 'word-penalty is 0.5, which the search here does not have' err && matches 'translate with --max-ratio 2' err
say $? 'settings of decoder.yml that heed does not have are noted once'
sampling() { npz ''; printf '%s\n' "$@" >> npz/decoder.yml; nmt-import -o plain.tar npz 2> err; }
sampling 'allow-unk: true' 'output-sampling: [topk, 10]'
noted 2 && matches 'allow-unk is on, but the search here never produces <unk>' err && matches -F 'output-sampling is [topk, 10]: translate with --sample' err
say $? '... and so are sampling and unknown words in translations'
sampling 'allow-unk: false' 'output-sampling: []'; noted 0; r=$?; sampling 'output-sampling: false'; that $r = 0 && noted 0; say $? '... but not if they are off'
npz ''; printf 'models: [a.npz, b.npz]\n' > npz/decoder.yml
refused 'an ensemble' 'models has 2 entries, an ensemble' npz

hf fsmt ''; printf '\304\240 t\n\304\240t h\n' > hf/merges.txt
refused 'byte-level BPE codes' 'merges.txt: codes: byte-level BPE codes' hf
hf fsmt ''
sed -i 's/"fsmt"/"longt5"/' hf/config.json; refused 'another kind of model' 'model_type is longt5, expected marian, fsmt' hf
# t5 'what' TEXT FROM TO: a setting of T5 that is refused
t5() { hf t5 ''; sed -i "s/$3/$4/" hf/config.json; refused "T5: $1" "$2" hf; }
t5 'a number of buckets' 'relative_attention_num_buckets is 30, expected a multiple of 4' 'num_buckets": 32' 'num_buckets": 30'
t5 'too many buckets' 'relative_attention_max_distance is 16, expected more than half of the 32 buckets' 'distance": 128' 'distance": 16'
t5 'another number of buckets' 'relative_attention_bias.weight has shape 32x2, expected 28x2' 'num_buckets": 32' 'num_buckets": 28'
t5 'an activation' 'feed_forward_proj is gated-tanh, expected relu' '"relu"' '"gated-tanh"'
t5 'a gate that is not there' 'tensor encoder.block.0.layer.1.DenseReluDense.wi_0.weight' '"relu"' '"gated-relu"'
t5 'another head width' 'SelfAttention.q.weight has shape 6x8, expected 10x8' '"d_kv": 3' '"d_kv": 5'
t5 'a layer too many' 'tensor encoder.block.2.layer.0.SelfAttention.q.weight is missing' '"num_layers": 2' '"num_layers": 3'
t5 'a layer too few' 'tensor encoder.block.1.layer.0' '"num_layers": 2' '"num_layers": 1'
t5 'another epsilon' 'layer_norm_epsilon' '1e-06' 'null'
t5 'a head width beyond all integers of 32 bits' 'd_kv is 4294967299, expected an integer from 1 to 1024' '"d_kv": 3' '"d_kv": 4294967299'
t5 'an end beyond the table' 'eos_token_id is 24, expected an integer from 0 to 23' '"eos_token_id": 1' '"eos_token_id": 24'
# Settings under a second name, as transformers 4 and 5 read them: the second name wins, and so do the two settings that
# feed_forward_proj is split into.
# second NAME KEY TEXT...: log-probabilities of the original, whose setting KEY is replaced by TEXT in config.json
second() {
	name=$1; shift; hf $name ''; what=
	while [ $# -gt 0 ]; do sed -i "s/\"$1\": [^,]*/$2/" hf/config.json; what="$what, $2"; shift 2; done
	runs nmt-import -q --no-pg -o $name.tar hf && within "$(apart $name)" 1e-5; say $? "$name: ${what#, }"
}
second t5 feed_forward_proj '"feed_forward_proj": "gelu", "dense_act_fn": "relu"'
second t5 num_heads '"num_heads": 3, "num_attention_heads": 2' d_kv '"head_dim": 3' d_model '"d_model": 6, "hidden_size": 8'
second t5 num_layers '"num_layers": 1, "num_hidden_layers": 2'
second t5-gated feed_forward_proj '"feed_forward_proj": "relu", "dense_act_fn": "gelu_new", "is_gated_act": true'
second bart encoder_attention_heads '"encoder_attention_heads": 4, "num_attention_heads": 2' d_model '"hidden_size": 8'
t5 'an activation of that name' 'dense_act_fn is tanh, expected relu' '"relu"' '"relu", "dense_act_fn": "tanh"'
# tensors 'what' NAME PERL TEXT: tensors of T5 or UMT5 that are refused
tensors() { hf "$2" "$3"; refused "$2: $1" "$4" hf; }
tensors 'a bias that is no number' t5 'substr($data, 0, 4) = "\0\0\300\177" if $name =~ /decoder.*attention_bias/' 'attention_bias.weight has a value that is NaN'
tensors 'no biases of positions' t5 '$name = undef if $name =~ /decoder.*attention_bias/' 'expected it for dec.bucket.weight'
tensors 'biases of positions of a second layer' t5 'push @more, [$name =~ s/block.0/block.1/r, $type, $shape, $data] if $name =~ /encoder.*attention_bias/' \
    'encoder.block.1.layer.0.SelfAttention.relative_attention_bias.weight cannot be imported'
tensors '... which are missing' umt5 '$name = undef if $name =~ /encoder.block.1.*attention_bias/' 'expected it for enc.2.self.bucket.weight'
tensors 'a bias of a projection' t5 'push @more, ["decoder.block.0.layer.1.EncDecAttention.o.bias", $type, "8", "\0" x 32] if $name eq "shared.weight"' 'EncDecAttention.o.bias cannot'
# tokenizer 'what' PERL TEXT: a tokenizer.json of UMT5, $v, that is refused
tokenizer() { hf umt5 ''; perl -MJSON::PP -i -0pe '$v = decode_json($_); '"$2"'; $_ = JSON::PP->new->utf8->canonical->encode($v)' hf/tokenizer.json; refused "umt5: $1" "tokenizer.json: $3" hf; }
tokenizer 'two tokens after a sentence' '$v->{post_processor}{single} = [map { { SpecialToken => { id => "</s>" } } } 1, 2]' 'post_processor is {'
tokenizer 'a token with a number below 0' '$v->{added_tokens} = [{ id => -1, content => "z" }]' 'z has number -1, expected 0 to 23'
tokenizer 'an entry without text' '$v->{model}{vocab}[3] = [["a"]]' 'number 3: expected a text'
tokenizer 'no vocabulary' '$v->{model} = 5' 'a map from texts to numbers, expected a tokenizer'
hf t5 ''; printf '\n\377\377\377\377\017\n\1a' > hf/spiece.model; refused 'T5: a length beyond the file' 'spiece.model: not a SentencePiece model, or damaged' hf
hf t5 ''; rm hf/spiece.model; refused 'T5: no SentencePiece model' 'hf/spiece.model is missing' hf
hf t5 ''; perl -e 'print "{\"extra_ids\":", "[" x 100000' > hf/tokenizer_config.json; refused 'T5: lists in lists' 'tokenizer_config.json: byte 21: nested deeper' hf
hf t5 ''; printf '{"extra_ids": 1e18}' > hf/tokenizer_config.json; refused 'T5: too many extra ids' 'extra_ids is 1e+18, expected an integer from 0 to 1048576' hf
hf t5 '$data ^= "\1" if $name eq "decoder.embed_tokens.weight"'; refused 'T5: two tables of embeddings' 'the tensors of embeddings differ' hf
hf t5 ''; sed -i 's/T5Tokenizer/ByT5Tokenizer/' hf/tokenizer_config.json; refused 'ByT5: a table that is too small' 'has number 24, expected 0 to 23' hf
# byt5 'what' TEXT FROM TO: a tokenizer that is refused
byt5() { hf byt5 ''; sed -i "s/$3/$4/" hf/tokenizer_config.json; refused "ByT5: $1" "$2" hf; }
byt5 'a token in the place of a byte' '<0x07> and <extra_id_0> both have number 10' '"259"' '"10"'
byt5 'a token outside the table' '<extra_id_0> has number 262, expected 0 to 261' '"259"' '"262"'
byt5 'a token with two numbers' 'added_tokens_decoder: </s> has numbers 1 and 4' '"1"' '"4"'
byt5 'a number that is none' "added_tokens_decoder: '-1', expected a number" '"0"' '"-1"'
byt5 'a token without text' 'added_tokens_decoder: number 260 has no content' '"content": "<extra_id_1>"' '"text": 1'
byt5 'tokens that are no map' 'added_tokens_decoder: expected a map' '"added_tokens_decoder"' '"added_tokens_decoder": [], "x"'
hf byt5 ''; printf '{"extra_ids": 1, "tokenizer_class": "ByT5Tokenizer"}' > hf/tokenizer_config.json; nmt-import --no-pg -o few.tar hf 2> err
matches 'tokenizer_config.json: 2 of 262 rows' err && nmt-info --vocabulary src few.tar | tail -n 3 | xargs | matches -x '<extra_id_0> <row-260> <row-261>'
say $? 'ByT5: extra ids'
hf byt5 ''; rm hf/tokenizer_config.json; sed -i '2s/^/"tokenizer_class": "ByT5Tokenizer",/' hf/config.json; runs nmt-import -q -o few.tar hf &&
    nmt-info --vocabulary src few.tar | tail -n 1 | matches -x '<extra_id_2>'
say $? 'ByT5: the class of the tokenizer in config.json'
ends 2 nmt-import -o few.tar --vocabulary byt5.tar "$data/byt5" 2> err; say $? 'ByT5 has no file of a vocabulary'
nmt-import -o x.tar "$data/byt5" 2> err; matches '^nmt-import: example, source: 35 ▁, 36 !, 37 ", 1 </s>$' err
say $? 'ByT5: the number of a byte is 3 more'
nmt-info --vocabulary src byt5.tar | sed -n '66p;195,196p' | xargs | matches -x 'A <0xC2> <0xC3>'; say $? '... and so it is in the vocabulary'
runs nmt-info --spm src byt5.tar > seg && printf '\303\251  a\tb<\n' > text && runs bpe-apply --text --spm seg text > got && matches -x '<0xC3> <0xA9> ▁ ▁ a <0x09> b <' got
say $? '... text becomes its bytes'
bpe-apply --restore --spm seg got | equals - text
say $? '... and again text'
printf 'x\n\303\251 y\n' > text; heed-pack text | bpe-apply --spm seg | runs nmt-translate -q --precision fp32 --beam 2 -m byt5.tar > out.heed &&
    heed-show -f hyp.pieces out.heed | runs bpe-apply --restore --spm seg > want && nmt-translate -q --precision fp32 --beam 2 --text -m byt5.tar text | equals - want
say $? '... also in nmt-translate --text'
bpe-apply --alpha 0.1 --spm seg --text text 2>&1 | matches 'segments text into bytes'; say $? '... and never at random'
hf t5 ''; sed -i 's/: 3/: -3/' hf/tokenizer_config.json; refused 'T5: extra ids' 'extra_ids is -3, expected an integer from 0' hf
nmt-info --vocabulary src t5.tar | tail -n 5 | xargs | matches -x '<extra_id_2> <extra_id_1> <extra_id_0> <row-22> <row-23>'
say $? 'T5: the last of the extra ids is the first entry'
nmt-import -o x.tar "$data/t5" 2> err; matches '^nmt-import: example, source: 3 a, 4 ▁b, 5 c, 1 </s>$' err && matches 'the decoder reads 0 <pad>, and produces' err &&
    nmt-import -o x.tar "$data/t5-gated" 2> err; matches 'the decoder reads 0 <unk>, and produces' err; say $? '... the example has the special tokens of the original'
hf t5 ''; sed -i '1s/{/{"scale_decoder_outputs": false,/' hf/config.json; runs nmt-import -q -o plain.tar hf && nmt-info plain.tar | lacks config.output_scale &&
    info t5 'config.output_scale\tsqrt'; say $? 'T5: the scale of the decoder output'
hf m2m ''; sed -i 's/"decoder_attention_heads": 2/"decoder_attention_heads": 4/' hf/config.json
refused 'another number of heads in the decoder' 'decoder_attention_heads is 4, expected 2 as in encoder_attention_heads' hf
hf m2m ''; sed -i 's/"vocab_size": 23/"vocab_size": 999/' hf/config.json
refused 'another number of rows than config.json has' 'rows, expected 999 as vocab_size says' hf
hf fsmt ''; sed -i 's/"tgt_vocab_size": [0-9]*/"tgt_vocab_size": 999/' hf/config.json
refused '... of the target' 'rows, expected 999 as tgt_vocab_size says' hf
hf m2m ''; sed -i '2s/^/"tie_word_embeddings": false,/' hf/config.json
refused 'an output table of its own that the file lacks' 'no lm_head.weight, expected it because tie_word_embeddings is off' hf
hf m2m ''; sed -i 's/"relu"/"mish"/' hf/config.json
refused 'another activation' 'activation_function is mish, expected relu' hf
hf mbart ''; sed -i 's/MBart50Tokenizer/MBartTokenizer/' hf/tokenizer_config.json
refused 'languages after the end of a source' 'tokenizer_class is MBartTokenizer, expected MBart50Tokenizer' hf
hf bart ''; echo '{"length_penalty": -0.5}' > hf/generation_config.json
refused 'a length penalty below 0' 'generation_config.json: length_penalty is -0.5, expected 0 to 1000' hf
echo '{"$msgpack": "gQEC"}' > hf/config.json
refused 'a key with a dollar, which is not special' 'config.json: model_type is null' hf
rm -rf hf; cp -r "$data/marianmt" hf; sed -i '1s/{/{"$": -1, /' hf/vocab.json
refused '... in a vocabulary' 'vocab.json: $ has number -1' hf
hf marianmt-f16 '$data = "\0" x length $data if $name =~ /embed_positions/'
refused 'other sinusoids' 'has other positions than the sinusoids of MarianMT' hf
hf m2m '$data .= "1234" if $name =~ /fc1.bias/'
refused 'offsets that do not fit the shape' 'fc1.bias: data_offsets' hf
hf m2m '$type = "I32" if $name =~ /decoder.*fc1.bias/'
refused 'another type' 'has type I32' hf
hf m2m ''; printf x >> hf/model.safetensors
refused 'bytes too many' '1 bytes after the last tensor' hf
for at in 4 300 9000; do
	hf m2m ''; head -c $at "$data/m2m/model.safetensors" > hf/model.safetensors
	refused "a file cut at byte $at" 'model.safetensors' hf
done
# bart: one vocabulary of 21 entries, whose table is model.shared.weight
hf bart 'push @more, ["model.decoder.embed_tokens.weight", $type, "10, 8", substr($data, 0, 10 * 8 * 4)] if $name eq "model.shared.weight"'
sed -i 's/"decoder_start_token_id": 2/"decoder_start_token_id": 20/' hf/config.json
refused 'a table with fewer rows than the vocabulary of both sides' \
    'tensor model.shared.weight has 21 rows and model.decoder.embed_tokens.weight 10, expected the same' hf
hf bart 'push @more, ["model.decoder.embed_tokens.weight", $type, "168", $data] if $name eq "model.shared.weight"'
refused '... with another number of dimensions' 'no embeddings of the target, or of a shape' hf
cp -r "$data/marianmt" shards; sed -i 's/"model-00002-of-00002.safetensors"/"..\/model-00002-of-00002.safetensors"/' shards/*.index.json
refused 'a shard in another folder' 'expected the name of a file in the same folder' shards
rm -rf shards; cp -r "$data/marianmt" shards; sed -i 's/"final_logits_bias"/"final_logits_bios"/' shards/*.index.json
refused 'an index of other tensors' 'tensor final_logits_bios is not in' shards
for file in 1 2; do
	rm -rf shards; cp -r "$data/marianmt" shards
	# The last entry of one file, when both are open.
	perl -0777 -pi -e '$n = '$file'; @v = /"[^"]+": "model-0000\d[^"]*"/g; @v = reverse @v if $n == 1;
	    $v[-1] =~ s/model-0000$n/"model-0000" . (3 - $n)/e; s/("weight_map": \{).*?\}/$1 . join(", ", @v) . "}"/se' shards/*.index.json
	refused "an index that gives the wrong one of two files, $file" "is not in model-0000$((3 - file))-of-00002.safetensors" shards
done
mkdir torch; echo '{"model_type": "bart"}' > torch/config.json; : > torch/pytorch_model.bin
refused 'a pickle' 'no model.safetensors' torch; matches 'safetensors.torch.*pytorch_model.bin' err; say $? '... with the line that converts it'
refused 'a pickle by its name' 'a pickle, which is a program' torch/pytorch_model.bin
matches "torch.load('pytorch_model.bin'" err; say $? '... with the line that converts it'
mkdir fair; : > fair/model.pt; refused 'a checkpoint of fairseq' 'a pickle, which is a program' fair/model.pt
matches 'hint: .* ct2-fairseq-converter' err; say $? '... with the program that converts it'
: > fair/model.safetensors; refused '... no longer if there are safetensors' 'fair: expected config.json' fair
cp -r "$data/marianmt" words; rm words/vocab.json
refused 'a model of MarianMT without its vocabulary' 'words/vocab.json is missing, expected it in the folder of the model' words
exits 4 'a vocabulary that the user names and that is not there' nmt-import --vocabulary nowhere.json -o x.tar words
refused 'a model of heed' 'given.tar: already a model file of heed' given.tar
for f in "$data/marianmt" "$data/m2m/model.safetensors"; do
	exits 3 "$(basename "$f") as a model" nmt-score -m "$f" -
	matches 'hint: nmt-import converts' err; say $? '... with a hint'
done
mkdir none; refused 'a folder without a model' 'expected config.json, an .npz of Marian or model.bin' none
exits 4 'a path that is not there' nmt-import -o x.tar nowhere
exits 4 'a name of the hub' nmt-import -o x.tar Helsinki-NLP/opus-mt-en-de
matches 'hint: download the folder first: git clone https://huggingface.co/Helsinki-NLP/opus-mt-en-de' err; say $? '... with the command that downloads it'
exits 2 'a first token that is not in the vocabulary' nmt-import -q -o x.tar --first-tgt __xx__ "$data/m2m"
exits 2 'no output' nmt-import "$data/m2m"
exits 2 'an output with --list' nmt-import --list -o x.tar "$data/m2m"

# --- models that do not go together, or that overflow ---
first() { nmt-import -q -o "$2.tar" --first-src __en__ --first-tgt "$1" "${3:-$data/m2m}"; }
first __de__ german; first __fr__ french; first __de__ also
exits 3 'the mean of models with other first tokens' nmt-average -o mean.tar german.tar french.tar
matches 'french.tar: other first tokens, expected those of german.tar' err; say $? '... is refused by name'
exits 0 '... with the same ones there is one' nmt-average -o mean.tar german.tar also.tar
cp -r "$data/m2m" huge
perl -e 'open F, "+<", "huge/model.safetensors" or die; binmode F; read F, $n, 8; $n = unpack "Q<", $n; read F, $h, $n;
	$h =~ /"model.decoder.layer_norm.weight": ?\{[^}]*"data_offsets": ?\[(\d+), ?(\d+)\]/ or die;
	seek F, 8 + $n + $1, 0; print F pack("f<", 3e38) x (($2 - $1) / 4)'
first __de__ overflow huge; echo 'a b' > text
for models in 'overflow.tar' 'german.tar -m overflow.tar' 'overflow.tar --sample --seed 1'; do
	[ -n "$spm" ] || { say 0 "$models # SKIP this build has no libsentencepiece"; continue; }
	exits 3 "a model whose output overflows: $models" "nmt-translate -q -m $models --text text"
done
