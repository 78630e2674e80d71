#!/usr/bin/perl
# names.pl: fails when a name tells the reader the wrong place, or nothing:
#
#	a header declares a function or an object that a file of another room of common/ defines
#	two files have the same name but for its ending and its folder, such as data/x.c and src/x.c
#	a parameter has an English function word as its name; only ranges have `from` and `to`
#	two files define a function of the same name, except main() and what a header declares for
#	files that replace each other
#
# Runs at the top of the tree.
use strict;
use warnings;

my %word = map { $_ => 1 } qw(of to from in how keep same own by last what);
my $integer = qr/^(?:const )?(?:int|size_t|int64_t|ptrdiff_t) \*?\w+$/;
my ($bad, %base, %defined, %static);

sub complain { print STDERR "names: @_\n"; $bad = 1; }

# The text without comments, strings and lines of the preprocessor, with the same lines.
sub code_of {
	my $path = shift;

	open my $in, '<', $path or die "names: $path: $!\n";
	local $/;
	my $s = <$in>;
	$s =~ s{(/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'}{$1 ? $1 =~ tr/\n//cdr : '""'}gse;
	$s =~ s{^#(?:.*\\\n)*.*$}{$& =~ tr/\n//cdr}gme;
	return $s;
}

# The parameters of a list, without those that have no name: [name, declaration].
sub parameters {
	my ($list, $depth, @part) = (shift, 0, '');

	for my $c (split //, $list) {
		$depth += $c =~ /[(\[]/ ? 1 : $c =~ /[)\]]/ ? -1 : 0;
		if ($c eq ',' && !$depth) { push @part, '' } else { $part[-1] .= $c }
	}
	s/^\s+|\s+$//g, s/\s+/ /g for @part;
	return map { /\(\*(\w+)\)\(/ || /[ *](\w+)(?:\[.*\])*$/ ? [$1, $_] : () } @part;
}

sub check_parameters {
	my ($where, $list) = @_;
	my @p = parameters($list);
	my %of = map { $_->[0] => $_->[1] } @p;
	my $range = exists $of{from} && exists $of{to} &&
	    $of{from} =~ $integer && $of{to} =~ $integer;

	for (grep { $word{$_->[0]} } @p) {
		next if $range && $_->[0] =~ /^(?:from|to)$/;
		complain("$where: parameter $_->[1], expected a name that says what it holds");
	}
}

sub read_file {
	my ($path, $declared) = @_;
	my $s = code_of($path);
	my ($room) = $path =~ m{^common/([^/]+)/};

	while ($s =~ /^((?:[A-Za-z_][\w \t*]*[\s*])?(\w+))\(((?:[^(){};]|\([^(){};]*\))*)\)
	    [^;{(]*(?:\([^;{]*)?([;{])/gmx) {
		my ($head, $name, $list, $end) = ($1, $2, $3, $4);
		my $line = 1 + substr($s, 0, $-[2]) =~ tr/\n//;

		next if $head =~ /^(?:typedef|return)\b/;
		check_parameters("$path:$line: $name()", $list);
		$static{$name} ||= $head =~ /^(?:static|INLINE)\b/;
		if ($end eq '{') { $defined{$name}{$path} = $room // '' }
		elsif ($path =~ /\.h$/) { push @$declared, [$name, $path, $line, $room] }
	}
	while ($path =~ /\.h$/ && $s =~ /^extern [\w \t*]*?\b(\w+)(?:\[[^\]]*\])*;/gm) {
		push @$declared, [$1, $path, 1 + substr($s, 0, $-[1]) =~ tr/\n//, $room];
	}
	while ($s =~ /^(?!static|extern|typedef)[a-z][\w \t*]*[ *](\w+)(?:\[[^\]]*\])* = /gm) {
		$defined{$1}{$path} = $room // '';
	}
}

my @paths = grep { -f } glob("common/*/*.{c,cc,h} common/*/*/*.{c,h} src/*.c");
my @declared;
die "names: no C files, expected the top of the tree\n" unless @paths;
for my $path (@paths) {
	my ($stem, $name) = $path =~ m{^(.*?([^/]+))\.\w+$};

	$base{$name}{$stem} = 1;
	read_file($path, \@declared);
}
for my $name (sort keys %base) {
	my @at = sort keys %{$base{$name}};
	complain("@at have the same name, expected different ones") if @at > 1;
}
for (@declared) {
	my ($name, $path, $line, $room) = @$_;
	my @at = sort keys %{$defined{$name} // {}};

	next if !@at || grep { $defined{$name}{$_} eq $room } @at;
	complain("$path:$line: declares $name of $at[0], expected it in a header of that room");
}
my %declared = map { $_->[0] => 1 } @declared;
for my $name (sort keys %defined) {
	my %at = map { s/\.\w+$//r => 1 } keys %{$defined{$name}};
	my @at = sort keys %at;

	next if @at < 2 || $declared{$name} && !$static{$name} || $name =~ /^(?:main$|[^a-z])/;
	complain("@at define $name(), expected the name of its thing in each");
}
exit($bad ? 1 : 0);
