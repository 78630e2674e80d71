#!/bin/sh
# inject: if a read, write, fsync, close, rename or open fails, if the disk is full, if there is no
# memory, or if a file is truncated while it is read, a program ends with 4, and its output file is
# either complete or missing.
. "$HEED_TOP/tests/lib.sh"

if [ "${HEED_MODE:-release}" != release ]; then
	echo "1..0 # SKIP a preloaded library does not work with a sanitizer"
	exit 0
fi
io=$HEED_BUILD/tests/inject/io.so

i=0; while [ $i -lt 300 ]; do i=$((i + 1)); echo "line $i of a text"; done > t.en
sed 's/line/Zeile/' t.en > t.de
gzip -c t.en > t.en.gz
tar -cf t.tar t.en t.de
heed-pack t.en t.de > t.heed
heed-show t.heed > t.json
# the head of each word but the first is the previous word
awk '{ for (i = 1; i <= NF; i++) printf "%d\t%s\t_\tX\t_\t_\t%d\tx\t_\t_\n", i, $i, i - 1; print "" }' t.en > t.conllu
{
	echo '["heed",1,"sentence",{"fields":{"src":"str","src.heads":"[int]"}}]'
	sed 's/.*/{"src":"&","src.heads":[0,1,2,3,4]}/' t.en
	echo '["heed-end",300]'
} | heed-pack -j --no-pg > heads.heed
dep2const --no-pg heads.heed > trees.heed
dep2const t.conllu > t.ptb
printf 'a\tb\n1\t2\n' > t.tsv
echo '<svg></svg>' > t.svg
sed 's/"tgt"/"hyp"/g' t.json | heed-pack -j > hyp.heed

# damaged: the result is there and another one than in a run without failures.  A folder is there when
# its record, config.json or decoder.yml is.
damaged() {
	[ -e result ] || return 1
	[ -f result ] || [ -e result/record ] || [ -e result/config.json ] || [ -e result/decoder.yml ] || return 1
	! diff -r result whole > /dev/null
}
# broken CALL:K 'command': makes this call fail; sets fired to 0 if it does not occur.  harmless: calls
# that a program may do without, such as close of what was read, and mmap of large blocks, which can
# be smaller.
harmless='close fstat mmap'
broken() {
	rm -rf result*; got=0 fired=1
	HEED_INJECT=$1 sh -c "exec env LD_PRELOAD=$io $2" < t.heed > /dev/null 2> err || got=$?
	grep -q '^injected' err || fired=0
	runs=$((runs + fired))
	if damaged; then
		echo "# $1 left a damaged file"; bad=1
	elif [ $got = 0 ] && [ -e whole ] && ! [ -e result ]; then
		echo "# $1: success without a file"; bad=1
	elif [ $got != 0 ] && [ $got != 4 ] && [ "${1%:*} $got" != 'cut 3' ]; then
		echo "# $1 ended with $got"; sed 's/^/# /' err; bad=1
	fi
	case " $harmless " in
	*" ${1%:*} "*) ;;
	*) [ $fired = 0 ] || [ $got != 0 ] || { echo "# $1 was ignored"; bad=1; } ;;
	esac
	# A lock file that cannot be examined may be that of another process.
	case $1 in fstat:*) rm -f result.lock ;; esac
	for f in result.* result/*.tmp; do
		[ -e "$f" ] && { echo "# $1 left $f"; bad=1; }
	done
}
# breaks NAME 'command': makes one call after another fail, for each kind of call, and gives the disk
# room for more and more bytes.  The command writes to the file or folder result, or only prints.
breaks() {
	rm -rf result* whole
	sh -c "$2" < t.heed > /dev/null 2>&1 || { say 1 "$1 works"; return; }
	[ ! -e result ] || mv result whole
	bad=0 runs=0
	for call in read write fsync close rename open fstat mmap; do
		most=60; [ $call != mmap ] || most=9
		k=1 fired=1
		while [ $fired = 1 ] && [ $k -le $most ]; do broken $call:$k "$2"; k=$((k + 1)); done
	done
	k=0 fired=1
	while [ $fired = 1 ]; do broken full:$k "$2"; k=$((k * 20 + 1)); done
	[ $runs -ge 4 ] || bad=1
	that $bad = 0; say $? "$1: $runs failed calls are detected and leave no partial file"
}
# cuts FILE 'command': FILE, and then other files, are truncated after they were mapped for reading; a
# file that is empty before it is read is malformed
cuts() {
	rm -rf result*; cp "$1" kept; bad=0 runs=0 k=1 fired=1
	rm -rf whole; sh -c "$2" < t.heed > /dev/null 2> err && mv result whole || { say 1 "$2 works"; return; }
	while [ $fired = 1 ]; do broken cut:$k "$2"; cp kept "$1"; k=$((k + 1)); done
	[ $runs -ge 1 ] || bad=1
	that $bad = 0; say $? "${2%% *}: $1 is truncated while it is read"
}

breaks 'heed-pack' 'heed-pack --no-pg -o result t.en t.de'
breaks 'heed-pack of a compressed file' 'heed-pack --no-pg -o result t.en.gz t.de'
breaks 'heed-pack of an archive' 'heed-pack --no-pg -o result t.tar:t.en t.tar:t.de'
breaks 'heed-pack --json' 'heed-pack --no-pg -j -o result t.json'
breaks 'heed-show' 'heed-show -o result t.heed'
breaks 'heed-report' 'heed-report --table t.tsv --figure t.svg --translations hyp.heed -o result'
breaks 'heed-show from a pipe' 'heed-show -o result'
breaks 'heed-filter' 'heed-filter --no-pg -q -u -o result t.heed'
breaks 'dep2const' 'dep2const -o result t.conllu'
breaks 'dep2const of a stream' 'dep2const --no-pg -o result heads.heed'
breaks 'tree2mask' 'tree2mask --no-pg -o result heads.heed'
breaks 'phrase-rp' 'phrase-rp --no-pg -o result trees.heed'
breaks 'conllu2heed' 'conllu2heed --no-pg -p t.conllu -o result t.heed'
breaks 'ptb2heed' 'ptb2heed --no-pg -p t.ptb -o result t.heed'
breaks 'tree-stats' 'tree-stats -o result t.conllu heads.heed'
breaks 'parse-score' 'parse-score -o result t.conllu heads.heed'
breaks 'heed-paste' 'heed-paste --no-pg --text hyp=t.en -o result t.heed'
breaks 'heed-sample' 'heed-sample --no-pg -n 100 -o result t.heed'

# Programs that read text, and those that read and write models.
head -n 40 t.en > s.en; head -n 40 t.de > s.de
cat s.en s.de | bpe-learn --text -q --merges 40 > codes
heed-pack --no-pg s.en s.de | bpe-apply --no-pg -c codes > s.heed
train='nmt-train -q --precision fp32 --no-pg -t 1 --arch enc_layers=1,dec_layers=1,width=8,ff=8,heads=1 --batch-tokens 200 --updates 2'
$train -o m.tar s.heed
breaks 'bpe-learn' 'bpe-learn --text -q --merges 40 -o result t.en'
breaks 'the vocabulary of bpe-learn' 'bpe-learn --text -q --merges 40 --write-vocabulary result t.en'
breaks 'bpe-apply' 'bpe-apply --no-pg -c codes -o result s.heed'
breaks 'bpe-apply --text' 'bpe-apply --text -c codes -o result s.en'
bpe-apply --no-pg -c codes trees.heed > pieces.heed
breaks 'tree-linearize' 'tree-linearize --no-pg -o result pieces.heed'
breaks 'tokenize' 'tokenize -o result t.en'
breaks 'detokenize' 'detokenize -o result t.en'
breaks 'bleu' 'bleu -r s.en -o result s.de'
breaks 'nmt-train' "$train --seed 3 -c codes -o result s.heed"
breaks 'a checkpoint of nmt-train' "$train --checkpoint result -o other s.heed"
breaks 'head-prune' 'head-prune -q --no-pg -m m.tar --heads enc-self.1:1 -o result'
breaks 'nmt-average' 'nmt-average --no-pg -o result m.tar m.tar'
breaks 'nmt-score' 'nmt-score --no-pg -q -m m.tar -o result s.heed'
breaks 'nmt-translate' 'nmt-translate --no-pg -q -m m.tar --max-extra 3 --max-ratio 0 --beam 1 -o result s.heed'

breaks 'shortlist-learn' 'shortlist-learn -q -m m.tar -o result s.heed'
cuts m.tar 'nmt-translate --no-pg -q -m m.tar --max-extra 3 --max-ratio 0 --beam 1 -o result s.heed'
cuts s.heed "$train -o result s.heed"

# Programs that measure, draw and record
breaks 'head-stat' 'head-stat --no-pg -q -m m.tar -o result s.heed'
head-stat --no-pg -q -m m.tar --measure gradient s.heed > stat.heed
head-lrp --no-pg -q -m m.tar s.heed > lrp.heed
breaks 'head-lrp' 'head-lrp --no-pg -q -m m.tar -o result s.heed'
breaks 'head-compare' 'head-compare --permutations 9 -o result stat.heed lrp.heed'
head-lrp --no-pg -q --tokens -m m.tar s.heed | heed-sample --no-pg -n 4 -o tokens.heed
breaks 'token-curve' 'token-curve --no-pg -q --random 1 -m m.tar -o result tokens.heed'
breaks 'head-curve' 'head-curve --no-pg -q --random 2 --points 2 -m m.tar -o result s.heed'
head-curve --no-pg -q --random 2 -m m.tar s.heed > curve.heed
breaks 'curve-compare' 'curve-compare -o result curve.heed'
curve-compare --to plot curve.heed > curve.tsv
breaks 'heed-plot' 'heed-plot -o result curve.tsv'
breaks 'head-map' 'head-map -m m.tar --id 2 --to svg -o result s.heed'
breaks 'the page of head-map' 'head-map -m m.tar -n 2 --to html -o result s.heed'
sed 's/.*/0-0 1-1/' s.en > links
breaks 'align-score' 'align-score -r links -o result links'
nmt-translate --no-pg -q -m m.tar --max-extra 3 --max-ratio 0 --beam 1 s.heed | nmt-score -q --no-pg -m m.tar -o m.test
$train --log m.log --dev s.heed --validate-every 1 -o m.tar s.heed 2> err
entry='heed-record -m m.tar --log m.log --test m.test -r s.de paper=toy column=t.en-xx variant=one seed=1 commit=c0ffee profile= settings=--updates'
$entry -o entry
breaks 'heed-record' "$entry -o result"
breaks 'heed-record --to json' 'heed-record --to json entry/record'
breaks 'heed-report with a run' 'heed-report --run entry -o result'
printf 'toy/t.en-xx/one/1\t-\t-\t--updates 2\n' > wanted
breaks 'heed-plan' 'heed-plan --drafts --ledger . wanted'
breaks 'heed-check' 'heed-check --sum id,src s.heed'
harmless="$harmless open"	# which asks only what kind of file it is
breaks 'nmt-info' 'nmt-info m.tar'

# Models of other toolkits
for preset in story fairseq; do
	sh "$HEED_TOP/tests/last.sh" $train --preset $preset -o $preset.tar s.heed 2> err
done
breaks 'nmt-export --to marian' 'nmt-export --to marian -o result story.tar'
breaks 'nmt-export --to hf' 'nmt-export --to hf -o result fairseq.tar'
nmt-export --to marian -o marian story.tar && nmt-export --to hf -o hf fairseq.tar
breaks 'nmt-import from marian' 'nmt-import -q --no-pg -o result marian'
breaks 'nmt-import from hf' 'nmt-import -q --no-pg -o result hf'
cuts hf/model.safetensors 'nmt-import -q --no-pg -o result hf'
harmless='close fstat mmap'

{ echo '(S (A line) (B text))'; echo '(S (A text))'; } > bank.ptb
learn='parse-train -q --no-pg -t 1 --arch word_width=2,feature_rows=2,width=2,heads=1,layers=1,hidden=2 --updates 2'
$learn -o p.tar bank.ptb
breaks 'parse-train' "$learn --seed 3 -o result bank.ptb"
breaks 'a checkpoint of parse-train' "$learn --checkpoint result -o other bank.ptb"
breaks 'parse-train --pcfg' 'parse-train --pcfg -o result bank.ptb'
breaks 'parse of a stream' 'parse --no-pg -q -t 1 -m p.tar -o result s.heed'
breaks 'parse of text' 'parse -q -t 1 -m p.tar --text --to ptb -o result s.en'

# same_under MODE 'command': short or interrupted calls do not change the output
same_under() {
	sh -c "$2" < t.heed > want 2> /dev/null
	HEED_INJECT=$1 sh -c "exec env LD_PRELOAD=$io $2" < t.heed > got 2> err; r=$?
	that $r = 0 && equals want got
	say $? "$1: $2"
}

for mode in short eintr; do
	same_under $mode 'heed-pack --no-pg t.en.gz t.de'
	same_under $mode 'heed-pack --no-pg t.tar:t.en t.de'
	same_under $mode 'heed-show'
	same_under $mode 'heed-filter --no-pg -q'
	same_under $mode 'heed-sample --no-pg --shuffle'
done
plan $n
