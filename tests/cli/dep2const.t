#!/bin/sh
# dep2const: trees converted by hand, in CoNLL-U and in streams; sentences without heads get no tree.
. "$HEED_TOP/tests/lib.sh"

plan 33

# words: "form upos head" lines as CoNLL-U
words() {
	awk '!NF { print ""; i = 0; next }
	     { printf "%d\t%s\t_\t%s\t_\t_\t%s\tx\t_\t_\n", ++i, $1, $2, $3 }'
}

words > t.conllu <<'END'
A DET 2
hearing NOUN 4
was AUX 4
scheduled VERB 0
on ADP 7
the DET 7
issue NOUN 2
today ADV 4
. PUNCT 4

Yes INTJ 0

Smile VERB 0
:) SYM 1
END
# "issue" depends on "hearing", but "was" and "scheduled" between them are not descendants of "hearing":
# "issue" is attached to "scheduled", whose descendants are all words.
cat > t.ptb <<'END'
(VERBP (NOUNP (DET A) (NOUN hearing)) (AUX was) (VERB scheduled) (NOUNP (ADP on) (DET the) (NOUN issue)) (ADV today) (PUNCT .))
(INTJ Yes)
(VERBP (VERB Smile) (SYM :-RRB-))
END
same 'phrases, one of them attached to a higher ancestor' t.ptb 'dep2const t.conllu'
same '... from standard input' t.ptb 'dep2const < t.conllu'
same '... to a file' t.ptb 'dep2const -o o.ptb t.conllu && cat o.ptb'
echo 100.000000 > want
same 'parse-score reads the trees' want 'parse-score -b f1-punct t.ptb o.ptb'
gzip -k t.conllu
same 'compressed input' t.ptb 'dep2const t.conllu.gz'
same 'empty input' /dev/null 'dep2const < /dev/null'

{
	echo '["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","x.tags":"[str]","tgt":"str","tgt.heads":"[int]"}}]'
	echo '{"id":1,"src":"The dog barked","src.heads":[2,3,0],"x.tags":["DET","NOUN","VERB"],"tgt":"Er bellte","tgt.heads":[2,0]}'
	echo '{"id":2,"src":"","src.heads":[],"x.tags":[],"tgt":"x","tgt.heads":[0]}'
	echo '["heed-end",2]'
} > s.json
heed-pack -j --no-pg s.json > s.heed
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","x.tags":"[str]","tgt":"str","tgt.heads":"[int]","src.tree":"str"}}]
{"id":1,"src":"The dog barked","src.heads":[2,3,0],"x.tags":["DET","NOUN","VERB"],"tgt":"Er bellte","tgt.heads":[2,0],"src.tree":"(XP (XP (X The) (X dog)) (X barked))"}
{"id":2,"src":"","src.heads":[],"x.tags":[],"tgt":"x","tgt.heads":[0],"src.tree":""}
["heed-end",2]
END
same 'a stream without tags' want 'dep2const --no-pg s.heed | heed-show'
sed -i 's/(XP (XP (X The) (X dog)) (X barked))/(VERBP (NOUNP (DET The) (NOUN dog)) (VERB barked))/' want
same '... with tags' want 'dep2const --no-pg --tags x.tags < s.heed | heed-show'
sed 's/x.tags/src.upos/' s.json | heed-pack -j --no-pg > u.heed; sed 's/x.tags/src.upos/' want > want2
same '... which are src.upos by default' want2 'dep2const --no-pg u.heed | heed-show'
heed-pack -j --no-pg s.json | heed-show -f src > s.src; printf '1\tThe\t_\tDET\t_\t_\t2\tx\t_\t_\n2\tdog\t_\tNOUN\t_\t_\t3\tx\t_\t_\n3\tbarked\t_\tVERB\t_\t_\t0\tx\t_\t_\n\n' > u.conllu
dep2const u.conllu > want2; echo >> want2
same 'a stream gets the trees of its CoNLL-U' want2 'heed-pack s.src | conllu2heed --upos -p u.conllu | dep2const | heed-show -f src.tree'
heed-pack s.src | parse -q -l de --upos > de.heed; parse -q -l de --tokens --to conllu s.src | head -n 4 | dep2const > want2; echo >> want2
same '... and of its parser' want2 'dep2const de.heed | heed-show -f src.tree'
printf '(XP (X Er) (X bellte))\n(X x)\n' > want
same '... of the target side' want 'dep2const --side tgt s.heed | heed-show -f tgt.tree'

fails 3 'a cycle' 't2: line 9: word 9: cycle through head 9' \
	'sed "9s/4/9/" t.conllu > t2; dep2const -o o2 t2'
that ! -e o2; say $? '... and no output file'
# A line of two sentences, as a parser that divides lines returns it: the phrases of both, below a common node.
sed '9s/4/0/' t.conllu > t2; sed '1s/^(VERBP\(.*\) (PUNCT .))$/(ROOT (VERBP\1) (PUNCT .))/' t.ptb > want
same 'several roots: a common node' want 'dep2const t2'
sed '11s/0/_/' t.conllu > t2; sed '2s/.*/(())/' t.ptb > want
same 'a sentence without heads: a missing tree' want 'dep2const t2 2> said'
echo 'dep2const: 1 of 3 sentences have no heads and get no tree' | equals - said; say $? '... which is counted'
same '... not with -q' /dev/null 'dep2const -q -o o t2 2>&1'
# Two of my parses: of four lines, the second has no tree, the third two roots.
printf '%s\n' 'a dog barks' 'it runs' 'yes . no .' 'the end' > f.src
{ printf 'a DET 2\ndog NOUN 3\nbarks VERB 0\n\nit PRON _\nruns VERB _\n\n'
	printf 'yes INTJ 0\n. PUNCT 1\nno INTJ 0\n. PUNCT 3\n\nthe DET 2\nend NOUN 0\n'; } | words > f.conllu
heed-pack f.src | conllu2heed -q --upos -p f.conllu > f.heed
printf '%s\n' '(VERBP (NOUNP (DET a) (NOUN dog)) (VERB barks))' '' '(ROOT (INTJP (INTJ yes) (PUNCT .)) (INTJP (INTJ no) (PUNCT .)))' \
	'(NOUNP (DET the) (NOUN end))' > want
same 'a stream: a record without heads gets no tree' want 'dep2const f.heed 2> said | heed-show -f src.tree'
echo 'dep2const: 1 of 4 sentences have no src.heads and get no src.tree' | equals - said; say $? '... which is counted'
same '... nor keeps the tree of other heads' want 'heed-paste --text src.tree=want f.heed 2> /dev/null | dep2const -q | heed-show -f src.tree'
dep2const -q f.heed | heed-show | sed -n 3p | matches src.tree; that $? = 1; say $? '... not even an empty one'
same 'it is the tree that ptb2heed reads from the text' want 'dep2const -q f.conllu > f.ptb; heed-pack f.src | ptb2heed -q -p f.ptb | heed-show -f src.tree'
# What reads trees or heads accepts the stream.
heed-show -f src f.heed | tr ' ' '\n' | sort -u | bpe-learn --text --merges 40 > codes 2> /dev/null
for p in phrase-rp tree-linearize tree2mask; do
	exits 0 "$p accepts it" "dep2const -q f.heed | bpe-apply -c codes | $p"
	matches "^$p: 1 of 4 sentences have no" err; say $? '... with the same number'
done
exits 0 'tree-stats accepts it' 'dep2const -q f.heed | tree-stats'
fails 3 'a stream with a head outside the sentence' 'record 1 (id 1): src.heads: word 3: head 7, expected one from 0 to 3' \
	'sed "2s/3,0/3,7/" s.json | heed-pack -j --no-pg | dep2const > o'
fails 3 'a stream without heads' 'has no src.heads' 'heed-pack t.ptb | dep2const > o'
fails 2 '--tags with CoNLL-U' '--tags, expected a stream with it' 'dep2const --tags x.tags t.conllu'
