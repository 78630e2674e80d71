#!/bin/sh
# tree-stats: values counted by hand, of streams and of files of trees.
. "$HEED_TOP/tests/lib.sh"

plan 12

# Phrases S NP VP NP, 5 tags, 6 subwords; layers 3 3 4 4 2.  Arcs 3-4: 1>4; 2: 2>4; 1: 3>4, 5>4.
# (UH Yes): a tag that is the root and counts as a phrase, layer 1, two subwords.
# Then a sentence without trees and an empty one.
cat > s.json <<'END'
["heed",1,"sentence",{"fields":{"src":"str","src.heads":"[int]","src.tree":"str","src.pieces":"[str]","src.word":"[int]"}}]
{"src":"He is my father .","src.heads":[4,4,4,0,4],"src.tree":"(S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .))","src.pieces":["He","is","my","fa@@","ther","."],"src.word":[0,1,2,3,3,4]}
{"src":"Yes","src.heads":[0],"src.tree":"(UH Yes)","src.pieces":["Y@@","es"],"src.word":[0,0]}
{"src":"Oh no","src.tree":"","src.pieces":["Oh","no"],"src.word":[0,1]}
{"src":"","src.heads":[],"src.tree":"","src.pieces":[],"src.word":[]}
["heed-end",4]
END
heed-pack -j s.json > s.heed
names='file\tsentences\twords\tpieces\tno-tree\tphrases\ttags\tinterior\tnodes\tnodes.tags\tlayer\tlayer.top\tlayer.max\tno-heads\tarc.1\tarc.2\tarc.3-4\tarc.5-8\tarc.9-16\tarc.17+\n'
arcs='0.5000\t0.2500\t0.2500\t0.0000\t0.0000\t0.0000\n'
# interior: (4 + 5 + 1 + 0) / 2; layers: (3 + 3 + 4 + 4 + 2 + 1) / 6, tops (4 + 1) / 2
trees='2.5000\t2.5000\t5.0000\t6.5000\t9.0000\t2.8333\t2.5000\t4'
printf "$names"'s.heed\t4\t2.0000\t2.5000\t1\t'"$trees"'\t1\t'"$arcs" > want
same 'trees of a stream' want 'tree-stats s.heed'
same '... to a file' want 'tree-stats -o o.tsv s.heed && cat o.tsv'
sed 's/^s.heed/standard input/' want > want.in
same '... from standard input' want.in 'tree-stats < s.heed'
same '... of the target side' want.in 'sed s/src/tgt/g s.json | heed-pack -j | tree-stats --side tgt'
printf 's.heed\t4\t2.0000\t2.5000\t1\t'"$trees"'\t1\t'"$arcs" >> want
same 'two files' want 'tree-stats s.heed s.heed'

printf '%s\n' '( (S (NP (PRP He)) (VP (VBZ is) (NP (PRP$ my) (NN father))) (. .)))' '(UH Yes)' '(())' > t.ptb
awk 'BEGIN { OFS = "\t" } !NF { print ""; next } { print ++i, "w", "_", "_", "_", "_", $1, "x", "_", "_" } ' > t.conllu <<'END'
4
4
4
0
4
END
printf '\n1\tw\t_\t_\t_\t_\t_\t_\t_\t_\n' >> t.conllu
{
	printf "$names"
	printf 't.ptb\t3\t2.0000\t-\t0\t2.5000\t2.5000\t5.0000\t5.5000\t8.0000\t2.8333\t2.5000\t4\t2\t-\t-\t-\t-\t-\t-\n'
	printf 't.conllu\t2\t3.0000\t-\t2\t-\t-\t-\t-\t-\t-\t-\t-\t1\t'"$arcs"
} > want
same 'bracketed trees, CoNLL-U' want 'tree-stats t.ptb t.conllu'
: > nothing
printf "$names"'nothing\t0\t-\t-\t0\t-\t-\t-\t-\t-\t-\t-\t-\t0\t-\t-\t-\t-\t-\t-\n' > want
same 'an empty file' want 'tree-stats nothing'

# Arcs with all distances from 1 to 17.
awk 'BEGIN { OFS = "\t"; for (i = 1; i <= 18; i++) print i, "w", "_", "_", "_", "_", (i > 1), "x", "_", "_" }' > far.conllu
tree-stats far.conllu | awk -F '\t' 'END { for (i = 15; i <= NF; i++) print int(17 * $i + 0.5) "/17" }' > got
printf '1/17\n1/17\n2/17\n4/17\n8/17\n1/17\n' > want
same 'arc lengths' want 'cat got'

# The number of nodes equals that of tree-linearize.
{ head -n 3 s.json; echo '["heed-end",2]'; } | heed-pack -j > two.heed
for t in keep drop; do tree-linearize --tags $t two.heed | heed-show -f src.parent; done | wc -w > got
echo 31 > want		# 2 * 9 and 2 * 6.5
same 'as many nodes as tree-linearize writes' want 'cat got'

fails 3 'a stream without trees' 'has neither src.heads nor src.tree' 'heed-pack want | tree-stats'
fails 3 'a tree with other words' 'record 1: src.tree has 4 words, src has 5' \
	'sed "2s/ (\\. \\.)//" s.json | heed-pack -j | tree-stats'
fails 3 'a truncated stream' 's.cut' 'head -c 300 s.heed > s.cut; tree-stats s.heed s.cut'
