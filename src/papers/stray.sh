# stray.sh TARGET: removes TARGET.PID-HOST.tmp of processes of this host that are gone, such as killed ones.
for f in "$1".*-"$(hostname)".tmp; do
	pid=${f#"$1".} pid=${pid%%-*}
	case $pid in *[!0-9]*) continue ;; esac
	kill -0 "$pid" 2> /dev/null || rm -f "$f"
done
