# browse.pl: drives a headless Chromium for tests, over --remote-debugging-pipe.
#
#   perl browse.pl < commands
#
# A command a line:
#   window WIDTH HEIGHT     in CSS pixels, also those of a phone
#   scheme light|dark|print what prefers-color-scheme says, or paper
#   open FILE[#FRAGMENT]    a page from the disk, or of a server here, until it is loaded; of the page that is open, only the
#                           fragment changes
#   js EXPRESSION           prints its value, a line
#   frame EXPRESSION        the same in the page's first frame, which may be sandboxed
#   key NAME                pressed and released: Tab, ArrowRight, Enter, w
#   shot FILE [full]        PNG of the window, or of the whole page
#   asked                   prints each address that was asked for, but pages opened and data
#   errors                  prints each error of console and scripts
use strict;
use warnings;
use Cwd 'abs_path';
use JSON::PP;
use MIME::Base64;
use POSIX ();

my ($to, $from, $next, $buffer, $session, %opened, @asked, @errors) = (undef, undef, 0, '');
my ($top, @worlds);	# the page's own frame; where scripts run: frame, session, context
my @events = qw(Runtime.enable Log.enable Network.enable);
my %code = (Tab => 9, Enter => 13, Escape => 27, ArrowLeft => 37, ArrowUp => 38, ArrowRight => 39,
	ArrowDown => 40, Delete => 46, ' ' => 32);
binmode STDOUT, ':utf8';

sub start {
	my ($profile) = @_;
	pipe(my $their_in, $to) or die;
	pipe($from, my $their_out) or die;
	my $pid = fork // die;
	return $pid if $pid;
	my ($in, $out) = map { POSIX::dup(fileno $_) } $their_in, $their_out;
	# Their numbers may be 3 and 4 already: once more, out of the way.
	($in, $out) = map { my $fd = $_; $fd = POSIX::dup($fd) while $fd < 10; $fd } $in, $out;
	POSIX::dup2($in, 3);
	POSIX::dup2($out, 4);
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', '/dev/null';
	{ exec $ENV{CHROMIUM} // 'chromium', qw(--headless --no-sandbox --disable-gpu --hide-scrollbars),
	    qw(--remote-debugging-pipe --no-first-run --disable-extensions --disable-dev-shm-usage),
	    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', "--user-data-dir=$profile", 'about:blank' }
	POSIX::_exit(127);
}

sub note_event {
	my ($m) = @_;
	my ($method, $p) = ($m->{method} // '', $m->{params});
	if ($method eq 'Network.requestWillBeSent') {
		my $url = $p->{request}{url};
		push @asked, $url unless $url =~ /^(data|about):/ || $opened{$url =~ s/#.*//r};
	} elsif ($method eq 'Runtime.exceptionThrown') {
		my $d = $p->{exceptionDetails};
		push @errors, $d->{exception}{description} // $d->{text};
	} elsif ($method eq 'Runtime.consoleAPICalled' && $p->{type} =~ /error|assert/) {
		push @errors, join ' ', map { $_->{value} // $_->{description} // '' } @{$p->{args}};
	} elsif ($method eq 'Log.entryAdded' && $p->{entry}{level} eq 'error') {
		push @errors, $p->{entry}{text};
	} elsif ($method eq 'Target.attachedToTarget') {
		# A frame in a process of its own waits until we listen.
		post($_, $p->{sessionId}) for @events, 'Runtime.runIfWaitingForDebugger';
	} elsif ($method eq 'Runtime.executionContextCreated') {
		my $c = $p->{context};
		push @worlds, [$c->{auxData}{frameId}, $m->{sessionId}, $c->{id}] if $c->{auxData}{isDefault};
	}
}

sub message {
	for (;;) {
		if ($buffer =~ s/^(.*?)\0//s) {
			my $m = decode_json($1);
			note_event($m);
			return $m;
		}
		sysread($from, $buffer, 65536, length $buffer) or die "chromium went away\n";
	}
}

sub post {
	my ($method, $session, %params) = @_;
	my $m = { id => ++$next, method => $method, params => \%params };
	$m->{sessionId} = $session if $session;
	my $bytes = encode_json($m) . "\0";
	while (length $bytes) {
		my $n = syswrite($to, $bytes) or die "chromium went away\n";
		substr($bytes, 0, $n, '');
	}
	return $next;
}

sub ask { return ask_in($session, @_) }

sub ask_in {
	my ($session, $method, %params) = @_;
	my $id = post($method, $session, %params);
	for (;;) {
		my $answer = message();
		next unless ($answer->{id} // 0) == $id;
		die "$method: $answer->{error}{message}\n" if $answer->{error};
		return $answer->{result};
	}
}

sub await { my ($method) = @_; 1 until (message()->{method} // '') eq $method }

sub js {
	my ($text, $in, $context) = @_;
	my $r = ask_in($in // $session, 'Runtime.evaluate', expression => $text,
		awaitPromise => JSON::PP::true, returnByValue => JSON::PP::true,
		$context ? (contextId => $context) : ());
	die "$text: $r->{exceptionDetails}{exception}{description}\n" if $r->{exceptionDetails};
	my $v = $r->{result}{value};
	return $v if defined $v && !ref $v;
	return JSON::PP->new->canonical->allow_nonref->encode($v);
}

# Two frames later all that a change of size or a key brings about is drawn.
sub settle { js('new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))') }

# Where scripts of the frame run, once it is loaded; before, it may move to another process.
sub frame {
	for (;;) {
		for (grep { $_->[0] ne $top } @worlds) {
			my (undef, @world) = @$_;
			return @world if eval { js('document.readyState + location', @world) eq 'completeabout:srcdoc' };
		}
		js('new Promise(r => setTimeout(r, 20))');
	}
}

my %command = (
	window => sub {
		my ($w, $h) = split ' ', $_[0];
		ask('Emulation.setDeviceMetricsOverride', width => 0 + $w, height => 0 + $h,
			deviceScaleFactor => 1, mobile => $w < 600 ? JSON::PP::true : JSON::PP::false);
	},
	scheme => sub {
		ask('Emulation.setEmulatedMedia', media => $_[0] eq 'print' ? 'print' : '',
			features => [{ name => 'prefers-color-scheme', value => $_[0] }]);
	},
	open => sub {
		my $url = my $file = $_[0] =~ s/#.*//r;
		if ($file !~ m{^http://127\.0\.0\.1:}) {
			-e $file or die "$file: $!\n";
			$url = 'file://' . abs_path($file);
		}
		$opened{$url} = 1;
		$url .= $1 if $_[0] =~ /(#.*)/;
		my @before = @worlds;
		@worlds = ();
		my $at = ask('Page.navigate', url => $url);
		$top = $at->{frameId};
		if ($at->{loaderId}) {
			await('Page.loadEventFired');
		} else {
			@worlds = @before;	# the fragment alone changes: nothing is loaded
		}
		settle();
	},
	js => sub { print js($_[0]), "\n" },
	frame => sub { print js($_[0], frame()), "\n" },
	key => sub {
		my $key = $_[0] eq 'Space' ? ' ' : $_[0];
		my $number = $code{$key} // ord uc $key;
		my %k = (key => $key, windowsVirtualKeyCode => $number);
		$k{text} = $key eq 'Enter' ? "\r" : $key if length $key == 1 || $key eq 'Enter';
		ask('Input.dispatchKeyEvent', type => $k{text} ? 'keyDown' : 'rawKeyDown', %k);
		delete $k{text};
		ask('Input.dispatchKeyEvent', type => 'keyUp', %k);
		settle();
	},
	shot => sub {
		my ($file, $full) = split ' ', $_[0];
		settle();
		my $r = ask('Page.captureScreenshot',
			$full ? (captureBeyondViewport => JSON::PP::true, clip => { x => 0, y => 0,
				scale => 1, width => 0 + js('innerWidth'),
				height => 0 + js('document.documentElement.scrollHeight') }) : ());
		open my $png, '>:raw', $file or die "$file: $!\n";
		print $png decode_base64($r->{data});
		close $png or die "$file: $!\n";
	},
	asked => sub { print "$_\n" for @asked },
	errors => sub { settle(); print "$_\n" for @errors },
);

my $profile = ($ENV{TMPDIR} // '/tmp') . "/browse.$$";
my $pid = start($profile);
END {
	my $status = $?;
	kill 'KILL', $pid;
	waitpid $pid, 0;
	system 'rm', '-rf', $profile;
	$? = $status;
}
$SIG{ALRM} = sub { die "chromium takes more than five minutes\n" };
alarm 300;
my ($target) = grep { $_->{type} eq 'page' } @{ask('Target.getTargets')->{targetInfos}};
my $id = $target ? $target->{targetId} : ask('Target.createTarget', url => 'about:blank')->{targetId};
my $attached = ask('Target.attachToTarget', targetId => $id, flatten => JSON::PP::true);
$session = $attached->{sessionId};
ask('Target.setAutoAttach', autoAttach => JSON::PP::true, waitForDebuggerOnStart => JSON::PP::true,
	flatten => JSON::PP::true);
ask($_) for 'Page.enable', @events;
while (defined(my $line = <STDIN>)) {
	chomp $line;
	my ($name, $rest) = split ' ', $line, 2;
	next if !defined $name;
	my $do = $command{$name} or die "no command $name\n";
	$do->($rest // '');
}
$session = undef;
eval { ask('Browser.close') };
