#!/bin/sh
# head-compare: streams are joined by head; coefficients and p-values of few heads are those of
# tables of Spearman's and Kendall's distributions; contradicting streams are refused.
. "$HEED_TOP/tests/lib.sh"

# stream FIELDS: lines "site layer head values..." become a stream; - is a missing value
stream() {
	awk -v fields="$1" 'BEGIN { n = split(fields, f, " ")
		printf "[\"heed\",1,\"head\",{\"fields\":{\"site\":\"str\",\"layer\":\"int\",\"head\":\"int\""
		for (i = 1; i <= n; i++) printf ",\"%s\":\"%s\"", f[i],
			f[i] == "role" ? "str" : f[i] == "offset" ? "int" : "float"
		print "}}]" }
		{ printf "{\"site\":\"%s\",\"layer\":%d,\"head\":%d", $1, $2, $3
		  for (i = 1; i <= n; i++) if ($(3 + i) != "-")
			printf ",\"%s\":%s", f[i], f[i] == "role" ? "\"" $(3 + i) "\"" : $(3 + i)
		  print "}" } END { print "[\"heed-end\"," NR "]" }' | heed-pack -j --no-pg
}

plan 53

printf 'enc-self 1 %d %d %d\n' 1 1 -1 2 2 0 3 3 0 4 4 1 5 5 0 |
	stream 'confidence offset' > one.heed
# In another order, from another program.
printf 'enc-self 1 %d %s %s other\n' 5 5 1 1 2 5 3 4 3 2 1 4 4 3 2 |
	stream 'relevance gradient role' > two.heed
head-compare one.heed two.heed > found
# Of the 5! orders, 16 have a sum of squares of at most 4 or at least 36; 28 have at most 2 or at
# least 8 inversions.
cat > expected <<'END'
heads	measure	other	n	rho	rho.p	rho.holm	tau	tau.p	tau.holm
enc-self	confidence	relevance	5	0.8	0.1333	0.2667	0.6	0.2333	0.4667
enc-self	confidence	gradient	5	-1	0.01667	0.05	-1	0.01667	0.05
enc-self	relevance	gradient	5	-0.8	0.1333	0.2667	-0.6	0.2333	0.4667
END
equals expected found; say $? 'coefficients of five heads are those of the tables'
head-compare two.heed one.heed | cut -f 2- | sort > a
head-compare --measure 'relevance,grad*,confidence' one.heed two.heed | cut -f 2- | sort > b
equals a b; say $? 'the order of measures is that of the streams, or of --measure'
head-compare - two.heed < one.heed | equals expected -; say $? '- is standard input'
exits 2 '... at most once' head-compare - -
matches 'standard input is given 2 times' err; say $? '... the message says so'
cat > expected <<'END'
site	layer	head	confidence	offset	relevance	gradient	role
enc-self	1	1	1	-1	2	5	other
enc-self	1	2	2	0	1	4	-
END
printf 'enc-self 1 %d %s %s %s\n' 1 2 5 other 2 1 4 - |
	stream 'relevance gradient role' > three.heed
head-compare --table one.heed three.heed | head -n 3 > found
equals expected found; say $? '--table: all measures'
printf '%s\n' '| site | layer | head | role | confidence |' '| --- | ---: | ---: | --- | ---: |' \
	'| enc-self | 1 | 1 | other | 1 |' > expected
head-compare --table --to md --measure 'role,conf*' one.heed two.heed | head -n 3 > found
equals expected found; say $? '... or selected measures, in Markdown'

# Six heads per site in the same order, which 2 of 720 permutations reach.  The decoder has one more
# measure.
{ for h in 1 2 3 4 5 6; do echo "enc-self 1 $h $h $((h * h)) - 1"; done
  for h in 1 2 3 4 5 6; do echo "dec-self 1 $h $((8 - h)) $h $((h % 2)) 1"; done; } |
	stream 'a b c d' > sites.heed
head-compare --to md sites.heed > found
cat > expected <<'END'
Rank correlations between measures of attention heads: Spearman's rho above the diagonal, Kendall's tau-b below.
Bold: p < 0.05 by permutation test, adjusted over the pairs of the table (Holm).

### enc-self: 6 heads, 1 pair

| rho above, tau below | a | b |
| --- | ---: | ---: |
| a |  | **1.00** |
| b | **1.00** |  |

### dec-self: 6 heads, 3 pairs

| rho above, tau below | a | b | c |
| --- | ---: | ---: | ---: |
| a |  | **-1.00** | 0.29 |
| b | **-1.00** |  | -0.29 |
| c | 0.26 | -0.26 |  |

END
# rho of 1 ... 6 and 1 0 1 0 1 0: ranks 5 2 5 2 5 2, 4.5 / sqrt(17.5 * 13.5) = .2928; 3 pairs of
# sqrt(15 * 9).
head -n 18 found | equals expected -
say $? 'a matrix for each kind of attention, without constant measures'
sed -n '19,$p' found > rest
matches '^### all: 12 heads' rest && matches '| rho above, tau below | a | b |$' rest
say $? '... and one for all heads, with the shared measures'
cat > expected <<'END'
% dec-self: 6 heads, 3 pairs
\begin{tabular}{lrrr}
\toprule
rho above, tau below & a & b & c \\
\midrule
a &  & \textbf{$-$1.00} & 0.29 \\
b & \textbf{$-$1.00} &  & $-$0.29 \\
c & 0.26 & $-$0.26 &  \\
\bottomrule
\end{tabular}
END
head-compare --to latex sites.heed | sed -n '/^% dec-self/,/end{tab/p' > found; equals expected found
say $? '--to latex: the same matrix'
head-compare sites.heed |
	computes - -F '\t' '$1 == "all" { n++; if ($4 != 12) bad = 1 } END { exit bad || n != 1 }'
say $? '... in a table too'
head-compare -s 2 --permutations 99 sites.heed > a
head-compare -s 2 --permutations 99 sites.heed > b
that -s a && equals a b; say $? 'the same seed gives the same bytes'
computes -F '\t' '$1 == "all" { seen = 1; if ($6 * 100 != int($6 * 100 + 0.5)) bad = 1 } END { exit bad || !seen }' a
say $? '--permutations sets their number'
awk 'BEGIN { srand(3); for (h = 1; h <= 12; h++) print "enc-self 1", h, rand(), rand() }' | stream 'a b' > drawn.heed
for s in 2 3; do head-compare -s $s --permutations 99 drawn.heed > $s.tsv; done
differ 2.tsv 3.tsv; say $? 'another seed draws other permutations'
head-compare --measure 'a,d' sites.heed |
	grep -c -- '	-	-	-	-	-	-$' | { read -r n; that "$n" = 3; }
say $? 'a constant measure has no correlation'
{ echo 'cross 1 1 1 4'; echo 'cross 1 2 2 3'; echo 'cross 1 3 3 2'; echo 'cross 1 4 4 1'; } |
	stream 'a b' | head-compare | matches '^cross	a	b	4	-	-	-'
say $? 'four heads are too few for a coefficient'
awk 'BEGIN { for (h = 1; h <= 5; h++)
	print "enc-self 1", h, h, h * 3 % 5, h / 5, (h * 2 % 5) / 5, 5 - h, h * h }' |
	stream 'a b offsets.-1 syntax.nsubj.base syntax.nsubj.dep a.raw' > usual.heed
head-compare usual.heed | wc -l | { read -r n; that "$n" = 2; }
say $? 'parts and other forms of measures are not compared'
head-compare --measure '*' usual.heed | wc -l | { read -r n; that "$n" = 16; }
say $? '... unless --measure selects them'

# A real model.
printf 'a dog runs\nthe colour of a house\ntwo men talk\n' > s
rev s > t
cat s t | bpe-learn --text -q --merges 20 > codes
heed-pack s t | bpe-apply -c codes > in.heed
nmt-train -q --precision fp32 --size tiny -c codes --updates 2 -o model.tar in.heed
head-stat -q -m model.tar -o heads.heed in.heed
head-stat -q -m model.tar --measure ablation in.heed | heed-show | sed 's/"confidence":[^,]*,//' |
	heed-pack -j > ablation.heed
head-compare heads.heed ablation.heed > found 2> err
computes -F '\t' '$2 == "confidence" && $3 == "ablation" && $4 >= 8 { n++ } END { exit n != 4 }' found
say $? 'streams of head-stat are joined'
head-stat -q -m model.tar --to tsv in.heed > a
head-compare --table heads.heed | equals - a; say $? '... --table is the table of head-stat'

# --- errors ---
echo 'enc-self 1 1 7' | stream confidence > other.heed
exits 3 'a contradicting value of a measure' head-compare one.heed other.heed
matches 'other.heed: record 1.*confidence is 7, expected 1 as in the streams before' err
say $? '... the message has measure and record'
echo 'enc-self 1 1 7 2' | stream 'confidence entropy' > other.heed
exits 0 '... unless --measure leaves it out' head-compare --table --measure ent\* one.heed other.heed
exits 2 'an unknown measure' head-compare --measure a,zz sites.heed
exits 3 'a single measure' head-compare one.heed
matches '1 measure that differs between heads, expected two or more' err; say $? '... the message says so'
exits 3 '... with --to clusters' head-compare --to clusters one.heed
matches 'hint: with --to clusters each file is one model; heed-paste joins the streams of a model' err; say $? '... a hint names heed-paste'
exits 3 'a stream of sentences' head-compare in.heed
echo 'elsewhere 1 1 7' | stream confidence > bad.heed
exits 3 'an unknown site' head-compare bad.heed
matches "site is 'elsewhere', expected enc-self, dec-self or cross" err; say $? '... the message names the known ones'
echo 'cross 0 1 7' | stream confidence > bad.heed
exits 3 'layer 0' head-compare bad.heed
heed-show one.heed | sed 's/"confidence":"float"/"confidence":"int"/' | heed-pack -j > int.heed
exits 3 'a measure with two types' head-compare two.heed one.heed int.heed
matches 'confidence is int, expected float as in the streams before' err; say $? '... the message names both'
exits 4 'a full disk' 'head-compare --table one.heed > /dev/full'
head -c 150 one.heed > cut.heed
exits 3 'a truncated stream' 'head-compare cut.heed two.heed > out'
exits 2 'zero permutations' head-compare --permutations 0 sites.heed
echo 'enc-self 1 1 7 a|b' | stream 'confidence role' | head-compare --table --to md |
	matches -F 'a\|b'
say $? 'text with | is escaped in Markdown'
for h in 1 2 3 4 5; do echo "cross 1 $h $h $h"; done | stream 'a|b c' | head-compare --to md |
	grep -cF 'a\|b |' | { read -r n; that "$n" = 2; }
say $? '... and so are names'
# A stream of a few kilobytes does not allocate memory for millions of values.
awk 'BEGIN {
	printf "[\"heed\",1,\"head\",{\"fields\":{\"site\":\"str\",\"layer\":\"int\",\"head\":\"int\""
	for (i = 1; i <= 990; i++) printf ",\"m%d\":\"float\"", i
	print "}}]"; for (h = 1; h <= 4300; h++)
		printf "{\"site\":\"cross\",\"layer\":1,\"head\":%d}\n", h
	print "[\"heed-end\",4300]" }' | heed-pack -j --no-pg > wide.heed
exits 3 'too many measures of too many heads' head-compare --table wide.heed
matches 'wide.heed: record 42[0-9]*: [0-9]* heads with 990 measures' err
say $? '... the message has both numbers'

# --- clusters ---
# Of 5 heads rho is 1 - sum of squared differences / 20: a and b -1, a and c 0.9, a and d 0.3, c and d 0.1.
printf 'cross 1 %d %d %d %d %d %d\n' 1 1 5 1 3 9  2 2 4 2 1 8  3 3 3 3 5 7  4 4 2 5 2 6  5 5 1 4 4 1 |
	stream 'a b c d only.here' > first.heed
printf 'cross 1 %d %d %d %d %d\n' 1 1 5 5 3  2 2 4 4 1  3 3 3 3 5  4 4 2 1 2  5 5 1 2 4 | stream 'a b c d' > second.heed
cat > expected <<'END'
cluster	measures	lowest |rho|	mean |rho|
A	a, b, c	0.90	0.93
B	d	-	-
END
same 'clusters by average linkage of |rho|' expected "head-compare --to clusters --measure 'a,b,c,d' first.heed"
head-compare --to clusters --threshold 0.95 --measure 'a,b,c,d' first.heed | cut -f 2 | paste -s -d ';' | matches -x 'measures;a, b;c;d'
say $? '--threshold'
# In the second model c has the opposite order: the means over both models are 0.
cat > expected <<'END'
Spearman's rho, 5 heads, mean of 2 models	a	b	d	c
A a	1.000	-1.000	0.300	0.000
A b	-1.000	1.000	-0.300	0.000
B d	0.300	-0.300	1.000	0.000
C c	0.000	0.000	0.000	1.000
END
head-compare --to matrix first.heed second.heed | sed 's/-0\.000/0.000/g' > found
equals expected found; say $? 'correlations are means over models, of the measures that all have'
head-compare --to matrix first.heed | runs head-map --draw table --range -1,1 --colors diverging -o rho.svg; say $? 'head-map draws the matrix'
# rare is measured in cross-attention alone: rho over its heads.
{ heed-show first.heed | sed -n 's/,"only.here":[0-9]*//; /^{/p'
  for h in 1 2 3 4 5; do echo "{\"site\":\"enc-self\",\"layer\":1,\"head\":$h,\"a\":$((6 - h)),\"b\":$h}"; done; } > lines
{ echo '["heed",1,"head",{"fields":{"site":"str","layer":"int","head":"int","a":"float","b":"float","c":"float","d":"float"}}]'
  cat lines; echo '["heed-end",10]'; } | heed-pack -j > both.heed
head-compare --to matrix both.heed | computes - -F '\t' 'NR == 1 { for (i = 2; i <= NF; i++) at[$i] = i } $1 ~ / a$/ { found = $at["c"] == "0.900" } END { exit !found }'
say $? 'a pair that one kind of attention has: over its heads'
printf 'enc-self 1 %d %d %d\n' 1 1 2 2 2 1 | stream 'x y' > xy.heed
exits 3 'models without common measures' head-compare --to clusters first.heed xy.heed
heed-show first.heed | heed-pack -j > copy.heed
exits 3 'the measures of a model given twice' head-compare --to clusters first.heed second.heed copy.heed
matches 'copy.heed has the measures of first.heed, expected those of another model' err; say $? '... the message names both'
exits 2 'a table of clusters' head-compare --table --to clusters first.heed

# --- tables ---
printf 'cross 1 %d %d %d %d %s\n' 1 3 7 1 other 2 4 7 2 rare | stream 'a b x.raw role' > usual.heed
head-compare --table --brief usual.heed | head -n 1 | matches -x "$(printf 'site\tlayer\thead\trole\ta')"
say $? '--brief: the role and the measures that are compared'
exits 2 '--brief without --table' head-compare --brief usual.heed
exits 2 '... and with --measure' head-compare --table --brief --measure a usual.heed
