#!/bin/bash
#SBATCH --requeue --signal=B:USR1@120 --open-mode=append
# plan-line.sh PLAN [LINE]: runs the command of a line of "make plan"; in an array job of Slurm, that of the
# task.  On USR1, which Slurm sends two minutes before the time limit, the training saves its state, and the task
# is put into the queue again, to resume.  On TERM the training saves its state, too, but what becomes of the task
# was decided by who sent it, with scancel or scontrol requeue.
plan=$1 line=${2:-${SLURM_ARRAY_TASK_ID-1}}
command=$(sed -n "${line}p" "$plan" | cut -f 4)
[ -n "$command" ] || { echo "$plan: no line $line with a command" >&2; exit 2; }

# In a group of its own, so that the signal reaches the training and not only make.
set -m
bash -c "$command" & pid=$!
trap 'kill -TERM -- "-$pid"' TERM
trap 'again=yes; kill -TERM -- "-$pid"' USR1
wait "$pid"; status=$?
while kill -0 -- "-$pid" 2> /dev/null; do wait "$pid"; sleep 0.2; done
# One task of an array has the number of the array for its own: it is named by both numbers.
job=${SLURM_ARRAY_JOB_ID:+${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID}
job=${job:-$SLURM_JOB_ID}
[ -z "$again" ] || [ -z "$job" ] || scontrol requeue "$job"
exit "$status"
