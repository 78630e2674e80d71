#!/bin/sh
# heed-record, heed-plan: entries of the ledger, compared with bleu, nmt-score and facts computed by hand.
. "$HEED_TOP/tests/lib.sh"
. "$HEED_TOP/tests/train.sh"
plan 291

pairs 300 1 train; pairs 40 2 dev; pairs 60 3 test
train() { # NAME OPTION...: a model, translations and likelihoods
	name=$1; shift
	toy --dev dev.heed --updates 60 --validate-every 20 --log-every 10 --log $name.log -c codes \
	    -o $name.tar "$@" train.heed
	nmt-translate -q --precision fp32 --no-pg -m $name.tar test.heed | nmt-score -q --no-pg -m $name.tar -o $name.test
	heed-show -f hyp $name.test > $name.tok
	detokenize -l xx < $name.tok > $name.txt
}
train one --seed 1; train two --seed 2
heed-show -f tgt test.heed > ref.tok; detokenize -l xx < ref.tok > ref.txt
for s in train dev test; do
	heed-check --sum id,src.pieces,tgt.pieces $s.heed | sed -n "s/^[^	]*	sum	/$s	/p"
done > sums
cat > programs/entry <<'END'
#!/bin/sh
# entry NAME FOLDER ARGUMENT...
name=$1 folder=$2; shift 2
exec heed-record -m $name.tar --log $name.log --test $name.test -r ref.txt --sums sums -l xx --tokenized \
    --variant multi-bleu -o $folder paper=toy column=t.en-xx variant=$name seed=1 commit=c0ffee profile= \
    "settings=--seed  1 --threads 4 -o x.tar -t2 --updates 60 --log=y --dev dev -a a:b=1" "$@"
END
chmod +x programs/entry
fact() { sed -n "s/^$1	//p" "$2/record"; }
# edit ENTRY COMMAND: changes a record with sed, and removes its checksum, as records of older versions are
edit() { sed -i "$2; /^checksum/d" $1/record; }

exits 0 'an entry from its parts' 'entry one e/one'
exits 0 '... and another entry' 'entry two e/two'
that "$(ls e/one | xargs)" = 'log.heed.zst model.tsv record sentences.heed.zst'; say $? '... of four files'

# --- facts ---
bleu_of() { bleu -b -w 4 "$@"; }
that "$(fact bleu e/one)" = "$(bleu_of --variant multi-bleu -r ref.tok one.tok)"; say $? "bleu of the script of the paper"
that "$(fact sacrebleu e/one)" = "$(bleu_of -r ref.txt one.txt)"; say $? 'sacrebleu'
that "$(fact chrf e/one)" = "$(bleu_of --metric chrf -r ref.txt one.txt)"; say $? 'chrf'
# Translations in French, all the same, against a reference in which one letter has another case
heed-show one.test | sed "/^{/s/\"hyp\":\"[^\"]*\"/\"hyp\":\"l' eau est claire ce soir .\"/" | heed-pack -j -o french
heed-show -f hyp french | sed "s/.*/L'eau est claire ce soir./" > fr.ref
for o in '-l fr' '-l en' '-l fr --lc' '-l fr --variant mteval13a' '-l fr --variant mteval13a --case'; do
	heed-record -m one.tar --log one.log --test french -r fr.ref --sums sums $o --samples 3 -o "e/french$o" \
	    paper=toy column=t.en-fr variant=one seed=1 commit=c0ffee 'settings=--seed 1' 2> /dev/null
	l=${o#-l }; l=${l%% *}; heed-show -f hyp french | detokenize -l $l > hyp.$l
	case $o in *mteval*) unit=100 ;; *) unit=1 ;; esac	# mteval-v13a.pl prints a fraction
	computes -v a="$(fact bleu "e/french$o")" -v b="$(bleu_of -r fr.ref ${o#-l ??} hyp.$l)" -v unit=$unit \
		'BEGIN { d = a - b * unit; exit !(b > 0 && d * d < unit * unit * 1e-8) }'
	say $? "bleu with $o"
done
that "$(cat e/french*/record | sed -n 's/^bleu	//p' | sort -u | wc -l)" -ge 3; say $? '... which differs'
runs heed-check -q "e/french-l fr/sentences.heed.zst" && heed-show -f src,tgt "e/french-l fr/sentences.heed.zst" | sed 's/^\t$//; /^$/d' | wc -l | matches -x 3
say $? '--samples 3: sources and references of three sentences'
heed-show -f score,score.tokens one.test | awk -F '\t' '{ s -= $1; n += gsub(/,/, "", $2) + 1 }
	END { printf "%.5f %d\n", s / n, n }' > want
that "$(fact test.nll e/one | sed 's/.$//') $(fact test.tokens e/one)" = "$(cat want)" ||
	echo "$(fact test.nll e/one) $(fact test.tokens e/one)" | computes - -v want="$(cat want)" '{
		split(want, w); d = $1 - w[1]; exit !(d * d < 1e-9 && $2 == w[2]) }'
say $? 'test.nll per target token of nmt-score'
that "$(fact test.tokens e/one)" = "$(heed-show -f tgt.pieces test.heed | awk '{ n += NF + 1 } END { print n }')"
say $? '... end-of-sentence tokens included'
rows dev.nll one.log | sed '/^$/d' | tail -n 1 | computes - -v recorded="$(fact dev.nll e/one)" '{ d = $1 - recorded; exit !(d * d < 1e-12) }'
say $? 'dev.nll of the last validation'
train heads --seed 1 --updates 2 --validate-every 1 --log-every 1 -a head-importance && entry heads e/heads
for f in weight share; do rows dev.importance.winner.$f heads.log | sed '/^$/d' | tail -n 1; done | xargs > want
echo "$(fact dev.importance.winner.weight e/heads) $(fact dev.importance.winner.share e/heads)" |
	computes - -v want="$(cat want)" '{ split(want, w); a = $1 - w[1]; b = $2 - w[2]
		exit !(w[2] > 0 && a * a < 1e-10 && b * b < 1e-10) }'
say $? 'reports of a variant at the last validation'
exits 0 'an entry with a scored development set' \
    'nmt-score -q -m one.tar dev.heed -o dev.scored && entry one e/dev --dev dev.scored'
computes -v a="$(fact dev.nll e/dev | head -n 1)" -v b="$(fact dev.nll e/one)" 'BEGIN { d = a - b; exit !(d * d < 1e-8) }'
say $? '... has the same dev.nll'
that "$(fact dev.nll e/dev | wc -l)" = 1; say $? '... once'
exits 0 'further test sets may be given' 'entry one e/also --also more=dev.scored --also 2nd_x=dev.scored'
that "$(fact also.more.nll e/also) $(fact also.2nd_x.nll e/also)" = "$(fact dev.nll e/dev) $(fact dev.nll e/dev)"
say $? '... and their NLL is recorded'
that "$(fact digest e/also)" = "$(fact digest e/one)"; say $? '... outside of the digest'
that "$(fact settings e/one)" = '--seed 1 --updates 60 -a a:b=1'; say $? 'settings without options that do not change the result'
that "$(fact ended e/one) $(fact updates e/one) $(fact precision e/one) $(fact threads e/one)" = 'updates 60 fp32 1'
say $? 'how the training ended, and its precision and threads'
that "$(fact parameters e/one)" = "$(nmt-info one.tar | sed -n 's/^parameters	//p')"; say $? 'parameters'
that "$(fact heads e/one) $(fact heads.cross e/one)" = '6 2'; say $? 'heads'
that "$(fact data.train e/one)	$(fact target.dev e/one)	$(fact pairs.test e/one)" = \
	"$(sed -n 's/^train	together	\([^	]*\).*/\1/p' sums)	$(sed -n 's/^dev	tgt.pieces	\([^	]*\).*/\1/p' sums)	60"
say $? 'checksums of the data'
lacks '^profile' e/one/record; say $? 'a fact without a value is left out'
rows tokens,speed one.log | computes - -v recorded="$(fact seconds e/one)" '{ s += ($1 - t) / $2; t = $1 }
	END { d = s - recorded; exit !(d < 0.06 && d > -0.06) }'
say $? 'seconds spent on updates'
same 'the log with rounded numbers' /dev/null \
    'heed-show -f step,dev.nll one.log > a; heed-show -f step,dev.nll e/one/log.heed.zst > b
     paste a b | awk "{ d = \$2 - \$4 } NF == 4 && d * d > 1e-10 || NF != 2 && NF != 4"'
heed-show -f src,tgt e/one/sentences.heed.zst | grep -c '[.]	.*[.]$' | matches -x 12
say $? 'twelve sentences with source and reference'
nmt-info one.tar | grep -v '^parameter	' | equals - e/one/model.tsv; say $? 'output of nmt-info without the list of parameters'

# --- the digest ---
digest() { entry one e/digest "$@" && fact digest e/digest; }
first=$(fact digest e/one)
echo "$first" | matches -x '[0-9a-f]\{16\}'; say $? 'a digest'
that "$(digest settings.note=x)" = "$first"; say $? '... which other facts do not change'
that "$(digest -- | tail -n 1)" = "$first" && that "$(fact digest e/two)" = "$first"
say $? '... nor results'
that "$(digest --after e/two/record)" != "$first"; say $? '... which a run that it depends on changes'
that "$(fact after e/digest)" = "$(fact digest e/two)"; say $? '... and which is in the fact after'
echo enc.1.self:1 > list
that "$(digest --closed list)" != "$first"; say $? '... as do masked heads'
sed 's/^dev	together	./&0/' sums > sums.other; cp sums sums.kept; cp sums.other sums
that "$(digest)" != "$first"; say $? '... and the data'; cp sums.kept sums

# --- models ---
as_one() { for x in tar log; do cp one.$x $1.$x; done; }
as_one masked; nmt-translate -q --precision fp32 --no-pg -m one.tar --mask-heads enc-self.1:1 test.heed |
	nmt-score -q --no-pg -m one.tar --mask-heads enc-self.1:1 -o masked.test
exits 0 'translations and scores with masked heads name the model' 'entry masked e/masked'
as_one joined; cat one.test two.test > joined.test
exits 3 'joined streams of two models are refused' 'entry joined e/joined'
matches 'joined.test: the next stream: another translate.model, expected streams with the same one' err; say $? '... by file'
as_one again; cat one.test one.test > again.test; cat ref.txt ref.txt > ref.twice
exits 0 '... but not those of one model' 'heed-record -m again.tar --log again.log --test again.test -r ref.twice -l xx --tokenized -o e/again \
    paper=toy column=t.en-xx variant=again seed=1'
[ ! -s err ] && sed 's/[^[:alnum:]]*$/ ./' ref.twice > ref.spaced
exits 0 'references that look tokenized' 'heed-record -m again.tar --log again.log --test again.test -r ref.spaced -l xx -o spaced \
    paper=toy column=t.en-xx variant=again seed=1'
that "$(cat err)" = 'heed-record: warning: ref.spaced: 120 lines end in a space and a period, as tokenized text does, expected untokenized references'
say $? '... with a warning'

# --- checks ---
exits 0 'valid entries are accepted' 'heed-record --check e/dev/record e/one/record'
exits 3 'the same digest with different results is refused' 'heed-record --check e/one/record e/two/record'
matches 'e/two/record: .* expected .* as in e/one/record' err; say $? '... by file and fact'
for file in model.tsv sentences.heed.zst log.heed.zst; do
	rm -rf e/fifo; cp -r e/one e/fifo; rm e/fifo/$file; mkfifo e/fifo/$file
	exits 3 "$file is a FIFO" 'timeout 20 heed-record --check e/fifo/record'; matches "e/fifo/$file: expected a regular file" err
	say $? '... which is not waited for'
done
cp -r e/one e/copy; edit e/copy 's/^seed	.*/seed	2/'
exits 3 'the same training as another seed is refused' 'heed-record --check e/one/record e/copy/record'
matches 'e/copy/record: seed 2 has the training of seed 1 in e/one/record' err; say $? '... by both files'
edit e/copy 's/^seed	.*/seed	01/'; exits 3 'a seed with a leading zero is refused' 'heed-record --check e/copy/record'
matches "e/copy/record: seed '01', expected an integer without leading zeros" err; say $? '... by file and fact'
# Two runs of the same name, with other settings or data: one would replace the other in a merged ledger.
sed 's/--updates 60/--updates 30/' programs/entry > programs/older; chmod +x programs/older; older one e/older
exits 3 'two runs of the same name are refused' 'heed-record --check e/one/record e/older/record'
matches '^heed-record: e/older/record: settings differs from that of the run of the same name in e/one/record$' err
say $? '... by both files and the fact that differs'
entry one e/older --after e/two/record; heed-record --check e/one/record e/older/record 2> err
matches '^heed-record: e/older/record: after differs' err; say $? '... as another run that it depends on'
cp sums.other sums; entry one e/older; cp sums.kept sums; heed-record --check e/older/record e/one/record 2> err
matches '^heed-record: e/one/record: data.dev differs' err; say $? '... or the data'
for fact in paper column variant; do
	older one e/older; edit e/older "s/^$fact	.*/$fact	x.other/; s/^finished	.*/finished	x/"
	exits 0 "... but not of another $fact" 'heed-record --check e/one/record e/older/record'
done
broken() { rm -rf broken; cp -r e/one broken; edit broken "$1"; }
# Runs of a column with other data, which heed-table refuses: --check says the same.
awk -F '\t' -v OFS='\t' '$1 == "test" && $2 ~ /^tgt/ { $3 = "0" $3 } 1' sums > sums.test; cp sums.test sums
sed 's/seed=1/seed=2/; s/--seed  1/--seed 2/' programs/entry > programs/second; chmod +x programs/second; second two e/other; cp sums.kept sums
exits 3 'another test set in a column is refused' 'heed-record --check e/one/record e/other/record'; cp err check.err
printf '%s\n' 'section table1 x' 'columns bleu:-' 'one - - One' 'two one - Two' > toy.grid
heed-table -g toy.grid e/one/record e/other/record 2> err > out
that "$(wc -l < err)" = 1 && matches 'e/other/record: target.test .* as in e/one/record$' err &&
	sed 's/heed-table/heed-record/' err | equals - check.err; say $? '... as by heed-table'
edit e/other 's/^paper	.*/paper	other/'
exits 0 '... but not in a column of another paper' 'heed-record --check e/one/record e/other/record'
# Two drafts and a record of another engine: the hint of the first one is not repeated.
for v in a b c; do rm -rf e/draft.$v; cp -r e/one e/draft.$v; edit e/draft.$v "s/^variant	.*/variant	$v/; s/^finished	.*/finished	$v/; /^commit/d"; done
edit e/draft.b 's/^engine	.*/engine	7/'
exits 3 'records without a commit' 'heed-record --check e/draft.?/record'
that "$(grep -c 'no fact .commit' err) $(grep -c 'e/draft.b/record: engine 7' err) $(grep -c hint: err)" = '2 1 1'; say $? '... with one hint'
refused() {
	exits 3 "$1" 'heed-record --check e/one/record broken/record'
	matches "broken/record: $2" err; say $? '... by file and fact'
}
broken 's/^commit	.*/&-dirty/'; refused 'a changed source tree is refused' 'commit c0ffee-dirty'
exits 0 '... but accepted as a draft' 'heed-record --check --drafts broken/record'
broken "s/^commit	.*/commit	$(printf '\033')[31m-dirty/"; refused 'escapes in a fact are written out' 'commit .x1b\[31m-dirty'
broken 's/^seed	.*/&\n&/'; refused 'a duplicate fact is refused' 'line [0-9]*: duplicate fact seed'
broken 's/^settings	.*/& --lr 1/'; refused 'changed settings are refused' digest
broken 's/^engine	.*/engine	0/'; refused 'another engine is refused' 'engine 0'
# A copy that ended at the end of a line: the digest is the last one.
that "$(tail -n 1 e/one/record)" = "digest	$first"; say $? 'the digest is the last line'
for lines in 1 2 9; do
	broken p; head -n -$lines e/one/record > broken/record; refused "a record without its last lines is refused: $lines" "no fact 'digest'"
done
exits 3 '... also as a draft' 'heed-record --check --drafts broken/record'
exits 3 '... and as a run that another one depends on' 'entry two e/bad --after broken/record'
broken 's/^sacrebleu	.*/sacrebleu	99/'; refused 'a score that does not match its sentences is refused' sacrebleu
exits 3 'a fact that the program computes cannot be given' 'entry one e/bad bleu=99'
matches 'duplicate fact bleu' err && that ! -e e/bad/record; say $? '... and no record is written'
entry one e/again; cp -r e/again e/kept
exits 3 'an entry that cannot be replaced has no record' 'entry two e/again bleu=99'; that ! -e e/again/record; say $? '... but the files of another run'
exits 2 'a malformed operand leaves the entry as it is' 'entry two e/kept x' && that -e e/kept/record; say $? '... with its record'
intact() { equals e/kept e/intact; say $? '... and leaves the entry as it is'; }
cp -r e/kept e/intact
for o in '-m none' '-m two.tar --after none' '-m two.tar --closed none'; do
	exits 4 "a missing file is an error: $o" \
	    "heed-record --log two.log --test two.test -r ref.txt -o e/intact x=1 $o"; intact
done
exits 2 'a digest cannot be given' 'entry two e/intact digest=1'; intact
printf 'digest\t1\n' > digest.facts
exits 3 '... nor read' 'entry one e/bad --facts digest.facts'
before=$(fact digest e/intact)
exits 0 'an entry may depend on that which it replaces' 'entry two e/intact --after e/intact/record'
that "$(fact after e/intact)" = "$before"; say $? '... whose digest is recorded'
exits 2 '--check with options for writing' 'entry one e/bad --check e/one/record'
for o in '--sums x' '--facts x' '--closed x' '--after x' '--also a=x' '--variant mteval13a' '--tokenizer 13a' --tokenized '-l de' --lc --case '--samples 3'; do
	for form in --check '--to json'; do
		ends 2 heed-record $form $o e/one/record 2> err && matches -e "--.* has no effect with $form" err || echo "$o"
	done
done > bad.options
that ! -s bad.options; say $? '... each of them, also with --to json'
exits 2 '--drafts without --check' 'entry one e/bad --drafts'
printf '%s\t%s\n' paper rhe column t.en-de variant 'a"\\b' seed 1 bleu 21.5000 loss -0.25 code 007 long 1e5 dot 1. \
    empty '' commit 1234567 digest 1234567890123456 data.train 12 > facts
want='{"paper":"rhe","column":"t.en-de","variant":"a\"\\\\b","seed":1,"bleu":21.5000,"loss":-0.25,"code":"007","long":"1e5"'
printf '%s,"dot":"1.","empty":"","commit":"1234567","digest":"1234567890123456","data.train":"12"}\n' "$want" > want
heed-record --to json facts facts > found && sort -u found | equals - want && that "$(wc -l < found)" = 2; r=$?
say $r 'records as lines of JSON'; that $r = 0 || diff want found | sed 's/^/# /'
that -z "$(heed-record --to json)"; say $? '... none for none'
exits 2 '--to json and --check' 'heed-record --check --to json facts'
exits 2 '--to json with options for writing' 'entry one e/bad --to json'
exits 3 '--to json of a malformed record' 'echo x > bad; heed-record --to json bad'
head -n 59 ref.txt > short.txt; cp ref.txt long.txt; cp short.txt ref.txt
exits 3 'references with fewer lines are refused' 'entry one e/bad'; cp long.txt ref.txt
that ! -e e/bad/record; say $? '... and no record is written'

# --- parts of different models ---
sed 's,exec heed-record,exec sh "$HEED_TOP/tests/last.sh" heed-record,' programs/entry > programs/with; chmod +x programs/with
key() { heed-show -H "$2" | grep -o "\"$1[.]model\":\"[0-9a-f]*\""; }
of() { head-stat -q -m $1.tar test.heed | heed-show -H | sed -n 's/.*"model":\("[0-9a-f]*"\).*/\1/p'; }
that "$(of one)" != "$(of two)" && that "$(key translate one.test) $(key score one.test)" = \
	"\"translate.model\":$(of one) \"score.model\":$(of one)"; say $? 'translations and scores name their model, as measures of heads do'
nmt-translate -q --precision fp32 --no-pg -m two.tar test.heed | nmt-score -q --no-pg -m one.tar -o mixed.test
that "$(key translate mixed.test) $(key score mixed.test)" = "\"translate.model\":$(of two) \"score.model\":$(of one)"
say $? 'a stream may be translated by one model and scored by another'
exits 3 '... but not in an entry' 'with one e/bad --test mixed.test'
matches 'mixed.test: translate.model is not that of the given model' err; say $? '... says the message'
nmt-translate -q --precision fp32 --no-pg -m one.tar test.heed | nmt-score -q --no-pg -m two.tar -o mixed.test
exits 3 '... nor scores of another' 'with one e/bad --test mixed.test'
matches 'mixed.test: score.model is not that of the given model' err; say $? '... says the message'
exits 3 'a model with streams of another is refused' 'with one e/bad -m two.tar'
nmt-score -q -m two.tar dev.heed -o dev.two
exits 3 'a development set scored by another model is refused' 'with one e/bad --dev dev.two'
exits 3 '... and a further test set' 'with one e/bad --also more=dev.two'
for name in =dev.scored more 'm/x=dev.scored' 'm x=dev.scored'; do
	exits 2 "--also '$name' is refused" 'with one e/bad --also "$name"'
done
nmt-translate -q --precision fp32 --no-pg -m one.tar -m two.tar one.test -o both.test
that -z "$(key translate both.test)"; say $? 'translations of an ensemble name no model, not even that of their input'
nmt-score -q --no-pg --precision int8 -m one.tar one.test | key score - | matches "$(of one)"; say $? 'the name of a model does not depend on the precision'
for how in 'int8 fp32 translate' 'fp32 int8 score' 'bf16 fp32 translate'; do
	set -- $how
	nmt-translate -q --precision $1 --no-pg -m one.tar test.heed | nmt-score -q --precision $2 --no-pg -m one.tar -o $1.$2.test
	exits 3 "$how: precisions other than fp32 are refused" "with one e/bad --test $1.$2.test"
	matches "$1.$2.test: $3.precision is $(echo $1$2 | sed s/fp32//), expected fp32" err && matches "use nmt-$3 --precision fp32" err
	say $? '... and the message names fp32'
done
nmt-score -q --precision int8 -m one.tar dev.heed -o dev.int8
exits 3 '... and those of a development set' 'with one e/bad --dev dev.int8'
matches 'dev.int8: score.precision is int8, expected fp32' err; say $? '... says the message'
heed-show one.test | sed '1s/"[a-z]*[.]\(model\|precision\)":"[0-9a-z]*",*//g; 1s/,}/}/' | heed-pack -j --no-pg -o old.test
heed-show -H old.test | lacks precision && [ -z "$(key score old.test)" ] && exits 0 'streams of older versions name none, and are accepted' 'with one e/old --test old.test'
toy --dev dev.heed --updates 40 --validate-every 20 --log-every 10 --log short.log -c codes -o short.tar --seed 1 train.heed
exits 3 'a log that ends before the model does is refused' 'with one e/bad --log short.log'
matches 'short.log: the last update is 40, expected at least 60, that of the model' err; say $? '... says the message'
nmt-score -q -m one.tar dev.heed -o dev.one; exits 3 '... with --dev, too' 'with one e/bad --log short.log --dev dev.one'

# --- a model before the last update, such as that of --keep-best: the row of its update, neither the last nor the best ---
train early --seed 1 --validate-every 10 --save-every 5 --dev-bleu -a head-importance
for update in 30 35; do
	nmt-translate -q --precision fp32 -m early.$update.tar test.heed | nmt-score -q -m early.$update.tar -o early.$update.test
	nmt-score -q -m early.$update.tar dev.heed -o early.$update.dev
done
at() { exits $1 "$2" "with early e/at -m early.$3.tar --test early.$3.test $4 'command=nmt-train --stop-on bleu --keep-best'"; }
at 0 'a model of an earlier update' 30
heed-show -f score,score.tokens early.30.dev | awk -F '\t' '{ s -= $1; n += gsub(/,/, "", $2) + 1 } END { print s / n }' > want
computes -v nll="$(fact dev.nll e/at)" '{ d = nll - $1; exit !(d * d < 1e-9) }' want; say $? '... with its dev.nll, as nmt-score computes it'
rows step,dev.bleu,dev.importance.winner.weight early.log | computes - -v bleu="$(fact dev.bleu e/at)" \
	-v weight="$(fact dev.importance.winner.weight e/at)" '$1 == 30 { b = bleu - $2; w = weight - $3 } $1 == 60 { last = bleu - $2 }
	END { exit !(b * b < 1e-8 && w * w < 1e-8 && last * last > 1e-4) }'
say $? '... and its dev.bleu and reports of variants'
at 3 '... without a validation of it' 35
matches 'early.log: no validation of update 35, that of the model' err; say $? '... says the message'
at 0 '... but with a scored development set' 35 '--dev early.35.dev'
lacks '^dev[.]bleu' e/at/record; say $? '... without dev.bleu of other updates'

# --- the log of another training: the name of a training depends on its settings and data ---
sed 's/ --no-pg//' programs/toy > programs/named; chmod +x programs/named
named_training() { # NAME DATA OPTION...
	name=$1 data=$2; shift 2
	named --seed 1 --dev dev.heed --updates 6 --validate-every 3 --save-every 3 --log $name.log -c codes -o $name.tar "$@" $data
}
training() { nmt-info $1 | sed -n 's/^training	//p'; }
pairs 300 4 other
named_training a train.heed; named_training b train.heed --seed 2; named_training c train.heed -a head-importance
named_training d other.heed; named_training f train.heed --threads 2 --updates 3 --checkpoint f.cp
named_training f train.heed --checkpoint f.cp
training a.tar | matches -x '[0-9a-f]\{16\}' && heed-show -H a.log | matches "\"training\":\"$(training a.tar)\""
say $? 'model and log name their training'
that "$(for v in a b c d; do training $v.tar; done | sort -u | wc -l)" = 4; say $? '... by seed, attention variant and data'
that "$(for m in a f f.3 f.6; do training $m.tar; done | uniq -c | xargs)" = "4 $(training a.tar)"
say $? '... with any number of threads and updates, and after resuming'
nmt-average -o mean.tar a.3.tar a.6.tar; nmt-average -o mixed.tar a.tar b.tar; head-prune -q -m a.tar --heads enc-self.1:1 -o pruned.tar
nmt-average --i8 -o i8.tar a.tar
that "$(for m in mean pruned i8; do training $m.tar; done | uniq -c | xargs)" = "3 $(training a.tar)" && that -z "$(training mixed.tar)"
say $? '... kept by head-prune and nmt-average, but not in a mean of several trainings'
for m in a f.3 pruned; do
	nmt-translate -q --precision fp32 -m $m.tar test.heed | nmt-score -q -m $m.tar -o $m.test
done
logged() { exits $1 "$2" "with a e/log -m $3.tar --log $4.log --test $3.test"; }
logged 0 'the log of the training' a a
for v in b c d; do
	logged 3 '... but not of another one' a $v
	matches "^heed-record: $v.log: the log of training $(training $v.tar), expected that of the given model, $(training a.tar)$" err
	say $? '... says the message'
done
logged 0 '... of the training, resumed with other options' f.3 f
logged 0 '... of the training before pruning' pruned a
heed-show b.log | sed '1s/"training":"[0-9a-f]*",//' | heed-pack -j --no-pg -o old.log
logged 0 '... a log of an older version, which does not name its training' a old
named_training g train.heed --no-pg; heed-show a.test | sed '1s/"[a-z]*[.]model":"[0-9a-f]*",//g' | heed-pack -j -o g.test
that -z "$(training g.tar)" && heed-show -H g.log | lacks training; say $? '--no-pg: the training is unknown'
logged 0 '... any log for such a model' g b

# --- the command of another training ---
commanded() { rm -rf e/commanded; exits $1 "$2" "with a e/commanded -m a.tar --log a.log --test a.test \"command=nmt-train $3\""; }
commanded 0 'the command of the model' "--seed 1 --dev 'some/where/dev.heed' --updates 6"
commanded 3 'a command with another option is refused' '--seed 1 --dev dev.heed --updates 7'
matches "^heed-record: a.tar: trained by 'nmt-train .* --updates 6 .*', expected the options of command=, '.* --updates 7'" err &&
	that ! -e e/commanded/record; say $? '... and no record written'
commanded 3 '... also with part of a word' '--seed 1 --dev dev.heed --updates 6 --validate-every 3 --save-every 3 --lo'

# --- each fact changed by itself ---
with a e/all -m a.tar --log a.log --test a.test gates.fractional=0 'command=nmt-train --seed 1' note=x \
	strength.min=0.1 strength.max=0.3 strength.range=0.2 2> /dev/null
exits 0 'an entry with all kinds of facts is accepted' 'heed-record --check e/all/record'
# accepted RECORD: those facts of a record that --check accepts with another value; exit 3 for all others
accepted() {
	rm -rf e/one-fact; cp -r e/all e/one-fact
	cut -f 1 $1 | while read -r name; do
		sed "s/^$name	/&9/" $1 > e/one-fact/record
		heed-record --check e/one-fact/record 2> err
		case $? in 0) echo $name ;; 3) ;; *) echo "$name: $(cat err)" ;; esac
	done | sort | xargs
}
that "$(wc -l < e/all/record)" = 55 && that -z "$(accepted e/all/record)"; say $? 'another value of any fact is refused'
sed '/^checksum/d' e/all/record > no-checksum
accepted no-checksum > found
that "$(cat found)" = 'column command commit finished note pairs.dev pairs.train paper target.dev target.test target.train variant'
say $? '... without a checksum, of any fact but those that the page lists'
changed() { # 'what' COMMAND MESSAGE: a record that the command changes is refused with the message
	rm -rf e/one-fact; cp -r e/all e/one-fact; sh -c "$2" < no-checksum > e/one-fact/record
	exits 3 "$1" 'heed-record --check e/one-fact/record'
	matches "^heed-record: e/one-fact/record: $3$" err; say $? '... says the message'
}
changed 'other updates than those of the log' "sed 's/^updates	.*/updates	7/'" 'updates 7, expected 6 from log.heed.zst'
changed 'a fact of the log that is missing' "sed '/^ended/d'" 'ended missing, expected updates from log.heed.zst'
changed 'a fact that the log does not have' "sed '1idev.bleu	99'" 'dev.bleu 99, expected none, as in the files of the entry'
changed 'heads that are not the sum of their kinds' "sed 's/^heads	.*/heads	1/'" 'heads 1, expected 6 from model.tsv'
changed 'dev.nll of another model' "sed 's/^dev.nll	.*/dev.nll	0.001/'" \
	"dev.nll 0.001, expected $(fact dev.nll e/all) from log.heed.zst"
changed 'another seed than that of the settings' "sed 's/^seed	.*/seed	2/'" 'seed 2, expected 1 from settings'
cp -r e/all e/note; sed -i 's/^note	.*/note	y/' e/note/record; exits 3 'a changed note' 'heed-record --check e/note/record'
matches 'e/note/record: checksum [0-9a-f]*, expected [0-9a-f]*; facts were changed' err; say $? '... says the message'
nmt-score -q -m pruned.tar dev.heed -o dev.pruned
with pruned e/pruned -m pruned.tar --log a.log --test pruned.test --dev dev.pruned
exits 0 'a pruned model with a scored development set' 'heed-record --check e/pruned/record'
sed -i 's/^heads	.*/heads	6/; /^checksum/d' e/pruned/record; exits 3 '... with all heads' 'heed-record --check e/pruned/record'
matches 'e/pruned/record: heads 6, expected 5 from model.tsv' err; say $? '... says the message'

# --- references of another text ---
warned() { # 'what' COMMAND: the command for ref.other warns of references N of 60, the first in line K
	sh -c "$2" > ref.other; exits 0 "$1" 'with one e/ref -r ref.other'
	paste ref.txt ref.other | awk -F '\t' '$1 != $2 { n++; k = k ? k : NR } END { print n + 0, k }' > count
	read -r count k < count; want="$count of 60 references have other letters or digits than tgt of one.test, the first of them in line $k"
	matches -x "heed-record: warning: ref.other: $want" err; say $? "... with a warning: $count"
}
warned 'references of another order' 'tac ref.txt'
warned '... of another text' 'heed-show -f tgt train.heed | sed -n 1,60p'
warned '... with one other word' "sed '7s/^[^ ]*/Xyz/' ref.txt"
silent() { sh -c "$2" > ref.other; exits 0 "references $1" 'with one e/ref -r ref.other'; that ! -s err; say $? '... are no warning'; }
silent 'of the test set' 'cat ref.txt'
silent 'in other case' "tr a-z A-Z < ref.txt"
silent 'with other spaces and punctuation' "sed 's/ /\xc2\xa0/; s/[.]\$/ !\xe2\x80\x9d/' ref.txt"
heed-show one.test | sed '2,$s/[.]"/\&quot; @-@ \&#91; ."/g' | heed-pack -j -o escaped.test
that "$(heed-show -f tgt escaped.test | grep -c quot)" -gt 9; say $? 'tgt with the escapes of a tokenizer'
exits 0 '... has the same references' 'with one e/ref --test escaped.test'; that ! -s err; say $? '... without a warning'
heed-show -f tgt escaped.test > ref.other; exits 0 '... and so have references with the escapes' \
	'with one e/ref --test escaped.test -r ref.other'; that ! -s err; say $? '... without a warning'

sed '/^dev	together/d' sums > sums.two; exits 3 'checksums without a split are refused' 'with one e/bad --sums sums.two'
matches 'sums.two: no line "together" of dev' err; say $? '... says the message'

# --- significance tests of two runs, compared with bleu ---
for v in one two; do mkdir -p runs/$v; cp e/$v/* runs/$v; done
printf '%s\n' 'section claims x' 'columns bleu:-' 'two one - Two' 'section claims-sign x' 'test sign' \
	'columns bleu:-' 'two one - Two' > toy.grid
heed-table -g toy.grid --section claims runs/*/record > table
heed-table -g toy.grid --section claims-sign runs/*/record >> table
bleu --to tsv --paired --test bootstrap --test sign --variant multi-bleu -r ref.tok one.tok two.tok > paired
awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	NR == 3 { printf "%.4f %.4f\n", $at["p_bootstrap"], $at["p_sign"] }' paired > want
awk -F '\t' '/Two/ { print $23 }' table | xargs > found
equals want found; say $? 'bootstrap and sign test from entries are those from translations'

# --- the plan ---
settings=$(fact settings e/one)
mkdir -p L/toy/run/t.en-xx/one L/toy/run/t.en-xx/two; cp -r e/one L/toy/run/t.en-xx/one/1
entry two L/toy/run/t.en-xx/two/1 --after e/one/record
wanted() { printf '%s\t%s\t%s\t%s\n' "$@"; }
base=toy/t.en-xx/one/1 next=toy/t.en-xx/two/1
wanted $next $base sums "$settings" $base - sums "$settings" toy/t.en-xx/one/2 - - "$settings" \
	toy/t.en-xx/two/2 toy/t.en-xx/one/2 - "$settings" > wanted
heed-plan -q --ledger L --kept wanted | xargs > found
that "$(cat found)" = "$next $(fact digest L/toy/run/t.en-xx/two/1) $base $first"; say $? 'runs that the ledger has'
heed-plan --ledger L --command 'make N=' wanted 2> err | cut -f 2- | tr '\t\n' '|;' > found
that "$(cat found)" = 'toy/t.en-xx/one/2|-|make N=toy/t.en-xx/one/2;toy/t.en-xx/two/2|toy/t.en-xx/one/2|make N=toy/t.en-xx/two/2;'
say $? '... and runs that it lacks, after the runs that they depend on'
mkdir -p M/toy/run/t.en-xx/one; cp -r e/one M/toy/run/t.en-xx/one/1
sed -i "s/^engine	.*/engine	$(printf '\033')[31m/" M/toy/run/t.en-xx/one/1/record
wanted $base - sums "$settings" | heed-plan --ledger M > found 2> err
matches -F "heed-plan: $base: M/$(dirname $base | sed 's,/,/run/,')/1/record: engine \x1b[31m, expected" err
say $? 'why an entry is not used, with escapes written out'
sed -i 's/^seconds	.*/seconds	600/' L/toy/run/t.en-xx/one/1/record
sed -i 's/^seconds	.*/seconds	1800/' L/toy/run/t.en-xx/two/1/record
heed-plan --ledger L wanted 2> err | cut -f 1 | xargs > found
that "$(cat found)" = '10.0 30.0' && matches '2 of 4 runs to make, about 0.7 hours' err
say $? 'estimates are the time of the fastest seed'
cp -r L/toy/run/t.en-xx/one/1 L/toy/run/t.en-xx/one/3; sed -i 's/^seconds	.*/seconds	900/; s/^seed	.*/seed	3/' L/toy/run/t.en-xx/one/3/record
that "$(heed-plan --ledger L wanted 2> err | cut -f 1 | xargs)" = '10.0 30.0'; say $? '... since a machine with other work makes runs slower'
rm -r L/toy/run/t.en-xx/one/3
# An empty ledger: times of another one, or a guess, and the plan says so.
heed-plan --ledger Z wanted > found 2> err; matches 'free processor (a guess: the ledger has no timed runs)' err
say $? 'an estimate without timed runs is a guess'
that "$(heed-plan --ledger Z --timed L --scale 2 wanted 2> err | cut -f 1 | xargs)" = '20.0 60.0 20.0 60.0' && lacks guess err &&
	matches -F '(4 by times in L, multiplied by 2.00)' err
say $? '... unless another ledger has some'
# One run: 100 updates or 2 epochs of 100,000 tokens in 10 minutes, with 100 pairs.
mkdir -p C/toy/run/t.en-xx/one/1
printf '%s\t%s\n' paper toy column t.en-xx variant one seed 1 settings '--size tiny --updates 100 --batch-tokens 1000' updates 100 \
	tokens 200000 epochs 2.00 seconds 600 pairs.train 100 > C/toy/run/t.en-xx/one/1/record
more='--size tiny --batch-tokens 1000'
wanted toy/t.en-xx/longer/1 - - "$more --updates 300" toy/t.en-xx/begun/1 - - "$more --updates @one+100" \
	toy/t.en-xx/epochs/1 - - "$more --epochs 4" toy/t.en-xx/both/1 - - "$more --updates 300 --epochs 2" \
	toy/t.en-xx@50/epochs/1 - - "$more --epochs 2" other/t.en-xx@25/epochs/1 - - "$more --epochs 2" \
	toy/u.en-xx/longer/1 - - "$more --updates 200" > wanted.costs
heed-plan --ledger C wanted.costs 2> err | cut -f 1 | xargs > found
that "$(cat found)" = '30.0 20.0 20.0 10.0 5.0 2.5 20.0'
say $? '... or of other runs, in proportion to updates, epochs and pairs'
wanted toy/search/t.en-xx@50/tune - - "$more --epochs 2 trainings=11" > wanted.costs
that "$(heed-plan --ledger C wanted.costs 2> err | cut -f 1)" = 55.0; say $? '... a search: all its trainings, on its column'
wanted toy/v.en-xx/base/1 - - "$more --updates 300" toy/v.en-xx/again/1 - - "$more --updates @base+100" > wanted.costs
heed-plan --ledger C wanted.costs 2> err | cut -f 1 | xargs > found
that "$(cat found)" = '30.0 40.0'
say $? '... and to the updates of another run of the plan'
# On another corpus, an epoch of a variant that was trained elsewhere has 25,000 pairs of as many tokens, here 1000.  Three
# more runs of this size stopped early, after 100,000 tokens in 10, 30 and 40 minutes: the median speed is a third of that of
# the first, between 10,000 and 3333 tokens per minute.  Other sizes do not count.
wanted toy/v.en-xx/one/1 - - "$more --epochs 2" > wanted.costs
that "$(heed-plan --ledger C wanted.costs 2> err | cut -f 1)" = 2500.0; say $? 'estimates for another corpus: of the same variant'
i=0
for x in 10:tiny 30:tiny 40:tiny 1:base; do
	mkdir -p C/toy/run/w.en-xx/x$((i += 1))/1
	printf '%s\t%s\n' paper toy column w.en-xx variant x$i seed 1 settings "--size ${x#*:} --epochs 9 --batch-tokens 1000" \
		tokens 100000 epochs 1.00 seconds $((${x%:*} * 60)) > C/toy/run/w.en-xx/x$i/1/record
done
that "$(heed-plan --ledger C wanted.costs 2> err | cut -f 1)" = 7500.0; say $? '... at the median speed of models of this size'
wanted $base - sums "$settings --lr 1" $next $base sums "$settings" > changed
that "$(heed-plan --ledger L changed 2> err | wc -l)" = 2 && matches "$base: .*settings" err
say $? 'a changed setting makes a run again, and the runs that depend on it'
printf '../t.en-xx/one/1\t-\t-\t-\n' > outside; exits 3 'a run that is outside of the ledger' 'heed-plan --ledger L outside'
matches 'outside: line 1: expected paper/column/variant/seed' err; say $? '... is no name of a run'
exits 3 '--strict: a missing run is an error' 'heed-plan -q --ledger L --strict changed'
exits 3 '... also with --kept' 'heed-plan -q --ledger L --strict --kept changed'
wanted $base - sums.other "$settings" > other
that "$(heed-plan --ledger L other 2> err | wc -l)" = 1 && matches "$base: .*data.dev" err; say $? '... as do other data'
for fact in paper column variant seed; do
	mkdir -p N/toy/run/t.en-xx/one; rm -rf N/toy/run/t.en-xx/one/1; cp -r e/one N/toy/run/t.en-xx/one/1
	sed -i "s/^$fact	.*/$fact	7/" N/toy/run/t.en-xx/one/1/record
	wanted $base - - "$settings" | heed-plan --ledger N > found 2> err
	that "$(wc -l < found)" = 1 && matches "one/1/record: $fact differs" err; say $? "... as does another $fact than that of the folder"
done
sed '/^digest/d' e/one/record > N/toy/run/t.en-xx/one/1/record; wanted $base - - "$settings" > half
that "$(heed-plan --drafts --ledger N half 2> err | wc -l)" = 1 && matches "one/1/record: no fact 'digest'" err &&
	that -z "$(heed-plan --drafts --ledger N --kept half)"; say $? '... and a truncated record'
cp e/one/record N/toy/run/t.en-xx/one/1
: > N/toy/run/t.en-xx/one/1/log.heed.zst
that "$(wanted $base - - "$settings" | heed-plan --ledger N 2> err | wc -l)" = 1 && matches "one/1/log.heed.zst" err; say $? '... an empty stream'
cp e/one/sentences.heed.zst N/toy/run/t.en-xx/one/1/log.heed.zst
that "$(wanted $base - - "$settings" | heed-plan --ledger N 2> err | wc -l)" = 1 && matches "one/1/log.heed.zst" err; say $? '... a stream of another kind'
rm L/toy/run/t.en-xx/one/1/log.heed.zst; wanted $base - - "$settings" > half
that "$(heed-plan --ledger L half 2> err | wc -l)" = 1 && matches "one/1/log.heed.zst" err; say $? '... and a missing file of the entry'
mkdir 'L[1]'; cp -r L/toy 'L[1]'; wanted toy/t.en-xx/one/2 - - x | heed-plan --ledger 'L[1]' 2> err | cut -f 1 > found
that "$(cat found)" = 10.0; say $? 'a ledger whose name has brackets'
wanted $base - - x $next - - x $base - - y > twice; exits 3 'a run given twice is refused' 'heed-plan --ledger L twice'
matches "twice: line 3: duplicate run $base" err; say $? '... by its line'
wanted $base nobody - x > nobody; exits 2 'a dependency that is not in the list is refused' 'heed-plan --ledger L nobody'
wanted $base $base - x > itself; exits 2 'a run that depends on itself is refused' 'heed-plan --ledger L itself'
wanted one - - x > name; exits 3 'a malformed name is refused' 'heed-plan --ledger L name'

# --- runs of the ledger whose models are missing: their lines come before the runs that begin with them ---
mkdir -p Q/toy/run/t.en-xx/one Q/toy/run/t.en-xx/two; cp -r e/one Q/toy/run/t.en-xx/one/1
sed -i 's/^seconds	.*/seconds	600/' Q/toy/run/t.en-xx/one/1/record
entry two Q/toy/run/t.en-xx/two/1 --after Q/toy/run/t.en-xx/one/1/record
sed -i 's/^seconds	.*/seconds	1800/' Q/toy/run/t.en-xx/two/1/record
run=toy/t.en-xx search=toy/search/t.en-xx/s
wanted $search - - x $run/three/1 $next - x $run/four/1 $base - x $run/five/1 $search - x $next $base sums "$settings" \
	$base - sums "$settings" > wanted
# planned 'what' EXPECTED OPTION...: the lines of the plan as name and dependencies, of runs in the ledger with minutes
planned() {
	what=$1 want=$2; shift 2
	heed-plan --ledger Q "$@" wanted 2> err | cut -f -3 |
	    sed "s,$run/,,g; s,/1,,g; s,$search,s,g; s/^[0-9.]*	\(s\|three\|four\|five\)	/\1	/" | tr '\t\n' ' ;' > found
	that "$(cat found)" = "$want"; say $? "$what"
}
planned 'without --models, only runs that the ledger lacks' 's -;three -;four -;five s;'
matches ': 3 of 5 runs, 1 search to make, about' err; say $? '... searches do not count as runs'
planned '--models: runs of the ledger that others begin with, and those that these begin with' \
	's -;10.0 one -;30.0 two one;three two;four one;five s;' --models models
matches ': 3 of 5 runs, 1 search, 2 models of runs in the ledger to make, about' err; say $? '... which the summary counts'
mkdir -p models/$next; : > models/$next/model.tar
planned '... but not if the folder has the model' 's -;three -;10.0 one -;four one;five s;' --models models
mkdir -p models/$base; : > models/$base/model.tar
planned '... nor if it has all models' 's -;three -;four -;five s;' --models models
rm -r models; wanted $next $base sums "$settings" $base - sums "$settings" > wanted
planned '... nor if no run is missing' '' --models models

# --- incomplete entries: neither program accepts them ---
mkdir -p P/toy/run/t.en-xx/one; copy=P/toy/run/t.en-xx/one/1; wanted $base - - "$settings" > half
# entry_with COMMAND: a copy of an entry in which the command has run
entry_with() { rm -rf $copy; cp -r e/one $copy; (cd $copy && eval "$1"); }
# incomplete 'what' FILE COMMAND
incomplete() {
	entry_with "$3"; exits 3 "refused: $1" "heed-record --check $copy/record"; matches "$copy/$2: " err; say $? '... by its file'
	that "$(heed-plan --ledger P half 2> err | wc -l)" = 1 && matches "$base: .*$copy/$2: " err; say $? '... and not used by heed-plan'
}
with_pg='sed -i "s/^parameters/version	1.2\n&/; /^checksum/d" record; printf "pg\tnmt-train 1.2 --lr 1\n" >> model.tsv'
entry_with "$with_pg"; exits 0 'an entry with provenance is accepted' "heed-record --check $copy/record"
incomplete 'model.tsv without its last rows' model.tsv 'sed -i 21,\$d model.tsv'
incomplete 'model.tsv whose last row is cut' model.tsv 'truncate -s -1 model.tsv'
incomplete 'an empty model.tsv' model.tsv ': > model.tsv'
incomplete 'no model.tsv' model.tsv 'rm model.tsv'
incomplete 'model.tsv of another model' model.tsv 'sed -i "s/^parameters	/&1/" model.tsv'
incomplete 'model.tsv without provenance' model.tsv "$with_pg; sed -i '/^pg/d' model.tsv"
incomplete 'a log that is cut' log.heed.zst 'truncate -s -20 log.heed.zst'
incomplete 'no log' log.heed.zst 'rm log.heed.zst'
incomplete 'sentences that are cut' sentences.heed.zst 'truncate -s -20 sentences.heed.zst'

# --- a ledger with other things than files: no program waits for them ---
for what in 'mkfifo model.tsv' 'mkfifo log.heed.zst' 'ln -s /dev/zero record' 'mkdir record' 'ln -s record record'; do
	entry_with "rm ${what##* }; $what"
	timeout 20 heed-record --check $copy/record 2> err; r=$?
	that $r = 3 || that $r = 4; say $? "$what: refused by --check"
	that "$(timeout 20 heed-plan --ledger P half 2> err | wc -l)" = 1; say $? '... and not used by heed-plan'
	rm -r $copy
done
