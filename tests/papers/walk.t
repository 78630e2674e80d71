#!/bin/sh
# The page of head-map in a browser: every control, with a document whose values are computed by hand; files that
# the reader opens, malformed ones too; two models; the examples of head-map(1).
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/browse.sh"
plan 159

# quote FILE: its text as a JavaScript string
quote() { perl -MJSON::PP -e 'local $/; binmode STDIN, ":utf8"; print JSON::PP->new->ascii->allow_nonref->encode(<STDIN>)' < "$1"; }
# choose FILE: a command that opens it with the file chooser; drops FILE: by drag and drop
files() { printf "(d => { d.items.add(new File([%s], '%s')); %s; return new Promise(r => setTimeout(r, 200)); })(new DataTransfer())" "$(quote "$1")" "$1" "$2"; }
choose() { printf 'js %s\n' "$(files "$1" "const f = document.querySelector('#file'); f.files = d.files; f.dispatchEvent(new Event('change'))")"; }
drops() { printf 'js %s\n' "$(files "$1" "document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: d, bubbles: true, cancelable: true }))")"; }
# viewer FILE ...: opens the page without data, and then the files
viewer() { printf 'window 1280 1000\nopen viewer.html\n'; for file; do choose "$file"; done; }
all() { printf "[...document.querySelectorAll('%s')]" "$1"; }
texts() { printf '%s.map(e => e.textContent).join("|")' "$(all "$1")"; }

# Two subwords of a word, three heads of which one is pruned, markup in all texts.
cat > toy.json <<'END'
{"format": "heed-attention", "version": 1, "models": [{"name": "toy <b>", "labels": "read",
  "heads": {"enc.1.self": [{"role": "syntactic", "relevance": 0.5, "confidence": 0.8, "gate": 1},
    {"role": "<img src=x>", "relevance": 0.25, "confidence": 0.5, "gate": 0, "<u>": 3}]},
  "sentences": [
  {"id": "s1", "source": {"tokens": ["<b>the", "c@@", "at", "sat"], "words": [0, 1, 1, 2],
    "heads": [2, 3, 0], "relations": ["<det>", "nsubj", "root"]},
   "target": {"tokens": ["er", "saß"]},
   "attention": {
    "enc.1.self": [[[0.1, 0.6, 0.2, 0.1], [0.2, 0.1, 0.1, 0.6], [0, 0.3, 0.3, 0.4], [0.04, 0.4, 0.5, 0.06]],
     [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], null],
    "enc.2.self": [[[0.1, 0.6, 0.2, 0.1], [0.2, 0.1, 0.1, 0.6], [0, 0.3, 0.3, 0.4], [0.04, 0.4, 0.5, 0.06]]],
    "dec.1.cross": [[[1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25]]]},
   "importance": {"enc.1.self": [[0.5, 0.25, 0], [0.5, 0.5, 0], [1, 0, 0], [0.75, 0.25, 0]]}},
  {"id": "s2", "source": {"tokens": ["sat"]}, "attention": {"enc.1.self": [[[1]]]}}]}]}
END
# A model with other heads, and with the second sentence only.
cat > other.json <<'END'
{"format": "heed-attention", "version": 1, "models": [{"name": "other", "sentences": [
  {"id": "s2", "source": {"tokens": ["sat", "."]}, "attention": {"enc.1.self": [[[0.5, 0.5], [0.25, 0.75]], [[1, 0], [0, 1]]]}}]}]}
END
head-map --to html --title 'Viewer <x>' -o viewer.html

# --- opening files ---
{ viewer; cat <<END
js document.querySelector('#empty').hidden + ' ' + document.querySelector('#controls').hidden
END
choose toy.json
cat <<END
js document.querySelector('#empty').hidden + ' ' + document.querySelector('.says').textContent
js $(texts '.overview button .value span')
js $(all '.overview button span[title=role]').map(e => e.textContent.trim()).join("|")
js $(all '.overview button').map(b => b.ariaLabel).join('|')
js $(all '.overview button:first-of-type .value i').map(e => e.style.width).join()
js $(all '.overview canvas').map(c => +c.classList.contains('pruned')).join('')
js document.querySelector('.note').textContent
js document.querySelector('h1').textContent + document.querySelectorAll('b b, main u, main img').length
js document.querySelector('#naming').textContent
js $(texts '#kinds button')
asked
errors
END
} | browse
is 1 'false true' 'a page without data says so'
is 3 'true enc.1.self, head 1 (syntactic, relevance .50, rank 1 of 2)' 'a file that is chosen is shown'
is 4 '#1|.50|#2|.25' 'thumbnails have the rank and the value of a measure'
is 5 'syntactic|<img src=x>||' '... and the role, whose markup is text'
is 6 'layer 1, head 1, syntactic, relevance .50, rank 1 of 2|layer 1, head 2, <img src=x>, relevance .25, rank 2 of 2|layer 1, head 3, pruned|layer 1, mean of heads|layer 1, heads weighted by importance|layer 2, head 1|layer 2, mean of heads' '... and a label for screen readers'
is 7 '100%' '... and bars of these lengths'
is 8 0010000 'a pruned head is crossed out'
is 9 'Below each head: role; rank and value of relevance.' 'labels are explained'
is 10 'Viewer <x>0' 'the title is text, too'
is 11 'Decoder positions are labeled with the tokens they read.' 'the labels of decoder positions are explained'
is 12 'encoder|encoder-decoder' 'kinds of attention without layers are not offered'
is 13 '' 'nothing is loaded, and there are no errors'

# --- weights, words, scale ---
# Pixels of the thumbnail of a head, as indices into the color scale.
pixel() { printf "(c => COLORS.findIndex(x => x === '#' + [...c.getContext('2d').getImageData(%s, %s, 1, 1).data].slice(0, 3).map(v => v.toString(16).padStart(2, '0')).join('')))(document.querySelector('button[value=\"%s\"] canvas'))" "$2" "$3" "$1"; }
{ viewer; drops toy.json
cat <<END
js [$(pixel 1/1 1 0), $(pixel 1/1 2 0), $(pixel 1/2 0 0), $(pixel 1/mean 1 0), $(pixel 1/weighted 0 0)].join()
js $(texts '.detail .legend span')
key s
js [$(pixel 1/1 1 0), $(pixel 1/1 2 0), $(pixel 1/2 0 0)].join()
js $(texts '.detail .legend span') + location.hash
key s
key j
js document.querySelector('.says').textContent
js $(all '.flow.to span').map(e => e.title).join()
js $(texts '.flow.heads span')
key w
js $(texts '.flow.from button')
key j
key j
js document.querySelector('.says').textContent + location.hash
js $(texts '.flow.heads span')
key w
key ArrowRight
key ArrowRight
js document.querySelector('.picture').textContent + document.querySelector('.legend').hidden
key ArrowRight
js document.querySelector('.says').textContent
key ArrowRight
key ArrowDown
js location.hash
js dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true }))
js location.hash
js dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true }))
js document.querySelector('#sentence').value
key n
js document.querySelector('.says').textContent + location.hash
key p
js location.hash + document.querySelector('#sentence').selectedOptions[0].textContent
errors
END
} | browse
# 0.6 of 255 steps is 153, and so on.  Weighted: 0.5 times 0.1 plus 0.25 times 1 is 0.3.
is 2 '153,51,255,77,77' 'a file that is dropped is shown; the color scale is from 0 to 1'
is 3 'weight 0|1' '... which the legend says'
is 4 '255,85,255' 's: to the maximum of each head'
is 5 'weight 0|0.60, the maximum of the head#enc-self-1-1&scale=head' '... which legend and address say'
is 6 'enc.1.self, head 1: <b>the attends most to c@@ 0.600' 'j selects a token'
is 7 '0.100,0.600,0.200,0.100' '... and shows its weights'
is 8 '1: 0.50|2: 0.25|3: 0.00' '... and the importance of heads'
is 9 '<b>the|cat|sat' 'w: words'
is 10 'enc.1.self, head 1: cat attends most to sat 0.500#enc-self-1-1&words=1&token=2' '... sums over their subwords, means from them'
is 11 '1: 0.75|2: 0.25|3: 0.00' '... also of importance'
is 12 'This head is pruned.true' 'a pruned head has no matrix'
is 13 'enc.1.self, mean of heads' 'arrows select heads'
is 14 '#enc-self-2-mean' '... and layers, with the view that the layer has'
is 16 '#enc-self-1-mean&sentence=s2' 'Shift and an arrow: the next sentence'
is 18 0 '... and back'
is 19 'enc.1.self, mean of heads#enc-self-1-mean&sentence=s2' 'n: the next sentence, with the layers that it has'
is 20 '#enc-self-1-means1: <b>the cat sat' 'p: the previous sentence'
is 21 '' 'there are no errors'

# --- lines ---
lines="$(all 'svg.lines line')"
{ viewer toy.json
cat <<END
key v
js $lines.length + ' ' + document.querySelectorAll('.picture canvas').length
js $lines.map(e => e.getAttribute('stroke-opacity')).slice(0, 4).join()
js $lines[1].textContent
js document.querySelector('svg.lines').getAttribute('aria-label')
js [...new Set($lines.map(e => e.getAttribute('class')))].join()
key x
key ArrowRight
js $lines.length
js [...new Set($lines.map(e => e.getAttribute('class')))].join()
js [...new Set($lines.map(e => getComputedStyle(e).stroke))].length
js $(texts '.shown button')
js $(all '.overview b').map(e => e.className).join()
js location.hash
key j
js $lines.length
js document.querySelectorAll('svg.lines text')[3].dispatchEvent(new MouseEvent('click', { bubbles: true }))
js location.hash
key Escape
js document.querySelector('.shown button').click()
js $lines.length + location.hash
key s
js document.querySelector('button[value="1/1"]').dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }))
js $lines.length + location.hash
key v
js document.querySelectorAll('.picture canvas').length + ' ' + document.querySelectorAll('svg.lines').length
errors
END
} | browse
is 2 '14 0' 'v: a line for each weight from 0.05'
is 3 '0.100,0.600,0.200,0.100' '... as opaque as the weight'
is 4 'enc.1.self, head 1: <b>the → c@@ 0.600' '... with a label'
is 5 'attention as lines from 4 queries to 4 keys: enc.1.self, head 1' '... in a figure with a label'
is 6 line-0 '... in one color'
is 7 18 'x keeps the head; an arrow adds the next one'
is 8 'line-0,line-1' '... in another color'
is 9 2 '... which differs'
is 10 'enc.1.self, head 1 ×|enc.1.self, head 2' '... both are named'
is 11 'line-0,line-1,,,,,' '... and marked at their thumbnails'
is 12 '#enc-self-1-2&lines=1&with=1-1' '... and in the address'
is 13 5 'a selected token has only its lines'
is 15 '#enc-self-1-2&token=2&lines=1&with=1-1' 'a click on a query selects it'
is 17 '4#enc-self-1-2&lines=1' 'a click on the name removes a head'
is 19 '19#enc-self-1-2&lines=1&with=1-1&scale=head' 'shift and click adds a head; lines have the scale'
is 20 '1 0' 'v again: the matrix'
is 21 '' 'there are no errors'

# --- trees ---
{ viewer toy.json
cat <<END
js $(texts 'svg.tree .arc text')
js $(texts 'svg.tree .word')
js $(texts '.arc.strong text')
js document.querySelector('svg.tree').getAttribute('aria-label')
key j
js $(all 'svg.tree rect').map(e => COLORS.indexOf(e.getAttribute('fill'))).join()
js $(texts 'svg.tree .query')
key ArrowRight
js $(all '.arc.strong').length
key c
js document.querySelectorAll('svg.tree').length + ' ' + $(all '.arc.strong').length
key t
js document.querySelectorAll('svg.tree').length
key t
key n
js document.querySelectorAll('svg.tree').length + $(texts '#view button')
errors
END
} | browse
is 2 '<det>|nsubj|root' 'the tree has an arc for each word'
is 3 '<b>the|cat|sat' '... above the words'
# the: 0.8 to cat; cat: 0.5 to sat.
is 4 '<det>|nsubj' 'arcs with a maximum weight are bold'
is 5 'dependency tree of the source: <b>the depends on cat, cat depends on sat, sat' '... and the tree is described'
is 6 '26,204,26' 'a selected token colors the words by their weights'
is 7 '<b>the' '... and is marked'
is 8 0 'a head that attends to the word itself has no bold arcs'
is 9 '1 0' 'encoder-decoder attention shows the tree of the source, without bold arcs'
is 10 0 't hides trees'
is 11 '0lines|scale to maximum|sort by rank|open files|shortcuts' 'a sentence without tree and subwords has no such buttons'
is 12 '' 'there are no errors'

# --- two models ---
{ viewer toy.json other.json
cat <<END
js document.querySelectorAll('.pane').length + $(texts '.models option')
js document.querySelectorAll('.pane')[1].textContent.includes('This model has no sentence s1.')
key n
js $(texts '.says')
key ArrowRight
js $(texts '.says')
key l
key b
key ArrowLeft
js $(texts '.says') + location.hash
js $(all '.pane').map(p => +p.classList.contains('active')).join('')
js $(all '.pane').map(p => p.getBoundingClientRect().left > 600).join()
js (s => { s.value = 0; s.dispatchEvent(new Event('change')); })(document.querySelectorAll('.pane')[1].querySelector('select'))
js $(texts '.says')
js (s => { s.value = -1; s.dispatchEvent(new Event('change')); })($(all '.models select')[1])
js document.querySelectorAll('.pane').length
errors
END
} | browse
is 3 '2toy <b>|other|none|toy <b>|other' 'a second file is shown beside the first'
is 4 true '... a sentence that it does not have is named'
x='enc.1.self, head 1 (syntactic, relevance .50, rank 1 of 2)'
is 5 "$x|enc.1.self, head 1" '... sentences are found by id'
is 6 'enc.1.self, mean of heads|enc.1.self, mean of heads' 'an arrow selects the head of both'
is 7 'enc.1.self, mean of heads|enc.1.self, head 2#enc-self-1-mean&sentence=s2&second=enc-self-1-2' 'l and b: of one model'
is 8 01 '... which is marked'
is 9 'false,true' 'models are side by side'
is 11 "enc.1.self, mean of heads|$x" 'a pane can show another model'
is 13 1 '... or be closed'
is 14 '' 'there are no errors'
gzip -dc < "$HEED_TOP/tests/data/model/story.tar.gz" > story.tar
cp story.tar second.tar
printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
head-map -m story.tar -m second.tar -n 3 -o both.html in.heed
browse <<END
window 1280 1000
open both.html#cross-1-1&sentence=2&second=dec-self-2-2
js $(texts '.says')
js location.hash
js document.querySelectorAll('.overview canvas').length
js location.hash = '#enc-self-1-1&sentence=99'
js document.querySelector('#problem').textContent
window 390 844
js document.documentElement.scrollWidth
js $(all '.pane').map(p => p.getBoundingClientRect().left).join()
key v
js document.documentElement.scrollWidth
js location.hash = '#enc-self-1-1&token=1.5'
errors
END
is 1 'dec.1.cross, head 1|dec.2.self, head 2' 'a page of two models; a link selects the head of each'
is 2 '#cross-1-1&sentence=2&second=dec-self-2-2' '... and remains'
is 3 12 '... with all thumbnails'
is 5 'This page has no sentence 99.' 'a link to a sentence that is not there is named'
is 6 390 'two models fit a phone'
is 7 '12,12' '... one below the other'
is 8 390 '... with lines, too'
is 10 '' 'there are no errors'
# Encoder-decoder attention of two queries beside self-attention of four.
sed 's/toy <b>/twin/' toy.json > twin.json
{ viewer toy.json twin.json
cat <<END
key l
js document.querySelectorAll('#kinds button')[1].click()
js document.querySelectorAll('.pane')[1].querySelectorAll('.flow.from button')[3].click()
js $(texts '.says') + location.hash
js $(all '.pane.active').map(p => panes.indexOf(panes.find(x => x.node === p))).join()
key Escape
js location.hash = '#cross-1-1&token=4&second=enc-self-1-1'
js $(texts '.says')
js document.querySelectorAll('.pane')[0].querySelectorAll('.flow.from button')[1].click()
js $(texts '.says')
js document.querySelectorAll('.pane')[0].querySelectorAll('.flow.from button')[1].click()
js $(texts '.says')
errors
END
} | browse
is 5 'dec.1.cross, head 1|enc.1.self, head 1: sat attends most to at 0.500#cross-1-1&token=4&second=enc-self-1-1' \
    'a token that only one of two models has can be selected'
is 6 1 '... there'
is 8 'dec.1.cross, head 1|enc.1.self, head 1: sat attends most to at 0.500' '... by a link as well'
is 10 'dec.1.cross, head 1: saß attends most to <b>the 0.250|enc.1.self, head 1: c@@ attends most to sat 0.600' '... and one that both have'
is 12 'dec.1.cross, head 1|enc.1.self, head 1 (syntactic, relevance .50, rank 1 of 2)' '... whose second click clears the selection'
is 13 '' '... without errors'
# Shortcuts when the pane of a model without the sentence was chosen.
{ viewer toy.json other.json
printf '%s\n' 'key b' 'key j' 'js document.querySelector(".says").textContent' 'key ArrowRight' 'js location.hash' errors; } | browse
is 3 'enc.1.self, head 1: <b>the attends most to c@@ 0.600' 'shortcuts change the model that has the sentence'
is 4 '#enc-self-1-2&token=1' '... also its head'
is 5 '' '... without errors'

# --- measures, ranks and roles ---
# Five heads whose ranks, roles and colors are worked out by hand; the scale of gradient has both signs.
cat > ranks.json <<'END'
{"format": "heed-attention", "version": 1, "models": [{"name": "A", "by": "fisher", "heads": {
  "enc.1.self": [{"role": "other", "offset": -1, "positional": 0.31, "rare2": 0.1, "gradient": -1, "fisher": 5},
    {"role": "positional", "offset": 2, "positional": 0.95, "gradient": 2, "fisher": 5},
    {"role": "other", "positional": 0.2, "rare2": 0.1, "gradient": 0, "fisher": 1}],
  "dec.1.cross": [{"role": "other", "positional": 0.1, "syntax.nsubj.dep": 0.4, "syntax.nsubj.base": 0.3, "gradient.error": 9, "fisher": 7},
    {"gradient": 1}]},
  "sentences": [{"id": "1", "source": {"tokens": ["a", "b"]}, "target": {"tokens": ["c"]},
    "attention": {"enc.1.self": [[[1, 0], [0, 1]], [[0, 1], [1, 0]], null], "dec.1.cross": [[[0.5, 0.5]], [[0.25, 0.75]]]}}]}]}
END
perl -pe 's/"name": "A", "by": "fisher"/"name": "B"/; s/\[1, 0\], \[0, 1\]/[0.5, 0.5], [0, 1]/' ranks.json > changed.json
cells="$(all '.grid button[value]')"
{ viewer ranks.json
cat <<END
js $(all '.says').map(e => e.textContent)[0] + location.hash
js $(all '#by option').map(o => o.value).join()
js $cells.map(b => b.textContent).join()
js $cells.map(b => +b.classList.contains('pruned')).join('')
js $cells.map(b => b.title).slice(0, 2).join('|')
key m
js $(all '.says').map(e => e.textContent)[0] + location.hash
js $cells.map(b => b.textContent).join()
js $cells[0].style.background === (e => { e.style.background = DIVERGING[64]; return e.style.background; })(document.createElement('p'))
js $(texts '.grid-legend span')
js $cells[1].click()
js location.hash + ' ' + $cells.map(b => +(b.ariaPressed === 'true')).join('')
key c
js $(texts '.overview span[title=role]')
key e
js $(texts '.overview span[title=role]').trim()
key r
js $(all '.overview button').map(b => b.value).join() + ' ' + $(texts '.place') + location.hash
js document.querySelector('.over-head').textContent
js location.hash = '#enc-self-1-1&by=positional'
js $(texts '.value') + document.querySelector('#by').value
errors
END
} | browse
is 2 'dec.1.cross, head 1 (nsubj .40, fisher 7, rank 1 of 4)#cross-1-1' 'the page opens at the head of rank 1, by the measure of the document'
is 3 'fisher,offset,positional,rare2,gradient,syntax.nsubj.dep,syntax.nsubj.base' 'every measure can be chosen'
is 4 '2,2,4,1,' 'the grid has the ranks among all heads'
is 5 00100 '... and crosses out pruned heads'
is 6 'enc.1.self, head 1; fisher 5, rank 2 of 4; previous .31|enc.1.self, head 2; fisher 5, rank 2 of 4; offset +2 .95' '... with the nearest roles and their shares'
is 7 'dec.1.cross, head 1 (nsubj .40)#cross-1-1&by=offset' 'm: the next measure'
is 8 '2,1,,,' '... its ranks'
is 9 true '... its colors, which are diverging if values have both signs'
is 10 'offset -2|2|numbers: ranks, 1 has the greatest value' '... and its range'
is 12 '#enc-self-1-2&by=offset 01000' 'a click on the grid selects the head'
is 13 "$(printf 'nsubj .40|\302\240')" 'no head is labeled other'
is 14 "$(printf 'previous .31|offset +2 .95|\302\240' | perl -pe 's/\xc2\xa0$//; s/\|$/|/')" '... a head with nothing near has no role'
is 15 '1/2,1/1,1/3 1.2|1.1|1.3#enc-self-1-2&by=offset&sorted=1' 'r sorts by rank'
is 16 'encoder: heads (layer.head) by offset' '... which the heading says'
is 18 '#2.31|#1.95|#3.20positional' 'a link selects the measure'
is 19 '' 'there are no errors'
{ viewer ranks.json changed.json
cat <<END
js location.hash = '#enc-self-1-1'
js document.querySelector('#difference h2').textContent
js $(texts '#difference .legend span')
js (c => [...c.getContext('2d').getImageData(Math.round(c.width - 5), Math.round(c.height - 34), 1, 1).data].slice(0, 3).join())(document.querySelector('#difference canvas')) + ' ' + DIVERGING[0]
js $(all '.picture').map(e => e.getBoundingClientRect().top).every((y, i, a) => y === a[0]) + ' ' + $(all '.overview').map(e => e.getBoundingClientRect().top).every((y, i, a) => y === a[0])
js location.hash = '#enc-self-1-3'
js document.querySelector('#difference h2').textContent + document.querySelector('#difference canvas').checkVisibility()
window 390 844
js document.documentElement.scrollWidth
errors
END
} | browse
is 4 'Difference: A enc.1.self, head 1 minus B enc.1.self, head 1' 'two models have a map of differences'
is 5 'weight -0.50|+0.50' '... with a range around 0'
is 6 "$(sed -n 6p found | sed 's/.* //' | perl -ne 'print join(",", map { hex } /[0-9a-f]{2}/g), " $_"' | tr -d '\n')" '... in diverging colors'
is 7 'true true' 'their rows are aligned'
is 9 'No difference map: one of the heads is pruned.false' 'a missing map says why'
is 10 390 'the grid fits a phone'
is 11 '' 'there are no errors'

# --- translations without a head ---
perl -pe 's/"attention"/"whole": {"tokens": ["c", "d"], "sum": -2}, "without": {"enc.1.self": [{"change": -0.5, "tokens": ["c", "e"]}, {"change": 0.25}, null]}, "attention"/' ranks.json > without.json
{ viewer without.json
cat <<END
js document.querySelector('.without').hidden
js location.hash = '#enc-self-1-1'
js $(texts '.without h2') + ' ' + $(texts '.without .changed') + ' ' + $(texts '.without .lost') + ' ' + document.querySelector('.without .sums').textContent
js location.hash = '#enc-self-1-2'
js document.querySelector('.without').textContent
js location.hash = '#enc-self-1-3'
js document.querySelector('.without').hidden
errors
END
perl -pe 's/"change": -0.5/"change": "x"/' without.json > bad.json; choose bad.json
printf 'js document.querySelector("#problem").textContent\n'; } | browse
is 2 true 'a head without such data shows none'
is 4 'Translation without this head|Translation of the whole model e d  Log-probability of the target: −2.00 → −2.50 (change −0.50).' 'the translation without a head marks what changes'
is 6 'Translation, the same without this headcd Log-probability of the target: −2.00 → −1.75 (change +0.25).' '... or says that nothing does'
is 8 true '... not of a pruned head'
matches '^bad.json, model 1, sentence 1, without, enc.1.self, head 1: found .*, expected an object with a change, or null$' found; say $? 'malformed data is refused'

# --- shortcuts, labels, contrast ---
ratio='(l => (Math.max(...l) + .05) / (Math.min(...l) + .05))'
light="(c => c.map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0))"
rgb="(c => c.match(/[0-9.]+/g).slice(0, 3).map(Number))"
low="$(all '.shown button, .note, h2, .says, .arc text, .overview span, footer p, summary').map(e => $ratio([$light($rgb(getComputedStyle(e)[e.closest('svg') ? 'fill' : 'color'])), $light($rgb(getComputedStyle(document.body).backgroundColor))])).filter(r => r < 4.5).length"
{ cat <<END
window 1280 1000
open viewer.html#enc-self-1-1
END
choose toy.json
cat <<END
key x
key ArrowRight
key x
key ?
js document.querySelector('#help').open + ' ' + (document.querySelectorAll('#help dt').length > 18)
key v
js location.hash
key Escape
js document.querySelector('#help').open
js $(all 'button, select').every(e => e.textContent || e.ariaLabel)
js $(all '.scroll').every(e => e.tabIndex === 0 && e.ariaLabel)
js $low
scheme dark
js $low
js Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map(i => $ratio([$light(document.documentElement.style.cssText ? [] : $rgb((e => { e.className = 'line-' + i; document.body.append(e); const c = getComputedStyle(e).color; e.remove(); return c; })(document.createElement('p')))), $light($rgb(getComputedStyle(document.body).backgroundColor))]))) > 4.5
scheme light
js Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map(i => $ratio([$light($rgb((e => { e.className = 'line-' + i; document.body.append(e); const c = getComputedStyle(e).color; e.remove(); return c; })(document.createElement('p')))), $light($rgb(getComputedStyle(document.body).backgroundColor))]))) > 4.5
errors
END
} | browse
is 2 'true true' '? lists the shortcuts'
is 3 '#enc-self-1-2&lines=1&with=1-1%2C1-2' '... other shortcuts do nothing meanwhile'
is 4 false '... Escape closes the list'
is 5 true 'all buttons and lists have a name'
is 6 true 'parts that scroll can be reached by keyboard, and have a label'
is 7 0 'texts have a contrast of 4.5'
is 8 0 '... in dark mode, too'
is 9 true 'all colors of lines have it in dark mode'
is 10 true '... and in light mode'
is 11 '' 'there are no errors'

# --- malformed files ---
# broken FROM TO MESSAGE: the document with one change is refused with a message
list=0
broken() {
	list=$((list + 1))
	perl -pe 'BEGIN { ($from, $to) = splice @ARGV, 0, 2 } s/\Q$from\E/$to/ if !$done; $done ||= $& eq $from' "$1" "$2" one.json > bad.json
	cmp -s bad.json one.json && echo "no change by $1" >&2
	choose bad.json >> broken
	echo 'js document.querySelector("#problem").textContent + document.querySelectorAll(".pane").length' >> broken
	printf '%s\n' "$3" >> wanted
}
tr -d '\n' < toy.json | sed 's/, *{"id": "s2".*\]}\]}\]}/]}]}/' > one.json
printf 'window 800 600\nopen viewer.html\n' > broken
: > wanted
m='bad.json, model 1' s='bad.json, model 1, sentence 1'
broken '{"format"' '{format' 'bad.json: no JSON'
broken 'heed-attention' 'other' 'bad.json: found "other", expected an object with "format": "heed-attention"'
broken '"version": 1' '"version": 2' 'bad.json, version: found 2, expected 1'
broken '"name": "toy <b>"' '"name": 7' "$m, name: found 7, expected a text"
long=$(printf '%01001d' 0)
broken '"name": "toy <b>"' "\"name\": \"$long\"" "$m, name: found \"$(printf '%039d' 0)…, expected at most 1000 characters"
broken '"er", "saß"' "\"er\", \"$long\"" "$s, target, token 2: found \"$(printf '%039d' 0)…, expected at most 1000 characters"
broken '"labels": "read"' '"labels": "x"' "$m, labels: found \"x\", expected \"read\" or \"predicted\""
broken '"gate": 1' '"gate": [1]' "$m, enc.1.self, head 1, gate: found a list of 1, expected a number or a text"
broken '"words": [0, 1, 1, 2]' '"words": [0, 1, 1, 3]' "$s, source, word of token 4: found 3, expected 1 or 2"
broken '"words": [0, 1, 1, 2]' '"words": [0, 1, 1]' "$s, source, words: found a list of 3, expected a list of 4, one for each token"
broken '"heads": [2, 3, 0]' '"heads": [2, 1, 0]' "$s, source, word 1: found 2, expected a head outside of its own subtree"
broken '"heads": [2, 3, 0]' '"heads": [2, 9, 0]' "$s, source, head of word 2: found 9, expected the number of another word, 0 or null"
broken '"heads": [2, 3, 0]' '"heads": [2, 0]' "$s, source, heads: found a list of 2, expected a list of 3 heads, one for each word"
broken 'enc.2.self' 'enc.2.cross' "$s, attention: found \"enc.2.cross\", expected enc.1.self, dec.1.self, dec.1.cross and so on"
broken 'enc.2.self' 'enc.0.self' "$s, attention: found \"enc.0.self\", expected enc.1.self, dec.1.self, dec.1.cross and so on"
broken 'enc.2.self' 'enc.1000000000.self' "$s, attention: found \"enc.1000000000.self\", expected enc.1.self, dec.1.self, dec.1.cross and so on"
broken '"importance": {"enc.1.self"' '"importance": {"enc.3.self"' "$s, importance: found \"enc.3.self\", expected a layer that has attention"
broken '[0.2, 0.1, 0.1, 0.6]' '[0.2, 0.1, 0.7]' "$s, enc.1.self, head 1, row 2: found a list of 3, expected a list of 4 weights, one for each key"
broken '[0.2, 0.1, 0.1, 0.6]' '[0.2, 0.1, 0.1, "x"]' "$s, enc.1.self, head 1, row 2, column 4: found \"x\", expected a number"
broken '[[1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25]]' '[[1, 0, 0, 0]]' "$s, dec.1.cross, head 1: found a list of 1, expected a list of 2 rows, one for each query"
broken '"target": {"tokens": ["er", "saß"]},' '' "$s, dec.1.cross, target: found nothing, expected the target of the sentence"
broken '[0.75, 0.25, 0]' '[0.75, 0.25]' "$s, enc.1.self, importance, row 4: found a list of 2, expected a list of 3 weights, one for each key"
browse < broken
sed 's/^\(bad.json: no JSON\).*0$/\10/' found | awk 'NR % 2 == 0' > messages
for i in $(seq $list); do
	want=$(sed -n "${i}p" wanted)
	[ "$(sed -n "${i}p" messages)" = "${want}0" ]; r=$?
	say $r "refused: $want"
	[ $r = 0 ] || echo "# found $(sed -n "${i}p" messages)"
done
# A million characters are refused at once; tokens of the maximum length are drawn.
for length in 1000 1000000; do perl -pe "s/\"er\", \"saß\"/'\"er\", \"' . 0 x $length . '\"'/e" one.json > $length.json; done
{ printf 'open viewer.html\n'; choose 1000000.json
printf '%s\n' 'js document.querySelector("#problem").textContent.slice(-45)'
choose 1000.json
printf '%s\n' 'js document.querySelector("#problem").hidden' errors; } | browse
is 2 '0000000000…, expected at most 1000 characters' 'a token of a million characters is refused'
is 4 true '... one of 1000 is shown'
is 5 '' 'there are no errors'
perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); my $s = $d->{models}[0]{sentences}; @$s = ($s->[1]) x $ARGV[0]; print encode_json($d)' 101 < toy.json > many.json
perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); my $s = $d->{models}[0]{sentences}; @$s = ($s->[1]) x $ARGV[0]; print encode_json($d)' 100 < toy.json > most.json
{ printf 'open viewer.html\n'; choose many.json
printf '%s\n' 'js document.querySelector("#problem").textContent'
choose most.json
printf '%s\n' 'js document.querySelector("#problem").hidden + " " + document.querySelector("#sentence").length' errors; } | browse
is 2 'many.json, model 1, sentences: found a list of 101, expected at most 100 sentences; write fewer, for example with head-map -n' '101 sentences are too many'
is 4 'true 100' '... 100 are shown, and the message disappears'
is 5 '' 'there are no errors'

# --- the document of head-map(1) ---
awk '/^\.\\" document/ { on = 1; next } on && /^\.Ed/ { exit } on && !/^\.Bd/' "$HEED_TOP/man/head-map.1" > smallest.json
{ printf 'open viewer.html\n'; choose smallest.json
printf '%s\n' 'key j' 'js document.querySelector(".says").textContent' errors; } | browse
is 2 'enc.1.self, head 1: a attends most to a 0.900' 'the document of head-map(1) is shown'

# The Python program, with libraries that have two layers of two heads.
awk '/^\.\\" python/ { on = 1; next } on && /^\.Ed/ { exit } on && !/^\.Bd/' "$HEED_TOP/man/head-map.1" > bert.py
cat > torch.py <<'END'
import contextlib
no_grad = contextlib.nullcontext
END
cat > transformers.py <<'END'
class Weights(list):
    def tolist(self): return list(self)
class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, name): return cls()
    def __call__(self, text, return_tensors): return {"input_ids": [[7, 8]]}
    def convert_ids_to_tokens(self, ids): return [f"t{i}" for i in ids]
class AutoModel:
    @classmethod
    def from_pretrained(cls, name, output_attentions): return cls()
    def __call__(self, input_ids):
        layer = [Weights([[[0.25, 0.75], [1, 0]], [[0, 1], [0.5, 0.5]]])]
        return type("Output", (), {"attentions": (layer, layer)})
END
if command -v python3 > /dev/null; then
	python3 bert.py 2> err || sed 's/^/# /' err
	{ printf 'open viewer.html\n'; choose bert.json
	printf '%s\n' 'key ArrowDown' 'key j' 'js document.querySelector(".says").textContent' errors; } | browse
	is 2 'enc.2.self, head 1: t7 attends most to t8 0.750' 'the output of the Python program of head-map(1) is shown'
else
	say 0 'the Python program of head-map(1) # SKIP no python3'
fi
head-map -m story.tar --json -n 2 in.heed > data.json
{ printf 'open viewer.html\n'; choose data.json
printf '%s\n' "js $(texts '.overview span')" 'js document.querySelectorAll(".overview canvas").length' errors; } | browse
is 3 6 'the output of head-map --json is shown'

# --- many heads on a phone ---
perl -MJSON::PP -e 'print encode_json({ format => "heed-attention", version => 1, models => [{ sentences => [{ source => { tokens => ["a"] },
	attention => { "enc.1.self" => [map { [[1]] } 1 .. 24] } }] }] })' > wide.json
visible="(b => (r => (o => r.left >= o.left && r.right <= o.right + 1)(b.closest('.overview').getBoundingClientRect()))(b.getBoundingClientRect()))(document.querySelector('.overview [aria-pressed=true]'))"
{ printf 'window 390 844\nopen viewer.html\n'; choose wide.json
printf '%s\n' 'js document.documentElement.scrollWidth' "js $visible" 'js go({ view: "20" })' "js $visible" 'js go({ view: "1" })' "js $visible" errors; } | browse
is 2 390 'many heads fit a phone'
is 3 true 'the selected head is visible'
is 5 true '... also far to the right'
is 7 true '... and back'
is 8 '' 'there are no errors'
