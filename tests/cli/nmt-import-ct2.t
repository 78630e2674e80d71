#!/bin/sh
# nmt-import: models of CTranslate2, whose log-probabilities an independent Transformer in double precision
# has computed from the dequantized weights (tests/data/import/ct2.py); and files that cannot be imported.
. "$HEED_TOP/tests/lib.sh"
plan 67
data=$HEED_TOP/tests/data/import
. "$HEED_TOP/tests/imported.sh"

for name in ct2 ct2-argos ct2-f16 ct2-bf16 ct2-i16 ct2-v2 ct2-v1-i16; do
	nmt-import -q --no-pg -o $name.tar "$data/$name" 2> err
	most=$(apart $name); within "$most" 1e-5
	r=$?; say $r "$name: log-probabilities as in the original"
	[ $r = 0 ] || { echo "# $most apart"; sed 's/^/# /' err; }
done
heed-show -f score ct2.heed > a; heed-show -f score ct2-argos.heed > b
paste a b | computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d } END { exit !(most > 0 && most < 0.2) }'
say $? 'a file in int8 is a file in fp32 rounded'

# settings
info ct2 'config.tie\tall' && info ct2-f16 'config.tie\tnone' && info ct2-i16 'config.tie\tdecoder' && info ct2-v2 'config.tie\tnone'
say $? 'aliases and equal tables are tied embeddings'
info ct2 'config.positions\tinterleaved' && info ct2 'config.position_first\t0' && info ct2-bf16 'config.positions\thalves' &&
    info ct2-bf16 'config.position_first\t2' && info ct2-i16 'config.positions\tlearned' && info ct2-v2 'config.position_first\t1'
say $? 'the sinusoids of each toolkit are found in its table'
info ct2 'config.max_length\t50' && info ct2-i16 'config.max_length\t40'; say $? '... and the number of positions'
info ct2 'config.heads\t2' && info ct2-i16 'config.heads\t4' && info ct2-v2 'config.heads\t8'; say $? 'heads'
info ct2 'config.norm_eps\t1e-05' && info ct2-f16 'config.norm_eps\t0.001'; say $? 'layer_norm_epsilon'
info ct2 'config.src_eos\toff' && info ct2-f16 'config.src_eos\ton' && info ct2-i16 'config.src_eos\ton'; say $? 'the end of sources'
info ct2-f16 'first.src\t<s>' && nmt-info ct2.tar | lacks ^first; say $? '... and their beginning'
info ct2 'config.first\tbos' && info ct2-f16 'config.first\teos' && info ct2-i16 'config.first\tzero'; say $? 'what decoders read first'
info ct2 'recipe.search\tfairseq' && info ct2 'recipe.beam\t2'; say $? 'the search is that of CTranslate2'
nmt-info --vocabulary tgt ct2-v2.tar | wc -l | matches -x '13' && nmt-info --vocabulary src ct2.tar | head -n 3 | xargs | matches -x '<s> a ▁b'
say $? 'of special tokens only <s> is an ordinary entry, and the unknown token is the last row'
tar -xOf ct2-argos.tar spm/src | equals - "$data/ct2-argos/sentencepiece.model" && tar -tf ct2-argos.tar | lacks spm/tgt
say $? 'a package of Argos Translate: the SentencePiece model of both sides is in the file'
for path in ct2-argos/model ct2-argos/model/model.bin; do
	runs nmt-import -q --no-pg -o same.tar "$data/$path" && equals same.tar ct2-argos.tar; say $? "... the same from $path"
done
runs nmt-import -q --no-pg -o eos.tar --src-eos "$data/ct2" && info eos 'config.src_eos\ton'; say $? '--src-eos'

# all programs take such models
given ct2 > ct2.in
runs nmt-translate -q --precision fp32 --no-pg --beam 1 --length-penalty 0 -m ct2.tar ct2.in > out.heed 2> err && heed-show -f hyp out.heed | matches .
say $? 'nmt-translate'
runs head-stat -q -m ct2-argos.tar --measure gradient,norm ct2.in > stat 2> err && that "$(heed-show -f head stat | grep -c .)" = 10
say $? 'head-stat'
runs head-lrp -q -m ct2.tar ct2.in > lrp 2> err && that -s lrp; say $? 'head-lrp'

# --list
runs nmt-import --list "$data/ct2-argos" > list && matches '^tensor	decoder/layer_1/attention/linear_1/weight	int8	16x8	dec.2.cross.kv.weight$' list &&
    matches '^tensor	decoder/layer_1/attention/linear_1/weight_scale	float32	16	- (the scale of' list &&
    matches '^tensor	encoder/num_heads	int16	-	- (a setting)$' list && matches '^config.heads	2$' list && lacks '	?$' list
say $? '--list prints tensors, shapes, parameters and settings'
nmt-import --list "$data/ct2-v1-i16" | matches '^tensor	decoder/layer_0/self_attention/linear_1/weight	int16	8x8	dec.1.self.out.weight$'
say $? '... with today'"'"'s names for old files'

# what cannot be imported
bin() { rm -rf bin; cp -r "$data/$1" bin; rm bin/model.bin; perl "$HEED_TOP/tests/tensors.pl" "$data/$1/model.bin" bin/model.bin "$2"; }
runs bin ct2 '' && equals bin/model.bin "$data/ct2/model.bin"; say $? 'a copy of a file has the same bytes'
while IFS='	' read -r what code expected; do
	bin ct2 "$code"
	refused "$what" "$expected" bin
done <<'END'
a newer version	$version = 7	version 7, expected 1 to 6
another specification	$spec = "WhisperSpec"	specification WhisperSpec, expected TransformerSpec
a newer revision	$revision = 8	revision 8 of TransformerSpec, expected 1 to 7
another activation	$data = "\5" if $name =~ /activation/	activation is 5, expected 0 (ReLU)
an activation of one side	$data = "\2" if $name eq "decoder/activation"	activation is 2, expected 0 as in the encoder
another number of heads in the decoder	$data = "\4\0" if $name eq "decoder/num_heads"	num_heads is 4, expected 2 as in the encoder
heads that do not divide the width	$data = "\3\0" if $name =~ /num_heads/	3 heads
another factor of embeddings	($type, $data) = ("float32", pack "f", 3) if $name =~ /scale_emb/	scale_embeddings is 3, expected 1 or the square root
ALiBi	$data = "\1" if $name eq "decoder/alibi"	alibi is 1, expected 0
multi-query attention	$data = "\1" if $name =~ /multi_query/	multi_query_attention is 1, expected 0
relative positions	push @more, ["encoder/layer_0/self_attention/relative_position_keys", "float32", "5, 4", "x" x 80] if $name eq "encoder/pre_norm"	relative_position_keys, expected sinusoids
a tensor that is not known	push @more, ["decoder/scale_outputs", "float32", "", "1234"] if $name eq "encoder/pre_norm"	tensor decoder/scale_outputs cannot be imported
a tensor that is missing	$name = undef if $name eq "decoder/layer_1/ffn/linear_1/bias"	tensor decoder/layer_1/ffn/linear_1/bias is missing, expected it for dec.2.ff.out.bias
another shape	$shape = "8, 24" if $name eq "encoder/layer_0/self_attention/linear_0/weight"	has shape 8x24, expected 24x8 for enc.1.self.qkv.weight
a NaN	substr($data, 8, 4) = "\0\0\xc0\x7f" if $name eq "decoder/layer_norm/beta"	tensor decoder/layer_norm/beta has a value that is NaN or infinite
integers	$type = "int32" if $name eq "decoder/layer_norm/beta"	tensor decoder/layer_norm/beta has type int32, expected floating point
a type that is not known	$type = "x" if $name eq "decoder/layer_norm/beta"	tensor decoder/layer_norm/beta has type number 99, expected 0 to 5
a shape that overflows	$shape = "4294967295, 4294967295, 4294967295" if $name eq "decoder/layer_norm/beta"	has no shape that a tensor can have
a shape beyond the file	$shape = "4000000000" if $name eq "decoder/layer_norm/beta"	tensor decoder/layer_norm/beta has 32 bytes, expected 16000000000
more bytes than the shape has	$data .= "1234" if $name eq "decoder/layer_norm/beta"	tensor decoder/layer_norm/beta has 36 bytes, expected 32
too many dimensions	$shape = join ", ", (1) x 9 if $name eq "decoder/num_heads"	has 9 dimensions, expected at most 8
the same tensor twice	push @more, [$name, $type, $shape, $data] if $name eq "decoder/layer_norm/beta"	duplicate tensor decoder/layer_norm/beta
an alias of nothing	@aliases = (["a", "b"])	alias a is of b, expected a tensor
an alias of a tensor's name	@aliases = (["decoder/pre_norm", "encoder/pre_norm"])	duplicate tensor decoder/pre_norm
more tensors than there are	$count = 9	expected
END
bin ct2 '$data = "\4" if $name =~ /activation/'; runs nmt-import -q -o gelu.tar bin && info gelu 'config.activation\tgelu_sigmoid'
say $? "activation 4 is Marian's gelu"
bin ct2-f16 '$name = undef if $name eq "encoder/layernorm_embedding/beta"'
refused 'RMS norm' 'tensor encoder/layernorm_embedding/beta is missing' bin
sub() { rm -rf bin; cp -r "$data/ct2-argos/model" bin; rm bin/model.bin; perl "$HEED_TOP/tests/tensors.pl" "$data/ct2-argos/model/model.bin" bin/model.bin "$1"; }
sub '$name = undef if $name eq "decoder/embeddings/weight_scale"'
refused 'int8 without a scale' 'tensor decoder/embeddings/weight has type int8, expected decoder/embeddings/weight_scale' bin
sub '($shape, $data) = ("3", substr $data, 0, 12) if $name eq "decoder/embeddings/weight_scale"'
refused 'another number of scales' 'decoder/embeddings/weight has 3 scales, expected one, or one for each row' bin
sub 'substr($data, 0, 4) = "\0\0\0\0" if $name eq "decoder/embeddings/weight_scale"'
refused 'a scale of 0' 'decoder/embeddings/weight has the scale 0, expected a positive number' bin
for at in 3 30 5000; do
	bin ct2 ''; head -c $at "$data/ct2/model.bin" > bin/model.bin
	refused "a file cut at byte $at" 'bin' bin
done
bin ct2 ''; printf x >> bin/model.bin; refused 'a byte too many' '1 bytes after the last alias, expected none' bin
bin ct2 ''; rm bin/shared_vocabulary.json; refused 'no vocabulary' 'expected source_vocabulary.json or .txt, or shared_vocabulary' bin
runs nmt-import -q --no-pg -o given.tar --vocabulary "$data/ct2/shared_vocabulary.json" bin && equals given.tar ct2.tar; say $? '... but with --vocabulary'
bin ct2 ''; sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": null/' bin/config.json
refused 'a decoder that begins with a token of the user' 'decoder_start_token is null, expected a token' bin
bin ct2 ''; sed -i 's/"decoder_start_token": "<s>"/"decoder_start_token": "<zz>"/' bin/config.json
refused '... or with an unknown token' 'no <zz>, expected the decoder_start_token' bin
bin ct2 ''; printf '["a", 3]' > bin/shared_vocabulary.json; refused 'a vocabulary with a number' 'number 1: expected a text' bin
