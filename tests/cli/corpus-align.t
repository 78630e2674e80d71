#!/bin/sh
# corpus-align: pages of two languages in small packages made here.
. "$HEED_TOP/tests/lib.sh"
plan 65

# page SIDE PATH TITLE: begins a page; its blocks come from standard input
page() {
	mkdir -p "$1/usr/share/help/$1/text/$(dirname "$2")"
	{ echo '<html><head><title>x</title></head><body><p id="outside">not this</p><div id="DisplayArea">'
	  cat
	  echo '</div><p id="after">nor this</p></body></html>'; } > "$1/usr/share/help/$1/text/$2"
}
# package SIDE: makes SIDE.deb with ar and tar, as dpkg does
package() {
	tar -C "$1" -cJf data.tar.xz ./usr
	: > control && tar -czf control.tar.gz control && echo 2.0 > debian-binary
	rm -f "$1.deb"; ar rc "$1.deb" debian-binary control.tar.gz data.tar.xz
}

page en a.html <<'END'
<h1 id="h">A <em>heading</em></h1>
<p id="1">One sentence. Another
 one!  Mr. Smith e.g. sees 3. Not.</p>
<p id="2">Press <span id="s" class="switchinline"><span hidden id="m" class="MAC">Option</span><span hidden id="d">Ctrl</span></span>+A.</p>
<p id="2">The second of this id</p>
<p id="code" class="paragraph code">x = code()</p><div class="bascode"><p id="in">y = x</p></div>
<p id="same">LibreOffice Writer</p>
<p id="empty"></p>
<p>No id</p>
<ul><li><p id="li">Entities: &amp; &lt;b&gt; &auml;&nbsp;&#8203;end</p></li></ul>
<p id="only">Only in English</p>
<p id="br">line<br>break <img src="x" alt="y">after<script>no()</script></p>
<p id="mac">Here <span class="switchinline"><span class="MAC">nothing</span></span>stays.</p>
<p id="one">Long one. Two.</p>
END
page de a.html <<'END'
<h1 id="h">Eine <em>Überschrift</em></h1>
<p id="1">Ein Satz. Noch einer! Herr Smith sieht z. B. 3. Kein Satz.</p>
<p id="2">Drücken Sie <span class="switchinline"><span hidden class="MAC">Wahl</span><span hidden>Strg</span></span>+A.</p>
<p id="2">Der zweite</p>
<p id="code" class="paragraph code">y = kode()</p><div class="bascode"><p id="in">z = x</p></div>
<p id="same">LibreOffice Writer</p>
<p id="empty">Nicht leer</p>
<ul><li><p id="li">Zeichen: &amp; &lt;b&gt; ä ende</p></li></ul>
<p id="br">Zeile<br>um <img src="x" alt="y">bruch</p>
<p id="mac">Hier <span class="switchinline"><span class="MAC">nichts</span></span>bleibt.</p>
<p id="one">Hier nur ein langer Satz, und der hat zwei Teile.</p>
END
page en sub/b.html < /dev/null
for side in en de; do
	page $side sub/b.html <<-END
	<h2 id="h">heading of $side</h2>
	<p id="2">The second of this id, $side</p>
	<p id="x"><b>unclosed <i>markup of $side
	<div><p id="y">after it $side</p>
	END
	echo "binary" > "$side/usr/share/help/$side/text/c.png"
	package $side
done

cat > want.en <<'END'
A heading
One sentence.
Another one!
Mr. Smith e.g. sees 3. Not.
Press Ctrl+A.
The second of this id
Entities: & <b> ä end
line break after
Here stays.
Long one. Two.
heading of en
The second of this id, en
unclosed markup of en
after it en
END
cat > want.de <<'END'
Eine Überschrift
Ein Satz.
Noch einer!
Herr Smith sieht z. B. 3. Kein Satz.
Drücken Sie Strg+A.
Der zweite
Zeichen: & <b> ä ende
Zeile um bruch
Hier bleibt.
Hier nur ein langer Satz, und der hat zwei Teile.
heading of de
The second of this id, de
unclosed markup of de
after it de
END
align='corpus-align -l en -l de'
exits 0 'two packages are aligned' "$align --dev 0 --test 0 -o out --stats stats en.deb de.deb"
matches '^en-de: .* 14 pairs: 14 train, 0 dev, 0 test' err; say $? 'a summary is printed on standard error'
equals out.train.en want.en && equals out.train.de want.de
say $? 'blocks with an id in the area become text; code, equal and empty blocks are skipped'
that -e out.dev.en && that ! -s out.dev.en && that ! -s out.test.de; say $? 'a part may be empty'
matches '^code	2$' stats && matches '^empty	1$' stats && matches '^untranslated	2$' stats &&
    matches '^cut	1$' stats && matches '^pages.source	2$' stats
say $? '--stats writes the counts'

exits 0 'all pages can be development and test data' "$align -q --dev 50 --test 50 -o t en.deb de.deb"
that ! -s err && that ! -s t.train.en &&
    that "$(cat t.dev.en t.test.en | sort)" = "$(sort want.en)"; say $? 'no pair is lost, and -q prints nothing'

# ten pages, each with one unique sentence and one that differs only in a digit
for i in 0 1 2 3 4 5 6 7 8 9; do
	page en "many/$i.html" <<-END
	<p id="own">Own sentence $(printf %s $i | tr 0-9 a-j)</p><p id="all">Shared by all, $i</p><p id="dup">The same</p>
	END
	page de "many/$i.html" <<-END
	<p id="own">Eigener Satz $i</p><p id="all">Allen gemein, $i</p><p id="dup">Dasselbe</p>
	END
done
for side in en de; do rm -r $side/usr/share/help/$side/text/sub $side/usr/share/help/$side/text/a.html; package $side; done
exits 0 'pages are assigned to parts' "$align --dev 20 --test 30 -s 7 -o p en.deb de.deb"
that "$(cat p.*.en | grep -c Own)" = 10 && that -s p.test.en && that -s p.train.en; say $? 'each page is in one part'
that "$(cat p.*.en | grep -c 'The same')" = 1; say $? 'a duplicate pair is kept once'
for p in train dev test; do grep -l Shared p.$p.en; done > parts; that "$(wc -l < parts)" = 1
say $? 'near-duplicates are in one part only'
$align -q --dev 20 --test 30 -s 7 -o q en.deb de.deb && cat q.*.en > q1; cat p.*.en | equals - q1
say $? 'the same seed gives the same parts'
for s in 1 2 3 4 5 6; do $align -q --dev 20 --test 30 -s $s -o q en.deb de.deb; cmp -s p.test.en q.test.en || echo $s; done > seeds
that -s seeds; say $? 'another seed gives other parts'

runs $align -q --to stream --no-pg --dev 20 --test 30 -s 7 --part test en.deb de.deb > test.heed &&
    heed-show -f src test.heed 2> /dev/null | equals - p.test.en
say $? 'a stream of one part has the same sentences'
heed-show test.heed | head -n 1 | matches '"src.language":"en","tgt.language":"de"'
say $? '... and says their languages, as other programs read them'
echo '<div id="box"><p id="1">In.</p></div><p id="2">Out.</p>' | page sv a.html; package sv
echo '<div id="box"><p id="1">Inde.</p></div><p id="2">Ude.</p>' | page da a.html; package da
runs corpus-align -q -l sv -l da --area box --dev 0 --test 0 -o area sv.deb da.deb &&
    that "$(cat area.train.sv area.train.da | paste -s -d ' ' -)" = 'In. Inde.'
say $? '--area selects another element'

exits 3 'a package given twice has no translations' "$align -o twice en.deb en.deb"
matches 'no sentence pairs: of [1-9][0-9]* texts in common, [1-9][0-9]* are equal' err && that ! -e twice.train.en
say $? '... and leaves no files'
exits 2 'one language is a usage error' 'corpus-align -l en -o x en.deb de.deb'
for l in EN 'e n' '' 'en
x' en-; do
	fails 2 "... and so is language '$l'" ", expected a code such as de or pt-br" "corpus-align -l '$l' -l de -o x en.deb de.deb"
done
fails 2 'one page as development and test data, too' 'page many/1.html is development and test data' "$align --dev-page many/1.html --test-page many/1.html -o x en.deb de.deb"
exits 2 'one package is a usage error' "$align -o x en.deb"
exits 2 'no output is a usage error' "$align en.deb de.deb"
exits 2 '--stats in a file of -o is a usage error' "$align -o x --stats ./x.train.de en.deb de.deb"
exits 4 'a missing package is a system error' "$align -o x nope.deb de.deb"
echo 'no archive' > no.deb
exits 3 'a file that is not an archive is an error' "$align -o x no.deb de.deb"
exits 4 '--stats in a missing folder is a system error' "$align -q -o s --stats none/s en.deb de.deb"
that "$(echo s.*)" = 's.*'; say $? 'and found before any file is written'
ar rc empty.deb debian-binary control.tar.gz
exits 3 'a package without data is an error' "$align -o x empty.deb de.deb"
mkdir other && mkdir -p other/usr/text && echo '<p id=DisplayArea>' > other/usr/text/o.html && package other
exits 3 'packages without common text are an error' "$align -o x en.deb other.deb"
size=$(wc -c < de.deb) bad=0
for k in 10 100 300 $((size / 2)) $((size - 5)); do
	head -c "$k" de.deb > cut.deb
	ends 3 $align -q -o x en.deb cut.deb 2> err || bad="cut at $k"
done
that "$bad" = 0; say $? 'a truncated package is an error'
that -z "$(ls x.* 2> /dev/null)"; say $? '... and leaves no files'
head -c 1200000 /dev/zero | tr '\0' 'a' > other/usr/text/o.html && package other
exits 3 'a page over the limit is an error' "$align --max-page 1 -o x other.deb de.deb"
printf '<div id=DisplayArea><p id=1>\377' > other/usr/text/o.html && package other
exits 3 'a page that is not UTF-8 is an error' "$align -o x other.deb de.deb"
matches 'other.deb: o.html: byte 29 is not UTF-8' err; say $? '... that names package, page and byte'
exits 4 'a missing folder is a system error' "$align -o no/x en.deb de.deb"
(trap '' XFSZ; ulimit -f 0; $align -q -o full en.deb de.deb 2>&1) | cat > err
matches 'cannot write full\.[a-z]*\.[a-z]*: File too large' err; say $? 'the message names a file that is not written completely'; sed 's/^/# /' err

printf '%s\n' 'Package: foo' 'Description-md5: 1' 'Description-en: A title' ' One line' ' continues.' ' .' '  * an item' \
    '    of two lines' ' .' ' Last.' '' 'Package: bar' 'Description-md5: 2' 'Description-en: T' ' a' ' .' ' b' \
    '' 'Package: baz' 'Description-md5: 3' 'Description-en: This or' ' that' ' .' '  o one' > Translation-en
printf '%s\n' 'Package: foo' 'Description-md5: 1' 'Description-de: Ein Titel' ' Eine Zeile geht weiter.' ' .' '  - ein Punkt' ' .' \
    ' Ende.' '' 'Package: bar' 'Description-md5: 2' 'Description-de: U' ' c' \
    '' 'Package: baz' 'Description-md5: 3' 'Description-de: Esto' ' eso' ' o aquello' ' .' '  o uno' > Translation-de
exits 0 'descriptions of packages are aligned' "$align -q --descriptions --dev 0 --test 0 -o d Translation-en Translation-de"
cat > want.d <<'END'
A title	Ein Titel
One line continues.	Eine Zeile geht weiter.
an item of two lines	ein Punkt
Last.	Ende.
This or	Esto
that	eso o aquello
one	uno
END
paste d.train.en d.train.de > got.d; equals want.d got.d
say $? '... if they have the same number of paragraphs'
gzip -k Translation-en
runs $align -q --descriptions --dev 0 --test 0 -o z Translation-en.gz Translation-de && equals d.train.de z.train.de
say $? '... also if they are compressed'
printf 'Package: a\nno field here\n' > bad
exits 3 'a line that is not a field is an error' "$align --descriptions -o x bad Translation-de"
matches "bad: line 2: 'no field here', expected a field and a colon" err; say $? '... that names file and line'
printf ' continues\n' > bad
exits 3 'a continuation line at the start is an error' "$align --descriptions -o x Translation-en bad"

# man FOLDER NAME: writes a compressed manual page from standard input into the tree of a package
man() { mkdir -p "$1/usr/share/man/$(dirname "$2")"; gzip -c > "$1/usr/share/man/$2.gz"; }
man mane man1/x.1 <<'END'
.TH X 1 2020
.SH NAME
x \- do it
.SH SYNOPSIS
.B x
.RI [ file ]
.SH DESCRIPTION
One sentence.
Another
.BR one .
.TP
.BR \-a ", " \-\-all
All of them (see
.BR y (1)).
.nf
not this
.fi
.PP
GNU General Public License
.PP
.BR y (1),
.BR z (1)
.PP
Yes.
END
man mant de/man1/x.1 <<'END'
.\" made with po4a
.TH X 1 2020
.SH BEZEICHNUNG
x \- tut es
.SH ÜBERSICHT
\fBx\fP [\fIDatei\fP]
.SH BESCHREIBUNG
Ein Satz. Noch \fBeiner\fP\&.
.TP 
\fB\-a\fP, \fB\-\-all\fP
Sie alle (siehe \fBy\fP(1)).
.nf
nicht dies
.fi
.PP
GNU General Public License
.PP
\fBy\fP(1), \fBz\fP(1)
.PP
Diese lange Antwort hat mit der Frage von oben offensichtlich überhaupt nichts mehr zu tun.
.SH ÜBERSETZUNG
Von einem Menschen.
END
cat > want.man <<'END'
NAME	BEZEICHNUNG
x - do it	x - tut es
SYNOPSIS	ÜBERSICHT
DESCRIPTION	BESCHREIBUNG
One sentence.	Ein Satz.
Another one.	Noch einer.
All of them (see y(1)).	Sie alle (siehe y(1)).
END
# A page with an additional paragraph between two that have options, and a page in one language only.
printf '%s\n' '.SH A' 'Use --one.' '.PP' 'New.' '.PP' 'Then --two.' '.PP' 'Last.' | man mane man5/other.5
printf '%s\n' '.SH B' 'Nimm --one.' '.PP' 'Dann --two.' '.PP' 'Schluss.' | man mant de/man5/other.5
printf '%s\n' '.SH C' 'nichts' | man mant de/man5/alone.5
printf '%s\n' '.SH C' 'rien' | man mant fr/man1/x.1
printf '.so man1/x.1\n' | man mane man1/link.1
printf '.so man1/x.1\n' | man mant de/man1/link.1
printf '.SH N\nCaf\351\n' | man mane man1/latin.1
printf '%s\n' '.SH A' '.PP' 'A one.' '.PP' 'Two.' | man mane man1/differ.1
printf '%s\n' '.SH A' '.PP' 'Eins.' | man mant de/man1/differ.1
printf '%s\n' '.SH D' 'nada' | man mant pt_BR/man1/x.1
package mane; package mant
exits 0 'manual pages are aligned' "$align --manpages --dev 0 --test 0 --stats man.stats -o m mane.deb mant.deb"
sed -n 2p err | matches -x 'en-de: pages: 1 without original, 1 partly aligned, 1 not aligned, 1 not UTF-8; paragraphs: 4 without translation, 1 of too different length'
say $? '... and the summary has what was skipped, and why'
cat >> want.man <<'END'
A	B
Use --one.	Nimm --one.
Then --two.	Dann --two.
Last.	Schluss.
END
paste m.train.en m.train.de | sort > got.man; sort want.man | equals - got.man
say $? '... headings and sentences of paragraphs, without code, options, lists of pages and equal text'
bad=0
while read -r name count; do
	matches -x "$name	$count" man.stats || bad=1
done <<'END'
pages.source 3
pages.target 4
pages.alone 1
pages.same 1
pages.partly 1
pages.apart 1
pages.not-utf8 1
uneven 1
untranslated 1
END
that $bad = 0; say $? '... and --stats writes the counts'
runs $align -q --manpages --dev 0 --test 0 -o n mant.deb mane.deb && cat n.* | equals - "$(cat m.* > m.all; echo m.all)"
say $? 'packages can be given in any order'
mkdir both && cp -r mane/. mant/. both && package both
runs $align -q --manpages --dev 0 --test 0 -o n both.deb && cat n.* | equals - m.all; say $? '... or as one package'
exits 0 'a language with a region is accepted' 'corpus-align --manpages -l fr -l pt-br -o n both.deb'
that "$(cat n.train.pt-br)" = "$(printf 'D\nnada')"; say $? '... and has the pages of its folder'
corpus-align -q --manpages -l fr -l pt-br --to stream both.deb | heed-show -H | matches '"tgt.language":"pt"'; say $? '... its language in a stream, too'
exits 3 'a language without pages is an error' 'corpus-align --manpages -l en -l es -o n both.deb'
matches 'no manual page in es in the package' err; say $? '... that names the language'
exits 2 'both --manpages and --descriptions are a usage error' "$align --manpages --descriptions -o n both.deb both.deb"
exits 2 '... and so is --area with either' "$align --descriptions --area box -o n both.deb both.deb"
exits 2 'no package is a usage error' "$align --manpages -o n"
$align -q --manpages --to stream --no-pg both.deb | heed-show -f x.place 2> /dev/null | matches -x 'man1/x.1:1'
say $? 'a stream has the page of each sentence'
printf '.TH X\n' > big && head -c 1200000 /dev/zero | tr '\0' 'a' >> big && man mane man1/x.1 < big && package mane
exits 3 'a page over the limit is an error' "$align --manpages --max-page 1 -o x mane.deb mant.deb"
matches '^corpus-align: mane.deb: man1/x.1 has more than 1048576 bytes' err; say $? '... that names package and page'

# heed's manual pages, "translated" by doubling the letter e: all sentences are in mandoc's output.
if command -v mandoc > /dev/null; then
	rm -rf mane mant; : > plain
	for page in "$HEED_TOP"/man/*.[1357]; do
		name=man${page##*.}/${page##*/}
		man mane "$name" < "$page"
		sed '/^[.]/!s/e/ee/g' "$page" | man mant "de/$name"
		mandoc -T utf8 -O width=900 "$page" | sed 's/.\x08//g' | sed 's/[^[:alnum:]]\{1,\}/ /g' | tr '\n' ' ' | tr -s ' ' >> plain
	done
	package mane; package mant
	$align -q --manpages -o own mane.deb mant.deb
	cat own.*.en | sed 's/[^[:alnum:]]\{1,\}/ /g; s/^ //; s/ $//' > sentences
	runs perl -CSD -e 'open P, "<:utf8", "plain"; $p = <P>; open S, "<:utf8", "sentences"; $bad = 0; while (<S>) { chomp; $n++; print "# $_\n", $bad++ if index($p, $_) < 0 }
		print "# $n sentences, $bad not there\n"; exit($bad > 0 || $n < 1000)'
	say $? 'the sentences are those that mandoc prints'
else
	n=$((n + 1)); echo "ok $n - the sentences are those that mandoc prints # SKIP no mandoc"
fi
