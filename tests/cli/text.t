#!/bin/sh
# text: properties of all programs that read text: limits on lines and files, byte order marks, NUL
# bytes, hard links in archives, and control characters on a terminal.
. "$HEED_TOP/tests/lib.sh"

printf 'a b\nb c\n' > t.en
heed-pack --no-pg t.en > t.heed
bpe-learn --text -q --merges 2 t.en > codes
heed-pack --no-pg t.en t.en | bpe-apply --no-pg -c codes > p.heed
printf '1\ta\t_\tU\tX\t_\t2\tr\t_\t_\n2\tb\t_\tU\tX\t_\t0\troot\t_\t_\n\n1\tb\t_\tU\tX\t_\t0\troot\t_\t_\n2\tc\t_\tU\tX\t_\t1\tr\t_\t_\n\n' \
    > t.conllu
printf '(S (U a) (U b))\n(S (U b) (U c))\n' > t.ptb
printf 'section table1 A table\ncolumns help.en-de\nplain - 1 Plain\n' > t.grid
printf 'name\tvalue\na\t1\n' > t.tsv
printf '["heed",1,"sentence",{"fields":{"src":"str"}}]\n{"src":"a b"}\n["heed-end",1]\n' > t.json
for l in en de; do
	printf 'Package: a\nDescription-md5: 1\nDescription-%s: one text\n' $l > t.$l.stanzas
done
gunzip -c "$HEED_TOP/tests/data/model/bpe.tar.gz" > m.tar

# Commands that read the file X by lines, and those that read it as a whole.
cat > lines <<'END'
tokenize X
tokenize --type 13a X
detokenize X
heed-pack X
heed-pack -i skip X
heed-pack t.en X
heed-pack -j X
heed-paste --text x=X t.heed
bpe-learn --text X
bpe-learn --dict-input X
bpe-apply --text -c codes X
bpe-apply --restore X
bleu -r X t.en
bleu -r t.en X
conllu2heed -p X t.heed
conllu2heed --heads -p X t.heed
ptb2heed -p X t.heed
corpus-align --descriptions -l en -l de -o out X X
dep2const X
parse-score X t.conllu
parse-score t.conllu X
parse-train -q -o out X
parse-train -q --pcfg -o out X
parse --language en --tokens --to ptb X
tree-stats X
heed-table -g X
heed-table -g t.grid X
heed-report --claims X
heed-report --terms X
head-map --draw table X
heed-plot X
heed-plan X
heed-record --check X
nmt-translate -q --text -m m.tar X
END
cat > files <<'END'
tokenize --nonbreaking-prefix X t.en
bpe-apply --text -c X t.en
bpe-apply --text -c codes --vocabulary X t.en
parse --pcfg -m X --tokens --to ptb t.en
nmt-train -q --size tiny -o out --updates 1 -c X p.heed
head-stat -m m.tar --counts X t.heed
heed-report --table X
heed-report --figure X
heed-report --walk X
END

# Ten gigabytes of zeros and a line of one gigabyte, made of repeated frames or members.
head -c 104857600 /dev/zero > zeros
tr '\000' a < zeros > letters
often() { for i in $(seq "$1"); do cat "$2"; done; }
zstd -q -c zeros > one; often 100 one > zeros.zst
gzip -1 -c zeros > one; often 100 one > zeros.gz
xz -0 -c zeros > one; often 100 one > zeros.xz
zstd -q -c letters > one; often 10 one > letters.zst
rm zeros letters one

# refused FILE COMMAND...: the command ends with 3, uses little memory, and names file and limit.
# Sanitizers need more address space.
[ -n "${HEED_BUILD##*asan}" ] && [ -n "${HEED_BUILD##*tsan}" ] && few='ulimit -v 700000;' || few=
limited() { (eval "$few" && eval "exec timeout 20 $*"); }
refused() {
	file=$1; shift
	ends 3 limited "$@" > out 2> err < /dev/null &&
		matches "$file: .*more than [0-9]* MiB\|$file has no bracketed trees" err
}
all() {
	bad=0
	while read -r command; do
		command -v "${command%% *}" > /dev/null || continue
		refused "$1" "$(echo "$command" | sed "s/\<X\>/$1/g")" || bad=1
	done
	that $bad = 0
}
cat lines files | all zeros.zst; say $? 'all programs that read text refuse ten gigabytes of zeros'
cat lines files | all letters.zst; say $? '... and one gigabyte without a line end'
for z in gz xz; do refused zeros.$z tokenize zeros.$z; say $? "... also compressed as $z"; done

# The limit is exact and can be raised.
line() { head -c "$1" /dev/zero | tr '\000' a; echo; }
line 1048576 > fits; line 1048577 > long
exits 0 'a line of exactly the limit is accepted' 'tokenize --type none --max-line 1 fits | cmp -s - fits'
exits 3 '... and one byte more is an error' 'tokenize --type none --max-line 1 long'
matches 'long: line 1: more than 1 MiB' err && matches 'hint: .*--max-line' err
say $? '... that names file, line, limit and option'
exits 0 '... unless --max-line raises the limit' 'tokenize --type none --max-line 2 long | cmp -s - long'
cat t.en long > third
exits 3 'a long third line is an error' 'heed-pack --max-line 1 third'; matches 'third: line 3: ' err; say $? '... that names the line'

# The limit applies to all lines of a unit together, but not to several units.
# repeat N LINE: prints LINE N times, with the number of the line for &
repeat() { seq "$1" | sed "s/.*/$2/"; }
repeat 60000 '&\ta\t_\tU\tX\t_\t0\troot\t_\t_' > one.conllu
repeat 120000 '# some text' > comments.conllu
repeat 40000 '1\ta\t_\tU\tX\t_\t0\troot\t_\t_\n' > many.conllu
{ echo '(S'; repeat 180000 ' (U a)' ; echo ')'; } > one.ptb
repeat 80000 '(S (U a) (U b))' > many.ptb
{ cat t.en.stanzas; repeat 200000 ' words'; } > one.stanzas
{ cat t.grid; repeat 50000 'row& - 1 A row that is too much'; } > one.grid
repeat 120000 'name&\t1' > one.record
{ cat t.tsv; repeat 200000 '&\t1'; } > one.tsv
while read -r unit command; do
	command -v "${command%% *}" > /dev/null || continue
	exits 3 "a $unit of many lines is limited: $command" "$command --max-line 1"
	matches "line 1: a $unit of more than 1 MiB begins here" err; say $? '... by the name of the unit'
done <<'END'
sentence dep2const one.conllu
sentence dep2const comments.conllu
tree tree-stats one.ptb
stanza corpus-align --descriptions -l en -l de -o out one.stanzas t.de.stanzas
grid heed-table -g one.grid
record heed-table -g t.grid one.record
record heed-record --check one.record
table head-map --draw table one.tsv
END
exits 0 'the number of sentences is not limited' 'dep2const --max-line 1 many.conllu'
exits 0 'the number of trees is not limited' 'tree-stats --max-line 1 many.ptb'

# A byte order mark at the beginning of a file is ignored; elsewhere it is a character.
mark() { printf '\357\273\277'; cat "$1"; }
for f in t.en t.conllu t.ptb t.json codes t.grid t.tsv; do mark $f > m.$f; done
while read -r command; do
	command -v "${command%% *}" > /dev/null || continue
	plain=$(echo "$command" | sed 's/ @/ /g') marked=$(echo "$command" | sed 's/ @/ m./g')
	sh -c "$plain" > want 2> err < /dev/null; r=$?
	sh -c "$marked" > out 2>> err < /dev/null && that $r = 0 && equals want out; r=$?
	say $r "a byte order mark is dropped: $marked"
	[ $r = 0 ] || sed 's/^/# /' err
done <<'END'
heed-pack --no-pg @t.en
heed-pack --no-pg -i replace @t.en @t.en
heed-pack --no-pg -j @t.json
tokenize @t.en @t.en
tokenize --type intl @t.en
detokenize @t.en
bpe-learn --text -q --merges 2 @t.en
bpe-apply --text -c codes @t.en
bpe-apply --text -c @codes t.en
bleu -b -r t.en @t.en
bleu -b -r @t.en t.en
conllu2heed --no-pg -p @t.conllu t.heed
ptb2heed --no-pg -p @t.ptb t.heed
dep2const @t.conllu
parse-score t.conllu @t.conllu
parse-score @t.ptb t.ptb
tree-stats @t.ptb | cut -f 2-
heed-table --rows -g @t.grid
END
printf 'a\n\357\273\277b\n' > inside
exits 0 'inside a file it is a character' 'tokenize --type none inside | cmp -s - inside'

# NUL bytes are errors.
printf 'a b\nb \000c\n' > nul; sed 1d nul > nul1
while read -r line command; do
	command -v "${command%% *}" > /dev/null || continue
	exits 3 "a NUL byte is an error: $command" "$command"
	matches "line $line: byte 3 is NUL" err; say $? '... that names line and byte'
done <<'END'
2 tokenize nul
2 tokenize --type 13a nul
2 detokenize nul
2 heed-pack nul
2 bpe-learn --text nul
2 bpe-apply --text -c codes nul
2 bleu -r t.en nul
1 dep2const nul1
1 tree-stats nul1
1 heed-table -g nul1
END
printf 'a b\nb \357\277\275c\n' > want
same '--invalid=replace replaces NUL bytes' want 'heed-pack -q --invalid=replace nul | heed-show -f src'
printf 'a b\n' > want
same '--invalid=skip skips lines with NUL bytes' want 'heed-pack -q --invalid=skip nul | heed-show -f src'

# Hard links in archives are errors that name link and target; no file outside is read.
printf 'one\ntwo\n' > a.txt; ln a.txt b.txt; printf 'three\n' > c.txt
tar cf t.tar a.txt b.txt c.txt
same 'the first name of a file in a tar archive is read' a.txt 'tokenize t.tar:a.txt'
exits 3 'the second name is an error' 'tokenize t.tar:b.txt'
matches 't.tar: member b.txt is a hard link to a.txt' err; say $? '... that names the first'
same 'the next member is read' c.txt 'tokenize t.tar:c.txt'
printf '2.0\n' > debian-binary; tar cJf data.tar.xz ./a.txt ./b.txt; tar cJf control.tar.xz c.txt
if command -v ar > /dev/null; then
	ar rc t.deb debian-binary control.tar.xz data.tar.xz
	same 'the first name in a package is read' a.txt 'tokenize t.deb:a.txt'
	exits 3 'the second name in a package is an error' 'heed-pack t.deb:b.txt'
	matches 'member b.txt is a hard link to a.txt' err; say $? '... that names the first'
fi
tar cPf evil.tar --transform='flags=h;s,^a.txt$,/etc/passwd,' a.txt b.txt
exits 3 'a link to a file outside is an error' 'tokenize evil.tar:b.txt'
matches 'b.txt is a hard link to /etc/passwd' err && that ! -s out; say $? '... and is not followed'
# newc NAME INODE LINKS TEXT: a member of a cpio archive; the last of several names has the data.
newc() {
	printf '070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\000' "$2" 33188 0 0 "$3" 0 ${#4} \
	    0 0 0 0 $((${#1} + 1)) 0 "$1"
	head -c $(((4 - (110 + ${#1} + 1) % 4) % 4)) /dev/zero
	printf %s "$4"; head -c $(((4 - ${#4} % 4) % 4)) /dev/zero
}
{ newc x 5 3 ''; newc y 5 3 ''; newc z 5 3 "$(cat a.txt)"; newc e 6 2 ''; newc f 6 2 ''; newc g 7 1 ''
  newc TRAILER!!! 0 1 ''; } > t.cpio
same 'the last name in a cpio archive is read' a.txt 'tokenize t.cpio:z'
for name in x y; do
	exits 3 "another name in a cpio archive is an error: $name" "tokenize t.cpio:$name"
	matches "member $name is a hard link to z" err; say $? '... that names the last'
done
exits 3 'two names of an empty file are errors' 'tokenize t.cpio:e'
exits 0 'an empty file with one name is not a link' 'tokenize t.cpio:g && ! [ -s out ]'

# Control characters are printed escaped.
printf '["heed",1,"k\\u001b]0;title\\u0007",{"fields":{"a\\u009b":"t\\u001b[2J"}}]\n["heed-end",0]\n' > escapes
heed-pack -j escapes > e.heed
heed-check --list e.heed > out 2> err
matches -F 'k\x1b]0;title\x07' out && matches -F 't\x1b[2J' out && matches -F 't\x1b[2J' err
say $? 'heed-check escapes control characters of a header'
printf '1\ta\t_\tU\tX\t_\t\033[31m\troot\t_\t_\n\n' > red.conllu
dep2const red.conllu 2>> err
matches -F 'HEAD \x1b[31m' err; say $? '... messages escape those of the input'
tokenize "$(printf 'no\033c such\rfile')" 2>> err
matches -F 'no\x1bc such\rfile' err; say $? '... and those of file names'
if command -v nmt-average > /dev/null; then
	nmt-average -o "$(printf 'x\033[2J.tar')" m.tar m.tar && nmt-info x*.tar >> out
	matches -F 'pg	nmt-average' out && matches -F -- '-o x\x1b[2J.tar' out
	say $? '... nmt-info escapes those of a model'
fi
that "$(cat out err | tr -d '\n\t' | LC_ALL=C tr -d ' -~\200-\377' | wc -c)" = 0 &&
	ends 1 env LC_ALL=C grep -q "$(printf '\302\233')" out err
say $? 'no control character was printed'
printf 'x\303\n' > bad; mv bad "$(printf 'b\303\251d')"
tokenize "$(printf 'b\303\251d')" 2> err
matches "$(printf '^tokenize: b\303\251d: line 1')" err; say $? 'letters are not escaped'
plan $n
