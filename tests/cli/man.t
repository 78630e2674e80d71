#!/bin/sh
# man: every program has a page, every page is well-formed, page and program name the same
# options, and what the pages show runs.
#
# In a page a comment line before a literal display (.Bd -literal ... .Ed) says what it is:
#   .\" test              commands; they must succeed (sh -e)
#   .\" test if COMMAND   the same, where COMMAND succeeds
#   .\" file NAME         the contents of a file that later commands use
#   .\" compile           C, which the compiler takes
# and anywhere:
#   .\" run COMMAND       a command that the page does not show: prepares or checks an example
# They run in the order of the page in a folder of the page's own, which has the texts
# t.en and t.de.  No training may be too short for its warm-up.
. "$HEED_TOP/tests/lib.sh"

# Where Python has the module msgpack that Debian packages, that is the one to try.
mkdir path
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 path/python3
PATH=$scratch/path:$PATH

# options_of_page FILE: one a line, from the list items that begin with a flag
options_of_page() {
	awk '/^\.It Fl / {
		flag = 0
		for (i = 2; i <= NF; i++) {
			if ($i == "Fl") flag = 1
			else if ($i ~ /^(Ar|Cm|Ns|Op|Oo|Oc|Sy|Li|Pa|No)$/) flag = 0
			else if (flag && $i != ",") print $i
		}
	}' "$1" | sort -u
}

# options_of_program NAME: the same from its own table
options_of_program() {
	"$1" --options-tsv | awk -F '\t' '{ if ($1 != "") print $1; if ($2 != "") print "-" $2 }' | sort -u
}

# blocks FILE: writes block.1, block.2 ... with the display, and kinds with a line each
blocks() {
	rm -f block.* kinds; : > kinds
	awk '/^\.\\" run / { n++; print "run" >> "kinds"; print substr($0, 9) > ("block." n); next }
	     /^\.\\" (test|file|compile)/ { kind = substr($0, 5); next }
	     /^\.Bd -literal/ && kind != "" { n++; print kind >> "kinds"; printf "" > ("block." n); inside = 1; kind = ""; next }
	     /^\.Ed/ { inside = 0 }
	     inside { gsub(/\\&/, ""); gsub(/\\e/, "\\"); gsub(/\\-/, "-"); gsub(/\\\(dq/, "\""); print > ("block." n) }' "$1"
}

# run_page FILE: the examples of a page
run_page() {
	name=$(basename "$1"); mkdir "$name.d"; cd "$name.d" || exit 1
	printf 'a dog runs\nthe colour of a house\ntwo men talk\n' > t.en
	printf 'ein Hund rennt\ndie Farbe eines Hauses\nzwei Männer reden\n' > t.de
	blocks "$1"
	i=0
	while read -r kind rest; do
		i=$((i + 1))
		if [ "$kind" = file ]; then
			cp block.$i "$rest"
			continue
		fi
		if [ "$kind" = compile ]; then
			${CC:-cc} -std=c11 -Wall -Wextra -Werror -I"$HEED_TOP/common" -I"$HEED_BUILD" -fsyntax-only -x c block.$i 2> err; r=$?
			say $r "example $i of $name compiles"
			[ $r = 0 ] || sed 's/^/# /' err
			continue
		fi
		condition=${rest#if }
		if [ -n "$condition" ] && ! sh -c "$condition" > /dev/null 2>&1; then
			n=$((n + 1)); echo "ok $n - example $i of $name # SKIP not here: $condition"
			continue
		fi
		sh -e block.$i > out 2> err < /dev/null && lacks 'warning: the warm-up' err; r=$?
		say $r "example $i of $name runs"
		[ $r = 0 ] || sed 's/^/# /' block.$i err
	done < kinds
	cd ..
}

for program in "$(dirname "$(command -v heed-show)")"/*; do
	name=$(basename "$program")
	[ -x "$program" ] && [ -f "$program" ] || continue
	page=$HEED_TOP/man/$name.1
	if [ ! -e "$page" ]; then say 1 "$name has a page"; continue; fi
	options_of_page "$page" > page
	options_of_program "$program" > table
	equals page table
	say $? "$name and its page have the same options"
done

for page in "$HEED_TOP"/man/*.[0-9]; do
	mandoc -T lint -W warning "$page" > lint 2>&1; r=$?
	say $r "$(basename "$page") is well-formed"
	[ $r = 0 ] || sed 's/^/# /' lint
	run_page "$page"
done
# man(1) of Debian draws pages by groff, to which a word such as Do or Li in a title is a macro.
if command -v groff > /dev/null; then
	for page in "$HEED_TOP"/man/*.[0-9]; do
		groff -k -mdoc -T utf8 -rLL=78n "$page" 2>&1 > drawn | sed "s,^,$(basename "$page"): ,"
	done > warnings
	that ! -s warnings; say $? 'groff draws every page, too, and its tables fit 80 columns'
fi
perl "$HEED_TOP/tests/columns.pl" "$HEED_TOP"/man/*.[0-9] > wide
that $? = 0 && that ! -s wide; say $? 'no cell of a table is wider than its column'
cat > columns.1 <<'END'
.Bl -column "abc" "abc"
.It abc Ta "a b" Ta x
.It abc Ta abcd Ta x
.It Fl -a , Ta abc
.It Ta ab\-c Ta x
.It Xr a 1 Ta x
.It a Ta b Ta wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww
.El
END
perl "$HEED_TOP/tests/columns.pl" columns.1 | cut -d : -f 2 | paste -s -d ' ' | matches -x '3 4 5 6 7'
say $? '... and wider cells and rows are found'
# attention(3) tells of every member of a variant and of every function for one, and of nothing else.
header=$HEED_TOP/common/attention/attention.h page=$HEED_TOP/man/attention.3
{
	sed -n '/^struct attention_variant {/,/^};/p' "$header" | sed -z 's,/[*]\([^*]\|[*][^/]\)*[*]/,,g' |
		grep -o '([*][a-z_]*)(\|[a-z_]*\(:1\)*;' | tr -d '(*);:1'
	grep -v '^typedef' "$header" | grep -o '^[a-z].*[ *]\(attention_[a-z_]*\|site_cut\)(' | sed 's/(//; s/.*[ *]//' | grep -v '^attention_set_'
} | sort -u > names
while read -r name; do grep -qw -- "$name" "$page" || echo "$name"; done < names > unnamed
that "$(wc -l < names)" -gt 30 && that ! -s unnamed
say $? 'attention(3) has all of its header'
grep -o '^\.\(It \)*\(Fn\|Va\) .*' "$page" | tr ' ,' '\n\n' | grep '_' | grep -v 'attention_NAME' | sort -u > named
while read -r name; do grep -rqw -- "$name" "$HEED_TOP"/common --include='*.h' || echo "$name"; done < named > unknown
that "$(wc -l < named)" -gt 20 && that ! -s unknown
say $? '... and names what there is'
# nmt-train(1) has each setting of --arch.
awk '/model_config_options/ { on = 1 } on && /OPT_END/ { exit } on' "$HEED_TOP/common/model/config.c" |
	sed -n 's/^.*[A-Z]*(\([a-z_]*\),.*/\1/p' > settings
while read -r name; do grep -q "^\.It Cm .*\<$name\>" "$HEED_TOP/man/nmt-train.1" || echo "$name"; done < settings > unnamed
that "$(wc -l < settings)" -gt 25 && that ! -s unnamed
say $? 'nmt-train(1) has all settings of --arch'
grep -n 'Dq [^ ]* or Dq\|Dq [^ ]* No or Dq' "$HEED_TOP"/man/*.[0-9] > nested
that ! -s nested; say $? 'no quotation within a quotation'
that -z "$(grep -Lx '\.Os' "$HEED_TOP"/man/*.[0-9])"; say $? 'all pages are of the same system'
# Each Op of a line is inside the one before it, to the end of the line: a third one never is.
awk '/^\.Sh/ { synopsis = /SYNOPSIS/ } synopsis && /^\.Op .* Op .* Op / { print FILENAME ": " $0 }' \
	"$HEED_TOP"/man/*.1 > nested
that ! -s nested; say $? 'no three parts of a synopsis are inside each other by accident'
sed 's/^/# /' nested

# --- fields ---
# field NAME: does heed-fields(5) have it, perhaps by a pattern?
sed -n 's/^\.It Va \([^ ]*\) Pq.*/\1/p' "$HEED_TOP/man/heed-fields.5" | sort -u > known
field() { while read -r pattern; do case $1 in $pattern) return 0 ;; esac; done < known; return 1; }
for page in "$HEED_TOP"/man/*.1; do
	awk '/^\.Sh/ { on = /STREAM FIELDS/ } on && /^\.(It )?Va/ { for (i = /^\.It/ ? 3 : 2; i <= NF; i++)
		if ($i ~ /^[a-z]+[a-z._-]*[a-z*L-]$/ && $i != "Va" && (/^\.It/ || $i ~ /[.]/)) print $i }' "$page" |
	while read -r name; do field "$name" || echo "$(basename "$page"): $name"; done
done > unlisted
that "$(wc -l < known)" -gt 50 && that ! -s unlisted; say $? 'heed-fields(5) has the fields of all pages'
sed 's/^/# /' unlisted
plan $n
