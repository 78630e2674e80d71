#!/bin/sh
# parse-score: measures computed by hand, of text and of streams; files that do not match.
. "$HEED_TOP/tests/lib.sh"

plan 46

# rows 'what' gold system 'extra options' < lines "measure score correct gold": these rows are there
rows() {
	parse-score --to tsv $4 "$2" "$3" | awk -F '\t' '{ print $1, $2, $5, $6 }' > got
	grep -vxFf got > missing
	that ! -s missing
	say $? "$1"
}

# words < "form upos head rel" lines, or "form upos head rel xpos": as CoNLL-U
words() {
	awk '!NF { print ""; i = 0; next }
	     NF < 5 { $5 = "_" }
	     { printf "%d\t%s\t_\t%s\t%s\t_\t%s\t%s\t_\t_\n", ++i, $1, $2, $5, $3, $4 }'
}

fails 2 'standard input twice' 'standard input is given 2 times' 'parse-score - -'
printf '(S (A a))\n' > one.ptb; echo '(())' > failed.ptb
fails 3 'a sentence that the parser could not parse' 'failed.ptb: line 1' 'parse-score one.ptb failed.ptb'

# --- other words of the same characters ---
# Common words are Er, geht, Haus and the period, then go and now.  Of the former, only Er has the
# correct head.  The head of now is in don't.  The tags of one word are wrong in the fourth column,
# those of two words in the fifth.
words > plain <<'END'
Er PRON 2 nsubj PPER
geht VERB 0 root VVFIN
zu ADP 5 case APPR
dem DET 5 det ART
Haus NOUN 2 obl NN
. PUNCT 2 punct $.

do AUX 3 aux VBP
n't PART 3 advmod RB
go VERB 0 root VB
now ADV 2 advmod RB
END
range() { printf '%s\t%s\t_\t_\t_\t_\t_\t_\t_\t_\n' "$@"; }
{ sed -n 1,2p plain; range 3-4 zum; sed -n 3,7p plain; range 1-2 "don't"; sed 1,7d plain; } > gold.conllu
words > system.conllu <<'END'
Er PRON 2 nsubj PPER
geht NOUN 4 acl VVFIN
zum ADP 4 case APPRART
Haus NOUN 0 root NE
. PUNCT 4 punct $.

don't AUX 2 aux VBP
go VERB 0 root VB
now ADV 1 obl NN
END
rows '--align char scores common words' gold.conllu system.conllu '--align char' <<'END'
uas 50.000000 3 6
las 33.333333 2 6
upos 83.333333 5 6
xpos 66.666667 4 6
END
parse-score --align char gold.conllu system.conllu | head -n 1 | matches -x '2 sentences, 6 of 10 words'
say $? '... and counts them'
fails 3 'without --align char: hint' 'hint: --align char' 'parse-score gold.conllu system.conllu'
fails 3 '--align char: other characters' "sentence 1: word 4 is 'Hans', expected 'Haus'" \
	'sed s/Haus/Hans/ system.conllu > b; parse-score --align char gold.conllu b'
fails 3 '... needs dependencies' 'expected dependencies in both' \
	'echo "(A a)" > b; parse-score --align char b b'

# --- dependencies ---
# Words 1 2 3 5 6 have the correct head; of these, 6 has another relation, 2 and 5 another subtype.
# 4 and 7 have the correct relation, but not the correct head.  7 is punctuation.
words > gold.conllu <<'END'
The DET 2 det
dog NOUN 3 nsubj
barked VERB 0 root
at ADP 6 case
his PRON 6 nmod:poss
owner NOUN 3 obl
. PUNCT 3 punct
END
words > system.conllu <<'END'
The DET 2 det
dog NOUN 3 nsubj:pass
barked NOUN 0 root
at ADP 3 case
his PRON 6 nmod
owner NOUN 3 obj
. PUNCT 2 punct
END
rows 'dependencies' gold.conllu system.conllu <<'END'
uas 71.428571 5 7
las 57.142857 4 7
las-subtypes 28.571429 2 7
rels 85.714286 6 7
rels-subtypes 57.142857 4 7
uas-no-punct 83.333333 5 6
las-no-punct 66.666667 4 6
las-subtypes-no-punct 33.333333 2 6
rels-no-punct 83.333333 5 6
rels-subtypes-no-punct 50.000000 3 6
upos 85.714286 6 7
END
tr ' ' '\t' > want <<'END'
rel=case 0.000000 0.000000 0.000000 0 1 1
rel=nmod 100.000000 100.000000 100.000000 1 1 1
rel=nsubj 100.000000 100.000000 100.000000 1 1 1
rel=obj 0.000000 0.000000 0.000000 0 0 1
rel=obl 0.000000 0.000000 0.000000 0 1 0
END
same 'relations' want 'parse-score --to tsv --labels gold.conllu system.conllu | grep "^rel=[cno]" | sort'
echo 57.142857 > want
same 'the score of one measure' want 'parse-score -b las gold.conllu system.conllu'
echo 100.000000 > want
same '... of one relation' want 'parse-score -b rel=nsubj gold.conllu system.conllu'
fails 2 'a measure that the parses do not have' "no measure 'f1'" 'parse-score -b f1 gold.conllu system.conllu'
words > two.gold <<'END'
the DET 3 det DT
big ADJ 3 amod JJ
dog NOUN 4 nsubj NN
saw VERB 0 root VBD
the DET 6 det DT
cat NOUN 4 obj NN
END
words > two.system <<'END'
the DET 3 det DT
big ADJ 3 amod NN
dog NOUN 4 nsubj NN
saw NOUN 0 root VBZ
the DET 6 det DT
cat NOUN 4 nsubj NN
END
rows 'two words of a relation, and both columns of tags' two.gold two.system --labels <<'END'
rel=det 100.000000 2 2
rel=nsubj 66.666667 1 1
upos 83.333333 5 6
xpos 66.666667 4 6
END
parse-score gold.conllu system.conllu > table
head -n 1 table | matches -x '1 sentences, 7 words' && matches '^las  *57\.14  *4  *7$' table
say $? 'the table with columns'
# Tags that the system lacks are not scored; those of gold still mark punctuation.
awk -F '\t' -v OFS='\t' 'NF { $4 = "_" } { print }' system.conllu > bare.conllu
parse-score --to tsv gold.conllu bare.conllu > got
lacks '^[ux]pos' got && matches '^uas-no-punct	83' got
say $? 'columns that one file does not have are not scored'

# Without PUNCT it is unknown which words are punctuation.
for f in gold system; do sed 's/PUNCT/$./' $f.conllu > $f.stts; done
parse-score --to tsv gold.stts system.stts > got; lacks no-punct got && matches '^upos	' got
say $? '... and a tag set without PUNCT has no scores without punctuation'

# --- brackets ---
# The words without the full stop: 6.  Gold: S 0-6, NP 0-2, VP 2-6, PRT 3-4, PP 4-6, NP 5-6.
# System: S 0-6, NP 0-3, ADVP 3-4, PP 4-6, NP 5-6: four are correct, NP 0-3 crosses VP.  With the
# full stop S are 0-7, and the system's PP is 4-7 and crosses VP too.
# Second sentence: S and VP are correct, and a VP is in place of NP.  Third: all is correct.
cat > gold.ptb <<'END'
(TOP (S (NP-SBJ (DT The) (NN dog)) (VP (VBD ran) (PRT (RP away)) (PP (IN from) (NP (PRP him)))) (. .)))
( (S (NP (NN Rain))
     (VP (VBD fell))))
(ROOT (FRAG (UH Yes)))
END
cat > system.ptb <<'END'
(TOP (S (NP (DT The) (NN dog) (VBD ran)) (ADVP (RB away)) (PP (IN from) (NP-2 (PRP him)) (. .))))
(S (VP (NN Rain)) (VP (VBD fell)))
(FRAG (UH Yes))
END
rows 'brackets' gold.ptb system.ptb <<'END'
f1 73.684211 7 10
f1-unlabeled 84.210526 8 10
complete 33.333333 1 3
crossing 0.333333 1 3
no-crossing 66.666667 2 3
tags 88.888889 8 9
f1-punct 63.157895 6 10
f1-unlabeled-punct 73.684211 7 10
complete-punct 33.333333 1 3
crossing-punct 0.666667 2 3
no-crossing-punct 66.666667 2 3
tags-punct 90.000000 9 10
END
tr ' ' '\t' > want <<'END'
f1 73.684211 77.777778 70.000000 7 10 9
label=ADVP 100.000000 100.000000 100.000000 1 1 1
label=NP 40.000000 50.000000 33.333333 1 3 2
END
same 'precision and recall, labels' want \
	'parse-score --to tsv --labels gold.ptb system.ptb | grep -e "^f1	" -e "=ADVP" -e "^label=NP" | sort'

# Brackets are a multiset: NP over NP is two, of which one is correct.
echo '(S (NP (NP (NN a) (NN b))) (VB c))' > two; echo '(S (NP (NN a) (NN b)) (VB c))' > one
printf 'f1	80.000000	100.000000	66.666667	2	3	2\n' > want
same 'duplicate brackets count separately' want 'parse-score --to tsv two one | grep "^f1	"'
printf 'f1	80.000000	66.666667	100.000000	2	2	3\n' > want
same '... also in the system' want 'parse-score --to tsv one two | grep "^f1	"'

# Gold marks punctuation; the system's tag of the full stop is wrong, its other tag is correct.
echo '(S (NN a) (. .))' > g; echo '(S (NN a) (NN .))' > s
rows 'words are deleted by their gold tags' g s <<'END'
f1 100.000000 1 1
tags 100.000000 1 1
tags-punct 50.000000 1 2
END
# QP and the second tree lose all words; S and NP of the first remain.
printf '(S (NP (NN a)) (QP (: ;)))\n(NP (. .))\n' > g
rows 'phrases of deleted words do not count' g g <<'END'
f1 100.000000 2 2
complete 100.000000 2 2
f1-punct 100.000000 4 4
END
# Nodes labeled ROOT and TOP do not count, also with two children and below the root.
printf '(ROOT (S (NN a)) (TOP (NN b) (NN c)))\n' > g
rows 'wrappers do not count' g g <<'END'
f1 100.000000 1 1
END

# --- streams ---
{
	echo '["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","src.rels":"[str]","src.tree":"str"}}]'
	echo '{"id":1,"src":"The dog barked","src.heads":[2,3,0],"src.rels":["det","nsubj","root"],"src.tree":"(S (NP (DT The) (NN dog)) (VP (VBD barked)))"}'
	echo '{"id":2,"src":"","src.heads":[],"src.rels":[],"src.tree":""}'
	echo '["heed-end",2]'
} > gold.json
sed '2s/\[2,3,0\]/[3,3,0]/; 2s/VP/NP/' gold.json > system.json
sed '2s/(VBD barked)/(VBD barked) (X y)/' gold.json > longer.json
sed '2s/\[2,3,0\]/[2,1,0]/' gold.json > cycle.json
sed '2s/\[2,3,0\]/[2,0]/' gold.json > short.json
sed '1s/"src.rels":[^,]*,//; 2,3s/"src.rels":[^]]*],//' gold.json > norels.json
sed 's/src\([".]\)/tgt\1/g; 1s/"id":"int",/&"src":"str",/; 2,3s/"id":.,/&"src":"x",/' gold.json > tgt.json
for f in gold system longer cycle short norels tgt; do heed-pack -j --no-pg $f.json > $f.heed; done
rows 'streams with both kinds of trees' gold.heed system.heed <<'END'
uas 66.666667 2 3
las 66.666667 2 3
f1 66.666667 2 3
END
parse-score --to tsv gold.heed norels.heed > got
matches '^uas	100' got && lacks '^las' got && matches '^f1	100' got
say $? 'a stream may have heads without relations'
words > three.conllu <<'END'
The DET 3 det
dog NOUN 3 nsubj
barked VERB 0 root
END
head -n 2 gold.json > g.json; echo '["heed-end",1]' >> g.json; heed-pack -j --no-pg g.json > g.heed
rows 'text against a stream' three.conllu g.heed <<'END'
uas 66.666667 2 3
END
printf 'The dog runs home .\n\n\nA cat sees the mouse in the house .\n' > lines
for c in right random; do
	heed-pack lines | parse -q --control $c > $c.heed
	for form in conllu ptb; do parse -q --tokens --control $c --to $form lines > $c.$form; done
done
for form in conllu ptb; do parse-score --to tsv right.$form random.$form; done | awk '!seen[$1]++' > want
parse-score right.heed random.heed | matches -x '2 sentences, 14 words' &&
    parse-score --to tsv right.heed random.heed | equals - want
say $? 'records without words count no sentence, as in text'
parse-score right.ptb random.ptb > want; same '... of a stream and text' want 'parse-score right.heed random.ptb'
same '... and vice versa' want 'parse-score right.ptb random.heed'
rows 'the target side' tgt.heed tgt.heed '--side tgt' <<'END'
uas 100.000000 3 3
f1 100.000000 3 3
END
fails 3 'a stream without trees' 'has neither tgt.heads nor tgt.tree' \
	'sed "s/.tree/.x/g; s/.heads/.y/g" tgt.json | heed-pack -j --no-pg | parse-score --side tgt - tgt.heed'
fails 3 'a tree with other words' 'longer.heed: record 1 (id 1): src.tree has 4 words, src has 3' \
	'parse-score gold.heed longer.heed'
fails 3 'heads with a cycle' 'cycle.heed: record 1 (id 1): src.heads: word 1:' \
	'parse-score gold.heed cycle.heed'
fails 3 'fewer heads than words' 'short.heed: record 1 (id 1): src.heads has 2 elements, expected 3 as words' \
	'parse-score gold.heed short.heed'

# --- files that do not match ---
sed 's/	at	/	to	/' system.conllu > other.conllu
fails 3 'a different word' "other.conllu: line 1: sentence 1: word 4 is 'to', expected 'at' (gold.conllu: line 1)" \
	'parse-score gold.conllu other.conllu'
sed 7d system.conllu > shorter.conllu
fails 3 'a missing word' "sentence 1: word 7 is missing, expected '.'" \
	'parse-score gold.conllu shorter.conllu'
sed '3s/Yes/No/' system.ptb > other.ptb
fails 3 'a different word of a tree' "other.ptb: line 3: sentence 3: word 1 is 'No', expected 'Yes' (gold.ptb: line 4)" \
	'parse-score gold.ptb other.ptb'
fails 3 'a missing sentence' 'shorter ends after 2 sentences, but gold.ptb continues' \
	'sed 3d system.ptb > shorter; parse-score gold.ptb shorter'
fails 3 'an additional sentence' 'gold.ptb ends after 3 sentences, but longer continues' \
	'cat system.ptb one > longer; parse-score gold.ptb longer'
fails 3 'different kinds of trees' 'gold.conllu has dependencies, but system.ptb has bracketed trees' \
	'parse-score gold.conllu system.ptb'
fails 3 'no heads' 'sentence without heads' \
	'awk -F "\t" -v OFS="\t" "NF { \$7 = \"_\" } { print }" gold.conllu > none; parse-score gold.conllu none'
: > empty
fails 3 'an empty file' 'empty ends after 0 sentences, but gold.ptb continues' \
	'parse-score gold.ptb empty'
printf '(S (N cafe\314\201))\n' > nfd.ptb; printf '(S (N caf\303\251))\n' > nfc.ptb
fails 3 'a word in another normalization' 'the first difference is U+00E9 instead of U+0065' 'parse-score nfd.ptb nfc.ptb'
fails 2 'one score with rows for labels' '--score-only has no effect with --labels' 'parse-score -b las --labels gold.conllu system.conllu'
fails 2 '... or as a table' '--score-only has no effect with --to tsv' 'parse-score -b las --to tsv gold.conllu system.conllu'
fails 2 'a side of text' 'text has no sides' 'parse-score --side src gold.conllu gold.conllu'
