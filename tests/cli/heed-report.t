#!/bin/sh
# heed-report: a page that is whole, escaped and self-contained.
. "$HEED_TOP/tests/lib.sh"
plan 9

printf 'system\tBLEU\n<plain> & "x"\t35.2\n' > table.tsv
printf '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>\n' > fig.svg
mkdir run && echo '--size tiny' > run/settings

exits 0 'a page of everything' \
	"heed-report --title 'A & B' --table table.tsv --figure fig.svg --caption c --run run -o page.html"
grep -q '<td>&lt;plain&gt; &amp; &quot;x&quot;</td><td class="n">35.2</td>' page.html
say $? 'cells are escaped, numbers flush right'
grep -q '<title>A &amp; B</title>' page.html && grep -q '<svg' page.html && ! grep -q '<?xml' page.html
say $? 'title and figure are set into the page'
! grep -E 'src=|href=|@import|<script' page.html
say $? 'the page needs nothing else'
exits 4 'a table that is not there' 'heed-report --table nope -o other.html'
[ ! -e other.html ] && ! ls -- *.tmp 2> /dev/null
say $? '... leaves no page behind'
exits 2 'an unknown option' 'heed-report --frobnicate'
exits 2 'an option without its value' 'heed-report --title'
exits 4 'a full disk' 'heed-report --table table.tsv > /dev/full'
