#!/usr/bin/perl
# language.pl FILE...: words that the project does not use (language.tsv), one a line: file, line, word, what to write.
# The exit status is 1 if there are any.  The exceptions are in language.except.
use strict;
use warnings;
use File::Basename qw(dirname);

my $here = dirname(__FILE__);
@ARGV or die "language.pl: no files\n";

# rows FILE N: the fields of its lines, N a line, without comments
sub rows {
	my ($file, $n) = @_;
	my @rows;
	open(my $in, '<', "$here/$file") or die "language.pl: $here/$file: $!\n";
	while (<$in>) {
		chomp;
		next if /^#/ || /^\s*$/;
		my @row = split /\t/, $_, $n;
		die "language.pl: $file: line $.: expected $n fields\n" if @row != $n;
		push @rows, \@row;
	}
	return @rows;
}

# A space of an expression also stands for a line end and the margin of a comment.
my @words = map { (my $re = $_->[0]) =~ s/ /\\s+/g; { re => qr/$re/i, where => $_->[1], say => $_->[2] } } rows('language.tsv', 3);
my @except = map { { file => qr/$_->[0]/, re => qr/$_->[1]/i } } rows('language.except', 2);

# blank TEXT: the same with all but line ends as blanks, so that places stay
sub blank {
	my ($text) = @_;
	$text =~ s/[^\n]/ /g;
	return $text;
}

# C: comments and strings are text, the rest are names; each keeps its place in the file.
sub split_c {
	my ($all) = @_;
	my ($text, $names) = ('', '');
	while ($all =~ m{\G(/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^"'/]+|.)}gs) {
		my $part = $1;
		if ($part =~ m{^/\*} || $part =~ /^"/) {
			$names .= blank($part);
			$part =~ s{^\s+\* ?}{' ' x length $&}gem if $part =~ m{^/\*};
			$part =~ s/^"|"$/ /g;
			$text .= $part;
		} else {
			$text .= blank($part);
			$names .= $part;
		}
	}
	return ($text, $names);
}

# A manual page: macros and their punctuation go, their words stay; comments are no text.
sub page_text {
	my ($all) = @_;
	$all =~ s{^\.\\"[^\n]*}{}gm;
	$all =~ s{^\.(?:It|Nd|Sh|Ss|Op|Oo|Pq|Dq|Sq|Em|Sy)\b}{}gm;
	$all =~ s{^\.(?:Va|Fl|Ar|Cm|Ql|Li|Pa|Fn|Xr|Dl|Vt|Ft)\b[^\n]*}{blank($&)}gem;
	$all =~ s{\b(?:Va|Fl|Ar|Cm|Ql|Li|Pa|Fn|Xr) \S+}{blank($&)}gem;
	return $all;
}

my $found = 0;

# report FILE TEXT WHERE: the words of that kind in it
sub report {
	my ($file, $text, @where) = @_;
	(my $flat = $text) =~ tr/\n/ /;
	for my $word (grep { my $w = $_->{where}; grep { $_ eq $w } @where } @words) {
		while ($flat =~ /$word->{re}/g) {
			my ($from, $to) = ($-[0], $+[0]);
			my $around = substr($flat, $from > 40 ? $from - 40 : 0, $to - $from + 80);
			next if grep { $file =~ $_->{file} && $around =~ $_->{re} } @except;
			my $line = 1 + (substr($text, 0, $from) =~ tr/\n//);
			$around =~ s/\s+/ /g;
			print "$file:$line: '", substr($flat, $from, $to - $from), "' ($around): $word->{say}\n";
			$found++;
		}
	}
}

for my $file (@ARGV) {
	open(my $in, '<', $file) or die "language.pl: $file: $!\n";
	my $all = do { local $/; <$in> };
	if ($file =~ /\.[ch]$/) {
		my ($text, $names) = split_c($all);
		report($file, $text, 'text');
		report($file, $names, 'names');
	} elsif ($file =~ /\.[0-9]$/) {
		report($file, page_text($all), 'text', 'pages');
	} elsif ($file =~ /\.md$/) {
		report($file, $all, 'text', 'pages');
	} else {
		report($file, $all, 'text');
	}
}
exit($found ? 1 : 0);
