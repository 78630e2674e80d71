#!/bin/sh
# help: --help of every program groups its options by purpose and ends with an example that works.
. "$HEED_TOP/tests/lib.sh"

# known PROGRAM OPTION: the program has it
known() {
	case $2 in
	--help | -h | --version) ;;
	--*) "$1" --options-tsv | cut -f 2 | grep -qx -- "${2#--}" ;;
	-?) "$1" --options-tsv | cut -f 1 | grep -qx -- "${2#-}" ;;
	esac
}

# sound FILE: the commands of an example, with | and ; between, are programs of heed or of every system, with options
# that they have
sound() {
	sed "s/^  //; s/\\\\$//; s/'[^']*'/QUOTED/g" "$1" | tr '\n' ' ' | sed 's/ *[|;] */\n/g; s/ && /\n/g' > commands; echo >> commands
	while read -r name rest; do
		[ -n "$name" ] || continue
		command -v "$name" > /dev/null || { echo "# $name is no program"; return 1; }
		[ -e "$here/$name" ] || continue
		for word in $rest; do
			case $word in --) break ;; -?*) known "$name" "${word%%=*}" || { echo "# $name has no $word"; return 1; } ;; esac
		done
	done < commands
}

here=$(dirname "$(command -v heed-show)")
for program in "$here"/*; do
	name=$(basename "$program")
	[ -x "$program" ] && [ -f "$program" ] || continue
	"$program" --help > help
	sed -n '/^example:$/,/^$/p' help | sed '1d;$d' > example
	that -s example && matches "\b$name\b" example; say $? "$name --help has an example"
	if [ "$(head -c 2 "$program" | tr -d '\0')" = '#!' ]; then
		{ sleep 0.2; "$program" --help 2> err; } | true; that ! -s err; say $? '... which a reader need not read'
	fi
	runs sound example; say $? '... of programs and options that there are'
	own=$("$program" --options-tsv | cut -f 2 | grep -cvxE 'help|version|quiet|force|no-pg|output|threads')
	headings=$(grep -c '^[A-Z][A-Za-z, -]*:$' help)
	that "$own" -le 8 || that "$headings" -gt 1; say $? "... and $own options under $headings headings"
	sed '/^example:$/,$d' help | awk 'length($0) > 80' > long; that ! -s long
	say $? '... in lines of at most 80 columns'
done
plan $n
