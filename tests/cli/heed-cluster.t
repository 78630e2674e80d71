#!/bin/sh
# heed-cluster: the batch scripts of heed-cluster(7), with fakes of srun, mpirun, scontrol and nmt-train.
. "$HEED_TOP/tests/lib.sh"
plan 11

page=$HEED_TOP/man/heed-cluster.7
# script PATTERN: the example of the page that begins with this line
script() { sed -n "/^$1/,/^\.Ed/p" "$page" | sed '/^\.Ed/d; s/\\e$/\\/'; }
script '#!.bin.bash' > srun.sh; { echo '#!/bin/bash'; script '#SBATCH --time=12:00:00 --signal=B:USR1@300'; } > mpirun.sh
matches '^srun ' srun.sh && matches '^mpirun ' mpirun.sh; say $? 'the page has two batch scripts'

mkdir fakes
for launcher in srun mpirun; do
	printf '#!/bin/sh\nwhile [ "$1" != nmt-train ]; do shift; done\nexec "$@"\n' > fakes/$launcher
done
# As nmt-train: an interrupted training ends with 128 + SIGUSR1, a complete one with STATUS.
cat > fakes/nmt-train <<'END'
#!/bin/bash
trap 'exit 138' USR1
for word; do case $word in run/*) [ -d run ] || exit 4 ;; esac; done
touch began
[ -z "$SLOW" ] || for i in $(seq 200); do sleep 0.05; done
exit $STATUS
END
printf '#!/bin/sh\necho "$@" >> requeued\n' > fakes/scontrol
chmod +x fakes/*
# job SCRIPT STATUS: runs the job; its exit status, and what was requeued
job() {
	rm -rf run requeued began; : > requeued
	PATH=$PWD/fakes:$PATH SLURM_JOB_ID=77 SLURM_CPUS_PER_TASK=1 STATUS=$2 bash $1.sh > out 2>&1
	echo "$? $(cat requeued)"
}
for s in srun mpirun; do
	that "$(job $s 0)" = '0 '; say $? "$s: the job of a complete training succeeds"
	that "$(job $s 5)" = '5 '; say $? "$s: ... that of a diverged one fails with its status"
	that "$(job $s 4)" = '4 '; say $? "$s: ... and that of one that lacks a file"
	that "$(job $s 138)" = '138 requeue 77'; say $? "$s: ... and an interrupted one is requeued"
done
that -d run || job srun 0 > found; that -d run; say $? 'the script makes the folder that it writes to'

# Slurm sends the signal to the second script, which forwards it.
rm -f began; : > requeued
PATH=$PWD/fakes:$PATH SLURM_JOB_ID=78 SLURM_CPUS_PER_TASK=1 STATUS=0 SLOW=yes bash mpirun.sh > out 2>&1 & pid=$!
i=0; while [ ! -e began ] && [ $((i += 1)) -lt 400 ]; do sleep 0.05; done
kill -USR1 $pid; wait $pid; that $? = 138 && that "$(cat requeued)" = 'requeue 78'
say $? 'mpirun: the signal of Slurm is forwarded, and the job requeued'
