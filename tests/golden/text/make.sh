# make.sh: tests/golden/text once more, by the reference programs; called by make golden.
#   MOSES        a checkout of mosesdecoder
#   SUBWORD_NMT  a checkout of subword-nmt 0.3.9
#   PYTHON       a Python 3 that finds sacreBLEU 2.6
set -eu
cd "$(dirname "$0")"
[ -n "${MOSES:-}" ] && [ -n "${SUBWORD_NMT:-}" ] || {
	echo "make golden MOSES=folder SUBWORD_NMT=folder [PYTHON=python3]: where the reference programs are" >&2
	exit 2
}
python=${PYTHON:-python3} moses=$MOSES/scripts/tokenizer bpe=$SUBWORD_NMT/subword_nmt
LC_ALL=C.UTF-8; export LC_ALL

for l in en de fr cs ru tr vi ro; do
	perl "$moses/tokenizer.perl" -q -l $l -no-escape < $l.txt > $l.tok
	perl "$moses/detokenizer.perl" -q -l $l < $l.tok > $l.detok
done
perl "$moses/tokenizer.perl" -q -l en -a < en.txt > en.tok-a-escape
perl "$moses/detokenizer.perl" -q -l en < en.tok-a-escape > en.detok-a-escape

for t in 13a intl zh char none; do
	$python -c '
import sys
from sacrebleu.metrics import BLEU
tokenizer = BLEU(tokenize=sys.argv[1]).tokenizer
for line in open("sacrebleu.txt", encoding="utf-8", newline="\n"):
    print(tokenizer(line.rstrip()))' $t > sacrebleu.$t
done

# what SCRIPT ARGUMENT...: the scripts say how far they are on standard error
what() { script=$1; shift; $python "$bpe/$script.py" "$@" 2> /dev/null; }
what learn_bpe -s 300 < bpe.txt > bpe.codes
what apply_bpe -c bpe.codes < bpe.txt > bpe.out
what apply_bpe -c bpe.codes --glossaries 'H[oa]' '[0-9]+' < bpe.txt > bpe.glossaries
what get_vocab < bpe.out > bpe.vocabulary
what apply_bpe -c bpe.codes --vocabulary bpe.vocabulary --vocabulary-threshold 8 < bpe.txt > bpe.threshold
what learn_bpe -t -s 300 < bpe.txt > total.codes
what apply_bpe -c bpe-0.1.codes < bpe.txt > bpe-0.1.out
what learn_joint_bpe_and_vocab -i en.txt de.txt -s 150 -o joint.codes --write-vocabulary joint.en joint.de
