#!/bin/sh
# nmt-score: scores and weights equal those of an independent implementation (golden files, made with
# loops over single sentences in NumPy, in double precision), with any threads, batches and streams.
. "$HEED_TOP/tests/lib.sh"
golden=$HEED_TOP/tests/golden/nmt-score

printf 'the dog bites a man\na man sees\nthe\n\nman bites the the zebra\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n\nmann beisst der der\n' > tgt
heed-pack --no-pg src tgt > in.heed
for p in fairseq onmt witwicky story bpe; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done


plan 96
for p in fairseq onmt witwicky story; do
	nmt-score -m $p.tar in.heed 2> warnings | heed-show -f score,score.tokens > found
	near 2e-4 "$golden/$p.txt" found; say $? "$p: the scores are those of the golden file"
done

nmt-score -m story.tar --attention-weights in.heed > att.heed
runs heed-check att.heed > /dev/null; say $? 'the stream with attention weights is complete'
nmt-score -q -m story.tar att.heed | heed-show | matches '"att.cross.1":'; say $? '... which a second run of the model keeps'
runs nmt-score -q -m onmt.tar att.heed > other.heed && heed-show other.heed | lacks '"att\.' && runs heed-check -q other.heed
say $? '... and one of another model removes'
nmt-score -q -m story.tar --precision int8 att.heed | heed-show | lacks '"att\.'; say $? '... and one of another precision'
heed-show att.heed | sed '1s/"score.precision":"fp32",*//' | heed-pack -q -j -o early.heed
nmt-score -q -m story.tar --precision int8 early.heed | heed-show | matches '"att.cross.1":'; say $? '... unless its header names no precision, as those of older versions'
while read -r name numbers; do
	field=$(echo "$name" | awk -F . '{ print $3 == "cross" ? "att.cross." $2 : "att." $1 "-self." $2 }')
	heed-show -f "$field" att.heed | sed -n 2p > found
	echo "$numbers" > expected
	near 2e-4 expected found; say $? "$field: the weights are those of the golden file"
done < "$golden/story-attention.txt"

nmt-score --no-pg -m onmt.tar in.heed > one
nmt-score --no-pg -m onmt.tar -t 2 in.heed > two
equals one two; say $? 'two threads give the same bytes'
nmt-score --no-pg -m onmt.tar --batch-tokens 1 in.heed | heed-show -f score,score.tokens > found
near 2e-4 "$golden/onmt.txt" found; say $? 'batches of one sentence give the same scores'
nmt-score --no-pg -m onmt.tar --backend reference in.heed | heed-show -f score,score.tokens > found
near 2e-4 "$golden/onmt.txt" found; say $? 'the reference back end gives the same scores'
# reduced PRECISION ALIKE NEAR: relative bounds, squared, between back ends and to fp32
reduced() {
	for b in reference native; do
		nmt-score -m onmt.tar --precision "$1" --backend $b in.heed | heed-show -f score > "$1.$b"
	done
	nmt-score -m onmt.tar --precision "$1" in.heed | heed-show -H | matches "\"score.precision\":\"$1\""
	say $? "$1 is in the header"
	paste "$1.reference" "$1.native" | computes - -v bound="$2" 'NR > 1 { d = $1 - $2; if (d * d > bound * $1 * $1) bad = 1 }
		END { exit bad || NR < 3 }'
	say $? "$1 gives the same scores in every back end"
	heed-show -f score one | paste - "$1.native" | computes - -v bound="$3" '
		NR > 1 { d = $1 - $2; if (d * d > bound * $1 * $1) bad = 1; if (d) other = 1 } END { exit bad || !other }'
	say $? '... which are near those of fp32, but different'
}
reduced bf16 1e-4 1e-2
reduced int16 1e-10 1e-6
reduced int8 1e-4 1e-2
nmt-average --i8 -o i8.tar onmt.tar
nmt-score -m i8.tar in.heed | heed-show -f score,score.tokens > found
nmt-score -m onmt.tar --precision int8 in.heed | heed-show -f score,score.tokens | equals found -
say $? 'a model that is stored as 8-bit integers is scored in int8'
nmt-score --no-pg -m onmt.tar < in.heed > three
equals one three; say $? 'standard input gives the same bytes as a file'
awk '{ a[NR] = $0 } END { for (i = NR; i; i--) print a[i] }' src > backwards
heed-pack --no-pg backwards tgt > swapped.heed
nmt-score --no-pg -m onmt.tar --mask-heads cross:all in.heed | heed-show -f tgt,score.tokens > found
nmt-score --no-pg -m onmt.tar --mask-heads cross:all swapped.heed | heed-show -f tgt,score.tokens |
	equals found -
say $? 'without encoder-decoder attention the scores do not depend on the source'
nmt-score --no-pg -m onmt.tar swapped.heed | heed-show -f tgt,score.tokens | cmp -s found -
that $? = 1
say $? '... and with it they do'
heed-show -f id,src,tgt in.heed > before
heed-show -f id,src,tgt one > after
equals before after; say $? 'other fields pass through unchanged and in order'

heed-pack --no-pg tgt src > exchanged.heed
nmt-score -m onmt.tar exchanged.heed > /dev/null 2> err
matches "13 of 13 source tokens are not in the model's vocabulary" err
say $? 'a warning about unknown tokens'
for by in 'nmt-translate -q' 'head-stat -q --target ref' 'head-lrp -q --target ref' 'head-lrp -q' \
	'head-map --to html --id 1,2,3,4,5'; do
	$by -m onmt.tar exchanged.heed > /dev/null 2> err
	that "$(grep -c '13 of 13 source tokens are not in' err)" = 1; say $? "... by $by, too"
done
for by in nmt-score nmt-translate head-stat head-lrp; do $by -q -m onmt.tar in.heed; done 2> err > \
	/dev/null
that ! -s err; say $? '... which does not appear for a few unknown tokens'
# The training pairs are a -> x and b -> x, so a and b are in the joint vocabulary and masked in the
# output.  The targets are x, b x and b: seven tokens with their end tokens.
echo '#version: 0.2' > none
words() { printf '%s\n' $1 > w.src; printf "$2" > w.tgt; heed-pack --no-pg w.src w.tgt | bpe-apply -c none; }
words 'a b' 'x\nx\n' > seen.heed
words 'a b a' 'x\nb x\nb\n' > unseen.heed
nmt-train -q -t 1 --preset witwicky --size tiny --updates 1 -o masked.tar seen.heed
nmt-score -q -m masked.tar unseen.heed 2> err | heed-show -f score > found
that "$(sed 's/-[0-9.]*$/finite/; s/.*-inf.*/infinite/' found | paste -s -d ' ' -)" = 'finite infinite infinite'
say $? 'a target token that the output mask excludes has no finite log-probability'
that "$(cat err)" = "nmt-score: warning: unseen.heed: the model's output mask excludes 2 of 7 target tokens: their log-probability is -inf"
say $? '... and a warning has their number'
printf 'b\na\nb\n' > other; heed-paste --text corrupted.pieces=other unseen.heed > both.heed; mv both.heed unseen.heed
for by in 'head-stat -q --target ref --measure ablation' 'head-stat -q --target ref --measure gradient' \
	'head-stat -q --target ref --patch noise' 'head-find -q --what sink'; do
	$by -m masked.tar unseen.heed 2> err > /dev/null
	that "$(grep -c "unseen.heed: the model's output mask excludes 2 of 7 target tokens: left out of the loss" err)" = 1
	say $? "... by $by, too"
done
for by in 'head-stat -q --target ref' 'head-lrp -q --target ref'; do $by -m masked.tar unseen.heed; done 2> err > /dev/null
that ! -s err; say $? '... which does not appear if no loss depends on them'
words a 'b\n' > none.heed
exits 3 'a gradient is refused if every target has an excluded token' \
	head-stat -q --target ref --measure gradient -m masked.tar none.heed
matches 'none.heed: .* excludes tokens of every target' err; say $? '... and the message says why'
perl "$HEED_TOP/tests/spoil.pl" masked.tar all.tar element mask/tgt 0 00000001 && echo a | heed-paste --text corrupted.pieces=/dev/stdin none.heed > both.heed
exits 3 '... and patching if every token is excluded' head-stat -q --target ref --patch noise -m all.tar both.heed
matches 'both.heed: .* excludes all target tokens' err; say $? '... and the message says why'
exits 2 'a missing --model is refused' nmt-score in.heed
exits 3 'a stream without subwords is refused by a model with BPE codes' \
	nmt-score -m bpe.tar in.heed
matches 'src.pieces' err && matches 'bpe-apply' err
say $? '... and the message names the field and the program that adds it'
awk 'BEGIN { for (i = 0; i < 30; i++) printf "the "; print "" }' > long
heed-pack --no-pg long long > long.heed
exits 3 'a sentence longer than the model accepts is refused' nmt-score -m onmt.tar long.heed
matches 'record 1 (id 1): src has 30 tokens, expected at most 16' err
say $? '... and the message has its number and length'
head -c 200 in.heed > cut.heed
exits 3 'a truncated stream is refused' 'nmt-score -m onmt.tar cut.heed > out.heed'
exits 3 '... and so is the output of it' heed-check out.heed
exits 4 'a full disk is an error' 'nmt-score -m onmt.tar in.heed > /dev/full'

# The progress line, which only a terminal shows: its total is the number of records, unless the input is a pipe.
if command -v script > /dev/null; then
	records=$(heed-show -f id in.heed | wc -l)
	script -qec 'nmt-score -m story.tar -o shown.heed in.heed' /dev/null < /dev/null > line
	matches "/$records sentences, .* 0:00:0[0-9] elapsed" line; say $? 'progress has the total and the elapsed time'
	mkfifo pipe; cat in.heed > pipe & script -qec 'timeout 20 nmt-score -m story.tar -o piped.heed pipe' /dev/null < /dev/null > line; wait
	matches '[0-9] sentences, .* elapsed' line && lacks '/[0-9]* sentences' line; say $? '... of a pipe without total'
	heed-show piped.heed | runs grep -v '"pg"' > piped && heed-show shown.heed | grep -v '"pg"' | equals - piped; say $? '... and all of it is read'
else
	for i in 1 2 3; do n=$((n + 1)); echo "ok $n - progress # SKIP no script(1)"; done
fi

# Attachment scores of the first heads, computed once more from the attention weights.
. "$HEED_TOP/tests/train.sh"
pairs 60 3 text
heed-pack --no-pg text.en text.xx | parse -q --control random | parse -q --control random --side tgt |
	bpe-apply --no-pg -c codes > trees.heed
toy -c codes -a dbsa:enc=1,dec=1 --updates 60 -o tree.tar trees.heed
nmt-score -q -m tree.tar --attention-weights trees.heed > weights.heed
for side in 'src 0 enc-self' 'tgt 1 dec-self'; do
	set -- $side
	printf 'uas.%s\t' $1
	heed-show -f $1.heads,$1.word,att.$3.1 weights.heed | awk -v causal=$2 -f "$HEED_TOP/tests/data/uas.awk"
done > want
nmt-score -q -m tree.tar --uas trees.heed > found 2> err
equals want found && that ! -s err && awk '{ if ($2 < 5 || $2 > 99) bad = 1 } END { exit bad || NR != 2 }' found; r=$?
say $r 'attachment scores are those of the attention weights'; that $r = 0 || diff want found | sed 's/^/# /'
toy -c codes -a dbsa:enc=1,dec=1,align=input --updates 60 -o input.tar trees.heed
nmt-score -q -m input.tar --attention-weights trees.heed > weights.heed
uas() { heed-show -f tgt.heads,tgt.word,att.dec-self.1 weights.heed |
	awk -v causal=1 -v shift=$1 -f "$HEED_TOP/tests/data/uas.awk"; }
nmt-score -q -m input.tar --uas trees.heed | sed -n 's/^uas.tgt	//p' > found
uas 1 | equals - found && ! uas 0 | equals - found; r=$?
say $r '... of align=input, those of the positions that read the subwords'; that $r = 0 || { uas 1; uas 0; cat found; } | sed 's/^/# /'
sh "$HEED_TOP/src/papers/uas.sh" . . > facts 2> err; that $? != 0; say $? '... not without a model'
mkdir -p run; cp tree.tar run/model.tar; cp trees.heed run/dev.heed
sh "$HEED_TOP/src/papers/uas.sh" run run 2> err | equals want -; say $? '... which a run of the pipeline records'
nmt-score -m tree.tar --uas text.heed > found 2> err; r=$?
that $r = 0 && that ! -s found && matches 'src.heads and src.word' err; say $? 'without trees there is no score, but a warning'
exits 2 'attachment scores replace the stream' nmt-score -m tree.tar --uas --attention-weights trees.heed
exits 2 '... and need whole sentences' nmt-score -m tree.tar --uas --too-long cut trees.heed

# A model with first tokens, which are no part of the record.
data=$HEED_TOP/tests/data/import; . "$HEED_TOP/tests/imported.sh"
nmt-import -q --no-pg --first-src __en__ --first-tgt __de__ -o m2m.tar "$data/m2m"
given m2m > m2m.in; nmt-score -q -m m2m.tar --alignment m2m.in > m2m.heed
heed-show -f src.pieces,tgt.pieces m2m.in > before; heed-show -f src.pieces,tgt.pieces m2m.heed | equals - before
say $? 'a model with first tokens leaves the subwords as they are'
heed-show -f score,score.tokens m2m.heed | tr -d '[]' | computes - -F '\t' '{ n = split($2, x, ","); s = 0; for (i = 2; i <= n; i++) s += x[i]
	if ((s - $1) ^ 2 > 1e-8) bad = 1 } END { exit bad || NR != 6 }'; say $? '... and no score of the first token is in the total'
# numbered: the same with src.word and tgt.word that number the subwords
heed-show m2m.in | perl -MJSON::PP -ne 'my $r = decode_json($_);
	if (ref $r eq "HASH") { $r->{"$_.word"} = [0 .. $#{ $r->{"$_.pieces"} }] for qw(src tgt) }
	else { $r->[3]{fields}{"$_.word"} = "[int]" for $r->[0] eq "heed" ? qw(src tgt) : () } print encode_json($r), "\n"' |
    heed-pack -q -j > numbered.heed
nmt-score -q -m m2m.tar --alignment numbered.heed | heed-show -f alignment > want
heed-show -f alignment m2m.heed | equals - want && that -s want; say $? '... and without words, subwords have the same links as words'
# sides of the length that fits, and longer, with and without the first token
sides() { # N...: a stream of sources of N times a, after the first token if N begins with +
	echo '["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]"}}]'
	for k; do echo "$k" | perl -MJSON::PP -ne 'chomp; my $own = s/^\+//;
		print encode_json({ "src.pieces" => [$own ? "__en__" : (), ("a") x $_], "tgt.pieces" => ["a"] }), "\n"'; done
	echo "[\"heed-end\",$#]"
}
sides 97 98 +97 +98 99 +99 | heed-pack -q -j > long.heed
nmt-score -q -m m2m.tar --too-long cut long.heed 2> err | heed-show -f src.cut | sed 's/^-$//' | paste -s -d ' ' > found
that "$(tr -s ' ' < found)" = ' 98 99' && that "$(grep -c ': cut$' err)" = 2; say $? '... src.cut is the number of subwords of the record that remain'
if nmt-info --spm src m2m.tar > m2m.spm 2> err && ! bpe-apply --text --spm m2m.spm < /dev/null > out 2> err; then
	say 0 '... by nmt-translate, too # SKIP this build has no libsentencepiece'
else
	nmt-translate -q -m m2m.tar --max-extra 2 --max-ratio 0 --too-long cut long.heed 2> err | heed-show -f src.cut | sed 's/^-$//' | paste -s -d ' ' | equals - found
	say $? '... by nmt-translate, too'
fi
head-lrp -q --tokens --target ref -m m2m.tar --too-long cut long.heed 2> err > lrp.heed; heed-show -f src.cut lrp.heed | sed 's/^-$//' |
    paste -s -d ' ' | equals - found; say $? '... and by head-lrp'
for i in 1 2 3 4 5 6; do echo 0-0; done > gold; runs align-score -r gold lrp.heed > out 2> err; say $? '... whose relevance fits'
for i in 1 2 3 4 5 6; do head-map -m m2m.tar --too-long cut --to tsv --site cross.1 --id $i long.heed 2> err | tail -n 1; done |
    cut -f 3,5 | tr '\t' ' ' | paste -s -d ' ' | matches -x '99 </s> 100 </s> 99 </s> 100 </s> 100 </s> 100 </s>'; say $? '... and by head-map, in whose maps the end stays'
echo "$(awk 'BEGIN { printf "c"; for (i = 0; i < 1022; i++) printf " a" }')" > text.en; heed-pack -q text.en text.en > text.heed
nmt-import -q --no-pg --first-src c -o pre.tar "$data/pre"
nmt-score -q -m pre.tar --too-long cut text.heed 2> err | heed-check > out 2> err; r=$?
that $r = 0 && that ! -s err; say $? '... and texts do not become subwords'
runs nmt-translate -q -m pre.tar --max-ratio 0 --max-extra 1 text.heed 2> err > /dev/null && that ! -s err
say $? 'a text that begins with the first token has as much room as subwords'

# --- the languages of streams and models
heed-show -f src in.heed | grep . > l.en; heed-show -f tgt in.heed | grep . > l.de
heed-pack --no-pg l.en l.de > known.heed; heed-pack --no-pg --languages none l.en l.de > unknown.heed; heed-pack --no-pg l.de l.en > exchanged.heed
to_pieces() { bpe-learn -q --text --merges 9 l.en l.de > l.codes 2> /dev/null; for f in known unknown exchanged; do
	bpe-apply --no-pg -c l.codes < $f.heed > l.$f.heed; done; }
to_pieces
learn() { nmt-train -q -t 1 --no-pg --arch enc_layers=1,dec_layers=1,width=8,ff=8,heads=2,tie=all --warmup 0 --updates 1 "$@" 2> err; }
runs learn -o known.tar l.known.heed && that ! -s err && nmt-info known.tar | grep language | tr '\n\t' '  ' | matches -x 'language.src en language.tgt de '
say $? 'a model has the languages of its training data'
runs learn -o unknown.tar l.unknown.heed && nmt-info unknown.tar | lacks language; say $? '... if they are known'
digest() { nmt-score -q -m "$1" l.unknown.heed | heed-show -H - | sed 's/.*"score.model":"\([^"]*\).*/\1/'; }
that "$(digest known.tar)" = "$(digest unknown.tar)"; say $? '... which do not change its digest'
for by in 'nmt-score -q' 'nmt-translate -q' 'head-stat -q --target ref' 'head-map --to html --id 1'; do
	$by -m known.tar l.exchanged.heed > /dev/null 2> err
	matches 'warning: l.exchanged.heed: the language of the source is de, expected en, that of the model$' err
	say $? "$by warns of other languages"
done
nmt-score -q -m known.tar l.exchanged.heed 2> err > /dev/null; matches 'source and target seem to be exchanged' err; say $? '... and of exchanged sides'
for pair in 'known l.unknown' 'unknown l.exchanged' 'known l.known'; do
	nmt-score -q -m "${pair% *}.tar" "${pair#* }.heed" 2> err > /dev/null; that ! -s err; say $? "... but not for $pair"
done
learn --dev l.exchanged.heed -o x.tar l.known.heed; matches 'l.exchanged.heed: the language of the target is en, expected de' err
say $? 'nmt-train warns of other languages in --dev'
learn --init known.tar -o x.tar l.exchanged.heed; matches 'l.exchanged.heed: the language of the source is de' err; say $? '... and other than those of --init'
nmt-info x.tar | matches '^language.src	de$'; say $? '... and stores those of the training data'
learn --init known.tar -o x.tar l.unknown.heed; nmt-info x.tar | matches '^language.src	en$' && that ! -s err; say $? '... or those of --init'
head-prune -m known.tar --heads enc-self.1:1 -o pruned.tar 2> /dev/null; nmt-info pruned.tar | matches '^language.tgt	de$'; say $? 'a pruned model keeps them'
parse -t 1 exchanged.heed 2>&1 > /dev/null | matches 'exchanged.heed: the language of src is de, expected en, that of the parser$'; say $? 'parse compares them with its parser'
that -z "$(parse -t 1 --side tgt exchanged.heed 2>&1 > /dev/null | grep language)"; say $? '... on the side that it parses'
