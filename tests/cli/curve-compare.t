#!/bin/sh
# curve-compare: areas, differences and intervals computed by hand; bands and error bars of the
# figure; curves that do not fit together are refused.
. "$HEED_TOP/tests/lib.sh"

plan 46

# stream: lines "order retained nll bleu" of 4 heads become a stream; bleu may be missing
stream() {
	awk 'BEGIN { print "[\"heed\",1,\"count\",{\"fields\":{\"order\":\"str\",\"site\":\"str\",\"heads\":\"int\"," \
			"\"retained\":\"int\",\"nll\":\"float\",\"bleu\":\"float\"}}]" }
		{ printf "{\"order\":\"%s\",\"site\":\"enc-self\",\"heads\":4,\"retained\":%d,\"nll\":%s%s}\n",
			$1, $2, $3, $4 == "" ? "" : ",\"bleu\":" $4 }
		END { print "[\"heed-end\"," NR "]" }' | heed-pack -j --no-pg
}
# three ORDER NLL...: at 4, 2 and 0 heads
three() { printf "$1 4 $2\n$1 2 $3\n$1 0 $4\n"; }

# Areas over 4 heads: (1 + 2) + (2 + 4) = 9, 9 / 4 = 2.25; random 11 / 4 and 12 / 4.
{ three relevance 1 2 4; three random.1 1 3 4; three random.2 1 3.5 4; three worst 1 4 4; } | stream > one.heed
# 10.5 / 4 = 2.625; random 2.875 and 2.375: a difference of 0.
{ three random.1 1 3 4.5; three random.2 1 2 4.5; three relevance 1 2.5 4.5; } | stream > two.heed

# Mean of -0.625 and 0, deviation 0.441942; t(0.025, 1) = 12.7062.  With t = 1 and one degree of freedom, p is 0.5.
cat > expected <<'END'
score	order	models	area	difference	low	high	p	better	worse	verdict
nll	relevance	2	2.4375	-0.3125	-4.2832	+3.6582	0.5000	1	0	undecided
nll	worst	1	3.2500	+0.3750	-	-	-	0	1	undecided
nll	random	2	2.7500	-	-	-	-	-	-	-
END
same 'areas, differences and their interval over two models' expected 'curve-compare --up-to 0 one.heed two.heed'
cat > expected <<'END'
score	order	models	area	difference	low	high	p	better	worse	verdict
nll	relevance	1	2.2500	-0.6250	-	-	-	1	0	undecided
nll	worst	1	3.2500	+0.3750	-	-	-	0	1	undecided
nll	random	1	2.8750	-	-	-	-	-	-	-
END
same 'one model gives no interval, and no verdict' expected 'curve-compare --up-to 0 < one.heed'
curve-compare --up-to 0 --to md one.heed two.heed | matches -xF '| relevance | 2 | 2.4375 | -0.3125 | -4.2832 to +3.6582 | 0.5000 | 1 | 0 | undecided |'
say $? '--to md: the same as Markdown'
curve-compare --up-to 0 --to latex one.heed two.heed |
    matches -xF 'relevance & 2 & 2.4375 & $-$0.3125 & $-$4.2832 to +3.6582 & 0.5000 & 1 & 0 & undecided \\'
say $? '--to latex: ... for LaTeX'
{ three relevance '1 30' '2 20' '4 0'; three random.1 '1 30' '3 10' '4 0'; three random.2 '1 30' '3.5 12' '4 0'
  three worst '1 30' '4 5' '4 0'; } | stream > bleu.heed
curve-compare bleu.heed | matches -x "$(printf 'bleu\trelevance\t1\t17.50\t+4.50\t-\t-\t-\t1\t0\tundecided')"
say $? 'higher BLEU is better'
curve-compare bleu.heed | matches -x "$(printf 'bleu\tworst\t1\t10.00\t-3.00\t-\t-\t-\t0\t1\tundecided')"; say $? '... and lower BLEU is worse'
three relevance 1 2 4 | stream | curve-compare --up-to 0 | matches -x "$(printf 'nll\trelevance\t1\t2.2500\t-\t-\t-\t-\t-\t-\t-')"
say $? 'without random orders there is no difference'

# Two models that differ little: -0.625 and -0.6; the interval, of half-width 12.7062 * 0.0176777 / sqrt(2),
# does not contain 0.  As BLEU and as the drop, lower is worse.
{ three relevance '1 4' '2 2' '4 1'; three random.1 '1 4' '3 3' '4 1'; three random.2 '1 4' '3.5 4' '4 1'; } | stream > one.low
{ three relevance '1 4' '2.05 2' '4 1'; three random.1 '1 4' '3 3' '4 1'; three random.2 '1 4' '3.5 4.1' '4 1'; } | stream > two.low
# p is 1 - 2 / pi * atan(t) with one degree of freedom, t = 0.6125 / (0.0176777 / sqrt(2)) = 49.
curve-compare --up-to 0 one.low two.low > low
matches -x "$(printf 'nll\trelevance\t2\t2.2625\t-0.6125\t-0.7713\t-0.4537\t0.0130\t2\t0\tbetter')" low
say $? 'over models the interval decides: better'
computes -F '\t' '$1 == "bleu" && $2 == "relevance" && $7 < 0 { found = $11 == "worse" } END { exit !found }' low; say $? '... or worse'

# Holm: of four measures with the same differences, p is multiplied by 4, and nothing is decided.
for m in one two; do
	x=2; [ $m = one ] || x=2.05
	{ for o in a b c d; do three $o 1 $x 4; done; three random.1 1 3 4; three random.2 1 3.5 4; } | stream > $m.holm
done
curve-compare --up-to 0 one.holm two.holm | computes - -F '\t' '$2 ~ /^[a-d]$/ { n += $8 == "0.0520" && $9 == 2 && $11 == "undecided" } END { exit n != 4 }'
say $? 'p is adjusted for the number of measures'
# In the second model a random order is as good as the measure, though the interval excludes 0.
{ three relevance 1 2 4; three random.1 1 2.7 4; three random.2 1 2.9 4; } | stream > one.all
{ three relevance 1 2.05 4; three random.1 1 2.05 4; three random.2 1 3.65 4; } | stream > two.all
curve-compare --up-to 0 one.all two.all | computes - -F '\t' '$2 == "relevance" { exit !($7 < 0 && $8 < .05 && $9 == 1 && $11 == "undecided") }'
say $? 'better needs to beat all random orders of each model'

# The area up to 0.2 nats above the whole model, recomputed in small steps along the lines.
awk 'BEGIN { srand(3); for (m = 1; m <= 3; m++) for (o = 1; o <= 8; o++) {
	name = o < 5 ? "m" o : "random." o; y = 1.5 + m / 100
	for (k = 8; k >= 0; k--) { printf "%s %d %.6f\n", name, k, y > "up" m; y += k == 4 ? -.02 : rand() * rand() * (o == 1 ? .03 : .2) } } }'
for m in 1 2 3; do stream < up$m | heed-show | sed 's/"heads":4/"heads":8/' | heed-pack -j --no-pg > up$m.heed; done
curve-compare up1.heed up2.heed up3.heed > have
awk '{ name = $1; if (FILENAME != f) { f = FILENAME; m++ } if (!((m, name) in n)) { first = $3; before = $3; n[m, name] = 1; next }
	for (i = 0; i < 20000; i++) { y = before + ($3 - before) * (i + .5) / 20000 - first; area[m, name] += (y < .2 ? y : .2) / 20000 / 8 }
	before = $3 }
	END { for (o = 1; o < 5; o++) { sum = sum2 = a = better = 0
		for (m = 1; m <= 3; m++) { r = 0; low = 9; for (k = 5; k <= 8; k++) { x = area[m, "random." k]; r += x / 4; if (x < low) low = x }
			d = area[m, "m" o] - r; sum += d; sum2 += d * d; a += area[m, "m" o] / 3; better += area[m, "m" o] < low }
		s = sqrt((sum2 - sum * sum / 3) / 2 / 3); t = sum / 3 / s; t = t < 0 ? -t : t; p[o] = 1 - t / sqrt(2 + t * t)
		line[o] = sprintf("%.4f %+.4f %d", a, sum / 3, better) }
	for (o = 1; o < 5; o++) { rank = 4; for (k = 1; k < 5; k++) rank -= p[k] < p[o]; q[o] = p[o] * rank }
	for (o = 1; o < 5; o++) { for (k = 1; k < 5; k++) if (p[k] <= p[o] && q[k] > q[o]) q[o] = q[k]; printf "m%d %s %.4f\n", o, line[o], (q[o] > 1 ? 1 : q[o]) } }' \
    up1 up2 up3 > want
awk -F '\t' '$2 ~ /^m/ { print $2, $4, $5, $9, $8 }' have | equals - want; say $? 'areas up to 0.2 nats, and their adjusted p'
{ three relevance '1 30' '2 20' '4 0'; three random.1 '1 30' '3 10' '4 0'; } | stream > deep.heed
# Heights 0, 1 and 3: 1 + 3.5, of 4 heads.
curve-compare --up-to 2 deep.heed | matches -x "$(printf 'nll\trelevance\t1\t1.1250\t-0.3750\t-\t-\t-\t1\t0\tundecided')"
say $? '--up-to 2'

# Deletion curves: the drop, and points in percent.
drop() { awk 'BEGIN { print "[\"heed\",1,\"count\",{\"fields\":{\"order\":\"str\",\"site\":\"str\",\"retained\":\"int\",\"drop\":\"float\"}}]" }
	{ printf "{\"order\":\"%s\",\"site\":\"source\",\"retained\":%d,\"drop\":%s}\n", $1, $2, $3 }
	END { print "[\"heed-end\"," NR "]" }' | heed-pack -j --no-pg; }
printf '%s\n' 'alti 100 0' 'alti 50 3' 'alti 0 4' 'random.1 100 0' 'random.1 50 1' 'random.1 0 4' | drop > drop.heed
curve-compare drop.heed | matches -x "$(printf 'drop\talti\t1\t2.5000\t+1.0000\t-\t-\t-\t1\t0\tundecided')"
say $? 'the area of a deletion curve is the mean drop; higher is better'
curve-compare --to plot drop.heed | matches "^drop of the log-probability (nats)	alti	line	50	3.000000"; say $? '... and has a panel'
exits 3 'curves of heads and of tokens' curve-compare one.heed drop.heed
matches 'record 1.*: % of the tokens of source, expected heads of enc-self as before' err; say $? '... the message says so'
printf '%s\n' 'alti 100 0' 'alti 60 3' 'alti 0 4' | drop > shifted.heed
exits 3 'deletion curves with different points' curve-compare drop.heed shifted.heed
matches 'shifted.heed: .*: 60 % of the tokens retained, expected 50 as in other curves' err; say $? '... in percent of tokens'

# At 2 heads random orders are 3 to 3.5, median 3.25, and 2 to 3, median 2.5.
curve-compare --to plot one.heed two.heed > plot
matches -x "$(printf 'loss per target token (nats)\trandom, 2 orders\tband\t2\t2.875000\t2.500000\t3.250000')" plot
say $? 'the band is the mean of minimum, median and maximum'
matches -x "$(printf 'loss per target token (nats)\trelevance\tline\t2\t2.250000\t1.896447\t2.603553')" plot
say $? 'a line is the mean, with the standard deviation as error bars'
matches -x "$(printf 'loss minus median of random orders (nats)\trelevance\tline\t2\t-0.625000\t-1.508883\t0.258883')" plot
say $? '... also minus the median of the same model'
heed-plot plot | grep -c '>relevance</text>' | matches -x 2; say $? 'heed-plot draws it'

# --- errors ---
{ printf 'relevance 4 1\nrelevance 1 2\nrelevance 0 4\n'; } | stream > other.heed
exits 3 'different points' curve-compare one.heed other.heed
matches 'other.heed: record 2.*: relevance: 1 heads retained, expected 2 as in other curves' err; say $? '... the message has order and record'
{ three relevance 1 2 4; echo 'random.1 4 1'; } | stream > short.heed
exits 3 'a curve with too few points' curve-compare short.heed
matches 'short.heed: random.1 has 1 points, expected 3' err; say $? '... the message says so'
heed-show one.heed | sed 's/"heads":4/"heads":5/' | heed-pack -j > five.heed
exits 3 'another number of heads' curve-compare one.heed five.heed
cat one.heed one.heed > twice.heed
exits 3 'a duplicate order' curve-compare twice.heed
heed-show two.heed | heed-pack -j > copy.heed
exits 3 'the curves of a model given twice' curve-compare one.heed two.heed copy.heed
matches 'copy.heed has the curves of two.heed, expected those of another model' err; say $? '... the message names both'
for files in 'more.heed fewer.heed' 'fewer.heed more.heed'; do
	{ three relevance 1 2 4; three random.1 1 2.5 4; three random.2 1 2.6 4; } | stream > more.heed
	{ three relevance 1 2 4; three random.1 1 2.5 4; } | stream > fewer.heed
	exits 3 "... with other orders: $files" curve-compare $files
done
{ heed-show two.heed | sed 's/2\.5,*/2.6/' ; } | heed-pack -j > near.heed
exits 0 'a curve that differs at one point' curve-compare one.heed two.heed near.heed
# Models 2 and 3 without random orders are worse than those of model 1: nothing may call relevance better.
three relevance 1 9 4 | stream > alone.heed
three relevance 1 9.5 4 | stream > alone2.heed
exits 3 'random orders of one model only' curve-compare one.heed alone.heed alone2.heed
matches 'alone2.heed: no nll of random orders, expected it as in one.heed' err; say $? '... the message names both'
exits 3 '... in any order of the files' curve-compare alone.heed one.heed
{ three relevance '1 4' '2 2' '4 1'; three random.1 1 3 4; } | stream > half.low
exits 3 'random orders without BLEU in one model' curve-compare one.low half.low
exits 0 'no random orders in any model' curve-compare alone.heed alone2.heed
{ three relevance 1 2 4; three random.1 1 '{"$float":"nan"}' 4; } | stream > none.heed
exits 3 'a point without a loss' curve-compare none.heed
matches 'none.heed: record 5.*: random.1: no nll' err; say $? '... the message has order and record'
{ three relevance 1 2 4; three random.1 1 -0.5 4; } | stream > negative.heed
exits 3 'a negative loss' curve-compare negative.heed
matches 'negative.heed: record 5.*: random.1: nll is -0.5, expected no negative loss' err; say $? '... the message has order and record'
exits 2 '--up-to of a plot' curve-compare --to plot --up-to 0.1 one.heed
head -c 200 one.heed > cut.heed
exits 3 'a truncated stream' curve-compare cut.heed
exits 2 'standard input twice' curve-compare - -
