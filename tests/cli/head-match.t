#!/bin/sh
# head-compare --match: distances and matches are those of a plain program, which tries all pairs of heads.
. "$HEED_TOP/tests/lib.sh"
plan 20

# streams.pl SEED HEADS: a stream with weights of that many heads in each of two layers of the encoder and of
# cross-attention; the source has an end token, and the decoder one more position than tokens.  slow.pl
# prints what --match has to print for two such streams.
cat > streams.pl <<'END_PERL'
use JSON::PP; my ($seed, $heads) = @ARGV; srand $seed; my $json = JSON::PP->new->canonical;
print $json->encode(['heed', 1, 'sentence', { 'score.model' => "model $seed", fields => { 'src.pieces' => '[str]', 'tgt.pieces' => '[str]',
	map { ("att.enc-self.$_" => 'f32[h,s,s]', "att.cross.$_" => 'f32[h,t,s]') } 1, 2 } }]), "\n";
for my $i (0 .. 4) {
	my ($s, $t) = (3 + $i % 3, 2 + $i % 2);
	my $weights = sub { my $rows = shift;
		[map { my $sharp = 1 + 4 * rand; [map { my @x = map { rand() ** $sharp } 0 .. $s; my $sum = 0; $sum += $_ for @x; [map { $_ / $sum } @x] } 1 .. $rows] } 1 .. $heads] };
	print $json->encode({ 'src.pieces' => [map { "s$i$_" } 1 .. $s], 'tgt.pieces' => [map { "t$i$_" } 1 .. $t],
		map { ("att.enc-self.$_" => $weights->($s + 1), "att.cross.$_" => $weights->($t + 1)) } 1, 2 }), "\n";
}
END_PERL
cat > slow.pl <<'END_PERL'
use JSON::PP; use List::Util qw(sum min);
sub stream { open my $f, '<', shift or die; <$f>; return map { decode_json($_) } <$f> }
my @a = stream($ARGV[0]); my @b = stream($ARGV[1]);
sub kl { my ($p, $q) = @_; return sum map { $p->[$_] > 0 ? $p->[$_] * log($p->[$_] / $q->[$_]) : 0 } 0 .. $#$p }
sub js { my ($p, $q) = @_; my @m = map { ($p->[$_] + $q->[$_]) / 2 } 0 .. $#$p; return (kl($p, \@m) + kl($q, \@m)) / 2 }
sub distance {	# of two heads, by names, over the sentences of a half
	my ($x, $y, $one, $other, $half) = @_; my ($sum, $n) = (0, 0);
	for my $i (grep { $half < 0 || $_ % 2 == $half } 0 .. $#$x) {
		my ($p, $q) = ($x->[$i]{$one->[0]}[$one->[1]], $y->[$i]{$other->[0]}[$other->[1]]);
		for my $r (0 .. $#$p - 1) { $sum += js($p->[$r], $q->[$r]); $n++ }
	}
	return $sum / $n;
}
sub best {	# the list of columns with the lowest sum
	my ($cost, $used, @done) = @_;
	return [0] if @done == @$cost;
	my $best;
	for my $j (($used->{free} ? -1 : ()), grep { !$used->{$_} } 0 .. $#{$cost->[0]}) {
		my $free = ($used->{free} || 0) - ($j < 0);
		my ($sum, @rest) = @{best($cost, { %$used, free => $free, $j < 0 ? () : ($j => 1) }, @done, $j) || next};
		$sum += $j < 0 ? 0 : $cost->[@done][$j];
		$best = [$sum, $j, @rest] if !$best || $sum < $best->[0];
	}
	return $best;
}
for my $kind ('enc-self', 'cross') {
	my @one = map { my $l = $_; map { ["att.$kind.$l", $_] } 0 .. $#{$a[0]{"att.$kind.$l"}} } 1, 2;
	my @other = map { my $l = $_; map { ["att.$kind.$l", $_] } 0 .. $#{$b[0]{"att.$kind.$l"}} } 1, 2;
	my @match;
	for my $half (-1, 0, 1) {
		my @cost = map { my $h = $_; [map { distance(\@a, \@b, $h, $_, $half) } @other] } @one;
		my (undef, @pairs) = @{best(\@cost, { free => @one > @other ? @one - @other : 0 })};
		push @match, { cost => \@cost, pairs => \@pairs };
	}
	for my $i (0 .. $#one) {
		my ($layer, $h) = (substr($one[$i][0], -1), $one[$i][1] + 1);
		my $j = $match[0]{pairs}[$i]; my @row = @{$match[0]{cost}[$i]};
		my $within = min map { distance(\@a, \@a, $one[$i], $one[$_], -1) } grep { $_ != $i } 0 .. $#one;
		my $stable = $match[1]{pairs}[$i] == $j && $match[2]{pairs}[$i] == $j ? 1 : 0;
		print join("\t", $kind, $layer, $h, $j < 0 ? ('-', '-', '-') : (substr($other[$j][0], -1), $other[$j][1] + 1, $row[$j]),
			sum(@row) / @row, $within, $j < 0 ? '-' : $stable), "\n";
	}
}
END_PERL
for s in 1 2; do perl streams.pl $s 2 > $s.json; done; perl streams.pl 3 3 > 3.json
for s in 1 2 3; do heed-pack -q -j --partial -o $s.heed $s.json; done

# same FOUND EXPECTED: tables with the same heads, and numbers that agree
same() {
	paste "$1" "$2" | awk -F '\t' 'function far(x, y) { return x - y > 1e-6 || y - x > 1e-6 }
		{ n = NF / 2; for (i = 1; i <= n; i++) if ($i != $(n + i) && (i < 6 || i > 8 || $i == "-" || far($i, $(n + i)))) { print "# line " NR ": " $i ", expected " $(n + i); bad = 1 } }
		END { exit bad || !NR }'
}
names='site	layer	head	match.layer	match.head	match	match.random	match.within	match.stable'
for pair in '1 2' '2 1' '1 3' '3 1'; do
	set -- $pair
	runs head-compare --match $1.heed $2.heed > table && perl slow.pl $1.json $2.json > want
	head -n 1 table > first; echo "$names" | equals - first; say $? "$1 and $2: a table"
	sed 1d table > found; that "$(wc -l < found)" = "$(wc -l < want)" && runs same found want; say $? '... with the matches of a plain program'
done
cut -f 4 found | matches -x -e -; say $? 'a head of the larger model has no match'
runs head-compare --match 1.heed 1.heed > self && sed 1d self | computes - -F '\t' '$2 != $4 || $3 != $5 || $6 > 1e-9 || $9 != 1 { bad = 1 } END { exit bad || NR != 8 }'
say $? 'a model matches itself'
head-compare --match --to md 1.heed 2.heed > md; matches -F 'heed|end:excl|match:model 2|sentences:5|version:' md; say $? 'the signature names the other model'

# --- sentences that are not the same ---
sed 3d 2.json > less; heed-pack -q -j --partial -o less.heed less
perl -MJSON::PP -ne 'if ($. == 3) { my $r = decode_json($_); delete @$r{grep { /^att/ } keys %$r}; $_ = encode_json($r) . "\n" } print' 2.json > without
heed-pack -q -j --partial -o without.heed without; sed 3d 1.json > a.json; sed 3d 2.json > b.json; perl slow.pl a.json b.json | cut -f 1-8 > want
runs head-compare --match 1.heed without.heed 2> err | sed 1d | cut -f 1-8 > found; matches '1.heed and without.heed: 1 of [0-9]* sentences have weights in only one of the two' err
say $? 'a sentence without weights is left out'
runs same found want; say $? '... and the others count'
exits 3 'other tokens' head-compare --match 1.heed less.heed
matches -F 'less.heed: record 2: ' err; say $? '... the record is named'
exits 2 'one file' head-compare --match 1.heed
exits 2 'three files' head-compare --match 1.heed 2.heed 3.heed
exits 2 'measures' head-compare --match --measure x 1.heed 2.heed
exits 2 'clusters' head-compare --match --to clusters 1.heed 2.heed
heed-show 1.heed | sed '1s/att[.]/xatt./g; s/"att[.]/"xatt./g' | heed-pack -q -j --partial -o none.heed; exits 2 'a stream without weights' head-compare --match none.heed 1.heed
