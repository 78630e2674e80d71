#!/bin/sh
# Attention variants that need trees, from trees to translations: required fields, the number of
# threads, an interruption, models and logs.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 71

pairs 200 1 train && pairs 30 2 dev
# trees SPLIT: adjacent trees on both sides, random ones for nodes
trees() {
	parse -q --control adjacent < "$1.heed" | parse -q --control adjacent --side tgt |
		bpe-apply -c codes |
		tree2mask | phrase-rp > "$1.trees"
	parse -q --control random < "$1.heed" | bpe-apply -c codes | tree-linearize |
		tree2mask --relations > "$1.nodes"
}
heed-show -f src,tgt train.heed | tr '\t' '\n' | bpe-learn --text --merges 60 > codes
trees train && trees dev
train() { toy "$@" --updates 12 --batch-tokens 300 --no-pg; }

# same_model NAME INPUT SPEC...: trains with -t 1, with -t 2, and interrupted after five updates
same_model() {
	name=$1 input=$2; shift 2
	runs train -t 1 "$@" --dev "dev.$input" -o one.tar --log one.log "train.$input" 2> err &&
		runs train -t 2 "$@" --dev "dev.$input" -o two.tar "train.$input" 2>> err &&
			equals one.tar two.tar
	say $? "$name: the same model with one thread and two"
	train "$@" --dev "dev.$input" --updates 5 --checkpoint cp -o part.tar "train.$input" 2> err &&
		train "$@" --dev "dev.$input" --checkpoint cp -o whole.tar "train.$input" 2>> err && cmp one.tar whole.tar
	r=$?; say $r "$name: the same model from an interrupted training"
	[ $r = 0 ] || sed 's/^/# /' err
	rm -f cp
}

same_model rhe trees -a phrase-position -a redundant-heads
heed-show one.log | matches '"dev.redundant.enc.1.self.1":'
say $? 'the log has the share of sentences with a redundant head'
runs heed-check -q one.log; say $? '... and declares that field'
# Half of the development set: the other half has no trees, or is missing.
heed-show dev.trees | awk 'NR == 1 || /heed-end/ { print; next }
	NR % 2 { gsub(/"src\.(dep|phrase)":\[(\[[^]]*\],?|"[01]*",?)*\],?/, ""); sub(/,}$/, "}") } { print }' |
	heed-pack -j > some.trees
heed-show dev.trees |
	awk '!/heed-end/ && (NR == 1 || NR % 2 == 0) { print } END { print "[\"heed-end\",15]" }' | heed-pack -j > half.trees
for dev in some half; do
	rm -f log
	train -a phrase-position -a redundant-heads --dev $dev.trees --log log -o x.tar train.trees 2>> err
	heed-show log | grep -o '"dev.[a-z]*.enc.1.self.[12]":[^,}]*' > $dev.means
done
heed-show -f src.dep some.trees | grep -c . > n; echo 15 | equals - n && that -s half.means &&
	equals half.means some.means
say $? 'sentences without a tree do not count for redundancy'
matches '^nmt-train: warning: some.trees: 15 of 30 records lack src.phrase, which the model reads$' err; say $? '... with a warning'
heed-show one.log | matches '"dev.treeless.enc.1.self":0'
say $? '... and the log has their share'
nmt-translate -q -m one.tar dev.trees | runs heed-show -f hyp > hyp 2> err; say $? 'the model translates'
that "$(wc -l < hyp)" = 30; say $? '... every sentence'
for t in 1 2; do nmt-translate -q -t $t --beam 3 -m one.tar --no-pg dev.trees > hyp.$t; done
equals hyp.1 hyp.2; say $? '... the same with one thread and two'
for program in nmt-translate nmt-score head-stat head-lrp 'head-map --id 2'; do
	$program -m one.tar some.trees > out 2> err; of=30; [ "${program#* }" = "$program" ] || of=1
	without=$((of > 1 ? 15 : 1))
	matches "warning: $without of $of sentences lack src.phrase, which the model reads$" err &&
		! $program -m one.tar dev.trees 2>&1 > out | grep lack; r=$?
	say $r "${program%% *} warns of sentences without a tree"; that $r = 0 || sed 's/^/# /' err
done
head-lrp -q --tokens -m one.tar some.trees 2> err > tokens.heed; token-curve -q -m one.tar tokens.heed > out 2> err
matches 'token-curve: warning: 15 of 30 sentences lack src.phrase, which the model reads$' err; say $? 'token-curve does, too'
exits 3 'a stream without trees is refused' 'nmt-translate -m one.tar dev.heed'
matches 'src.phrase' err && matches phrase-rp err
say $? '... with a hint at the program that adds them'
exits 2 'lines of text, which have no trees, are refused' 'nmt-translate -m one.tar --text dev.en'
matches 'the model reads src.phrase' err && matches 'a stream of phrase-rp' err; say $? '... with the same hint'
cp one.tar rhe.tar

heed-show dev.trees | sed '4s/"src.pieces":\["[^"]*",/"src.pieces":[/' | heed-pack -j > b.trees
for program in nmt-translate nmt-score; do
	exits 3 "$program: fields for other subwords are refused" "$program -m one.tar b.trees"
	echo "$program: b.trees: attention phrase-position: record 3: src.phrase is" > want
	sed 's/ [0-9]* by .*//' err | equals - want; say $? '... with file and record'
done

same_model sync trees -a dbsa -a sync
heed-show one.log | matches '"dev.synchrony":'; say $? 'the log has the synchrony loss'
nmt-translate -q -m one.tar dev.heed | heed-show -f hyp > hyp; that "$(wc -l < hyp)" = 30
say $? 'the model translates without a parse'
exits 0 '... also lines of text' 'nmt-translate -q -m one.tar --text dev.en'
exits 2 '... but not with a model that needs one' 'nmt-translate -q -m one.tar -m rhe.tar --text dev.en'
runs nmt-score -q -m one.tar dev.heed > scored 2> err; say $? '... and scores without one'
exits 3 'training without one is refused' 'toy -a dbsa --updates 1 -o x.tar train.heed'
matches 'src.heads' err; say $? '... with the missing field'
bpe-apply -c codes < train.heed | parse -q --control adjacent > source.heed
runs toy -q -a dbsa:tgt_weight=0 --updates 1 -o x.tar source.heed 2> err
say $? 'a side with weight 0 needs no parse'

heed-show train.trees |
	sed 's/"src.heads":\[[^]]*\]/"src.heads":[0]/; s/"src.word":\[[^]]*\]/"src.word":[0]/' |
	heed-pack -j > few.trees
exits 3 'heads of other subwords are refused' 'toy -a dbsa --updates 1 -o x.tar few.trees'
matches 'few.trees: .*record [0-9]*: src.word has 1 elements, expected one for each of' err
say $? '... with their number'

same_model 'positions in trees' trees -a parent-scaled:ignore=0.3 -a structural-position:k=4 \
	-a relative:k=4,decoder=off
nmt-translate -q -m one.tar dev.trees | heed-show -f hyp > hyp; that "$(wc -l < hyp)" = 30
say $? '... which translates'
exits 2 '... but no lines of text' 'nmt-translate -q -m one.tar --text dev.en'
heed-show dev.trees | awk 'NR > 1 && NR % 2 { sub(/"src\.heads":\[[^]]*\],?/, ""); sub(/,}$/, "}") } { print }' |
	heed-pack -j > bare.trees
train -a parent-scaled -a structural-position:by=depth --dev bare.trees --log log -o x.tar train.trees 2> err
heed-show log | matches '"dev.treeless.enc.1.self":0.5[,}]'; say $? '... and logs the share of sentences without heads'
for spec in parent-scaled structural-position; do
	exits 3 "$spec: a stream without trees is refused" "toy -a $spec --updates 1 -o x.tar train.heed"
	matches 'src.heads' err; say $? '... with the missing field'
	exits 3 "$spec: heads of other subwords are refused" "toy -a $spec --updates 1 -o x.tar few.trees"
done
exits 2 'more scaled heads than heads are refused' \
	'toy -a parent-scaled:heads=9 --updates 1 -o x.tar train.trees'

for s in train dev; do
	heed-show -f src,tgt "$s.trees" | awk -F'\t' '{ n = split($1, a, " "); m = split($2, a, " "); line = ""
		for (i = 0; i < m; i++) line = line " " (i < n ? i : n - 1) "-" i
		print line }' > links
	heed-paste --text alignment=links "$s.trees" > "$s.linked"
done
same_model 'guided alignment' linked -a guided-alignment:weight=2
heed-show one.log | matches '"dev.alignment.dec.[0-9].cross":[01]'; say $? 'the log has the share of correct links'
runs heed-check -q one.log; say $? '... and declares that field'
nmt-translate -q -m one.tar dev.heed | heed-show -f hyp > hyp; that "$(wc -l < hyp)" = 30
say $? 'the model translates without alignments'
exits 3 'training without alignments is refused' 'toy -a guided-alignment --updates 1 -o x.tar train.heed'
matches 'alignment' err; say $? '... with the missing field'
heed-show -f id train.trees | sed 's/.*/0-99/' > links && heed-paste --text alignment=links train.trees > bad.linked
exits 3 'links of other words are refused' 'toy -a guided-alignment --updates 1 -o x.tar bad.linked'
matches "bad.linked: .*record [0-9]*: alignment: '0-99', expected links such as" err; say $? '... with their number'
exits 2 'a head that the model lacks is refused' 'toy -a guided-alignment:head=99 --updates 1 -o x.tar train.linked'

same_model 'relation mask' nodes -a relation-mask
nmt-info one.tar | matches 'relation-mask'; say $? 'nmt-info has the variant'
nmt-info one.tar | matches 'share=all'; say $? '... and its settings'
exits 3 'a stream without relations is refused' 'nmt-translate -m one.tar dev.trees'
heed-show dev.nodes | sed '5s/"src.relation":\[\(\[[^]]*\],*\)*\],*//; s/,}$/}/' |
	heed-pack -j > gap.nodes
exits 3 'a sentence without relations is refused' 'nmt-translate -m one.tar gap.nodes'
cat > want <<'END'
nmt-translate: gap.nodes: attention relation-mask: record 4: no src.relation, expected a matrix over src.pieces
nmt-translate: hint: tree-linearize makes a flat tree of a sentence without one, and tree2mask --relations its relations
END
equals err want; say $? '... with its number and a hint'

exits 2 'sync without dbsa is refused' 'toy -a sync --updates 1 -o x.tar train.trees'
matches 'dbsa' err; say $? '... with the name of the missing variant'
exits 2 'a missing layer is refused' \
	'toy -a dependency-mask:first=9 --updates 1 -o x.tar train.trees'
# With sanitizers, these check that no memory leaks.
exits 2 '... also with a text among the settings' \
	'toy -a relation-mask:fixed=self:-1,fixed=anc:-1,first=9 --updates 1 -o x.tar train.nodes'
exits 2 '... also with an unknown setting after a text' \
	'toy -a relation-mask:fixed=self:-1,k=9 --updates 1 -o x.tar train.nodes'
exits 2 '... also for redundant heads' \
	'toy -a dependency-mask -a redundant-heads:last=9 --updates 1 -o x.tar train.trees'
