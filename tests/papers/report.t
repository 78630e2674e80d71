#!/bin/sh
# heed-report in a browser: its page opens from the disk without network, fits a phone, all its links
# lead somewhere, it can be worked by keyboard, and in it one walks through the heads of a model, whose
# weights are those of an independent implementation (nmt-score's golden files).
. "$HEED_TOP/tests/lib.sh"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$chromium" ]; then
	echo '1..0 # SKIP no chromium here: apt-get install chromium'
	exit 0
fi
export CHROMIUM="$chromium"
plan 32

# --- a page with all there can be in it ---
gzip -dc < "$HEED_TOP/tests/data/model/story.tar.gz" > story.tar
printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
heed-show in.heed | sed 's/"fields":{/&"hyp":"str",/; /^{/s/"tgt":"\([^"]*\)"/&,"hyp":"\1 \1"/' | heed-pack -j > hyp.heed
head-map -m story.tar --html --id 1,2 --title 'Story' -o walk.html in.heed
head-map -m story.tar --site enc.1.self -o map.svg --id 2 in.heed
long=a-word-that-is-longer-than-any-phone-is-wide-and-has-no-place-where-it-could-be-broken_
printf 'system\tBLEU\tpaper, some\tdifference\tanother\tmore\truns\n' > table.tsv
for i in 1 2 3; do printf 'row %s\t26.98 ± 1.43†\t25.28\t+1.84\t%s\t%s\t3\n' $i $long $long; done >> table.tsv
printf 'claim\tcompared\tdifference\tverdict\n' > claims.tsv
printf 'It helps\ta > b\t+1.84 ± 0.15\tconfirmed\nNobody asked\ta > c\t\tnot run\n' >> claims.tsv
printf '†\tbetter\n' > terms
for s in 1 2; do
	mkdir -p run/toy/t.en-de/plain/$s
	printf '%s\t%s\n' paper toy column t.en-de variant plain seed $s bleu 2$s.5 command "nmt-train --seed $s $long" \
		> run/toy/t.en-de/plain/$s/record
	echo "--arch $long" > run/toy/t.en-de/plain/$s/settings
	cp story.tar run/toy/t.en-de/plain/$s/model.tar
done
heed-report --title "The <title> & $long" --text "$long" --heading 'Claims' --claims claims.tsv --terms terms \
	--heading 'Tables & <more>' --table table.tsv --caption 'A table' --table table.tsv --caption 'A table' \
	--heading Figures --subheading Maps --figure map.svg --caption 'A map' --figure map.svg \
	--heading Heads --walk walk.html --caption 'The heads' --heading Translations --translations hyp.heed \
	--caption "$long" --heading Runs --run run/toy/t.en-de/plain/1 --run run/toy/t.en-de/plain/2 -o page.html ||
	{ echo 'Bail out! no page'; exit 1; }

# browse: commands of tests/browse.pl; what they print is in the file found
browse() { perl "$HEED_TOP/tests/browse.pl" > found 2> err; r=$?; [ $r = 0 ] || sed 's/^/# /' err; }
# is LINE TEXT 'what': that line of what was found
is() {
	[ "$(sed -n "$1p" found)" = "$2" ]; r=$?
	say $r "$3"
	[ $r = 0 ] || echo "# found '$(sed -n "$1p" found)', expected '$2'"
}
w="document.querySelector('iframe').contentDocument"

# --- what is in it ---
browse <<END
window 1280 900
open page.html
js document.compatMode + ' ' + document.title
js [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).length
js document.querySelectorAll('a[href^="#"]').length > 12
js (ids => ids.length - new Set(ids).size)([...document.querySelectorAll('[id]')].map(e => e.id))
js [...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1]).every((l, i, a) => i ? l <= a[i - 1] + 1 && l > 1 : l === 1)
js [...document.querySelectorAll('img')].every(i => i.alt && i.complete && i.naturalWidth > 100 && i.clientWidth > 100)
js [...document.querySelectorAll('table')].every(t => t.querySelector('tbody th[scope=row]') && (t.matches('.facts') ? t.caption : t.tHead.querySelectorAll('th:not([scope=col])').length === 0))
js [...document.querySelectorAll('details')].every(d => !d.open) && document.body.textContent.includes('recipe.lr')
js $w.querySelector('h1').textContent + ' ' + $w.querySelectorAll('#overview canvas').length
js Math.abs(document.querySelector('iframe').clientHeight - $w.documentElement.offsetHeight) < 9
js document.querySelector('nav').getBoundingClientRect().right < document.querySelector('main').getBoundingClientRect().left
asked
errors
END
is 1 "CSS1Compat The <title> & $long" 'the page opens from the disk'
is 2 0 'each link in it leads somewhere'
is 3 true '... of which there are some'
is 4 0 'no two parts have one name'
is 5 true 'headings are in order'
is 6 true 'figures are drawn, and have a text in their place'
is 7 true 'tables have names for rows, for columns or for themselves'
is 8 true 'runs are folded up, and there'
is 9 'Story 6' 'the heads are in it'
is 10 true '... at full height'
is 11 true 'the contents stand beside it where there is room'
is 12 '' 'nothing is asked for, and nothing fails'

# --- on a phone, in light and dark, on paper ---
wide='document.documentElement.scrollWidth'
bright='Math.round((c => c[0] * .3 + c[1] * .6 + c[2] * .1)(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g)))'
browse <<END
window 360 740
open page.html
js $wide
js document.querySelectorAll('details').forEach(d => d.open = true)
js $wide
js $w.documentElement.scrollWidth <= document.querySelector('iframe').clientWidth
js [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).every(e => e.tabIndex === 0 && (e.ariaLabel || document.getElementById(e.getAttribute('aria-labelledby'))))
js [...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).length > 1
window 320 600
js $wide
js $bright
scheme dark
js $bright
scheme print
js getComputedStyle(document.querySelector('nav')).display + ' ' + $bright
errors
END
is 1 360 'it is no wider than a phone'
is 3 360 '... with all that is folded up'
is 4 true '... nor are the heads'
is 5 true 'what is wider moves by keyboard, and has a name'
is 6 true '... and there are such'
is 7 320 'a small phone will do'
is 8 255 'it is bright in the light'
[ "$(sed -n 9p found)" -lt 60 ]; say $? '... dark in the dark'
is 10 'none 255' '... and without contents on paper'
is 11 '' 'nothing fails there'

# --- by keyboard ---
# The weights of head 2 of dec.1.cross, second row, first symbol: of 2 heads, 4 rows and 4 columns.
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
js $w.querySelector('#says').textContent.replace(/[0-9.]+\$/, '') + '|' + $w.querySelector('#says').textContent.match(/[0-9.]+\$/)[0]
key Escape
js $w.querySelector('#says').textContent
key ArrowDown
js $w.querySelector('[aria-pressed=true][value]').value
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
is 1 'To the content' 'the first key leads over the contents'
is 2 content '... to the content'
is 3 true '... and on from there'
found=$(sed -n 5p found)
[ "${found%|*}" = "dec.1.cross, head 2: mann looks most at ${most#* } " ] &&
	awk -v a="${found#*|}" -v b="${most% *}" 'BEGIN { d = a - b; exit !(a > 0 && d < 1e-3 && d > -1e-3) }'
r=$?; say $r "keys lead to a weight: ${most% *}"; [ $r = 0 ] || echo "# found $found"
is 6 'dec.1.cross, head 2' '... and away from it'
is 7 2/1 '... to the next layer'
is 9 true 'a key unfolds it'
is 11 true 'a link unfolds what it leads to'
is 13 'true Fold all runs' 'all runs at once'
is 14 '' 'nothing fails on the way'
