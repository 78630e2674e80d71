# train.sh: small corpora and a small model for the tests of training; sourced after lib.sh.
# pairs N SEED NAME: NAME.heed with N pairs of two invented languages, in subwords
pairs() {
	awk -v n="$1" -v seed="$2" -f "$HEED_TOP/tests/data/pairs.awk" > "$3.tsv"
	cut -f 1 "$3.tsv" > "$3.en"
	cut -f 2 "$3.tsv" > "$3.xx"
	[ -s codes ] || cat "$3.en" "$3.xx" | bpe-learn --text --merges 150 > codes
	heed-pack --no-pg "$3.en" "$3.xx" | bpe-apply --no-pg -c codes > "$3.heed"
}
# rows FIELD,... LOG: these fields of a log
rows() { heed-show -f "$1" "$2"; }

# toy ARGUMENT...: trains a very small model; a program, so that exits can call it
mkdir programs
cat > programs/toy <<'END'
#!/bin/sh
# fp32, so that results are the same on all processors.
exec sh "$HEED_TOP/tests/last.sh" nmt-train --precision fp32 -q -t 1 --no-pg \
    --arch enc_layers=1,dec_layers=1,width=32,ff=64,heads=2 \
    --batch-tokens 400 --schedule constant --warmup 0 --lr 0.003 "$@"
END
chmod +x programs/toy
PATH=$PWD/programs:$PATH
