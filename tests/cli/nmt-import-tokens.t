#!/bin/sh
# nmt-import: special tokens with several roles, such as a start of the decoder that is also an entry: the
# greedy translations that an independent Transformer in double precision has computed (roles.tsv,
# tests/data/import/make.py), the notes on tokens, and files that contradict each other.
. "$HEED_TOP/tests/lib.sh"
data=$HEED_TOP/tests/data/import
. "$HEED_TOP/tests/imported.sh"

# roles JSON FOLDER: the model with these settings
roles() {
	rm -rf $2; cp -r "$data/roles" $2
	perl -MJSON::PP -0e 'my ($new, $file) = @ARGV; open F, "<", $file or die; my $c = decode_json(join "", <F>);
		delete $c->{forced_bos_token_id}; my $n = decode_json($new); $c->{$_} = $n->{$_} for keys %$n;
		open F, ">", $file or die; print F encode_json($c)' "$1" $2/config.json
}
# greedy MODEL: of the sentences in `src`
greedy() {
	heed-pack src | nmt-translate -q --precision fp32 --no-pg --beam 1 --length-penalty 0 --max-ratio 0 --max-extra 8 -m $1 2> err > out.heed &&
	    heed-show -f hyp,hyp.score out.heed
}
as_wanted() { paste want got | computes - -F '\t' '{ d = $2 - $4; if ($1 != $3 || d * d > 1e-8) bad = 1 } END { exit !(NR == 4 && !bad) }'; }
[ "$(wc -l < "$data/roles.tsv")" = 28 ] || exit 1
cut -f 1 "$data/roles.tsv" | uniq > settings
while read -r role; do
	grep -F "$role	" "$data/roles.tsv" > cases; cut -f 2 cases > src; cut -f 3,4 cases > want
	roles "$role" hf; runs nmt-import -q --no-pg -o roles.tar hf 2> err && runs greedy roles.tar > got && as_wanted; say $? "$role"
	rm -rf back
	case $role in
	*'"pad_token_id": 2'*)
		nmt-export --to hf -o back roles.tar 2> err; matches 'has the entry <pad>, expected no entry with the text of a special token' err
		say $? '... is not exported, as padding and an entry have one name' ;;
	*)
		runs nmt-export --to hf -o back roles.tar 2> err && runs nmt-import -q --no-pg -o back.tar back 2>> err && runs greedy back.tar > got && as_wanted
		say $? '... exported and imported again' ;;
	esac
done < settings

# the folder of a user, with vocabularies of any name
start=$(head -n 1 settings); grep -F "$start	" "$data/roles.tsv" > cases; cut -f 2 cases > src; cut -f 3,4 cases > want
roles "$start" hf; mv hf/vocab.json graphemes.json; mv hf/target_vocab.json phonemes.json
runs nmt-import --no-pg --vocabulary graphemes.json --vocabulary phonemes.json -o two.tar hf 2> notes && runs greedy two.tar > got && as_wanted
say $? 'one table, and two vocabularies'
matches -xF 'nmt-import: example, source: 1 <s>, 4 a, 5 ▁b, 6 c, 2 </s>' notes; say $? 'a note says what the encoder reads'
matches '^nmt-import: example, target: the decoder reads 1 <s>, and produces [0-9]' notes; say $? '... and what the decoder reads and produces'
runs nmt-import -q -o two.tar --vocabulary graphemes.json --vocabulary phonemes.json hf 2> err && that ! -s err; say $? '... unless -q is given'
runs nmt-import --no-pg --first-tgt '<s>' --vocabulary graphemes.json --vocabulary phonemes.json -o two.tar hf 2> notes &&
    matches 'the decoder reads 1 <s>, is given 1 <s>, and produces' notes; say $? '<s> can be forced'
runs nmt-import -q --vocabulary graphemes.json -o one.tar hf && nmt-info one.tar | matches -x 'config.tie	all'; say $? 'one vocabulary for both sides'
# a bias that makes it say <s> first
perl "$HEED_TOP/tests/tensors.pl" hf/model.safetensors first.safetensors 'substr($data, 4, 4) = pack("f<", 9) if $name eq "final_logits_bias"'
mv first.safetensors hf/model.safetensors; runs nmt-import --vocabulary graphemes.json -o one.tar hf 2> notes &&
    matches -F "translations begin with <s>: to leave it out, import with --first-tgt '<s>'" notes; say $? 'a first <s> is noted'
runs nmt-import -q --src-eos --first-src '<s>' -o ct2.tar "$data/ct2" && nmt-info ct2.tar | matches -x 'first.src	<s>' &&
    nmt-info ct2.tar | matches -x 'config.first	bos'; say $? 'CTranslate2: sources can begin with <s>, which decoders read first'

# the length penalty of transformers counts the first token, the others, and the end
lengths() {
	for a in 0 1; do
		heed-pack src | nmt-translate -q --precision fp32 --no-pg --beam 1 --length-penalty $a --max-ratio 0 --max-extra 8 -m $1 | heed-show -f hyp.score,hyp > length.$a
	done
	paste length.0 length.1 | computes - -F '\t' -v more=$2 '{ d = $1 / $3 - split($2, w, " ") - more; if (d * d > 1e-6) bad = 1 } END { exit !(NR == 4 && !bad) }'
}
grep '"forced_bos_token_id": 6' settings > role; roles "$(cat role)" hf; runs nmt-import -q -o forced.tar hf && lengths forced.tar 2
say $? 'a forced first token counts in the length penalty'
roles "$start" hf; runs nmt-import -q -o plain.tar hf && lengths plain.tar 1
say $? '... and only such a token does'

# subwords without text
printf '["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]"}}]\n{"src.pieces":["a","c"],"tgt.pieces":["z","x"]}\n["heed-end",1]\n' |
    heed-pack -j > pieces.heed
for program in nmt-score head-stat head-lrp; do
	runs $program -q -m plain.tar pieces.heed > out 2> err && that -s out; say $? "$program reads subwords without text"
done
printf '["heed",1,"sentence",{"fields":{"hyp":"str"}}]\n{"hyp":"a"}\n["heed-end",1]\n' | heed-pack -j > nothing.heed
exits 3 '... and needs one of them' nmt-score -q -m plain.tar nothing.heed; matches 'record 1: no src.pieces and no src, expected one of them' err
say $? '... by name'

# what contradicts, or cannot be expressed
is() { roles "{\"pad_token_id\": 0, \"bos_token_id\": 1, \"eos_token_id\": 2, $1}" hf; }
is '"decoder_start_token_id": 1, "forced_bos_token_id": 2'
refused 'the end of a sentence as its forced beginning' 'config.json: every target begins with number 2, which is padding, the end or <unk>' hf
is '"decoder_start_token_id": 1, "forced_eos_token_id": 3'
refused 'another forced end' 'forced_eos_token_id is 3, expected 2, the eos_token_id' hf
is '"decoder_start_token_id": 1, "bos_token_id": 2'
refused 'sources that begin with the end' 'every source begins with number 2' hf
is '"decoder_start_token_id": null, "eos_token_id": 3'
refused 'no start of the decoder, and another end' 'decoder_start_token_id is null, expected the number of a token' hf
is '"decoder_start_token_id": 1'; echo '{"decoder_start_token_id": 2}' > hf/generation_config.json
runs nmt-import -o start.tar hf 2> notes && matches 'decoder_start_token_id is 2, and 1 in config.json' notes &&
    matches 'the decoder reads 2 </s>,' notes; say $? 'generation_config.json has another start of the decoder'
is '"decoder_start_token_id": 1'; echo '{"eos_token": {"content": "<unk>"}}' > hf/special_tokens_map.json
refused 'two ends' 'special_tokens_map.json: eos_token is <unk>, number 3 of the vocabulary, expected number 2, as config.json says' hf
is '"decoder_start_token_id": 1'; echo '{"unk_token": "c"}' > hf/special_tokens_map.json
runs nmt-import -q -o unk.tar hf && nmt-info --vocabulary src unk.tar | lacks -x c; say $? 'unk_token names the unknown token'
is '"decoder_start_token_id": 1'
echo '{"post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["a", 4]}}' > hf/tokenizer.json
runs nmt-import -q -o frame.tar hf && nmt-info frame.tar | matches -x 'first.src	a'; say $? 'tokenizer.json says what sources begin with'
echo '{"post_processor": {"single": [{"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "</s>"}}]}}' > hf/tokenizer.json
runs nmt-import -q -o frame.tar hf && nmt-info frame.tar | lacks '^first.src'; say $? '... or that they begin with nothing'
echo '{"post_processor": {"single": [{"SpecialToken": {"id": "<s>"}}, {"Sequence": {"id": "A"}}]}}' > hf/tokenizer.json
refused '... and must end as here' 'post_processor is' hf
echo "1..$n"
