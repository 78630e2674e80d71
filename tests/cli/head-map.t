#!/bin/sh
# head-map: the numbers that are drawn are those of an independent implementation (nmt-score's golden
# files); words are merged as worked by hand; every form of a picture is what it should be, and what
# makes no sense is refused by name.
. "$HEED_TOP/tests/lib.sh"
golden=$HEED_TOP/tests/golden/nmt-score

printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
heed-pack --no-pg src > source.heed
for p in story bpe; do
	gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar
done

# column N FILE: of a table, without its head
column() { cut -f "$1" "$2" | sed 1d; }
# png FILE WIDTH HEIGHT: is it PNG of this size?
png() {
	od -An -v -tx1 -N24 "$1" | tr -d ' \n' > head
	printf '89504e470d0a1a0a0000000d49484452%08x%08x' "$2" "$3" | cmp -s - head
}
# size FILE: width and height of SVG
size() { sed -n 's/^<svg.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1 \2/p' "$1"; }
# cells FILE: how many there are
cells() { grep -c '<rect' "$1"; }

plan 53

# --- numbers ---
while read -r site numbers; do
	head-map -m story.tar --id 2 --site "$site" --to tsv in.heed > found.tsv
	echo "$numbers" | tr ' ' '\n' > expected
	column 6 found.tsv | paste expected - | awk '{ d = $1 - $2; if (NF != 2 || d < -2e-4 || d > 2e-4) bad = 1 }
		END { exit bad || !NR }'
	say $? "$site has the weights it should"
done < "$golden/story-attention.txt"
head-map -m story.tar --id 2 --site dec.1.cross --to tsv in.heed > all.tsv
head-map -m story.tar --id 2 --site dec.1.cross --to tsv --head 2 in.heed > two.tsv
grep '^head 2' all.tsv | cmp -s - two.tsv || { sed 1d two.tsv > two; grep '^head 2' all.tsv | cmp -s - two; }
say $? 'one head is one of all'
head-map -m story.tar --id 2 --site dec.1.cross --to tsv --head 2,1 in.heed | cut -f 1 | uniq > found
printf 'panel\nhead 2\nhead 1\n' | cmp -s - found; say $? 'heads come in the order of the list'
head-map -m story.tar --id 2 --site dec.1.cross --to tsv --head mean in.heed > mean.tsv
grep '^head 1' all.tsv | cut -f 6 > one
grep '^head 2' all.tsv | cut -f 6 | paste one - | awk '{ print ($1 + $2) / 2 }' > expected
column 6 mean.tsv | paste expected - | awk '{ d = $1 - $2; if (d < -1e-6 || d > 1e-6) bad = 1 } END { exit bad || !NR }'
say $? 'the mean is that of the heads'
printf 'ein\nmann\nsieht\n</s>\n' > expected
column 4 mean.tsv | uniq > found
cmp -s expected found; say $? 'rows of the decoder are the symbols it predicts'
head-map -m story.tar --id 2 --site dec.1.self --head 1 --read --to tsv in.heed > found.tsv
column 4 found.tsv | uniq | sed 1d > found
printf 'ein\nmann\nsieht\n' | cmp -s - found; say $? '... or those it reads'
printf 'a\nman\nsees\n' > expected
column 5 mean.tsv | head -n 3 | cmp -s expected -; say $? 'columns are the source'

# --- words ---
printf 'x\tab@@\tc\td\nab@@\t.1\t.2\t.7\nc\t.5\t.1\t.4\nd\t0\t.25\t.75\n' > pieces.tsv
head-map --draw table --words --to tsv pieces.tsv | cut -f 2- > found
printf 'row\tcolumn\tfrom\tto\tweight\n1\t1\tabc\tabc\t0.45\n1\t2\tabc\td\t0.55\n2\t1\td\tabc\t0.25\n2\t2\td\td\t0.75\n' > expected
cmp -s expected found; say $? 'words: sums over columns, means over rows, as worked by hand'
nmt-info --codes bpe.tar > codes
bpe-apply -c codes in.heed > pieces.heed
for s in enc.1.self dec.1.self dec.1.cross; do
	head-map -m bpe.tar --id 2 --site $s --words --to tsv pieces.heed > found.tsv
	sed 1d found.tsv | awk -F '\t' '{ sum[$1 $2] += $6 } END { for (i in sum) { n++; if (sum[i] < 1 - 1e-5 || sum[i] > 1 + 1e-5) bad = 1 }
		exit bad || !n }'
	say $? "rows of words of $s sum to 1"
done
column 5 found.tsv | sort -u > found
sed -n 2p src | tr ' ' '\n' | sort -u | comm -23 - found > missing
[ ! -s missing ] && ! grep -q '@@' found; say $? '... and are words'

# --- the sentence ---
head-map -m story.tar --to tsv in.heed > first.tsv
head-map -m story.tar --to tsv --id 1 in.heed | cmp -s - first.tsv; say $? 'the first sentence, if none is named'
head-map -m story.tar --to tsv - < in.heed | cmp -s - first.tsv; say $? 'a pipe is as good as a file'
head-map -m story.tar --to tsv source.heed | cmp -s - first.tsv; say $? 'the encoder needs no target'
exits 3 'the decoder does' head-map -m story.tar --site dec.1.cross source.heed
grep -q 'no target, and dec.1.cross wants one' err; say $? '... and says so'
printf '%s\n' '["heed",1,"sentence",{"fields":{"id":"int","src":"str","hyp":"str"}}]' \
	'{"id":1,"src":"a man sees","hyp":"ein mann sieht"}' | heed-pack -j --partial > hyp.heed
head-map -m story.tar --site dec.1.cross --head mean --to tsv hyp.heed | cmp -s - mean.tsv
say $? 'the translation is the target where there is no other'

# --- pictures ---
head-map -m story.tar --id 2 --site dec.1.cross -o one.svg in.heed
[ "$(cells one.svg)" = "$(column 1 all.tsv | wc -l)" ]; say $? 'SVG has a cell for each weight'
grep -q '>beisst<' one.svg; [ $? = 1 ] && grep -q '>sieht<' one.svg && grep -q '>head 2<' one.svg; say $? '... and the labels'
head-map -m story.tar --id 2 --site enc.1.self,dec.1.cross --head mean -o two.svg in.heed
grep -q '>enc.1.self, mean of the heads<' two.svg && grep -q '>dec.1.cross, mean of the heads<' two.svg
say $? 'several sites side by side'
head-map -m story.tar --id 2 --site dec.1.cross --title 'R & D' in.heed > three.svg
grep -q '>R &amp; D<' three.svg; say $? 'a title of one'\''s own'
printf 'loss\ta\tb\nx<y\t-1\t2\nz\t-\t1\n' > table.tsv
head-map --draw table --numbers < table.tsv > table.svg
[ "$(cells table.svg)" = 4 ] && grep -q '>x&lt;y<' table.svg && grep -q '>-1.00<' table.svg; say $? 'a table is drawn, with its numbers'
head-map --draw table --range -5,5 --colours grey table.tsv | grep '<rect' | sed -n 1p > found
head-map --draw table --range -1,9 --colours grey table.tsv | grep '<rect' | sed -n 1p > white
grep -q '#ffffff' white && ! grep -q '#ffffff' found; say $? 'the range says what colours stand for'
if head-map --draw table -o t.png table.tsv 2> err; then
	set -- $(size table.svg)
	head-map --draw table --numbers -o t.png table.tsv
	png t.png $((2 * $1)) $((2 * $2)); say $? 'PNG is PNG, twice as large as SVG'
	head-map --draw table --numbers --scale 1 --to png table.tsv > t.png
	png t.png "$1" "$2"; say $? '... or as --scale has it'
else
	grep -q librsvg2-dev err; say $? 'without librsvg PNG is refused, and its package named'
	[ ! -e t.png ]; say $? '... and no file is left'
fi

# --- the page ---
printf '%s\n' 'the </script> "dog"' 'a man sees' 'the' > odd
heed-pack --no-pg odd tgt > odd.heed
head-map -m story.tar --html --id 2,1 --title '<&>' -o page.html odd.heed
cat > page.pl <<-'EOF'
	use JSON::PP;
	binmode STDOUT, ':utf8';
	local $/;
	my $page = <STDIN>;
	my ($json) = $page =~ m{<script type="application/json" id="data">(.*?)</script>}s;
	my $data = decode_json($json);
	my ($s, $site) = ($data->{sentences}[0], $data->{sentences}[0]{sites}{'dec.1.cross'});
	my $columns = @{$s->{src}{pieces}};
	for my $h (0 .. $#{$site->{heads}}) {
		my $x = $site->{heads}[$h];
		printf "head %d\t%d\t%d\t%s\t%s\t%.3f\n", $h + 1, $_ / $columns + 1, $_ % $columns + 1,
		    $s->{tgt}{pieces}[$_ / $columns], $s->{src}{pieces}[$_ % $columns], $x->[$_] / $data->{unit} for 0 .. $#$x;
	}
	print STDERR join(' ', map { $_->{id} } @{$data->{sentences}}), "\n", join(' ', @{$data->{sentences}[1]{src}{pieces}}), "\n";
EOF
perl page.pl < page.html > found 2> rest
head-map -m story.tar --id 2 --site dec.1.cross --to tsv odd.heed | sed 1d |
	awk -F '\t' -v OFS='\t' '{ $6 = sprintf("%.3f", $6); print }' > expected
[ -s found ] && cmp -s expected found; say $? 'a page has the numbers that a table has'
printf '2 1\nthe </script> "dog" </s>\n' | cmp -s - rest; say $? '... of all sentences, whatever their symbols are'
[ "$(grep -c '</script>' page.html)" = 2 ] && grep -q '<h1>&lt;&amp;&gt;</h1>' page.html; say $? '... of which none is taken for a tag'
grep -q '//[a-z]' page.html; [ $? = 1 ] && ! grep -qE '(src|href)=' page.html; say $? '... and asks nobody for anything'
exits 2 'a picture is of one sentence' head-map -m story.tar --id 1,2 in.heed
exits 2 'a page is no table' head-map -m story.tar --html --to tsv in.heed

# --- what makes no sense ---
exits 2 'no model is a mistake' head-map in.heed
exits 2 'a site that there is not is refused' head-map -m story.tar --site enc.9.self in.heed
grep -q 'no site enc.9.self' err && grep -q 'enc.1.self to enc' err; say $? '... by name, with those that there are'
exits 2 'a head that there is not is refused' head-map -m story.tar --head 3 in.heed
grep -q "head: '3' is not a whole number from 1 to 2" err; say $? '... by number'
exits 2 '... as is what is none' head-map -m story.tar --head best in.heed
exits 2 '... and importance where there is none' head-map -m story.tar --head weighted in.heed
exits 3 'a sentence that there is not is refused' head-map -m story.tar --id 17 in.heed
grep -q 'in.heed: no sentence with id 17' err; say $? '... by its id'
exits 3 'a model with codes wants pieces' head-map -m bpe.tar in.heed
exits 2 'a range must rise' head-map --draw table --range 2,1 table.tsv
exits 2 '... and be two numbers' head-map --draw table --range 2 table.tsv
exits 3 'a table with a line too short is refused' "printf 'a\tb\tc\nx\t1\n' | head-map --draw table"
head -c 150 in.heed > cut.heed
exits 3 'a cut stream is refused' 'head-map -m story.tar -o cut.svg cut.heed'
[ ! -e cut.svg ]; say $? '... and leaves no picture'
exits 4 'a full disk is noticed' 'head-map --draw table table.tsv > /dev/full'
