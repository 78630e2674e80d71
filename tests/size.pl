#!/usr/bin/perl
# size.pl: fails when C is larger than it may be:
#
#	files		500 lines; parts of the pipeline, too (*.mk)
#	functions	50 lines, from the name to the closing brace
#	lines		100 columns, with tabs of 8; except in tables of Unicode
#	programs	300 lines (src/*.c), and no macros for rows of option tables, which
#			are in cli.h
#
# Runs at the top of the tree.  With --longest it also prints the largest of each.
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

my %most = (file => 500, function => 50, columns => 100, program => 300);
my %wide = map { $_ => 1 } 'common/text/unicode-table.c';	# lines of any length
my (%largest, $functions, $bad);

# Notes a size; reports it if it exceeds the maximum.
sub size {
	my ($what, $n, $where) = @_;

	$largest{$what} = [$n, $where] if !$largest{$what} || $n > $largest{$what}[0];
	return if $n <= $most{$what};
	my $unit = $what eq 'columns' ? $what : 'lines';
	print STDERR "size: $where: $n $unit, expected at most $most{$what}\n";
	$bad = 1;
}

sub columns {
	my $line = shift;

	1 while $line =~ s/\t/' ' x (8 - $-[0] % 8)/e;
	return length $line;
}

sub check {
	my $path = shift;
	my ($name, $first, $macro) = ('', 0, '');	# of the function or macro of the line

	open my $in, '<', $path or die "size: $path: $!\n";
	while (my $line = <$in>) {
		chomp $line;
		size('columns', columns($line), "$path:$.") unless $wide{$path};
		($name, $first) = ($1, $.) if $line =~ /^(\w+)\(/;
		$name = '' if $line =~ /^\S.*;$/;	# a prototype
		if ($line =~ /^}/ && $name) {
			$functions++ unless $path =~ m{^tests/};
			size('function', $. - $first + 1, "$path:$first: $name()");
			$name = '';
		}
		$macro = $1 if $line =~ /^#define\s+(\w+)/;
		if ($macro && $path =~ m{^src/} && $line =~ /\.kind = OPT_/) {
			print STDERR "size: $path:$.: $macro makes rows of options, expected it in ",
			    "common/base/cli.h\n";
			$bad = 1;
		}
		$macro = '' unless $line =~ /\\$/;
	}
	size($path =~ m{^src/} ? 'program' : 'file', $., $path);
	close $in;
}

my $verbose = @ARGV && $ARGV[0] eq '--longest';
my @paths = grep { -f } glob("src/*.c common/*/*.{c,cc,h} common/*/*/*.{c,h} tests/*/*.{c,h}");

die "size: no C files, expected the top of the tree\n" unless @paths;
check($_) for @paths;
for my $part (grep { -f } 'pipeline.mk', glob('src/*.mk src/papers/*.mk')) {
	open my $in, '<', $part or die "size: $part: $!\n";
	my $lines = () = <$in>;
	size('file', $lines, $part);
}
for my $what ($verbose ? sort keys %largest : ()) {
	printf "%s\t%d\t%s\n", $what, @{$largest{$what}};
}
printf "functions\t%d\n", $functions if $verbose;
exit($bad ? 1 : 0);
