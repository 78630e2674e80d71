#!/bin/sh
# pipeline-again: what is made again after a change of a paper or of the ledger, and that nothing else is.
. "$HEED_TOP/tests/lib.sh"
plan 15

mkdir -p data/toy; copy_pipeline house
for s in train dev test; do for l in en de; do seq 300 | awk '{ print "a b", $1 % 9, "c ." }' > data/toy/$s.$l; done; done
printf '%s\n' 'section table1 T' 'columns bleu:- test.nll:-' 'plain - - - P' 'b plain - - B' > house/src/papers/mine.grid
# paper LINE...: its settings
paper() { printf '%s\n' 'updates = 10' 'validate = 5' 'variant.plain =' 'variant.b =' "$@" > house/src/papers/mine.conf; }
# pipeline TARGET SETTING...
pipeline() {
	make --no-print-directory -C house -f pipeline.mk THREADS=1 PROFILE=smoke SEEDS=1 MORE_SEEDS=1 DRAFTS=1 W="$scratch/w" R="$scratch/r" \
	    "$@" > out 2> err || { tail -n 5 out | sed 's/^/# /'; false; }
}

# Settings of tables, figures and reports.
set -- 'plots = table1' 'also = trace-t'
paper "$@" 'title = Mine' 'over.table1 = updates training updates' 'trace.t = table1 dev.nll' 'caption.table1 = One'
runs pipeline reproduce-mine DATA="$scratch/data/toy"; say $? 'a paper is made'
cp -r r first
paper "$@" 'title = Yours' 'over.table1 = tokens TOKENS' 'trace.t = table1 nll' 'caption.table1 = Two'
runs pipeline draw && matches 'TOKENS' r/mine/table1.svg && matches 'Two' r/mine/table1.svg; say $? 'a plot is made again with another axis and caption'
differ first/mine/trace-t.tsv r/mine/trace-t.tsv; say $? '... a trace with other values'
matches '<title>Yours' r/mine/report.html && lacks Mine r/mine/report.html; say $? '... and a report with another title'
dated() { find r/mine -name '*.svg' -printf '%p %T@\n' -o -name '*.tsv' -printf '%p %T@\n' -o -name report.html -printf '%p %T@\n' | sort; }
dated > before; runs pipeline draw && dated | equals before -; say $? '... and with the same settings, nothing is'

# An entry that replaces another, as a copy with its old time.
entry=r/mine/run/toy.en-de/b/1/record
awk -F '\t' -v OFS='\t' '$1 == "test.nll" { $2 = "1.2345" } { print }' $entry > other; touch -d '1 day ago' other; cp -p other $entry
runs pipeline draw && matches '1[.]234' r/mine/table1.md && matches '1[.]2345' r/mine/runs.jsonl; say $? 'an entry with an older time replaces its scores'
dated > before; runs pipeline draw && dated | equals before -; say $? '... once'

# The stored command, from which draw takes its settings, and that of a planned run.
cp -r data/toy data/help; ln -s toy data/link; link=$scratch/data/link help=$scratch/data/help
export PAIR=en-de SYSTEMS=plain
runs pipeline prepare reproduce-mine DATA="$link $help" && matches "CORPUS='toy help'" r/mine/command; say $? 'the names of corpora are those of their folders, help among them'
matches "PAIR='en-de'" r/mine/command && matches "SYSTEMS='plain'" r/mine/command; say $? '... and settings of the environment are stored'
runs pipeline plan reproduce-mine DATA="$help" && matches "PAIR='en-de' .*SYSTEMS='plain' .*run-one RUN_NAME=mine/help.en-de/plain/1" out
say $? '... and are in the commands of plan'
unset PAIR SYSTEMS
runs pipeline prepare reproduce-mine DATA="$help" && lacks CORPUS r/mine/command; say $? 'a folder help has the name of the corpus by default'

# A folder with the name of a fetched corpus, before and after that.
mkdir fake; cat > fake/corpus-align <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
for s in train dev test; do for l in en de; do echo "fetched $s $l" > "$2.$s.$l"; done; done
END
printf '#!/bin/sh\necho package\n' > fake/corpus-fetch; chmod +x fake/*; ln -s "$HEED_TOP"/bin/* fake 2> /dev/null
raw=$scratch/w/text/help.en-de/dev.src.raw
# text SETTING...: makes the text
text() {
	for goal in planned "$raw"; do
		PATH=$scratch/fake:$PATH make --no-print-directory -C house -f pipeline.mk _goals=mine PROFILE=smoke W="$scratch/w" R="$scratch/r" \
		    "$@" $goal > out 2>&1 || sed 's/^/# /' out
	done
}
text DATA="$help"; equals "$raw" data/help/dev.en; say $? 'the text of a folder'
text; echo 'fetched dev en' | equals - "$raw"; say $? '... is replaced by that of a fetched corpus of the same name'
touch -d '1 hour ago' then "$raw" "${raw%.raw}.found"; touch -r then "$raw"; text; that ! "$raw" -nt then; say $? '... which is not made again'
text DATA="$help"; equals "$raw" data/help/dev.en; say $? '... and replaced by that of the folder'
