#!/bin/sh
# programs: properties of all programs.
. "$HEED_TOP/tests/lib.sh"

version=$(cat "$HEED_TOP/VERSION")
for program in "$(dirname "$(command -v heed-show)")"/*; do
	[ -x "$program" ] && [ -f "$program" ] || continue
	name=$(basename "$program")
	bad=0
	# try CODE 'command': ends with CODE; an error message begins with the program's name
	try() {
		got=0; sh -c "$2" > out 2> err < /dev/null || got=$?
		if [ "$got" != "$1" ] || { [ "$1" != 0 ] && ! grep -q "^$name: " err; }; then
			echo "# $2: exit $got, expected $1"; sed 's/^/# /' err; bad=1
		fi
	}
	try 0 "$name --help"
	grep -q "^usage: $name" out || { echo "# --help does not print the usage"; bad=1; }
	try 0 "$name -h"
	try 0 "$name --version"
	grep -qF "$version" out || { echo "# --version does not print $version"; bad=1; }
	try 2 "$name --no-such-option"
	if "$program" --options-tsv | cut -f 1,2 | grep -qx 'o	output'; then
		try 2 "$name -o x --output y"
		grep -q -- '--output is given twice' err || { echo '# no message about the duplicate -o'; bad=1; }
	fi
	for o in --help --version --options-tsv; do
		[ -e /dev/full ] && try 4 "$name $o > /dev/full"
	done
	try 4 "$name --help >&-"
	case $(head -c 2 "$program") in '#!') ;; *) try 4 "ulimit -s 64; $name --help"
		grep -q 'the stack is limited to 64 KiB, expected at least 256 KiB' err || { echo '# no message about the stack'; bad=1; } ;;
	esac
	that $bad = 0; say $? "$name: --help, --version, an unknown option, a full disk, a closed output, a small stack"
done

readelf -d "$(command -v heed-show)" | grep NEEDED | lacks -E 'archive|xml'; say $? 'a small program starts without the libraries that it seldom calls'

# hardened PROGRAM: has read-only relocations, a random address, stack protection, a non-executable
# stack, and checked calls of library functions
hardened() {
	readelf -W -h -l -d --dyn-syms "$1" > elf && for what in 'Type: *DYN' GNU_RELRO 'Flags:.* NOW' 'Flags:.* PIE' \
	    'GNU_STACK.* RW ' __stack_chk_fail '__[a-z]*printf_chk'; do
		grep -q "$what" elf || { echo "# ${1##*/}: no '$what'"; return 1; }
	done
}
if [ "${HEED_MODE:-release}" = release ] && [ -n "${HEED_HARDEN-yes}" ] && command -v readelf > /dev/null; then
	bad=0 checked=0
	for program in "$(dirname "$(command -v heed-show)")"/*; do
		head -c 4 "$program" | grep -q ELF || continue
		checked=$((checked + 1))
		hardened "$program" || bad=1
	done
	that $bad = 0 && that $checked -gt 20; say $? "$checked programs are hardened"
fi

# Every program is run by a test: at the beginning of a command, which may be quoted.
for f in "$HEED_TOP"/src/*.c "$HEED_TOP"/src/*.sh; do p=$(basename "$f"); echo "${p%.*}"; done > names
tests=$(ls "$HEED_TOP"/tests/cli/*.t | grep -v '/fields.t$\|/programs.t$')	# these list programs
while read -r name; do
	grep -qE "(^|[|;&({'\"]|\\$\(|then|do|!|exec|time|twice|runs|exits? [0-9]+ '[^']*') *'?$name( |\$)" $tests ||
		echo "no test runs $name: add tests/cli/$name.t"
done < names > untested
that "$(wc -l < names)" -gt 30 && that ! -s untested; say $? 'a test runs every program'; sed 's/^/# /' untested

printf 'a dog runs\na cat runs\n' > t.en
# full 'command': its output is written to a full disk
full() {
	command -v "${1%% *}" > /dev/null && [ -e /dev/full ] || return 0
	got=0; sh -c "$1 > /dev/full" 2> err < t.en || got=$?
	that "$got" = 4 && matches 'No space left' err
	say $? "a full disk: $1"
}
# An option with one value may be given once; flags and lists may be repeated.
twice() { exits 2 "a duplicate option is a usage error: $1 $2" "$*"; matches "is given twice" err; say $? '... with this message'; }
printf 'a\n' > a.txt
if command -v tokenize > /dev/null; then
	twice tokenize -l en --language=en a.txt
	twice tokenize --max-line 1 --max-line 1 a.txt
	twice heed-pack -i skip -iskip a.txt
	exits 0 'a flag may be repeated' 'heed-pack -qq --force --quiet a.txt'
fi
if command -v nmt-train > /dev/null; then
	twice nmt-train --updates 1 --updates 2
	twice nmt-train --lr 1 --lr 1
	twice nmt-train -o x --updates 1 --arch heads=2,heads=4 a.txt
	twice nmt-score -m a.tar -m b.tar a.txt
fi
if command -v bleu > /dev/null; then
	exits 0 'a list may be repeated' 'bleu -r a.txt -r a.txt a.txt'
fi

full 'tokenize -l en'
full 'detokenize -l en'
full 'bpe-learn --text --merges 2'
full 'bleu -r t.en'
if command -v bpe-apply > /dev/null; then
	bpe-learn --text --merges 2 < t.en > codes
	full 'bpe-apply --text -c codes'
fi
plan $n
