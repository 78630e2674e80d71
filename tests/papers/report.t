#!/bin/sh
# heed-report in a browser: the page opens from disk without network, fits a phone, has no dead links, and
# works by keyboard; the interactive view of heads shows the weights of an independent implementation (the
# golden files of nmt-score).
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/browse.sh"
plan 72

# --- a page with all kinds of parts ---
gzip -dc < "$HEED_TOP/tests/data/model/story.tar.gz" > story.tar
printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
heed-show in.heed | sed 's/"fields":{/&"hyp":"str",/; /^{/s/"tgt":"\([^"]*\)"/&,"hyp":"\1 \1"/' | heed-pack -j > hyp.heed
head-map -m story.tar --to html --id 1,2 --title 'Story' -o walk.html in.heed
head-map -m story.tar --site enc.1.self -o map.svg --id 2 in.heed
long=a-word-that-is-longer-than-any-phone-is-wide-and-has-no-place-where-it-could-be-broken_
printf 'system\tBLEU\tpaper, some\tdifference\tanother\tmore\truns\n' > table.tsv
for i in 1 2 3; do printf 'row %s\t26.98 ± 1.43†\t25.28\t+1.84\t%s\t%s\t3\n' $i $long $long; done >> table.tsv
printf 'claim\tcompared\tdifference\tverdict\n' > claims.tsv
printf 'A outperforms B\ta > b\t+1.84 ± 0.15\tconfirmed\nA outperforms C\ta > c\t\tnot run\n' >> claims.tsv
# Claims as heed-table writes them, with the longest labels and numbers.
{ printf '%s\t' claim systems corpus seeds epochs 'difference [95% CI]' 'adjusted p' 'detectable difference' \
	'BLEU difference [95% CI]' 'detectable BLEU difference' "paper's difference" "p of the paper's test"; echo verdict
for v in confirmed 'not judged: both below 1 BLEU' 'smaller than reported'; do
	printf '%s\t' 'Enlivening redundant heads improves local-phrase-enhanced attention (LPEA) on Multi30k' \
		'lpea-rhe > localness' multi30k.en-de@10000 8 20-25 'NLL -0.0540 [-0.0592, -0.0488]' 0.0001 0.0104 \
		'-10.98 [-20.84, +11.12]' 10.27 +0.50 '0.0230 (seeds: 0.0230 0.0549 0.0060)'; echo "$v"; done; } > whole.tsv
printf '†\tbetter\n' > terms
for s in 1 2; do
	mkdir -p run/toy/t.en-de/plain/$s
	printf '%s\t%s\n' paper toy column t.en-de variant plain seed $s bleu 2$s.5 command "nmt-train --seed $s $long" \
		> run/toy/t.en-de/plain/$s/record
	echo "--arch $long" > run/toy/t.en-de/plain/$s/settings
	cp story.tar run/toy/t.en-de/plain/$s/model.tar
done
heed-report --title "The <title> & $long" --text "$long" --heading 'Claims' --claims claims.tsv --claims whole.tsv --terms terms \
	--heading 'Tables & <more>' --table table.tsv --caption 'A table' --table table.tsv --caption 'A table' \
	--heading Figures --subheading Maps --figure map.svg --caption 'A map' --figure map.svg \
	--heading Heads --walk walk.html --caption 'The heads' --heading Translations --translations hyp.heed \
	--caption "$long" --heading Runs --run run/toy/t.en-de/plain/1 --run run/toy/t.en-de/plain/2 -o page.html ||
	{ echo 'Bail out! no page'; exit 1; }

# A frame reports its height when it is drawn, which happens when it is in view; on a busy machine,
# it may take seconds until the height no longer changes.
fitted="(async f => { f.scrollIntoView(); for (let i = 0, h = '', same = 0; i < 100 && same < 5; i++) { await new Promise(r => setTimeout(r, 300)); same = h && f.style.height === h ? same + 1 : 0; h = f.style.height; } return f.clientHeight; })(document.querySelector('iframe'))"

# --- content ---
browse <<END
window 1280 900
open page.html
js document.compatMode + ' ' + document.title
js [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).length
js [...document.querySelectorAll('nav a')].map(a => a.textContent).join(', ')
js (ids => ids.length - new Set(ids).size)([...document.querySelectorAll('[id]')].map(e => e.id))
js [...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1]).every((l, i, a) => i ? l <= a[i - 1] + 1 && l > 1 : l === 1)
js [...document.querySelectorAll('figure:not(.walk) .wide')].every(f => (d => d.clientWidth > 100 && (d.ariaLabel || d.alt))(f.querySelector('svg, img')))
js [...document.querySelectorAll('table')].every(t => t.querySelector('tbody th[scope=row]') && (t.matches('.facts') ? t.caption : t.tHead.querySelectorAll('th:not([scope=col])').length === 0))
js [...document.querySelectorAll('details')].every(d => !d.open) && document.body.textContent.includes('recipe.lr')
frame document.querySelector('h1').textContent + ' ' + document.querySelectorAll('.overview canvas').length
js $fitted
frame document.documentElement.offsetHeight
js document.querySelector('nav').getBoundingClientRect().right < document.querySelector('main').getBoundingClientRect().left
js [...document.querySelectorAll('table.claims')].every(t => t.offsetWidth <= t.parentElement.clientWidth)
asked
errors
END
is 1 "CSS1Compat The <title> & $long" 'the page opens from disk'
is 2 0 'all links within the page have a target'
is 3 'Claims, Tables & <more>, Figures, Heads, Translations, Runs' 'the contents have the headings, but neither subheadings nor captions'
is 4 0 'ids are unique'
is 5 true 'headings are in order'
is 6 true 'figures are drawn, and have an alternative text'
is 7 true 'tables have row headers, and column headers or a caption'
is 8 true 'runs are collapsed, and complete'
is 9 'Story 6' 'the view of heads is embedded'
outer=$(sed -n 10p found) inner=$(sed -n 11p found)
that "$inner" -gt 100 && that "$outer" -ge "$inner" && that "$outer" -lt $((inner + 9))
say $? '... at its full height'
is 12 true 'the contents are in a side column on wide screens'
is 13 true '... and claims fit next to them'
is 14 '' 'nothing is loaded, and there are no errors'

# --- phones, light and dark mode, print ---
wide='document.documentElement.scrollWidth'
bright='Math.round((c => c[0] * .3 + c[1] * .6 + c[2] * .1)(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g)))'
browse <<END
window 360 740
open page.html
js $wide
js document.querySelectorAll('details').forEach(d => d.open = true)
js $wide
frame document.documentElement.scrollWidth <= innerWidth
js [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).every(e => e.tabIndex === 0 && (e.ariaLabel || document.getElementById(e.getAttribute('aria-labelledby'))))
js [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).length > 1
window 320 600
js $wide
js [...document.querySelectorAll('table.claims')].map(t => t.parentElement.scrollWidth <= t.parentElement.clientWidth).join()
js $bright
scheme dark
js $bright
scheme print
js getComputedStyle(document.querySelector('nav')).display + ' ' + $bright
errors
END
is 1 360 'the page is not wider than a phone'
is 3 360 '... with all details expanded'
is 4 true '... and neither is the view of heads'
is 5 true 'wider parts scroll by keyboard, and have a label'
is 6 true '... and there are several'
is 7 320 'the page fits a small phone'
is 8 true,true '... and claims do not scroll'
is 9 255 'light mode is bright'
that "$(sed -n 10p found)" -lt 60; say $? 'dark mode is dark'
is 11 'none 255' 'print has no contents'
is 12 '' 'there are no errors'

# --- keyboard ---
# The weights of head 2 of dec.1.cross, second row: of 2 heads, 4 rows and 4 columns.
set -- $(sed -n 's/^dec.1.cross //p' "$HEED_TOP/tests/golden/nmt-score/story-attention.txt")
shift 20
most=$(printf '%s a\n%s man\n%s sees\n%s </s>\n' "$1" "$2" "$3" "$4" | sort -rn | head -n 1)
browse <<END
window 1280 900
open page.html
key Tab
js document.activeElement.textContent
key Enter
js document.activeElement.id
key Tab
js document.activeElement.closest('main') !== null
js document.querySelector('iframe').focus()
key n
key c
key ArrowRight
key j
key j
frame document.querySelector('.says').textContent.replace(/[0-9.]+\$/, '') + '|' + document.querySelector('.says').textContent.match(/[0-9.]+\$/)[0]
key Escape
frame document.querySelector('.says').textContent
key ArrowDown
frame document.querySelector('.overview [aria-pressed=true][value]').value
js document.querySelector('summary').focus()
key Enter
js document.querySelector('details').open
js location.hash = document.querySelector('details.run').id
js document.querySelector('details.run').open
js document.querySelector('button.fold').focus()
key Enter
js [...document.querySelectorAll('details.run')].every(r => r.open) + ' ' + document.querySelector('button.fold').textContent
errors
END
is 1 'Skip to content' 'the first Tab is the link that skips the contents'
is 2 content '... it leads to the content'
is 3 true '... and Tab continues there'
found=$(sed -n 5p found)
[ "${found%|*}" = "dec.1.cross, head 2: mann attends most to ${most#* } " ] &&
	awk -v a="${found#*|}" -v b="${most% *}" 'BEGIN { d = a - b; exit !(a > 0 && d < 1e-3 && d > -1e-3) }'
r=$?; say $r "keys select a weight: ${most% *}"; that $r = 0 || echo "# found $found"
is 6 'dec.1.cross, head 2' '... Escape deselects it'
is 7 2/2 '... an arrow selects the next layer'
is 9 true 'Enter expands details'
is 11 true 'a link expands its target'
is 13 'true Collapse all runs' 'a button expands all runs'
is 14 '' 'there are no errors'

# --- what a report shows first ---
cat > findings.tsv <<'END2'
kind	claims	text
finding		Masks did better (-0.052 nats [-0.064, -0.039], +0.8 BLEU).
finding		With three seeds, differences below 0.024 nats would often be missed.
verdict	11	confirmed
verdict	8	open
open	8	1 to 5 more seeds would decide the open claims if the estimates stayed the same.
END2
printf '%s\n' 'family f 0.02 0.5' 'section t x' 'columns W.en-de' 'plain - 20 Transformer' 'good plain 20.5 Good' 'section claims Claims' 'family f' \
	'columns -' 'good plain - A system is better than another one, which has a long name' 'good other - Good is better than other' > toy.grid
engine=$(sed -n 's/^#define HEED_ENGINE //p' "$HEED_TOP/common/model/engine.h")
for v in plain good other; do for s in 1 2 3; do
	printf '%s\t%s\n' paper toy column t.en-de variant $v seed $s engine $engine commit c0ffee bleu 3$s.$(expr length $v) \
		test.nll 2.$(expr length $v)$((s * s)) > $v.$s
done; done
heed-table -g toy.grid --to forest -o wide.svg plain.? good.? other.?
heed-table -g toy.grid --to forest --narrow -o narrow.svg plain.? good.? other.?
heed-table -g toy.grid --section claims --to md -o toy.md plain.? good.? other.?
{ printf 'system\tBLEU\n'; printf '%s\t%s\n' b '9.5 ± 1.0†' a 10.5 d - c -2; } > sorted.tsv
heed-report --title First --text 'About the paper.' --findings findings.tsv --figure wide.svg --narrow narrow.svg --caption 'The claims' \
	--fold Claims --claims toy.md --fold Tables --table sorted.tsv --caption 'To sort' -o first.html
shown="[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect().width > 0).join()"
column="[...document.querySelector('#to-sort').closest('table').tBodies[0].rows].map(r => r.cells[0].textContent).join('')"
names="document.querySelector('#to-sort').closest('table').querySelectorAll('thead button')"
lit="(rgb => rgb[0] + rgb[1] > 300)(getComputedStyle(document.querySelector('figure svg text')).fill.match(/[0-9]+/g).map(Number))"
inside="[...document.querySelectorAll('.wider svg text')].every(t => (a => a.left >= 0 && a.right <= t.ownerSVGElement.getBoundingClientRect().right)(t.getBoundingClientRect()))"
browse <<END
window 1280 1000
open first.html
js [...document.querySelectorAll('.finding, .tally, figure')].every(e => e.getBoundingClientRect().bottom < 1000)
js [...document.querySelectorAll('details.section')].every(d => !d.open) && document.documentElement.scrollHeight < 1300
js $shown
js document.querySelector('figure svg g > title').textContent
js $inside
js document.querySelector('figure svg a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })) && new Promise(r => setTimeout(r, 200))
js location.hash + ' ' + document.querySelector('details.section').open
js $column
js $names[1].click()
js $column + ' ' + $names[1].parentElement.ariaSort
js $names[1].click()
js $column
js (document.querySelectorAll('details.section').forEach(d => { d.open = true; }), $names[0].focus())
key Enter
js $column
js $lit
scheme dark
js $lit
window 390 844
open first.html
js document.documentElement.scrollWidth === 390 && document.querySelector('.finding').getBoundingClientRect().bottom < 844
js $shown
asked
errors
END
is 1 true 'the first screen has the findings, the verdicts and the figure'
is 2 true '... and all else is collapsed'
is 3 true,false '... with the figure for wide screens'
matched=$(sed -n 4p found); that "${matched%%;*}" != "$matched"; say $? '... whose rows have their values for the pointer'
is 5 true '... and whose texts are inside of it'
is 7 '#claims true' 'a row of the figure leads to its section'
is 8 badc 'a table has the order of its file'
is 10 'abcd descending' '... a click sorts numbers, the largest first'
is 12 cbad '... another click reverses them; missing numbers stay last'
is 14 abcd '... texts are sorted by keyboard'
is 15 false 'figures are dark on light'
is 16 true '... and light in dark mode'
is 17 true 'a phone shows the findings first'
is 18 false,true '... with the figure for phones'
is 19 '' '... nothing is loaded, and there are no errors'

# --- the page of head-map by itself ---
browse <<END
window 1280 900
open walk.html
js document.querySelectorAll('.overview canvas').length
key c
js document.querySelector('.says').textContent
js getComputedStyle(document.querySelector('.pane')).display
asked
errors
END
is 1 6 'the page of head-map works by itself'
is 2 'dec.1.cross, head 1' '... by keyboard'
is 3 grid '... with its style'
is 4 '' '... without errors'
browse <<END
window 1280 900
open walk.html#cross-2-2&sentence=2&token=3&words=1
js location.hash + ' ' + document.querySelector('.says').textContent.replace(/ attends.*/, '')
key ArrowLeft
key w
js location.hash
open walk.html#enc-self-1-mean
js document.querySelector('.says').textContent
js location.hash = '#cross-9-9&token=99'
js location.hash
js document.querySelector('#problem').textContent
errors
END
is 1 '#cross-2-2&sentence=2&words=1&token=3 dec.2.cross, head 2: sieht' 'a link selects layer, head, sentence, words and token'
is 2 '#cross-2-1&sentence=2' '... and keys change the address'
is 3 'enc.1.self, mean of heads' '... as an address changes the view'
is 5 '#cross-2-2' '... clipped to what the page has'
is 6 'This page has no cross-9-9.' '... with a message'
is 7 '' '... without errors'

# --- malicious pages ---
# The attack sets runs where it runs, and hit where it reaches the surrounding page.
attack="<script>runs = 1; parent.document.body.dataset.hit = 1;</script><img src=x onerror='runs = 1; parent.document.body.dataset.hit = 1'>"
sed "s|^</body>|$attack&|" walk.html > hostile.html
# Inserted before the first </body>, that of the embedded page.
sed "0,/^<\/body>/s|^</body>|$attack&|" page.html > framed.html
# The same without the policy.
sed 's/http-equiv=[^ ]*//' framed.html | sed 's/http-equiv=//' > bare.html
sed 's|<main [^>]*>|&<p><a id="lure" href="javascript:document.body.dataset.hit=1">x</a>|' page.html > lure.html
hit='document.body.dataset.hit'
browse <<END
open hostile.html
js typeof runs
open framed.html
frame typeof runs
js typeof $hit
open bare.html
frame typeof runs
js typeof $hit
open lure.html
js document.querySelector('#lure').click()
js new Promise(r => setTimeout(r, 300))
js typeof $hit
END
is 1 undefined 'added scripts do not run in the page of head-map'
is 2 undefined '... nor in the frame of a report'
is 3 undefined '... and do not reach the report'
is 4 number 'without the policy a script runs'
is 5 undefined '... and the sandbox confines it'
is 8 undefined 'a javascript: address does not run'

# --- a map of heads ---
head-stat -q -m story.tar --frequent 0 -o heads.heed in.heed 2> /dev/null
head-compare --table --brief -o heads.tsv heads.heed
heed-report --heads heads.tsv --walk-page walk.html -o map.html
browse <<END
window 390 800
open map.html
js document.documentElement.scrollWidth
js document.querySelectorAll('table.heads tbody tr').length
js [...document.querySelectorAll('table.heads a')].map(a => a.getAttribute('href')).pop()
js getComputedStyle(document.querySelector('.heads .q9')).backgroundColor === getComputedStyle(document.querySelector('.heads .q1')).backgroundColor
errors
END
is 1 390 'a map of heads fits a phone'
is 2 "$(heed-show -f site heads.heed | wc -l)" '... with a row for each head'
is 4 false '... in shades'
href=$(sed -n 3p found)
browse <<END
open $href
js location.hash + ' ' + document.getElementById('problem').textContent
END
is 1 "#${href#*#} " '... whose links are views of the page of weights'

# --- malicious runs, names and texts ---
evil="</td></script></title><script>document.body.dataset.hit=1</script><img src=x onerror='document.body.dataset.hit=1'>"
mkdir evil
# Names in a record must not contain a slash.
name=$(printf %s "$evil" | tr -d /)
printf '%s\t%s\n' paper "$name" column "$name" variant "$name" seed 1 bleu 1 command "$evil" "$evil" "$evil" > evil/record
echo "--arch $evil" > evil/settings
cp story.tar evil/model.tar
printf '%s\t%s\n' "$evil" BLEU "$evil" 1 > evil.tsv
printf 'claim\tverdict\n%s\t%s\n' "$evil" "$evil" > evil-claims.tsv
printf '%s\t%s\n' "$evil" "$evil" > evil-terms
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="document.body.dataset.hit=1"><script>document.body.dataset.hit=1</script></svg>' > evil.svg
heed-show hyp.heed | awk -v evil="$(printf %s "$evil" | sed 's/[\\&]/\\\\&/g')" '/^{/ { gsub(/the dog/, evil) } { print }' | heed-pack -j --no-pg > evil.heed
head-map -m story.tar --to html --id 1 --title "$evil" -o evil-walk.html evil.heed
heed-report --title "$evil" --heading "$evil" --text "$evil" --table evil.tsv --caption "$evil" --claims evil-claims.tsv \
	--terms evil-terms --figure evil.svg --alt "$evil" --walk evil-walk.html --caption "$evil" --translations evil.heed \
	--caption "$evil" --run evil --link "evil.html?$evil" --caption "$evil" -o evil.html
browse <<END
open evil.html
js [...document.querySelectorAll('details')].forEach(d => d.open = true)
frame document.querySelectorAll('.overview canvas').length + ' ' + document.querySelectorAll('script').length
js new Promise(r => setTimeout(r, 300))
js typeof $hit + ' ' + document.querySelectorAll('script').length
asked
errors
END
is 2 '6 3' "markup in the view of heads is text"
is 4 'undefined 1' '... and in all other parts of the page'
that "$(wc -l < found)" = 4; say $? '... nothing is loaded, and there are no errors'
