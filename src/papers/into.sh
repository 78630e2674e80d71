#!/bin/bash
# into.sh TARGET COMMAND...: the output of the command becomes TARGET when it is complete.  Other processes
# may make the same file at the same time, also on other machines.
target=$1 new=$1.$$-$(hostname).tmp
sh "${0%/*}/place.sh" "$target"
shift
trap 'rm -f "$new"' EXIT

# In the background, so that a signal reaches the command at once.
exec 6<&0
"$@" <&6 6<&- > "$new" &
pid=$!
exec 6<&-
trap 'kill -TERM $pid 2> /dev/null' INT TERM HUP
wait $pid; status=$?
while kill -0 $pid 2> /dev/null; do wait $pid; status=$?; done
[ $status = 0 ] || exit $status
mv "$new" "$target"
