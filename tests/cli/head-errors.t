#!/bin/sh
# head-stat --errors and head-lrp --errors: standard errors over sentences are those of a slow program
# that combines the measures of each sentence alone, weighted by its number of rows, tokens or links.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/grammar.sh"

# Some links are possible, and not all target words have links.
grammar 9
awk '{ for (i = 0; i < NF; i++) if (i % 4 != 3) printf "%d%s%d ", i, i % 2 ? "p" : "-", NF - 1 - i; print "" }' \
	s.tokens > gold
nmt-train -q --precision fp32 --size tiny -c codes --updates 10 -s 3 -o model.tar s.heed
nmt-score -q -m model.tar --attention-weights -o weights s.heed
measures=ablation,fisher,gradient,logit,norm,saliency
stat() { head-stat -q --no-pg -m model.tar --frequent 20 --measure $measures "$@"; }

# One stream for each sentence, and its measures without --errors.
heed-show s.heed > all; sentences=$(($(wc -l < all) - 2)); mkdir one
for i in $(seq $sentences); do
	{ head -n 1 all; sed -n "$((i + 1))p" all; echo '["heed-end",1]'; } | heed-pack -j --no-pg > one/$i.heed
	sed -n "${i}p" gold > one/$i.gold
done

# slow.pl WEIGHTS-OF ALL ONE...: the errors of the streams of heads ONE, one for each sentence, are
# those of ALL.  WEIGHTS-OF is ratio; mean weights all sentences equally, which is wrong.
cat > slow.pl <<'END'
use strict; use JSON::PP;
my ($kind, $file, @one) = @ARGV;
sub records { open my $f, '-|', 'heed-show', $_[0] or die; return map { decode_json $_ } grep { /^\{/ } <$f> }
my %relation = (nsubj => 'nsubj', dobj => 'obj', amod => 'amod', advmod => 'advmod');
my @sentence = records('weights');
my @gold = map { [split] } do { open my $f, '<', 'gold' or die; <$f> };

# The chances of offset o, and the sum of the attention weights, of a head in a sentence.
sub chances {
	my ($site, $rows, $columns, $o) = @_;
	return scalar grep { my $j = $_ + $o; $j >= 0 && $j < ($site eq 'dec-self' ? $_ + 1 : $columns) } 0 .. $rows - 1;
}
sub total {
	my ($x, $rows, $columns) = @_; my $sum = 0;
	for my $i (0 .. $rows - 1) { $sum += $_ for @{$x->[$i]}[0 .. $columns - 1] }
	return $sum;
}
sub weight {
	my ($name, $head, $s, $links) = @_;
	my ($n, $t) = map { scalar @{$s->{"$_.pieces"}} } 'src', 'tgt';
	my ($rows, $columns) = $head->{site} eq 'enc-self' ? ($n, $n) : ($t, $head->{site} eq 'cross' ? $n : $t);
	return 1 if $name eq 'fisher' || ($name eq 'confidence' && $kind eq 'sentence');
	return $rows if $name =~ /^(confidence|entropy|rare2?)$/;
	return $rows + 1 if $name eq 'norm';
	return total($s->{"att.$head->{site}.$head->{layer}"}[$head->{head} - 1], $rows, $columns) if $name eq 'distance';
	return chances($head->{site}, $rows, $columns, $1) if $name =~ /^offsets\.(.*)/;
	return scalar grep { $_ eq $relation{$1} } @{$s->{'src.rels'} || []} if $name =~ /^syntax\.(\w+)\.(dep|head)$/;
	return split(' ', $s->{tgt}) + grep { /-/ } @$links if $name eq 'aer';
	return scalar @$links if $name eq 'translation';
	return $t + 1 if $name =~ /^(gradient\.raw|saliency|logit|ablation|relevance(\.raw)?|attnlrp(\.raw)?)$/;
	die "$name has no weights";
}
# m and its error, from pairs of a sum and a weight.
sub ratio {
	my ($s, $w, $q) = (0, 0, 0);
	for (@_) { $s += $_->[0]; $w += $_->[1] }
	my $m = $s / $w;
	$q += ($_->[0] - $m * $_->[1]) ** 2 for @_;
	return ($m, sqrt(@_ / (@_ - 1) * $q) / $w);
}
sub near { my ($x, $y) = @_; return abs($x - $y) <= 1e-6 * abs($y) + 1e-12 }

my @all = records($file);
my @of = map { [records($_)] } @one;
my ($checked, $bad, %seen) = (0, 0);
for my $i (0 .. $#all) {
	my $head = $all[$i];
	for my $error (grep { /\.error$/ } keys %$head) {
		my ($name) = $error =~ /(.*)\.error$/;
		my ($from, $scale) = ($name, 1);
		$from = "offsets.$head->{offset}" if $name eq 'positional';
		($from, $scale) = ('gradient.raw', $head->{gradient} / $head->{'gradient.raw'}) if $name eq 'gradient';
		my @pairs;
		for my $k (0 .. $#sentence) {
			my $w = weight($from, $head, $sentence[$k], $gold[$k]);
			my $x = $of[$k][$i]{$from};
			next if !$w || ($name =~ /^rare/ && !defined $x);
			$w = 1 if $kind eq 'mean';
			push @pairs, [$x * $w, $w];
		}
		my ($m, $e) = ratio(@pairs);
		$checked++; $seen{$name}++;
		next if near($scale * $m, $head->{$name}) && near($scale * $e, $head->{$error});
		$bad++;
		print STDERR "$head->{site}.$head->{layer}:$head->{head} $name: $head->{$name} +- $head->{$error}, expected $m +- $e\n"
			if $kind ne 'mean';
	}
}
print "$_\n" for sort keys %seen;
exit !($checked > 40 && !$bad);
END

plan 29

for i in $(seq $sentences); do stat --align one/$i.gold -o one/$i.stat one/$i.heed; done
runs stat --align gold --errors -o errors.heed s.heed; say $? '--errors'
runs perl slow.pl ratio errors.heed $(seq -f 'one/%.0f.stat' $sentences) > names
say $? 'errors are those of the ratio estimator over sentences'
for m in ablation aer confidence distance entropy fisher gradient gradient.raw logit norm offsets.-5 offsets.5 positional \
	rare rare2 saliency syntax.nsubj.dep translation; do echo $m; done > expected
grep -vE '^offsets.(-[1-4]|[0-4])$|^syntax.(advmod|amod|dobj)|^syntax.nsubj.head' names | equals - expected
say $? '... for all measures that are means'
perl slow.pl mean errors.heed $(seq -f 'one/%.0f.stat' $sentences) > out; that $? = 1
say $? '... and not those of means in which all sentences weigh the same'
for i in $(seq $sentences); do stat --confidence sentence --align one/$i.gold -o one/$i.stat one/$i.heed; done
stat --confidence sentence --align gold --errors -o by-sentence.heed s.heed
runs perl slow.pl sentence by-sentence.heed $(seq -f 'one/%.0f.stat' $sentences) > out
say $? '... with --confidence sentence'

# --- the other fields ---
# without FILE: the records without the errors
without() { heed-show "$1" | perl -MJSON::PP -ne 'if (!/^\{/) { print if !/"heed",/; next } my $r = decode_json($_);
	print join(",", map { "$_=$r->{$_}" } grep { !/[.]error$/ } sort keys %$r), "\n"'; }
stat --align gold -o plain.heed s.heed
without plain.heed > a; without errors.heed | equals - a; say $? 'the measures and notes are the same'
heed-show plain.heed | lacks '\.error'; say $? 'without --errors there are no errors'
runs heed-check errors.heed > /dev/null; say $? 'the stream is complete'
stat --align gold --errors -t 2 s.heed | equals - errors.heed; say $? 'two threads give the same bytes'
stat --align gold --confidence sentence --errors --batch-tokens 1 -o small.heed s.heed
runs perl slow.pl sentence small.heed $(seq -f 'one/%.0f.stat' $sentences) > out
say $? 'batches of one sentence give the same errors'
stat --errors --to tsv s.heed | head -n 1 | tr '\t' '\n' | sed -n 4,7p | tr '\n' ' ' > out
echo 'confidence confidence.error entropy entropy.error ' | tr -d '\n' | equals - out
say $? 'in a table an error follows its measure'
stat --errors one/1.heed | heed-show | matches '"confidence.error"'; that $? = 1; say $? 'one sentence has no errors'
heed-show errors.heed | matches 'syntax.*base.error'; that $? = 1; say $? 'the positional baseline is no measure of a head'
head-stat -q -m model.tar --errors --measure ablation-bleu,shapley --permutations 2 s.heed > bleu.heed
heed-show bleu.heed | matches '"ablation.bleu.error"'; that $? = 1; say $? 'BLEU has no error'
head-stat -q -m model.tar --measure shapley --permutations 2 s.heed | heed-show -f shapley.error > a
heed-show -f shapley.error bleu.heed | equals - a; say $? 'the error of Shapley values is over random orders'
heed-pack --no-pg s.tokens | bpe-apply -c codes | head-stat -q -m model.tar --errors -o source.heed
heed-show -f entropy.error source.heed > a; heed-show -f entropy.error errors.heed | head -n 8 | equals - a
say $? 'without a target only the encoder is measured'

# --- excluded tokens: b is in the joint vocabulary, but never in a target of the training data ---
echo '#version: 0.2' > none
pack() { heed-pack --no-pg w.src w.tgt | bpe-apply -c none; }
printf 'a\nb\n' > w.src; printf 'x\nx\n' > w.tgt; pack > seen.heed
nmt-train -q -t 1 --preset witwicky --size tiny --updates 1 -o masked.tar seen.heed
masked() { head-stat -q -m masked.tar --target ref --measure "$@" 2> /dev/null; }
printf 'a\nb a\na a\n' > w.src; printf 'x\nx x x\nb x\n' > w.tgt; pack > three.heed
masked ablation,gradient --errors -o three.stat three.heed
head -n 2 w.src > w; mv w w.src; head -n 2 w.tgt > w; mv w w.tgt; pack > two.heed
masked gradient --errors two.heed | heed-show -f gradient.raw,gradient.raw.error > a
heed-show -f gradient.raw,gradient.raw.error three.stat | equals - a && lacks '	$' a
say $? 'gradients: a sentence with an excluded token has no weight'
for i in 1 2 3; do
	printf 'a\nb a\na a\n' | sed -n ${i}p > w.src; printf 'x\nx x x\nb x\n' | sed -n ${i}p > w.tgt
	pack | masked ablation | heed-show -f ablation > $i.ablation
done
heed-show -f ablation,ablation.error three.stat | paste 1.ablation 2.ablation 3.ablation - | computes - '{
	m = (2 * $1 + 4 * $2 + 2 * $3) / 8
	e = sqrt(3 / 2 * ((2 * ($1 - m)) ^ 2 + (4 * ($2 - m)) ^ 2 + (2 * ($3 - m)) ^ 2)) / 8
	if ((m - $4) ^ 2 > 1e-12 * m * m + 1e-24 || (e - $5) ^ 2 > 1e-12 * e * e + 1e-24) bad = 1 }
	END { exit bad || NR != 24 }'
say $? 'ablation: an excluded token has no weight'

# --- relevance ---
for rule in 'alpha-beta --name relevance' 'attnlrp --name attnlrp'; do
	for i in $(seq $sentences); do head-lrp -q --rule $rule --target ref -m model.tar -o one/$i.lrp one/$i.heed; done
	head-lrp -q --no-pg --rule $rule --target ref -m model.tar --errors -o lrp.heed s.heed
	runs perl slow.pl ratio lrp.heed $(seq -f 'one/%.0f.lrp' $sentences) > names
	say $? "head-lrp --rule $rule: errors are those of the ratio estimator"
	echo "${rule##* } ${rule##* }.raw" | tr ' ' '\n' | equals - names; say $? '... of the share and of the relevance'
	head-lrp -q --no-pg --rule $rule --target ref -m model.tar -o plain.lrp s.heed
	without plain.lrp > a; without lrp.heed | equals - a; say $? '... and the measures are the same'
done
head-lrp -q --no-pg --rule attnlrp --name attnlrp --target ref -m model.tar --errors -t 2 s.heed | equals - lrp.heed
say $? 'two threads give the same bytes'
exits 2 '--errors with --tokens' head-lrp -m model.tar --tokens --errors s.heed

# --- other programs ---
head-compare plain.heed > a; head-compare errors.heed | equals - a; say $? 'head-compare leaves errors out'
head-prune -q --no-pg -m model.tar --keep 9 --by entropy plain.heed -o a.tar 2> /dev/null
runs head-prune -q --no-pg -m model.tar --keep 9 --by entropy errors.heed -o b.tar 2> /dev/null && equals a.tar b.tar
say $? 'head-prune takes the measure'
head-map -m model.tar --head-measures errors.heed --to json --number 1 s.heed | matches '"entropy.error":0'
say $? 'head-map shows errors with the measures'
