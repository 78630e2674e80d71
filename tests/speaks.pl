#!/usr/bin/perl
# speaks.pl: fails when a shell test says the status of a command that prints nothing if it fails, as in
# "[ -s out ] && grep -q yes out; say $?": neither what it found nor what it expected.  Such a command is
# none of the conditions in tests/lib.sh, or is negated.
#
# Of "a || b" one command must speak, of "a && b" both, and of "a | b" the last.  A function or a
# compound command speaks if its last list does, and an assignment if its command substitution does.
#
# "condition; r=$?; say $r" is as "condition; say $?", unless "[ $r = 0 ] || command" follows.
#
# Runs at the top of the tree.
use strict;
use warnings;

my $speaker = qr/^(?:that|matches|lacks|equals|differ|computes|runs|ends|near|:|true|echo|printf)$/;
our (@token, %function);
my $bad;

# Moves to the end of the quotation or substitution of $_ that begins at pos().
sub skip {
	my $close = shift;

	until (/\G\Q$close\E/gc || pos == length) { skip_one($close) }
}

# Moves over a character or what is quoted or substituted at pos(); in a quotation up to $close.
sub skip_one {
	my $close = shift;

	if (/\G\\./gcs || $close ne '"' && /\G'[^']*'/gc) { return }
	if (/\G\$\(\(/gc) { skip('))') }
	elsif (/\G\$\(/gc || $close eq ')' && /\G\(/gc) { skip(')') }
	elsif (/\G\$\{/gc) { skip('}') }
	elsif ($close ne '"' && /\G"/gc) { skip('"') }
	else { /\G./gcs }
}

# The tokens of a script: [text, offset, is an operator].  A redirection is none.
sub tokens {
	local $_ = shift;
	my $offset = shift;
	my (@here, @found, $redirected);

	for (pos = 0; pos() < length;) {
		my $begin = pos;

		next if /\G(?:[ \t]|\\\n|#.*)+/gc;
		if (/\G\n/gc) {
			push @found, [';', $offset + $begin, 1];
			for my $end (splice @here) { /\G(?:.*\n)*?\t*\Q$end\E\n/gc }
		} elsif (/\G\d*<<-?\s*['"\\]?(\w+)['"]?/gc) {
			push @here, $1;
		} elsif (/\G\d*[<>]+(&[\d-]|\|?)[ \t]*/gc) {
			$redirected = length $1 < 2;
		} elsif (/\G(?:&&|\|\||;;|[;&|()])/gc) {
			push @found, [$&, $offset + $begin, 1];
		} else {
			until (/\G(?=[\s;&|()<>])/gc || pos == length) { skip_one('') }
			push @found, [substr($_, $begin, pos() - $begin), $offset + $begin, 0] unless $redirected;
			$redirected = 0;
		}
	}
	return @found;
}

sub is_op { return @token && $token[0][2] && $token[0][0] =~ /^(?:$_[0])$/ }
sub is_word { return @token && !$token[0][2] && $token[0][0] =~ /^(?:$_[0])$/ }

# The lists up to one of these words or operators, which is taken.
sub block {
	my $end = shift;
	my %block = (lists => []);

	while (@token && !is_op($end) && !is_word($end)) {
		if (is_op('[;&]')) { shift @token } else { push @{$block{lists}}, and_or() }
	}
	$block{end} = @token ? (shift @token)->[0] : '';
	return \%block;
}

# The blocks of a compound command, of which one gives the status.
sub compound {
	my $word = (shift @token)->[0];
	my @block;

	return block('\)') if $word eq '(';
	return block('\}') if $word eq '{';
	if ($word eq 'if') {
		do { push @block, block('then|else|elif|fi') } until $block[-1]{end} =~ /^(?:fi|)$/;
		return grep { $_->{end} ne 'then' } @block;
	}
	if ($word ne 'case') {
		block('do');
		return block('done');
	}
	shift @token until !@token || is_word('in');
	until (@block && $block[-1]{end} ne ';;') {
		shift @token until !@token || is_op('\)') || is_word('esac');
		if (!is_op('\)')) { shift @token; last }
		shift @token;
		push @block, block(';;|esac');
	}
	return @block;
}

sub command {
	my %command = (at => $token[0][1], words => []);

	if (is_op('\(') || is_word('if|case|for|while|until|\{')) {
		$command{blocks} = [compound()];
		return \%command;
	}
	push @{$command{words}}, (shift @token)->[0] while @token && !$token[0][2];
	if (!@{$command{words}}) { shift @token }
	elsif (is_op('\(')) {
		splice @token, 0, 2;
		$function{$command{words}[0]} = command();
		$command{words} = [':'];
	}
	return \%command;
}

# A list: alternatives, of which each is the commands that decide on its status.
sub and_or {
	my @any = ([]);

	while (@token) {
		my ($not, $command);

		shift @token while is_op(';');
		while (is_word('!')) { shift @token; $not = !$not }
		$command = command();
		while (is_op('\|')) {
			shift @token;
			shift @token while is_op(';');
			$command = command();
		}
		$command->{not} = $not;
		push @{$any[-1]}, $command;
		last unless is_op('&&|\|\|');
		push @any, [] if (shift @token)->[0] eq '||';
	}
	return \@any;
}

sub parse {
	local @token = tokens(@_);
	my @list;

	push @list, @{block('')->{lists}} while @token;
	return @list;
}

# The commands of a command, a list or a block that print nothing if they fail.
sub silent {
	my $command = shift;
	my @word = @{$command->{words}};

	return $command if $command->{not};
	return map { silent_block(@{$_->{lists}}) } @{$command->{blocks}} if $command->{blocks};
	shift @word while @word > 1 && $word[0] =~ /^\w+=/;
	return $command unless @word;
	if ($word[0] =~ /^(\w+=.*?\$\()(.*)\)"?$/s) {
		return silent_block(parse($2, $command->{at} + length $1));
	}
	my $body = $function{$word[0]};
	return () if $word[0] =~ /^\w+=/ || $word[0] =~ $speaker && !$body;
	return $command unless $body;
	local $function{$word[0]};
	return silent($body) ? $command : ();
}

sub silent_list {
	my @silent;

	for my $all (@{$_[0]}) {
		my @found = map { silent($_) } @$all;
		return () unless @found;
		push @silent, @found;
	}
	return @silent;
}

# Those of the last list, and of lists before "|| return".
sub silent_block {
	my @decides = grep { ($_->[-1][0]{words}[0] // '') eq 'return' } @_;

	return map { silent_list($_) } @decides, $_[-1] // ();
}

# Whether a list is such as "[ $r = 0 ] || sed 's/^/# /' err".
sub prints_unless {
	my ($variable, $list) = @_;

	return $list && @$list > 1 && grep { /^"?\$$variable\b/ } @{$list->[0][0]{words}};
}

# The commands of a status that a test says which print nothing if they fail.  before and after: the lists next to "say".
sub silent_status {
	my ($say, $at, @list) = @_;
	my ($variable) = $say->{words}[1] =~ /^"?\$(\w+)"?$/;

	return silent_list($at ? $list[$at - 1] : [[]]) if $say->{words}[1] eq '$?';
	return () if !defined $variable || grep { prints_unless($variable, $_) } @list[$at - 1, $at + 1];
	return $say if $at < 2 || ($list[$at - 1][0][0]{words}[0] // '') ne "$variable=\$?";
	return silent_list($list[$at - 2]);
}

# Complains of each test in these lists, and in the blocks of their commands.
sub check {
	my ($path, $text, @list) = @_;

	for my $at (0 .. $#list) {
		my ($first) = my @command = map { @$_ } @{$list[$at]};

		check($path, $text, @{$_->{lists}}) for map { @{$_->{blocks} // []} } @command;
		next unless ($first->{words}[0] // '') eq 'say';
		for (silent_status($first, $at, @list)) {
			my $line = 1 + substr($text, 0, $_->{at}) =~ tr/\n//;
			print STDERR "speaks: $path:$line: ", $_->{not} ? '! ' : '', $_->{words}[0] // '', ", expected a condition of tests/lib.sh\n";
			$bad = 1;
		}
	}
}

sub text {
	my $path = shift;

	open my $in, '<', $path or die "speaks: $path: $!\n";
	local $/;
	return <$in>;
}

my @paths = grep { -f } glob('tests/*/*.t tests/*.sh');

die "speaks: no tests, expected the top of the tree\n" unless @paths;
parse(text($_), 0) for grep { /\.sh$/ } @paths;
delete @function{grep { /$speaker/ } keys %function};
my %common = %function;
for my $path (grep { !m{/lib\.sh$} } @paths) {
	%function = %common;
	my $text = text($path);
	check($path, $text, parse($text, 0));
	check($path, $text, [[$function{$_}]]) for grep { !$common{$_} || $common{$_} != $function{$_} } keys %function;
}
exit($bad ? 1 : 0);
