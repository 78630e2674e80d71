#!/bin/sh
# common/packages.sh: which packages it installs, and how to opt out.  The package manager is a fake
# with only gcc and make installed; it records the requested packages.
. "$HEED_TOP/tests/lib.sh"
plan 12
unset HEED_NO_INSTALL

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
runs packages build; say $? 'root installs packages'
matches '^install .* libxml2-dev' asked && lacks -w 'gcc\|python3-scipy' asked; say $? '... but only missing ones'
rm asked; HEED_NO_INSTALL=1 packages build; that $? = 1 && that ! -e asked; say $? '... and none with HEED_NO_INSTALL=1'
matches 'HEED_NO_INSTALL is set; please run: sudo apt-get install .*libxml2-dev' err; say $? '... but prints the command'
(export HEED_NO_INSTALL=; runs packages build) && that -e asked; say $? 'an empty HEED_NO_INSTALL has no effect'
echo 1000 > who; rm -f asked
packages build; that $? = 1 && that ! -e asked && matches 'please run: sudo apt-get install' err; say $? 'a user without sudo installs nothing'
: > sudo; runs packages build && that -e asked; say $? '... one with passwordless sudo does'
rm asked; HEED_NO_INSTALL=1 packages build; that $? = 1 && that ! -e asked; say $? '... but not with HEED_NO_INSTALL=1'
echo libc6-dev pkg-config libopenblas-dev libarchive-dev libmsgpack-dev libxml2-dev > have
(export HEED_NO_INSTALL=1; runs packages build) && that ! -s err; say $? 'with all packages installed it succeeds silently'
runs packages test && matches -w cmark asked && matches -w python3-scipy asked
say $? 'the tests need cmark, and SciPy if there is one'

# msgpack-c 4 is named msgpack, and msgpack-c 6 msgpack-c.  This pkg-config knows what the file known has.
cat > path/pkg-config <<END
#!/bin/sh
for p; do case \$p in --*) ;; *) grep -qx -- "\$p" "$scratch/known" || exit 1 ;; esac; done
END
chmod 755 path/pkg-config
libraries() { PATH="$scratch/path:$PATH" make --no-print-directory -C "$HEED_TOP" libraries; }
for name in msgpack msgpack-c ''; do
	printf '%s\n' openblas libarchive libxml-2.0 $name > known
	libraries 2> err || echo "without ${name:-both}: $(cat err)"
done > out
that "$(grep -c without out)" = 1; say $? 'msgpack-c has two names'
matches '^without both: missing Debian packages: libmsgpack-dev' out; say $? '... and is missing without both'
