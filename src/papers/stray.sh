# stray.sh TARGET: removes TARGET.PID-HOST.tmp, and what begins so, of processes of this host that are gone, such
# as killed ones.
for f in "$1".*-"$(hostname)".tmp*; do
	pid=${f#"$1".} pid=${pid%%-*}
	case $pid in *[!0-9]*) continue ;; esac
	# The second one for processes of other users
	kill -0 "$pid" 2> /dev/null || [ -e "/proc/$pid" ] || rm -rf "$f"
done
