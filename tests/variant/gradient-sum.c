/*
 * Sums of gradients over ranks begin as soon as the gradients are final, and each gradient is sent
 * once.  This file replaces ranks-one.c and plays the second rank.
 */
#include <limits.h>

#include "setup.h"

#include "train/gradient-sum.h"

static struct sent { size_t at, n, nodes; int root; real *copy; } sent[1000];
static size_t n_sent, nodes_done;
static bool finished;
static const struct params *params;

void
ranks_gather(const struct ranks *r, const real *x, size_t n, real *all)
{
	(void)r;
	(void)x;
	(void)n;
	(void)all;
}

void
ranks_add(struct ranks *r, real *x, real *rest, size_t n, int root)
{
	struct sent *s = &sent[n_sent++];

	(void)r;
	assert_null(rest);
	*s = (struct sent){ (size_t)(x - params->grad), n, nodes_done, root,
			    xmalloc(n * sizeof(real)) };
	memcpy(s->copy, x, n * sizeof(real));
}

void
ranks_broadcast(const struct ranks *r, int from, void *p, size_t n)
{
	(void)r;
	(void)p;
	(void)n;
	assert_int_equal(from, 0);
}

void
ranks_progress(struct ranks *r)
{
	(void)r;
}

void
ranks_finish(struct ranks *r)
{
	(void)r;
	finished = true;
}

static void
count_node(void *arg, const struct node *n, enum tape_phase phase, bool done)
{
	(void)arg;
	(void)n;
	nodes_done += phase == TAPE_GRADIENT && done;
}

/* One pass: the sent elements are the final gradients, each trained element once. */
static void
check_sent(size_t piece, int ranks)
{
	unsigned char *times = xcalloc(params->total, 1);

	assert_true(finished);
	for (size_t i = 0; i < n_sent; i++) {
		assert_int_equal(sent[i].at % piece, 0);
		assert_int_equal(sent[i].root, sent[i].at / piece % (size_t)ranks);
		assert_memory_equal(sent[i].copy, params->grad + sent[i].at,
				    sent[i].n * sizeof(real));
		for (size_t j = 0; j < sent[i].n; j++)
			times[sent[i].at + j]++;
		free(sent[i].copy);
	}
	for (size_t i = 0; i < params->n; i++)
		for (size_t j = 0; j < params->list[i]->n; j++)
			assert_true(times[params->list[i]->at + j] == 1 ||
				    (params->list[i]->frozen &&
				     times[params->list[i]->at + j] < 2));
	free(times);
}

static void
walk(struct gradient_sum *g, struct model *m, struct runtime *run, const struct batch *b, bool add)
{
	struct node *loss;

	n_sent = nodes_done = 0;
	finished = false;
	tape_rewind(run->tape);
	tape_watch_with(run->tape, count_node, NULL);
	(add ? tape_gradients_add : tape_gradients_to)(run->tape, m->params.grad);
	gradient_sum_begin(g, run->tape);
	loss = model_loss(m, run->tape, b, NULL);
	tape_gradient(run->tape, loss, 1);
	tape_zero_missing_gradients(run->tape, &m->params);
	gradient_sum_end(g, run->tape);
}

static void
check_model(struct model *m, size_t piece, bool soon)
{
	struct ranks two = { .me = 0, .n = 2 };
	struct gradient_sum g;
	struct setup_batch s;
	struct runtime run;
	size_t first[1000], n, early = 0;
	real *once;

	params = &m->params;
	setup_runtime(&run, 1, true);
	setup_batch(&s, m, setup_text, NULL, 4);
	gradient_sum_init(&g, params, &two, piece);
	walk(&g, m, &run, &s.b, false);
	check_sent(piece, 2);
	once = xmalloc(params->total * sizeof(*once));
	memcpy(once, params->grad, params->total * sizeof(*once));
	/* The same again, each added at once, also by products: exactly twice as large. */
	run.backend.adds_whole = INT_MAX;
	walk(&g, m, &run, &s.b, true);
	check_sent(piece, 2);
	for (size_t i = 0; i < params->total; i++)
		assert_true(params->grad[i] == 2 * once[i]);
	free(once);
	for (size_t i = 0; i < (n = n_sent); i++) {
		first[i] = sent[i].at;
		early += sent[i].nodes < nodes_done / 2;
	}
	if (soon)			/* half of the backward pass is the decoder's */
		assert_true(early >= n_sent / 4);
	/* Without a batch, the same chunks are sent in the same order. */
	n_sent = 0;
	gradient_sum_begin(&g, run.tape);
	gradient_sum_end(&g, run.tape);
	check_sent(piece, 2);
	assert_int_equal(n_sent, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(sent[i].at, first[i]);
	gradient_sum_release(&g);
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

static void
chunks_are_final_when_they_are_sent(void **state)
{
	static const char *const names[] = { "fairseq", "onmt", "witwicky", "story" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		check_model(setup_model(names[i]), 64, true);
		check_model(setup_model(names[i]), 100, true);
	}
}

static void
frozen_parameters_are_not_sent(void **state)
{
	struct model *m = setup_model("fairseq");
	size_t pieces = (m->params.total + 15) / 16;

	(void)state;
	assert_true(params_freeze(&m->params, "dec.*.weight") > 0);
	check_model(m, 16, false);
	assert_true(n_sent < pieces);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_are_final_when_they_are_sent),
		cmocka_unit_test(frozen_parameters_are_not_sent),
	};

	return cmocka_run_group_tests_name("sums of gradients over ranks", tests, NULL, NULL);
}
