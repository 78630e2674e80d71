#!/bin/sh
# programs: what holds for every one of them, whatever it does.
. "$HEED_TOP/tests/lib.sh"

version=$(cat "$HEED_TOP/VERSION")
for program in "$(dirname "$(command -v heed-show)")"/*; do
	[ -x "$program" ] && [ -f "$program" ] || continue
	name=$(basename "$program")
	bad=0
	# try CODE 'command': ends so, and an error begins with the program's name
	try() {
		got=0; sh -c "$2" > out 2> err < /dev/null || got=$?
		if [ "$got" != "$1" ] || { [ "$1" != 0 ] && ! grep -q "^$name: " err; }; then
			echo "# $2: exit $got, $1 was expected"; sed 's/^/# /' err; bad=1
		fi
	}
	try 0 "$name --help"
	grep -q "^usage: $name" out || { echo "# --help without usage"; bad=1; }
	try 0 "$name -h"
	try 0 "$name --version"
	grep -qF "$version" out || { echo "# --version without $version"; bad=1; }
	try 2 "$name --no-such-option"
	if "$program" --options-tsv | cut -f 1,2 | grep -qx 'o	output'; then
		try 2 "$name -o x --output y"
		grep -q -- '--output is given twice' err || { echo '# no word of -o twice'; bad=1; }
	fi
	[ -e /dev/full ] && try 4 "$name --help > /dev/full"
	try 4 "$name --help >&-"
	say $bad "$name: --help, --version, an unknown option, a full disk, a closed output"
done

# hardened PROGRAM: relocations are read-only before it starts, its place is random, its stack is guarded and no code,
# and calls of the library check the sizes they are given
hardened() {
	readelf -W -h -l -d --dyn-syms "$1" > elf && for what in 'Type: *DYN' GNU_RELRO 'Flags:.* NOW' 'Flags:.* PIE' \
	    'GNU_STACK.* RW ' __stack_chk_fail '__[a-z]*printf_chk'; do
		grep -q "$what" elf || { echo "# ${1##*/}: without '$what'"; return 1; }
	done
}
if [ "${HEED_MODE:-release}" = release ] && [ -n "${HEED_HARDEN-yes}" ] && command -v readelf > /dev/null; then
	bad=0 checked=0
	for program in "$(dirname "$(command -v heed-show)")"/*; do
		head -c 4 "$program" | grep -q ELF || continue
		checked=$((checked + 1))
		hardened "$program" || bad=1
	done
	[ $bad = 0 ] && [ $checked -gt 20 ]; say $? "$checked programs are hardened"
fi

printf 'a dog runs\na cat runs\n' > t.en
# full 'command': its output does not fit on the disk
full() {
	command -v "${1%% *}" > /dev/null && [ -e /dev/full ] || return 0
	got=0; sh -c "$1 > /dev/full" 2> err < t.en || got=$?
	[ "$got" = 4 ] && grep -q 'No space left' err; r=$?
	say $r "a full disk: $1"
	[ $r = 0 ] || { echo "# exit $got"; sed 's/^/# /' err; }
}
# Of one value, whatever it is; flags and lists add up.
twice() { exits 2 "$1 $2 twice" "$*"; grep -q "is given twice" err; say $? '... is the reason'; }
printf 'a\n' > a.txt
if command -v tokenize > /dev/null; then
	twice tokenize -l en --language=en a.txt
	twice tokenize --max-line 1 --max-line 1 a.txt
	twice heed-pack -i skip -iskip a.txt
	exits 0 'a flag twice' 'heed-pack -qqf --quiet a.txt'
fi
if command -v nmt-train > /dev/null; then
	twice nmt-train --updates 1 --updates 2
	twice nmt-train --lr 1 --lr 1
	twice nmt-train -o x --updates 1 --arch heads=2,heads=4 a.txt
	twice nmt-translate -m a.tar -m b.tar a.txt
fi
if command -v bleu > /dev/null; then
	exits 0 'a list twice' 'bleu -r a.txt -r a.txt a.txt'
fi

full 'tokenize -l en'
full 'detokenize -l en'
full 'bpe-learn --text -n 2'
full 'bleu -r t.en'
if command -v bpe-apply > /dev/null; then
	bpe-learn --text -n 2 < t.en > codes
	full 'bpe-apply --text -c codes'
fi
plan $n
