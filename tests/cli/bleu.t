#!/bin/sh
# bleu: scores recorded from sacreBLEU 2.6.0, Tercom's fixtures, multi-bleu.perl and mteval-v13a.pl on tests/data/bleu,
# worked examples, significance tests, unusual and wrong input.
. "$HEED_TOP/tests/lib.sh"
data=$HEED_TOP/tests/data/bleu golden=$HEED_TOP/tests/golden
cp "$data"/* .

plan 120

# is 'what' 'command' 'line': the command prints this line only
is() {
	printf '%s\n' "$3" > want
	same "$1" want "$2"
}

# every_line 'what' file options: each line of the file is a command line, a tab, and its output
every_line() {
	while IFS='	' read -r args line; do
		[ "$(bleu $3 $args)" = "$line" ] || printf '# bleu %s %s\n' "$3" "$args"
	done < "$2" > wrong
	that ! -s wrong
	say $? "$1"
}

compat='--signature-compat 2.6.0'
every_line "lines of sacreBLEU: tokenizers, smoothing, lowercasing, references, chrF" "$golden/bleu-lines.tsv" "$compat"
every_line "lines of multi-bleu and mteval" "$golden/bleu-variants.tsv" "$compat"
same "JSON of sacreBLEU" "$golden/bleu.json" \
	"bleu $compat -r ref.a -r ref.b -w 2 --metric bleu --metric chrf --smooth floor --to json hyp.a"
same "lines of several metrics are aligned" \
	"$golden/bleu-metrics.txt" "bleu $compat -r ref.a --metric chrf --metric bleu < hyp.a"
same "BLEU of single sentences" \
	"$golden/bleu-sentences.txt" "bleu $compat -r ref.a -r ref.b --sentence -w 6 < hyp.a"
same "chrF++ of single sentences" \
	"$golden/chrf-sentences.txt" "bleu $compat -r ref.a -r ref.b --sentence -w 6 --metric chrf++ < hyp.a"

# TER
every_line "lines of sacreBLEU: TER" "$golden/ter-lines.tsv" "$compat"
cut -f 1 "$golden/ter-sentences.tsv" | uniq > ter.options
while IFS= read -r o; do
	awk -F '\t' -v o="$o" '$1 == o { print $2 > "s.want"; print $3 > "s.hyp"; print $4 > "s.ref" }' \
		"$golden/ter-sentences.tsv"
	[ "$o" != - ] && args=$o || args=
	bleu -b -w 6 --sentence --ter $args -r s.ref s.hyp | paste s.want - s.hyp s.ref |
		awk -F '\t' -v o="$o" '$1 != $2 { print "# " o ": " $0 }'
done < ter.options > wrong
that "$(wc -l < ter.options)" = 8 && that ! -s wrong; say $? "TER of single sentences"
head -3 wrong
# test/test_ter.py of sacreBLEU
ter() { printf '%s\n' "$2" > f.hyp; printf '%s\n' "$3" > f.ref; is "TER of $1" 'bleu --ter -b -w 3 -r f.ref < f.hyp' "$4"; }
ter 'a perfect match' 'aaaa bbbb cccc dddd' 'aaaa bbbb cccc dddd' 0.000
ter 'no common word' 'dddd eeee ffff' 'aaaa bbbb cccc' 100.000
ter 'an empty hypothesis' '' a 100.000
ter 'an empty reference' a '' 100.000
ter 'two empty sentences' '' '' 0.000
ter 'a single shift' 'd e f g h a b c' 'a b c d e f g h' 12.500
# The limit of sacreBLEU, by hand: 1 edit of 51 words; 2 of 52.
ter 'a shift by 50 words' "x $(seq -s ' ' 50)" "$(seq -s ' ' 50) x" 1.961
ter 'words too far apart for a shift' "x $(seq -s ' ' 51)" "$(seq -s ' ' 51) x" 3.846
cat > wmt.hyp <<'END'
wählen Sie " Bild neu berechnen , " um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu entfernen , damit das Bild ungefähr dieselbe Größe aufweist wie die andere Größe .
wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des Aufgabenbedienfelds die Option " Alle Aufgaben aktualisieren . "
klicken Sie auf der Registerkarte " Optionen " auf die Schaltfläche " Benutzerdefiniert " und geben Sie Werte für " Fehlerkorrektur-Level " und " Y / X-Verhältnis " ein .
Sie können beispielsweise ein Dokument erstellen , das ein Auto über die Bühne enthält .
wählen Sie im Dialogfeld " Neu aus Vorlage " eine Vorlage aus und klicken Sie auf " Neu . "
END
cat > wmt.ref <<'END'
wählen Sie " Bild neu berechnen , " um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu entfernen , damit die Darstellung des Bildes in einer anderen Größe beibehalten wird .
wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des Aufgabenbedienfelds die Option " Alle Aufgaben aktualisieren . "
klicken Sie auf der Registerkarte " Optionen " auf die Schaltfläche " Benutzerdefiniert " und geben Sie für " Fehlerkorrektur-Level " und " Y / X-Verhältnis " niedrigere Werte ein .
Sie können beispielsweise ein Dokument erstellen , das ein Auto enthalt , das sich über die Bühne bewegt .
wählen Sie im Dialogfeld " Neu aus Vorlage " eine Vorlage aus und klicken Sie auf " Neu . "
END
is "TER of sentences of WMT 2019" "bleu --ter -b -w 3 -r wmt.ref wmt.hyp" 13.600
bleu --ter --metric bleu -r ref.a hyp.a > both
is "TER is printed after BLEU" "sed 's/|.*//; s/^ *//' both" 'BLEU
TER'
exits 2 "--ter-asian-support alone" "bleu --ter --ter-asian-support -r ref.a hyp.a"
exits 2 "--ter-case-sensitive with --lc" "bleu --ter --ter-case-sensitive --lc -r ref.a hyp.a"
for i in 1 2 3 4 5 6 7 8; do cat ref.a; done > long.ref
sed 's/ [^ ]* / x y /' long.ref > worse
sed '1~4s/ [^ ]* / x /' long.ref > better
bleu --ter --paired --test sign --test randomization --to tsv -r long.ref worse better | sed -n 3p | cut -f 6,9-11,14 > out
computes - -F '\t' -v n="$(grep -c ' [^ ]* ' long.ref)" '$1 < 0 && $2 < 0.01 && $3 == n && $4 == 0 && $5 < 0.01 { good = 1 } END { exit !good }' < out
say $? "a system with lower TER is better in the tests"
bleu --ter --paired -r long.ref worse better > want
same "... with any number of threads" want "bleu --ter --paired -t 3 -r long.ref worse better"

# the worked example of three sentences
cat > h3 <<'END'
The dog bit the man.
It was not unexpected.
The man bit him first, in 3.5 days (e.g. "fast") & well-known.
END
cat > r3 <<'END'
The dog bit the man.
It was not surprising.
The man had just bitten him first, in 3,5 days (i.e. "fast") & well-known.
END
is "worked example, 13a" "bleu -b -w 6 -r r3 < h3" 55.066538
is "worked example, add-k" "bleu -b -w 6 --smooth add-k -r r3 < h3" 56.659322
is "worked example, none" "bleu -b -w 6 --tokenizer none -r r3 < h3" 38.743893
is "worked example, char" "bleu -b -w 6 --tokenizer char -r r3 < h3" 67.185192
is "worked example, zh" "bleu -b -w 6 --tokenizer zh -r r3 < h3" 55.066538
is "worked example, multi-bleu over 13a" "bleu --variant multi-bleu --tokenizer 13a -r r3 < h3" \
	"BLEU = 55.07, 87.5/69.0/50.0/39.1 (BP=0.939, ratio=0.941, hyp_len=32, ref_len=34)"
printf 'a b c d e \302\240 \n' > nbsp; echo 'a b c d e f' > nbsp.ref
is "a no-break space at the end of a line is a word of multi-bleu" "bleu --variant multi-bleu -r nbsp.ref < nbsp" \
	"BLEU = 75.98, 83.3/80.0/75.0/66.7 (BP=1.000, ratio=1.000, hyp_len=6, ref_len=6)"
is "the signature has the name and version of this program" "bleu -r r3 < h3" \
	"BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:heed-bleu-$(cat "$HEED_TOP/VERSION") = 55.1 87.5/69.0/50.0/39.1 (BP = 0.939 ratio = 0.941 hyp_len = 32 ref_len = 34)"

# n-gram orders without a match, and orders for which the text is too short
echo 'a b c d e' > h1; echo 'a b c x e' > r1; echo 'a b c' > short
is "no 4-gram matches, exp" "bleu -b -w 6 --tokenizer none -r r1 < h1" 42.728701
is "no 4-gram matches, floor" "bleu -b -w 6 --tokenizer none --smooth floor -r r1 < h1" 28.574404
is "no 4-gram matches, add-k" "bleu -b -w 6 --tokenizer none --smooth add-k -r r1 < h1" 53.182959
is "no 4-gram matches, none" "bleu -b -w 6 --tokenizer none --smooth none -r r1 < h1" 0.000000
for s in exp floor none; do
	is "no 4-gram at all, $s" "bleu -b --smooth $s -r short < short" 0.0
done
is "no 4-gram at all, add-k" "bleu -b --smooth add-k -r short < short" 100.0
is "no 4-gram at all, mteval" \
	"bleu --variant mteval13a -r short short" 'BLEU score = 1.0000 for system "short"'
is "no 4-gram at all, effective order" "bleu -b --sentence -r short < short" 100.0

# unusual but valid text
printf 'a b c d\r\ne f g h i\r\n' > crlf; printf 'a b c d\ne f g h i' > no-lf
is "CRLF and a missing last newline are ignored" "bleu -b -r crlf < no-lf" 100.0
printf '\n\n' > blank; printf 'a b\nc d\n' > two
is "empty hypotheses" "bleu $compat -r two < blank" \
	"BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 0.0 0.0/0.0/0.0/0.0 (BP = 0.000 ratio = 0.000 hyp_len = 0 ref_len = 4)"
is "empty references" "bleu $compat -r blank < two" \
	"BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 0.0 0.0/0.0/0.0/0.0 (BP = 1.000 ratio = 0.000 hyp_len = 4 ref_len = 0)"
is "empty hypotheses, multi-bleu" "bleu --variant multi-bleu -r two < blank" \
	"BLEU = 0.00, 0.0/0.0/0.0/0.0 (BP=0.000, ratio=0.000, hyp_len=0, ref_len=4)"
# the text is that of the script, which does not count the words of the hypotheses
is "empty references, multi-bleu" "bleu --variant multi-bleu -r blank < two" \
	"BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)"
is "empty references, multi-bleu, only the score" "bleu --variant multi-bleu -b -r blank < two" 0.00
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "word%d ", i % 5000; print "" }' > long
is "a line of more than a megabyte" "bleu -b -r long < long" 100.0
gzip -c ref.a > ref.gz
is "compressed references" "bleu -b -r ref.gz < ref.a" 100.0

awk 'BEGIN { for (i = 0; i < 100; i++) print "It was tokenized , line", i, "." }' > spaced
bleu -b -r spaced spaced 2> err > /dev/null
matches '100 lines of spaced end in a space and a period' err
say $? "a warning about text that looks tokenized"
sed 's/ [.]$/./' spaced > plain; bleu -b -r spaced plain 2> err > /dev/null
that "$(grep -c 'lines of spaced end' err)" = 1; say $? '... of references alone'
bleu -b -r plain spaced 2> err > /dev/null
that "$(grep -c 'lines of spaced end' err)" = 1; say $? '... of the hypotheses alone'
bleu -b -r plain plain 2> err > /dev/null; that ! -s err; say $? '... not about other text'
bleu -q -b -r spaced spaced 2> err > /dev/null; that ! -s err; say $? "... but not with -q"
bleu -b --tokenizer none -r spaced spaced 2> err > /dev/null; that ! -s err
say $? "... and not without a tokenizer"
yes a b c d | head -n 30000 > many	# more output than a pipe holds
{ got=0; bleu --sentence -b -r many many 2> err || got=$?; echo $got > status; } | head -n 1 > first
that "$(cat first)" = 100.0 && that "$(cat status)" = 141 && that ! -s err
say $? "a reader of the output may stop early"

# input that does not match
exits 3 "more references than hypotheses" "head -5 hyp.a | bleu -r ref.a"
is "... and the message has the files and their numbers of lines" \
	"! head -5 hyp.a | bleu -r ref.a 2>&1" \
	"bleu: standard input has 5 lines, ref.a has 20, expected the same number"
exits 3 "fewer references than hypotheses" "head -5 ref.a > ref.5; bleu -r ref.a -r ref.5 hyp.a"
is "... with the same message" \
	"! bleu -r ref.a -r ref.5 hyp.a 2>&1" "bleu: hyp.a has 20 lines, ref.5 has 5, expected the same number"
exits 3 "empty files" "bleu -r /dev/null /dev/null"
printf 'good\nbad \377 byte\n' > latin
exits 3 "invalid UTF-8" "bleu -r two < latin"
is "... is reported with line and byte" \
	"! bleu -r two latin 2>&1" "bleu: latin: line 2: byte 5 (0xff) is not UTF-8"
exits 4 "a nonexistent file" "bleu -r nowhere hyp.a"
exits 2 "--score-only with --paired" "bleu -b --paired -r ref.a hyp.a hyp.a"
exits 2 "--score-only with --to json" "bleu -b --to json -r ref.a hyp.a"
name=$(printf 'h\377"\n.a'); cp hyp.a "$name"
bleu -q --to json -r ref.a hyp.a "$name" | sed -n 's/^ "system": //p' | tail -n 1 > found
printf '"h\357\277\275\\"\\n.a",\n' | equals - found; say $? "a file name that is not UTF-8 in JSON"
exits 2 "standard input twice" "bleu -r - < hyp.a"
exits 4 "a closed standard output" "bleu -r ref.a hyp.a >&-"
exits 4 "a full disk" "bleu -r ref.a hyp.a > /dev/full"
exits 2 "a missing reference" "bleu hyp.a"
: > nothing; exits 3 'an empty file without -r' 'bleu nothing'
matches 'nothing is empty' err; say $? '... is reported as empty'
for o in '--metric chrf --tokenizer zh' '--ter --tokenizer zh' '--metric chrf --smooth floor' '--metric chrf --effective-order' '--ter --variant multi-bleu'; do
	exits 2 "$o" "bleu -r ref.a $o hyp.a"
done
exits 0 '--tokenizer with BLEU and chrF' 'bleu -r ref.a --metric bleu --metric chrf --tokenizer zh hyp.a'
for o in '--resamples 10' '--seed 7' '--trials 10'; do exits 2 "--test sign with $o" "bleu -r ref.a --paired --test sign $o hyp.a hyp.b"; done
exits 0 '--test sign and another with --resamples' 'bleu -r ref.a --paired --test sign --test bootstrap --resamples 10 hyp.a hyp.b'
name=$(printf 'a\tb\nc'); cp hyp.a "$name"; bleu -r ref.a --to tsv hyp.a "$name" | tail -n 1 | cut -f 1,2 > found; printf '%s\n' 'a\tb\nc	BLEU' | equals - found
say $? 'a tab and a line feed in a file name'
exits 2 "an unknown metric" "bleu --metric meteor -r ref.a hyp.a"
exits 2 "--case with sacreBLEU" "bleu --case -r ref.a hyp.a"
exits 2 "--smooth with multi-bleu" "bleu --variant multi-bleu --smooth none -r ref.a hyp.a"

# streams
heed-pack --no-pg hyp.a ref.a | heed-show | sed 's/"src"/"hyp"/g' | heed-pack --no-pg -j > a.heed
heed-pack --no-pg hyp.b ref.a | heed-show | sed 's/"src"/"hyp"/g' | heed-pack --no-pg -j > b.heed
heed-pack --no-pg hyp.b ref.b | heed-show | sed 's/"src"/"hyp"/g' | heed-pack --no-pg -j > other.heed
bleu -r ref.a hyp.a > want
same "a stream contains its reference" want "bleu < a.heed"
same "... also as a compressed file" want "gzip -c a.heed > a.gz; bleu a.gz"
bleu -r ref.b hyp.a > want
same "-r overrides the reference of the stream" want "bleu -r ref.b a.heed"
exits 3 "a stream without hyp" "heed-pack hyp.a ref.a | bleu"
exits 3 "a truncated stream" "head -c 900 a.heed | bleu"
exits 3 "streams with different references" "bleu --paired a.heed other.heed"

# significance
bleu -r ref.a --paired --test bootstrap --to tsv hyp.a hyp.b > want
same "one test by default, the bootstrap" want "bleu -r ref.a --paired --to tsv hyp.a hyp.b"
bleu -r ref.a --paired --test all hyp.a hyp.b > want
same "tests do not depend on the number of threads" \
	want "bleu --threads 3 -r ref.a --paired --test all hyp.a hyp.b"
bleu -q -w 6 --variant mteval13a -r ref.a --paired --to tsv hyp.a hyp.b | cut -f 3,6 > out
awk 'NR > 1 { d = $1 - d } END { print d }' out > want; sed -n '3s/.*	//p' out | near 0.000002 want
say $? 'differences of mteval are from -1 to 1, like its scores'
bleu -q -w 6 --variant mteval13a -r ref.a --paired --to json hyp.a hyp.b | sed -n 's/^ "difference": //p' | near 0.000002 want
say $? '... in JSON, too'
bleu -r ref.a --paired --test all --to tsv hyp.a hyp.b | cut -f 2- > want
same "streams give the same results of tests" \
	want "bleu --paired --test all --to tsv a.heed b.heed | cut -f 2-"
bleu -r ref.a --paired --test all --to tsv hyp.b < hyp.a | cut -f 2- > rows
bleu -r ref.a --paired --test all --to tsv hyp.a hyp.b | cut -f 2- | equals - rows
say $? "standard input is the baseline for a single operand"
# In so few, none favors the worse system, so that p is 1 / (1 + n).
for draws in 10 100; do for o in 'bootstrap --resamples' 'randomization --trials'; do
	is "--test $o $draws" "bleu -r ref.a --paired --test $o $draws --to tsv hyp.a hyp.b | sed 1,2d | cut -f 7,9 | tr -d '\t'" \
		"$(awk -v n=$draws 'BEGIN { printf "%.6g", 1 / (1 + n) }')"
done; done
printf 'a b\n' > two_words
is "two words have no BLEU" "bleu -b -w 2 -r two_words two_words" 0.00
is "... except with --effective-order" "bleu -b -w 2 --effective-order -r two_words two_words" 100.00
bleu -r ref.a --paired --test all --seed 7 --to tsv hyp.a hyp.b | cut -f 2- > out; differ rows out
say $? "another seed gives other resamples"
cp hyp.a copy
bleu -r ref.a --paired --test all --to tsv hyp.a copy hyp.b | cut -f 6- > rows
is "a system is not significantly better than itself" \
	"sed -n 3p rows | cut -f 1-9" "0	1	1	1	0	0	20	0	1"
is "a far better system is significantly better" \
	"sed -n 4p rows | awk '{ print (\$2 < 0.05 && \$3 < 0.05 && \$4 < 0.05 && \$9 < 0.05) }'" 1
is "a single test" \
	"bleu -r ref.a --paired --test sign --to tsv hyp.a hyp.b | sed -n 3p | cut -f 7-9,15" \
	"			$(bleu -r ref.a --to tsv hyp.b | sed -n 2p | cut -f 15)"
# BLEU (4/5 3/4 2/3 1/2)^(1/4) = .669; one of five words is wrong
printf 'a b c d e\n' > same_words; printf 'a b c d f\n' > "$(printf '50%%\n_off')"
table() { printf '%s\n' '% needs \usepackage{booktabs}' "\\begin{tabular}{lrrrrrr}" '\toprule' \
	"system & $1 & difference & better & worse & z & p sign \\\\" '\midrule' "same\\_words & $2 &  &  &  &  &  \\\\" \
	"50\\% \\_off & $3 \\\\" '\bottomrule' '\end{tabular}'; }
{ table BLEU 100.0 '66.9 & $-$33.1 & 0 & 1 & 1.000 & 1.0000'; echo; table TER 0.0 '20.0 & +20.0 & 0 & 1 & 1.000 & 1.0000'; } > want
same "paired tests as tables for LaTeX" want \
	"bleu -r same_words --metric bleu --metric ter --paired --test sign --to latex same_words 50* | grep -Ev '^% (BLEU|TER)[|]nrefs:1'"
exits 2 "--sentence with --to latex" "bleu --sentence --to latex -r ref.a hyp.a"
bleu $compat -r ref.a --confidence --seed 1 hyp.a > out
matches '^BLEU|nrefs:1|bs:1000|seed:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 75.4 (μ = 7[0-9.]* ± 1*[0-9.]*) 88.7/' out
say $? "a confidence interval, and the number of resamples in the signature"

# Japanese; the scores are those of sacreBLEU 2.6.0.
for t in zh:51.0096582810 char:68.2952122296 ja-mecab:54.3326657895; do
	if [ "${t%:*}" != ja-mecab ] || bleu -q --tokenizer ja-mecab -b -r ref.ja hyp.ja > out 2>&1; then
		is "${t%:*}: Japanese" "bleu -r ref.ja -b -w 10 --tokenizer ${t%:*} hyp.ja" "${t#*:}"
	else
		matches '^bleu: .*libmecab\|IPA dictionary' out; say $? "without libmecab, ${t%:*} is refused # SKIP no libmecab"
	fi
done
if bleu -q --tokenizer ja-mecab -b -r ref.ja hyp.ja > /dev/null 2>&1; then
	bleu -r ref.ja --tokenizer ja-mecab hyp.ja | matches '|tok:ja-mecab-0.996-IPA|.* = 54.3 86.1/69.2/51.7/35.3 (BP = 0.946 ratio = 0.947 hyp_len = 72 ref_len = 76)$'
	say $? '... with the signature of sacreBLEU'
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cat ref.ja; done > long; sed 's/を/が/g' long > longer
	bleu -r long --tokenizer ja-mecab -b -w 10 longer > want; bleu -r long --tokenizer ja-mecab -b -w 10 -t 4 longer | equals want -
	say $? '... and the same score with several threads'
else
	for i in 1 2; do n=$((n + 1)); echo "ok $n - ja-mecab # SKIP no libmecab"; done
fi
bleu -r ref.ja hyp.ja 2> err > out
matches 'bleu: warning: 7 of 7 references are Japanese, Chinese, Korean or Thai, which tokenizer 13a does not split' err
say $? 'tokenizer 13a on Japanese is a warning'
for o in '-q' '--tokenizer zh' '--tokenizer char' '--metric chrf' '--tokenizer none'; do bleu $o -r ref.ja hyp.ja; done 2> err > out
that ! -s err; say $? '... but not with another tokenizer, or chrF'
printf '한국어 문장이 하나 있습니다.\nประโยคภาษาไทย\nEnglish\n' > ko; bleu -r ko ko 2>&1 > out | matches '2 of 3 references'; say $? '... also on Korean and Thai'
printf '한국어\nEnglish text\nDeutscher Text 日本\n' > ko; bleu -r ko ko 2> err > out; that ! -s err; say $? '... if most lines are'
