#!/bin/sh
# stream: heed-pack, -show, -check, -paste, -sample and -filter, on valid and invalid input.
. "$HEED_TOP/tests/lib.sh"

printf 'a dog\nthe "cat"\\\nthree\n' > t.en
printf 'ein Hund\ndie Katze\ndrei\n' > t.de
heed-pack --no-pg --languages none t.en t.de > t.heed

# --- packing and showing ---
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str"}}]
{"id":1,"src":"a dog","tgt":"ein Hund"}
{"id":2,"src":"the \"cat\"\\","tgt":"die Katze"}
{"id":3,"src":"three","tgt":"drei"}
["heed-end",3]
END
same 'two text files become records' want 'heed-show t.heed'
same '-f prints text unchanged' t.en 'heed-show -f src t.heed'
printf '1\tein Hund\n2\tdie Katze\n3\tdrei\n' > want
same '-f prints several fields as a table' want 'heed-show -f id,tgt t.heed'
printf '{"id":1,"src":"a dog","tgt":"ein Hund"}\n' > want
same '-n limits the number of records' want 'heed-show -n 1 t.heed | sed 1d'
same '- is standard input' want 'heed-show -n 1 - < t.heed | sed 1d'
printf 'a dog\r\nthe "cat"\\\r\nthree\r\n' > crlf.en
same 'lines may end with CRLF' t.heed 'heed-pack --no-pg --languages none crlf.en t.de'
printf 'a dog\nthe "cat"\\\nthree' > short.en
same 'the last line end may be missing' t.heed 'heed-pack --no-pg --languages none short.en t.de'
printf 'a\rb\n\n \n' > odd
same 'a CR inside a line, an empty line and a space are kept' odd 'heed-pack odd | heed-show -f src'
: > empty
printf '["heed",1,"sentence",{"fields":{"id":"int","src":"str"}}]\n["heed-end",0]\n' > want
same 'an empty file gives an empty stream' want 'heed-pack --no-pg empty | heed-show'
awk 'BEGIN { for (i = 0; i < 1048576; i++) printf "%c", 97 + i % 26; print "" }' > long
same 'a line of 1 MiB is kept' long 'heed-pack long | heed-show -f src'
for z in gzip xz bzip2 'zstd -q'; do
	$z -c < t.heed > t.z
	same "input compressed with $z is read" t.heed 'heed-filter --no-pg -q t.z'
	same "... also from standard input" t.heed 'heed-filter --no-pg -q < t.z'
	head -c 60 t.z > cut.z
	fails 3 "... and is an error if it is truncated" 'cut.z: ' 'heed-show cut.z'
done
tar -cf t.tar t.heed t.en
same 'a member of an archive is read' t.heed 'heed-filter --no-pg -q t.tar:t.heed'
mkdir twice; cp t.heed twice; tar -cf two.tar t.heed t.en; tar -rf two.tar -C twice t.heed
fails 3 'a member that an archive has twice' 'two.tar:t.heed: the archive has several members of this name' 'heed-filter -q two.tar:t.heed > o'
same '... but not its other members' t.en 'tokenize --type none two.tar:t.en'
fails 3 'a missing member is an error' 't.tar has no member other' 'heed-show t.tar:other'
echo hello > want
same "a member of a Debian package is read" want 'heed-pack "$HEED_TOP/tests/corpus/archive/deb:a.txt" | heed-show -f src'
same '... and of a zip archive' want 'heed-pack "$HEED_TOP/tests/corpus/archive/zip:a.txt" | heed-show -f src'
head -c 300 "$HEED_TOP/tests/corpus/archive/deb" > cut.deb
fails 3 '... but not of a truncated package' 'cut.deb' 'heed-pack cut.deb:a.txt'
{ gzip -c t.en; gzip -c t.en; } > two.gz
cat t.en t.en > want
same 'two gzip members in one file are read' want 'heed-pack two.gz | heed-show -f src'
first=$(gzip -c t.en | wc -c)
for k in 2 9; do
	same "... also if $k bytes of the second header arrive first" want \
		"{ head -c $((first + k)) two.gz; sleep .1; tail -c +$((first + k + 1)) two.gz; } | heed-pack | heed-show -f src"
done
# Members of other systems (19 is macOS), and zeros after the end, as gzip reads them.
{ head -c $first two.gz; gzip -c t.en | head -c 9; printf '\023'; gzip -c t.en | tail -c +11; } > mac.gz
gzip -t mac.gz && same '... also of zlib on macOS' want 'heed-pack mac.gz | heed-show -f src'
for zeros in 1 7 8 9 70000; do
	{ gzip -c t.en; head -c $zeros /dev/zero; } > padded.gz
	gzip -t padded.gz 2> o && same "zeros after the end: $zeros" t.en 'heed-pack padded.gz | heed-show -f src'
done
{ gzip -c t.en | head -c -1; printf '\001'; head -c 7 /dev/zero; } > bad.gz
fails 3 '... but not after a wrong length' 'bad.gz: damaged compressed data' 'heed-pack bad.gz'
# What follows compressed data, also beyond the block in which these end.
for z in gzip xz bzip2 'zstd -q'; do
	for zeros in 0 4 100000; do
		{ $z -c < t.en; head -c $zeros /dev/zero; echo more; } > more.z
		heed-pack more.z > out 2> err; that $? = 3 && matches 'more.z: damaged' err
		say $? "data after the end of $z and $zeros zeros"
	done
done
{ gzip -c t.en; head -c 4 /dev/zero; gzip -c t.en | head -c 40; } > more.z
heed-pack more.z > out 2> err; that $? = 3; say $? '... which look like another gzip member'
{ bzip2 -c t.en; bzip2 -c t.en; } > two.bz2; cat t.en t.en > want
same 'two bzip2 files in one' want 'heed-pack two.bz2 | heed-show -f src'
# stored FILE SIZE-AS-OCTAL-ESCAPES [NAME]: FILE in one block of gzip that is not compressed
stored() {
	if [ "$3" ]; then printf '\037\213\010\010\0\0\0\0\0\003%b\0' "$3"; else printf '\037\213\010\0\0\0\0\0\0\003'; fi
	printf "\\001$2"; cat "$1"; gzip -c "$1" | tail -c 8
}
printf 'a dog\n' > stored.en
stored stored.en '\006\000\371\377' '\0037\0213\0010abcdefg' > ok.gz
cp stored.en want; same 'a gzip header inside a file name is not another member' want 'heed-pack ok.gz | heed-show -f src'
{ head -c -1 ok.gz; printf '\001'; } > bad.gz
gzip -t bad.gz 2> o; that $? = 1; say $? '... in a file with a wrong length, as gzip says'
fails 3 '... which is an error' 'bad.gz: damaged compressed data' 'heed-pack bad.gz'
tar -b 20 -cf s.tar stored.en
stored s.tar '\000\050\377\327' > ok.tar.gz
same 'a member of a compressed archive is read' want 'heed-pack ok.tar.gz:stored.en | heed-show -f src'
LC_ALL=C sed 's/a dog/a fog/' ok.tar.gz > bad.tar.gz
gzip -t bad.tar.gz 2> o; that $? = 1; say $? '... whose data were changed, as gzip says'
fails 3 '... which is an error' 'bad.tar.gz: damaged compressed data' 'heed-pack bad.tar.gz:stored.en'
for d in ok bad; do
	cp $d.tar.gz data.tar.gz; echo 2.0 > debian-binary; rm -f $d.deb; ar rc $d.deb debian-binary data.tar.gz
done
same 'a member of a package is read' want 'heed-pack ok.deb:stored.en | heed-show -f src'
fails 3 '... whose data were changed is an error' 'bad.deb: damaged compressed data' 'heed-pack bad.deb:stored.en'
cp t.heed name:with-colon
same 'a file whose name has a colon is read' t.heed 'heed-filter --no-pg -q name:with-colon'
fails 4 'a missing file is a system error' 'cannot open nothing.heed: No such file' 'heed-show nothing.heed'

# --- invalid text ---
printf 'good\nb\377d\ngood\n' > bad
fails 3 'invalid UTF-8 is an error' 'bad: line 2: byte 2 (0xff) is not UTF-8' 'heed-pack bad'
printf 'good\nb\357\277\275d\ngood\n' > want
same '... or is replaced' want 'heed-pack -q -i replace bad | heed-show -f src'
printf '1\tgood\tein Hund\n3\tgood\tdrei\n' > want
same '... or its line is skipped on both sides' want 'heed-pack -q -i skip bad t.de | heed-show -f id,src,tgt'
printf 'one\ntwo\n' > bad
fails 2 'two languages of one text' '--languages en-de with one text' 'heed-pack --languages en-de t.en'
fails 2 'standard input twice' 'standard input is given 2 times' 'heed-pack - -'
fails 3 'different numbers of lines are an error' 't.en has 3 lines, bad has 2, expected the same' 'heed-pack t.en bad'
exits 3 '... and the stream has no end record' 'heed-pack t.en bad 2> /dev/null | heed-check'
fails 3 '... the other way round' 'bad has 2 lines, t.en has 3' 'heed-pack bad t.en'

# --- JSON lines ---
heed-show t.heed > t.json
same 'heed-pack -j restores the output of heed-show' t.heed 'heed-pack -j --no-pg t.json'
cat > all.json <<'END'
["heed",1,"any",{"fields":{"a":"f32[n,m]","b":"bits[n,k]","c":"i8[n]","d":"int"},"pg":[],"free":{"x":[1,null]}}]
{"a":[[1.5,-0.25],[1e+30,{"$float":"inf"}]],"b":["101","010"],"c":[-128,127],"d":-9223372036854775808}
["heed-note","what",{"any":["thing"]}]
{"x.a":true,"x.b":null,"x.c":[1,-1,0.1,1.0,18446744073709551615,"ä\u0001\n\t\"\\"],"x.d":{},"x.e":[],"x.f":{"$bin":"AAH/"}}
{"x.g":{"$f32":0.1},"x.h":{"$msgpack":"zP8="},"x.i":{"$float":"nan"},"x.j":-0.0,"x.k":1e+300,"x.l":{"$msgpack":"zQAB"},"x.m":[[[[[[[{"$f32":0.5},{"$bin":"AA=="}]]]]]]]}
{"a":{"s":[0,3],"d":{"$bin":""}}}
{"a":{"s":[1000000,0],"d":{"$bin":""}}}
{}
{"$msgpack":"gdkBcQE="}
["heed-end",7]
END
sed 's/"x.h":{"$msgpack":"zP8="}/"x.h":255/' all.json > want
same 'all kinds of values are converted from JSON and back' want 'heed-pack -j --no-pg all.json | heed-show'
heed-pack -j --no-pg all.json > all.heed
same '... and the bytes are restored' all.heed 'heed-show all.heed | heed-pack -j --no-pg'
# NaNs with and without sign bit, of 64 and of 32 bits: y//4..., y3/4..., yv/AAAA=, yn/AAAA=
{ head -n 1 all.json
  for nan in y//4AAAAAAAA y3/4AAAAAAAB yv/AAAA= yn/AAAA=; do echo "{\"x.n\":{\"\$msgpack\":\"$nan\"}}"; done
  echo '["heed-end",4]'; } > nan.json
{ head -n 1 all.json; yes '{"x.n":{"$float":"nan"}}' | head -n 4; echo '["heed-end",4]'; } > want
heed-pack -j --no-pg nan.json > nan.heed
same 'every NaN is printed as nan' want 'heed-show nan.heed'
same '... and read back as a NaN' want 'heed-show nan.heed | heed-pack -j --no-pg | heed-show'
fails 3 'JSON lines without an end record are an error' 'ends after line 2, expected an end record' 'head -n 2 t.json | heed-pack -j'
same '... but accepted with -p' t.heed 'sed \$d t.json | heed-pack --no-pg -j --partial'
fails 3 'a wrong number of records in the end record is an error' 'line 4: 2 records, expected 3' 'sed 2d t.json | heed-pack -j'
for bad in '{"a":01}' '{"a":1,}' '{"a":1}x' '{"a":"\x"}' '{"a":"\ud800"}' '[1' '{"a":nul}' '{"a":1e999}' '{"a":[[[[[[[[1]]]]]]]]}' \
	'{"a":99999999999999999999}' '{"$bin":"A"}' '{"a" 1}' '' 'tru' '{"src":1}' '{"id":1,"id":2}' '"x"' '[1,2]' '{"$msgpack":"wQ=="}'; do
	{ head -n 1 t.json; printf '%s\n' "$bad" '["heed-end",1]'; } > bad.json
	fails 3 "invalid JSON is an error: $bad" 'bad.json: line 2: ' 'heed-pack -j bad.json'
done

# --- invalid streams ---
size=$(wc -c < t.heed)
head -c $((size - 1)) t.heed > cut.heed
fails 3 'a stream that ends inside its end record' 'cut.heed ends inside' 'heed-check cut.heed'
head -c 120 t.heed > cut.heed
fails 3 'a stream that ends inside a record' 'ends inside record 3' 'heed-show -f id cut.heed'
fails 3 'an empty file' 'empty is empty, expected a heed stream' 'heed-show empty'
fails 3 'text instead of a stream' 'heed-pack turns text into a stream' 'heed-show t.en'
fails 3 'JSON instead of a stream' 'heed-pack --json' 'heed-show t.json'
fails 3 'a failed program makes the next one fail' 'heed-filter: standard input' \
	'heed-pack t.en bad 2> /dev/null | heed-filter -q'
{ head -c 90 t.heed; printf 'X'; tail -c +92 t.heed; } > damaged.heed
fails 3 'a modified byte' 'damaged.heed: checksum' 'heed-check damaged.heed'
{ cat t.heed; echo garbage; } > more.heed
fails 3 'text after the end' "more.heed: unexpected 'garbage' after the end of the stream" \
	'heed-check more.heed'
{ cat t.heed; printf '\001'; } > more.heed
fails 3 '... or another byte' 'more.heed: unexpected byte 0x01 after the end' 'heed-check more.heed'
gzip -dc < "$HEED_TOP/tests/data/model/onmt.tar.gz" > model.tar
fails 3 'a model instead of a stream' 'hint: this is a tar file, such as a model; give models with -m' \
	'heed-show model.tar'
fails 3 'a stream instead of a model' 't.heed: this is a heed stream, expected a model of nmt-train' \
	'nmt-info t.heed'
fails 3 'a stream instead of text' 't.heed is a heed stream, expected text' \
	'head-map --draw table t.heed'
matches 'hint: heed-show -f prints its fields' err; say $? '... with a hint how to print it'
fails 3 'a mistyped field, with a near name' 'hint: did you mean src?' 'heed-show -f scr t.heed'
fails 3 'a missing field' 't.heed has no src.pieces' 'heed-filter --pieces --min 1 t.heed'
matches 'hint: run bpe-apply first, which adds src.pieces' err; say $? '... with a hint which program adds it'
fails 3 'a tree that can be made from heads' 'has no src.tree' 'heed-pack - < /dev/null | parse -q -l de | phrase-rp'
matches 'hint: run dep2const first' err; say $? '... with a hint which program makes it'
fails 3 'a stream of another kind' 'all.heed is a stream of kind any, expected kind sentence' 'heed-filter all.heed'
heed-show t.heed | tr ',' '\n' > pretty
fails 3 'JSON in several lines' 'hint: --json reads one value per line' 'heed-pack -j pretty'
cat t.heed t.heed > two.heed
printf 'two.heed\tsentence\t6\n' > want
same 'streams of one kind can be joined by cat' want 'heed-check two.heed'
fails 3 '... but not streams of two kinds' 'kind' 'cat t.heed all.heed | heed-check'
awk 'BEGIN { printf "[\"heed\",1,\"x\",{\"fields\":{},\"pg\":["; for (i = 1; i < 4096; i++) printf "{},"; print "{}]}]" }' > pg.json
echo '["heed-end",0]' >> pg.json
same 'a header may have 4096 provenance entries' pg.json 'heed-pack --json --no-pg pg.json | heed-show'
fails 3 '... but not one more' 'output header: pg has 4097 entries, expected at most 4096' 'heed-pack --json pg.json'
note() { echo '["heed",1,"x",{"fields":{}}]'; printf '["heed-note","n","'; head -c "$1" /dev/zero | tr '\0' a; printf '"]\n["heed-end",0]\n'; }
note $((16777216 - 18)) > note.json	# 1 byte of the array, 10 and 2 of the strs, 5 of the length
same 'a note may have 16 MiB' note.json 'heed-pack --json --no-pg --max-line 64 note.json | heed-show'
note $((16777216 - 17)) > note.json
fails 3 '... but not one byte more' 'output note after record 0 has 16777217 bytes, expected at most 16777216' \
	'heed-pack --json --no-pg --max-line 64 note.json'
{ printf '\224\244heed\001\241x\201\246fields\200\223\251heed-note\241n\333\001\0\0\0'; head -c 17000000 /dev/zero; } > note.heed
fails 3 '... which no option allows' 'note.heed: the header or note after record 0 has more than 16777216 bytes' 'heed-check note.heed'
lacks 'hint: ' err; say $? '... so there is no hint'
fails 3 'a record over the limit' 'has more than 1048576 bytes' 'heed-pack long | heed-show -f src --max-record 1'
matches 'hint: --max-record raises the limit' err; say $? '... with the option that raises it'
{ head -c 48 t.heed; printf '\201\243src\333\005\0\0\0'; head -c 67200000 /dev/zero | tr '\0' a; } > large.heed
fails 3 'a record over the limit of a program without this option' 'record 1 has more than 67108864 bytes' 'parse large.heed'
lacks 'hint: ' err; say $? '... has no such hint'
rm large.heed

if [ "${HEED_MODE:-release}" = release ]; then
	# these objects claim to have gigabytes
	head -c 48 t.heed > head.heed	# the header with three fields
	for claim in '\337\377\377\377\377' '\201\241x\333\003\377\377\377' '\201\243src\335\377\377\377\377' \
		'\201\241x\335\003\377\377\377\001' '\201\241x\306\003\377\377\377' '\223\251heed-note\241x\337\377\377\377\377'; do
		{ cat head.heed; printf "$claim"; } > claim.heed
		fails 3 "a claimed size allocates no memory: $claim" 'claim.heed' 'ulimit -v 60000; heed-check claim.heed'
	done
	{ printf '\224\244heed\001\337\377\377\377\377'; } > claim.heed
	fails 3 '... nor does one in a header' 'claim.heed' 'ulimit -v 60000; heed-check claim.heed'
fi

# --- heed-check ---
heed-sample --shuffle -s 4 t.heed > shuffled.heed
that "$(heed-show -f id shuffled.heed | tr '\n' ' ')" = '2 3 1 '; say $? 'the records in another order'
exits 0 'sums do not depend on the order' heed-check -q --sum id,src,tgt t.heed shuffled.heed
sed 's/Katze/Matze/' t.de > other.de
heed-pack t.en other.de > other.heed
fails 1 'sums detect different values' 't.heed and other.heed differ in tgt' 'heed-check --sum src,tgt t.heed other.heed'
{ sed 1d t.de; head -n 1 t.de; } > turned.de
heed-pack t.en turned.de > turned.heed
fails 1 'sums detect different combinations of the same values' 'differ in the combinations of these fields' \
	'heed-check --sum src,tgt t.heed turned.heed'
# Streams of other programs: integers in a float field, 32-bit floats, and integers that are longer than necessary.
# Each has one record.
# numbers ID FLOAT LIST: a stream with these encoded values, and the checksum that gzip computes
numbers() {
	printf '\224\244heed\001\250sentence\201\246fields\203\242id\243int\243x.f\245float\243x.l\245[int]' > stream
	printf "\\203\\242id$1\\243x.f$2\\243x.l$3" >> stream; printf '\223\250heed-end\001\316' > end
	gzip -c < stream | tail -c 8 | perl -e 'print scalar reverse substr do { local $/; <STDIN> }, 0, 4' | cat stream end -
}
numbers '\001' '\001' '\222\003\004' > n1
numbers '\323\0\0\0\0\0\0\0\001' '\313\077\360\0\0\0\0\0\0' '\334\0\002\314\003\321\0\004' > n2
numbers '\314\001' '\312\077\200\0\0' '\222\003\004' > n3
numbers '\001' '\313\077\360\0\0\0\0\0\001' '\222\003\004' > n4
exits 0 'sums do not depend on the encoding of numbers' heed-check --sum id,x.f,x.l n1 n2 n3
fails 1 '... but on their values' 'n1 and n4 differ in x.f' 'heed-check --sum id,x.f,x.l n1 n4'
printf '{"src":"a","x.f":1}\n' > f1; printf '{"src":"a","x.f":1.0}\n' > f2
exits 0 '... also of JSON objects' 'for f in f1 f2; do heed-pack -j --map src=src,x.f=x.f:float -o $f.heed $f; done; heed-check --sum x.f f1.heed f2.heed'
fails 1 'an undeclared field' 'records have a field x.new, which the header does not declare' \
	'sed "s/\"id\":1,/\"id\":1,\"x.new\":1,/" t.json | heed-pack -j | heed-check'
exits 3 'of several files the highest status counts' heed-check t.heed cut.heed other.heed
printf 't.heed\tfield\tid\tint\t3\nt.heed\tfield\tsrc\tstr\t3\nt.heed\tfield\ttgt\tstr\t3\n' > want
fails 3 'a sum of a field that the stream does not have' 't.heed has no sorce' 'heed-check --sum sorce t.heed t.heed'
fails 2 'an empty list of sums' '--sum is empty' "heed-check --sum '' t.heed other.heed"
same '-l lists the fields' want 'heed-check --list t.heed | sed 1d'

# --- heed-paste ---
sed 's/,"tgt":"[^"]*"//; s/,"tgt":"str"//' t.json | heed-pack -j --no-pg > src.heed
same 'lines of text become a field' t.heed 'heed-paste --no-pg --text tgt=t.de src.heed'
sed 's/"src":"\([^"\\]\|\\.\)*",//; s/"src":"str",//' t.json | heed-pack -j --no-pg > tgt.heed
same 'two streams are joined' t.heed 'heed-paste --no-pg src.heed tgt.heed'
fails 3 'different values of a field are an error' 'differ in tgt' 'heed-paste t.heed other.heed'
heed-show -f id,src,tgt other.heed > want
same '... unless -r is given' want 'heed-paste --replace t.heed other.heed | heed-show -f id,src,tgt'
heed-sample -n 2 t.heed > less.heed
fails 3 'a text with too few lines is an error' 'standard input ends after 2 records or lines, expected as many as in t.heed' 'head -n 2 t.de | heed-paste --text hyp=- t.heed'
fails 3 '... and so is one with too many' 'standard input has more than 3 records or lines, expected as many as in t.heed' 'yes | head -n 4 | heed-paste --text hyp=- t.heed'
printf 'x@@ y\nz\nw\n' > words
printf '["x@@","y"]\n' > want
same 'words become a list' want 'heed-paste --text src.pieces=words t.heed | heed-show -n 1 | sed -n "2s/.*\"src.pieces\"://;2s/}$//p"'
fails 3 'text instead of a number is an error' 'words: line 1: ' 'heed-paste --text src.word=words t.heed'
fails 3 'a field of two texts is an error' 't.de already has a field hyp' 'heed-paste --text hyp=t.de --text hyp=t.en t.heed'
same '... unless --replace is given' t.en 'heed-paste --replace --text hyp=t.de --text hyp=t.en t.heed | heed-show -f hyp'
fails 3 '... or of the second stream and a text' 'tgt.heed already has a field tgt' 'heed-paste --text tgt=t.de src.heed tgt.heed'
sed 's/,"src":"str"//' t.json | heed-pack -j > silent.heed
fails 3 '... or of a text and of records whose header does not declare it' 'silent.heed: record 1 (id 1) already has a field src' \
	'heed-paste --text src=t.en silent.heed'
seq 9 -1 7 > numbers
fails 3 'ids cannot be replaced' 't.heed already has a field id' 'heed-paste --replace --text id=numbers t.heed'
sed 's/"id":"int",//' t.json | heed-pack -j > silent.heed
fails 3 '... whether the header declares them or not' 'silent.heed: record 1 (id 1) already has a field id' \
	'heed-paste --replace --text id=numbers silent.heed'
# stream FIELD TYPE VALUE: a stream with one record
stream() { printf '["heed",1,"sentence",{"fields":{"id":"int","%s":"%s"}}]\n{"id":1,"%s":%s}\n["heed-end",1]\n' "$1" "$2" "$1" "$3" | heed-pack -j; }
stream x.b str '"c"' > b; stream x.a int 1 > int; stream x.a str '"c"' > str
fails 3 'types of the second and the third stream differ' 'str: field x.a is of type str, expected int as in int' 'heed-paste b int str'
stream src.phrase 'i8[n,n]' '[[1,2],[3,4]]' > two; stream src.relation 'i8[n,n]' '[[1]]' > one
fails 3 'dimensions of two streams differ' 'two: record 1 (id 1): src.relation has shape [1,1], expected 2 for n' 'heed-paste two one'

# --- provenance, file modes ---
latin=$(printf 'n\351e'); cp t.en "$latin"
printf 'n\\\\xe9e\n' > want
same 'a file name that is not UTF-8 is escaped in the provenance' want \
	"heed-pack '$latin' | heed-show -H | sed 's/.*\"args\":\"\([^\"]*\)\".*/\1/'"
: > mode; chmod 666 mode; (umask 022; heed-pack -o mode t.en); that "$(ls -l mode | cut -c 1-10)" = -rw-rw-rw-
say $? 'a replaced file keeps its mode, whatever the umask'

# --- limits ---
perl -e 'print join("\t", map { "x.$_" } 1 .. 1100), "\n" for 1 .. 2' > wide.tsv
fails 3 'a table with too many columns' 'wide.tsv: 1101 fields, expected at most 1024' 'heed-pack --tsv wide.tsv'
cut -f 1-600 wide.tsv | heed-pack --tsv > left.heed; cut -f 601-1100 wide.tsv | heed-pack --tsv > right.heed
fails 3 'streams with too many fields together' 'left.heed: record 1 (id 1): record has 1101 fields, expected at most 1024' 'heed-paste left.heed right.heed'
perl -e 'print "a " x 1100000, "\n"' > words; echo x | heed-pack > x.heed
fails 3 'a list that is too long' 'x.heed: record 1 (id 1): src.pieces has 1100000 elements, expected at most 1048576' \
	'heed-paste --text src.pieces=words x.heed'
heed-pack words > words.heed; : > no.codes
fails 3 '... of subwords' 'output record 1: src.pieces has more than 1048576 elements' 'bpe-apply -c no.codes words.heed'
{ printf 'src\tsrc.pieces\n\t'; cat words; } > words.tsv
fails 3 '... in a table' 'output record 1: src.pieces has more than 1048576 elements' 'heed-pack --tsv words.tsv'
perl -e 'print "a" x (1 << 19), "\n"' > half; heed-pack half > half.heed
fails 3 'a record that is too large' 'half.heed: record 1 (id 1): 1048603 bytes with the added fields, expected at most 1 MiB' \
	'heed-paste --max-record 1 --text tgt=half half.heed'
fails 2 'heed-paste with standard input twice' 'standard input is given 2 times' 'heed-paste - -'
fails 2 '... once as a text' 'standard input is given 2 times' 'heed-paste --text x=- -'
fails 2 '... or without operands' 'standard input is given 2 times' 'heed-paste --text x=-'
printf '%s\n' '["heed",1,"x",{"fields":{}}]' '["heed-note",1,2]' '["heed-end",0]' > note.json
fails 3 'a note whose name is no text' 'note.json: line 2: unexpected list' 'heed-pack -j note.json'
gzip -dc < "$HEED_TOP/tests/data/model/onmt.tar.gz" > onmt.tar
{ echo '["heed",1,"sentence",{"fields":{"src":"str","tgt":"str","x":"str"}}]'; printf '{"src":"the dog","tgt":"der hund","x":"'
  head -c 67108830 /dev/zero | tr '\0' a; printf '"}\n["heed-end",1]\n'; } | heed-pack -j --max-line 80 > full.heed
runs heed-check full.heed; say $? 'a record of almost 64 MiB'
for command in 'parse --control right' 'nmt-score -m onmt.tar' 'nmt-translate -m onmt.tar' 'head-lrp --tokens -m onmt.tar'; do
	fails 3 "... to which ${command%% *} adds fields" 'output record 1: 67' "$command -q full.heed"
	matches 'bytes with the added fields, expected at most 64 MiB' err; say $? '... with the limit'
done
rm full.heed
fails 2 'no fields to show' '--fields is empty' "heed-show -f '' --npy -o e.npy t.heed"

# --- heed-sample, heed-filter ---
i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); echo "$i $((i % 7)) x"; done > n.en
heed-pack n.en > n.heed
heed-sample -n 100 -s 1 n.heed | heed-show -f id > a
heed-sample -n 100 -s 1 < n.heed | heed-show -f id > b
that "$(wc -l < a)" = 100 && sort -n -u a | equals - a && equals a b; say $? '-n takes exactly n records, in order, reproducibly'
heed-sample -n 100 -s 2 n.heed | heed-show -f id | equals - a; that $? = 1; say $? 'another seed gives other records'
heed-sample --share 0.5 n.heed | heed-show -f id > a
that "$(wc -l < a)" -gt 430 && that "$(wc -l < a)" -lt 570; say $? '--share takes a fraction of the records'
heed-sample --share 0.5 --shuffle n.heed | heed-show -f id | sort -n | equals - a; say $? '... and the same records with --shuffle'
that "$(heed-sample --share 0 n.heed | heed-show | wc -l) $(heed-sample --share 1 n.heed | heed-show -f id | wc -l)" = '2 1000'
say $? '... or none, or all'
awk '$1 <= 300' a > few; head -n 300 n.en | heed-pack | heed-sample --share 0.5 | heed-show -f id | equals - few
say $? '... by their numbers, whatever follows'
that "$(heed-sample -n 2000 n.heed | heed-show -f id | wc -l)" = 1000; say $? '-n takes all records if there are fewer'
heed-sample --shuffle n.heed | heed-show -f id > b
sort -n b | head -n 3 > x; seq 3 | equals - x && that "$(wc -l < b)" = 1000 && ends 1 sort -n -c b 2> /dev/null
say $? '--shuffle alone keeps all records'
exits 2 'without -n, --share or --shuffle it is a usage error' heed-sample n.heed
printf 'a\n\nb c\na\nd e f g\n' > f.en
printf 'A\nX\nB\nA\nD\n' > f.de
heed-pack f.en f.de > f.heed
printf '1\n3\n' > want
same 'sentences are filtered by length, ratio and duplication' want 'heed-filter -q -e -u --max 3 --ratio 2 f.heed | heed-show -f id'
heed-filter -e -u --max 3 --ratio 2 f.heed 2> err > /dev/null
echo 'heed-filter: kept 2 of 5 sentences; removed 1 empty, 0 too short, 1 too long, 0 by ratio, 1 duplicates' |
	equals - err
say $? 'the removed sentences are counted'
perl -e 'print "a " x $_, "\n" for 1, 1, 45, 45, 20, 25, 25, 0, 0' > ratio.en
perl -e 'print "b " x $_, "\n" for 2, 3, 63, 64, 23, 29, 30, 1, 0' > ratio.de
heed-pack ratio.en ratio.de > ratio.heed
for want in '2 1 3 4 5 6 7 9' '1.4 3 5 6 7 9' '1.15 5 9' '1.16 5 6 9'; do
	printf '%s\n' ${want#* } > "want.${want%% *}"
done
for x in 2 1.4 1.15 1.16; do
	same "--ratio $x keeps pairs of exactly this ratio" want.$x "heed-filter -q --ratio $x ratio.heed | heed-show -f id"
done
{ echo '["heed",1,"sentence",{"fields":{"src":"str","tgt":"str","src.pieces":"[str]","tgt.pieces":"[str]"}}]'
  echo '{"src":"a","tgt":"b","src.pieces":["a"]}'; echo '["heed-end",1]'; } | heed-pack -j > half.heed
fails 3 '--pieces and a target without subwords' 'half.heed: record 1: no tgt.pieces, expected them beside tgt' 'heed-filter --pieces --max 3 half.heed'
printf '3\n5\n' > want
same '-m removes short sentences' want 'heed-filter -q --min 2 f.heed 2>/dev/null | heed-show -f id; heed-pack f.en | heed-filter -q --min 2 | heed-show -f id'

# --- system errors and signals ---
heed-show n.heed > want
i=0; while [ $i -lt 200 ]; do i=$((i + 1)); cat n.heed; done > big.heed
{ heed-show big.heed 2> err; echo $? > status; } | head -n 1 > out
that ! -s err && that "$(cat status)" = 141; say $? 'a closed pipe ends the program silently'
if [ -e /dev/full ]; then
	for c in 'heed-show t.heed' 'heed-pack t.en' 'heed-check t.heed' 'heed-filter -q t.heed' 'heed-sample -n 2 t.heed' \
		'heed-paste t.heed' 'heed-show --help' 'heed-check --version'; do
		fails 4 "a full disk: $c" 'No space left' "$c > /dev/full"
	done
	fails 4 'a full disk: -o' 'No space left' 'heed-show -o /dev/full t.heed'
fi
for c in 'heed-show t.heed' 'heed-pack t.en' 'heed-check t.heed' 'heed-filter -q t.heed'; do
	fails 4 "a closed standard output: $c" 'standard output' "$c >&-"
done
fails 4 'a closed standard input is a system error' 'standard input' 'heed-show <&-'
exits 2 'an unknown option is a usage error' heed-show --nonsense
exits 2 'so is a number out of range' heed-show -n -1 t.heed
exits 2 'so are too many files' heed-pack a b c
fails 4 'a missing folder is a system error' 'cannot write nowhere/x' 'heed-pack -o nowhere/x t.en'
if shm=$(mktemp -d /dev/shm/heed-XXXXXX 2> /dev/null); then
	for i in 1 2; do heed-pack --no-pg --languages none -o "$shm/x.heed" t.en t.de; done
	equals t.heed "$shm/x.heed" && that "$(ls -A "$shm")" = x.heed; say $? 'a file below /dev/shm is replaced'
	rm -r "$shm"
else
	say 0 'a file below /dev/shm # SKIP no /dev/shm'
fi
for o in stdout fd/1; do
	printf 'first\n' > appended; heed-pack --no-pg --languages none -o /dev/$o t.en t.de >> appended
	head -n 1 appended | matches -x first && tail -c +7 appended | equals - t.heed; say $? "... but not the file that /dev/$o names"
done
if command -v script > /dev/null 2>&1; then
	script -qec 'heed-pack t.en' /dev/null > out < /dev/null; that $? = 2; say $? 'binary data is not written to a terminal'
	runs script -qec 'heed-pack --force t.en' /dev/null > out < /dev/null; say $? '... unless -f is given'
	script -qec 'heed-check' /dev/null > out 2>&1 < /dev/null; that $? = 2; say $? 'binary data is not read from a terminal'
fi
# --- programs that are killed while they write ---
mkfifo never
for signal in INT HUP TERM QUIT XCPU ALRM USR1 USR2; do
	got=0
	perl -e '$SIG{$_} = "DEFAULT" for qw(INT HUP TERM QUIT XCPU ALRM USR1 USR2); exec @ARGV' heed-filter \
		--no-pg -q -o stopped.heed never & pid=$!
	exec 9> never
	head -c 100 t.heed >&9
	i=0
	while ! ls stopped.heed.*.tmp > /dev/null 2>&1 && [ $i -lt 100 ]; do sleep 0.05; i=$((i + 1)); done
	[ $i -lt 100 ] || echo "# no temporary file"
	kill -$signal $pid
	{ wait $pid || got=$?; } 2> /dev/null
	exec 9>&-
	that $i -lt 100 && that $got -gt 128 && ! ls stopped.heed* > /dev/null 2>&1; r=$?
	say $r "$signal removes the temporary file and ends the program"
	[ $r = 0 ] || echo "# after $i polls, exit $got, left: $(ls stopped.heed* 2>&1)"
	rm -f stopped.heed*
done

got=0; seq 9999 > numbers
(ulimit -f 9; exec heed-pack --no-pg -o large.heed numbers) > /dev/null 2>&1 || got=$?
that $got -gt 128 && that -z "$(ls large.heed* 2> /dev/null)"; say $? 'so does exceeding the limit on file size'

# --- temporary files of killed processes; other files, such as held.heed.8.tmp, belong to the user ---
heed-filter --no-pg -q -o held.heed never & pid=$!
exec 9> never
head -c 100 t.heed >&9
i=0; while ! ls held.heed.*.tmp > /dev/null 2>&1 && [ $i -lt 100 ]; do sleep 0.05; i=$((i + 1)); done
held=$(ls held.heed.*.tmp)
host=${held##*-} day='2 days ago'
touch "held.heed.7-$host" "held.heed.$pid-$host" held.heed.7-0123abcd.tmp held.heed.7.tmp held.heed.x.tmp held.heed2.7.tmp
touch -d "$day" held.heed.8-0123abcd.tmp held.heed.8.tmp "$held" held.heed.tmp held.heed.9.tmp.old; ln -s "$held" held.heed.9.tmp
heed-pack --no-pg -o held.heed t.en
printf '%s\n' held.heed "$held" held.heed.7-0123abcd.tmp held.heed.7.tmp held.heed.8.tmp held.heed.9.tmp held.heed.9.tmp.old held.heed.tmp \
    held.heed.x.tmp held.heed2.7.tmp | sort > want
ls held* | sort | equals - want; say $? 'strays of this host and old ones of others are removed, open and other files are kept'
tail -c +101 t.heed >&9
exec 9>&-
runs wait $pid && equals t.heed held.heed; say $? '... and get their name when they are complete'

# --- records before the damage ---
printf 'a\nb\nc\n' | heed-pack --no-pg > three.heed; head -c -9 three.heed > cut.heed
for o in '' '-o -'; do
	exits 3 "heed-show $o of a truncated stream" "heed-show $o -f src cut.heed > shown"
	that "$(head -n 2 shown | paste -s -d ' ')" = 'a b'; say $? '... prints the records before the damage'
done
plan $n
