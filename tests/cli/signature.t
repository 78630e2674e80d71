#!/bin/sh
# Signatures: streams of heads tell how their measures were computed, and programs that join, compare or draw them warn
# of different settings.
. "$HEED_TOP/tests/lib.sh"
plan 24

header='["heed",1,"sentence",{"fields":{"src.pieces":"[str]","tgt.pieces":"[str]","att.cross.1":"f32[h,t,s]"}}]'
for i in 1 2 3; do echo '{"src.pieces":["a"],"tgt.pieces":["b"],"att.cross.1":[[[0.5,0.5],[1,0]],[[0.2,0.8],[1,0]]]}'; done > records
{ echo "$header"; cat records; } | heed-pack -q -j --partial -o three.heed
{ echo "$header"; head -n 2 records; } | heed-pack -q -j --partial -o two.heed
signature() { heed-show -H "$1" | sed -n 's/.*"signature":"\([^"]*\)".*/\1/p'; }
printf '%s\n' 0-0 0-0 0-0 > gold
head-stat -q -o three.stat three.heed; head-stat -q -o two.stat two.heed; head-stat -q --confidence sentence -o by.stat three.heed
that "$(signature three.stat)" = "heed|target:ref|end:excl|content:all|confidence:token|margin:abs:10|sentences:3|version:$(heed-version 2> /dev/null || head-stat --version | sed 's/.* //')"
say $? 'the signature of head-stat'
head-stat -q --align gold -o gold.stat three.heed; echo '0-0 ' | cat - gold | sed 4d > other; head-stat -q --align other -o other.stat three.heed
that "$(signature gold.stat)" != "$(signature other.stat)" && signature gold.stat | matches '|rows:predicts|align:[0-9a-f]\{16\}|'; say $? '... with the gold alignments'
for i in 1 2; do cat gold; done | head -n 4 > four; { echo "$header"; cat records; head -n 1 records; } | heed-pack -q -j --partial -o four.heed
head-find --align four --to json four.heed | perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{signature}' > found
matches '^heed|what:align|site:cross|rows:predicts|end:excl|content:all|unit:word|target:ref|align:[0-9a-f]*|sentences:4|version:' found
say $? 'the signature of head-find'
sed '1s/{"fields"/{"score.model":"a|\\"b\\\\\\u0007","fields"/' << END > named
$(echo "$header"; cat records; head -n 1 records)
END
heed-pack -q -j --partial -o named.heed named; head-find --align four --to json named.heed | perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{signature}' > found
matches -F '|model:a?"b\?|' found; say $? '... a name of a model with bars, quotes and control characters'

# Tables of two measures of the same heads
stat() { # NAME MEASURE SIGNATURE
	printf '["heed",1,"head",{"fields":{"site":"str","layer":"int","head":"int","%s":"float"},"signature":"%s"}]\n' "$2" "$3"
	for h in 1 2 3 4 5; do printf '{"site":"cross","layer":1,"head":%d,"%s":0.%d}\n' $h "$2" $((h * h % 7)); done
}
stat a x 'heed|target:ref|unit:word|sentences:3' | heed-pack -q -j --partial -o a.stat
stat b y 'heed|target:hyp|unit:word|version:1' | heed-pack -q -j --partial -o b.stat
stat c y 'heed|target:ref|rows:reads' | heed-pack -q -j --partial -o c.stat
stat d x 'heed|target:r\u0007f' | heed-pack -q -j --partial -o d.stat
warning='measures with target:hyp and not target:ref as before'
runs head-compare a.stat b.stat > out 2> err && matches -F "head-compare: warning: b.stat: $warning; they may not be comparable" err; say $? 'head-compare warns of another setting'
runs head-compare a.stat c.stat > out 2> err && lacks warning err; say $? '... and of none that only one signature has'
runs head-compare --table a.stat d.stat > out 2> err && matches -F 'd.stat: measures with target:r?f and not target:ref as before' err; say $? '... control characters are not printed'
stat e x 'heed|target:hyp' | sed 's/:0\.2/:0.25/' | heed-pack -q -j --partial -o e.stat; heed-paste -o ref.stat a.stat c.stat; heed-paste -o hyp.stat b.stat e.stat
runs head-compare --to matrix ref.stat hyp.stat > out 2> err && matches -F "hyp.stat: $warning" err; say $? '... also of two models'
runs head-map --draw heads --measure x,y a.stat b.stat > out 2> err && matches -F "b.stat: $warning" err; say $? 'head-map warns if they are drawn together'
runs heed-paste -o pasted.stat a.stat b.stat 2> err && matches -F "heed-paste: warning: b.stat: $warning; they may not be comparable" err; say $? 'heed-paste warns if they are joined'
that "$(signature pasted.stat)" = 'heed|target:ref+hyp|unit:word|sentences:3|version:1'; say $? '... and writes all parts'
cp pasted.stat warned.stat; runs heed-paste --mixed -o pasted.stat a.stat b.stat 2> err && lacks . err; say $? '... not with --mixed'
that "$(signature pasted.stat)" = "$(signature warned.stat)"; say $? '... which writes them, too'
runs heed-paste -o pasted.stat a.stat c.stat 2> err && lacks . err; say $? '... no warning of parts that one has'
that "$(signature pasted.stat)" = 'heed|target:ref|unit:word|sentences:3|rows:reads'; say $? '... whose parts are joined'
runs head-compare --table three.stat two.stat > out 2> err && matches 'sentences:2 and not sentences:3' err; say $? 'measures of other sentences'
runs head-compare --table three.stat by.stat > out 2> err && matches 'confidence:sentence and not confidence:token' err; say $? '... and with another option'
runs head-compare --table a.stat a.stat > out 2> err && lacks . err; say $? 'the same settings'

# Tables for readers
head-stat -q -v --to md three.heed > table.md 2> err; that "$(tail -n 1 table.md)" = "\`$(signature three.stat)\`" && matches -xF "head-stat: signature: $(signature three.stat)" err; say $? 'a Markdown table ends with the signature, --verbose prints it'
that "$(head-stat -q --to latex three.heed | tail -n 1)" = "% $(signature three.stat)"; say $? '... a table for LaTeX with a comment'
head-compare --table --to md a.stat d.stat 2> err | tail -n 1 > found; echo '`heed|target:ref+r?f|unit:word|sentences:3`' | equals found -; say $? 'a table of several streams has the joined signature'

# Curves: a stream of head-curve has a signature (head-curve.t), and curve-compare compares them
curve() { # NAME SIGNATURE NLL
	printf '["heed",1,"count",{"fields":{"order":"str","site":"str","heads":"int","retained":"int","nll":"float"},"signature":"%s"}]\n' "$2"
	for o in x random.1; do for n in 2 1 0; do printf '{"order":"%s","site":"cross","heads":2,"retained":%d,"nll":%s%d}\n' $o $n "$3" $((n * 2 + ${#o})); done; done
}
curve 1 'heed|what:curve|site:cross|tokens:90' 1. | heed-pack -q -j --partial -o 1.curve
curve 2 'heed|what:curve|site:cross|tokens:91' 2. | heed-pack -q -j --partial -o 2.curve
curve 3 'heed|what:curve|site:cross|tokens:90' 3. | heed-pack -q -j --partial -o 3.curve
runs curve-compare 1.curve 2.curve > out 2> err && matches -F '2.curve: measures with tokens:91 and not tokens:90 as before' err; say $? 'curve-compare warns of another text'
runs curve-compare 1.curve 3.curve > out 2> err && lacks warning err; say $? '... and not of the same one'
echo 0-0 > links; align-score -r gold --to json gold > json; align-score -r four --to json four > json.4
matches '"signature":"heed|what:align|unit:word|align:[0-9a-f]\{16\}|sentences:3|version:' json && that "$(grep -o 'align:[0-9a-f]*' json)" != "$(grep -o 'align:[0-9a-f]*' json.4)"; say $? 'align-score --to json has a signature with the gold alignments'
