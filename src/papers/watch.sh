#!/bin/sh
# watch.sh FOLDER SLOTS WHAT MAKE...: runs a make of pipeline.mk with its output in FOLDER/log.
# Standard output gets only the line WHAT and a line for each heavy step (step.sh).  If WHAT is -,
# the steps are counted first.  If make fails, the end of the log is printed; else the warnings in it.
# After an interrupt from the terminal, which also reaches make, a line says how to resume.
folder=$1 slots=$2 what=$3 interrupted=
shift 3
log=$folder/log
mkdir -p "$folder"
: >> "$log"
: > "$folder/steps.begun"; : > "$folder/steps.done"; rm -f "$folder/steps.failed"
if [ "$what" = - ]; then
	"$@" -n _plan=1 2>&1 | grep -o 'papers/step\.sh [^ ]* [a-z-]* ' | cut -d ' ' -f 3 > "$folder/steps"
	n=$(wc -l < "$folder/steps")
	[ "$n" = 0 ] || echo "$n step$([ "$n" = 1 ] || echo s); logs: $log, and TARGET.log of each step"
else
	echo "$what"
fi
before=$(wc -l < "$log")
trap 'interrupted=yes' INT
STEPS=$slots STEPS_IN=$folder "$@" 8>&1 >> "$log" 2>&1
status=$?
trap - INT
[ -z "$interrupted" ] || { echo 'interrupted; to resume, run the same command again'; kill -INT $$; }
if [ $status = 0 ]; then
	tail -n +$((before + 1)) "$log" | grep '^[a-z0-9-]*: warning: ' | sort -u >&2
	exit 0
fi
if [ ! -s "$folder/steps.failed" ]; then
	# Other jobs of make may print after its first error; the lines before that error are the
	# relevant ones.
	echo "the last lines of $log:"
	tail -n +$((before + 1)) "$log" | awk '
		{ line[NR] = substr($0, 1, 400) }
		/[*][*][*]/ { exit }
		END { for (i = NR > 5 ? NR - 4 : 1; i <= NR; i++) print line[i] }'
fi
exit $status
