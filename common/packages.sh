#!/bin/sh
# packages.sh build|test|mpi|mpich: installs missing Debian packages, as root or with passwordless
# sudo.  Otherwise, and if HEED_NO_INSTALL is set and not empty, it prints the command that installs
# them and fails.  On another system it names the libraries that are needed.
build="gcc make pkg-config libc6-dev libopenblas-dev libarchive-dev libmsgpack-dev libxml2-dev"
test="$build libcmocka-dev mandoc cmark perl zstd bzip2 xz-utils"
mpi="$test libopenmpi-dev openmpi-bin"
mpich="$test libmpich-dev mpich"
# Installed with what is missing, if it can be: everything else works without.
wish="librsvg2-dev libmicrohttpd-dev libsentencepiece-dev g++ libmecab-dev mecab-ipadic-utf8"
[ "${1:-build}" = build ] || wish="$wish python3-scipy"	# the tests compute verdicts with it
case ${1:-build} in
build) want=$build ;;
test) want=$test ;;
mpi) want=$mpi ;;
mpich) want=$mpich ;;
*) echo "usage: packages.sh build|test|mpi|mpich" >&2; exit 2 ;;
esac
if ! command -v dpkg-query > /dev/null 2>&1 || ! command -v apt-get > /dev/null 2>&1; then
	for msgpack in msgpack msgpack-c; do
		pkg-config --exists openblas libarchive $msgpack libxml-2.0 2> /dev/null && exit 0
	done
	echo "heed needs a C compiler, GNU make, pkg-config, and the libraries OpenBLAS, libarchive, msgpack-c (4 or later)" >&2
	echo "and libxml2 with their headers; the tests also cmocka, mandoc, cmark and Perl's prove; WITH_MPI=1 Open MPI, or WITH_MPI=mpich MPICH" >&2
	exit 1
fi
missing=
for p in $want; do
	dpkg-query -W -f '${Status}' "$p" 2> /dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ -n "${HEED_NO_INSTALL-}" ]; then
	echo "packages are missing and HEED_NO_INSTALL is set;" \
		"please run: sudo apt-get install$missing $wish" >&2
	exit 1
elif [ "$(id -u)" = 0 ]; then
	as=
elif sudo -n true 2> /dev/null; then
	as="sudo -n"
else
	echo "packages are missing; please run: sudo apt-get install$missing $wish" >&2
	exit 1
fi
echo "installing:$missing $wish" >&2
install="$as env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends"
$as apt-get update -q > /dev/null && { $install $missing $wish > /dev/null 2>&1 || $install $missing > /dev/null; } ||
{ echo "could not install; please run: sudo apt-get install$missing" >&2; exit 1; }
