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
# One task of an array has the number of the array for its own: it is named by both numbers.
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
job=${job:-$SLURM_JOB_ID}
[ -z "$stopped" ] || [ -z "$job" ] || scontrol requeue "$job"
exit "$status"
