#!/bin/sh
# derived: programs that replace heads, trees or subwords remove what was computed from the previous ones.
. "$HEED_TOP/tests/lib.sh"
plan 34

# A sentence and its translation with all fields; the arrays are those of the trees.
sed 's/SIDE/src/g' > src.part <<'END'
"SIDE":"a b","SIDE.heads":[2,0],"SIDE.rels":["x","y"],"SIDE.upos":["X","Y"],"SIDE.tree":"(S (X a) (Y b))","SIDE.pieces":["a","b"],"SIDE.word":[0,1],"SIDE.cut":1,"SIDE.parent":[-1,0],"SIDE.dep":["11","11"],"SIDE.phrase":[[0,0],[0,0]],"SIDE.relation":[[0,1],[2,0]]
END
sed 's/src/tgt/g' src.part > tgt.part
types='"SIDE":"str","SIDE.heads":"[int]","SIDE.rels":"[str]","SIDE.upos":"[str]","SIDE.tree":"str","SIDE.pieces":"[str]","SIDE.word":"[int]","SIDE.cut":"int","SIDE.parent":"[int]","SIDE.dep":"bits[n,n]","SIDE.phrase":"i8[n,n]","SIDE.relation":"i8[n,n]"'
{
	echo "[\"heed\",1,\"sentence\",{\"fields\":{$(echo "$types" | sed 's/SIDE/src/g'),$(echo "$types" | sed 's/SIDE/tgt/g; s/n,n/m,m/g')}}]"
	echo "{$(cat src.part),$(cat tgt.part)}"
	echo '["heed-end",1]'
} | heed-pack -j > all.heed
all=$(echo "$types" | grep -o 'SIDE[.][a-z]*' | cut -d. -f2)
echo 'a b' > text; bpe-learn --text text > codes 2> err
printf '1\ta\t_\t_\t_\t_\t0\tx\t_\t_\n2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n\n' > conllu
echo '(S (X a) (X b))' > ptb

# removes 'fields' command...: the fields of the source that the command removes; of the target it removes none.
# One field per line: the fields of the header, then those of the record.
removes() {
	gone=$1; shift
	for half in header record; do
		for f in $all; do echo "tgt.$f"; done
		for f in $all; do
			case " $gone " in *" $f "*) ;; *) echo "src.$f" ;; esac
		done
	done | sort > want
	sh -c "$*" < all.heed > new.heed 2> err && heed-show new.heed | grep -o '"\(src\|tgt\)\.[a-z]*":' |
		tr -d '":' | sort > out
	equals want out; r=$?
	say $r "$*"
	[ $r = 0 ] || { sed 's/^/# /' err; diff -u want out | sed 's/^/# /'; }
}

removes 'dep parent phrase relation' parse -q --control random
removes 'dep parent phrase relation' parse -q
removes 'parent phrase relation' parse -q --pcfg
removes 'parent phrase relation' dep2const
removes 'parent phrase relation' ptb2heed -p ptb
removes 'dep' conllu2heed --upos -p conllu
echo '2 0' > heads
removes 'dep rels' conllu2heed --heads -p heads
removes 'cut dep parent phrase relation' bpe-apply -c codes --side src
removes 'cut dep phrase relation word' tree-linearize
removes 'cut dep parent phrase relation word' tree-linearize --brackets

# heed-paste: another text, or other heads, trees or subwords.
echo 'b a' > other; heed-pack other > other.heed
removes "$(echo $all)" heed-paste --replace --text src=other
removes "$(echo $all)" heed-paste --replace --text src=text
removes 'cut dep heads parent phrase relation rels tree upos word' heed-paste --replace --text src=other --text src.pieces=other
removes 'dep rels' heed-paste --replace --text src.heads=heads
removes 'parent phrase relation' heed-paste --replace --text src.tree=ptb
removes 'cut dep parent phrase relation word' heed-paste --replace --text src.pieces=other

# A second stream removes fields of a record only if it has another value.
heed-paste --replace all.heed other.heed | heed-show | sed 1d | grep -o '"src[.a-z]*"' > out
echo '"src"' | equals - out; say $? 'heed-paste of a stream with another src'
heed-pack text > same.heed
heed-paste --replace all.heed same.heed | heed-show -f tgt,src.pieces,src.heads,src.upos > out
heed-show -f tgt,src.pieces,src.heads,src.upos all.heed | equals - out; say $? '... and of one with the same src'
bpe-apply -c codes other.heed > cut.heed
heed-paste --replace all.heed cut.heed | heed-show -f src.pieces,src.word > out
heed-show -f src.pieces,src.word cut.heed | equals - out; say $? '... and of one with the subwords of the other src'

# Fields of the pair; heed does not know the origin of x.note.
heed-pack -j > pair.heed <<'END'
["heed",1,"sentence",{"fields":{"src":"str","tgt":"str","corrupted":"str","hyp":"str","hyp.pieces":"[str]","hyp.nbest":"[str]","alignment":"str","score":"float","x.note":"str"}}]
{"src":"a","tgt":"b","corrupted":"c","hyp":"d","hyp.pieces":["d"],"hyp.nbest":["d"],"alignment":"0-0","score":-1.5,"x.note":"e"}
["heed-end",1]
END
for f in src tgt hyp; do
	echo z | heed-paste --replace --text $f=- pair.heed | heed-show | sed 1d | grep -o '"[a-z.]*":' | tr -d '":' | paste -s -d ' '
done > out
cat > want <<'END'
src tgt x.note
src tgt corrupted hyp hyp.pieces hyp.nbest x.note
src tgt corrupted hyp hyp.nbest alignment score x.note
END
equals want out; say $? 'heed-paste removes fields of the pair'
echo z | heed-paste --replace --text tgt=- pair.heed | runs heed-check -q; say $? '... and the header does not declare them'

# The target side: the same fields with the sides exchanged.
sides() { heed-show "$1" | grep -o '"[a-z]*\.[a-z]*":' | tr -d '":' | sort; }
for c in 'parse -q --control random' dep2const 'ptb2heed -p ptb'; do
	sh -c "$c" < all.heed > src.heed && sides src.heed | sed 's/src/TGT/; s/tgt/src/; s/TGT/tgt/' | sort > want
	runs sh -c "$c --side tgt" < all.heed > tgt.heed && runs sides tgt.heed > out && equals want out; say $? "$c --side tgt"
done
bpe-apply -c codes all.heed > both.heed && sides both.heed > out
lacks 'cut\|dep\|parent\|phrase\|relation' out && matches 'src.heads' out && matches 'tgt.tree' out
say $? 'bpe-apply of both sides'

# Values for other subwords.
echo '["heed",1,"sentence",{"fields":{"src":"str","src.pieces":"[str]","src.word":"[int]","src.tree":"str","score":"float","score.tokens":"[int]","relevance.cross":"[int]","alignment":"str"},"score.model":"m"}]
{"src":"a b","src.pieces":["a","b"],"src.word":[0,1],"src.tree":"(S (X a) (Y b))","score":-1,"score.tokens":[1],"relevance.cross":[1],"alignment":"0-0"}
["heed-end",1]' | heed-pack -j > scored.heed
echo 'alignment src src.pieces src.tree src.word' > want
for c in 'bpe-apply -c codes' 'tree-linearize --brackets'; do
	$c --no-pg scored.heed > out.heed && heed-show out.heed | tail -n +2 | grep -o '"[a-z.]*":' | tr -d '":' | sort | paste -s -d ' ' > out
	[ "$c" = 'bpe-apply -c codes' ] || sed -i 's/ src.word//' want
	equals want out && heed-show -H out.heed | lacks 'score\|relevance'; say $? "${c%% *} removes values for other subwords"
done

# A linearized tree keeps the previous tree, so it must be made after the tree.
for form in '' --brackets; do
	tree-linearize $form all.heed > linear.heed
	for c in 'parse -q --control random' dep2const 'ptb2heed -p ptb'; do
		got=0; sh -c "$c" < linear.heed > out 2> err || got=$?
		that $got = 3 && matches 'record 1.*without src.word' err && matches "run ${c%% *} before tree-linearize" err
		say $? "$c after tree-linearize $form"
	done
done

# What nmt-train reads is computed again, or missing by name.
parse -q --control random all.heed | nmt-train -q --updates 1 -a relation-mask -o m.tar > out 2> err
that $? = 3 && matches 'src.relation' err; say $? 'nmt-train misses relations of a previous tree'
