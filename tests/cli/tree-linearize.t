#!/bin/sh
# tree-linearize: sequences computed by hand; trees that do not match the subwords are errors.
. "$HEED_TOP/tests/lib.sh"

plan 26

cat > s.json <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","src.tree":"str","src.pieces":"[str]","src.word":"[int]"}}]
{"id":1,"src":"He is my father .","src.heads":[4,4,4,0,4],"src.tree":"(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .))","src.pieces":["He","is","my","fa@@","ther","."],"src.word":[0,1,2,3,3,4]}
{"id":2,"src":"He (is)","src.heads":[2,0],"src.pieces":["He","(i@@","s)"],"src.word":[0,1,1]}
{"id":3,"src":"","src.heads":[],"src.tree":"","src.pieces":[],"src.word":[]}
{"id":4,"src":"Yes","src.heads":[0],"src.tree":"(UH Yes)","src.pieces":["Y@@","es"],"src.word":[0,0]}
{"id":5,"src":"Oh no","src.heads":[2,0],"src.tree":"","src.pieces":["Oh","no"],"src.word":[0,1]}
["heed-end",5]
END
heed-pack -j --no-pg s.json > s.heed
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","src.tree":"str","src.pieces":"[str]","src.parent":"[int]"}}]
{"id":1,"src":"He is my father .","src.heads":[4,4,4,0,4],"src.tree":"(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .))","src.pieces":["(S","(NP","(PRP","He","(VP","(VBZ","is","(NP","(PRP$","my","(NN","fa@@","ther","(.","."],"src.parent":[-1,0,1,2,0,4,5,4,7,8,7,10,10,0,13]}
{"id":2,"src":"He (is)","src.heads":[2,0],"src.pieces":["(S","He","(i@@","s)"],"src.parent":[-1,0,0,0]}
{"id":3,"src":"","src.heads":[],"src.tree":"","src.pieces":[],"src.parent":[]}
{"id":4,"src":"Yes","src.heads":[0],"src.tree":"(UH Yes)","src.pieces":["(UH","Y@@","es"],"src.parent":[-1,0,0]}
{"id":5,"src":"Oh no","src.heads":[2,0],"src.tree":"","src.pieces":["(S","Oh","no"],"src.parent":[-1,0,0]}
["heed-end",5]
END
same 'nodes and their parents' want 'tree-linearize --no-pg s.heed | heed-show'
same 'the default options, given explicitly' want \
	'tree-linearize -q --no-pg --label-vocab prefixed --tags keep < s.heed | heed-show'
echo 'tree-linearize: 2 of 5 sentences have no tree and get a flat one' > want.err
same 'flat trees are counted' want.err 'tree-linearize s.heed 2>&1 > o.heed'
same '... and not reported with -q' /dev/null 'tree-linearize -q s.heed 2>&1 > o.heed'
same 'masks and positions of the previous subwords are removed' want \
	'tree2mask --no-pg s.heed | phrase-rp --no-pg | tree-linearize --no-pg | heed-show'
sed 's/src/tgt/g' want > want.tgt
same 'the target side' want.tgt \
	'sed s/src/tgt/g s.json | heed-pack -j --no-pg | tree-linearize --no-pg --side tgt | heed-show'
cat > want <<'END'
S NP PRP He VP VBZ is NP PRP$ my NN fa@@ ther . .
S He (i@@ s)

UH Y@@ es
S Oh no
END
same 'bare labels' want 'tree-linearize --label-vocab bare s.heed | heed-show -f src.pieces'
echo 'S X a Y b' > want
same '... also of a root without label' want \
	'echo "( (X a) (Y b) )" > r.ptb; echo "a b" > r.en; bpe-learn --text r.en > r.codes 2> r.err; heed-pack r.en | ptb2heed -q -p r.ptb | bpe-apply -c r.codes | tree-linearize --label-vocab bare | heed-show -f src.pieces'
cat > want <<'END'
(S (NP He (VP is (NP my fa@@ ther .	-1 0 1 0 3 3 5 5 5 0
(S He (i@@ s)	-1 0 0 0
	
(UH Y@@ es	-1 0 0
(S Oh no	-1 0 0
END
same '--tags drop' want 'tree-linearize --tags drop s.heed | heed-show -f src.pieces,src.parent'
cat > want <<'END'
(S (NP (PRP He ) ) (VP (VBZ is ) (NP (PRP$ my ) (NN fa@@ ther ) ) ) (. . ) )
(S He (i@@ s) )

(UH Y@@ es )
(S Oh no )
END
same '--brackets' want 'tree-linearize --brackets s.heed | heed-show -f src.pieces'
cat > want <<'END'
(S (NP He ) (VP is (NP my fa@@ ther ) ) . )
(S He (i@@ s) )

(UH Y@@ es )
(S Oh no )
END
same '... with --tags drop' want 'tree-linearize --brackets --tags drop s.heed | heed-show -f src.pieces'
echo '["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","src.tree":"str","src.pieces":"[str]"}}]' > want
same '... adds no parents' want 'tree-linearize -q --brackets --no-pg s.heed | heed-show | sed 1q'

# The relations between two subwords of a word and their tag.
echo '["(UH","Y@@","es"]	[[0,2,2],[1,0,4],[1,3,0]]' > want
same 'relations between the nodes' want 'tree-linearize -q s.heed | tree2mask --relations | heed-show |
	sed -n "/\"id\":4/s/.*\(\[\"(UH.*\]\),\"src.parent.*:\(.*\)}/\1\t\2/p"'

# programs in the wrong order
fails 3 'tree2mask after it' 'the stream has no src.word' 'tree-linearize -q s.heed | tree2mask > o'
fails 3 'phrase-rp after it' 'the stream has no src.word' 'tree-linearize -q s.heed | phrase-rp > o'
fails 3 'tree-linearize twice' 'has no src.word' 'tree-linearize -q s.heed | tree-linearize > o'
fails 3 'tree2mask --relations before it' 'has no src.parent' 'tree2mask --relations s.heed > o'

# 300 words of two subwords, each below a tag, all below one phrase.
awk 'BEGIN { print "[\"heed\",1,\"sentence\",{\"fields\":{\"src.tree\":\"str\",\"src.pieces\":\"[str]\",\"src.word\":\"[int]\"}}]"
	printf "{\"src.tree\":\"(S"; for (i = 0; i < 300; i++) printf " (N w)"
	printf ")\",\"src.pieces\":["; for (i = 0; i < 600; i++) printf "%s\"p%s\"", i ? "," : "", i % 2 ? "" : "@@"
	printf "],\"src.word\":["; for (i = 0; i < 600; i++) printf "%s%d", i ? "," : "", i / 2
	print "]}"; print "[\"heed-end\",1]" }' > long.json
echo '901 300' > want
same '300 words' want 'heed-pack -j long.json | tree-linearize | heed-show -f src.parent |
	awk "{ for (i = 1; i <= NF; i++) n += \$i == 0; print NF, n }"'

# broken SED 'what' 'words of the message': the stream s, changed
broken() {
	sed "$1" s.json > b.json
	fails 3 "$2" "$3" "heed-pack -j --no-pg b.json | tree-linearize > o"
}
broken '2s/ (\. \.)//' 'a tree with fewer words' \
	'record 1 (id 1): src.word: subword 6 belongs to word 4, expected at most 3'
broken '2s/"fa@@",//' 'fewer elements in src.pieces than in src.word' \
	'record 1 (id 1): src.pieces has 5 elements, but src.word has 6'
broken '2s/(S/(S ((/' 'an invalid tree' 'record 1 (id 1): src.tree: column 5: '
broken '3s/0,1,1/0,2000000000,2000000000/' 'word indices with a gap and no tree' \
	'record 2 (id 2): src.word: subword 2 belongs to word 2000000000, expected 0 or 1'
broken '3s/,"src.word":\[0,1,1\]//' 'subwords without words' 'record 2 (id 2): no src.word'
fails 3 'a stream without trees' 'has no src.tree' 'heed-pack want | tree-linearize > o'
fails 3 'a truncated stream' 's.cut' 'head -c 300 s.heed > s.cut; tree-linearize s.cut > o'
fails 2 '--label-vocab bare with --brackets' '--label-vocab bare and --brackets' \
	'tree-linearize --brackets --label-vocab bare s.heed'
