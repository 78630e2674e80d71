#!/bin/sh
# Attention variants that need no trees: the number of threads does not affect a model, an interrupted
# training has the same result, translations do not depend on their batch, and the log has the
# variants' fields.  Variants that need trees are in attention.t.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"

# One combination of specs per line, separated by blanks.
cat > specs <<'END'
relative:k=3 localness:last=1
localness:window=layer,proj=full head-importance:enc=1,dropout=0.3
head-importance:keep_out=on relative:share_kv=off
fixed-heads:patterns=previous,last=1 fixed-heads:patterns=left+end,first=2
END
plan $((5 * $(wc -l < specs) + 26))

pairs 120 1 train && pairs 20 2 dev

# variants LINE: the options for these specs
variants() { for spec in $1; do printf ' -a %s' "$spec"; done; }
# learn THREADS NAME UPDATES OPTIONS: trains with all kinds of randomness, two batches per update
learn() {
	threads=$1 name=$2 updates=$3; shift 3
	toy -t "$threads" --arch enc_layers=2,dec_layers=2,width=32,ff=64,heads=2 --updates $updates \
		--dropout 0.2 --word-dropout 0.1 --accumulate 2 --batch-tokens 150 \
		--dev dev.heed --validate-every 6 "$@" -o "$name.tar" train.heed
}

while read -r line; do
	options=$(variants "$line")
	runs learn 1 one 8 $options --log "log" && runs learn 2 two 8 $options; say $? "trains with$options"
	equals one.tar two.tar; say $? '... to the same bytes with one thread and two'
	rm -f cp; runs learn 1 part 3 $options --checkpoint cp &&
		runs learn 2 part 8 $options --checkpoint cp && equals one.tar part.tar
	say $? '... and when it is interrupted and resumed'
	runs nmt-translate --no-pg -m one.tar -t 1 --batch-tokens 2000 dev.heed > many.heed &&
		runs nmt-translate --no-pg -m one.tar -t 2 --batch-tokens 1 dev.heed > single.heed
	say $? '... the model translates'
	equals many.heed single.heed; say $? '... with the same result sentence by sentence'
done < specs

learn 1 one 8 -a head-importance --log log 2> err
site=dev.importance.enc.2.self
heed-show -f $site.1,$site.2,$site.divergence log | computes - -F'\t' '
	$1 == "" { next }
	{ n++; bad += $1 + $2 < 0.999999 || $1 + $2 > 1.000001 || $3 < 0 || $3 > log(2) }
	END { exit !n || bad }'
say $? 'the mean weights of heads in the log sum to 1, and their divergence is in range'
heed-show -f dev.importance.dec.2.cross.2 log | matches '0\.'
say $? '... also for cross-attention'
heed-show -f $site.1.wins,$site.2.wins,$site.winner.share,$site.winner.weight log | computes - -F'\t' '
	$1 == "" { next }
	{ n++; most = $1 > $2 ? $1 : $2; d = $1 + $2 - 1; bad += d * d > 1e-12 || $3 != most || $4 < 0.5 || $4 > 1 }
	END { exit !n || bad }'
say $? 'the share of the most frequent winner is the maximum'
heed-show -f dev.importance.winner.share,$site.winner.share,dev.importance.dec.2.self.winner.share,dev.importance.dec.2.cross.winner.share,dev.importance.winner.share.max log |
	computes - -F'\t' '$1 == "" { next }
	{ n++; d = $2 + $3 + $4 - 3 * $1; most = $2 > $3 ? $2 : $3; most = most > $4 ? most : $4; bad += d * d > 1e-12 || $5 != most }
	END { exit !n || bad }'
say $? '... its mean and maximum over modules are correct'
learn 2 two 8 -a head-importance --log log2 2> err; heed-show log2 |
	sed 's/"speed":[^,]*,//; 1d' > two.rows
heed-show log | sed 's/"speed":[^,]*,//; 1d' | equals - two.rows
say $? '... the same with two threads'
collapse='8 --dropout 0 --word-dropout 0 -a head-importance:weight=9'
learn 1 two $collapse --log one.log 2> one.err &&
	learn 1 two $collapse,norm=per-token-of-update --log update.log 2> update.err
for k in one update; do rows loss,nll $k.log | awk '$2 > 0 { d += $2 - $1 } END { print d }' > $k.gain; done
computes 'NR == 1 { one = $1; next } { exit !(one > 0 && $1 < one / 20) }' one.gain update.gain
say $? 'norm=per-token-of-update: the divergence hardly changes the loss per token'
sed 's/ *[a-z0-9.]*, head [12] (wins at [0-9.]* % of positions, mean weight [0-9.]*);*/ SITE/g' one.err > found
for u in 6 8; do
	echo "nmt-train: warning: update $u: head-importance: one head has nearly all of the weight: SITE"
done > expected
sed 's/\( SITE\)*$/ SITE/' found | equals expected -
say $? 'one head for all positions is reported once per validation'
that ! -s update.err; say $? '... but not with that norm'
exits 2 'an unknown norm is refused' toy --updates 1 -a head-importance:norm=mean -o x.tar dev.heed
nmt-info one.tar | matches 'head-importance:enc=-1,dec=-1,cross=-1'
say $? 'nmt-info shows the settings'
exits 2 'a missing layer is refused' toy --updates 1 -a relative:last=2 -o x.tar dev.heed
matches 'relative at enc.1.self' err; say $? '... with the variant and the site'
exits 2 'an unknown window is refused' toy --updates 1 -a localness:window=none -o x.tar dev.heed
exits 2 'an unknown pattern is refused' toy --updates 1 -a fixed-heads:patterns=left+up -o x.tar dev.heed
matches "pattern 'up', expected current, previous" err; say $? '... with the patterns'
exits 2 'more patterns than heads are refused' \
	toy --updates 1 -a fixed-heads:patterns=left+left+left+left+left -o x.tar dev.heed
exits 2 'an empty pattern is refused' toy --updates 1 -a fixed-heads:patterns=left+ -o x.tar dev.heed
exits 2 'head-importance without a layer is refused' \
	toy --updates 1 -a head-importance:enc=0,dec=0,cross=0 -o x.tar dev.heed
exits 2 'a width other than the model width is refused with keep_out' \
	toy --updates 1 -a head-importance:keep_out=on,width=7 -o x.tar dev.heed
exits 2 'a variant given twice is refused' \
	toy --updates 1 -a relative -a relative:k=2 -o x.tar dev.heed
for v in subset:heads=1 l0-gate:target=1; do
	exits 2 "... $v also for different sites" nmt-train --check-options --updates 1 -a $v,at=enc -a $v,at=cross
done
exits 0 '... but not penalties of gates' nmt-train --check-options --updates 1 -a l0-gate:at=enc,target=1 -a l0-gate:at=cross
for at in enc-self+cross cross+dec-self; do
	toy --updates 1 -a l0-gate:at=$at,init=3 --dev dev.heed --log one.log -o x.tar dev.heed
	toy --updates 1 -a l0-gate:at=${at%+*},init=3 -a l0-gate:at=${at#*+},init=3 --dev dev.heed --log two.log -o x.tar dev.heed
	for log in one two; do rows dev.gates.open,dev.gates.closed,dev.gates.fractional $log.log; done | xargs > found
		echo 4.0 0.0 0.0 4.0 0.0 0.0 | equals - found
	say $? "gates of $at are counted together, in one variant or two"
done

# --- the page: ATTENTION VARIANTS in nmt-train(1) has the options, values and defaults of the tables
nmt-train -a help | awk '
	/^[a-z0-9-]*: / { variant = $1; sub(/:$/, "", variant); next }
	/^  [a-z_0-9]*=/ { form = $1; if (NF == 1) getline
		value = $0; sub(/.* \(/, "", value); sub(/\)$/, "", value); print variant, form, value }' | sort > table
awk '/^\.Sh/ { inside = /ATTENTION VARIANTS/ }
	inside && /^\.It Cm [^ ]*$/ { variant = $3 }
	inside && /^\.It Cm .* Ns = Ns Ar / { value = $0; sub(/.* Pq (Cm )?/, "", value); sub(/\\/, "", value)
		print variant, $3 "=" $8, value }' "$HEED_TOP/man/nmt-train.1" | sort > page
that "$(wc -l < table)" -gt 50 && equals page table; r=$?
say $r 'nmt-train(1) has the options and defaults of the variants'; that $r = 0 || diff page table |
	sed 's/^</# nmt-train(1):/; s/^>/# -a help:/; s/^[0-9-]/# &/'
