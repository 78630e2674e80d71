#!/bin/sh
# phrase-rp: positions computed by hand; trees that do not match the subwords are errors.
. "$HEED_TOP/tests/lib.sh"

plan 32

cat > s.json <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src.tree":"str","src.word":"[int]"}}]
{"id":1,"src.tree":"(S (NP (NNP Bush)) (VP (VBD held) (NP (DT a) (NN talk)) (PP (IN with) (NP (NNP Sharon)))))","src.word":[0,1,2,3,4,5]}
{"id":2,"src.word":[0,1]}
{"id":3,"src.tree":"","src.word":[0,0]}
{"id":4,"src.tree":"","src.word":[]}
{"id":5,"src.tree":"(INTJ (UH Yes))","src.word":[0,0]}
["heed-end",5]
END
heed-pack -j --no-pg s.json > s.heed
# matrices: the values of src.phrase, a row a line, 127 as a full stop
matrices() {
	heed-show -f src.phrase | sed 's/127/./g; s/\],\[/\n/g; s/[][]//g'
}
cat > want <<'END'
0,0,1,1,1,2
0,0,1,1,1,2
-1,-1,0,0,.,.
-1,-1,0,0,.,.
-1,-1,.,.,0,1
-2,-2,.,.,-1,0


{"s":0,0,"d":{"$bin":""}}
0,0
0,0
END
phrase-rp -q s.heed | matrices > got
same 'positions' want 'cat got'
echo 'phrase-rp: 2 of 5 sentences have no src.tree and get no src.phrase' > want.err
same 'sentences without a tree are counted' want.err 'phrase-rp s.heed 2>&1 > o.heed'
: > empty
same '... and not reported with -q' /dev/null 'phrase-rp -q s.heed 2>&1 > o.heed'
phrase-rp -q --no-pg s.heed | heed-show > want
same 'a second run changes nothing' want 'phrase-rp -q --no-pg s.heed | phrase-rp -q --no-pg | heed-show'
same 'the default options, given explicitly' want 'phrase-rp -q --no-pg --sign col-row --symmetry literal \
	--layer-pos include --layer-unary keep --subwords inherit s.heed | heed-show'
phrase-rp -q --no-pg s.heed | heed-show | sed 's/src/tgt/g; s/\[n,n\]/[m,m]/' > want
same 'the target side' want 'sed s/src/tgt/g s.json | heed-pack -j --no-pg | phrase-rp -q --no-pg --side tgt | heed-show'
# A previous matrix of a sentence without a tree is removed.
sed '3s/"src.word"/"src.phrase":[[0,0],[0,0]],&/; 1s/"src.word"/"src.phrase":"i8[n,n]",&/' s.json |
	heed-pack -j --no-pg > old.heed
echo '{"id":2,"src.word":[0,1]}' > want
same 'a sentence without a tree loses its previous matrix' want 'phrase-rp -q --no-pg old.heed | heed-show | sed -n 3p'

# first 'what' OPTIONS: the matrix of the first sentence with these options is the standard input
first() {
	cat > want
	phrase-rp -q $2 s.heed | matrices | sed -n 1,6p > got
	same "$1" want 'cat got'
}
first '--sign row-col' '--sign row-col' <<'END'
0,0,-1,-1,-1,-2
0,0,-1,-1,-1,-2
1,1,0,0,.,.
1,1,0,0,.,.
1,1,.,.,0,-1
2,2,.,.,1,0
END
first '--sign abs' '--sign abs' <<'END'
0,0,1,1,1,2
0,0,1,1,1,2
1,1,0,0,.,.
1,1,0,0,.,.
1,1,.,.,0,1
2,2,.,.,1,0
END
first '--symmetry none' '--symmetry none' <<'END'
0,0,1,1,1,2
.,0,1,1,1,2
.,.,0,0,.,.
.,.,0,0,.,.
.,.,.,.,0,1
.,.,.,.,-1,0
END
# Layers 2 2 3 3 3 4, and without --layer-pos those of the next test.
first '--layer-pos exclude' '--layer-pos exclude --layer-unary collapse --symmetry none' <<'END'
0,0,1,1,1,2
.,0,1,1,1,2
.,.,0,0,.,.
.,.,0,0,.,.
.,.,.,.,0,1
.,.,.,.,-1,0
END
# Layers 2 3 4 4 4 4.
first '--layer-unary collapse' '--layer-unary collapse --symmetry none' <<'END'
0,1,2,2,2,2
.,0,1,1,1,1
.,.,0,0,.,.
.,.,0,0,.,.
.,.,.,.,0,0
.,.,.,.,0,0
END

# Without collapse, all layers with a tag are one less, and only a word without a tag changes: layers 3 2 3 2
# and 2 2 2 1; the span of bark is the sentence, that of the others the NP.
printf '%s\n' '["heed",1,"sentence",{"fields":{"src.tree":"str"}}]' \
	'{"src.tree":"(S (NP (N dogs) and (N cats)) (V bark))"}' '["heed-end",1]' | heed-pack -j --no-pg > untagged.heed
echo '[[0,-1,0,127],[1,0,1,127],[0,-1,0,127],[1,0,1,0]]' > want
same 'a word without a tag' want 'phrase-rp --symmetry none untagged.heed | heed-show -f src.phrase'
echo '[[0,0,0,127],[0,0,0,127],[0,0,0,127],[1,1,1,0]]' > want
same '... with --layer-pos exclude' want 'phrase-rp --layer-pos exclude --symmetry none untagged.heed | heed-show -f src.phrase'

# (S (NP (PRP He)) (VP (VBZ spoke)) (. .)), "spoke" in two subwords: layers 3 3 2; all spans are the
# sentence, except that of a word of several subwords with --subwords tree.
cat > p.json <<'END'
["heed",1,"sentence",{"fields":{"src.tree":"str","src.pieces":"[str]","src.word":"[int]"}}]
{"src.tree":"(S (NP (PRP He)) (VP (VBZ spoke)) (. .))","src.pieces":["He","sp@@","oke","."],"src.word":[0,1,1,2]}
["heed-end",1]
END
heed-pack -j --no-pg p.json > p.heed
echo '[[0,0,0,-1],[0,0,0,-1],[0,0,0,-1],[1,1,1,0]]' > want
same '--subwords inherit' want 'phrase-rp p.heed | heed-show -f src.phrase'
echo '[[0,1,1,-1],[-1,0,0,127],[-1,0,0,127],[1,2,2,0]]' > want
same '--subwords tree' want 'phrase-rp --subwords tree p.heed | heed-show -f src.phrase'

# The span of the full stop is the sentence, that of "held" is not.
cat > w.json <<'END'
["heed",1,"sentence",{"fields":{"src.tree":"str"}}]
{"src.tree":"(S (NP (N Bush)) (VP (V held) (N talks)) (. .))"}
["heed-end",1]
END
heed-pack -j w.json > w.heed
echo '[[0,0,0,-1],[0,0,0,127],[0,0,0,127],[1,1,1,0]]' > want
same 'a stream without subwords: positions over words, not symmetric' want \
	'phrase-rp w.heed | heed-show -f src.phrase'
echo '[[0,0,0,-1],[0,0,0,-1],[0,0,0,-1],[1,1,1,0]]' > want
same '--symmetry full' want 'phrase-rp --symmetry full w.heed | heed-show -f src.phrase'

sed '1s/"src.tree"/"src":"str",&/; 2s/{/{"src":"Bush held talks",/' w.json | heed-pack -j > b.heed
fails 3 'a tree with other words' 'record 1: tree of 4 words, expected 3 as in src' 'phrase-rp b.heed > o'
sed '1s/"src.tree"/"src":"str",&/; 2s/"src.tree":".*"/"src":"Bush","src.tree":""/' w.json | heed-pack -j > b.heed
fails 0 'words with an empty tree' '1 of 1 sentences have no src.tree' 'phrase-rp b.heed'

# 300 words, two per phrase: each has 2 words in its span, and no word is directly below the root.
awk 'BEGIN { print "[\"heed\",1,\"sentence\",{\"fields\":{\"src.tree\":\"str\"}}]"
	printf "{\"src.tree\":\"(S"; for (i = 0; i < 150; i++) printf " (NP (D the) (N dog))"
	print ")\"}"; print "[\"heed-end\",1]" }' > long.json
echo '600 89400' > want
same '300 words' want 'heed-pack -j long.json | phrase-rp | heed-show -f src.phrase | tr -d "[]" | tr , "\n" |
	awk "{ n[\$1]++ } END { print n[0], n[127] }"'

# broken SED 'what' 'words of the message': the stream p, changed
broken() {
	sed "$1" p.json > b.json
	fails 3 "$2" "$3" "heed-pack -j --no-pg b.json | phrase-rp > o"
}
broken '2s/0,1,1,2/0,1,1,1/' 'a word without subwords' 'record 1: src.word: subwords of 2 words, expected 3'
broken '2s/0,1,1,2/0,1,2,3/' 'subwords of more words than the tree has' \
	'record 1: src.word: subword 4 belongs to word 3, expected at most 2'
broken '2s/0,1,1,2/0,1,2/' 'words of fewer subwords than there are' \
	'record 1: src.word has 3 entries, expected one for each of 4 subwords'
broken '2s/0,1,1,2/0,1,1,1,2/' '... and of more' 'record 1: src.word has 5 entries, expected one for each of 4 subwords'
broken '2s/(S /(S ((/' 'an invalid tree' 'record 1: src.tree: column 5: a phrase without a label'
broken '2s/(S (.*(\. \.))/x/' 'a tree without brackets' "record 1: src.tree: column 1: 'x' outside of brackets"
broken '1s/,"src.word":"[^"]*"//' 'subwords without words' 'the stream has no src.word'
fails 3 'a stream without trees' 'has no src.tree' 'heed-pack want | phrase-rp > o'
fails 3 'a matrix that exceeds --max-record' \
	'matrix over 1200 subwords, expected at most 1 MiB' \
	'awk "NR == 2 { sub(/\(S/, \"(S \" sprintf(\"%0900d\", 0)); gsub(/0/, \"(X x) \") } { print }" long.json |
	 heed-pack -j | phrase-rp --max-record 1 > o'
fails 2 'an unknown value of --sign' "--sign" 'phrase-rp --sign both s.heed'
sed 's/src.word":"/abcdefgh":"/; s/,"src.word":\[[^]]*\]//' p.json | heed-pack -j --no-pg |
	sed 's/abcdefgh/src.tree/' > twice.heed
fails 3 'a field declared twice' 'header: duplicate field src.tree' \
	'phrase-rp twice.heed > o'
