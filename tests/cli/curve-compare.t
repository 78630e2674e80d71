#!/bin/sh
# curve-compare: areas, differences and intervals computed by hand; bands and error bars of the
# figure; curves that do not fit together are refused.
. "$HEED_TOP/tests/lib.sh"

plan 37

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

# Mean of -0.625 and 0, deviation 0.441942; t(0.025, 1) = 12.7062.
cat > expected <<'END'
score	order	models	area	difference	low	high	better	worse	verdict
nll	relevance	2	2.4375	-0.3125	-4.2832	+3.6582	1	0	undecided
nll	worst	1	3.2500	+0.3750	-	-	0	1	worse
nll	random	2	2.7500	-	-	-	-	-	-
END
same 'areas, differences and their interval over two models' expected 'curve-compare one.heed two.heed'
cat > expected <<'END'
score	order	models	area	difference	low	high	better	worse	verdict
nll	relevance	1	2.2500	-0.6250	-	-	1	0	better
nll	worst	1	3.2500	+0.3750	-	-	0	1	worse
nll	random	1	2.8750	-	-	-	-	-	-
END
same 'one model gives no interval' expected 'curve-compare < one.heed'
curve-compare --to md one.heed two.heed | grep -qxF '| relevance | 2 | 2.4375 | -0.3125 | -4.2832 to +3.6582 | 1 | 0 | undecided |'
say $? '--to md: the same as Markdown'
{ three relevance '1 30' '2 20' '4 0'; three random.1 '1 30' '3 10' '4 0'; three random.2 '1 30' '3.5 12' '4 0'
  three worst '1 30' '4 5' '4 0'; } | stream > bleu.heed
curve-compare bleu.heed | grep -qx "$(printf 'bleu\trelevance\t1\t17.50\t+4.50\t-\t-\t1\t0\tbetter')"
say $? 'higher BLEU is better'
curve-compare bleu.heed | grep -qx "$(printf 'bleu\tworst\t1\t10.00\t-3.00\t-\t-\t0\t1\tworse')"; say $? '... and lower BLEU is worse'
three relevance 1 2 4 | stream | curve-compare | grep -qx "$(printf 'nll\trelevance\t1\t2.2500\t-\t-\t-\t-\t-\t-')"
say $? 'without random orders there is no difference'

# Two models that differ little: -0.625 and -0.6; the interval, of half-width 12.7062 * 0.0176777 / sqrt(2),
# does not contain 0.  As BLEU and as the drop, lower is worse.
{ three relevance '1 4' '2 2' '4 1'; three random.1 '1 4' '3 3' '4 1'; three random.2 '1 4' '3.5 4' '4 1'; } | stream > one.low
{ three relevance '1 4' '2.05 2' '4 1'; three random.1 '1 4' '3 3' '4 1'; three random.2 '1 4' '3.5 4.1' '4 1'; } | stream > two.low
curve-compare one.low two.low > low
grep -qx "$(printf 'nll\trelevance\t2\t2.2625\t-0.6125\t-0.7713\t-0.4537\t2\t0\tbetter')" low
say $? 'over models the interval decides: better'
awk -F '\t' '$1 == "bleu" && $2 == "relevance" && $7 < 0 { found = $10 == "worse" } END { exit !found }' low; say $? '... or worse'

# Deletion curves: the drop, and points in percent.
drop() { awk 'BEGIN { print "[\"heed\",1,\"count\",{\"fields\":{\"order\":\"str\",\"site\":\"str\",\"retained\":\"int\",\"drop\":\"float\"}}]" }
	{ printf "{\"order\":\"%s\",\"site\":\"source\",\"retained\":%d,\"drop\":%s}\n", $1, $2, $3 }
	END { print "[\"heed-end\"," NR "]" }' | heed-pack -j --no-pg; }
printf '%s\n' 'alti 100 0' 'alti 50 3' 'alti 0 4' 'random.1 100 0' 'random.1 50 1' 'random.1 0 4' | drop > drop.heed
curve-compare drop.heed | grep -qx "$(printf 'drop\talti\t1\t2.5000\t+1.0000\t-\t-\t1\t0\tbetter')"
say $? 'the area of a deletion curve is the mean drop; higher is better'
curve-compare --to plot drop.heed | grep -q "^drop of the log-probability (nats)	alti	line	50	3.000000"; say $? '... and has a panel'
exits 3 'curves of heads and of tokens' curve-compare one.heed drop.heed
grep -q 'record 1.*: % of the tokens of source, expected heads of enc-self as before' err; say $? '... the message says so'
printf '%s\n' 'alti 100 0' 'alti 60 3' 'alti 0 4' | drop > shifted.heed
exits 3 'deletion curves with different points' curve-compare drop.heed shifted.heed
grep -q 'shifted.heed: .*: 60 % of the tokens retained, expected 50 as in other curves' err; say $? '... in percent of tokens'

# At 2 heads random orders are 3 to 3.5, median 3.25, and 2 to 3, median 2.5.
curve-compare --to plot one.heed two.heed > plot
grep -qx "$(printf 'loss per target token (nats)\trandom, 2 orders\tband\t2\t2.875000\t2.500000\t3.250000')" plot
say $? 'the band is the mean of minimum, median and maximum'
grep -qx "$(printf 'loss per target token (nats)\trelevance\tline\t2\t2.250000\t1.896447\t2.603553')" plot
say $? 'a line is the mean, with the standard deviation as error bars'
grep -qx "$(printf 'loss minus median of random orders (nats)\trelevance\tline\t2\t-0.625000\t-1.508883\t0.258883')" plot
say $? '... also minus the median of the same model'
heed-plot plot | grep -c '>relevance</text>' | grep -qx 2; say $? 'heed-plot draws it'

# --- errors ---
{ printf 'relevance 4 1\nrelevance 1 2\nrelevance 0 4\n'; } | stream > other.heed
exits 3 'different points' curve-compare one.heed other.heed
grep -q 'other.heed: record 2.*: relevance: 1 heads retained, expected 2 as in other curves' err; say $? '... the message has order and record'
{ three relevance 1 2 4; echo 'random.1 4 1'; } | stream > short.heed
exits 3 'a curve with too few points' curve-compare short.heed
grep -q 'short.heed: random.1 has 1 points, expected 3' err; say $? '... the message says so'
heed-show one.heed | sed 's/"heads":4/"heads":5/' | heed-pack -j > five.heed
exits 3 'another number of heads' curve-compare one.heed five.heed
cat one.heed one.heed > twice.heed
exits 3 'a duplicate order' curve-compare twice.heed
heed-show two.heed | heed-pack -j > copy.heed
exits 3 'the curves of a model given twice' curve-compare one.heed two.heed copy.heed
grep -q 'copy.heed has the curves of two.heed, expected those of another model' err; say $? '... the message names both'
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
grep -q 'alone2.heed: no nll of random orders, expected it as in one.heed' err; say $? '... the message names both'
exits 3 '... in any order of the files' curve-compare alone.heed one.heed
{ three relevance '1 4' '2 2' '4 1'; three random.1 1 3 4; } | stream > half.low
exits 3 'random orders without BLEU in one model' curve-compare one.low half.low
exits 0 'no random orders in any model' curve-compare alone.heed alone2.heed
{ three relevance 1 2 4; three random.1 1 '{"$float":"nan"}' 4; } | stream > none.heed
exits 3 'a point without a loss' curve-compare none.heed
grep -q 'none.heed: record 5.*: random.1: no nll' err; say $? '... the message has order and record'
head -c 200 one.heed > cut.heed
exits 3 'a truncated stream' curve-compare cut.heed
