#!/bin/sh
# clock.sh FOLDER...: fails if a file is dated in the future, as after the correction of a clock: make would take it
# as newer than changed settings and texts.  Clocks of file servers may differ by less than a minute.
late=$(find "$@" -type f -newermt '1 minute' -print -quit 2> /dev/null)
[ -z "$late" ] && exit
echo "pipeline: error: $late: dated in the future, expected no file later than the clock, $(date '+%F %T'); if the clock is" \
    "right, give such files an early time: find $* -type f -newermt '1 minute' -exec touch -d '2000-01-01' {} +" >&2
exit 3
