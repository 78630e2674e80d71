#!/bin/sh
# The worked example of README.md as one script: its code blocks, found by an independent CommonMark
# program, on pairs of two artificial languages and with fewer merges and updates.
# HEED_MULTI30K=FOLDER, with train, val and test_2016_flickr of en and de, compressed or not, runs
# the example unchanged on Multi30k and prints the scores.
. "$HEED_TOP/tests/lib.sh"
if ! command -v cmark > /dev/null; then
	echo '1..0 # SKIP no cmark here: apt-get install cmark'
	exit 0
fi
plan 10

cmark -t xml "$HEED_TOP/README.md" | perl -0777 -e '$_ = <>;
	s{.*<text[^>]*>A worked example</text>}{}s; s{<heading.*}{}s;
	for my $text (m{<code_block info="sh"[^>]*>(.*?)</code_block>}sg) {
		for ($text) { s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/&/g; }
		print $text; }' > literal.sh
that "$(grep -c . literal.sh)" -gt 15 && runs sh -n literal.sh; say $? 'README.md has the example, as shell commands'

# uncompressed PATH: prints PATH, or PATH.gz uncompressed
uncompressed() { if [ -e "$1" ]; then cat "$1"; else gzip -dc "$1.gz"; fi; }
if [ -n "${HEED_MULTI30K-}" ]; then
	for l in en de; do
		uncompressed "$HEED_MULTI30K/train.$l" > train.$l
		uncompressed "$HEED_MULTI30K/val.$l" > dev.$l
		uncompressed "$HEED_MULTI30K/test_2016_flickr.$l" > test.$l
	done
	cp literal.sh example.sh
else
	# Raw text: capital letters, and full stops joined to words.
	awk -v n=2300 -v seed=1 -f "$HEED_TOP/tests/data/pairs.awk" | perl -pe 's/ \.(?=[\t\n])/./g; s/(^|\t)(.)/$1\u$2/g' > all.tsv
	for s in train:1,2000 dev:2001,2100 test:2101,2300; do
		sed -n "${s#*:}p" all.tsv | cut -f 1 > ${s%:*}.en
		sed -n "${s#*:}p" all.tsv | cut -f 2 > ${s%:*}.de
	done
	sed 's/--merges 8000/--merges 200/; s/--updates 2000/--updates 150/; s/--warmup 400/--warmup 50/; s/--batch-tokens 2048/--batch-tokens 1024/' \
		literal.sh > example.sh
	cmp -s literal.sh example.sh && echo 'Bail out! sed changed nothing' && exit 1
fi
began=$(date +%s)
sh -ex example.sh > out 2> log; r=$?
[ $r = 0 ] || tail -n 20 log | sed 's/^/# /'
say $r 'all commands succeed'
lacks 'punctuation attached' log; say $? '... and parse finds the text tokenized'
grep -cE '^(enc|dec|cross)[a-z.-]*	' out | matches -x 36; say $? 'all 36 heads are measured'
that "$(grep -c '^BLEU' out)" = 2 && tail -n 1 out | matches '^BLEU'; say $? 'BLEU is printed twice, the last time at the end'
grep '^BLEU' out | sed "s/^/# after $(($(date +%s) - began)) s: /"
that "$(wc -l < out.de)" = "$(wc -l < test.de)" && lacks '@@' out.de; say $? 'all lines are translated, and subwords are joined'
grep -E '[a-z] \.$' out.de > apart; that "$(grep -cE '[a-z]\.$' out.de)" -gt 9 && that ! -s apart; say $? '... and detokenized'
tail -c 8 heads.html | matches '</html>'; say $? 'the page of heads is complete'
keep=$(sed -n 's/.*--keep \([0-9]*\).*/\1/p' literal.sh)
nmt-info pruned.tar | computes - -F '\t' -v keep="$keep" '$1 == "heads" { n += $3 } END { exit !(keep && n == keep) }'
say $? "the pruned model has $keep heads"
score() { sed -n "s/^BLEU[^=]* = \([0-9.]*\) .*/\1/p" out | sed -n "$1p"; }
computes -v whole="$(score 1)" -v pruned="$(score 2)" 'BEGIN { exit !(whole > 15 && whole + 0 > pruned + 0) }'
say $? 'the model has learned to translate, and the pruned model has a lower BLEU'
