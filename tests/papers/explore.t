#!/bin/sh
# The page of heed-explore in a browser: typing, removing heads, layers and kinds, undo, the address, a forced
# target, relevance, shell commands that repeat what the page shows, two models, a phone, the end of the server.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/browse.sh"
if heed-explore -m none 2>&1 < /dev/null | grep -q libmicrohttpd-dev; then
	echo '1..0 # SKIP built without libmicrohttpd'
	exit 0
fi
plan 36

printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
gzip -dc < "$HEED_TOP/tests/data/model/other.tar.gz" > other.tar
head-stat -q --target ref -m other.tar --measure gradient -o other.stat in.heed

# start OPTION...: starts a server; sets pid and url
start() {
	: > address
	heed-explore -q "$@" > address 2> started &
	pid=$!
	for i in $(seq 100); do [ -s address ] && break; sleep 0.05; done
	url=$(cat address)
}
trap 'kill $pid 2> /dev/null; remove_scratch' EXIT
# page: as browse, without the line of $pause0
page() { browse; sed -i 1d found; }
answered="new Promise(r => { const t = setInterval(() => { if (document.querySelector('#wait').textContent.endsWith('ms') && !pause0()) { clearInterval(t); r(''); } }, 10); setTimeout(() => r('late: ' + document.querySelector('#problem').textContent), 8000); })"
# Whether a pause in typing or a request is under way.
pause0="js window.pause0 = () => typing || controller && document.querySelector('#wait').dataset.of !== String(number)"
all() { printf "[...document.querySelectorAll('%s')]" "$1"; }
now="$(all '.now button').map(b => b.firstChild.data).join(' ')"
cell() { printf "document.querySelector('.grid button[value=\"%s\"]').click()" "$1"; }

# translation HEADS TEXT: by nmt-translate
translation() { printf '%s\n' "$2" | nmt-translate -q --precision fp32 -m other.tar --text ${1:+--mask-heads "$1"} 2> /dev/null; }

start -m other.tar --head-measures other.stat --dev in.heed
page <<END
window 1280 1000
open $url
$pause0
js $answered
js $now
js $(all '#dev option').map(o => o.textContent).join('|')
js document.querySelector('#by').value + ' ' + $(all '.grid button[value]').length + ' ' + document.querySelector('.reference').textContent
js (t => { t.focus(); t.value = 'a  man sees'; t.dispatchEvent(new Event('input')); })(document.querySelector('#text'))
js $answered
js $now
js document.activeElement.id
js document.querySelector('#text').blur()
js $(cell enc/1/1)
js $answered
js $now + ' ' + document.querySelector('#results h2').textContent
js location.hash
js $(all '.grid button.gone').map(b => b.value).join()
js document.querySelector('.sums').textContent.replace(/[0-9.]+( ms)?/g, 'N')
js $(all '.grid h3 button')[2].click()
js $answered
js $(all '.grid button.gone').map(b => b.value).join() + ' ' + $now
key u
js $answered
js $(all '.grid button.gone').map(b => b.value).join()
js document.querySelector('#restore').click()
js $answered
js $(all '.grid button.gone').length + ' ' + $now
js $(all '.grid button').filter(b => b.textContent === '2' && b.title.includes('enc.2.self'))[0].click()
js $answered
js $(all '.grid button.gone').map(b => b.value).join()
key Delete
js $answered
js location.hash.split('&')[0] + ' ' + $(all '.grid button.gone').length
errors
END
is 1 '' 'the page answers at once'
is 2 "$(translation '' 'the dog bites a man') </s>" 'it begins with the first sentence of --dev'
is 3 'the sentence typed|1: the dog bites a man|2: a man sees|3: the' '... and offers the others'
is 4 'gradient 12 Reference: der hund beisst ein mann' '... with the measures and all heads'
is 7 "$(translation '' 'a man sees') </s>" 'a sentence is translated while it is typed'
is 8 text '... and the focus stays'
is 12 "$(translation enc.1.self:1 'a man sees') </s> other.tar without 1 head" 'a click on a head removes it'
is 13 '#enc-self-1-1&text=a+man+sees&removed=enc.1.self%3A1' '... which the address says'
is 14 enc/1/1 '... and the grid'
is 15 "log-probability −N; whole model's translation −N → −N (change +N); N" '... and the change of the log-probability'
is 18 "enc/1/1,cross/1/1,cross/1/2,cross/2/1,cross/2/2 $(translation 'enc.1.self:1 cross:all' 'a man sees') </s>" 'a click on a kind removes all its heads'
is 20 enc/1/1 'u undoes it'
is 23 "0 $(translation '' 'a man sees') </s>" 'all heads are restored'
is 26 'enc/2/1,enc/2/2' 'a click on a layer removes its heads'
is 28 '#enc-self-1-1 3' 'Delete removes the selected head'
is 29 '' 'there are no errors'

page <<END
window 1280 1000
open $url#enc-self-2-1&text=the+dog+bites&removed=enc-self.2%3A1+dec.1.cross%3A2&beam=2
$pause0
js $answered
js $now + ' ' + $(all '.grid button.gone').map(b => b.value).join()
js document.querySelector('#beam').value
js document.querySelector('#show-commands').click()
js document.querySelector('#commands pre').textContent
js document.querySelector('#commands').close()
js document.querySelector('#force').click()
js $answered
js (t => { t.value = 'ein mann'; t.dispatchEvent(new Event('input')); })(document.querySelector('#target'))
js $answered
js $now + ' ' + $(all '.now button small').length + document.querySelector('#results h2').textContent
js document.querySelector('#relevance').click()
js $answered
js $(all '#results h2').at(-1).textContent + ' ' + document.querySelectorAll('#results .tokens:last-of-type span').length
js $(all '#by option').map(o => o.value).includes('relevance here')
js document.querySelector('.now button').click()
js $(all '#results h2').at(-1).textContent
js location.hash = '#enc-self-1-1&text=a+man&removed=enc.9.self%3A1'
js new Promise(r => setTimeout(r, 400))
js document.querySelector('#problem').textContent
js $(all 'button, select, input, textarea').filter(e => !e.hidden && e.type !== 'file').every(e => e.textContent || e.ariaLabel || e.labels?.length)
errors
END
is 2 "$(printf 'the dog bites\n' | nmt-translate -q --precision fp32 -m other.tar --text --beam 2 --mask-heads 'enc.2.self:1 dec.1.cross:2' 2> /dev/null) </s> enc/2/1,cross/1/2" 'an address restores sentence, heads and settings'
is 3 2 '... such as the beam size'
sed -n '/^# the model/,/--text$/p' found > commands
that "$(grep -c . commands)" = 6; say $? 'the commands are shown'
sh -e commands > ran 2> err; r=$?
that $r = 0 && that "$(cat ran) </s> enc/2/1,cross/1/2" = "$(sed -n 2p found)"; say $? '... and give the same translation'
nmt-info pruned.tar | matches 'removed	enc-self.2:1/cross.1:2'; say $? '... and the model without the heads'
heed-show -f head,gradient heads.heed | matches '^1	'; say $? '... and the measures of the others'
matches '^ein mann </s> 3other.tar without 2 heads, forced target' found; say $? 'a forced target is scored'
matches '^Relevance of source tokens for the translation' found && matches '^true$' found; say $? 'relevance is shown, also as a measure'
matches '^Relevance of source tokens for ein' found; say $? '... and for one token'
matches 'enc.9.self' found; say $? 'an address with an unknown head is named'
grep -c '^true$' found | matches -x 2 && tail -n 1 found | matches 422; say $? 'all controls have names, and the only error is that answer'

# --- widths and colors ---
page <<END
window 390 844
open $url#text=the+dog+bites+a+man&removed=cross
$pause0
js new Promise(r => setTimeout(r, 300))
js document.documentElement.scrollWidth
scheme dark
js getComputedStyle(document.querySelector('#text')).backgroundColor
js document.documentElement.scrollWidth
END
is 2 390 'the page fits a phone'
is 3 'rgb(18, 22, 28)' '... and is dark if wanted'
is 4 390 '... there, too'
kill $pid; wait $pid

# --- two models, and the end ---
cp other.tar copy.tar
start -m other.tar -m copy.tar
page <<END
window 1280 1000
open $url#text=a+man+sees
$pause0
js $answered
js $(all '.result').length + ' ' + $(all '.pane').length
js $(all '.pane')[1].querySelector('.grid button[value="enc/1/1"]').click()
js $answered
js $(all '.result h2').map(e => e.textContent).join('|')
js $(all '.now').map(p => [...p.querySelectorAll('button')].map(b => b.firstChild.data).join(' ')).join('|')
js document.querySelector('#difference').hidden
errors
END
is 2 '2 2' 'two models are side by side'
is 5 'other.tar|copy.tar without 1 head|Whole model' 'a click removes the head of one'
is 6 "$(translation '' 'a man sees') </s>|$(translation enc.1.self:1 'a man sees') </s>" '... and changes its translation'
is 7 false '... with a map of differences'
is 8 '' 'there are no errors'
kill -s INT $pid; wait $pid; that $? = 0; say $? 'the server ends'
