#!/bin/sh
# roles-updates: role measures of each head at each update, and the points of their figure.
. "$HEED_TOP/tests/lib.sh"

plan 8
papers=$HEED_TOP/src/papers

# model UPDATE ARCS: "layer head positional dep base head2 rare2 confidence" of heads, then one of the decoder
model() {
	{ printf 'arcs\tnsubj\t40\narcs\tadvmod\t%s\n' "$2"
	  printf 'site\tlayer\thead\tpositional\toffset\tsyntax.nsubj.dep\tsyntax.nsubj.base\tsyntax.advmod.head'
	  printf '\tsyntax.advmod.base\trare2\tconfidence\trole\n'
	  while read -r l h p d b a r c; do
		printf 'enc-self\t%s\t%s\t%s\t-1\t%s\t%s\t%s\t0.5\t%s\t%s\tother\n' $l $h $p $d $b $a $r $c
	  done | sed 's/\t_\t/\t\t/g'
	  printf 'dec-self\t1\t1\t0.99\t-1\t\t\t\t\t\t0.9\tpositional\n'; } | sed "s/^/$1\t/"
}
{ printf '1 1 0.2 0.30 0.4 0.9 0.6 0.1\n1 2 0.4 0.45 0.4 0.2 0.3 0.2\n2 1 0.1 0.20 0.4 0.1 _ 0.3\n' | model 100 8
  printf '1 1 0.3 0.55 0.4 0.9 0.7 0.2\n1 2 0.9 0.45 0.4 0.2 0.3 0.4\n2 1 0.2 0.25 0.4 0.1 _ 0.5\n' | model 200 30
} | awk -f "$papers/roles-updates.awk" > roles
printf '100\t1\t2\t0.4\t-1\t0.05\tnsubj.dep\t0.3\t0.2\tother\n' > want
sed -n 3p roles | equals - want; say $? 'measures of a head, the relation minus its baseline'
sed -n 2p roles | cut -f 6,7 | matches -x -- "-0.1	nsubj.dep"; say $? 'a relation with fewer than 30 dependencies does not count'
sed -n 5p roles | cut -f 6,7 | matches -x "0.4	advmod.head"; say $? '... with 30 it does'
sed -n 4p roles | cut -f 8 | matches -x -- -; say $? '- marks a missing measure'
that "$(wc -l < roles)" = 7; say $? 'only encoder heads are listed'

awk -f "$papers/roles-plot.awk" roles > plot
matches -x "Most frequent offset, share of rows	layer 1	line	200	0.9	-	-" plot; say $? 'a line is the maximum over the heads of its layer'
matches -x "Most frequent offset, share of rows	all heads	band	100	0.2	0.1	0.4" plot
say $? 'the band is minimum, median and maximum'
heed-plot plot | grep -c '> *\(positional\|syntactic\|rare\) ≥ 0.[159]</text>' | matches -x 3; say $? 'thresholds are drawn as levels'
