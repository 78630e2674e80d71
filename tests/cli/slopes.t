#!/bin/sh
# slopes.awk: slopes of gains over a measure of the corpora; the values were computed with SciPy and by all permutations.
. "$HEED_TOP/tests/lib.sh"
plan 6

slopes=$HEED_TOP/src/papers/slopes.awk
printf 'section\trow\tvariant\tagainst\tcolumn\tpairs\tmeasure\truns\tmean\tdifference\tlow\thigh\n' > order.tsv
while read -r column x; do printf 'order\tRel_Pos\trel-pos\t\t%s\t1\tcrossing\t3\t%s\n' "$column" "$x"; done >> order.tsv <<END
x.en-fr 0.05
x.en-de 0.08
x.en-zh 0.15
x.en-ja 0.32
END
printf 'order\tRel_Pos\trel-pos\t\tx.en-ja\t1\ttest.nll\t3\t2\norder\tMask\tmask\trel-pos\tx.en-ja\t1\ttest.nll\t3\t2\t-0.05\t-0.06\t-0.04\n' >> order.tsv
printf 'order\tMask\tmask\trel-pos\tx.en-fr\t1\ttest.nll\t3\t2\t+0.01\t-0.01\t0.03\norder\tMask\tmask\trel-pos\tx.en-ja\t1\tbleu\t3\t2\t1\t0\t2\n' >> order.tsv
printf 'claim\tcolumn\tmeasure\tdifference\tstandard error\tdegrees of freedom\n' > claims.tsv
printf 'Mask\tx.en-%s\ttest.nll\t%s\t%s\t17\n' fr -0.012 0.006 de -0.010 0.006 zh -0.03 0.007 ja -0.05 0.006 ko -0.9 0.1 >> claims.tsv
printf 'claim\tlanguages\tslope\tlow\thigh\tdegrees of freedom\tp\tp of permutations\nMask\t4\t0.1507\t0.0924\t0.2089\t34.0\t0.0000\t0.0833\n' > want
same 'slope, interval and permutation test' want "awk -v over=crossing -f '$slopes' order.tsv claims.tsv"
{ sed 's/Mask/Weak/; s/-0.05	/-0.02	/; s/0.006	17/0.03	9/' claims.tsv; } > weak.tsv
awk -v over=crossing -f "$slopes" order.tsv claims.tsv weak.tsv > out
sed -n 3p out > got; printf 'Weak\t4\t0.0342\t-0.2669\t0.3354\t18.0\t0.8139\t0.6250\n' | equals - got; say $? 'several tables, and a slope that is not significant'
head -n 3 claims.tsv > two.tsv; awk -v over=crossing -f "$slopes" order.tsv two.tsv > out; that "$(wc -l < out)" = 1; say $? 'two languages have no slope'
printf 'gain in NLL, nats\tMask\tline\t0.05\t-0.01\t-0.03\t0.01\ngain in NLL, nats\tMask\tline\t0.32\t0.05\t0.04\t0.06\n' > want
awk -v form=plot -v over=crossing -f "$slopes" order.tsv | grep Mask > out; equals want out; say $? 'a plot has the gains, sorted by the measure'
awk -v form=plot -v over=crossing -f "$slopes" order.tsv | heed-plot --x crossing | matches '<svg'; say $? '... which heed-plot draws'
# The columns of a table are in the order of their names, so that 10 is before 3.
{ head -n 1 order.tsv; for k in 0 10 3 30; do printf 'dose\tMask\tmask\tplain\tx+links%s.en-de\t1\ttest.nll\t3\t2\t-0.%s1\t\t\n' $k $k; done; } > doses.tsv
awk -v form=plot -v over=+ -f "$slopes" doses.tsv | sed -n 's/.*line\t\([^\t]*\)\t\([^\t]*\).*/\1 \2/p' > out
printf '%s\n' '0 0.01' '3 0.31' '10 0.101' '30 0.301' | equals - out; say $? 'a plot over the numbers of corpora is sorted by them'
