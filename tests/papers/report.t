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
plan 47

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
# Claims as heed-table writes them, with the longest names and figures there are.
{ printf '%s\t' claim compared column seeds epochs 'difference, 95 % interval' p 'could show' \
	'BLEU difference, 95 % interval' 'could show, BLEU' "paper's"; echo verdict
for v in confirmed 'both below BLEU 1: not decided' 'no effect of that size'; do
	printf '%s\t' 'Enlivening redundant heads improves local-phrase-enhanced attention (LPEA) on Multi30k' \
		'lpea-rhe > localness' multi30k.en-de@10000 8 20-25 'NLL -0.0540 [-0.0592, -0.0488]' 0.0001 0.0104 \
		'-10.98 [-20.84, +11.12]' 10.27 +0.50; echo "$v"; done; } > whole.tsv
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

# browse: commands of tests/browse.pl; what they print is in the file found
browse() { perl "$HEED_TOP/tests/browse.pl" > found 2> err; r=$?; [ $r = 0 ] || sed 's/^/# /' err; }
# is LINE TEXT 'what': that line of what was found
is() {
	[ "$(sed -n "$1p" found)" = "$2" ]; r=$?
	say $r "$3"
	[ $r = 0 ] || echo "# found '$(sed -n "$1p" found)', expected '$2'"
}

# A frame tells the page its height when it is drawn, which it is once it is in view.
fitted="(async f => { f.scrollIntoView(); for (let i = 0, h = -1; i < 20 && f.style.height !== h; i++) { h = f.style.height || -1; await new Promise(r => setTimeout(r, 300)); } return f.clientHeight; })(document.querySelector('iframe'))"

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
frame document.querySelector('h1').textContent + ' ' + document.querySelectorAll('#overview canvas').length
js $fitted
frame document.documentElement.offsetHeight
js document.querySelector('nav').getBoundingClientRect().right < document.querySelector('main').getBoundingClientRect().left
js [...document.querySelectorAll('table.claims')].every(t => t.offsetWidth <= t.parentElement.clientWidth)
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
outer=$(sed -n 10p found) inner=$(sed -n 11p found)
[ "$inner" -gt 100 ] && [ "$outer" -ge "$inner" ] && [ "$outer" -lt $((inner + 9)) ]; r=$?
say $r '... at full height'; [ $r = 0 ] || echo "# $outer around $inner"
is 12 true 'the contents stand beside it where there is room'
is 13 true 'claims fit beside them'
is 14 '' 'nothing is asked for, and nothing fails'

# --- on a phone, in light and dark, on paper ---
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
is 1 360 'it is no wider than a phone'
is 3 360 '... with all that is folded up'
is 4 true '... nor are the heads'
is 5 true 'what is wider moves by keyboard, and has a name'
is 6 true '... and there are such'
is 7 320 'a small phone will do'
is 8 true,true '... for claims, too'
is 9 255 'it is bright in the light'
[ "$(sed -n 10p found)" -lt 60 ]; say $? '... dark in the dark'
is 11 'none 255' '... and without contents on paper'
is 12 '' 'nothing fails there'

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
frame document.querySelector('#says').textContent.replace(/[0-9.]+\$/, '') + '|' + document.querySelector('#says').textContent.match(/[0-9.]+\$/)[0]
key Escape
frame document.querySelector('#says').textContent
key ArrowDown
frame document.querySelector('[aria-pressed=true][value]').value
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

# --- the page of head-map alone ---
browse <<END
window 1280 900
open walk.html
js document.querySelectorAll('#overview canvas').length
key c
js document.querySelector('#says').textContent
js getComputedStyle(document.querySelector('main')).display
asked
errors
END
is 1 6 'the page of head-map works alone'
is 2 'dec.1.cross, head 1' '... by keyboard'
is 3 grid '... with its style'
is 4 '' '... and nothing fails in it'

# --- strangers' pages ---
# What tells on itself: runs is set where it runs, hit where it could reach the page around it.
attack="<script>runs = 1; parent.document.body.dataset.hit = 1;</script><img src=x onerror='runs = 1; parent.document.body.dataset.hit = 1'>"
sed "s|^</body>|$attack&|" walk.html > hostile.html
# Into the first end of a body, that of the page within the page, as if it had been taken.
sed "0,/^<\/body>/s|^</body>|$attack&|" page.html > framed.html
# The same for a browser that knows of no policies.
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
is 1 undefined 'no other script runs in the page of head-map'
is 2 undefined '... nor in a frame of the report'
is 3 undefined '... which it does not reach'
is 4 number '... and where one runs, without the policy'
is 5 undefined '... the sandbox holds it'
is 8 undefined 'an address cannot be a script'

# --- a stranger's run, names and texts ---
evil="</td></script></title><script>document.body.dataset.hit=1</script><img src=x onerror='document.body.dataset.hit=1'>"
mkdir evil
# Names in a record have no slash.
name=$(printf %s "$evil" | tr -d /)
printf '%s\t%s\n' paper "$name" column "$name" variant "$name" seed "$name" bleu "$evil" command "$evil" "$evil" "$evil" > evil/record
echo "--arch $evil" > evil/settings
cp story.tar evil/model.tar
printf '%s\t%s\n' "$evil" BLEU "$evil" 1 > evil.tsv
printf 'claim\tverdict\n%s\t%s\n' "$evil" "$evil" > evil-claims.tsv
printf '%s\t%s\n' "$evil" "$evil" > evil-terms
printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="document.body.dataset.hit=1"><script>document.body.dataset.hit=1</script></svg>' > evil.svg
heed-show hyp.heed | awk -v evil="$(printf %s "$evil" | sed 's/[\\&]/\\\\&/g')" '/^{/ { gsub(/the dog/, evil) } { print }' | heed-pack -j --no-pg > evil.heed
head-map -m story.tar --html --id 1 --title "$evil" -o evil-walk.html evil.heed
heed-report --title "$evil" --heading "$evil" --text "$evil" --table evil.tsv --caption "$evil" --claims evil-claims.tsv \
	--terms evil-terms --figure evil.svg --alt "$evil" --walk evil-walk.html --caption "$evil" --translations evil.heed \
	--caption "$evil" --run evil --link "evil.html?$evil" --caption "$evil" -o evil.html
browse <<END
open evil.html
js [...document.querySelectorAll('details')].forEach(d => d.open = true)
frame document.querySelectorAll('#overview canvas').length + ' ' + document.querySelectorAll('script').length
js new Promise(r => setTimeout(r, 300))
js typeof $hit + ' ' + document.querySelectorAll('script').length
asked
errors
END
is 2 '6 2' "a stranger's words in the heads are words"
is 4 'undefined 1' '... and in all parts of the page'
[ "$(wc -l < found)" = 4 ]; say $? '... where nothing is asked for and nothing fails'
