#!/bin/sh
# align-score: measures by hand, of random links by another program, of the heads of head-stat, and of token
# attributions by another program; lines, links and records that do not fit.
. "$HEED_TOP/tests/lib.sh"

# --- by hand ---
# S has 4 links, P 7, A 7, of which 3 are in S and 5 in P; target words with a gold link: 3 + 2 + 0 + 1, right: 3 + 2.
printf '%s\n' '0-0 1-1 2p1 2?2' '0p0 1-1' '' '0-0' > gold
printf '%s\n' '0-0 2-1 2-2 1-0' '0-0 1-1' '' '1-0' > links
printf 'file\tmethod\tsentences\tskipped\tlinks\tprecision\trecall\tf1\taer\ttranslation\nlinks\ttext\t4\t0\t7\t0.7143\t0.5000\t0.5882\t0.3636\t0.8333\n' > want
same 'measures by hand' want 'align-score -r gold links'
echo '{"file":"links","method":"text","sentences":4,"skipped":0,"links":7,"precision":0.71,"recall":0.50,"f1":0.59,"aer":0.36,"translation":0.83}' > want
same '... as JSON' want 'align-score -r gold --to json -w 2 links | sed "s/,.signature.*/}/"'
echo 0.363636 > want
same '... one measure, from standard input' want 'align-score -r gold -b aer -w 6 < links'
awk '{ for (i = NF; i; i--) printf "%s ", $i " " $i; print "\r" }' links > twice
same 'the order of links, duplicates and CRLF do not matter' want 'align-score -r gold -b aer -w 6 twice'
sed 's/0-0 1-1/0p0 0-0 0p0 1-1/' gold > marked
same 'a duplicate gold link is sure if one of the duplicates is' want 'align-score -r marked -b aer -w 6 links'
printf '%s\n' '1-1 2-2 3p2 3?3' '1p1 2-2' '' '1-1' > from.one
same 'gold alignments from 1' want 'align-score -r from.one --one-based -b aer -w 6 links'
gzip -c gold > gold.gz
same '... that are compressed' want 'align-score -r gold.gz -b aer -w 6 links'
align-score -r from.one links > /dev/null 2> err; matches 'warning: from.one: no link has word 0; .*--one-based' err
say $? '... a warning without --one-based'
align-score -r gold links 2>&1 > /dev/null | grep -c . > count; that "$(cat count)" = 0; say $? 'no warning otherwise'
printf '0.000000\n1.000000\n' > want
: > nothing; sed 's/.*//' gold > nothing
same 'gold against itself has no errors, no links have only errors' want 'align-score -r gold -b aer -w 6 gold nothing'

# --- random links, by sets ---
perl -e 'srand 7; for my $f (qw(r.gold r.links r.more)) { open my $o, ">", $f or die; for (1 .. 300) {
	print $o join(" ", map { int(rand 9) . ($f eq "r.gold" ? (qw(- - p ?))[rand 4] : "-") . int(rand 7) } 1 .. rand 12), "\n" } }'
perl -e 'sub sets { my ($sure, $all, $words) = ({}, {}, {}); for (split " ", $_[0]) { /^(\d+)(.)(\d+)$/ or die;
		$all->{"$1 $3"} = 1; $words->{$3} = 1; $sure->{"$1 $3"} = 1 if $2 eq "-" } ($sure, $all, $words) }
	for my $f (qw(r.links r.more)) { my %n;
		open my $g, "<", "r.gold" or die; open my $a, "<", $f or die;
		while (my $gold = <$g>) { my ($s, $p, $w) = sets($gold); my (undef, $found) = sets(scalar <$a>);
			$n{s} += keys %$s; $n{a} += keys %$found; $n{w} += keys %$w;
			$n{as} += grep { $s->{$_} } keys %$found; $n{ap} += grep { $p->{$_} } keys %$found;
			my %right = map { (split)[1] => 1 } grep { $p->{$_} } keys %$found; $n{r} += keys %right }
		my ($p, $r) = ($n{ap} / $n{a}, $n{as} / $n{s});
		printf "%s\t%d\t%.9f\t%.9f\t%.9f\t%.9f\t%.9f\n", $f, $n{a}, $p, $r, 2 / (1 / $p + 1 / $r), 1 - ($n{as} + $n{ap}) / ($n{a} + $n{s}), $n{r} / $n{w} }' > want
same 'random links: counted by another program' want 'align-score -r r.gold -w 9 r.links r.more | sed 1d | cut -f 1,5-'

# --- cross-attention: the error rate of head-stat, through text and through streams ---
i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo "a lower dog$((i % 5)) sees newest cats $((i % 3))"; done > t.en
sed 's/a lower/ein niedriger/; s/dog/Hund/; s/sees/sieht/; s/newest cats/neueste Katzen/' t.en > t.de
cat t.en t.de | bpe-learn --text -q --merges 12 > codes
heed-pack --no-pg t.en t.de | bpe-apply --no-pg -c codes > t.heed
nmt-train -q --size tiny -c codes --updates 60 --lr 0.01 --warmup 0 --batch-tokens 300 -o model.tar t.heed
perl -e 'srand 3; for (1 .. 40) { print join(" ", map { my $s = rand() < 0.3 ? int(rand 7) : $_; $s . (rand() < 0.3 ? "p" : "-") . $_ } 0 .. 6), "\n" }' > t.gold
head-stat -q -m model.tar --align t.gold t.heed | heed-show -f site,layer,head,aer,translation | awk '$1 == "cross" { printf "%.6f\t%.6f\n", $4, $5 }' > want
for layer in 1 2; do for head in 1 2 3 4; do
	nmt-score -q -m model.tar --alignment --alignment-heads cross.$layer:$head -o a.heed t.heed; heed-show -f alignment a.heed > a
	align-score -r t.gold -w 6 a | sed 1d | cut -f 9,10; align-score -r t.gold -w 6 a.heed | sed 1d | cut -f 9,10 >> got.streams
done; done > got
that "$(sort -u want | wc -l)" -gt 3 && equals want got && equals want got.streams; say $? 'error rate and translation score of each head are those of head-stat'
perl -pe 's/(\d+)(.)(\d+)/($1 + 1) . $2 . ($3 + 1)/ge' t.gold > t.one; head-stat -q -m model.tar --align t.gold t.heed | heed-show | sed 1d > a
head-stat -q -m model.tar --align t.one --one-based t.heed | heed-show | sed 1d | equals - a; say $? 'head-stat --one-based'
exits 2 '... without --align' head-stat -q -m model.tar --one-based t.heed
awk '{ for (i = 1; i <= 1 + NR % 7; i++) printf "%s ", $i; print "" }' t.en > vary.en
heed-pack --no-pg vary.en t.de | bpe-apply --no-pg -c codes | nmt-translate -q --precision fp32 --alignment -m model.tar -o hyp.heed; heed-show -f hyp.alignment hyp.heed > hyp.links
sed 's/2-1/0-1/; s/-0/p0/' hyp.links > hyp.gold; align-score -r hyp.gold hyp.links | sed 1d | cut -f 3- > want
computes -F '\t' '{ exit !($7 > 0 && $7 < 1) }' want; say $? 'translations with alignments, as text'
same '... and as a stream' want 'align-score -r hyp.gold hyp.heed | sed 1d | cut -f 3-'

# --- token attributions ---
# attributed RULE: links by the words of the record, from relevance.src as another program reads it
attributed() {
	heed-show $1.heed | perl -MJSON::PP -ne 'my $r = decode_json($_); next if ref $r ne "HASH";
		my ($x, $s, $t) = ($r->{"relevance.src"}, $r->{"src.word"}, $r->{"tgt.word"}); my (@sum, @n);
		$n[$_]++ for @$t;
		for my $i (0 .. $#$t) { for my $j (0 .. $#$s) { $sum[$t->[$i]][$s->[$j]] += $x->[$i][$j] / $n[$t->[$i]] } }
		print join(" ", map { my $v = $_; my ($u) = sort { $sum[$v][$b] <=> $sum[$v][$a] } 0 .. $#{ $sum[$v] }; "$u-$v" } 0 .. $#sum), "\n"'
}
for rule in alti chefer attnlrp epsilon; do
	head-lrp -q -m model.tar --tokens --target ref --rule $rule -o $rule.heed t.heed; attributed $rule > $rule.links
	align-score -r t.gold -w 9 $rule.links | sed "1d; s/^[^	]*	text/$rule.heed	$rule/"
done > want
that "$(cut -f 9 want | sort -u | wc -l)" -gt 1; say $? 'rules differ'
same 'attributions: alignments by another program' want 'align-score -r t.gold -w 9 alti.heed chefer.heed attnlrp.heed epsilon.heed | sed 1d'
heed-paste --text alignment=t.gold -o both.heed alti.heed
exits 2 'a stream with two alignments' align-score -r t.gold both.heed
sed -n 1p want | cut -f 2- > one
same '... --from' one 'align-score -r t.gold -w 9 --from relevance.src both.heed | sed 1d | cut -f 2-'
head-lrp -q -m model.tar --tokens --rule alti -o own.heed t.heed 2> /dev/null
exits 3 'attributions of translations' align-score -r t.gold own.heed
matches "own.heed: lrp.target is 'hyp', expected ref" err; say $? '... says so'

# a multilingual model: the first and last row and column are those of tokens that it adds
nmt-import -q --no-pg --first-src __en__ --first-tgt __de__ -o m2m.tar "$HEED_TOP/tests/data/import/m2m"
{ echo '["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]"}}]'
  awk -F '\t' '{ gsub(/ /, "\",\"", $1); gsub(/ /, "\",\"", $2); printf "{\"src.pieces\":[\"%s\"],\"tgt.pieces\":[\"%s\"]}\n", $1, $2 }' "$HEED_TOP/tests/data/import/m2m.tsv"
  echo "[\"heed-end\",$(wc -l < "$HEED_TOP/tests/data/import/m2m.tsv")]"; } | heed-pack --no-pg -j | head-lrp -q -m m2m.tar --tokens --target ref --rule attnlrp -o m2m.heed
heed-show m2m.heed | perl -MJSON::PP -ne 'my $r = decode_json($_); next if ref $r ne "HASH"; my $x = $r->{"relevance.src"}; my $end = $#{ $r->{"src.pieces"} } + 1;
	print join(" ", map { my $v = $_; my ($u) = sort { $x->[$v][$b] <=> $x->[$v][$a] } 1 .. $end; ($u - 1) . "-" . ($v - 1) } 1 .. $#$x - 1), "\n"' > m2m.gold
align-score -r m2m.gold m2m.heed > got; that "$(sort -u m2m.gold | wc -l)" -gt 3 && that "$(sed 1d got | cut -f 2,6- | tr '\t' ' ')" = 'attnlrp 1.0000 1.0000 1.0000 0.0000 1.0000'
say $? 'a model whose sentences begin with a token of the language'
head-lrp -q -m model.tar --tokens --target ref --rule alti m2m.heed 2> /dev/null | heed-show -H > header
matches '"lrp.rule":"alti"' header && lacks '"lrp.first' header; say $? '... which is not that of the next model'

# by hand: a model whose sentences begin with a token, which one record has itself; a truncated sentence; negative
# relevance; subwords; a sentence that was left out
lrp() { # HEADER: a stream with these settings and the records of standard input
	cat > records
	{ echo '["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]","src.word":"[int]","relevance.src":"f32[t,s]","src.cut":"int"},"lrp.rule":"mine"'"$1"'}]'
	  cat records; echo "[\"heed-end\",$(wc -l < records)]"; } | heed-pack --no-pg -j > mine.heed
}
# scored 'name' LINKS: the links of mine.heed are these, and no others
scored() {
	align-score -r mine.gold -w 6 mine.heed 2> err | sed 1d | cut -f 3-9 > got; align-score -r mine.gold -w 6 "$2" | sed 1d | cut -f 3-9 > links.got
	that -s got && equals got links.got; say $? "$1"
}
lrp ',"lrp.target":"ref","lrp.first.src":"<l>","lrp.first.tgt":"<m>"' <<'END'
{"src.pieces":["a@@","b","c"],"tgt.pieces":["x","y"],"src.word":[0,0,1],"relevance.src":[[9,0,0,0,0],[0,0.3,0.3,0.5,9],[0,0.1,-0.5,-0.3,9],[9,9,9,9,9]]}
{"src.pieces":["<l>","b","c"],"tgt.pieces":["<m>","y"],"src.word":[0,0,1],"relevance.src":[[0,0,9,0],[9,0.1,0.2,0.4],[9,9,9,9]]}
{"src.pieces":["a","b","c"],"tgt.pieces":["x"],"src.word":[0,1,2],"src.cut":2,"relevance.src":[[9,0,0,0],[9,0.1,0.2,8],[9,9,9,9]]}
{"src.pieces":["a","b","c"],"tgt.pieces":["x"],"src.word":[0,1,2],"relevance.src":[[9,0,0,0,0],[9,0,0,0,0],[9,9,9,9,9]]}
END
printf '%s\n' '0-0 1p1' '1-1' '1-0' '2-0' > mine.gold
# without tgt.word, <m> in the second record is a word; it has no relevance for the prediction of words
printf '%s\n' '0-0 1-1' '1-1' '1-0' '' > right
scored 'first tokens, a truncated sentence, negative and no relevance' right
sed 's/1-1$/0-1/' right > wrong; align-score -r mine.gold -w 6 wrong | sed 1d | cut -f 3-9 > a; equals a got; that $? = 1; say $? '... another alignment has other measures'
lrp ',"lrp.target":"ref","lrp.first.src":"<l>","lrp.first.tgt":"<m>"' <<'END'
{"src.pieces":["<l>","b","c","d"],"tgt.pieces":["x"],"src.word":[0,1,2,3],"src.cut":3,"relevance.src":[[9,9,9,0],[-0.1,-0.3,-0.2,0],[9,9,9,9]]}
END
printf '%s\n' '2-0' > mine.gold; cp mine.gold negative
scored 'relevance below 0: a word that has relevance' negative
lrp ',"lrp.target":"ref"' <<'END'
{"src.pieces":["a","b"],"tgt.pieces":["x"],"src.word":[0,1],"relevance.src":[[0.1,0.2],[9,9]]}
{"src.pieces":["a","b"],"tgt.pieces":["x"],"src.word":[0,1]}
{"src.pieces":[],"tgt.pieces":["x"],"src.word":[],"relevance.src":{"s":[0,0],"d":{"$bin":""}}}
END
printf '%s\n' '1-0' '0-0' '' > mine.gold
align-score -r mine.gold mine.heed > got 2> err; sed 1d got | cut -f 3- | tr '\t' ' ' | matches -x '1 2 1 1.0000 1.0000 1.0000 0.0000 1.0000'
say $? 'without an end token; sentences without relevance are counted, and their gold links are not'
matches 'warning: mine.heed: 2 of 3 sentences have no relevance.src' err; say $? '... and reported'

# --- files that do not fit ---
# faulty 'name' 'words of the message' COMMAND
faulty() { exits 3 "$1" "$3"; matches -F -- "$2" err; say $? '... says so'; }
sed 3d links > x; faulty 'a line too few' 'x: gold has 4 lines, expected one for each of 3 sentences' 'align-score -r gold x'
{ cat links; echo 0-0; } > x; faulty 'a line too many' 'x: line 5: gold has 4 lines' 'align-score -r gold x'
sed '2s/1-1/1:1/' links > x; faulty 'another notation' "x: line 2: '1:1', expected links such as 0-0" 'align-score -r gold x'
sed '2s/1-1/1-1-S/' gold > x; faulty '... in the gold alignments' "gold alignments: line 2: '1-1-S'" 'cp x "gold alignments"; align-score -r "gold alignments" links'
sed '1s/1-1/0-1/' from.one > x; faulty 'word 0 in gold alignments from 1' "x: line 1: '0-1', expected links such as 1-1 or 1p2 within" 'align-score --one-based -r x links'
printf '0-0\0001-1\n' > x; faulty 'a NUL byte' 'x: line 1: ' 'align-score -r x links'
: > x; faulty 'no gold alignments' 'x has no lines' 'align-score -r x links'
faulty '... and none with a link' 'nothing has no links' 'align-score -r nothing links'
sed '3s/$/ 7-0/' t.gold > x; faulty 'a gold link beyond the words of a stream' "alti.heed: record 3 (id 3): x: line 3: '7-0', expected links such as 0-0 or 1p2 within 7 source and 7 target words" 'align-score -r x alti.heed'
sed '3s/$/ 0-7/' t.gold > x; heed-paste --text alignment=x t.heed -o x.heed; faulty 'a link beyond them' "x.heed: record 3 (id 3): alignment: '0-7'" 'align-score -r t.gold x.heed'
sed '2s/.*/z/' t.gold > x; nmt-score -q -m model.tar --attention-weights t.heed | heed-show | perl -MJSON::PP -ne 'next if /^\["heed-end/; $r = decode_json($_);
	if (ref $r eq "HASH" && $r->{id} =~ /^[23]$/) { delete $r->{$_} for grep { /^att/ } keys %$r } print encode_json($r), "\n"; END { print "[\"heed-end\",40]\n" }' | heed-pack -j > gap.heed
faulty 'gold alignments of a sentence without weights, before one with weights' "gap.heed: record 2: x: line 2: 'z'" 'align-score -r x --from att.cross gap.heed'
sed '4s/.*/z/' t.gold > x; faulty '... and of one with weights' "gap.heed: record 4 (id 4): x: line 4: 'z'" 'align-score -r x --from att.cross gap.heed'
head -n 39 t.gold > x; faulty 'a stream with more sentences' 'x has 39 lines' 'align-score -r x alti.heed'
faulty 'a stream without alignments' 't.heed has no alignment, hyp.alignment, relevance.src or att.cross' 'align-score -r t.gold t.heed'
faulty '... without that of --from' 'alti.heed has no alignment' 'align-score -r t.gold --from alignment alti.heed'
printf '%s\n' '0-0' > mine.gold
lrp ',"lrp.target":"ref"' <<'END'
{"src.pieces":["a","b"],"tgt.pieces":["x"],"src.word":[0,1],"relevance.src":[[0.1,0.2,1,1],[1,1,9,9]]}
END
faulty 'relevance of other tokens' 'mine.heed: record 1: relevance.src is 2 x 4, expected 2 x 2 or 2 x 3 for the tokens' 'align-score -r mine.gold mine.heed'
lrp ',"lrp.target":"ref"' <<'END'
{"src.pieces":["a","b"],"tgt.pieces":["x"],"src.word":[0,1],"relevance.src":[[0.1,0.2,1],[1,1,9]]}
{"src.pieces":["a","b"],"tgt.pieces":["x"],"src.word":[0,1],"relevance.src":[[0.1,0.2],[1,1]]}
END
printf '%s\n' 0-0 0-0 > mine.gold
faulty 'end tokens of some sentences only' 'mine.heed: record 2: relevance.src is 2 x 2, expected 2 x 3' 'align-score -r mine.gold mine.heed'
lrp '' < records; faulty 'a stream of another program' 'mine.heed: the header has no lrp.rule and lrp.target' 'align-score -r mine.gold mine.heed'
lrp ',"lrp.target":"ref"' <<'END'
{"src.pieces":["a","b"],"tgt.pieces":["x"],"src.word":[0,1]}
END
echo 0-0 > mine.gold; faulty 'no sentence with relevance' 'mine.heed: no sentence with relevance.src' 'align-score -r mine.gold mine.heed'
lrp ',"lrp.target":"ref","lrp.against":"x"' < records
faulty 'contrastive attributions' 'mine.heed: attributions against another token, expected those of the predictions' 'align-score -r mine.gold mine.heed'
align-score -r links gold > out 2> err; matches 'warning: gold: 2 sentences have possible links, such as 2p3' err && that -s out; say $? 'gold alignments and scored ones swapped'
fails 2 '--from with text' '--from alignment with text, expected a stream' 'align-score -r gold --from alignment links'
named=$(printf 'a\tb\nc'); cp links "$named"; align-score -r gold "$named" | tail -n 1 | cut -f 1,2 > out; printf '%s\n' 'a\tb\nc	text' | equals - out
say $? 'a tab and a line feed in a file name'; align-score --crossing "$named" | tail -n 1 | cut -f 1,2 > out; printf '%s\n' 'a\tb\nc	2' | equals - out; say $? '... with --crossing'
exits 2 'no gold alignments' align-score links
exits 2 'gold and links from standard input' align-score -r - -
exits 2 'an unknown measure' align-score -r gold -b bleu links
exits 4 'a file that is not there' align-score -r gold nowhere
exits 4 'gold that is not there' align-score -r nowhere links
echo "1..$n"
