#!/bin/sh
# heed-table --to findings: the sentences of a grid, with slots that the verdicts fill.
. "$HEED_TOP/tests/lib.sh"
plan 71

engine=$(sed -n 's/^#define HEED_ENGINE //p' "$HEED_TOP/common/model/engine.h")
# variant VARIANT COLUMN NLL BLEU ...: records of seeds 1, 2, ...
mkdir runs
variant() {
	variant=$1 column=$2 seed=0; shift 2
	while [ $# -gt 0 ]; do
		seed=$((seed + 1))
		printf '%s\t%s\n' paper toy column $column variant $variant seed $seed test.nll $1 bleu $2 heads.enc-self $((7 + seed)) \
		    pairs.train 2000 engine $engine commit c0ffee > runs/$variant.$seed.$column
		shift 2
	done
}
# The verdicts of these runs are computed by hand in heed-table.t.
variant plain toy.en-de 2.00 36.0 2.02 36.2 1.99 35.9
variant good toy.en-de 1.95 36.9 1.96 37.3 1.935 36.8
variant bad toy.en-de 2.06 35.0 2.08 35.1 2.045 35.1
variant flat toy.en-de 2.001 36.1 2.018 36.1 1.992 36.0
variant wide toy.en-de 1.90 37.0 2.05 36.0 1.99 36.5
variant one toy.en-de 1.9 37
variant plain toy.en-de@1000 3.00 26.0 3.02 26.2 2.99 25.9
variant good toy.en-de@1000 3.06 25.0 3.08 25.1 3.045 25.1
claims='family costs 0.02 0.5
section table1 x
columns WMT.en-de
plain - 20 Transformer
good plain 20.5 +Good
bad plain 20.6 Bad
flat plain - Flat
wide plain - Wide
section claims x
scope sizes
columns -
good plain - Good is better
bad plain - Bad is better
section claims-more x
columns -
good plain - Good is better, once more
flat plain - Flat is better
wide plain - Wide is better
one plain - One run
gone plain,wide - Not run
section claims-within x
family costs
within 1.5
columns -
bad plain - Bad costs little'

# found FINDING...: the sentences, separated by bars, of a grid with these findings
found() {
	for f; do echo "finding $f"; done > toy.grid
	echo "$claims" >> toy.grid
	heed-table -g toy.grid --to findings $files > all 2> err || echo "exit status $?"
	sed -n 's/^finding		//p' all | paste -s -d '|'
}
# says FINDING SENTENCE
says() {
	got=$(found "$1")
	that "$got" = "$2"
	say $? "$1: $2"
}
files=$(echo runs/*)
says 'Plain text.' 'Plain text.'
says 'Of {judged claims/*:plain; way}, {confirmed claims/*:plain; claim} and {reversed claims/*:plain}.' 'Of two ways, one claim and one.'
says '{open *:plain} of {judged *:plain}' 'One of five'
says 'Twice {judged good:plain} is once.' 'Twice one is once.'
says '{none flat:plain}, {none good:plain}, {none good:plain; word}.' 'One, none, no words.'
says 'Better{names confirmed claims/*:* claims-more/*:*}.' 'Better: Good (-0.055 nats, +1.0 BLEU).'
says 'Worse{names reversed good:plain}.' 'Worse.'
says 'Both{names judged good:plain flat:plain}, three{names judged claims/*:* flat:plain}.' \
	'Both: Good (-0.055 nats, +1.0 BLEU) and Flat (+0.000 nats, +0.0 BLEU), three: Good (-0.055 nats, +1.0 BLEU), Bad (+0.058 nats, -1.0 BLEU) and Flat (+0.000 nats, +0.0 BLEU).'
says 'It {result good:plain}.' 'It did better (-0.055 nats [-0.067, -0.043], +1.0 BLEU).'
says 'It {result claims/bad:plain}.' 'It did worse (+0.058 nats [+0.051, +0.066], -1.0 BLEU).'
says 'It {result flat:plain}.' 'It made no difference larger than 0.02 nats (+0.000 nats [-0.005, +0.006], +0.0 BLEU).'
says 'It {result wide:plain}.' 'It left the question open (-0.023 nats [-0.192, +0.146], +0.5 BLEU; 43 more seeds would decide).'
says 'It {result claims-within/bad:plain}.' 'It cost less than 1.5 BLEU (change -0.97 BLEU [-1.35, -0.59]).'
says 'Good: {effect good:plain}.' 'Good: -0.055 nats [-0.067, -0.043], +1.0 BLEU, confirmed.'
says 'With {needs *:plain}' 'With 43 more seeds'
says '{seeds} seeds' 'Three seeds'
says 'Mean {mean heads.enc-self good}, {mean bleu good}, {mean test.nll good}.' 'Mean 9, 37.00, 1.9483.'
says 'Sizes: {judged good:plain:*} of {reversed good:plain:*@*}.' 'Sizes: two of one.'
# The detectable difference of Flat is 0.0096 at the level .05 / 2; see heed-table.t.
says 'Below {detectable flat:plain} nats' 'Below 0.010 nats'
# Each system has its own variance outside of the groups that a grid declares.
claims_all=$claims claims="group pair good plain
$claims"
says 'Below {detectable flat:plain} nats' ''
# 1.5 times 2 is far above 1.95; a ratio has no difference.
claims='section claims x
columns test.nll:-
ratio 1.5
good plain - Good has less than 1.5 times the NLL'
says 'Good: {effect good:plain}.' 'Good: confirmed.'
claims=$claims_all
# The paper reports +10 BLEU.  Less than that is a gain or, in the same three seeds in the other direction, none.
mkdir small
for sign in - +; do
	for s in 1 2 3; do awk -F '\t' -v OFS='\t' -v d=$sign.0$((4 - s))1 '$1 == "test.nll" { $2 += d } $1 == "variant" { $2 = "small" } 1' \
	    runs/plain.$s.toy.en-de > small/$s; done
	claims='section table1 x
columns WMT.en-de
plain - 20 Transformer
small plain 30 Small
section claims x
columns -
small plain - Small is better'
	files=$(echo runs/plain.[123].toy.en-de small/*)
	case $sign in
	-) says 'It {result small:plain}.' 'It gained less than reported (-0.021 nats [-0.046, +0.004], +0.0 BLEU).' ;;
	+) says 'It {result small:plain}.' 'It did not gain as reported (+0.021 nats [-0.004, +0.046], +0.0 BLEU).' ;;
	esac
done
# The same claim of a paper that reports nothing, which comes first, has another verdict.
claims='section table1 x
paper silent
columns WMT.en-de
plain - - Transformer
section table2 x
paper loud
columns WMT.en-de
plain - 20 Transformer
small plain 30 Small
section claims-silent x
paper silent
columns -
small plain - Small is better
section claims-loud x
paper loud
columns -
small plain - Small is better'
says 'It {result claims-loud/small:plain}.' 'It did not gain as reported (+0.021 nats [-0.004, +0.046], +0.0 BLEU).'
says '{smaller claims-loud/*:plain}, {smaller claims-silent/*:plain}, {smaller *:plain}, {judged *:plain}.' 'One, none, none, one.'
claims=$claims_all files=$(echo runs/*)
says 'One run {result one:plain}.' ''
says 'Not run: {judged gone:*}.' ''
says 'Open{names open flat:plain}: {needs flat:plain}.' ''
that "$(found 'A.' '{judged one:plain} runs' 'C.')" = 'A.|C.'; say $? 'a sentence without a value is left out, others are not'
files=
says 'With {seeds} seeds' ''

# --- counts ---
files=$(echo runs/*)
echo "$claims" > toy.grid
runs heed-table -g toy.grid --to findings $files > found; say $? 'a grid without findings'
printf '%s\t%s\t%s\n' kind claims text verdict 2 confirmed verdict 1 open verdict 1 'no difference larger than' verdict 2 reversed \
	verdict 1 'not judged: one seed' verdict 1 'not run' open 1 '43 more seeds would decide the open claim if the estimates stayed the same.' > expected
equals expected found; say $? '... has the number of claims with each verdict, each claim once'; diff expected found | sed 's/^/# /'

# --- sentences below the claims of a section ---
heed-table -g toy.grid --section claims --to md $files | sed -n 's/^> //p' > found
cat > expected <<'END2'
toy.en-de, 2 claims. One confirmed: Good is better. One reversed: Bad is better. True differences below 0.028 nats would often be missed (power below 0.8).
toy.en-de@1000, 1 claim. One reversed: Good is better. True differences below 0.016 nats would often be missed (power below 0.8).
END2
equals expected found; say $? 'a section names its claims by their statements'
sed 's/^/# /' found

# --- gains: the controls of a system in its row ---
cat > gains.grid <<'END2'
section trees x
kind parses
columns test.nll:-
plain - - Transformer
flat plain - A, b
good plain - A, b, random
wide plain - A, b, adjacent
bad plain - Bad
one plain - Alone, random
END2
runs heed-table -g gains.grid --section trees --to gains runs/*.toy.en-de > gains.svg; say $? 'gains of a section'
grep -o '>[^<]*</text>' gains.svg | sed 's,^>,,; s,</text>,,' | grep -vx '[-+0-9.]*' | paste -s -d ';' > found
that "$(cat found)" = 'parses;random;adjacent;Test NLL, nats;Transformer;BLEU;Transformer;Alone, random;A, b;Bad;← worse;better →;← worse;better →'
say $? '... has a row for each system, ordered by its gain, and a legend'
matches '^<title>A, b; parses: test NLL +0.0003 \[-0.0048, +0.0055\]: BLEU +0.03 .*; random: test NLL -0.0550 .*; adjacent: test NLL -0.0233 ' gains.svg
say $? '... with the values of its controls'
matches '<a href="#toy-toy-en-de-flat-1">' gains.svg; say $? '... and a link to its first run in a report'
sed -i '/^kind/d' gains.grid; heed-table -g gains.grid --section trees --to gains runs/*.toy.en-de | matches '>system</text>'
say $? 'rows of no kind are systems'
heed-table -g gains.grid --section trees --to gains --narrow $files | matches 'width="358"'; say $? '... also on phones'
heed-table -g gains.grid --section trees --to gains | matches 'No row has runs yet'; say $? '... or without runs'
# Three kinds of points and three corpora are drawn; warnings name the others.
sed 's/^one plain .*/one plain - A, b, left/' gains.grid > kinds.grid
runs heed-table -g kinds.grid --section trees --to gains runs/*.toy.en-de > many.svg 2> err && matches "warning: section trees: row 'A, b, left' is left out, expected at most 3 kinds" err &&
	that "$(grep -c 'left out' err)" = 1; say $? 'a warning names a row of a fourth kind'
mkdir corpora; for c in aa bb cc dd; do for f in runs/plain.*.toy.en-de runs/good.*.toy.en-de; do sed "s/^column	.*/column	$c.en-de/" $f > corpora/$c.${f#*/}; done; done
runs heed-table -g gains.grid --section trees --to gains corpora/* > many.svg 2> err && matches 'warning: section trees: dd.en-de is left out, expected at most 3 columns' err &&
	that "$(grep -c 'left out' err)" = 1 && that "$(grep -c '>NLL, ..\.en-de<' many.svg)" = 3; say $? '... and a fourth corpus'
runs heed-table -g gains.grid --section trees --to gains corpora/[abc]* > many.svg 2> err && lacks 'left out' err; say $? '... but none of three'

# --- errors ---
# refused FINDING MESSAGE
refused() {
	{ echo '# a comment'; echo "finding $1"; echo "$claims"; } > bad.grid
	exits 3 "refused: $1" 'heed-table -g bad.grid --to findings'
	matches "^heed-table: bad.grid: line 2: finding: .*$2" err; say $? "... $2"
}
refused '{confirm good:plain}' "slot '{confirm good:plain}', expected judged, confirmed"
refused '{confirmed god:plain}' 'no claim god:plain'
refused '{confirmed claims/flat:plain}' 'no claim claims/flat:plain'
refused '{confirmed good}' "slot '{confirmed good}', expected .*ROW:BASE"
refused '{confirmed}' "slot '{confirmed}', expected claims ROW:BASE"
refused '{result *:plain}' 'more than one claim \*:plain'
refused '{result bad:plain}' 'more than one claim bad:plain'
refused '{effect b*:plain}' 'more than one claim b\*:plain'
refused '{names good:plain}' 'expected a verdict'
refused 'open { end' "'{ end', expected } after {"
refused '{seeds; seed}' 'expected a noun after ; of a count only'
refused '{mean bleu goood}' 'no row goood'
for value in 9,9 101; do
	rm -rf chrf; cp -r runs chrf; for f in chrf/good.[123].toy.en-de; do echo "chrf	61" >> $f; done
	sed -i "s/^chrf	.*/chrf	$value/" chrf/good.2.toy.en-de
	echo 'finding Mean {mean chrf good}' | cat - toy.grid > mean.grid
	fails 3 "a mean of $value" "chrf/good.2.toy.en-de: chrf '$value', expected a number from 0 to 100" 'heed-table -g mean.grid --to findings chrf/*'
done
sed -i 's/^bleu	.*/bleu	38,5/' chrf/good.3.toy.en-de
fails 3 'gains in BLEU that is not a number' "chrf/good.3.toy.en-de: bleu '38,5', expected a number" 'heed-table -g gains.grid --section trees --to gains chrf/*.toy.en-de'
exits 2 'findings of a section' 'heed-table -g toy.grid --section claims --to findings'
