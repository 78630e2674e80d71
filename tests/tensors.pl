#!/usr/bin/perl
# tensors.pl IN OUT CODE: copies an .npz (its members become stored), a .safetensors, or a model.bin of
# CTranslate2 (version 4 or later), running CODE for each tensor.  It may change $name, $shape (a text:
# "8, 8"), $type and $data, push more onto @more as [name, type, shape, data], and drop the tensor with
# $name = undef.  Of a model.bin it may change $version, $spec, $revision, $count, which is added to the
# number of tensors, and @aliases, a list of [alias, name].
use strict;
use warnings;
use Compress::Raw::Zlib qw(crc32 MAX_WBITS);
use JSON::PP;

my ($in, $out, $code) = @ARGV;
open(my $f, '<:raw', $in) or die "$in: $!\n";
my $bytes = do { local $/; <$f> };
my (@all, @aliases);
my ($version, $spec, $revision, $count) = (0, '', 0, 0);
my @types = qw(float32 int8 int16 int32 float16 bfloat16);

sub npy {
	my ($type, $shape, $data) = @_;
	my $head = "{'descr': '$type', 'fortran_order': False, 'shape': ($shape), }\n";
	return "\x93NUMPY\x01\x00" . pack('v', length $head) . $head . $data;
}

sub inflate {
	my ($packed, $out) = (${$_[0]}, '');
	Compress::Raw::Zlib::Inflate->new(-WindowBits => -MAX_WBITS)->inflate($packed, $out);
	${$_[0]} = $out;
}

if ($in =~ /\.npz$/) {
	for (my $at = 0; substr($bytes, $at, 4) eq "PK\3\4";) {
		my ($method, $size, $names, $extra) = (unpack('vvvvvVVVvv', substr($bytes, $at + 4)))[2, 6, 8, 9];
		my $name = substr($bytes, $at + 30, $names) =~ s/\.npy$//r;
		$size = unpack('x12Q<', substr($bytes, $at + 30 + $names)) if $size == 0xffffffff;	# zip64
		my $npy = substr($bytes, $at += 30 + $names + $extra, $size);
		inflate(\$npy) if $method;
		my $n = unpack('v', substr($npy, 8));
		my ($type, $shape) = substr($npy, 10, $n) =~ /'descr': '(.*?)'.*'shape': \((.*?)\)/;
		push @all, [$name, $type, $shape, substr($npy, 10 + $n)];
		$at += $size;
	}
} elsif ($in =~ /\.bin$/) {
	my $at = 0;
	my $take = sub { my $x = substr($bytes, $at, $_[0]); $at += $_[0]; $x };
	my $number = sub { unpack('V', $take->(4)) };
	my $text = sub { $take->(unpack('v', $take->(2))) =~ s/\0$//r };

	($version, $spec, $revision) = ($number->(), $text->(), $number->());
	for (1 .. $number->()) {
		my $name = $text->();
		my $shape = join ', ', map { $number->() } 1 .. ord $take->(1);
		my $type = $types[ord $take->(1)];
		push @all, [$name, $type, $shape, $take->($number->())];
	}
	push @aliases, [$text->(), $text->()] for 1 .. $number->();
} else {
	my $n = unpack('Q<', $bytes);
	my $head = decode_json(substr($bytes, 8, $n));
	delete $head->{__metadata__};
	for my $name (sort { $head->{$a}{data_offsets}[0] <=> $head->{$b}{data_offsets}[0] } keys %$head) {
		my ($from, $to) = @{ $head->{$name}{data_offsets} };
		push @all, [$name, $head->{$name}{dtype}, join(', ', @{ $head->{$name}{shape} }),
		    substr($bytes, 8 + $n + $from, $to - $from)];
	}
}

my (@kept, @more);
for my $x (@all) {
	our ($name, $type, $shape, $data) = @$x;
	eval "$code; 1" or die $@;
	push @kept, [$name, $type, $shape, $data] if defined $name;
}
push @kept, @more;

open(my $o, '>:raw', $out) or die "$out: $!\n";
if ($out =~ /\.npz$/) {
	my ($body, $directory) = ('', '');
	for my $x (@kept) {
		my ($name, $npy) = ("$x->[0].npy", npy(@$x[1 .. 3]));
		my $common = pack('vvvvvVVVvv', 20, 0, 0, 0, 33, crc32($npy), length $npy, length $npy, length $name, 0);
		$directory .= "PK\1\2" . pack('v', 20) . $common . pack('vvvVV', 0, 0, 0, 0, length $body) . $name;
		$body .= "PK\3\4$common$name$npy";
	}
	print $o $body, $directory, "PK\5\6",
	    pack('vvvvVVv', 0, 0, scalar @kept, scalar @kept, length $directory, length $body, 0);
} elsif ($out =~ /\.bin$/) {
	my %type = map { $types[$_] => $_ } 0 .. $#types;
	my $text = sub { pack('v', 1 + length $_[0]) . "$_[0]\0" };

	print $o pack('V', $version), $text->($spec), pack('VV', $revision, $count + @kept);
	for my $x (@kept) {
		my @d = split /, /, $x->[2];
		print $o $text->($x->[0]), pack('CV*', scalar @d, @d), pack('CV', $type{$x->[1]} // 99, length $x->[3]), $x->[3];
	}
	print $o pack('V', scalar @aliases), map { $text->($_->[0]) . $text->($_->[1]) } @aliases;
} else {
	my ($body, @head) = ('');
	for my $x (@kept) {
		my $from = length $body;
		$body .= $x->[3];
		push @head, JSON::PP->new->allow_nonref->encode($x->[0]) .
		    qq(:{"dtype":"$x->[1]","shape":[$x->[2]],"data_offsets":[$from,${\length $body}]});
	}
	my $head = '{' . join(',', @head) . '}';
	print $o pack('Q<', length $head), $head, $body;
}
close $o or die "$out: $!\n";
