#!/bin/sh
# heed-report: a page that is complete, escaped and self-contained.  tests/papers/report.t opens one in a browser.
. "$HEED_TOP/tests/lib.sh"
plan 225

printf 'system\tBLEU\n<plain> & "x"\t35.2\nours\t36.1 ± 0.3†\n' > table.tsv
printf '%s\n' '<?xml version="1.0"?>' \
	"<svg xmlns='http://www.w3.org/2000/svg' stroke-width='1' width='30' height='20'><script>alert(1)</script></svg>" > fig.svg
mkdir run && echo '--size tiny' > run/settings
# has 'what' pattern...: the page has lines that match all these patterns
has() {
	what=$1 r=0; shift
	for pattern; do matches -e "$pattern" page.html || { r=1; missing=$pattern; }; done
	say $r "$what"; that $r = 0 || echo "# no $missing"
}

exits 0 'a page with all parts' \
	"heed-report --title 'A & <B>' --heading 'H & h' --table table.tsv --caption 'c < d' \
	--figure fig.svg --caption 'a \"figure\"' --run run --text '1 < 2' -o page.html"
has 'cells are escaped, numbers right-aligned, rows and columns have headers' \
	'^<tr><th scope="row" class="brief">&lt;plain&gt; &amp; &quot;x&quot;</th><td class="n">35.2</td></tr>$' \
	'<th scope="col">system</th><th scope="col" class="n">BLEU</th>' \
	'<td class="n">36.1 ± 0.3†</td>'
has '... title, captions and paragraphs are escaped' '<title>A &amp; &lt;B&gt;</title>' \
	'<h1>A &amp; &lt;B&gt;</h1>' \
	'<h2 id="h-h">H &amp; h</h2>' '<caption id="c-d"><span>c &lt; d</span></caption>' \
	'<p>1 &lt; 2</p>'
has 'headings are in the contents' '<li><a href="#h-h">H &amp; h</a></li>'
lacks '<a href="#c-d">' page.html && lacks '<a href="#a-figure">' page.html; say $? '... captions are not'
has 'a figure is embedded with its size and an alternative text' \
	'^<img alt="a &quot;figure&quot;" width="30" height="20" src="data:image/svg+xml;base64,[A-Za-z0-9+/=]*">$' \
	'<figcaption>a &quot;figure&quot;</figcaption>'
sed -n 's/.*base64,\([^"]*\)">$/\1/p' page.html | base64 -d | equals - fig.svg
say $? '... unchanged'
has 'a run has its settings' 'summary>run</summary' \
	'<tr><th scope="row">settings</th><td>--size tiny</td></tr>'
# urls FILE: addresses that a browser would load; embedded data and anchors are not.
urls() { grep -oE ' (src|href|action)="[^"]*"|@import|url\(|http-equiv="refresh' "$1" |
	grep -vE '="(#|data:)'; }
urls page.html | lacks . && lacks alert page.html
say $? 'the page loads nothing, and scripts of figures are not in it'
has '... by its policy' "content=\"default-src 'none';"
that "$(grep -c '<script' page.html)" = 1 && that "$(tail -n 1 page.html)" = '</html>'
say $? 'it has one script'
runs perl "$HEED_TOP/tests/content-policy.pl" page.html; say $? '... whose hash the policy has, as that of the style'

# --- headings and links ---
exits 0 'headings with the same text' \
	"heed-report --heading 'Été' --heading 'A b' --subheading 'a-b' --subheading '<&>' --heading content -o page.html"
has '... have different ids' '<h2 id="t">Été</h2>' '<h2 id="a-b">' '<h3 id="a-b-2">' \
	'<h3 id="part">' '<h2 id="content-2">'
grep -o ' id="[^"]*"' page.html | sort | uniq -d > twice; that ! -s twice; say $? '... ids are unique in the page'
tr -d '\n' < page.html |
	matches '<ol><li><a href="#t">Été</a></li><li><a href="#a-b">A b</a></li><li><a href="#content-2">content</a></li></ol>'
say $? 'subheadings are not in the contents'
exits 0 'collapsed sections' "heed-report --text a --fold 'X & y' --text b --subheading c --fold Z --text d --heading E --text f -o page.html"
tr -d '\n' < page.html | sed 's/.*<main[^>]*>//; s/<\/main>.*//; $a\\' > found
that "$(cat found)" = '<p>a</p><details class="section"><summary><h2 id="x-y">X &amp; y</h2></summary><p>b</p><h3 id="c">c</h3></details><details class="section"><summary><h2 id="z">Z</h2></summary><p>d</p></details><h2 id="e">E</h2><p>f</p>'
say $? '... end at the next one, or at a heading'; sed 's/^/# /' found
has '... and are in the contents' '<a href="#x-y">X &amp; y</a>'
exits 0 'a link' 'heed-report --link "a/b.html?x=1&y=\"" --caption "<there>" -o page.html'
has '... with its text' '<p><a href="a/b.html?x=1&amp;y=&quot;">&lt;there&gt;</a></p>'
for a in 'javascript:alert(1)' ' javascript:alert(1)' 'JaVaScRiPt:alert(1)' "$(printf 'java\tscript:alert(1)')" \
	"$(printf '\001javascript:alert(1)')" data:text/html,x vbscript:x file:///etc/passwd about:blank blob:x \
	//other.org/x '\\\\other.org\x' ':x' 'http :x'; do
	LINK=$a; export LINK
	exits 2 "a link to $a is refused" 'heed-report --link "$LINK" -o no.html'
done
matches 'http :x: expected https, http, mailto or a path' err && that ! -e no.html; say $? '... with the reason'
for a in https://a.org/x:y?javascript:z HTTP://a.org mailto:a@b.org a/b:c ./a:b '?a:b' '#a:b' 'a b.html' ../x.html; do
	LINK=$a; export LINK
	exits 0 "a link to $a" 'heed-report --link "$LINK" -o page.html && grep -q "href=.$LINK\"" page.html'
done

# The eight colors of a plot differ in the dark theme, too, and none is drawn as it is on white.
{ printf 'panel\tseries\tkind\tx\ty\tlow\thigh\n'; for i in 1 2 3 4 5 6 7 8; do printf "p\t$i\tline\t%s\t$i\t-\t-\n" 1 9; done; } |
	heed-plot -o eight.svg
exits 0 'a page with a plot' 'heed-report --figure eight.svg -o page.html'
for kind in fill stroke; do
	grep -o 'stroke="#[0-9a-f]*"' eight.svg | grep -o '#[0-9a-f]*' | sort -u | while read -r color; do
		sed -n "s/.*(.themed) \[$kind=\"$color\"\] { $kind: \(#[0-9a-f]*\); }.*/\1/p" page.html
	done | sort -u > found
	that "$(wc -l < found)" = 8; say $? "... has eight dark colors ($kind)"
done

# --- claims, and tables of Markdown ---
cat > claims.md <<'END'
**claims: what is claimed**

| claim | compared | difference | verdict |
| --- | ---: | ---: | ---: |
| A \| B helps | a > b | +1.84 ± 0.15 | confirmed |
| C helps | c > b |  | not run |
| D helps | d > b | -0.10 | open |
| E helps | e > b | +0.10 | open |
END
exits 0 'claims' 'heed-report --claims claims.md -o page.html'
has '... have the verdict after the claim' \
	'<th scope="col">claim</th><th scope="col" class="brief">verdict</th><th scope="col" class="brief">compared</th>' \
	'<th scope="row" class="brief">A | B helps</th><td class="brief" data-name="verdict"><span class="verdict good">.*confirmed</span></td><td class="brief" data-name="compared">a &gt; b</td><td class="n" data-name="difference">+1.84 ± 0.15</td>' \
	'<h3 id="claims-what-is-claimed">claims: what is claimed</h3>'
has '... are counted by verdict' \
	'<p class="tally">.*</span> 1 confirmed</span>.*</span> 2 open</span>.*</span> 1 not run</span>'
has '... claims that were not run are in a list' '<summary>1 claim not run</summary>' \
	'^<li>C helps</li>$'
that "$(grep -c '<tr>' page.html)" = 4; say $? '... and not in the table'
# Notes below the table: sentences above the tally, checks in the details.
{ cat claims.md; printf '%s\n' '' '> One of <3> is confirmed.' '> - Host group x.'; } > notes.md
exits 0 'claims with notes' 'heed-report --claims notes.md -o page.html'
has '... have their sentences' '^<p class="note">One of &lt;3&gt; is confirmed.</p>$'
that "$(grep -c 'Host group' page.html)" = 0; say $? '... and the checks of the model only with details'
exits 0 '... not so the notes of a tab-separated table' "printf 'a\n> 50\n' | heed-report --table - -o page.html && grep -q '&gt; 50' page.html"
# What heed-table --to findings writes.
printf '%s\t%s\t%s\n' kind claims text finding '' 'A <did> better.' finding '' Two. verdict 2 open verdict 12 confirmed \
	verdict 3 'not judged: one seed' verdict 4 'not judged: A/A rows differ' verdict 1 'no difference larger than' verdict 5 'not run' \
	open 2 '1 more seed would decide.' > findings.tsv
exits 0 'findings' 'heed-report --findings findings.tsv -o page.html'
has '... are sentences' '^<p class="finding">A &lt;did&gt; better.</p>$' '^<p class="finding">Two.</p>$' '^<p class="about">1 more seed would decide. Differences are in'
runs heed-report --findings findings.tsv --heading B --findings findings.tsv -o both.html && that "$(grep -c 'Differences are in' both.html)" = 1 &&
	that "$(grep -c '1 more seed would decide' both.html)" = 2; say $? '... whose numbers are explained once'
sed -n 's/<[^>]*>//g; /[0-9] confirmed/s/[^a-zA-Z0-9 ]//gp' page.html | tr -s ' ' > found
that "$(cat found)" = ' 12 confirmed 1 no difference 2 open 7 not judged 5 not run'; say $? '... with the number of claims by verdict'; sed 's/^/# /' found
sed '/^finding/d' findings.tsv > none.tsv; exits 0 '... or without sentences' 'heed-report --findings none.tsv -o page.html'
has '... which say so' '^<p class="finding">Nothing is found yet'
exits 3 'other tables are not findings' 'heed-report --findings notes.md'
matches 'notes.md: expected the columns kind, claims and text' err; say $? '... by name'
# Claims as heed-table writes them: differences first, details collapsed.
{ printf '%s\t' claim systems corpus seeds 'difference [95% CI]' 'adjusted p' 'BLEU difference [95% CI]' "paper's difference"
echo verdict
printf '%s\t' A 'a > b' x.en-de 3 'NLL -0.05 [-0.07, -0.03]' 0.01 '+1.0 [+0.5, +1.5]' +0.5; echo confirmed
printf '%s\t' A 'a > b' x.en-cs 1 'NLL -0.05' '' '+1.0' ''; echo 'not judged: one seed'
printf '%s\t' B 'c > b' x.en-de 0 '' '' '' +0.5; echo 'not run'; } > whole.tsv
exits 0 'claims of heed-table' 'heed-report --claims whole.tsv -o page.html'
names() { sed -n '/<th scope="col"/s/<[^>]*>/|/gp' page.html | tr -s '|'; }
names > found
printf '%s\n' "|claim|verdict|corpus|difference [95% CI]|BLEU difference [95% CI]|paper&#39;s difference|" \
	'|claim|systems|corpus|seeds|adjusted p|' | equals - found
say $? '... have verdict and differences first'; sed 's/^/# /' found
has '... those not run have their corpus' '^<li>B (x.en-de)</li>$'
has '... details are collapsed' '^<summary>Details: systems, seeds, p-values, detectable differences</summary>' \
	'<td class="n" data-name="difference \[95% CI\]"><span>NLL -0.05</span> <span>\[-0.07, -0.03\]</span></td>'
that "$(grep -c '<tr><th scope="row"' page.html)" = 4; say $? '... without claims that were not run'
# The complete table has a line for each baseline, of which one decides.
{ printf '%s\t' claim against decides; echo verdict; printf 'A\tb\tno\t\nA\tc\tyes\tconfirmed\nB\tb\tyes\tunheard of\n'; } > every.tsv
exits 0 'claims with a line for each baseline' 'heed-report --claims every.tsv -o page.html'
has '... whose verdict is only where it decides' '<td class="brief" data-name="verdict"></td>' '<td class="brief" data-name="verdict"><span class="verdict good">'
lacks '○' page.html && matches '<td class="brief" data-name="verdict">unheard of</td>' page.html; say $? '... and nothing is called not run that is not'
grep -v en-cs whole.tsv > one.tsv
exits 0 'claims on one corpus' 'heed-report --claims one.tsv -o page.html'
names | tail -n 1 | matches -x '|claim|systems|corpus|seeds|adjusted p|'; say $? '... have the corpus in the details'
grep -v 'en-de.3' whole.tsv > bare.tsv
exits 0 'columns without values in any claim that was run' 'heed-report --claims bare.tsv -o page.html'
names > found
printf '%s\n' '|claim|verdict|corpus|difference [95% CI]|BLEU difference [95% CI]|' '|claim|systems|corpus|seeds|' | equals - found
say $? '... are left out'; sed 's/^/# /' found
printf 'system\tBLEU\nA\t26.98 ± 1.43†\nB\t27.1¹\n' > seed.tsv
exits 0 'a row with one seed' 'heed-report --table seed.tsv -o page.html'
has '... is a row of numbers' '<th scope="col" class="n">BLEU</th>' '<td class="n">27.1¹</td>'
printf '**claims of <X>**\n\n| claim | verdict |\n| --- | ---: |\n| X | not run |\n' > none.md
exits 0 'claims without any run' 'heed-report --claims none.md -o page.html'
lacks '<table' page.html; say $? '... have no table'
has '... and their list has the title' '<summary>1 claim not run</summary>' '^<p>claims of &lt;X&gt;</p>$'
exits 0 'several tables of claims' 'heed-report --claims claims.md --claims none.md --text end -o page.html'
that "$(grep -c ' not run</summary>' page.html)" = 1; say $? '... have one list'
has '... of all of them' '<summary>2 claims not run</summary>' '^<li>C helps</li>$' '^<li>X</li>$'
printf 'system\tBLEU\truns\nA\t1.5\t3\n<B>\t\t0\nC\t\t0\n' > runs.tsv
exits 0 'a table with rows without runs' 'heed-report --table runs.tsv --caption T -o page.html'
has '... names them below it' '^<p class="about">Without runs: &lt;B&gt;; C.</p>$'
that "$(grep -c '<tr>' page.html)" = 2; say $? '... and has only the others'
sed '/^A/d' runs.tsv > no-runs.tsv; exits 0 'a table without runs' 'heed-report --table no-runs.tsv --caption T -o page.html'
lacks '<table' page.html; say $? '... is only named'
exits 3 'claims without verdicts are refused' 'heed-report --claims table.tsv'
matches "table.tsv: no column 'claim'" err; say $? '... by name'
printf 'a\tb\n1\t2\t3\n' > wide.tsv
exits 3 'more cells than columns are refused' 'heed-report --table wide.tsv'
matches 'wide.tsv: line 2: 3 cells, expected 2' err; say $? '... by line'
: > empty
exits 3 'an empty table is refused' 'heed-report --table empty'
echo '|' > bar.md
exits 0 'a single bar is a cell' 'heed-report --table bar.md'
cat > several.md <<'END'
What is <measured>,
and how.

### enc-self: 6 heads

| rho | a \| b |
|---|--:|
| x | **1.00** |
| y | -0.26 |

**of all**

| n |
|---|
| 3 |
That is all.
END
exits 0 'Markdown with several tables' 'heed-report --table several.md --caption first -o page.html'
has '... has all of them' '<caption id="first">' '<th scope="col" class="n">a | b</th>' \
	'<td class="n"><strong>1.00</strong></td>' \
	'<td class="n">-0.26</td>' '<caption id="of-all"><span>of all</span>' \
	'<th scope="row" class="brief">3</th>'
has '... and headings and paragraphs between them' '^<p>What is &lt;measured&gt;, and how.</p>' \
	'<h3 id="enc-self-6-heads">enc-self: 6 heads</h3>' \
	'^<p>That is all.</p>'
sed 's/^| y |/| y | 1 |/' several.md > wide.md
exits 3 'a row with too many cells in one of them is refused' 'heed-report --table wide.md'
matches 'wide.md: line 9: 3 cells, expected 2' err; say $? '... by line'
for h in 1 2 3 4 5; do echo '{"site":"cross","layer":1,"head":'$h',"a":'$h',"b":'$((h * h))'}'; \
	done > h
{ echo \
	'["heed",1,"head",{"fields":{"site":"str","layer":"int","head":"int","a":"float","b":"float"}}]'
cat h; } |
	heed-pack --no-pg -j --partial | head-compare --to md > compare.md
exits 0 'Markdown of head-compare' 'heed-report --table compare.md -o page.html'
has '... has its tables' '<td class="n"><strong>1.00</strong></td>' 'Spearman'
printf '| x | y |\n|---|---|\n| 1 | - |\n| - | - |\n| a \\| b | c \\\\ d |\n' > dashes.md
exits 0 'rows of hyphens and of backslashes' 'heed-report --table dashes.md -o page.html'
has '... are ordinary rows' \
	'<tr><th scope="row" class="brief">-</th><td class="brief">-</td></tr>' \
	'>a | b</th>.*>c \\ d<'
printf 'a\tpaper, b\n1\t\n' > short.tsv
exits 0 'a row with missing cells' 'heed-report --table short.tsv -o page.html'
has "... has empty cells, tinted in a paper's column" '<th scope="row" class="brief">1</th><td class="brief paper"></td>'
printf '†\tbetter <than>\n' > terms
exits 0 'explanations' 'heed-report --terms terms --caption Marks -o page.html'
has '... are collapsed' '<summary>Marks</summary>' '<dt>†</dt><dd>better &lt;than&gt;</dd>'

# --- long tables, long numbers, missing numbers ---
{ printf 'run\tx\n'; seq 40 | sed 's/.*/r&\t&/'; } > 40.tsv
{ cat 40.tsv; printf 'r41\t41\n'; } > 41.tsv
exits 0 'tables of 40 rows and of 41' \
	"heed-report --table 40.tsv --caption 'A & b' --table 41.tsv --caption 'All & more' --table 41.tsv -o page.html"
has '... the longer one is collapsed under its caption' '<caption id="a-b">' \
	'^<summary id="all-more"><strong>All &amp; more</strong>, 41 rows</summary>$' \
	'aria-labelledby="all-more"' '^<summary>41 rows</summary>$'
that "$(grep -c '<details>' page.html)" = 2 && that "$(grep -c '<caption' page.html)" = 1 &&
	that "$(grep -c '<tr><th scope="row"' page.html)" = 122
say $? '... with all rows'
for x in 0.26873446470183326 -12.3456789 1234567.5 +0.000123456789 1.23456789e-05 0.00000123456 1234567 \
    0.123456 99.99999999; do printf 'x\t%s\n' "$x"; done > long
{ printf 'x\ty\n'; cat long; } > long.tsv
exits 0 'numbers with many digits' 'heed-report --table long.tsv -o page.html'
sed -n 's,.*<td class="n">\(.*\)</td></tr>$,\1,p' page.html | tr '\n' ' ' > found
that "$(cat found)" = '0.269 -12.3 1234568 +0.000123 1.23e-05 0.00000123456 1234567 0.123456 100.0 '
say $? '... are rounded to three, digits before the point are kept'
printf 'x\ty\tz\na\t-\t> 50\nb\t1.5\t66\nc\t–\t\n' > gaps.tsv
exits 0 'columns with missing numbers and bounds' 'heed-report --table gaps.tsv -o page.html'
has '... are columns of numbers' '<th scope="col" class="n">y</th>' \
	'<td class="n">-</td><td class="n">&gt; 50</td>'
exits 2 'a page without parts is refused' 'heed-report --title t -o none.html'
matches 'no parts, expected' err && that ! -e none.html; say $? '... and not written'

# --- figures and pages of head-map ---
ns='xmlns="http://www.w3.org/2000/svg"'
svg() { printf '<svg %s role="img" width="30" height="20" viewBox="0 0 30 20" font-family="x">\n<title>T</title>\n%s\n</svg>\n' "$ns" "$1"; }
svg '<g class="themed"><title>A: 1 &amp; 2</title><a href="#run"><text x="1" y="2" fill="#222">é &lt;</text></a><path d="M0 0h1" fill="none"/></g>' > plain.svg
exits 0 'a plain drawing' 'heed-report --figure plain.svg --caption "A & b" -o page.html'
has '... is in the page itself' '<svg role="group" aria-label="A &amp; b" width="30" height="20" viewBox="0 0 30 20" font-family="x">$' \
	'^<g class="themed"><title>A: 1 &amp; 2</title><a href="#run"><text x="1" y="2" fill="#222">é &lt;</text></a><path d="M0 0h1" fill="none"/></g>$'
lacks '<title>T' page.html && lacks '<img' page.html; say $? '... without its title, which the caption has'
# An inch has 96 pixels; lengths that depend on the page do not count, but the view box does.
for size in '8cm 6cm 302 227' '80mm 60mm 302 227' '3in 1.5in 288 144' '30pt 60pt 40 80' '12px 9px 12 9' '50% 10% 80 60' '5em 6cm 80 60'; do
	set -- $size
	printf '<svg %s width="%s" height="%s" viewBox="0 0 80 60"><style>path { fill: red }</style></svg>\n' "$ns" $1 $2 > sized.svg
	runs heed-report --figure sized.svg -o page.html && matches "<img alt=\"figure\" width=\"$3\" height=\"$4\" " page.html; say $? "an image of $1 by $2"
done
# image 'what' CONTENT [SVG]: a figure with anything else is an image, in which nothing runs
image() {
	svg "$2" > other.svg; [ $# = 2 ] || printf %s "$3" > other.svg
	runs heed-report --figure other.svg -o page.html && matches '<img alt="figure".*base64' page.html && lacks '<svg' page.html
	say $? "$1 is not in the page"
}
image 'a script' '<script>x()</script>'
image 'a handler' '<g onclick="x()"></g>'
image 'a style' '<g style="fill: red"></g>'
image 'a style sheet' '<style>* { fill: red }</style>'
image 'a link to another page' '<a href="https://a.org/x"><text>x</text></a>'
image 'a link that runs a script' "<a href='javascript:x()'><text>x</text></a>"
image 'a link of another name' '<a xlink:href="#x"><text>x</text></a>'
image 'a reference' '<use href="#x"/>'
image 'a paint server of another page' '<path fill="url(https://a.org/x)" d=""/>'
image '... in capitals' '<path fill="URL(https://a.org/x)" d=""/>'
image '... with an entity' '<path fill="u&#114;l(https://a.org/x)" d=""/>'
image 'an id' '<g id="contents"></g>'
image 'HTML' '<foreignObject><b>x</b></foreignObject>'
image 'an element in a title' '<g><title><g></g></title></g>'
image 'an unknown entity' '<text>&x;</text>'
image 'a comment' '<!-- x -->'
image 'a section of other text' '<![CDATA[x]]>'
image 'an element that does not end' '<g>'
image 'an element that ends twice' '<g></g></g>'
image 'an unquoted value' '<g fill=red></g>'
image 'a capital element' '<SCRIPT>x()</SCRIPT>'
image 'a declaration' x '<?xml version="1.0"?><svg></svg>'
image 'a drawing with something after it' x '<svg></svg><b>x</b>'
image 'a nested drawing' '<svg></svg>'
svg '<text>narrow</text>' > thin.svg
exits 0 'a figure with a form for phones' 'heed-report --figure plain.svg --narrow thin.svg --caption c -o page.html'
has '... has both' '^<div class="wider">$' '^<div class="narrow">$' '<text>narrow</text>'
exits 2 'a form for phones without a figure' 'heed-report --table table.tsv --narrow thin.svg'
exits 3 'a figure that is not SVG is refused' 'heed-report --figure table.tsv'
gzip -dc < "$HEED_TOP/tests/data/model/story.tar.gz" > story.tar
echo 'the dog' > s && heed-pack --no-pg s s > s.heed
head-map -m story.tar --to html --title '"x" & </iframe><script>y()</script>' -o in.html s.heed
exits 0 'an embedded page of head-map' 'heed-report --walk in.html --caption w -o page.html'
sed -n '/^<iframe sandbox="allow-scripts" title="w" srcdoc="/,/^"><\/iframe>/p' page.html |
	sed 's/^<iframe sandbox="allow-scripts" title="w" srcdoc="//; /^"><\/iframe>/d' > framed
matches '&quot;' framed && lacks '"' framed; say $? '... is escaped'
sed 's/&quot;/"/g; s/&amp;/\&/g' framed | equals - in.html; say $? '... and complete'
exits 3 'another page is refused' 'heed-report --walk page.html'
matches 'page.html: not a page of head-map --to html, expected one' err; say $? '... by name'
sed 's|^</body>|<script>y()</script>&|' in.html > added.html
sed 's|<h1>.*</h1>|<h1><b>x</b></h1>|' in.html > title.html
sed "s/script-src '[^']*'/script-src 'unsafe-inline'/" in.html > policy.html
sed "s|id=\"data\">|&</script><script>y()</script><script>|" in.html > data.html
sed "s|'use strict';|&y();|" in.html > code.html
for f in added title policy data code; do
	cmp -s $f.html in.html && echo "# $f.html is the same"
	exits 3 "... also one with a changed $f" "heed-report --walk $f.html -o no.html"
done
head -c 20000 in.html > cut.html
exits 3 '... also a truncated one' 'heed-report --walk cut.html'
exits 3 '... also a table' 'heed-report --walk table.tsv'

# --- translations ---
stream() {	# FILE TRANSLATION...: of sentences 1 and 2
	name=$1; shift
	for i in 1 2; do printf '{"id":%s,"src":"s%s","tgt":"the <a> the","hyp":"%s"}\n' $i $i \
		"$1"; shift; done > t
	{ echo \
		'["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","hyp":"str"}}]'
	cat t; } |
		heed-pack --no-pg -j --partial -o "$name"
}
stream one.heed 'the the the <a>' 'b' && stream two.heed 'x' 'y'
exits 0 'translations of two systems' \
	'heed-report --samples 1 --translations one.heed --caption "<1>" --translations two.heed -o page.html'
has '... are shown sentence by sentence' '^<dt>source</dt><dd>s1</dd>$' \
	'<dt>reference</dt><dd>the &lt;a&gt; the</dd>' \
	'<dt>translation</dt><dd><mark>x</mark></dd>'
has '... words that are not in the reference are marked' \
	'<dt>&lt;1&gt;</dt><dd>the the <mark>the</mark> &lt;a&gt;</dd>'
that "$(grep -c '<dl class="sample">' page.html)" = 1; say $? '... for the requested number of sentences'
heed-show one.heed | sed 's/"tgt":"the/"tgt":"a/' | heed-pack --no-pg -j -o other.heed
exits 3 'translations of other references are refused' 'heed-report --translations one.heed --translations other.heed'
matches 'other.heed: sentence 1 is another one' err; say $? '... by the sentence'
heed-show one.heed | sed 's/"tgt":"the/"tgt":"t he/' | heed-pack --no-pg -j -o other.heed
runs heed-report --translations one.heed --translations other.heed > page.html; say $? '... other tokens are not'
heed-show one.heed | sed 's/"tgt":"[^"]*",//; s/"tgt":"str",//' | heed-pack --no-pg -j -o bare.heed
heed-show bare.heed | sed 's/"src":"s2"/"src":"z"/' | heed-pack --no-pg -j -o else.heed
exits 0 'streams without references' 'heed-report --translations one.heed --translations bare.heed -o page.html'
exits 3 '... must have the same sources' 'heed-report --translations bare.heed --translations else.heed'
head -c $(($(wc -c < one.heed) - 9)) one.heed > cut.heed
exits 3 'a stream truncated after the sentences shown is refused' \
	'heed-report --samples 1 --translations cut.heed'
exits 3 'a stream without hyp is refused' \
	"heed-pack --no-pg table.tsv table.tsv -o plain.heed; heed-report --translations plain.heed"

# --- heads ---
printf 'site\tlayer\thead\trole\tconfidence\tnorm\n' > heads.tsv
printf '%s\t%s\t%s\t%s\t%s\t%s\n' enc-self 1 2 'p<q' 0.25 3 cross 2 1 other 0.5 - enc-self 3 4 other 0.75 9.87654 >> heads.tsv
exits 0 'a map of heads' 'heed-report --heads heads.tsv --caption Toy --walk-page "walk.html" -o page.html'
has '... with links to the page of weights' '<a href="walk.html#enc-self-1-2" aria-label="layer 1, head 2">1.2</a>' \
	'<a href="walk.html#cross-2-1" aria-label="layer 2, head 1">2.1</a>'
has '... shaded by rank among all heads' '<td class="n q0">0.25</td>' '<td class="n q5">0.5</td>' '<td class="n q9">0.75</td>' '<td class="n q9">9.88</td>'
has '... a table for each kind, with the number of heads' 'Toy: Encoder self-attention, 2 heads' 'Toy: Encoder-decoder attention, 1 head<'
has '... and escaped roles' 'p&lt;q'
printf 'site\tlayer\thead\tx\nenc-self\t0\t1\t2\n' > zero.tsv
exits 3 'layer 0' 'heed-report --heads zero.tsv'
exits 3 'a table without heads' 'heed-report --heads table.tsv'
exits 2 'an address that could run a script' 'heed-report --heads heads.tsv --walk-page javascript:x'
exits 2 'an address without a map' 'heed-report --table table.tsv --walk-page walk.html'

# --- incomplete and contradictory parts ---
printf 'a\tb\n1\n' > few.tsv
fails 3 'a row with too few cells' 'few.tsv: line 2: 1 cells, expected 2' 'heed-report --table few.tsv'
printf 'claim\tverdict\nC\n' > few.tsv
fails 3 '... so that a claim has no verdict' 'few.tsv: line 2: 1 cells, expected 2' 'heed-report --claims few.tsv'
sed 's/narrow/\xe9/' thin.svg > latin.svg
fails 3 'a figure that is not UTF-8' '(0xe9) is not UTF-8' 'heed-report --figure latin.svg'
for cut in 40 100; do head -c $(($(wc -c < plain.svg) - cut)) plain.svg > cut.svg
	fails 3 "a figure without its last $cut bytes" 'cut.svg: no end of the svg element' 'heed-report --figure cut.svg'
	fails 3 '... also for phones' 'cut.svg: no end of the svg element' 'heed-report --figure plain.svg --narrow cut.svg'
done
printf 'kind\tclaims\ttext\n\nfoo\t\tX\n' > foo.tsv
fails 3 'an unknown kind of finding' "foo.tsv: row 1: kind 'foo', expected finding, verdict or open" 'heed-report --findings foo.tsv'
for count in x -3 ''; do printf 'kind\tclaims\ttext\nverdict\t%s\topen\n' "$count" > foo.tsv
	fails 3 "'$count' claims with a verdict" "foo.tsv: row 1: claims '$count' of a verdict, expected their number" 'heed-report --findings foo.tsv'
done
echo term > foo; fails 3 'a term without explanation' 'foo: line 1: no tab, expected a term, a tab and an explanation' 'heed-report --terms foo'
printf 'a\tb\nterm\n' > foo; fails 3 '... after one with it' 'foo: line 2: 1 cells, expected 2' 'heed-report --terms foo'
heed-show one.heed | head -n 2 | heed-pack --no-pg -j --partial -o first.heed
fails 3 'streams with different numbers of sentences after those shown' '2 sentences, expected 1 as in the first' \
	'heed-report --samples 1 --translations first.heed --translations one.heed'
fails 2 '--samples without translations' '--samples without --translations' 'heed-report --samples 3 --table table.tsv'
for o in '--table table.tsv --caption' '--figure plain.svg --alt' '--figure plain.svg --narrow' '--heads heads.tsv --walk-page'; do
	ends 2 heed-report $o thin.svg --${o##*--} thin.svg 2> err && matches "has thin.svg already, expected one" err; say $? "a second --${o##*--} of a part"
done
fails 2 'a link without address' "--link '': expected https" "heed-report --link ''"

# --- errors ---
exits 4 'a missing table is an error' 'heed-report --table nope -o other.html'
that ! -e other.html && that -z "$(ls -- *.tmp 2> /dev/null)"; say $? '... that leaves no page'
exits 4 'a missing run is an error' 'heed-report --run nope'
mkdir bare; exits 3 'a folder without files of a run is refused' 'heed-report --run bare'
mkdir kept; printf 'preset\tstory\nengine\t1\npg\tnmt-train 9\n' > kept/model.tsv
exits 0 'an entry of the ledger' 'heed-report --run kept -o page.html'
has '... with model.tsv' '<th scope="row">preset</th><td>story</td>' '<th scope="row">pg</th><td>nmt-train 9</td>'
mkdir doubled; printf '%s\t1\n' paper column variant seed bleu bleu > doubled/record
exits 3 'a run whose record is malformed is refused' 'heed-report --run kept --run doubled -o other.html'
matches 'doubled/record: line 6: duplicate fact bleu' err; say $? '... by its line, also under a sanitizer for leaks'
for file in record settings model.tsv model.tar; do
	mkdir fifo; mkfifo fifo/$file; exits 3 "a run whose $file is a FIFO" 'timeout 20 heed-report --run fifo -o other.html'; rm -r fifo
done
exits 2 'an unknown option' 'heed-report --frobnicate'
exits 2 'an option without its value' 'heed-report --title'
exits 2 'a caption without a part that takes it' 'heed-report --text t --caption c'
exits 2 'an alternative text without a figure' 'heed-report --table table.tsv --alt a'
exits 4 'a full disk is an error' 'heed-report --table table.tsv > /dev/full'
