#!/bin/sh
# each-kind.sh SCRIPT NAME: for each kind of attention, the table NAME.KIND that the awk script makes of
# NAME.in.
set -eu
for kind in enc-self dec-self cross; do
	case $kind in
	enc-self) title='encoder self-attention' ;;
	dec-self) title='decoder self-attention' ;;
	cross)    title=cross-attention ;;
	esac
	awk -v where=$kind -v title="$title" -f "${0%/*}/$1" "$2.in" > "$2.$kind"
done
