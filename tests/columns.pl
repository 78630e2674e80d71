# columns.pl: prints cells of mdoc tables (.Bl -column) that are wider than their columns, and rows
# that are wider than a page of 80 columns, on which man(1) uses 78; called by cli/man.t.  The last
# cell of a row may be wider than its column, and tables inside lists are not known to be narrower.
use strict;
use warnings;
use utf8;
use open qw(:std :utf8);

# text LINE: the text that a line of macros prints; quotation marks of Ql and Dq do not count
sub text {
	my $s = "";
	my $join = 1;
	my @words = $_[0] =~ /("[^"]*"|\S+)/g;
	while (defined(my $w = shift @words)) {
		if ($w =~ /^(?:Em|Cm|Ql|Dq|Sy|Va|Pa|Li|Ar|No)$/) { next }
		if ($w eq "Ns") { $join = 1; next }
		if ($w eq "Fl") { $s .= ($join ? "" : " ") . "-"; $join = 1; next }
		if ($w eq "Xr") { $w = shift(@words) . "(" . shift(@words) . ")" }
		$w =~ s/^"|"$//g;
		$s .= ($join || $w =~ /^[.,;:)]$/ ? "" : " ") . $w;
		$join = 0;
	}
	$s =~ s/\\\(..|\\[-e]/x/g;
	$s =~ s/\\&//g;
	return $s;
}

# groff and mandoc put 4, 3 or 1 spaces between columns.
sub gap { return $_[0] < 5 ? 4 : $_[0] == 5 ? 3 : 1 }

my (@width, $indent);
while (<>) {
	chomp;
	if (s/^\.Bl -column //) {
		$indent = s/-offset indent// ? 11 : 5;
		s/-compact//;
		@width = map { length text($_) } /("[^"]*"|\S+)/g;
	} elsif (/^\.El/) {
		@width = ();
	} elsif (@width && s/^\.It ?//) {
		my @cell = map { text($_) } split /(?:^| )Ta(?= |$)/;
		for my $i (0 .. $#cell - 1) {
			next if length $cell[$i] <= $width[$i];
			print "$ARGV:$.: '$cell[$i]' is wider than column ", $i + 1, ", $width[$i]\n";
		}
		my $row = $indent + length $cell[-1];
		$row += $_ + gap(scalar @width) for @width[0 .. $#cell - 1];
		print "$ARGV:$.: the row has $row columns, expected at most 78\n" if $row > 78;
	}
	close ARGV if eof;
}
