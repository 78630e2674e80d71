#!/bin/sh
# heed-tutorial(7), literally: its commands in their order, and what they print.
#
# In the page a comment line before a literal display says what the display is:
#   .\" step          commands; they must succeed (sh -e)
#   .\" fails N       commands of which the last exits with N
#   .\" shows         what the step before printed on standard output and error: these lines in this
#                     order; any number stands for any other, three dots for anything; daggers do not count
#   .\" example       the same, not compared, because it depends on the text
#   .\" write NAME    contents of a file
# A line ".\" part FOLDER" begins a part of the page, which runs in that folder.
#
# It runs on pairs of two invented languages, with fewer merges and updates.  HEED_LONG=1 and
# HEED_MULTI30K=FOLDER, as in tests/papers/readme.t, run the page unchanged on Multi30k, in an hour;
# HEED_TREEBANK=FOLDER with train.conllu and dev.conllu is then the treebank.
. "$HEED_TOP/tests/lib.sh"
page=$HEED_TOP/man/heed-tutorial.7

# displays: NNN.KIND for each display, and the file parts: "NNN FOLDER", "NNN KIND ARGUMENT"
mkdir displays
awk -v d=displays/ '
	/^\.\\" part / { printf "%03d part %s\n", n, $3; next }
	/^\.\\" (step|fails|shows|example|write)/ { kind = $2; arg = $3; next }
	/^\.Bd -literal/ && kind != "" { at = sprintf("%03d", ++n); print at, kind, arg; f = d at; printf "" > f; inside = 1; kind = ""; next }
	/^\.Ed/ { if (inside) close(f); inside = 0 }
	inside { gsub(/\\&/, ""); gsub(/\\e/, "\\"); gsub(/\\-/, "-"); gsub(/\\\[[+]-\]/, "±"); gsub(/\\\[dg\]/, ""); print > f }' "$page" > list
grep -c '^[0-9]* step' list | computes - '{ exit !($1 > 20) }'; say $? 'the page has its commands'

# uncompressed PATH: of a file that may be compressed
uncompressed() { if [ -e "$1" ]; then cat "$1"; else gzip -dc "$1.gz"; fi; }
mkdir tutorial
unset CMOCKA_MESSAGE_OUTPUT
export HEED_NO_INSTALL=1
# The source tree of part 3, with what has been built of it.
mkdir heed heed/build
if [ "${HEED_MODE-release}" = release ]; then
	( cd "$HEED_TOP" && cp -a Makefile VERSION pipeline.mk common src tests man bin "$scratch/heed" &&
		cp -a "$HEED_BUILD" "$scratch/heed/build/release" && { [ ! -e config.mk ] || cp -a config.mk "$scratch/heed"; } )
fi
for s in train:1:300 dev:2:60; do
	of=${s%:*}
	awk -v n=${s##*:} -v seed=${of#*:} -v what=conllu -f "$HEED_TOP/tests/data/trees.awk" > tutorial/bank.${s%%:*}.conllu
done
long=${HEED_LONG:+${HEED_MULTI30K-}}
if [ -n "$long" ]; then
	for l in en de; do
		for s in train val test_2016_flickr; do uncompressed "$long/$s.$l"; done > tutorial/corpus.$l
	done
	for s in train dev; do
		[ -z "${HEED_TREEBANK-}" ] || cp "$HEED_TREEBANK/$s.conllu" tutorial/bank.$s.conllu
	done
else
	# Raw text: capitals, points joined to words, and a duplicate pair.
	awk -v n=1200 -v seed=1 -f "$HEED_TOP/tests/data/pairs.awk" |
		perl -pe 's/ \.(?=[\t\n])/./g; s/(^|\t)(.)/$1\u$2/g; $_ .= $_ if $. == 5' > all.tsv
	cut -f 1 all.tsv > tutorial/corpus.en
	cut -f 2 all.tsv > tutorial/corpus.de
	# What is smaller here than in the page: each expression must change something.
	cat > smaller <<'END'
s/1,1000p/1,100p/
s/1001,2000p/101,200p/
s/1,2000d/1,200d/
s/--merges 8000/--merges 200/
s/--updates 2000 --dev/--updates 40 --dev/
s/--updates 1500/--updates 20/
s/--updates 1000 /--updates 20 --arch width=32,ff=64,heads=2 /
s/--validate-every 500/--validate-every 10/
s/--updates 300/--updates 10/
s/--updates 100 /--updates 10 /
s/--size small/--size tiny/
s/--keep 24/--keep 18/
s/width=128,ff=512/width=32,ff=64/
s/for seed in 1 2 3/for seed in 1 2/
s/-s INT 4/-s INT 1/
s/DATA=/PROFILE=smoke &/
s,work/cpu,work/smoke,
END
	while read -r expression; do
		sed "$expression" displays/* > changed; cat displays/* | cmp -s - changed && echo "Bail out! $expression changes nothing" && exit 1
		sed -i "$expression" displays/*
	done < smaller
fi

# shown FILE PRINTED: whether the lines of FILE are among those printed, in order
shown() {
	perl -e 'sub plain { my $s = shift; chomp $s; $s =~ s/[0-9]+([.,:][0-9]+)*(e[-+]?[0-9]+)?/N/g; $s =~ s/[-+]N/N/g; $s =~ s/†//g; $s =~ s/\s+/ /g; $s =~ s/^ //; $s }
		open my $w, "<", $ARGV[0]; open my $p, "<", $ARGV[1];
		my @printed = map plain($_), <$p>;
		for my $want (<$w>) {
			chomp $want;
			next if $want eq "...";
			my $like = join ".*", map quotemeta, split / ?\.\.\. ?/, plain($want), -1;
			shift @printed while @printed && $printed[0] !~ /^$like$/;
			unless (@printed) { print "# not printed: $want\n"; exit 1 }
			shift @printed;
		}' "$1" "$2"
}

folder=$scratch/tutorial skip=
: > printed
while read -r at kind arg; do
	if [ "$kind" = step ] || [ "$kind" = fails ]; then
		skip=
		[ "$folder" = "$scratch/tutorial" ] || [ "${HEED_MODE-release}" = release ] || skip='built without sanitizers alone'
	fi
	if [ -n "$skip" ] && [ "$kind" != part ]; then
		n=$((n + 1)); echo "ok $n - display $at # SKIP $skip"
		continue
	fi
	case $kind in
	part) folder=$scratch/$arg skip=; continue ;;
	example) continue ;;
	write) mkdir -p "$folder/$(dirname "$arg")"; cp displays/$at "$folder/$arg"; continue ;;
	shows)
		shown displays/$at printed > wrong; r=$?
		say $r "... prints what the page shows ($at)"
		[ $r = 0 ] || tail -n 20 printed | sed 's/^/#   /'
		cat wrong
		continue ;;
	esac
	want=0; [ "$kind" = fails ] && want=$arg
	began=$(date +%s)
	( unset HEED_TOP HEED_BUILD; cd "$folder" && exec sh -e "$scratch/displays/$at" ) > printed 2>&1 < /dev/null; r=$?
	that $r = "$want"; r=$?
	say $r "$(head -n 1 displays/$at | cut -c 1-60)${arg:+, exit $arg} # $(($(date +%s) - began)) s"
	[ $r = 0 ] || { sed 's/^/# /' displays/$at; tail -n 20 printed | sed 's/^/#   /'; }
done < list

# What the page promises.
cd tutorial || exit 1
keep=$(sed -n 's/.*--keep \([0-9]*\).*/\1/p' ../displays/*)
nmt-info pruned.tar | computes - -F '\t' -v keep="$keep" '{ config[$1] = $2 } $1 == "heads" { lost += config["config.heads"] - $3 }
	END { n = config["config.heads"] * (config["config.enc_layers"] + 2 * config["config.dec_layers"]) - lost; exit n != keep }'
say $? "the pruned model has $keep heads"
that "$(nmt-info tuned.tar | grep '^removed')" = "$(nmt-info pruned.tar | grep '^removed')"; say $? '... and so has the fine-tuned one'
tail -c 8 heads.html | matches '</html>'; say $? 'the page of heads is complete'
heed-show -f src.heads train.trees.heed | computes - '!NF { bad++ } END { exit !(NR && !bad) }'; say $? 'every sentence has a tree'
heed-show -f src.heads test.random.heed > random.heads
heed-show -f src.heads test.trees.heed | differ - random.heads; say $? '... which is not the random one'
computes - '$3 + 0 <= 0 || NF != 4 { bad++ } END { exit !(NR > 5 && !bad) }' < scores; say $? 'each system has its scores'
that -z "$long" || { bleu -b -r test.de out.de | computes - '{ exit !($1 > 33) }'; say $? 'the model translates as well as the page says'; }
plan $n
