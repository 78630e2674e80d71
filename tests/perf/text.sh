#!/bin/sh
# text.sh: how fast text is cut into words and subwords; part of make bench.
#   HEED_BENCH_TEXT   a text, or several separated by blanks; without it an invented one
#   SUBWORD_NMT       a checkout of subword-nmt, run in turns with bpe-learn and bpe-apply
#   MOSES             one of mosesdecoder, with tokenize and detokenize
# CPU seconds, user and system, the mean of five runs (of one for the reference programs).
set -eu
merges=8000
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT

# Words of two to six syllables out of 5000 by Zipf's law, with endings, capitals and punctuation.
invented() {
	awk 'BEGIN {
		srand(1)
		split("ka lo mi ren tu sha ver bel no gri pas ti wen dor la fu ji mon ste ra el ist un ge", s, " ")
		split("s ed ing er en e ung lich ly", e, " ")
		for (w = 0; w < 5000; w++) {
			for (k = 2 + int(w / 1250) + int(2 * rand()); k > 0; k--)
				word[w] = word[w] s[1 + int(24 * rand())]
		}
		for (i = 0; i < 58000; i++) {
			line = ""
			for (k = 4 + int(16 * rand()); k > 0; k--) {
				w = word[int(exp(8.517 * rand())) - 1]
				if (rand() < 0.4) w = w e[1 + int(9 * rand())]
				line = line (line == "" ? toupper(substr(w, 1, 1)) substr(w, 2) : w) \
					(k > 1 ? (rand() < 0.1 ? ", " : " ") : ".")
			}
			print line
		}
	}'
}

# cpu ROUNDS command...: seconds a run takes, the mean over that many runs, by the shell's own account
cpu() {
	rounds=$1; shift
	( k=$rounds
	  while [ $k -gt 0 ]; do
		"$@" < "$dir/text" > "$dir/out" 2> "$dir/err"
		k=$((k - 1))
	  done
	  times ) | awk -v k="$rounds" 'NR == 2 {
		for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] }
		print s / k
	}'
}

# row NAME SECONDS [OTHER]: a line of the table, and how many times as fast as the other
row() {
	awk -v n="$1" -v t="$2" -v o="${3:-}" -v l="$lines" 'BEGIN {
		printf "%-34s %9.3f s %12.0f lines/s", n, t, l / (t > 0 ? t : 0.005)
		if (o != "") printf "  %8.1f times the other", o / (t > 0 ? t : 0.005)
		print ""
	}'
}

if [ -n "${HEED_BENCH_TEXT:-}" ]; then
	for f in $HEED_BENCH_TEXT; do
		case $f in *.gz) zcat "$f" ;; *) cat "$f" ;; esac
	done > "$dir/text"
else
	invented > "$dir/text"
fi
lines=$(wc -l < "$dir/text")
echo "text: $lines lines, $(wc -w < "$dir/text") words, $merges merges, one thread"

learn= apply= tokens= detokens=
bpe-learn --text -q --merges $merges < "$dir/text" > "$dir/codes"
if [ -n "${SUBWORD_NMT:-}" ]; then
	learn=$(cpu 1 python3 "$SUBWORD_NMT/subword_nmt/learn_bpe.py" -s $merges)
	cmp -s "$dir/out" "$dir/codes" && same=yes || same=no
	apply=$(cpu 1 python3 "$SUBWORD_NMT/subword_nmt/apply_bpe.py" -c "$dir/codes")
	bpe-apply --text -c "$dir/codes" < "$dir/text" | cmp -s - "$dir/out" || same=no
	row 'subword-nmt learn-bpe' "$learn"
	row 'subword-nmt apply-bpe' "$apply"
	echo "the same bytes: $same"
fi
row 'bpe-learn' "$(cpu 5 bpe-learn --text -q --merges $merges)" "$learn"
row 'bpe-apply' "$(cpu 5 bpe-apply --text -c "$dir/codes")" "$apply"
if [ -n "${MOSES:-}" ]; then
	tokens=$(cpu 1 perl "$MOSES/scripts/tokenizer/tokenizer.perl" -q -no-escape)
	row 'tokenizer.perl' "$tokens"
	tokenize < "$dir/text" > "$dir/tokens"
	cmp -s "$dir/tokens" "$dir/out" && echo 'the same bytes: yes' || echo 'the same bytes: no'
fi
row 'tokenize' "$(cpu 5 tokenize)" "$tokens"
row 'tokenize --type 13a' "$(cpu 5 tokenize --type 13a)"
tokenize < "$dir/text" > "$dir/tokens" && mv "$dir/tokens" "$dir/text"
if [ -n "${MOSES:-}" ]; then
	detokens=$(cpu 1 perl "$MOSES/scripts/tokenizer/detokenizer.perl" -q)
	row 'detokenizer.perl' "$detokens"
fi
row 'detokenize' "$(cpu 5 detokenize)" "$detokens"
