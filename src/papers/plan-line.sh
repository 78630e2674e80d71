#!/bin/bash
#SBATCH --requeue --signal=B:USR1@120 --open-mode=append
# plan-line.sh PLAN [LINE]: runs the command in a line of the output of "make plan".  In an array
# job of Slurm the default is the line of the task.  On USR1, which Slurm sends two minutes before
# the time limit, the training saves its state and the task is requeued, to resume later.  On
# TERM, from scancel or scontrol requeue, the training only saves its state.
plan=$1 line=${2:-${SLURM_ARRAY_TASK_ID-1}}
command=$(sed -n "${line}p" "$plan" | cut -f 4)
[ -n "$command" ] || { echo "$plan: no command in line $line" >&2; exit 2; }

# A process group of its own, so that the signal reaches the training and not only make.
set -m
bash -c "$command" & pid=$!
trap 'kill -TERM -- "-$pid"' TERM
trap 'again=yes; kill -TERM -- "-$pid"' USR1
wait "$pid"; status=$?
while kill -0 -- "-$pid" 2> /dev/null; do wait "$pid"; sleep 0.2; done
# A task of an array is named by two numbers; its SLURM_JOB_ID may be that of the whole array.
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
job=${job:-$SLURM_JOB_ID}
[ -z "$again" ] || [ -z "$job" ] || scontrol requeue "$job"
exit "$status"
