#!/bin/sh
# exchange-in: what heed-pack reads of other programs: tables, JSON objects, translation memories.
. "$HEED_TOP/tests/lib.sh"

# refused 'name' 'part of the message' 'input' options...: status 3, and the stream has no end record
refused() {
	printf "$3" > in; name=$1 part=$2; shift 3
	fails 3 "$name" "$part" "heed-pack $* in"
	ends 3 heed-check -q out 2> /dev/null; say $? '... and the stream is incomplete'
}

# --- tables ---
printf 'domain\tsource\ttarget\tda\nnews\ta "dog"\tein Hund\t0.5\nlaw\tthe \\ cat\t\t\n' > t.tsv
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","x.da":"float"}}]
{"id":1,"src":"a \"dog\"","tgt":"ein Hund","x.da":0.5}
{"id":2,"src":"the \\ cat","tgt":""}
["heed-end",2]
END
same 'columns by name' want 'heed-pack --no-pg --tsv --map source=src,target=tgt,da=x.da:float t.tsv | heed-show'
same '... in several --map' want 'heed-pack --no-pg --tsv --map source=src --map target=tgt,da=x.da:float < t.tsv | heed-show'
sed 1d t.tsv > bare.tsv
same 'columns by number' want 'heed-pack --no-pg --tsv --map 2=src,3=tgt,4=x.da:float bare.tsv | heed-show'
sed 's/$/\r/' t.tsv | { printf '\357\273\277'; cat; } | gzip > t.tsv.gz
same 'byte order mark, CRLF and gzip' want 'heed-pack --no-pg --tsv --map source=src,target=tgt,da=x.da:float t.tsv.gz | heed-show'
heed-pack --no-pg -j > all.heed <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","src.pieces":"[str]","src.heads":"[int]","score":"float","alignment":"str"}}]
{"id":7,"src":"a\tb\\n","tgt":"c\r","src.pieces":["a@@","b"],"src.heads":[2,0],"score":-1.25,"alignment":"0-0 1-0"}
{"id":9,"src":"\"","tgt":"x y\nz","score":3.0,"alignment":""}
["heed-end",2]
END
fields=id,src,tgt,src.pieces,src.heads,score,alignment
heed-show -f $fields --header --escape all.heed > all.tsv
same 'what heed-show writes with --header --escape is restored' all.heed 'heed-pack --no-pg --tsv --escape all.tsv'
printf 'src\n"a ""b"" c"\n"x\ty"\nz "q"\n""\n' > q.tsv
printf 'a "b" c\nx\ty\nz "q"\n\n' > want
same '--quoted: cells in quotation marks' want 'heed-pack --tsv --quoted q.tsv | heed-show -f src'
heed-pack --tsv q.tsv > out 2> err; matches 'columns, expected 1' err; say $? '... without it a tab ends a cell'
sed 3d q.tsv > r.tsv; sed 1d r.tsv > want
same '... and the marks remain' want 'heed-pack -q --tsv r.tsv | heed-show -f src'
heed-pack --tsv r.tsv 2> err > out; matches 'warning: 1 cells seem to be quoted.*--quoted' err; say $? '... with a warning'
printf 'src\tsrc.x\n"a\\tb ""c"" d\\\\"\te\\nf\n' > q.tsv
printf 'a\\tb "c" d\\\\\te\\nf\n' > want
same '--quoted --escape, and names of columns with a period' want \
	'heed-pack --tsv --quoted --escape --map src=src,src.x=x.a q.tsv | heed-show -f src,x.a --escape'
if command -v python3 > /dev/null; then
	python3 -c 'import csv
rows = [["src", "tgt"], ["a \"b\"", "c\td"], ["\"", "\"\""], ["x", ""]]
csv.writer(open("c.tsv", "w"), delimiter="\t").writerows(rows)'
	printf '%s\n' 'a "b"	c\td' '"	""' 'x	' > want
	same '... as the csv module of Python writes them' want 'heed-pack --tsv --quoted c.tsv | heed-show -f src,tgt --escape'
fi
refused 'an invalid line of names' 'in: line 1: invalid UTF-8 or a NUL byte' 'src\tb\377d\na\tb\n' --tsv -i skip
printf 'id\tsrc\n17\ta\nb\377\tc\nx\td\n' > bad.tsv
refused 'a column that is missing' 'in: line 1: no column source' 'src\ta\nx\ty\n' --tsv --map source=src
matches 'hint: the first line has the names' err; say $? '... with a hint'
refused 'a column twice' 'several columns a, expected one' 'a\ta\nx\ty\n' --tsv --map a=src
refused '... without a map' 'column a is given twice' 'a\ta\nx\ty\n' --tsv
refused 'a column without a name' 'a column without a name' 'a\t\nx\ty\n' --tsv
refused 'an empty file' 'in is empty, expected a line' '' --tsv
refused 'too few columns' 'in: line 3: 1 columns, expected 2' 'src\ttgt\nx\ty\nx\n' --tsv
refused 'too many columns' 'in: line 2: 3 columns, expected 2' 'src\ttgt\nx\ty\tz\n' --tsv
refused '... by numbers, too few' 'in: line 2: 1 columns, expected at least 2' 'x\ty\tz\nx\n' --tsv --map 2=src
refused 'a number that is none' "in: line 2: column n: 'x', expected" 'n\nx\n' --tsv --map n=x.n:int
refused 'invalid UTF-8' 'in: line 3: byte 1' 'src\na\n\377\n' --tsv
refused 'an escape that is none' 'in: line 2: a single' 'src\na\\q\n' --tsv --escape
refused '... at the end of a cell' 'in: line 2: a single' 'src\ttgt\na\\\tb\n' --tsv --escape
refused 'an open quotation mark' 'in: line 2: a cell that begins with' 'src\n"a\nb"\n' --tsv --quoted
refused 'text after a quotation mark' "in: line 2: 'b' after the second" 'src\n"a"b\n' --tsv --quoted
refused 'a line over the limit' 'line 2' "src\n$(head -c 1100000 /dev/zero | tr '\0' a)\n" --tsv --max-line 1
printf 'src\na\nb\377\nc\n' > bad.tsv
printf '1\ta\n3\tc\n' > want
same '--invalid skip' want 'heed-pack -q --tsv -i skip bad.tsv | heed-show -f id,src'
printf '1\ta\n2\tb\357\277\275\n3\tc\n' > want
same '--invalid replace' want 'heed-pack -q --tsv -i replace bad.tsv | heed-show -f id,src'
printf 'x.a\n-1.7e308\n1.7976931348623157e308\n' > range.tsv
printf -- '-1.7e+308\n1.7976931348623157e+308\n' > want
same 'all finite floats are read' want 'heed-pack --tsv --map x.a=x.a:float range.tsv | heed-show -f x.a'
printf 'x.a\nnan\n' > nan.tsv
fails 3 '... but not nan' "'nan', expected a number" 'heed-pack --tsv --map x.a=x.a:float nan.tsv'
fails 2 'column 0' 'column 0, expected 1' 'heed-pack --tsv --map 0=src t.tsv'
fails 2 'a column twice, by number' 'column 1 is given twice' 'heed-pack --tsv --map 1=src,01=tgt t.tsv'
fails 2 'a type that heed-fields(5) contradicts' 'field src is of type str, not int' 'heed-pack --tsv --map 1=src:int t.tsv'
fails 2 'a type that text cannot have' 'expected str, int, float' 'heed-pack --tsv --map 1=src.dep t.tsv'

# --- JSON objects ---
cat > t.jsonl <<'END'
{"translation":{"en":"a dog","de":"ein Hund"},"score":1,"tags":["x","y"],"more":null}
{"translation":{"de":"zwei","en":"two","fr":"deux"},"score":null}
{"translation.en":"three","translation":{"de":"drei"},"score":0.5,"tags":[]}
END
cat > want <<'END'
["heed",1,"sentence",{"fields":{"id":"int","src":"str","tgt":"str","x.score":"float","x.tags":"[str]"}}]
{"id":1,"src":"a dog","tgt":"ein Hund","x.score":1,"x.tags":["x","y"]}
{"id":2,"src":"two","tgt":"zwei"}
{"id":3,"src":"three","tgt":"drei","x.score":0.5,"x.tags":[]}
["heed-end",3]
END
map='translation.en=src,translation.de=tgt,score=x.score:float,tags=x.tags:[str]'
same 'JSON objects, also within each other' want "heed-pack --no-pg -j --map '$map' t.jsonl | heed-show"
heed-pack --no-pg -j --map "$map" t.jsonl > t.heed
same 'the same map writes and reads' t.heed "heed-show --map id=id,'$map' t.heed | heed-pack --no-pg -j --map id=id,'$map'"
perl -e 'print "{\"a", "\\u0000" x 2000000, "\":{\"b\":1},\"a\":{\"b\":\"x\"}}\n"' > nul.jsonl
echo x > want; same 'a key with NUL bytes is another key' want 'heed-pack -j --map a.b=src nul.jsonl | heed-show -f src'
echo '{"_id":{"$oid":"a"},"en":"x"}' > mongo.jsonl
echo x > want; same 'a key that begins with a dollar' want 'heed-pack -j --map en=src mongo.jsonl | heed-show -f src'
refused 'a missing source' 'in: line 1: a is missing, expected text for src' '{"b":1}\n' -j --map a=src
refused '... null' 'in: line 1: a is null, expected text for src' '{"a":null}\n' -j --map a=src
refused 'a key twice' 'in: line 1: a is given twice' '{"a":"x","a":"y"}\n' -j --map a=src
refused '... an object with the key' 'in: line 1: a.b is given twice' '{"a":{"b":"x"},"a":{}}\n' -j --map a.b=src
refused 'a key that no object has' 'no object has the key b' '{"a":"x"}\n' -j --map a=src,b=x.b
refused 'a value of another type' 'in: line 2: a: ' '{"a":"x"}\n{"a":3}\n' -j --map a=src
refused 'a line that is no object' 'in: line 1: expected a JSON object' '["a"]\n' -j --map a=src
refused 'a line that is no JSON' 'in: line 1: ' '{"a":\n"x"}\n' -j --map a=src
refused 'a line feed in text' 'in: line 1: a has a line feed' '{"a":"x\\ny"}\n' -j --map a=src
printf '{"a":"x\\ny"}\n{"a":"z"}\n' > feed.jsonl
printf '2\tz\n' > want; same '... --invalid skip' want 'heed-pack -q -i skip -j --map a=src feed.jsonl | heed-show -f id,src'
printf '1\tx y\n2\tz\n' > want; same '... --invalid replace' want 'heed-pack -q -i replace -j --map a=src feed.jsonl | heed-show -f id,src'

# --- translation memories ---
cat > t.tmx <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header creationtool="x" srclang="en" segtype="sentence" datatype="PlainText"/><body>
<tu tuid="1"><prop type="x">no text</prop>
  <tuv xml:lang="en-US"><note>nor this</note><seg>A  <bpt i="1">&lt;b&gt;</bpt>dog<ept i="1">&lt;/b&gt;</ept> &amp; <hi>one
	cat</hi><ph>x<sub>sub</sub></ph> &#233;<![CDATA[ <raw>]]></seg></tuv>
  <tuv xml:lang="de"><seg>Ein Hund</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>only</seg></tuv><tuv lang="FR"><seg>seul</seg></tuv></tu>
<tu><tuv xml:lang="DE_de"><seg/></tuv><tuv lang="EN"><seg>second</seg></tuv><tuv lang="EN"><seg>third</seg></tuv></tu>
<tu><tuv xml:lang="eng"><seg>x</seg></tuv><tuv xml:lang="de"><seg>y</seg></tuv></tu>
</body></tmx>
END
printf '1\tA dog & one cat é <raw>\tEin Hund\n3\tsecond\t\n' > want
same 'units of two languages, without codes' want 'heed-pack -q --tmx --source-lang en --target-lang de t.tmx | heed-show -f id,src,tgt'
heed-pack --tmx --source-lang en --target-lang de t.tmx 2> err > out; matches '2 units have no segment in en or de' err; say $? '... the others are counted'
same '... by standard input' want 'heed-pack -q --tmx --source-lang EN --target-lang De < t.tmx | heed-show -f id,src,tgt'
gzip -c t.tmx > t.tmx.gz; same '... compressed' want 'heed-pack -q --tmx --source-lang en --target-lang de t.tmx.gz | heed-show -f id,src,tgt'
for code in UTF-16LE UTF-16BE; do
	{ printf '\357\273\277'; sed 's/UTF-8/UTF-16/' t.tmx; } | iconv -f UTF-8 -t $code > u.tmx
	same "... in $code" want 'heed-pack -q --tmx --source-lang en --target-lang de u.tmx | heed-show -f id,src,tgt'
done
sed 's/UTF-8/ISO-8859-1/' t.tmx | iconv -t ISO-8859-1 > u.tmx
same '... in ISO-8859-1' want 'heed-pack -q --tmx --source-lang en --target-lang de u.tmx | heed-show -f id,src,tgt'
printf '1\tA dog & one cat é <raw>\n' > want
same 'a language with its region' want 'heed-pack -q --tmx --source-lang en-US t.tmx | heed-show -f id,src'
variant() { printf '<tuv lang="%s"><seg>%s</seg></tuv>' "$1" "$1"; }
{ printf '<tmx><body><tu>'; variant EN-GB; variant EN-US; printf '</tu></body></tmx>'; } > gb.tmx
printf 'EN-US\tEN-GB\n' > want2
same '... is chosen before another form of the language' want2 'heed-pack -q --tmx --source-lang en --target-lang en-gb gb.tmx | heed-show -f src,tgt'
printf 'EN-GB\tEN-US\n' > want2
same '... on either side' want2 'heed-pack -q --tmx --source-lang en-gb --target-lang en gb.tmx | heed-show -f src,tgt'
tmx() { printf '<tmx><body><tu><tuv lang="en"><seg>%s</seg></tuv></tu></body></tmx>' "$1"; }
fails 3 'languages that the file lacks' 'no unit has a segment in en and in it' 'heed-pack --tmx --source-lang en --target-lang it t.tmx'
matches 'hint: languages of the file: en-US, de, en, FR' err; say $? '... the hint has those of the file'
refused 'an entity of the file' 'in: line 1: declares an entity, expected none: a' \
	'<!DOCTYPE tmx [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><tmx/>' --tmx --source-lang en
refused '... or an external one' 'declares an entity' '<!DOCTYPE tmx [<!ENTITY a SYSTEM "/etc/passwd">]><tmx/>' --tmx --source-lang en
refused 'an unknown entity' "in: line 1: Entity 'nbsp' not defined" "$(tmx '&nbsp;')" --tmx --source-lang en
refused '... with a DTD' 'unknown entity nbsp' "<!DOCTYPE tmx SYSTEM 'x'>$(tmx '&nbsp;')" --tmx --source-lang en
refused 'a truncated file' 'in: line 1: the file ends here, expected </tmx>' '<tmx><body>' --tmx --source-lang en
refused 'an empty file' 'in is empty, expected a TMX file' '' --tmx --source-lang en
refused 'another file of XML' 'expected a TMX file, whose root is tmx, not html' '<html/>' --tmx --source-lang en
refused 'a unit inside a unit' 'in: line 1: inside a unit: tu' '<tmx><tu><tu></tu></tu></tmx>' --tmx --source-lang en
refused 'a segment inside a segment' 'in: line 1: inside a segment: seg' '<tmx><tu><tuv lang="en"><seg>a<seg>b</seg></seg></tuv></tu></tmx>' --tmx --source-lang en
refused 'text' 'in: line 1: ' 'text\n' --tmx --source-lang en
refused 'invalid UTF-8' 'not proper UTF-8' "$(tmx 'a\377b')" --tmx --source-lang en
refused 'a segment over the limit' 'a segment of more than the limit' "$(tmx "$(head -c 1100000 /dev/zero | tr '\0' a)")" --tmx --source-lang en --max-line 1
deep=$(i=0; while [ $i -lt 300 ]; do printf '<hi>'; i=$((i + 1)); done)
refused 'elements nested too deeply' 'in: line 1: elements nested deeper than 256, at hi' "<tmx><body><tu><tuv lang='en'><seg>$deep" --tmx --source-lang en
fails 2 '--tmx without a language' 'expected --source-lang' 'heed-pack --tmx t.tmx'
for o in '--tsv --tmx' '--map a=src t.tsv' '-j --partial --map a=src' '--escape' '--source-lang en' '-j -i skip' '--tsv a b'; do
	exits 2 "usage: $o" heed-pack $o
done
plan $n
