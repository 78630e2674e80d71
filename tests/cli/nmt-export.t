#!/bin/sh
# nmt-export: models in the files of Marian and Hugging Face: the bytes of the originals, and the
# log-probabilities that an independent Transformer in double precision has computed for them.
. "$HEED_TOP/tests/lib.sh"
data=$HEED_TOP/tests/data/import
. "$HEED_TOP/tests/imported.sh"

# tensors FILE: name, shape and a checksum of the bytes of each tensor, sorted
tensors() {
	perl "$HEED_TOP/tests/tensors.pl" "$1" copy.${1##*.} 'use Digest::MD5 "md5_hex"; $shape =~ s/[, ]+/ /g;
		$shape =~ s/ $//; print "$name\t$shape\t", md5_hex($data), "\n"' | sort
}
# nmt-export into FOLDER, and back into FOLDER.tar
back() {
	form=$1 model=$2 folder=$3; shift 3
	nmt-export --to $form -o $folder $model 2> err && nmt-import -q --no-pg "$@" -o $folder.tar $folder 2>> err
}
while read -r form name options; do
	nmt-import -q --no-pg $options -o original.tar "$data/$name"
	back $form original.tar $name $options && most=$(apart $name) && within "$most" 1e-5
	r=$?; say $r "$name to $form: log-probabilities as in the original"
	[ $r = 0 ] || { echo "# $most apart"; sed 's/^/# /' err; }
	case $name in
	pre|marianmt|bart|mbart) continue ;;	# compressed; padding elsewhere; rows of positions without use
	t5-gated|umt5) continue ;;		# 16 bits
	t5) without='embed_tokens\|EncDecAttention.relative' ;;	# copies, and what is never read
	*) without=special: ;;
	esac
	tensors "$(ls "$data/$name"/*.npz "$data/$name"/model.safetensors 2> /dev/null)" | grep -v "$without" > want
	tensors "$(ls $name/*.npz $name/model.safetensors 2> /dev/null)" | grep -v special: > got
	that -s want && equals want got; say $? '... and all its tensors, byte for byte'
done <<END
marian opus
marian pre
hf marianmt
hf fsmt
hf m2m --first-src __en__ --first-tgt __de__
hf bart
hf mbart --first-src en_XX
hf t5
hf t5-gated
hf umt5
hf byt5
END
equals t5/spiece.model "$data/t5/spiece.model" && equals t5/tokenizer_config.json - <<'END'
{"tokenizer_class": "T5Tokenizer", "extra_ids": 3}
END
say $? "T5's SentencePiece model is that of the original"
echo '{"tokenizer_class": "ByT5Tokenizer", "extra_ids": 2}' | equals - byt5/tokenizer_config.json && that ! -e byt5/spiece.model && info byt5 'spm.src\tbytes'
say $? "... and ByT5's tokenizer"
rows() { perl -MJSON::PP -0ne 'my $c = decode_json($_); print "$_ $c->{$_}\n" for grep !/epsilon|architectures|beams|length|torch|is_enc/, sort keys %$c' "$1"; }
rows "$data/t5/config.json" > want; rows t5/config.json | equals - want; say $? '... and so is config.json'
for f in vocab.yml source.spm target.spm; do
	[ $f = vocab.yml ] && with=opus.vocab.yml || with=$f
	equals opus/$f "$data/opus/$with"; say $? "Marian: $f is that of the original"
done
matches -x 'beam-size: 6' opus/decoder.yml && matches -x 'normalize: 0.6' opus/decoder.yml; say $? '... and decoder.yml has its search'
facts() { perl -MJSON::PP -0ne 'my $c = decode_json($_);
	print "$_ $c->{$_}\n" for qw(model_type d_model encoder_layers decoder_layers encoder_ffn_dim decoder_ffn_dim
	    decoder_attention_heads activation_function scale_embedding)' "$1"; }
for m in marianmt fsmt m2m bart mbart; do
	runs facts "$data/$m/config.json" > want && that -s want && facts $m/config.json | equals - want
	say $? "$m: config.json has the sizes of the original"
done
runs nmt-import -q --no-pg --first-src __en__ -o forced.tar m2m && nmt-info forced.tar | matches -x 'first.tgt	__de__'
say $? 'm2m: the first token of targets is forced'
sed 's/ [0-9]*$//' "$data/fsmt/merges.txt" > want; sed 's/ [0-9]*$//' fsmt/merges.txt | equals - want; say $? "FSMT's merges are those of the original"
python=$(command -v python3)
if [ -n "$python" ]; then
	runs $python -m zipfile -t opus/model.npz > out 2>&1 && that "$($python -m zipfile -l opus/model.npz | grep -c '\.npy')" = 87
	say $? 'another reader of zip finds no fault'
else
	echo "ok $((n += 1)) - another reader of zip # SKIP no python3"
fi

# removed heads are there as zeros
nmt-import -q --no-pg -o opus-whole.tar "$data/opus"; given opus > opus.in
for heads in 'enc-self.1:2 cross.2:1' 'enc-self.2:1,2 dec-self.1:1,2 cross.1:2'; do
	head-prune -q -m opus-whole.tar --heads "$heads" -o less.tar 2> err && rm -rf less && back marian less.tar less
	nmt-score -q -m less.tar opus.in | heed-show -f score > got
	nmt-score -q --mask-heads "$heads" -m opus-whole.tar opus.in | heed-show -f score | paste - got |
	    computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-4) bad = 1 } END { exit !(NR == 6 && !bad) }'
	say $? "without $heads: scores as with masked heads"
	tensors less/model.npz | cut -f 1,2 | grep -v special: > got
	tensors "$data/opus/opus.bpe.npz" | cut -f 1,2 | grep -v special: | equals - got; say $? '... and the shapes of the whole model'
done

for name in t5 umt5; do
	nmt-import -q --no-pg -o whole.tar "$data/$name"; given $name > $name.in
	head-prune -q -m whole.tar --heads 'enc-self.1:2 dec-self.2:1,2 cross.1:1' -o less.tar 2> err && rm -rf less && back hf less.tar less
	nmt-score -q -m less.tar $name.in | heed-show -f score > got
	nmt-score -q --mask-heads 'enc-self.1:2 dec-self.2:1,2 cross.1:1' -m whole.tar $name.in | heed-show -f score | paste - got |
	    computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-4) bad = 1 } END { exit !(NR == 6 && !bad) }'
	say $? "$name without some heads: scores as with masked heads"
done

# models that were trained here
t5=pre_norm=on,final_norm=on,norm=rms,no_bias=on,positions=none,embed_scale=one,score_scale=one
i=0; while [ $i -lt 60 ]; do i=$((i + 1)); echo "$((i % 7)) low new$((i % 3)) lower"; done > t.src
sed 's/low/hoch/g; s/new/neu/' t.src > t.tgt; printf '#version: 0.2\nl o\nlo w</w>\nn e\nh o\n' > codes
heed-pack t.src t.tgt | bpe-apply -c codes > t.heed
fit() { nmt-train -q -t 1 --size tiny --updates 25 --batch-tokens 200 --warmup 5 --lr 0.01 "$@" t.heed 2> err || sed 's/^/# /' err; }
scores() { nmt-score -q -m $1 t.heed | heed-show -f score; }
close_to() { paste $1 $2 | computes - '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-4) bad = 1 } END { exit !(NR == 60 && !bad) }'; }
while read -r form options; do
	fit $options -o mine.tar; rm -rf mine-$form
	runs back $form mine.tar mine-$form && runs scores mine.tar > want && runs scores mine-$form.tar > got && close_to want got
	say $? "$options: to $form and back, same scores"
	cat err >> notes
done <<END
marian --preset story --arch activation=gelu_sigmoid
marian --preset story --arch tie=decoder,activation=gelu
marian --preset story --arch tie=all,src_bias=off,activation=swish,pre_norm=off,final_norm=off
hf --preset fairseq
hf --preset fairseq --arch tie=none,activation=gelu_sigmoid
hf --preset fairseq --arch tie=all,pre_norm=on,final_norm=on
hf --preset fairseq --arch positions=huggingface,position_first=0,output_bias=on,output_mask=on
hf --preset t5 --joint-vocab
hf --preset t5 --joint-vocab --arch embed_scale=one,score_scale=one,output_scale=sqrt,init=t5
hf --preset t5 --joint-vocab --arch output_scale=sqrt
hf --preset fairseq -a bucket-bias:buckets=8,max=6 --joint-vocab --arch $t5,tie=all,activation=relu,output_scale=sqrt
hf --preset fairseq -a bucket-bias:per_layer=on --joint-vocab --arch $t5,tie=all,head_width=12,ff_gate=on,activation=gelu_tanh,first=bos
hf --preset fairseq --arch tie=none,positions=huggingface,position_first=0,output_bias=on,output_mask=on
END
that "$(tensors mine-hf/model.safetensors | grep -E 'lm_head|decoder.embed' | cut -f 3 | sort -u | wc -l)" = 2
say $? '... MarianMT with an output table of its own'
fit --preset fairseq --arch tie=all,positions=learned,position_first=0,embed_norm=on -o mine.tar; rm -rf mine-hf
runs back hf mine.tar mine-hf --first-src '' && matches 'warning: the tokenizer of BART begins every source with bos_token_id, which' err &&
    runs scores mine.tar > want && runs scores mine-hf.tar > got && close_to want got
say $? 'BART: its tokenizer adds a first token that the model lacks: a warning; the same scores without this token'
fit --preset fairseq --arch positions=huggingface,position_first=0,output_bias=on,output_mask=off -o open.tar
mkdir open; echo '{"bad_words_ids": [[99]]}' > open/generation_config.json; runs nmt-export --to hf -o open open.tar 2> err &&
    perl "$HEED_TOP/tests/tensors.pl" open/model.safetensors copy.safetensors 'print unpack("f<", substr $data, 8, 4) if $name eq "final_logits_bias"' |
    matches -x -- -1000000000; say $? 'MarianMT: padding is never an output, also without an output mask'
runs perl -MJSON::PP -0ne 'my $c = decode_json($_); exit !("@{$c->{bad_words_ids}[0]}" eq "2" && @{$c->{bad_words_ids}} == 1 && $c->{renormalize_logits} &&
    $c->{pad_token_id} == 2 && $c->{eos_token_id} == 0 && $c->{decoder_start_token_id} == 0 && $c->{num_beams} == 5 &&
    $c->{max_length} == 1024)' open/generation_config.json; say $? '... which generation_config.json says, too, in place of an older one'
runs perl -MJSON::PP -0ne 'my $c = decode_json($_); exit !($c->{forced_bos_token_id} && !exists $c->{bad_words_ids} && $c->{length_penalty} == 1)' \
    m2m/generation_config.json; say $? '... and the first token of targets for others'
that "$(grep -c 'gelu_sigmoid, which Marian computes before version 1.12.3' notes)" = 1 &&
    that "$(grep -c 'gelu, which Marian computes from version 1.12.3' notes)" = 1; say $? "Marian's gelu depends on its version: a warning"
# padding that is the start token, too, and no zero vector
cp -r "$data/marianmt" start; perl -MJSON::PP -0ne 'my $c = decode_json($_); $c->{decoder_start_token_id} = 3; print encode_json($c)' \
    "$data/marianmt/config.json" > start/config.json
rm -f start/generation_config.json; nmt-import -q --no-pg -o start.tar start && back hf start.tar started; given marianmt > start.in
nmt-score -q -m start.tar start.in | heed-show -f score > want; nmt-score -q -m started.tar start.in | heed-show -f score > got
nmt-info start.tar | matches 'first	bos' && that -s want && paste want got | computes - '{ if (($1 - $2) ^ 2 > 1e-8) bad = 1 } END { exit bad }'
say $? 'a start token that is not the zero vector'

fit --preset fairseq -c codes -o fairseq.tar
runs nmt-export --to hf -o fairseq fairseq.tar && printf 'l o\nlo w</w>\nn e\nh o\n' | equals - fairseq/merges.txt
say $? 'BPE codes are merges'
runs perl -MJSON::PP -0ne 'my $v = decode_json($_); exit !(exists $v->{"low</w>"} && !grep(/@@/, keys %$v))' fairseq/vocab-src.json
say $? '... and ends of words are marked as there'
runs nmt-export --to hf -o twice fairseq.tar && runs nmt-export --to hf -o twice fairseq.tar && equals fairseq twice
say $? 'the same model gives the same bytes, also over files that are there'

# what cannot be exported
refused() {
	got=0; nmt-export --to $2 -o no $3 > out 2> err || got=$?
	that $got = 3 && matches -F -- "$4" err && that ! -e no
	say $? "$1"
}
refused 'positions that Marian does not count' marian fairseq.tar 'position_first is 2, expected 0: Marian has nothing else'
matches -F 'hint: trained with the preset fairseq; Marian uses other position encodings; use --to hf' err; say $? '... with what the user can do'
nmt-import -q -o marian.tar "$data/opus"; refused 'a model of Marian for Hugging Face' hf marian.tar 'position_first is 0, expected 2'
matches -F 'hint: imported from Marian; Hugging Face uses other position encodings; use --to marian' err; say $? '... with what the user can do'
nmt-import -q -o hugging.tar "$data/marianmt"; refused 'a model of Hugging Face for Marian' marian hugging.tar 'positions is huggingface, expected halves'
matches -F 'hint: imported from Hugging Face (MarianMT); Marian uses other position encodings; use --to hf' err; say $? '... with what the user can do'
fit --preset onmt -o onmt.tar
refused 'positions that nobody has' hf onmt.tar 'positions is interleaved, expected halves, huggingface or learned'
matches -F 'hint: trained with the preset onmt; heed-models(7) lists which models' err; say $? '... with the page that lists the others'
fit --preset story --arch norm_eps=1e-5 -o eps.tar
refused 'another epsilon' marian eps.tar 'norm_eps is 1e-05, expected 1e-06'
fit --preset story --arch src_eos=off -o end.tar
refused 'sources without an end' marian end.tar 'src_eos is off, expected on'
fit --preset fairseq --arch norm_eps=1e-6 -o hf-eps.tar
refused 'another epsilon of Hugging Face' hf hf-eps.tar 'norm_eps is 1e-06, expected 1e-05: FSMT'
fit --preset fairseq -a l0-gate:at=all,coef=0.1 -o gated.tar
while read -r setting why; do
	fit --preset fairseq --arch $setting -o new.tar; refused "$setting" hf new.tar "$why"
done <<END
head_width=4	head_width is 4, expected 0
score_scale=one	score_scale is one, expected sqrt
ff_gate=on	ff_gate is on, expected off
no_bias=on	no_bias is on, expected off
norm=rms	norm is rms, expected layer
output_scale=sqrt	output_scale is sqrt, expected one
positions=none	positions is none, expected halves
END
while read -r setting why; do
	arch=$(printf %s "$setting,$t5,tie=all" | awk -v RS=, -F = '!seen[$1]++ { printf "%s%s", comma, $0; comma = "," }')
	fit --preset fairseq --joint-vocab -a bucket-bias --arch $arch -o new.tar; refused "T5: $setting" hf new.tar "$why"
done <<END
norm=layer	norm is layer, expected rms
no_bias=off	no_bias is off, expected on
first=zero	first is zero, expected bos or eos
activation=gelu,ff_gate=on	activation is gelu, expected relu
tie=none	source and target embeddings differ
END
fit --preset fairseq --joint-vocab -a bucket-bias -a l0-gate --arch $t5,tie=all -o new.tar; refused 'T5: a second variant' hf new.tar 'attention variant bucket-bias, expected none'
echo bytes > seg; fit --preset story --spm seg -o new.tar; refused 'bytes for Marian' marian new.tar 'the model segments text into bytes, expected BPE codes'
fit --preset fairseq --joint-vocab -a bucket-bias -a l0-gate --arch $t5,tie=all -o new.tar
refused 'T5 for Marian' marian new.tar 'attention variant bucket-bias, expected none'
refused 'an attention variant' hf gated.tar 'attention variant l0-gate, expected none'
matches 'head-prune' err; say $? '... with the program that removes gates'
nmt-import -q --no-pg --first-src __en__ --first-tgt __de__ -o m2m-first.tar "$data/m2m"
refused 'a language for Marian' marian m2m-first.tar 'position_first is 2'
nmt-import -q --no-pg -o untied.tar "$data/untied"
refused 'learned positions for Marian' marian untied.tar 'positions is learned, expected halves'
runs nmt-import -q --no-pg --first-src a -o first.tar "$data/opus" && runs nmt-export --to marian -o first first.tar 2> err &&
    matches 'warning: every source begins with a: the input of Marian must begin with it' err
say $? 'a first token of sources is left to the user, with a warning'
# vocabularies in which the other toolkit cannot tell entries apart
# words PRESET TOKEN...: words.tar, a model of this preset whose source vocabulary has these entries
words() {
	preset=$1; shift
	{ echo '["heed",1,"sentence",{"fields":{"src":"str","src.pieces":"[str]","tgt":"str","tgt.pieces":"[str]"}}]'
	  for w; do printf '{"src":"%s","src.pieces":["%s","a"],"tgt":"a","tgt.pieces":["a"]}\n' "$w" "$w"; done
	  echo "[\"heed-end\",$#]"; } | heed-pack -j --no-pg > words.heed
	nmt-train -q -t 1 --size tiny --updates 1 --warmup 1 --preset $preset -o words.tar words.heed 2> err || sed 's/^/# /' err
}
words story '</s>'
refused 'an entry with the text of the end of a sentence' marian words.tar 'the source vocabulary has the entry </s>, expected no entry with'
words story '<unk>'
refused '... of unknown words' marian words.tar 'has the entry <unk>'
runs words story 'b' '<pad>' '<s>' && runs nmt-export --to marian -o named words.tar 2> err && matches '^"<pad>": [4-9]' named/vocab.src.yml
say $? '... but not of tokens that Marian does not have'
words fairseq 'b' '<pad>'
refused '... of padding' hf words.tar 'the source vocabulary has the entry <pad>'
words story '<s>' '<pad>' '<row-2>' '<row-3>'
refused 'an entry with the name of a row' marian words.tar 'has two entries that Marian writes as <row-'

# A folder with files of another model
nmt-export --to hf -o mixed bart.tar && cp -r mixed earlier; cp words.heed mixed/target_vocab.json; cp -r mixed before
got=0; nmt-export --to hf -o mixed mbart.tar 2> err || got=$?; that $got = 3 && equals before mixed &&
    matches 'mixed/target_vocab.json is of another model, expected no such file' err; say $? 'a file that this model does not have'
matches 'hint: remove it, or export to a new folder' err; say $? '... with a hint'
rm mixed/target_vocab.json; runs nmt-export --to hf -o mixed mbart.tar && equals mixed mbart; say $? '... is no problem once it is removed'
mv mixed/config.json real.json; ln -s ../real.json mixed/config.json; mv mixed linked; ln -s linked mixed
runs nmt-export --to hf -o mixed bart.tar && that -L mixed/config.json && equals mixed/ earlier; say $? 'links to the folder and to a file stay'
rm -rf mixed linked
if [ "${HEED_MODE:-release}" = release ]; then
	# breaks INJECT: an export over an earlier one, with this failure; the folder is that of one of both
	# models, or nothing that loads
	breaks() {
		rm -rf mixed; cp -r earlier mixed; got=0
		HEED_INJECT=$1 LD_PRELOAD=$HEED_BUILD/tests/inject/io.so nmt-export --to hf -o mixed mbart.tar 2> err || got=$?
		diff -r mixed earlier > out || diff -r mixed mbart > out || [ ! -e mixed/config.json ]
	}
	bad=0 k=0; while breaks write:$((k += 1)) || bad=1; [ $got = 4 ]; do diff -r mixed earlier > out || bad=1; done
	that $bad = 0 && that $k -gt 4; say $? "a full disk leaves the earlier model, in $((k - 1)) places"
	bad=0 k=0; while breaks kill:rename:$((k += 1)) || bad=1; [ $got = 137 ]; do :; done
	that $bad = 0 && that $k -gt 4; say $? "a kill leaves no mixture of two models that loads, in $((k - 1)) places"
	HEED_INJECT=write:2 LD_PRELOAD=$HEED_BUILD/tests/inject/io.so nmt-export --to hf -o fresh mbart.tar 2> err
	that $? = 4 && that ! -e fresh; say $? '... and no new folder'
fi
exits 4 'a folder that cannot be made' nmt-export --to hf -o nowhere/x fairseq.tar
exits 4 'a file in its place' nmt-export --to hf -o codes fairseq.tar
(trap '' XFSZ; ulimit -f 0; nmt-export --to hf -o full fairseq.tar 2>&1) | cat > err
matches 'cannot write full/[a-z_.]*: File too large' err; say $? 'the message names a file that is not written completely'; sed 's/^/# /' err
exits 2 'no form' nmt-export -o x fairseq.tar
exits 2 'no folder' nmt-export --to hf fairseq.tar
exits 2 'no model' nmt-export --to hf -o x
exits 2 'a form that is unknown' nmt-export --to onnx -o x fairseq.tar
exits 3 'a file that is no model' nmt-export --to hf -o x codes
# transformers 5 refuses integers in these settings, which it declares floats
for name in fsmt t5; do
	rm -rf one floats; cp -r "$data/$name" one; echo '{"length_penalty": 1}' > one/generation_config.json
	runs nmt-import -q -o floats.tar one && runs nmt-export --to hf -o floats floats.tar
	cat floats/config.json floats/generation_config.json | grep -E 'penalty|dropout|epsilon' > some
	matches 'length_penalty": 1\.0,' some && lacks "\": [0-9]*,$" some; say $? "$name: settings that are floats are written as floats"
done

echo "1..$n"
