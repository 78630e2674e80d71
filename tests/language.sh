#!/bin/sh
# language.sh [FILE...]: the words that the project does not use, in these files or in all that git knows.
top=$(dirname "$0")/..
[ $# -gt 0 ] || { cd "$top" && set -- $(git ls-files '*.[ch]' '*.[1357]' '*.sh' '*.mk' '*.t' '*.pl' '*.awk' '*.md' '*.css' '*.js' Makefile src/papers src/profiles); top=.; }
exec perl "$top/tests/language.pl" "$@"
