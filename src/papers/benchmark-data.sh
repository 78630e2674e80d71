#!/bin/sh
# benchmark-data.sh MODEL PARSED SRC TGT [GOLD]: writes a stream of sentence pairs, segmented as the model
# requires.  PARSED: tokenized sentences, with trees if there is a parser, for models with BPE codes.
# SRC and TGT: the raw text, for models with SentencePiece models; models with neither get it as it is.
# GOLD: a file of alignments, which become the field x.gold.
set -eu
model=$1 parsed=$2 src=$3 tgt=$4 gold=${5-}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if nmt-info -c "$model" > "$dir/codes" 2> /dev/null && [ -s "$dir/codes" ]; then
	bpe-apply -c "$dir/codes" < "$parsed" > "$dir/out"
elif nmt-info --spm src "$model" > "$dir/src" 2> /dev/null && [ -s "$dir/src" ] && nmt-info --spm tgt "$model" > "$dir/tgt"; then
	heed-pack "$src" "$tgt" | bpe-apply --src-spm "$dir/src" --tgt-spm "$dir/tgt" > "$dir/out"
else
	heed-pack "$src" "$tgt" > "$dir/out"
fi
if [ -n "$gold" ]; then heed-paste --text x.gold="$gold" "$dir/out"; else cat "$dir/out"; fi
