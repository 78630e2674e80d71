#!/bin/sh
# record.sh RUN STREAMS SCRIPT NAME=VALUE...: what a run came to, a line a fact, name, tab, value;
# for pipeline.mk.  SCRIPT, or -, is the paper's own: it is given RUN and STREAMS and adds more.
set -eu
run=$1 streams=$2 script=$3
shift 3
fact() { printf '%s\t%s\n' "$1" "$2"; }

for pair; do fact "${pair%%=*}" "${pair#*=}"; done
fact finished "$(date -u -r "$run/model.tar" +%Y-%m-%dT%H:%M:%SZ)"

# Both scores: mteval's is a share, the others percentages.
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{
		name = NR == 2 ? "bleu" : "sacrebleu"
		printf "%s\t%.4f\n", name, $at["score"] * ($at["signature"] ~ /mteval/ ? 100 : 1)
		printf "%s.signature\t%s\n", name, $at["signature"]
	}' "$run/bleu.tsv"

# The model is that of the last update, or of the best validation.
best=last
case $(cat "$run/settings") in *--keep-best*) best=best ;; esac
heed-show -f step,dev.nll,tokens,speed "$run/log.heed" | awk -F'\t' -v best=$best '
	$2 != "" { nll = best == "last" || nll == "" || $2 + 0 < nll + 0 ? $2 : nll }
	$4 > 0 { seconds += ($3 - before) / $4; before = $3; step = $1; tokens = $3 }
	END {
		printf "dev.nll\t%.6f\n", nll
		if (seconds) printf "updates\t%d\ntokens\t%d\nseconds\t%.1f\n", step, tokens, seconds
	}'
# The median speed, in symbols and in updates a second.
heed-show -f speed,tokens,step "$run/log.heed" | awk -F'\t' '$1 > 0' | sort -n | awk -F'\t' '
	{ v[NR] = $1; if ($3 > step) { step = $3; tokens = $2 } }
	END {
		if (!NR) exit
		speed = v[int((NR + 1) / 2)]
		printf "speed\t%.1f\nsteps\t%.4f\n", speed, speed * step / tokens
	}'

nmt-info "$run/model.tar" | awk -F'\t' '
	$1 == "parameters" || $1 == "vocab.src" || $1 == "vocab.tgt" { print $1 "\t" $2 }
	$1 == "attention" && $2 != "plain" { print "attention." ++n "\t" $2 }
	$1 == "pg" { split($2, word, " "); version = word[2] }
	END { print "version\t" version }'
[ ! -r "$run/commit" ] || fact commit "$(cat "$run/commit")"

# What the variants reported of the last validation.
heed-show "$run/log.heed" | grep '"dev.nll"' | tail -n 1 | tr ',{}' '\n\n\n' |
	sed -n 's/^"\([^"]*\)":\([-+.0-9e]*\)$/\1\t\2/p' |
	awk -F'\t' '$1 !~ /^(step|epoch|loss|nll|lr|norm|tokens|speed|dev[.]nll|dev[.]bleu)$/'

# The data: how many pairs, and their sums.
while read -r split sum n; do
	fact "pairs.$split" "$n"
	fact "data.$split" "$sum"
done < "$streams/sums"

[ "$script" = - ] || sh "$script" "$run" "$streams"
