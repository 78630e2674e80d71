#!/bin/sh
# head-curve: every point is that of nmt-score and nmt-translate with the same heads masked; orders
# are those of sort and head-prune; both ends, threads, errors.
. "$HEED_TOP/tests/lib.sh"

plan 42

awk 'BEGIN { srand(7); split("a the red old dog cat man house runs sees likes of in", w, " ")
	for (i = 0; i < 60; i++) { s = ""; n = 3 + int(rand() * 6)
		for (k = 0; k < n; k++) s = s (k ? " " : "") w[1 + int(rand() * 13)]; print s } }' > s
rev s > t
cat s t | bpe-learn --text -q --merges 30 > codes
heed-pack s t | bpe-apply -c codes > in.heed
nmt-train -q --size tiny --preset story --arch heads=4,enc_layers=2,dec_layers=2 -c codes --updates 60 \
	--batch-tokens 300 --lr 0.003 --schedule constant -o model.tar in.heed
head -n 25 s > s.dev; head -n 25 t > t.dev
heed-pack s.dev t.dev | bpe-apply -c codes > dev.heed
head-stat -q -m model.tar --measure gradient --target ref -o heads.heed dev.heed
nll() {		# LIST: per target token, by nmt-score
	nmt-score -q -m model.tar ${1:+--mask-heads "$1"} dev.heed | heed-show -f score,score.tokens |
		awk -F '\t' '{ sum -= $1; n += split($2, x, ",") } END { printf "%.6f\n", sum / n }'
}

# --- points ---
head-curve -q --no-pg -m model.tar --from heads.heed --by confidence,gradient --reverse entropy \
	--random 2 --site enc-self --step 3 -o curve.heed dev.heed
heed-show -f order,retained,masked,nll curve.heed | sed 's/\t\t/\t-\t/' > points
cut -f 2 points | head -n 4 | paste -s -d ' ' | matches -x '8 5 2 0'
say $? '--step 3: points at every third head, the last with none'
cut -f 1 points | uniq -c | awk '{ print $2, $1 }' | paste -s -d , |
	matches -x 'confidence 4,gradient 4,entropy.reverse 4,random.1 4,random.2 4'
say $? '... for each order'
bad=0
while IFS='	' read -r order retained masked found; do
	echo "$found" > found; nll "${masked#-}" | near 1e-5 found || bad="$order $retained"
done < points
that "$bad" = 0 && that -s points; say $? 'the loss is that of nmt-score with the same heads masked'
computes -F '\t' '{ n = gsub(/[0-9]+(\+|$|\/)/, "&", $3); if (n != 8 - $2) bad = 1 } END { exit bad || !NR }' points
say $? 'the number of masked heads is that of heads minus retained'
for order in random.1 random.2; do
	head-curve -q -m model.tar --random 2 --site enc-self dev.heed | heed-show -f order,masked |
		computes - -F '\t' -v o=$order '
		function list(s, to, i, n, part, h, k, m) {
			delete to; n = split(s, part, "/")
			for (i = 1; i <= n; i++) { split(part[i], h, ":"); m = split(h[2], k, "+")
				while (m) to[h[1] ":" k[m--]] }
		}
		$1 == o { list($2, now); for (x in was) if (!(x in now)) exit 1
			n = 0; for (x in now) n++; if (n != rows++) exit 1
			delete was; for (x in now) was[x] }
		END { exit rows != 9 }'
	say $? "$order is a permutation: each point masks one head more"
done
head-curve -q -m model.tar --random 1 --seed 2 --site enc-self --step 3 dev.heed | heed-show -f masked | sed 's|^$|-|' > a
awk -F '\t' '$1 == "random.2" { print $3 }' points | equals - a; say $? '... it depends on its seed alone'
awk -F '\t' '$1 ~ /random/ && $2 == 2 { print $3 }' points | sort -u | wc -l | matches -x 2
say $? '... and differs from that of another seed'

heed-show -H curve.heed | matches '"signature":"heed|what:curve|site:enc-self|target:ref|random:plain|sentences:25|tokens:[0-9]*|version:'; say $? 'the signature'

# --- ends ---
awk -F '\t' '$2 == 8 { print $4; exit }' points > found; nll | near 1e-5 found
say $? 'the first point is the whole model'
awk -F '\t' '$2 == 0 { print $4; exit }' points > found; nll 'enc-self:all' | near 1e-5 found
say $? 'the last point has no head of the site'
# Eight heads of each of three kinds: at each point, their numbers differ by at most one.
head-curve -q -m model.tar --random 3 --stratify dev.heed | heed-show -f order,retained,masked > strata
computes -F '\t' '{ n["enc"] = n["dec"] = n["cross"] = 0; k = split($3, part, "/")
	for (i = 1; i <= k; i++) { split(part[i], h, /[-.:]/); l = split(part[i], x, /[+]/); n[h[1]] += l }
	low = high = n["enc"]; for (x1 in n) { if (n[x1] < low) low = n[x1]; if (n[x1] > high) high = n[x1] }
	if (high - low > 1 || n["enc"] + n["dec"] + n["cross"] != 24 - $2) bad = 1 } END { exit bad || NR != 75 }' strata
say $? '--stratify: the same fraction of each kind of attention'
computes -F '\t' '$2 == 23 { n += split($3, x, "/") ; kind[substr($3, 1, 3)] } $2 == 12 && !seen[$3]++ { orders++ } END { exit n != 3 || orders != 3 }' strata
say $? '... in random orders'
exits 2 '... without random orders' head-curve -m model.tar --from heads.heed --by confidence --stratify dev.heed
head-curve -q -m model.tar --random 1 --points 2 dev.heed | heed-show -f heads,retained,nll > ends
sed -n 2p ends | cut -f 3 > found; nll 'all' | near 1e-5 found; say $? '... without --site no head at all'
cut -f 1,2 ends | paste -s -d ' ' | tr '\t' ' ' | matches -x '24 24 24 0'; say $? '... and counts all heads'
head-curve -q -m model.tar --random 1 --points 5 --site cross dev.heed | heed-show -f retained | paste -s -d ' ' |
	matches -x '8 6 4 2 0'; say $? '--points: points at equal distances'
head-curve -q -m model.tar --random 1 --points 99 --site cross dev.heed | heed-show -f retained | wc -l | matches -x 9
say $? '... at most one for each head'

# --- orders ---
masked_at() { awk -F '\t' -v o="$1" -v n="$2" '$1 == o && $2 == n { print $3 }' points; }
of_order() {	# the first three of a sorted table as a list, "enc.1.self:2+3/enc.2.self:1"
	head -n 3 | sort -k 2,2n -k 3,3n | awk '{ s = "enc." $2 ".self"
		printf "%s%s", s == last ? "+" : (last ? "/" : "") s ":", $3; last = s } END { print "" }'
}
heed-show -f confidence,layer,head,site heads.heed | awk '$4 == "enc-self"' | sort -g > sorted
plain() { sed 's/enc-self\.\([0-9]\)/enc.\1.self/g'; }
of_order < sorted > a; masked_at confidence 5 | plain > b; equals a b
say $? '--by: the heads with the lowest confidence are masked first'
heed-show -f entropy,layer,head,site heads.heed | awk '$4 == "enc-self"' | sort -g -r | of_order > a
masked_at entropy.reverse 5 | plain > b; equals a b; say $? '--reverse: those with the highest entropy'
head-prune -q -m model.tar --by gradient --keep 2 --site enc-self -o pruned.tar heads.heed
nmt-score -q -m pruned.tar dev.heed | heed-show -f score,score.tokens |
	awk -F '\t' '{ sum -= $1; n += split($2, x, ",") } END { printf "%.6f\n", sum / n }' > pruned
awk -F '\t' '$1 == "gradient" && $2 == 2 { print $4 }' points | near 1e-5 pruned
say $? 'the retained heads are those of head-prune'
# Where values tie, head-prune retains the first heads.
heed-show heads.heed | sed 's/"confidence":[0-9][0-9.e-]*/"confidence":1/' | heed-pack -j > equal.heed
head-curve -q -m model.tar --from equal.heed --by confidence --site enc-self --step 7 dev.heed |
	heed-show -f masked | sed -n 2p | plain | matches -x 'enc.1.self:2+3+4/enc.2.self:1+2+3+4'
say $? 'among equal values the last heads are masked first'

# --- BLEU ---
head-curve -q --no-pg -m model.tar --from heads.heed --by confidence --site enc-self --step 4 --bleu --beam 2 \
	-o bleu.heed dev.heed
heed-show -f masked,bleu bleu.heed | sed 's/^\t/-\t/' > points
bad=0
while IFS='	' read -r masked found; do
	nmt-translate -q --precision fp32 -m model.tar $([ "$masked" = - ] || echo "--mask-heads=$masked") --beam 2 --spread 0 --max-ratio 1.5 \
		--max-extra 10 dev.heed | heed-show -f hyp > hyp
	want=$(bleu --tokenizer none -w 4 --to tsv -r t.dev hyp | awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["score"] }')
	echo "$want" > want; echo "$found" | near 1e-3 want || bad="'$masked'"
done < points
that "$bad" = 0 && that -s points; say $? 'BLEU is that of nmt-translate with the same heads masked'
head-curve -q -m model.tar --random 1 --points 2 --bleu --to tsv dev.heed | head -n 1 |
	matches -x "$(printf 'order\tsite\theads\tretained\tnll\tbleu')"; say $? 'the table has a column for BLEU'

# --- the same bytes ---
head-curve -q --no-pg -m model.tar --from heads.heed --by confidence,gradient --reverse entropy \
	--random 2 --site enc-self --step 3 -t 3 -o three.heed dev.heed
equals three.heed curve.heed; say $? 'three threads give the same bytes'
head-curve -q --no-pg -m model.tar --from heads.heed --by confidence --site enc-self --step 4 --bleu --beam 2 -t 3 \
	-o three.heed dev.heed
equals three.heed bleu.heed; say $? '... with translations too'
head-curve -q -m model.tar --random 2 --site enc-self --step 3 --to tsv --batch-tokens 100 dev.heed > a
head-curve -q -m model.tar --random 2 --site enc-self --step 3 --to tsv dev.heed > b
that -s a && equals a b; say $? 'the results do not depend on batches, to six digits'
runs heed-check curve.heed > /dev/null; say $? 'the stream is complete'
head-curve -q -m model.tar --random 1 --points 2 < dev.heed | runs heed-check > /dev/null; say $? 'the input can be a pipe'

# --- errors ---
exits 2 'no order' head-curve -m model.tar dev.heed
exits 2 '--by without --from' head-curve -m model.tar --by confidence dev.heed
exits 2 'a duplicate measure' head-curve -m model.tar --from heads.heed --by confidence,confidence dev.heed
exits 3 'an unknown measure' head-curve -m model.tar --from heads.heed --by zz dev.heed
exits 3 'a measure of text' head-curve -m model.tar --from heads.heed --by role dev.heed
heed-show heads.heed | sed '/"dec-self","layer":2,"head":3/s/"confidence":[0-9][0-9.e-]*,//' | heed-pack -j > lacks.heed
exits 3 'a head without the measure' head-curve -m model.tar --from lacks.heed --by confidence dev.heed
matches 'lacks.heed: head 3 of dec.2.self has no confidence, expected one' err; say $? '... the message names the head'
runs head-curve -q -m model.tar --from lacks.heed --by confidence,gradient,zz --skip-missing --points 2 -o some.heed dev.heed 2> err
say $? '--skip-missing: the other measures have curves'
heed-show -f order some.heed | sort -u | matches -x gradient && that "$(grep -c 'warning: left out' err)" = 2; say $? '... with a warning for each of the others'
heed-show some.heed | matches -F '["heed-note","skipped.confidence","lacks.heed: head 3 of dec.2.self has no confidence'
say $? '... and a note with the reason'
exits 3 '... and an error if none is left' head-curve -m model.tar --from lacks.heed --by zz --skip-missing dev.heed
exits 3 'a measure of text is skipped' head-curve -m model.tar --from lacks.heed --by role --skip-missing dev.heed
exits 2 '--step with --points' head-curve -m model.tar --random 1 --step 2 --points 3 dev.heed
