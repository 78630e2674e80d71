#!/bin/sh
# every-variant: the tests of all variants find the defect of each variant of tests/variant/planted.h.
. "$HEED_TOP/tests/lib.sh"
plan 50

# finds NAME TEST TEXT [PROGRAM]: this test of the program fails for a planted variant, with this text
finds() {
	HEED_VARIANT=$1 CMOCKA_MESSAGE_OUTPUT=TAP \
	    "$HEED_BUILD/tests/variant/${4:-every-variant}.t" > out 2>&1
	matches "^not ok [0-9]* - $2" out; say $? "$1: fails $2"
	matches "$3" out; say $? '... says why'
}
finds planted-future results_do_not_depend_on_the_future 'planted-future'
finds planted-gradient gradients_are_correct 'gradient .*, difference'
finds planted-batch results_do_not_depend_on_the_batch 'planted-batch'
finds planted-threads results_do_not_depend_on_threads 'planted-threads'
finds planted-step steps_equal_the_whole_decoder 'by the whole decoder'
finds planted-pruned pruning_equals_masking 'with masked heads' pruned
HEED_VARIANT=planted-uncut "$HEED_BUILD/tests/variant/pruned.t" > out 2>&1
matches 'parameter enc.2.self.planted .*: site_cut()' out; say $? 'planted-uncut: a parameter without a cut is named'
finds planted-stray neutral_cases_are_plain 'parameter planted.enc.1.self, expected a name'
HEED_VARIANT=planted-fused "$HEED_BUILD/tests/variant/every-variant.t" > out 2>&1
matches 'attention planted-fused at enc.1.self: no weights' out; say $? 'planted-fused: weights that are not there are named'
finds planted-report logs_have_known_fields 'fields.c and heed-fields(5) do not have dev.planted'
finds planted-field variants_are_whole 'planted-field: common/stream/fields.c and heed-fields(5) do not have src.planted'
finds planted-type variants_are_whole 'planted-type: needs src.dep as i8'
finds planted-idle neutral_cases_are_plain 'the loss of the plain model'
finds planted-neutral neutral_cases_are_plain 'expected a neutral case'
finds planted-other variants_are_whole "planted-other: the case 'relative'"
finds planted-state variants_are_whole 'planted-state: x at byte 0 of a state of 0 bytes'
finds planted-help variants_are_whole 'planted-help: the setting x has no help'
finds planted-none variants_are_whole 'planted-none: no cases'

# The page without a variant, or without one of its settings, which other variants may have too.
mkdir man
without() {	# NAME COMMAND-OF-SED TEXT
	sed "$2" "$HEED_TOP/man/nmt-train.1" > man/nmt-train.1
	HEED_TOP=$PWD finds "$1" variants_are_whole "$3"
}
without relative '/^.It Cm relative$/d' 'relative: nmt-train(1) does not list it'
without relative '/^.It Cm share_kv /d' 'relative: nmt-train(1) does not list its setting share_kv'
finds_field() { HEED_TOP=$PWD finds "$1" logs_have_known_fields "$2"; }
sed 's/dev.confidence/dev.other/' "$HEED_TOP/man/nmt-train.1" > man/nmt-train.1
finds_field redundant-heads 'nmt-train(1) does not have the log field dev.confidence'
own='/^.It Cm localness$/,/^.It Cm relative$/'
without localness "$own{/^.It Cm first /d;}" 'localness: nmt-train(1) does not list its setting first'
own='/^.It Cm phrase-position$/,/^.It Cm redundant-heads$/'
without phrase-position "$own{/^.It Cm last /d;}" 'phrase-position: nmt-train(1) does not list its setting last'

runs env HEED_VARIANT=sharp CMOCKA_MESSAGE_OUTPUT=TAP "$HEED_BUILD/tests/variant/every-variant.t" > out 2>&1
say $? 'the example of attention(3) has no defect'
matches '# sharp: sharp:by=1' out; say $? '... and is tried'
finds unknown variants_are_whole 'HEED_VARIANT=unknown: no such variant'
finds unknown pruning_equals_masking 'no such variant' pruned
