#!/bin/sh
# pipeline: the rules that heed-plan writes for the papers' grids; checks of settings and papers; targets.
. "$HEED_TOP/tests/lib.sh"
plan 195

mkdir toy work
for l in en de; do for s in train dev test; do echo a b c > toy/$s.$l; done; done
results=$scratch/work/results
# rules PAPERS SETTING...: work/run.mk with the rules of the papers, each on one line in the file rules; top is the folder of the papers
top=$HEED_TOP/
rules() {
	p=$1; shift
	heed-plan -q --drafts --make work/run.mk --top "$top" --papers "$p" PROFILE=smoke PAIR=en-de WALK=4 W="$scratch/work" R="$results" \
	    MODELS="$HEED_TOP/common/parser/models" DATA="$scratch/toy" "$@" 2> err
	r=$?; [ ! -e work/run.mk ] || sed -e :a -e '/\\$/N; s/\\\n *//; ta' work/run.mk > rules
	return $r
}
trainings() { grep -c 'nmt-train --threads' rules; }
# made FILE: the command that makes it
made() { awk -v file="$1:" '$1 == file { on = 1; next } /^[^\t]/ { on = 0 } on' rules; }

for p in rhe syncattn treemask dhicm voita syntax control; do
	rules $p; r=$?; cp rules $p.log
	say $r "$p: its rules are written"; [ $r = 0 ] || sed 's/^/# /' err
	that -s $p.log && that "$(grep -o -- '-o [^ ]*/model.tar' $p.log | sort | uniq -d | wc -l)" = 0 && that -z "$(grep '^[^.#	][^=]*:' $p.log | cut -d : -f 1 | sort | uniq -d)"
	say $? "$p: every file has one rule"
	# Each file that a rule needs has a rule, or is there.
	{ sed -n 's/^[^.#	][^:]*: //p' $p.log | tr ' |' '\n\n' | grep "^$scratch/work" | sort -u; } > needs
	{ echo; sed -n 's/^\([^.#	][^:]*\):.*/\1/p' $p.log | tr ' ' '\n' | sort -u; } > has
	comm -23 needs has > bad; [ -s needs ] && [ ! -s bad ]; r=$?; say $r "$p: ... and everything that rules need is made"; [ $r = 0 ] || head -n 3 bad | sed 's/^/# /'
done
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk reproduce-syntax PROFILE=smoke DATA="$scratch/toy" W="$scratch/dry" > dry.log 2> err; r=$?
that $r = 0 && matches 'nmt-train --threads' dry.log && matches 'heed-report --title' dry.log && that ! -e dry/text
say $? 'a dry run of make prints the commands, and makes no file'
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk run-one RUN_NAME=syntax/toy.en-de/plain/1 PROFILE=smoke DATA="$scratch/toy" W="$scratch/dry" > dry.log 2> err
that $? = 0 && matches 'nmt-train --threads' dry.log && that ! -e dry; say $? '... also of one run'
cp -r toy with-extra; for l in en de; do cp toy/test.$l with-extra/extra.$l; done
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk reproduce-syntax PROFILE=smoke DATA="$scratch/with-extra" W="$scratch/dry" ALSO=extra SEEDS=4 > dry.log 2> err
rules syntax DATA="$scratch/with-extra" ALSO=extra SEEDS=4; cp work/command command; matches extra dry.log && matches "CORPUS='with-extra'" command && matches SEEDS command && lacks ALSO command
say $? 'the command for drawing the ledger has SEEDS, but not ALSO: the records say which other test sets they have'

# What the rules of the papers do.
that "$(grep -c 'slot) parse .*parse -q --side src --language en'"' <" rhe.log)" = 3; say $? 'a corpus is parsed once'
that "$(grep -c "^$scratch/work/prepared/rhe/src/toy.en-de/train.heed: $scratch/work/parsed/src/" rhe.log)" = 1; say $? '... and prepared once'
grep 'nmt-train' rhe.log | matches -- "--init $scratch/work/run/rhe/toy.en-de/plain/1/model.tar.*mode=prune"
say $? 'pruning continues from the plain model'
matches 'heed-table .*--section fig4 --to points --over label' rhe.log && matches "heed-plot --x 'value of the fixed gate' --title" rhe.log &&
	matches "heed-plot --x 'training sentence pairs' *--log-x" treemask.log && matches -- "--to points --over heads.enc-self" voita.log
say $? 'plots have a measure and a label on the x axis'
grep '/syntax/treemask.tsv: ' syntax.log > needs; matches '/syntax/run/toy.en-de/pascal/1/record' needs && lacks toy.en-de@ needs
say $? 'a table has the runs of its corpora, since its intervals are those of a host group'
matches "head-stat .*--measure ablation,gradient -m .*'" voita.log; say $? 'ablation and gradients are measured together'
that "$(grep -c -e 'head-curve.*--random 10 .*--seed 100 ' voita.log)" = 3; say $? 'the random orders of a curve depend on the seed of its run'
run=$scratch/work/run/voita/toy.en-de
for how in "gradient $run/base/1/measures.heed" 'random --seed 1002'; do
	for of in '--site enc-self --keep-as enc-4' '--keep-as target'; do
		cp voita.log rules; made $run/${of##* }/1/closed.$(case $of in --keep*) printf all- ;; esac)$(case $how in random*) echo random-2 ;; *) echo gradient ;; esac) |
			grep -q "'head-prune -q -m $run/base/1/model.tar .*--by $how -o " || echo "$of $how"
	done
done > differ; that ! -s differ; say $? 'lists of heads to mask, by a measure or random'; sed 's/^/# /' differ
made $run/enc-4/1/closed.first | matches " --site enc-self --keep-as .* --by layer --lowest $run/base/1/heads.heed -o "; say $? '... or those of the first layers'
that "$(grep 'nmt-train --threads' voita.log | grep -c -- "--init $run/base/1/model.tar")" = 25
say $? 'pruned models, controls and fine-tuned models continue from one model'
that "$(grep 'nmt-train --threads' voita.log | grep -v -- --init | grep -c "seed 1 ")" = 8
say $? '... which is trained from scratch, as are a second base, all heads and five sets of retained heads'
that "$(grep -c "nmt-train.*at=enc.*--freeze 'dec[.][*]' --freeze 'embed[.][*]'" voita.log)" -gt 6 && grep 'nmt-train.*at=all' voita.log | lacks -- --freeze
say $? 'the decoder is frozen only while encoder heads are pruned'
that "$(grep -c 'slot) parse .*parse -q' voita.log)" = 1; say $? 'only the sentences for statistics of heads are parsed'
made $run/scratch-1/1/model.tar | matches "sed 's|^.|-a l0-gate:fixed=&|' $run/all-1/1/closed.gate.*--updates \$\$(nmt-info $run/base/1/model.tar"
say $? 'masked heads and updates of another run are known when the run begins'
grep 'nmt-train' syntax.log | matches -- "--init $scratch/work/run/syntax/toy.en-de/plain/1/model.tar.*mode=prune"
say $? 'pruning continues from the common baseline'
run=$scratch/work/run/syntax/toy.en-de; cp syntax.log rules
made $run/guided/1/model.tar | matches -- "--dev $run/guided/1/aligned.dev.heed" && matches "^$run/guided/1/model.tar: $run/guided/1/aligned.train.heed" rules &&
	matches "^$run/guided/1/aligned.train.heed: $run/plain/1/model.tar .*| $run/guided/1/settings" rules && that "$(grep -c 'aligned.train.heed: ' rules)" -lt 4
say $? 'guided alignment is trained on the alignments of the common baseline'
# No command repeats an option that takes one value, for any paper and variant.
here=$(dirname "$(command -v heed-show)")
for program in "$here"/*; do
	[ -f "$program" ] && "$program" --options-tsv < /dev/null | sed "s/^/${program##*/}	/"
done > options
for p in rhe syncattn treemask dhicm voita syntax control; do
	tr -d '@' < $p.log | awk -f "$HEED_TOP/tests/data/repeated.awk" options - > twice
	that -s options && that -s $p.log && that ! -s twice; say $? "$p: no option is repeated"; sort twice | uniq -c | sed 's/^/# /'
done
matches 'nmt-train.*--init.*--updates 60 --schedule constant --lr 0.003 --warmup 1' voita.log
say $? '... options of the variant replace those of the profile'

# Tables, systems, seeds, pairs and sizes.
# count NUMBER 'what' PAPERS SETTING...: the rules train that many models
count() { want=$1 what=$2; shift 2; rules "$@"; [ "$(trainings)" = "$want" ]; r=$?; say $r "$what"; [ $r = 0 ] || { trainings | sed 's/^/# /'; sed 's/^/# /' err; }; }
count 7 'one table and one seed: seven runs' rhe TABLES=table1 SEEDS=1
count 3 'SYSTEMS: only these systems and their baselines' rhe SEEDS=1 MORE_SEEDS=1 SYSTEMS='rel-pos dea'
rules rhe SEEDS=1 MORE_SEEDS=1 SYSTEMS='rel-pos dea'; lacks '/tableA2.md:' rules && matches "/table1.md:" rules &&
	that "$(grep -c "heed-table .*--only 'rel-pos plain dea'" rules)" = "$(grep -cF 'heed-table $(drafts)' rules)" && matches -F 'heed-table $(drafts)' rules
say $? '... also in tables, figures and claims'
count 2 '... and what they continue' rhe SEEDS=1 MORE_SEEDS=1 SYSTEMS=prune
count 42 'two pairs and three seeds: six times as many' rhe TABLES=table1 SEEDS='1 2 3' PAIR='en-de de-en'
count 9 'three systems at three sizes: nine runs' treemask TABLES=table2 SEEDS=1 treemask.sizes.smoke='10 20 all'
matches 'heed-sample -n 10 -s 1' rules && that "$(grep -c 'slot) parse .*parse -q' rules)" = 3; say $? '... on samples of the corpus, which is parsed once'
mkdir -p work/text/toy.en-de && echo 15 > work/text/toy.en-de/pairs
count 6 '... without sizes larger than the corpus' treemask TABLES=table2 SEEDS=1 treemask.sizes.smoke='10 20 all'
rm -r work/text
runs rules 'rhe syncattn' TABLES=tableA2 && matches '/rhe/report.html:' rules && lacks '/syncattn/report.html:' rules
say $? 'a section of one of two papers, without systems of its main table'
exits 2 'a section without runs is an error' "make --no-print-directory -C '$HEED_TOP' -f pipeline.mk PROFILE=smoke \
    DATA='$scratch/toy' W='$scratch/none' _goals=voita TABLES=claims planned reported"
matches 'TABLES=claims: no runs, expected a section with runs' err; say $? '... by name'
# heed-papers(7) lists each table and figure of the papers: target/section, and systems x seeds in profile cpu.
sed -n 's/^\.It.* Ta \([a-z]*\/[A-Za-z0-9-]*\) Ta \([0-9][0-9 x]*\) Ta [a-z]*$/\1 \2/p' \
    "$HEED_TOP/man/heed-papers.7" > printed
[ "$(wc -l < printed)" -gt 50 ] && while read -r s _; do
	p=${s%%/*} s=${s##*/}
	heed-table --rows -g "$HEED_TOP/src/papers/$p.grid" | grep -q "^$s/" ||
		sed -n "s/^\(also\|maps\|head-maps\) .*= */ /p; /^  /p" "$HEED_TOP/src/papers/$p.conf" |
			grep -q " $s\( \|$\)" || echo "$p/$s"
done < printed > unknown; r=$?
that $r = 0 && that ! -s unknown; say $? 'all sections in heed-papers(7) exist'; sed 's/^/# /' unknown
for p in syntax dhicm voita rhe; do
	t=; [ $p != rhe ] || t=tableA2
	want=$(sed -n "s,^$p/[^ ]* ,,p" printed | awk '{ n += $1 * ($3 ? $3 : 0) } END { print n }')
	rules $p PROFILE=cpu TABLES=$t; found=$(grep -vc '^[^/]*/search/' work/wanted)
	that "$want" -gt 0 && that "$want" = "$found"
	say $? "$p: heed-papers(7) has the number of runs of plan, $want"
done

# On a cluster, a search is a task of its own, on which runs depend.
matches 'nmt-search .*--grid [^ ]*src/papers/dhicm.module-update.smoke' dhicm.log &&
	matches 'norm=per-token-of-update' "$HEED_TOP/src/papers/dhicm.module-update.smoke"
say $? 'each normalization of the divergence has a search'
results=$scratch/searched search=dhicm/search/toy.en-de
planned_search() {
	rules dhicm SEEDS=1 TABLES='table4 first-search' SIZES=all
	heed-plan -q --ledger "$results" work/wanted | cut -f 2,3 | tr '\t' ' ' | sort
}
planned_search > found
# On a whole corpus, sized and tuned are the same runs as searched and optimal, and are not trained again.
{ for v in base searched=retune dhicm-searched=retune-module optimal=tune dhicm=module dhicm-update=module-update; do
	case $v in base) needs=- ;; *) needs=$search/${v#*=} ;; esac
	echo "dhicm/toy.en-de/${v%=*}/1 $needs"
done; for m in tune:module tune:module-update retune:retune-module; do echo "$search/${m#*:} $search/${m%:*}"; done
for m in tune retune; do echo "$search/$m -"; done; } | sort | equals - found
say $? 'plan lists the searches that runs depend on, and their order'
rules dhicm SEEDS=1 TABLES=table4 SIZES=all PROFILE=cpu SEARCH_SEEDS=1,2
awk -F '\t' '$1 ~ "/search/" { sub(".*/", "", $1); sub(".*trainings=", "", $4); print $1, $4 }' work/wanted | xargs > found
that "$(cat found)" = 'retune 22 retune-module 4'; say $? '... with the number of their trainings'
refused_one() { ! rules dhicm RUN_NAME=$1 && grep -q ": $1 needs the search $2; first: run-one RUN_NAME=$2$" err; }
runs refused_one dhicm/toy.en-de/optimal/1 $search/tune && runs refused_one dhicm/toy.en-de/dhicm/1 $search/module &&
	runs refused_one $search/module $search/tune
say $? 'run-one of a run or search that needs a missing search is refused'
runs rules dhicm RUN_NAME=$search/tune && matches "^one: $results/$search/tune/best$" rules; say $? '... and makes the search'
ends 2 rules dhicm RUN_NAME=dhicm/toy.en-de/opt/1 && matches 'RUN_NAME=dhicm/toy.en-de/opt/1: expected one of the runs that plan lists' err; say $? '... and no other name'
for s in tune module module-update retune retune-module; do	# the rules of a search sign its result
	rules dhicm SIZES=all SEEDS=1; mkdir -p "$results/$search/$s"; echo --dropout 0.1 > "$results/$search/$s/best"
	made "$results/$search/$s/best" | sed -n "s/^\techo '\(.*\)' > .*/\1/p" > "$results/$search/$s/best.of"
done
planned_search > found; lacks /search/ found && that "$(grep -c ' -$' found)" = 6
say $? '... after which plan lists the runs alone'
runs rules dhicm RUN_NAME=dhicm/toy.en-de/optimal/1 && made "$scratch/work/run/dhicm/toy.en-de/optimal/1/model.tar" | matches -- '--dropout 0.1'
say $? '... and run-one trains with the settings of the search'
results=$scratch/here; rules dhicm SEARCH_RUNGS=10,20; grep 'nmt-search ' rules > searches
matches -e '--rungs 10,20' searches && matches -- '-- --preset' searches && lacks -e --updates searches; say $? 'SEARCH_RUNGS sets the updates of searches'
that "$(grep -c '/search/.*--preset .*--updates 20 trainings=[0-9]*$' work/wanted)" -ge 3; say $? '... the plan has those of the last rung'
signs() { sed -n "s/^	echo 'engine=\(.*\)' > .*best.of$/\1/p;s/^	echo 'engine=\(.*\)' > \$@.of$/\1/p" rules; }
signs > how.here; results=$scratch/there/it/is; rules dhicm SEARCH_RUNGS=10,20; signs > how.there
that "$(grep -c ' --preset .* rungs=10,20 ' how.here)" -ge 3 && equals how.here how.there && lacks "$scratch" how.here
say $? '... and their signatures do not depend on the place of the ledger'
results=$scratch/work/results

# Corpora that a paper makes, of nothing or of the corpus and its parses.
runs rules control TABLES=links SEEDS=1 && lacks 'corpus-fetch\|/toy' rules && that "$(grep -o 'run/control/[^/]*/[a-z-]*/1/model.tar' rules | cut -d / -f 3 | sort -u)" = links.en-de &&
	that "$(trainings)" = 21
	say $? 'a made corpus replaces that of DATA in its section, and needs none'
rules control TABLES=dose-links SYSTEMS=dose-plain SEEDS=1
grep -o 'run/control/[^/]*/[a-z-]*/1/model.tar' rules | cut -d / -f 3 | LC_ALL=C sort -u | xargs > found
that "$(cat found)" = 'toy+0.en-de toy+links1.en-de toy+links10.en-de toy+links3.en-de toy+links30.en-de' &&
	matches 'tree-mark .*--share 0.034; } < .*/parsed/src/toy.en-de/train.heed' rules
	say $? '... or is made of it and its parses'

# Corpora of a paper that are fetched: columns with a pair of their own, of which PAIR leaves some.
columns() { sed -n 's,^.*/run/orders/\([^/]*\)/.*/model.tar:.*,\1,p' rules | LC_ALL=C sort -u | xargs; }
runs rules orders TABLES=masks SEEDS=1 PAIR='en-ja en-fr en-ko' && that "$(columns)" = 'orders.en-fr orders.en-ja' && that "$(trainings)" = 14
say $? 'a paper has corpora to fetch, for some of the pairs'
heed-plan -q --drafts --make work/run.mk --top "$top" --papers orders PROFILE=cpu WALK=4 W="$scratch/work" R="$results" MODELS=x TABLES=masks && cp work/run.mk rules
that "$(columns)" = 'orders.en-de orders.en-fr orders.en-ja orders.en-ru orders.en-tr orders.en-zh'; say $? '... for all of them without PAIR'
rules orders TABLES='order control' SEEDS=1 PAIR='en-ja en-de'; grep "^$results/orders/slopes.tsv: " rules > needs
matches 'orders.en-ja/rel-mask/1/record' needs && lacks 'orders+head' needs; say $? 'slopes are over target languages, and not over reordered English'
rules orders TABLES='masks control' SEEDS=1 PAIR='en-ja en-de'
made "$scratch/work/text/orders.en-ja/train.tgt.tok" | matches 'tokenize --type none -l ja' && made "$scratch/work/text/orders.en-ja/train.src.tok" | matches 'tokenize -l en'
say $? 'Japanese is not tokenized'
made "$scratch/work/codes/orders.en-ja/1500.tgt-spm" | matches 'for side in tgt; .* bpe-learn --text -q --spm unigram .*--vocabulary-size 1500' &&
	made "$scratch/work/codes/orders.en-ja/1500.src" | matches 'for side in src; .* bpe-learn --text --merges 1500'
say $? '... and has a SentencePiece model'
made "$scratch/work/run/orders/orders.en-ja/rel-mask/1/model.tar" | matches -- "--tgt-spm $scratch/work/codes/orders.en-ja/1500.tgt-spm" &&
	grep -A 1 'heed-record -m .*orders.en-ja/rel-mask/1/' rules | matches -- '-l ja *--tokenized --tokenizer char'
say $? '... which the model restores, for BLEU of characters'
that "$(columns)" = 'orders+head-final.en-de orders.en-ja' && matches 'tree-reorder -q --order head-final; } < .*/parsed/src/orders.en-de/train.heed' rules
say $? 'a corpus that is made of one of them'
ends 2 rules orders orders.corpora.masks=nowhere.en-ja && matches 'nowhere.en-ja, expected a corpus of text.CORPUS' err
say $? 'an unknown corpus with a pair is refused'

# A corpus with @ in its name.
mkdir my_corpus@x; cp toy/* my_corpus@x; at=$scratch/work/run/treemask/my_corpus@x.en-de
rules treemask DATA="$scratch/my_corpus@x" treemask.sizes.smoke='10 all' SEEDS=1 TABLES=table2
r=$?; grep -q "tokenize --type none .*/my_corpus@x/train.en" rules && [ "$(grep -c 'heed-sample -n 10 -s 1' rules)" -ge 1 ] &&
	grep -q "^$at@10/mask/1/model.tar:" rules && grep -q "^$at/mask/1/model.tar:" rules || r=1
say $r 'the name of a corpus may contain @'; [ $r = 0 ] || sed 's/^/# /' err

# Table 1 of the paper counts phrases and parts of speech; German has more merges, and early stopping.
rules treemask TABLES='controls table2' SEEDS=1
prepared() { made "$scratch/work/prepared/treemask/$2/toy.en-de/train.heed" | grep -c -- "tree-linearize$1"; }
that "$(prepared ' |' nodes) $(prepared ' --brackets;' brackets) $(prepared ' --tags drop |' phrases)" = '1 1 1'
say $? 'nodes and brackets include parts of speech, the ablation does not'
matches "^[^ ]*/mask-phrases/1/model.tar: [^ ]*/phrases/toy.en-de/train.heed" rules; say $? '... which a row of the table uses'
for pair in en-de de-en en-tr; do
	for l in en de tr; do for s in train dev test; do echo a b c > toy/$s.$l; done; done
	rules treemask PROFILE=paper PAIR=$pair SEEDS=1 TABLES=table2 treemask.sizes=all
	echo "$pair $(grep -o 'bpe-learn --text --merges [0-9]*' rules | sort -u | tr -dc 0-9)" \
	    "$(grep 'nmt-train --threads' rules | grep -c -- '--epochs 100 .*--patience 10')" \
	    "$(grep 'nmt-train --threads' rules | grep -c -- '--epochs 100')"
done > paper.found
printf '%s\n' 'en-de 32000 3 3' 'de-en 32000 3 3' 'en-tr 8000 0 3' | equals - paper.found
say $? "merges and patience of the paper's pairs"

# User-supplied trees.
echo x > toy/train.en.conllu; echo x > toy/train.en.ptb
ends 3 rules rhe && matches "toy: the trees of dev.en are '', expected those of train.en: 'conllu ptb'" err
say $? 'trees next to the text of one file only are refused'
for s in dev test; do cp toy/train.en.conllu toy/$s.en.conllu; cp toy/train.en.ptb toy/$s.en.ptb; done
rules rhe; given=$scratch/toy/train.en; parsed=$scratch/work/parsed/src/toy.en-de/train.heed
made "$parsed" | tr -d "'\\\\" | matches "conllu2heed --align char --side src -p $given.conllu | ptb2heed --align char --side src -p $given.ptb"
say $? 'trees next to the text replace the parser'
made "$parsed" | lacks 'parse -q'; say $? '... which is not run'
rm toy/*.ptb; rules rhe
made "$parsed" | tr -d "'\\\\" | matches "conllu2heed --align char --side src -p $given.conllu --upos | dep2const --side src <"
say $? '... nor if they are dependencies only, to which constituents are added'
rm toy/*.conllu
# parsed PAPER PAIR: the commands that parse
parsed() { rules $1 PAIR=$2 MODELS="$scratch/models"; grep 'slot) parse .*parse -q' rules; }
mkdir models; for s in train dev test; do echo a b c > toy/$s.cs; done
parsed rhe de-en | matches "parse -q --side src --language de --upos | dep2const --side src'"
say $? 'source trees of dependencies have labels'
parsed syncattn en-de | matches "parse -q --side tgt --language de | dep2const --side tgt'"
say $? '... target trees are without labels, as in the published runs'
parsed rhe cs-en | matches "parse -q --side src --language cs --upos"; say $? 'a language without a parser'
# trains UPOS XPOS: a parser from a sentence with these tags
config=width=16,heads=2,layers=1,ff=16,word_width=8,feature_width=8,feature_rows=64,arc=16,span=16,hidden=16
trains() {
	printf '1\ta\t_\t%s\t%s\t_\t0\troot\t_\t_\n\n' "$1" "$2" > cs.conllu
	parse-train -q --updates 1 --arch $config --language cs -o models/cs.parser "${3:-cs.conllu}"
}
trains DET DT; echo x > models/de.parser
parsed rhe cs-en | matches "parse -q --side src --language cs -m $scratch/models/cs.parser --upos | dep2const --side src'"
say $? '... with the parser that the target parser has trained'
matches "^$scratch/work/parsed/src/toy.cs-en/train.heed: .* $scratch/models/cs.parser " rules; say $? '... after which the text is parsed again'
trains _ DT; parsed rhe cs-en | matches "cs.parser | dep2const --side src'"; say $? '... which may not predict universal tags'
echo '(S (A a) (B b))' > cs.ptb; trains _ _ cs.ptb; parsed rhe cs-en | matches "cs.parser'"
say $? 'constituents of a trained parser are not replaced'
parsed rhe de-en | matches "language de --upos"; say $? '... which does not replace a built-in parser'

# Several test sets.
mkdir sets; for l in en de; do for s in train dev test_1 test_2; do echo a > sets/$s.$l; done; done
ends 3 rules demo DATA="$scratch/sets" && matches 'several files for test: .*/test_1.en .*/test_2.en, expected one' err &&
	runs rules demo DATA="$scratch/sets" TEST=test_2 && matches 'sets/test_2.en' rules && for l in en de; do echo a > sets/test.$l; done &&
	runs rules demo DATA="$scratch/sets" && matches 'sets/test.en' rules
say $? 'several test sets are refused, unless one is chosen or called test'
runs rules syntax TABLES=same SYSTEMS=plain-aa1 SEEDS=1 DATA="$scratch/sets" ALSO='test_1 test_2' &&
	matches '/text/sets.en-de/test_2.src.raw:' rules && matches '/prepared/syntax/src/sets.en-de/test_1.heed:' rules && matches 'also test_1=.*/test_1.scored.heed --also test_2=.*/test_2.scored.heed' rules
say $? 'ALSO names further test sets'
for also in test '*' a.b; do
	ends 2 rules demo DATA="$scratch/sets" ALSO="$also" && matches "ALSO" err; say $? "ALSO='$also' is refused"
done
ends 2 heed-plan -q --drafts --make work/run.mk --top "$top" --papers demo PROFILE=smoke PAIR=en-de W="$scratch/work" R="$results" ALSO=test_1 2> err &&
	matches 'ALSO=test_1: expected DATA, too' err; say $? '... and ALSO without DATA'
# Checksums of texts are kept, so that a text is read once, and a corrected one again.  Texts that have just
# changed are not kept: these are links to old ones.
mkdir old; for s in train dev test; do for l in en de; do ln -s "$HEED_TOP/LICENSE" old/$s.$l; done; done
summed() { rules demo DATA="$scratch/old" && made "$scratch/work/text/old.en-de/train.src.found" | matches -F "'$1'"; }
runs summed "$(cksum < "$HEED_TOP/LICENSE")" && that "$(grep -c /old/ work/cksums)" = 6 && runs sed 's/\t.*/\t1 2/' work/cksums > kept && runs cp kept work/cksums && runs summed '1 2'
say $? 'checksums of texts are kept'
rules demo DATA="$scratch/old" --draw; equals kept work/cksums; say $? '... also by a plan that reads no text'
ln -sf "$HEED_TOP/SECURITY.md" old/train.en; runs summed "$(cksum < "$HEED_TOP/SECURITY.md")" && that "$(grep -c /old/ work/cksums)" = 6; say $? '... until the text changes'
runs rules dhicm SEEDS=2 MORE_SEEDS=2 dhicm.sizes.smoke=10 && matches '/prepared/dhicm/plain/toy.en-de@10.1/train.heed:' rules
say $? 'a search has its data, even if no run has them'
# A corpus may have a file whose name a shell would execute, found by a wildcard.
mkdir odd; for s in train dev test; do for l in en de; do echo a b > odd/$s.$l; done; done
for l in en de; do mv odd/test.$l 'odd/test`touch${IFS}pwned`'.$l; done; rules demo DATA="$scratch/odd"
make --no-print-directory -C "$HEED_TOP" -f pipeline.mk DATA="$scratch/odd" W="$scratch/work" R="$results" PROFILE=smoke _rules="$scratch/work/run.mk" \
    "$scratch/work/text/odd.en-de/test.src.raw" > out 2>&1
r=$?; cat err >> out; that $r = 0 && that "$(cat work/text/odd.en-de/test.src.raw)" = 'a b' && that -z "$(find . -name pwned)"
say $? 'names of files are not executed'

# A tree that was not built yet.  Its programs cannot be built, either.
mkdir bare bare/common bare/tests && touch bare/tests/tests.mk && cp -r "$HEED_TOP/src" "$HEED_TOP/pipeline.mk" bare
ln -s "$HEED_TOP/common/packages.sh" bare/common; printf 'all:\n\t@echo built > %s; false\n' "$scratch/built" > bare/Makefile
for target in demo reproduce-voita 'plan reproduce-rhe' 'prepare reproduce-rhe' benchmark-heads parser-scores; do
	rm -f built
	! make -C bare -f pipeline.mk $target MODEL="$scratch/bare/Makefile" PROFILE=smoke DATA="$scratch/toy" \
	    W="$scratch/bare/work" > out 2> err < /dev/null && [ -f built ]; r=$?
	say $r "$target builds the programs first"; [ $r = 0 ] || sed 's/^/# /' err
done

# --- a new paper, in a copy of the pipeline -------------------------------------------------

copy_pipeline house
cat > offsets.conf <<'CONF'
title         = Offsets
recipe        = {RECIPE} --dropout 0.2
variant.plain =
variant.warm  = -a relative:k=4
begin.warm    = plain
data.warm     = src
CONF
printf '%s\n' 'section table1 BLEU' 'columns -' 'plain - - Plain' 'warm plain - Warm' > offsets.grid
top=$scratch/house/
fresh() { cp offsets.conf offsets.grid house/src/papers; }
fresh; runs rules offsets && matches 'relative:k=4' rules; say $? 'a paper is two files'
# walked 'what' VARIANT: the interactive view of heads is of the model of this variant
walked() {
	rules offsets && made "$results/offsets/walk.html.gz" | grep -q "head-map -m .*/run/offsets/toy.en-de/$2/1/model.tar .*--to html"; r=$?
	say $r "$1"; [ $r = 0 ] || sed 's/^/# /' err
}
walked 'heads are shown of the first system of the grid' plain
printf '%s\n' 'section table1 BLEU' 'columns -' 'warm plain - Warm' 'plain - - Plain' > house/src/papers/offsets.grid
walked '... in its order' warm
echo 'walk = plain' >> house/src/papers/offsets.conf; walked '... or of the variant that the paper names' plain
# Ranges, words and names.
cat >> house/src/papers/offsets.conf <<'CONF'
ks                 = 3 4 5
variant.k-{1..3}   = -a relative:k={word {1} {ks}}
variant.{a b}-{x y} = --dropout 0.{1}{2} {each-of}
each-of            = {?beam --lr 1}{!beam --lr 2}
each-of.smoke.en-de = {each-of} --warmup {sum few more}
few                = 1
more               = 2
CONF
for v in k-1 k-2 k-3 a-x b-y; do echo "$v plain - $v" >> house/src/papers/offsets.grid; done
rules offsets SEEDS=1; for v in k-1 k-3 a-x b-y; do made $scratch/work/run/offsets/toy.en-de/$v/1/model.tar | grep -o -- '-a relative:k=[0-9]\|--dropout 0[.][abxy][abxy]\|--lr [0-9]* \|--warmup [0-9]*' | xargs; done > found
sed 's/--lr 0[.]003 //; s/--warmup 20 //' found | xargs > line
that "$(cat line)" = '-a relative:k=3 -a relative:k=5 --dropout 0.ax --lr 1 --warmup 3 --dropout 0.by --lr 1 --warmup 3'
say $? 'ranges, groups, words, sums and conditions in the file of a paper'
# Another paper that is not finished.
fresh; sed '/^variant.warm/d' offsets.conf > house/src/papers/begun.conf; cp offsets.grid house/src/papers/begun.grid
runs rules offsets; say $? 'an unfinished paper does not stop others'
rules begun; that $? = 3 && matches 'begun.conf:4: begun.begin.warm: unknown key' err; say $? '... but its own targets'
rm house/src/papers/begun.*
# The scripts that commands call are settings of their files.
fresh; cat >> house/src/papers/offsets.conf <<'CONF'
text.+more    = sh {papers}/more.sh
corpora.table1 = +more
prepare       = {bpe} | sh {papers}/more.sh
CONF
scripts() { rules offsets && sed -n "s/.*rewrite) '\(.*more[.]sh.*\)'/\1/p" rules > $1; }
echo cat > house/src/papers/more.sh; scripts first; echo cat -u > house/src/papers/more.sh; scripts second
that "$(grep -c '^sh [^ ]*/more.sh  *# [0-9]* 4' first)" = 3 && that "$(grep -c ' < .*  *# [0-9]* 4' first)" -gt 1 && that "$(wc -l < first)" = "$(wc -l < second)" &&
	that "$(sort -u second | grep -cxFf first)" = 0; say $? 'a changed script is a changed setting'; sed 's/^/# /' first
# refused FILE 'part of the message' 'sed command that breaks FILE'
refused() {
	fresh; sed -i "$3" "house/src/papers/$1"
	rm -rf work; mkdir work; ! rules offsets && grep -qF "$2" err && [ ! -e work/run.mk ]; r=$?
	say $r "refused: $2"; [ $r = 0 ] || sed 's/^/# /' err
}
f=src/papers/offsets.conf
refused offsets.conf "$f:4: offsets.varient.warm: unknown key" s/variant.warm/varient.warm/
refused offsets.conf "$f:2: offsets.recipie: unknown key" s/recipe/recipie/
refused offsets.conf "$f:7: offsets.update: unknown key" '$aupdate = 20'
refused offsets.conf "$f:2: offsets.recipe.cup: unknown key" s/recipe/recipe.cup/
refused offsets.conf "$f: offsets.title: this key is missing" /title/d
refused offsets.conf 'offsets.grid:4: section table1: row warm has no settings; offsets.variant.warm is missing' /warm/d
refused offsets.grid 'offsets.grid:4: section table1: row plane has no settings; offsets.variant.plane is missing' 's/warm plain/warm plane/'
refused offsets.conf "$f:6: offsets.data.wram: unknown key, expected a variant" s/data.warm/data.wram/
refused offsets.conf "$f:6: offsets.data.warm: scr, expected a preparation" 's/src$/scr/'
refused offsets.conf "$f:5: offsets.begin.warm: plan, expected a variant" 's/plain$/plan/'
refused offsets.conf "$f:7: offsets.main: tabel1, expected a section of the grid" '$amain = tabel1'
refused offsets.conf "$f:7: offsets.also: statistcs, expected one of statistics" '$aalso = statistcs'
refused offsets.conf "$f:7: offsets.also: found, expected a file src/papers/offsets.found" '$aalso = found'
refused offsets.conf "$f:7: offsets.corpora.tabel1: unknown key, expected a section" '$acorpora.tabel1 = words\ntext.words = heed-pack'
refused offsets.conf "$f:7: offsets.corpora.table1: wrods, expected a corpus" '$acorpora.table1 = wrods'
refused offsets.conf "$f:7: offsets.head-maps: gate, expected one of relevance" '$ahead-maps = relevance gate'
refused offsets.conf "$f:7: offsets.lead: gains-table2, expected" '$alead = gains-table2'
refused offsets.conf "$f:7: offsets.gains: table2, expected a section of the grid" '$agains = table2'
refused offsets.conf "$f:7: offsets.caption.fig9: unknown key, expected a table or figure" '$acaption.fig9 = Figure 9'
refused offsets.conf "$f:2: offsets.recipe: {RECIPIE}: there is no such key or name" s/RECIPE/RECIPIE/
refused offsets.conf "$f:7: 'updates 5', expected key = value" '$aupdates 5'
refused offsets.conf "$f:7: offsets.title: this key is also in" '$atitle = Again'
refused offsets.conf "$f:4: offsets.variant.{5..2}: {5..2}, expected {WORD ...} or {FIRST..LAST}" 's/variant.warm/variant.{5..2}/'
refused offsets.conf "$f:7: offsets.seeds: 01, expected a number without leading zeros" '$aseeds = 01'
refused offsets.conf 'it refers to itself' 's/{RECIPE}/{a}/;$aa = {b}\nb = {a}'
refused offsets.conf "$f:5: offsets.begin.warm: variant warm depends on itself" 's/^begin.warm .*/begin.warm = warm/'
refused offsets.conf "$f:7: offsets.closed.warm: gradient needs begin.plain" '$aclosed.warm = plain gradient'
refused offsets.conf "$f:7: offsets.facts: none.sh, expected a file none.sh" '$afacts = none.sh'
refused offsets.conf "$f:7: offsets.closed.warm: gat, expected one of gate" '$aclosed.warm = plain gat'
refused offsets.conf "$f:7: offsets.search.warm: whole/tune, expected whole/SEARCH" '$asearch.warm = whole/tune'
refused offsets.grid 'columns of section table1' '$acolumns -'
refused offsets.grid 'offsets.grid:7: section claims: row wram has no settings; offsets.variant.wram is missing' \
    '$asection claims\ncolumns -\nwram plain - Warm helps'
fresh; cp house/$f house/src/papers/_offsets.conf; ends 3 rules offsets && matches '_offsets.conf: _offsets is no name' err
say $? 'refused: a paper whose name a target cannot have'; rm house/src/papers/_offsets.conf
fresh; rm house/src/papers/offsets.grid; ends 3 rules offsets && matches -F "$f: there is no file src/papers/offsets.grid" err
say $? 'refused: a paper without a grid'
fresh; sed -i s/variant.warm/varient.warm/ house/$f
ends 2 make --no-print-directory -C house -f pipeline.mk reproduce-offsets PROFILE=smoke W="$scratch/house/work" > out 2>&1 &&
	matches varient.warm out && that ! -e house/work/text; say $? '... before anything runs'
fresh
# A stage of all papers, in the templates.
sed -i 's/ -l {language} </ -l {language} --lower </' house/src/stages.in; runs rules offsets && matches 'tokenize -l en --lower' rules
say $? 'a changed template changes the rules'; cp "$HEED_TOP/src/stages.in" house/src
sed -i 's/{language} < \$</{languag} < $</' house/src/stages.in; ends 3 rules offsets && matches 'stages.in:[0-9]*: {languag}: there is no such key or name' err
say $? '... and an unknown name in it is an error'; cp "$HEED_TOP/src/stages.in" house/src
# The settings of a run, from which its digest is made, have a form of their own.
(cd "$HEED_TOP/src" && grep -h 'nmt-translate -' stages.in ./*.mk ./*.sh papers/*.sh) | grep -v ' on {tested-model} ' > calls
that "$(wc -l < calls)" = 2 && lacks -v -- ' --precision fp32 ' calls; say $? 'all translations are in fp32, on every machine'

# The options of all variants are checked before the first training.
checked() {
	rules offsets "$@" && sh house/src/papers/options.sh < work/options > out 2>> err
}
fresh; runs checked; say $? 'the options of a paper are checked'
for bad in 's/relative:/relativ:/ relativ' 's/k=4/kk=4/ kk' 's/--dropout/--droput/ droput'; do
	fresh; sed -i "${bad% *}" house/$f
	ends 1 checked && matches "${bad#* }" err && matches 'offsets.variant.[a-z]*: the options of nmt-train' err
	say $? "... and an error is reported before any training: ${bad#* }"
done
fresh
# first KEY=VALUE...: which of the values on the command line is used
first() { rules offsets "$@"; grep -o 'nmt-train --threads.*' rules | grep -o -- '--dropout 0[.][0-9]*' | sort -u; }
that "$(first offsets.recipe='--dropout 0.3')" = '--dropout 0.3' &&
	that "$(first offsets.recipe='--dropout 0.3' offsets.recipe.smoke='--dropout 0.4')" = '--dropout 0.4' &&
	that "$(first RECIPE='--dropout 0.6' offsets.recipe='--dropout 0.3' offsets.recipe.smoke='--dropout 0.4' \
	    offsets.recipe.smoke.en-de='--dropout 0.5')" = '--dropout 0.5'
say $? 'on the command line, the most specific key counts'

# --- settings of the command line -----------------------------------------------------------

# A setting is refused by the check of the targets help, fetch and others.
house() { heed-plan -q --check --top "$top" PROFILE=smoke DATA="$scratch/toy" "$@" > out 2> err; }
ends 2 rules offsets TABLES=tabel1 && matches 'unknown section tabel1, expected some of.* table1' err; say $? 'refused: a section that no grid has'
ends 2 rules offsets SYSTEMS=baes && matches 'unknown variant baes, expected some of.* plain' err; say $? 'refused: a variant that no grid has'
ends 2 make --no-print-directory -C house -f pipeline.mk plan reproduce-voitta > out 2> err && that ! -s out && matches 'reproduce-voitta: no such target; expected one of .*reproduce-voita' err
say $? 'a mistyped target is refused before anything is planned'
for bad in DATA=a:b DATA=a%b W=a:b R=a:b R=a%b PAIR=en:de 'MODEL=a*'; do
	make --no-print-directory -C house -f pipeline.mk help "$bad" > out 2>&1; that $? = 2 && grep -q "\*\*\* ${bad%%=*}: character . cannot be used" out || echo "$bad"
done > taken; that ! -s taken; say $? 'refused, by name: settings with characters of patterns of make'
make --no-print-directory -C house -f pipeline.mk help TABLE=table1 > out 2> err; that $? = 2 && matches 'TABLE: unknown variable' err; say $? 'refused: a misspelt variable'
ends 2 house offsets.update=3 && matches 'command line: offsets.update: unknown key' err; say $? '... or key, on the command line'
ends 2 house parse.scr=x && matches 'parse.scr: unknown variable' err && ends 2 house parser.de=x && matches 'parser.de: unknown variable' err &&
	runs house LANGUAGE=de parser.de=x parse.pcfg=cat; say $? '... or parser'
for v in THREADS=0 THREADS= THREADS=all SLOTS=0 'SLOTS=1 2'; do ! house "$v" && grep -qF "$v: expected a number" err || echo "$v"; done > taken
! house UPDATES=all && house 'SIZES=10 all' && [ ! -s taken ]; r=$?
say $r 'refused: no threads or slots, and all as a number'; [ $r = 0 ] || sed 's/^/# /' taken
ends 2 house SEEDS= && matches 'SEEDS: no value' err && ends 2 house R= && matches 'R: no value' err && ends 2 house PAIR= && matches 'PAIR: no value' err; say $? 'refused: no seeds, and no folders'
ends 2 house BEAM=0 && matches 'BEAM=0: expected a number of 1 or more' err; say $? '... and no beam'
ends 2 house SEARCH_SEEDS='1 2' && matches 'SEARCH_SEEDS: a blank cannot be used' err && runs house SEARCH_SEEDS=1,2 &&
	ends 2 house SEARCH_RUNGS='5 20' && matches 'SEARCH_RUNGS: a blank cannot be used' err && runs house SEARCH_RUNGS=5,20
say $? 'refused: seeds and updates of searches with blanks'
wrong() { ! house "$1" && grep -qF "$1: expected $2" err || echo "$1: $(cat err)"; }
{
	for v in SEEDS=1,2 SEEDS=01 'SEEDS=1 2 03' MORE_SEEDS=1,2 SIZES=10,20; do wrong "$v" 'numbers separated by spaces, without leading zeros'; done
	wrong SEARCH_SEEDS=1,02 'numbers separated by commas, without leading zeros'; wrong UPDATES=10,20 'a number, without leading zeros'
	! house UPDATES='10 20' && grep -q 'UPDATES: a blank cannot be used' err || echo UPDATES
	! house offsets.seeds=1,2 && grep -q 'offsets.seeds: 1,2, expected a number without' err || echo offsets.seeds=1,2
	! house offsets.seeds=01 && grep -q 'offsets.seeds: 01, expected a number without' err || echo offsets.seeds=01
} > taken; that ! -s taken; say $? 'refused: seeds with commas or leading zeros'
house SEEDS='0 10 2' MORE_SEEDS=3 SIZES='10 all' SEARCH_RUNGS=5,20 UPDATES=10 offsets.seeds='1 20'; r=$?
say $r '... and other numbers are accepted'; [ $r = 0 ] || sed 's/^/# /' err
ends 2 house PROFILE=smok && matches 'PROFILE=smok: expected one of cpu paper smoke' err; say $? 'refused: an unknown profile'
for t in fetch demo 'plan reproduce-rhe'; do
	! make --no-print-directory -n -C house -f pipeline.mk $t CORPUS=helpp > out 2> err &&
		grep -q 'CORPUS=helpp: helpp, expected help, manpages, wesnoth or orders' err || { echo "$t"; cat err; }
done > taken; that ! -s taken
say $? 'refused: an unknown corpus without a folder'
mkdir 'toy two'
ends 2 house DATA="$scratch/toy two" && matches 'there is no folder.*blanks separate' err; say $? 'a folder with a blank in its name is refused, and why'
ends 2 house DATA="$scratch/toy $scratch/house/../toy" && matches 'two folders are called toy' err; say $? 'two folders of one name are refused'
# Values that a shell or make would execute, or that make cannot handle, are refused and not executed.
try() {
	make --no-print-directory -C house -f pipeline.mk help "$1=$2" > out 2> err < /dev/null && echo "$1=$2"
	grep -q '\(cannot be used\|expected\)' err || echo "$1=$2" "$(cat err)"
}
for v in DATA PAIR TRAIN TREEBANKS R PROFILE THREADS SEEDS TABLES RECIPE demo.recipe; do
	for bad in 'a`touch pwned`' 'a$(shell touch pwned)' "a';touch pwned;'"; do try $v "$bad"; done
done > taken
for bad in 'a$$(touch pwned)' 'a"' "a'" 'a;b' 'a|b' 'a>b' 'a&b' 'a#b' 'a\b' 'a*' 'a=b' 'a
touch pwned'; do try DATA "$bad"; done >> taken
that ! -s taken && that -z "$(find . -name pwned)"
say $? 'refused: values with quotes, backquotes, dollars, semicolons and line breaks'
# The Makefile would take a setting for its own variable of this name.
sed -n '/^static const char .const settings/,/^};/s/.*"\(.*\)".*/\1/p' "$HEED_TOP/common/plan/given.c" | tr ' ' '\n' | grep . | sort -u > settings
(cd "$HEED_TOP" && sed -n 's/^\([A-Z_]*\) *[:?+]*=.*/\1/p' Makefile common/install.mk tests/tests.mk) | sort -u > theirs
comm -12 settings theirs > both; grep -qx MODELS settings && grep -qx PROGRAMS theirs && [ ! -s both ]; r=$?
say $r 'no setting is a variable of the Makefile'; [ $r = 0 ] || sed 's/^/# /' both

# --- help and keys ---------------------------------------------------------------------------

make --no-print-directory -s -C "$HEED_TOP" -f pipeline.mk help | sed -n 's/^targets: //p' | tr ' ' '\n' | sort > have
sed -n '/^\.Ss Targets/,/^\.Ss Corpus/s/^\.It Cm //p' "$HEED_TOP/man/heed-pipeline.7" | sed 's/ Ar .*//; s/ , /\n/g' | sort > want
[ -s want ] && [ -z "$(comm -13 have want)" ]; r=$?
say $r 'help lists the targets of heed-pipeline(7)'; [ $r = 0 ] || comm -13 have want | sed 's/^/# /'
awk -F '\t' '{ printf ".It Cm %s Pq %s\n%s.\nExample:\n.Ql \"%s\"\n", $1, $2, $4, $3 }' "$HEED_TOP/src/papers.keys" > want
sed -n '/^\.\\" keys/,/^\.El/p' "$HEED_TOP/man/heed-pipeline.7" | grep -v '^\.\\"\|^\.[BE]l' | equals - want
say $? "heed-pipeline(7) has the table of papers' keys"
make --no-print-directory -C "$HEED_TOP" -f pipeline.mk keys > aligned 2> err
{ echo key; cut -f 1 "$HEED_TOP/src/papers.keys"; } > want; cut -d ' ' -f 1 aligned | equals - want; say $? 'make keys prints the table'
# The examples are one paper.
cut -f 3 "$HEED_TOP/src/papers.keys" > house/src/papers/toy.conf
printf 'variant.%s =\n' plain gates masked >> house/src/papers/toy.conf; echo 'parse.probe = src' >> house/src/papers/toy.conf
for x in grid statistics; do cp offsets.grid house/src/papers/toy.$x; done; fresh
for x in tune more; do printf '%s\n' 'stage rate' '--lr 1 | --lr 2' > house/src/papers/toy.$x.smoke; done
runs house; say $? 'the examples of the table are valid'
needed() {
	cp house/src/papers/toy.conf toy.conf
	for k; do
		grep -v "^$k " toy.conf > house/src/papers/toy.conf
		! house && grep -qF "src/papers/toy.conf: toy.$k: this key is missing" err || echo "$k"
	done
	cp toy.conf house/src/papers
}
that -z "$(needed title map.first statistics probe few timed-on posthoc-by curve.encoder curve-on.encoder)"
say $? 'missing keys are named'; rm house/src/papers/toy.*

# Corpora to fetch: by name; LibreOffice help by default.
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk fetch PROFILE=smoke W="$scratch/none" > help.log
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk fetch PROFILE=smoke W="$scratch/none" CORPUS=manpages > man.log
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk prepare demo PROFILE=smoke W="$scratch/none" CORPUS=manpages >> man.log
matches ' libreoffice-help en de' help.log && lacks manpages help.log && matches ' manpages en de' man.log &&
	lacks libreoffice man.log && matches 'corpus-align --manpages .*-l en *-l de ' man.log
say $? 'CORPUS names the corpus that is fetched'

# The commit of a source tree
mkdir tree tree/src tree/common; : > tree/src/a.c; git init -q tree 2> err; commit() { git -C tree -c user.name=a -c user.email=a@b commit -qm a; }
git -C tree add src/a.c; commit; hash=$(git -C tree rev-parse --short HEAD); described() { sh "$HEED_TOP/src/papers/describe.sh" tree/; }
mkdir tree/data tree/src/empty tree/src/__pycache__; : > tree/data/x; : > tree/src/__pycache__/a.pyc; that "$(described)" = "$hash" &&
	: > tree/src/own.c && that "$(described)" = "$hash-dirty" && runs git -C tree add src/own.c && runs commit && that "$(described)" = "$(git -C tree rev-parse --short HEAD)" &&
	echo x > tree/src/a.c && that "$(described)" = "$(git -C tree rev-parse --short HEAD)-dirty" && ends 1 sh "$HEED_TOP/src/papers/describe.sh" tree/src/
say $? 'the commit of a source tree is marked if it lacks a source file, but not a file of data'
