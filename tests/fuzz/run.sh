#!/bin/sh
# run.sh: one fuzz target for so many seconds, without end at a finding; what came of it is a row of a table.
# usage: run.sh FOLDER TARGET SECONDS corpus|empty
# FOLDER is where the build is; FOLDER/runs/TARGET gets target, executions, executions a second, and the
# file of a finding, with tabs between.
folder=$1 target=$2 seconds=$3 from=$4
name=${target##*/} found=$folder/found/$name

case $from in
corpus) more=tests/corpus/$name ;;
empty) found=$folder/found-from-empty/$name more=; rm -rf "$found" ;;
*) echo "FROM is corpus or empty, not '$from'" >&2; exit 2 ;;
esac
mkdir -p "$found" "$folder/runs"
log=$folder/runs/$name.log

# An input takes 10 seconds or 2 GB only if something is wrong; a sanitizer's own memory counts.
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
printf '%s: %s executions, %s a second%s\n' "$name" "${executions:-0}" "${rate:-0}" "${finding:+, FOUND $finding}"
