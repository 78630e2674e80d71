#!/bin/sh
# heed-plan: the files of --make, and combinations of options; heed-record.t tests lists of runs, pipeline.t the rules.
. "$HEED_TOP/tests/lib.sh"
plan 34
top=$HEED_TOP/
make="heed-plan --top '$top' --papers demo PROFILE=smoke"

# --- --make writes all files or none ---
echo precious > wanted
fails 2 'rules that cannot be written' 'RUN_NAME=nosuch: expected one of the runs that plan lists' "$make --make mk RUN_NAME=nosuch"
that "$(cat wanted; ls mk 2> err.ls)" = precious; say $? '... replace no list'
runs sh -c "$make --make mk" > out 2> err && matches '^demo/help.en-de/plain/1	' wanted && that -s mk && that -s options && that -s papers
say $? 'the rules and lists are written, without further settings'
for name in wanted options cksums papers command; do ends 2 sh -c "$make --make ./$name" 2> err && matches 'the name of a list next to the rules' err || echo $name; done > bad
that ! -s bad; say $? 'rules are not written over one of the lists'

# --- options without effect ---
runs sh -c "$make --make mk WALK=4 WALK=5" > out 2> err && matches 'middling.sh $< 5' mk
say $? 'of a setting that is given again, the last value counts'
fails 2 'options of rules, with a list of runs' '--papers without --make or --check' "heed-plan --papers x wanted"
fails 2 '... --top' '--top without --make or --check' "heed-plan --top '$top' wanted"
fails 2 '... and --draw' '--draw without --make or --check' "heed-plan --draw wanted"
for o in '--ledger .' '--command x' '--timed .' '--models .' --kept --strict; do
	ends 2 sh -c "$make --check $o" 2> err && matches -e '--.* has no effect with --check' err || echo "$o"
done > bad
that ! -s bad; say $? 'options of lists of runs, with --check'
fails 2 '--make and --check' '--check has no effect with --make' "$make --check --make mk"

fails 2 'a folder without papers' 'there is no profile nosuch/src/profiles/cpu.conf, expected --top' 'heed-plan --check --top nosuch/'

# --- searches that depend on each other ---
search="heed-plan --top '$top' --papers dhicm PROFILE=smoke --make mk dhicm.after.module=retune"
fails 2 'a cycle of three searches' 'expected a search that does not depend on this one' "$search dhicm.after.tune=module dhicm.after.retune=tune"
runs sh -c "$search dhicm.after.retune=tune" 2> err; say $? '... but not a chain of four'

# --- folders whose names have wildcards ---
mkdir 'a[1]' 'a[1]/data'
for s in train dev test; do for l in en de; do echo a > "a[1]/data/$s.$l"; done; done
ln -s "$HEED_TOP" 'a[1]/top'
runs sh -c "cd 'a[1]' && heed-plan --top '$PWD/a[1]/top/' --papers demo PROFILE=smoke DATA=data --make mk" 2> err && matches 'data/train.en' 'a[1]/mk'
say $? 'texts, papers and profiles in folders whose names have wildcards'
rm 'a[1]/data/dev.de'
fails 3 '... which messages name' 'expected one of these files: ' "cd 'a[1]' && heed-plan --top '$top' --papers demo PROFILE=smoke DATA=data --make mk"

# --- lists of runs ---
list() { printf '%s\t%s\t-\t%s\n' "$@" > list; }
for name in t/t.en-de/a/y t/t.en-de/a/01 't/t.en-de/a b/1' 't/t.en-de/a/1 2'; do
	list "$name" - x; fails 3 "the name $name is refused" 'list: line 1: expected paper/column/variant/seed' 'heed-plan -q list'
done
list t/search/t.en-de/tune - x t/t.en-de/a/0 - '--updates @base+20' t/t.en-de/b/10 - '--updates @base trainings=3'
runs heed-plan -q list > out; say $? '... not that of a search, and seeds 0 and 10'
for settings in '--updates -5' '--updates nan' '--updates 1e3' '--updates @base+x' 'x trainings=-3'; do
	list t/t.en-de/a/1 - x t/t.en-de/a/2 - "$settings"
	fails 3 "$settings is refused" "list: line 2: ${settings#x }, expected a number" 'heed-plan -q list'
done
seq 300 | sed 's,.*,t/t.en-de/a/&\t-\t-\tx,' > list
runs sh -c 'heed-plan list > both 2>&1'; matches '^heed-plan: 300 of 300 runs to make' both && that $(grep -c "^[0-9.]*	t/t.en-de/a/[0-9]*	-	t/t.en-de/a/[0-9]*\$" both) = 300
say $? 'the list and the sum in one file'
list t/t.en-de/a/1 - x t/t.en-de/b/1 t/t.en-de/c/1 x
fails 2 'a dependency that is not in the list' 'list: line 2: t/t.en-de/b/1 depends on t/t.en-de/c/1, which is not' 'heed-plan -q list'
list t/t.en-de/a/1 - x t/t.en-de/b/1 t/t.en-de/b/1 x
fails 2 '... or on itself' 'list: line 2: t/t.en-de/b/1 depends on itself' 'heed-plan -q list'
list t/t.en-de/a/1 - x t/t.en-de/b/1 't/t.en-de/a/1 t/t.en-de/c/1' x
fails 2 '... after one that the ledger lacks' 'list: line 2: t/t.en-de/b/1 depends on t/t.en-de/c/1, which is not' 'heed-plan -q list'
list t/t.en-de/a/1 - x t/t.en-de/b/1 't/t.en-de/a/1 t/t.en-de/c/1' x t/t.en-de/c/1 't/t.en-de/a/1 t/t.en-de/b/1' x
fails 2 '... also in a cycle' 'list: line 2: t/t.en-de/b/1 depends on itself' 'heed-plan -q list'
for o in 'ledger list' 'models list' 'timed nosuch'; do
	fails 2 "--$o, which is no folder" "--$o: this is no folder, expected one" "heed-plan -q --$o list"
done
fails 2 'a command that would end the cell' 'expected a text without tabs and line ends' "heed-plan -q --command '$(printf 'a\tb')' list"
