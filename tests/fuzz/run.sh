#!/bin/sh
# run.sh: runs one fuzz target for some seconds and writes the result as a row of a table.  A finding
# does not make it fail.
# usage: run.sh FOLDER TARGET SECONDS corpus|empty
# FOLDER has the build.  FOLDER/runs/TARGET gets the target, the number of executions, executions per
# second, and the file of a finding, separated by tabs.
folder=$1 target=$2 seconds=$3 from=$4
name=${target##*/} found=$folder/found/$name

case $from in
corpus) more=tests/corpus/$name ;;
empty) found=$folder/found-from-empty/$name more=; rm -rf "$found" ;;
*) echo "FROM is '$from', expected corpus or empty" >&2; exit 2 ;;
esac
mkdir -p "$found" "$folder/runs"
log=$folder/runs/$name.log

# An input that takes 10 seconds or 2 GB is a finding; the limit includes the sanitizer's memory.
status=0
"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$found-" "$found" $more > "$log" 2>&1 || status=$?

stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -n 1; }
finding=
[ $status = 0 ] || {
	finding=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
	finding=${finding:-"exit $status, see $log"}
}
executions=$(stat number_of_executed_units) rate=$(stat average_exec_per_sec)
printf '%s\t%s\t%s\t%s\n' "$name" "${executions:-0}" "${rate:-0}" "$finding" > "$folder/runs/$name"
printf '%s: %s executions, %s per second%s\n' "$name" "${executions:-0}" "${rate:-0}" "${finding:+, FOUND $finding}"
