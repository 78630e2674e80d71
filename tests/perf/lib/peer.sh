# peer.sh: the corpus and the PyTorch peer that benchmarks share; sourced, $top and $here are set.
#   HEED_BENCH_DATA   folder with {train,val,test_2016_flickr}.{en,de}, or .gz of them
#   HEED_BENCH_TORCH  a PyTorch script with the options of nmt_torch.py, which is the default where
#                     python3-torch is installed; "no" for none
peer=${HEED_BENCH_TORCH:-$here/nmt_torch.py}
/usr/bin/python3 -c 'import torch' 2> /dev/null || peer=no

text() {	# SPLIT SIDE
	f=$HEED_BENCH_DATA/$1.$2
	if [ -e "$f.gz" ]; then zcat "$f.gz" > "$1.$2"; else cp "$f" "$1.$2"; fi
}
texts() { for s in train val test_2016_flickr; do text $s en; text $s de; done; }

# Joint BPE codes with the given number of merges; the peer's files SPLIT.SIDE.bpe and our streams SPLIT.heed.
segment() {	# MERGES
	cat train.en train.de | bpe-learn --text --merges "$1" > codes
	for s in train val test_2016_flickr; do
		for l in en de; do bpe-apply --text -c codes < $s.$l > $s.$l.bpe; done
		heed-pack $s.en $s.de | bpe-apply -c codes > $s.heed
	done
}

# Debian's OpenBLAS does not know every processor with AVX-512 or AVX2 and would run without them.
coretype=$(awk '/^flags/ { print / avx512dq / ? "SkylakeX" : / avx2 / ? "Haswell" : ""; exit }' /proc/cpuinfo)
[ -n "$coretype" ] || coretype=$(uname -m)
torch() {
	tc=$(ls /usr/lib/x86_64-linux-gnu/libtcmalloc*.so.4 2> /dev/null | head -n 1)
	OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-$coretype} LD_PRELOAD=$tc \
	    LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/openblas-openmp \
	    /usr/bin/python3 "$peer" --data . "$@" 2> /dev/null
}

seconds() {	# COMMAND...: of the wall clock
	begin=$(date +%s%N)
	"$@" > /dev/null
	echo "$begin $(date +%s%N)" | awk '{ print ($2 - $1) / 1e9 }'
}
