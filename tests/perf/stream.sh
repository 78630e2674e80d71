#!/bin/sh
# How fast streams are made, read, checked and shown: megabytes of stream a second, median of three.
set -e
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
awk 'BEGIN {
	srand(1)
	n = split("the haus straße of für überall translation machine größe небо красный two men talk", w, " ")
	for (i = 0; i < 200000; i++) {
		line = ""
		for (k = 3 + int(rand() * 35); k > 0; k--) line = line w[1 + int(rand() * n)] " "
		print line "."
	}
}' > t.en
sort t.en > t.de
heed-pack t.en t.de > t.heed
heed-show t.heed > t.json
size=$(wc -c < t.heed)

# rate NAME 'command'
rate() {
	for i in 1 2 3; do
		begin=$(date +%s%N); sh -c "$2" > /dev/null; end=$(date +%s%N)
		echo $((end - begin))
	done | sort -n | awk -v name="$1" -v size="$size" 'NR == 2 { printf "%-28s %6.0f MB/s\n", name, size * 1000 / $1 }'
}

rate 'heed-check' 'heed-check -q t.heed'
rate 'heed-filter, all kept' 'heed-filter -q t.heed'
rate 'heed-filter -u' 'heed-filter -q -u t.heed'
rate 'heed-sample --shuffle' 'heed-sample --shuffle t.heed'
rate 'heed-pack' 'heed-pack t.en t.de'
rate 'heed-show -f src,tgt' 'heed-show -f src,tgt t.heed'
rate 'heed-show' 'heed-show t.heed'
rate 'heed-pack -j' 'heed-pack -j t.json'
if python3 -c 'import msgpack' 2> /dev/null; then
	rate 'python3-msgpack, reading' "python3 -c 'import msgpack
for x in msgpack.Unpacker(open(\"t.heed\", \"rb\")): pass'"
fi
