#!/bin/sh
# Values over training (trace-NAME), from the logs of published runs: the fraction of redundant heads.
. "$HEED_TOP/tests/lib.sh"
published=$HEED_TOP/results/syntax/run/multi30k.en-de
if [ ! -d "$published/dea-rhe" ]; then echo '1..0 # SKIP there are no published results here'; exit 0; fi
plan 4

runs=$scratch/r/syntax/run/multi30k.en-de
mkdir -p "$runs/dea-rhe" "$runs/plain"
cp -rp "$published/dea-rhe/1" "$published/dea-rhe/2" "$runs/dea-rhe"; cp -rp "$published/plain/1" "$runs/plain"
table=$scratch/r/syntax/trace-redundant.tsv
made() {
	for goal in planned "$table"; do
		make --no-print-directory -C "$HEED_TOP" -f pipeline.mk MODE="$HEED_MODE" PROFILE=cpu CORPUS=multi30k R="$scratch/r" \
		    W="$scratch/w" _goals=syntax _drawing=again TABLES=rhe-fig4 $goal > log 2>&1 || return
	done
}
made; r=$?; say $r 'a table of values over training'; that $r = 0 || tail -n 5 log | sed 's/^/# /'

# The mean of the four heads at a validation, of both seeds.
for s in 1 2; do
	heed-show -f dev.redundant.enc.1.self.1,dev.redundant.enc.1.self.2,dev.redundant.enc.1.self.3,dev.redundant.enc.1.self.4 \
	    "$runs/dea-rhe/$s/log.heed.zst" | awk '$1 != "" { print ($1 + $2 + $3 + $4) / 4 }' > $s
done
paste 1 2 | awk '{ v[NR] = ($1 + $2) / 2 } END { printf "%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", v[1], v[2], v[5], v[10], v[20], v[NR] }' > want
sed 1d "$table" > have; cut -f 3- have | equals - want && that "$(wc -l < have)" = 1
say $? '... has the mean over heads and seeds, and no systems without such values'
that "$(cut -f 2 have)" = 2 && that "$(head -n 1 "$table" | tr '\t' ,)" = \
    'system,seeds,validation 1,validation 2,validation 5,validation 10,validation 20,last validation'
say $? '... and names its columns'
rm -r "$runs/dea-rhe/2"; runs made && that "$(sed 1d "$table" | cut -f 2)" = 1; say $? '... and is made again when runs change'
