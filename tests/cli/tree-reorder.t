#!/bin/sh
# tree-reorder: orders by hand and, for random trees, by a recursive program; sentences without a tree; fields of
# the previous target.
. "$HEED_TOP/tests/lib.sh"
plan 17

# "She sees a big dog": sees is the root, with she and dog; dog has a and big.  The second tree has two roots.
{
	echo '["heed",1,"sentence",{"fields":{"id":"int","src":"str","src.heads":"[int]","tgt":"str","tgt.pieces":"[str]"}}]'
	echo '{"id":1,"src":"she sees a big dog","src.heads":[2,0,5,5,2],"tgt":"x","tgt.pieces":["x"]}'
	echo '{"id":2,"src":"a b c d","src.heads":[0,1,0,3],"tgt":"x","tgt.pieces":["x"]}'
	echo '{"id":3,"src":"no tree here","tgt":"x","tgt.pieces":["x"]}'
	echo '{"id":4,"src":"","src.heads":[],"tgt":"x","tgt.pieces":["x"]}'
	echo '["heed-end",4]'
} | heed-pack -j --no-pg > s.heed
printf '%s\n' 'she a big dog sees' 'b a d c' 'no tree here' '' > want
same 'head-final' want 'tree-reorder -q s.heed | heed-show -f tgt'
printf '%s\n' 'sees she dog a big' 'a b c d' 'no tree here' '' > want
same 'head-initial' want 'tree-reorder -q --order head-initial < s.heed | heed-show -f tgt'
printf '%s\n' '0-0 2-1 3-2 4-3 1-4' '1-0 0-1 3-2 2-3' '0-0 1-1 2-2' '' > want
same 'the links between both sides' want 'tree-reorder -q s.heed | heed-show -f alignment'
tree-reorder s.heed 2>&1 > out.heed | matches '^tree-reorder: 1 of 4 sentences have no src.heads'; say $? 'sentences without a tree are reported'
tree-reorder -q s.heed 2> err > out.heed; that ! -s err; say $? '... not with -q'
heed-check --list out.heed | lacks tgt.pieces; say $? 'fields of the previous target are removed'
heed-check --list out.heed | matches 'alignment' ; say $? '... and the links are declared'
tail -n 4 want > s.en; heed-pack --languages en-de s.en s.en | parse -q --control random | tree-reorder -q | heed-show -H > header
lacks '"de"' header && matches '"src.language":"en","tgt.language":"en"' header; say $? 'the language of the target is that of the source'
heed-pack --languages none s.en s.en | parse -q --control random | tree-reorder -q | heed-show -H | lacks '[.]language'; say $? '... unknown if that is unknown'

# Random trees, by recursion.
awk 'BEGIN { for (s = 0; s < 300; s++) { for (i = 0; i < 1 + s % 13; i++) { x = (x * 16807 + 11) % 2147483647
	printf "%s%d", i ? " " : "", x % 90 } print "" } }' > words
heed-pack words | parse -q --control random > random.heed
for o in head-final head-initial; do
	heed-show -f src,src.heads random.heed | perl -e 'my $o = shift; our (@w, $final); $final = $o eq "head-final"; our %kids; our @out;
		sub walk { my $i = shift; push @out, $w[$i - 1] if $i && !$final; walk($_) for @{$kids{$i} // []}; push @out, $w[$i - 1] if $i && $final }
		while (<STDIN>) { chomp; my ($s, $h) = split /\t/; @w = split / /, $s; my @h = split / /, $h; @out = (); %kids = ();
			push @{$kids{$h[$_]}}, $_ + 1 for 0 .. $#h; walk(0); print "@out\n" }' $o > want
	same "random trees: $o" want "tree-reorder -q --order $o random.heed | heed-show -f tgt"
done
# A chain of 20,000 words, which recursion would not survive in little memory.
perl -e 'print qq(["heed",1,"sentence",{"fields":{"src":"str","src.heads":"[int]"}}]\n{"src":"), join(" ", 1 .. 20000), qq(","src.heads":[),
	join(",", 0 .. 19999), qq(]}\n["heed-end",1]\n)' | heed-pack -j > chain.heed
tree-reorder -q chain.heed | heed-show -f tgt | tr ' ' '\n' > out; seq 20000 -1 1 | equals - out; say $? 'a deep tree'

# How much the order differs, by align-score.
printf '%s\n' '0-0 1-1 2-2' '0-2 1-1 2-0' '0-0 1-2 2-1 2-1' '5-5' '' '0-0 0-1 1-0' > links
printf 'file\tsentences\tlinks\tcrossing\terror\nlinks\t4\t13\t0.4167\t0.2097\n' > want
same 'the share of pairs of links that cross' want 'align-score --crossing links'
tree-reorder -q random.heed | heed-show -f alignment > links
perl -ne 'my @l = map { [split /-/] } split; my ($x, $p) = (0, 0); for my $i (0 .. $#l) { for my $k (0 .. $i - 1) { $p++;
	$x++ if ($l[$i][0] - $l[$k][0]) * ($l[$i][1] - $l[$k][1]) < 0 } } if ($p) { $s += $x / $p; $n++ } END { printf "%.10f\n", $s / $n }' links > want
same '... by another program' want 'align-score --crossing -b crossing -w 10 links'
same '... of a stream' want 'tree-reorder -q random.heed | align-score --crossing -b crossing -w 10'
exits 2 'gold alignments with --crossing are a usage error' 'align-score --crossing -r links links'
exits 2 'neither of both, too' 'align-score links'
