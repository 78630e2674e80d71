#!/bin/sh
# nmt-search: stages, halving and journal, with a fake training whose scores are known.
. "$HEED_TOP/tests/lib.sh"
plan 172

printf 'a b\nb c\n' > t.en
printf 'x y\ny z\n' > t.xx
cat t.en t.xx | bpe-learn --text --merges 1 > codes
heed-pack --no-pg t.en t.xx | bpe-apply --no-pg -c codes > train.heed
cp train.heed dev.heed
heed-pack --no-pg t.xx t.en | bpe-apply --no-pg -c codes > other.heed

# The nll of a training is 3, minus .5 with --b 2, minus .25 with --c 1, plus .1 with --a over 2, minus
# .001 per update; with seed 2, plus .2, but minus 1 with --b 3.  Each call is appended to `calls`.
mkdir programs
cat > programs/nmt-train <<'END'
#!/bin/sh
if [ "$1" = --options-tsv ]; then
	printf '\t%s\tn\thelp\t1\n' a b c updates epochs log dev
	printf 's\tseed\tn\thelp\t1\no\toutput\tfile\thelp\t1\n'
	printf '\thelp\t\thelp\t+\nl\tlist\tn\thelp\t+\nq\tquiet\t\thelp\t+\nk\tkeys\tfile\thelp\t1\n'
	exit
fi
case " $* " in *" --check-options "*) exit ;; esac
echo "$*" >> calls
LC_ALL=C awk -v all="$*" 'BEGIN {
	n = split(all, w, " ")
	for (i = 1; i < n; i++) v[w[i]] = w[i + 1]
	nll = 3 - .5 * (v["--b"] == 2) - .25 * (v["--c"] == 1) + .1 * (v["--a"] > 2)
	nll -= .001 * v["--updates"]
	nll += .2 * (v["--seed"] == 2) - 1 * (v["--seed"] == 2 && v["--b"] == 3)
	if (v["--c"] == 9) exit 5
	if ((getline engine < "engine") < 0) engine = 1
	if (engine) meta = ",\"engine\":\"" engine "\""
	printf "[\"heed\",1,\"step\",{\"fields\":{\"step\":\"int\",\"dev.nll\":\"float\",\"dev.bleu\":\"float\"},\"pg\":[]%s}]\n", meta > "log.json"
	printf "{\"step\":1,\"dev.nll\":9.5}\n{\"step\":2,\"dev.nll\":%.4f,\"dev.bleu\":%.4f}\n[\"heed-end\",2]\n", nll, -nll > "log.json"
	log_ = v["--log"]
	close("log.json")
	system("heed-pack --no-pg -j log.json > " log_)
	if (v["--list"] == "cut") system("head -c 60 " log_ " > cut && mv cut " log_)
}' || exit
[ ! -e slow ] || { trap 'echo > ended; exit 143' TERM; ls journal.trials > begun; sleep 20 & wait; }
[ ! -e kill-after ] || [ "$(wc -l < calls)" -ne "$(cat kill-after)" ] || kill -9 "$PPID"
END
chmod +x programs/nmt-train
PATH=$PWD/programs:$PATH

cat > grid <<'END'
# two stages
stage one
--a 1 | --a 3
--b 1 | --b 2 | --b 3

stage two
- | --c 1
END
search() { nmt-search -g grid --journal journal --dev dev.heed "$@"; }
count() { wc -l < "$1" | tr -d ' '; }

# If the lines of a stage begin with -, its first trial is the result of the stage before.  Here it is the
# best one, which a search without it would miss.
printf '%s\n' 'stage one' '- | --a 3 | --a 4' 'stage two' '- | --a 5' '- | --c 9' > safe
that "$(nmt-search -g safe --journal safe.journal --dev dev.heed -o safe.out train.heed -- --updates 10 2> safe.err; cat safe.out)" = ''
say $? 'the default is the first trial and wins'
that "$(grep -o '"trial":"[^"]*"' safe.journal | head -n 1)" = '"trial":""' && that "$(count safe.journal)" = 6
say $? '... and is trained once'; rm calls
# The ledger keeps the trials, and the table found has the scores of the best one and of the default.
awk -f "$HEED_TOP/src/papers/trials.awk" safe.journal > safe.trials
that "$(sed -n 2p safe.trials)" = "$(printf 'one\t\t1\t0\t2.99')" && that "$(count safe.trials)" = 7; say $? '... the ledger keeps the trials'
awk -v name=x -v best='--c 1' -f "$HEED_TOP/src/papers/found.awk" safe.trials > safe.found
printf 'x\t--c 1\t2.990\t2.990\n' | equals - safe.found && that "$(awk -v name=x -v best=y -f "$HEED_TOP/src/papers/found.awk" /dev/null)" = "$(printf 'x\ty\t\t')"
say $? '... and the table has the best score and that of the default'
# The searches of the main table of DHICM are such searches.
sed -n '/^section table4/,/^$/p' "$HEED_TOP/src/papers/dhicm.grid" | awk '/^(section|scope|columns)/ || !NF { next } { print $1 }' |
	while read -r v; do sed -n "s,^search\.$v *= *[a-z]*/,,p" "$HEED_TOP/src/papers/dhicm.conf"; done | sort -u > used
that "$(xargs < used)" = 'retune retune-module' && matches '^after.retune-module  *= retune$' "$HEED_TOP/src/papers/dhicm.conf"
say $? 'the main table of DHICM has the settings of retune'
that "$(ls "$HEED_TOP"/src/papers/dhicm.retune.* | wc -l)" = 3 && lacks -hv '^#\|^stage \|^- | ' "$HEED_TOP"/src/papers/dhicm.retune.*
say $? '... whose first trial is the default, in each profile'

that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1'
say $? 'the winner of all stages'
that "$(count journal)" = 7; say $? '6 combinations, and one more of the second stage'
that "$(count calls)" = 7; say $? 'a trial of the first stage is not repeated in the second'
matches '"trial":"--a 1 --b 2 --c 1","seed":1,"updates":0,"score":2.24,"stage":"two"' journal
say $? 'the best validation is the score'
that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1' && that "$(count calls)" = 7
say $? 'a complete journal needs no training'

rm -rf journal calls
that "$(search --seeds 1,2 train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1'
say $? 'the score is the mean over seeds'
that "$(count journal)" = 14; say $? '... each trial runs with both'
rm -rf journal calls
that "$(search --seeds 2 train.heed -- --updates 10 2> err)" = '--a 1 --b 3 --c 1'
say $? 'another seed can have another winner'
exits 2 'two training files' 'nmt-search -g grid --journal journal --dev dev.heed train.heed other.heed -- --updates 10'
that "$(search --seeds 002 train.heed -- --updates 10 2> err)" = '--a 1 --b 3 --c 1' &&
	that "$(count calls)" = 7
say $? '... and leading zeros of a seed do not matter'

rm -rf journal calls
that "$(search --rungs 10,100,1000 train.heed 2> err)" = '--a 1 --b 2 --c 1'
say $? 'successive halving finds the same winner'
updates() { grep -c "\"updates\":$1," journal; }
that "$(updates 10),$(updates 100),$(updates 1000)" = 7,4,3
say $? '... with 6, 3 and 2 trials, and 2, 1 and 1, without repeating the previous winner'

# Killed during the second training of each run, and started again until it is done.
rm -rf journal calls; search train.heed -- --updates 10 > /dev/null 2>&1; cp journal whole
rm -rf journal calls; : > calls
i=0
while [ $((i += 1)) -le 7 ]; do
	echo $(($(count calls) + 2)) > kill-after
	search train.heed -- --updates 10 > winner 2> err && break
done
rm kill-after
that $i = 7 && that "$(cat winner)" = '--a 1 --b 2 --c 1'
say $? 'a search killed six times has the same winner'
without_times() { sed 's/,"seconds".*//' "$1"; }
without_times whole > whole.cut; without_times journal > journal.cut
equals whole.cut journal.cut; say $? '... with the same journal'
head -c 900 whole > journal; rm calls
that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1'
say $? 'a truncated line is tried again'
without_times journal > journal.cut
equals whole.cut journal.cut; say $? '... and the journal is complete'

# The last of repeated options counts, and lists add up.
printf 'stage one\n--c 1 --list 2\nstage two\n--b 3\n' > grid2; rm -f calls
nmt-search -ggrid2 --journal journal2 --dev dev.heed train.heed \
	-- --b=2 -l 1 --c 4 --updates 10 > winner 2> err
printf '%s\n' '--b=2 -l 1 --updates 10 --c 1 --list 2' '-l 1 --updates 10 --c 1 --list 2 --b 3' > want
sed 's/ -q .*//' calls | equals - want; say $? 'options of a trial override the common ones'

exits 3 'other data are refused' \
	'nmt-search -g grid --journal journal --dev dev.heed other.heed -- --updates 10'
exits 3 'other settings are refused' \
	'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 11'
matches 'journal: line 1: other data' err; say $? '... by the line'
# A file that an option names, such as --init, belongs to the search: a journal without it is another one's.
echo one > named; rm -f file.journal
named() { nmt-search -g grid --journal file.journal --dev dev.heed train.heed -- --updates 10 "$@" > winner; }
runs named --list named; sum=$(cksum named | cut -d ' ' -f 1,2 | tr ' ' -)
matches "^{\"data\":\"[0-9]*-[0-9]*,[0-9]*-[0-9]*,$sum\",\"objective\"" file.journal; say $? 'the journal has the checksum of a file that an option names'
runs named --list named; say $? '... and resumes with the same file'
echo two > named
fails 3 '... but not with another' 'file.journal: line 1: other data' \
	'nmt-search -g grid --journal file.journal --dev dev.heed train.heed -- --updates 10 --list named'
# A file that a trial names belongs to this trial: when it changes, only this trial is trained again, and a training that was
# interrupted begins anew, in another folder.
printf '%s\n' 'stage one' '--b 1 | --b 2 --list named' > grid-named; rm -f calls
trial() { nmt-search -g grid-named --journal trial.journal --dev dev.heed train.heed -- --updates 10 > winner 2> err; }
sum=$(cksum named | cut -d ' ' -f 1,2 | tr ' ' -); runs trial && that "$(grep -o '"trial":.*"seed"' trial.journal)" = "\"trial\":\"--b 1\",\"seed\"
\"trial\":\"--b 2 --list named\",\"files\":\"$sum\",\"seed\""; say $? 'a trial that names a file has its checksum, and no other trial'
runs trial && that "$(count calls)" = 2; say $? '... and is not repeated with the same file'
echo three > named
runs trial && that "$(count calls)" = 3 && that "$(tail -n 1 calls | grep -o '^--updates 10 --b 2 --list named')"; say $? '... but with another, and no other trial is'
folder_of() { sed "${1}s/.* --checkpoint \([^ ]*\).*/\1/p;d" calls; }
that "$(folder_of 2)" && that "$(folder_of 2)" != "$(folder_of 3)"; say $? '... in another folder'
echo two > named; runs trial && that "$(count calls)" = 3; say $? '... and the scores with the first file are still known'
sed 's/,"files":"[^"]*"//' trial.journal | head -n 2 > old; mv old trial.journal
runs trial && that "$(count calls)" = 4; say $? '... a line without checksums is of an unknown file'
# damaged 'sed script' 'what' ['message']: the second line of the journal, damaged, is refused by its number
damaged() {
	cp whole journal; sed -i "2$1" journal
	exits 3 "$2" 'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10'
	matches "journal: line 2: ${3:-expected trial}" err; say $? '... by the line'
}
damaged 's/"score":[^,]*/"score":2.x4/' 'a malformed score is refused'
damaged 's/"score":[^,]*/"score":nan/' 'a score that is not a number is refused'
damaged 's/,"seconds".*//' 'a line without an end is refused'
damaged 's/"score":[^,]*/"score":1e999/' 'an infinite score is refused'
damaged 's/--b 2/--b 2\x01/' 'a control character is refused'
sed -n 2p whole | sed 's/"score":[^,]*/"score":9/' | cat whole - > journal
exits 3 'two scores of one trial are refused' 'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10'
matches "journal: line $(($(count whole) + 1)): score 9, but 2.49 in an earlier line" err; say $? '... by the line'
cat whole whole > journal; rm -f calls
that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1' && that ! -e calls; say $? 'duplicate lines do not matter'
# The journal has the engine and the version of each training.
that "$(grep -c '"stage":"[a-z]*","engine":1,"version":"'"$(cat "$HEED_TOP/VERSION")"'","seconds":[0-9]*}$' whole)" = 7; say $? 'each line has engine and version'
old_line() { sed 's/,"engine":[^}]*,"seconds"/,"seconds"/'; }
old_line < whole > journal; rm -f calls; old_line < whole | sed '3s/"seconds":0/"seconds":-3600/' > journal
that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1' && that ! -e calls; say $? 'a journal of heed 0.6, which has no engine, is accepted'
matches 'warning: journal: 7 of 7 lines have no engine number' err; say $? '... with a note'
# Computed as by the shell script of that version.
sum() { heed-show "$1" | sed 1d | cksum | tr ' ' -; }
that "$(sed -n '1s/^{"data":"\([^"]*\)","objective":"nll","base":"--updates 10","trial".*/\1/p' whole)" = "$(sum train.heed),$(sum dev.heed)"; say $? '... its checksums are those of cksum(1)'
damaged 's/"engine":1/"engine":x/' 'a malformed engine is refused' 'expected engine'
damaged 's/"engine":1/"engine":2/' 'another engine is refused' 'trained with engine 2, expected 1'
head -n 2 whole > journal; echo 2 > engine
exits 3 'an nmt-train of another engine is refused' 'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10'
head -n 2 whole | equals journal && matches 'log.heed: trained with engine 2, expected 1' err; say $? '... and the journal keeps its lines'; rm -rf engine journal.trials
# A signal to the search ends the training, which saves its checkpoint, and leaves the lines of the journal.
head -n 2 whole > journal; : > slow
nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10 > winner 2> err & pid=$!
while [ ! -e begun ] && kill -0 $pid; do sleep 0.1; done; kill -TERM $pid; wait $pid; that $? = 143 && that -e ended; say $? 'a signal ends the search and its training'
head -n 2 whole | equals journal && that ! -e journal.lock; say $? '... the journal keeps its lines'
that "$(cat begun)" = "$(printf '%s%s' "$(sed -n '3s/"trial".*//p' whole)" '--a 1 --b 3 1' | cksum | tr ' ' -)"; say $? '... a training of the script resumes in the same folder'
rm -f slow begun; that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1' && without_times journal | equals whole.cut -; say $? '... and the search resumes'
# foreign 'what': the file journal, which is no journal, is refused and keeps its bytes
foreign() {
	cp journal before
	exits 3 "$1 is refused" 'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10'
	equals before journal; say $? '... and keeps its bytes'
}
cp dev.heed journal; foreign 'a stream as journal'
printf 'notes\nwithout a last line end' > journal; foreign 'a text as journal'
head -c 9000 /dev/zero > journal; foreign 'a file of zeros as journal'
for k in 1 30 150 400; do
	head -c $k whole > journal; search train.heed -- --updates 10 > winner 2> err && [ "$(cat winner)" = '--a 1 --b 2 --c 1' ] && without_times journal | cmp -s whole.cut - ||
		echo $k
done > cut
that ! -s cut; say $? 'a journal that was cut anywhere is completed'
cp whole journal
(flock 9; exits 4 'a journal in use is refused' 'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10'
 matches 'journal is in use by another process' err; say $? '... by name') 9>> journal.lock
n=$((n + 2))
that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1'
say $? '... and used after the lock is released'
printf '{' >> journal
that "$(search train.heed -- --updates 10 2> err)" = '--a 1 --b 2 --c 1' && equals journal whole
say $? 'the first byte of a line at the end is removed'
printf 'stage one\n- | --c 9\n' > grid; rm -f journal
that "$(search train.heed -- --updates 10 2> err)" = '' && matches '"score":null' journal
say $? 'a training that diverges has the worst score'
printf 'stage one\n--b 1 | --b 2\n' > grid; rm -f journal
that "$(search --objective bleu train.heed -- --updates 10 2> err)" = '--b 2'
say $? 'the highest BLEU wins'
printf -- '--b 1\nstage one\n' > grid
exits 3 'a line before the first stage' 'nmt-search -g grid --journal journal2 --dev dev.heed train.heed'
exits 2 'malformed seeds' 'nmt-search -g grid --journal journal2 --dev dev.heed --seeds 1,x train.heed'
exits 2 'no journal' 'nmt-search -g grid --dev dev.heed train.heed'

# --- names and words ---
printf 'stage one\n--b 1 | --b 2 | --c 1\n' > grid
new='rm -rf journal* b=1* calls'
$new
that "$(nmt-search --grid=grid --journal=journal --dev=dev.heed --seeds=1 train.heed -- --updates 10 2> err)" = '--b 2'
say $? '--name=value'
exits 2 'a value of --help' 'nmt-search --help=x'
matches -- '--help takes no value' err; say $? '... which says so'
cp grid b=1.grid; $new; cp grid b=1.grid
that "$(nmt-search -g b=1.grid --journal b=1 --dev dev.heed train.heed -- --updates 10 2> err)" = '--b 2' &&
	that "$(count b=1)" = 3
say $? 'files whose names have an equals sign'
printf 'x\n' > b=1
exits 3 'a malformed line of such a journal' 'nmt-search -g grid --journal b=1 --dev dev.heed train.heed -- --updates 10'
matches 'b=1: line 1: other data' err; say $? '... by name'
$new; search train.heed -- --updates 10 --b 9 -kFILE -l1 > winner 2> err
matches '^--updates 10 -kFILE -l1 --b 1 -q' calls; say $? 'attached values are passed'
$new; printf 'stage one\n--b 1 --keys x\n' > grid2
nmt-search -g grid2 --journal journal --dev dev.heed train.heed -- -kFILE --a 1 > winner 2> err
matches '^--a 1 --b 1 --keys x -q' calls; say $? '... and overridden'
$new; printf 'stage one\n--c 3\n' > grid2
nmt-search -g grid2 --journal journal --dev dev.heed train.heed -- --a -cold -k -l -qkX --b 1 > winner 2> err
matches -- '^--a -cold -q -kX --b 1 --c 3 -q' calls; say $? 'a value that begins with a dash is no option'
$new; touch enc.zz; search train.heed -- --updates 10 --list 'enc.*' > winner 2> err
matches -- '--list enc\.\* ' calls; say $? 'a pattern is not expanded'
for word in 'my codes' '' 'a"b'; do
	exits 2 "'$word' in an option" "nmt-search -g grid --journal journal --dev dev.heed train.heed -- --keys '$word'"
done
for list in 4,2 4,4 0 0,4; do
	exits 2 "--rungs $list" "nmt-search -g grid --journal journal --dev dev.heed --rungs $list train.heed"
done
printf 'stage a\n--b 1\nstage b\n--b 2\nstage a\n--b 3\n' > grid2
exits 3 'a stage name given twice' 'nmt-search -g grid2 --journal journal --dev dev.heed train.heed'
matches 'grid2: line 5: stage a again' err; say $? '... by line'

# --- output ---
mkdir folder; $new
exits 4 'a journal that is a folder' 'nmt-search -g grid --journal folder --dev dev.heed train.heed'
for o in folder no/winner; do
	exits 4 "-o $o" "nmt-search -g grid --journal journal --dev dev.heed -o $o train.heed"
	that ! -e calls; say $? '... before the first training'
done
mkfifo pipe
(exec 8<> pipe; $new; search -o pipe train.heed -- --updates 10 2> err; that -p pipe && runs read -r line <&8 && that "$line" = '--b 2')
say $? 'a pipe is written in place'

echo old > real; chmod 640 real; ln -s real link; ln -s unborn dangling
for o in link dangling; do $new; search -o $o train.heed -- --updates 10 2> err; done
that -L link && that "$(cat real)" = '--b 2'; say $? 'a link stays, and its file is replaced'
that "$(stat -c %a real)" = 640; say $? '... with the same mode'
that -L dangling && that "$(cat unborn)" = '--b 2'; say $? '... also if it did not exist'
$new; { echo first; search -o /dev/fd/3 train.heed -- --updates 10 2> err; echo last; } 3> three > fd
that "$(cat three)" = '--b 2'; say $? 'a file under /dev is written in place'
that -z "$(ls -- *.tmp 2> /dev/null)"; say $? 'no temporary file is left'
search -o /dev/full train.heed -- --updates 10 > out 2> err; that $? = 4 && matches '^nmt-search: cannot write /dev/full: ' err
say $? 'a full disk is an error'
(search train.heed -- --updates 10 > /dev/full 2> err); that $? = 4 && matches '^nmt-search: cannot write standard output: ' err
say $? '... also on standard output'
runs search -o /dev/stderr train.heed -- --updates 10 > out 2> err && that "$(tail -n 1 err)" = '--b 2'
say $? '... and standard error may be the output'
# injected 'CALL:N' options: a search in which this system call fails
injected() { call=$1; shift; HEED_INJECT=$call LD_PRELOAD=$HEED_BUILD/tests/inject/io.so nmt-search -g grid --journal journal --dev dev.heed "$@" train.heed -- --updates 10 > out 2> err; }
if [ "${HEED_MODE:-release}" = release ]; then
	injected rename:1 -o failed; that $? = 4 && matches '^nmt-search: cannot rename failed\.' err
	say $? 'a winner that cannot be renamed is an error'
	that -z "$(ls -- failed* 2> /dev/null)"; say $? '... and leaves no temporary file'
	$new; injected fsync:2; that $? = 4 && matches '^nmt-search: cannot write journal: ' err; say $? 'a journal that cannot be synchronized is an error'
else
	for i in 1 2 3; do say 0 '# SKIP a preloaded library does not work with a sanitizer'; done
fi

# --- scores ---
$new; printf 'stage one\n--b 1 --c 9 | --b 2 --c 9\nstage two\n--a 1\n' > grid2
printf 'stage one\n--list cut\n' > grid2
exits 3 'a log that is not read completely' 'nmt-search -g grid2 --journal journal --dev dev.heed train.heed -- --updates 10'
that ! -s journal; say $? '... gives no score'; $new
printf 'stage one\n--b 1 --c 9 | --b 2 --c 9\nstage two\n--a 1\n' > grid2
exits 5 'all trials diverge' 'nmt-search -g grid2 --journal journal --dev dev.heed -o w train.heed -- --updates 10'
matches 'all trials of stage one diverged' err && that ! -e w && that "$(count journal)" = 2; say $? '... by stage, without a winner'
$new; mkdir locale
localedef -i de_DE -f UTF-8 "$PWD/locale/de_DE.UTF-8" > err 2>&1
LOCPATH=$PWD/locale LC_ALL=de_DE.UTF-8 search train.heed -- --updates 10 2> err | matches -xe '--b 2'
say $? 'scores in a locale with a decimal comma'

# --- data ---
# Trees, and the order of the records, change the training.
parse --control adjacent train.heed > adjacent.heed
parse --control random train.heed > random.heed
{ heed-show train.heed | sed -n 1p; heed-show train.heed | sed '1d;$d' | tac; heed-show train.heed | sed -n '$p'; } |
	heed-pack --no-pg -j > reversed.heed
$new; search adjacent.heed -- --updates 10 > winner 2> err
exits 3 'other trees are refused' 'nmt-search -g grid --journal journal --dev dev.heed random.heed -- --updates 10'
$new; search train.heed -- --updates 10 > winner 2> err
exits 3 'another order is refused' 'nmt-search -g grid --journal journal --dev dev.heed reversed.heed -- --updates 10'
sed 's/"data":"[^"]*"/"data":"0123456789abcdef-0123456789abcdef"/' journal > old; mv old journal
exits 3 'a journal of an earlier version is refused' 'nmt-search -g grid --journal journal --dev dev.heed train.heed -- --updates 10'
matches 'journal: line 1: checksums of an earlier version' err; say $? '... which says so'
head -c 90 train.heed > cut.heed
exits 3 'a truncated stream is refused' 'nmt-search -g grid --journal journal2 --dev dev.heed cut.heed -- --updates 10'
that ! -e journal2; say $? '... before a journal is begun'

# --- mistakes in the options and in the grid ---
line='nmt-search -g grid2 --journal journal2 --dev dev.heed train.heed'
printf 'stage one\n--b 1 | --b 2\n' > grid2; $new
for own in '--seed 7' '-s7' '--dev train.heed' '-o foo.tar' '-qofoo.tar' '--log=l' --help; do
	exits 2 "$own after --" "$line -- --updates 10 $own"
done
matches -- '--help among the options of nmt-train, expected none' err; say $? '... by name'
exits 2 '--updates with --rungs' "nmt-search --rungs 4,8 -g grid2 --journal journal2 --dev dev.heed train.heed -- --updates 10"
exits 2 'seeds that are equal' "nmt-search --seeds 1,2,01 -g grid2 --journal journal2 --dev dev.heed train.heed"
# refused 'what' 'grid' 'message'
refused() {
	printf "$2" > grid2
	exits 3 "$1" "$line -- --updates 10"
	matches -- "^nmt-search: grid2: line $3" err; say $? '... by its line'
}
refused 'an option twice in one alternative' 'stage one\n- | --b 2\n--c 1 --a=3 --c 2\n' '3: --c twice in an alternative'
refused 'an option on two lines of a stage' 'stage one\n--b 1 | --b 2\n\n--c 1 | --b 3\n' '4: --b also in line 2'
refused 'an option that nmt-search sets' 'stage one\n--b 1 | --b 2 -s 3\n' '2: --seed among'
refused 'a stage without lines' 'stage one\n--b 1\nstage two\n# -\nstage three\n--c 1\n' '3: stage two without'
refused '... also at the end' 'stage one\n--b 1\nstage two\n' '3: stage two without'
refused 'a | at the end of a line' 'stage one\n--b 1 | --b 2 |\n' '2: empty alternative'
refused 'an alternative that is given twice' 'stage one\n- | --b 2 | -\n' "2: '-' twice"
for i in 1 2 3 4 5 6; do printf -- '--list 1 | --list 2 | --list 3 | --list 4 | --list 5 | --list 6 | --list 7\n'; done | sed '1s/^/stage one\n/' > grid2
exits 3 'too many combinations' "$line"; matches '^nmt-search: grid2: line 7: more than 100000 combinations' err; say $? '... by their line'
exits 3 'a grid without a stage' "nmt-search -g /dev/null --journal journal2 --dev dev.heed train.heed"
that ! -e calls && that ! -e journal2; say $? 'all of this before the first training, and without a journal'
exits 3 'text instead of a stream' 'nmt-search -g grid --journal journal2 --dev dev.heed t.en'
matches '^nmt-search: t.en is not' err && lacks heed-show err; say $? '... by the name of this program'

# --- an option that is given again in a later stage ---
$new; printf 'stage one\n--b 1 | --b 3\nstage two\n- | --b 2\nstage three\n--c 2 | --c 1\n' > grid2
that "$($line -- --updates 10 --c 5 2> err)" = '--b 2 --c 1'; say $? 'the winner has each option once'
that "$(sed 's/.*"trial":"\([^"]*\)".*/\1/' journal2 | tr '\n' /)" = '--b 1/--b 3/--b 2/--b 2 --c 2/--b 2 --c 1/'; say $? '... and the trials, too'
matches -- 'hint: .*; train with: --updates 10 --b 2 --c 1$' err; say $? '... and a hint has the options to train with'

# --- with nmt-train itself ---
rm programs/nmt-train; $new
base='--size tiny --arch width=8,ff=8,heads=1,enc_layers=1,dec_layers=1 --updates 2'
printf 'stage one\n--lr 0.001 --warmup 1 | --lr 0.004 --warmup 1\nstage two\n--lr 0.008 | --lr 0.009\n' > grid2
runs $line -t 1 -- $base > winner 2> err && runs nmt-train -q $base $(cat winner) -o m.tar train.heed 2>> err
say $? 'nmt-train accepts the winner with the options after --'
that "$(cat winner)" = '--warmup 1 --lr 0.008' || that "$(cat winner)" = '--warmup 1 --lr 0.009'; say $? '... which is of both stages'
$new; printf 'stage one\n- | --dropout 0.1\n--lr 0.001 | --lr 0.1 --warmup x | --lr 0.2\n' > grid2
exits 3 'a value that nmt-train refuses, in the second alternative' "$line -- $base"
matches '^nmt-train: --warmup: ' err && matches 'grid2: line 3: nmt-train refuses this trial: --lr 0.1 --warmup x' err && that ! -s journal2
say $? '... by its line, before the first training'
printf 'stage one\n-\nstage two\n- | -a plain\n- | -a relativ\n' > grid2
exits 3 'an attention variant of a later stage' "$line -- $base"
matches "grid2: line 5: nmt-train refuses this trial: -a relativ" err; say $? '... by its line'
printf 'stage one\n- | --lr x\n' > grid2
exits 3 'a wrong trial, where the options after -- have --epochs' "$line -- ${base% --updates 2} --epochs 1"
matches "grid2: line 2: nmt-train refuses this trial: --lr x" err; say $? '... by its line'
exits 2 'an unknown option after --' "$line -- $base --lrr 3"
printf 'stage one\n- | --schedule linear --warmup 1\n' > grid2
exits 3 'a schedule that depends on --updates, with --rungs' "nmt-search --rungs 1,2 -t 1 -g grid2 --journal journal2 --dev dev.heed train.heed -- --size tiny"
matches 'grid2: line 2: --schedule linear --warmup 1: the schedule depends on --updates' err && that ! -s journal2; say $? '... by its line'
runs $line -t 1 -- $base > winner 2> err; say $? '... but not without --rungs'
$new; printf 'stage one\n- | --dropout 0.1\n' > grid2
exits 0 '--epochs with --rungs' "nmt-search --rungs 1,2 -t 1 -g grid2 --journal journal2 --dev dev.heed train.heed -- ${base% --updates 2} --epochs 9 --warmup 1"
$new; runs $line -t 1 -- $base --save-every 1 --average 2 > winner 2> err; say $? 'models may be averaged, as in the profile cpu'
