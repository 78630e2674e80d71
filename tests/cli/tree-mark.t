#!/bin/sh
# tree-mark: marks computed by hand and, for random trees, by awk; words that are drawn; sentences without
# a tree; fields of the previous target.
. "$HEED_TOP/tests/lib.sh"

plan 22

# With --class 0.4, a, b and f belong to the class, and c, d, e, g and h do not.
for w in a b c d e f g h; do echo "$w z"; done > two
heed-pack two | parse -q --control adjacent > two.heed
printf '%s\n' + + - - - + - - > want
same 'the class of a word depends on the word' want 'tree-mark -q --class 0.4 two.heed | heed-show -f tgt | cut -d " " -f 4'
sort -R two > shuffled; tree-mark -q --class 0.4 two.heed | heed-show -f tgt | sort > want
same '... and on no other word' want 'heed-pack shuffled | parse -q --control adjacent | tree-mark -q --class 0.4 | heed-show -f tgt | sort'
yes - | head -n 8 > want
same 'an empty class' want 'tree-mark -q --class 0 two.heed | heed-show -f tgt | cut -d " " -f 4'
yes + | head -n 8 > want
same '... and that of all words' want 'tree-mark -q --class 1 two.heed | heed-show -f tgt | cut -d " " -f 4'

# Arcs: c -> d -> a (root), b -> g, e -> c, g -> a.  Siblings: d g; c e; b alone.
{
	echo '["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","src.tree":"str","tgt":"str"}}]'
	echo '{"id":1,"src":"e c d a g b","src.heads":[2,3,4,0,4,5],"src.tree":"(S (A (X e) (X c) (B (X d) (X a))) (C (X g)) (X b))","tgt":"ja so"}'
	echo '{"id":2,"src":"a c a d","src.heads":[0,1,2,3],"src.tree":"(S (X a) (X c) (X a) (X d))","tgt":""}'
	echo '{"id":3,"src":"","src.heads":[],"src.tree":"","tgt":"x"}'
	echo '{"id":4,"src":"h","tgt":"y"}'
	echo '{"id":5,"src":"h","src.heads":[0],"src.tree":"h"}'
	echo '["heed-end",5]'
} > s.json
sed 's/"src.tree":"h"/"src.tree":"(X h)"/' s.json | heed-pack -j --no-pg > s.heed
printf '%s\n' 'ja so e - c - d + a - g + b -' 'c + d +' x y 'h -' > want
same 'marks by links, after the target' want 'tree-mark -q --class 0.4 s.heed | heed-show -f tgt'
printf '%s\n' 'ja so e - c - d + a - g - b -' 'c + d +' x y 'h -' > want
same 'marks by siblings' want 'tree-mark -q --class 0.4 --by siblings < s.heed | heed-show -f tgt'
tree-mark --class 0.4 s.heed 2> said > marked.heed
printf '%s\n' 'tree-mark: 1 of 5 sentences have no src.heads and get no marks' 'tree-mark: 9 marks in 22 target tokens' |
	equals - said; say $? 'the numbers of sentences, marks and tokens'
same '... not with -q' /dev/null 'tree-mark -q -o o s.heed 2>&1'
sed 's/,"src.tree":"[^"]*"//; s/"src.tree":"str",//; s/,"tgt":"[^"]*"//; s/,"tgt":"str"//' s.json | heed-pack -j > no.heed
printf '%s\n' 'e - c - d + a - g + b -' 'c + d +' '' '' 'h -' > want
same 'a stream without a target, and without the other tree' want 'tree-mark -q --class 0.4 no.heed | heed-show -f tgt'

# Random trees: awk reads the heads, and the phrases as brackets.
awk 'BEGIN { for (s = 0; s < 300; s++) { for (i = 0; i < 3 + s % 9; i++) { x = (x * 16807 + 11) % 2147483647
	printf "%s%s", i ? " " : "", substr("abcdefgh", 1 + x % 8, 1) int(x / 8) % 50 } print "" } }' > words
heed-pack words | parse -q --control random | dep2const -q > random.heed
tr ' ' '\n' < words | sort -u | sed 's/$/ z/' > types
heed-pack types | parse -q --control adjacent | tree-mark -q --class 0.3 | heed-show -f tgt |
	awk '$4 == "+" { print $1 }' > class
that "$(wc -l < class)" -gt 80 && that "$(wc -l < class)" -lt 160; say $? 'about the fraction of the vocabulary belongs to the class'
cat > links.awk <<'END'
FNR == NR { class[$1]; next }
{ n = split($1, w, " "); split($2, h, " "); delete near; delete times; line = ""
  for (i = 1; i <= n; i++) { times[w[i]]++; if (h[i]) { near[i] += w[h[i]] in class; near[h[i]] += w[i] in class } }
  for (i = 1; i <= n; i++) if (times[w[i]] == 1) line = line (line == "" ? "" : " ") w[i] " " (near[i] ? "+" : "-")
  print line }
END
heed-show -f src,src.heads random.heed | awk -F '\t' -f links.awk class - > want
same 'random trees: links' want 'tree-mark -q --class 0.3 random.heed | heed-show -f tgt'
cat > siblings.awk <<'END'
FNR == NR { class[$1]; next }
{ n = split($1, w, " "); k = split($2, t, " "); delete times; delete in_class; delete open; line = ""; depth = nodes = word = 0
  for (i = 1; i <= k; i++) {
	if (t[i] ~ /^\(X$/) {
		v = t[++i]; sub(/\).*/, "", v); of[++word] = open[depth]; in_class[open[depth]] += v in class
		depth -= gsub(/\)/, "", t[i]) - 1
	} else open[++depth] = ++nodes
  }
  for (i = 1; i <= n; i++) times[w[i]]++
  for (i = 1; i <= n; i++) if (times[w[i]] == 1)
	line = line (line == "" ? "" : " ") w[i] " " (in_class[of[i]] - (w[i] in class) > 0 ? "+" : "-")
  print line }
END
heed-show -f src,src.tree random.heed | awk -F '\t' -f siblings.awk class - > want
same '... and siblings' want 'tree-mark -q --by siblings --class 0.3 random.heed | heed-show -f tgt'

# marks SHARE SEED: the sentence and word of each mark
marks() {
	tree-mark -q --share $1 -s $2 random.heed | heed-show -f tgt |
		awk '{ for (i = 1; i < NF; i += 2) print NR, $i }' | sort
}
marks 1 1 > all; marks 0.3 1 > some; marks 0.1 1 > few; marks 0.3 2 > others
computes -v n="$(wc -l < all)" -v m="$(wc -l < some)" 'BEGIN { exit !(m > 0.26 * n && m < 0.34 * n) }'; say $? 'about the fraction of the words is drawn'
that -s few && that -z "$(comm -13 some few)" && that -z "$(comm -13 all some)"; say $? '... with a larger fraction, these and others'
differ some others && marks 0.3 1 | equals - some; say $? '... by the seed'
tree-mark -q --share 0.3 random.heed | heed-show -f tgt | tr -d '+-' > want
same '... and not by the tree' want 'parse -q --control adjacent random.heed | tree-mark -q --share 0.3 | heed-show -f tgt | tr -d "+-"'
yes '' | head -n 300 > want
same 'no word' want 'tree-mark -q --share 0 random.heed | heed-show -f tgt'

# Subwords of the previous target no longer fit.
printf 'a b c\n' > one; printf 'ja so\n' > eins; printf '0-0\n' > links
cat one eins | bpe-learn --text --merges 5 > codes 2> /dev/null
heed-pack one eins | parse -q --control adjacent | bpe-apply -c codes | heed-paste --text alignment=links > sub.heed
runs tree-mark -q sub.heed > marked.heed && heed-show marked.heed | matches src.pieces &&
	heed-show marked.heed | sed 's/"pg":.*//' | lacks 'tgt.pieces\|tgt.word\|alignment'
say $? 'fields of the previous target are removed'
fails 3 'a stream without the tree' 'has no src.tree' 'tree-mark --by siblings no.heed > o'
fails 3 'a head outside the sentence' 'record 1 (id 1): src.heads: word 1: head 7, expected one from 0 to 6' \
	'sed "2s/\[2,3/[7,3/" s.json | heed-pack -j | tree-mark > o'
fails 3 'a tree of other words' 'record 1 (id 1): src.tree has 5 words, expected 6 as in src' \
	'sed "2s/ (X b))/)/" s.json | heed-pack -j | tree-mark --by siblings > o'
fails 2 'a share above 1' 'share' 'tree-mark --share 1.1 s.heed > o'
