#!/bin/sh
# make fuzz: what came of each target, and their sum, with targets that find something and some that do not.
. "$HEED_TOP/tests/lib.sh"
plan 8

# target NAME EXIT TEXT: a target that does nothing but end so
target() {
	printf '#!/bin/sh\necho "$*" > %s.arguments\necho "$1" > "$(ls -d found*/%s)/new"\nprintf "%s"\nexit %s\n' "$1" "$1" "$3" "$2" > "$1"
	chmod +x "$1"
}
target calm 0 'stat::number_of_executed_units: 700\nstat::average_exec_per_sec: 35\n'
target wild 77 'Test unit written to found/wild-crash-1\nstat::number_of_executed_units: 42\nstat::average_exec_per_sec: 2\n'
target dead 139 ''
run() { sh "$HEED_TOP/tests/fuzz/run.sh" . "./$1" 20 "$2"; }
sum() { cat "$@" | awk -F'\t' -f "$HEED_TOP/tests/fuzz/sum.awk"; }

[ "$(run calm corpus)" = 'calm: 700 executions, 35 a second' ]; say $? 'a target without findings'
grep -q -- '-max_total_time=20 .* tests/corpus/calm$' calm.arguments; say $? '... begins with its corpus'
[ "$(run wild corpus)" = 'wild: 42 executions, 2 a second, FOUND found/wild-crash-1' ]; say $? 'one with a finding does not end the others'
run dead corpus | grep -q 'FOUND exit 139'; say $? 'nor does one that dies without a word, which is a finding'
[ "$(sum runs/calm)" = '1 targets, 700 executions, no finding' ]; say $? 'the sum of what found nothing is success'
exits 1 '... of anything else it is failure' "cat runs/calm runs/wild runs/dead | awk -F'\t' -f '$HEED_TOP/tests/fuzz/sum.awk'"
printf '3 targets, 742 executions, 2 findings:\n  wild: found/wild-crash-1\n  dead: exit 139, see ./runs/dead.log\n' | cmp -s - out
say $? '... with a list'
mkdir -p found-from-empty/calm; touch found-from-empty/calm/old
run calm empty > /dev/null; ! grep -q tests/corpus calm.arguments && [ ! -e found-from-empty/calm/old ]; say $? 'from empty: neither the corpus nor what was found before'
