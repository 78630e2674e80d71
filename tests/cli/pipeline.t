#!/bin/sh
# pipeline: what the papers' grids would do, without doing it; slots; records and points.
. "$HEED_TOP/tests/lib.sh"
plan 40

mkdir toy
for l in en de; do for s in train dev test; do echo a b c > toy/$s.$l; done; done
dry() {
	make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk "$@" PROFILE=smoke \
	    DATA="$scratch/toy" W="$scratch/work"
}
trainings() { grep -c 'nmt-train --threads' "$1"; }

for p in rhe syncattn treemask dhicm voita; do
	dry "$scratch/work/results/$p/report.html" > $p.log 2> err; r=$?
	say $r "$p: there is a way from text to report"
	[ $r = 0 ] || sed 's/^/# /' err
	[ "$(grep -o -- '-o [^ ]*/model.tar' $p.log | sort | uniq -d | wc -l)" = 0 ]
	say $? "$p: no run is made twice"
	# Every row of a grid that is no claim names a variant that has settings, and every base is a row.
	heed-table --rows -g "$HEED_TOP/src/papers/$p.grid" > rows
	missing=$(cut -d / -f 3 rows | sort -u | while read -r v; do
		grep -qF "$p.variant.$v" "$HEED_TOP/src/papers/$p.mk" ||
			grep -qF "run/$p/toy.en-de/$v/" $p.log || echo "$v"; done)
	[ -z "$missing" ]; say $? "$p: all variants have settings"; [ -z "$missing" ] || echo "# $missing"
done
[ "$(grep -c 'parse -q --side src --lang en' rhe.log)" -ge 3 ] &&
	[ "$(grep -c 'slot.*parse -q --side src --lang en'"' <" rhe.log)" = 3 ]; say $? 'a corpus is parsed once'
[ "$(grep -c 'bpe-apply.*< .*/parsed/src/.*> .*prepared/rhe/src.*train.heed' rhe.log)" = 1 ]
say $? '... and prepared once'
grep 'nmt-train' rhe.log | grep -q -- "--init $scratch/work/run/rhe/toy.en-de/plain/1/model.tar.*mode=prune"
say $? 'pruning begins with the plain model'
run=$scratch/work/run/voita/toy.en-de
grep 'nmt-train --threads' voita.log | grep -c -- "--init $run/base/1/model.tar" > begun
[ "$(cat begun)" = 16 ]; say $? 'gates, controls and further training go on from one model'
grep 'nmt-train --threads' voita.log | grep -v -- --init | grep -c "seed 1 " > scratch
[ "$(cat scratch)" = 5 ]; say $? '... which is trained from scratch, as four of what gates left are'
grep -c "nmt-train.*at=enc.*--freeze 'dec[.][*]' --freeze 'embed[.][*]'" voita.log > frozen
[ "$(cat frozen)" -gt 6 ] && ! grep 'nmt-train.*at=all' voita.log | grep -q -- --freeze
say $? 'the decoder is frozen while the encoder is pruned, and not otherwise'
[ "$(grep -c 'slot.*parse -q' voita.log)" = 1 ]; say $? 'only the sentences that heads are looked at on are parsed'
dry "$scratch/work/results/rhe/table1.tsv" TABLES=table1 SEEDS=1 > one 2> err
[ "$(trainings one)" = 7 ]; say $? 'one table and one seed: seven runs'
results=$scratch/work/results
dry $results/rhe/table1.tsv TABLES=table1 SEEDS='1 2 3' PAIR='en-de de-en' > many 2> err
[ "$(trainings many)" = 42 ]; say $? '... two pairs and three seeds: six times as many'
dry_sizes() {
	dry $results/treemask/table2.tsv TABLES=table2 SEEDS=1 treemask.sizes.smoke='10 20 all' \
	    > sizes 2> err
}
dry_sizes
[ "$(trainings sizes)" = 9 ]; say $? 'three systems at three sizes: nine runs'
grep -q 'heed-sample -n 10 -s 1' sizes; say $? '... of pairs that are drawn'
[ "$(grep -c 'slot.*parse -q' sizes)" = 3 ]; say $? '... but parsed once'
mkdir -p work/text/toy.en-de && echo 15 > work/text/toy.en-de/pairs
dry_sizes() {
	dry $results/treemask/table2.tsv TABLES=table2 SEEDS=1 treemask.sizes.smoke='10 20 all' \
	    > sizes 2> err
}
dry_sizes
[ "$(trainings sizes)" = 6 ]; say $? '... sizes that the corpus has'

# Trees of one's own.
echo x > toy/train.en.conllu; echo x > toy/train.en.ptb
dry "$scratch/work/parsed/src/toy.en-de/train.heed" > own 2> err
given=$scratch/toy/train.en
grep -q "conllu2heed --side src -p $given.conllu | ptb2heed --side src -p $given.ptb" own
say $? 'trees beside the text take the place of the parser'
grep -q 'slot.*parse -q' own; [ $? = 1 ]; say $? '... which is not asked'

# Two slots: of four steps never more than two at a time, and all are done.
cat > step <<'END'
mkdir busy.$1; ls -d busy.* | wc -l >> most; sleep 0.3; rmdir busy.$1; echo $1 >> done
END
: > most; : > done
for i in 1 2 3 4; do sh "$HEED_TOP/src/papers/slot.sh" 2 locks/slot sh step $i & done; wait
[ "$(sort -n most | tail -n 1)" = 2 ]; say $? 'two slots let two steps through'
[ "$(sort done | tr -d '\n')" = 1234 ]; say $? '... and all in the end'
sh "$HEED_TOP/src/papers/slot.sh" 1 locks/slot sh -c 'kill -9 $$' 2> /dev/null
timeout 10 sh "$HEED_TOP/src/papers/slot.sh" 1 locks/slot true
say $? 'a killed step gives its slot back'
sh "$HEED_TOP/src/papers/slot.sh" 1 locks/slot sh -c 'exit 7'
[ $? = 7 ]; say $? 'the status is that of the step'

printf 'paper\trhe\nbleu\t21.5000\ncommand\tnmt-train "a\\b"\nseed\t1\n' > r1
printf '%s\n' '{"paper":"rhe","bleu":21.5000,"command":"nmt-train \"a\\b\"","seed":1}' > want
awk -f "$HEED_TOP/src/papers/records.awk" r1 r1 | tail -n 1 | cmp -s - want
say $? 'records as JSON lines'
printf '%s\t%s\t%s\t%s\t%s\n' row pairs measure mean deviation 'A @ 0.5' 9 bleu 20 1 \
    'A @ 0.1' 9 bleu 21 '' 'A, level' 9 bleu 22 2 'A @ 0.1' 9 speed 1 1 > t.tsv
awk -f "$HEED_TOP/src/papers/points.awk" t.tsv > points
printf '"A"\n0.5 20 1\n0.1 21 0\n\n\n"A, level"\n0.1 22 0\n0.5 22 0\n' | cmp -s - points
say $? 'points of curves, and a level'
printf '%s\t%s\t%s\t%s\t%s\n' row column measure mean deviation 'Base' c heads 48 '' 'Gates, 1' c heads 20 '' \
    'Gates, 2' c heads 31 1 'Base' c bleu 30 '' 'Gates, 1' c bleu 28 2 'Gates, 2' c bleu 29 '' > t.tsv
awk -v over=heads -f "$HEED_TOP/src/papers/points.awk" t.tsv > points
printf '"Base"\n48 30 0\n\n\n"Gates"\n20 28 2\n31 29 0\n' | cmp -s - points
say $? 'points over a measure, in its order'
# What nmt-info says of a model of 2 + 2 layers that lost some heads, as facts and as a list.
printf '%s\t%s\n' config.heads 4 config.enc_layers 2 config.dec_layers 2 heads 'enc.2.self	2	1,3' \
    heads 'dec.1.cross	0	-' > info
awk -f "$HEED_TOP/src/papers/heads-left.awk" info | tr '\t\n' ' ;' > facts
[ "$(cat facts)" = 'heads 18;heads.enc-self 6;heads.dec-self 8;heads.cross 4;' ]
say $? 'how many heads a model has left'
awk -v closed=1 -f "$HEED_TOP/src/papers/heads-left.awk" info > list
[ "$(cat list)" = enc.2.self:2+4/dec.1.cross:1+2+3+4 ]; say $? '... and which it lost'
for seed in 1 2; do awk -v n=5 -v seed=$seed -f "$HEED_TOP/src/papers/heads-drawn.awk" info; done > drawn
awk '{ n = gsub(/[:+]/, "&"); if (n != 5) bad = 1; seen[$0] } END { for (l in seen) k++; exit bad || k != 2 }' drawn
say $? 'five heads by chance, other ones for another seed'
