#!/bin/sh
# heed: the list of programs, and pages by name.
. "$HEED_TOP/tests/lib.sh"

if [ "${HEED_MODE:-release}" != release ]; then
	echo "1..0 # SKIP the script finds the pages beside bin and beside an installation only"
	exit
fi

runs heed > list; say $? 'heed lists the programs'
bad=
for program in "$(dirname "$(command -v heed-show)")"/*; do
	grep -qE "(^|[ ,])$(basename "$program")([ ,]|$)" list || bad="$bad $(basename "$program")"
done
that -z "$bad"; say $? "... every one of them${bad:+, but not$bad}"
that "$(grep -c '^[A-Z]' list)" -gt 5; say $? '... under a heading for each task'
awk 'length($0) > 100' list > long; that ! -s long; say $? '... in lines of at most 100 columns'
heed help > again; equals list again; say $? 'heed help lists them, too'

# A man(1) of our own prints which file it is asked for.
mkdir own; printf '#!/bin/sh\necho "man $1"\n' > own/man; chmod 755 own/man
for page in head-lrp.1 heed.7 attention.3 heed-stream.5; do
	got=$(PATH=$PWD/own:$PATH heed help "${page%.*}")
	that "$(readlink -f "${got#man }")" = "$(readlink -f "$HEED_TOP/man/$page")"
	say $? "heed help ${page%.*} opens its page"
done
got=$(PATH=$PWD/own:$PATH heed help tutorial)
that "$(readlink -f "${got#man }")" = "$(readlink -f "$HEED_TOP/man/heed-tutorial.7")"; say $? 'the prefix heed- may be omitted'
here=$(dirname "$(command -v heed)")
mkdir -p prefix/bin prefix/share/man/man1; cp "$here/heed" prefix/bin; echo page > prefix/share/man/man1/tool.1
got=$(PATH=$PWD/own:$PATH prefix/bin/heed help tool)
echo "$got" | matches '/prefix/bin/[.][.]/share/man/man1/tool[.]1$'; say $? '... where it is installed'
exits 2 'an unknown page' 'heed help no-such-page'
matches "no manual page for 'no-such-page'" err; say $? '... is named'
exits 2 'a path is no page' 'heed help ../man/heed'
exits 2 'an unknown command' 'heed frobnicate'
matches -x 'heed: hint: heed lists programs and pages' err; say $? '... the hint is the list'
exits 2 'a part of the names of programs' 'heed train'
matches -x 'heed: hint: programs are commands of their own: parse-train nmt-train' err || matches -x 'heed: hint: programs are commands of their own: nmt-train parse-train' err
say $? '... the hint lists them'
exits 2 'a page as a command' 'heed tutorial'
matches -x 'heed: hint: did you mean heed help tutorial?' err; say $? '... the hint is the command that opens it'
exits 2 'two pages' 'heed help bleu parse'
mkdir few; for tool in sh readlink dirname cat; do ln -s "$(command -v $tool)" few/$tool; done
exits 4 'no program shows pages' "PATH=$PWD/few $here/heed help bleu"
matches 'expected man or mandoc' err; say $? '... says so'
that ! -e /dev/full || { exits 4 'a full disk' 'heed > /dev/full'; matches 'cannot write' err; say $? '... says so'; }
# The reader goes after the first line; the list of programs, which cat prints, comes later.
mkdir slow; printf '#!/bin/sh\nsleep 0.3\nexec "%s"\n' "$(command -v cat)" > slow/cat; chmod +x slow/cat
PATH=$PWD/slow:$PATH heed 2> err | head -n 1 | matches ^usage && that ! -s err; say $? 'a reader that has gone is no error'
plan $n
