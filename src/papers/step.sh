#!/bin/bash
# step.sh WORK KIND TARGET COMMAND...: runs a heavy step of pipeline.mk, called by lock.sh.  If
# watch.sh set STEPS (to the number of slots) and STEPS_IN (to its folder), it prints a line to
# descriptor 8: the number of the step, the number of steps, and the time left.  Standard error of the
# command goes to TARGET.log, whose end is printed on failure, and all of it after user-supplied trees
# are read: the numbers of sentences without a tree.  Without STEPS it only runs the command.
#
# STEPS_IN/steps has a line for each step that watch.sh expects, STEPS_IN/steps.begun and
# STEPS_IN/steps.done for the steps of this make, and WORK/steps.seconds kind and seconds of all steps
# in WORK.
work=$1 kind=$2 target=$3
shift 3
[ -n "${STEPS-}" ] || exec "$@"
log=$target.log
mkdir -p "${log%/*}"

# For each kind: mean seconds of the last ten steps, times the number of steps that are not done.
left() {
	awk -v slots="$STEPS" '
		FILENAME ~ /seconds$/ { recent[$1, n[$1]++ % 10] = $2; next }
		FILENAME ~ /done$/ { more[$1]--; next }
		{ more[$1]++ }
		END {
			for (kind in more) {
				if (more[kind] <= 0) continue
				m = n[kind] < 10 ? n[kind] : 10
				if (!m) { unknown = 1; continue }
				for (sum = i = 0; i < m; i++) sum += recent[kind, i]
				s += more[kind] * sum / m / slots
			}
			if (!s) exit
			printf ", %s ", unknown ? "more than" : "about"
			if (s < 90) printf "%d s left", s
			else if (s < 5400) printf "%d min left", s / 60 + 0.5
			else printf "%.1f h left", s / 3600
		}' "$work/steps.seconds" "$STEPS_IN/steps.done" "$STEPS_IN/steps"
}
: >> "$work/steps.seconds"
{
	flock 7 2> /dev/null || : # without locks, two lines may have the same number
	echo "$kind" >> "$STEPS_IN/steps.begun"
	name=${target#"$work/"} name=${name#run/} name=${name%/model.tar}
	printf '[%d of %d] %s %s%s\n' "$(wc -l < "$STEPS_IN/steps.begun")" "$(wc -l < "$STEPS_IN/steps")" "$kind" \
	    "${name%/test.hyp.heed}" "$(left)" >&8
} 7>> "$STEPS_IN/steps.begun"

# In the background, so that a signal reaches the command at once.  It may then save its state.
exec 6<&0
"$@" <&6 2> "$log" 6<&- 8>&- &
pid=$!
exec 6<&-
trap 'kill -TERM $pid 2> /dev/null' INT TERM HUP
SECONDS=0
wait $pid; status=$?
while kill -0 $pid 2> /dev/null; do wait $pid; status=$?; done
if [ $status = 0 ]; then
	[ "$kind" != read-trees ] || cat "$log" >&8
	echo "$kind" >> "$STEPS_IN/steps.done"
	echo "$kind $SECONDS" >> "$work/steps.seconds"
else
	{ echo "$kind $target: exit $status; the last lines of $log:"; tail -n 10 "$log"; } | tee "$STEPS_IN/steps.failed" >&8
fi
exit $status
