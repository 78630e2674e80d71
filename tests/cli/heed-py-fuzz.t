#!/bin/sh
# heed-py-fuzz: heed.py and the programs agree on mutated streams and models; 10,000 with HEED_LONG.
. "$HEED_TOP/tests/lib.sh"

mkdir path
[ -x /usr/bin/python3 ] && ln -s /usr/bin/python3 path/python3
PATH=$scratch/path:$PATH
export PYTHONDONTWRITEBYTECODE=1
if ! python3 -c 'import sys; exit(sys.version_info < (3, 9))' 2> /dev/null; then
	echo '1..0 # SKIP no Python 3.9'
	exit 0
fi
runs python3 -W error "$HEED_TOP/tests/fuzz/heed-py.py" "$([ "$HEED_LONG" ] && echo 10000 || echo 500)" > out 2> err
say $? 'mutated streams and models'; sed 's/^/# /' out
plan $n
