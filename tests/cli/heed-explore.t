#!/bin/sh
# heed-explore: translations, scores and attention weights are those of the other programs, with and without heads;
# other origins, other host names, wrong tokens, long, malformed, slow and many requests get nothing.
. "$HEED_TOP/tests/lib.sh"
if heed-explore -m none 2>&1 < /dev/null | grep -q libmicrohttpd-dev; then
	echo '1..0 # SKIP built without libmicrohttpd'
	exit 0
fi
plan 115

printf 'the dog bites a man\na man sees\nthe\n' > src
printf 'der hund beisst ein mann\nein mann sieht\nder\n' > tgt
heed-pack --no-pg src tgt > in.heed
for p in other bpe; do gzip -dc < "$HEED_TOP/tests/data/model/$p.tar.gz" > $p.tar; done

# --- command lines ---
exits 2 'no model' heed-explore
exits 2 'three models' heed-explore -m other.tar -m other.tar -m other.tar
exits 2 'an input' heed-explore -m other.tar in.heed
exits 2 '--head-measures before -m' heed-explore --head-measures in.heed -m other.tar
exits 3 'measures from a stream of sentences' heed-explore -m other.tar --head-measures in.heed
exits 4 'no such model' heed-explore -m none.tar
exits 4 'no such stream' heed-explore -m other.tar --dev none.heed
exits 2 'a language that is no code' heed-explore -m other.tar -l English
exits 2 '--number without --dev' heed-explore -m other.tar -n 3

# start OPTION...: starts a server; sets pid, port and path
start() {
	: > address
	heed-explore "$@" > address 2> started &
	pid=$!
	for i in $(seq 100); do [ -s address ] && break; sleep 0.05; done
	port=$(sed 's,.*:\([0-9]*\)/.*,\1,' address) path=$(sed 's,.*:[0-9]*,,' address)
}
# stop SIGNAL
stop() { kill -s "$1" $pid; wait $pid; }
trap 'kill $pid 2> /dev/null; remove_scratch' EXIT

# asks: sends requests of tests/http.pl, whose answers are in the file found
asks() { perl "$HEED_TOP/tests/http.pl" "$port" > found; }
# ask JSON: a request of the page; the answer is in the file body
ask() { printf '%s' "$1" > request; printf 'POST\t%s\t+\t+\trequest\n' "$path" | asks; }
# value 'PERL': of the answer $d, with the first model $m and its sentence $s
value() { perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8"; my $d = decode_json(<STDIN>); my $m = $d->{models}[0]; my $s = $m->{sentences}[0]; my $t = $s->{translation};
	print JSON::PP->new->canonical->allow_nonref->encode(eval $ARGV[0]), "\n"' "$1" < body; }

start -q -m other.tar --dev in.heed -t 2
matches -x 'http://127\.0\.0\.1:[0-9]*/[0-9a-f]\{32\}/' address && that "$(wc -l < address)" = 1 && that ! -s started
say $? 'the output is one address with a token of 128 bits'
printf 'GET\t%s\t+\n' "$path" | asks
that "$(cat found)" = 200 && runs perl "$HEED_TOP/tests/content-policy.pl" body; say $? 'the page has the hashes of its styles and scripts'
matches "Content-Security-Policy: default-src 'none'.*connect-src 'self'; frame-ancestors 'none'" headers; say $? '... also in a header'
for h in 'Cache-Control: no-store' 'Referrer-Policy: no-referrer' 'X-Content-Type-Options: nosniff' 'X-Frame-Options: DENY' 'Cross-Origin-Resource-Policy: same-origin'; do
	matches "^$h" headers; say $? "... $h"
done
matches '"precision":"fp32","backend":""' body; say $? '... and names the precision for the command of nmt-translate'
lacks -i '^Access-Control' headers; say $? '... no other origin is allowed'
sed 's,http://www.w3.org/2000/svg,,' body | lacks -E '(src|href)="?[a-z]*:?//'; say $? '... and nothing else is loaded'

# --- answers are those of the other programs ---
i=0
while IFS='|' read -r text heads; do
	i=$((i + 1))
	mask=${heads:+--mask-heads}
	ask "{\"view\":\"t\",\"number\":$i,\"text\":\"$text\",\"removed\":[\"$heads\"]}"
	value '$t->{text}' | tr -d '"' > translation
	printf '%s\n' "$text" | nmt-translate -q --precision fp32 -m other.tar --text $mask ${heads:+"$heads"} 2> err > expected
	that "$(cat found)" = 200 && equals expected translation; say $? "'$text' without '$heads': the translation is that of nmt-translate"
	printf '%s\n' "$text" > source; heed-pack --no-pg source translation | nmt-score -q -m other.tar $mask ${heads:+"$heads"} > scored.heed
	heed-show -f score scored.heed > score; value '$t->{sum}' | near 2e-4 - score; say $? '... the log-probability is that of nmt-score'
	heed-show -f score.tokens scored.heed | tr -d '[] ' | tr ',' '\n' > tokens
	value 'join " ", @{$t->{log_probs}}' | tr -d '"' | tr ' ' '\n' | near 2e-4 - tokens; say $? '... of each token'
	if [ -n "$heads" ]; then
		head-prune -q -m other.tar --heads "$heads" -o pruned.tar
		printf '%s\n' "$text" | nmt-translate -q --precision fp32 -m pruned.tar --text 2> err | equals - translation; say $? '... and that of the pruned model'
	fi
done <<'END'
the dog bites a man|
a man sees|enc.1.self:1
the dog bites a man|enc.1.self:1,2 dec.2.cross:1
the dog bites a man|cross:all
END
ask '{"view":"t","number":20,"sentence":1,"removed":[""],"target":"ein mann sieht"}'
nmt-score -q -m other.tar in.heed | heed-show -f score | sed -n 2p > score
value '$t->{sum}' | near 2e-4 - score && that "$(value '$t->{forced}')" = true; say $? 'a forced target is scored'
head-map -m other.tar --json --id 2 in.heed > map.json
value 'join " ", map { map { map { @$_ } @$_ } @{$s->{attention}{$_}} } sort keys %{$s->{attention}}' | tr -d '"' | tr ' ' '\n' > weights
(cp map.json body; value 'join " ", map { map { map { @$_ } @$_ } @{$s->{attention}{$_}} } sort keys %{$s->{attention}}') | tr -d '"' | tr ' ' '\n' > expected
paste weights expected | computes - '{ d = $1 - $2; if (NF != 2 || d < -6e-4 || d > 6e-4) bad = 1 } END { exit bad || NR < 100 }'; say $? 'attention weights are those of head-map'
ask '{"view":"t","number":20,"sentence":1,"removed":[""],"target":"ein mann sieht"}'
value '$t->{chrf}' > chrf; sed -n 2p tgt > one.ref
echo 'ein mann sieht' | bleu --metric chrf -b -w 2 -r one.ref > expected
near 2e-4 expected chrf; say $? '... also by chrF against the reference'
ask '{"view":"t","number":20,"sentence":0,"removed":["enc.1.self:1"]}'
value '$t->{chrf}' > chrf; sed -n 1p tgt > one.ref; value '$t->{text}' | tr -d '"' | bleu --metric chrf -b -w 2 -r one.ref > expected
near 2e-4 expected chrf; say $? '... which is that of bleu'
ask '{"view":"t","number":21,"sentence":1,"removed":["enc.1.self:1"],"compare0":["ein","mann","sieht"]}'
nmt-score -q -m other.tar --mask-heads enc.1.self:1 in.heed | heed-show -f score | sed -n 2p > score
value '$s->{compared}' | near 2e-4 - score; say $? 'another translation is scored without the heads'
ask '{"view":"t","number":22,"sentence":0,"removed":[""],"beam":1,"penalty":0}'
heed-show -f src in.heed | sed -n 1p | nmt-translate -q --precision fp32 -m other.tar --text --beam 1 --length-penalty 0 2> err > expected
value '$t->{text}' | tr -d '"' | equals - expected; say $? 'beam size and length penalty are those of the request'
ask '{"view":"t","number":23,"sentence":1,"removed":["enc.1.self:1"],"target":"ein mann sieht","relevance":true}'
value '[scalar(@{$s->{relevance}{source}}), scalar(@{$s->{relevance}{source}[0]}), $s->{relevance}{heads}{"enc.1.self"}[0]]' > shape
that "$(cat shape)" = '[4,3,null]'; say $? 'relevance has a row for each target token; a removed head is without'
ask '{"view":"t","number":28,"sentence":1,"removed":[""],"target":"ein mann sieht","relevance":true}'
sed -n 2p src > one.src; sed -n 2p tgt > one.tgt
heed-pack --no-pg one.src one.tgt | head-lrp -q --target ref -m other.tar | heed-show -f site,layer,head,relevance |
	awk '{ print ($1 == "enc-self" ? "enc." $2 ".self" : $1 == "dec-self" ? "dec." $2 ".self" : "dec." $2 ".cross"), $3, $4 }' | sort > expected
value 'join "\n", map { my $k = $_; my $h = 0; map { $k . " " . ++$h . " " . $_ } @{$s->{relevance}{heads}{$k}} } keys %{$s->{relevance}{heads}}' |
	tr -d '"' | sed 's/\\n/\n/g' | sort > got
paste -d ' ' got expected | computes - '{ d = $3 - $6; if ($1 $2 != $4 $5 || d < -1e-3 || d > 1e-3) bad = 1 } END { exit bad || NR != 12 }'; r=$?
say $r 'the relevance of heads is that of head-lrp'; that $r = 0 || paste got expected | sed 's/^/# /'
ask '{"view":"t","number":24,"text":"  ","removed":[""]}'
that "$(cat found)" = 422 && matches 'the sentence is empty' body; say $? 'an empty sentence is named'
ask '{"view":"t","number":25,"text":"a man","removed":["enc.9.self:1"]}'
that "$(cat found)" = 422 && matches 'enc.9.self' body; say $? 'an unknown head is named'
ask '{"view":"t","number":26,"sentence":3,"removed":[""]}'
that "$(cat found)" = 422 && matches 'no sentence 3' body; say $? 'a sentence that is not there is named'
ask "{\"view\":\"t\",\"number\":27,\"text\":\"$(yes a | head -n 251 | tr '\n' ' ')\",\"removed\":[\"\"]}"
that "$(cat found)" = 422 && matches '251 tokens, expected at most 16"' body; say $? 'a sentence longer than config.max_length is refused'

# --- what must not work ---
good='{"view":"t","number":1,"text":"a man sees","removed":[""]}'
printf '%s' "$good" > good
wrong=$(printf '%s' "$path" | tr 0-9a-f 1-9a-f0)
while IFS='|' read -r status what request; do
	printf "$request\n" | asks
	matches -x "$status" found && lacks translation body; say $? "$what: $status"
done <<END
403|a page of another origin|POST\t$path\t+\thttp://evil.example\tgood
403|an opaque origin|POST\t$path\t+\tnull\tgood
403|another port as origin|POST\t$path\t+\thttp://127.0.0.1:1\tgood
403|a request without origin|POST\t$path\t+\t-\tgood
403|another site by its fetch metadata|POST\t$path\t+\t+\tgood\tSec-Fetch-Site: cross-site
403|the page for another site|GET\t$path\t+\t-\t-\tSec-Fetch-Site: cross-site
403|the page for another origin|GET\t$path\t+\thttp://evil.example
403|another host name|POST\t$path\tevil.example:$port\t+\tgood
403|another host name, for the page|GET\t$path\tevil.example
403|the right address on another port|GET\t$path\t127.0.0.1:1
40[03]|no host name|GET\t$path\t-
404|no token|POST\t/\t+\t+\tgood
404|no token, for the page|GET\t/\t+
404|a wrong token|POST\t$wrong\t+\t+\tgood
404|a wrong token, for the page|GET\t$wrong\t+
404|a part of the token|GET\t${path%?????}/\t+
404|a file|GET\t${path}other.tar\t+
404|a file above|GET\t$path../../etc/passwd\t+
405|another method|PUT\t$path\t+\t+\tgood
405|a preflight|OPTIONS\t$path\t+\t+
END
perl -e 'print q({"view":"t","number":1,"text":"), "a" x 1000000, q(","removed":[""]})' > large
printf 'POST\t%s\t+\t+\tlarge\nPOST\t%s\t+\t+\tchunked large\n' "$path" "$path" | asks
sort -u found | paste -s -d ' ' | matches -x '413\|413 closed\|closed'; say $? 'a sentence of a million bytes, with its length and in chunks'
list=0
while read -r json; do
	list=$((list + 1))
	ask "$json"
	that "$(cat found)" = 400 && matches '"error"' body; say $? "malformed: $json"
done <<'END'
{"view":"t","number":NaN,"text":"a","removed":[""]}
{"view":"t","number":1,"text":"a","removed":[""],"penalty":NaN}
{"view":"t","number":1,"text":"a","removed":[""],"penalty":1e999}
{"view":"t","number":1,"text":"a","removed":[""],"beam":1000000}
{"view":"t","number":1,"text":"a","removed":["",""]}
{"view":"t","number":1,"text":"a"}
{"view":"t","number":1,"removed":[""]}
{"view":"t","number":1,"text":"a","sentence":0,"removed":[""]}
{"view":"t","number":1,"text":"a\u0000b","removed":[""]}
{"view":"t","number":1,"text":"a","removed":[""],"file":"/etc/passwd"}
{"view":"t","number":-1,"text":"a","removed":[""]}
[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]
{"view":"t"
END
printf '%s' '' > empty; printf 'POST\t%s\t+\t+\tempty\n' "$path" | asks
that "$(cat found)" = 400; say $? 'malformed: nothing'

# --- many, slow and concurrent requests ---
# Some have a token, some come from elsewhere; none of the latter is answered, and the server continues.
awk -v p="$path" 'BEGIN { for (i = 0; i < 10000; i++) print i % 10 == 0 ? "POST\t" p "\t+\thttp://evil.example\tgood" : i % 10 == 1 ? "GET\t" p "\tevil" : "GET\t/" i "/\t+" }' | asks
sort found | uniq -c | awk '{ print $2 }' | paste -s -d ' ' > kinds
that "$(wc -l < found)" = 10000 && matches -x '403 404' kinds; say $? '10,000 requests of attackers get nothing'
awk -v p="$path" 'BEGIN { for (i = 0; i < 400; i++) print "GET\t" p "x\t+" }' | asks
awk -v p="$path" 'BEGIN { for (i = 0; i < 2000; i++) print "GET\t" p "\t+" }' | asks
answered=$(grep -cx 200 found); that "$answered" -ge 200 && that "$(grep -cx 429 found)" -ge 1 && that "$(sort -u found | paste -s -d ' ')" = '200 429'; r=$?
say $r 'too many requests with the token are refused'; that $r = 0 || echo "# $answered answered"
sleep 1
perl -MIO::Socket::INET -e 'my ($port, $path) = @ARGV; my @slow = map { my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port); print $s "POST $path HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Le" if $s; $s } 1 .. 30;
	$_ && $_->flush for @slow; print "slow\n"; $| = 1; close STDOUT; sleep 600' "$port" "$path" > slow & slow=$!
for i in $(seq 100); do [ -s slow ] && break; sleep 0.05; done
ask "$good"; that "$(cat found)" = 200; say $? 'thirty slow clients do not block the others'
kill $slow
if [ -n "${HEED_LONG-}" ]; then
	runs perl -MIO::Socket::INET -e 'my ($port, $path) = @ARGV; my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or die; print $s "POST $path HT"; $s->flush;
		my $t = time; my $n = sysread $s, my $x, 100; $t = time - $t; exit !($t > 5 && $t < 20)' "$port" "$path"; say $? 'a slow client is disconnected'
else
	say 0 'a slow client is disconnected # SKIP it takes 10 seconds: HEED_LONG=1'
fi
# Two pages at once: each gets its own answers, in any order.
perl -MIO::Socket::INET -MJSON::PP -e '
	my ($port, $path) = @ARGV;
	sub post { my ($view, $n, $text) = @_; my $b = encode_json({ view => $view, number => $n, text => $text, removed => [""] });
		my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or die;
		print $s "POST $path HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nOrigin: http://127.0.0.1:$port\r\nConnection: close\r\nContent-Length: " . length($b) . "\r\n\r\n$b"; $s->flush; $s }
	my @all = map { my $n = $_; map { [$_, $n, post($_, $n, $_ eq "one" ? "a man sees" : "the")] } qw(one two) } 1 .. 4;
	for (@all) { my ($view, $n, $s) = @$_; local $/; my $text = <$s>; my ($status) = $text =~ /^HTTP\S+ (\d+)/;
		my $tokens = $status == 200 ? join " ", @{decode_json((split /\r\n\r\n/, $text, 2)[1])->{models}[0]{sentences}[0]{source}{tokens}} : "";
		print "$view $n $status $tokens\n" }' "$port" "$path" > pages
grep -E '^one 4 200 a man sees' pages | matches 'a man sees' && grep '^two 4 200 the' pages | matches the; say $? 'the last request of each of two pages is answered'
computes '$3 != 200 && $3 != 409 || $3 == 200 && ($1 == "one" ? $4 != "a" : $4 != "the") { bad = 1 } END { exit bad || NR != 8 }' pages
say $? '... the others are answered or overtaken, never with another page'\''s sentence'
# A request that arrives after a later one of its page is overtaken.
perl -MIO::Socket::INET -MJSON::PP -e '
	my ($port, $path) = @ARGV;
	sub post { my ($n, $text) = @_; my $b = encode_json({ view => "late", number => $n, text => $text, removed => [""], relevance => JSON::PP::true, beam => 32 });
		my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or die;
		print $s "POST $path HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nOrigin: http://127.0.0.1:$port\r\nConnection: close\r\nContent-Length: " . length($b) . "\r\n\r\n$b"; $s->flush; $s }
	my @all = map { post($_, "the dog bites a man a dog") } 9, 8, 7;
	for my $s (@all) { local $/; my $text = <$s>; print $text =~ /^HTTP\S+ (\d+)/, "\n" }' "$port" "$path" > late
that "$(sed -n 1p late)" = 200; say $? 'a request is not overtaken by an earlier one that arrives later'
# at_once VIEWS: the statuses of thirty requests, of this many pages in turn, that the server finds all at once
at_once() {
	kill -s STOP $pid
	perl -MIO::Socket::INET -MJSON::PP -e '
		my ($port, $path, $views, $pid) = @ARGV;
		sub post { my ($n) = @_; my $b = encode_json({ view => "v" . $n % $views, number => $n, text => "the dog bites a man", removed => [""], relevance => JSON::PP::true, beam => 32 });
			my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or die;
			print $s "POST $path HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nOrigin: http://127.0.0.1:$port\r\nConnection: close\r\nContent-Length: " . length($b) . "\r\n\r\n$b"; $s->flush; $s }
		my @all = map { post($_) } 1 .. 30;
		kill "CONT", $pid;
		for my $s (@all) { local $/; my $text = <$s>; print $text =~ /^HTTP\S+ (\d+)/, "\n" }' "$port" "$path" "$1" $pid | sort | uniq -c | awk '{ print $2 }' | paste -s -d ' '
}
sleep 1; that "$(at_once 30)" = '200 429'; say $? 'requests of many pages are refused if too many wait'
sleep 1; that "$(at_once 1)" = '200 409'; say $? '... those of one page are overtaken'
rm other.tar; ask "$good"; that "$(cat found)" = 200; say $? 'no request opens a file'
if [ -r /proc/net/tcp ]; then
	hex=$(printf '%04X' "$port"); grep -i ":$hex 0.* 0A " /proc/net/tcp | awk '{ print $2 }' > listening
	that "$(cat listening)" = "0100007F:$hex"; say $? 'the server listens on the loopback address only'
else
	say 0 'listening # SKIP no /proc/net/tcp'
fi
exits 4 'a port that is in use' heed-explore -m bpe.tar --port "$port"
stop INT; that $? = 0; say $? 'Ctrl-C ends it'
printf 'GET\t%s\t+\n' "$path" | asks; that "$(cat found)" = refused; say $? '... and its port is closed'

# --- two models, one that is imported ---
nmt-import -q --no-pg -o opus.tar "$HEED_TOP/tests/data/import/opus" 2> err
start -q -m bpe.tar -m bpe.tar -l none
ask '{"view":"t","number":1,"text":"the dog bites a man","removed":["","enc-self:all"]}'
that "$(cat found)" = 200 && that "$(value 'join " ", map { $_->{name} } @{$d->{models}}')" = '"bpe.tar bpe.tar"'; say $? 'two models answer'
printf 'the dog bites a man\n' | nmt-translate -q --precision fp32 -m bpe.tar --text --mask-heads enc-self:all 2> err > expected
value '$d->{models}[1]{sentences}[0]{translation}{text}' | tr -d '"' | equals - expected; say $? '... each without its own heads'
stop TERM; that $? = 0; say $? 'the signal TERM ends it'
# --- a model that is stored as 8-bit integers, which stay in memory, and one whose matrices are rounded ---
nmt-average --i8 -o i8.tar bpe.tar
start -q -m i8.tar -m bpe.tar -l none
printf 'GET\t%s\t+\n' "$path" | asks; matches '"precision":"int8"' body; say $? 'a model of 8-bit integers runs in int8'
ask '{"view":"t","number":1,"text":"the dog bites a man","removed":["enc.1.self:1","enc.1.self:1"],"relevance":true}'
value 'my @s = map { my $x = $_->{sentences}[0]; delete $x->{translation}{seconds}; JSON::PP->new->canonical->encode($x) } @{$d->{models}}; $s[0] eq $s[1] && length $s[0] > 1000 ? "same" : "other"' > same
that "$(cat found)" = 200 && that "$(cat same)" = '"same"'; say $? '... with the answers of rounded matrices, also of relevance'
stop TERM
# --- trees of typed sentences ---
printf 'the old dog sees a man\na man sees\n' > two; bpe-learn --text -q --merges 20 < two > codes
heed-pack two two | parse -q -l en | bpe-apply -c codes | tree2mask -q > trees.heed
nmt-train -q --size tiny -c codes --updates 2 --warmup 1 -a dependency-mask -o mask.tar trees.heed 2> err
start -q -m mask.tar -l none --backend reference
printf 'GET\t%s\t+\n' "$path" | asks; matches '"backend":"reference"' body; say $? '... and the back end, if it was given'
ask '{"view":"t","number":1,"text":"a man sees","removed":[""]}'
that "$(cat found)" = 422 && matches src.dep body; say $? 'a variant that reads trees needs them'
stop TERM
start -q -m mask.tar -l en --parse
ask '{"view":"t","number":1,"text":"the old dog sees a man","removed":[""],"beam":1}'
nmt-translate -q --precision fp32 -m mask.tar --beam 1 trees.heed | heed-show -f hyp,src.heads,src.rels | sed -n 1p > expected
value '$t->{text}' | tr -d '"' > got; cut -f 1 expected | equals - got; say $? '--parse: the translation is that of parse, tree2mask and nmt-translate'
value '$s->{source}{heads}' | tr -d 'nul, []' > got; cut -f 2 expected | tr -d ', []' | equals - got; say $? '... with the trees of parse'
stop TERM
# --- two segmentations ---
printf "the dog's old, the man sees\na man sees\n" > seg.en; printf 'der Hund\nein Mann\n' > seg.de; echo bytes > bytes.model
tokenize -l en < seg.en | bpe-learn --text -q --merges 20 > codes
mkdir tok; for l in en de; do tokenize -l $l < seg.$l > tok/seg.$l; done; heed-pack tok/seg.en tok/seg.de | bpe-apply -c codes > codes.heed; heed-pack seg.en seg.de | bpe-apply --spm bytes.model > bytes.heed
nmt-train -q --size tiny -c codes --updates 2 --warmup 1 -o codes.tar codes.heed 2> err; nmt-train -q --size tiny --spm bytes.model --updates 2 --warmup 1 -o bytes.tar bytes.heed 2> err
sed -n 1p seg.en > line; tokenize -l en < line | bpe-apply --text -c codes | tr ' ' '\n' > codes.pieces; bpe-apply --text --spm bytes.model < line | tr ' ' '\n' > bytes.pieces
for order in 'codes bytes' 'bytes codes'; do
	set -- $order; start -q -m $1.tar -m $2.tar
	ask "{\"view\":\"t\",\"number\":1,\"text\":\"$(cat line)\",\"removed\":[\"\",\"\"]}"
	for i in 0 1; do value 'join "\n", grep $_ ne "</s>", @{$d->{models}['$i']{sentences}[0]{source}{tokens}}' | sed 's/^"//; s/"$//; s/\\n/\n/g' > $i.got; done
	that "$(cat found)" = 200 && equals $1.pieces 0.got && equals $2.pieces 1.got; say $? "$order: each model reads its segmentation of a typed sentence"
	stop TERM
done
start -q -m bytes.tar -m codes.tar --dev codes.heed
matches 'warning: codes.heed, model bytes.tar: .* source tokens are not in the model' started && lacks 'model codes.tar' started
say $? '--dev: a warning names the model of another segmentation'
stop TERM
exits 2 'a language for models that read raw text' heed-explore -m bytes.tar -m bytes.tar -l en
start -q -m bytes.tar -m codes.tar -l en; that -s address; say $? '... but one of them may'; stop TERM
exits 2 '--parse for a language without a parser' heed-explore -m mask.tar -l fi --parse
exits 2 '--parse for an unknown language' heed-explore -m bpe.tar --parse
start -q -m opus.tar
if [ -s address ]; then
	sed -n 1p "$HEED_TOP/tests/data/import/sentences.en" > line 2> err || echo 'a b' > line
	ask "{\"view\":\"t\",\"number\":1,\"text\":\"$(cat line)\",\"removed\":[\"cross.1:1\"]}"
	nmt-translate -q --precision fp32 -m opus.tar --text --mask-heads cross.1:1 < line 2> err > expected
	value '$t->{text}' | tr -d '"' > got; that "$(cat found)" = 200 && equals expected got; say $? 'a model of Marian is explored'
	stop TERM
	nmt-import -q --no-pg --first-src en_XX -o mbart.tar "$HEED_TOP/tests/data/import/mbart" 2> err
	start -q -m mbart.tar
	ask "{\"view\":\"t\",\"number\":1,\"text\":\"$(cat line)\",\"removed\":[\"\"]}"
	value '[$t->{first}, $s->{target}{tokens}[0], @{$t->{log_probs}} == @{$s->{target}{tokens}} ? 1 : 0]' > got
	that "$(cat got)" = '[1,"de_DE",1]'; say $? 'a model with a first token of targets names it'
	value '$t->{sum}' > first.sum; value '{view => "t", number => 2, text => "X", removed => [""], compare0 => [@{$s->{target}{tokens}}[1 .. $#{$s->{target}{tokens}} - 1]]}' > again
	perl -pe 'BEGIN { open my $in, "<", "line"; chomp($l = <$in>); } s/"X"/"$l"/' again > request; printf 'POST\t%s\t+\t+\trequest\n' "$path" | asks
	value '$s->{compared}' | near 2e-4 - first.sum; say $? '... and scores its own translation the same'
	stop TERM
else
	for i in 1 2; do say 0 'a first token # SKIP built without SentencePiece'; done
	say 0 'a model of Marian # SKIP built without SentencePiece'
fi
