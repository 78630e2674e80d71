#!/usr/bin/perl
# tensors.pl IN OUT CODE: copies an .npz (whose members are stored) or a .safetensors, running CODE for each
# tensor.  It may change $name, $shape (a text: "8, 8"), $type and $data, push more onto @more as
# [name, type, shape, data], and drop the tensor with $name = undef.
use strict;
use warnings;
use Compress::Zlib qw(crc32);
use JSON::PP;

my ($in, $out, $code) = @ARGV;
open(my $f, '<:raw', $in) or die "$in: $!\n";
my $bytes = do { local $/; <$f> };
my @all;

sub npy {
	my ($type, $shape, $data) = @_;
	my $head = "{'descr': '$type', 'fortran_order': False, 'shape': ($shape), }\n";
	return "\x93NUMPY\x01\x00" . pack('v', length $head) . $head . $data;
}

if ($in =~ /\.npz$/) {
	for (my $at = 0; substr($bytes, $at, 4) eq "PK\3\4";) {
		my ($method, $size, $names, $extra) = (unpack('vvvvvVVVvv', substr($bytes, $at + 4)))[2, 6, 8, 9];
		die "$in: not stored\n" if $method;
		my $name = substr($bytes, $at + 30, $names) =~ s/\.npy$//r;
		my $npy = substr($bytes, $at += 30 + $names + $extra, $size);
		my $n = unpack('v', substr($npy, 8));
		my ($type, $shape) = substr($npy, 10, $n) =~ /'descr': '(.*?)'.*'shape': \((.*?)\)/;
		push @all, [$name, $type, $shape, substr($npy, 10 + $n)];
		$at += $size;
	}
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
