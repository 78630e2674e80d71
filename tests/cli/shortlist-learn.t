#!/bin/sh
# shortlist-learn and nmt-translate --shortlist: probabilities of another implementation of IBM
# model 1; translations among candidates; malformed files.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/toy-model.sh"
plan 43

tr='nmt-translate -q -m model.tar'
learn='shortlist-learn -q -m model.tar'

runs $learn -o list t.heed; say $? 'a shortlist is learned'
$learn < t.heed | equals - list; say $? '... also from standard input'
head -n 1 list | matches -x "heed-shortlist 1 $(($(wc -l < list) - 1))"; say $? 'the first line counts the other lines'
nmt-info --vocabulary src model.tar | sort > types; sed 1,2d list | cut -f 1 | sort | equals - types
say $? 'all source entries have a line'

# Another implementation, with tables of all pairs.
heed-show -f src.pieces,tgt.pieces t.heed > pairs
perl - pairs 3 0.01 > right <<'END'
my ($file, $rounds, $min) = @ARGV;
my (@pairs, %t, %vocab);
open(my $in, '<', $file) or die;
while (<$in>) {
	chomp;
	my ($s, $t) = map { s/[\[\]",]//gr } split /\t/;
	my @s = split ' ', $s; my @t = split ' ', $t;
	push @pairs, [['', @s], [@t]];
	$vocab{$_} = 1 for @s;
	for my $f (@t) { $t{$_}{$f} = 1 for ('', @s) }
}
for (1 .. $rounds) {
	my (%c, %total);
	for my $p (@pairs) {
		for my $f (@{$p->[1]}) {
			my $sum = 0;
			$sum += $t{$_}{$f} for @{$p->[0]};
			for my $e (@{$p->[0]}) { $c{$e}{$f} += $t{$e}{$f} / $sum; $total{$e} += $t{$e}{$f} / $sum }
		}
	}
	for my $e (keys %c) { $t{$e}{$_} = $c{$e}{$_} / $total{$e} for keys %{$c{$e}} }
}
for my $e (sort keys %vocab) {
	for my $f (sort keys %{$t{$e}}) { print "$e $f\n" if $t{$e}{$f} > $min && $f ne $e }
}
END
$learn --iterations 3 --min-probability 0.01 t.heed | sed 1,2d | awk -F '\t' '{ n = split($2, w, " "); for (i = 1; i <= n; i++) if (w[i] != $1) print $1, w[i] }' |
	LC_ALL=C sort > found
LC_ALL=C sort right | equals - found && that "$(wc -l < found)" -gt 30; say $? 'translations are those of another implementation of IBM model 1'
$learn --iterations 3 --min-probability 0.2 t.heed | sed 1,2d | awk -F '\t' '{ n = split($2, w, " "); for (i = 1; i <= n; i++) if (w[i] != $1) print $1, w[i] }' |
	LC_ALL=C sort > few; LC_ALL=C sort found few | uniq -c | awk '$1 == 2' | wc -l > both
that "$(cat both)" = "$(wc -l < few)" && that "$(wc -l < few)" -lt "$(wc -l < found)" && that -s few
say $? 'a higher minimum leaves a part of them'
$learn --best 2 --min-probability 0 t.heed | sed 1,2d | computes - -F '\t' '{ if (split($2, w, " ") > 3) bad = 1 } END { exit bad || !NR }'
say $? '--best limits their number, except the entry with the same text'
heed-show -f tgt.pieces t.heed | sed 's/[]",[]//g' | tr ' ' '\n' | LC_ALL=C sort | uniq -c | sort -s -k 1nr | awk 'NR <= 2 { print $1 }' > top
$learn --frequent 2 t.heed | sed -n 2p | cut -f 2 | tr ' ' '\n' | while read -r w; do heed-show -f tgt.pieces t.heed | sed 's/[]",[]//g' | tr ' ' '\n' | grep -cxF -- "$w"; done > tops
equals top tops; say $? '--frequent takes the most frequent entries'

# all entries
{ echo 'heed-shortlist 1 1'; printf '\t'; nmt-info --vocabulary tgt model.tar | paste -s -d ' ' -; } > all
for p in fp32 int8; do
	$tr --precision $p t.heed | heed-show -f hyp,hyp.score > $p.full
	$tr --precision $p --shortlist all t.heed | heed-show -f hyp,hyp.score > $p.all
done
that -s int8.full && equals int8.full int8.all; say $? 'with all entries as candidates, int8 has the same bits as without a shortlist'
paste fp32.full fp32.all | computes - -F '\t' '{ d = $2 - $4; if ($1 != $3 || d * d > 1e-10) bad = 1 } END { exit bad || NR != 6 }'
say $? '... and fp32 the same translations, with scores up to rounding'

# candidates
same 'the learned shortlist has the right translations' t.de "$tr --shortlist list t.heed | heed-show -f hyp"
same '... also in int8' t.de "$tr --shortlist list --precision int8 t.heed | heed-show -f hyp"
printf 'heed-shortlist 1 1\n\tein\n' > ein
$tr --shortlist ein t.heed | heed-show -f hyp | tr ' ' '\n' | sort -u > words
matches '^ein$' words && lacks -vE '^(ein|<unk>|)$' words; say $? 'translations consist only of candidates'
printf 'heed-shortlist 1 2\n\tein\nhouse\tHa@@ u@@ s\n' > house
$tr --shortlist house t.heed | heed-show -f hyp > with
that "$(grep -n Haus with | cut -d : -f 1 | tr '\n' ' ')" = '2 5 '; say $? '... of their own source'
$tr --shortlist ein --prefix Hund t.heed | heed-show -f hyp > with; that "$(wc -l < with)" = 6 && lacks -v '^Hund' with; say $? 'the tokens of a prefix are candidates'
for p in fp32 int8; do
	$tr --precision $p --shortlist list t.heed | heed-show -f hyp,hyp.score > one
	$tr --precision $p --shortlist list -t 3 --batch-tokens 1 t.heed | heed-show -f hyp,hyp.score | equals - one && that -s one
	say $? "$p: the same scores with three threads and one sentence per batch"
	$tr -m model.tar --precision $p --shortlist list t.heed | heed-show -f hyp,hyp.score | equals - one
	say $? "an ensemble of the model with itself has the same scores ($p)"
	$tr --precision $p --shortlist ein --sample --temperature 9 t.heed | heed-show -f hyp > sampled
	tr ' ' '\n' < sampled | sort -u | comm -23 - words > others
	that "$(wc -l < sampled)" = 6 && that ! -s others; say $? "samples are among the candidates ($p)"
	$tr --precision $p --shortlist list --beam 1 t.heed | heed-show -f hyp > greedy; equals t.de greedy
	say $? '... and greedy search finds the translations'
done

# malformed files
refused() { # 'name' 'message' contents
	printf "$3" > bad
	exits 3 "$1" "$tr --shortlist bad t.heed"
	matches "bad: line $2" err; say $? '... and the message names the line'
}
refused 'a file without its first line is refused' '1: expected .heed-shortlist 1. and the number of lines' 'a\tein\n'
: > bad; exits 3 'an empty file is refused' "$tr --shortlist bad t.heed"
matches "bad: file is empty, expected 'heed-shortlist 1'" err && matches 'hint: shortlist-learn' err; say $? '... and the message says so'
refused 'another version is refused' '1: expected .heed-shortlist' 'heed-shortlist 2 1\n\t\n'
refused 'a truncated file is refused' '2: the file ends, expected 2 more lines' 'heed-shortlist 1 3\n\tein\n'
refused 'a file with more lines is refused' '3: more than 1 line' 'heed-shortlist 1 1\n\tein\na\tein\n'
refused 'an unknown target entry is refused' "2: 'Katze' is not in the model's target vocabulary" 'heed-shortlist 1 1\n\tein Katze\n'
refused 'an unknown source entry is refused' "3: 'cat' is not in the model's source vocabulary" 'heed-shortlist 1 2\n\tein\ncat\tein\n'
refused 'a duplicate entry is refused' '2: duplicate target entry' 'heed-shortlist 1 1\n\tein ein\n'
refused 'a line without a tab is refused' '2: no tab' 'heed-shortlist 1 1\nein\n'
exits 2 'a model is required' "shortlist-learn t.heed"
exits 4 'a full disk is an error' "$learn -o /dev/full t.heed"
