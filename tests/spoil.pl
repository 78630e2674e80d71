# spoil.pl: a model whose contents are wrong and whose sums are right, from a good one.
#   perl spoil.pl MODEL OUT element MEMBER INDEX HEX	bytes, from element INDEX (4 bytes each, from 0)
#   perl spoil.pl MODEL OUT map OLD NEW			text of the map, of the same length; \xHH is a byte
use strict;
use warnings;
use Compress::Raw::Zlib 'crc32';

my ($model, $to, $what, @how) = @ARGV;

sub slurp { local $/; open my $f, '<:raw', $_[0] or die "$_[0]: $!\n"; <$f> }

# [header, contents] of every member; modes and times stay as they are
my ($tar, @member) = (slurp($model));
for (my $at = 0; substr($tar, $at, 1) ne "\0"; ) {
	my $size = oct substr $tar, $at + 124, 11;
	push @member, [substr($tar, $at, 512), substr($tar, $at + 512, $size)];
	$at += 512 + int(($size + 511) / 512) * 512;
}
sub name { unpack 'Z100', $_[0][0] }
my ($map, $end) = @member[0, -1];

if ($what eq 'map') {
	my ($old, $new) = map { s/\\x(..)/chr hex $1/ger } @how;
	length $old == length $new or die "$old: not as long as $new\n";
	$map->[1] =~ s/\Q$old\E/$new/ or die "$model: the map has no $old\n";
} else {
	my ($name, $index, $hex) = @how;
	my ($m) = grep { name($_) eq $name } @member or die "$model: no member $name\n";
	my ($bytes, $crc) = (pack 'H*', $hex);
	4 * $index + length $bytes <= length $m->[1] or die "$name: no element $index\n";
	substr $m->[1], 4 * $index, length $bytes, $bytes;
	$crc = sprintf '%08x', crc32($m->[1]);
	$map->[1] =~ s/(\Q$name\E\t[^\t]*\t[^\t]*\t\d+\t)[0-9a-f]{8}/$1$crc/ or die "$name: not in the table\n";
}
my $crc = 0;
$crc = crc32($_->[1], $crc) for @member[0 .. $#member - 1];
$end->[1] =~ s/crc32 [0-9a-f]{8}/sprintf 'crc32 %08x', $crc/e or die "$model: no end\n";

open my $f, '>:raw', $to or die "$to: $!\n";
print $f $_->[0], $_->[1], "\0" x (-length($_->[1]) % 512) for @member;
print $f "\0" x 1024;
close $f or die "$to: $!\n";
