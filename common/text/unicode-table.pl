#!/usr/bin/perl
# unicode-table.pl: prints unicode-table.c from perl's Unicode tables.  Run it by hand to update to a
# newer version of Unicode: perl common/text/unicode-table.pl > common/text/unicode-table.c
use strict;
use warnings;
no warnings qw(utf8 surrogate nonchar non_unicode);
use Unicode::UCD;

my @class = ([1, qr/\p{P}/], [2, qr/\p{S}/], [4, qr/\p{N}/], [8, qr/\p{IsAlpha}/],
	     [16, qr/\p{IsAlnum}/], [32, qr/\p{IsLower}/], [64, qr/\p{Sc}/], [128, qr/\s/]);
my (@start, @ascii, $last);

$last = -1;
for my $c (0 .. 0x10ffff) {
	my ($s, $m) = (chr $c, 0);
	utf8::upgrade($s);
	for (@class) { $m |= $_->[0] if $s =~ $_->[1] }
	push @start, [$c, $m] if $m != $last;
	push @ascii, $m if $c < 128;
	$last = $m;
}
my $version = Unicode::UCD::UnicodeVersion();
print "/* unicode-table: character classes of Unicode $version, by unicode-table.pl; see unicode.h. */\n";
print "#include \"text/unicode.h\"\n\n";
print "/* Ranges: first code point (21 bits, shifted by 8) and classes (8 bits). */\n";
print "const uint32_t unicode_table[] = {";
my $i = 0;
printf "%s0x%x,", $i++ % 9 ? " " : "\n\t", $_->[0] << 8 | $_->[1] for @start;
print "\n};\n\n/* The classes of ASCII, for speed. */\n";
print "const uint8_t unicode_ascii[128] = {";
$i = 0;
printf "%s%d,", $i++ % 16 ? " " : "\n\t", $_ for @ascii;
print "\n};\n\nconst size_t unicode_table_n = sizeof(unicode_table) / sizeof(unicode_table[0]);\n";
