#!/bin/sh
# make draw: tables, figures and pages of a ledger that is not complete, of runs of the published one.
. "$HEED_TOP/tests/lib.sh"
published=$HEED_TOP/results/voita/run/multi30k.en-de
if [ ! -d "$published/base" ]; then echo '1..0 # SKIP there are no published results here'; exit 0; fi
plan 17

ledger=$scratch/ledger runs=voita/run/multi30k.en-de
# add RUN...: adds runs of voita to the ledger
add() {
	for run; do
		mkdir -p "$ledger/$runs/${run%/*}"
		cp -rp "$published/$run" "$ledger/$runs/${run%/*}"
	done
}
draw() { # LEDGER SETTING...
	r=$1; shift
	make --no-print-directory -C "$HEED_TOP" -f pipeline.mk MODE="$HEED_MODE" draw R="$r" W="$r.work" "$@" > log 2>&1
}
# drawn 'what': whether the last command succeeded
drawn() { r=$?; say $r "$1"; that $r = 0 || tail -n 12 log | sed 's/^/# /'; }
# has 'what' TEXT FILE...: whether these files have the text
has() {
	what=$1 text=$2; shift 2
	for file; do grep -q "$text" "$file" || echo "$file"; done > lacking
	that ! -s lacking; say $? "$what"; sed 's/^/# /' lacking
}

mkdir -p "$ledger/voita" "$ledger/rhe"
echo "PROFILE=cpu CORPUS='multi30k'" | tee "$ledger/voita/command" > "$ledger/rhe/command"
! draw "$ledger"; drawn 'a ledger without runs is refused'
has '... by name' 'warning: voita is not drawn: .* such as voita/multi30k.en-de/' log
add base/1
find ledger ledger.work | sort > before; make --no-print-directory -n -C "$HEED_TOP" -f pipeline.mk draw R="$ledger" W="$ledger.work" > log 2>&1
r=$?; find ledger ledger.work | sort > after; that $r = 0 && matches 'heed-report --title' log && equals before after; say $? 'a dry run makes no file'
draw "$ledger"; drawn 'the first run'
has '... papers without runs are left out' 'warning: rhe is not drawn' log
has '... missing runs are reported' ' of [the ]*[0-9]* runs' log ledger/voita/report.html ledger/report.html
mkdir -p "$ledger/voita/posthoc/encoder"; cp -p "$HEED_TOP"/results/voita/posthoc/encoder/[12].heed.gz* "$ledger/voita/posthoc/encoder"
add base/2 enc-4/1 enc-4/2 longer-enc/1 longer-enc/2
draw "$ledger"; drawn 'more runs'
has '... are compared' 'Encoder, λ4 | 8.5 ' ledger/voita/encoder.md
has '... with their curves' '^| ablation | 2 ' ledger/voita/posthoc-encoder.md
draw "$ledger" SYSTEMS=enc-4; drawn 'SYSTEMS'
has '... adds their baselines' 'Base | 48' ledger/voita/encoder.md
! draw "$ledger" SYSTEMS=enc-44; drawn 'SYSTEMS that no paper has'

# What was drawn before does not matter.
rm -r "$ledger/$runs/base/2" "$ledger/$runs/enc-4/2"
draw "$ledger" SYSTEMS=; drawn 'fewer runs'
cp -r ledger again; find again -type f ! -name command ! -path '*/run/*' ! -name '*.heed.gz*' -delete
draw "$scratch/again"; drawn '... from the beginning'
diff -r ledger again > diff; r=$?; say $r '... with the same results'; that $r = 0 || head -n 12 diff | sed 's/^/# /'

# In the source tree, git sees the ledger, and nothing that is drawn.
cp "$HEED_TOP/results/.gitignore" again && git init -q again && git -C again ls-files -o --exclude-standard > seen 2> err
grep -v '/run/\|/command$\|/posthoc/.*[.]heed[.]gz\|[.]pairs$\|^.gitignore$' seen > drawn; that ! -s drawn; r=$?
say $r 'git ignores what is drawn'; that $r = 0 || head -n 12 drawn | sed 's/^/# /'
(cd again && find . -type f -path '*/run/*') | sed 's,^./,,' | sort > entries; sort seen | comm -23 entries - > lacking
that -s entries && that ! -s lacking; say $? '... but not the entries of runs'
