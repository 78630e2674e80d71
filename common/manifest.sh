#!/bin/sh
# manifest.sh PROGRAM...: prints the files that "make install" installs (install.mk): options of
# install(1), or link; the file; and its place.
set -eu
tab=$(printf '\t')

# put HOW FOLDER FILE...
put() {
	how=$1 to=$2
	shift 2
	for file; do printf '%s\n' "$how$tab$file$tab$to/${file##*/}"; done
}
# place HOW FILE PLACE
place() { printf '%s\n' "$1$tab$2$tab$3"; }

for program; do
	case $program in
	"$S"/*) put '-s -m 755' "$BINDIR" "$program" ;;
	*) put '-m 755' "$BINDIR" "$program" ;;
	esac
done

put '-s -m 644' "$LIBDIR" "$S/$SO"
place link "$SO" "$LIBDIR/libheed.so"
put '-m 644' "$LIBDIR/pkgconfig" "$S/heed.pc"
while read -r header; do
	name=${header#common/} name=${name#"$B"/}
	place '-m 644' "$header" "$INCLUDEDIR/heed/$name"
done < "$S/headers"

for page in man/*.[0-9]; do put '-m 644' "$MANDIR/man${page##*.}" "$page"; done

bash=$DATADIR/bash-completion/completions
put '-m 644' "$bash" "$S/completions/heed"
for program; do
	name=${program##*/}
	[ "$name" = heed ] || place link heed "$bash/$name"
done
put '-m 644' "$DATADIR/zsh/site-functions" "$S/completions/_heed"

[ ! -e src/heed.py ] || put '-m 644' "$DATADIR/heed" src/heed.py
# pipeline.mk finds its files as in the source tree.
for file in pipeline.mk src/*.mk src/stages.in src/forms.conf src/defaults.conf src/papers.keys src/papers/* src/profiles/* \
    common/model/engine.h common/parser/models/*.parser common/parser/models/*.pcfg; do
	[ -e "$file" ] || continue
	how='-m 644'
	[ "$(head -c 2 "$file" | tr -d '\0')" != '#!' ] || how='-m 755'
	place "$how" "$file" "$DATADIR/heed/$file"
done
