#!/bin/sh
# corpus-fetch: download Debian packages and indexes that contain parallel texts.
# See corpus-fetch(1).
set -u
me=corpus-fetch folder=. quiet=

options() {
	printf '%s\t%s\t%s\t%s\n' \
	    o output folder 'write the files to folder (current folder)' \
	    q quiet '' 'do not report downloads' \
	    h help '' 'print this help and exit' \
	    '' version '' 'print the version and exit'
}

usage() {
	cat <<'END'
usage: corpus-fetch [-q] [-o folder] package ...
       corpus-fetch [-q] [-o folder] libreoffice-help lang ...
       corpus-fetch [-q] [-o folder] manpages lang ...
       corpus-fetch [-q] [-o folder] descriptions lang ...
       corpus-fetch [-q] [-o folder] wesnoth
download Debian packages that contain parallel texts

  -o, --output folder          write the files to folder (current folder)
  -q, --quiet                  do not report downloads
  -h, --help                   print this help and exit
      --version                print the version and exit

example:
  corpus-fetch -o corpora libreoffice-help en de

see corpus-fetch(1)
END
}

fail() { status=$1; shift; echo "$me: $*" >&2; exit "$status"; }
# unwritten STATUS: the help was not written; a reader that has seen enough (SIGPIPE) is no error
unwritten() { [ "$1" = 141 ] && exit 141; fail 4 'cannot write standard output'; }
hint() { echo "$me: hint: $*" >&2; }
wrong() { echo "$me: $*" >&2; hint "$me --help lists the options"; exit 2; }
print() { echo "$1" 2> /dev/null || unwritten $?; }
report() { [ -n "$quiet" ] || echo "$me: $*" >&2; }

given=
to() {
	[ -z "$given" ] || wrong '--output is given twice, expected once'
	folder=$1 given=yes
}

operands=
add() {
	case $1 in
	'' | *[!A-Za-z0-9.+_-]* | -*) wrong "'$1', expected the name of a package or a language" ;;
	esac
	operands="$operands $1"
}

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) usage 2> /dev/null || unwritten $?; exit ;;
	--version) print "$me (heed) @VERSION@"; exit ;;
	--options-tsv) options 2> /dev/null || unwritten $?; exit ;;
	-q | --quiet) quiet=yes ;;
	-o | --output) [ $# -gt 1 ] || wrong "$1 needs a value: folder"; to "$2"; shift ;;
	-o?*) to "${1#-o}" ;;
	--output=*) to "${1#--output=}" ;;
	--) shift; for i; do add "$i"; done; break ;;
	-*) wrong "unknown option $1" ;;
	*) add "$1" ;;
	esac
	shift
done
set -- $operands
[ $# -gt 0 ] || wrong 'expected a package'
[ -n "$folder" ] || wrong "--output '', expected a folder"
mkdir -p "$folder" || fail 4 "cannot create folder $folder"
command -v apt-get > /dev/null 2>&1 || {
	echo "$me: apt-get is not installed" >&2
	hint 'download the packages from a Debian mirror; corpus-align reads them on any system'
	exit 4
}

scratch=$(cd "$folder" && mktemp -d "$PWD/.fetch.XXXXXX") || fail 4 "cannot write into $folder"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs apt with private package lists if there are any, so that it needs neither root privileges
# nor the lists of the system.
private=
apt() {
	tool=$1; shift
	if [ -n "$private" ]; then
		"$tool" -o Dir::State="$scratch/state" -o Dir::Cache="$scratch/cache" \
		    -o Acquire::Languages="$private" -o Debug::NoLocking=true "$@"
	else
		"$tool" "$@"
	fi
}

own_lists() {
	private=$1
	mkdir -p "$scratch/state/lists/partial" "$scratch/cache/archives/partial" || exit 4
	report 'downloading package lists'
	apt apt-get update -q > "$scratch/log" 2>&1 && ! grep -q '^E:\|^Err' "$scratch/log" && return
	sed -n 's/^[EW]: //p' "$scratch/log" | sed "s/^/$me: apt-get: /" | head -n 5 >&2
	fail 4 'cannot download package lists'
}

known() { apt apt-cache show "$1" > /dev/null 2>&1; }

# is_whole PACKAGE FILE: are size and checksum those of the package lists?  apt-get checks what it
# receives, but not what it writes: on a full disk it ends with 0.
is_whole() {
	# its output is: 'ADDRESS' NAME SIZE SHA256:DIGITS
	set -- "$2" $(apt apt-get -q --print-uris download "$1" 2> "$scratch/log" |
		awk 'END { print $3, $4 }')
	[ "$(wc -c < "$1")" = "${2:-}" ] || return
	case ${3:-} in
	SHA256:*) [ "SHA256:$(sha256sum < "$1" | cut -d ' ' -f 1)" = "$3" ] ;;
	esac
}

# fetched FILE: does it exist already?
fetched() {
	[ ! -d "$1" ] || fail 4 "$1 is a folder, expected a file"
	[ -e "$1" ]
}

package() {
	fetched "$folder/$1.deb" && { print "$folder/$1.deb"; return; }
	[ -n "$private" ] || known "$1" || own_lists none
	if ! known "$1"; then
		echo "$me: no package $1 in the suites of this system" >&2
		hint 'apt-cache search finds packages; the suites are in /etc/apt/sources.list'
		exit 3
	fi
	report "downloading $1"
	rm -f "$scratch"/*.deb
	status=0
	(cd "$scratch" && apt apt-get download -q "$1") > "$scratch/log" 2>&1 || status=$?
	set -- "$1" "$scratch"/*.deb
	if [ $status != 0 ] || [ ! -e "$2" ]; then
		sed -n 's/^E: //p' "$scratch/log" | sed "s/^/$me: apt-get: /" >&2
		hint 'if the lists are out of date, run: sudo apt-get update'
		fail 4 "cannot download $1"
	fi
	is_whole "$1" "$2" || fail 4 "cannot download $1: the file differs from its checksum in the" \
		"package lists; is the disk full?"
	chmod 644 "$2" && sync "$2" && mv "$2" "$folder/$1.deb" || fail 4 "cannot write $folder/$1.deb"
	print "$folder/$1.deb"
}

# The pages differ between versions, and pages of one version only would silently be lost.
same_versions() {
	command -v dpkg-deb > /dev/null 2>&1 || return 0
	first=
	for i; do
		v=$(dpkg-deb -f "$folder/$i.deb" Version) ||
			fail 3 "$folder/$i.deb is not a Debian package; remove it and fetch it again"
		[ -n "$first" ] || first=$v
		[ "$v" = "$first" ] || {
			echo "$me: $folder/$i.deb is of version $v, expected $first as in $folder/$1.deb" >&2
			hint 'remove the older of the two files and fetch again'
			exit 3
		}
	done
}

help_packages() {
	names=
	for i; do
		[ "$i" = en ] && i=en-us
		[ "$i" = zh ] && i=zh-cn
		names="$names libreoffice-help-$i"
	done
	for i in $names; do package "$i"; done
	same_versions $names
}

# The game and its campaigns, which have the catalogs of all languages: the packages on which the current
# branch depends, such as wesnoth-1.16-httt, without the program.
wesnoth_packages() {
	[ -n "$private" ] || known wesnoth || own_lists none
	known wesnoth || fail 3 'no package wesnoth in the suites of this system'
	branch=$(depends wesnoth | sed -n 's/^\(wesnoth-[0-9.]*\)$/\1/p' | head -n 1)
	names=$(depends "$branch" | grep "^$branch-" | grep -v -- '-core$')
	[ -n "$names" ] || fail 3 "package wesnoth has no data packages, expected wesnoth-BRANCH-data"
	for i in $names; do package "$i"; done
	same_versions $names
}
# depends PACKAGE: the packages on which it depends, without versions and duplicates
depends() {
	apt apt-cache show "$1" | sed -n 's/^Depends: //p' | head -n 1 | tr ',' '\n' |
		sed 's/^ *//; s/[ (|].*//' | awk '!seen[$0]++'
}

# Packages with the originals of most translated manual pages, for all languages.  If two packages
# have the same page, the list has the one that translators use.
originals='coreutils util-linux util-linux-extra bsdutils bsdextrautils mount fdisk uuid-runtime uuid-dev
	systemd systemd-sysv systemd-container systemd-boot systemd-journal-remote systemd-homed systemd-oomd
	systemd-resolved systemd-timesyncd systemd-coredump udev init-system-helpers
	libsane-common sane-utils mtools grub-common grub2-common gettext gettext-base kbd openssh-client openssh-server
	psutils recutils gzip bzip2 diffutils nfs-common nfs-kernel-server vorbis-tools mutt texinfo info e2fsprogs
	bsdgames netpbm sysstat less thinkfan nano vlock kmod dosfstools x11-xserver-utils glibc-doc libc-bin
	libcrypt-dev grep sed tar findutils hostname procps net-tools bash groff-base procmail reiserfsprogs
	iputils-ping cron at file time wget acct quota iptables ed make flex wdiff cpio pciutils'

# A package that this release may not have.
optional() {
	[ -e "$folder/$1.deb" ] || [ -n "$private" ] || known manpages || own_lists none
	[ -e "$folder/$1.deb" ] || known "$1" || {
		echo "$me: no package $1 in this release, skipping it" >&2
		return
	}
	package "$1"
}

man_packages() {
	for i; do
		if [ "$i" = en ]; then package manpages; else package "manpages-$i"; fi
	done
	for i; do
		if [ "$i" = en ]; then package manpages-dev; else optional "manpages-$i-dev"; fi
		[ "$i" = en ] || continue
		for p in $originals; do optional "$p"; done
	done
}

# The index may have any compression, depending on the mirror and the configuration of apt.
index() {
	to=$folder/Translation-$1
	fetched "$to" && { print "$to"; return; }
	[ -n "$private" ] || own_lists "$(echo "$all" | tr ' ' ,)"
	rm -f "$scratch/index"
	for i in "$scratch"/state/lists/*_i18n_Translation-"$1" \
	    "$scratch"/state/lists/*_i18n_Translation-"$1".*; do
		[ -e "$i" ] || continue
		/usr/lib/apt/apt-helper cat-file "$i" >> "$scratch/index" ||
			fail 4 "cannot read the index of $1"
		echo >> "$scratch/index"
	done
	[ -s "$scratch/index" ] || fail 3 "the package archive has no descriptions in $1"
	sync "$scratch/index" && mv "$scratch/index" "$to" || fail 4 "cannot write $to"
	print "$to"
}

case $1 in
libreoffice-help)
	shift
	[ $# -gt 0 ] || wrong 'expected languages after libreoffice-help'
	help_packages "$@" ;;
manpages)
	shift
	[ $# -gt 0 ] || wrong 'expected languages after manpages'
	man_packages "$@" ;;
descriptions)
	shift
	[ $# -gt 0 ] || wrong 'expected languages after descriptions'
	all=$*
	for i; do index "$i"; done ;;
wesnoth)
	[ $# = 1 ] || wrong 'expected no languages after wesnoth: the packages have all of them'
	wesnoth_packages ;;
*)
	for i; do package "$i"; done ;;
esac || exit
