#!/bin/sh
# weights: every program that reads a model refuses NaN and infinite elements and names them; nothing is
# written if finite weights overflow; the message for an unreadable file says whether it is damaged,
# truncated or of a newer version.  The checksums of all these files are correct: tests/spoil.pl.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"

nan=0000c07f minus_nan=0000c0ff inf=0000807f minus_inf=000080ff large=ffff7f7f
printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
heed-pack --no-pg src > source.heed
for p in fairseq onmt story bpe witwicky; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done
spoil() { perl "$HEED_TOP/tests/spoil.pl" "$@" || exit 1; }

# refuses CODE TEXT COMMAND...: the command exits with CODE and its message has TEXT
refuses() {
	code=$1 text=$2; shift 2
	ends "$code" "$@" > out 2> err < /dev/null && matches -F -- "$text" err
}

# every TEXT MODEL: all programs that read models refuse this one, with TEXT in the message
every() {
	text=$1 m=$2 bad=0
	refuses 3 "$text" nmt-info --check $m || bad=1
	refuses 3 "$text" nmt-translate -q -m $m source.heed || bad=1
	refuses 3 "$text" nmt-score -q -m $m in.heed || bad=1
	refuses 3 "$text" nmt-average -o mean.tar ${m#bad.} $m || bad=1
	refuses 3 "$text" nmt-train -q --updates 1 --init $m -o new.tar in.heed || bad=1
	refuses 3 "$text" head-lrp -q -m $m in.heed || bad=1
	refuses 3 "$text" head-stat -q -m $m in.heed || bad=1
	refuses 3 "$text" head-map -m $m --site enc.1 in.heed || bad=1
	refuses 3 "$text" head-prune -m $m --heads enc-self:1.1 -o less.tar || bad=1
	that $bad = 0 && that ! -e mean.tar && that ! -e new.tar && that ! -e less.tar
}

plan 45

# --- any tensor ---
bad=0 tried=0
for value in $nan $minus_inf; do
	nmt-info story.tar | awk -F '\t' '$1 == "parameter" { print $2, $4 - 1 }' > tensors
	while read -r tensor last; do
		spoil story.tar x.tar element "param/$tensor" "$last" $value
		refuses 3 "nmt-info: x.tar: param/$tensor: element " nmt-info x.tar || bad=1
		tried=$((tried + 1))
	done < tensors
done
that $bad = 0 && that $tried = 144; say $? 'every tensor is checked to its last element'

# --- any program ---
while read -r model tensor index place value word; do
	spoil $model.tar bad.$model.tar element param/$tensor $index $value
	every "bad.$model.tar: param/$tensor: element $place is $word, expected a finite number" bad.$model.tar
	say $? "all programs refuse $word in $tensor"
done <<END
fairseq src.embed.weight 39 10,4 $nan nan
fairseq enc.1.self.norm.gain 1 2 $inf inf
fairseq dec.2.ff.out.bias 3 4 $minus_nan nan
onmt tgt.embed.weight 0 1,1 $minus_inf -inf
onmt enc.2.self.qkv.weight 47 12,4 $nan nan
onmt dec.1.cross.kv.weight 5 2,2 $inf inf
onmt enc.1.ff.in.weight 11 3,4 $minus_nan nan
story enc.1.self.out.bias 0 1 $nan nan
story dec.1.self.qkv.bias 11 12 $inf inf
story dec.2.cross.q.weight 6 2,3 $minus_inf -inf
story dec.2.ff.norm.bias 2 3 $nan nan
witwicky enc.2.ff.norm.gain 3 4 $nan nan
witwicky dec.1.cross.out.weight 15 4,4 $inf inf
witwicky dec.2.self.norm.gain 0 1 $minus_inf -inf
witwicky enc.1.self.qkv.bias 4 5 $minus_nan nan
END

# --- parsers and checkpoints ---
awk -v n=20 -v seed=1 -v what=conllu -f "$HEED_TOP/tests/data/trees.awk" > train.conllu
awk -v n=3 -v seed=2 -v what=tokens -f "$HEED_TOP/tests/data/trees.awk" > dev.tokens
learn="parse-train -q --arch word_width=4,feature_rows=8,width=4,heads=1,layers=1,ff=4,hidden=4"
$learn --i8 --updates 2 -o i8.tar train.conllu
$learn --updates 2 --checkpoint parser.cp -o f32.tar train.conllu
nmt-info i8.tar | grep -q '^parameter' && nmt-info f32.tar |
	awk -F '\t' '$1 == "parameter" { print $2; exit }' > first
first=$(cat first)
spoil f32.tar bad.tar element "param/$first" 1 $nan
refuses 3 "bad.tar: param/$first: element 1,2 is nan" parse -q -m bad.tar --tokens --to conllu dev.tokens
say $? 'parse refuses NaN'
spoil i8.tar bad.tar element "param/$first" 0 $inf
refuses 3 "bad.tar: param/$first: element 1," parse -q -m bad.tar --tokens --to conllu dev.tokens
say $? '... and an infinite scale of int8 weights'
refuses 3 "bad.tar: param/$first: element 1," nmt-info bad.tar; say $? 'so does nmt-info'
for member in adam/m adam/v; do
	cp parser.cp bad.cp; spoil parser.cp bad.cp element $member 2 $nan
	refuses 3 "bad.cp: $member/$first: element 1,3 is nan" \
		$learn --updates 2 --checkpoint bad.cp -o x.tar train.conllu
	say $? "parse-train does not resume from NaN in $member"
done
pairs 30 1 few
toy -s 3 -c codes --updates 2 --checkpoint good.cp -o x.tar few.heed
for member in adam/m adam/v; do
	spoil good.cp bad.cp element $member/enc.1.self.out.weight 33 $inf
	refuses 3 "bad.cp: $member/enc.1.self.out.weight: element 2,2 is inf" \
		toy -s 3 -c codes --updates 3 --checkpoint bad.cp -o x.tar few.heed
	say $? "nmt-train does not resume from an infinity in $member"
done

# --- overflow: 3.4e38 is finite, its square is not ---
cp story.tar large.tar
for tensor in src.embed.weight tgt.embed.weight; do
	for i in $(seq 0 39); do spoil large.tar x.tar element param/$tensor $i $large; mv x.tar large.tar; done
done
runs nmt-info --check large.tar; say $? 'a large weight is accepted'
rm -f out.*
for program in 'nmt-score -q' 'head-stat -q' 'head-stat -q --measure gradient' 'head-stat -q --measure ablation' 'head-lrp -q' \
    'nmt-translate -q' 'head-map --site enc.1 --to tsv'; do
	refuses 3 'record 1' $program -m large.tar -o out.x in.heed && that ! -e out.x
	say $? "$program writes nothing after an overflow"
done
runs nmt-average -o mean.tar large.tar large.tar && runs nmt-info --check mean.tar
say $? 'means do not overflow'
# Scores of -1e9 and beyond have the probability 0; the sanitizer reports an integer overflow in exp().
spoil story.tar steep.tar element param/dec.1.cross.norm.gain 3 286b6ece
exits 0 'very different attention scores' nmt-score -q -m steep.tar -o steep.heed in.heed

# --- why a file cannot be read ---
version=$(cat "$HEED_TOP/VERSION")
newer() { refuses 3 "bad.tar: model file is of a newer version: $1" nmt-info bad.tar &&
	grep -qF "hint: written by ${2:-nmt-train 0.1.0}; this is version $version" err; }

# v.tar as a later version might have written it
later=$(echo "$version" | tr 0-9 9)
nmt-train -q --precision fp32 --size tiny -c codes -a localness --updates 1 -o v.tar few.heed
spoil v.tar 9.tar map "nmt-train $version" "nmt-train $later"
while read -r old new what; do
	spoil 9.tar bad.tar map "$old" "$new"
	runs newer "$what" "nmt-train $later"; say $? "of a newer version: $what"
done <<END
localness locallest unknown attention variant 'locallest'
window= windoo= attention localness at enc.1.self: unknown setting 'windoo'
positions=halves positions=rotary config: positions: 'rotary', expected one of halves, interleaved
max_length= max_heights config: unknown setting 'max_heights
schedule=inverse_sqrt schedule=inverse_cube recipe: schedule: 'inverse_cube', expected one of
\\xa6format\\x01 \\xa6format\\x02 model format 2, this program reads 1
attention.version\\x91\\x01 attention.version\\x91\\x02 attention localness has version 2, expected 1
END
nmt-train -q --no-pg --precision fp32 --size tiny -c codes -a localness --updates 1 -o v.tar few.heed
spoil v.tar bad.tar map localness locallest
refuses 3 'model file is of a newer version' nmt-info bad.tar &&
	matches "hint: this is version $version" err
say $? '... without the writer if there is no provenance'
spoil v.tar bad.tar map max_length=1024 max_length=0001
refuses 3 "bad.tar: model file is damaged: config: max_length: '0001', expected an integer from 2" nmt-info bad.tar
say $? 'one position is too few'
spoil v.tar two.tar map max_length=1024 max_length=0002
nmt-translate -q -m two.tar --search fairseq --too-long cut few.heed 2> /dev/null | runs heed-show -f hyp > out && that -s out
say $? '... for a search, which may read two'
spoil i8.tar bad.tar map 'word_width' 'word_depth'
refuses 3 "model file is of a newer version: config: unknown setting 'word_depth'" nmt-info bad.tar
say $? 'the same for parsers'
spoil good.cp bad.cp element train 2 "$(printf 'in 2' | od -An -tx1 | tr -d ' \n')"
refuses 3 'bad.cp: training state of another version, expected 1' \
	toy -s 3 -c codes --updates 3 --checkpoint bad.cp -o x.tar few.heed
say $? '... and for a checkpoint'
