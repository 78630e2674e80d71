#!/bin/sh
# options: a letter has one meaning in all programs, that of the table in HACKING.md, and an option that has a letter there
# has it in every program.
. "$HEED_TOP/tests/lib.sh"
plan 50

# table FILE: its rows as letter, tab, long name
table() { sed -n 's/^| `-\(.\)` | `--\([a-z-]*\)` | .*/\1	\2/p' "$1"; }
# differences TABLE OPTIONS: what is wrong; OPTIONS has lines of program, letter, long name, as of --options-tsv
differences() {
	awk -F '\t' '
	FNR == NR { if ($1 in name) print "-" $1 " is in two rows"; name[$1] = $2; letter[$2] = $1; next }
	$2 != "" && (!($2 in name) || name[$2] != $3) { print $1 ": -" $2 " is --" $3 ", expected " ($2 in name ? "--" name[$2] : "no letter") }
	$2 == "" && $3 in letter { print $1 ": --" $3 " without -" letter[$3] }
	$2 != "" { used[$2] = 1 }
	END { for (l in name) if (!(l in used)) print "-" l " is in no program" }' "$1" "$2"
}
here=$(dirname "$(command -v heed-show)")
for program in "$here"/*; do
	[ -x "$program" ] && [ -f "$program" ] || continue
	"$program" --options-tsv < /dev/null | sed "s/^/${program##*/}	/"
done > options
table "$HEED_TOP/HACKING.md" > letters
that "$(wc -l < letters)" -ge 20 && that "$(cut -f 1 options | uniq | wc -l)" -ge 40; say $? 'the table and the options of all programs are read'
differences letters options > found; that ! -s found
say $? 'letters mean in all programs what the table says'

# planted 'name' LINE WANT: with one more line in the options, WANT is found
planted() { { cat options; printf "$2\n"; } > more; differences letters more > found; that "$(cat found)" = "$3"; say $? "$1"; }
planted 'a second meaning is found' 'tool\tf\tforce\t\tx\t1' 'tool: -f is --force, expected --fields'
planted 'a letter that is not in the table is found' 'tool\tz\tzip\t\tx\t1' 'tool: -z is --zip, expected no letter'
planted 'an option without its letter is found' 'tool\t\tseed\tn\tx\t1' 'tool: --seed without -s'
{ cat letters; printf 'z\tzip\n'; } > more; differences more options > found
that "$(cat found)" = '-z is in no program'; say $? 'a row that no program uses is found'
{ cat letters; printf 'f\tforce\n'; } > more; differences more options > found
matches -x -e '-f is in two rows' found; say $? 'a letter in two rows is found'

# --- former names ---
# former 'COMMAND' HINT: it is refused
former() {
	exits 2 "$1" "$1"
	that "$(sed 1d err)" = "${1%% *}: hint: this option is now $2"
	say $? "... is refused; the hint is $2"
}
former 'bleu --format json' --to
former 'bleu --format=json' --to
former 'heed-check -qf in' --force
former 'head-map --html' '--to html'
former 'nmt-search -j journal' --journal
for program in "$here"/*; do
	{ "$program" --options-tsv; "$program" --help; } 2> /dev/null < /dev/null
done | grep -E 'now --|	format	|--format|--html'; that $? = 1; say $? 'former names are not in --help and --options-tsv'
# Each row of the sources is refused as it says: names, and letters that are the first argument.
for file in "$HEED_TOP"/src/*.c; do
	sed -n "s/.*OPT_OLD_NAME(\"\([^\"]*\)\", \"\([^\"]*\)\").*/--\1	\2/p; s/.*OPT_OLD_LETTER('\(.\)', \"\([^\"]*\)\").*/-\1	\2/p" "$file" |
	    sed "s/^/$(basename "$file" .c)	/"
done > old
while IFS='	' read -r program option now; do
	"$program" "$option" > /dev/null 2> err < /dev/null; r=$?
	[ $r = 2 ] && grep -qxF "$program: hint: this option is now $now" err || echo "$program $option"
done < old > found; that "$(wc -l < old)" -ge 25 && that ! -s found
say $? 'every former name is refused'
# No program has an option whose name was given up elsewhere for another one; letters' names are meant for what they say.
cut -f 2 letters | sort > lettered
sed -n 's/^[^	]*	--\([^	]*\)	.*/\1/p' old | sort -u | comm -23 - lettered > former
awk -F '\t' 'FNR == NR { former[$1] = 1; next } $3 in former { print $1 ": --" $3 }' former options > found; that ! -s found
say $? 'no program has an option with a former name'

# --- unknown names ---
# hints 'COMMAND' HINT
hints() { exits 2 "$1 is unknown" "$1"; that "$(sed 1d err)" = "${1%% *}: hint: $2"; say $? "... the hint is: $2"; }
hints 'nmt-train --sed 3' 'did you mean --seed?'
hints 'nmt-train --batch-token=3' 'did you mean --batch-tokens?'
hints 'nmt-train --hlep' 'did you mean --help?'
hints 'nmt-train --learning-rate 0.1' 'this option is now --lr'
hints 'nmt-train --size smal' 'did you mean small?'
hints 'nmt-train --check-options --arch widht=128' 'did you mean width?'
hints 'nmt-train --check-options -a dependency-mask:frist=1' 'did you mean first?'
hints 'nmt-train -o x.tar -a dependency-mask:frist=1' 'did you mean first?'
hints 'heed-show --formerly' 'heed-show --help lists the options'
hints 'heed-show -x' 'heed-show --help lists the options'
hints 'bleu --forma json' 'bleu --help lists the options'

# --- options without effect ---
# A line a case: exit status 2 is wanted of the command, with the message.
awk -F '\t' '
function value(row,   f) {	# the option of a row with a value that it accepts
	split(row, f, "\t")
	return "--" f[3] (f[4] == "" ? "" : " " (f[7] != "" ? substr(f[7], 1, index(f[7] " ", " ") - 1) : f[3] == "coverage" ? 0.99 : f[4] == "x" ? 0.5 : 2))
}
{ row[$1 "\t--" $3] = $0; if ($8 != "") { all[++n] = $1; option[n] = $3; rules[n] = $8 } }
END {
	for (i = 1; i <= n; i++) {
		this = value(row[all[i] "\t--" option[i]])
		m = split(rules[i], rule, "; ")
		for (k = 1; k <= m; k++) {
			alone = sub(/^not /, "", rule[k]) == 0
			if (alone)
				print all[i] " " this "\t--" option[i] " without " rule[k] ", expected " (rule[k] ~ / or / ? "one of them" : "both")
			j = split(rule[k], other, " or ")
			for (; !alone && j > 0; j--)
				print all[i] " " this " " (other[j] ~ / / ? other[j] : value(row[all[i] "\t" other[j]])) "\t--" option[i] " has no effect with " other[j]
		}
	}
}' options > cases
while IFS='	' read -r command message; do
	$command > /dev/null 2> err < /dev/null; r=$?
	[ $r = 2 ] && [ "$(head -n 1 err)" = "${command%% *}: $message" ] || echo "$command: exit $r, $(head -n 1 err), expected $message"
done < cases > found; that "$(wc -l < cases)" -ge 90 && that ! -s found
say $? 'an option without effect is refused, by the option that it needs'
# The options that had no effect in heed 0.6, and some with a value among several, or of 0.
for o in 'head-stat --seed' 'head-stat --permutations' 'head-prune --seed' 'head-prune --threads' 'head-curve --seed' 'parse --seed' 'bleu --trials'; do
	grep -q "^$o " cases || echo "$o"
done > found; that ! -s found
say $? '... such as those of the random number generator'
exits 2 'a value that another option lacks' 'head-stat --measure norm,gradient --seed 2'
matches -- '--seed without --measure gating or --measure shapley, expected one of them' err; say $? '... is named'
exits 2 'a value among several' 'head-stat --measure norm,shapley --seed 2'
matches -- '--measure without --model' err; say $? '... is found'
exits 2 'a number of 0' 'head-curve --by x --from y --random 0 --seed 2'
matches -- '--seed without --random' err; say $? '... is no other option'
