#!/bin/sh
# nmt-search: search for training settings, stage by stage, with a journal; see nmt-search(1).
set -u
LC_ALL=C; export LC_ALL		# scores have a decimal point, for awk and sort, too
program=nmt-search
version='@VERSION@'
tab=$(printf '\t')

# usage MESSAGE [HINT]
usage() {
	printf '%s: %s\n%s: hint: %s\n' $program "$1" $program "${2:-$program --help lists the options}" >&2
	exit 2
}
fail() { printf '%s: %s\n' $program "$2" >&2; exit "$1"; }
# A reader that has seen enough (SIGPIPE) is no error.
show() {
	"$1" 2> /dev/null; r=$?
	[ $r = 141 ] && exit $r
	[ $r = 0 ] || fail 4 'cannot write standard output'
}

options() {
	cat <<-EOT
	g${tab}grid${tab}file${tab}search space, in stages
	${tab}journal${tab}file${tab}record training runs in file; resume from it if it exists
	${tab}dev${tab}file${tab}development set for scoring trials
	${tab}objective${tab}name${tab}score of a trial: nll, bleu (nll)
	${tab}rungs${tab}list${tab}successive halving: updates after which the worse half of the trials stops
	${tab}seeds${tab}list${tab}train each trial with each seed in this list (1)
	t${tab}threads${tab}n${tab}use n threads in each training run; 0 uses all processors (0)
	o${tab}output${tab}file${tab}write the winner to file (standard output)
	h${tab}help${tab}${tab}print this help and exit
	${tab}version${tab}${tab}print the version and exit
	EOT
}
version() { echo "$program (heed) $version"; }
help() {
	echo "usage: $program -g grid --journal file --dev file [options] train"
	echo "                  [-- training options]"
	echo "search for training settings"
	echo
	options | awk -F'\t' '{
		line = sprintf("  %s --%-20s", $1 == "" ? "   " : "-" $1 ",", $2 " " $3)
		n = split($4, word, " ")
		for (i = 1; i <= n; i++) {
			if (length(line) + 1 + length(word[i]) > 80) { print line; line = sprintf("%28s", "") }
			line = line " " word[i]
		}
		print line }'
	echo
	echo "example:"
	echo "  $program -g grid --journal journal --dev dev.heed train.heed -- --size small --epochs 20"
	echo
	echo "see $program(1)"
}
# list_of_ints OPTION LIST: the numbers of LIST separated by blanks, without leading zeros, which
# would make them octal for printf %d.
list_of_ints() {
	case $2 in
	''|*[!0-9,]*|,*|*,|*,,*) usage "$1: '$2', expected numbers separated by commas" ;;
	esac
	echo ",$2" | sed 's/,0*\([0-9]\)/ \1/g'
}

# once NAME: dies if that option was given before.
given=
once() {
	case " $given " in *" $1 "*) usage "--$1 is given twice, expected once" ;; esac
	given="$given $1"
}

dev= grid= journal= objective=nll output= rungs=0 seeds=1 threads=0 train=
while [ $# -gt 0 ]; do
	case $1 in
	-h|--help) show help; exit ;;
	--version) show version; exit ;;
	--options-tsv) show options; exit ;;
	--) shift; break ;;
	--help=*|--version=*|--options-tsv=*) usage "${1%%=*} takes no value" ;;
	--*=*) name=${1%%=*} value=${1#*=}; shift; set -- "$name" "$value" "$@" ;;
	--dev|-g|--grid|--journal|--objective|-o|--output|--rungs|--seeds|-t|--threads)
		[ $# -gt 1 ] || usage "$1 needs a value" ;;
	-[got]?*) value=${1#??} name=${1%"$value"}; shift; set -- "$name" "$value" "$@" ;;
	-j*) usage "unknown option -j" "this option is now --journal" ;;
	-*) usage "unknown option $1" ;;
	*) [ -z "$train" ] || usage "two training files, expected one: $train $1"
	   train=$1; shift; continue ;;
	esac
	case $1 in
	-g|--grid) once grid; grid=$2 ;;
	-o|--output) once output; output=$2 ;;
	-t|--threads)
		once threads
		case $2 in ''|*[!0-9]*) usage "$1: '$2', expected a whole number from 0" ;; esac
		threads=$2 ;;
	--dev) once dev; dev=$2 ;;
	--journal) once journal; journal=$2 ;;
	--objective)
		once objective
		case $2 in nll|bleu) ;; *) usage "--objective: '$2', expected nll or bleu" ;; esac
		objective=$2 ;;
	--rungs)
		once rungs
		rungs=$(list_of_ints "$1" "$2") || exit 2
		before=0
		for updates in $rungs; do
			[ "$updates" -gt $before ] || usage "$1: '$2', expected increasing numbers from 1"
			before=$updates
		done ;;
	--seeds)
		once seeds
		seeds=$(list_of_ints "$1" "$2") || exit 2
		[ -z "$(printf '%s\n' $seeds | sort | uniq -d)" ] ||
			usage "$1: '$2', expected different numbers" ;;
	*) usage "unknown option $1" ;;
	esac
	shift 2
done
[ -n "$grid" ] || usage 'no grid, expected -g file'
[ -n "$journal" ] || usage 'no journal, expected --journal file'
[ -n "$dev" ] || usage 'no development set, expected --dev file'
[ -n "$train" ] || usage 'no training data, expected a file'
for file in "$grid" "$dev" "$train"; do
	[ -r "$file" ] || fail 4 "cannot read $file"
done
# They are in the journal as one text, which is split at blanks.
for word; do
	case $word in ''|*[[:space:]\"\\]*)
		usage "'$word' in nmt-train's options, expected no blank, quote or backslash" ;;
	esac
done
set -f		# from here on, no word is a pattern of file names
# The winner is written to a new file, which is then renamed; to a device or pipe in place.  A link
# stays: the file to which it points is replaced.
new=$output
case $output in
''|-) ;;
/dev/*|/proc/*) true >> "$output" || fail 4 "cannot write $output" ;;
*)
	if [ ! -e "$output" ] || [ -f "$output" ]; then
		file=$(realpath -- "$output" 2> /dev/null) && new=$file.$$.tmp &&
			true > "$new" && rm "$new" || fail 4 "cannot write $output"
		output=$file
	fi
	[ ! -d "$output" ] || fail 4 "cannot write $output" ;;
esac
case $objective in nll) sign=1 order=-g ;; *) sign=-1 order=-gr ;; esac
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"; [ "$new" = "$output" ] || rm -f "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

cat > "$work/program" <<'AWK'
@AWK@
AWK
# parse MODE NAME=VALUE...: runs nmt-search.awk with these variables.  Files are its standard input:
# awk would take a name with "=" for an assignment.
parse() {
	mode=$1; shift
	env "$@" table="$table" awk -v mode="$mode" -v rungs="$rungs" -v objective=$objective \
	    -f "$work/program"
}
# merge WORD...: the training options in these words; the last counts if one is given again
merge() { parse merge text="$*" < /dev/null; }
base=$* table=$(nmt-train --options-tsv) || exit
parse grid grid="$grid" base="$base" < "$grid" > "$work/grid" || exit

# run FOLDER SEED OPTION...: nmt-train with these options and those of every training
run() {
	folder=$1 seed=$2; shift 2
	[ $objective = nll ] || set -- "$@" --dev-bleu --stop-on bleu
	nmt-train "$@" -q --threads $threads --dev "$dev" --seed "$seed" \
	    --checkpoint "$folder/checkpoint.tar" --log "$folder/log.heed" \
	    -o "$folder/model.tar" "$train" 9>&-
}
# accepts OPTION...: does nmt-train accept these options?  Otherwise, $work/err says why.
# shellcheck disable=SC2046
accepts() {
	run "$work" 1 --check-options $(merge "$@") < /dev/null > "$work/err" 2>&1
}
# check LINES TRIAL: dies if nmt-train does not accept a trial.  With --rungs, a trial must not
# depend on the number of updates, so another stopping criterion is given here.
# shellcheck disable=SC2086
check() {
	stop=
	[ "$rungs" = 0 ] || stop='--epochs 1'
	accepts "$base" "$2" $stop && return
	[ "$rungs" = 0 ] || ! accepts "$base" "$2" --updates 1 || fail 3 \
	    "$grid: $1: ${2:--}: the schedule depends on --updates, which --rungs changes"
	accepts "$base" --epochs 1 || {
		cat "$work/err" >&2
		usage "nmt-train refuses the options after --: $base"
	}
	accepts "$base" "$2" $stop
	cat "$work/err" >&2
	fail 3 "$grid: $1: nmt-train refuses this trial: ${2:--}"
}
# fill STAGE WINNER: writes the trials of a stage, with the winner of the stage before, to
# $work/pool
fill() {
	parse pool stage="$1" winner="$2" < "$work/grid" > "$work/trials"
	while IFS=$tab read -r lines trial; do check "$lines" "$trial"; done < "$work/trials"
	cut -f 2 "$work/trials" > "$work/pool"
}
# Before the first training, the first trial of a stage takes the place of its winner.
stages=$(cut -f 1 "$work/grid" | uniq) winner=
for stage in $stages; do
	fill "$stage" "$winner"
	winner=$(head -n 1 "$work/pool")
done

# checksum FILE: of all fields of all records in their order, but not of the header, which has the
# commands that made the stream
checksum() {
	{ heed-show "$1" 2> "$work/err" || echo $? > "$work/failed"; } | sed 1d | cksum | tr ' ' -
	sed "s/^heed-show:/$program:/" "$work/err" >&2
}
# Only trials with the same training data, development set and common settings are compared.
data=$(checksum "$train"),$(checksum "$dev")
[ ! -e "$work/failed" ] || exit "$(cat "$work/failed")"
common=$(printf '{"data":"%s","objective":"%s","base":"%s",' "$data" $objective "$*")
# The journal is locked until this process ends in any way.  Trainings do not inherit the lock;
# their checkpoints have locks of their own.
[ -d "$(dirname "$journal")" ] && { true >> "$journal"; } 2> /dev/null ||
	fail 4 "cannot write $journal"
exec 9>> "$journal"
if ! command -v flock > /dev/null; then
	printf '%s: warning: no flock(1): %s is not locked against a second search\n' \
	    $program "$journal" >&2
elif ! flock -n 9; then
	printf '%s: %s is in use by another search, expected no other process\n' \
	    $program "$journal" >&2
	printf '%s: hint: wait for it to end, or use another journal\n' $program >&2
	exit 4
fi

# An interrupted search may have left a truncated last line; cut is its number of bytes.
cut=0
[ -z "$(tail -c 1 "$journal" | tr '\0' x)" ] || cut=$(tail -n 1 "$journal" | wc -c)
# Every line is as try() writes it, and the truncated one as try() begins it, so that nothing is
# removed from a file that is no journal.
journal_lines() { head -c "-$cut" "$journal" | tr '\0' '\1'; }
truncated_line() { [ $cut = 0 ] || tail -n 1 "$journal" | tr '\0' '\1'; }
{ journal_lines; truncated_line; } | common=$common name=$journal awk -v program=$program \
    -v lines="$(wc -l < "$journal")" '
	function bad(what, hint) {
		printf "%s: %s: line %d: %s\n", program, ENVIRON["name"], NR, what > "/dev/stderr"
		printf "%s: hint: %s\n", program, hint > "/dev/stderr"
		exit 3
	}
	/^[{]"data":"[0-9a-f]+-[0-9a-f]+",/ {
		bad("checksums of an earlier version, expected checksums of all fields",
		    "use another journal, or delete this one")
	}
	NR > lines && index(ENVIRON["common"], $0) == 1 { next }
	index($0, ENVIRON["common"]) != 1 {
		bad("other data, another objective or other settings",
		    "use another journal, or delete this one")
	}
	NR > lines { next }
	{
		rest = substr($0, length(ENVIRON["common"]) + 1)
		whole = "(0|[1-9][0-9]*)"
		number = "-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?"
		form = "^\"trial\":\"[^\"[:cntrl:]]*\",\"seed\":" whole ",\"updates\":" whole \
		    ",\"score\":(null|" number "),\"stage\":\"[^\"]*\",\"seconds\":-?[0-9]+}$"
		score = rest
		sub(/.*,"score":/, "", score); sub(/,.*/, "", score)
		if (rest !~ form || score + 0 > 1e300 || score + 0 < -1e300)
			bad("expected trial, seed, updates, score, stage and seconds of a trial",
			    "delete the line; the trial is then repeated")
		sub(/,"score":.*/, "", rest)
		if (rest in scores && scores[rest] != score)
			bad("score " score ", but " scores[rest] " in an earlier line, expected one " \
			    "score of a trial", "delete one of the two lines")
		scores[rest] = score
	}' || exit 3
[ $cut = 0 ] || truncate -s "-$cut" "$journal" || fail 4 "cannot write $journal"

# recorded TRIAL SEED UPDATES: its score in the journal; nothing if it is not there
recorded() {
	[ -e "$journal" ] || return 0
	key=$common$(printf '"trial":"%s","seed":%d,"updates":%d,"score":' "$1" "$2" "$3") \
	    awk 'index($0, ENVIRON["key"]) == 1 {
		score = substr($0, length(ENVIRON["key"]) + 1)
		sub(/,.*/, "", score); print score; exit
	    }' < "$journal"
}

# try STAGE TRIAL SEED UPDATES: trains, and adds a line to the journal.  An interrupted training
# resumes.
try() {
	folder=$journal.trials/$(printf '%s%s %s' "$common" "$2" "$3" | cksum | tr ' ' -)
	mkdir -p "$folder" || exit 4
	stage=$1 trial=$2 seed=$3 updates=$4 limit=
	[ "$updates" = 0 ] || limit="--updates $updates"
	begun=$(date +%s) status=0
	# shellcheck disable=SC2046,SC2086
	run "$folder" "$seed" $(merge "$base" "$trial") $limit || status=$?
	case $status in
	0) heed-show -f dev.$objective "$folder/log.heed" > "$work/log" || exit
	   score=$(grep '^-\{0,1\}[0-9]' "$work/log" | sort "$order" | head -n 1) ;;
	5) score=null ;;
	*) exit $status ;;
	esac
	[ -n "$score" ] ||
		fail 3 "no validation in $updates updates: set nmt-train's --validate-every"
	took=$(($(date +%s) - begun))
	[ $took -ge 0 ] || took=0	# the clock was set back
	printf '%s"trial":"%s","seed":%d,"updates":%d,"score":%s,"stage":"%s","seconds":%d}\n' \
	    "$common" "$trial" "$seed" "$updates" "$score" "$stage" $took \
	    >> "$journal" 2> /dev/null && sync "$journal" || fail 4 "cannot write $journal"
	echo "$program: $stage: ${trial:-(no options)}, seed $seed: $score" >&2
}

# rank STAGE UPDATES: runs the trials in $work/pool and sorts them, the best first; trials with
# equal scores keep their order.
rank() {
	: > "$work/scores"
	while IFS= read -r trial; do
		for seed in $seeds; do
			score=$(recorded "$trial" "$seed" "$2")
			if [ -z "$score" ]; then
				try "$1" "$trial" "$seed" "$2" < /dev/null
				score=$(recorded "$trial" "$seed" "$2")
			fi
			printf '%s\t%s\n' "$score" "$trial" >> "$work/scores"
		done
	done < "$work/pool"
	grep -qv '^null' "$work/scores" || fail 5 "all trials of stage $1 diverged"
	awk -F'\t' -v sign=$sign '
		!($2 in n) { order[++m] = $2 }
		{ n[$2]++; sum[$2] += $1 == "null" ? sign * 1e30 : $1 }
		END {
			for (i = 1; i <= m; i++)
				printf "%.17g\t%d\t%s\n", sign * sum[order[i]] / n[order[i]], i,
				    order[i]
		}' "$work/scores" |
	sort -t "$tab" -k 1,1g -k 2,2n | cut -f 3 > "$work/pool"
}

winner=
for stage in $stages; do
	fill "$stage" "$winner"
	left=$(echo "$rungs" | wc -w)
	for updates in $rungs; do
		rank "$stage" "$updates"
		left=$((left - 1))
		[ $left = 0 ] || sed "$((($(wc -l < "$work/pool") + 1) / 2))q" \
		    "$work/pool" > "$work/half"
		[ $left = 0 ] || mv "$work/half" "$work/pool"
	done
	winner=$(head -n 1 "$work/pool")
	rm -rf "$journal.trials"
done

all=$(merge "$base" "$winner")
# shellcheck disable=SC2046,SC2116
[ "$all" = "$(echo $(merge "$base") $winner)" ] ||
	echo "$program: hint: the winner replaces options after --; train with: $all" >&2
# replace: renames the new file to the output, with the mode of the file that it replaces.  The trap
# removes the new file if this or writing it fails.
replace() {
	[ "$new" != "$output" ] || return 0
	{ [ ! -e "$output" ] || chmod --reference="$output" "$new"; } && mv -f "$new" "$output"
}
case $output in
''|-) printf '%s\n' "$winner" 2> /dev/null || fail 4 'cannot write standard output' ;;
*) printf '%s\n' "$winner" > "$new" 2> /dev/null && replace 2> /dev/null || fail 4 "cannot write $output" ;;
esac
