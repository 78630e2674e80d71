#!/bin/sh
# README.md and heed.7, the first two pages: both list every program under the same tasks and show the
# same commands, and an independent CommonMark program finds each command as it is in the source.
. "$HEED_TOP/tests/lib.sh"
readme=$HEED_TOP/README.md page=$HEED_TOP/man/heed.7
plan 14

# alike FILE FILE 'what': the same bytes in both, of which there are some
alike() { [ -s "$1" ] && diff "$1" "$2" > differences; r=$?; say $r "$3"; [ $r = 0 ] || sed 's/^/# /' differences; }

# --- tools ---
# "task: name section, name section", a line each
awk '/^\* \*\*/ { if (item != "") print item; item = $0; next } /^  / && item != "" { item = item $0; next }
     item != "" { print item; item = "" }' "$readme" |
	sed 's/^\* \*\*//; s/\*\*: /: /; s/  */ /g; s/\[\([a-z0-9-]*\)(\([1-8]\))\]([^)]*)/\1 \2/g' > in.readme
awk '/^\.S[sh] / { if (names != "") print task ": " names; task = substr($0, 5); names = "" }
     /^\.It Xr/ { sub(/^\.It Xr /, ""); gsub(/ , Xr /, ", "); names = names (names == "" ? "" : ", ") $0 }' "$page" > in.page
alike in.page in.readme 'both pages list the same programs and pages under the same tasks'
for f in "$HEED_TOP"/src/*.c "$HEED_TOP"/src/*.sh; do p=$(basename "$f"); echo "${p%.*} 1"; done | sort > programs
sed 's/^[^:]*: //; s/, /\n/g' in.readme | grep ' 1$' | sort > listed
alike programs listed 'they list every program'
grep -o '](\([^)]*\))' "$readme" | sed 's/](\(.*\))/\1/' > links
missing=$(while read -r at; do [ -e "$HEED_TOP/$at" ] || echo "$at"; done < links)
[ "$(wc -l < links)" -gt 30 ] && [ -z "$missing" ]; say $? "each link leads to a file${missing:+, but not $missing}"
! sed 's/`[^`]*`//g' "$readme" | grep -oE '(\[)?[a-z0-9-]+\([1-8]\)(\])?' | grep -qv '^\['; say $? 'each name of a page is a link'

# --- results ---
heed-table -g "$HEED_TOP/src/papers/syntax.grid" --to brief --section rhe $(find "$HEED_TOP/results/syntax" -name record) |
	awk -F '\t' 'NR == 1 || $NF > 0' | cut -f 1-5,7 | sed "s/, multi30k.en-de//g; s/\t\t*/  /g; s/ *\$//" > in.ledger
sed -n '/^system /,/^```/p' "$readme" | grep -v '^```' | sed 's/   */  /g' > in.readme
alike in.ledger in.readme 'the table of results is that of the ledger'

# --- size ---
[ "$(wc -l < "$readme")" -lt 150 ]; say $? 'the page is short'
head -n 24 "$readme" | grep -q '^make '; say $? '... and its first command is on the first screen'

# --- commands ---
# displays FILE: those of heed.7, as mandoc shows them, each ended by a line "---"
displays() {
	awk '/^\.Bd/ { inside = 1; next } /^\.Ed/ { inside = 0; print "---"; next }
	     inside { gsub(/\\e/, "\\"); print }' "$1"
}
# fences FILE: the code blocks of the page, as in its source
fences() { awk '/^```/ { if (inside && !table) print "---"; inside = !inside; table = 0; next }
    inside && /^system / { table = 1 } inside && !table' "$1"; }
displays "$page" > displayed
fences "$readme" > fenced
# A display of heed.7 alone shows a record, or the corpus of the user.
awk 'BEGIN { RS = "---\n" } !/^\$|DATA=/ { printf "%s---\n", $0 }' displayed > shared
alike shared fenced 'both pages show the same commands, in one order'
sed -n '/^```sh$/,/^```$/p' "$readme" | grep -v '^```' > commands.sh
sh -n commands.sh; say $? 'they are sound shell'
awk '/^```/ { inside = !inside } !inside && /^( *|> *)(make |cat |for [a-z]+ in |sh |\$ )/ || !inside && /[a-z] \| [a-z]|\\$/' "$readme" > loose
[ ! -s loose ]; say $? 'no command stands outside of a code block'
awk 'length($0) > 80' fenced > long; [ ! -s long ]; say $? 'none is wider than 80 columns'

if command -v cmark > /dev/null; then
	cmark -t xml "$readme" > tree.xml
	perl -0777 -e '$_ = <>; for my $text (m{<code_block[^>]*>(.*?)</code_block>}sg) {
		for ($text) { s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/&/g; }
		print "$text---\n" unless $text =~ /^system /; }' tree.xml > blocks
	alike fenced blocks 'CommonMark has each command as in the source'
	! grep -q '<block_quote' tree.xml; say $? '... none in a block quote'
	[ "$(grep -c '<link ' tree.xml)" = "$(wc -l < links)" ]; say $? '... and each link is one'
else
	for what in commands quotes links; do n=$((n + 1)); echo "ok $n - CommonMark: $what # SKIP no cmark here: apt-get install cmark"; done
fi
