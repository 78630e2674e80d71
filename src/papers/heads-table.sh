#!/bin/sh
# heads-table.sh STREAM: a stream of heads as a table with column names; called by pipeline.mk.
set -eu
fields=$(heed-check --list "$1" | awk -F '\t' '$2 == "field" { print $3 }' | paste -s -d , -)
echo "$fields" | tr ',' '\t'
heed-show -f "$fields" "$1"
