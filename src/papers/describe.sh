#!/bin/sh
# describe.sh [TOP/]: prints the commit of the source tree in TOP, with -dirty if a file has changed since,
# or if git has a source file neither in it nor in .gitignore: the commit lacks that file.  Fails without
# a commit, or if the repository is that of a folder around TOP.
cd "${1:-.}" || exit
[ -z "$(git rev-parse --show-prefix 2>&1)" ] || exit 1
commit=$(git describe --always --dirty 2> /dev/null) || exit
new=$(git ls-files --others --exclude-standard -x __pycache__ --directory --no-empty-directory -- \
    common src Makefile pipeline.mk | head -n 1)
case $commit in
*-dirty) ;;
*) commit=$commit${new:+-dirty} ;;
esac
echo "$commit"
