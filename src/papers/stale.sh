#!/bin/sh
# stale.sh: reads the commands of a dry run of the target data, and warns of checksums that it would make
# again: with them, a plan compares the ledger with data of other texts, settings or commands.
grep -o 'papers/place[.]sh [^ ;]*/sums;' | sed 's/.* //; s/;$//' | while read -r sums; do
	[ ! -e "$sums" ] || echo "${sums%/sums}"
done | awk '
	{ n++; if (n == 1) first = $0 }
	END { if (n) printf "plan: warning: prepared data is out of date, which the plan compares with the ledger: %s%s; " \
	    "first: prepare TARGET\n", first, (n > 1 ? " and " n - 1 " more" : "") }'
