#!/bin/sh
# heed-report: tables, figures and runs as one self-contained page of HTML; see heed-report(1).
set -u
program=heed-report
version='@VERSION@'
tab=$(printf '\t')

usage() { printf '%s: %s\n%s: hint: %s --help lists the options\n' $program "$1" $program $program >&2; exit 2; }
fail() { printf '%s: %s\n' $program "$2" >&2; exit "$1"; }

options() {
	cat <<-EOT
	o${tab}output${tab}file${tab}write there instead of to standard output
	${tab}title${tab}text${tab}the page's title
	${tab}table${tab}file${tab}a table: tab-separated, names of the columns first
	${tab}figure${tab}file${tab}a figure: SVG, set into the page
	${tab}caption${tab}text${tab}of the table or figure before it
	${tab}heading${tab}text${tab}what stands over what follows
	${tab}run${tab}folder${tab}a run: its settings, model and translations
	${tab}samples${tab}n${tab}translations shown of a run
	h${tab}help${tab}${tab}print this and exit
	${tab}version${tab}${tab}print the version and exit
	EOT
}
help() {
	echo "usage: $program [--title text] [--table file] [--figure file] [--caption text] [--heading text] [--run folder] [-o file]"
	echo "tables, figures and runs as one self-contained page of HTML"
	echo
	options | awk -F'\t' '{ printf "  %s --%-20s %s\n", $1 == "" ? "   " : "-" $1 ",", $2 " " $3, $4 }'
}

escape() { sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'; }
readable() { [ -r "$1" ] || fail 4 "cannot read $1"; }

page_begin() {
	title=$(printf '%s' "$1" | escape)
	cat <<-EOT
	<!DOCTYPE html>
	<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
	<title>$title</title>
	<style>
	body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
	h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid #ddd; } h3 { font-size: 1rem; }
	.wide { overflow-x: auto; } table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: .3rem .7rem; border-bottom: 1px solid #e4e4e4; }
	th { border-bottom: 2px solid #bbb; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
	summary { cursor: pointer; font-weight: bold; margin: 1rem 0; }
	figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { color: #555; font-size: .9rem; }
	pre { background: #f6f6f6; padding: .7rem; overflow-x: auto; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
	dl.sample { margin: 0 0 1rem; padding-left: .8rem; border-left: 3px solid #ddd; } dl.sample dt { color: #666; font-size: .8rem; float: left; width: 5.5rem; clear: left; } dl.sample dd { margin: 0 0 0 6rem; }
	</style></head><body>
	<h1>$title</h1>
	EOT
}

# A table's numbers are set flush right.
table() {
	readable "$1"
	echo '<div class="wide"><table>'
	escape < "$1" | awk -F'\t' '{
		tag = NR == 1 ? "th" : "td"; printf "<tr>"
		for (i = 1; i <= NF; i++)
			printf "<%s%s>%s</%s>", tag, (NR > 1 && $i ~ /^[-+]?[0-9.]+$/) ? " class=\"n\"" : "", $i, tag
		print "</tr>"
	}'
	echo '</table></div>'
}

figure() {
	readable "$1"
	echo '<figure>'
	sed -e '/^<?xml/d' -e '/^<!DOCTYPE/d' -e '/^ *"http.*dtd">$/d' "$1"
	echo '</figure>'
}

samples() {
	[ "$2" -gt 0 ] && [ -r "$1/test.hyp.heed" ] || return 0
	echo '<h3>Translations</h3>'
	heed-show -n "$2" -f src,tgt,hyp "$1/test.hyp.heed" | escape | awk -F'\t' '{
		printf "<dl class=\"sample\"><dt>source</dt><dd>%s</dd><dt>reference</dt><dd>%s</dd><dt>translation</dt><dd>%s</dd></dl>\n", $1, $2, $3
	}'
}

# The last four parts of a run's path are its name: paper, corpus, variant, seed.
run() {
	printf '<details><summary>Run %s</summary>\n' "$(printf '%s' "$1" | grep -o '[^/]*\(/[^/]*\)\{0,3\}$' | escape)"
	samples "$1" "$2"
	for file in settings record; do
		[ -r "$1/$file" ] || continue
		printf '<h3>The %s</h3><pre>\n' $file; escape < "$1/$file"; echo '</pre>'
	done
	if [ -r "$1/model.tar" ]; then
		echo '<h3>The model: configuration, recipe, provenance</h3><pre>'
		nmt-info "$1/model.tar" | grep -v "^parameter$tab" | escape
		echo '</pre>'
	fi
	echo '</details>'
}

page() {
	title='Report' n_samples=10
	while [ $# -gt 0 ]; do
		case $1 in --title) title=$2 ;; --samples) n_samples=$2 ;; esac
		shift 2
	done
	page_begin "$title"
}

body() {
	while [ $# -gt 0 ]; do
		case $1 in
		--table) table "$2" ;;
		--figure) figure "$2" ;;
		--heading) printf '<h2>%s</h2>\n' "$(printf '%s' "$2" | escape)" ;;
		--caption) printf '<p><small>%s</small></p>\n' "$(printf '%s' "$2" | escape)" ;;
		--run) run "$2" "$n_samples" ;;
		esac
		shift 2
	done
	echo '</body></html>'
}

output=
case ${1-} in
-h|--help) help 2> /dev/null || fail 4 'cannot write standard output'; exit 0 ;;
--version) echo "$program (heed) $version"; exit 0 ;;
--options-tsv) options; exit 0 ;;
esac
for word; do	# once over all words, in pairs: each option has a value
	if [ -z "${name-}" ]; then
		name=$word
		case $name in
		-o|--output|--title|--table|--figure|--caption|--heading|--run|--samples) ;;
		-*) usage "unknown option $name" ;;
		*) usage "an option was expected, not '$name'" ;;
		esac
		continue
	fi
	case $name in
	-o|--output) output=$word ;;
	--samples) case $word in ''|*[!0-9]*) usage "--samples: '$word' is not a whole number from 0" ;; esac ;;
	esac
	name=
done
[ -z "${name-}" ] || usage "$name needs a value"

case $output in
''|-) page=${TMPDIR:-/tmp}/$program.$$.tmp ;;
*) page=$output.$$.tmp ;;
esac
trap 'rm -f "$page"' EXIT
trap 'exit 1' HUP INT TERM
{ page "$@" && body "$@"; } > "$page" || fail 4 "cannot write $page"
tail -n 1 "$page" | grep -q '</html>' || fail 4 "cannot write $page"	# a full disk can cut any of many writes
case $output in
''|-) cat "$page" || fail 4 "cannot write standard output" ;;
*) mv "$page" "$output" || fail 4 "cannot write $output" ;;
esac
