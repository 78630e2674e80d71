#!/bin/sh
# language: no page, comment, message or name has a word that language.tsv replaces.
. "$HEED_TOP/tests/lib.sh"
plan 9

find_words() { perl "$HEED_TOP/tests/language.pl" "$@"; }

# Each kind of file, with a word in each of its parts.
cat > plain.c <<'END'
/*
 * The mean of what a head brings
 * home; "behind" is in a string.
 */
static const char *text = "the model is learnt";
static int layers_behind, most_rows;
END
find_words plain.c > found; r=$?
that $r = 1; say $? 'a file with words fails'
matches "^plain.c:2: 'brings" found; say $? 'a phrase across the lines of a comment, with its line'
matches "^plain.c:5: 'learnt'" found; say $? 'a string'
matches "'_behind'" found && matches "'most_rows'" found; say $? 'names'
printf '%s\n' '.Sh DESCRIPTION' 'The head that' 'is left' 'is' '.Fl -behind .' 'It' '.Em stands in' 'the list.' > page.1
find_words page.1 > found
matches 'is left' found && matches 'stands' found; say $? 'a page, across its lines'
lacks 'behind' found; say $? '... but not the name of an option'
printf 'int after;\t/* plain words */\n' > good.c
runs find_words good.c; say $? 'a file without such words'
find_words 2> /dev/null && r=0 || r=$?
that $r -gt 1; say $? 'no files is an error'
if [ -z "$(git -C "$HEED_TOP" ls-files Makefile 2> /dev/null)" ]; then
	say 0 '# SKIP the tree is not in git'
	exit
fi
sh "$HEED_TOP/tests/language.sh" > found; r=$?
say $r 'the whole tree'; that $r = 0 || sed 's/^/# /' found
