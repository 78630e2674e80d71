#!/bin/sh
# pipeline: dry runs of the papers' grids; checks of settings; slots and steps; tables and figures.
. "$HEED_TOP/tests/lib.sh"
plan 216

mkdir toy
for l in en de; do for s in train dev test; do echo a b c > toy/$s.$l; done; done
dry() {
	make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk "$@" PROFILE=smoke \
	    DATA="$scratch/toy" W="$scratch/work"
}
trainings() { grep -c 'nmt-train --threads' "$1"; }

for p in rhe syncattn treemask dhicm voita syntax control; do
	dry "$scratch/work/results/$p/report.html" > $p.log 2> err; r=$?
	say $r "$p: the report can be made from text"
	[ $r = 0 ] || sed 's/^/# /' err
	[ "$(grep -o -- '-o [^ ]*/model.tar' $p.log | sort | uniq -d | wc -l)" = 0 ]
	say $? "$p: no run is made twice"
	# Every row of a table has a variant with settings, and every baseline is a row.
	heed-table --rows -g "$HEED_TOP/src/papers/$p.grid" > rows
	missing=$(cut -d / -f 3 rows | sort -u | while read -r v; do
		grep -qF "$p.variant.$v" "$HEED_TOP/src/papers/$p.mk" ||
			grep -q "run/$p/[^/]*/$v/1/" $p.log || echo "$v"; done)
	[ -z "$missing" ]; say $? "$p: all variants have settings"; [ -z "$missing" ] || echo "# $missing"
done
[ "$(grep -c 'parse -q --side src --language en' rhe.log)" -ge 3 ] &&
	[ "$(grep -c 'slot.*parse -q --side src --language en'"' <" rhe.log)" = 3 ]; say $? 'a corpus is parsed once'
[ "$(grep -c 'bpe-apply.*< .*/parsed/src/.*> .*prepared/rhe/src.*train.heed' rhe.log)" = 1 ]
say $? '... and prepared once'
grep 'nmt-train' rhe.log | grep -q -- "--init $scratch/work/run/rhe/toy.en-de/plain/1/model.tar.*mode=prune"
say $? 'pruning continues from the plain model'
grep -q 'awk -v over= -f .*/fig4.tsv' rhe.log && grep -q "heed-plot --x 'value of the fixed gate' *--title" rhe.log &&
	grep -q "heed-plot --x 'training sentence pairs' *--log-x" treemask.log &&
	grep -q "awk -v over=heads.enc-self -f .*/encoder.tsv" voita.log
say $? 'plots have a measure and a label on the x axis'
grep -q "head-stat .*--measure ablation,gradient -m .*/model.tar -o .*/measures.heed.stat'" voita.log
say $? 'ablation and gradients are measured together'
[ "$(grep -c -e '--random 10 .*--seed 100 .*-o .*/posthoc/.*/1.heed.gz.heed' voita.log)" = 3 ]
say $? 'the random orders of a curve depend on the seed of its run'
run=$scratch/work/run/voita/toy.en-de
grep 'nmt-train --threads' voita.log | grep -c -- "--init $run/base/1/model.tar" > begun
for how in "gradient $run/base/1/measures.heed" 'random --seed 1002'; do
	for of in '--site enc-self --keep-as enc-4' ' --keep-as target'; do
		grep -q " 'head-prune -q -m $run/base/1/model.tar ${of% *} $run/${of##* }/1/pruned.tar --by $how -o " voita.log ||
			echo "$of $how"
	done
done > differ; [ ! -s differ ]; say $? 'lists of heads to mask, by a measure or random'; sed 's/^/# /' differ
grep -q " --site enc-self --keep-as $run/enc-4/1/pruned.tar --by layer --lowest $run/base/1/heads.heed -o " voita.log
say $? '... or those of the first layers'
[ "$(cat begun)" = 25 ]; say $? 'pruned models, controls and fine-tuned models continue from one model'
grep 'nmt-train --threads' voita.log | grep -v -- --init | grep -c "seed 1 " > scratch
[ "$(cat scratch)" = 8 ]; say $? '... which is trained from scratch, as are a second base, all heads and five sets of retained heads'
grep -c "nmt-train.*at=enc.*--freeze 'dec[.][*]' --freeze 'embed[.][*]'" voita.log > frozen
[ "$(cat frozen)" -gt 6 ] && ! grep 'nmt-train.*at=all' voita.log | grep -q -- --freeze
say $? 'the decoder is frozen only while encoder heads are pruned'
[ "$(grep -c 'slot.*parse -q' voita.log)" = 1 ]; say $? 'only the sentences for statistics of heads are parsed'
dry "$scratch/work/results/rhe/table1.tsv" TABLES=table1 SEEDS=1 > one 2> err
[ "$(trainings one)" = 7 ]; say $? 'one table and one seed: seven runs'
for v in 'rel-pos dea' prune; do dry reported _goals=rhe SEEDS=1 MORE_SEEDS=1 SYSTEMS="$v" > some 2> err && trainings some; done | xargs > found
[ "$(cat found)" = '3 2' ]; r=$?; say $r 'SYSTEMS: only these systems, their baselines, and what they continue'; [ $r = 0 ] || sed 's/^/# /' found err
dry reported _goals='rhe syncattn' TABLES=tableA2 > one 2> err && grep -q '/rhe/report.html' one && ! grep -q '/syncattn/report.html' one
say $? 'a section of one of two papers, without systems of its main table'
exits 2 'a section without runs is an error' "make --no-print-directory -C '$HEED_TOP' -f pipeline.mk PROFILE=smoke \
    DATA='$scratch/toy' W='$scratch/none' reported _goals=voita TABLES=claims"
grep -q 'TABLES=claims: no runs, expected a section with runs' err; say $? '... by name'
# heed-papers(7) lists each table and figure of the papers: target/section, and systems x seeds in profile cpu.
sed -n 's/^\.It.* Ta \([a-z]*\/[A-Za-z0-9-]*\) Ta \([0-9][0-9 x]*\) Ta [a-z]*$/\1 \2/p' \
    "$HEED_TOP/man/heed-papers.7" > printed
[ "$(wc -l < printed)" -gt 50 ] && while read -r s _; do
	p=${s%%/*} s=${s##*/}
	heed-table --rows -g "$HEED_TOP/src/papers/$p.grid" | grep -q "^$s/" ||
		sed -n "s/^$p\.\(also\|maps\|head-maps\) .*= */ /p; /^  /p" "$HEED_TOP/src/papers/$p.mk" |
			grep -q " $s\( \|$\)" || echo "$p/$s"
done < printed > unknown; r=$?
[ $r = 0 ] && [ ! -s unknown ]; say $? 'all sections in heed-papers(7) exist'; sed 's/^/# /' unknown
planned() {
	make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk _goals="$1" DATA="$scratch/toy" W="$scratch/plan" \
	    "TABLES=$2" lacking > lacking 2> err && grep -vc '^ *$\|^[^/]*/search/' plan/wanted
}
mkdir plan
for p in syntax dhicm voita rhe; do
	t=; [ $p != rhe ] || t=tableA2
	want=$(sed -n "s,^$p/[^ ]* ,,p" printed | awk '{ n += $1 * ($3 ? $3 : 0) } END { print n }')
	found=$(planned $p $t)
	[ "$want" -gt 0 ] && [ "$want" = "$found" ]; r=$?
	say $r "$p: heed-papers(7) has the number of runs of plan, $want"; [ $r = 0 ] || echo "# $found"
done
grep -q 'nmt-search .*--grid src/papers/dhicm.module-update.smoke' dhicm.log &&
	grep -q 'norm=per-token-of-update' "$HEED_TOP/src/papers/dhicm.module-update.smoke"
say $? 'each normalization of the divergence has a search'
# On a cluster, a search is a task of its own, on which runs depend.
results=$scratch/searched search=dhicm/search/toy.en-de
# planned_search: the missing searches and runs, with what they depend on
planned_search() {
	mkdir -p work; dry _goals=dhicm SEEDS=1 TABLES='table4 first-search' SIZES=all R="$results" lacking > lacking 2> err
	sed 's/^ //; /./!d' work/wanted | heed-plan -q --ledger "$results" | cut -f 2,3 | tr '\t' ' ' | sort
}
planned_search > found
# On a whole corpus, sized and tuned are the same runs as searched and optimal, and are not trained again.
{ for v in base searched=retune dhicm-searched=retune-module optimal=tune dhicm=module dhicm-update=module-update; do
	case $v in base) needs=- ;; *) needs=$search/${v#*=} ;; esac
	echo "dhicm/toy.en-de/${v%=*}/1 $needs"
done; for m in tune:module tune:module-update retune:retune-module; do echo "$search/${m#*:} $search/${m%:*}"; done
for m in tune retune; do echo "$search/$m -"; done; } | sort | diff - found > diff; r=$?
say $r 'plan lists the searches that runs depend on, and their order'; [ $r = 0 ] || sed 's/^/# /' diff err
# one NAME [-n]: run-one of this run or search
one() {
	make --no-print-directory $2 -C "$HEED_TOP" -f pipeline.mk run-one PROFILE=smoke DATA="$scratch/toy" W="$scratch/work" \
	    R="$results" RUN_NAME=$1 > one 2> err
}
refused_one() { ! one $1 && [ ! -s one ] && grep -q "^$1 needs the search $2; first: run-one RUN_NAME=$2$" err; }
refused_one dhicm/toy.en-de/optimal/1 $search/tune && refused_one dhicm/toy.en-de/dhicm/1 $search/module &&
	refused_one $search/module $search/tune
say $? 'run-one of a run or search that needs a missing search is refused'
one $search/tune -n && grep -q 'nmt-search .*dhicm.tune.smoke' one && ! grep -q 'nmt-train --threads' one; say $? '... and makes the search'
for s in tune module module-update retune retune-module; do
	mkdir -p "$results/$search/$s"
	echo --dropout 0.1 > "$results/$search/$s/best"
	echo 'of: ; $(foreach s,$(_kept-searches),$(if $(wildcard $(s)),$(file > $(s).of,$(strip $(call _search-how,$(s))))))@:' > of.mk
	make --no-print-directory -C "$HEED_TOP" -f pipeline.mk -f "$scratch/of.mk" of PROFILE=smoke DATA="$scratch/toy" \
	    W="$scratch/work" R="$results" > of.log 2>&1
done
planned_search > found; ! grep -q /search/ found && [ "$(grep -c ' -$' found)" = 6 ]; r=$?
say $r '... after which plan lists the runs alone'; [ $r = 0 ] || sed 's/^/# /' found err
one dhicm/toy.en-de/optimal/1 -n && grep -q 'nmt-train --threads .*--dropout 0.1' one && ! grep -q nmt-search one
r=$?; say $r '... and run-one trains with the settings of the search'; [ $r = 0 ] || sed 's/^/# /' err
dry "$scratch/work/results/dhicm/report.html" SEARCH_RUNGS=10,20 > rungs.log 2> err
grep -A 2 'nmt-search .*--grid' rungs.log | grep -e '--rungs 10,20' -A 1 | grep -q -- '-- --preset' && ! grep -A 2 'nmt-search .*--grid' rungs.log | grep -q -e --updates
say $? 'SEARCH_RUNGS sets the updates of searches'
# How a search was made, and its line of the plan, are the same wherever the ledger is.
cat > how.mk <<'END'
how: ; $(foreach s,$(_kept-searches),$(info $(call _search-how,$(s))))$(foreach s,$(_missing-searches),$(info $(call _search-line,$(s))))@:
END
for r in here there/it/is; do
	make --no-print-directory -s -C "$HEED_TOP" -f pipeline.mk -f "$scratch/how.mk" how PROFILE=smoke DATA="$scratch/toy" \
	    W="$scratch/work" R="$scratch/$r" SEARCH_RUNGS=10,20 _goals=dhicm > how.${r%%/*} 2> err
done
[ "$(grep -c '^engine=.* --preset .* rungs=10,20 ' how.here)" -ge 3 ] && cmp -s how.here how.there && ! grep -q "$scratch" how.here; r=$?
say $r '... and their signatures do not depend on the place of the ledger'; [ $r = 0 ] || diff how.here how.there | sed 's/^/# /'
[ "$(grep -c '/search/.*--preset .*--updates 20$' how.here)" -ge 3 ]; say $? '... the plan has those of the last rung'
grep 'nmt-train' syntax.log | grep -q -- "--init $scratch/work/run/syntax/toy.en-de/plain/1/model.tar.*mode=prune"
say $? 'pruning continues from the common baseline'
run=$scratch/work/run/syntax/toy.en-de
grep -q "nmt-score .*--alignment -m $run/plain/1/model.tar -o $run/guided/1/aligned.train.heed .*/train.heed" syntax.log &&
	grep -q -- "--dev $run/guided/1/aligned.dev.heed" syntax.log &&
	grep -q -- "-o $run/guided/1/model.tar $run/guided/1/aligned.train.heed" syntax.log
say $? 'guided alignment is trained on the alignments of the common baseline'
awk '/mkdir -p .*\/guided\/1;/ { made = 1 } /nmt-score .*\/guided\/1\/aligned/ { late += !made; n++ }
	END { exit late || n != 2 }' syntax.log
say $? '... which are written in a folder that there is'
! grep -- '-o .*/model.tar .*/aligned.train.heed' syntax.log | grep -qv /guided/
say $? '... and no other system is'
# No command repeats an option that takes one value, for any profile, paper and variant.
here=$(dirname "$(command -v heed-show)")
for program in "$here"/*; do
	[ -f "$program" ] && "$program" --options-tsv < /dev/null | sed "s/^/${program##*/}	/"
done > options
for p in rhe syncattn treemask dhicm voita syntax control; do
	sed -e :a -e '/\\$/N; s/\\\n//; ta' $p.log | awk -f "$HEED_TOP/tests/data/repeated.awk" options - > twice
	[ ! -s twice ]; say $? "$p: no option is repeated"; sort twice | uniq -c | sed 's/^/# /'
done
grep -q 'nmt-train.*--init.*--updates 60 --schedule constant --lr 0.003 --warmup 1' voita.log
say $? '... options of the variant replace those of the profile'
results=$scratch/work/results
dry $results/rhe/table1.tsv TABLES=table1 SEEDS='1 2 3' PAIR='en-de de-en' > many 2> err
[ "$(trainings many)" = 42 ]; say $? '... two pairs and three seeds: six times as many'
dry_sizes() {
	dry $results/treemask/table2.tsv TABLES=table2 SEEDS=1 treemask.sizes.smoke='10 20 all' \
	    > sizes 2> err
}
dry_sizes
[ "$(trainings sizes)" = 9 ]; say $? 'three systems at three sizes: nine runs'
grep -q 'heed-sample -n 10 -s 1' sizes; say $? '... on samples of the corpus'
[ "$(grep -c 'slot.*parse -q' sizes)" = 3 ]; say $? '... but parsed once'
mkdir -p work/text/toy.en-de && echo 15 > work/text/toy.en-de/pairs
dry_sizes() {
	dry $results/treemask/table2.tsv TABLES=table2 SEEDS=1 treemask.sizes.smoke='10 20 all' \
	    > sizes 2> err
}
dry_sizes
[ "$(trainings sizes)" = 6 ]; say $? '... without sizes larger than the corpus'

# Corpora that a paper makes, of nothing or of the corpus and its parses.
made() { make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk PROFILE=smoke W="$scratch/work" _goals=control SEEDS=1 "$@" > made 2> err; }
made TABLES=links reported && ! grep -q 'corpus-fetch\|/help' made &&
	[ "$(grep -o 'run/control/[^/]*/[a-z-]*/1/model.tar' made | cut -d / -f 3 | sort -u)" = links.en-de ] &&
	[ "$(trainings made)" = 21 ]; r=$?
say $r 'a made corpus replaces that of DATA in its section, and needs none'; [ $r = 0 ] || sed 's/^/# /' err
made TABLES=dose-links DATA="$scratch/toy" SYSTEMS=dose-plain reported
grep -o 'run/control/[^/]*/[a-z-]*/1/model.tar' made | cut -d / -f 3 | LC_ALL=C sort -u | xargs > found
[ "$(cat found)" = 'toy+0.en-de toy+links1.en-de toy+links10.en-de toy+links3.en-de toy+links30.en-de' ] &&
	grep -q 'tree-mark .*--share 0.034; } < .*/parsed/src/toy.en-de/train.heed' made; r=$?
say $r '... or is made of it and its parses'; [ $r = 0 ] || sed 's/^/# /' found err

# A corpus with @ in its name.
mkdir my_corpus@x; cp toy/* my_corpus@x
at=$scratch/work/run/treemask/my_corpus@x.en-de
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk DATA="$scratch/my_corpus@x" PROFILE=smoke W="$scratch/work" \
    treemask.sizes.smoke='10 all' SEEDS=1 TABLES=table2 $results/treemask/table2.tsv > at 2> err
r=$?; grep -q "tokenize --type none .*/my_corpus@x/train.en" at && [ "$(grep -c 'heed-sample -n 10 -s 1' at)" -ge 1 ] &&
	grep -q -- "-o $at@10/mask/1/model.tar" at && grep -q -- "-o $at/mask/1/model.tar" at || r=1
say $r 'the name of a corpus may contain @'; [ $r = 0 ] || sed 's/^/# /' err

# Table 1 of the paper counts phrases and parts of speech; German has more merges, and early stopping.
dry $results/treemask/controls.tsv $results/treemask/table2.tsv TABLES='controls table2' SEEDS=1 > tags 2> err
made() { grep -c -- "new=.*/prepared/treemask/$2/toy.en-de/train.heed[.].*tree-linearize$1.*} < .*; } > " tags; }
[ "$(made ' |' nodes) $(made ' --brackets;' brackets) $(made ' --tags drop |' phrases)" = '1 1 1' ]
say $? 'nodes and brackets include parts of speech, the ablation does not'
grep -q -- '-o .*/mask-phrases/1/model.tar .*/phrases/toy.en-de/train.heed' tags; say $? '... which a row of the table uses'
for p in en-de de-en en-tr; do
	for l in en de tr; do for s in train dev test; do echo a b c > toy/$s.$l; done; done
	make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk PROFILE=paper DATA="$scratch/toy" PAIR=$p SEEDS=1 \
	    W="$scratch/work" TABLES=table2 treemask.sizes=all $results/treemask/table2.tsv 2> err > paper
	echo "$p $(grep -o 'bpe-learn --text --merges [0-9]*' paper | sort -u | tr -dc 0-9)" \
	    "$(grep 'nmt-train --threads' paper | grep -c -- '--epochs 100 .*--patience 10')" \
	    "$(grep 'nmt-train --threads' paper | grep -c -- '--epochs 100')"
done > paper.found
printf '%s\n' 'en-de 32000 3 3' 'de-en 32000 3 3' 'en-tr 8000 0 3' | diff - paper.found > diff; r=$?
say $r "merges and patience of the paper's pairs"; [ $r = 0 ] || sed 's/^/# /' diff err

# User-supplied trees.
echo x > toy/train.en.conllu; echo x > toy/train.en.ptb
! dry demo > own 2> err && grep -q "toy: the trees of dev.en are '', expected those of train.en: 'conllu ptb'" err
say $? 'trees next to the text of one file only are refused'
for s in dev test; do cp toy/train.en.conllu toy/$s.en.conllu; cp toy/train.en.ptb toy/$s.en.ptb; done
dry "$scratch/work/parsed/src/toy.en-de/train.heed" > own 2> err
given=$scratch/toy/train.en
tr -d "'\\\\" < own | grep -q "conllu2heed --align char --side src -p $given.conllu | ptb2heed --align char --side src -p $given.ptb"
say $? 'trees next to the text replace the parser'
grep -q 'slot.*parse -q' own; [ $? = 1 ]; say $? '... which is not run'
rm toy/*.ptb
dry "$scratch/work/parsed/src/toy.en-de/train.heed" > own 2> err
tr -d "'\\\\" < own | grep -q "conllu2heed --align char --side src -p $given.conllu --upos | dep2const --side src <"
say $? '... nor if they are dependencies only, to which constituents are added'

rm toy/*.conllu
# parsed FORM PAIR: the commands that parse
parsed() { dry "$scratch/work/parsed/$1/toy.$2/train.heed" PAIR=$2 MODELS="$scratch/models" > own 2> err; grep 'slot.*parse -q' own; }
mkdir models; for s in train dev test; do echo a b c > toy/$s.cs; done
parsed src de-en | grep -q "parse -q --side src --language de --upos | dep2const --side src'"
say $? 'source trees of dependencies have labels'
parsed both en-de | grep -q "parse -q --side tgt --language de | dep2const --side tgt'"
say $? '... target trees are without labels, as in the published runs'
parsed src cs-en | grep -q "parse -q --side src --language cs --upos"; say $? 'a language without a parser'
# trains UPOS XPOS: a parser from a sentence with these tags
config=width=16,heads=2,layers=1,ff=16,word_width=8,feature_width=8,feature_rows=64,arc=16,span=16,hidden=16
trains() {
	printf '1\ta\t_\t%s\t%s\t_\t0\troot\t_\t_\n\n' "$1" "$2" > cs.conllu
	parse-train -q --updates 1 --arch $config --language cs -o models/cs.parser "${3:-cs.conllu}"
}
trains DET DT; echo x > models/de.parser
parsed src cs-en | grep -q "parse -q --side src --language cs -m $scratch/models/cs.parser --upos | dep2const --side src'"
say $? '... with the parser that the target parser has trained'
trains _ DT; parsed src cs-en | grep -q "cs.parser | dep2const --side src'"; say $? '... which may not predict universal tags'
parsed=$scratch/work/parsed/src/toy.cs-en/train.heed
parses() { make --no-print-directory -s -C "$HEED_TOP" -f pipeline.mk PROFILE=smoke PAIR=cs-en DATA="$scratch/toy" MODELS="$scratch/models" \
	W="$scratch/work" "$parsed" > own 2>&1; }
parses && cp -p "$parsed" before && parses && heed-show -f src.tree before | grep -q '^([^ ]* ([^ ]* a) ' &&
	[ ! "$parsed" -nt before ] && touch models/cs.parser && parses && [ "$parsed" -nt before ]; r=$?
say $r 'a retrained parser parses the text again'; [ $r = 0 ] || sed 's/^/# /' own
echo '(S (A a) (B b))' > cs.ptb; trains _ _ cs.ptb; parsed src cs-en | grep -q "cs.parser'"
say $? 'constituents of a trained parser are not replaced'
parsed src de-en | grep -q "language de --upos"; say $? '... which does not replace a built-in parser'

# Several test sets.
mkdir sets; for l in en de; do for s in train dev test_1 test_2; do echo a > sets/$s.$l; done; done
sets() { make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk PROFILE=smoke DATA="$scratch/sets" W="$scratch/work" \
	"$scratch/work/text/sets.en-de/test.src.raw" "$@" > own 2> err; }
! sets && grep -q 'several files for test: .*/test_1.en .*/test_2.en, expected one' err &&
	sets TEST=test_2 && grep -q 'sets/test_2.en' own && echo a > sets/test.en && sets && grep -q 'sets/test.en' own
say $? 'several test sets are refused, unless one is chosen or called test'

# A tree that was not built yet.  Its programs cannot be built, either.
mkdir bare bare/common bare/tests && touch bare/tests/tests.mk && cp -r "$HEED_TOP/src" "$HEED_TOP/pipeline.mk" bare
ln -s "$HEED_TOP/common/packages.sh" bare/common; printf 'all:\n\t@echo built > %s; false\n' "$scratch/built" > bare/Makefile
for target in demo reproduce-voita 'plan reproduce-rhe' 'prepare reproduce-rhe' benchmark-heads parser-scores; do
	rm -f built
	! make -C bare -f pipeline.mk $target MODEL="$scratch/bare/Makefile" PROFILE=smoke DATA="$scratch/toy" \
	    W="$scratch/bare/work" > out 2> err < /dev/null && [ -f built ]; r=$?
	say $r "$target builds the programs first"; [ $r = 0 ] || sed 's/^/# /' err
done

# A new paper, in a copy of the pipeline.
mkdir house house/common && cp -r "$HEED_TOP/src" "$HEED_TOP/pipeline.mk" house
ln -s "$HEED_TOP/bin" house/bin; ln -s "$HEED_TOP/common/packages.sh" house/common
cat > offsets.mk <<'END'
offsets.title         = Offsets
offsets.recipe        = $(RECIPE) --dropout 0.2
offsets.variant.plain =
offsets.variant.warm  = -a relative:k=4
offsets.begin.warm    = plain
offsets.data.warm     = src
END
printf '%s\n' 'section table1 BLEU' 'columns -' 'plain - - Plain' 'warm plain - Warm' > offsets.grid
# house TARGET SETTING...: a dry run of the copy
house() {
	make --no-print-directory -n -C house -f pipeline.mk "$@" PROFILE=smoke DATA="$scratch/toy" \
	    W="$scratch/house/work" > out 2> err < /dev/null
}
report=$scratch/house/work/results/offsets/report.html
fresh() { cp offsets.mk offsets.grid house/src/papers; }
fresh; house "$report" && grep -q 'relative:k=4' out; r=$?
say $r 'a paper is two files'; [ $r = 0 ] || sed 's/^/# /' err
# walked 'what' VARIANT: the interactive view of heads is of the model of this variant
walked() {
	house "$report" && grep -q "head-map -m .*/run/offsets/toy.en-de/$2/1/model.tar .*--to html" out; r=$?
	say $r "$1"; [ $r = 0 ] || { sed 's/^/# /' err; grep 'head-map.*--to html' out | sed 's/^/# /'; }
}
walked 'heads are shown of the first system of the grid' plain
printf '%s\n' 'section table1 BLEU' 'columns -' 'warm plain - Warm' 'plain - - Plain' > house/src/papers/offsets.grid
walked '... in its order' warm
echo 'offsets.walk = plain' >> house/src/papers/offsets.mk; walked '... or of the variant that the paper names' plain
# refused FILE 'part of the message' 'sed command that breaks FILE'
refused() {
	fresh; sed -i "$3" "house/src/papers/$1"
	! house "$report" && grep -qF "$2" err; r=$?
	say $r "refused: $2"; [ $r = 0 ] || sed 's/^/# /' err
}
mk=src/papers/offsets.mk
refused offsets.mk "$mk: offsets.varient.warm: unknown key" s/variant.warm/varient.warm/
refused offsets.mk "$mk: offsets.recipie: unknown key" s/recipe/recipie/
refused offsets.mk "$mk: offsets.update: unknown key" '$aoffsets.update = 20'
refused offsets.mk "$mk: offset.recipe: unknown key" s/offsets.recipe/offset.recipe/
refused offsets.mk "$mk: offsets.recipe.cup: unknown key" s/offsets.recipe/offsets.recipe.cup/
refused offsets.mk "$mk: offsets.title: this key is missing" /title/d
refused offsets.mk 'section table1: row warm has no settings; offsets.variant.warm is missing' /warm/d
refused offsets.grid 'section table1: row plane has no settings; offsets.variant.plane is missing' 's/warm plain/warm plane/'
refused offsets.mk "$mk: offsets.data.wram: unknown key or unknown variant" s/data.warm/data.wram/
refused offsets.mk "$mk: offsets.data.warm: scr, expected a preparation" 's/src$/scr/'
refused offsets.mk "$mk: offsets.begin.warm: plan, expected a variant" 's/plain$/plan/'
refused offsets.mk "$mk: offsets.main: tabel1, expected a section of src/papers/offsets.grid" '$aoffsets.main = tabel1'
refused offsets.mk "$mk: offsets.also: statistcs, expected statistics" '$aoffsets.also = statistcs'
refused offsets.mk "$mk: offsets.corpora.tabel1: unknown section" '$aoffsets.corpora.tabel1 = words\noffsets.text.words = heed-pack'
refused offsets.mk "$mk: offsets.corpora.table1: wrods, expected a corpus" '$aoffsets.corpora.table1 = wrods'
refused offsets.mk "$mk: offsets.head-maps: gate, expected relevance" '$aoffsets.head-maps = relevance gate'
refused offsets.mk "$mk: offsets.caption.fig9: unknown table or figure" '$aoffsets.caption.fig9 = Figure 9'
refused offsets.grid 'columns of section table1' '$acolumns -'
refused offsets.grid 'section claims: row wram has no settings; offsets.variant.wram is missing' \
    '$asection claims\ncolumns -\nwram plain - Warm helps'
# The options of all variants are checked before the first training.
checked() {
	make --no-print-directory -C house -f pipeline.mk _goals=offsets options-checked PROFILE=smoke DATA="$scratch/toy" \
	    W="$scratch/house/work" "$@" > out 2> err < /dev/null
}
fresh; checked; r=$?; say $r 'the options of a paper are checked'; [ $r = 0 ] || sed 's/^/# /' err
for bad in 's/relative:/relativ:/ relativ' 's/k=4/kk=4/ kk' 's/--dropout/--droput/ droput'; do
	fresh; sed -i "${bad% *}" house/$mk
	! checked && grep -q "${bad#* }" err && grep -q 'offsets.variant.[a-z]*: the options of nmt-train' err
	say $? "... and an error is reported before any training: ${bad#* }"
done
# The commit is that of the source tree, and not that of a repository around it or around an installation.
mkdir around around/share around/share/heed around/tarball around/clone
for f in share/heed tarball clone; do cp -r "$HEED_TOP/src" "$HEED_TOP/pipeline.mk" around/$f; ln -s "$HEED_TOP/common" "$HEED_TOP/bin" around/$f; done
for f in tarball clone; do mkdir around/$f/tests; touch around/$f/Makefile around/$f/tests/tests.mk; done
touch around/share/heed/Makefile		# of a user
printf '%s\n' 'origin:' '	@$(_describe) || echo none' '	@echo $(or $(DRAFTS),published)' \
    '	@$(call _refuse-draft,"$$($(_describe))",echo refused)' > origin.mk
# origin FOLDER SETTING...: the commit, whether drafts are accepted, and the messages
origin() { folder=$1; shift; (cd around; make --no-print-directory -f $folder/pipeline.mk -f ../origin.mk origin PROFILE=smoke "$@" 2>&1 | xargs); }
commits() { git -C "$1" init -q; git -C "$1" add pipeline.mk; git -C "$1" -c user.name=x -c user.email=x@x commit -q -m x; }
if command -v git > /dev/null; then
	commits around/clone; cp around/clone/pipeline.mk around; commits around
	clone=$(git -C around/clone describe --always)
	{ origin share/heed; origin share/heed R=results; origin tarball; origin clone; origin clone R=results; } > found
	printf '%s\n' 'none 1' 'none 1' 'none 1' "$clone 1" "$clone 1" | diff - found > diff; r=$?
	say $r 'the commit is that of the source tree'; [ $r = 0 ] || sed 's/^/# /' diff
	{ origin clone R=clone/results; origin clone R=tarball/results; origin tarball R=tarball/results; } > found
	printf '%s\n' "$clone published" "$clone 1" 'none published the ledger tarball/results accepts no runs without a commit,' \
	    > want; sed 's/\(without a commit,\).*/\1/' found | diff want - > diff && tail -n 1 found | grep -q ' refused$'; r=$?
	say $r 'the ledger of a source tree accepts no runs without a commit'; [ $r = 0 ] || sed 's/^/# /' diff
	echo >> around/clone/pipeline.mk; origin clone R=clone/results > found
	grep -q "^$clone-dirty published .* of a source tree with changes; .* refused$" found; say $? '... nor of a source tree with changes'
else
	for i in 1 2 3; do say 0 '# SKIP git is not installed'; done
fi
# The options of 600 runs are longer than a command line may be.
fresh; sed -i 's/--droput/--dropout/; s/--dropout/--droput/' house/$mk
! checked SEEDS="$(seq -s ' ' 600)" && grep -q 'droput' err; say $? '... of any number of runs'
fresh; ! house help SEEDS= && grep -q 'SEEDS: no value' err; say $? 'refused: no seeds'
! house help R= && grep -q 'R: no value' err && ! house help PAIR= && grep -q 'PAIR: no value' err; say $? '... no folders'
! house help BEAM=0 && grep -q 'BEAM=0: expected a number of 1 or more' err; say $? '... and no beam'
# Names that begin with _ belong to the pipeline; those without are checked, too.
for name in _row _new setting UPDATES demo.title; do
	refused offsets.mk "$mk: $name: unknown key; expected names that begin with 'offsets.'" "\$a$name = 1"
done
fresh; cp house/$mk house/src/papers/_offsets.mk; ! house help && grep -q '_offsets.mk: _offsets is no name' err
say $? 'refused: a paper whose keys would begin with _'; rm house/src/papers/_offsets.mk
fresh; rm house/src/papers/offsets.grid; ! house help && grep -qF "$mk: there is no file src/papers/offsets.grid" err
say $? 'refused: a paper without a grid'
fresh; sed -i s/variant.warm/varient.warm/ house/$mk
! make --no-print-directory -C house -f pipeline.mk reproduce-offsets PROFILE=smoke W="$scratch/house/work" > out 2>&1 &&
	grep -q varient.warm out && [ ! -e house/work ] && [ ! -s out.fetch ]
say $? '... before anything runs'
fresh; ! house "$report" TABLES=tabel1 && grep -q 'unknown section tabel1, expected some of.* table1' err
say $? 'refused: a section that no grid has'
fresh; ! house "$report" SYSTEMS=baes && grep -q 'unknown variant baes, expected some of.* base' err
say $? 'refused: a variant that no grid has'
! house plan reproduce-voitta && [ ! -s out ] && grep -q 'reproduce-voitta: no such target; expected one of .*reproduce-voita' err
say $? 'a mistyped target is refused before anything is planned'
! house help TABLE=table1 && grep -q '^[^ ]* [*]* TABLE: unknown variable' err
say $? 'refused: a misspelt variable'
! house help offsets.update=3 && grep -q 'command line: offsets.update: unknown key' err
say $? '... or key, on the command line'
! house help parse.scr=x && grep -q '^[^ ]* [*]* parse.scr: unknown variable' err &&
	! house help parser.de=x && grep -q '[*]* parser.de: unknown variable' err &&
	house help LANGUAGE=de parser.de=x parse.pcfg=cat
say $? '... or parser'
for v in THREADS=0 THREADS= THREADS=all SLOTS=0 'SLOTS=1 2'; do
	! house help "$v" && grep -qF "$v: expected a number" err || echo "$v"
done > taken; ! house help UPDATES=all && house help 'SIZES=10 all' && [ ! -s taken ]; r=$?
say $r 'refused: no threads or slots, and all as a number'; [ $r = 0 ] || sed 's/^/# /' taken
! house help SEARCH_SEEDS='1 2' && grep -q 'SEARCH_SEEDS: a blank cannot be used' err && house help SEARCH_SEEDS=1,2 &&
	! house help SEARCH_RUNGS='5 20' && grep -q 'SEARCH_RUNGS: a blank cannot be used' err && house help SEARCH_RUNGS=5,20
say $? 'refused: seeds and updates of searches with blanks'
# wrong SETTING EXPECTED
wrong() { ! house help "$1" && grep -qF "$1: expected $2" err || echo "$1: $(cat err)"; }
{
	for v in SEEDS=1,2 SEEDS=01 'SEEDS=1 2 03' MORE_SEEDS=1,2 SIZES=10,20; do wrong "$v" 'numbers separated by spaces, without leading zeros'; done
	wrong SEARCH_SEEDS=1,02 'numbers separated by commas, without leading zeros'; wrong UPDATES=10,20 'a number, without leading zeros'
	! house help UPDATES='10 20' && grep -q 'UPDATES: a blank cannot be used' err || echo UPDATES
	! house help offsets.seeds=1,2 && grep -q 'offsets.seeds: 1,2, expected a number without' err || echo offsets.seeds=1,2
	! house help offsets.seeds=01 && grep -q 'offsets.seeds: 01, expected a number without' err || echo offsets.seeds=01
} > taken; [ ! -s taken ]; r=$?; say $r 'refused: seeds with commas or leading zeros'; [ $r = 0 ] || sed 's/^/# /' taken
house help SEEDS='0 10 2' MORE_SEEDS=3 SIZES='10 all' SEARCH_RUNGS=5,20 UPDATES=10 offsets.seeds='1 20'; r=$?
say $r '... and other numbers are accepted'; [ $r = 0 ] || sed 's/^/# /' err
for t in fetch demo 'plan reproduce-rhe'; do
	! make --no-print-directory -n -C house -f pipeline.mk $t CORPUS=helpp > out 2> err &&
		grep -q 'CORPUS=helpp: helpp, expected help or manpages' err || echo "$t"
done > taken; [ ! -s taken ]; r=$?
say $r 'refused: an unknown corpus without a folder'; [ $r = 0 ] || sed 's/^/# /' taken
# first KEY=VALUE...: which of the values on the command line is used
first() { fresh; house "$report" "$@"; grep -o 'nmt-train --threads.*' out | grep -o -- '--dropout 0[.][0-9]*' | sort -u; }
[ "$(first offsets.recipe='--dropout 0.3')" = '--dropout 0.3' ] &&
	[ "$(first offsets.recipe='--dropout 0.3' offsets.recipe.smoke='--dropout 0.4')" = '--dropout 0.4' ] &&
	[ "$(first RECIPE='--dropout 0.6' offsets.recipe='--dropout 0.3' offsets.recipe.smoke='--dropout 0.4' \
	    offsets.recipe.smoke.en-de='--dropout 0.5')" = '--dropout 0.5' ]
say $? 'on the command line, the most specific key counts'

# All other names begin with _, except those that heed-pipeline(7) lists for papers and those of users.
sed -n '/^The file may use/,/^\.El/s/^\.It Li //p' "$HEED_TOP/man/heed-pipeline.7" | grep -o '[a-z]\{3,\}' | sort -u > known
sed -n 's/^\(define \)\{0,1\}\([A-Za-z][A-Za-z0-9.-]*\) *\([:?+]\{0,1\}=.*\)\{0,1\}$/\2/p' "$HEED_TOP/pipeline.mk" \
    "$HEED_TOP"/src/*.mk | grep -v '^[A-Z_]*$\|^parser*[.]\|^end\|^else$' | sort -u > names
comm -23 names known > unknown; grep -qx setting names && [ ! -s unknown ]; r=$?
say $r 'names of the pipeline begin with _'; [ $r = 0 ] || sed 's/^/# /' unknown

# The Makefile would take a setting for its own variable of this name.
sed -n '/^_check-numbers/,/^_check-options/p' "$HEED_TOP/src/check.mk" | grep -o '\<[A-Z_]*\>' | sort -u > settings
(cd "$HEED_TOP" && sed -n 's/^\([A-Z_]*\) *[:?+]*=.*/\1/p' Makefile common/install.mk tests/tests.mk) | sort -u > theirs
comm -12 settings theirs > both; grep -qx MODELS settings && grep -qx PROGRAMS theirs && [ ! -s both ]; r=$?
say $r 'no setting is a variable of the Makefile'; [ $r = 0 ] || sed 's/^/# /' both

# Values that a shell or make would execute, or that make cannot handle, are refused and not executed.
try() {
	make --no-print-directory -C house -f pipeline.mk help "$1=$2" > out 2> err < /dev/null && echo "$1=$2"
	grep -q '[*][*][*].*: .*\(cannot be used\|expected\)' err || echo "$1=$2" "$(cat err)"
}
for v in DATA PAIR TRAIN DEV TEST TREEBANKS TREEBANK_DEV R PROFILE MODELS LANGUAGE THREADS SLOTS SEEDS SIZES TABLES \
    WALK UPDATES MERGES RECIPE ARCH demo.recipe demo.sizes; do
	for bad in 'a`touch pwned`' 'a$(shell touch pwned)' "a';touch pwned;'"; do try $v "$bad"; done
done > taken
for bad in 'a$$(touch pwned)' 'a"' "a'" 'a;b' 'a|b' 'a>b' 'a&b' 'a#b' 'a\b' 'a*' 'a=b' 'a
touch pwned'; do try DATA "$bad"; done >> taken
[ ! -s taken ] && [ -z "$(find . -name pwned)" ]; r=$?
say $r 'refused: values with quotes, backquotes, dollars, semicolons and line breaks'; [ $r = 0 ] || sed 's/^/# /' taken
mkdir 'toy two'
! make --no-print-directory -C house -f pipeline.mk help DATA="$scratch/toy two" > out 2> err && grep -q 'there is no folder.*blanks separate' err
say $? 'a folder with a blank in its name is refused, and why'
! make --no-print-directory -C house -f pipeline.mk help DATA="$scratch/toy $scratch/house/../toy" > out 2> err && grep -q 'two folders are called toy' err
say $? 'two folders of one name are refused'
# A corpus may have a file whose name a shell would execute, found by a wildcard.
mkdir bad; for s in train dev; do for l in en de; do echo a b > bad/$s.$l; done; done
echo a b > 'bad/test`touch${IFS}pwned`.en'
make --no-print-directory -C house -f pipeline.mk DATA="$scratch/bad" W="$scratch/house/work" PROFILE=smoke \
    "$scratch/house/work/text/bad.en-de/test.src.raw" > out 2>&1
[ $? = 0 ] && [ "$(cat house/work/text/bad.en-de/test.src.raw)" = 'a b' ] && [ -z "$(find . -name pwned)" ]; r=$?
say $r 'names of files are not executed'; [ $r = 0 ] || sed 's/^/# /' out

# The help has the targets of the page.
make --no-print-directory -s -C "$HEED_TOP" -f pipeline.mk help | sed -n 's/^targets: //p' | tr ' ' '\n' | sort > have
sed -n '/^\.Ss Targets/,/^\.Ss Corpus/s/^\.It Cm //p' "$HEED_TOP/man/heed-pipeline.7" | sed 's/ Ar .*//; s/ , /\n/g' | sort > want
[ -s want ] && [ -z "$(comm -13 have want)" ]; r=$?
say $r 'help lists the targets of heed-pipeline(7)'; [ $r = 0 ] || comm -13 have want | sed 's/^/# /'

# The page has the table of keys, and the table has all keys that the makefiles read.
awk -F '\t' '{ printf ".It Cm %s Pq %s\n%s.\nExample:\n.Ql \"%s\"\n", $1, $2, $4, $3 }' "$HEED_TOP/src/papers.keys" > want
sed -n '/^\.\\" keys/,/^\.El/p' "$HEED_TOP/man/heed-pipeline.7" | grep -v '^\.\\"\|^\.[BE]l' | cmp - want; r=$?
say $r "heed-pipeline(7) has the table of papers' keys"
grep -oh '\$(\$([1a-z]*)\.[a-z_-]*' "$HEED_TOP"/pipeline.mk "$HEED_TOP"/src/*.mk | sed 's/.*)\.//' | sort -u > read
sed 's/[.[	].*//' "$HEED_TOP/src/papers.keys" | sort -u > have
[ -s read ] && [ -z "$(comm -23 read have)" ]; r=$?
say $r '... and the table has all keys'; [ $r = 0 ] || comm -23 read have | sed 's/^/# /'

make --no-print-directory -C "$HEED_TOP" -f pipeline.mk keys > aligned 2> err
{ echo key; cut -f 1 "$HEED_TOP/src/papers.keys"; } > want; cut -d ' ' -f 1 aligned | cmp -s - want &&
	awk '{ at = index($0, NR > 1 ? "toy." : "example"); if (at < 2 || (NR > 1 && at != last)) bad = 1; last = at }
	END { exit bad }' aligned
say $? 'make keys prints the table, aligned'
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk PROFILE=smoke W="$scratch/keys" keys reproduce-syntax > also 2> err
! grep -q '_again\|reported\|watch.sh' also && [ ! -e keys ]; say $? '... and starts no target'
# The examples are one paper.
cut -f 3 "$HEED_TOP/src/papers.keys" > house/src/papers/toy.mk
printf 'toy.variant.%s =\n' plain gates masked >> house/src/papers/toy.mk
for f in grid tune.smoke more.smoke; do cp offsets.grid house/src/papers/toy.$f; done; fresh
house help; r=$?; say $r 'the examples of the table are valid'; [ $r = 0 ] || sed 's/^/# /' err
# needed KEY...: each is reported as missing if it is
needed() {
	cp house/src/papers/toy.mk toy.mk
	for k; do
		grep -v "^toy\.$k " toy.mk > house/src/papers/toy.mk
		! house help && grep -qF "src/papers/toy.mk: toy.$k: this key is missing" err || echo "$k"
	done
	cp toy.mk house/src/papers
}
[ -z "$(needed title map.first statistics probe few timed-on posthoc-by curve.encoder curve-on.encoder)" ]
say $? 'missing keys are named'; rm house/src/papers/toy.*

# Two slots: at most two of four steps run at a time, and all are run.
cat > step <<'END'
mkdir busy.$1; ls -d busy.* | wc -l >> busy; sleep 0.3; rmdir busy.$1; echo $1 >> done
END
: > busy; : > done
for i in 1 2 3 4; do sh "$HEED_TOP/src/papers/slot.sh" 2 locks/slot sh step $i & done; wait
[ "$(sort -n busy | tail -n 1)" = 2 ]; say $? 'two slots run two steps at a time'
[ "$(sort done | tr -d '\n')" = 1234 ]; say $? '... and all steps'
sh "$HEED_TOP/src/papers/slot.sh" 1 locks/slot sh -c 'kill -9 $$' 2> /dev/null
timeout 10 sh "$HEED_TOP/src/papers/slot.sh" 1 locks/slot true
say $? 'a killed step releases its slot'
sh "$HEED_TOP/src/papers/slot.sh" 1 locks/slot sh -c 'exit 7'
[ $? = 7 ]; say $? 'the status is that of the step'

# Three tasks of an array job need the same measures of heads, and lists that are made with them: they make each file
# once.  The programs are replaced by some that take time, and fail without their input.
mkdir shared array; run=$scratch/shared/run/voita/toy.en-de probe=$scratch/shared/prepared/voita/probe/toy.en-de/dev.heed
cat > array/program <<'END'
#!/bin/sh
# Reads the files among the arguments, and writes that of -o.
name=${0##*/} before= output=
for word; do
	[ "$before" != -o ] || output=$word
	case $word in "$output") ;; /*) cat "$word" > /dev/null || exit 4 ;; esac
	before=$word
done
echo "$name" >> "$ARRAY_LOG"; sleep 0.4
[ -z "$output" ] || { echo "$name" > "$output.$$"; mv "$output.$$" "$output"; }
END
chmod +x array/program
for f in head-stat head-lrp head-prune heed-paste heed-sample nmt-info; do ln -s program array/$f; done
mkdir -p $run/base/1 $run/target/1 "${probe%/*}"; echo m > $run/base/1/model.tar; echo m > $run/target/1/model.tar; echo p > "$probe"
echo "$probe $run/base/1/model.tar $run/target/1/model.tar: ;" > data.mk
# task NAME: one of the tasks
task() {
	PATH=$scratch/array:$PATH ARRAY_LOG=$scratch/array.log make --no-print-directory -C house -f pipeline.mk PROFILE=smoke \
	    DATA="$scratch/toy" W="$scratch/shared" SLOTS=9 _goals=demo -f "$scratch/data.mk" "$run/target/1/closed.all-gradient" "$run/target/1/closed.gate" > array.$1 2>&1; echo "$?" >> array.status
}
: > array.status; for i in 1 2 3; do task $i & done; wait
sort array.log | uniq -c | awk '{ print $2, $1 }' > found
printf '%s\n' 'head-lrp 1' 'head-prune 1' 'head-stat 2' 'heed-paste 1' 'heed-sample 3' 'nmt-info 3' | diff - found > diff &&
	[ "$(xargs < array.status)" = '0 0 0' ]; r=$?
say $r 'tasks that need the same file of heads make it once'; [ $r = 0 ] || sed 's/^/# /' array.? diff
: > array.log; task 4; [ ! -s array.log ]; say $? '... and keep it'
rm $run/base/1/measures.heed.*[a-z]; task 5; [ ! -s array.log ]; say $? '... also without its parts, which earlier versions removed'
sleep 0.1; touch $run/base/1/heads.heed; task 6
sort array.log | uniq -c | awk '{ print $2, $1 }' | xargs > found
[ "$(cat found)" = 'head-lrp 1 head-prune 1 head-stat 1 heed-paste 1 heed-sample 2 nmt-info 1' ]; say $? '... unless it is out of date'
(PATH=$scratch/array:$PATH ARRAY_LOG=array.log sh "$HEED_TOP/src/papers/alone.sh" shared/killed '' head-prune -o shared/killed) & killed=$!
(sleep 0.1; kill -9 $killed) 2> /dev/null; wait $killed 2> /dev/null; timeout 10 sh "$HEED_TOP/src/papers/alone.sh" shared/killed '' touch shared/killed
[ $? = 0 ] && [ -e shared/killed ]; say $? 'a killed task releases the file'

# Output of heavy steps: one line each, and the last lines of a step that fails.
papers=$HEED_TOP/src/papers
cat > steps.mk <<END
all: a b
a b c: ; sh $papers/slot.sh 2 w/.slot bash $papers/step.sh w train w/run/\$@/1/model.tar sh step.\$@
END
for s in a b; do echo "echo noise >&2; cat; echo said; sleep 0.1; touch $s" > step.$s; done
echo 'seq 20 >&2; exit 3' > step.c
watch() { sh "$papers/watch.sh" w 2 - make --no-print-directory "$@" -f steps.mk > seen 2> err < /dev/null; }
watch -j2 all; r=$?
sort seen | sed 's/^\(.[12] of 2. train\) [ab]/\1 X/; s/, .*//' > lines
printf '%s\n' '2 steps; logs: w/log' '[1 of 2] train X/1' '[2 of 2] train X/1' | sort | diff - lines > diff &&
	[ $r = 0 ] && [ -e a ] && [ -e b ] && [ ! -s err ]; r=$?
say $r 'one line for each heavy step'; [ $r = 0 ] || sed 's/^/# /' diff err
[ "$(cat w/run/a/1/model.tar.log)" = noise ] && grep -qx said w/log; say $? '... other output is in logs'
rm a b; echo 'echo noise >&2; cat; touch b' > step.b; printf 'train 60\n' > w/steps.seconds
watch all; grep -q '^.1 of 2. train a/1, about 60 s left$' seen; say $? '... the time left is estimated from earlier steps'
watch c; r=$?
[ $r = 2 ] && grep -q 'train w/run/c/1/model.tar: exit 3; the last lines of w/run/c/1/model.tar.log:' seen &&
	[ "$(tail -n 1 seen)" = 20 ] && ! grep -qx 10 seen && grep -qx 11 seen
say $? 'the last lines and the log of a failed step are printed'
printf 'all: ; @echo why; false\n' > light.mk
sh "$papers/watch.sh" w 2 'light things' make --no-print-directory -f light.mk > seen 2> err; r=$?
[ $r = 2 ] && head -n 1 seen | grep -qx 'light things' && grep -qx why seen && grep -q 'the last lines of w/log:' seen
say $? '... also of other commands'
cat > stopped.mk <<END
all:
	echo \$\$PPID > pid
	sh $papers/slot.sh 2 w/.slot bash $papers/step.sh w train w/run/x/1/model.tar sh step.x
END
echo 'trap "echo stopped > x; exit 143" TERM; touch began; for i in $(seq 200); do sleep 0.05; done' > step.x
sh "$papers/watch.sh" w 2 - make -f stopped.mk > seen 2> err & watched=$!
i=0; while [ ! -e began ] && [ $((i += 1)) -lt 400 ]; do sleep 0.05; done
kill "$(cat pid)"; wait $watched; [ $? != 0 ] && [ "$(cat x)" = stopped ]
say $? 'a signal reaches the step'
bash "$papers/step.sh" w train w/run/x/1/model.tar sh -c 'echo noise >&2; exit 5' 2> err; r=$?
[ $r = 5 ] && [ "$(cat err)" = noise ]; say $? 'without watch.sh a step only runs its command'

# Fractional gates are counted by head-prune; runs without gates have 0.
mkdir gated plain fake; : > gated/model.tar; : > gated/pruned.tar; : > plain/model.tar
cat > fake/nmt-info <<'END'
#!/bin/sh
case $1 in gated/model.tar) printf 'attention\tl0-gate:at=enc\n' ;; gated/pruned.tar) printf 'rounded.fractional\t7\n' ;; esac
END
chmod +x fake/nmt-info; ln -s "$HEED_TOP/src" src
for run in gated plain; do PATH=$PWD/fake:$PATH sh src/papers/heads.sh $run - | grep fractional; done > found
printf 'gates.fractional\t%s\n' 7 0 | cmp -s - found; say $? 'numbers of rounded gates'
# Two layers of four heads: six are left in the encoder; one and four of cross-attention, eight in the decoder.
printf '%s\t%s\n' config.enc_layers 2 config.dec_layers 2 config.heads 4 removed enc-self.1:1+2/cross.1:1+2+4 |
	awk -f src/papers/heads-depth.awk > found
printf '%s\t%s\n' heads.excess -1 heads.layer.dec-self 1.5000 heads.layer.cross 1.8000 | cmp -s - found
say $? 'numbers and layers of retained heads'
rm src

# Labels of variants from two tables.
printf '%s\t%s\t%s\n' section row variant main 'All: gates' all main Base base main 'All: gates' all > t1
printf '%s\t%s\t%s\n' variant row section all 'L0 gates, λ2' b new 'Only here' b > t2
printf '%s\t%s\t%s\n' all 'main: All: gates; b: L0 gates, λ2' 'All: gates' base 'main: Base' Base \
    new 'b: Only here' 'Only here' > want
awk -f "$HEED_TOP/src/papers/names.awk" t1 t2 | cmp -s - want
say $? 'labels of variants'
printf '%s\t%s\n' run heads base 8 all 5 other 3 > heads
awk -f "$HEED_TOP/src/papers/labels.awk" want heads | tr '\t\n' ',;' > found
[ "$(cat found)" = 'run,heads;Base,8;All: gates,5;other,3;' ]; say $? '... replace variants in tables'

# One relation, of which the paper has one direction; head 2 has accuracy .5, the baseline .25.
printf 'nsubj\tdep\t52\t35\n' > paper
{ printf 'site\tlayer\thead\tsyntax.nsubj.dep\tsyntax.nsubj.head\tsyntax.nsubj.base\n'
printf 'enc-self\t1\t%s\t%s\t%s\t.25\n' 1 .4 .3 2 .5 .1; } > heads
awk -f "$HEED_TOP/src/papers/heads-syntax.awk" paper heads | tr '\t\n' ',;' > found
want='relation,direction,best head,accuracy (%),baseline (%),difference,paper, accuracy (%),paper, baseline (%),paper, difference;'
want="${want}nsubj,dependent to head,1.2,50.0,25.0,+25.0,52,35,17;"
[ "$(cat found)" = "${want}nsubj,head to dependent,1.1,30.0,25.0,+5.0,,,;" ]
say $? "best heads next to those of the paper"

# Learning curves: systems by label, a fine-tuned one from the end of its base, without early points, labels
# unchanged.
mkdir -p "c/p/my_c@x.en-de@50/base/1" "c/p/my_c@x.en-de@50/tune@2/1" c/p/my_c@x.en-de@50/all_/1
printf '10\t9\t\n20\t\t7\n40\t8\t2.5\n60\t\t2.25\n' > c/p/my_c@x.en-de@50/base/1.tsv
printf '30\t\t2\n60\t\t1.5\n' > c/p/my_c@x.en-de@50/tune@2/1.tsv
printf '10\t\t1.25\n' > c/p/my_c@x.en-de@50/all_/1.tsv
printf '%s\t%s\t%s\n' base 't: Base_1' Base_1 'tune@2' 't: Tuned @ 2' 'Tuned @ 2' > names
r=p/my_c@x.en-de@50
curves() {
	echo "$@" > list
	awk -v place=c -f "$HEED_TOP/src/papers/curves.awk" names list $(find c -name '*.tsv' | LC_ALL=C sort) > points
}
curves t $r/base/1 - t $r/tune@2/1 $r/base/1 t $r/all_/1 $r/tune@2/1
{ echo panel series kind x y low high
for p in 'Base_1 40 2.5' 'Base_1 60 2.25' 'Tuned_@_2 60 2.25' 'Tuned_@_2 90 2' 'Tuned_@_2 120 1.5' \
    'all_ 120 1.5' 'all_ 130 1.25'; do set -- $p; echo "dev_NLL,_my_c@x.en-de@50 $1 line $2 $3 - -"; done
} | sed 's/Tuned_@_2/Tuned @ 2/; s/dev_NLL,_/dev NLL, /' > want
tr '\t' ' ' < points | cmp -s - want; r1=$?
say $r1 'the curve of a fine-tuned run begins where its base ends'; [ $r1 = 0 ] || diff want points | sed 's/^/# /'
heed-plot points -o curves.svg
for name in 'dev NLL, my_c@x.en-de@50' Base_1 'Tuned @ 2' all_; do
	grep -q ">$name</text>" curves.svg || echo "# $name"; done > missing
[ ! -s missing ] && ! grep -q 'd[xy]="[-0-9.]*em"' curves.svg; say $? 'labels are drawn unchanged'; cat missing
curves t $r/base/1 -
cut -f 1,2,4,5 points | tr '\t' ' ' | tail -n 2 > found
printf 'dev NLL, my_c@x.en-de@50 Base_1 %s\n' '40 2.5' '60 2.25' | cmp -s - found; say $? 'points far above the end are left out'
cp c/p/my_c@x.en-de@50/base/1.tsv kept; printf '50\t\t9\n' >> c/p/my_c@x.en-de@50/base/1.tsv; sort -n -o c/p/my_c@x.en-de@50/base/1.tsv c/p/my_c@x.en-de@50/base/1.tsv
curves t $r/base/1 -; cut -f 4,5 points | tr '\t' ' ' | tail -n 3 | paste -s -d , > found
[ "$(cat found)" = '40 2.5,50 2.75,60 2.25' ]; say $? '... but later ones are at the limit'; sed 's/^/# /' found; cp kept c/p/my_c@x.en-de@50/base/1.tsv
printf '10\t2.7\t\n20\t2.5\t2.25\n' > c/p/my_c@x.en-de@50/base/1.tsv
curves t $r/base/1 - u $r/base/1 -
cut -f 1,2 points | sed 1d | sort | uniq -c | awk '{ $1 = $1; print }' > found
for t in t u; do for n in '1 %s Base_1' '2 %s Base_1, training'; do
	printf "$n\n" "dev NLL, $t, my_c@x.en-de@50"; done; done | cmp -s - found; r1=$?
say $r1 'one panel per table; a single run has its training curve'; [ $r1 = 0 ] || sed 's/^/# /' found

# Plots: our means, with their deviations, and the values of the paper.
# points OVER: those of a table with lines "row column pairs measure mean deviation papercolumn paper", and with OVER
# "difference low high paper's_difference against"; _ for a blank, - for none
points() {
	{ echo "row column pairs measure mean deviation paper_column paper difference low high paper's_difference against"; cat; } | tr ' ' '\t' | tr _ ' ' | sed ':a; s/	-	/		/; ta; s/	-$/	/' > points.tsv
	awk -v over="$1" -f "$HEED_TOP/src/papers/points.awk" points.tsv | sed 1d | tr '\t ' ' _' > found
}
# draws 'name': the points are those of standard input, and can be drawn
draws() {
	cat > want; cmp -s want found; r=$?; say $r "$1"; [ $r = 0 ] || sed 's/^/# /' found
	awk -v over="$over" -f "$HEED_TOP/src/papers/points.awk" points.tsv | heed-plot --x x > plot.svg; r=$?
	say $r '... they can be drawn'
}
over=heads
points heads <<-'END'
	Base x.en-de 29000 heads 144 0 WMT.en-ru 144.00 - - - - -
	Gates,_λ1 x.en-de 29000 heads 54 2 WMT.en-ru 75.00 -90 -92 -88 -69 base
	Gates,_λ2 x.en-de 29000 heads 14 - WMT.en-ru - -130 - - - base
	Gates,_same:_target x.en-de 29000 heads 14 - WMT.en-ru - -130 - - - base
	Scratch,_λ2 x.en-de 29000 heads - - WMT.en-ru 75 - - - - base
	Base x.en-de 29000 bleu 25.5 0.5 WMT.en-ru 29.60 - - - - -
	Gates,_λ1 x.en-de 29000 bleu 25 0.25 WMT.en-ru 29.50 -0.50 -0.75 -0.25 -0.10 base
	Gates,_λ2 x.en-de 29000 bleu 23 - WMT.en-ru - -2.50 - - - base
	Gates,_same:_target x.en-de 29000 bleu 23.5 - WMT.en-ru - -2.00 - - - base
	Scratch,_λ2 x.en-de 29000 bleu - - WMT.en-ru 29 - - - -0.60 base
	Unpaired x.en-de 29000 heads 20 - WMT.en-ru - - - - - base
	Unpaired x.en-de 29000 bleu 21 - WMT.en-ru - - - - - base
END
draws 'plots over a measure, with points of the paper at its own values' <<-'END'
	BLEU_difference Gates line 14 -2.50 - -
	BLEU_difference Gates line 54 -0.50 -0.75 -0.25
	BLEU_difference Gates,_paper points 75.00 -0.10 - -
	BLEU_difference target line 14 -2.00 - -
	BLEU_difference Base level - 0 - -
END
over=
points '' <<-'END'
	Plain x.en-de@5000 5000 bleu 20 - en-de@10k 9
	Plain x.en-de 29000 bleu 30 - en-de@0.5M 12
	Mask x.en-de 29000 bleu 31 - en-de -
	Mask x.en-de 29000 nll 1 - en-de 7
	Mask x.en-de 29000 bleu 32 - en-de 8
END
draws '... over the number of training pairs, of the paper as well if its column names it' <<-'END'
	BLEU Plain line 5000 20 - -
	BLEU Plain line 29000 30 - -
	BLEU Plain,_paper points 10000 9 - -
	BLEU Plain,_paper points 500000 12 - -
	BLEU Mask line 29000 31 - -
	BLEU Mask line 29000 32 - -
END
points '' <<-'END'
	Fixed_gate_=_0.3 x 29000 bleu 20 - y 21
	Fixed_gate_=_0.5 x 29000 bleu 22 - y -
	Dynamic_gate x 29000 bleu 24 - y 25.98
END
draws '... over the number in labels, with levels' <<-'END'
	BLEU Fixed_gate line 0.3 20 - -
	BLEU Fixed_gate line 0.5 22 - -
	BLEU Fixed_gate,_paper points 0.3 21 - -
	BLEU Dynamic_gate level - 24 - -
	BLEU Dynamic_gate,_paper level - 25.98 - -
END

points '' <<-'END'
	Fixed_gate_=_0.3 x 29000 bleu - - y -
	Fixed_gate_=_0.1 x 29000 bleu - - y -
	Fixed_gate_=_0.5 x 29000 bleu - - y -
	Dynamic_gate x 29000 bleu 24 - y -
END
draws '... if there are only levels so far, from the first to the last number' <<-'END'
	BLEU Dynamic_gate line 0.1 24 - -
	BLEU Dynamic_gate line 0.5 24 - -
END

# Medians of three rounds; the third column is computed from the second.
printf '%s\n' 'a 9 2 1 0' 'b 8 2 1 0' 'a 10 2 1 0' 'b 11 2 1 0' 'a 12 2 1 0' 'b 9 2 1 0' > rounds
printf '%s\t%s\t%s\n' run sentences/s speed-up a 9.1 1.00 b 10.0 1.10 > want
awk -v n=100 -f "$HEED_TOP/src/papers/speed.awk" rounds > speed
cmp -s want speed; r=$?; say $r 'the speed-up is the ratio of the medians as printed'; [ $r = 0 ] || sed 's/^/# /' speed

# Models are timed on translations of 13 / 3 tokens, rounded.
. "$HEED_TOP/tests/train.sh"
pairs 40 1 train
for i in 1 2 3 4 5 6 7 8; do printf '%s\n' 'a b c' 'b c a' 'a b c a b c a'; done > abc
heed-pack --no-pg abc abc | bpe-apply --no-pg -c codes > abc.heed
for s in 1 2; do toy -c codes --seed $s --updates 1 -o $s.tar train.heed; done
cat > programs/nmt-translate <<END
#!/bin/sh
exec "$here/nmt-translate" \$(echo "\$*" | sed "s,/dev/null,said.\$\$,")
END
chmod +x programs/nmt-translate
bash "$HEED_TOP/src/papers/speed.sh" abc.heed a=1.tar b=2.tar > speed 2> err
for f in said.*; do heed-show -f hyp.pieces $f; done | awk '{ print NF }' | sort | uniq -c > lengths
[ "$(tr -s ' ' < lengths)" = ' 240 4' ] && cut -f 1 speed | tr '\n' ' ' | grep -qx 'run a b ' &&
	grep -q '^a	[0-9.]*	\(1.00\)*$' speed
r=$?; say $r 'models are timed on translations of the same length'; [ $r = 0 ] || sed 's/^/# /' lengths speed
cat > programs/nmt-translate <<END
#!/bin/sh
case \$* in *abc.heed) exit 4 ;; esac
exec "$here/nmt-translate" "\$@"
END
! bash "$HEED_TOP/src/papers/speed.sh" abc.heed a=1.tar > speed 2> err; say $? '... and none of them if a translation fails'

# Corpora to fetch: by name; LibreOffice help by default.
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk fetch PROFILE=smoke W="$scratch/none" > help.log
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk fetch PROFILE=smoke W="$scratch/none" CORPUS=manpages > man.log
make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk PROFILE=smoke W="$scratch/none" CORPUS=manpages \
    "$scratch/none/text/manpages.en-de/train.src.raw" >> man.log
grep -q ' libreoffice-help en de;' help.log && ! grep -q manpages help.log && grep -q ' manpages en de;' man.log &&
	! grep -q libreoffice man.log && grep -q 'corpus-align --manpages .*-l en *-l de ' man.log
say $? 'CORPUS names the corpus that is fetched'

# Files made from models are kept in the ledger while they belong to its entries; here heed-plan accepts all
# entries.
mkdir -p tree/bin r/voita/posthoc/encoder
for f in "$HEED_TOP"/*; do [ "$(basename "$f")" = bin ] || ln -s "$f" tree; done
ln -s "$(command -v heed-table)" tree/bin
printf '#!/bin/sh\ncut -f 1 | sed "s/$/\\tabc/"\n' > tree/bin/heed-plan; chmod +x tree/bin/heed-plan
curve=$scratch/r/voita/posthoc/encoder/1.heed.gz roles=$scratch/r/voita/roles-updates.tsv
for s in 1 2; do
	: > r/voita/posthoc/encoder/$s.heed.gz; mkdir -p r/voita/run/toy.en-de/base/$s; : > r/voita/run/toy.en-de/base/$s/record
done
: > "$roles"
kept() {
	make --no-print-directory -n -C tree -f pipeline.mk MODE=release _drawing=1 PROFILE=smoke CORPUS=toy R="$scratch/r" W="$scratch/none" "$@"
}
printf 'define write\n$(file > $(1).of,$(strip $(foreach r,$(call $(2),$(1)),$(_digest.$(r))) $(call $(3),$(1))))\nendef\n' > of.mk
echo 'of: ; $(foreach f,$(_posthoc-all),$(call write,$(f),_posthoc-run,_posthoc-how))$(call write,$(_role-tables),_whole-runs,_probe-how)' >> of.mk
mkdir -p r/voita/posthoc/all r/voita/posthoc/bleu
kept -f "$scratch/of.mk" of > log 2>&1
grep -q '^abc 60 sentences --by .* --site enc-self' "$curve.of"; say $? 'a curve is signed with its run and settings'
grep -q ' --random 10 --seed 100 ' "$curve.of" && grep -q ' --seed 200 ' r/voita/posthoc/encoder/2.heed.gz.of
say $? '... and has random orders of its own'
kept "$scratch/r/voita/posthoc-encoder.tsv" "$scratch/r/voita/roles-updates.svg" > log 2> err && grep -q 'curve-compare --to tsv' log &&
	! grep -q 'head-curve\|head-stat\|nmt-train' log
r=$?; say $r 'curves and roles of the entries are drawn without models'; [ $r = 0 ] || sed 's/^/# /' err
sed -i 's/abc/def/' "$curve.of" "$roles.of"; bad=0
for f in "$scratch/r/voita/posthoc-encoder.tsv" "$scratch/r/voita/roles-updates.svg"; do kept "$f" > log 2> err && bad=1; done
say $bad '... but not those of other models'

# The settings and the data that a file is made from are part of its signature; file times are not.
drawn() { kept "$@" > log 2> err; }
kept -f "$scratch/of.mk" of > log 2>&1
drawn "$scratch/r/voita/posthoc-encoder.tsv"; say $? 'curves with these settings are kept'
bad=0
for s in voita.few.smoke=11 voita.probe.smoke=61 voita.heads.smoke='--frequent 51'; do
	drawn "$scratch/r/voita/posthoc-encoder.tsv" "$s" && bad=1
done
say $bad '... but not those of other measures of heads'
signs() { # like kept, but makes what is out of date
	make --no-print-directory -C tree -f pipeline.mk MODE=release PROFILE=smoke CORPUS=toy R="$scratch/r" W="$scratch/none" "$@"
}
signs -pn voita.few.smoke=11 "$curve" 2> err | grep -A 1 "^$curve:" | grep -q "Phony target"
say $? '... which are made again even if they are newer than the models'
mkdir -p none/prepared/voita/probe/toy.en-de none/prepared/rhe/src/toy.en-de r/rhe
probe=none/prepared/voita/probe/toy.en-de/dev.sum counted=none/prepared/rhe/src/toy.en-de stats=$scratch/r/rhe/statistics.tsv
echo 'of: ; $(foreach f,$(R)/rhe/statistics.tsv,$(call write,$(f),_nothing,_stats-how))' >> of.mk
sed -i '/^of: ;/s/^of: ;/of::;/' of.mk
echo 1a > $probe; for s in train dev test; do echo 2b > $counted/$s.sum; done; : > "$stats"
kept -f "$scratch/of.mk" of > log 2>&1
grep -q ' data=1a$' "$roles.of" && [ "$(tr ' ' '\n' < "$stats.of" | grep -c '^data=2b$')" = 3 ]; say $? 'checksums of the data are signed'
both() { drawn "$scratch/r/voita/roles-updates.svg" && drawn "$stats"; }
both; say $? '... and compared'
echo 1c > $probe; ! drawn "$scratch/r/voita/roles-updates.svg"; say $? 'tables of heads on other parses are made again'
echo 2d > $counted/test.sum; ! drawn "$stats"; say $? '... and statistics of other trees'
rm $probe $counted/*.sum; both; say $? '... but without the data, those of the ledger are kept'
echo 'asked: ; $(foreach *,$(_wanted),$(info $* $(_asked-for)))@:' > asked.mk
for s in few=10 few=99 probe=99; do
	signs -s -f "$scratch/asked.mk" asked _goals=voita voita.${s%=*}.smoke=${s#*=} > asked.$s 2> err
done
for s in few=99 probe=99; do diff asked.few=10 asked.$s | sed -n 's,^> [^/]*/[^/]*/\([^/]*\)/.*,\1,p' | sort -u | xargs; done > differ
for s in 1 2; do echo 'all-gradient confidence gradient relevance'; done | cmp -s - differ
say $? 'runs that mask heads by a measure have its settings'

# Models are not in the ledger.  Here the ledger has one run of heed-plan, with which others begin.
printf '#!/bin/sh\ncase " $* " in (*" --kept "*) cut -f 1 | grep "/base/1$" | sed "s/$/\\tabc/" ;; (*) echo "$@" ;; esac\n' > tree/bin/heed-plan
# begins VARIANT: the models that run-one of this run trains
begins() {
	make --no-print-directory -n -C tree -f pipeline.mk MODE=release PROFILE=smoke DATA="$scratch/toy" R="$scratch/r" W="$scratch/none" \
	    run-one RUN_NAME=voita/toy.en-de/$1/1 > log 2> err
	grep -o 'toy.en-de/[^/]*/1/model.tar [^ ]*train.heed' log | cut -d / -f 2 | xargs > found
}
begins base; [ "$(cat found)" = base ] && ! grep -q 'nmt-translate\|heed-record' log; r=$?
say $r 'run-one of a run in the ledger trains its model, and records nothing'; [ $r = 0 ] || sed 's/^/# /' found err
begins enc-2; [ "$(cat found)" = 'base enc-2' ] && [ "$(grep -c 'heed-record ' log)" = 1 ]; r=$?
say $r '... as does a run that begins with it, if nothing has done so'; [ $r = 0 ] || sed 's/^/# /' found err
signs -n _goals=voita _drawing=again drawn > log 2> err; r=$?
[ $r = 0 ] && grep -q "warning: the ledger lacks 68 of 69 runs" log && grep -q 'warning: left out.*/voita/heads.tsv' log &&
	grep -q ' 68 of the 69 runs are missing' log && grep -q '/base/1/record' log && ! grep -q '/base/2/record\|nmt-train\|head-stat' log
r=$?; say $r 'draw of a ledger that is not complete: the runs that there are'; [ $r = 0 ] || sed 's/^/# /' err
mkdir -p none; signs _goals=voita lacking > log 2> err; grep -q -- "--models $scratch/none/run --" log; r=$?
say $r 'plan asks for missing models'; [ $r = 0 ] || sed 's/^/# /' log err
