#!/bin/sh
# head-map: the values drawn are those of an independent implementation (nmt-score's golden files);
# words are combined as computed by hand; all output formats; errors.
. "$HEED_TOP/tests/lib.sh"
golden=$HEED_TOP/tests/golden/nmt-score

printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
heed-pack --no-pg src > source.heed
for p in story bpe; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done

# column N FILE: of a table, without the first line
column() { cut -f "$1" "$2" | sed 1d; }
# png FILE WIDTH HEIGHT: whether it is PNG of this size
png() {
	od -An -v -tx1 -N24 "$1" | tr -d ' \n' > head
	printf '89504e470d0a1a0a0000000d49484452%08x%08x' "$2" "$3" | equals - head
}
# size FILE: width and height of an SVG
size() { sed -n 's/^<svg.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1 \2/p' "$1"; }
# cells FILE: the number of cells
cells() { grep -c '<rect' "$1"; }

plan 246

# --- values ---
while read -r site numbers; do
	head-map -m story.tar --id 2 --site "$site" --to tsv in.heed > found.tsv
	echo "$numbers" | tr ' ' '\n' > expected
	column 6 found.tsv | paste expected - | computes - '{ d = $1 - $2; if (NF != 2 || d < -2e-4 || d > 2e-4) bad = 1 }
		END { exit bad || !NR }'
	say $? "$site has the weights of the independent implementation"
done < "$golden/story-attention.txt"
head-map -m story.tar --id 2 --site dec.1.cross --to tsv in.heed > all.tsv
head-map -m story.tar --id 2 --site dec.1.cross --to tsv --heads 2 in.heed > two.tsv
grep '^head 2' all.tsv | equals - two.tsv || { sed 1d two.tsv > two; grep '^head 2' all.tsv | equals - two; }
say $? '--heads 2 is head 2 of all heads'
head-map -m story.tar --id 2 --site dec.1.cross --to tsv --heads 2,1 in.heed | cut -f 1 | uniq > found
printf 'panel\nhead 2\nhead 1\n' | equals - found; say $? 'heads are in the order of the list'
draw() { head-map -m story.tar --id 2 --to tsv "$@" in.heed; }
draw --site enc.1.self,dec.1.cross --heads 1,2 > both.tsv
for list in '--site enc-self.1/cross.1 --heads 1-2' '--site enc-self.1,dec.1.cross --heads 1+2' \
	'--site cross.1:1,2;enc.1.self:all'; do
	draw $list | equals - both.tsv && that -s both.tsv; say $? "sites and heads: $list"
done
draw --site cross --heads 1 | cut -f 1 | uniq > found
printf 'panel\ndec.1.cross, head 1\ndec.2.cross, head 1\n' | equals - found
say $? 'a kind of attention selects all layers'
head-map -m story.tar --id 2 --site dec.1.cross --to tsv --heads mean in.heed > mean.tsv
grep '^head 1' all.tsv | cut -f 6 > one
grep '^head 2' all.tsv | cut -f 6 | paste one - | awk '{ print ($1 + $2) / 2 }' > expected
column 6 mean.tsv | paste expected - | computes - '{ d = $1 - $2; if (d < -1e-6 || d > 1e-6) bad = 1 } END { exit bad || !NR }'
say $? '--heads mean is the mean of the heads'
printf 'ein\nmann\nsieht\n</s>\n' > expected
column 4 mean.tsv | uniq > found
equals expected found; say $? 'decoder rows are labeled with the predicted tokens'
head-map -m story.tar --id 2 --site dec.1.self --heads 1 --read --to tsv in.heed > found.tsv
column 4 found.tsv | uniq | sed 1d > found
printf 'ein\nmann\nsieht\n' | equals - found; say $? '... with --read by the input tokens'
printf 'a\nman\nsees\n' > expected
column 5 mean.tsv | head -n 3 | equals expected -; say $? 'columns are labeled with the source tokens'

# --- words ---
printf 'x\tab@@\tc\td\nab@@\t.1\t.2\t.7\nc\t.5\t.1\t.4\nd\t0\t.25\t.75\n' > pieces.tsv
head-map --draw table --words --to tsv pieces.tsv | cut -f 2- > found
printf 'row\tcolumn\tfrom\tto\tweight\n1\t1\tabc\tabc\t0.45\n1\t2\tabc\td\t0.55\n2\t1\td\tabc\t0.25\n2\t2\td\td\t0.75\n' > expected
equals expected found; say $? '--words: sums over columns, means over rows, as computed by hand'
nmt-info --codes bpe.tar > codes
bpe-apply -c codes in.heed > pieces.heed
for s in enc.1.self dec.1.self dec.1.cross; do
	head-map -m bpe.tar --id 2 --site $s --words --to tsv pieces.heed > found.tsv
	sed 1d found.tsv | computes - -F '\t' '{ sum[$1 $2] += $6 } END { for (i in sum) { n++; if (sum[i] < 1 - 1e-5 || sum[i] > 1 + 1e-5) bad = 1 }
		exit bad || !n }'
	say $? "--words: rows of $s sum to 1"
done
column 5 found.tsv | sort -u > found
sed -n 2p src | tr ' ' '\n' | sort -u | comm -23 - found > missing
that ! -s missing && lacks '@@' found; say $? '... and the labels are words'

# --- the sentence ---
head-map -m story.tar --to tsv in.heed > first.tsv
head-map -m story.tar --to tsv --id 1 in.heed | equals - first.tsv; say $? 'the default is the first sentence'
head-map -m story.tar --to tsv - < in.heed | equals - first.tsv; say $? 'the input can be a pipe'
head-map -m story.tar --to tsv source.heed | equals - first.tsv; say $? 'encoder self-attention needs no target'
exits 3 'encoder-decoder attention needs a target' head-map -m story.tar --site dec.1.cross source.heed
matches 'no target, expected one for dec.1.cross' err; say $? '... the message says so'
printf '%s\n' '["heed",1,"sentence",{"fields":{"id":"int","src":"str","hyp":"str"}}]' \
	'{"id":1,"src":"a man sees","hyp":"ein mann sieht"}' | heed-pack -j --partial > hyp.heed
head-map -m story.tar --site dec.1.cross --heads mean --to tsv hyp.heed | equals - mean.tsv
say $? 'the translation is the target if there is no reference'

# --- figures ---
head-map -m story.tar --id 2 --site dec.1.cross -o one.svg in.heed
that "$(cells one.svg)" = "$(column 1 all.tsv | wc -l)"; say $? 'SVG has a cell for each weight'
matches '>beisst<' one.svg; that $? = 1 && matches '>sieht<' one.svg && matches '>head 2<' one.svg; say $? '... and the labels'
head-map -m story.tar --id 2 --site enc.1.self,dec.1.cross --heads mean -o two.svg in.heed
matches '>enc.1.self, mean of heads<' two.svg && matches '>dec.1.cross, mean of heads<' two.svg
say $? 'several modules side by side'
head-map -m story.tar --id 2 --site dec.1.cross --title 'R & D' in.heed > three.svg
matches '>R &amp; D<' three.svg; say $? '--title sets the title'
printf 'loss\ta\tb\nx<y\t-1\t2\nz\t-\t1\n' > table.tsv
head-map --draw table --numbers < table.tsv > table.svg
that "$(cells table.svg)" = 4 && matches '>x&lt;y<' table.svg; say $? 'a table is drawn'
head-map --draw table --numbers --range -5,5 table.tsv | matches '>-1<'
say $? '--numbers: integers without decimals'
sed 's/2/1.5/' table.tsv | head-map --draw table --numbers --range -5,5 | matches '>-1.0<'
say $? '... unless other values have decimals'
printf 'roles\ta\tb\ty\n1\t.25 p\t-\t1\n' > marks.tsv
head-map --draw table --unit 'a < b' marks.tsv > marks.svg
matches '>a &lt; b</text>' marks.svg; say $? '--unit names the values'
matches '>p<' marks.svg && lacks '>0.25' marks.svg
say $? 'a letter after a value is printed in the cell'
head-map --draw table --numbers marks.tsv | matches '>0.25 p<'
say $? '... with --numbers after the value'
exits 3 '... and refused with --words' head-map --draw table --words marks.tsv
matches 'marks.tsv: values with letters' err; say $? '... by file'
head-map --draw table --to tsv marks.tsv | cut -f 6 | xargs > found
that "$(cat found)" = 'weight 0.25 - 1'; say $? '--to tsv: a cell without a value is -'
printf 'small\ta\tb\nx\t.31\t.75\n' > small.tsv; printf 'large\ta\tb\nx\t3\t1200.5\n' > large.tsv
head-map --draw table --each --numbers small.tsv large.tsv > each.svg
matches '>0.310<' each.svg && matches '>0.750<' each.svg && matches '>1200<\|>1201<' each.svg
say $? '--each --numbers: each panel has the digits of its own range'
head-map --draw table --title "$(printf 'one\ntwo')" table.tsv | matches '>one two<'; say $? 'a line end in the title is a blank'
head-map --draw table table.tsv marks.tsv > both.svg
that "$(cells both.svg)" = 7 && matches '>loss<' both.svg && matches '>roles<' both.svg
say $? 'two tables side by side, each with labels'
head-map --draw table --range -5,5 --colors gray table.tsv | grep '<rect' | sed -n 1p > found
head-map --draw table --range -1,9 --colors gray table.tsv | grep '<rect' | sed -n 1p > white
matches '#ffffff' white && lacks '#ffffff' found; say $? '--range sets the ends of the color scale'
for range in 1,1.0000000000000002 100000000000000000000,100000000000000020000; do
	runs timeout 20 head-map --draw table --range $range table.tsv > thin.svg && matches '</svg>' thin.svg; say $? "a range whose ticks are lost in rounding: $range"
done
head-map --draw table --range 0.1,0.6 table.tsv | grep -o '>0[.][0-9]*<' | tr -d '<>' | paste -s -d ' ' | matches -x '0.1 0.2 0.3 0.4 0.5 0.6'
say $? '... others begin and end with a tick'
head-map --draw table --range 0,4e-20 table.tsv | grep -c '>[1-4]e-20</text>' | matches -x 4
say $? '... also very small ones'
if head-map --draw table -o t.png table.tsv 2> err; then
	set -- $(size table.svg)
	head-map --draw table --numbers -o t.png table.tsv
	png t.png $((2 * $1)) $((2 * $2)); say $? 'PNG is twice as large as SVG'
	head-map --draw table --numbers --scale 1 --to png table.tsv > t.png
	png t.png "$1" "$2"; say $? '... --scale sets the factor'
else
	matches librsvg2-dev err; say $? 'without librsvg PNG is refused, and the package named'
	that ! -e t.png; say $? '... without leaving a file'
fi

if head-map --draw table -o t.pdf table.tsv 2> err; then
	head -c 5 t.pdf > head; that "$(cat head)" = %PDF- && pdf_width t.pdf | matches '^[1-9]'; say $? 'a PDF'
	head-map --draw table -w 72pt -o t.pdf table.tsv && head-map --draw table --width 1in -o u.pdf table.tsv
	pdf_width t.pdf | matches -x 72; say $? '... --width is that of its page'
	equals t.pdf u.pdf; say $? '... and the same figure has the same bytes'
	head-map --draw table --width 1in -o t.png table.tsv
	set -- $(size table.svg); png t.png 300 $(((300 * $2 + $1 - 1) / $1)); say $? 'a PNG has 300 pixels an inch'
else
	for i in 1 2 3 4; do matches librsvg2-dev err; say $? 'without librsvg PDF is refused'; done
fi
head-map --draw table --width 2.54cm table.tsv | matches '<svg.* width="1in"'; say $? '--width of an SVG'
for given in '--width 8' '--width 8km' '--width 0cm' '--width 9m' '-w 2m' '--width 201cm'; do
	exits 2 "$given" "head-map --draw table $given table.tsv"
done
exits 2 '--width with --scale' head-map --draw table --width 8cm --scale 3 --to png table.tsv
runs head-map -m story.tar --no-title in.heed > bare.svg && matches '>head 1<' bare.svg && lacks 'sentence 1' bare.svg && lacks '>attention weights' bare.svg
say $? '--no-title leaves out title and caption'
exits 2 '--no-title with --title' head-map --draw table --no-title --title x table.tsv

# The width of a figure of three panels, which are side by side or below each other
for k in 1 3; do head-map --draw table --across $k table.tsv table.tsv table.tsv | sed -n '1s/.* width="\([0-9]*\)".*/\1/p'; done > widths
computes 'NR == 1 { one = $1 } END { exit !(one > 0 && $1 > 1.8 * one) }' widths; say $? '--across has the number of panels in a row'
exits 2 '--across with panels of measures' head-map --draw heads --across 2 table.tsv
matches -- '--across has no effect' err; say $? '... has no effect'

# --- measures of heads ---
printf '%s\n' '["heed",1,"head",{"fields":{"site":"str","layer":"int","head":"int","role":"str","x":"float","y":"float"}}]' \
	'{"site":"enc-self","layer":1,"head":1,"x":0.5,"y":-1}' '{"site":"enc-self","layer":2,"head":2,"x":0.75,"role":"rare"}' \
	'{"site":"cross","layer":1,"head":1,"x":0.5,"y":3}' '{"site":"cross","layer":1,"head":2,"x":0.25,"y":2}' |
	heed-pack -j --partial --no-pg > heads.heed
heads() { head-map --draw heads "$@" heads.heed; }
runs heads --measure x > x.svg && that "$(cells x.svg)" = 6; say $? 'a grid for each kind of attention, with a cell for each layer and head'
sed -n 's/.*text-anchor="middle"[^>]*>\([0-9]\)<.*/\1/p' x.svg | xargs > found
that "$(cat found)" = '2 1 1 2 2 4 1 2'; say $? 'ranks are among all heads, the same for equal values; then the labels of columns'
that "$(grep -o 'stroke-opacity=".3" d="[^"]*' x.svg | grep -o M | wc -l)" = 2; say $? 'heads that are not in the stream are crossed out'
matches '>encoder<' x.svg && matches '>encoder-decoder<' x.svg && lacks '>decoder<' x.svg; say $? 'only kinds of the stream are drawn'
sed -n 's/.*font-size="10"[^>]*>\([0-9.]*\)<.*/\1/p' x.svg | grep -F . | sort -n | sed -n '1p;$p' | xargs > found
that "$(cat found)" = '0.3 0.7'; say $? 'the scale is fitted to the values'
runs heads --measure x,y -o two.svg && that "$(cells two.svg)" = 12 && matches '>x<' two.svg && matches '>y<' two.svg; say $? 'one measure below the other'
that "$(grep -o 'stroke-opacity=".3" d="[^"]*' two.svg | grep -o M | wc -l)" = 4; say $? '... a head without a value is not crossed out'
heads --measure x --numbers | matches '>0.75'; say $? '--numbers prints values instead of ranks'
heads --measure x --to tsv | cut -f 1,4- | sed 1d > found
printf 'x, encoder\t1\t1\t0.5\nx, encoder\t1\t2\t-\nx, encoder\t2\t1\t-\nx, encoder\t2\t2\t0.75\nx, encoder-decoder\t1\t1\t0.5\nx, encoder-decoder\t1\t2\t0.25\n' | equals - found
say $? '--to tsv has the values'
heads --measure x --no-title -o bare.svg; matches 'rows: layers' x.svg && that "$(cells bare.svg)" = 6 && lacks 'rows: layers' bare.svg
say $? '--no-title leaves out the caption'
heads --measure 'x' --title 'R & D' | matches '>R &amp; D<'; say $? '--title'
exits 2 'an unknown measure' head-map --draw heads --measure z heads.heed
matches 'heads.heed: --measure: unknown measure z' err && matches 'hint: the measures are x, y' err; say $? '... the hint has the measures'
exits 2 'no measure' head-map --draw heads heads.heed
exits 3 'a measure that is text' head-map --draw heads --measure role heads.heed
exits 2 '--measure without --draw heads' head-map -m story.tar --measure x in.heed
exits 2 '--draw heads with a model' head-map -m story.tar --draw heads --measure x heads.heed
exits 3 'sentences instead of heads' head-map --draw heads --measure x in.heed

# --- the page ---
printf '%s\n' 'the </script> "dog"' 'a man sees' 'the' > odd
heed-pack --no-pg odd tgt > odd.heed
head-map -m story.tar --to html --id 2,1 --title '<&>' -o page.html odd.heed
cat > page.pl <<-'EOF'
	use JSON::PP;
	binmode STDOUT, ':utf8';
	my $page = do { local $/; <STDIN> };
	my ($json) = $page =~ m{<script type="application/json" id="data">(.*?)</script>}s;
	my $data = decode_json($json // $page);
	die if $data->{format} ne 'heed-attention' || $data->{version} != 1;
	my @sentences = @{$data->{models}[0]{sentences}};
	my ($s, $heads) = ($sentences[0], $sentences[0]{attention}{'dec.1.cross'});
	for my $h (0 .. $#$heads) {
		for my $i (0 .. $#{$heads->[$h]}) {
			my $row = $heads->[$h][$i];
			printf "head %d\t%d\t%d\t%s\t%s\t%.*f\n", $h + 1, $i + 1, $_ + 1,
			    $s->{target}{tokens}[$i], $s->{source}{tokens}[$_], $ARGV[0], $row->[$_] for 0 .. $#$row;
		}
	}
	print STDERR join(' ', map { $_->{id} } @sentences), "\n", join(' ', @{$sentences[1]{source}{tokens}}), "\n";
EOF
perl page.pl 3 < page.html > found 2> rest
head-map -m story.tar --id 2 --site dec.1.cross --to tsv odd.heed | sed 1d |
	awk -F '\t' -v OFS='\t' '{ $6 = sprintf("%.3f", $6); print }' > expected
that -s found && equals expected found; say $? '--to html has the values of --to tsv'
printf '2 1\nthe </script> "dog" </s>\n' | equals - rest; say $? '... of all sentences, with any tokens'
that "$(grep -c '</script>' page.html)" = 3 && matches '<h1>&lt;&amp;&gt;</h1>' page.html; say $? '... tokens and title are escaped'
sed 's,http://www.w3.org/2000/svg,,' page.html | matches '//[a-z]'; that $? = 1 && lacks -E '(src|href)=' page.html; say $? '... the page loads nothing'
runs perl "$HEED_TOP/tests/content-policy.pl" page.html; say $? '... its policy has the hashes of its style and script'
exits 2 'several sentences without --to html' head-map -m story.tar --id 1,2 in.heed
exits 2 '--to html draws weights only' head-map -m story.tar --to html --draw masks in.heed
runs head-map -m story.tar --id 2,1 --title '<&>' -o named.html odd.heed && equals page.html named.html; say $? 'a file named .html is a page'
head-map -m story.tar --json --id 2,1 odd.heed > page.json
perl page.pl 6 < page.json > found 2> rest
head-map -m story.tar --id 2 --site dec.1.cross --to tsv odd.heed | sed 1d | paste found - |
	computes - -F '\t' '{ d = $6 - $12; if ($1 $2 $3 $4 $5 != $7 $8 $9 $10 $11 || d * d > 1e-12) bad = 1 } END { exit bad || NR != 32 }'
say $? '--json has the values of --to tsv'
printf '2 1\nthe </script> "dog" </s>\n' | equals - rest; say $? '... of all sentences, with any tokens'
runs head-map -m story.tar --id 2,1 -o named.json odd.heed && equals page.json named.json; say $? 'a file named .json is data'
head-map -m story.tar --to json --id 2,1 odd.heed | equals page.json -; say $? '... and --to json is --json'
head-map -m story.tar --json -n 2 - < odd.heed > first.json
head-map -m story.tar --json --id 1,2 odd.heed | equals first.json -; say $? '-n 2 is the first two sentences'
head-map -m story.tar --json -n 100 odd.heed > whole.json
head-map -m story.tar --json --id 1,2,3 odd.heed | equals whole.json -; say $? '-n 100 is all sentences of a shorter stream'
exits 2 '101 sentences' head-map -m story.tar --json -n 101 odd.heed
ids=$(awk 'BEGIN { for (i = 0; i < 101; i++) printf "%s1", i ? "," : "" }')
exits 3 '101 ids' head-map -m story.tar --json --id "$ids" odd.heed
matches 'odd.heed: id 1: more than 100 sentences, expected fewer' err; say $? '... the message has the maximum'
yes a | head -n 1001 | tr '\n' ' ' | sed 's/$/\n/' > long.src
bpe-learn -q --text --merges 1 < long.src > long.codes; heed-pack long.src | bpe-apply -c long.codes > long.heed
echo a > a.src; heed-pack a.src a.src | bpe-apply -c long.codes | nmt-train -q --size tiny -c long.codes --updates 1 \
	--arch enc_layers=1,dec_layers=1,heads=1,max_length=1100 -o long.tar
exits 3 'more tokens than the page accepts' head-map -m long.tar --json long.heed
matches 'long.heed: id 1: 1002 tokens, expected at most 1000' err; say $? '... the message has the maximum'
for length in 1000 1001; do
	{ printf 'src\tsrc.pieces\n'; yes é | head -n $length | tr -d '\n' | sed 's/.*/&\t& a/'; } | heed-pack --tsv -o $length.heed
done
exits 0 'a token of the maximum length' head-map -m long.tar --json 1000.heed
exits 3 '... and a longer one' head-map -m long.tar --json 1001.heed
matches '1001.heed: id 1: a text of 1001 characters, expected at most 1000' err; say $? '... the message has the maximum'
exits 2 '-n with --id' head-map -m story.tar --json -n 2 --id 1 odd.heed
exits 2 '-n without a page' head-map -m story.tar -n 2 odd.heed
exits 2 '--json with --to svg' head-map -m story.tar --json --to svg odd.heed
for given in '--site enc.1.self' --words --numbers --each '--range 0,1' '--unit x' '--heads 9' '--colors gray' '--scale 9' '--title x'; do
	exits 2 "a page with ${given%% *}" "head-map -m story.tar --json $given odd.heed"
done
exits 2 '--json without a model' head-map --json odd.heed
runs head-map --to html -o viewer.html && matches 'id="data"></script>' viewer.html; say $? '--to html without a model is a page without data'
exits 2 'a page of a stream without weights and a model' head-map --to html odd.heed
for given in '--id 7' '-n 3' '--target hyp' '--too-long cut' --read; do
	exits 2 "a page without a model with ${given%% *}" "head-map --to html $given"
done
matches -- '--read has no effect with --to html --draw weights without a model' err; say $? '... the message says why'
for given in '--range nonsense' '--unit x' --numbers --each '--colors gray' '--scale 9' '--title x'; do
	exits 2 "values with ${given%% *}" "head-map -m story.tar --to tsv $given odd.heed"
done
exits 2 'an SVG with --scale' head-map -m story.tar --scale 9 odd.heed

# --- trees, measures, gates and several models in the data ---
# value FILE 'PERL': an expression of the document $d, as JSON
value() { perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); my $m = $d->{models}; my $s = $m->[0]{sentences}[0];
	print JSON::PP->new->canonical->allow_nonref->encode(eval $ARGV[0]), "\n"' "$2" < "$1"; }
# prints 'name' FILE 'PERL' WANT
prints() { value "$2" "$3" > got; that "$(cat got)" = "$4"; say $? "$1"; }
printf '%s\n' '["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","src.heads":"[int]","src.rels":"[str]","tgt.heads":"[int]"}}]' \
	'{"id":7,"src":"the dog bites","tgt":"der hund","src.heads":[2,3,0],"src.rels":["det","n<subj","root"],"tgt.heads":[2,0]}' |
	heed-pack -j --partial --no-pg > trees.heed
head-map -m story.tar --json trees.heed > trees.json
prints 'heads, with null for the end-of-sentence token' trees.json '$s->{source}{heads}' '[2,3,0,null]'
prints '... and relations' trees.json '$s->{source}{relations}' '["det","n<subj","root",null]'
prints '... on the target side without relations' trees.json '[$s->{target}{heads}, $s->{target}{relations}]' '[[2,0,null],null]'
head-map -m story.tar --json --read trees.heed > read.json
prints '--read: heads count the start-of-sentence token' read.json '[$s->{target}{heads}, $m->[0]{labels}]' '[[null,3,0],"read"]'
heed-show trees.heed | sed 's/\[2,3,0\]/[2,3]/' | heed-pack -j --no-pg > fewer.heed
exits 3 'heads of too few words' head-map -m story.tar --json fewer.heed
matches 'fewer.heed: id 7: src.heads has 2 elements, expected 3' err; say $? '... the message has the sentence and the field'
heed-show trees.heed | sed 's/\[2,3,0\]/[2,1,0]/' | heed-pack -j --no-pg > cycle.heed
exits 3 'heads that form a cycle' head-map -m story.tar --json cycle.heed
printf '%s\n' '["heed",1,"head",{"fields":{"site":"str","layer":"int","head":"int","role":"str","confidence":"float"}}]' \
	'{"site":"enc-self","layer":2,"head":1,"role":"rare </script>","confidence":0.5}' |
	heed-pack -j --partial --no-pg > one.stat
printf '%s\n' '["heed",1,"head",{"fields":{"site":"str","layer":"int","head":"int","relevance":"float"}}]' \
	'{"site":"enc-self","layer":2,"head":1,"relevance":0.25}' '{"site":"cross","layer":1,"head":2,"relevance":0.125}' |
	heed-pack -j --partial --no-pg > one.lrp
head-map -m story.tar --head-measures one.stat --head-measures one.lrp --json in.heed > measures.json
prints 'measures of two streams' measures.json '$m->[0]{heads}{"enc.2.self"}' '[{"confidence":0.5,"relevance":0.25,"role":"rare </script>"},{}]'
prints '... of all layers' measures.json '$m->[0]{heads}{"dec.1.cross"}' '[{},{"relevance":0.125}]'
head-map -m story.tar --head-measures one.stat --by confidence --json in.heed > by.json
prints '--by is the measure that the page shows first' by.json '$m->[0]{by}' '"confidence"'
exits 2 '--by with another measure' head-map -m story.tar --head-measures one.stat --by relevance --json in.heed
exits 2 '... with a text' head-map -m story.tar --head-measures one.stat --by role --json in.heed
exits 2 '... without measures' head-map -m story.tar --by relevance --json in.heed
cp story.tar third.tar
head-map -m story.tar -m third.tar --to html in.heed | matches '<title>Attention heads of story.tar, third.tar</title>'; say $? 'the title of a page has the names of the models'
head-map -m story.tar --head-measures one.stat -m third.tar --head-measures one.lrp --json in.heed > several.json
prints 'several models, each with the measures after it' several.json '[map { [$_->{name}, $_->{heads}{"enc.2.self"}[0]] } @$m]' \
	'[["story.tar",{"confidence":0.5,"role":"rare </script>"}],["third.tar",{"relevance":0.25}]]'
mkdir again && cp story.tar again
head-map -m story.tar -m again/story.tar --json in.heed > same.json
prints 'models with the same file name have their paths' same.json '[map { $_->{name} } @$m]' '["story.tar","again/story.tar"]'
exits 3 'a model that cannot read the stream' head-map -m story.tar -m bpe.tar --json in.heed
exits 2 '--head-measures before -m' head-map --head-measures one.stat -m story.tar --json in.heed
exits 2 '--head-measures with a figure' head-map -m story.tar --head-measures one.stat in.heed
exits 2 'two models with a figure' head-map -m story.tar -m third.tar in.heed
heed-show one.stat | sed 's/"layer":2/"layer":9/' | heed-pack -j --no-pg > nine.stat
exits 3 'measures of a head that the model does not have' head-map -m story.tar --head-measures nine.stat --json in.heed
matches 'nine.stat: measures of head 1 of enc-self.9, expected heads of the model' err; say $? '... the message names the head'
exits 3 'measures from a stream of sentences' head-map -m story.tar --head-measures in.heed --json in.heed
bpe-learn --text -q --merges 20 < src > codes && bpe-apply -c codes in.heed > few.heed
nmt-train -q --size tiny -c codes --updates 1 -a l0-gate:at=enc-self -o gates.tar few.heed
head-stat -q -m gates.tar -o gates.stat few.heed
head-map -m gates.tar --json few.heed > gates.json
heed-show -f site,layer,head,gate gates.stat | awk '$1 == "enc-self" && $2 == 1 { printf "%s%.4f", n++ ? "," : "", $4 }' > expected
prints 'gates of the model are those of head-stat' gates.json 'join ",", map { sprintf "%.4f", $_->{gate} } @{$m->[0]{heads}{"enc.1.self"}}' "\"$(cat expected)\""
prints '... only where the model has gates' gates.json '$m->[0]{heads}{"dec.1.self"}[0]' '{}'
head-prune -q -m story.tar --heads enc-self.1:1 -o pruned.tar
head-map -m pruned.tar --json in.heed > pruned.json
prints 'a pruned head is null' pruned.json 'my $h = $s->{attention}{"enc.1.self"}; [defined $h->[0] ? 1 : 0, scalar @{$h->[1]}]' '[0,6]'

# --- translations without each head ---
gzip -dc < "$HEED_TOP/tests/data/model/other.tar.gz" > other.tar
head-map -m other.tar --without -n 3 --json in.heed > without.json
nmt-score -q -m other.tar in.heed | heed-show -f score > all.score
for head in enc.1.self:1 dec.2.self:2 dec.1.cross:2; do
	site=${head%:*} i=$((${head#*:} - 1))
	nmt-score -q -m other.tar --mask-heads $head in.heed | heed-show -f score | paste - all.score | awk '{ printf "%.3f ", $1 - $2 }' > expected
	nmt-translate -q --precision fp32 -m other.tar --mask-heads $head --text src 2> /dev/null >> expected
	{ value without.json "join '', map { sprintf '%.3f ', \$_->{without}{'$site'}[$i]{change} } @{\$m->[0]{sentences}}" | tr -d '"\n'
	value without.json "join '/', map { join ' ', @{\$_->{without}{'$site'}[$i]{tokens} || \$_->{whole}{tokens}} } @{\$m->[0]{sentences}}" | tr -d '"' | tr / '\n'; } > got
	equals expected got; say $? "--without: change and translation without $head"
done
value without.json 'join "", map { sprintf "%.2f\n", $_->{whole}{sum} } @{$m->[0]{sentences}}' | sed 's/\\n/\n/g' | tr -d '"' | grep . > got
awk '{ printf "%.2f\n", $1 }' all.score | equals - got; say $? '... and the log-probability with all heads'
prints '... the mean loss is a measure' without.json 'my ($s, $n) = (0, 0); $s -= $_->{without}{"enc.1.self"}[1]{change} for @{$m->[0]{sentences}};
	my $d = $s / 3 - $m->[0]{heads}{"enc.1.self"}[1]{without}; $d * $d < 1e-8 ? 1 : $d' 1
head-map -m pruned.tar --without --json in.heed > without.json
prints '... pruned heads are null' without.json '[map { defined $_ ? 1 : 0 } @{$s->{without}{"enc.1.self"}}]' '[0,1]'
head-map -m story.tar --without --json source.heed > without.json
prints '... without a target there is no change' without.json '[$s->{without}{"enc.1.self"}[0]{change}, $s->{whole}{sum}, ref $s->{whole}{tokens}]' '[null,null,"ARRAY"]'
exits 2 '--without a page' head-map -m story.tar --without in.heed
exits 2 '--without a model' head-map --to html --without

# --- attention variants ---
# panel TITLE TABLE: the values of one panel
panel() { awk -F '\t' -v t="$1" 'index($1, t) == 1 { print $6 }' "$2"; }

# The tree (S (NP (PRP a)) (VP (VB o))): relations between nodes by hand, with a mask for each.
printf '%s\n' '["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","src.tree":"str"}}]' \
	'{"id":1,"src":"a o","tgt":"o a","src.tree":"(S (NP (PRP a)) (VP (VB o)))"}' | heed-pack -j --partial |
	bpe-apply -c codes | tree-linearize -q | tree2mask -q --relations > tree.heed
cat > expected <<-'EOF'
	1 3 7 7 3 7 7 9
	2 1 3 7 5 9 9 9
	6 2 1 3 9 9 9 9
	6 6 2 1 9 9 9 9
	2 4 8 8 1 3 7 9
	6 8 8 8 2 1 3 9
	6 8 8 8 6 2 1 9
	8 8 8 8 8 8 8 1
EOF
learn() { nmt-train -q --size tiny -c codes --precision fp32 --updates 1 -s 2 "$@"; }
learn -a relation-mask:fixed=self:-1+parent:-2+child:-3+left-sib:-4+right-sib:-5+anc:-6+desc:-7+left-other:-8+right-other:-9 \
	-o fixed.tar tree.heed
head-map -m fixed.tar --draw masks --heads 2 --to tsv tree.heed > found.tsv
tail -n +2 found.tsv | cut -f 6 > numbers
that "$(sed -n 2p found.tsv | cut -f 4)" = "(S"; say $? 'masks are labeled with the nodes of a tree'
# Without an end-of-sentence token in the model there is no last row and column.
rows=$(column 2 found.tsv | tail -n 1)
head -n "$rows" expected | cut -d ' ' -f "1-$rows" | tr ' ' '\n' | near 2e-5 numbers -; say $? '... and are those of the relations'
heed-show tree.heed | sed 's/"fields":{/&"src.heads":"[int]",/; s/"id":1,/&"src.heads":[2,0],/
	/"src.heads":\[2,0\]/ { p; s/"id":1/"id":2/ }' | heed-pack -j --partial > both.heed
head-map -m fixed.tar -n 2 --json both.heed 2> err > both.json
matches 'warning: id 1: the dependency tree is not drawn: it has 2 words, but src.pieces are [78] tree nodes (tree-linearize)' err &&
	that "$(wc -l < err)" = 1 && that "$(grep -o '"source"' both.json | wc -l)" = 2
say $? 'the tree of words is not that of nodes; one warning says so'
learn -a relation-mask:fixed=desc:never --lr 1 -o never.tar tree.heed
head-map -m never.tar --draw masks --to tsv tree.heed > found.tsv
that "$(grep -c "	-\$" found.tsv)" = $((4 * 6)); say $? 'infinite masks have no value'
tar xOf never.tar param/relation.strength | od -An -v -tf4 -w4 | awk '{ if ((NR - 1) % 9 == 6) print "nan"; else print $1 + 0 }' > expected
head-map -m never.tar --draw strengths --to tsv > found.tsv
for h in 1 2 3 4; do awk -F '\t' -v h=$h 'NR > 1 && $5 == h { print $6 }' found.tsv; done | grep -vx -e - > found
grep -v nan expected | near 2e-5 found -; say $? 'strengths are the parameters of the model'
column 4 found.tsv | uniq | tr '\n' ' ' > found
that "$(cat found)" = 'self parent child left-sib right-sib anc desc left-other right-other ' && that "$(grep -c "	-\$" found.tsv)" = 4
say $? '... by relation, without constant masks'
# The first update of Adam moves strengths by the learning rate, up or down; the model takes exp(20) of those above 20.
learn -a relation-mask --lr 30 --schedule constant --warmup 0 --clip 0 -o high.tar tree.heed
head-map -m high.tar --draw masks --to tsv tree.heed | cut -f 6 |
    computes - '$1 + 0 > x { x = $1 + 0 } END { exit x != 4.851652e8 }'
say $? 'masks of large strengths have the limit of the model'
head-map -m never.tar --draw masks --heads 3 --to tsv tree.heed > mask.tsv
awk -F '\t' 'NR == FNR { if ($5 == 3) s[$4] = exp($6); next } $2 == 1 && $3 == 1 { print s["self"] " " $6 }
	$2 == 2 && $3 == 1 { print s["parent"] " " $6 } $2 == 2 && $3 == 5 { print s["right-sib"] " " $6 }' found.tsv mask.tsv > both
computes '{ d = $1 - $2; if (d < -1e-4 || d > 1e-4) bad = 1 } END { exit bad || NR != 3 }' both; say $? 'masks are e to the strength'

# C E C' and its softmax, computed from the weights of single modules.
printf '%s\n' '["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","src.heads":"[int]","tgt.heads":"[int]"}}]' \
	'{"id":1,"src":"he eats","tgt":"er isst","src.heads":[2,0],"tgt.heads":[2,0]}' | heed-pack -j --partial |
	bpe-apply -c codes > heads.heed
cat > sync.awk <<-'EOF'
	$6 == "weight" { next }
	FILENAME == "E" { e[$2, $3] = $6; I = $2 }
	FILENAME == "C" { c[$2, $3] = $6; J = $2 }
	END {
		for (t = 1; t <= J; t++) {
			sum = 0
			for (q = 1; q <= J; q++) {
				m = 0
				for (i = 1; i <= I; i++) for (k = 1; k <= I; k++) m += c[t, i] * e[i, k] * c[q, k]
				print m > "carried"
				row[q] = q > t ? 0 : how == "renorm" ? m : exp(m / how)
				sum += row[q]
			}
			for (q = 1; q <= J; q++) print row[q] / sum > "mapped"
		}
	}
EOF
# sync HOW OPTIONS C-SITE C-HEAD
sync() {
	learn -a dbsa -a "sync$2" -o sync.tar heads.heed
	head-map -m sync.tar --draw sync --to tsv heads.heed > sync.tsv
	head-map -m sync.tar --site enc.1.self --heads 1 --to tsv heads.heed > E
	head-map -m sync.tar --site dec.1.self --heads 1 --to tsv heads.heed > D
	head-map -m sync.tar --site "$3" --heads "$4" --to tsv heads.heed > C
	for m in E C D; do
		panel "$m:" sync.tsv > found
		column 6 $m | near 2e-5 found -; say $? "$m of sync$2 are the weights of its module"
	done
	awk -F '\t' -v how="$1" -f sync.awk E C
	panel 'C E C' sync.tsv | near 2e-5 carried -; say $? '... C E C'\'' is their product'
	panel 'D′' sync.tsv | near 2e-5 mapped -; say $? '... D'\'' is its rows as weights'
}
sync 1 '' dec.1.cross mean
sync renorm :map=renorm,head=2,layer=2 dec.2.cross 2
sync 0.1 :temperature=0.1 dec.1.cross mean
head-map -m sync.tar --draw sync --words --to tsv heads.heed | sed 1d | grep -v '^C E C' |
	computes - -F '\t' '{ sum[$1 $2] += $6 } END { for (i in sum) { n++; if (sum[i] < 1 - 1e-5 || sum[i] > 1 + 1e-5) bad = 1 } exit bad || !n }'
say $? 'rows of words sum to 1'
head-map -m sync.tar --draw sync heads.heed > sync.svg
that "$(grep -c 'target to target, 0 to' sync.svg)" = 1; say $? 'each panel has its own range'
# The translation replaces a longer reference with its tree.
printf '%s\n' '["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str"}}]' \
	'{"id":1,"src":"he eats","tgt":"er"}' | heed-pack -j --partial |
	bpe-apply -c codes > short.heed
pieces=$(heed-show short.heed | sed -n 's/.*"tgt.pieces":\(\[[^]]*\]\).*/\1/p')
heed-show heads.heed | sed -e 's/"fields":{/&"hyp":"str","hyp.pieces":"[str]",/' \
	-e "s/^{/{\"hyp\":\"er\",\"hyp.pieces\":$pieces,/" | heed-pack -j > both.heed
exits 3 '--target hyp does not fall back to the reference' head-map -m sync.tar \
	--target hyp --site dec.1.self heads.heed
matches 'heads.heed: id 1: no hyp.pieces, expected a translation' err; say $? '... the message names the sentence'
head-map -m sync.tar --site dec.1.self --to tsv short.heed > short.tsv
head-map -m sync.tar --target hyp --site dec.1.self --to tsv both.heed > both.tsv
that -s short.tsv && equals short.tsv both.tsv
say $? '--target hyp reads the translation, without the tree of the reference'
head-map -m sync.tar --site dec.1.self --to tsv both.heed | equals - short.tsv
say $? '... also by default'
head-map -m sync.tar --site dec.1.self --to tsv heads.heed > long.tsv
head-map -m sync.tar --target ref --site dec.1.self --to tsv both.heed | equals - long.tsv
say $? '--target ref reads the reference'
# Head importance, and attention weighted by it.
learn -a head-importance -o importance.tar heads.heed
head-map -m importance.tar --draw importance --site dec.2.cross --to tsv heads.heed > A
sed 1d A | computes - -F '\t' '{ sum[$2] += $6 } END { for (i in sum) { n++; if (sum[i] < 1 - 1e-5 || sum[i] > 1 + 1e-5) bad = 1 } exit bad || n < 2 }'
say $? 'head importance sums to 1'
head-map -m importance.tar --site dec.2.cross --to tsv heads.heed > C
head-map -m importance.tar --site dec.2.cross --heads weighted --to tsv heads.heed | column 6 - > found
awk -F '\t' '$6 == "weight" { next } FILENAME == "A" { a[$2, $3] = $6; next }
	{ split($1, head, " "); w[$2, $3] += a[$2, head[2]] * $6; J = $2; if ($3 > I) I = $3 }
	END { for (t = 1; t <= J; t++) for (i = 1; i <= I; i++) print w[t, i] }' A C | near 2e-5 found -
say $? '--heads weighted is the weighted sum'
head-map -m importance.tar --draw importance --to tsv heads.heed | cut -f 1 | uniq | tr '\n' ' ' > found
that "$(cat found)" = 'panel enc.2.self dec.2.self dec.2.cross '; say $? 'the default is all modules with head importance'
head-map -m importance.tar --to html heads.heed > page.html
head-map -m importance.tar --json heads.heed > page.json
prints '... and head importance of all modules with it' page.json '[sort keys %{$s->{importance}}]' '["dec.2.cross","dec.2.self","enc.2.self"]'
that "$(grep -c '"importance":' page.html)" = 1; say $? '--to html has head importance'
exits 2 'importance of a module without it' head-map -m importance.tar --draw importance --site enc.1.self heads.heed
matches 'enc.1.self has no head importance' err; say $? '... the message names the module'
exits 2 'strengths of a model without relation-mask' head-map -m story.tar --draw strengths
matches 'enc.1.self has no relation strengths' err; say $? '... the message names the module'
exits 2 'importance of a model without head-importance' head-map -m story.tar --draw importance in.heed
exits 3 'masks without relations in the stream' head-map -m fixed.tar --draw masks pieces.heed
exits 2 'strengths with --words' head-map -m never.tar --draw strengths --words
exits 2 'masks with --heads mean' head-map -m never.tar --draw masks --heads mean tree.heed

# --- errors ---
exits 2 'no model' head-map in.heed
for name in a.gif a.svg.gz ./b.c/a.jpeg; do
	exits 2 "output $name" head-map --draw table -o $name table.tsv
done
matches 'ends in .svg, .png, .pdf, .tsv, .html or .json' err; say $? '... the message lists the known suffixes'
mkdir b.c; runs head-map --draw table -o b.c/map table.tsv && runs head-map --draw table --to svg -o a.gif table.tsv &&
	equals b.c/map a.gif && matches '<svg' a.gif; say $? '--to selects the format for any name'
exits 2 'an unknown module' head-map -m story.tar --site enc.9.self in.heed
matches 'unknown site enc.9.self' err && matches 'enc.1.self to enc' err; say $? '... the message lists the modules'
exits 2 'heads in both --site and --heads' \
	head-map -m story.tar --site cross.1:1 --heads 2 in.heed
exits 2 'an unknown head' head-map -m story.tar --heads 3 in.heed
matches "heads: '3', expected an integer from 1 to 2" err; say $? '... the message has the range'
exits 2 'a head that is not a number' head-map -m story.tar --heads best in.heed
exits 2 '--heads weighted without head importance' head-map -m story.tar --heads weighted in.heed
exits 3 'an unknown sentence' head-map -m story.tar --id 17 in.heed
matches 'in.heed: no sentence with id 17' err; say $? '... the message has its id'
exits 3 'a model with BPE codes needs subwords' head-map -m bpe.tar in.heed
exits 2 '--draw table with --id' head-map --draw table --id 1 table.tsv
matches -- '--id has no effect with --to svg --draw table$' err; say $? '... the message says so'
exits 2 '--draw table with --heads' head-map --draw table --heads 7 table.tsv
exits 2 '--draw table with --too-long' head-map --draw table --too-long skip table.tsv
exits 2 '--draw table with --site' head-map --draw table --site enc.1.self table.tsv
exits 2 '--draw strengths with --id' head-map -m never.tar --draw strengths --id 1
exits 2 '--draw sync with --heads' head-map -m sync.tar --draw sync --heads 2 heads.heed
exits 2 '--number for a figure' head-map -m story.tar --number 2 in.heed
matches -- '--number without --to html, expected --id' err; say $? '... the message names --id'
exits 2 'a range in falling order' head-map --draw table --range 2,1 table.tsv
exits 2 'a range of one value' head-map --draw table --range 2 table.tsv
exits 3 'a table with a short line' "printf 'a\tb\tc\nx\t1\n' | head-map --draw table"
head -c 150 in.heed > cut.heed
exits 3 'a truncated stream' 'head-map -m story.tar -o cut.svg cut.heed'
that ! -e cut.svg; say $? '... leaves no file'
exits 4 'a full disk' 'head-map --draw table table.tsv > /dev/full'
