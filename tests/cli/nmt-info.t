#!/bin/sh
# nmt-info and nmt-average: the printed facts of a model, and means of models.
. "$HEED_TOP/tests/lib.sh"
for p in onmt story bpe other; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done
tab=$(printf '\t')

plan 55
runs nmt-info onmt.tar > info; say $? 'a model is printed'
for line in "preset${tab}onmt" "step${tab}300" "config.width${tab}4" "config.pre_norm${tab}on" \
    "recipe.schedule${tab}noam" "attention${tab}plain" "bpe${tab}no" \
    "parameter${tab}dec.2.cross.kv.weight${tab}8x4${tab}32${tab}f32" "pg${tab}nmt-train 0.1.0 --size tiny"; do
	matches -x "$line" info; say $? "a line: $(echo "$line" | tr '\t' ' ')"
done
matches "^vocab.src${tab}10${tab}[0-9a-f]\{16\}\$" info; say $? 'a vocabulary has a size and a digest'
total=$(awk -F '\t' '$1 == "parameter" { n += $4 } END { print n }' info)
matches -x "parameters${tab}$total" info; say $? 'the total number of parameters is the sum of all parameters'

printf 'the\na\ndog\nman\nbites\nsees\n' > types
same '--vocabulary src prints the source vocabulary' types 'nmt-info --vocabulary src onmt.tar'
printf '#version: 0.2\nt h\nth e</w>\n' > codes
same '--codes prints the BPE codes' codes 'nmt-info --codes bpe.tar'
exits 3 '... a model without them is refused' nmt-info --codes onmt.tar
matches 'onmt.tar has no BPE codes' err; say $? '... by name'
exits 3 'a model without SentencePiece models' nmt-info --spm src onmt.tar
exits 2 'two models with --codes' nmt-info --codes bpe.tar bpe.tar
for o in '--check --codes' '--check --tensor none' '--check --vocabulary src' '--codes --tensor none'; do exits 2 "$o" nmt-info $o bpe.tar; done
exits 2 '--ops and --codes without a model' nmt-info --ops --codes
name=$(printf 'a\tb\nc.tar'); cp bpe.tar "$name"; nmt-info "$name" bpe.tar | grep -A 1 '^file' | sed -n '1p;$p' > out; head -n 1 out | matches -xF 'file	a\tb\nc.tar'; say $? 'a tab and a line feed in a file name'; rm "$name"
nmt-info --ops | matches "^attend${tab}"; say $? '--ops lists the operations'
runs nmt-info --check onmt.tar story.tar > out && that ! -s out
say $? '--check prints nothing for sound models'
head -c 20000 onmt.tar > cut.tar
exits 3 'a truncated model is refused' nmt-info --check cut.tar
head -c 30000 story.tar > cut2.tar
exits 3 '... and so is another one after it' nmt-info --check cut.tar onmt.tar cut2.tar
that "$(grep -c '^nmt-info: cut2*\.tar: model file is truncated: ' err)" = 2; say $? '... by name'
exits 4 '... and the worst fault gives the status' nmt-info --check nowhere.tar cut.tar
exits 3 'a text file is refused' nmt-info types
exits 4 'a missing file is a system error' nmt-info nowhere.tar
tar -tf onmt.tar 2> tar.err | head -n 1 | matches -x heed-model && that ! -s tar.err
say $? 'tar lists a model without warnings'

runs nmt-average --no-pg -o once.tar onmt.tar && runs nmt-average --no-pg -o same.tar onmt.tar onmt.tar onmt.tar && equals same.tar once.tar &&
    runs mkdir mean was && runs tar -xf same.tar -C mean && runs tar -xf onmt.tar -C was && equals mean/param was/param && that -d was/param
say $? 'the mean of three identical models is that model'
# numbers FILE: the elements of one parameter, one per line
numbers() { tar -xOf "$1" param/enc.2.self.qkv.weight | od -A n -t f4 -v | tr -s ' ' '\n' | grep .; }
nmt-average --no-pg -o mean.tar onmt.tar other.tar
numbers onmt.tar > a; numbers other.tar > b; numbers mean.tar > c
paste a b c | computes - '$1 == $2 { same++ } { d = ($1 + $2) / 2 - $3; if (d > 1e-6 || d < -1e-6) bad++ }
	END { exit NR != 48 || bad || same > 4 }'
say $? 'the mean of two models is the mean of their parameters'
nmt-average -o named.tar onmt.tar other.tar
nmt-info named.tar | matches -x "pg${tab}nmt-average .* -o named.tar onmt.tar other.tar"
say $? 'the provenance names nmt-average'
nmt-info --tensor enc.2.self.qkv.weight onmt.tar > rows
awk -F '\t' '{ if (NF != 4) exit 1; for (i = 1; i <= NF; i++) print $i }' rows | paste a - |
	awk '{ d = $1 - $2; if (d > 1e-7 || d < -1e-7) bad = 1 } END { exit bad || NR != 48 }'
r=$?; that $r = 0 && that "$(wc -l < rows)" = 12; say $? '--tensor prints the elements of a parameter, a line for each row'
exits 2 'an unknown parameter is refused' nmt-info --tensor enc.2.self.qkw.weight onmt.tar
matches 'onmt.tar: no parameter is called enc.2.self.qkw.weight' err && matches 'did you mean enc.2.self.qkv.weight' err
say $? '... with the nearest name'

# 8-bit integers
nmt-average --no-pg --i8 -o i8.tar onmt.tar && nmt-info i8.tar > stored
computes -F '\t' '$1 == "parameter" { good += $5 == ($3 ~ /x/ ? "i8" : "f32"); n++ } END { exit !n || good != n }' stored
say $? '--i8 stores matrices as 8-bit integers, and vectors in single precision'
cut -f 1-4 info | grep -v ^pg > before; cut -f 1-4 stored | grep -v ^pg | equals - before
say $? '... and everything else is the same'
# A row is stored as its scale, as f32, and 4 bytes.
tar -xOf i8.tar param/enc.2.self.qkv.weight > bytes
nmt-info --tensor enc.2.self.qkv.weight i8.tar | tr '\t' '\n' > rounded
od -A n -t d1 -v -w8 bytes | awk '{ print $5; print $6; print $7; print $8 }' | paste - rounded a | computes - '
	{ row = int((NR - 1) / 4); x[NR] = $3; r[NR] = $2; q[NR] = $1; size = $3 < 0 ? -$3 : $3; if (size > max[row]) max[row] = size }
	END { for (i = 1; i <= NR; i++) { s = max[int((i - 1) / 4)] / 127; d = r[i] - x[i]; e = r[i] - q[i] * s
		if (d * d > s * s * 0.2501 || e * e > s * s * 0.016) exit 1 }; exit NR != 48 }'
say $? '... a value is a byte times 1/127 of the largest in its row, within half of that'
nmt-average --no-pg --i8 -o again.tar i8.tar; equals i8.tar again.tar; say $? '... storing it again gives the same bytes'
runs nmt-average --no-pg -o full.tar i8.tar && nmt-info --tensor enc.2.self.qkv.weight full.tar | tr '\t' '\n' | equals - rounded
say $? 'without --i8, the same values are stored in single precision'
# Row 2 of 4 columns begins at byte 8: scales of 0, -0, the smallest subnormal number and 3e38
for scale in 0=00000000 -0=00000080 1.4013e-45=01000000 3e+38=e6b1617f; do
	perl "$HEED_TOP/tests/spoil.pl" i8.tar scale.tar element param/enc.2.self.qkv.weight 2 ${scale#*=}
	nmt-info --check scale.tar > out 2> err; that $? = 3 &&
	    matches "scale.tar: model file is damaged: param/enc.2.self.qkv.weight: the scale of row 2 is ${scale%=*}, expected" err
	say $? "a scale of ${scale%=*} is refused"
done
perl "$HEED_TOP/tests/spoil.pl" i8.tar scale.tar element param/enc.2.self.qkv.weight 2 00008000
exits 0 '... but not the minimum' nmt-info scale.tar
exits 3 '--check refuses a model whose digest is that of other values' nmt-info --check scale.tar
exits 3 'models with different settings are refused' nmt-average -o no.tar onmt.tar story.tar
matches 'story.tar: position.*, expected position.* as in onmt.tar' err
say $? '... and the first difference is named'
that ! -e no.tar; say $? '... and nothing is written'
exits 4 'a full disk is an error' nmt-average -o /dev/full onmt.tar
exits 2 'a missing operand is refused' nmt-average
