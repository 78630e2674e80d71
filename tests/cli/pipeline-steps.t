#!/bin/sh
# pipeline-steps: slots and steps of the pipeline, and the scripts of its tables and figures.
. "$HEED_TOP/tests/lib.sh"
plan 31

here=$(dirname "$(command -v heed-show)")
# Two slots: at most two of four steps run at a time, and all are run.
cat > step <<'END'
mkdir busy.$1; ls -d busy.* | wc -l >> busy; sleep 0.3; rmdir busy.$1; echo $1 >> done
END
: > busy; : > done
for i in 1 2 3 4; do sh "$HEED_TOP/src/papers/lock.sh" slot 2 locks/slot sh step $i & done; wait
that "$(sort -n busy | tail -n 1)" = 2; say $? 'two slots run two steps at a time'
that "$(sort done | tr -d '\n')" = 1234; say $? '... and all steps'
sh "$HEED_TOP/src/papers/lock.sh" slot 1 locks/slot sh -c 'kill -9 $$' 2> /dev/null
runs timeout 10 sh "$HEED_TOP/src/papers/lock.sh" slot 1 locks/slot true
say $? 'a killed step releases its slot'
sh "$HEED_TOP/src/papers/lock.sh" slot 1 locks/slot sh -c 'exit 7'
that $? = 7; say $? 'the status is that of the step'

mkdir none; printf '#!/bin/sh\necho "flock: 9: Function not implemented" >&2; exit 65\n' > none/flock; chmod +x none/flock
PATH=$PWD/none:$PATH runs timeout 10 sh "$HEED_TOP/src/papers/lock.sh" slot 1 locks/slot echo ran > out 2> err
that "$(cat out)" = ran && matches '^slot: warning: no locks in locks' err; say $? 'a step without file locks runs, with a warning'
PATH=$PWD/none:$PATH runs timeout 10 sh "$HEED_TOP/src/papers/lock.sh" alone made '' touch made 2> err && that -e made && matches '^alone: warning' err
say $? '... also one that makes a shared file'
mkdir folder; echo a > folder/settings; : > sums
PATH=$PWD/none:$PATH runs sh "$HEED_TOP/src/papers/begun.sh" folder x sums 5>> folder/lock 2> err && that -e folder/settings.begun && matches '^begun.sh: warning: no locks' err
say $? '... also one that is resumed'

# Output of heavy steps: one line each, and the last lines of a step that fails.
papers=$HEED_TOP/src/papers
cat > steps.mk <<END
all: a b
a b c: ; sh $papers/lock.sh slot 2 w/.slot bash $papers/step.sh w train w/run/\$@/1/model.tar sh step.\$@
END
for s in a b; do echo "echo noise >&2; cat; echo said; sleep 0.1; touch $s" > step.$s; done
echo 'seq 20 >&2; exit 3' > step.c
watch() { sh "$papers/watch.sh" w 2 - make --no-print-directory "$@" -f steps.mk > seen 2> err < /dev/null; }
watch -j2 all; r=$?
sort seen | sed 's/^\(.[12] of 2. train\) [ab]/\1 X/; s/, .*//' > lines
printf '%s\n' '2 steps; logs: w/log' '[1 of 2] train X/1' '[2 of 2] train X/1' | sort | equals - lines &&
	that $r = 0 && that -e a && that -e b && that ! -s err
say $? 'one line for each heavy step'
that "$(cat w/run/a/1/model.tar.log)" = noise && matches -x said w/log; say $? '... other output is in logs'
rm a b; echo 'echo noise >&2; cat; touch b' > step.b; printf 'train 60\n' > w/steps.seconds
watch all; matches '^.1 of 2. train a/1, about 60 s left$' seen; say $? '... the time left is estimated from earlier steps'
watch c; r=$?
that $r = 2 && matches 'train w/run/c/1/model.tar: exit 3; the last lines of w/run/c/1/model.tar.log:' seen &&
	that "$(tail -n 1 seen)" = 20 && lacks -x 10 seen && matches -x 11 seen
say $? 'the last lines and the log of a failed step are printed'
printf 'all: ; @echo why; false\n' > light.mk
sh "$papers/watch.sh" w 2 'light things' make --no-print-directory -f light.mk > seen 2> err; r=$?
that $r = 2 && head -n 1 seen | matches -x 'light things' && matches -x why seen && matches 'the last lines of w/log:' seen
say $? '... also of other commands'
cat > stopped.mk <<END
all:
	echo \$\$PPID > pid
	sh $papers/lock.sh slot 2 w/.slot bash $papers/step.sh w train w/run/x/1/model.tar sh step.x
END
echo 'trap "echo stopped > x; exit 143" TERM; touch began; for i in $(seq 200); do sleep 0.05; done' > step.x
sh "$papers/watch.sh" w 2 - make -f stopped.mk > seen 2> err & watched=$!
i=0; while [ ! -e began ] && [ $((i += 1)) -lt 400 ]; do sleep 0.05; done
kill "$(cat pid)"; wait $watched; that $? != 0 && that "$(cat x)" = stopped
say $? 'a signal reaches the step'
bash "$papers/step.sh" w train w/run/x/1/model.tar sh -c 'echo noise >&2; exit 5' 2> err; r=$?
that $r = 5 && that "$(cat err)" = noise; say $? 'without watch.sh a step only runs its command'

# Fractional gates are counted by head-prune; runs without gates have 0.
mkdir gated plain fake; : > gated/model.tar; : > gated/pruned.tar; : > plain/model.tar
cat > fake/nmt-info <<'END'
#!/bin/sh
case $1 in
gated/model.tar) printf 'attention\tl0-gate:at=enc\n' ;;
gated/pruned.tar) printf 'rounded.fractional\t7\n' ;;
cut/model.tar) printf '%s\t%s\n' config.enc_layers 2 config.dec_layers 2 config.heads 4 removed enc-self.1:1+2/cross.1:1+2+4 ;;
esac
END
chmod +x fake/nmt-info; ln -s "$HEED_TOP/src" src
for run in gated plain; do PATH=$PWD/fake:$PATH sh src/papers/heads.sh $run - | grep fractional; done > found
printf 'gates.fractional\t%s\n' 7 0 | equals - found; say $? 'numbers of rounded gates'
# Two layers of four heads: six are left in the encoder; one and four of cross-attention, eight in the decoder.
PATH=$PWD/fake:$PATH sh src/papers/heads.sh cut - > found
printf '%s\t%s\n' gates.fractional 0 heads.excess -1 heads.layer.dec-self 1.5000 heads.layer.cross 1.8000 | equals - found
say $? 'numbers and layers of retained heads'
rm src

# Labels of variants from two tables.
printf '%s\t%s\t%s\n' section row variant main 'All: gates' all main Base base main 'All: gates' all > t1
printf '%s\t%s\t%s\n' variant row section all 'L0 gates, λ2' b new 'Only here' b > t2
printf '%s\t%s\t%s\n' all 'main: All: gates; b: L0 gates, λ2' 'All: gates' base 'main: Base' Base \
    new 'b: Only here' 'Only here' > want
awk -f "$HEED_TOP/src/papers/names.awk" t1 t2 | equals - want
say $? 'labels of variants'
printf '%s\t%s\n' run heads base 8 all 5 other 3 > heads
awk -f "$HEED_TOP/src/papers/labels.awk" want heads | tr '\t\n' ',;' > found
that "$(cat found)" = 'run,heads;Base,8;All: gates,5;other,3;'; say $? '... replace variants in tables'

# One relation, of which the paper has one direction; head 2 has accuracy .5, the baseline .25.
printf 'nsubj\tdep\t52\t35\n' > paper
{ printf 'site\tlayer\thead\tsyntax.nsubj.dep\tsyntax.nsubj.head\tsyntax.nsubj.base\n'
printf 'enc-self\t1\t%s\t%s\t%s\t.25\n' 1 .4 .3 2 .5 .1; } > heads
awk -f "$HEED_TOP/src/papers/heads-syntax.awk" paper heads | tr '\t\n' ',;' > found
want='relation,direction,best head,accuracy (%),baseline (%),difference,paper, accuracy (%),paper, baseline (%),paper, difference;'
want="${want}nsubj,dependent to head,1.2,50.0,25.0,+25.0,52,35,17;"
that "$(cat found)" = "${want}nsubj,head to dependent,1.1,30.0,25.0,+5.0,,,;"
say $? "best heads next to those of the paper"

# The whole model has three encoder heads and one of cross-attention; both pruned models retain the second one.
head() { printf 'enc-self\t1\t%s\t%s\t.%s\n' "$@"; }
{ { head 1 rare 1; head 2 other 2; head 3 positional 3; printf 'cross\t2\t1\tother\t.4\n'; } | sed 's/^/base\t/'
  { head 2 other 5; head 3 other 6; } | sed 's/^/all-1\t/'; head 2 other 7 | sed 's/^/all-2\t/'; } > retained
runs_table() { awk -f "$papers/heads-runs.awk" -v table="$1" -v file=tab retained; }
runs_table fate | awk -f "$papers/heads-map.awk" -v file=map
tr '\t' , < map.enc-self > found; printf '%s\n' 'encoder self-attention, head,1,2,3' 'layer 1,0 r,2,1 p' | equals - found
say $? 'pruned models that retain each head'
matches '^1 of 3 encoder heads survive all 2 strengths: layer 1 head 2; likewise 0 of 0 decoder heads and 0 of 1 cross' tab.text
say $? '... and the heads that all of them retain'
runs_table roles | tail -n 2 | tr '\t' , > found; printf '%s\n' all-1,2,0,0,0,2,1 all-2,1,0,0,0,1,1 | equals - found
say $? '... with their roles'
runs_table layers; tr '\t' , < tab.cross > found;
printf '%s\n' 'cross-attention,layer 1,layer 2' 'base: 4,0,1' 'all-1: 2,0,0' 'all-2: 1,0,0' | equals - found; say $? '... and their layers'

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
that ! -s missing && lacks 'd[xy]="[-0-9.]*em"' curves.svg; say $? 'labels are drawn unchanged'; cat missing
curves t $r/base/1 -
cut -f 1,2,4,5 points | tr '\t' ' ' | tail -n 2 > found
printf 'dev NLL, my_c@x.en-de@50 Base_1 %s\n' '40 2.5' '60 2.25' | equals - found; say $? 'points far above the end are left out'
cp c/p/my_c@x.en-de@50/base/1.tsv kept; printf '50\t\t9\n' >> c/p/my_c@x.en-de@50/base/1.tsv; sort -n -o c/p/my_c@x.en-de@50/base/1.tsv c/p/my_c@x.en-de@50/base/1.tsv
curves t $r/base/1 -; cut -f 4,5 points | tr '\t' ' ' | tail -n 3 | paste -s -d , > found
that "$(cat found)" = '40 2.5,50 2.75,60 2.25'; say $? '... but later ones are at the limit'; sed 's/^/# /' found; cp kept c/p/my_c@x.en-de@50/base/1.tsv
printf '10\t2.7\t\n20\t2.5\t2.25\n' > c/p/my_c@x.en-de@50/base/1.tsv
curves t $r/base/1 - u $r/base/1 -
cut -f 1,2 points | sed 1d | sort | uniq -c | awk '{ $1 = $1; print }' > found
for t in t u; do for n in '1 %s Base_1' '2 %s Base_1, training'; do
	printf "$n\n" "dev NLL, $t, my_c@x.en-de@50"; done; done | cmp -s - found; r1=$?
say $r1 'one panel per table; a single run has its training curve'; [ $r1 = 0 ] || sed 's/^/# /' found

# Medians of three rounds; the third column is computed from the second.
printf '%s\n' 'a 9 2 1 0' 'b 8 2 1 0' 'a 10 2 1 0' 'b 11 2 1 0' 'a 12 2 1 0' 'b 9 2 1 0' > rounds
printf '%s\t%s\t%s\n' run sentences/s speed-up a 9.1 1.00 b 10.0 1.10 > want
awk -v n=100 -f "$HEED_TOP/src/papers/speed.awk" rounds > speed
equals want speed; say $? 'the speed-up is the ratio of the medians as printed'

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
that "$(tr -s ' ' < lengths)" = ' 240 4' && cut -f 1 speed | tr '\n' ' ' | matches -x 'run a b ' &&
	matches '^a	[0-9.]*	\(1.00\)*$' speed
say $? 'models are timed on translations of the same length'
cat > programs/nmt-translate <<END
#!/bin/sh
case \$* in *abc.heed) exit 4 ;; esac
exec "$here/nmt-translate" "\$@"
END
ends 4 bash "$HEED_TOP/src/papers/speed.sh" abc.heed a=1.tar > speed 2> err; say $? '... and none of them if a translation fails'

