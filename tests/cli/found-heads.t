#!/bin/sh
# head-find --what: planted heads that copy, are sinks, or follow a position or dependencies are found exactly; measures and
# standard errors are those of a Perl script in double precision; losses without them are those of nmt-score.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 37

# planted.pl plain|tag: three heads at each site, of which the first follows a position, copies in cross-attention; the second is
# a sink; the third follows dependencies in the encoder, copies in the decoder, and does nothing in cross-attention.  Writes the
# stream, and the measures of all heads, in double precision, from the weights as they are stored.
cat > planted.pl <<'END'
use strict; use warnings; use List::Util 'sum';
my $tag = $ARGV[0] eq 'tag'; my $x = 7;
sub random { $x = ($x * 1103515245 + 12345) % 2 ** 31; return $x / 2 ** 31 }
sub pick { return int(random() * $_[0]) }
sub single { return unpack 'f', pack 'f', $_[0] }
# A row of n weights, of which `most` is on some keys, and the rest anywhere up to the last one
sub row { my ($n, $last, $most, @keys) = @_; my @w = map { $_ <= $last ? 0.1 + random() : 0 } 0 .. $n - 1; my $all = sum @w;
	@w = map { $_ / $all * (@keys ? 1 - $most : 1) } @w; $w[$_] += $most / @keys for @keys; return [map { single($_) } @w] }
my $alnum = qr/[a-zA-Z]/; my @letters = ('a' .. 'h', '@@'); my (@rec, %w);
for my $s (1 .. 30) {
	my ($n, $m) = (8 + pick(5), 8 + pick(5)); my @src = map { $letters[pick(9)] } 1 .. $n; my @tgt = map { $letters[pick(9)] } 1 .. $m; $src[1] = 'a';
	my @heads = map { $_ == 1 ? 0 : 1 + pick($_ - 1) } 1 .. $n; my @rels = map { $_ == 1 ? 'root' : $_ % 2 ? 'nsubj' : 'amod' } 1 .. $n;
	my $k = $tag ? 1 : 0; my ($rows, $queries) = ($n + $k, $m + $k);
	my @key = (($tag ? undef : ()), @src, undef); my @read = (undef, ($tag ? undef : ()), @tgt); my %a;
	$a{'enc-self'} = [[map { row($n + $k + 1, $n + $k, 0.8, $_ > 0 && random() < 0.97 ? $_ - 1 : ()) } 0 .. $n + $k],
		[map { row($n + $k + 1, $n + $k, 0.7, $n + $k) } 0 .. $n + $k],
		[map { my $h = $_ >= $k && $_ < $n + $k ? $heads[$_ - $k] : 0; row($n + $k + 1, $n + $k, 0.8, $h && random() < 0.8 ? $h - 1 + $k : ()) } 0 .. $n + $k]];
	$a{'dec-self'} = [[map { row($m + $k + 1, $_, 0.9, $_ ? $_ - 1 : ()) } 0 .. $m + $k],
		[map { row($m + $k + 1, $_, 0.8, 0) } 0 .. $m + $k],
		[map { my $q = $_; my @same = grep { defined $read[$_] && defined $read[$q] && $read[$_] eq $read[$q] } 0 .. $q - 1;
			row($m + $k + 1, $q, 0.8, @same && random() < 0.9 ? $same[0] : ()) } 0 .. $m + $k]];
	$a{cross} = [[map { my $q = $_; my $t = $q < $m + $k ? $read[$q + 1] : undef; my @same = defined $t ? grep { defined $key[$_] && $key[$_] eq $t } 0 .. $#key : ();
			row($n + $k + 1, $n + $k, 0.8, @same && random() < 0.9 ? $same[0] : ()) } 0 .. $m + $k],
		[map { row($n + $k + 1, $n + $k, 0.8, grep { !defined $key[$_] || $key[$_] !~ $alnum } 0 .. $#key) } 0 .. $m + $k],
		[map { row($n + $k + 1, $n + $k, 0) } 0 .. $m + $k]];
	push @rec, { n => $n, m => $m, k => $k, key => \@key, read => \@read, heads => \@heads, rels => \@rels, a => \%a, src => \@src, tgt => \@tgt };
}
sub list { my $v = shift; return ref $v ? '[' . join(',', map { list($_) } @$v) . ']' : $v =~ /^[-+.]?[0-9]/ ? sprintf('%.9g', $v) : qq("$v") }
open my $out, '>', 'planted.json';
my @sites = ('enc-self', 'dec-self', 'cross');
my %dims = ('enc-self' => 'f32[h,s,s]', 'dec-self' => 'f32[h,t,t]', cross => 'f32[h,t,s]');
print $out '["heed",1,"sentence",{"fields":{"src":"str","src.pieces":"[str]","tgt.pieces":"[str]","src.heads":"[int]","src.rels":"[str]","src.word":"[int]"',
	(map { qq(,"att.$_.1":"$dims{$_}") } @sites), "}}]\n";
for my $r (@rec) { my $trees = $tag ? '' : ',"src.heads":' . list($r->{heads}) . ',"src.rels":' . list($r->{rels}) . ',"src.word":' . list([0 .. $r->{n} - 1]);
	print $out '{"src":"', join(' ', @{$r->{src}}), '","src.pieces":', list($r->{src}), ',"tgt.pieces":', list($r->{tgt}), $trees, (map { qq(,"att.$_.1":) . list($r->{a}{$_}) } @sites), "}\n" }
close $out;

# The ratio of sums, and its standard error over sentences: Cochran 1977, chapter 6
sub ratio { my @p = grep { $_->[1] } @_; my $n = sum(0, map { $_->[1] } @p); return ('-', '-') unless $n; my $m = sum(map { $_->[0] } @p) / $n;
	return ($m, sqrt(@p / (@p - 1) * sum(map { ($_->[0] - $m * $_->[1]) ** 2 } @p)) / $n) }
sub best { my ($row, $last) = @_; my $b = 0; $row->[$_] > $row->[$b] and $b = $_ for 0 .. $last; return $b }
open my $sink, '>', 'want.sink'; open my $copy, '>', 'want.copy'; open my $position, '>', 'want.position'; open my $syntax, '>', 'want.syntax';
for my $site (@sites) { for my $h (0 .. 2) {
	my (@sink, @special, @punct, @first, @copy, %at, %arcs);
	for my $r (@rec) { my ($enc, $dec) = ($site eq 'enc-self', $site eq 'dec-self'); my $a = $r->{a}{$site}[$h];
		my @key = $dec ? @{$r->{read}} : @{$r->{key}}; my $rows = $enc ? $r->{n} + $r->{k} : $r->{m} + $r->{k}; my $last = $dec ? $#key : $#key - 1;
		my ($special, $punct, $first, $copies, $can) = (0) x 5; my (%hit, %chance);
		for my $q (0 .. $rows - 1) { my $row = $a->[$q]; my ($f) = grep { defined $key[$_] } 0 .. $#key; $first += $row->[$f];
			$special += $row->[$_] for grep { !defined $key[$_] } 0 .. $#key; $punct += $row->[$_] for grep { defined $key[$_] && $key[$_] !~ $alnum } 0 .. $#key;
			my $want = $site eq 'cross' ? $r->{read}[$q + 1] : $key[$q]; my $b = best($row, $last);
			my @same = defined $want ? grep { defined $key[$_] && $key[$_] eq $want && ($site eq 'cross' || $_ != $q) && (!$dec || $_ < $q) } 0 .. $#key : ();
			$can++ if @same; $copies++ if grep { $_ == $b } @same;
			for my $o (-5 .. 5) { my $c = $q + $o; next if $c < 0 || $c > $last || ($dec && $c > $q); $chance{$o}++; $hit{$o}++ if $b == $c } }
		push @sink, [$special + $punct, $rows]; push @special, $special / 1; push @punct, $punct; push @first, $first; push @copy, [$copies, $can];
		push @{$at{$_}}, [$hit{$_} || 0, $chance{$_} || 0] for -5 .. 5;
		if ($enc && !$tag) { my (%c, %n); for my $d (2 .. $r->{n}) { my $rel = $r->{rels}[$d - 1]; my $up = $r->{heads}[$d - 1]; $n{$rel}++;
			$c{"$rel.dep"}++ if best($a->[$d - 1], $last) == $up - 1; $c{"$rel.head"}++ if best($a->[$up - 1], $last) == $d - 1; $arcs{offset}{$rel}{$up - $d}++ }
			for my $rel ('nsubj', 'amod') { push @{$arcs{"$rel.$_"}}, [$c{"$rel.$_"} || 0, $n{$rel} || 0] for 'dep', 'head' } } }
	my $rows = sum(map { $_->[1] } @sink); my $name = "$site.1:" . ($h + 1); my $number = sub { join "\t", map { /^-?$/ ? '-' : sprintf '%.6f', $_ } @_ };
	my ($special, $punct) = (sum(@special) / $rows, sum(@punct) / $rows);
	print $sink "$name\t", $number->(ratio(@sink), $special, $punct, sum(@first) / $rows), "\n";
	print $copy "$name\t", $number->(ratio(@copy), sum(map { $_->[1] } @copy), $special, 1 - $special - $punct), "\n";
	my %hits = map { my $o = $_; $o => sum(map { $_->[0] } @{$at{$o}}) } keys %at; my ($o) = sort { $hits{$b} <=> $hits{$a} || abs $a <=> abs $b || $a <=> $b } keys %at;
	print $position "$name\t", $number->(ratio(@{$at{$o}})), "\t$o\n";
	next unless $arcs{offset}; my @best;
	for my $rel ('nsubj', 'amod') { my $count = $arcs{offset}{$rel}; my $n = sum(values %$count); my ($base) = sort { $b <=> $a } map { $_ / $n } values %$count;
		for my $way ('dep', 'head') { my @m = ratio(@{$arcs{"$rel.$way"}}); @best = (@m, "$rel.$way", $base, $m[0] - $base, $n) if !@best || $m[0] - $base > $best[4] } }
	print $syntax "$name\t", $number->(@best[0, 1]), "\t$best[2]\t", $number->(@best[3, 4, 5]), "\n" } }
END
json() { perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); print join("\n", eval $ARGV[0]), "\n"' "$1" < "$2"; }
# The numbers of a table, without names of heads and relations
numbers() { cut -f 2- | tr '\t' '\n' | grep -E '^(-|[-+]?[0-9.]+)$'; }
for how in plain tag; do
	perl planted.pl $how && heed-pack -q -j --partial -o $how.heed planted.json; that -s $how.heed; say $? "$how: planted heads"
	for what in 'copy:cross.1:1 dec-self.1:3' 'sink:cross.1:2 dec-self.1:2 enc-self.1:2' 'position:dec-self.1:1 enc-self.1:1' 'syntax:enc-self.1:3'; do
		set=${what#*:} what=${what%%:*} more=''
		[ $how.$what != tag.syntax ] || continue
		[ $what != syntax ] || more='--relations nsubj,amod'
		head-find --what $what $more --to json $how.heed > found; json 'join " ", sort split / /, $d->{set}' found > set
		that "$(cat set)" = "$set"; say $? "$how: --what $what finds them"
		head-find --what $what $more --to tsv $how.heed | sed 1d | sort > got; sort want.$what > want
		[ $what != position ] || { cut -f -4 got > cut; mv cut got; }
		cut -f 1 got > got.heads; cut -f 1 want > want.heads; numbers < got > got.numbers; numbers < want > want.numbers
		equals got.heads want.heads && near 6e-5 got.numbers want.numbers; say $? '... the measures and errors of double precision'
	done
done

runs head-find --what sink plain.heed > text; matches -x 'verdict     3 of 9 heads are sinks' text && lacks '^without it' text && matches -x 'set         dec-self.1:2 cross.1:2 enc-self.1:2' text
say $? 'the text has the set and the verdict; there is no loss without a model'
matches '^heed|what:sink|site:all|end:excl|content:all|target:ref|sentences:30|version:' text; say $? '... the signature'
runs head-find --what syntax --relations nsubj --margin rel:50 plain.heed > text && matches '^heed|what:syntax|site:enc-self|end:excl|content:all|target:ref|unit:word|margin:rel:50|sentences:30|version:' text; say $? '... of syntax, with the margin'
head-stat -q --relations nsubj,amod --errors --to tsv plain.heed | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "enc-self" { print $(at["syntax.nsubj.dep"]), $(at["syntax.nsubj.dep.error"]), $(at["syntax.nsubj.base"]) }' | sed -n 3p > want
head-find --what syntax --relations nsubj,amod --to json plain.heed > found; json '@{$d->{heads}[0]}{"syntax", "error", "baseline"}' found | near 2e-4 - want; say $? 'head-stat has the same syntax and errors'
exits 3 'relations that no tree has' head-find --what syntax --relations dislocated plain.heed

# A model whose heads attend to punctuation and to end tokens of sources that have little else
pairs 10 5 dev; pairs 120 1 train
runs toy --updates 40 -o model.tar train.heed; say $? 'a model'
awk '{ print $1, ". . ." }' dev.en > few.en; heed-pack --no-pg few.en dev.xx | bpe-apply --no-pg -c codes > few.heed
runs head-find -q -m model.tar --what sink --random 3 --to json few.heed > json; json 'split / /, $d->{set}' json > heads; that -s heads; say $? '... has sinks'
runs nmt-score -q --attention-weights -m model.tar -o weights.heed few.heed
wrong=0; for what in sink copy position; do head-find -q -m model.tar --what $what --to tsv few.heed > want; head-find --what $what --to tsv weights.heed | equals want || wrong=1; done
that $wrong = 0; say $? '... and the measures of its weights in a stream'
tokens=$(heed-show -f tgt.pieces few.heed | awk '{ n += NF + 1 } END { print n }')
loss() { nmt-score -q -m model.tar "$@" few.heed | heed-show -f score | awk -v n="$tokens" '{ s -= $1 } END { print s / n }'; }
{ loss; loss --mask-heads "$(json '$d->{set}' json)"; } | awk '{ x[NR] = $1 } END { print x[2] - x[1] }' > want; json '$d->{loss}' json | near 2e-4 - want
say $? 'the loss without the set is that of nmt-score'
for t in 1 2 3; do head-find -q -t $t -m model.tar --what sink few.heed > $t.text; done
equals 1.text 2.text && equals 1.text 3.text && matches '^without it  NLL [+-]' 1.text; say $? 'the same with any number of threads'
head-find -q -m model.tar --what sink < few.heed > found; sed '/^without it/d; s/; the loss.*//' 1.text | equals found -; say $? 'standard input is read once: there is no loss'
runs head-find -q -m model.tar --what position few.heed > text && matches -x 'set         none' text && lacks '^without it' text; say $? 'no head is positional: no loss without the set'

exits 3 'no trees' head-find -q -m model.tar --what syntax few.heed
matches 'few.heed: no trees, expected src.heads' err; say $? '... the message says so'
for o in '--to ctranslate2' '--align codes' '--content-only' '--rows reads' '--one-based' '--relations nsubj' '--margin abs:5'; do
	exits 2 "--what sink $o" head-find -m model.tar --what sink $o few.heed
done
