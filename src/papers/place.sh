#!/bin/sh
# place.sh TARGET [TEXT]: makes the folder of TARGET, and removes TARGET.PID-HOST.tmp, and what begins so, of
# processes of this host that are gone, such as killed ones.  With TEXT, the file gets this text, and a new
# time only if its text changes.
[ $# = 1 ] || [ ! -e "$1" ] || [ "$(cat "$1")" != "$2" ] || exit 0
case $1 in */*) mkdir -p "${1%/*}" ;; esac
host=$(hostname)
for f in "$1".*-"$host".tmp*; do
	pid=${f#"$1".} pid=${pid%%-*}
	case $pid in *[!0-9]*) continue ;; esac
	# The second one for processes of other users
	kill -0 "$pid" 2> /dev/null || [ -e "/proc/$pid" ] || rm -rf "$f"
done
[ $# = 1 ] && exit
new=$1.$$-$host.tmp
printf '%s\n' "$2" > "$new" && mv "$new" "$1"
