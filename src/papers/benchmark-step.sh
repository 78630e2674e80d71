#!/bin/sh
# benchmark-step.sh OUT COMMAND...: runs a command that writes OUT.tmp, which becomes OUT.  OUT.seconds
# has the time.  If the model or the data do not support what the command computes (exit status 2 or 3),
# OUT is empty, and OUT.why has the message.
out=$1
shift
began=$(date +%s)
"$@" 2> "$out.err"; status=$?
cat "$out.err" >&2
case $status in
0)	rm -f "$out.why" ;;
2|3)	grep -v -e ': warning: ' "$out.err" | head -n 1 | tr '\t' ' ' > "$out.why"
	: > "$out.tmp" ;;
*)	exit $status ;;
esac
rm "$out.err"
echo $(($(date +%s) - began)) > "$out.seconds"
mv "$out.tmp" "$out"
