#!/bin/sh
# README.md is what heed.7 renders to, and names every program there is.
. "$HEED_TOP/tests/lib.sh"
plan 2

if command -v mandoc > /dev/null; then
	mandoc -T markdown "$HEED_TOP/man/heed.7" | awk -f "$HEED_TOP/man/readme.awk" > fresh.md
	cmp -s fresh.md "$HEED_TOP/README.md"
	say $? 'README.md is made from heed.7 (make README.md)'
else
	echo 'ok 1 - README.md is made from heed.7 # SKIP no mandoc'; n=1
fi
missing=
for f in "$HEED_TOP"/src/*.c "$HEED_TOP"/src/*.sh; do
	p=$(basename "$f"); p=${p%.*}
	grep -q "^\.It.*Xr $p 1" "$HEED_TOP/man/heed.7" || missing="$missing $p"
done
[ -z "$missing" ]; say $? "every program is listed${missing:+, but not$missing}"
