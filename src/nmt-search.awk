# nmt-search.awk: the grid of nmt-search, and the training options in it; part of nmt-search.sh.
#
# The environment has table, the options of nmt-train (--options-tsv).  mode is what to do:
# grid    check the grid on standard input, and the options base, which every trial has; print for
#         each combination of alternatives: stage, lines of the grid for messages, options
# pool    print lines and options of each combination of a stage, after the options winner
# merge   print the options in text, of which the last counts if one is given again

function read_table(   i, n, row, f) {
	n = split(ENVIRON["table"], row, "\n")
	for (i = 1; i <= n; i++) {
		split(row[i], f, "\t")
		name["--" f[2]] = "--" f[2]
		if (f[1] != "")
			name["-" f[1]] = "--" f[2]
		takes["--" f[2]] = f[3] != ""
		many["--" f[2]] = f[5] == "+"
		if (f[3] ~ /^key=value/)
			keyed["--" f[2]]
	}
	name[""] = ""
}

# Options that nmt-search sets itself, and what it uses instead.
function read_own() {
	own["--output"] = own["--checkpoint"] = own["--log"] = "nmt-search sets it"
	own["--check-options"] = own["--help"] = own["--version"] = "it trains nothing"
	own["--dev"] = "--dev of nmt-search sets it"
	own["--threads"] = "--threads of nmt-search sets it"
	own["--seed"] = "--seeds sets it"
	if (rungs != 0)
		own["--updates"] = "--rungs sets it"
	if (objective == "bleu")
		own["--stop-on"] = "--objective sets it"
}

function add(key, words) { of[++m] = name[key]; option[m] = words }

# Splits text into options: of[1] to of[m] are their names, option[i] is an option with its value.
# A value may be the next word, whatever its first character, or attached; "-qkFILE" is "-q -kFILE".
function parse(text,   i, n, w, word, key) {
	n = split(text, word, " "); m = 0
	for (i = 1; i <= n; i++) {
		w = word[i]; key = substr(w, 1, 2)
		while (w ~ /^-[^-]./ && key in name && !takes[name[key]]) {
			add(key, key); w = "-" substr(w, 3)
			key = substr(w, 1, 2)
		}
		if (key == "--") { key = w; sub(/=.*/, "", key) }
		if (!(key in name)) key = ""
		if (w == key && takes[name[key]] && i < n) w = w " " word[++i]
		add(key, w)
	}
}

# Options that may be given several times, as --arch, are all kept.
function merge(text,   i, kept, later) {
	parse(text)
	for (i = m; i > 0; i--) {
		if (of[i] == "" || many[of[i]] || !(of[i] in later))
			kept = option[i] (kept == "" ? "" : " ") kept
		later[of[i]]
	}
	return kept
}

function fail(status, what) {
	print "nmt-search: " what > "/dev/stderr"
	failed = 1; exit status
}
function bad(line, what) { fail(3, ENVIRON["grid"] ": line " line ": " what) }

function find_own(   i) {
	for (i = 1; i <= m; i++)
		if (of[i] in own)
			return of[i] " among the options of nmt-train, expected none: " own[of[i]]
}

# What option i sets: its name, or a name for each key of "--arch key=value,..."; returns their
# number.
function settings(i, list,   k, n, value) {
	list[1] = of[i]
	if (!(of[i] in keyed))
		return of[i] != "" && !many[of[i]]
	value = option[i]; sub(/^[^ =]*[ =]/, "", value)
	n = split(value, list, ",")
	for (k = 1; k <= n; k++) { sub(/=.*/, "", list[k]); list[k] = of[i] " " list[k] }
	return n
}

function check_alternative(text,   i, k, n, s, list, here) {
	if (text == "")
		bad(NR, "empty alternative, expected options, or - for none")
	parse(text)
	if (s = find_own())
		bad(NR, s)
	for (i = 1; i <= m; i++) {
		n = settings(i, list)
		for (k = 1; k <= n; k++) {
			s = list[k]
			if (s in here)
				bad(NR, s " twice in an alternative, expected once; is a | missing?")
			if (s in line_of && line_of[s] != NR)
				bad(NR, s " also in line " line_of[s] ", expected one line of a stage")
			here[s]; line_of[s] = NR
		}
	}
}

function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }

# Combines the combinations so far with the alternatives of this line.  at[i] has the lines of which
# a combination has another alternative than the first one.  If it is the first combination that
# nmt-train refuses, these lines are the cause.
function combine(   i, j, k, m2, choice, word, more, where, seen) {
	k = split($0, choice, "|")
	for (j = 1; j <= k; j++) {
		word = choice[j] = trim(choice[j])
		check_alternative(word)
		if (word in seen)
			bad(NR, "'" word "' twice, expected different alternatives")
		seen[word]
	}
	for (i = 1; i <= n_list; i++)
		for (j = 1; j <= k; j++) {
			more[++m2] = trim(list[i] " " (choice[j] == "-" ? "" : choice[j]))
			where[m2] = at[i] (j > 1 ? ", " NR : "")
		}
	for (n_list = 0; n_list < m2; n_list++) {
		list[n_list + 1] = more[n_list + 1]
		at[n_list + 1] = where[n_list + 1]
	}
	all = all ", " NR
}

function end_stage(   i, where) {
	if (stage != "" && all == "")
		bad(stage_line, "stage " stage " without alternatives, expected a line of options")
	for (i = 1; i <= n_list; i++) {
		where = substr(at[i] == "" ? all : at[i], 3)
		print stage "\t" (where ~ /,/ ? "lines " : "line ") where "\t" list[i]
	}
}

function begin_stage() {
	if (NF != 2)
		bad(NR, "expected one name after stage")
	if ($2 in begun)
		bad(NR, "stage " $2 " again, expected a new name")
	end_stage()
	begun[stage = $2]; stage_line = NR
	list[n_list = 1] = at[1] = all = ""
	split("", line_of)
}

BEGIN {
	read_table(); read_own()
	if (mode == "merge")
		print merge(ENVIRON["text"])
	if (mode == "merge")
		exit
	if (mode == "pool")
		FS = "\t"
	parse(ENVIRON["base"])
	if (mode == "grid" && (what = find_own()))
		fail(2, what)
}
mode == "pool" { if ($1 == ENVIRON["stage"]) print $2 "\t" merge(ENVIRON["winner"] " " $3); next }
/^[ \t]*(#|$)/ { next }
/["\\\t]/ { bad(NR, "quote, backslash or tab, expected none") }
$1 == "stage" { begin_stage(); next }
stage == "" { bad(NR, "options before the first stage, expected stage NAME") }
{ combine() }
END {
	if (mode == "grid" && !failed && stage == "")
		fail(3, ENVIRON["grid"] ": no stage, expected stage NAME")
	if (mode == "grid" && !failed)
		end_stage()
}
