#!/bin/sh
# corpus-align --catalogs: message catalogs of gettext, made here, in packages and alone.
. "$HEED_TOP/tests/lib.sh"
plan 39

# mo ORDER FILE: writes a compiled catalog (ORDER: < little-endian, > big-endian) of the messages in standard
# input, ORIGINAL|TRANSLATION a line with the escapes of perl.  The layout is that of the manual of gettext.
mo() {
	mkdir -p "$(dirname "$2")"
	perl -e 'my $o = shift; my %t; while (<STDIN>) { chomp; my ($s, $t) = map { eval qq("$_") } split /\|/, $_, 2; $t{$s} = $t }
		my @s = sort keys %t; my $n = @s; my $at = 28 + 16 * $n; my ($table, $text) = ("", "");
		for (@s, @t{@s}) { $table .= pack "L${o}2", length, $at + length $text; $text .= "$_\0" }
		binmode STDOUT; print pack("L${o}7", 0x950412de, 0, $n, 28, 28 + 8 * $n, 0, 28), $table, $text' "$1" > "$2"
}
header='|Content-Type: text/plain; charset=UTF-8\n'
locale=p/usr/share/games/x/locale
mo '<' $locale/de/LC_MESSAGES/story-a.mo <<END
$header
Attack!|Angriff!
One sentence here. And another one.|Hier ein Satz. Und noch einer.
female^An elvish archer|Eine Elfenschützin
menu\\004Open the old door|Öffne die alte Tür
Open the old door|Tür öffnen
The same words twice|The same words twice
You have \\\$gold gold|Ihr habt \\\$gold Gold
%d unit is here\\0%d units are here|%d Einheit\\0%d Einheiten
A <b>bold</b> word here|Ein <b>fettes</b> Wort
Two\\nlines of a text|Zwei Zeilen
Not yet translated text|
   Too  many   blanks |  Viele   Leerzeichen
Only in German today|Nur auf Deutsch
END
mo '>' $locale/ja/LC_MESSAGES/story-a.mo <<END
$header
One sentence here. And another one.|文が一つ。もう一つ。
female^An elvish archer|エルフの射手
menu\\004Open the old door|古い扉を開けろ
Open the old door|古い扉を開く
The same words twice|同じ言葉を二度
   Too  many   blanks |空白が多すぎる
%d unit is here\\0%d units are here|部隊 %d
END
mo '<' $locale/de/LC_MESSAGES/story-b.mo <<END
$header
$header
Another story is here|Hier ist eine andere Geschichte
open THE old door!|Alte Tür!
END
mo '>' $locale/ja/LC_MESSAGES/story-b.mo <<END
$header
Another story is here|別の物語
open THE old door!|扉！
END
printf 'x' > $locale/de/LC_MESSAGES/readme.txt
tar -C p -cJf p.tar.xz usr

align='corpus-align -l en -l de --catalogs p.tar.xz --dev 0 --test 0'
exits 0 'the catalogs of a package are aligned' "$align -o de --context-mark ^ --min-words 2 --stats stats"
cat > want <<'END'
An elvish archer	Eine Elfenschützin
And another one.	Und noch einer.
Another story is here	Hier ist eine andere Geschichte
One sentence here.	Hier ein Satz.
Only in German today	Nur auf Deutsch
Open the old door	Tür öffnen
Open the old door	Öffne die alte Tür
Too many blanks	Viele Leerzeichen
open THE old door!	Alte Tür!
END
paste de.train.en de.train.de | LC_ALL=C sort | equals want -; say $? '... in sentences, without markup, plural forms and untranslated texts'
bad=0
while read -r name count; do
	matches -x "$name	$count" stats || bad=1
done <<'END'
catalogs 2
translations 14
plural 1
fuzzy 0
markup 3
messages.de 10
joined 10
few 1
untranslated 1
cut 1
train 9
END
that $bad = 0; say $? '... and counted'
matches '^en-de: 2 catalogs with 14 translations; left out: 1 with plural forms, 0 fuzzy, 3 with markup' err
say $? '... also in the summary'
if command -v msgunfmt > /dev/null && command -v msgfmt > /dev/null; then
	found=0
	for f in $locale/de/LC_MESSAGES/*.mo; do found=$((found + $(msgunfmt "$f" | grep -c '^msgstr\(\[0\]\)\{0,1\} '))); done
	that $((found - 3)) = 14; say $? 'msgunfmt counts as many, with headers and an untranslated message'
	msgunfmt $locale/de/LC_MESSAGES/story-a.mo | { mkdir -p story-a; cat > story-a/de.po; }
	corpus-align -q -l en -l de --catalogs story-a/de.po -o po --context-mark ^ --dev 0 --test 0
	corpus-align -q -l en -l de --catalogs $locale/de/LC_MESSAGES/story-a.mo -o mo --context-mark ^ --dev 0 --test 0
	cat mo.* > mo.all; cat po.* | equals mo.all -; say $? '... and its text form has the same sentences'
else
	for i in 1 2; do n=$((n + 1)); echo "ok $n - compared with msgunfmt # SKIP no gettext"; done
fi
that "$(corpus-align -q -l en -l de --catalogs p.tar.xz --to stream --no-pg | heed-show -f x.place | head -n 1)" = story-a:1
say $? 'the place of a sentence has its text domain'

# Several target languages: the same English sentences.
exits 0 'two target languages' "corpus-align -q -l en -l de -l ja --catalogs p.tar.xz --context-mark ^ --dev 0 --test 0 -o all --stats stats"
cat > want <<'END'
An elvish archer	Eine Elfenschützin	エルフの射手
And another one.	Und noch einer.	もう一つ。
Another story is here	Hier ist eine andere Geschichte	別の物語
One sentence here.	Hier ein Satz.	文が一つ。
Open the old door	Tür öffnen	古い扉を開く
Open the old door	Öffne die alte Tür	古い扉を開けろ
Too many blanks	Viele Leerzeichen	空白が多すぎる
open THE old door!	Alte Tür!	扉！
END
paste all.train.en all.train.de all.train.ja | LC_ALL=C sort | equals want -; say $? '... have what all languages have'
matches '^messages.ja	8$' stats && matches '^pages.en	0$' stats; say $? '... with counts for each language'
exits 0 'stories are chosen as test data' "corpus-align -q -l en -l de -l ja --catalogs p.tar.xz --context-mark ^ --dev 0 --test 0 --test-page story-b -o s --stats stats"
that "$(cat s.test.en)" = "$(printf 'Another story is here\nopen THE old door!')"; say $? '... whole'
lacks 'Open the old door' s.train.en && matches '^leaked	2$' stats; say $? '... and their near duplicates are no training data'
exits 0 'and as development data' "$align -q --dev-page story-a -o s" && that "$(cat s.train.en)" = 'Another story is here'; say $? '... by name'
exits 3 'a story that does not exist is an error' "$align --dev-page story-c -o s"
matches "no page 'story-c' for development data" err; say $? '... that names it'
exits 3 'a language without messages is an error' 'corpus-align -l en -l fr --catalogs p.tar.xz -o s'
matches 'no message in fr in the catalogs of the package' err; say $? '... that names the language'
# A check that read after the end of a code refused ja in most runs.
for i in 1 2 3 4 5 6 7 8; do corpus-align -l en -l de -l fr -l ja --catalogs p.tar.xz -o s 2> err; echo $?; done | uniq > found
that "$(cat found)" = 3; say $? '... also of four languages'; sed 's/^/# /' found
exits 2 'two targets in a stream are a usage error' 'corpus-align -l en -l de -l ja --catalogs p.tar.xz --to stream'
exits 2 '--catalogs with --manpages, too' 'corpus-align -l en -l de --catalogs p.tar.xz --manpages -o s p.tar.xz'
exits 2 'a package for only one of the languages, too' 'corpus-align -l en -l de -l ja --catalogs p.tar.xz -o s p.tar.xz p.tar.xz'

# With help pages: one split for both.
for side in en de; do
	mkdir -p $side/text && echo "<div id=\"DisplayArea\"><p id=\"1\">A page of $side</p><p id=\"2\">An elvish archer${side#en}</p></div>" > $side/text/a.html
	tar -C $side -cf $side.tar text
done
exits 0 'catalogs and help pages' "$align --context-mark ^ --test-page a.html -q -o h en.tar de.tar"
that "$(cat h.test.en)" = "$(printf 'A page of en\nAn elvish archer')" && lacks 'elvish archer' h.train.en && matches 'Another story' h.train.en
say $? '... are one corpus, without duplicates across its parts'

# Text form, with everything that may be in it.
mkdir -p src/dom; cat > src/dom/de.po <<'END'
# comment
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\n"

#, fuzzy
msgid "A fuzzy message"
msgstr "Nebel"

#. for translators
#: file.c:12
#, c-format
msgctxt "here"
msgid ""
"A long "
"message with \"quotes\" \x41"
msgstr "Lange Nachricht mit "   "\"Anführung\" \303\244"
#~ msgid "obsolete"
#~ msgstr "veraltet"
msgid "%d file of many" 
msgid_plural "%d files of many"
msgstr[0] "eine"
msgstr[1] "viele"
msgid "The last one"
msgstr "Die letzte"
END
exits 0 'a catalog in text form' 'corpus-align -q -l en -l de --catalogs src/dom/de.po --dev 0 --test 0 -o t --stats stats'
printf 'A long message with "quotes" A\tLange Nachricht mit "Anführung" ä\nThe last one\tDie letzte\n' > want
paste t.train.en t.train.de | equals want -; say $? '... has strings of several lines, escapes and contexts'
matches '^fuzzy	1$' stats && matches '^plural	1$' stats; say $? '... and its fuzzy, plural and obsolete messages are left out'

# The flags before an obsolete message are its own, as msgfmt has it.
mkdir -p src/old; cat > src/old/de.po <<'END'
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#, fuzzy
#~ msgid "Old message"
#~ msgstr "Alt"

msgid "Second message"
msgstr "Zweite Nachricht"

#, fuzzy
#~| msgid "Older message"
#~ msgid "Old one"
#~ msgstr "Alte"
msgid "Third message"
msgstr "Dritte Nachricht"

#~ msgid "Obsolete one"
#~ msgstr "Veraltet"
#, fuzzy
msgid "Fuzzy message"
msgstr "Nebel"
END
exits 0 'messages after obsolete ones' 'corpus-align -q -l en -l de --catalogs src/old/de.po --dev 0 --test 0 -o old --stats stats'
that "$(cat old.train.en)" = "$(printf 'Second message\nThird message')" && matches -x 'fuzzy	1' stats
say $? '... are fuzzy only with a flag after the obsolete message'

# A message with two translations: the first one counts.
mkdir -p src/two; printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n' > src/two/de.po
printf 'msgid "%s"\nmsgstr "%s"\n' 'Open the door' 'Tür auf' 'The last one' 'Die letzte' 'Open the door' 'Öffne die Tür' >> src/two/de.po
exits 0 'a message with two translations' 'corpus-align -l en -l de --catalogs src/two/de.po --dev 0 --test 0 -o two --stats stats'
that "$(cat two.train.de)" = "$(printf 'Tür auf\nDie letzte')" && matches -x 'duplicate	1' stats && matches -x 'messages.de	2' stats && matches ', 1 duplicates$' err
say $? '... has the first one, and the other is counted'
exits 2 '--area without help pages is a usage error' 'corpus-align -l en -l de --area x --catalogs src/two/de.po -o two'

# Damage; the fuzz targets try all other damage.
refused() { mkdir -p bad/de/LC_MESSAGES; exits 3 "$1" "corpus-align -l en -l de --catalogs bad/$2 -o s"; matches -e "$3" err; say $? '... that says so'; }
head -c 60 $locale/de/LC_MESSAGES/story-a.mo > cut; mkdir -p bad/de/LC_MESSAGES && mv cut bad/de/LC_MESSAGES/x.mo
refused 'a truncated catalog is an error' de/LC_MESSAGES/x.mo 'bad/de/LC_MESSAGES/x.mo: a table of 14 messages at offset 28, expected one in a file of 60 bytes'
printf '|Content-Type: text/plain; charset=ISO-8859-1\\n\n' | mo '<' bad/de/LC_MESSAGES/x.mo
refused 'another charset is an error' de/LC_MESSAGES/x.mo 'x.mo: charset ISO-8859-1, expected UTF-8'
printf 'msgid "a"\nmsgid "b"\n' > bad/de.po
refused 'a damaged text form is an error' de.po 'bad/de.po: line 2: out of order, expected msgctxt, msgid, msgid_plural and msgstr'
