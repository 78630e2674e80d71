#!/bin/sh
# tokenize and detokenize: as Moses' scripts and sacreBLEU do it.
. "$HEED_TOP/tests/lib.sh"
g=$HEED_TOP/tests/golden/text

for l in en de fr cs ru tr vi ro; do
	same "tokens of $l are those of Moses" "$g/$l.tok" "tokenize -l $l '$g/$l.txt'"
	same "and text of them" "$g/$l.detok" "detokenize -l $l '$g/$l.tok'"
done
same 'hyphens apart and entities' "$g/en.tok-a-escape" "tokenize -a --escape '$g/en.txt'"
same 'and both undone' "$g/en.detok-a-escape" "detokenize '$g/en.tok-a-escape'"
for t in 13a intl zh char none; do
	same "tokens of $t are those of sacreBLEU" "$g/sacrebleu.$t" "tokenize -t $t '$g/sacrebleu.txt'"
done

# What no reference says.
echo 'とても 大 きい テレビ 、 2 台 。' > want
same 'Japanese is cut where the script changes' want "echo 'とても大きいテレビ、2台。' | tokenize -l ja"
echo 'とても大きいテレビ、 2 台。' > want
same 'and joined again' want "echo 'とても 大 きい テレビ 、 2 台 。' | detokenize -l ja"
printf '# a comment\nAbc\nDef #NUMERIC_ONLY#\n' > prefixes
echo 'Mr . X Abc. Y Def. 5 Def . Z Ghi . 5 .' > want
same 'prefixes from a file' want "echo 'Mr. X Abc. Y Def. 5 Def. Z Ghi. 5.' | tokenize --nonbreaking-prefix prefixes"

# Lines.
printf 'a.\r\n\n \t\nb.' > odd; printf 'a .\n\n \t\nb .\n' > want
same 'CRLF, empty lines and a missing last newline' want 'tokenize < odd'
printf 'a.\n\n \t\nb.\n' > want
same 'there and back' want 'tokenize < odd | detokenize'
printf 'ok\nbad \303\n' > bad
exits 3 'text that is not UTF-8 is refused' 'tokenize bad'
grep -q 'bad: line 2: .*byte 5' err; say $? 'and the message names line and byte'
exits 3 'so does detokenize' 'detokenize bad'
printf 'a\001b.\n' > control; printf 'ab .\n' > want
same 'control characters are dropped' want 'tokenize control'
awk 'BEGIN { for (i = 0; i < 250000; i++) printf "a.,"; print "b" }' > long
[ "$(tokenize long | wc -l)" = 1 ] && [ "$(tokenize long | detokenize | wc -l)" = 1 ]; say $? 'a line of a megabyte is one line'
(echo 'a.'; sleep 1) | tokenize --flush | (read -r x; echo "$x") > out
[ "$(cat out)" = 'a .' ]; say $? 'with --flush a line comes at once'
exits 2 'a language that is none' 'tokenize -l English < odd'
exits 2 'an unknown type' 'tokenize -t 14 < odd'
exits 2 'options that do not go together' 'tokenize -t 13a -a < odd'
exits 4 'a full disk' 'tokenize odd > /dev/full'
exits 4 'a file that is not there' 'detokenize none'

# The pages' examples.
echo 'Dr. Watson '"'"'s 3,000 letters ( e.g. to Holmes ) .' > want
same 'the example of tokenize(1)' want "echo \"Dr. Watson's 3,000 letters (e.g. to Holmes).\" | tokenize"
echo "L'état, c'est moi !" > want
same 'its other one' want "echo \"L'état, c'est moi !\" | tokenize -l fr | detokenize -l fr"
for p in bpe-learn bpe-apply tokenize detokenize; do
	missing=$($p --options-tsv | awk -F'\t' '{ print $2 }' |
		while read -r o; do grep -q "Fl -$o\( \|\$\)\|, -$o\|Fl -$o ," "$HEED_TOP/man/$p.1" || echo "$o"; done)
	[ -z "$missing" ]; say $? "$p(1) has every option"
done
plan $n
