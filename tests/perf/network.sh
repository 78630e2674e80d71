#!/bin/sh
# network.sh: nmt-train with several processes on machines that are network namespaces of this one,
# with limits on their links.  Needs root, iproute2 and Open MPI; not part of make bench.
#   HEED_BENCH_STREAM   sentence pairs to train on
#   HEED_BENCH_MPI      build/release/mpi/nmt-train, which "make test-programs" builds
#   HEED_BENCH_SIZES    "small base"       HEED_BENCH_RATES  "none 10gbit 1gbit"
#   HEED_BENCH_RANKS    "2"                HEED_BENCH_TYPES  "fp32 bf16"
#   HEED_BENCH_UPDATES  8, the first three of which do not count;  HEED_BENCH_TOKENS 2048
# Each rank has one thread on one processor; with more ranks than processors, they share them.
# The kernel must have tbf; there is no delay, because many kernels lack netem.
# Medians of updates: tokens/s, seconds, times one process, "waiting" of the log, MB that the first host
# sends for an update, and the MB by the formula of heed-cluster(7).
set -eu
top=${HEED_TOP:-$(pwd)}
stream=$(readlink -f "${HEED_BENCH_STREAM:?a stream of sentence pairs}")
train=$(readlink -f "${HEED_BENCH_MPI:-$top/build/release/mpi/nmt-train}")
updates=${HEED_BENCH_UPDATES:-8} cores=$(nproc --all)
PATH=$top/bin:$PATH
. "$top/tests/perf/lib/namespaces.sh"
work=$(mktemp -d) && cd "$work"
trap 'network_down; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cat > rank <<'END'
#!/bin/sh
exec taskset -c $((${OMPI_COMM_WORLD_RANK:-0} % CORES)) "$@"
END
sed -i "s/CORES/$cores/" rank && chmod +x rank
median() { sort -n | awk '{ a[NR] = $1 } END { print NR ? a[int((NR + 1) / 2)] : 0 }'; }
# of FIELD: the median over the updates after the third
of() { heed-show -f "$1" log | tail -n +4 | median; }
# time of an update, in seconds
time_of() { heed-show -f tokens,speed log | awk '{ print ($1 - before) / $2; before = $1 }' | tail -n +4 | median; }
sent() { ip -n heed1 -s link show eth0 | awk 'p { print $1; exit } /TX:/ { p = 1 }'; }
options() { echo "--size $1 --arch tie=all -t 1 -q --batch-tokens ${HEED_BENCH_TOKENS:-2048} --part-tokens 2048 --updates $updates --log-every 1 --log $work/log -o $work/model.tar"; }

printf '%-6s %5s %-7s %-5s %9s %8s %6s %8s %9s %9s\n' size ranks rate type tokens/s s/update times waiting MB/update expected
for size in ${HEED_BENCH_SIZES:-small base}; do
	./rank "$train" $(options "$size") "$stream"
	one=$(of speed)
	elements=$(nmt-info model.tar | awk '$1 == "parameters" { print $2 }')
	printf '%-6s %5d %-7s %-5s %9.0f %8.3f\n' "$size" 1 - - "$one" "$(time_of)"
	for ranks in ${HEED_BENCH_RANKS:-2}; do
		network_up "$ranks"
		for rate in ${HEED_BENCH_RATES:-none 10gbit 1gbit}; do
			network_rate "$rate"
			for type in ${HEED_BENCH_TYPES:-fp32 bf16}; do
				before=$(sent)
				network_run "$ranks" "$work/rank" "$train" $(options "$size") --gradients $type "$stream"
				after=$(sent)
				echo "$(of speed) $one $(of waiting) $before $after $(time_of)" | awk -v u="$updates" -v p="${elements:-0}" \
				    -v n="$ranks" -v w=$([ $type = bf16 ] && echo 2 || echo 4) -v row="$size $ranks $rate $type" '{
					split(row, r, " ")
					printf "%-6s %5d %-7s %-5s %9.0f %8.3f %6.2f %8.2f %9.1f %9.1f\n", r[1], r[2], r[3], r[4], $1, $6, $1 / $2,
					    $3, ($5 - $4) / u / 1e6, 2 * (n - 1) / n * p * w / 1e6 }'
			done
		done
		network_down
	done
done
