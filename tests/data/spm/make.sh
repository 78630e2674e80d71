#!/bin/sh
# make.sh: small SentencePiece models, and what spm_encode and spm_decode make of text with them.
#
#	cd tests/data/spm && sh make.sh		(Debian: sentencepiece)
#
# unigram.model has a table of normalization of its own, bpe.model falls back to bytes.
set -e
tab=$(printf '\t')
# U+00A0 and U+3000 become spaces, U+FF21 "A", U+00E9 "e" and U+0301, U+00AD nothing.
printf '%s\n' "A0${tab}20" "3000${tab}20" "FF21${tab}41" "E9${tab}65 301" "AD${tab}" > rules.tsv
cat ../../golden/text/en.txt ../../golden/text/de.txt ../../golden/text/fr.txt ../../golden/text/cs.txt \
    ../../golden/text/ru.txt ../../golden/text/ro.txt ../../golden/text/bpe.txt > train
spm_train --minloglevel=2 --num_threads=1 --input=train --model_prefix=unigram --vocab_size=320 \
    --character_coverage=0.99 --normalization_rule_tsv=rules.tsv --user_defined_symbols='<de>'
spm_train --minloglevel=2 --num_threads=1 --input=train --model_prefix=bpe --vocab_size=480 --model_type=bpe \
    --byte_fallback=true --character_coverage=0.98 --normalization_rule_name=identity
for m in unigram bpe; do
	spm_encode --model=$m.model < text > $m.pieces
	spm_decode --model=$m.model < $m.pieces > $m.text
done
rm rules.tsv train unigram.vocab bpe.vocab

# The vocabularies that spm_train learns, for bpe-learn --spm.
cat ../../golden/text/ru.txt ../../golden/text/en.txt ../../golden/text/bpe.txt > train
spm_train --minloglevel=2 --num_threads=1 --input=train --model_prefix=trained-unigram --vocab_size=400
spm_train --minloglevel=2 --num_threads=1 --input=train --model_prefix=trained-bpe --vocab_size=300 --model_type=bpe \
    --normalization_rule_name=identity --character_coverage=0.99
rm train trained-*.model
# trained-bpe-0.2.vocab is that of version 0.2.0 (Debian 13), the others are of 0.1.97.
