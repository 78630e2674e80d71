#!/bin/sh
# make fuzz: the result of each target and the summary, for targets with and without findings.
. "$HEED_TOP/tests/lib.sh"
plan 8

# target NAME EXIT TEXT: makes a target that prints TEXT and ends with EXIT
target() {
	printf '#!/bin/sh\necho "$*" > %s.arguments\necho "$1" > "$(ls -d found*/%s)/new"\nprintf "%s"\nexit %s\n' "$1" "$1" "$3" "$2" > "$1"
	chmod +x "$1"
}
target calm 0 'stat::number_of_executed_units: 700\nstat::average_exec_per_sec: 35\n'
target wild 77 'Test unit written to found/wild-crash-1\nstat::number_of_executed_units: 42\nstat::average_exec_per_sec: 2\n'
target dead 139 ''
run() { sh "$HEED_TOP/tests/fuzz/run.sh" . "./$1" 20 "$2"; }
sum() { cat "$@" | awk -F'\t' -f "$HEED_TOP/tests/fuzz/sum.awk"; }

that "$(run calm corpus)" = 'calm: 700 executions, 35 per second'; say $? 'a target without findings is reported'
matches -- '-max_total_time=20 .* tests/corpus/calm$' calm.arguments; say $? '... and starts with its corpus'
that "$(run wild corpus)" = 'wild: 42 executions, 2 per second, FOUND found/wild-crash-1'; say $? 'a finding is reported'
run dead corpus | matches 'FOUND exit 139'; say $? 'a target that dies silently is a finding'
that "$(sum runs/calm)" = '1 targets, 700 executions, no finding'; say $? 'without findings the summary is success'
exits 1 '... with findings it is failure' "cat runs/calm runs/wild runs/dead | awk -F'\t' -f '$HEED_TOP/tests/fuzz/sum.awk'"
printf '3 targets, 742 executions, 2 findings:\n  wild: found/wild-crash-1\n  dead: exit 139, see ./runs/dead.log\n' | equals - out
say $? '... and lists the findings'
mkdir -p found-from-empty/calm; touch found-from-empty/calm/old
run calm empty > /dev/null; lacks tests/corpus calm.arguments && that ! -e found-from-empty/calm/old; say $? 'from empty: uses neither the corpus nor earlier findings'
