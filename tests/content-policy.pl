# content-policy.pl PAGE: fails unless the page's Content-Security-Policy has the SHA-256 of each of its styles and
# scripts, and the page has a style and a script.
use strict;
use warnings;
use Digest::SHA 'sha256_base64';

my $page = do { local $/; <> };
my $bad = 0;
for my $kind (qw(style script)) {
	my ($listed) = $page =~ /Content-Security-Policy" content="[^"]*\b$kind-src ([^";]*)/ or die "no $kind-src\n";
	my @text = $page =~ m{<$kind>(.*?)</$kind>}sg or die "no $kind\n";
	for (@text) {
		my $hash = sha256_base64($_) . '=';
		next if index($listed, "'sha256-$hash'") >= 0;
		print "# $kind-src has $listed, expected $hash\n";
		$bad = 1;
	}
}
exit $bad;
