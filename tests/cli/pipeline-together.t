#!/bin/sh
# pipeline-together: several makes in one folder or with one ledger; a base model that changes; clocks.
. "$HEED_TOP/tests/lib.sh"
plan 11

mkdir -p data/toy; copy_pipeline house
for s in train dev test; do for l in en de; do seq 100 | awk '{ print "a b", $1 % 9, "c ." }' > data/toy/$s.$l; done; done
printf '%s\n' 'section table1 T' 'columns bleu:-' 'plain - - - P' 'warm plain - - W' > house/src/papers/mine.grid
printf '%s\n' 'title = Mine' 'validate = 5' 'variant.plain =' 'variant.warm = --dropout 0.1' 'begin.warm = plain' \
    'variant.guided = -a guided-alignment' 'aligned.guided = plain' > house/src/papers/mine.conf
echo 'guided plain - - G' >> house/src/papers/mine.grid
# pipeline TARGET SETTING...
pipeline() {
	make --no-print-directory -C house -f pipeline.mk THREADS=1 PROFILE=smoke SEEDS=1 MORE_SEEDS=1 DRAFTS=1 MERGES=20 DATA="$scratch/data/toy" \
	    W="$scratch/w" R="$scratch/r" "$@"
}
# one RUN SETTING...: its record
one() {
	name=mine/toy.en-de/$1/1; shift
	pipeline run-one RUN_NAME=$name "$@" > out 2> err || { tail -n 5 out | sed 's/^/# /'; false; }
}
fact() { sed -n "s/^$1	//p" r/mine/run/toy.en-de/$2/1/record; }

# While a training has ended, but not its make, another one wants other settings.
pipeline prepare reproduce-mine > out 2>&1
cat > hold <<END
#!/bin/sh
"\$@" && : > $scratch/trained && while [ ! -e $scratch/go ]; do sleep 0.05; done
END
chmod +x hold
pipeline run-one RUN_NAME=mine/toy.en-de/plain/1 UPDATES=4 RUN="$scratch/hold" > first 2>&1 & first=$!
i=0; while [ ! -e trained ] && [ $((i += 1)) -lt 1200 ]; do sleep 0.05; done
ends 1 one plain UPDATES=6 && matches 'begun.sh: .*/plain/1 is in use by another make, expected no other' err
say $? 'a run that another make trains is refused'
: > go; ends 2 wait $first && matches 'model.tar is removed: another make has changed its settings or data' first && that ! -e w/run/mine/toy.en-de/plain/1/model.tar
say $? '... and its model is not taken as one of the new settings'
runs one plain UPDATES=6 && that "$(fact updates plain)" = 6; say $? '... which are trained then'

# A base model with other settings
runs one warm UPDATES=6 && runs one guided UPDATES=6; say $? 'runs that begin with a base model, or are aligned by it'
for run in warm guided; do
	before=$(fact after $run)
	runs one $run UPDATES=6 mine.variant.plain='--dropout 0.3' && that "$(fact after $run)" != "$before"
	say $? "... are trained again with another one: $run"
done
that "$(fact test.nll warm)" != "$(fact test.nll guided)" && that -n "$(fact test.nll warm)"; say $? '... each as itself'

# A make that is stopped before the new file is in place does not sign the old one; names are those of this make.
mkdir fake; cat > fake/mv <<END
#!/bin/sh
echo "\$@" >> $scratch/moved
case \$* in *walk.html.gz) exit 9 ;; esac
exec /bin/mv "\$@"
END
chmod +x fake/mv; PATH=$scratch/fake:$PATH pipeline reproduce-mine SYSTEMS=plain UPDATES=6 > out 2> err; r=$?
that $r = 2 && that ! -e r/mine/walk.html.gz.of && that ! -e r/mine/walk.html.gz; say $? 'a file that is not in place has no signature'
matches 'walk.html.gz[.][0-9]*-[^ ]*[.]tmp ' moved && lacks 'gz[.]tmp \|record[.]tmp ' moved; say $? '... and until then a name of this make'

# A clock that was ahead is corrected.
touch -d '+1 hour' w/run/mine/toy.en-de/plain/1/model.tar
ends 2 pipeline reproduce-mine SYSTEMS=plain UPDATES=8 > out 2> err && matches 'plain/1/model.tar: dated in the future, expected no file later than the clock' err
say $? 'a file that is dated in the future is refused'
sed -n 's/.* give such files an early time: //p' err > hint; (cd house && sh ../hint)
runs one plain UPDATES=8 && that "$(fact updates plain)" = 8
say $? '... and with the time of the hint, changed settings are noticed'
