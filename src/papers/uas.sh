#!/bin/sh
# uas.sh RUN STREAMS: prints the facts uas.src and uas.tgt of a run: unlabeled attachment score,
# in percent, of the first head of the first layer on 500 development sentences.  A word is
# correct if the head attends most to its head word in the tree.  Sides without trees of words,
# such as sequences of nodes, have no fact.
#
# A word is represented by the row of its last subword, and any subword of the head word is
# correct; the root is its own head.  In the decoder, words whose head follows them are not
# counted.
set -eu
# side SIDE STREAM MODEL WEIGHTS CAUSAL
side() {
	[ "$(heed-check --list "$2" | cut -f 3 | grep -cx "$1[.]heads\|$1[.]word")" = 2 ] || return 0
	heed-sample -n 500 "$2" | nmt-score -q -m "$3" --attention-weights |
	heed-show -f "$1.heads,$1.word,$4" | awk -F'\t' -v name="uas.$1" -v causal="$5" '
	{
		n = split($1, head, " "); m = split($2, word, " ")
		if (!m || !n) next
		# Rows of the first head: as long as the first of them.
		split($3, part, "]"); width = split(part[1], cell, ",")
		gsub(/[][]/, "", $3); split($3, weight, ",")
		split("", first); split("", last)
		for (i = 1; i <= m; i++) {
			w = word[i] + 1; last[w] = i
			if (!(w in first)) first[w] = i
		}
		for (w = 1; w <= n; w++) {
			gold = head[w] ? head[w] : w; row = (last[w] - 1) * width
			if (causal && first[gold] > last[w]) continue
			best = 1
			for (j = 1; j <= width; j++)
				if (weight[row + j] + 0 > weight[row + best] + 0) best = j
			all++; right += best <= m && word[best] + 1 == gold
		}
	}
	END { if (all) printf "%s\t%.4f\n", name, 100 * right / all }'
}
side src "$2/dev.heed" "$1/model.tar" att.enc-self.1 0
side tgt "$2/dev.heed" "$1/model.tar" att.dec-self.1 1
