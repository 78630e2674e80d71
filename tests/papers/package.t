#!/bin/sh
# package: builds the Debian packages from the files that git knows, checks them with lintian, and uses
# them unpacked.  With HEED_LONG=1 and debhelper.
. "$HEED_TOP/tests/lib.sh"

skip() { echo "1..0 # SKIP $*"; exit; }
[ -n "${HEED_LONG-}" ] || skip 'HEED_LONG is not set'
for tool in dpkg-buildpackage dh git; do command -v $tool > /dev/null || skip "$tool is not installed"; done
plan 9

mkdir heed stage
(cd "$HEED_TOP" && git ls-files | tar cf - -T -) | tar xf - -C heed
cd heed || exit 1
DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b -d > ../log 2>&1; r=$?
cd ..
say $r 'the packages are built'; [ $r = 0 ] || { tail -n 20 log | sed 's/^/# /'; exit 1; }
version=$(cat "$HEED_TOP/VERSION")
for p in heed heed-pipeline heed-data python3-heed libheed0 libheed-dev; do ls "${p}_${version}_"*.deb; done > debs; that "$(wc -l < debs)" = 6; say $? 'there are six of them'
if command -v lintian > /dev/null; then
	lintian -EviI --pedantic heed_*.changes > lint 2>&1
	grep '^[EW]: ' lint > found; that ! -s found; say $? 'lintian finds no errors and no warnings'; sed 's/^/# /' found
else
	say 0 '# SKIP no lintian'
fi
while read -r deb; do dpkg-deb -c "$deb" | awk '$1 !~ /^d/ { print $6 }'; dpkg-deb -x "$deb" stage; done < debs | sort > files
that -z "$(uniq -d files)"; say $? 'no file is in two packages'
PATH=$PWD/stage/usr/bin:/usr/bin:/bin LD_LIBRARY_PATH=$(echo "$PWD"/stage/usr/lib/*-*-*)
export PATH LD_LIBRARY_PATH
du -cb stage/usr/bin stage/usr/lib | tail -n 1 > size; that "$(cut -f 1 size)" -lt 15000000; say $? "programs and library have less than 15 MB: $(cut -f 1 size)"
echo 'the dog runs' | parse -q --tokens --to conllu | matches nsubj; say $? 'parse finds its parser'
mkdir corpus empty; for f in train dev test; do echo a b c > corpus/$f.en; echo a b c > corpus/$f.de; done
(cd empty; runs heed-pipeline --dry-run demo PROFILE=smoke DATA=../corpus > ../out 2> ../err); say $? 'heed-pipeline runs in an empty folder'
that -z "$(ls -A empty)" && lacks 'make.* all$' out; say $? '... compiles and writes nothing'
AUTOPKGTEST_TMP=$PWD/empty HEED_NO_INSTALL=1 sh heed/debian/tests/smoke > out 2>&1; r=$?
say $r 'the smoke test of the packages'; [ $r = 0 ] || tail -n 5 out | sed 's/^/# /'
