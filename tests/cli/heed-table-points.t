#!/bin/sh
# heed-table --to points and --to slopes: points of plots, and slopes of gains over a property of the corpora.
. "$HEED_TOP/tests/lib.sh"
plan 32

cat > toy.grid <<'END'
family ours 0.02 0.5
group all base mask random
group all one two three dynamic
group all gates-1 gates-2 gates-3 gates-4 target scratch

section gates Fixed gates
columns  test.nll:- WMT.en-de
one      base - 21     Fixed gate = 0.3
two      base - -      Fixed gate = 0.5
three    -    - -      Fixed gate = 0.1
dynamic  -    - 25.98  Dynamic gate

section levels Fixed gates
columns  bleu:-
one      base - Fixed gate = 0.3
two      base - Fixed gate = 0.5
three    -    - Fixed gate = 0.1
dynamic  -    - Dynamic gate

section sizes Sizes
columns  WMT.en-de@10k WMT.en-de@20k
base     -    9 12     Base
mask     base - -      Mask

section heads Retained heads
columns  bleu:WMT.en-ru heads:WMT.en-ru
base     -    29.60 144  Base
gates-1  base 29.50 75   Gates, λ1
gates-2  base -     -    Gates, λ2
gates-3  base -     -    Gates, λ3
gates-4  base -     -    Gates, λ4
target   base -     -    Gates, same: target
scratch  base 29    75   Scratch, λ2

section order Gains
columns  test.nll:- crossing:-
base     -    - -  Base
mask     base - -  Mask

section claims Claims
paper ours
family ours
columns  test.nll:-
mask     base         - Masks help
mask     base,random  - Masks help, and more than random trees
END
engine=$(sed -n 's/^#define HEED_ENGINE //p' "$HEED_TOP/common/model/engine.h")
# run COLUMN PAIRS VARIANT SEED NLL BLEU [FACT VALUE]: a record
run() {
	column=$1 pairs=$2 variant=$3 seed=$4 nll=$5 bleu=$6
	shift 6
	mkdir -p "$column"
	printf '%s\t%s\n' paper toy column "$column" variant "$variant" seed "$seed" test.nll "$nll" bleu "$bleu" \
	    epochs 20 engine $engine commit c0ffee pairs.train $pairs "$@" > "$column/$variant.$seed"
}
# points SECTION OVER RECORD...
points() {
	section=$1 x=$2
	shift 2
	heed-table -g toy.grid --section $section --to points --over $x "$@" 2> warnings | tee points.tsv | sed 1d | tr '\t ' ' _' > found
}
# draws 'name': the points are those of standard input, and can be drawn
draws() {
	cat > want; equals want found; say $? "$1"
	runs heed-plot --x x < points.tsv > plot.svg; say $? '... which heed-plot draws'
}

run g.en-de 29000 one 1 2 20; run g.en-de 29000 two 1 2 22; run g.en-de 29000 two 2 2 23; run g.en-de 29000 dynamic 1 2 24
points gates label g.en-de/*
draws 'over the number in labels, with levels, mean and deviation' <<-'END'
	BLEU Fixed_gate line 0.3 20.00 - -
	BLEU Fixed_gate line 0.5 22.50 21.79 23.21
	BLEU Fixed_gate,_paper points 0.3 21.00 - -
	BLEU Dynamic_gate level - 24.00 - -
	BLEU Dynamic_gate,_paper level - 25.98 - -
END
printf '%s\n' 'section odd Odd' 'columns bleu:-' 'one - - Gate = "a"' 'two - - Gate = 0.7' 'dynamic - - Gate = 1e400' > odd.grid
heed-table -g odd.grid --section odd --to points --over label g.en-de/* 2> err | sed 1d | tr '\t ' ' _' > found
cat > want <<-'END'
	BLEU Gate_=_"a" level - 20.00 - -
	BLEU Gate line 0.7 22.50 21.79 23.21
	BLEU Gate_=_1e400 level - 24.00 - -
END
equals want found; say $? '... only finite numbers count'
sed -i '/0.7/d' odd.grid
heed-table -g odd.grid --section odd --to points --over label g.en-de/* 2> err | sed 1d | tr '\t ' ' _' > found
grep level want | equals - found; say $? '... and without numbers, all are levels'
points levels label g.en-de/dynamic.1
draws 'if there are only levels so far, from the lowest to the highest number' <<-'END'
	BLEU Dynamic_gate line 0.1 24.00 - -
	BLEU Dynamic_gate line 0.5 24.00 - -
END

for pairs in 5000 29000; do run s.en-de@$pairs $pairs base 1 2 $((pairs / 1000)); done; run s.en-de@29000 29000 mask 1 2 31
points sizes pairs s.en-de*/*
draws 'over the number of training pairs, of the paper as in the name of its column' <<-'END'
	BLEU Base line 5000 5.00 - -
	BLEU Base line 29000 29.00 - -
	BLEU Base,_paper points 10000 9.00 - -
	BLEU Base,_paper points 20000 12.00 - -
	BLEU Mask line 29000 31.00 - -
END

run h.en-de 29000 base 1 2 25.5 heads 144; run h.en-de 29000 gates-1 1 2 25 heads 54; run h.en-de 29000 gates-2 1 2 23 heads 14
run h.en-de 29000 gates-3 1 2 24; run h.en-de 29000 gates-4 1 2 24.5 heads 30	# one without the measure
run h.en-de 29000 target 1 2 23.5 heads 14
points heads heads h.en-de/*
draws 'over a measure: differences, by its value, and those of the paper where there are ours' <<-'END'
	BLEU_difference Gates line 14 -2.50 - -
	BLEU_difference Gates line 30 -1.00 - -
	BLEU_difference Gates line 54 -0.50 - -
	BLEU_difference Gates,_paper points 75 -0.10 - -
	BLEU_difference target line 14 -2.00 - -
	BLEU_difference Base level - 0.00 - -
END

# Values of x that differ in the third digit after the decimal point.
x=40; for v in base mask; do for seed in 1 2; do run c$seed.en-de 1 $v $seed 2 20 crossing 0.0$x strength.min 0.00$((x - 39)); x=$((x + 9)); done; done
points order crossing c[12].en-de/*
draws 'over a small measure' <<-'END'
	BLEU_difference Mask line 0.058 0.00 - -
	BLEU_difference Mask line 0.067 0.00 - -
	BLEU_difference Base level - 0.00 - -
END
points order corpus:crossing c[12].en-de/*
cut -d ' ' -f 4 found | sed '$d' | paste -s -d , > found.x; echo 0.049,0.058 | equals - found.x; say $? '... or its mean in a corpus'

# Numbers at the end of names of corpora: 10 is not before 3.
for dose in 0 3 10; do run x+links$dose.en-de 1 base 1 2 20; run x+links$dose.en-de 1 mask 1 1.9$dose 20; done
points order corpus x+links*/*
draws 'gains over the number of the corpus' <<-'END'
	gain_in_NLL,_nats Mask line 0 0.1000 - -
	gain_in_NLL,_nats Mask line 3 0.0700 - -
	gain_in_NLL,_nats Mask line 10 0.0900 - -
	gain_in_NLL,_nats Base level - 0.0000 - -
END

# Four languages with a crossing share; in the last one, the gain is largest.
for language in 'fr 0.05 12' 'de 0.08 10' 'zh 0.15 30' 'ja 0.32 50'; do
	set -- $language
	for seed in 1 2 3; do
		run o.en-$1 1 base $seed 2.0$((seed * 2))0 20 crossing $2
		run o.en-$1 1 mask $seed 2.0$((seed * 2 - 5 + 5))$((seed * 3 % 4)) 20 crossing $2
		run o.en-$1 1 random $seed 2.0$((seed * 2))$((seed % 2)) 20 crossing $2
		awk -F '\t' -v OFS='\t' -v gain=$3 '$1 == "test.nll" { $2 -= gain / 1000 } { print }' o.en-$1/mask.$seed > changed
		mv changed o.en-$1/mask.$seed
	done
done
points order corpus:crossing o.en-*/*
cut -d ' ' -f 4,5 found | sed '$d' | paste -s -d , > found.x; echo '0.05 0.0100,0.08 0.0080,0.15 0.0280,0.32 0.0480' | equals - found.x
say $? 'gains over a measure of the corpora'
that "$(awk '$4 != "-" && !($6 < $5 && $5 < $7)' found | wc -l)" = 0; say $? '... in the middle of its interval'

# The slope once more, from the differences and errors in the table of claims.
heed-table -g toy.grid --section claims o.en-*/* > claims.tsv 2> warnings
awk -F '\t' 'BEGIN { split("fr 0.05 de 0.08 zh 0.15 ja 0.32", w, " "); for (i = 1; i < 9; i += 2) x["o.en-" w[i]] = w[i + 1]; mean = .15 }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { k = $at["claim"] "\t" $at["against"]; if (!(k in n)) order[++m] = k; n[k]++; d = x[$at["column"]] - mean
      sxy[k] -= d * $at["difference"]; sxx[k] += d * d; v[k] += (d * $at["standard error"]) ^ 2 }
    END { for (i = 1; i <= m; i++) { k = order[i]; t = 2.306004 * sqrt(v[k]) / sxx[k]; b = sxy[k] / sxx[k]
        printf "%s\t%d\t%.3f\t%.3f\t%.3f\t8.0\n", k, n[k], b, b - t, b + t } }' claims.tsv > want
heed-table -g toy.grid --to slopes --over corpus:crossing o.en-*/* 2> warnings |
    awk -F '\t' 'NR > 1 { printf "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%s\n", $1, $2, $3, $4, $5, $6, $7 }' > found
that "$(wc -l < want)" = 3 && equals want found; say $? 'slopes follow from the table of claims, for each baseline; t with 8 degrees of freedom'
heed-table -g toy.grid --to slopes --over corpus:crossing o.en-*/* 2> warnings | cut -f 9 | sed 1d | sort -u > found
echo 0.0833 | equals - found; say $? '... two of 24 permutations are as steep'
sed 's/^mask     base,random .*//; /^mask     base .*Masks help/i ratio 1.1' toy.grid > ratio.grid
sed -n 's/^Masks help	base	/	/p' want > want.ratio
heed-table -g ratio.grid --to slopes --over corpus:crossing o.en-*/* 2> warnings |
    awk -F '\t' 'NR > 1 { printf "\t%d\t%.3f\t%.3f\t%.3f\t%s\n", $3, $4, $5, $6, $7 }' | equals want.ratio -; say $? '... also of a claim on a ratio'
heed-table -g toy.grid --to slopes --over corpus:crossing o.en-fr/* o.en-de/* > found 2> warnings
that "$(wc -l < found)" = 1; say $? 'two corpora have no slope'
heed-table -g toy.grid --to slopes --over corpus:depth o.en-*/* > found 2> warnings
that "$(wc -l < found)" = 1; say $? '... nor do corpora without the measure'

for language in fr de zh ja; do for f in o.en-$language/*; do
	awk -F '\t' -v OFS='\t' -v n=$((100000 * (${#f} + $(printf %d "'$language") % 7))) '$1 == "pairs.train" { $2 = n } { print }' $f > changed && mv changed $f
done; done
heed-table -g toy.grid --to slopes --over corpus:pairs.train o.en-*/* > found 2> warnings
awk -F '\t' 'NR > 1 { print $4, $5, $6 }' found > slopes
that -s slopes && lacks '[-]0[.]0000\|^0 \|0[.]0000 ' slopes && computes '$1 < 1e-6 && $1 > -1e-6 && $1 != 0 { small++ } END { exit !small || small != NR }' slopes
say $? 'slopes over millions have significant digits'
for over in nosuch pairs:crossing corpus:nosuch; do
	runs heed-table -g toy.grid --section order --to points --over $over o.en-fr/* > found 2> err && matches "warning: no record has the number ${over#corpus:} of the x axis" err
	say $? "a warning names the unknown measure $over"
done
runs heed-table -g toy.grid --to slopes --over corpus:nosuch o.en-*/* > found 2> err && matches 'no record has the number nosuch' err; say $? '... also of slopes'

fails 2 'slopes need a property of the corpora' 'expected --over corpus or corpus:measure' 'heed-table -g toy.grid --to slopes --over heads o.en-fr/*'
fails 2 'slopes are those of the whole grid' '--section with --to slopes' 'heed-table -g toy.grid --to slopes --over corpus --section order o.en-fr/*'
fails 2 'a table has no x axis' '--over without --to points or --to slopes' 'heed-table -g toy.grid --over heads o.en-fr/*'
fails 2 'the measure of an x axis has a name' "--over 'corpus:', expected pairs, label, corpus, corpus:measure or a measure" 'heed-table -g toy.grid --section order --to points --over corpus: o.en-fr/*'
sed 's/^crossing.*/crossing\tmany/' o.en-fr/mask.1 > odd
fails 3 'a value on the x axis is a number' "crossing 'many', expected a number" 'heed-table -g toy.grid --section order --to points --over corpus:crossing odd'
