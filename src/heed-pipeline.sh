#!/bin/sh
# heed-pipeline: run the pipeline of the installation in the current folder; see heed-pipeline(1).
set -u
program=heed-pipeline
version='@VERSION@'

options() {
	printf '%s\t%s\t%s\t%s\t%s\n' \
	    '' dry-run '' 'print the commands and do not run them' 1 \
	    '' jobs n 'make up to n targets at a time (1)' 1 \
	    '' keep-going '' 'after an error, make all other targets' 1 \
	    h help '' 'print this help and exit' 1 \
	    '' version '' 'print the version and exit' 1
}

usage() {
	cat <<'END'
usage: heed-pipeline [options] [target ...] [setting=value ...]
run experiments in the current folder, from corpora to reports

      --dry-run                print the commands and do not run them
      --jobs n                 make up to n targets at a time (1)
      --keep-going             after an error, make all other targets
  -h, --help                   print this help and exit
      --version                print the version and exit

example:
  heed-pipeline demo PROFILE=smoke

see heed-pipeline(1); heed-pipeline(7) describes targets and settings
END
}

fail() { printf '%s: %s\n' $program "$2" >&2; exit "$1"; }
hint() { printf '%s: hint: %s\n' $program "$*" >&2; }
wrong() { printf '%s: %s\n' $program "$1" >&2; hint "${2:-$program --help lists the options}"; exit 2; }
# A reader that has seen enough (SIGPIPE) is no error.
show() {
	"$1" 2> /dev/null; r=$?
	[ $r = 141 ] && exit $r
	[ $r = 0 ] || fail 4 'cannot write standard output'
}

flags= jobs=
count() {
	[ -z "$jobs" ] || wrong '--jobs is given twice, expected once'
	case $1 in '' | *[!0-9]* | 0*) wrong "--jobs '$1', expected a number of 1 or more" ;; esac
	jobs=$1
}

# The operands of this program follow the options, so each operand is moved to the end.
left=$#
while [ $left -gt 0 ]; do
	left=$((left - 1))
	case $1 in
	-h | --help) show usage; exit ;;
	--version) echo "$program (heed) $version" 2> /dev/null || fail 4 'cannot write standard output'; exit ;;
	--options-tsv) show options; exit ;;
	--dry-run) flags="$flags -n" ;;
	--keep-going) flags="$flags -k" ;;
	--jobs) [ $left -gt 0 ] || wrong '--jobs needs a value: n'; shift; left=$((left - 1)); count "$1" ;;
	--jobs=*) count "${1#--jobs=}" ;;
	-*) wrong "unknown option $1" ;;
	*) set -- "$@" "$1" ;;
	esac
	shift
done

here=$(dirname "$(readlink -f "$0")")
top=$(dirname "$here")
[ -e "$top/pipeline.mk" ] || top=$top/share/heed
[ -e "$top/pipeline.mk" ] || fail 4 "$top/pipeline.mk: not found; the installation is incomplete"
command -v make > /dev/null || {
	printf '%s: make is not installed\n' $program >&2
	hint 'apt-get install make'
	exit 4
}
PATH=$here:$PATH
export PATH
exec make --no-print-directory ${jobs:+-j$jobs} $flags -f "$top/pipeline.mk" _called=$program "$@"
