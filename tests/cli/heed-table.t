#!/bin/sh
# heed-table: values computed by hand, verdicts, the format of grids.
. "$HEED_TOP/tests/lib.sh"
plan 274

cat > toy.grid <<'END'
# a paper
section table1 BLEU
columns  WMT16.en-de WMT16.en-cs parameters:WMT16.en-de test.nll:-
plain -     25.0 15.0 71.5 -  Transformer
good  plain 25.5 15.3 71.6 -  +Good
bad   plain 25.9 -    -    -  +Bad
split plain -    -    -    -  Ours | split
flat  plain 25.3 -    -    -  Flat
wide  plain 25.4 -    -    -  Wide

section sizes BLEU by size
scope sizes
columns  IWSLT.de-en@10k IWSLT.de-en@80k
plain -  9.23 27.58   Base

section claims Claims of the paper
columns -
good   plain      - Good is better
bad    plain      - Bad is better
split  plain      - Split is better
flat   plain      - Flat is better

section claims-more More claims, adjusted together with the others
test sign
columns -
wide   plain      - Wide is better
good   plain,gone - Good is best
single plain      - One run
gone   plain      - Without runs
END

engine=$(sed -n 's/^#define HEED_ENGINE //p' "$HEED_TOP/common/model/engine.h")
# run VARIANT SEED NLL BLEU [COLUMN PAIRS]: a record
run() {
	column=${5:-toy.en-de}
	mkdir -p runs
	printf '%s\t%s\n' paper toy column "$column" variant "$1" seed "$2" test.nll "$3" bleu "$4" \
	    parameters 1234567 epochs "2$2.4" engine $engine commit c0ffee pairs.train "${6:-2000}" > "runs/$1.$2.$column"
}
# variant VARIANT NLL BLEU ...: records of seeds 1, 2, ...
variant() {
	variant=$1 seed=0
	shift
	while [ $# -gt 0 ]; do
		run $variant $((seed += 1)) $1 $2
		shift 2
	done
}
# entry VARIANT SEED BETTER WORSE: the run with the statistics of twelve sentences; BETTER of them match 6 of 10
# words, WORSE of them 4, the others 5.  With 9, 8 and 7 n-grams of higher orders in each sentence, of which 3, 2 and 1
# match, BLEU is the geometric mean of the precisions; chrF has 5 to 0 matches of 9 to 4, and sacreBLEU always 5 of 10.
entry() {
	mkdir -p "entries/$1.$2"
	awk -F '\t' -v OFS='\t' -v match_1=$((60 + $3 - $4)) 'function bleu(m) { return 100 * (m / 120 * 3 / 9 * 2 / 8 * 1 / 7) ^ .25 }
	    $1 == "bleu" { $2 = sprintf("%.6f", bleu(match_1)) } $1 == "test.nll" { $2 = 2.05 } 1
	    END { print "sacrebleu", sprintf("%.6f", bleu(60)); print "chrf", sprintf("%.6f", 100 * (5/9 + 4/8 + 3/7 + 2/6 + 1/5 + 0) / 6) }' \
	    "runs/$1.$2.toy.en-de" > "entries/$1.$2/record"
	awk -v better=$3 -v worse=$4 'BEGIN {
		s = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:x"
		printf "[\"heed\",1,\"sentence\",{\"fields\":{\"hyp\":\"str\",\"nll\":\"float\",\"tokens\":\"int\","
		printf "\"bleu\":\"[int]\",\"sacrebleu\":\"[int]\",\"chrf\":\"[int]\"},\"bleu\":\"%s\",\"sacrebleu\":\"%s\",\"chrf\":\"%s\"}]\n", s, s, s
		for (i = 1; i <= 12; i++) {
			m = i <= better ? 6 : i <= better + worse ? 4 : 5
			printf "{\"hyp\":\"x\",\"nll\":20.5,\"tokens\":10,\"bleu\":[10,10,%d,3,2,1],", m
			print "\"sacrebleu\":[10,10,5,3,2,1],\"chrf\":[9,9,5,4,3,2,1,0]}"
		}
		print "[\"heed-end\",12]"
	}' | heed-pack --json --no-pg -o "entries/$1.$2/sentences.heed.zst"
}
variant plain 2.00 36.0 2.02 36.2 1.99 35.9 2.01 36.1 2.00 36.0
variant good 1.95 36.9 1.96 37.3 1.935 36.8 1.955 37.2 1.95 36.9
variant bad 2.06 35.0 2.08 35.1 2.045 35.1 2.075 35.0 2.06 35.2
variant split 1.96 35.5 1.97 35.9 1.935 35.2 1.965 35.5 1.96 35.7
variant flat 2.001 36.1 2.018 36.1 1.992 36.0 2.009 36.0 2.001 36.1
variant wide 1.90 37.0 2.05 36.0 1.99 36.5 2.06 35.9 1.96 36.6
variant single 1.9 37
three() { echo runs/*.[123].toy.en-de; }
table() { heed-table -g toy.grid "$@"; }

# --- tables ---
table $(three) > all.tsv
# field VARIANT MEASURE NAME: one field of a row
field() {
	awk -F '\t' -v v="$1" -v m="$2" -v name="$3" \
	    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	     $3 == v && $7 == m { print $at[name] }' all.tsv
}
is() {
	got=$(field "$1" "$2" "$3")
	that "$got" = "$4"
	say $? "$1, $2: $3 $4"
}
is plain bleu runs 3
is plain bleu mean 36.03
is plain bleu deviation 0.15
is plain bleu paper 25.00
is good bleu difference +0.97
is good bleu "paper's difference" +0.50
is good bleu 'paper column' WMT16.en-de
is good bleu mark †
is bad bleu mark ‡
is flat bleu mark ''
is good test.nll mark †
is bad test.nll mark ‡
matches 'parameters	3	1.235' all.tsv; say $? 'parameters are in millions'
mkdir larger
for s in 1 2 3; do cp runs/plain.$s.toy.en-de larger/plain.$s; sed 's/1234567/2345678/' runs/good.$s.toy.en-de > larger/good.$s; done
table larger/* | awk -F '\t' '$3 == "good" && $7 == "parameters" { print $14, "[" $18 "]" }' > found
that "$(cat found)" = '+1.111 []'; say $? 'more parameters are neither better nor worse'
table --to brief runs/plain.1.* runs/good.[12].* | cut -f 1,2 > brief
matches '^Transformer	36.00¹$' brief && matches '^+Good	37.10 ± 0.28$' brief
say $? 'a row with one seed is marked with ¹'

# --- claims: numbers by SciPy 1.10 (ttest_1samp, t, nct), Holm's method by hand ---
# claim NAME FILES: its line in tsv: difference, interval, detectable, p, p of Holm, level
claim() {
	of=$1
	shift
	for part in claims claims-more; do table --section $part "$@"; done |
	    awk -F '\t' -v c="$of" '$2 == c && $5 == "yes"'
}
says() {
	got=$(claim "$1 is better" $files | cut -f "$2")
	that "$got" = "$(printf -- "$3")"; r=$?
	say $r "$1: $(printf -- "$3" | tr '\t' ' ')"
	[ $r = 0 ] || echo "# $got"
}
files=$(three)
says Good 10-13,14-20 '-0.0550\t-0.0674\t-0.0426\t0.0283\t0.0027\t0.0110\t0.0167\t+0.97\t+0.68\t+1.25\t0.65'
says Bad 10-13,14-20 '+0.0583\t+0.0512\t+0.0655\t0.0164\t0.0008\t0.0041\t0.0167\t-0.97\t-1.35\t-0.59\t0.87'
says Split 10-13,14-20 '-0.0483\t-0.0673\t-0.0294\t0.0433\t0.0082\t0.0247\t0.0167\t-0.50\t-1.00\t-0.00\t1.13'
says Flat 10-13,14-20 '+0.0003\t-0.0048\t+0.0055\t0.0096\t0.8075\t1.0000\t0.0250\t+0.03\t-0.25\t+0.32\t0.53'
says Wide 10-13,14-20 '-0.0233\t-0.1924\t+0.1458\t0.3148\t0.6129\t1.0000\t0.0250\t+0.47\t-1.05\t+1.98\t2.83'
verdicts() {
	for part in claims claims-more; do table --section $part --to brief "$@" | sed 1d; done |
	    awk -F '\t' '{ print $1 ": " $NF }'
}
cat > expected <<'END'
Good is better: confirmed
Bad is better: reversed
Split is better: NLL and BLEU disagree
Flat is better: no difference larger than 0.02 nats
Wide is better: open: 43 more seeds would decide
Good is best: not run
One run: not judged: one seed
Without runs: not run
END
verdicts $(three) > found; equals expected found; say $? 'verdicts with three seeds'
diff expected found | sed 's/^/# /'
sed -i 's/^Flat.*/Flat is better: smaller than reported/; s/^Wide.*/Wide is better: open: no feasible number of seeds would decide/' expected
{ echo 'family strict 0 0'; sed 's/^section claims.*/&\nfamily strict/' toy.grid; } > strict.grid
table() { heed-table -g strict.grid "$@"; }
verdicts runs/*.toy.en-de > found; table() { heed-table -g toy.grid "$@"; }; equals expected found
say $? 'five seeds exclude an effect of 0.3 BLEU, but not of 0.4'
diff expected found | sed 's/^/# /'

# The paper's test on sentences: for 9 better and 1 worse the binomial test gives 2 (1 + 10) / 1024.  The median
# seed is reported; a seed with the opposite sign of the mean counts as 1.
claim 'Wide is better' $(three) | cut -f 23-24 | matches -x '	'; say $? 'records without sentences have no paper test'
for seed in 1 2 3; do entry plain $seed 0 0; entry good $seed 0 0; done
entry wide 1 9 1; entry wide 2 1 10; entry wide 3 7 1
that "$(claim 'Good is better' entries/*/record | cut -f 22-24)" = "$(printf 'bootstrap\t1.0000\t1.0000 1.0000 1.0000')"
say $? "the paper's test: p is 1 for equal translations"
that "$(claim 'Wide is better' entries/*/record | cut -f 22-24)" = "$(printf 'sign\t0.0703\t0.0215 0.0117 0.0703')"
say $? '... and a seed with the opposite sign of the mean counts as 1'
for section in claims claims-more; do heed-table -g toy.grid --section $section --to md entries/*/record; done | grep -F '0.0703 (seeds: 0.0215 0.0117 0.0703)' > found
matches 'Wide is better' found; say $? '... also in Markdown'
cp entries/wide.2/sentences.heed.zst entries/wide.1
exits 3 'sentences of another run are refused' 'heed-table -g toy.grid --section claims-more entries/*/record'
matches 'entries/wide.1/record: bleu [0-9.]*, expected [0-9.]* from its sentences' err; say $? '... by file and fact'
head -c 300 entries/plain.2/sentences.heed.zst > entries/plain.1/sentences.heed.zst
exits 3 'a damaged file of sentences is refused' 'heed-table -g toy.grid --section claims entries/*/record'
matches 'entries/plain.1/sentences.heed.zst' err; say $? '... by name'
that "$(claim 'Good is better' $(three) | cut -f 9)" = 21-23; say $? 'a verdict has the age of the models'
table --section claims-more --to brief $(three) | matches '^Good is best	+Good > gone	'
say $? 'the baseline with the weakest evidence decides'
# Labels of the first table with both systems; a variant without a row keeps its name.
printf '%s\n' 'section claims x' 'columns -' 'a b - AB' 'a c - AC' 'b d - BD' 'section one x' 'columns -' 'a - - A one' \
	'b - - B one' 'section two x' 'columns -' 'a - - A two' 'c - - C two' > labels.grid
heed-table -g labels.grid --section claims --to brief $(three) 2> err | cut -f 2 | tr '\n' ';' > found
that "$(cat found)" = 'systems;A one > B one;A two > C two;B one > d;'
say $? 'systems have the labels of tables'

# A claim of another paper: adjusted separately, and without the numbers of the first paper.
sed 's/^section claims-more.*/&\npaper other/' toy.grid > two.grid
heed-table -g two.grid --section claims-more $(three) | grep '^claims-more	Wide' > found
that "$(cut -f 14-16,21 found)" = "$(printf '0.6129\t0.6129\t0.0500\t')"
say $? 'claims of two papers are adjusted separately'
heed-table -g two.grid --section claims $(three) | grep '	Good is better	' > found
that "$(cut -f 14-16,21 found)" = "$(printf '0.0027\t0.0082\t0.0250\t+0.50')"
say $? '... with the numbers of their own paper'

# Forest plot: right of 0 is better in both panels; 0 is at the dark grid line.
table --to forest $(three) > forest.svg
that "$(grep -c '<circle' forest.svg)" = 12; say $? 'the forest plot has a point for each claim with runs, in each panel'
that "$(grep -c 'stroke="#667"' forest.svg)" = 4; say $? "... and a diamond for each difference that the paper reports"
zeros=$(sed -n 's/.*stroke="#222".* d="M\([0-9.]*\) .*/\1/p' forest.svg | tr '\n' ' ')
# sides N: the side of 0 of each point in panel N
sides() {
	grep -o 'cx="[0-9.]*"' forest.svg | tr -dc '0-9.\n' | awk -v n=$1 -v zeros="$zeros" \
	    '{ split(zeros, z); side = side (2 - NR % 2 == n ? ($1 > z[n] ? "+" : "-") : "") }
	     END { print side }'
}
that "$(sides 1)" = +-+-++; say $? '... lower NLL is on the right'
that "$(sides 2)" = +--+++; say $? '... higher BLEU is on the right'
that "$(grep -c '>better →</text>' forest.svg)" = 2; say $? '... and the direction of each axis is labeled'
grep -o '>[A-Z][A-Za-z ]* ([0-9]*)</text>' forest.svg | tr -d '\n' > found
that "$(cat found)" = '>Confirmed (1)</text>>Reversed (1)</text>>NLL and BLEU disagree (1)</text>>No difference (1)</text>>Open (1)</text>>Not judged (1)</text>'
say $? '... rows are grouped by verdict'
matches '>interval reaches 0; 43 more' forest.svg && matches '>interval within ±0.02 nats<' forest.svg && matches '>one seed</text>' forest.svg
say $? '... each row has the reason for its verdict'
matches '^<title>Good is better; test NLL -0.0550 \[-0.0674, -0.0426\]; BLEU +0.97 \[+0.68, +1.25\]; paper +0.50; 3 seeds; confirmed</title>' forest.svg
say $? '... and its values for the pointer'
matches '<a href="#claims-more">' forest.svg; say $? '... and a link to its section'
# Texts never overlap lines: labels are left of the first panel, notes right of the last.
computes -v labels="$(sed -n 's/.*<text x="\([0-9.]*\)".*>\(Good is better\)<.*/\1/p' forest.svg)" -v note="$(sed -n 's/.*<text x="\([0-9.]*\)".*>one seed<.*/\1/p' forest.svg)" \
	-v lines="$(sed -n 's/.*stroke="#\(ddd\|222\)".* d="M\([0-9.]*\) .*/\2/p' forest.svg | sort -n | sed -n '1p;$p' | paste -s -d ' ')" \
	'BEGIN { split(lines, x, " "); exit !(labels + 100 < x[1] && x[2] < note) }'
say $? '... labels and notes have columns of their own'
table --to forest --narrow $(three) > narrow.svg
that "$(grep -c '<circle' narrow.svg)" = 12 && matches 'width="358"' narrow.svg
say $? 'a narrow plot has the same points'
that "$(grep -c '>Reversed</text>' narrow.svg)" = 2 && lacks '([0-9]*)</text>' narrow.svg; say $? '... and the verdicts in each panel'
computes -v y="$(sed -n 's/.*<circle.* cy="\([0-9.]*\)".*/\1/p' narrow.svg | paste -s -d ' ')" 'BEGIN { n = split(y, at, " "); for (i = 2; i <= n; i++) if (at[i] <= at[i - 1]) exit 1; exit n != 12 }'
say $? '... its panels are below one another'
# NLL of 1.5, 1.51 and 1.52 in two orders: the difference is 0, and +-0.0248 = 4.303 * 0.01 / sqrt(3) fits on the axis.
mkdir zero; set -- 1.50 1.51 1.52 1.51 1.50 1.52
for v in plain good; do for s in 1 2 3; do printf '%s\t%s\n' paper toy column toy.en-de variant $v seed $s test.nll $1 engine $engine commit c0ffee > zero/$v.$s; shift; done; done
printf '%s\n' 'section claims x' 'columns test.nll:-' 'good plain - Good' > zero.grid
heed-table -g zero.grid --to forest zero/* > zero.svg
grep -o '>+0.0[1-9]<' zero.svg | sort -u | tr -d '<>' | paste -s -d ' ' | matches -x '+0.01 +0.02 +0.03'; say $? 'the axis of differences of 0 covers the interval'
exits 2 'a narrow table is refused' 'heed-table -g toy.grid --narrow'
matches -- '--narrow without --to forest or gains' err; say $? '... by name'
# Rows with the same text say in which section they are, or on which corpus, or both.
printf '%s\n' 'section claims x' 'columns -' 'good plain - Same' 'bad plain - Only' \
	'section claims-two x' 'columns -' 'split plain - Same' > labels.grid
mkdir labels; for r in $(three); do sed 's/toy.en-de/other.en-de/' $r > labels/${r##*/}; done
# labeled 'what' LABELS GRID RECORD...
labeled() {
	what=$1 want=$2 grid=$3; shift 3
	heed-table -g $grid --to forest "$@" | grep -o '>\(Same\|Only\)[^<]*</text' | sed 's,</text,,' | tr -d '<>' | sort | paste -s -d ';' > found
	that "$(cat found)" = "$want"; say $? "$what"
}
labeled 'equal labels name the section' 'Only;Same (claims);Same (claims-two)' labels.grid $(three)
sed '/^section claims-two/,$d' labels.grid > one.grid
labeled '... but not if there is one' 'Only;Same' one.grid $(three)
labeled '... the corpus' 'Only (other.en-de);Only (toy.en-de);Same (other.en-de);Same (toy.en-de)' one.grid $(three) labels/*
both='Only (other.en-de);Only (toy.en-de);Same (claims, other.en-de);Same (claims, toy.en-de)'
both="$both;Same (claims-two, other.en-de);Same (claims-two, toy.en-de)"
labeled '... or both' "$both" labels.grid $(three) labels/*
for name in f.eps F.SVG.gz; do
	exits 2 "a forest plot named $name" "heed-table -g toy.grid --to forest -o $name $(echo $(three))"
	matches "$name: a figure, expected a name that ends in .svg, .png or .pdf" err && that ! -e $name; say $? '... the message names it'
done
exits 0 'a forest plot named f.SVG' "heed-table -g toy.grid --to forest -o f.SVG $(echo $(three))"
matches '^<svg ' f.SVG; say $? '... is SVG'
if heed-table -g toy.grid --to forest -w 16cm -o f.pdf $(three) 2> err; then
	pdf_width f.pdf | computes - '{ d = $1 - 16 / 2.54 * 72; bad = d * d >= 0.5 } END { exit bad || NR != 1 }'
	say $? 'a PDF of 16 cm'
else
	matches 'librsvg' err; say $? 'PDF needs librsvg'
fi
exits 2 'a width of a table' 'heed-table -g toy.grid -w 8cm'
exits 0 'tables may have any name' "heed-table -g toy.grid -o f.png $(echo $(three))"
printf '%s\n' 'section claims x' 'columns sacrebleu:-' 'good plain - Good' 'section claims-loss x' 'columns test.nll:-' \
	'good plain - Good' > measures.grid
for r in $(three); do sed 's/^bleu	/sacrebleu	/' $r > measures.${r##*/}; done
printf '%s\n' 'section claims-count x' 'columns parameters:-' 'good plain - More' 'section claims-ratio x' 'ratio 0.5' 'columns test.nll:-' \
	'good plain - Half' >> measures.grid
heed-table -g measures.grid --to forest measures.*.toy.en-de > forest.svg
that "$(grep -c '<circle' forest.svg)" = 5; say $? 'claims on all measures are drawn'
grep -o '>[^<]*</text>' forest.svg | grep -x '>\(Test NLL, nats\|BLEU .◇ paper.\|Difference: parameters.*\|test NLL minus 0.5 × baseline, nats\)</text>' > found
that "$(wc -l < found)" = 4; matches '>0.5 × baseline</text>' forest.svg; say $? '... those on other measures and ratios on axes of their own'; sed 's/^/# /' found
sed -n 's/.*>\(← [^<]*\|[^<]* →\)<.*/\1/p' forest.svg | sort | uniq -c | xargs > found
that "$(cat found)" = '3 better → 1 claim holds → 1 ← claim fails 3 ← worse'; say $? '... where a ratio says whether the claim holds'; sed 's/^/# /' found
exits 0 'a plot without runs is empty' "heed-table -g measures.grid --to forest"
matches 'warning: no claim has runs' err; say $? '... with a warning'
matches 'No claim has runs' out && lacks NLL out; say $? '... and says so, without axes'

# Looks spend the level in parts (SciPy: p of the first 3 and of 5 seeds, each x .05 / alpha).
sed '1i looks 3:0.02 5:0.015' toy.grid > looks.grid
table() { heed-table -g looks.grid "$@"; }
files=$(echo runs/*.toy.en-de)
says Good 10-13,14-20 '-0.0540\t-0.0592\t-0.0488\t0.0132\t2.86e-05\t0.0001\t0.0050\t+0.98\t+0.84\t+1.12\t0.35'
says Split 10-13,14-20 '-0.0460\t-0.0541\t-0.0379\t0.0206\t0.0003\t0.0009\t0.0050\t-0.48\t-0.70\t-0.26\t0.56'
says Flat 10-13,14-20 '+0.0002\t-0.0018\t+0.0022\t0.0047\t1.0000\t1.0000\t0.0075\t+0.02\t-0.12\t+0.16\t0.31'
table() { heed-table -g toy.grid "$@"; }
# Of five seeds p is 8.6e-6, of four claims 3.4e-5 (SciPy): for readers no p is 0.
table --section claims --to md $files | grep '^| Good ' > found
matches '| < 0.0001 |' found; say $? 'a p below 0.0001 is not printed as 0'; sed 's/^/# /' found
# Between looks, the detectable difference is that of the last look (SciPy: nct of 2 degrees of freedom, level .02) with
# the deviation of all seeds.
printf '%s\n' 'looks 3:0.02 5:0.015' 'section claims x' 'columns -' 'flat plain - Flat' > flat.grid
detects() {
	heed-table -g flat.grid --section claims runs/*.$1.toy.en-de 2> err | sed 1d | cut -f 8,13,20 > found
	printf "$2\n" | equals - found; say $? "detectable difference: $(echo "$2" | sed 's/.t/ /g')"; sed 's/^/# /' found
}
detects '[12]' '2\t\t'
detects '[1-3]' '3\t0.0108\t0.60'
detects '[1-4]' '4\t0.0094\t0.60'
# Of four systems with four seeds (SciPy: 6 degrees of freedom at the look).
sed -i '1i group all plain good split flat' flat.grid; detects '[1-4]' '4\t0.0117\t0.43'
# BLEU differences 0, .15, -.15 and 0, standard deviation .1225: t of 2 degrees of freedom at .02 / 2 is 6.96, and 6.96 x
# .1225 / sqrt 3 is above .45; t of 3 is 4.54, and 4.54 x .1225 / sqrt 4 is not.
mkdir close; cp runs/plain.*.toy.en-de close
i=0; for d in '.001 0' '-.001 .15' '.0005 -.15' '0 0'; do
	i=$((i + 1)); set -- $d
	awk -F '\t' -v OFS='\t' -v nll=$1 -v bleu=$2 '$1 == "variant" { $2 = "close" } $1 == "test.nll" { $2 += nll }
	    $1 == "bleu" { $2 += bleu } 1' runs/plain.$i.toy.en-de > close/close.$i
done
# closely LOOKS VERDICT
closely() {
	printf '%s\n' "looks $1" 'family strict 0 0' 'section t x' 'columns W.en-de' 'plain - 20 Base' 'close plain 20.45 Close' \
		'section claims x' 'family strict' 'columns -' 'close plain - Close' > close.grid
	heed-table -g close.grid --section claims --to brief close/* 2> err | sed 1d | sed 's/.*	//' > found
	that "$(cat found)" = "$2"
	say $? "four seeds, looks $1: $2"
}
closely '3:0.02 5:0.03' 'open: no feasible number of seeds would decide'
closely 4:0.02 'smaller than reported'
# Three seeds are better by .05, .051 and .049; two more, by -.2 each, reverse the sign of the mean.
printf '%s\n' 'looks 3:0.02 5:0.03' 'section claims x' 'columns -' 'turn plain - Turn' > turn.grid
mkdir turned; cp runs/plain.*.toy.en-de turned
i=0; for nll in 1.95 1.969 1.941 2.21 2.2; do i=$((i + 1)); sed "s/^test.nll	.*/test.nll	$nll/; s/plain/turn/" \
    runs/plain.$i.toy.en-de > turned/turn.$i; done
that "$(heed-table -g turn.grid --section claims --to brief turned/* | sed 1d | sed 's/.*	//')" = 'open: no feasible number of seeds would decide'
say $? 'an early look with the opposite sign is ignored'
for bad in '3:0.2' '3:0.04 5:0.04' '5:0.02 3:0.02' '3' ''; do
	{ echo "looks $bad"; cat toy.grid; } > bad.grid
	exits 3 "looks '$bad' are refused" "heed-table -g bad.grid"
done

# --- margins: bad loses .9667 BLEU, standard error .0882; for 2 degrees of freedom p = 1 - t / sqrt(2 + t t) ---
for case in '1.5 0.0263 confirmed' '1 0.7418 open: 81 more seeds would decide' '0.5 0.0339 reversed'; do
	set -- $case
	x=$1 p=$2; shift 2; set -- $x $p "$*"
	printf 'section claims x\nwithin %s\ncolumns -\nbad plain - Bad is as good\n' $1 > within.grid
	heed-table -g within.grid --section claims --to brief $(three) > found
	matches "	$2	.*	$3\$" found
	say $? "worse by 1 BLEU, with margin $1: $3"
	sed '1d; s/^/# /' found
	heed-table -g within.grid --section claims --to forest $(three) > forest.svg
	# In one panel: the thick line of the margin, and the only point.
	margin=$(sed -n 's/.*stroke="#667" stroke-width="3".* d="M\([0-9.]*\) .*/\1/p' forest.svg)
	point=$(sed -n 's/.*<circle.* cx="\([0-9.]*\)".*/\1/p' forest.svg)
	zero=$(sed -n 's/.*stroke="#222".* d="M\([0-9.]*\) .*/\1/p' forest.svg)
	computes -v at="$margin $point $zero" -v margin=$1 'BEGIN { exit split(at, x, " ") != 3 ||
	    ((x[3] - x[1]) / (x[3] - x[2]) - margin / .9667) ^ 2 > 1e-4 }'
	say $? '... and the forest plot has the margin'
done

# --- several baselines, and the level of "smaller than reported" ---
mkdir several && cd several
variant base 2.00 36.0 2.02 36.2 1.99 36.1
variant later 2.10 39.0 2.12 39.2 2.08 39.1
variant a 1.90 37.0 1.91 37.2 1.89 37.1
variant worse 2.0356 35.0 2.0729 35.9 2.0602 35.0
variant equal 1.99 35.8268 2.03 36.2 1.99 36.2732
# judged SYSTEM BASES NUMBER EXPECTED: base that decides, p of Holm and verdict of a claim that is stated NUMBER times
judged() {
	system=$1 bases=$2 number=$3
	{ printf 'family strict 0 0\nsection table x\ncolumns W.en-de\nbase - 20 Base\n%s base 20.5 System\nsection claims x\nfamily strict\ncolumns -\n' $system
	  for i in $(seq $number); do echo "$system $bases - Claim $i"; done; } > several.grid
	heed-table -g several.grid --section claims runs/* | awk -F '\t' '$5 == "yes" { print $4, $15, $25; exit }' > found
	that "$(cat found)" = "$4"
	say $? "$system, $number claims, against $bases: $4"
}
judged a base 1 'base 0.0010 confirmed'
judged a base,later 1 'later 0.0017 NLL and BLEU disagree'
# t = .0529 / .01: p = 1 - t / sqrt(2 + t t)
judged worse base 1 'base 0.0339 reversed'
judged worse base,later 1 'base 0.0677 open: 1 more seed would decide'
# BLEU 0, standard error .1: t of 2 degrees of freedom is 4.30 at .05 / 2, but 6.21 at .025 / 2
judged equal base 1 'base 1.0000 smaller than reported'
judged equal base 2 'base 1.0000 smaller than reported'	# the same claim counts once
judged equal base,base 1 'base 1.0000 open: no feasible number of seeds would decide'
cd ..

# --- host groups, A/A rows, families (verdicts.t has their numbers) ---
cat > head.grid <<'END'
group host plain good bad flat
aa plain flat
family paper 0.02 0.5
family ours 0.02 0.5 after paper
END
{ cat head.grid; printf '%s\n' 'section claims x' 'family paper' 'columns -' 'good plain - Good' 'wide plain - Wide' \
	'section claims-ours x' 'family ours' 'columns -' 'bad plain - Bad' 'good plain - Again'; } > group.grid
of_group() { heed-table -g group.grid --section "$1" --to brief $(three) | sed '1d; s/.*	//'; }
of_group claims | head -n 1 | matches -x confirmed; say $? 'a claim is judged by the variance of its host group'
that "$(of_group claims-ours | tr '\n' ';')" = 'not judged: waits for claims of the paper;confirmed;'
say $? '... our own claims wait for open claims of the paper, and one that it has counts there'
sed -i '/Wide/d' group.grid; of_group claims-ours | head -n 1 | matches -x reversed; say $? '... and are judged when these are decided'
for other in 'single not judged: one seed;waits for claims of the paper' 'gone not run;reversed'; do
	verdicts=${other#* }
	sed "s/^wide plain .*//; s/^good plain - Good/&\n${other%% *} plain - Other/" group.grid > other.grid
	heed-table -g other.grid --section claims --to brief $(three) 2> err | matches "^Other	.*	${verdicts%;*}\$" &&
		heed-table -g other.grid --section claims-ours --to brief $(three) 2> err | matches "^Bad	.*${verdicts#*;}\$"
	say $? "... but claims wait or not for those that are: $verdicts"
done
heed-table -g group.grid --section claims --to md $(three) | grep '^>' > notes
matches '^> toy.en-de, 1 claim. One confirmed: Good\. ' notes; say $? '... in a sentence below the table'
matches '^> - Host group host, toy.en-de: 4 systems, 3 seeds, 12 runs; test NLL: residual standard deviation 0.0[0-9]*, 6 degrees of freedom, Bartlett.s p 0.[0-9]*, .*; A/A rows: no difference (p [01].[0-9]*)\.$' notes
say $? '... with the check of the model'; sed 's/^/# /' notes
heed-table -g group.grid --section claims --to md runs/*.1.toy.en-de | grep '^> - ' > notes
matches -x '> - Host group host, toy.en-de: 4 systems, 1 seed, 4 runs; test NLL: no degrees of freedom; BLEU: no degrees of freedom; no A/A rows compared\.' notes
say $? '... for which one seed is too few'; sed 's/^/# /' notes
# A claim that an earlier section has, too, has the difference that its own paper reports, and a family that comes after
# such claims waits for them.
printf '%s\n' 'group host plain good bad flat wide' 'family paper 0.02 0.5' 'family again 0.02 0.5' 'family later 0.02 0.5 after again' \
	'section t x' 'paper a' 'columns en-de' 'plain - 20 P' 'wide plain 29 W' 'section u x' 'paper b' 'columns en-de' 'plain - 20 P' 'wide plain 19 W' \
	'section claims x' 'paper a' 'family paper' 'columns -' 'wide plain - Wide' \
	'section claims-again x' 'paper b' 'family again' 'columns -' 'wide plain - Again' \
	'section claims-later x' 'family later' 'columns -' 'good plain - Good' > again.grid
for s in claims claims-again claims-later; do
	heed-table -g again.grid --section $s --to tsv $(three) 2> err | sed 1d | cut -f 21,25 | sed 's/: [0-9].*//'
done > found
printf '%s\n' '+9.00	smaller than reported' '-1.00	open' '	not judged: waits for claims of the paper' | equals - found
say $? 'claims of an earlier section, with the difference of their own paper'; sed 's/^/# /' found
# A repeated claim keeps the margin of the first.
printf '%s\n' 'family a 0.02 0.5' 'family b 0.05 0.5' 'section claims x' 'family a' 'columns -' 'flat plain - Flat' \
	'section claims-b x' 'family b' 'columns -' 'flat plain - Again' 'wide plain - Wide' > margins.grid
heed-table -g margins.grid --section claims-b --to md $(three) 2> err | grep -o '[A-Z][a-z]* with no difference larger than .* nats\. ' > found
echo 'One with no difference larger than 0.02 nats. ' | equals - found; say $? '... and its margin, also in the sentence'; sed 's/^/# /' found
# Samples of a corpus.
mkdir sized; for r in $(three); do sed 's/^column.*/&@1000/; s/^pairs.train.*/pairs.train	1000/' $r > sized/${r#*/}; done
for scope in 'scope whole' 'scope sizes'; do
	printf '%s\n' 'section claims x' "$scope" 'columns -' 'good plain - Good' > sized.grid
	heed-table -g sized.grid --section claims $(three) sized/* 2> err | sed 1d | cut -f 6,14,15
done > found
printf '%s\t%s\t%s\n' toy.en-de 0.0027 0.0027 toy.en-de@1000 0.0027 0.0055 toy.en-de 0.0027 0.0055 | equals - found
say $? 'claims on whole corpora are not judged on samples, nor corrected for them'; sed 's/^/# /' found
# NLL of different tokens, in a claim on NLL itself.
mkdir masked; for r in $(three); do { cat $r; echo 'test.tokens	100'; } > masked/${r#*/}; done; sed -i 's/^test.tokens.*/test.tokens	99\ntest.masked	1/' masked/good.*
printf '%s\n' 'section claims x' 'columns test.nll:-' 'good plain - Good' > masked.grid
heed-table -g masked.grid --section claims --to tsv masked/* 2> err | sed 1d | cut -f 8,10,25 > found
printf '3\t\tnot judged: NLL of different tokens\n' | equals - found; say $? 'NLL of different tokens is not judged, nor called not run'; sed 's/^/# /' found
# The same training under another name, and another training with the same scores.
mkdir twin; cp $(three) twin
for s in 1 2 3; do
	printf '%s\t%s\n' updates 10 tokens 99 >> twin/good.$s.toy.en-de
	sed 's/^variant	good/variant	twin/' twin/good.$s.toy.en-de > twin/twin.$s
	sed 's/^variant	good/variant	other/; s/^tokens	99/tokens	98/' twin/good.$s.toy.en-de > twin/other.$s
done
sed 's/^group host .*/& twin other/; s/^good plain - Good/twin plain - Twin/' group.grid > twin.grid
of_twins() { heed-table -g twin.grid --section claims --to md "$@" | grep -o 'Host group host, toy.en-de: .* runs'; }
that "$(of_twins twin/[!o]*)" = 'Host group host, toy.en-de: 4 systems, 3 seeds, 12 runs'; say $? 'the same training under two names counts once'
that "$(of_twins twin/*)" = 'Host group host, toy.en-de: 5 systems, 3 seeds, 15 runs'; say $? '... but not if only the scores are equal'
# Of the two names, one has chrF.
{ cat head.grid; printf '%s\n' 'section claims x' 'columns chrf:-' 'flat plain - Flat'; } | sed 's/^group host .*/& twin/' > chrf.grid
for f in twin/[!o]*; do awk '{ print } /^bleu/ { print "chrf\t" $2 + NR % 7 + length(FILENAME) }' $f > twin/f; mv twin/f $f; done
of_chrf() { sed -i "s/^chrf/$2/" twin/$1; heed-table -g chrf.grid --section claims twin/[!o]*; sed -i "s/^$2/chrf/" twin/$1; }
of_chrf 'twin.*' none > found; of_chrf 'good.*' none | equals - found && of_chrf '[gt]*.*' none | differ - found
say $? '... under the name whose run has the measure'
sed -i 's/^aa plain flat/aa plain good/' group.grid; of_group claims | matches -x 'not judged: A/A rows differ'
say $? '... and is not judged if A/A rows differ'
sed 's/^group host/group first plain good\n&/' group.grid > aa.grid
heed-table -g aa.grid --section claims-ours --to brief $(three) | matches '^Bad	.*	not judged: A/A rows differ$'; say $? '... in any group with both, not only the first'
sed -i '1i looks 5:0.05' aa.grid
heed-table -g aa.grid --section claims --to brief $(three) | matches '^Good	.*	not judged: A/A rows differ$'; say $? '... also before the first look'
# Further test sets: NLL half of that of the main one in the records of two systems.
mkdir also; for v in plain good; do for s in 1 2 3; do
	awk -F '\t' -v OFS='\t' '1; $1 == "test.nll" { print "also.more.nll", $2 / 2 }' runs/$v.$s.toy.en-de > also/$v.$s
done; done
sed "/^aa/d" group.grid > also.grid; heed-table -g also.grid --section claims --to brief also/* | awk -F '\t' 'NR == 1 { while ($++i != "other test sets") ; next } { print $i }' > found
# Differences of good: -.05 -.06 -.055, halved: mean -.0275, deviation .0025, t(2) 4.303.
equals - found <<'END'; say $? 'a decided claim has the differences in further test sets'
more -0.0275 [-0.0337, -0.0213]
END
heed-table -g also.grid --section claims also/* | awk -F '\t' 'NR == 1 { while ($++i != "other test sets") ; next } { print $i }' | equals - found
say $? '... in the complete table, too'
sed -i 's/^also.more.nll.*/also.more.nll\tx/' also/good.1
heed-table -g also.grid --section claims also/* 2>&1 > out | matches "good.1: also.more.nll 'x', expected a number"; say $? '... which must be numbers'
# Ratios: NLL 2, 2.02 and 1.99 against 1, 1.01 and .99.
mkdir ratio; cp runs/plain.[123].toy.en-de ratio
for s in 1 2 3; do awk -F '\t' -v OFS='\t' '$1 == "variant" { $2 = "half" } $1 == "test.nll" { $2 = $2 / 2 + ($2 > 2 ? .001 : 0) } 1' \
    ratio/plain.$s.toy.en-de > ratio/half.$s; done
for case in '0.6 confirmed' '0.4 reversed'; do
	set -- $case
	printf '%s\n' 'section claims x' "ratio $1" 'columns test.nll:-' 'half plain - Half' > ratio.grid
	heed-table -g ratio.grid --section claims --to brief ratio/* | matches "	$2\$"; say $? "half the NLL is below $1 times: $2"
done
# BLEU 20 against 10: twice the BLEU is not below 1.5 times, though higher is better.
for case in '1.5 reversed' '2.5 confirmed'; do
	set -- $case
	for s in 1 2 3; do for v in plain half; do sed "s/^bleu	.*/bleu	$([ $v = half ] && echo 20.$s || echo 10.$((s * 3 % 4)))/" ratio/$v.$s* > ratio.$v.$s; done; done
	printf '%s\n' 'section claims x' "ratio $1" 'columns bleu:-' 'half plain - Half' > ratio.grid
	heed-table -g ratio.grid --section claims --to brief ratio.*.[123] | matches "	$2\$"; say $? "twice the BLEU is below $1 times: $2"
done
printf '%s\n' 'section claims x' 'within 0.5' 'ratio 0.9' > bad.grid
fails 3 'within and ratio in one section are refused' 'bad.grid: line 3: within and ratio in section claims, expected one' 'heed-table -g bad.grid'
printf '%s\n' 'section claims x' 'columns bleu:X.en-de' 'p q 3 P' > bad.grid
fails 3 'a number in a claim is refused' "bad.grid: line 3: row p: '3' in a claim, expected -" 'heed-table -g bad.grid'
printf '%s\n' 'section a x' 'columns bleu:- test.nll:-' 'p - - 3 P' > bad.grid
fails 3 '... and in a column of no published numbers' "bad.grid: line 3: row p: '3' in column test.nll:-" 'heed-table -g bad.grid'
for bad in 'plain - - A	B' 'kind a	b' 'section x A	B'; do
	printf '%s\n' 'section t x' 'columns -' "$bad" > bad.grid
	fails 3 "a tab in '$bad' is refused" 'bad.grid: line 3: tab in a text, expected blanks' 'heed-table -g bad.grid'
done
for bad in 'group' 'group x' 'group x a a' 'aa plain' 'aa plain nobody' 'family' 'family x' 'family x 0.02' 'family x 0.02 0.5 before y' \
    'family x 0.02 0.5 after y' 'family x -1 0.5' 'groups x y'; do
	{ echo 'group host plain good'; echo "$bad"; } > bad.grid
	exits 3 "'$bad' is refused" 'heed-table -g bad.grid'; matches 'bad.grid: line 2: ' err; say $? '... with its line'
done
for bad in 'family none' 'ratio 0' 'ratio x'; do
	printf '%s\n' 'section claims x' "$bad" > bad.grid; exits 3 "'$bad' in a section is refused" 'heed-table -g bad.grid'
done

# Lengths: sentences of 10, 16 and 25 tokens, in which the system is .1 better, equal, and .2 worse per token.
mkdir lengths
for v in plain good; do for s in 1 2 3; do
	d=lengths/$v.$s; mkdir $d; grep -v '^bleu\|^test.nll' runs/$v.$s.toy.en-de > $d/record
	awk -v s=$s -v good=$([ $v = good ] && echo 1 || echo 0) -v x='nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:x' 'BEGIN {
		print "[\"heed\",1,\"sentence\",{\"fields\":{\"hyp\":\"str\",\"nll\":\"float\",\"tokens\":\"int\",\"bleu\":\"[int]\",\"sacrebleu\":\"[int]\",\"chrf\":\"[int]\"},\"bleu\":\"" x "\",\"sacrebleu\":\"" x "\",\"chrf\":\"" x "\"}]"
		n = split("10 16 25", t, " "); split("-.1 0 .2", d, " ")
		for (i = 1; i <= n; i++) printf "{\"hyp\":\"x\",\"nll\":%.6f,\"tokens\":%d,\"bleu\":[1,1,1,0,0,0],\"sacrebleu\":[1,1,1,0,0,0],\"chrf\":[1,1,1,0,0,0,0,0]}\n", t[i] * (2 + .01 * s + good * (d[i] + .001 * (s - 2))), t[i]
		print "[\"heed-end\",3]" }' | heed-pack --json --no-pg -o $d/sentences.heed.zst
done; done
printf '%s\n' 'section claims x' 'columns -' 'good plain - Good' > lengths.grid
heed-table -g lengths.grid --to lengths lengths/*/record | cut -f 1-8 > found
# t of 2 degrees of freedom at .025 is 4.3027: 4.3027 x .001 / sqrt 3 = .0025
printf '%s\n' 'section	system	against	corpus	seeds	1-14 tokens	15-19 tokens	20 and more tokens' \
	'claims	good	plain	toy.en-de	3	-0.1000 [-0.1025, -0.0975]	+0.0000 [-0.0025, +0.0025]	+0.2000 [+0.1975, +0.2025]' | equals - found
say $? 'effects by length of the reference'; sed 's/^/# /' found
that "$(heed-table -g lengths.grid --to lengths runs/plain.[12].toy.en-de runs/good.[12].toy.en-de | wc -l)" = 1; say $? '... not without sentences'

# --- claims that are not judged ---
rm -rf poor && mkdir poor
for s in 1 2 3; do
	for v in plain good bad; do
		sed "s/^bleu	../bleu	0/" "runs/$v.$s.toy.en-de" > "poor/$v.$s"
	done
done
printf '%s\n' 'section claims x' 'columns -' 'good plain - Good' \
	'section claims-within x' 'within 0.5' 'columns -' 'bad plain - Bad' > poor.grid
poor() { heed-table -g poor.grid --section "$1" --to brief poor/* | sed 1d | sed 's/.*	//'; }
for section in claims claims-within; do
	that "$(poor $section)" = 'not judged: both below 1 BLEU'
	say $? "$section: two systems below 1 BLEU are not judged"
done
sed -i 's/^bleu	0/bleu	1/' poor/good.*
that "$(poor claims)" = confirmed; say $? '... but one of them below is judged'
sed -i '/^test.nll/d' poor/*
that "$(poor claims)" = 'not judged: no test NLL'; say $? 'BLEU without test NLL is not judged'
# One measure only.  Bad is .06, .06, .055 worse in NLL, without the second BLEU: t = .0575 / .0025 of one degree of
# freedom, p = 2 atan(1 / t) / pi.
mkdir half; cp $(three) half
sed -i '/^bleu/d' half/good.*; sed -i '/^bleu/d' half/bad.2.*
heed-table -g toy.grid --section claims half/* 2> err | awk -F '\t' '$3 == "good" || $3 == "bad" { print $8, $14, $25 }' > found
printf '%s\n' '3 0.0027 not judged: no BLEU' '2 0.0277 open: 1 more seed would decide' | equals - found
say $? 'claims use the seeds that have NLL and BLEU'; sed 's/^/# /' found
matches "warning: half/bad.2.toy.en-de: no fact 'bleu', which other runs of toy.en-de have" err; say $? '... with a warning of others'
mkdir text; cp half/* text; printf 'bleu\t38,5\n' >> text/bad.2.toy.en-de
printf 'group g good bad\nsection nll NLL\ncolumns test.nll:-\ngood - - good\nbad good - bad\n' > nll.grid
runs heed-table -g nll.grid --section nll text/* > found 2> err; matches "text/bad.2.toy.en-de: bleu '38,5', expected a number, as other" err; say $? '... or that it is no number'
for value in inf nan 1e999 1,5 -0.1 '' 1e299; do
	sed -i "s/^test.nll	.*/test.nll	$value/" half/plain.1.*
	exits 3 "test.nll '$value' is refused" 'heed-table -g toy.grid --section claims half/*'
done
matches "half/plain.1.toy.en-de: test.nll '1e299', expected a number from 0 to 200000" err; say $? '... by file and fact'
sed -i "s/^test.nll	.*/test.nll	2/; s/^bleu	.*/bleu	900/" half/plain.1.*
exits 3 '... and so is BLEU 900' 'heed-table -g toy.grid --section claims half/*'
# Equal differences, up to rounding, have no variance to test against, and their claim is not in the family.
for s in 1 2 3; do
	awk -F '\t' -v OFS='\t' '$1 == "variant" { $2 = "equal" } $1 == "test.nll" { $2 -= .1 } $1 == "bleu" { $2 += 1 } 1' \
	    runs/plain.$s.toy.en-de > equal.$s
done
printf '%s\n' 'section claims x' 'columns -' 'equal plain - Equal' 'good plain - Good' 'good plain,equal - Both' > equal.grid
heed-table -g equal.grid --section claims equal.? $(three) | awk -F '\t' '$5 == "yes" { print $4, $14, $15, $25 }' > found
printf '%s\n' 'plain   not judged: equal differences' 'plain 0.0027 0.0055 confirmed' 'equal 0.0041 0.0082 reversed' > want
equals found want; say $? 'equal differences are not judged'; diff found want | sed 's/^/# /'
# Numbers of retained heads: integers, without marks and differences.
printf '%s\n' 'section t x' 'columns heads:- heads:W.en-de -' 'plain - - 48 - Base' \
	'good plain - 10 - Good' > heads.grid
for s in 1 2 3; do for v in plain good; do
	printf 'heads\t%d\n' $([ $v = plain ] && echo 48 ||
		echo $((10 + s))) >> runs/$v.$s.toy.en-de; done; done
heed-table -g heads.grid --section t --to brief $(three) | cut -f 1-4 |
	tr '\t\n' '|;' > found
that "$(cat found)" = \
	'system|heads, toy.en-de|paper, W.en-de|BLEU, toy.en-de;Base|48.0 ± 0.0|48|36.03 ± 0.15;Good|12.0 ± 1.0|10|37.00 ± 0.26†;'
say $? 'numbers of heads are means of counts'
cells() { heed-table -g heads.grid --section t --to brief "$@" | cut -f 2 | sed 1d | tr '\n' ';'; }
that "$(cells runs/plain.1.* runs/good.3.*)" = '48¹;13¹;'; say $? '... and integers for one run'
sed s/heads:/gates.fractional:/g heads.grid > gates.grid
for r in plain.1 good.3; do sed 's/^heads	/gates.fractional	/' runs/$r.toy.en-de > $r.gates; done
heed-table -g gates.grid --section t --to brief plain.1.gates good.3.gates | cut -f 2 | tr '\n' ';' > found
that "$(cat found)" = 'fractional gates, toy.en-de;48¹;13¹;'; say $? '... and so are fractional gates'
# 7, 130, 400: mean 179, deviation by n - 1 201.03; 1, 2, 2: 1.667 and .5774.
i=0; for v in 7 130 400; do i=$((i + 1)); sed -i "s/^heads	.*/heads	$v/" runs/plain.$i.*; done
i=0; for v in 1 2 2; do i=$((i + 1)); sed -i "s/^heads	.*/heads	$v/" runs/good.$i.*; done
that "$(cells runs/*.toy.en-de)" = '179.0 ± 201.0;1.7 ± 0.6;'
say $? 'mean and deviation have the same number of decimals'
heed-table -g heads.grid --section t runs/*.toy.en-de | matches '	heads	3	179	201	' &&
	heed-table -g heads.grid --section t runs/*.toy.en-de | matches '	heads	3	1.667	0.5774	'
say $? '... and more digits in tsv'
rm -f runs/*
run plain 1 2 10 toy.de-en 29000; run plain 1 2 5 toy.de-en@9000 9000
run plain 1 2 3 toy.de-en@500 500
heed-table -g toy.grid --section sizes runs/* | cut -f 5,11 | tr '\n\t' ' :' > order
sizes='toy.de-en@500:IWSLT.de-en@10k toy.de-en@9000:IWSLT.de-en@10k toy.de-en:IWSLT.de-en@80k '
that "$(cat order)" = "column:paper column $sizes"
say $? 'sizes are in order, next to the nearest size of the paper'
for sizes in '1M 2k 1M' '1.5M 1k 1.5M' '20 900k 900k' '20k 900000 900000'; do
	set -- $sizes
	printf '%s\n' 'section table1 x' "columns a.de-en@$1 b.de-en@$2" 'plain - 20 21 Base' > sizes.grid
	run million 1 2 10 toy.de-en@900k 900000
	sed s/million/plain/ runs/million.1.* > million
	heed-table -g sizes.grid million | sed 1d | cut -f 11 > found
	matches -x "[ab].de-en@$3" found; say $? "the size nearest to 900000 of $1 and $2"; sed 's/^/# /' found
done
rm runs/million.*
for size in 10x 1e 2kk; do
	printf '%s\n' 'section t x' "columns a.de-en@$size" 'plain - 20 Base' > sizes.grid
	exits 3 "size $size is refused" 'heed-table -g sizes.grid --rows'
done
heed-table -g toy.grid --to md runs/* | matches -F '| Ours \| split |'
say $? 'bars in labels are escaped in Markdown'
printf '%s\n' 'section t 50% x' 'columns -' 'plain - - [a] 1--2 {#$&_%} λ' 'other - - ~^\ | <é> -5 x-6' > latex.grid
cat > want <<'END'
% 50% x [t]
% needs \usepackage{booktabs}
\begin{tabular}{lrrrr}
\toprule
system & BLEU, toy.de-en@500 & BLEU, toy.de-en@9000 & BLEU, toy.de-en & runs \\
\midrule
{}[a] 1-{}-2 \{\#\$\&\_\%\} $\lambda$ & 3.00\textsuperscript{1} & 5.00\textsuperscript{1} & 10.00\textsuperscript{1} & 1 \\
\textasciitilde{}\textasciicircum{}\textbackslash{} \textbar{} $<$é$>$ $-$5 x-6 &  &  &  & 0 \\
\bottomrule
\end{tabular}
END
same 'a table for LaTeX is escaped' want 'heed-table -g latex.grid --section t --to latex runs/*'
printf 'section t x\nwithin -1\n' > negative.grid
exits 3 'a negative margin is refused' 'heed-table -g negative.grid'
printf 'section t x\nwithin 0\n' > zero.grid
exits 3 '... and so is a margin of 0' 'heed-table -g zero.grid'
printf 'section claim-more x\ncolumns -\na b - A\n' > claim.grid
exits 3 'a misspelled section of claims is refused' 'heed-table -g claim.grid --rows'
matches 'claim.grid: line 1: section claim-more, expected claims or claims-NAME for claims' err; say $? '... by line'
exits 2 'an unknown section is refused' 'heed-table -g toy.grid --section table7 runs/*'
matches "toy.grid: no section 'table7', expected one of table1, sizes, claims, claims-more" err; say $? '... the message lists the sections'
for words in 'scope sizes and more' 'within 0.5 nats' 'paper Li and Sachan' 'test sign or bootstrap'; do
	printf 'section t x\n%s\n' "$words" > words.grid
	exits 3 "further words are refused: $words" 'heed-table -g words.grid --rows'
	matches "line 2: '[^ ]*', expected the end of the line" err; say $? '... by line'
done
for also in '--section sizes' '--to md' '--to tsv' '--only good' --drafts nofile; do
	exits 2 "--rows with $also is refused" "heed-table -g toy.grid --rows $also"
done
printf '%s\n' 'section claims x' 'columns -' 'good plian - Good' 'again plian - Again' 'good plain - Good' > typo.grid
exits 0 'a baseline without a row and a record is not refused' "heed-table -g typo.grid --section claims runs/*"
matches 'typo.grid: section claims: baseline plian has no row and no record$' err && that "$(grep -c warning err)" = 1
say $? '... but a warning names it'
printf 'section t x\ncolumns a b\nplain - 1 x\n' > short.grid
exits 3 'a row without a label is refused' 'heed-table -g short.grid'
matches 'line 3' err; say $? '... by its line'
printf 'bleu 20\n' > nofact
exits 3 'a record without tabs is refused' 'heed-table -g toy.grid nofact'
printf '%s\t%s\n' paper toy column ../../toy variant good seed 1 bleu 20 > outside
exits 3 'a name that points outside the ledger is refused' 'heed-table -g toy.grid outside'
matches "outside: column '../../toy', expected a name without '/'" err; say $? '... by name'

# Fourteen runs that are equal, and one more of the baseline: their difference is 0 but for rounding.  Runs of the
# baseline alone say nothing about differences that are paired by seed: scipy.stats.ttest_rel.
mkdir many
for s in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	printf 'paper\ttoy\ncolumn\ttoy.en-de\nvariant\t%s\nseed\t%s\ntest.nll\t%s\nbleu\t30\n' plain $s 1.5$((s * 7919 % 997)) > many/plain.$s
	sed 's/plain/same/' many/plain.$s > many/same.$s
done
rm many/same.15
printf '%s\n' 'section claims C' 'columns test.nll:-' 'same plain - same' > many.grid
heed-table --drafts -g many.grid --section claims many/* | awk -F '\t' '$3 == "same" { print $10 + 0, $14, $25 }' > found
echo '0 1.0000 no difference larger than 0.02 nats' | equals - found; say $? 'equal runs do not differ'
for s in 1:1.544 2:1.541 3:1.529; do sed "s/same/other/; s/^test.nll.*/test.nll	${s#*:}/" many/same.1 | sed "s/^seed.*/seed	${s%:*}/" > many/other.${s%:*}; done
sed -i 's/same/other/g' many.grid
judge() { heed-table --drafts -g many.grid --section claims "$@" | awk -F '\t' '$3 == "other" { print $8, $10, $14, $27, $28 }'; }
judge many/plain.[123] many/other.* > few; judge many/plain.* many/other.* > found
that -s few && equals few found; say $? 'seeds of one system alone do not change a paired test'

# --- records that may be used and compared ---
refused() {
	what=$1 fact=$2; shift 2
	exits 3 "$what" "heed-table -g toy.grid $*"
	matches "used/plain.*$fact" err; say $? "... by file and fact"
}
mkdir -p used
change() { rm -f used/*; sed "$1" runs/plain.1.toy.de-en > used/plain; }
change 's/^commit	.*/&-dirty/'; refused 'a changed source tree is refused' 'commit c0ffee-dirty' used/plain
exits 0 '... but accepted as a draft' 'heed-table --drafts -g toy.grid used/plain'
change '/^commit/d'; refused 'a missing commit is refused' commit used/plain
matches -- '--drafts accepts records without a commit' err; say $? '... with a hint'
change 's/^engine	.*/engine	99/'; refused 'another engine is refused' 'engine 99' used/plain --drafts
change '/^engine/d'; refused 'a missing engine is refused' engine used/plain
for s in 1 2; do sed "s/^seed	.*/seed	$s/" runs/plain.1.toy.de-en; echo "target.test	sum$s"; done |
	awk '/^paper/ { n++ } { print > ("used/plain." n) }'
refused 'runs with different references are refused' 'target.test sum[12], expected sum[12]' used/plain.1 used/plain.2

# apart FACT VALUE FACT VALUE: two variants, of which the first has the first fact, and the second the second one
apart() {
	{ cat runs/plain.1.toy.de-en; printf '%s\t%s\n' "$1" "$2"; } > used/plain.1
	{ sed 's/^variant	.*/variant	good/' runs/plain.1.toy.de-en; printf '%s\t%s\n' "$3" "$4"; } > used/plain.2
}
s='nrefs:1|case:mixed|tok:13a'
for facts in 'test.sentences 9 test.sentences 10' 'test.tokens 99 test.tokens 100' 'profile cpu profile smoke' \
    "bleu.signature $s|version:1 bleu.signature nrefs:1|case:lc|tok:13a|version:1"; do
	apart $facts; refused "runs with different facts are refused: ${facts%% *}" "${facts%% *}" used/plain.1 used/plain.2
done
for column in x@y.de-en x.y@z-1.de-en; do
	apart test.sentences 9 test.sentences 10; sed -i "s/^column	.*/column	$column/; s/^seed	.*/seed	1/" used/plain.1; sed "s/^column	.*/column	$column/; s/^seed	.*/seed	2/" -i used/plain.2
	refused "an @ in the name of a corpus, $column, is no sample" test.sentences used/plain.1 used/plain.2
	sed -i 's/^column	.*/&@2000/' used/plain.[12]; exits 0 '... but one of a size is, of which seeds are not compared' 'heed-table -g toy.grid used/plain.1 used/plain.2'
done
for facts in 'test.tokens 99 x y' "bleu.signature $s|version:1 bleu.signature $s|version:2"; do
	apart $facts; exits 0 "... but not $facts" 'heed-table -g toy.grid used/plain.1 used/plain.2'
done
# A model that excludes tokens has another NLL: it is not compared.
for v in plain good; do for seed in 1 2 3; do
	run $v $seed $([ $v = plain ] && echo 2.$seed 3$seed || echo 1.$((2 * seed)) 4$seed) toy.en-fr
	printf 'test.tokens\t%s\n' $([ $v = plain ] && echo 100 || echo 90) >> runs/$v.$seed.toy.en-fr
done; done
exits 3 'NLLs of other tokens are refused' 'heed-table -g toy.grid runs/*.en-fr'
for seed in 1 2 3; do printf 'test.masked\t10\n' >> runs/good.$seed.toy.en-fr; done
heed-table -g toy.grid --section claims --to brief runs/*.en-fr | sed -n 's/^Good is better	.*	//p' > found
that "$(cat found)" = 'not judged: NLL of different tokens'; say $? '... and not judged if some have probability 0'
heed-table -g toy.grid --section claims --to tsv runs/*.en-fr | awk -F '\t' '$2 == "Good is better" { print $27 "|" $28 "|" $29 "|" }' > found
echo '|||' | equals - found; say $? '... their standard error and degrees of freedom are not known'
heed-table -g toy.grid --section claims --to md runs/*.en-fr | grep '^| Good is better' | awk -F ' *[|] *' '{ print $7 $8 $9, $10 }' > found
that "$(cat found)" = ' +10.00 [+10.00, +10.00]'; say $? '... without an interval and p'; sed 's/^/# /' found
heed-table -g toy.grid runs/*.en-fr | awk -F '\t' '$3 == "good" && $7 == "test.nll" { print $14 $15 $16 $18 }' > found
that "$(cat found)" = ''; say $? '... nor subtracted in tables'; sed 's/^/# /' found
heed-table -g toy.grid runs/*.en-fr | awk -F '\t' '$3 == "good" && $7 == "bleu" { print $14 }' > found
that "$(cat found)" = +10.00; say $? '... unlike their BLEU'; sed 's/^/# /' found
rm -f used/* runs/*.en-fr

# --- a run counts once ---
exits 3 'a record given twice is refused' 'heed-table -g toy.grid runs/plain.1.toy.de-en ./runs/plain.1.toy.de-en'
matches '\./runs/plain.1.toy.de-en: duplicate run .* variant plain and seed 1, .* runs/plain.1.toy.de-en$' err
say $? '... by both files'
# copies FACTS: the run of seed 1 as seed 2
copies() {
	for s in 1 2; do { sed "s/^seed	.*/seed	$s/" runs/plain.1.toy.de-en; printf '%s\t%s\n' "$@"; } > used/copy.$s; done
}
copies settings '--seed 1' data.train 1
exits 3 '... and so is the same training as another seed' 'heed-table -g toy.grid used/copy.1 used/copy.2'
matches 'used/copy.2: seed 2 has the training of seed 1 in used/copy.1' err; say $? '... by both files'
sed -i 's/--seed 1/--seed 2/' used/copy.2; exits 0 '... unless the settings differ' 'heed-table -g toy.grid used/copy.1 used/copy.2'
copies settings '--updates 9' data.train 1; sed -i 's/^\(test.nll	.*\)/\15/; s/^bleu	.*/bleu	2/' used/copy.2
exits 0 '... or the results' 'heed-table -g toy.grid used/copy.1 used/copy.2'
copies data.train 1; exits 0 '... or are unknown' 'heed-table -g toy.grid used/copy.1 used/copy.2'
copies finished 2026-11-23T06:26:41Z updates 20
exits 3 'a model that is recorded for two seeds is refused' 'heed-table -g toy.grid used/copy.1 used/copy.2'
sed -i 's/:41Z/:42Z/' used/copy.2; exits 0 '... but not one with equal scores' 'heed-table -g toy.grid used/copy.1 used/copy.2'
for s in 01 -1 1.0 ''; do
	sed "s/^seed	.*/seed	$s/" runs/plain.1.toy.de-en > used/seed
	exits 3 "seed '$s' is refused" 'heed-table -g toy.grid used/seed'
done
sed 's/^paper	.*/paper	other/' runs/plain.1.toy.de-en > used/other
exits 3 '... and so is that of another paper with the same names' 'heed-table -g toy.grid runs/plain.1.toy.de-en used/other'

# Only some variants: rows of others are left out, and claims about or against others.
heed-table -g toy.grid --only 'good plain' runs/*.toy.de-en > found
that "$(sed 1d found | cut -f 3 | sort -u | xargs)" = 'good plain'; say $? '--only leaves out the rows of other variants'
heed-table -g toy.grid --section claims --only 'good plain' --to md runs/*.toy.de-en > found && heed-table -g toy.grid --section claims --only good --to md runs/*.toy.de-en > none &&
	matches 'Good is better' found && lacks 'Bad is better' found && lacks 'Good is better' none
say $? '... and claims about or against other variants'
fails 2 '--only with an unknown variant is refused' "--only: toy.grid has no variant 'nosuch'" "heed-table -g toy.grid --only 'good nosuch' runs/*.toy.de-en"
fails 2 '... and --only without variants' '--only without variants' "heed-table -g toy.grid --only ' ' runs/*.toy.de-en"
fails 2 'a grid without sections' '/dev/null: no sections' 'heed-table -g /dev/null'

# Facts that name a run.
for fact in 'column	ten-de' 'column	t.en' 'column	t.en-' 'column	.en-de' 'column	t.en-de@x' 'column	t.en-de@0' 'column	t.en-de	x' 'column	' 'paper	' 'variant	'; do
	sed "s/^${fact%%	*}	.*/$fact/" runs/plain.1.toy.de-en > used/named
	ends 3 heed-table -g toy.grid used/named > out 2> err && matches "^heed-table: used/named: ${fact%%	*} '" err || echo "$fact"
done > taken
that ! -s taken; say $? 'malformed names of columns, and empty names'
