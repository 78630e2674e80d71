#!/bin/sh
# tokenize and detokenize: compared with Moses' scripts and sacreBLEU.
. "$HEED_TOP/tests/lib.sh"
g=$HEED_TOP/tests/golden/text

for l in en de fr cs ru tr vi ro; do
	same "$l: the tokens are those of Moses" "$g/$l.tok" "tokenize -l $l '$g/$l.txt'"
	same "$l: so is the detokenized text" "$g/$l.detok" "detokenize -l $l '$g/$l.tok'"
done
same 'hyphens become tokens, special characters become entities' "$g/en.tok-a-escape" "tokenize --aggressive --escape '$g/en.txt'"
same '... and detokenize undoes both' "$g/en.detok-a-escape" "detokenize '$g/en.tok-a-escape'"
for t in 13a intl zh char none; do
	same "$t: the tokens are those of sacreBLEU" "$g/sacrebleu.$t" "tokenize --type $t '$g/sacrebleu.txt'"
done

# Rules without a reference implementation.
echo 'とても 大 きい テレビ 、 2 台 。' > want
same 'Japanese is split where the script changes' want "echo 'とても大きいテレビ、2台。' | tokenize -l ja"
echo 'とても大きいテレビ、 2 台。' > want
same '... and joined again' want "echo 'とても 大 きい テレビ 、 2 台 。' | detokenize -l ja"
printf '# a comment\nAbc\nDef #NUMERIC_ONLY#\n' > prefixes
echo 'Mr . X Abc. Y Def. 5 Def . Z Ghi . 5 .' > want
same 'nonbreaking prefixes are read from a file' want "echo 'Mr. X Abc. Y Def. 5 Def. Z Ghi. 5.' | tokenize --nonbreaking-prefix prefixes"

# Line ends and invalid input.
printf 'a.\r\n\n \t\nb.' > odd; printf 'a .\n\n \t\nb .\n' > want
same 'CRLF, empty lines and a missing last line end' want 'tokenize < odd'
printf 'a.\n\n \t\nb.\n' > want
same 'detokenize restores the lines' want 'tokenize < odd | detokenize'
printf 'ok\nbad \303\n' > bad
exits 3 'text that is not UTF-8 is refused' 'tokenize bad'
matches 'bad: line 2: .*byte 5' err; say $? '... and the message names line and byte'
exits 3 '... by detokenize, too' 'detokenize bad'
printf 'a\001b.\n' > control; printf 'ab .\n' > want
same 'control characters are removed' want 'tokenize control'
awk 'BEGIN { for (i = 0; i < 250000; i++) printf "a.,"; print "b" }' > long
that "$(tokenize long | wc -l)" = 1 && that "$(tokenize long | detokenize | wc -l)" = 1; say $? 'a line of one megabyte stays one line'
mkfifo to from
tokenize --flush < to > from & pid=$!
exec 3> to 4< from
echo 'a.' >&3; that "$(timeout 20 head -n 1 <&4)" = 'a .'; say $? '--flush writes each line at once'
exec 3>&- 4<&-; runs wait $pid; say $? '... and the end of the input is the end'
exits 2 'an invalid language is a usage error' 'tokenize -l English < odd'
warns() { echo a | runs tokenize "$@" 2> err > out && matches -x 'tokenize: warning: no rules for language .es., using the default rules and the English nonbreaking prefixes' err; }
warns -l es; say $? 'a language without rules is a warning'
echo 'Dr.' > list; ends 1 warns -l es --nonbreaking-prefix list && ends 1 warns -l es --type 13a && that ! -s err; say $? '... but not with other prefixes or another tokenizer'
for l in en de fr cs ru ro it ga ca so fi sv ja zh; do echo a | tokenize -l $l 2>&1 > out; done > err; that ! -s err; say $? '... nor for a language with rules or prefixes'
exits 2 'so is an unknown type' 'tokenize --type 14 < odd'
exits 2 'so is an option of Moses with a tokenizer of sacreBLEU' 'tokenize --type 13a --aggressive < odd'
exits 4 'a full disk is a system error' 'tokenize odd > /dev/full'
exits 4 'so is a missing file' 'detokenize none'

# The examples of the manual pages.
echo 'Dr. Watson '"'"'s 3,000 letters ( e.g. to Holmes ) .' > want
same 'the first example of tokenize(1)' want "echo \"Dr. Watson's 3,000 letters (e.g. to Holmes).\" | tokenize"
echo "L'état, c'est moi !" > want
same 'the second example of tokenize(1)' want "echo \"L'état, c'est moi !\" | tokenize -l fr | detokenize -l fr"
for p in bpe-learn bpe-apply tokenize detokenize; do
	missing=$($p --options-tsv | awk -F'\t' '{ print $2 }' |
		while read -r o; do grep -q "Fl -$o\( \|\$\)\|, -$o\|Fl -$o ," "$HEED_TOP/man/$p.1" || echo "$o"; done)
	that -z "$missing"; say $? "$p(1) documents every option"
done
plan $n
