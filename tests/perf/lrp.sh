# lrp.sh: relevance of all target positions, model of size base, as times of a forward pass.
"$HEED_BUILD"/tests/perf/lrp 14 1 100
"$HEED_BUILD"/tests/perf/lrp 25 1 20
