#!/bin/sh
# op-checker: the op checkers find the defect of each op of tests/ops/planted.h, and say why.
. "$HEED_TOP/tests/lib.sh"
plan 10

# finds OP TEXT [PROGRAM [CODE]]: the checker fails for this op, with this text
finds() {
	ends "${4:-1}" env HEED_OP=$1 CMOCKA_MESSAGE_OUTPUT=TAP "$HEED_BUILD/tests/ops/${3:-check}.t" > out 2>&1
	say $? "$1: ${3:-check} fails"
	matches "$2" out; say $? '... and says why'
}
finds planted-overwrites 'planted-overwrites, a sum: gradient of input 0, .*is not added (beta 1)'
finds planted-adds 'planted-adds, a sum: gradient of input 1, .*does not overwrite the memory (beta 0)'
finds planted-joint 'planted-joint, a sum: gradient of input 1 differs if input 0 needs none'
finds planted-relevance 'planted-relevance, a sum: epsilon: relevance .* became' check-relevance
finds no-such 'HEED_OP=no-such: no such op' check 2
