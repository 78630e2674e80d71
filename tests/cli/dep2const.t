#!/bin/sh
# dep2const: trees converted by hand, in CoNLL-U and in streams; sentences without a tree are errors.
. "$HEED_TOP/tests/lib.sh"

plan 19

# fails CODE 'what' 'words of the message' 'command'
fails() {
	got=0; sh -c "$4" > out 2> err < /dev/null || got=$?
	[ "$got" = "$1" ] && grep -qF -- "$3" err; r=$?
	say $r "$2"
	[ $r = 0 ] || { echo "# exit $got"; sed 's/^/# /' err; }
}

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
	'sed "9s/4/9/" t.conllu > t2; dep2const t2'
fails 3 'two roots' 't2: line 9: word 9: a second root' \
	'sed "9s/4/0/" t.conllu > t2; dep2const -o o2 t2'
[ ! -e o2 ]; say $? '... and no output file'
fails 3 'no heads' 't2: line 11: sentence without heads' \
	'sed "11s/0/_/" t.conllu > t2; dep2const t2'
fails 3 'a stream with a head outside the sentence' 'record 1 (id 1): src.heads: word 3: head 7, expected one from 0 to 3' \
	'sed "2s/3,0/3,7/" s.json | heed-pack -j --no-pg | dep2const > o'
fails 3 'a stream without heads' 'has no src.heads' 'heed-pack t.ptb | dep2const > o'
fails 2 '--tags with CoNLL-U' '--tags, expected a stream with it' 'dep2const --tags x.tags t.conllu'
