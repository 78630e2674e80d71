#!/bin/sh
# nmt-train with several processes, with the MPI library HEED_MPI: mpi (Open MPI, the default) or
# mpich.  Without it, the messages of a build without MPI.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
library=${HEED_MPI-mpi}
mpi=$HEED_BUILD/$library/nmt-train
if [ -x "$mpi" ]; then plan 60; else plan 7; fi

pairs 200 1 train && pairs 40 2 dev

# --- without MPI: two processes would write the same files
if ldd "$(command -v nmt-train)" | grep -q libmpi; then
	for i in 1 2 3 4 5 6 7; do say 0 '# SKIP nmt-train is built with MPI'; done
else
	for v in OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS; do
		exits 2 "one of two processes is refused: $v" \
			"$v=2 toy --updates 1 -o x.tar train.heed"
		matches WITH_MPI err; say $? '... and the message names the option of make'
	done
	exits 0 'one of one process is not' \
		OMPI_COMM_WORLD_SIZE=1 toy --updates 1 -o x.tar train.heed
fi
[ -x "$mpi" ] || exit 0

# --- with MPI, which leaks memory of its own
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_odls_base_sigkill_timeout=0
plain=$(command -v nmt-train)
ln -s "$mpi" programs/nmt-train

# launch N PROGRAM ARGUMENT...
case $library in
mpi) launcher=$(command -v mpirun.openmpi || echo mpirun) ;;
mpich) launcher=mpiexec.mpich ;;
esac
printf '#!/bin/sh\nexec %s -n "$@"\n' "$launcher" > programs/launch

# ranks N ARGUMENT...: toy with N processes, each of which writes its process id to pid.RANK
cat > programs/rank <<'END'
#!/bin/sh
echo $$ > pid.${OMPI_COMM_WORLD_RANK-$PMI_RANK}
exec toy "$@"
END
cat > programs/ranks <<'END'
#!/bin/sh
n=$1; shift
exec launch $n rank "$@"
END
chmod +x programs/rank programs/ranks programs/launch

# logs_near FIELD BOUND LOG LOG: the same rows, with relative differences of the field up to BOUND
logs_near() {
	for log in "$3" "$4"; do rows "step,tokens,$1" "$log" | awk -F '\t' '$3 > 0' > "$log.rows"; done
	that -s "$3.rows" && that "$(wc -l < "$3.rows")" = "$(wc -l < "$4.rows")" &&
		paste "$3.rows" "$4.rows" |
	    computes - -v b="$2" '{ d = $3 - $6; if (d < 0) d = -d; if (!($1 == $4 && $2 == $5 && d <= b * $3)) bad = 1 } END { exit bad }'
}

# --- the same result as with one process
learn='--updates 20 --dropout 0.2 --word-dropout 0.1 --clip 1 --accumulate 2 --log-every 1'
validate='--dev dev.heed --dev-bleu --validate-every 10'
runs toy $learn $validate --log 1.log -o 1.tar train.heed; say $? 'one process, without a launcher'
for k in 2 3; do
	runs ranks $k $learn $validate --log $k.log -o $k.tar train.heed; say $? "$k ranks"
	logs_near loss 1e-4 1.log $k.log; say $? '... have its losses, except for rounding'
	logs_near norm 1e-3 1.log $k.log; say $? '... and its gradients'
	logs_near dev.nll 1e-4 1.log $k.log; say $? '... and its validations'
done
runs ranks 2 $learn $validate -o again.tar train.heed && equals 2.tar again.tar
say $? 'repeated trainings have the same bytes'
runs ranks 2 -t 2 $learn $validate -o again.tar train.heed && equals 2.tar again.tar
say $? '... and with any number of threads'
toy --updates 12 --batch-tokens 20 --log 1.log --log-every 1 -o x.tar train.heed
runs ranks 3 --updates 12 --batch-tokens 20 --log 3.log --log-every 1 -o x.tar train.heed
say $? 'fewer sentences than ranks'
logs_near loss 1e-4 1.log 3.log; say $? '... have the same losses'

# --- gradients in bf16, with error feedback
bf16='--dropout 0.2 --log-every 5 --gradients bf16'
runs ranks 2 --updates 40 --dropout 0.2 --log-every 5 --log fp32.log -o fp32.tar train.heed &&
	runs ranks 2 --updates 40 $bf16 --log bf16.log -o bf16.tar train.heed; say $? 'gradients in bf16'
logs_near loss 5e-3 fp32.log bf16.log && differ fp32.tar bf16.tar; say $? '... have almost the same losses'
runs ranks 3 --updates 40 $bf16 --log bf16.log -o x.tar train.heed && logs_near loss 5e-3 fp32.log bf16.log
say $? '... also with 3 ranks'
runs ranks 2 --updates 17 $bf16 --checkpoint half.cp -o x.tar train.heed && runs cp half.cp three.cp && runs cp half.cp other.cp &&
	tar tf half.cp | matches '^feedback/1/' && runs ranks 2 --updates 40 $bf16 --checkpoint half.cp -o half.tar train.heed &&
	equals half.tar bf16.tar
say $? 'a resumed training has the same bytes'
runs ranks 3 --updates 40 $bf16 --checkpoint three.cp --log bf16.log -o x.tar train.heed && logs_near loss 5e-3 fp32.log bf16.log
say $? '... and almost the same losses with another number of ranks'
exits 2 'it does not resume in fp32' ranks 2 --updates 40 --dropout 0.2 --checkpoint other.cp -o x.tar train.heed
matches -- '--gradients was bf16, is fp32' err; say $? '... and the message has the setting'
runs env PATH="$(dirname "$plain"):$PATH" toy --updates 18 $bf16 --checkpoint other.cp -o x.tar train.heed
say $? 'one process resumes it'

# --- waiting: rank 0 waits for rank 1, which pauses six times; a pause between two updates does
# not count
ranks 2 --updates 300 --batch-tokens 4000 --log-every 300 --checkpoint-every 20 --checkpoint wait.cp --log wait.log -o x.tar train.heed & pid=$!
i=0; while [ $i -lt 600 ] && ! [ -e wait.cp ]; do sleep 0.1; i=$((i + 1)); done
for i in 1 2 3 4 5 6; do kill -STOP "$(cat pid.1)"; sleep 0.5; kill -CONT "$(cat pid.1)"; sleep 0.1; done
runs wait $pid; say $? 'a rank pauses'
rows waiting,tokens,speed wait.log | computes - -F '\t' '{ t = $2 / $3; if ($1 * t < 0.2 || $1 > 1) bad = 1 } END { exit bad || NR != 1 }'
say $? '... and the log has the time for which the other waited'
heed-show -H 1.log | matches '"waiting"'; that $? = 1; say $? 'a single process does not wait'

# --- reports of variants
importance='--preset onmt -a head-importance:dec=0 --lr 0 --updates 1'
toy $importance --dev dev.heed --log 1.log -o x.tar train.heed
ranks 3 $importance --dev dev.heed --log 3.log -o x.tar train.heed; logs_near dev.importance.winner.share 1e-12 1.log 3.log
say $? 'the share of the most frequent winner is over all ranks'

# --- gates: their samples, multipliers and subsets are those of one process
for gates in l0-gate:at=all,target=3,warmup=10,rate=20 subset:at=all,heads=3,anneal=10,rate=20; do
	learn="--updates 20 --dev dev.heed --validate-every 10 --log-every 1 -a $gates"
	toy $learn --log 1.log -o 1.tar train.heed; ranks 2 $learn --log 2.log -o 2.tar train.heed
	logs_near loss 1e-4 1.log 2.log; say $? "$gates: the same losses"
	logs_near dev.nll 1e-4 1.log 2.log; say $? '... and validations'
done

# --- errors are reported once, with their status
exits 2 'an unknown option' ranks 2 --nonesuch
that "$(grep -c nonesuch err)" = 1; say $? '... is reported once'
exits 4 'a missing file' ranks 2 --updates 1 -o x.tar nowhere.heed
that "$(grep -c nowhere err)" = 1; say $? '... is reported once'
exits 2 'standard input' ranks 2 --updates 1 -o x.tar '<' train.heed
cat > programs/other <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" = 1 ] && exec toy --updates 1 -o x.tar dev.heed
exec toy --updates 1 -o x.tar train.heed
END
cat > programs/missing <<'END'
#!/bin/sh
[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" = 1 ] && exec toy --updates 1 -o x.tar nowhere.heed
exec toy --updates 1 -o x.tar train.heed
END
chmod +x programs/other programs/missing
exits 3 'ranks with different data' launch 2 other
exits 4 'a file that is missing for one rank' launch 2 missing
matches 'rank 1: cannot open nowhere.heed' err; say $? '... is reported with the rank'

# --- interrupted
long='--updates 100000 --checkpoint-every 5 --dropout 0.2'
# begin NAME [OPTION...]: starts a training in the background and waits for its first checkpoint
begin() {
	cp=$1; shift
	ranks ${n_ranks-2} $long --checkpoint "$cp" "$@" -o x.tar train.heed > err 2>&1 & pid=$!
	i=0; while [ $i -lt 600 ] && ! [ -e "$cp" ]; do sleep 0.1; i=$((i + 1)); done
}
reached() { tar xOf "$1" train | sed -n 's/^state update=\([0-9]*\),.*/\1/p'; }

begin killed.cp; kill -9 "$(cat pid.1)"; wait $pid; r=$?
that $r != 0 && that -s err; say $? "after a rank is killed, the job ends with $r and a message"
case $library in
mpi) grep -q "rank 1 with PID .* on node $(uname -n)" err ;;
mpich) grep -q "PID .* RUNNING AT $(uname -n)" err ;;
esac
r=$?; say $r '... that names the rank or its process, and its host'
[ $r = 0 ] || sed 's,^,# ,' err
tar tf killed.cp | matches -x end; say $? '... and there is a checkpoint'
u=$(($(reached killed.cp) + 4))
for k in 1 2 3; do
	cp killed.cp $k.cp
	run="ranks $k"
	[ $k != 1 ] || run="env PATH=$(dirname "$plain"):$PATH toy"
	$run --updates $u --dropout 0.2 --log-every 1 --checkpoint $k.cp --log $k.log -o $k.tar train.heed
	that $? = 0 && that "$(reached $k.cp)" = $u; say $? "... from which $k can resume"
done
logs_near loss 1e-3 1.log 2.log && logs_near loss 1e-3 1.log 3.log; say $? '... with the same losses'
runs ranks 2 --updates $u --dropout 0.2 -o calm.tar train.heed && equals calm.tar 2.tar
say $? '... and the same bytes with the same number of ranks'
begin stopped.cp; kill -USR1 $pid; wait $pid; code=$?
# The launcher of MPICH 4.0 sometimes returns 0, although all ranks end with 138: also for shell scripts
# without MPI that end with 138.
that $code = 138 || { that $library = mpich && that $code = 0; }; say $? "SIGUSR1 to mpirun ends with 138: $code"
matches 'stopped by signal 10 after update' err && matches "after update $(reached stopped.cp);" err
say $? '... after saving the checkpoint'

# --- a rank that does not respond: the limit of 2 seconds, at most 6 more, and a busy machine's delay.
# The launcher of MPICH may return the status of the stopped rank, which it kills.
n_ranks=3
for k in 1 0; do
	begin hung.cp --rank-timeout 2
	then=$(date +%s); kill -STOP "$(cat pid.$k)"; wait $pid; r=$?
	echo "$library $r" | matches -xE 'mpi 4|mpich [49]' && that $(($(date +%s) - then)) -le 20; say $? "rank $k is stopped: the job ends with $r"
	matches "no response from rank $k (process $(cat pid.$k) on $(uname -n)): waited 2 seconds" err
	say $? '... names the rank, its process and its host'
	that "$(grep -c 'no response' err)" = 1 && tar tf hung.cp | matches -x end; say $? '... once, and there is a checkpoint'
	mv hung.cp hung.$k.cp
done
