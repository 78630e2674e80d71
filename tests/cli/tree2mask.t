#!/bin/sh
# tree2mask: masks and relations computed by hand; heads that are not a tree are errors.
. "$HEED_TOP/tests/lib.sh"

plan 31

cat > s.json <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src.heads":"[int]","src.pieces":"[str]","src.word":"[int]"}}]
{"id":1,"src.heads":[2,0,4,2],"src.pieces":["He","lik@@","es","neur@@","al","networks"],"src.word":[0,1,1,2,2,3]}
{"id":2,"src.pieces":["He","likes"],"src.word":[0,1]}
{"id":3,"src.heads":[],"src.pieces":[],"src.word":[]}
{"id":4,"src.heads":[0],"src.pieces":["Y@@","e@@","s"],"src.word":[0,0,0]}
["heed-end",4]
END
heed-pack -j --no-pg s.json > s.heed

# add FIELD TYPE: the stream s with that field, whose values are read one a line, empty for none
add() {
	cat > values
	awk -v field="$1" -v type="$2" 'NR == FNR { value[FNR] = $0; next }
		FNR == 1 { sub(/}}]$/, ",\"" field "\":\"" type "\"}}]") }
		value[FNR - 1] != "" { sub(/}$/, ",\"" field "\":" value[FNR - 1] "}") }
		{ print }' values s.json
}
add src.dep 'bits[n,n]' > want <<'END'
["111000","111001","111001","000111","000111","011111"]

{"s":[0,0],"d":{"$bin":""}}
["111","111","111"]
END
same 'all subwords of linked words' want 'tree2mask --no-pg s.heed | heed-show'
same '... as with --subwords block' want 'tree2mask --no-pg --subwords block < s.heed | heed-show'
echo 'tree2mask: 1 of 4 sentences have no src.heads and get no src.dep' > want.err
same 'sentences without a tree are counted' want.err 'tree2mask --no-pg s.heed 2>&1 > o.heed'
: > empty
same '... and not reported with -q' /dev/null 'tree2mask -q --no-pg s.heed 2>&1 > o.heed'
same 'a second run changes nothing' want 'tree2mask --no-pg o.heed | tree2mask --no-pg | heed-show'
add src.dep 'bits[n,n]' > want <<'END'
["110000","111001","011000","000110","000111","010011"]

{"s":[0,0],"d":{"$bin":""}}
["110","111","011"]
END
same '--subwords deguchi, replacing another mask' want \
	'tree2mask --no-pg --subwords deguchi o.heed | heed-show'
add src.dep 'bits[n,n]' > want <<'END'
["110000","111001","011000","000111","000110","010101"]

{"s":[0,0],"d":{"$bin":""}}
["111","110","101"]
END
same '--subwords first' want 'tree2mask --no-pg --subwords first s.heed | heed-show'

# A previous mask of a sentence without a tree is removed.
sed '3s/"src.pieces"/"src.dep":["11","11"],&/; 1s/"src.pieces"/"src.dep":"bits[n,n]",&/' s.json |
	heed-pack -j --no-pg > old.heed
printf '{"id":2,"src.pieces":["He","likes"],"src.word":[0,1]}\n' > want
same 'a sentence without a tree loses its previous mask' want \
	'tree2mask -q --no-pg old.heed | heed-show | sed -n 3p'

sed 's/src/tgt/g' s.json | heed-pack -j --no-pg > t.heed
tree2mask -q --no-pg s.heed | heed-show | sed 's/src/tgt/g; s/\[n,n\]/[m,m]/' > want
same 'the target side' want 'tree2mask -q --no-pg --side tgt t.heed | heed-show'

cat > w.json <<'END'
["heed",1,"sentence",{"fields":{"src":"str","src.heads":"[int]"}}]
{"src":"He likes neural networks","src.heads":[2,0,4,2]}
{"src":"","src.heads":[]}
{"src":"Yes","src.heads":[0]}
["heed-end",3]
END
cat > want <<'END'
["1100","1101","0011","0111"]
{"s":[0,0],"d":{"$bin":""}}
["1"]
END
same 'a stream without subwords: masks over words' want 'heed-pack -j w.json | tree2mask | heed-show -f src.dep'

# A chain: three cells per row, two in the first and in the last.
awk 'BEGIN { print "[\"heed\",1,\"sentence\",{\"fields\":{\"src.heads\":\"[int]\"}}]"
	printf "{\"src.heads\":["; for (i = 0; i < 300; i++) printf "%s%d", i ? "," : "", i
	print "]}"; print "[\"heed-end\",1]" }' > long.json
echo 898 > want
same '300 words' want 'heed-pack -j long.json | tree2mask | heed-show -f src.dep | tr -dc 1 | wc -c'

# (S (NP (PRP He)) (VP (VBZ is)))
cat > r.json <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src.parent":"[int]"}}]
{"id":1,"src.parent":[-1,0,1,2,0,4,5]}
{"id":2}
{"id":3,"src.parent":[]}
["heed-end",3]
END
heed-pack -j --no-pg r.json > r.heed
cat > want <<'END'
[[0,2,6,6,2,6,6],[1,0,2,6,4,8,8],[5,1,0,2,8,8,8],[5,5,1,0,8,8,8],[1,3,7,7,0,2,6],[5,7,7,7,1,0,2],[5,7,7,7,5,1,0]]

{"s":[0,0],"d":{"$bin":""}}
END
same 'relations between nodes' want 'tree2mask --relations r.heed | heed-show -f src.relation'
echo '["heed",1,"sentence",{"fields":{"id":"int","tgt.parent":"[int]","tgt.relation":"i8[m,m]"}}]' > want
same '... of the target side' want \
	'sed s/src/tgt/ r.json | heed-pack -j --no-pg | tree2mask -q --relations --side tgt --no-pg | heed-show | sed 1q'
echo 'tree2mask: 1 of 3 sentences have no src.parent and get no src.relation' > want
same 'sentences without nodes are counted' want 'tree2mask --relations r.heed 2>&1 > o.heed'

# broken SED 'what' 'words of the message': the stream s, changed
broken() {
	sed "$1" s.json > b.json
	fails 3 "$2" "$3" "heed-pack -j --no-pg b.json | tree2mask > o"
}
broken '2s/2,0,4,2/2,3,4,2/' 'heads without a root' \
	'record 1 (id 1): src.heads: no word has head 0, expected at least one root'
broken '2s/2,0,4,2/2,0,4,3/' 'heads with a cycle' \
	'record 1 (id 1): src.heads: word 3: cycle through head 4'
broken '2s/2,0,4,2/2,0,2/' 'subwords of more words than have heads' \
	'record 1 (id 1): src.word: subword 6 belongs to word 3, expected at most 2'
broken '2s/0,1,1,2,2,3/0,1,1,3,3,3/' 'a word without subwords' \
	'record 1 (id 1): src.word: subword 4 belongs to word 3, expected 1 or 2'
broken '2s/0,1,1,2,2,3/0,1,1,2,3/' 'words of fewer subwords than there are' \
	'record 1 (id 1): src.word has 5 entries, expected one for each of 6 subwords'
broken '2s/0,1,1,2,2,3/0,1,1,2,2,3,3/' '... and of more' \
	'record 1 (id 1): src.word has 7 entries, expected one for each of 6 subwords'
sed '2s/likes/likes no/' w.json | heed-pack -j > b.heed
fails 3 'heads of fewer words than the text has' \
	'record 1: tree of 4 words, expected 5 as in src' 'tree2mask b.heed > o'
broken '1s/,"src.word":"[^"]*"//' 'subwords without words' 'the stream has no src.word'
broken '4s/,"src.word":\[\]//' '... in one record' 'record 3 (id 3): no src.word'
broken '1s/\[int\]/[str]/; 2,$s/"src.heads":\[[^]]*\],//' 'heads that are not integers' \
	'field src.heads is of type [str], expected [int]'
fails 3 'a stream without heads' 'has no src.heads' 'heed-pack s.json | tree2mask > o'
fails 3 'nodes that are not in preorder' 'record 1 (id 1): src.parent: node 3 has parent 4' \
	'sed 2s/1,2,0/1,4,0/ r.json | heed-pack -j | tree2mask --relations > o'
sed '1s/"src.parent"/"src.pieces":"[str]",&/; 2s/"src.parent"/"src.pieces":["S","He"],&/' r.json |
	heed-pack -j > b.heed
fails 3 'another number of nodes than of subwords' \
	'record 1 (id 1): src.parent has 7 nodes, but src.pieces has 2' 'tree2mask --relations b.heed > o'
# A record of 600 kB whose matrix would have 90 GB.
awk 'BEGIN { print "[\"heed\",1,\"sentence\",{\"fields\":{\"src.parent\":\"[int]\"}}]"
	printf "{\"src.parent\":[-1"; for (i = 0; i < 300000; i++) printf ",0"
	print "]}"; print "[\"heed-end\",1]" }' > huge.json
fails 3 'a matrix that exceeds --max-record' \
	'matrix over 300001 subwords, expected at most 64 MiB' \
	'heed-pack -j huge.json | tree2mask --relations > o'
perl -e 'print "[\"heed\",1,\"sentence\",{\"fields\":{\"src.parent\":\"[int]\"}}]\n{\"src.parent\":[-1",
	",0" x 1023, "]}\n[\"heed-end\",1]\n"' | heed-pack -j > full.heed
fails 3 '... or only together with the other fields' 'full.heed: record 1: 1049' \
	'tree2mask --relations --max-record 1 full.heed > o'
fails 2 '--subwords with --relations' '--subwords has no effect with --relations' \
	'tree2mask --relations --subwords first r.heed'
# The second name replaces another one of the same length.
sed '1s/"id":"int"/"abcdefghi":"int"/; 2,$s/"id":[0-9]*,//' s.json | heed-pack -j --no-pg |
	sed 's/abcdefghi/src.heads/' > twice.heed
fails 3 'a field declared twice' 'header: duplicate field src.heads' \
	'tree2mask twice.heed > o'
