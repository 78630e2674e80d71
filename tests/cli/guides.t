#!/bin/sh
# guides: the guides in Markdown are those of the manual pages; all pages as HTML.
. "$HEED_TOP/tests/lib.sh"

skip() { echo "1..0 # SKIP $*"; exit; }
for program in mandoc python3; do command -v $program > /dev/null || skip "$program is not installed"; done
for page in "$HEED_TOP"/man/*.md; do
	name=$(basename "$page" .md)
	runs python3 "$HEED_TOP/man/guides.py" "$HEED_TOP/man/$name.7" > found; say $? "$name.7 as Markdown"
	equals "$page" found; say $? '... is up to date (make guides)'
	# Every link is to a file, or to a heading of the page.
	grep -o ']([^)]*)' found | sed 's/^](//; s/)$//' | sort -u > links
	sed -n 's/^#* //p' found | tr 'A-Z' 'a-z' | tr -cd 'a-z0-9 \n-' | tr ' ' '-' > headings
	while read -r link; do
		case $link in
		http*) ;;
		\#*) grep -qxF -e "${link#?}" headings || echo "no heading $link" ;;
		*) [ -e "$HEED_TOP/man/$link" ] || echo "no file $link" ;;
		esac
	done < links > bad
	that -s links && that ! -s bad
	say $? '... and its links lead somewhere'
	sed '/^ *```sh$/,/^ *```$/d' found | lacks '``'; say $? '... without broken code'
done
printf '%s\n' '.Dd November 28, 2026' '.Dt X 7' .Os '.Sh NAME' '.Nm x' '.Nd a page' '.Sh DESCRIPTION' '.Fl -to Cm a*b' 'and a_b,' '.Xr heed 7 ,' '.Xr ls 1 .' '.Bl -enum -compact' .It one .It two .El \
    '.Bl -tag -width x -compact' '.It Fl a' first '.It Fl b' second .El '.Bd -literal' 'x < y' .Ed > x.7
python3 "$HEED_TOP/man/guides.py" x.7 > found; equals - found <<'END'; say $? 'options, links, lists, tables and code'
# x(7): a page

<!-- This is x.7 as Markdown, made by "make guides". -->

`--to a*b` and a\_b, [heed(7)](heed.7), ls(1).

1. one
2. two

|  |  |
| --- | --- |
| `-a` | first |
| `-b` | second |

```sh
x < y
```
END

# --- HTML ---
runs python3 -B "$HEED_TOP/man/pages.py" html > out 2>&1; say $? 'all pages as HTML'
ls "$HEED_TOP"/man/*.[0-9] | sed 's,.*/,,; s/$/.html/' > expected; (cd html && ls *.[0-9].html) | equals - expected; say $? '... a file for each page'
cat html/*.html | grep -o 'href="[^"#]*' | sed 's/^href="//; /^https*:/d; /^mailto:/d; /^$/d' | sort -u > links
while read -r link; do [ -e "html/$link" ] || echo "$link"; done < links > bad; that "$(wc -l < links)" -gt 60 && that ! -s bad
say $? '... whose links lead to files'; sed 's/^/# /' bad
for f in html/*.html; do
	grep -o 'href="#[^"]*' "$f" | sed 's/^href="#//' | sort -u > links; grep -o ' id="[^"]*' "$f" | sed 's/^ id="//' | sort > ids
	uniq -d ids | sed "s,^,$f has twice: ,"; comm -23 links ids | sed "s,^,$f lacks: ,"
done > bad; that ! -s bad; say $? '... and to headings'; head -n 5 bad | sed 's/^/# /'
if command -v chromium > /dev/null; then
	chromium --headless --no-sandbox --user-data-dir="$scratch/chromium" --dump-dom "file://$scratch/html/index.html?q=mask-heads" 2> /dev/null |
		tr '>' '\n' | grep -o 'href="nmt-score.1.html#mask-heads"' > found; that -s found; say $? 'the search finds an option'
	chromium --headless --no-sandbox --user-data-dir="$scratch/chromium" --dump-dom "file://$scratch/html/index.html?q=xyzzy" 2> /dev/null |
		matches 'Nothing found'; say $? '... and says if there is nothing'
fi
plan $n
