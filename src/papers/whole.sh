#!/bin/sh
# whole.sh PARSED PREPARED: a development or test set has all its sentences after the commands of a
# paper; otherwise its translations would be scored against references of other sentences.
n=$(heed-show -f tgt "$1" | wc -l) m=$(heed-show -f tgt "$2" | wc -l)
[ "$n" = "$m" ] && exit
echo "pipeline: error: $2: $m sentences, expected all $n of $1: the commands of the paper" \
	"('prepare') may leave out sentences of the training data only; see {split} in heed-pipeline(7)" >&2
rm -f "$2"
exit 3
