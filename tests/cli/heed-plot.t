#!/bin/sh
# heed-plot: points are where the scales put them, names next to their lines or in the legend;
# labels are escaped; malformed tables are refused.
. "$HEED_TOP/tests/lib.sh"

plan 100

# table: lines "panel series kind x y low high" with blanks, _ for a blank, as the program reads them
table() { { echo 'panel series kind x y low high'; cat; } | tr ' ' '\t' | tr _ ' '; }

# x from 0 to 10 is 400 pixels from 64; y from 0 to 10 is 290 pixels up from 308.
table > t.tsv <<'END'
Loss_of_<dev> up line 0 0 - -
Loss_of_<dev> up line 5 2.5 2 3
Loss_of_<dev> up line 10 10 - -
Loss_of_<dev> chance band 0 4 3 5
Loss_of_<dev> chance band 10 4 3 5
Loss_of_<dev> threshold level - 7 - -
END
heed-plot --title 'A & B' --x 'heads retained' t.tsv > t.svg
matches 'd="M64 308L264 235.5L464 18"' t.svg; say $? 'the points of a line are scaled'
matches 'd="M264 250L264 221"' t.svg; say $? '... with error bars'
matches 'd="M64 163L464 163L464 221L64 221z"' t.svg; say $? 'a band is filled from low to high'
matches 'd="M64 192L464 192".*stroke-dasharray' t.svg; say $? '... with a dashed line at y'
matches 'd="M64 105L464 105"' t.svg; say $? 'a level crosses the panel'
table > edge.tsv <<'END'
p low line 0 0 - -
p low line 10 0 - -
p high line 0 10 - -
p high line 10 10 - -
p one line 0 5 - -
p one line 10 5 - -
p other line 0 5 - -
p other line 10 5 - -
END
heed-plot edge.tsv > edge.svg
matches ' x="472" y="308".*>low</text>' edge.svg && matches ' x="472" y="22".*>high</text>' edge.svg; say $? 'a line on the axis has its name beside it'
sed -n 's/.* y="\([0-9.]*\)".*>\(one\|other\)<.text>/\1/p' edge.svg | computes - '$1 < 22 + 3 + 12 { exit 1 } END { exit NR != 2 }'
say $? '... and the samples of the legend are below a name at the top'
that "$(grep -c '<circle' t.svg)" = 3; say $? 'each point of a line has a dot'
matches '^<title>up: 5, 2.5 \[2, 3\]</title>$' t.svg && matches '^<title>up: 10, 10</title>$' t.svg; say $? '... and its values for the pointer'
matches '>Loss of &lt;dev&gt;</text>' t.svg && matches '<title>A &amp; B</title>' t.svg
say $? 'label and title are escaped'
matches '>heads retained</text>' t.svg; say $? 'the horizontal axis has its label'
for s in up chance threshold; do grep "y=\"[0-9.]*\"" t.svg | grep ">$s</text>"; done |
	sed 's/.*x="\([0-9.]*\)".*/\1/' | sort -u | paste -s -d ' ' | matches -x 472
say $? 'names are after the ends of separate lines'
grep -o '>[0-9.]*</text>' t.svg | tr -d '></tex' | sort -n | uniq -c | awk '{ print $2 "x" $1 }' | paste -s -d ' ' |
	matches -x '0x2 2x2 4x2 6x2 8x2 10x2'; say $? 'ticks are at round numbers'

for e in -40 -14; do
	printf '%s\n' "p up line 0 1e$e - -" "p up line 10 3e$e - -" | table | heed-plot > far.svg
	grep -o 'text-anchor="end"[^>]*>[^<]*</text>' far.svg | sed 's/.*>\(.*\)<.*/\1/' > found
	computes - -v unit=1e$e 'NR > 1 && !($1 - last > .4 * unit && $1 - last < 1.1 * unit) { exit bad = 1 } { last = $1 } END { exit bad || NR < 3 || last / unit < 2.9 }' < found
	say $? "ticks of values in the range of 1e$e: $(paste -s -d ' ' found)"
done

# A name nearby cannot distinguish two lines in the same place.
table > same.tsv <<'END'
a one line 0 1 - -
a one line 10 2 - -
a two line 0 1 - -
a two line 10 2 - -
b two line 0 1 - -
b two line 10 2 - -
END
heed-plot same.tsv > same.svg
that "$(grep -o 'd="M472 [0-9.]*L494 [0-9.]*"' same.svg | sort -u | wc -l)" = 2; say $? 'lines in the same place are in the legend'
two=$(grep '>two</text>' same.svg | sed 's/.*fill="\(#[0-9a-f]*\)".*/\1/' | sort -u)
that "$(echo "$two" | wc -l)" = 1 && that "$two" != "$(grep '>one</text>' same.svg | sed 's/.*fill="\(#[0-9a-f]*\)".*/\1/')"
say $? 'a series has the same color in all panels'
# The line, then three single points at its second point: 0, 7, -7 and 14 pixels from it.
{ echo a line line 0 0 - -; echo a line line 10 10 - -; echo a line line 5 5 - -
for k in 1 2 3; do echo a p$k line 5 $k - -; done; echo a far line 7.5 1 - -; } | table > beside.tsv
heed-plot beside.tsv > beside.svg
grep -o 'cx="[0-9.]*"' beside.svg | tr -dc '0-9.\n' | paste -s -d ' ' | matches -x '64 464 264 271 257 278 364'
say $? 'single points with the same x are side by side'
that "$(for s in p1 p2 p3; do grep ">$s</text>" beside.svg; done | grep -o ' x="[0-9]*"' | xargs)" = 'x=271 x=257 x=278'; say $? '... with their names'
# A name is not drawn over error bars if there is another place.
for k in 1 2 3 4 5 6; do echo a b$k line 5.0$k $k 0 9; done | table > bars.tsv; echo 'a wide_name line 5.2 4.5 - -' | table | sed 1d >> bars.tsv
printf 'a\tfar\tline\t0\t0\t-\t-\na\tfar\tline\t10\t0\t-\t-\n' >> bars.tsv
heed-plot bars.tsv | grep '>wide name</text>' | matches 'x="502"'; say $? 'names are not over error bars'
# Nine names and eight colors: points of another shape.
for k in 1 2 3 4 5 6 7 8 9; do for x in 0 1; do echo "a n$k line $x $k - -"; done; done | table > nine.tsv
heed-plot nine.tsv > nine.svg; shapes=$(grep -c 'stroke-width="0"' nine.svg)
that "$(grep -c '<circle' nine.svg)" = 16 && that "$shapes" -ge 2; say $? 'lines of the same color have other points'
awk 'BEGIN { for (i = 0; i < 2000; i++) for (x = 0; x < 2; x++) print "a n" i " line " x " " i + x " - -" }' | table > many.tsv
# Of 250 groups of eight colors, each third, 84, has circles, for two points of each line.
timeout 10 heed-plot many.tsv | grep -c '<circle' | matches -x $((84 * 8 * 2)); say $? 'a plot with 2000 lines'
# Five panels of 20 lines; ten of them are in the next panel, too.  In the drawing, the points of a line are after it.
awk 'BEGIN { for (p = 0; p < 5; p++) for (i = 0; i < 20; i++) for (x = 0; x < 2; x++) print "p" p, "n" 10 * p + i, "line", x, i, "-", "-" }' |
	table > styles.tsv
heed-plot styles.tsv | awk -F '"' '/stroke-width="1.8"/ { line = $4 " " $10 }
	/^<title>n/ { name = $0; gsub(/.*>n|:.*/, "", name) }
	/<circle/ { print name, line, "circle" }
	/stroke-width="0"/ && name != "" { split($8, d, /[ML ]/); print name, line, d[2] == d[4] ? "square" : "triangle" }
	/^<\/g>/ { name = "" }' | sort -u > styles
that "$(wc -l < styles)" = 60; say $? 'a line has the same style in all panels'
that "$(cut -d ' ' -f 2- styles | sort -u | wc -l)" = 60; say $? '... and no other line has it'
{ for k in 1 2 3 4 5 6 7 8 9 10; do echo "a n$k line 0 $k - -"; done; for s in n1 m1 m2 m3 m4 m5 m6 m7; do echo "b $s line 0 1 - -"; done; } | table > eight.tsv
heed-plot eight.tsv | sed -n 's/.* fill="\([^"]*\)".*>\(n1\|m.\)<.*/\1/p' | sort -u | wc -l | matches -x 8; say $? '... nor its color in a panel, if there are enough'

# From right to left as well.
{ head -n 1 t.tsv; sed -n 4p t.tsv; sed -n 3p t.tsv; sed -n 2p t.tsv; } | heed-plot > back.svg
matches '>up</text>' back.svg && grep '>up</text>' back.svg | matches 'x="472"'; say $? 'points may be in falling order'
heed-plot < t.tsv | matches '<path'; say $? 'the input can be a pipe'

# Points of another source; lines with one point in the legend.
table > points.tsv <<'END'
a one line 0 0 - -
a one line 10 10 - -
a one,_paper points 5 5 - -
a two line 0 0 - -
a two,_paper points 5 5 - -
END
heed-plot points.tsv > points.svg
matches 'fill="#fff" stroke="#00619e" stroke-width="1.5" d="M264 158L269 163L264 168L259 163z"' points.svg
say $? 'points are diamonds in the color of the line before them'
matches 'fill="#fff" stroke="#b34700"[^>]*d="M264 158' points.svg; say $? '... of each line'
{ printf 'a %s - -\n' 's line 0 0' 'l level - 5' 'm level - 6' 's2 points 5 5'; printf 'b %s - -\n' 'l level - 5' 'm level - 6' 't points 5 5'
echo 'c band band 0 4 3 5'; echo 'c u points 0 4 - -'; echo 'd l level - 5 - -'; echo 'd v points 5 5 - -'; } | table | heed-plot |
	sed -n '/title>\(s2\|[tuv]\):/ { n; s/.* stroke="\([^"]*\)".*/\1/p; }' | xargs | matches -x '#00619e #222 #222 #222'
say $? '... which may be before a level; dark without one'
that "$(grep -c '<circle' points.svg)" = 4; say $? 'the sample of a line with a single point is a dot'
matches '>one, paper</text>' points.svg; say $? 'points have their name'

# Levels: several in a panel have colors and dashes of their own, a single one is red.
{ echo 'a x line 0 0 - -'; echo 'b x line 0 0 - -'; for k in 1 2 3 4 5; do echo "a l$k level - $k - -"; done; echo 'b only level - 1 - -'; } | table > levels.tsv
heed-plot levels.tsv | sed -n '/stroke-width="1.2"/ s/.*stroke="\(#[^"]*\)".* d="[^"]*"\(.*\)\/>/\1\2/p' > found
that "$(sort -u found | wc -l)" = 6 && that "$(tail -n 1 found)" = '#a3211a'; say $? 'levels of a panel have different colors'
matches '^#.* stroke-dasharray="' found; say $? '... and dashes'

# Names that the margin has no room for: all legends are below the panels, with the names in full.
long='a_long_name_whose_end_is_the_only_difference,_number'
for s in "${long}_1" "${long}_2"; do echo "a $s line 0 1 - -"; echo "a $s line 10 2 - -"; done | table > long.tsv
for p in b c; do for x in 0 10; do echo "$p short line $x 1 - -"; done; done | table | sed 1d >> long.tsv
heed-plot long.tsv > long.svg
sed -n 's/^<text.*>\([^<>]* .*\)<.*/\1/p' long.svg | xargs > found
that "$(cat found)" = "$(echo "${long}_1 ${long}_2" | tr _ ' ')"; say $? 'long names are in full'
sed -n 's/.* y="\([0-9.]*\)".* fill="\(#[^"]*\)">[a-z,]* .*/\2 \1/p' long.svg | computes - '$2 < 308 + 40 || $2 < last[$1] + 12 { bad = 1 } { last[$1] = $2 } END { exit bad || NR != 4 }'
say $? '... below the panel, in two lines'
sed -n 's/.*translate(\([0-9.]* [0-9.]*\)).*>[abc]<.*/\1/p' long.svg | xargs | computes - '{ exit !($1 == $5 && $2 == $4 && $6 > 2 * $2) }'; say $? '... and the next row of panels is below them'
heed-plot -w 8cm long.tsv > long.svg
matches '>a long name whose end is the only</text>' long.svg; that "$(grep -c '>[^<]*number [12]</text>' long.svg)" = 2; say $? 'in a narrow figure, they are broken at blanks'
for k in $(seq 40); do for x in 0 10; do echo "a n$k line $x 1 - -"; done; done | table > rows.tsv
heed-plot rows.tsv | sed -n 's/.* x="\([0-9.]*\)" y="\([0-9.]*\)".*>n[0-9]*<.*/\1 \2/p' | sort -u | wc -l | matches -x 40; say $? 'no two names of a long legend are in one place'

# Each panel has the x axis of its own data; a panel with levels only has that of the others.
{ for x in 0 10; do echo "a s line $x 1 - -"; done; for x in 0 1000; do echo "b s line $x 1 - -"; done; echo 'c l level - 1 - -'; } | table > own.tsv
heed-plot own.tsv > own.svg
sed -n 's/.*text-anchor="middle" fill="#667">\([0-9]*\)<.*/\1/p' own.svg | xargs | matches -x '0 2 4 6 8 10 0 200 400 600 800 1000 0 200 400 600 800 1000'; say $? 'a panel has the x axis of its data'
heed-plot --panel c own.tsv | lacks 'nan\|inf'; say $? '... and some axis without data'
echo 'a s line 0.3 1 - -' | table | heed-plot | sed -n 's/.*text-anchor="middle" fill="#667">\([0-9.]*\)<.*/\1/p' | sed -n '1p;$p' | xargs | matches -x '0.15 0.45'; say $? 'a single x is in the middle of an axis without negative values'

# On a logarithmic axis, 10 is in the middle between 1 and 100.
table > log.tsv <<'END'
a up line 1 0 - -
a up line 10 5 - -
a up line 100 10 - -
a none level - 5 - -
END
heed-plot --log-x log.tsv > log.svg
matches 'd="M64 308L264 163L464 18"' log.svg; say $? '--log-x: the x axis is logarithmic'
grep -o 'text-anchor="middle" fill="#667">[0-9.]*</text>' log.svg | tr -dc '0-9>\n' | sed 's/.*>\(.*\)>/\1/' | paste -s -d ' ' > ticks
matches -x '1 2 5 10 20 50 100' ticks; say $? '... with ticks at 1, 2 and 5'
printf 'a up line 20000 0 - -\na up line 29000 5 - -\n' | table | heed-plot --log-x > short.svg
matches '>24000</text>' short.svg; say $? '... and round numbers on a short axis'
printf 'a up line 0 0 - -\n' | table > zero.tsv
exits 3 '--log-x with x = 0' heed-plot --log-x zero.tsv
matches 'zero.tsv: up has x = 0, expected x > 0 on a logarithmic axis' err; say $? '... the message names series and value'

# --- streams ---
# log NAME: a stream of steps, with a record without nll
log() {
	{ echo '["heed",1,"step",{"fields":{"step":"int","nll":"float","dev.nll":"float","s":"str"},"pg":[]}]'
	  cat; echo '["heed-end",3]'; } | heed-pack -j --no-pg > $1
}
printf '{"step":%s,"nll":%s}\n' 0 0 5 2.5 | { cat; echo '{"step":10,"nll":10,"dev.nll":5,"s":"a"}'; } | log one.log
printf '{"step":%s,"dev.nll":%s,"nll":%s}\n' 0 0 1 5 5 1 10 10 1 | log two.heed
heed-plot --x step --y nll,dev.nll one.log two.heed > logs.svg
matches 'd="M64 308L264 235.5L464 18"' logs.svg; say $? 'fields of a stream: the points of the table above'
matches '>nll</text>' logs.svg && matches '>dev.nll</text>' logs.svg && matches '>step</text>' logs.svg
say $? '... a panel for each field'
matches '>one</text>' logs.svg && matches '>two</text>' logs.svg; say $? '... a line for each file, named like it'
heed-plot --x step --y nll < one.log | matches '>standard input</text>'; say $? '... standard input'
exits 3 'a field that the stream lacks' heed-plot --x step --y loss one.log
matches 'one.log has no loss' err; say $? '... the message names it'
exits 3 'a field of text' heed-plot --x step --y s one.log
cp one.log a.heed; mkdir b; cp one.log b/a.log
exits 2 'two lines of one name' heed-plot --x step --y nll a.heed b/a.log
exits 2 '--y without --x' heed-plot --y nll one.log
printf '{"step":%s,"nll":%s}\n' 0 1e308 5 -1e308 10 0 | log far.log
exits 3 'numbers whose difference is no number' heed-plot --x step --y nll far.log
matches 'far.log: record 1: nll is 1e+308, expected a number from -1e+300 to 1e+300' err; say $? '... the message names the record'
printf '{"step":%s,"nll":%s}\n' 0 1e299 5 -1e299 10 0 | log far.log
runs heed-plot --x step --y nll far.log > far.svg && that "$(grep -c nan far.svg)" = 0; say $? 'large numbers'
printf '{"step":%s,"nll":%s}\n' 0 1e17 5 1e17 10 1e17 | log far.log
runs heed-plot --x step --y nll far.log > far.svg && that "$(grep -c nan far.svg)" = 0; say $? '... a single one'

# --- errors ---
printf 'a\tb\n' > bad.tsv
exits 3 'a table with other columns' heed-plot bad.tsv
matches 'bad.tsv: line 1: found 2 columns, expected 7' err; say $? '... the message names the line'
echo 'a up bar 1 2 - -' | table > bad.tsv
exits 3 'an unknown kind' heed-plot bad.tsv
printf 'a up line 1 2 - -\na up line 2 x - -\n' | table > bad.tsv
exits 3 'a malformed number' heed-plot bad.tsv
matches 'bad.tsv: line 3: y:' err; say $? '... the message names line and column'
: | table > bad.tsv
exits 3 'no points' heed-plot bad.tsv
for kind in points level; do
	printf 'a up line 1 2 - -\na b %s 1 2 0 9\n' $kind | table > bad.tsv
	exits 3 "an error bar of $kind" heed-plot bad.tsv
	matches "bad.tsv: line 3: low and high of kind $kind, expected - for both" err; say $? '... the message has the kind'
done
echo 'a up level - 2 - -' | table > bad.tsv
exits 3 'only levels' heed-plot bad.tsv
matches 'bad.tsv: only levels, expected a point' err; say $? '... the message says so'
for name in figure.eps figure.svg.gz a.svg/figure.jpg; do
	exits 2 "a figure named $name" heed-plot -o $name /dev/null
	matches "$name: a figure, expected a name that ends in .svg, .png or .pdf" err; say $? '... the message names it'
done
if heed-plot -o figure.pdf t.tsv 2> err; then
	head -c 5 figure.pdf | matches -x '%PDF-'; say $? 'a PDF by its name'
	heed-plot -w 8cm -o small.pdf t.tsv; pdf_width small.pdf | computes - '{ d = $1 - 8 / 2.54 * 72; bad = d * d >= 0.5 } END { exit bad || NR != 1 }'
	say $? '... of the width of a column'
	heed-plot --to png t.tsv | head -c 8 | od -An -tx1 | matches '89 50 4e 47'; say $? 'a PNG on standard output'
else
	matches 'librsvg' err; say $? 'PDF needs librsvg'; n=$((n + 2)); echo "ok $((n - 1)) # SKIP"; echo "ok $n # SKIP"
fi
heed-plot -w 8cm t.tsv | matches 'width="3.15in"'; say $? 'SVG of a width'
# 12 pixels are 8 points if an inch has 108, so that 8 cm have 340.2.
heed-plot -w 8cm t.tsv | matches 'viewBox="0 0 340.16 '; say $? 'its labels have 8 points'
printf '%s\n' 'one a line 1 2 - -' 'two a line 1 3 - -' 'two b line 2 4 - -' | table > two.tsv
for w in 8cm 17cm; do
	heed-plot -w $w two.tsv > two.svg
	that "$(grep -c '>[ab]</text>' two.svg)" = 2; say $? "$w: a legend has each name once"
done
# The labels of the y axes are left of their panels: below each other at 8 cm, side by side at 17 cm.
sed -n 's/.*translate(\([^ ,]*\).*>\(one\|two\)<.*/\1/p' two.svg | uniq | computes - 'END { exit NR != 2 }'; say $? 'panels that have room share a row'
# Its last number: five digits of 7 pixels each, centered.
printf '%s\n' 'one a line 0 1 - -' 'one a line 20000 2 - -' | table | heed-plot -w 8cm - | sed -n 's/.*x="\([0-9.]*\)".*>20000<.*/\1/p' |
	computes - '$1 + 17.5 > 340.16 { bad = 1 } END { exit bad || NR != 1 }'; say $? 'the last number of the x axis is not cut'
# Numbers of the y axis end before it; a digit has at most 7 pixels of 11.  The label before them is at most 4 pixels below its line.
printf 'p%s long line %s - -\n' 1 '0 0' 1 '1 150000000' 2 '0 0' 2 '1 0.00001' | table > ticks.tsv
for w in 4cm 17cm ''; do
	heed-plot ${w:+-w $w} ticks.tsv | sed -n 's/.*translate(\([0-9.]*\) .*>p[12]<.*/\1 label/p; s/.* x="\([0-9.]*\)".*anchor="end".*>\(.*\)<.*/\1 \2/p' |
		computes - '$2 != "label" { at = $1 - 7 * length($2); if (!first || at < first) first = at }
			$2 == "label" { bad = bad || $1 + 4 > first; first = 0; n++ } END { exit bad || n != 2 }'
	say $? "long numbers of the y axis have room, ${w:-no width}"
done
exits 2 'a length without a unit' heed-plot -w 8 t.tsv
printf '%s\n' 'one a line 1 2 - -' 'two a line 1 3 - -' 'three a line 1 4 - -' | table > panels.tsv
heed-plot --panel one,three panels.tsv > found; matches '>one<' found && matches '>three<' found && lacks '>two<' found; say $? 'some panels'
printf '%s\n' 'gain_in_NLL,_nats a line 1 2 - -' 'two a line 1 3 - -' 'gain_in_NLL a line 1 4 - -' | table > commas.tsv
runs heed-plot --panel 'gain in NLL, nats' commas.tsv > found && matches '>gain in NLL, nats<' found && lacks '>two<' found && lacks '>gain in NLL<' found &&
	runs heed-plot --panel 'two,gain in NLL, nats' panels.tsv > /dev/null 2> err; r=$?
runs heed-plot --panel two commas.tsv > found && that $r = 1; say $? 'a panel whose label has a comma'
exits 2 'an unknown panel' heed-plot --panel one,four panels.tsv
long=$(seq 40 | paste -sd _)
printf '%s\n' "$long a line 1 2 - -" "$long a line 2 3 - -" | table | heed-plot --x "$(seq 99 | paste -sd " ")" - > long.svg
that $(grep -c '>1 2 3 4 .*…<title>1 2 .* \(40\|99\)</title>' long.svg) = 2
say $? 'labels that are longer than their axis are shortened'
mkdir a.png
for name in figure a.png/figure .figure figure.SVG /dev/null; do
	exits 0 "a figure named $name" heed-plot -o $name same.tsv
done
