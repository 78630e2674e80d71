#!/bin/sh
# alignment: word alignments of nmt-score, from its attention weights by another program, and alignment
# error rates of head-stat, by hand.
. "$HEED_TOP/tests/lib.sh"

i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo "a lower dog$((i % 5)) sees newest cats $((i % 3))"; done > t.en
sed 's/a lower/ein niedriger/; s/dog/Hund/; s/sees/sieht/; s/newest cats/neueste Katzen/' t.en > t.de
cat t.en t.de | bpe-learn --text -q --merges 12 > codes
heed-pack --no-pg t.en t.de | bpe-apply --no-pg -c codes > t.heed
nmt-train -q --size tiny -c codes --updates 60 --lr 0.01 --warmup 0 --batch-tokens 300 -o model.tar t.heed

# links SITE HEADS: from the weights, summed over source subwords and averaged over target subwords and heads
links() {
	nmt-score -q --no-pg --attention-weights -m model.tar t.heed | heed-show | SITE=$1 HEADS=$2 perl -MJSON::PP -ne '
		my $r = decode_json($_); next if ref $r ne "HASH";
		my ($w, $s, $t) = ($r->{"att.$ENV{SITE}"}, $r->{"src.word"}, $r->{"tgt.word"}); my @sum;
		for my $h (map { $_ - 1 } split /,/, $ENV{HEADS}) { for my $i (0 .. $#$t) { for my $j (0 .. $#$s) {
			$sum[$t->[$i]][$s->[$j]] += $w->[$h][$i][$j] } } }
		print join(" ", map { my $v = $_; my ($u) = sort { $sum[$v][$b] <=> $sum[$v][$a] } 0 .. $#{ $sum[$v] }; "$u-$v" } 0 .. $#sum), "\n"'
}
links cross.1 1,2,3,4 > want
nmt-score -q -m model.tar --alignment t.heed | heed-show -f alignment > got
that "$(sort -u got | wc -l)" -gt 1 && equals want got; say $? 'links are those of the weights: all heads of the last layer but one'
links cross.2 1,3 > want
nmt-score -q -m model.tar --alignment --alignment-heads cross.2:1,3 t.heed | heed-show -f alignment | equals - want
say $? '... or of a list of heads'
head-prune -q -m model.tar --heads cross.1:1,3,4 -o one.tar
nmt-score -q -m one.tar --alignment t.heed | heed-show -f alignment > want
nmt-score -q -m model.tar --mask-heads cross.1:1,3,4 --alignment t.heed | heed-show -f alignment | equals - want && differ want got
say $? '... without masked heads, as without pruned ones'
exits 2 '... of which one must be left' nmt-score -q -m model.tar --mask-heads cross.1:all --alignment t.heed
exits 2 'alignments of truncated sentences' nmt-score -q -m model.tar --too-long cut --alignment t.heed
heed-show t.heed | sed 's/,"[st][rg][ct].word":"[^"]*"//g; s/,"[st][rg][ct].word":\[[^]]*\]//g' | heed-pack --no-pg --json > bare.heed
nmt-score -q -m model.tar --alignment bare.heed | heed-show -f tgt.pieces,alignment | tr -d '[]' |
    computes - -F '\t' '{ if (split($1, x, " ") != split($2, y, " ")) bad = 1 } END { exit bad || NR != 40 }'
say $? 'without words, subwords are aligned'
nmt-score -q -m model.tar --alignment --attention-weights t.heed | heed-show -f score,att.cross.1,alignment > both
cut -f 3 both | equals - got; say $? '... and with weights in the same record'
heed-show bare.heed | perl -MJSON::PP -ne 'my $r = decode_json($_); $r->{"src.word"} = [0 .. $#{ $r->{"src.pieces"} }] if ref $r eq "HASH";
	$r->[3]{fields}{"src.word"} = "[int]" if ref $r eq "ARRAY" && $r->[0] eq "heed"; print encode_json($r), "\n"' | heed-pack -q --no-pg --json > numbered.heed
first() { nmt-translate -q --precision fp32 -m model.tar --first-src "$(nmt-info --vocabulary src model.tar | tail -n 1)" \
	--first-tgt "$(nmt-info --vocabulary tgt model.tar | tail -n 1)" --alignment "$1" | heed-show -f hyp.alignment; }
first numbered.heed > want; first bare.heed | equals - want && matches . want; say $? '... a first token does not move their links'
heed-pack --no-pg --json > odd.heed <<'END'
["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]","src.word":"[int]","tgt.word":"[int]"}}]
{"src.pieces":["a","c"],"tgt.pieces":["a"],"src.word":[0,2],"tgt.word":[0]}
["heed-end",1]
END
exits 3 'words that are not in order' nmt-score -q -m model.tar --alignment odd.heed
matches 'odd.heed: record 1: src.word has 2 at subword 2' err; say $? '... the message names file, record and field'
exits 2 'heads that are no cross-attention' nmt-score -q -m model.tar --alignment --alignment-heads enc-self.1:1 t.heed
exits 2 'heads without --alignment' nmt-score -q -m model.tar --alignment-heads cross.1:1 t.heed

# --- nmt-translate ---
awk '{ for (i = 1; i <= 1 + NR % 7; i++) printf "%s ", $i; print "" }' t.en > vary.en; heed-pack --no-pg vary.en | bpe-apply --no-pg -c codes > vary.heed
runs nmt-translate -q --precision fp32 --no-pg --alignment -m model.tar vary.heed > hyp.heed; say $? 'translations with alignments'
heed-show hyp.heed | perl -MJSON::PP -ne 'next if /^\["heed-end/; my $r = decode_json($_);
	if (ref $r eq "HASH") { my $w = 0; $r->{"tgt.pieces"} = $r->{"hyp.pieces"};
		$r->{"tgt.word"} = [map { my $v = $w; $w++ unless /@@$/; $v } @{ $r->{"hyp.pieces"} }] }
	else { @{ $r->[3]{fields} }{"tgt.pieces", "tgt.word"} = ("[str]", "[int]") }
	print encode_json($r), "\n"; END { print "[\"heed-end\",40]\n" }' | heed-pack -j > as.heed
nmt-score -q -m model.tar --alignment as.heed | heed-show -f alignment > want
heed-show -f hyp.alignment hyp.heed > got; that "$(sort -u got | wc -l)" -gt 1 && equals want got
say $? '... are those of nmt-score for these translations'
nmt-translate -q --precision fp32 --alignment --alignment-heads cross.2:1,3 -m model.tar vary.heed | heed-show -f hyp.alignment > got
nmt-score -q -m model.tar --alignment --alignment-heads cross.2:1,3 as.heed | heed-show -f alignment | equals - got
say $? '... also of a list of heads'
heed-show -f hyp,hyp.alignment hyp.heed | sed 's/\t/ ||| /' > want
nmt-translate -q --precision fp32 --alignment --text -m model.tar vary.en | equals - want; say $? '... with --text, after three bars'
for o in '-t 3' '--batch-tokens 30'; do
	nmt-translate -q --precision fp32 --no-pg --alignment $o -m model.tar vary.heed | equals - hyp.heed; say $? "... the same bytes with $o"
done
{ head -n 1 vary.en; echo; awk 'BEGIN { for (i = 0; i < 2000; i++) printf "a "; print "" }'; tail -n 1 vary.en; } > mixed
heed-pack --no-pg mixed | bpe-apply --no-pg -c codes | nmt-translate -q --precision fp32 --alignment -m model.tar 2> err | heed-show > shown
that "$(grep -c '"hyp.alignment":"[0-9]' shown)" = 2 && that "$(grep -c '"hyp.alignment":""' shown)" = 1 && that "$(grep -c '^{' shown)" = 4
say $? '... an empty sentence has no links, and one that is too long no alignment'
nmt-translate -q --precision fp32 -m model.tar hyp.heed | heed-show | grep '^{' > n; that -s n && lacks hyp.alignment n
say $? '... without --alignment, an alignment of other translations is deleted'
exits 2 '... heads without --alignment' nmt-translate -m model.tar --alignment-heads cross.2:1 vary.heed
exits 2 '... truncated sentences' nmt-translate -m model.tar --alignment --too-long cut vary.heed

# --- error rates ---
# the first head of cross.2 is right by definition; gold with some links changed, for values by hand
nmt-score -q -m model.tar --alignment --alignment-heads cross.2:1 t.heed | heed-show -f alignment > gold
aer() { heed-show -f site,layer,head,aer "$1" | awk -v s=$2 -v l=$3 -v h=$4 '$1 == s && $2 == l && $3 == h { printf "%.6f\n", $4 }'; }
head-stat -q -m model.tar --align gold -o exact.heed t.heed
that "$(aer exact.heed cross 2 1)" = 0.000000; say $? 'a head whose links are the gold ones has no errors'
heed-show -f site,aer exact.heed | computes - '$1 == "cross" { n++; if ($2 < 0 || $2 > 1) bad = 1 } $1 != "cross" && $2 != "-" && $2 != "" { bad = 1 }
	END { exit bad || n != 8 }'; say $? 'heads of cross-attention have a rate, others do not'
nmt-score -q -m model.tar --alignment --alignment-heads cross.1:2 t.heed | heed-show -f alignment > other
want=$(paste gold other | awk -F '\t' '{ n = split($1, g, " "); m = split($2, o, " "); delete in_gold; for (i = 1; i <= n; i++) in_gold[g[i]] = 1
	s += n; a += m; for (i = 1; i <= m; i++) both += o[i] in in_gold } END { printf "%.6f", 1 - 2 * both / (a + s) }')
that "$(aer exact.heed cross 1 2)" = "$want" && that "$want" != 0.000000
say $? 'another head has the rate that its links give'
sed 's/-/p/g' gold > possible; head-stat -q -m model.tar --align possible -o possible.heed t.heed
that "$(aer possible.heed cross 2 1)" = 0.000000; say $? 'possible links are no errors'
sed 's/\([0-9]\)-/\1?/g' gold > marks; head-stat -q -m model.tar --align marks t.heed | heed-show | sed 1d > a; head-stat -q -m model.tar --align possible t.heed | heed-show | sed 1d | equals - a
say $? '... in either notation'
runs head-prune -q -m model.tar --heads cross.1:all -o last.tar && head-stat -q -m last.tar --align gold t.heed | heed-show -f site,aer |
    computes - '$1 == "cross" { n++; if ($2 < 0 || $2 > 1) bad = 1 } END { exit bad || n != 4 }'
say $? 'a model without heads in the layer whose alignment nmt-score takes'
for by in nmt-score nmt-translate; do
	exits 2 "... which $by refuses" $by -m last.tar --alignment t.heed
	matches 'last.tar: no heads of cross-attention in the penultimate' err && matches 'hint: --alignment-heads' err; say $? '... with a hint'
done
# one more sure link in each of 40 sentences: 1 - 2 * 280 / (280 + 320)
awk '{ split($1, x, "-"); print $0, (x[1] + 1) % 7 "-" 0 }' gold > more; head-stat -q -m model.tar --align more -o more.heed t.heed
that "$(aer more.heed cross 2 1)" = 0.066667; say $? 'missing links count'
head-stat -q -m model.tar --align gold -t 2 --batch-tokens 40 t.heed --no-pg > a; head-stat -q -m model.tar --align gold --batch-tokens 40 t.heed --no-pg | equals - a
say $? 'the same bytes for any number of threads'
faulty() { exits 3 "$1" head-stat -q -m model.tar --align "$2" t.heed; matches -F -- "$3" err; say $? '... says so'; }
sed '3s/$/ 9-0/' gold > x; faulty 'a link beyond the sentence' x "x: line 3: '9-0', expected links such as 0-0 or 1p2 within 7 source and 7 target words"
sed '4s/^/0:0 /' gold > x; faulty 'another notation' x "x: line 4: '0:0'"
sed 1d gold > x; faulty 'a line too few' x 'x has 39 lines, expected one for each'
{ cat gold; echo 0-0; } > x; faulty 'a line too many' x 'x has 41 lines, expected one for each of 40 sentences'
: > x; faulty 'no lines' x 'x has no lines'
exits 2 'translations have no gold alignments' head-stat -q -m model.tar --align gold --target hyp t.heed
exits 4 'a file that is not there' head-stat -q -m model.tar --align nowhere t.heed
# --- translation score: words whose link is possible, of the words with a gold link ---
translation() { heed-show -f site,layer,head,translation "$1" | awk -v s=$2 -v l=$3 -v h=$4 '$1 == s && $2 == l && $3 == h { printf "%.6f\n", $4 }'; }
that "$(translation exact.heed cross 2 1)" = 1.000000; say $? 'a head whose links are the gold ones has translation score 1'
want=$(paste gold other | awk -F '\t' '{ n = split($1, g, " "); m = split($2, o, " "); delete linked; delete at; for (i = 1; i <= n; i++) { linked[g[i]]; split(g[i], x, "-"); at[x[2]] }
	for (v in at) words++; for (i = 1; i <= m; i++) right += o[i] in linked } END { printf "%.6f", right / words }')
that "$(translation exact.heed cross 1 2)" = "$want" && that "$want" != 1.000000
say $? '... another one the fraction of words that it links rightly'
that "$(translation possible.heed cross 2 1)" = 1.000000; say $? '... possible links count'
awk '{ print $1 }' gold > first; head-stat -q -m model.tar --align first -o first.heed t.heed
that "$(translation first.heed cross 2 1)" = 1.000000; say $? '... and words without a gold link do not'

exits 2 'gold alignments of truncated sentences' head-stat -q -m model.tar --too-long cut --align gold t.heed

# --- BLEU without a head ---
runs head-stat -q -m model.tar --measure ablation-bleu --beam 2 --to tsv t.heed > bleu.tsv; say $? 'BLEU without each head'
translated() { nmt-translate -q --precision fp32 -m model.tar "$@" --beam 2 --spread 0 --max-ratio 1.5 --max-extra 10 t.heed | heed-show -f hyp > hyp
	bleu --tokenizer none -w 4 -b -r t.de hyp; }
whole=$(translated)
for head in enc-self.1:1 dec-self.1:1 cross.2:1 cross.2:3; do echo "$whole $(translated --mask-heads $head)"; done > want
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ablation.bleu") k = i; next } NR == 2 || NR == 10 || NR == 22 || NR == 24 { print $k }' bleu.tsv |
	paste - want | computes - '{ d = $1 - ($2 - $3); if (d > 2e-4 || d < -2e-4) bad = 1; if ($2 != $3) seen = 1 } END { exit bad || !seen || NR != 4 }'
say $? '... is that of nmt-translate with the head masked'
head-stat -q -m model.tar -t 2 --measure ablation-bleu --beam 2 --to tsv t.heed | equals - bleu.tsv; say $? '... the same bytes for any number of threads'
# BLEU of a text that is repeated is that of the text; its 9,600 tokens are four batches.
i=0; while [ $i -lt 24 ]; do i=$((i + 1)); cat t.en; done > many.en; i=0; while [ $i -lt 24 ]; do i=$((i + 1)); cat t.de; done > many.de
heed-pack --no-pg many.en many.de | bpe-apply --no-pg -c codes > many.heed
column() { awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ablation.bleu") k = i } { print $k }' "$1"; }
column bleu.tsv > want
for threads in 1 3; do
	head-stat -q -m model.tar -t $threads --measure ablation-bleu --beam 2 --to tsv many.heed > many.tsv; column many.tsv | equals - want
	say $? "... also in several batches with $threads threads"
done
exits 2 '--beam without ablation-bleu' head-stat -m model.tar --beam 2 t.heed
exits 2 'ablation-bleu of translations' head-stat -m model.tar --measure ablation-bleu --target hyp t.heed
echo "1..$n"
