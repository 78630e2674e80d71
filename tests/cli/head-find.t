#!/bin/sh
# head-find: error rates, shares of weights, copies and losses are those of a Perl script that reads the weights which
# head-map prints, and of nmt-score; sets are chosen on one half of the sentences and scored on the other.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 34

pairs 10 5 dev; pairs 120 1 train
runs toy --updates 40 -o model.tar train.heed; say $? 'a model'
runs word-align -q dev.heed > dev.align; say $? 'alignments'
for rows in predicts reads; do
	runs head-find -q -m model.tar --align dev.align --rows $rows --random 3 --to json dev.heed > $rows.json && that -s $rows.json; say $? "rows: $rows"
done

# The weights of both heads in all sentences, with the rows and columns of end tokens
for i in $(seq 10); do for h in 1 2; do
	head-map -m model.tar --site dec.1.cross --heads $h --target ref --id $i --to tsv dev.heed | sed "1d; s/^head /$i	/"
done; done > weights
heed-show dev.heed > dev.json
cat > expected.pl <<'END'
use strict; use warnings; use JSON::PP; use Encode;
my $only = @ARGV && $ARGV[0] eq 'only' && shift; my ($rows, $set) = @ARGV; my (@rec, @gold, %w, %score); my $letter = qr/[\p{Alphabetic}\p{Nd}]/;
open my $in, '<', 'dev.json'; while (<$in>) { push @rec, decode_json($_) if /^\{/ }
open $in, '<', 'dev.align'; while (<$in>) { push @gold, { map { $_ => 1 } split } }
open $in, '<', 'weights'; while (<$in>) { my ($s, $h, $q, $k, undef, undef, $x) = split /\t/; $w{$s, $h}[$q - 1][$k - 1] = $x }
# aer SENTENCES HEAD...: of the mean of the heads
sub aer { my ($which, @head) = @_; my ($all, $sure) = (0, 0);
	for my $s (@$which) { my $r = $rec[$s]; my ($u, $v) = @$r{"src.word", "tgt.word"}; my @sum;
		for my $h (@head) { my $x = $w{$s + 1, $h}; my $token = $r->{"src.pieces"};
			$x = [map { my $row = $_; my $all = 0; $all += $row->[$_] for grep { $token->[$_] =~ /$letter/ } 0 .. $#$u;
				[map { $token->[$_] =~ /$letter/ && $all ? $row->[$_] / $all : 0 } 0 .. $#$u] } @$x] if $only;
			for my $t (0 .. $#$v) { my $row = $x->[$rows eq 'reads' ? $t + 1 : $t]; $sum[$v->[$t]][$u->[$_]] += $row->[$_] for 0 .. $#$u } }
		for my $t (0 .. $#sum) { my ($best) = sort { $sum[$t][$b] <=> $sum[$t][$a] } 0 .. $#{$sum[$t]}; $all++; $sure++ if $gold[$s]{"$best-$t"} } }
	my $g = 0; $g += keys %{$gold[$_]} for @$which;
	return 1 - 2 * $sure / ($all + $g) }
my (%special, %content, %first, %copy, $can, $n); $can = 0;
for my $s (0 .. $#rec) { my $r = $rec[$s]; my $token = $r->{"src.pieces"}; my $len = @{$r->{"tgt.pieces"}}; $n += $len;
	for my $q (0 .. $len - 1) { my $want = $r->{"tgt.pieces"}[$q]; next unless grep { $_ eq $want } @$token; $can++;
		for my $h (1, 2) { my $row = $w{$s + 1, $h}[$q]; my ($best) = sort { $row->[$b] <=> $row->[$a] || $a <=> $b } 0 .. $#$token; $copy{$h} += $token->[$best] eq $want } }
	for my $h (1, 2) { for my $q (0 .. $len - 1) { my $row = $w{$s + 1, $h}[$q]; $special{$h} += $row->[$#$row]; $first{$h} += $row->[0];
		for (0 .. $#$token) { $content{$h} += $row->[$_] if $token->[$_] =~ $letter } } } }
if ($set) { printf "%.6f\n", aer([grep { $_ % 2 } 0 .. $#rec], split / /, $set) }
else { printf "%d %.6f %.6f %.6f %.6f %s\n", $_, aer([0 .. $#rec], $_), $special{$_} / $n, $first{$_} / $n, $content{$_} / $n, $can ? ($copy{$_} || 0) / $can : "-" for 1, 2 }
END
json() { perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); my @h = sort { $a->{head} <=> $b->{head} } @{$d->{heads}}; print join("\n", eval $ARGV[0]), "\n"' "$1" < "$2"; }
for rows in predicts reads; do
	json 'map { "$_->{head} $_->{aer} $_->{special} $_->{first} $_->{content} " . ($_->{copy} // "-") } @h' $rows.json > found
	runs perl expected.pl $rows > want && near 2e-4 found want; say $? "$rows: error rates, shares and copies of both heads"
	runs head-find -q -m model.tar --align dev.align --rows $rows --content-only --random 0 --to json dev.heed > only.json; say $? '... and with the weights on content only'
	json 'map { "$_->{aer} $_->{special}" } @h' only.json > found; perl expected.pl only $rows | cut -d ' ' -f 2,3 > want; near 2e-4 found want; say $? '... their error rates'
	set=$(json '$d->{set} =~ s/cross.1://gr' $rows.json); perl expected.pl $rows "$set" > want; json '$d->{aer}' $rows.json | near 2e-4 - want
	say $? '... and the set, on the other half'
done
head-stat -q -m model.tar --target ref --align dev.align --errors --to tsv dev.heed | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "cross" { print $(at["aer"]), $(at["aer.error"]), $(at["translation"]) }' > want
json 'map { "$_->{aer} $_->{error} $_->{translation}" } @h' predicts.json | near 2e-4 - want; say $? 'head-stat has the same errors and translation scores'

# The loss without the set and without random sets
tokens=$(heed-show -f tgt.pieces dev.heed | awk '{ n += NF + 1 } END { print n }')
loss() { nmt-score -q -m model.tar "$@" dev.heed | heed-show -f score | awk -v n="$tokens" '{ s -= $1 } END { print s / n }'; }
set=$(json '$d->{set}' predicts.json | tr ' ' '/')
{ loss; loss --mask-heads "$set"; } | awk '{ x[NR] = $1 } END { print x[2] - x[1] }' > want; json '$d->{loss}' predicts.json | near 2e-4 - want
say $? 'the loss without the set is that of nmt-score'
case $set in
*/*) that "$(json 'scalar @{$d->{random}}' predicts.json)" = 0 ;;
*) { loss; loss --mask-heads cross.1:1; loss --mask-heads cross.1:2; } | awk '{ x[NR] = $1 } END { print x[2] - x[1]; print x[3] - x[1] }' > either
	json '@{$d->{random}}' predicts.json > random
	computes 'NR == FNR { x[FNR] = $1; next } { n++; if (($1 - x[1]) ^ 2 > 1e-7 && ($1 - x[2]) ^ 2 > 1e-7) bad = 1 } END { exit bad || n != 3 }' either random ;;
esac
say $? '... and those without random sets, too'

runs head-find -q -m model.tar --align dev.align --to ctranslate2 dev.heed > found; json 'my @s = $d->{set} =~ /cross\.(\d+):(\d+)/g; my @p; while (my ($l, $h) = splice @s, 0, 2) { push @p, "[" . ($l - 1) . ", " . ($h - 1) . "]" } "[" . join(", ", @p) . "]"' predicts.json > want
equals found want; say $? 'the value of alignment_heads for CTranslate2'
runs head-find -q -m model.tar --align dev.align dev.heed > text && matches '^heed|what:align|site:cross|rows:predicts|end:excl|content:all|unit:word|target:ref|align:[0-9a-f]\{16\}|model:[0-9a-f]\{16\}|sentences:10|version:' text &&
	matches '^without it  NLL [+-]' text && matches '^rows        predicts; reads: cross' text; say $? 'the text has the set, the loss, the other rows and the signature'
head-find -q -m model.tar --align dev.align < dev.heed > found; sed '/^without it/d' text | equals found -; say $? 'standard input is read once: there is no loss'
cat dev.heed | head-find -q -m model.tar --align dev.align /dev/stdin > found; sed '/^without it/d' text | equals found -; say $? '... nor from a pipe with a name'
runs head-find -q -m model.tar --align dev.align --to tsv dev.heed > found && that "$(wc -l < found)" = 3 && matches -x 'head	aer	aer.error	translation	special	first	content	copy' found; say $? 'a table'
for t in 1 2 3; do head-find -q -t $t -m model.tar --align dev.align dev.heed | equals text; say $? "the same with $t threads"; done

exits 2 'no model' head-find --align dev.align dev.heed
exits 2 'no alignments' head-find -m model.tar dev.heed
exits 2 '--random of a table' head-find --random 2 --to tsv -m model.tar --align dev.align dev.heed
exits 2 '--seed for CTranslate2' head-find --seed 2 --to ctranslate2 -m model.tar --align dev.align dev.heed
exits 2 '--seed without random sets' head-find --seed 2 --random 0 -m model.tar --align dev.align dev.heed
fails 2 '--random with standard input' 'standard input, which is read once' 'head-find --random 2 -m model.tar --align dev.align < dev.heed'
fails 2 '... and with a pipe' '/dev/stdin, which is read once' 'cat dev.heed | head-find --seed 2 -m model.tar --align dev.align /dev/stdin'
exits 2 'sentences that are cut' head-find --too-long cut -m model.tar --align dev.align dev.heed
head -n 9 dev.align > short; fails 3 'a sentence without a line' 'short' 'head-find -m model.tar --align short dev.heed'
sed '1s/$/ 0-99/' dev.align > far; fails 3 'a link beyond the words' 'far: line 1' 'head-find -m model.tar --align far dev.heed'
heed-sample -n 3 dev.heed > three.heed; head -n 3 dev.align > three; fails 3 'too few sentences' '3 sentences, expected at least 4' 'head-find -m model.tar --align three three.heed'
