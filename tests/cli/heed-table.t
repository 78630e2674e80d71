#!/bin/sh
# heed-table: numbers worked by hand, verdicts, the form of grids.
. "$HEED_TOP/tests/lib.sh"
plan 41

cat > toy.grid <<'END'
# a paper
section table1 BLEU of the systems
columns  WMT16.en-de WMT16.en-cs parameters:WMT16.en-de
plain -     25.0 15.0 71.5  Transformer
good  plain 25.5 15.3 71.6  +Good
bad   plain 25.9 -    -     +Bad
odd   plain -    -    -     Ours | odd
flip  plain -    -    -     One way and the other

section sizes BLEU by size
scope sizes
test sign
columns  IWSLT.de-en@10k IWSLT.de-en@80k
plain -  9.23 27.58   Base

section claims What the paper says
columns -
good plain      - Good is better
bad  plain      - Bad is better
odd  plain      - Odd is better
good plain,odd  - Good is best
single plain    - One run
gone plain      - Nobody ran it
END

# run VARIANT SEED BLEU [COLUMN PAIRS]: a record
run() {
	column=${4:-toy.en-de}
	mkdir -p runs
	printf '%s\t%s\n' paper toy column "$column" variant "$1" seed "$2" bleu "$3" \
	    parameters 1234567 dev.nll "${6:-2.5}" pairs.train "${5:-2000}" > "runs/$1.$2.$column"
}
# against VARIANT SEED BASE P_BOOTSTRAP P_SIGN: a comparison as bleu --paired --format tsv prints it
against() {
	mkdir -p "versus/toy/toy.en-de/$1/$2"
	printf 'system\tscore\tp_bootstrap\tp_sign\nbase\t20\t\t\nrow\t21\t%s\t%s\n' "$4" "$5" \
	    > "versus/toy/toy.en-de/$1/$2/$3.tsv"
}
# d: good .5 .4 .6 (mean .5, error .0577, t 8.660, p .0065), bad the same but less, odd .9 -.8 .2
i=0
for seed in 1 2 3; do
	run plain $seed "2$((seed - 1))"
	against good $seed plain "$(echo .01 .2 .04 | cut -d ' ' -f $seed)" .9
	against bad $seed plain .01 .9
	against odd $seed plain .01 .9
	against good $seed odd .01 .9
done
run good 1 20.5; run good 2 21.4; run good 3 22.6
run bad 1 19.5; run bad 2 20.6; run bad 3 21.4
run odd 1 20.9; run odd 2 20.2; run odd 3 22.2
run single 1 25
run flip 1 20.9; run flip 2 20.2
against flip 1 plain .01 .9
against flip 2 plain .01 .9

table() { heed-table -g toy.grid --versus versus "$@" runs/*.toy.en-de; }
# field TABLE VARIANT AGAINST NAME: a field of the line of that comparison and measure bleu
field() {
	awk -F '\t' -v v="$2" -v b="$3" -v name="$4" \
	    'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	     $3 == v && $4 == b && $7 == "bleu" { print $at[name] }' "$1"
}
is() {
	got=$(field all.tsv "$1" "$2" "$3")
	[ "$got" = "$4" ]; r=$?
	say $r "$1: $3 $4"
	[ $r = 0 ] || echo "# $got"
}

table > all.tsv
is plain '' runs 3
is plain '' mean 21.00
is plain '' deviation 1.00
is plain '' paper 25.00
is good plain difference +0.50
is good plain error 0.06
is good plain 'p of t' 0.0065
is good plain "paper's difference" +0.50
is good plain 'p of each seed' '0.0100 0.2000 0.0400'
is good plain p 0.0400
is good plain mark †
is good plain verdict confirmed
is bad plain mark ‡
is bad plain verdict 'not confirmed'
is odd plain verdict 'inside the noise'
is good plain 'paper column' WMT16.en-de
is flip plain p 1.0000
is flip plain mark ''
grep -q 'parameters	3	1.235' all.tsv; say $? 'parameters are millions'
# bad loses .5: t of (-.5 + .8) / .0577 is 5.196, p = (1 - 5.196 / sqrt(2 + 27)) / 2.
for case in '0.8 0.0175 confirmed' '0.5 0.5000 inside the noise' '0.2 0.9825 not confirmed'; do
	set -- $case; margin=$1 p=$2; shift 2
	printf 'section claims x\nwithin %s\ncolumns -\nbad plain - Bad is as good\n' $margin \
		> within.grid
	heed-table -g within.grid --section claims --form brief --versus versus runs/* |
		grep -q "	$p		3	$*\$"
	say $? "worse by half a point, where $margin is allowed: $*"
done

table --section claims --form brief > claims.tsv
verdict() { awk -F '\t' -v c="$1" '$1 == c { print $8 }' claims.tsv; }
[ "$(verdict 'Good is best')" = 'inside the noise' ]
say $? 'the weakest comparison decides a claim'
[ "$(verdict 'One run')" = 'one run each: not decided' ]; say $? 'one seed decides nothing'
[ "$(verdict 'Nobody ran it')" = 'not run' ]; say $? 'what was not run is not decided'
# Differences that tests confirm, of systems that have not learned to translate.
rm -rf poor && mkdir poor
for s in 1 2 3; do
	for v in plain good bad; do
		case $v in plain) to=0$s ;; good) to=$((s + 4))1 ;; bad) to=0$((s + 1)) ;; esac
		sed "s/^bleu	.*/bleu	0.$to/" "runs/$v.$s.toy.en-de" > "poor/$v.$s"
	done
done
printf '%s\n' 'section claims x' 'columns -' 'good plain - Good' \
	'section claims-within x' 'within 0.5' 'columns -' 'bad plain - Bad' > poor.grid
poor() { heed-table -g poor.grid --versus versus --section "$1" --form brief poor/* | sed 1d |
	awk -F '\t' '{ print $8 }'; }
for section in claims claims-within; do
	[ "$(poor $section)" = 'both below BLEU 1: not decided' ]
	say $? "$section: of two systems below BLEU 1 nothing is decided"
done
sed -i 's/^bleu	0/bleu	1/' poor/good.*
[ "$(poor claims)" = confirmed ]; say $? '... but of one above'
# The same three differences, but the paper's test finds nothing.
sed 's/^section table1.*/&\ntest sign/' toy.grid > sign.grid
heed-table -g sign.grid --versus versus runs/*.toy.en-de > all.tsv
is good plain verdict 'inside the noise'
# Less of a loss is better: the differences of +.5 are worse.
sed 's/^columns  WMT16.*/columns dev.nll:- - -/' toy.grid > loss.grid
# Heads that are left: whole numbers, and nothing to be compared.
printf '%s\n' 'section t x' 'columns heads:- heads:W.en-de -' 'plain - - 48 - Base' \
	'good plain - 10 - Good' > heads.grid
for s in 1 2 3; do for v in plain good; do
	printf 'heads\t%d\n' $([ $v = plain ] && echo 48 ||
		echo $((10 + s))) >> runs/$v.$s.toy.en-de; done; done
heed-table -g heads.grid --section t --form brief runs/*.toy.en-de | cut -f 1-4 |
	tr '\t\n' '|;' > found
[ "$(cat found)" = \
	'system|heads toy.en-de|paper, W.en-de|bleu toy.en-de;Base|48.0 ± 0.0|48|21.00 ± 1.00;Good|12.0 ± 1.0|10|21.50 ± 1.05;' ]
say $? 'heads are counted'
cells() { heed-table -g heads.grid --section t --form brief "$@" | cut -f 2 | sed 1d | tr '\n' ';'; }
[ "$(cells runs/plain.1.* runs/good.3.*)" = '48;13;' ]; say $? '... as whole numbers, of one run'
# 7, 130, 400: mean 179, deviation by n - 1 201.03; 1, 2, 2: 1.667 and .5774.
i=0; for v in 7 130 400; do i=$((i + 1)); sed -i "s/^heads	.*/heads	$v/" runs/plain.$i.*; done
i=0; for v in 1 2 2; do i=$((i + 1)); sed -i "s/^heads	.*/heads	$v/" runs/good.$i.*; done
[ "$(cells runs/*.toy.en-de)" = '179.0 ± 201.0;1.7 ± 0.6;' ]
say $? 'a deviation has the decimals of its mean'
heed-table -g heads.grid --section t runs/*.toy.en-de | grep -q '	heads	3	179	201	' &&
	heed-table -g heads.grid --section t runs/*.toy.en-de | grep -q '	heads	3	1.667	0.5774	'
say $? '... where it is read, and more among all there is to know'
rm -f runs/*
run plain 1 1 '' '' 2.5; run plain 2 1 '' '' 2.6; run good 1 1 '' '' 2.0; run good 2 1 '' '' 2.11
heed-table -g loss.grid runs/* | grep -q '^table1	+Good	good	plain	toy.en-de	2000	dev.nll	2	2.0550.*confirmed$'
say $? 'less of dev.nll is better'
rm -f runs/*
run plain 1 10 toy.de-en 29000; run plain 1 5 toy.de-en@9000 9000; run plain 1 3 toy.de-en@500 500
heed-table -g toy.grid --section sizes runs/* | cut -f 5,11 | tr '\n\t' ' :' > order
sizes='toy.de-en@500:IWSLT.de-en@10k toy.de-en@9000:IWSLT.de-en@10k toy.de-en:IWSLT.de-en@80k '
[ "$(cat order)" = "column:paper column $sizes" ]
say $? 'sizes in order, beside the nearest of the paper'
heed-table -g toy.grid --form md runs/* | grep -qF '| Ours \| odd |'
say $? 'bars are escaped in Markdown'
printf 'section t x\nwithin -1\n' > negative.grid
exits 3 'a margin below 0' 'heed-table -g negative.grid'
exits 2 'a section that is not there' 'heed-table -g toy.grid --section table7 runs/*'
printf 'section t x\ncolumns a b\nplain - 1 x\n' > short.grid
exits 3 'a row that is too short' 'heed-table -g short.grid'
grep -q 'line 3' err; say $? '... is named by its line'
printf 'bleu 20\n' > nofact
exits 3 'a record without tabs' 'heed-table -g toy.grid nofact'
