#!/bin/sh
# word-align: the alignment of a language that was drawn with it, texts and streams, threads, and bad
# input.  The model itself is tested in tests/unit/word-aligner.c.
. "$HEED_TOP/tests/lib.sh"

# A target word for each source word but "of"; phrases of two to four words change places.  Rare words have
# one translation, frequent words two.
awk 'BEGIN {
	srand(5)
	for (k = 0; k < 1500; k++) {
		src = tgt = links = ""
		n = 4 + int(rand() * 9)
		for (i = 0; i < n; i++) {
			w = rand() < .12 ? "of" : int(60 * rand() * rand())
			word[i] = w
			src = src (i ? " " : "") w
		}
		j = 0
		for (i = 0; i < n; i = end) {
			end = i + (rand() < .7 ? 1 : 2 + int(rand() * 3))
			if (end > n) end = n
			for (p = end - 1; p >= i; p--) {
				if (word[p] == "of") continue
				tgt = tgt (j ? " " : "") "t" word[p] (word[p] < 5 && rand() < .3 ? "x" : "")
				links = links (j ? " " : "") p "-" j
				j++
			}
		}
		if (!j) { k--; continue }
		print src > "s"; print tgt > "t"; print links > "gold"
	}
}'
runs word-align -q s t > links 2> err; say $? 'two texts are aligned'
that "$(wc -l < links)" = 1500 && that ! -s err; say $? '... a line for each pair, and no warning'
aer=$(align-score -r gold -b aer links); that -n "$aer" && computes -v x="$aer" 'BEGIN { exit !(x < 0.05) }'
say $? '... as they were drawn, with an error rate below 0.05'
aer1=$(word-align -q --hmm 0 s t | align-score -r gold -b aer -)
that -n "$aer1" && computes -v x="$aer" -v y="$aer1" 'BEGIN { exit !(x < y) }'; say $? '... better than by IBM model 1'
heed-pack s t > st.heed; word-align -q st.heed | equals - links; say $? 'a stream gives the same links'
word-align -q < st.heed | equals - links; say $? '... from standard input, too'
runs gzip -k s && word-align -q s.gz t | equals - links; say $? '... and a compressed text'
for t in 2 3 8; do word-align -q -t $t s t | equals - links; say $? "$t threads give the same links"; done
runs word-align -q -o file s t && equals file links; say $? '-o writes a file'
runs word-align s t 2> err > file && equals file links && that "$(wc -l < err)" = 20 &&
    matches -x 'target to source: HMM, iteration 5: perplexity [0-9.]*' err; say $? 'without -q, a line for each iteration'
computes '{ i = $0; sub(/.*iteration /, "", i); if (i + 0 > 1) { falls += $NF < last; n++ } last = $NF } END { exit !(n == 16 && falls > 14 && last < 6) }' err
say $? '... and the perplexity falls in each model'
computes 'NR == FNR { for (i = 1; i <= NF; i++) seen[$i] = 1; next } /IBM model 1, iteration 1:/ { for (w in seen) n++; exit !($NF == n + 1) }' t err
say $? '... from the number of target words, with the empty word'
heed-paste --text alignment=links st.heed | heed-show -f alignment | equals - links; say $? 'heed-paste adds them to the stream'
head -n 40 s > few.s; head -n 40 t > few.t; cat s few.s > more.s; cat t few.t > more.t
word-align -q more.s more.t | tail -n 40 > expected; word-align -q few.s few.t > alone; differ alone expected; say $? 'a few pairs alone have other links'
word-align -q --with st.heed few.s few.t | equals - expected; say $? '... than after training on the corpus, too'
exits 2 '... and must be a stream' 'word-align -q --with s few.s few.t'

# directions
word-align -q --symmetrize forward s t > f; word-align -q --symmetrize backward s t > b
word-align -q --symmetrize forward t s | awk '{ for (i = 1; i <= NF; i++) { split($i, a, "-"); $i = a[2] "-" a[1] } print }' > swapped
sort_links() { awk '{ n = split($0, a, " "); for (i = 2; i <= n; i++) for (j = i; j > 1 && a[j - 1] > a[j]; j--) { x = a[j]; a[j] = a[j - 1]; a[j - 1] = x }
	out = ""; for (i = 1; i <= n; i++) out = out " " a[i]; print out }' "$1"; }
sort_links b > b.sorted; matches -- - b && sort_links swapped | equals - b.sorted; say $? 'backward is forward of the sides swapped'
word-align -q --symmetrize union s t > u; word-align -q --symmetrize intersection s t > i
paste f b u i | computes - -F '\t' '{
	split("", x); split("", y); n = split($1, a, " "); for (k = 1; k <= n; k++) x[a[k]] = 1
	m = split($2, a, " "); for (k = 1; k <= m; k++) y[a[k]] = 1
	union = split($3, a, " "); for (k = 1; k <= union; k++) if (!(a[k] in x) && !(a[k] in y)) bad = 1
	both = split($4, a, " "); for (k = 1; k <= both; k++) if (!(a[k] in x) || !(a[k] in y)) bad = 1
	if (union + both != n + m) bad = 1 } END { exit bad || NR != 1500 }'
say $? 'union and intersection of both directions'

# sentences without links
printf 'a b\n\nc\n' > s3; printf 'x y\nz\n\n' > t3
word-align -q s3 t3 > out 2> err; that "$(wc -l < out)" = 3 && that "$(tail -n 2 out | tr -d '\n')" = '' && that -n "$(head -n 1 out)"
say $? 'an empty side: an empty line'
matches 'warning: 2 of 3 sentence pairs have an empty side and get no links' err; say $? '... and a warning'
word-align -q --max-words 8 s t > out 2> err
computes 'NR == FNR { n[NR] = NF; next } (n[FNR] > 8) != (NF == 0) { bad = 1 } END { exit bad }' s out &&
    matches "$(awk 'NF > 8' s | wc -l) of 1500 sentence pairs have more than 8 words on a side" err
say $? '--max-words: longer sentences have no links, with a warning'
long=$(head -n 60 s | tr '\n' ' ') && { head -n 700 s; echo "$long new"; echo "$long"; sed 1,700d s; } > s.more
{ head -n 700 t; head -n 60 t | tr '\n' ' '; echo; echo; sed 1,700d t; } > t.more
word-align -q s.more t.more > out 2> err; that "$(sed -n 701,702p out | tr -d '\n')" = '' && sed 701,702d out | equals - links
say $? '... and neither they nor pairs with an empty side change the links of others'
printf 'Der Hund\nder Hund\nDER HUND\n' > u3; printf 'the dog\nthe dog\nthe dog\n' > v3
word-align --lowercase u3 v3 2> err > out; that "$(sort -u out | wc -l)" = 1 && matches 0-0 out &&
    matches -x 'target to source: IBM model 1, iteration 1: perplexity 3.00' err; say $? '--lowercase: the same words'
yes 'Hello, world.' | head -n 50 > j; word-align -q j j > out 2> err; matches 'tokenize' err; say $? 'text that is not tokenized: a warning'

# what cannot be aligned
printf 'x\377' > broken
while read -r code what command; do
	got=0; sh -c "word-align -q $command" > out 2> err < /dev/null || got=$?
	that $got = $code && that ! -s out && matches -F "$(echo "$what" | tr _ ' ')" err
	say $? "$(echo "$what" | tr _ ' ')"
done <<'END'
2 one_text,_expected_a_stream_or_two_texts s
3 expected_text:_one_stream_has_both_sides st.heed t
2 3_files,_expected_a_stream_or_two_texts s t t
2 expected_at_least_one_iteration --ibm1 0 --hmm 0 s t
3 no_sentence_pairs,_expected_at_least_one /dev/null /dev/null
3 s3_has_3_lines s3 t
4 cannot_open_none none t
2 expected_one_of_grow-diag-final-and --symmetrize all s t
3 standard_input_is_empty,_expected_a_heed_stream
3 /dev/null_is_empty,_expected_a_heed_stream --with /dev/null s t
3 broken:_line_1:_byte_2_(0xff)_is_not_UTF-8 broken
2 standard_input_is_given_2_times - -
2 standard_input_is_given_2_times --with -
2 null_has_no_effect_with_--hmm_0 --hmm 0 --null 0.3 s t
END
plan $n
