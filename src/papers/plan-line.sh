#!/bin/bash
#SBATCH --requeue --signal=B:USR1@120
# plan-line.sh PLAN [LINE]: runs the command of a line of "make plan"; in an array job of Slurm, that of the
# task.  On USR1, which Slurm sends two minutes before it stops the job, and on TERM the training saves its
# state, and the task is put into the queue again; then it resumes.
plan=$1 line=${2:-${SLURM_ARRAY_TASK_ID-1}}
command=$(sed -n "${line}p" "$plan" | cut -f 4)
[ -n "$command" ] || { echo "$plan: no line $line with a command" >&2; exit 2; }

# In a group of its own, so that the signal reaches the training and not only make.
set -m
bash -c "$command" & pid=$!
trap 'stopped=yes; kill -TERM -- "-$pid"' USR1 TERM
wait "$pid"; status=$?
while kill -0 -- "-$pid" 2> /dev/null; do wait "$pid"; sleep 0.2; done
[ -z "$stopped" ] || [ -z "$SLURM_JOB_ID" ] || scontrol requeue "$SLURM_JOB_ID"
exit "$status"
