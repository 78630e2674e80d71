#!/bin/sh
# heed: list the programs by task, and open a manual page; see heed(1).
set -u
program=heed
version='@VERSION@'

options() {
	printf '%s\t%s\t%s\t%s\n' \
	    h help '' 'print this help and exit' \
	    '' version '' 'print the version and exit'
}

usage() {
	cat <<'END'
usage: heed [help [page]]
list the programs by task, or open a manual page

  -h, --help                   print this help and exit
      --version                print the version and exit

example:
  heed help head-lrp

see heed(1)
END
}

# The list of programs and pages in heed(7); the build inserts it here.
tasks() {
	cat <<'END'
@TASKS@
END
}

version() { echo "$program (heed) $version"; }
fail() { printf '%s: %s\n' $program "$2" >&2; exit "$1"; }
hint() { printf '%s: hint: %s\n' $program "$*" >&2; }
# wrong MESSAGE [HINT]
wrong() { printf '%s: %s\n' $program "$1" >&2; hint "${2:-$program lists programs and pages}"; exit 2; }
# A reader that has seen enough (SIGPIPE) is no error.
show() {
	"$1" 2> /dev/null; r=$?
	[ $r = 141 ] && exit $r
	[ $r = 0 ] || fail 4 'cannot write standard output'
}

overview() {
	echo 'usage: PROGRAM [options] [file]; manual pages: heed help PAGE; tutorial: heed help tutorial'
	echo
	tasks
}

# page NAME: the path of the manual page NAME, or else heed-NAME, in the source tree or in the installation
page() {
	top=$(dirname "$(readlink -f "$0")")/..
	for name in "$1" "heed-$1"; do
		for section in 7 1 5 3; do
			for folder in "$top/man" "$top/share/man/man$section"; do
				for file in "$folder/$name.$section" "$folder/$name.$section.gz"; do
					[ -e "$file" ] && { echo "$file"; return; }
				done
			done
		done
	done
	return 1
}

open_page() {
	case $1 in */* | .* | -*) wrong "'$1' is not the name of a page" ;; esac
	file=$(page "$1") || wrong "no manual page for '$1', expected a program or page of heed"
	for reader in man mandoc; do
		command -v $reader > /dev/null || continue
		[ $reader = man ] && exec man "$file"
		exec mandoc -a "$file"
	done
	printf '%s: no manual page viewer found, expected man or mandoc\n' $program >&2
	hint "apt-get install mandoc, or read $file"
	exit 4
}

# of_name WORD: the programs with this word before or after the hyphen of their name
of_name() {
	for name in $(tasks | sed -n 's/^  \([a-z0-9, -]*\)  .*/\1/p' | tr ',' ' '); do
		case $name in *-"$1" | "$1"-*) printf ' %s' "$name" ;; esac
	done
}

case ${1-} in
-h | --help) show usage; exit ;;
--version) show version; exit ;;
--options-tsv) show options; exit ;;
-*) wrong "unknown option $1" ;;
'') show overview; exit ;;
help) shift ;;
*) near=$(of_name "$1")
   [ -z "$near" ] || wrong "unknown command '$1', expected help" "programs are commands of their own:$near"
   page "$1" > /dev/null && wrong "unknown command '$1', expected help" "did you mean $program help $1?"
   wrong "unknown command '$1', expected help" ;;
esac
[ $# -le 1 ] || wrong "$# pages, expected one"
[ $# = 1 ] && open_page "$1"
show overview
