#!/bin/sh
# First tokens of sources and targets (first.src and first.tgt): training, translation and BLEU give the same for
# records with and without them.
. "$HEED_TOP/tests/lib.sh"
plan 33
data=$HEED_TOP/tests/data/import
. "$HEED_TOP/tests/imported.sh"
nmt-import -q --no-pg --first-src en_XX -o m.tar "$data/mbart" && given mbart > given.heed

# stream NAME WHAT...: the sentences with the given fields: dep, a matrix; heads, trees; links, an alignment; word, src.word and
# tgt.word; empty, a further pair without a source; long, further pairs with sides of the maximum length and longer.
# With first, each side begins with its first token, which belongs to the first word and is attended to only by itself.
stream() {
	name=$1; shift
	heed-show given.heed | perl -MJSON::PP -e '
		my %w = map { $_ => 1 } @ARGV; my $n = 0; my $first = $w{first} ? 1 : 0;
		my %type = (dep => { "src.dep" => "bits[n,n]" }, heads => { "src.heads" => "[int]", "tgt.heads" => "[int]" }, links => { "alignment" => "str" },
			word => { "src.word" => "[int]", "tgt.word" => "[int]" });
		my $line = <STDIN>; my $header = decode_json($line);
		$header->[3]{fields} = { "src" => "str", "tgt" => "str", "src.pieces" => "[str]", "tgt.pieces" => "[str]", map { %{ $type{$_} || {} } } keys %w };
		print encode_json($header), "\n";
		my @pair; while (<STDIN>) { my $r = decode_json($_); push @pair, [@$r{qw(src.pieces tgt.pieces)}] if ref $r eq "HASH" }
		push @pair, [[], ["a"]] if $w{empty};
		push @pair, map { [[("a") x $_->[0]], [("c") x $_->[1]]] } [38, 38], [39, 1], [1, 39] if $w{long};
		for my $p (@pair) {
			my ($s, $t) = @$p; my ($ns, $nt) = (scalar @$s, scalar @$t); my %r;
			my @dep = map { my $i = $_; [map { ($i * 7 + $_ * 3 + $n) % 3 ? 0 : 1 } 0 .. $ns - 1] } 0 .. $ns - 1;
			if ($first) { $_ = [0, @$_] for @dep; unshift @dep, [1, (0) x $ns] }
			$r{"src.dep"} = [map { join "", @$_ } @dep] if $w{dep};
			($r{"src.heads"}, $r{"tgt.heads"}) = map { [0, map { $_ % 2 ? 1 : 2 } 1 .. $_ - 1] } $ns, $nt if $w{heads};
			$r{"alignment"} = "0-0 2-1 4-2" if $w{links};
			$r{"src.word"} = [(0) x $first, 0 .. $ns - 1], $r{"tgt.word"} = [(0) x $first, 0 .. $nt - 1] if $w{word};
			$r{"src.pieces"} = [("en_XX") x $first, @$s]; $r{"tgt.pieces"} = [("de_DE") x $first, @$t];
			@r{qw(src tgt)} = ("@$s", "@$t");
			print encode_json(\%r), "\n"; $n++;
		}
		print qq(["heed-end",$n]\n);' "$@" | heed-pack -q -j > "$name.heed"
}
# trains NAME OPTION...: prints loss and norm of the first update on NAME.heed
trains() {
	on=$1; shift; rm -f log
	nmt-train -q --no-pg -t 1 --precision fp32 --init m.tar --dropout 0 --updates 1 --log-every 1 --log log -o one.tar "$@" $on.heed 2> err
	heed-show -f loss,norm log
}
# equal 'name' A B OPTION...: training on both streams begins the same, and not as on plain
equal() {
	what=$1 a=$2 b=$3; shift 3
	trains $a "$@" > a; trains $b "$@" > b; trains plain > c
	that -s a && equals a b && differ a c; say $? "$what"
}

stream plain; stream plain-first first; heed-show -f src.pieces plain-first.heed | head -n 1 | matches '^en_XX k m a'
say $? 'streams with and without first tokens'
trains plain > a; trains plain-first > b; that -s a && equals a b; say $? 'the gradient is divided by all tokens, with the first ones'

# words: the first token belongs to the first word
stream links links; stream links-word links word; stream links-first links word first
equal 'guided-alignment: links are over the subwords of the record' links links-first -a guided-alignment
equal '... or over its words' links-word links-first -a guided-alignment
stream tree heads word; stream tree-first heads word first
equal 'trees over words' tree tree-first -a parent-scaled
equal '... of both sides' tree tree-first -a dbsa:align=input

# matrices have no row for the first token
stream dep dep; stream dep-first dep first
exits 3 'a matrix without a row for the first token is refused' nmt-train -q --init m.tar -a dependency-mask --updates 1 -o x.tar dep.heed
matches 'dep.heed: record 1: src.dep has no row for en_XX, expected src.pieces to begin with it' err; say $? '... with the reason'
exits 3 '... and that of the development set before training' \
    nmt-train -q --init m.tar -a dependency-mask --updates 5 --dev dep.heed --checkpoint x.ckpt --checkpoint-every 1 -o x.tar dep-first.heed
matches 'dep.heed: record 1: src.dep' err && that ! -e x.ckpt; say $? '... with its name'
trains dep > b; equals c b; say $? 'a matrix that no variant reads is not refused'
stream both heads word dep; equal '... nor if a variant reads something else' both tree-first -a parent-scaled
trains dep-first -a dependency-mask > b; cp one.tar dep.tar; that -s b && differ c b; say $? 'a matrix with that row is read'
exits 3 'nmt-translate refuses a matrix without it, too' nmt-translate -q -m dep.tar dep.heed
matches 'dep.heed: record 1: src.dep has no row for en_XX' err; say $? '... with the reason'
nmt-translate -q --precision fp32 -m dep.tar dep-first.heed | heed-show -f hyp | grep -c . | matches -x 6; say $? '... and reads one with it'
trains tree -a parent-scaled > b && cp one.tar tree.tar; nmt-translate -q --precision fp32 -m tree.tar tree-first.heed | heed-show -f hyp,hyp.score > want
nmt-translate -q --precision fp32 -m tree.tar tree.heed > out.heed; heed-show -f hyp,hyp.score out.heed > found; that -s want && equals want found
say $? 'nmt-translate reads words and trees of records without the first token'
heed-show -f src.pieces,src.word tree.heed > want; heed-show -f src.pieces,src.word out.heed | equals want -; say $? '... and leaves them as they are'

# programs with given targets, and models that read no matrix
nmt-train -q --init m.tar --updates 1 -o plain.tar plain.heed 2> err
for p in 'nmt-score -q' 'head-stat -q' 'head-lrp -q --target ref' 'head-curve -q --random 1'; do
	runs $p --no-pg -m plain.tar plain.heed | heed-show | sed '1d; s/.*"score":/"score":/' > want
	runs $p --no-pg -m plain.tar dep.heed | heed-show | sed '1d; s/.*"score":/"score":/' > found; that -s want && equals want found
	say $? "${p%% *}: a matrix that no variant reads changes nothing"
done
exits 3 'a matrix that a variant reads is refused' nmt-score -q -m dep.tar dep.heed

# the longest pair that fits has 40 tokens, with the first and the end-of-sentence token
stream long long; stream long-first long first
for s in long long-first; do
	nmt-train -q --init m.tar --dev $s.heed --updates 9 -o x.tar $s.heed 2> err; r=$?
	that $r = 0 && that "$(grep -c "^nmt-train: warning: $s.heed: 2 of 9 pairs excluded: longer than 40 tokens" err)" = 2
	say $? "$s: pairs of more than max_length tokens are excluded"
done

# BLEU of a model that is trained some of the way, by nmt-translate and bleu
bleu_of() { # STREAM OPTION...: of its translations, whose reference is the text that was given
	from=$1; shift
	nmt-translate -q --precision fp32 --beam 1 --max-ratio 1.5 --max-extra 10 -m half.tar "$@" $from.heed > hyp.heed
	heed-show -f hyp hyp.heed > hyp; bleu -b -w 9 --tokenizer none -r ref hyp
}
about() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a < 100 && (a - b) ^ 2 < 1e-10) }'; }
heed-show -f tgt.pieces plain.heed > ref
for s in plain plain-first; do
	nmt-train -q --no-pg -t 1 --precision fp32 --init m.tar --dropout 0 --label-smoothing 0 --updates 50 --lr 0.02 --schedule constant --warmup 0 \
	    --dev $s.heed --dev-bleu --log log -o half.tar plain.heed
	heed-show -f dev.bleu log | tail -n 1 > dev.bleu; want=$(bleu_of plain); read -r found < dev.bleu
	about "$want" "$found"; r=$?; say $r "$s: dev.bleu is that of nmt-translate"; that $r = 0 || echo "# $found, expected $want"
done
stream empty empty; stream empty-first empty first; heed-show -f tgt.pieces empty.heed > ref; want=$(bleu_of empty)
heed-show -f src empty.heed > src; sed 's/^/en_XX /' src > src.first; sed 's/^/de_DE /' ref > ref.first
heed-pack -q src ref > text.heed; heed-pack -q src.first ref.first > text-first.heed
for s in empty empty-first text text-first; do
	head-curve -q --random 1 --bleu -m half.tar $s.heed 2> err | heed-show -f bleu | head -n 1 > found; read -r found < found
	about "$want" "$found"; r=$?; say $r "$s: that of head-curve, too"; that $r = 0 || echo "# $found, expected $want"
done
want=$(awk -v a="$want" -v b="$(bleu_of empty --mask-heads cross.1:1)" 'BEGIN { printf "%.9f", a - b }')
for s in empty empty-first; do
	head-stat -q --measure ablation-bleu -m half.tar $s.heed 2> err | heed-show -f site,head,ablation.bleu | awk -F '\t' '$1 ~ /cross/ && $2 == 1 { print $3 }' > found
	read -r found < found
	about "$want" "$found"; r=$?; say $r "$s: and that of head-stat"; that $r = 0 || echo "# $found, expected $want"
done
