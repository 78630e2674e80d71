#!/bin/sh
# head-lrp: relevance is conserved under every rule, and shares sum to 1; threads do not change the
# bytes; targets are translated, or read from the stream.
. "$HEED_TOP/tests/lib.sh"

printf 'the dog bites a man\na man sees\nthe\n\nman bites the the zebra\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n\nmann beisst der der\n' > tgt
heed-pack --no-pg src tgt > in.heed
for p in fairseq onmt witwicky story; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done

# layers FILE: relevance sums to 1 over the heads of each layer, and heads are in order
layers() {
	heed-show -f site,layer,head,relevance,relevance.raw "$1" | computes - '{
		sum[$1 $2] += $4; raw[$1 $2] += $5; n[$1 $2]++
		if ($3 != n[$1 $2] || $4 < 0 || $4 > 1 || $5 < 0) bad = 1 }
		END { for (s in sum) { seen++;
		if (sum[s] < 1 - 1e-5 || sum[s] > 1 + 1e-5 || raw[s] > 1 + 1e-4) bad = 1 }
		      exit bad || seen < 3 }'
}

plan 119
for p in fairseq onmt witwicky story; do
	runs head-lrp -q --no-pg -m $p.tar in.heed > $p.heads; say $? "$p: relevance is conserved"
	layers $p.heads; say $? '... and shares of heads sum to 1'
done
# The rules themselves are tested in tests/variant; here, that the options reach them.
shares() { head-lrp -q -m onmt.tar --target ref "$@" in.heed > heads && heed-show -f relevance heads; }
runs shares > default && that -s default; say $? 'shares of the default rule'
for r in alpha-beta-local epsilon; do
	runs shares --rule $r > found; say $? "rule $r conserves relevance"
	heed-show -f site,layer,relevance heads |
		computes - '{ s[$1 $2] += $3 } END {
		for (i in s) if (s[i] < 1 - 1e-5 || s[i] > 1 + 1e-5) exit 1
		exit !NR }' && differ found default
	say $? '... and other shares sum to 1'
done
for o in '--attention-weights constant' '--bias drop' '--norm identity' '--norm frozen-std' '--eps 0'; do
	runs shares $o > found && layers heads && differ found default
	say $? "$o: other shares, which sum to 1 too"
done

# alone FILE: compares with an independent program, which works in double precision and on one input
# at a time
alone() {
	heed-show -f site,layer,head,relevance,relevance.raw - | sort | paste - "$1" | computes - '
		{ for (i = 4; i <= 5; i++) { d = $i - $(i + 5); if (d > 2e-6 || d < -2e-6) bad = 1 }
		  if ($1 != $6 || $2 != $7 || $3 != $8) bad = 1 } END { exit bad || !NR }'
}
sed 1q src > one.src; sed 1q tgt > one.tgt
heed-pack --no-pg one.src one.tgt > one.heed
for p in story fairseq less; do
	[ $p != less ] ||
		head-prune -q -m witwicky.tar \
		--heads 'enc-self.1:1 enc-self.2:all dec-self.1:2 cross.2:all cross.1:1' -o less.tar
	head-lrp -q --target ref -m $p.tar one.heed |
		alone "$HEED_TOP/tests/data/model/$p.relevance"
	say $? "$p: shares are those of an independent program"
done

# The sentence of attribution.py.  The values are those of tests/variant/attribution.c, which checks
# them closely; in single precision, rounding errors are larger where contributions cancel.
for p in story fairseq onmt; do for r in attnlrp 'attnlrp --against hund' alti chefer \
	'chefer --against hund' value-zeroing rollout integrated-gradients 'integrated-gradients --against hund'; do
	head-lrp -q --tokens --rule $r --target ref -m $p.tar one.heed > tokens.heed
	for side in src tgt; do
		heed-show -f relevance.$side tokens.heed | sed 's/\],\[/\n/g' | tr -d '[]' | tr , '\t'
	done > found
	case $r in attnlrp*) near=3e-3 ;; integrated*) near=2e-5 ;; *) near=5e-6 ;; esac
	echo "$r" | sed 's/ --\(.*\) hund/.\1/' > method
	awk -F '\t' -v p=$p -v o="$(cat method)" '$1 == p && $2 == o && $3 != "heads"' \
		"$HEED_TOP/tests/data/model/attribution.tsv" | cut -f 5- | paste found - |
		computes - -v near=$near '{ for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2)
			if (d > near || d < -near) bad = 1 } } END { exit bad || NR != 12 }'
	say $? "$p: --rule $r"
done; done
for r in alti chefer rollout value-zeroing; do
	for t in 1 3; do head-lrp -q --no-pg -t $t --tokens --rule $r --target ref -m story.tar in.heed > $t.heed; done
	equals 1.heed 3.heed; say $? "$r: three threads give the same bytes"
	heed-show -f relevance.src,relevance.tgt 1.heed | tr -s '[],\t' ' ' |
		computes - -v r=$r '{ for (i = 1; i <= NF; i++) { sum += $i; if ($i + 0 < 0) bad = 1 } }
		END { d = sum - 17; exit bad || (r != "chefer" && d ^ 2 > 1e-8) }'
	say $? '... contributions are not negative, and sum to 1 except those of chefer'
	exits 2 '... needs --tokens' head-lrp -m story.tar --rule $r in.heed
	matches 'head-stat --measure' err; say $? '... the message names the scores of heads'
done
exits 2 '--against with a rule that does not depend on it' head-lrp -m story.tar --tokens --rule alti --against hund in.heed
exits 2 '... or with rollout' head-lrp -m story.tar --tokens --rule rollout --against hund in.heed
exits 2 '--steps without integrated gradients' head-lrp -m story.tar --tokens --rule alti --steps 3 in.heed
# completeness NAME STEPS: the largest difference of the sums of contributions, as noted
completeness() { head-lrp -q --tokens --rule integrated-gradients --steps $2 --target ref -m $1.tar one.heed | heed-show | sed -n 's/.*"lrp.gap","\(.*\)".*/\1/p'; }
for p in story fairseq onmt; do
	{ completeness $p 10; completeness $p 300; } > gap
	paste -s -d ' ' gap | computes - '{ exit !(NF == 2 && $2 < $1 / 5) }'; say $? "$p: more steps make integrated gradients complete"
done
exits 2 'settings of relevance propagation with another rule' head-lrp -m story.tar --tokens --rule alti --norm identity in.heed
head-lrp -q --tokens --rule attnlrp --against hund --target ref -m onmt.tar one.heed > tokens.heed
heed-show tokens.heed | matches '"lrp.against":"hund"'; say $? '... the header has the token'
head-lrp -q --tokens --rule alti --target ref -m onmt.tar tokens.heed | heed-show -H > header
matches '"lrp.rule":"alti"' header && lacks '"lrp\.\(against\|norm\|eps\)"' header
say $? '... which another run removes, with the settings of LRP'
heed-show tokens.heed | matches '"lrp.best","0"'; say $? '... and a note counts where it is the best'
runs head-lrp -q --rule attnlrp --target ref -m fairseq.tar --against hund in.heed > against.heed &&
	heed-show -f site,layer,relevance against.heed | computes - '{ s[$1 $2] += $3 } END {
	for (i in s) if (s[i] < 1 - 1e-5 || s[i] > 1 + 1e-5) exit 1
	exit !NR }'
say $? '... positions where it is the best do not count'

head-lrp -q --no-pg -t 3 -m story.tar in.heed | equals - story.heads
say $? 'three threads give the same bytes'
nmt-translate -q --precision fp32 -m story.tar in.heed > hyp.heed
head-lrp -q -m story.tar hyp.heed | heed-show -f relevance > found
heed-show -f relevance story.heads | equals - found
say $? 'its own translations are those of nmt-translate'
head-lrp -q -m story.tar --target ref hyp.heed | heed-show -f relevance | differ - found
say $? '... --target ref reads the references'
head-lrp -q -m story.tar --target any hyp.heed | heed-show -f relevance | equals - found
say $? '--target any reads the translation'
head-lrp -q -m story.tar --target ref in.heed | heed-show -f relevance > ref
head-lrp -q -m story.tar --target any in.heed | heed-show -f relevance | equals - ref
say $? '... or the reference of a sentence without one'

head-lrp -q --tokens --target ref -m onmt.tar in.heed > tokens.heed
runs heed-check tokens.heed > /dev/null; say $? '--tokens writes a complete stream'
heed-show tokens.heed | grep -c '"relevance.src"' > n; echo 6 > expected
equals n expected; say $? '... with all sentences'
heed-show -f relevance.src tokens.heed | sed -n 1p > s
heed-show -f relevance.tgt tokens.heed | sed -n 1p > t
cat s t | tr -d '[]' | computes - -F , '{ for (i = 1; i <= NF; i++) sum += $i }
	END { exit sum < 6 - 1e-3 || sum > 6 + 1e-3 }'
say $? '... contributions to five tokens and the end sum to six'
heed-show story.heads | matches 'lrp.off'; say $? 'the stream notes the largest loss'

# More positions than are traced at once: a prefix has the same contributions, because the decoder
# does not read later tokens.
awk 'BEGIN { srand(3); for (i = 0; i < 80; i++) printf "%c ", 97 + int(8 * rand()); print "" }' \
	> many
cut -d ' ' -f 1-20 many > few
bpe-learn --text -q --merges 1 many > codes
for w in many few; do heed-pack --no-pg many $w | bpe-apply --no-pg -c codes > $w.heed; done
nmt-train -q --precision fp32 --size tiny --updates 2 -c codes -o long.tar many.heed
for r in alpha-beta alti chefer rollout 'integrated-gradients --steps 3' value-zeroing; do
	for w in many few; do
		head-lrp -q --tokens --rule $r --target ref -m long.tar $w.heed | heed-show -f relevance.src |
			sed 's/\],\[/\n/g' | tr -d '[]' > $w.rows
	done
	tr -s , ' ' < few.rows > a; head -n 21 many.rows | tr -s , ' ' | paste -d ' ' a - |
		computes - '{ for (i = 1; i <= 81; i++) { d = $i - $(i + 81);
		if (NF != 162 || d > 1e-6 || d < -1e-6) bad = 1 } } END { exit bad || NR != 21 }'
	say $? "$r: a prefix of a long translation has the same contributions"
done

nmt-train -q --precision fp32 --size tiny -a relative --updates 2 -c codes -o relative.tar few.heed
for r in alti chefer; do
	exits 3 "$r: a variant that replaces head outputs" head-lrp -q --tokens --rule $r --target ref -m relative.tar few.heed
done
# The relevance that eps absorbs is reported, and large values that cancel are not lost.
for e in 1e-4 1e-2 1; do
	runs head-lrp --rule epsilon --eps $e --tokens --target ref -m long.tar few.heed > eps.heed 2> err
	say $? "--eps $e absorbs relevance without an error"
	heed-show -f relevance.src,relevance.tgt eps.heed | tr -s '[],\t' ' ' |
		awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print NR - sum / 21 }' > mean
	sed -n 's/.* absorbed relevance: //p' err | paste -d ' ' - mean |
		computes - '{ d = $2 < 0 ? -$2 : $2; bad = NF != 2 || d > $1 * 1.1 } END { exit bad || NR != 1 }'
	say $? '... and the largest part is printed'
done
heed-show eps.heed | matches 'lrp.taken'; say $? '... and noted in the stream'
heed-show -H eps.heed | matches '"lrp.rule":"epsilon".*"lrp.norm":"frozen-std","lrp.attention":"joint","lrp.bias":"spread","lrp.eps":"1"'
say $? 'the header has the settings'
awk 'BEGIN { srand(2); for (i = 0; i < 20; i++) { n = 18 + int(16 * rand())
	for (k = 0; k < n; k++) printf "%c ", 97 + int(12 * rand()); print "" } }' > letters
bpe-learn --text -q --merges 1 letters > codes.letters
heed-pack --no-pg letters letters | bpe-apply --no-pg -c codes.letters > letters.heed
for s in 2 3 4; do
	nmt-train -q --precision fp32 -s $s --size tiny -a localness --updates 2 -c codes.letters -o local.tar letters.heed
	runs head-lrp -q --rule epsilon --target ref -m local.tar letters.heed > heads
	say $? "localness, seed $s: values that cancel are not lost"
done

printf '\n' > blank; heed-pack --no-pg blank blank > blank.heed
runs head-lrp -q -m onmt.tar blank.heed > none.heed && heed-show none.heed | runs sed 1d > none &&
	matches '"site"' none &&
	lacks relevance none; say $? 'without source tokens heads have no relevance, not 0'

exits 2 'no model' head-lrp in.heed
exits 2 'rule epsilon with norm jacobian' head-lrp -m onmt.tar --rule epsilon --norm jacobian in.heed
exits 2 'rule attnlrp with norm jacobian' head-lrp -m onmt.tar --rule attnlrp --norm jacobian in.heed
exits 2 'bias absorb with another rule' head-lrp -m onmt.tar --bias absorb in.heed
exits 2 'a token that is not in the vocabulary' head-lrp -m onmt.tar --against Hund in.heed
matches "against: 'Hund' is not in the target vocabulary" err; say $? '... the message names the option'
exits 2 'an unknown rule' head-lrp -m onmt.tar --rule gamma in.heed
awk 'BEGIN { for (i = 0; i < 30; i++) printf "the "; print "" }' > long
heed-pack --no-pg long long > long.heed
exits 3 'a sentence that is too long for the model' head-lrp -q -m onmt.tar --target ref \
	long.heed
matches 'record 1 (id 1): src has 30 tokens' err; say $? '... the message has its number and length'
head -c 200 in.heed > cut.heed
exits 3 'a truncated stream' 'head-lrp -q -m onmt.tar cut.heed > out.heed'

# --- names ---
head-lrp -q -m onmt.tar --target ref in.heed | heed-show -f relevance,relevance.raw > plain
head-lrp -q -m onmt.tar --target ref --name other in.heed > named.heed
heed-show -f other,other.raw named.heed | equals - plain; say $? '--name: the same values under another name'
{ printf '\n'; heed-show -f src in.heed | sed '$d'; } > gap.src; heed-show -f tgt in.heed > gap.tgt
heed-pack -q gap.src gap.tgt > gap.heed && head-lrp -m onmt.tar --target ref gap.heed 2> err | heed-show > gap
want=$(($(sed 1d gap.src | grep -c .))); matches "\"heed-note\",\"sentences\",\"$want\"" gap && matches "head-lrp: $want sentences" err
say $? 'the number of sentences with source tokens is a note'
exits 2 'a name that records already have' head-lrp -m onmt.tar --name head in.heed
exits 2 'a name that is not of letters' "head-lrp -m onmt.tar --name 'a b' in.heed"
exits 2 'a name with --tokens' head-lrp -m onmt.tar --tokens --name other in.heed
