#!/bin/bash
# roles.sh RUN OUT OPTION...: the roles of the heads of all intermediate models of a run, on OUT.in; each
# line begins with the number of updates.
set -eu -o pipefail
run=$1 out=$2; shift 2
for m in $(ls "$run"/model.*.tar | sort -V); do
	head-stat -q "$@" -m "$m" -o "$out.heads" "$out.in"
	{ heed-show "$out.heads" | sed -n 's/^\["heed-note","syntax\.\([^"]*\)","\([0-9]*\) arcs.*/arcs\t\1\t\2/p'
	  fields=$(heed-check --list "$out.heads" | awk -F '\t' '$2 == "field" { print $3 }' | paste -s -d , -)
	  heed-show --header -f "$fields" "$out.heads"; } | sed "s/^/$(nmt-info "$m" | sed -n 's/^step\t//p')\t/"
done
