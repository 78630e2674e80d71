#!/bin/sh
# nmt-import: models that are damaged.  Each of them is refused, or a note says what is missing, or the model has the scores
# of the original.  tests/damage.pl makes them; HEED_LONG=1 tries 2,000, and HEED_DAMAGE=N only number N.
. "$HEED_TOP/tests/lib.sh"
plan 44
data=$HEED_TOP/tests/data/import
. "$HEED_TOP/tests/imported.sh"
options() {
	case $1 in
	m2m | nllb*) echo --first-src __en__ --first-tgt __de__ ;;
	mbart) echo --first-src en_XX ;;
	esac
}
scores() { nmt-score -q --no-pg -m "$2" "good/$1.in" 2> /dev/null | heed-show -f score.tokens 2> /dev/null; }

mkdir good
names=$(cd "$data" && ls -d */ | tr -d /)
: > failed
for name in $names; do
	nmt-import --no-pg $(options $name) -o good/$name.tar "$data/$name" 2>&1 | sed "s|$data/$name|m|g" > good/$name.notes
	given "$name" > good/$name.in && scores $name good/$name.tar > good/$name.scores && [ -s good/$name.scores ] || echo $name >> failed
done
that ! -s failed; say $? 'the originals are imported'

# judge NUMBER NAME: one damaged model; prints a word for the result, the damage, and what was wrong.  fits: a file of another
# model that fits, so that nothing shows that it is another one.  usage: --first-src or --first-tgt is not in the vocabulary.
judge() {
	rm -rf m x.tar
	what=$(perl "$HEED_TOP/tests/damage.pl" "$data/$2" "$1" m) || { echo "broken	$1 $2"; return; }
	got=0; timeout 20 nmt-import --no-pg $(options "$2") -o x.tar m > out 2> err < /dev/null || got=$?
	case $got in
	0)
		if cmp -s x.tar "good/$2.tar"; then word=same
		elif grep -v ": example, \|: checked: " err | grep -qvxFf "good/$2.notes"; then word=noted
		elif scores "$2" x.tar | cmp -s - "good/$2.scores"; then word=scores
		else case $what in *"replaced by "*/*) word=fits ;; *) word=SILENT ;; esac; fi ;;
	2) grep -q 'expected an entry of the vocabulary' err && word=usage || word=UNCLEAR ;;
	3) grep -q '^nmt-import: ' err && [ ! -e x.tar ] && word=refused || word=UNCLEAR ;;
	4) grep -q 'cannot open m/.*: No such file\|Too many levels of symbolic links' err && word=missing || word=FAULT ;;
	*) word=CRASH ;;
	esac
	printf '%s\t%s %s: %s\t%s\n' $word "$1" "$2" "$what" "$(head -n 1 err)"
}
count=${HEED_DAMAGE:-$([ -n "${HEED_LONG-}" ] && echo 2000 || echo 60)}
set -- $names
i=${HEED_DAMAGE:-1}
while [ "$i" -le "$count" ]; do
	shift $((i % $#)) && judge $i "$1"
	set -- $names
	i=$((i + 1))
done > results
grep '^[A-Z]\|^broken' results | sed 's/^/# /'
lacks '^[A-Z]\|^broken' results && that -s results
say $? "$count damaged models: $(cut -f 1 results | sort | uniq -c | sort -rn | awk '{ printf "%s%d %s", (NR > 1 ? ", " : ""), $1, $2 }')"

# --- one by one ---

new() { rm -rf m x.tar; cp -r "$data/$1" m; }
tensors() { perl "$HEED_TOP/tests/tensors.pl" "$data/$1" "m/${1#*/}" "$2"; }
# refused 'what' TEXT: importing m is an error with this text
refused() {
	rm -f x.tar; got=0; timeout 20 nmt-import --no-pg $options -o x.tar m > out 2> err < /dev/null || got=$?
	that $got = 3 && matches -F -- "$2" err && that ! -e x.tar
	say $? "$1"
}
# noted 'what' TEXT...: it is imported, with one note that has all texts
noted() {
	what=$1; shift
	timeout 20 nmt-import --no-pg $options -o x.tar m > out 2> err < /dev/null; r=$?
	that $r = 0 && for text; do grep -F -- "$text" err > found && mv found err || r=1; done && that "$(wc -l < err)" = 1 || r=1
	say $r "$what"; that $r = 0 || sed 's/^/# /' err
}
options=

# names that files give
printf '</s>\n<unk>\nsecret\n' > secret.vocab
new opus; printf 'models:\n  - opus.bpe.npz\nvocabs:\n  - ../secret.vocab\n  - ../secret.vocab\n' > m/decoder.yml
refused 'decoder.yml names no file outside of the folder' 'm/secret.vocab is missing, expected it in the folder of the model'
printf 'models:\n  - /train/opus.bpe.npz\nvocabs:\n  - /train/opus.vocab.yml\n  - /train/opus.vocab.yml\nbeam-size: 6\nnormalize: 0.6\n' > m/decoder.yml
runs nmt-import -q --no-pg -o x.tar m && equals x.tar good/opus.tar; say $? '... such as that in which the model was trained'
printf 'vocabs:\n  - ..\n  - ..\n' > m/decoder.yml; refused '... and the folder itself is none' 'expected the name of a vocabulary in this folder'

# vocabularies
new ct2-v2; head -n 8 "$data/ct2-v2/target_vocabulary.txt" > m/target_vocabulary.txt
refused 'a vocabulary of CTranslate2 that is cut' 'target_vocabulary.txt: 7 of 16 rows of the target embeddings have no entry, expected one for each'
options="--vocabulary m/source_vocabulary.txt --vocabulary m/target_vocabulary.txt"
noted '... that the user names' '7 of 16 rows of the target embeddings have no entry' 'show them as <row-N>'
options=
new opus; sed -i '20q' m/opus.vocab.yml; refused 'a vocabulary of Marian that is cut' '4 of 24 rows of the embeddings have no entry'
for name in marianmt m2m; do
	new $name; echo '{}' > m/vocab.json; refused "$name: an empty vocabulary" 'm/vocab.json: no entries, expected one for each row'
done
new marianmt; perl -MJSON::PP -i -0pe '$v = decode_json($_); delete $v->{$_} for grep $v->{$_} >= 10, keys %$v; $_ = encode_json($v)' m/vocab.json
noted 'MarianMT: half of the vocabulary' 'm/vocab.json: 10 of 21 rows of the embeddings have no entry' 'no text becomes one of them'
new marianmt; sed -i '1s/{/{"share_encoder_decoder_embeddings": false,/' m/config.json
refused 'MarianMT with two tables and one vocabulary' 'm/target_vocab.json is missing'
new marianmt; rm m/model-00002-of-00002.safetensors; refused 'a shard that is missing' 'm/model-00002-of-00002.safetensors is missing'
new ct2; perl -MJSON::PP -i -0pe '$n = 0; $_ = encode_json({ map { $_ => $n++ } @{ decode_json($_) } })' m/shared_vocabulary.json
refused 'a map instead of a list' 'shared_vocabulary.json: a map from texts to numbers, expected a list of texts'
new marianmt; echo '["a", "b"]' > m/vocab.json; refused 'a list instead of a map' 'vocab.json: a list of texts, expected a map from texts to numbers'
new fsmt; : > m/merges.txt; refused 'FSMT without merges' 'merges.txt: no merges, expected at least one'
new fsmt; sed -i 2q m/merges.txt; noted '... or with few' 'merges.txt: its merges do not make 6 of 8 subwords'
new opus; rm m/*.spm; noted 'no SentencePiece model' 'no SentencePiece model or BPE codes for the source' 'become <unk>'
new opus; rm m/target.spm; noted '... for the target' 'no target.spm: source.spm segments targets'
new opus; rm m/*.spm; options="--vocabulary $data/opus/source.spm"; noted '... unless it is the vocabulary' '6 of 24 rows of the embeddings have no entry'
tar -xOf x.tar spm/src | equals - "$data/opus/source.spm"; say $? '... which is in the model, from any folder'; options=
new opus; cp "$data/m2m/sentencepiece.bpe.model" m/source.spm; mv m/opus.vocab.yml v; perl -CSD -pe 's/"(.+)":/"x$1":/ if $. > 2' v > m/opus.vocab.yml
noted 'a SentencePiece model of other subwords' 'subwords of the SentencePiece model of the source are not in the vocabulary'

# numbers and types
new marianmt; sed -i 's/{/{"forced_bos_token_id": 999999999,/' m/config.json
refused 'a forced token that is no row' 'forced_bos_token_id is 999999999, expected an integer from 0 to 20'
new bart; sed -i '1s/{/{"forced_eos_token_id": [2, 77],/' m/config.json; refused '... at the end' 'forced_eos_token_id is [2, 77]'
new marianmt; sed -i '1s/{/{"forced_bos_token_id": 21,/' m/generation_config.json; refused '... in generation_config.json' 'forced_bos_token_id is 21'
new ct2; tensors ct2/model.bin '($type, $shape, $data) = ("float32", "", pack "f<", 2.7) if $name =~ /num_heads/'
refused 'a number of heads with a fraction' 'encoder/num_heads is 2.7, expected an integer'
new ct2; tensors ct2/model.bin '($type, $shape, $data) = ("int16", "2", "\2\0\2\0") if $name =~ /num_heads/'
refused '... or two' 'tensor encoder/num_heads has 2 elements, expected one'
new ct2; sed -i 's/"unk_token": "<unk>"/"unk_token": 7/' m/config.json; refused 'a token that is a number' 'unk_token is 7, expected a text'
new m2m; sed -i 's/"activation_function": "relu"/"activation_function": null/' m/config.json
refused 'null' 'activation_function is null, expected relu, gelu'
special() { new opus; tensors opus/opus.bpe.npz '$data =~ s/^'"$1"':.*\n/'"$1: $2"'\n/m, $shape = length($data) . "," if $name eq "special:model.yml"'; }
special transformer-preprocess '[n]'; refused 'a list instead of letters' 'transformer-preprocess is [n], expected a text'
special transformer-heads '2\n<<: {transformer-heads: 4}'; refused 'a merge key' 'a merge key, which is not read'
special enc-depth ''; refused 'a setting without a value' 'enc-depth is null, expected an integer'

# files
new marianmt; sed -i 's/"model.encoder.layers.0.fc1.weight"/"model.encoder.layers.0.fc2.weight"/' m/*.index.json
refused 'an index that names a tensor twice' 'duplicate key model.encoder.layers.0.fc2.weight'
new opus; head -c -30 "$data/opus/opus.bpe.npz" > m/opus.bpe.npz; refused 'an .npz that is cut at its end' 'a zip without its end, or with bytes after it'
cp "$data/opus/opus.bpe.npz" m; printf x >> m/opus.bpe.npz; refused '... or has a byte too many' 'a zip without its end, or with bytes after it'
# A zip with a comment, and one whose end is that of large files.
zip_end() {
	perl -0777 -e 'my $zip = <STDIN>; my $end = length($zip) - 22; my @u = unpack "x10vVV", substr($zip, $end, 22, "");
		print $zip, eval shift' "$1" < "$data/opus/opus.bpe.npz" > m/opus.bpe.npz
	runs nmt-import -q --no-pg -o x.tar m && equals x.tar good/opus.tar; say $? "$2"
}
zip_end '"PK\5\6" . pack("vvvvVVva*", 0, 0, @u[0, 0, 1, 2], 4, "text")' '... but it may have a comment'
zip_end '"PK\6\6" . pack("Q<vvVVQ<4", 44, 45, 45, 0, 0, @u[0, 0, 1, 2]) . "PK\6\7" . pack("VQ<V", 0, $end, 1) .
    "PK\5\6" . pack("v4V2v", 0, 0, (65535) x 2, (2**32 - 1) x 2, 0)' \
    '... or the end of a large zip'
new bart; mkfifo m/model.bin; runs timeout 20 nmt-import -q --no-pg -o x.tar m && equals x.tar good/bart.tar; say $? 'a FIFO is not opened for its name alone'
for file in bart/model.safetensors bart/config.json opus/opus.bpe.npz opus/source.spm ct2/model.bin; do
	new ${file%/*}; rm m/${file#*/}; mkfifo m/${file#*/}
	case $file in
	ct2/*) refused "$file is a FIFO" 'model_type is null' ;;
	*) refused "$file is a FIFO" 'expected a regular file' ;;
	esac
done
new bart; ln -s "$data/bart/config.json" m/link; mv m/link m/config.json; runs nmt-import -q --no-pg -o x.tar m && equals x.tar good/bart.tar
say $? 'symbolic links are followed'
