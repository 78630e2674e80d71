#!/usr/bin/perl
# lowercase-table.pl: prints lowercase-table.c from perl's Unicode tables.  Run it by hand to update
# to a newer version of Unicode: perl common/text/lowercase-table.pl > common/text/lowercase-table.c
use strict;
use warnings;
no warnings qw(utf8 surrogate nonchar non_unicode);
use feature 'unicode_strings';
use Unicode::UCD;

my @range;	# [first, last, step, delta]
for my $c (0 .. 0x10ffff) {
	my $l = lc chr $c;
	my $d = length $l == 1 ? ord($l) - $c : 0;	# only U+0130 has two; see lowercase.c
	next unless $d;
	my $r = @range ? $range[-1] : undef;
	my $gap = $r ? $c - $r->[1] : 0;
	if ($r && $r->[3] == $d && ($gap == $r->[2] || (!$r->[2] && $gap <= 2))) {
		($r->[1], $r->[2]) = ($c, $gap);
	} else {
		push @range, [$c, $c, 0, $d];
	}
}

sub list {	# the code points at which a property begins and ends
	my ($re) = @_;
	my ($before, @at) = 0;
	for my $c (0 .. 0x110000) {
		my $is = $c < 0x110000 && chr($c) =~ $re ? 1 : 0;
		push @at, $c if $is != $before;
		$before = $is;
	}
	return @at;
}

sub table {
	my ($name, @at) = @_;
	my $i = 0;
	print "\nconst int32_t ${name}[] = {";
	printf "%s0x%x,", $i++ % 10 ? " " : "\n\t", $_ for @at;
	print "\n};\nconst size_t ${name}_n = sizeof($name) / sizeof(${name}\[0]);\n";
}

my $version = Unicode::UCD::UnicodeVersion();
print "/* lowercase-table: lower case of Unicode $version, by lowercase-table.pl; see lowercase.h. */\n";
print "#include \"text/lowercase.h\"\n\nconst struct lowercase_range lowercase_table[] = {";
my $i = 0;
printf "%s{ 0x%x, 0x%x, %d, %d },", $i++ % 3 ? " " : "\n\t", $_->[0], $_->[1], $_->[2] || 1, $_->[3] for @range;
print "\n};\nconst size_t lowercase_table_n = sizeof(lowercase_table) / sizeof(lowercase_table[0]);\n";
table("lowercase_cased", list(qr/\p{Cased}/));
table("lowercase_ignorable", list(qr/\p{Case_Ignorable}/));
