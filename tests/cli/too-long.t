#!/bin/sh
# Sentences longer than the model accepts: --too-long fail, skip and cut of all programs that have it.
# Skipped sentences do not change the results for the others.  Sentences that are cut have the results
# of sentences shortened with cut(1).
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"

# Both models accept 16 tokens: 16 words of a source, or 15 and its end token, and 15 of a target.
for p in onmt story; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done
# words N LIST: a line of N words
words() { awk -v n="$1" -v words="$2" 'BEGIN { k = split(words, w, " ")
	for (i = 0; i < n; i++) printf "%s%s", i ? " " : "", w[i % k + 1]; print "" }'; }
src() { words "$1" "the dog bites a man sees"; }
tgt() { words "$1" "der hund beisst ein mann sieht"; }
# Lines 3, 5 and 8 are too long: source, target, both.  Lines 4 and 7 have the maximum length.
for k in 5 3 40 15 4 0 2 30 6; do src $k; done > in.en
for k in 5 3 4 15 16 0 15 31 5; do tgt $k; done > in.de
# stream NAME LINES...: a stream of these lines of both sides, with their numbers
stream() {
	name=$1; shift
	for side in en de; do
		for i; do sed -n "${i}p" in.$side; done > $name.$side
	done
	heed-pack --no-pg $name.en $name.de > $name.heed
}
stream short 1 2 4 6 7 9
heed-pack --no-pg in.en in.de > in.heed
for p in onmt story; do
	[ $p = onmt ] && room=16 || room=15
	cut -d ' ' -f 1-$room in.en > $p.en; cut -d ' ' -f 1-15 in.de > $p.de
	heed-pack --no-pg $p.en $p.de > $p.heed
done
# fails 'what' COMMAND...: exits with 3, names the record, gives a hint, and writes nothing
fails() {
	what=$1; shift
	"$@" > out 2> err; that $? = 3 && matches 'in.heed: .*src has 4[01] tokens, .* at most 16$' err &&
		matches 'hint: --too-long skip leaves such sentences out' err; say $? "$what"
}
# summary_is PROGRAM HOW N: the last line of err is the summary
summary_is() {
	echo "$1: warning: $3 of 9 sentences were longer than the model accepts and were $2" > summary
	tail -n 1 err | equals - summary && that "$(grep -c ": $2\$" err)" = "$3"
	say $? "... and their number is reported, with and without -q"
}

# --- nmt-translate: only the source counts, and the default is skip
for p in onmt story; do
	nmt-translate -q --text -m $p.tar in.en > found 2> err; r=$?
	nmt-translate -q --text -m $p.tar short.en > short.out
	{ sed -n 1,2p short.out; echo; sed -n 3p short.out; nmt-translate -q --text -m $p.tar in.en \
		--too-long cut 2> warned | sed -n 5p; sed -n 4,5p short.out; echo; sed -n 6p short.out
	} > expected
	that $r = 0 && equals found expected; say $? "$p: one line of output per line of input"
	sed -n '/line 3: /s/.*line 3: //p' err > a
	[ $p = onmt ] && long=40 || long=41
	echo "src has $long tokens, expected at most 16: skipped" | equals - a
	say $? '... and each skipped sentence is named'
	summary_is nmt-translate skipped 2
	nmt-translate -q --text -m $p.tar --too-long cut in.en > found 2> err
	nmt-translate -q --text -m $p.tar $p.en | equals - found; say $? '... or sentences are cut'
	summary_is nmt-translate cut 2
done
for o in '-t 2' --flush '--batch-tokens 7'; do
	nmt-translate -q --text -m story.tar $o in.en 2> err | equals - expected
	say $? "... with the same result with $o"
done
nmt-translate -q --text -m onmt.tar --too-long fail -o x in.en 2> err
that $? = 3 && matches 'in.en: line 3: src has 40 tokens' err && that ! -e x
say $? '... or --too-long fail exits with status 3'
# The stream has translations by another model, which must be removed.
heed-show in.heed | sed 's/"fields":{/&"hyp":"str","hyp.score":"float","src.cut":"int",/
	/"id":[0-9]/s/"id"/"hyp":"old","hyp.score":-9.0,"src.cut":1,"id"/' | heed-pack -j > old.heed
nmt-translate -q --no-pg -m onmt.tar old.heed > hyp.heed 2> err
runs heed-check -q hyp.heed && runs heed-show hyp.heed > hyp.json &&
	that "$(grep -c '^{' hyp.json)" = 9 && that "$(grep -c '^{.*"hyp":.*"hyp.score":' hyp.json)" = 7
say $? 'one record of output per record of input'
lacks -E '"id":(3|8),.*"hyp|"old"|src.cut":[0-9]' hyp.json
say $? '... skipped sentences have no translation'
matches 'old.heed: record 3 (id 3): src has 40 tokens' err; say $? '... and are named'
exits 3 '... which is different from an empty translation' bleu hyp.heed
nmt-translate -q --no-pg -m onmt.tar --too-long cut old.heed 2> err | heed-show -f id,src.cut,hyp > found
nmt-translate -q --no-pg -m onmt.tar onmt.heed | heed-show -f id,hyp | awk -F '\t' -v OFS='\t' \
	'{ print $1, $1 == 3 || $1 == 8 ? 16 : "", $2 }' > expected
sed 's/	[-]	/		/' found | equals - expected
say $? '... and sentences that were cut have src.cut'
fails 'nmt-translate fails if it is to' nmt-translate -q -m onmt.tar --too-long fail in.heed

# --- nmt-score: the target counts too
fails 'nmt-score fails' nmt-score -q -m onmt.tar in.heed
for p in onmt story; do
	nmt-score -q --attention-weights -m $p.tar --too-long skip in.heed 2> err > out
	heed-show -f score,score.tokens out > found; summary_is nmt-score skipped 3
	nmt-score -q -m $p.tar short.heed | heed-show -f score,score.tokens > expected
	sed -n '1,2p;4p;6,7p;9p' found | equals - expected
	say $? "$p: the other sentences have the same scores"
	heed-show out | grep -E '"id":(3|5|8),' | grep -c 'score\|att\.' | matches -x 0
	say $? '... and skipped sentences lack a score'
	nmt-score -q --attention-weights -m $p.tar --too-long cut in.heed 2> err > out; summary_is nmt-score cut 3
	nmt-score -q --attention-weights -m $p.tar $p.heed > whole
	for f in score,score.tokens att.enc-self.1,att.dec-self.1,att.cross.2; do
		heed-show -f $f out > found; heed-show -f $f whole | equals - found
		say $? "$p: $f of sentences that were cut"
	done
done
heed-show -f id,src.cut,tgt.cut out | sed '/^[358]/!d; s/	/ /g' > found
printf '%s\n' '3 15 ' '5  15' '8 15 15' | equals - found
say $? '... which have src.cut and tgt.cut'

# --- head-lrp and head-stat: measures of the other sentences, or of sentences that were cut
# measured 'what' COMMAND...: the same for skip and cut
measured() {
	what=$1; shift
	for p in onmt story; do
		"$@" -m $p.tar --too-long skip in.heed > out 2> err; summary_is "$1" skipped 3
		"$@" -m $p.tar short.heed 2> warned > expected
		equals out expected; say $? "$p, $what: the other sentences"
		"$@" -m $p.tar --too-long cut in.heed > out 2> err; summary_is "$1" cut 3
		"$@" -m $p.tar $p.heed 2> warned > expected
		equals out expected; say $? "$p, $what: sentences that were cut"
	done
}
cat > programs/lrp <<'END'
#!/bin/sh
head-lrp -q --no-pg --target ref "$@" | heed-show -f site,layer,head,relevance,relevance.raw
END
chmod +x programs/lrp
fails 'head-lrp fails' head-lrp -q -m onmt.tar --target ref in.heed
fails 'head-stat fails' head-stat -q -m onmt.tar in.heed
fails 'head-prune fails' head-prune -q --keep 3 --search fisher -m onmt.tar -o x.tar in.heed
# Without the warning of layers that have lost all heads, which comes last.
searched() {
	head-prune -q --no-pg --keep 5 --search fisher-swap "$@" 2> all
	sed '/warning: all heads of /d; s/^head-prune:/searched:/' all >&2
}
measured 'search' searched
measured 'measures' head-stat -q --measure ablation,gradient --to tsv --target ref
for p in onmt story; do
	lrp -m $p.tar --too-long skip in.heed > found 2> err; summary_is head-lrp skipped 3
	lrp -m $p.tar short.heed | equals - found; say $? "$p: relevance of the other sentences"
	lrp -m $p.tar --too-long cut in.heed > found 2> err; summary_is head-lrp cut 3
	lrp -m $p.tar $p.heed | equals - found; say $? "$p: relevance of sentences that were cut"
done
head-lrp -q --no-pg -m onmt.tar --too-long skip in.heed 2> err | heed-show | runs grep -F \
	'["heed-note","sentences.skipped","2"]' > note
	say $? '... also for translations by head-lrp itself'
head-stat -q -m onmt.tar --too-long cut in.heed 2> err | heed-show | runs grep -F \
	'["heed-note","sentences.cut","3"]' > note; say $? '... with a note in the stream'
# A gold alignment for each record, the sixth of which is empty.
for k in 1 2 3 4 5 '' 7 8 9; do echo "${k:+0-0}"; done > gold
for k in 1 2 4 6 7 9; do sed -n ${k}p gold; done > gold.short
head-stat -q --to tsv -m onmt.tar --align gold.short short.heed > expected
head-stat -q --to tsv -m onmt.tar --too-long skip --align gold in.heed 2> err | equals - expected
say $? 'alignment errors, --too-long skip'
sed '$a 0-0' gold > more; exits 3 '... and a line beyond the last record is refused' \
	head-stat -q -m onmt.tar --too-long skip --align more in.heed
fields=relevance.best,relevance.src,relevance.tgt
for a in skip cut; do
	head-lrp -q --tokens --target ref -m onmt.tar --too-long $a in.heed 2> err > out
	heed-show -f $fields out > found
	[ $a = skip ] && of=short || of=onmt
	head-lrp -q --tokens --target ref -m onmt.tar $of.heed | heed-show -f $fields > expected
	{ that $a = cut && cat found || sed -n '1,2p;4p;6,7p;9p' found; } | equals - expected
	say $? "contributions, --too-long $a"
	heed-show out | grep -E '"id":(3|5|8),' > long
	that $a = skip && { grep -c relevance long | matches -x 0; } ||
		{ that $a = cut && grep -c 'src.cut\|tgt.cut' long | matches -x 3; }
	say $? '... and for sentences that are too long'
done

# --- head-map
fails 'head-map fails' head-map -m onmt.tar --id 1,3 --to html in.heed
head-map -m onmt.tar --too-long skip --id 1,3,2,8,9 --to html in.heed > found 2> err
head-map -m onmt.tar --id 1,2,9 --to html in.heed | equals - found
say $? 'the page has the other sentences'
that "$(grep -c ': skipped$' err)" = 2 && matches '2 of 5 sentences' err
say $? '... and the skipped ones are reported'
exits 3 'skipping every sentence is an error' head-map -m onmt.tar --too-long skip --id 8 in.heed
matches 'all sentences are too long, expected one to draw' err && that ! -s out
say $? '... and the message says so'
for side in en de; do
	awk '{ gsub(/[a-z]+/, "&@@ &"); print }' in.$side > pieces.$side
done
for o in '' --read --words; do
	for p in onmt story; do
		for site in enc.1.self cross dec-self.2; do
			head-map -m $p.tar --too-long cut --id 8 --site $site $o --to tsv in.heed 2> err
		done > found
		for site in enc.1.self cross dec-self.2; do
			head-map -m $p.tar --id 8 --site $site $o --to tsv $p.heed
		done > expected
		that -s found && equals found expected
		say $? "$p: the map of a sentence that was cut: $o"
	done
done
# The stream has word indices; the fourth word is cut inside.
heed-show in.heed | sed -n '1p;/"id":8/p;$p' | sed 's/"heed-end",9/"heed-end",1/' > one
awk 'BEGIN { for (i = 0; i < 30; i++) w = w (i ? "," : "") int(i / 4); print w }' > numbers
sed "s/\"fields\":{/&\"src.word\":\"[int]\",/; s/\"id\":8/\"src.word\":[$(cat numbers)],&/" one |
	heed-pack -j > numbered.heed
head-map -m story.tar --too-long cut --words --to tsv numbered.heed 2> err |
	computes - -F '\t' 'NR > 1 && $3 > n { n = $3 } END { exit n != 5 }'
say $? '15 tokens are of four words, and the end token'

# --- what cannot be cut
awk 'BEGIN { srand(3); for (i = 0; i < 30; i++) print "a b c" }' > t.en
bpe-learn --text -q --merges 1 t.en > codes
heed-pack --no-pg t.en t.en | parse --no-pg -q | bpe-apply --no-pg -c codes > trees.heed
tree2mask --no-pg -q trees.heed > mask.heed
toy --updates 1 -a dependency-mask -c codes --arch max_length=8 -o mask.tar mask.heed
toy --updates 1 -c codes --arch max_length=8 -o plain.tar trees.heed
words 20 "a b c" > long.en
heed-pack --no-pg long.en long.en | parse --no-pg -q | bpe-apply --no-pg -c codes > long.heed
tree2mask --no-pg -q long.heed > long.mask.heed
for by in nmt-translate nmt-score 'head-lrp --target ref' head-map; do
	exits 2 "masks of whole sentences cannot be cut: $by" \
		"$by -m mask.tar --too-long cut long.mask.heed"
	matches 'the model reads src.dep of whole sentences, expected skip or fail' err
	say $? '... and the message names the field'
done
exits 2 'trees that are measured cannot be cut either' \
	head-stat -m plain.tar --too-long cut long.heed
matches 'long.heed has trees' err; say $? '... and the message says so'
nmt-translate -q -m plain.tar --too-long cut long.heed 2> err | heed-show | matches '"src.cut":7'
say $? '... but trees that a program does not read do not matter'

# --- models that accept sentences of different lengths
toy --updates 20 --seed 2 -c codes --arch max_length=30 -o wide.tar trees.heed
words 7 "a b c" > seven.en
scores() { heed-pack --no-pg $1.en | nmt-translate -q -m $2 -m $3 --too-long cut 2> err | heed-show -f hyp,hyp.score; }
for models in 'plain.tar wide.tar' 'wide.tar plain.tar'; do
	scores seven $models > expected; scores long $models | equals - expected
	say $? "an ensemble reads what the shortest accepts: $models"
done
plan $n
