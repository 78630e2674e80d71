#!/bin/sh
# last.sh PROGRAM ARGUMENT...: runs a program.  Of an option that is given twice and has one value
# only the last one is passed on: so tests say what is different from what they say otherwise.  It
# runs other programs first: not for what a preloaded library counts the calls of.  The program that
# lists its options does not see the launcher, because a process can use MPI only once.
program=$1; shift
dropped=$({ env -u OMPI_COMM_WORLD_SIZE -u PMI_SIZE -u SLURM_STEP_NUM_TASKS "$program" --options-tsv; echo; printf '%s\n' "$@"; } | awk -F'\t' '
	!words && NF { if ($5 == "1") { one["--" $2] = $2; if ($1 != "") one["-" $1] = $2 }; next }
	!words { words = NR; next }
	value { value = 0; next }
	{ key = $0; sub(/=.*/, "", key) }
	key in one {
		i = NR - words; key = one[key]; value = $0 !~ /=/
		if (key in seen) print seen[key]
		seen[key] = i (value ? " " i + 1 : "")
	}')
dropped=" $(echo $dropped) " n=$# i=0
while [ $i -lt $n ]; do
	i=$((i + 1)) word=$1; shift
	case $dropped in *" $i "*) ;; *) set -- "$@" "$word" ;; esac
done
exec "$program" "$@"
