#!/bin/sh
# origin: the keys of a header that name the model or the method of a field follow this field.
. "$HEED_TOP/tests/lib.sh"
plan 52

# stream KEYS FIELDS RECORD: a stream of one sentence
stream() { printf '["heed",1,"sentence",{%s"fields":{%s}}]\n{%s}\n["heed-end",1]\n' "${1:+$1,}" "$2" "$3" | heed-pack -j --no-pg; }
hyp='"src":"str","hyp":"str"' relevance='"src":"str","relevance.cross":"f32[t,s]"' value='"src":"a b","relevance.cross":[[0.5,0.5]]'
stream '' '"src":"str"' '"src":"a b"' > src.heed
for m in m1 m2; do stream "\"translate.model\":\"$m\"" "$hyp" "\"src\":\"a b\",\"hyp\":\"$m\"" > $m.heed; done
stream '' "$hyp" '"src":"a b","hyp":"human"' > human.heed
stream '"translate.model":"m2"' "$hyp" '"src":"a b","hyp":"m1"' > equal.heed
stream '"translate.model":"m1"' '"src":"str"' '"src":"a b"' > stale.heed

# keys COMMAND ...: the keys of the header that it writes
keys() {
	"$@" -o out.heed 2> err || { echo 'an error'; return; }
	heed-show -H out.heed | sed 's/.*"\(sentence\|head\)",{//; s/}\]$//; s/"fields":{[^}]*}//; s/^,//; s/,$//'
}
# gives 'KEYS' 'what' COMMAND ...
gives() {
	want=$1 what=$2; shift 2
	got=$(keys "$@"); that "$got" = "$want"
	say $? "$what"
}
gives '"translate.model":"m2"' 'heed-paste takes the model of a new field' heed-paste --no-pg src.heed m2.heed
gives '"translate.model":"m2"' '... and of a replaced one' heed-paste --no-pg --replace m1.heed m2.heed
gives '' '... of unknown origin' heed-paste --no-pg --replace m1.heed human.heed
gives '"translate.model":"m1"' '... but not of a field that is the same' heed-paste --no-pg m1.heed m1.heed
gives '"translate.model":"m1"' 'a stream without the field leaves it' heed-paste --no-pg m1.heed src.heed
echo c > text
gives '' 'a text replaces the field and its model' heed-paste --no-pg --replace --text hyp=text m1.heed
gives '' '... and a key without its field' heed-paste --no-pg --text hyp=text stale.heed
gives '' '... or what the field was computed from' heed-paste --no-pg --replace --text src=text m1.heed
gives '"translate.model":"m1"' '... but not another field' heed-paste --no-pg --text tgt=text m1.heed
exits 3 'one translation of two models is refused' 'heed-paste m1.heed equal.heed'
matches '^heed-paste: equal.heed: another translate.model' err; say $? '... by name'

for p in int8 fp32; do
	stream "\"translate.model\":\"m1\",\"translate.precision\":\"$p\"" "$hyp" '"src":"a b","hyp":"m1"' > $p.heed
done
gives '"translate.model":"m1","translate.precision":"int8"' 'the precision comes with the field, too' heed-paste --no-pg src.heed int8.heed
gives '"translate.model":"m2"' '... and leaves with it' heed-paste --no-pg --replace int8.heed m2.heed
exits 3 'one translation of two precisions is refused' 'heed-paste int8.heed fp32.heed'
matches '^heed-paste: fp32.heed: another translate.precision' err; say $? '... by name'

# Records without the field: the keys are those of all values, or none.
two() { printf '["heed",1,"sentence",{%s"fields":{%s}}]\n{"src":"a"%s}\n{"src":"b"%s}\n["heed-end",2]\n' "${1:+$1,}" "$2" "$3" "$4" | heed-pack -j --no-pg; }
hyps='"src":"str","hyp":"str","hyp.score":"float","bleu":"[int]","relevance.best":"f32[t,s]"'
two '"translate.model":"m1"' "$hyps" ',"hyp":"x","hyp.score":1.0' ',"hyp":"y","hyp.score":2.0,"bleu":[1],"relevance.best":[[1.0]]' > first.heed
two '"translate.model":"m2"' '"src":"str","hyp":"str"' ',"hyp":"z"' '' > second.heed
heed-paste --replace --no-pg first.heed second.heed > out.heed
printf '{"src":"a","hyp":"z"}\n{"src":"b"}\n' > want; heed-show out.heed | grep '^{' | equals - want
say $? 'a record that the new model left out has no translation'
heed-show -H out.heed | matches 'm2' && heed-show -H out.heed | lacks 'hyp.score'; say $? '... nor has the header scores of the old one'
two '' '"src":"str","hyp":"str"' '' ',"hyp":"human"' > late.heed
two '"translate.model":"m1"' '"src":"str","hyp":"str"' ',"hyp":"x"' '' > early.heed
exits 3 'a text of unknown origin is not added to those of a model' 'heed-paste early.heed late.heed'
matches 'differ in hyp' err; say $? '... by name'
stream '"score.model":"m1"' '"src":"str","score":"float","att.cross.1":"[int]"' '"src":"a","score":1.0,"att.cross.1":[1]' > scored.heed
stream '"score.model":"m2"' '"src":"str","score":"float"' '"src":"a","score":2.0' > other.heed
heed-paste --replace --no-pg scored.heed other.heed | heed-show > out; matches 'm2' out && lacks att out
say $? 'scores of another model leave no attention weights'

# Measures of heads.
heads() { printf '["heed",1,"head",{%s"fields":{"site":"str","layer":"int","head":"int","relevance":"float"}}]\n{"site":"cross","layer":1,"head":1,"relevance":%s}\n["heed-end",1]\n' "$1," "$2" | heed-pack -j --no-pg; }
heads '"lrp.rule":"alpha-beta","lrp.eps":"1"' 0.5 > ab.head; heads '"lrp.rule":"attnlrp"' 0.25 > al.head
gives '"lrp.rule":"attnlrp"' 'relevances of heads bring their settings' heed-paste --no-pg --replace ab.head al.head

# Several keys that together describe the fields.
stream '"lrp.rule":"alpha-beta","lrp.norm":"identity"' "$relevance" "$(echo "$value" | sed 's/0.5,0.5/1,0/')" > one.heed
stream '"lrp.rule":"alti"' "$relevance" "$value" > two.heed
stream '"lrp.rule":"alti","lrp.against":"x"' "$relevance" "$value" > against.heed
stream '' "$relevance" "$value" > none.heed
gives '"lrp.rule":"alti"' 'all keys of a method are replaced together' heed-paste --no-pg --replace one.heed two.heed
gives '"lrp.rule":"alpha-beta","lrp.norm":"identity"' '... and taken with a new field' heed-paste --no-pg src.heed one.heed
exits 3 'a key that only one stream has is another method' 'heed-paste two.heed against.heed'

# A header stands for the streams that follow it.
exits 0 'cat of streams of one method' 'cat two.heed two.heed | heed-check -q'
exits 3 '... of two methods' 'cat one.heed two.heed | heed-check -q'
matches 'the next stream: another lrp' err; say $? '... is refused by name'
exits 3 '... with another setting of the same method' 'cat two.heed against.heed | heed-check -q'
exits 3 '... of a method and an unknown one' 'cat two.heed none.heed | heed-check -q'
exits 0 '... the other way round, the header promises nothing' 'cat none.heed two.heed | heed-check -q'

# Trees of linearized sentences are their subwords.
stream '' '"src":"str","src.tree":"str","src.pieces":"[str]"' '"src":"a b","src.tree":"(S (X a) (X b))","src.pieces":["(S","a","b"]' > linear.heed
echo '(T (X a) (X b))' > ptb; sed 's/^/"/; s/$/"/' ptb > quoted
stream '' '"src":"str","src.tree":"str"' "\"src\":\"a b\",\"src.tree\":$(cat quoted)" > tree.heed
exits 3 'a tree of a linearized sentence is not replaced by a text' 'heed-paste --replace --text src.tree=ptb linear.heed'
matches 'record 1: src.pieces without src.word' err; say $? '... by record'
exits 3 '... nor by a stream' 'heed-paste --replace linear.heed tree.heed'
exits 0 '... but together with its subwords' 'heed-paste --replace --text src.tree=ptb --text src.pieces=text linear.heed'
exits 0 'the same tree is no replacement' 'heed-paste --replace linear.heed linear.heed'

# --- the languages of the two sides
mkdir l && cd l && echo a > t.en && echo b > t.de && echo c > t.tok && gzip -c t.de > t.de.gz
printf 'source\ttarget\na\tb\n' > t.tsv
both='"src.language":"en","tgt.language":"de"'
gives "$both" 'heed-pack records the languages in file names' heed-pack --no-pg t.en t.de
gives "$both" '... also of compressed files' heed-pack --no-pg t.en t.de.gz
gives '"src.language":"en"' '... of a single file' heed-pack --no-pg t.en
gives '"tgt.language":"de"' '... and of no other ending' heed-pack --no-pg t.tok t.de
gives "$both" '--languages sets them' heed-pack --no-pg --languages en-de --tsv --map source=src,target=tgt t.tsv
gives '"src.language":"fr","tgt.language":"deu"' '... instead of those in file names' heed-pack --no-pg --languages fr-deu t.en t.de
gives '' '... or none' heed-pack --no-pg --languages none t.en t.de
exits 2 'other texts are refused' 'heed-pack --languages english-german t.en t.de'
exits 2 '... and languages of streams' 'heed-pack --languages en-de -j t.jsonl'
heed-pack --no-pg t.en t.de > t.heed; heed-pack --no-pg --languages none t.en t.de > plain.heed; heed-pack --no-pg t.de t.en > swapped.heed
gives "$both" 'filters pass them through' heed-sample --no-pg -n 1 t.heed
gives "$both" 'heed-paste takes them' heed-paste --no-pg plain.heed t.heed
gives "$both" '... or keeps them' heed-paste --no-pg t.heed plain.heed
for r in '' --replace; do exits 3 "other languages are refused $r" "heed-paste $r t.heed swapped.heed"; done
matches 'swapped.heed: another src.language' err; say $? '... by name'
cat t.heed plain.heed | runs heed-check > /dev/null 2>&1 && cat plain.heed t.heed | runs heed-check > /dev/null 2>&1; say $? 'a stream without languages may follow'
exits 3 '... but none of other languages' 'cat t.heed swapped.heed | heed-check'
