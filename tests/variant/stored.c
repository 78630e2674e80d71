/* What training in bf16 stores in bf16, without and with a variant that reads its input. */
#include "checks.h"
#include "attention/attention.h"
#include "ops/ops.h"

/* reader: reads the input of the sublayer, which plain training stores in bf16 only. */
static struct node *
add_square(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_add(t, n->context, op_multiply(t, n->x, n->x));
}

static const struct attention_variant reader = {
	.name = "reader",
	.paper = "nobody, a variant that reads its input",
	.version = 1,
	.heads = add_square,
};

const struct attention_variant *const attention_extra[] = { &reader, NULL };

static void
count_rounded(void *arg, const struct node *n, enum tape_phase phase, bool done)
{
	int *count = arg;

	*count += phase == TAPE_GRADIENT && done && n->x16;
}

/* The number of nodes that training in bf16 stores in bf16. */
static int
rounded_nodes(const char *spec)
{
	struct model_config c = setup_config("fairseq");
	struct setup_batch s;
	struct runtime run;
	struct model *m;
	struct err e;
	int count = 0;

	c.width = 512;		/* small nodes are not rounded */
	c.ff = 600;
	c.pre_norm = true;
	m = setup_model_of(&c, "fairseq", spec ? &spec : NULL, spec != NULL, 7);
	if (runtime_open_training(&run, "native", PRECISION_BF16, 1, &e))
		fail_msg("%s", e.text);
	run.pass.training = 1;
	tape_watch_with(run.tape, count_rounded, &count);
	setup_batch(&s, m, setup_text, NULL, 4);
	assert_true(isfinite(setup_loss(m, &run, &s.b, true)));
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
	return count;
}

static void
a_variant_can_read_its_input(void **state)
{
	const int plain = rounded_nodes(NULL), read = rounded_nodes("reader");

	(void)state;
	assert_true(read > 0);
	assert_true(plain > read);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variant_can_read_its_input),
	};

	return cmocka_run_group_tests_name("stored values", tests, NULL, NULL);
}
