# http.pl: sends requests to a server on this machine, as a browser or an attacker would.
#
#   perl http.pl PORT < requests
#
# A request a line, with fields separated by tabs; "-" or nothing: without it.
#
#   METHOD PATH [HOST [ORIGIN [FILE [HEADER]]]]
#
# HOST is 127.0.0.1:PORT if it is "+", ORIGIN http://127.0.0.1:PORT.  FILE has the body, "chunked FILE" is
# sent in chunks without its length.  Prints the status of each answer, or "closed"; the last body is in
# the file body, its headers are in the file headers.
use strict;
use warnings;
use IO::Socket::INET;

my ($port, @last) = (shift);
$SIG{PIPE} = 'IGNORE';
$| = 1;
while (my $line = <STDIN>) {
	chomp $line;
	my ($method, $path, $host, $origin, $file, $more) = split /\t/, $line;
	my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 5) or do { print "refused\n"; next };
	my $given = sub { defined $_[0] && length $_[0] && $_[0] ne '-' };
	my ($body, $chunked) = ('', 0);
	if ($given->($file)) {
		$chunked = $file =~ s/^chunked //;
		open my $in, '<:raw', $file or die "$file: $!\n";
		local $/;
		$body = <$in> // '';
	}
	my $text = "$method $path HTTP/1.1\r\n";
	$text .= 'Host: ' . ($host eq '+' ? "127.0.0.1:$port" : $host) . "\r\n" if $given->($host);
	$text .= 'Origin: ' . ($origin eq '+' ? "http://127.0.0.1:$port" : $origin) . "\r\n" if $given->($origin);
	$text .= "$more\r\n" if $given->($more);
	$text .= $chunked ? "Transfer-Encoding: chunked\r\n" : 'Content-Length: ' . length($body) . "\r\n" if $given->($file);
	$text .= "Connection: close\r\n\r\n";
	$text .= $chunked ? sprintf("%x\r\n%s\r\n0\r\n\r\n", length $body, $body) : $body;
	for (my $at = 0; $at < length $text;) {
		my $n = syswrite $s, $text, 65536, $at;
		last unless $n;		# refused before the end
		$at += $n;
	}
	local $/;
	my $answer = eval { local $SIG{ALRM} = sub { die }; alarm 30; my $all = <$s>; alarm 0; $all };
	my ($head, $rest) = split /\r\n\r\n/, $answer // '', 2;
	print defined $head && $head =~ m{^HTTP/1\.1 (\d+)} ? "$1\n" : "closed\n";
	@last = (headers => $head, body => $rest);
	$/ = "\n";
}
while (my ($name, $text) = splice @last, 0, 2) {
	open my $out, '>:raw', $name or die;
	print $out $text // '';
	close $out or die;
}
