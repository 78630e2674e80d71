#!/bin/sh
# corpus-fetch: with a fake apt-get, without network access.
. "$HEED_TOP/tests/lib.sh"
plan 42

mkdir fake
cat > fake/apt-get <<'END'
#!/bin/sh
# download PACKAGE into the current folder, as named by apt
while [ "$1" = -o ]; do shift 2; done
[ "$1" = update ] && { echo "E: no network" >&2; exit 100; }
for p; do :; done
case " $* " in *" --print-uris "*)
	echo "'http://localhost/$p.deb' ${p}_4%3a7.4-1_all.deb $((9 + ${#p})) SHA256:$(echo "package $p" | sha256sum | cut -c 1-64)"
	exit ;;
esac
echo "$p" >> "$LOG"
case $p in short) echo pack > "${p}_1_all.deb"; exit ;; other) echo "packAge $p" > "${p}_1_all.deb"; exit ;; esac
[ $p != partial ] || echo "package $p" > "${p}_1_all.deb"
case $p in broken | partial) echo "E: mirror is down" >&2; exit 100 ;; esac
echo "package $p" > "${p}_4%3a7.4-1_all.deb"
END
cat > fake/apt-cache <<'END'
#!/bin/sh
while [ "$1" = -o ]; do shift 2; done
case $2 in
unknown | manpages-ro-dev | thinkfan | manpages-xx) exit 100 ;;
wesnoth) echo 'Depends: wesnoth-1.16 (>= 1:1.16.9-1), wesnoth-1.16-data (= 1:1.16.9-1)' ;;
wesnoth-1.16) echo 'Depends: wesnoth-1.16-core (>= 1:1.16.9-1), wesnoth-1.16-core (<< 1:1.16.9-1.~), wesnoth-1.16-data (= 1:1.16.9-1), wesnoth-1.16-ei (= 1) | wesnoth-x, libc6' ;;
esac
END
cat > fake/dpkg-deb <<'END'
#!/bin/sh
case $2 in *-de.deb) echo "${DE:-1.0}" ;; *) echo 1.0 ;; esac
END
chmod +x fake/*
PATH=$PWD/fake:$PATH LOG=$PWD/log
export PATH LOG

exits 0 'two packages are downloaded' 'corpus-fetch -o d/e one two'
printf 'd/e/one.deb\nd/e/two.deb\n' | equals - out; say $? '... and their paths are printed'
that "$(cat d/e/one.deb)" = 'package one' && that "$(ls -A d/e | wc -l)" = 2; say $? '... and no other files are left'
exits 0 'an existing file is kept' 'corpus-fetch -q -o d/e two three'
that "$(tr '\n' ' ' < log)" = 'one two three ' && that ! -s err; say $? '... and not downloaded again; -q is quiet'
exits 0 'help packages are selected by language' 'corpus-fetch -o h libreoffice-help en de'
printf 'h/libreoffice-help-en-us.deb\nh/libreoffice-help-de.deb\n' | equals - out; say $? '... en is en-us'
mkdir -p d/e/four.deb d/e/Translation-xx; fails 4 'a folder in the place of a package' 'd/e/four.deb is a folder, expected a file' 'corpus-fetch -o d/e four'
that ! -s out; say $? '... is not printed'
fails 4 '... nor one in the place of an index' 'd/e/Translation-xx is a folder, expected a file' 'corpus-fetch -o d/e descriptions xx'
exits 3 'help packages of two versions are an error' 'DE=2.0 corpus-fetch -o h libreoffice-help en de'
matches 'h/libreoffice-help-de.deb is of version 2.0, expected 1.0' err; say $? '... that names the versions'
exits 4 'a failed download is a system error' 'corpus-fetch -o b broken'
matches 'mirror is down' err && that -z "$(ls -A b)"; say $? '... that has the message of apt, and leaves no files'
exits 4 'a download that apt-get reports as failed leaves no file' 'corpus-fetch -o b partial'
exits 4 'a truncated file, as on a full disk, is a system error' 'corpus-fetch -o b short'
matches 'cannot download short: the file differs from its checksum in the package lists' err; say $? '... which says so'
exits 4 '... as is another file' 'corpus-fetch -o b other'
that -z "$(ls -A b)"; say $? '... and no file is left'
exits 4 'an unknown package without a network is a system error' 'corpus-fetch unknown'
matches 'apt-get: no network' err; say $? '... that has the message of apt'
exits 2 'no package is a usage error' 'corpus-fetch'
exits 2 'so is an unknown option' 'corpus-fetch --frobnicate x'
exits 2 'so is an option without a value' 'corpus-fetch one -o'
exits 2 'so is a name with a slash' 'corpus-fetch ../../etc/passwd'
exits 2 'so is libreoffice-help without languages' 'corpus-fetch libreoffice-help'
exits 2 '... and manpages without languages' 'corpus-fetch manpages'
exits 0 'packages of manual pages are downloaded' 'corpus-fetch -o m manpages en de ro'
bad=0
for p in manpages manpages-dev manpages-de manpages-de-dev manpages-ro coreutils systemd util-linux; do
	matches -x "m/$p.deb" out && that -e "m/$p.deb" || bad=1
done; that $bad = 0; say $? '... those of each language and those of the originals'
sort out | uniq -d > twice; that ! -s twice; say $? '... once each'
matches 'no package thinkfan in this release, skipping it' err && matches 'no package manpages-ro-dev in' err &&
    that "$(grep -c 'skipping it' err)" = 2 && lacks 'thinkfan\|ro-dev' out
say $? '... and packages that the release does not have are reported and skipped'
exits 4 'a language without manual pages is an error' 'corpus-fetch -o m manpages en xx'
: > log; corpus-fetch -q -o m manpages de > out 2> err; that ! -s log && that ! -s err && that "$(wc -l < out)" = 2
say $? 'existing packages are not downloaded again'
exits 0 'wesnoth is the data of the game and its campaigns' 'corpus-fetch -q -o w wesnoth'
printf 'w/wesnoth-1.16-data.deb\nw/wesnoth-1.16-ei.deb\n' | equals - out; say $? '... of the current branch, without the program'
exits 2 '... in all languages' 'corpus-fetch -o w wesnoth ja'
corpus-fetch -q -o z libreoffice-help zh > out; that "$(cat out)" = z/libreoffice-help-zh-cn.deb; say $? 'zh is zh-cn'
exits 4 'a folder that cannot be created is a system error' 'corpus-fetch -o /dev/null/x one'
exits 0 '--help, --version and --options-tsv' 'corpus-fetch --help | grep -q usage: && corpus-fetch --version && corpus-fetch --options-tsv'
exits 4 'paths that cannot be written are a system error' 'corpus-fetch -q -o h libreoffice-help en de > /dev/full'
printf 'corpus-fetch: cannot write standard output\n' | equals - err; say $? '... and reported once'
exits 4 '... as are options' 'corpus-fetch --options-tsv > /dev/full'
