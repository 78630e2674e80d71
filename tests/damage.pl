# damage.pl: a copy of a model of another toolkit that is damaged in one way.
#   perl damage.pl FOLDER NUMBER TO
# The number chooses a file of the folder and the damage.  Prints what was done.  No damage is one that nobody can
# detect, such as two entries of a vocabulary that exchange their rows.
use strict;
use warnings;
use File::Basename;
use File::Copy 'copy';
use File::Path 'make_path';
use IO::Socket::UNIX;
use JSON::PP;
use POSIX 'mkfifo';

my ($folder, $number, $to) = @ARGV;
my $data = dirname($folder);
my $json = JSON::PP->new->allow_nonref->canonical->utf8;
srand($number);
sub pick { $_[rand @_] }
sub slurp { local $/; open my $f, '<:raw', $_[0] or die "$_[0]: $!\n"; my $s = <$f>; defined $s ? $s : '' }
sub spew { open my $f, '>:raw', $_[0] or die "$_[0]: $!\n"; print $f $_[1]; close $f or die "$_[0]: $!\n" }

sub files { my $in = shift; map { -d $_ ? files($_) : $_ } sort glob "$in/*" }
my @files = map { substr $_, 1 + length $folder } files($folder);
for (@files) { make_path(dirname("$to/$_")); copy("$folder/$_", "$to/$_") or die "$_: $!\n" }

# --- any file ---

sub cut    { my $s = slurp($_[0]); my $n = pick(0, 1, int(rand length $s), length($s) >> 1, length($s) - 30, length($s) - 1);
	spew($_[0], substr $s, 0, $n < 0 ? 0 : $n) if length $s; "cut to $n bytes" }
sub longer { my $more = pick("\0", "x", "}", "\n:", "PK\5\6", "\x0a\xff" x 40); spew($_[0], slurp($_[0]) . $more); 'bytes appended' }
# Nothing shows that there was a target_vocab.json.
sub gone   { return cut($_[0]) if $_[0] =~ /target_vocab\.json$/; unlink $_[0]; 'removed' }
sub replaced {
	my $path = shift;
	unlink $path;
	my $by = pick(qw(fifo folder socket device dangling loop));
	$by eq 'fifo' ? mkfifo($path, 0644) : $by eq 'folder' ? mkdir $path
	    : $by eq 'socket' ? socket_at($path)
	    : symlink $by eq 'device' ? '/dev/zero' : $by eq 'dangling' ? 'nowhere' : basename($path), $path
	    or die "$path: $!\n";
	"replaced by a $by";
}
# The name of a socket must be short.
sub socket_at { chdir dirname($_[0]) and IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => basename($_[0]), Listen => 1) }
# A file of the same name or kind of another model.
sub swapped {
	my $path = shift;
	my ($end) = $path =~ /(\.\w+)$/;
	my @others = grep { /\Q$end\E$/ && slurp($_) ne slurp($path) } files($data);
	my @same = grep { basename($_) eq basename($path) } @others;
	my $from = pick(@same, @same, @others ? pick(@others) : ()) or return gone($path);
	copy($from, $path);
	"replaced by " . substr $from, 1 + length $data;
}

# --- settings and vocabularies ---

# Other values of a wrong type for a value, or an id that is no row.
sub wrong {
	my $x = shift;
	my $is = ref $x eq 'ARRAY' ? 'list' : ref $x eq 'HASH' ? 'map' : JSON::PP::is_bool($x) ? 'bool'
	    : defined $x && $x =~ /^-?\d+$/ ? 'integer' : defined $x && $x =~ /^-?\d/ ? 'number' : 'text';
	my %of = (list => [{}, 'text', 3], map => [[], 'text', 3], bool => ['maybe', 2.5, [], {}],
	    integer => [2.7, -1, 999999999, 1e300, 'many', [2], {}, $JSON::PP::true], number => ['much', [], {}, $JSON::PP::true],
	    text => [7, [], {}, $JSON::PP::false, '']);
	pick(@{ $of{$is} });
}
# All places in a tree, as [container, key].
sub places {
	my $x = shift;
	ref $x eq 'HASH' ? map { [$x, $_], places($x->{$_}) } sort keys %$x
	    : ref $x eq 'ARRAY' ? map { [$x, $_], places($x->[$_]) } 0 .. $#$x : ();
}
# Settings that the readers use.
my $read = qr/^(model_type|d_model|\w+_layers|\w+_heads|\w+_dim|\w*dropout|activation_function|scale_embedding|\w*vocab_size
    |\w+_token_id|num_beams|length_penalty|max_\w+|tie_word_embeddings|\w+_words_ids|tokenizer_class|additional_special_tokens
    |\w+_token|add_source_\w+|layer_norm_epsilon|multi_query_attention|weight_map|model|vocab|added_tokens|share_\w+)$/x;
sub setting {
	my $path = shift;
	my $tree = $json->decode(slurp($path));
	my @places = grep { ref $_->[0] ne 'HASH' || $_->[1] =~ $read } places($tree) or return cut($path);
	my ($in, $key) = @{ pick(@places) };
	my $new = wrong(ref $in eq 'HASH' ? $in->{$key} : $in->[$key]);
	ref $in eq 'HASH' ? ($in->{$key} = $new) : ($in->[$key] = $new);
	spew($path, $json->encode($tree));
	"$key is " . $json->encode($new);
}
# An id that is in no table, added or changed.
sub id {
	my $path = shift;
	my $tree = $json->decode(slurp($path));
	ref $tree eq 'HASH' or return cut($path);
	my $key = pick(qw(pad_token_id bos_token_id eos_token_id decoder_start_token_id forced_bos_token_id forced_eos_token_id));
	$tree->{$key} = pick(-1, 23, 24, 999, 2147483648, 1e19, 1.5, 'one', [77], $JSON::PP::true);
	spew($path, $json->encode($tree));
	"$key is " . $json->encode($tree->{$key});
}
# Entries are removed or doubled, or the vocabulary gets another kind.
sub entries {
	my $path = shift;
	my $tree = $json->decode(slurp($path));
	my $v = ref $tree eq 'HASH' && $tree->{model} ? \$tree->{model}{vocab} : \$tree;
	my $how = pick(qw(empty half one number double kind));
	if (ref $$v eq 'HASH') {
		my @by = sort { $$v->{$a} <=> $$v->{$b} } keys %{$$v};
		my $one = $by[rand @by];
		$how eq 'empty' ? ($$v = {}) : $how eq 'half' ? delete @{$$v}{ @by[@by / 2 .. $#by] } : $how eq 'one' ? delete $$v->{$one}
		    : $how eq 'number' ? ($$v->{$one} = pick(-1, 77, 2.5, 'x', undef, [1])) : $how eq 'double' ? ($$v->{more} = $$v->{$one})
		    : ($$v = \@by);
	} else {
		my $n = @{$$v};
		$how eq 'empty' ? ($$v = []) : $how eq 'half' ? splice(@{$$v}, $n / 2) : $how eq 'one' ? pop @{$$v}
		    : $how eq 'number' ? ($$v->[rand $n] = pick(3, undef, {}, [])) : $how eq 'double' ? ($$v->[0] = $$v->[$n - 1])
		    : ($$v = { map { my $x = $$v->[$_]; ((ref $x ? $x->[0] : $x) => $_) } 0 .. $n - 1 });
	}
	spew($path, $json->encode($tree));
	"entries: $how";
}
sub lines {
	my $path = shift;
	my @lines = split /(?<=\n)/, slurp($path);
	my $how = pick(qw(half last empty double blank number), $path =~ /\.yml$/ ? qw(dash merge tag) : ());
	my $at = int rand @lines;
	$how eq 'half' ? splice(@lines, @lines / 2) : $how eq 'last' ? pop @lines : $how eq 'empty' ? (@lines = ()) : $how eq 'double'
	    ? splice(@lines, $at, 0, $lines[$at]) : $how eq 'blank' ? ($lines[$at] = "\n") : $how eq 'number'
	    ? ($lines[$at] =~ s/:\s*\S*$/pick(': -1', ': 77', ': 2.5', ': x', ':', ': [1]')/e or $lines[$at] = "\n") : $how eq 'dash'
	    ? ($_ = "- $_") : $how eq 'tag' ? ($lines[$at] =~ s/: /: !x &y /) : push(@lines, "<<: {a: 1}\n") for $lines[$at];
	spew($path, join '', @lines);
	"lines: $how";
}
# decoder.yml: values of another type, and files of other folders.
sub yaml {
	my $path = shift;
	my $s = slurp($path);
	my $key = pick($s =~ /^([\w-]+):/mg);
	my $value = pick('[n]', '{a: 1}', '-1', '2.7e99', '', 'text', "\n  - ../secret\n  - ../secret", "\n  - /dev/stdin\n  - /dev/stdin",
	    "\n  - ..\n  - .", "\n  - [x]", "\n  - \"a\\0b\"\n  - \"\"");
	$s =~ s/^\Q$key\E:.*\n(  - .*\n)*/$key: $value\n/m;
	spew($path, $s);
	"$key: " . $value =~ s/\n/ /gr;
}

# --- tensors ---

sub tensors {
	my $path = shift;
	my ($end) = $path =~ /(\.\w+)$/;
	return cut($path) if $end eq '.bin' && unpack('V', slurp($path)) < 4;	# tensors.pl does not read these
	my $one = pick('Wq', 'fc1', 'linear_0/weight', 'ln_scale', 'norm', 'mbed', 'num_heads', 'bias', 'activation', 'pre_norm', 'scale', 'b$', 'token');
	my $shape = pick('""', '"0"', '"1"', '"8, 8, 1"', '"16, 4"', '"99999, 99999"');
	my ($what, $do) = @{ pick(
	    ['dropped', '$name = undef'], ['renamed', '$name = "other"'], ['another shape', "\$shape = $shape"],
	    ['cut', 'chop $data'], ['twice', 'push @more, [$name, $type, $shape, $data]'], ['longer', '$data .= "1234"'],
	    ['NaN', '$data = "\xff\xff\xff\x7f" x (length($data) / 4)'], ['empty', '($shape, $data) = ("0", "")'],
	    $end eq '.bin' ? (['a fraction', '($type, $shape, $data) = ("float32", "", pack "f<", 2.7)'], ['an integer', '$type = "int32"'],
	        ['two numbers', '($type, $shape, $data) = ("int16", "2", "\1\0\1\0")'])
	    : (['integers', '$type = "' . ($end eq '.npz' ? '<i4' : 'I32') . '"'])) };
	my $new = "$to/new$end";
	$one = 'special' if $end eq '.npz' && rand() < 0.4;
	if ($one eq 'special') {
		my $value = pick('[n]', '{a: 1}', '2.7', '-1', '', 'null', "\n<<: {a: 1}");
		my $key = pick(qw(type transformer-preprocess transformer-postprocess transformer-tied-layers enc-depth dim-emb
		    transformer-heads transformer-ffn-activation tied-embeddings-all transformer-dropout right-left));
		($what, $do) = ("$key: $value", qq(\$data =~ s/^$key:.*\\n(  .*\\n)*/$key: $value\\n/m; \$shape = length(\$data) . ","));
	}
	my $code = qq(our \$hit; if (\$name =~ m{$one} && !\$hit++) { $do });
	open my $in, '-|', $^X, dirname(__FILE__) . '/tensors.pl', $path, $new, $code or die;
	close $in and rename $new, $path or die "tensors.pl: $code\n";
	"tensor $one: $what" =~ s/\n/ /gr;
}
# The header of safetensors, or the index of its files.
sub header {
	my $path = shift;
	my $s = slurp($path);
	my $n = $path =~ /\.safetensors$/ ? unpack 'Q<', $s : length $s;
	my $head = substr $s, $path =~ /\.safetensors$/ ? 8 : 0, $n;
	my ($from, $by) = @{ pick(['"[\w.]+fc1\.weight"', '"x"'], ['"model-0', '"../model-0'], [':', ': :'], ['(\d+)\]', '$1.5]'],
	    ['(\d+)\]', '-$1]'], ['(\d+)\]', '9$1]'], ['fc1\.weight', 'fc2.weight'], ['fc2\.bias', 'fc1.bias'], ['00002-of', '00001-of'],
	    ['"F32"', '"F16"'], ['"(\w+\.safetensors)"', '["$1"]'], ['\[(\d+)', '["$1"'], ['"weight_map"', '"weights"']) };
	$head =~ s/$from/qq(qq{$by})/ee or return cut($path);
	spew($path, $path =~ /\.safetensors$/ ? pack('Q<', length $head) . $head . substr $s, 8 + $n : $head);
	"header: $from -> $by";
}

my $file = pick(@files);
my @any = (\&cut, \&longer, \&gone, \&replaced, \&swapped);
my $how = pick(
    $file =~ /\.(npz|bin)$/ ? (@any, (\&tensors) x 6)
    : $file =~ /\.safetensors$/ ? (@any, (\&tensors) x 4, (\&header) x 4)
    : $file =~ /index\.json$/ ? (@any, (\&header) x 5, \&setting)
    : $file =~ /(vocab|vocabulary)(-\w+)?\.json$|^tokenizer\.json$/ ? (@any, (\&entries) x 6)
    : $file =~ /\.json$/ ? (@any, (\&setting) x 5, (\&id) x 3)
    : $file =~ /^decoder\.yml$/ ? (@any, (\&yaml) x 5)
    : $file =~ /\.(yml|txt|vocab)$/ ? (@any, (\&lines) x 5)
    : @any);
my $what = $how->("$to/$file");
print "$file: $what\n";
