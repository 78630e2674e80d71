#!/bin/sh
# verdicts: those of heed-table once more, by SciPy (tests/papers/verdicts.py), for drawn runs and for the published ones.
. "$HEED_TOP/tests/lib.sh"

for python in python3 /usr/bin/python3 ''; do
	[ -n "$python" ] && "$python" -c 'import scipy' 2> /dev/null && break
done
if [ -z "$python" ]; then
	echo '1..0 # SKIP no SciPy here: apt-get install python3-scipy'
	exit
fi
# agree GRID RECORD...: both reach the same verdicts
agree() {
	grid=$1; shift
	sed -n 's/^section \(claims[^ ]*\).*/\1/p' "$grid" | while read -r section; do
		heed-table -g "$grid" --section "$section" "$@" 2>> warnings || exit 1
	done > claims.tsv && "$python" "$HEED_TOP/tests/papers/verdicts.py" "$grid" claims.tsv "$@" > verdicts
}

export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1	# of numpy
# Thirteen systems of seven seeds, whose differences from the first lie between none and clear, and are equal for the last;
# two papers.  One run lacks BLEU, and one the NLL.
engine=$(sed -n 's/^#define HEED_ENGINE //p' "$HEED_TOP/common/model/engine.h")
mkdir runs
awk -v engine=$engine 'BEGIN {
	srand(7)
	for (s = 1; s <= 7; s++)
		for (v = 0; v < 13; v++) {
			f = "runs/s" v "." s
			effect = v % 4 == 3 || v == 0 ? 0 : (v % 5 - 2.4) * .02
			nll = 2 + effect + (rand() - .5) * .04
			bleu = 30 - 20 * effect * (v == 6 || v == 9 ? -4 : 1) + (rand() - .5) * .5
			if (v == 0) { base = nll; base_bleu = bleu }
			if (v == 12) { nll = base - .25; bleu = base_bleu + 1 }
			printf "paper\ttoy\ncolumn\ttoy.en-de\nvariant\ts%d\nseed\t%d\n" \
			    "epochs\t20\nengine\t%d\ncommit\tc0ffee\n", v, s, engine > f
			if (v != 5 || s != 3) printf "test.nll\t%.4f\n", nll > f
			if (v != 11 || s != 2) printf "bleu\t%.3f\n", bleu > f
			close(f)
		}
}'
# drawn HEAD...: a grid of two papers that begins with these lines
drawn() {
	printf '%s\n' "$@" | sed '/^$/d' > toy.grid
	awk -v families="$(grep -c ^family toy.grid)" 'BEGIN {
		for (p = 0; p < 2; p++) {
			print "section table-" p " x\npaper " (p ? "b" : "a") "\ncolumns W.en-de\ns0 - 30 Base"
			for (v = 1; v < 13; v++) print "s" v, "s0", v % 3 ? 30 + v / 4 : "-", "System " v
		}
		print "section claims-a x\npaper a" (families ? "\nfamily first" : "") "\ncolumns -"
		for (v = 1; v < 7; v++) print "s" v, "s0 - System " v " is better"
		print "section claims-b x\npaper b" (families ? "\nfamily second" : "") "\ncolumns -"
		for (v = 7; v < 13; v++) print "s" v, (v == 12 ? "s0" : v % 2 ? "s0,s1" : "s0,s3,s7,s9") " - System " v " is better than these"
		print "s1 s0 - System 1 again"
	}' >> toy.grid
}
# judged WHAT SEEDS: the verdicts on the runs of these seeds
judged() {
	agree toy.grid runs/s*.$2; r=$?
	say $r "drawn runs, $1, seeds $2: $(cut -f 3 verdicts | sort | uniq -c | sed 's/^ *//' | paste -sd ',')"
	[ $r = 0 ] || awk -F '\t' '$3 != $4 { print "# " $0 }' verdicts
}
for looks in '' 'looks 3:0.02 5:0.015 7:0.015'; do
	drawn "$looks"
	for seeds in 1 '[12]' '[1-4]' '[1-7]'; do judged "${looks:-one test}" "$seeds"; done
done
# One group for all systems but one, two groups, unequal variances, A/A rows, and families with margins and an order.
all='s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11'
drawn "$looks" "group host $all" 'family first 0.02 0.5' 'family second 0.04 0.5'
for seeds in '[123]' '[1-5]'; do judged 'one group' "$seeds"; done
drawn 'group one s0 s1 s2 s3 s4' 'group two s0 s5 s6 s7 s8 s9' 'group two s10 s11' 'aa s0 s3' 'family first 0.05 1' \
    'family second 0.02 0.5 after first'
judged 'two groups, A/A rows, an order' '[1-5]'
# s0 and s1, which differ, are in both groups; with two seeds, no look is reached.
drawn "$looks" 'group one s0 s1 s2 s3 s4' 'group two s0 s1 s5 s6 s7 s8 s9 s10' 'aa s0 s1' 'family first 0.05 1' 'family second 0.02 0.5 after first'
for seeds in '[12]' '[1-5]'; do judged 'A/A rows in two groups' "$seeds"; done
for s in 1 2; do awk -F '\t' -v OFS='\t' '$1 == "test.nll" { $2 -= 0.5 } 1' runs/s1.$s > apart.$s; done
heed-table -g toy.grid --section claims-b --to brief apart.* runs/s[02-9].[12] runs/s10.[12] 2>> warnings | sed 's/.*\t//' | sort | uniq -c | sed 's/^ *//' > found
matches '^[1-9] not judged: A/A rows differ$' found; say $? '... which are checked in the second group, too'; sed 's/^/# /' found
for s in 1 2 3 4 5 6 7; do awk -F '\t' -v OFS='\t' -v s=$s '$1 == "test.nll" { $2 += (s % 3 - 1) * .2 } 1' runs/s4.$s > x; mv x runs/s4.$s; done
drawn "$looks" "group host $all" 'family first 0.02 0.5' 'family second 0.04 0.5'
judged 'unequal variances' '[1-5]'
matches '	own	' claims.tsv; say $? '... which are not pooled'
# Of systems that do not differ, p is that of permutations within seeds.
mkdir equal
awk -v engine=$engine 'BEGIN {
	srand(3)
	for (s = 1; s <= 5; s++)
		for (v = 0; v < 12; v++)
			printf "paper\ttoy\ncolumn\ttoy.en-de\nvariant\ts%d\nseed\t%d\nepochs\t20\nengine\t%d\ncommit\tc0ffee\n" \
			    "test.nll\t%.4f\n", v, s, engine, 2 + s * .03 + (rand() + rand() - 1) * .02 > ("equal/" v "." s)
}'
{
	echo "group host $all
section claims x
columns test.nll:-"
	for v in 1 2 3 4 5 6 7 8 9 10 11; do echo "s$v s0 - System $v is better"; done
} > equal.grid
heed-table -g equal.grid --section claims equal/* > claims.tsv &&
    "$python" "$HEED_TOP/tests/papers/permutation.py" claims.tsv equal/* > permuted && [ $(wc -l < permuted) = 11 ]
r=$?; say $r "p of permutations within seeds, $(wc -l < permuted) claims"
[ $r = 0 ] || sed "s,^,# ," permuted
# All papers in the ledger, and these two at least
for paper in $({ echo syntax; echo voita; cd "$HEED_TOP/results" && ls -d */run | cut -d / -f 1; } | sort -u); do
	agree "$HEED_TOP/src/papers/$paper.grid" $(find "$HEED_TOP/results/$paper/run" -name record); r=$?
	say $r "results of $paper: $(wc -l < verdicts) claims"
	[ $r = 0 ] || awk -F '\t' '$3 != $4 { print "# " $0 }' verdicts
done
plan $n
