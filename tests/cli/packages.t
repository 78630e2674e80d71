#!/bin/sh
# common/packages.sh: what it installs, and how to opt out.  The package manager is a fake: it has gcc
# and make alone, and writes down what it is told to install.
. "$HEED_TOP/tests/lib.sh"
plan 10

mkdir path
cat > path/dpkg-query <<'END'
#!/bin/sh
for p; do :; done
case " gcc make $(cat have 2> /dev/null) " in *" $p "*) echo 'install ok installed' ;; *) exit 1 ;; esac
END
cat > path/apt-get <<'END'
#!/bin/sh
echo "$@" >> asked
END
printf '#!/bin/sh\ncat who\n' > path/id
printf '#!/bin/sh\nshift\n[ -e sudo ] && { [ "$1" = true ] || "$@"; }\n' > path/sudo
chmod 755 path/*
packages() { PATH="$scratch/path:$PATH" sh "$HEED_TOP/common/packages.sh" "$@" > out 2> err; }

echo 0 > who
packages build; say $? 'as root it installs'
grep -q '^install .* libxml2-dev' asked && ! grep -qw gcc asked; say $? '... what is missing'
rm asked; HEED_NO_INSTALL=1 packages build; [ $? = 1 ] && [ ! -e asked ]; say $? '... but nothing with HEED_NO_INSTALL=1'
grep -q 'HEED_NO_INSTALL is set; please run: sudo apt-get install .*libxml2-dev' err; say $? '... and says what to run'
HEED_NO_INSTALL= packages build && [ -e asked ]; say $? '... as if it were not there when it is empty'
echo 1000 > who; rm -f asked
packages build; [ $? = 1 ] && [ ! -e asked ] && grep -q 'please run: sudo apt-get install' err; say $? 'no user installs'
: > sudo; packages build && [ -e asked ]; say $? '... but one with passwordless sudo'
rm asked; HEED_NO_INSTALL=1 packages build; [ $? = 1 ] && [ ! -e asked ]; say $? '... and again not with HEED_NO_INSTALL=1'
echo libc6-dev pkg-config libopenblas-dev libarchive-dev libmsgpack-dev libxml2-dev > have
HEED_NO_INSTALL=1 packages build && [ ! -s err ]; say $? 'with all packages it is content, and silent'
packages test; grep -qw cmark asked; say $? 'the tests want cmark'
