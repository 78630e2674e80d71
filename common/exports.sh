#!/bin/sh
# exports.sh VERSION SOVERSION LIBRARY API OBJECT...: prints the version script of the shared library.
# LIBRARY is the archive of its objects, API a file of C without comments, and each OBJECT a part of an
# installed program.  Functions and data of the library that API names are exported as HEED_SOVERSION;
# those that only the programs use, as HEED_PRIVATE_VERSION, so that programs of another version are
# refused when they start.  All others are local.
set -eu
version=$1 soversion=$2 library=$3 api=$4
shift 4
{
	nm -g --defined-only "$library" 2> /dev/null | awk 'NF == 3 { print "defined", $3 }'
	tr -cs 'A-Za-z0-9_' '\n' < "$api" | sed 's/^/api /'
	nm -u "$@" | awk 'NF == 2 { print "used", $2 }'
	nm -g --defined-only "$@" | awk 'NF == 3 { print "used", $3 }'
} | sort -u | awk -v version="$version" -v soversion="$soversion" '
	$1 == "api" { api[$2] = 1; next }
	$1 == "defined" { defined[$2] = 1; if ($2 in api) public[++n] = $2; next }
	$2 in defined && !($2 in api) { private[++m] = $2 }
	function node(name, list, count, others,   i) {
		print name " {\nglobal:"
		for (i = 1; i <= count; i++) print "\t" list[i] ";"
		print others "};"
	}
	END {
		node("HEED_" soversion, public, n, "")
		node("HEED_PRIVATE_" version, private, m, "local:\n\t*;\n")
	}'
