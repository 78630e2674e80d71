#!/bin/sh
# nmt-import: models that transformers 5 saved, whose log-probabilities it has computed
# (tests/data/transformers/make.py).
. "$HEED_TOP/tests/lib.sh"
plan 15
data=$HEED_TOP/tests/data/transformers
. "$HEED_TOP/tests/imported.sh"

# same NAME [OPTION...]: the model in the folder hf has the log-probabilities of NAME.tsv
same() { name=$1; shift; runs nmt-import -q --no-pg "$@" -o "$name.tar" hf && within "$(apart "$name")" 1e-5; }
# hf NAME [PERL]: a copy of a model of transformers 4 or 5 with changed tensors
hf() {
	rm -rf hf; cp -r "$1" hf; [ $# = 1 ] || {
		rm hf/model.safetensors; perl "$HEED_TOP/tests/tensors.pl" "$1/model.safetensors" hf/model.safetensors "$2"
	}
}
old=$HEED_TOP/tests/data/import

# tables that config.json ties
hf "$data/flan"; same flan; say $? 'FLAN-T5: the output has a table of its own, although tie_word_embeddings is on'
runs nmt-import --list hf > list && matches '^tensor	lm_head.weight	F32	16x8	output.weight reordered$' list &&
    matches '^checked	lm_head.weight differs from shared.weight' list; say $? '... as --list says'
# copy NAME DATA: M2M100 with a second tensor of the table
copy() { hf "$old/m2m" 'push @more, ["'"$1"'", $type, $shape, '"$2"'] if $name eq "model.shared.weight"'; }
copy lm_head.weight '$data'; runs nmt-import -q -o x.tar hf; say $? 'M2M100: a copy of the table is ignored'
for name in lm_head model.encoder.embed_tokens; do
	copy $name.weight '$data ^ "\1"'; refused "... but not one that differs: $name" "tensor $name.weight differs from model." hf
done

# mT5: transformers 4 divides the decoder output if tie_word_embeddings is on, transformers 5 never does
hf "$data/mt5"; same mt5; say $? 'mT5: the decoder output is not divided'
sed -i 's/"transformers_version": "[^"]*"/"transformers_version": "4.57.6"/' hf/config.json; nmt-import -o four.tar hf 2> err
info four 'config.output_scale\tsqrt' && matches 'transformers 5 does not' err; say $? '... unless transformers 4 wrote config.json, with a note'
hf "$data/mt5"; echo '{"model_max_length": 1000000000000000019884624838656}' > hf/tokenizer_config.json
same mt5; say $? 'an integer of more than 64 bits in a setting that is not read'

# M2M100: the numbers of languages are in tokenizer_config.json
hf "$data/m2m"; same m2m --first-src __en__ --first-tgt __de__; say $? 'M2M100: languages of added_tokens_decoder'
languages='__en__ __ha__ __is__ __ja__ __cs__ __ru__ __zh__ __de__'
listed() { nmt-info --vocabulary src m2m.tar | tail -n 16 | head -n 8 | xargs | matches -x "$languages"; }
listed; say $? '... have the rows of the original'
tokenizer() { hf "$data/m2m"; perl -MJSON::PP -i -0pe '$v = decode_json($_); '"$1"'; $_ = JSON::PP->new->utf8->canonical->encode($v)' hf/tokenizer_config.json; }
none='delete $v->{added_tokens_decoder}{$_} for 31 .. 38'
tokenizer "$none"; same m2m --first-src __en__ --first-tgt __de__ && listed; say $? '... and so have those of extra_special_tokens'
tokenizer "$none; \$v->{additional_special_tokens} = delete \$v->{extra_special_tokens}"
same m2m --first-src __en__ --first-tgt __de__ && listed; say $? '... and those of additional_special_tokens'
tokenizer "$none; \$v->{extra_special_tokens} = []"; refused '... but without them' 'tokenizer_config.json: no tokens of languages, expected them in extra_special_tokens' hf
tokenizer '$v->{added_tokens_decoder}{31}{content} = "__ha__"'; refused 'two languages with one number' 'added_tokens_decoder: __ha__ has numbers 31 and 32' hf
tokenizer '$v->{added_tokens_decoder}{30}{content} = "__x__"'; refused 'a language with the number of an entry' 'both have number 30' hf
