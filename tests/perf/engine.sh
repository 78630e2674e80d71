# engine.sh: training steps of made-up sentences, small and base, and matrix products alone.
for size in small base; do
	for backend in native openblas; do
		"$HEED_BUILD"/tests/perf/engine $size 2 $backend 5
	done
done
"$HEED_BUILD"/tests/perf/gemm 2
"$HEED_BUILD"/tests/perf/gemm decode 1
