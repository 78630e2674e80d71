/*
 * The loss of a parser: its gradient equals central differences, and the loss of a sentence does
 * not depend on its batch.  Sentences have all annotations, or lack some.
 */
#include "setup.h"

#include <unistd.h>

#include "parser/gold.h"

struct bench {
	struct treebank bank;
	struct network *network;
	struct gold_bank gold;
	struct runtime run;
	struct gold_noise noise;
};

static void
read_bank(struct treebank *b, const char *files)
{
	struct err e;

	if (treebank_read(b, files, NULL, &e))
		fail_msg("%s", e.text);
}

static void
make_network(struct bench *b, const char *settings)
{
	struct network_config c = network_defaults;
	struct err e;

	if (cli_settings(network_options, &c, settings, &e))
		fail_msg("%s", e.text);
	b->network = gold_network(&b->bank, &c, 2, &e);
	if (!b->network)
		fail_msg("%s", e.text);
	params_allocate(&b->network->params, true);
	params_randomize(&b->network->params, 5);
}

/* Moves norms and biases from their initial values, at which wrong gradients could pass. */
static void
stir(struct params *p)
{
	struct rng r;

	rng_init(&r, 11, rng_purpose("stir"), 0);
	for (size_t i = 0; i < p->n; i++)
		for (size_t j = 0; j < p->list[i]->n; j++)
			p->list[i]->x[j] += 0.1 * rng_normal(&r);
}

static void
open_bench(struct bench *b, const char *settings)
{
	*b = (struct bench){ .noise = { 3, 1 } };
	if (chdir(getenv("HEED_TOP") ? getenv("HEED_TOP") : "."))
		fail_msg("no such folder");
	treebank_init(&b->bank);
	read_bank(&b->bank, "tests/data/parser/both.conllu,tests/data/parser/both.ptb");
	read_bank(&b->bank, "tests/data/parser/deps.conllu");
	read_bank(&b->bank, "tests/data/parser/phrases.ptb");
	make_network(b, settings);
	stir(&b->network->params);
	gold_bank_init(&b->gold, &b->bank, b->network);
	setup_runtime(&b->run, 2, true);
}

static void
close_bench(struct bench *b)
{
	runtime_close(&b->run);
	gold_bank_release(&b->gold);
	network_free(b->network);
	treebank_release(&b->bank);
}

/* The loss of some sentences and, if requested, its gradient. */
static double
loss_of(struct bench *b, const uint32_t *sentence, int n, bool gradient)
{
	struct gold g;
	struct node *loss;

	tape_rewind(b->run.tape);
	setup_spoil_gradients(&b->network->params);
	tape_gradients_to(b->run.tape, b->network->params.grad);
	gold_make(&b->gold, &g, sentence, n, &b->noise, tape_arena(b->run.tape));
	loss = gold_loss(b->network, b->run.tape, &g);
	if (gradient && loss)
		tape_gradient(b->run.tape, loss, 1);
	tape_zero_missing_gradients(b->run.tape, &b->network->params);
	return loss ? (double)*loss->x : 0;
}

static const uint32_t all[] = { 0, 1, 2, 3, 4, 5, 6, 7 };

enum { ALL = sizeof(all) / sizeof(*all) };

static double
difference(struct bench *b, real *x)
{
	const double h = 1e-5, old = *x;
	double up, down;

	*x = old + h;
	up = loss_of(b, all, ALL, false);
	*x = old - h;
	down = loss_of(b, all, ALL, false);
	*x = old;
	return (up - down) / (2 * h);
}

static void
check_param(struct bench *b, const real *gradient, struct param *p, struct rng *r)
{
	for (int i = 0; i < 4; i++) {
		size_t at = rng_below(r, (uint32_t)p->n);
		double found, expected;

		for (size_t k = 0; i == 0 && k < p->n; k++)
			if (isnan(gradient[p->at + k]) ||
			    fabs(gradient[p->at + k]) > fabs(gradient[p->at + at]))
				at = k;
		found = gradient[p->at + at];
		expected = difference(b, &p->x[at]);
		if (i == 0 && found == 0)
			fail_msg("%s has no gradient", p->name);
		if (off_by(found, expected, 1e-2) > 1e-6)
			fail_msg("%s[%zu]: gradient %.12g, difference %.12g", p->name, at, found,
				 expected);
	}
}

static void
check_gradient(const char *settings)
{
	struct params *p;
	struct bench b;
	struct rng r;
	real *gradient;

	open_bench(&b, settings);
	p = &b.network->params;
	gradient = xmalloc(p->total * sizeof(*gradient));
	assert_true(loss_of(&b, all, ALL, true) > 0);
	memcpy(gradient, p->grad, p->total * sizeof(*gradient));
	rng_init(&r, 1, rng_purpose("gradient test"), 0);
	for (size_t i = 0; i < p->n; i++)
		check_param(&b, gradient, p->list[i], &r);
	free(gradient);
	close_bench(&b);
}

#define SMALL \
	"word_width=4,feature_width=3,feature_rows=40,width=6,ff=5,heads=2,arc=4,span=3,hidden=5"

static void
the_gradient_is_that_of_the_loss(void **state)
{
	(void)state;
	check_gradient(SMALL ",layers=2,relative=2,distance=2,dropout=0.2,word_dropout=0.3");
	check_gradient(SMALL ",layers=1,convolutions=0,relative=0,distance=0,dropout=0");
}

static void
check_company(const char *settings, uint32_t n)
{
	struct params *p;
	struct bench b;
	double loss = 0, *sum, together;

	open_bench(&b, settings);
	p = &b.network->params;
	sum = xcalloc(p->total, sizeof(*sum));
	for (uint32_t i = 0; i < n; i++) {
		loss += loss_of(&b, &i, 1, true);
		for (size_t k = 0; k < p->total; k++)
			sum[k] += p->grad[k];
	}
	together = loss_of(&b, all, (int)n, true);
	assert_true(off_by(loss, together, 1) < 1e-12);
	for (size_t k = 0; k < p->total; k++)
		assert_true(off_by(sum[k], p->grad[k], 1) < 1e-11);
	free(sum);
	close_bench(&b);
}

/*
 * Also with dropout and word dropout, which depend only on the sentence's number if batches have
 * the same kinds of losses; the first three sentences do.
 */
static void
a_sentence_does_not_depend_on_its_batch(void **state)
{
	(void)state;
	check_company(SMALL ",layers=2,dropout=0,word_dropout=0.3", ALL);
	check_company(SMALL ",layers=2,dropout=0.2,word_dropout=0.3", 3);
}

/* By hand: in a network whose parameters are 0, all outcomes have the same probability. */
static void
missing_annotations_have_no_loss(void **state)
{
	struct bench b;
	double found, expected;

	(void)state;
	open_bench(&b, SMALL ",layers=1,dropout=0,word_dropout=0");
	memset(b.network->params.x, 0, b.network->params.total * sizeof(real));
	/* Only heads, four words: each head is one of three other words or the root. */
	found = loss_of(&b, (uint32_t[]){ 4 }, 1, false);
	assert_true(off_by(found, 4 * log(4), 1) < 1e-9);
	/* Only universal parts of speech, two words. */
	found = loss_of(&b, (uint32_t[]){ 5 }, 1, false);
	assert_true(off_by(found, 2 * log((double)b.bank.label[LABEL_UPOS].n), 1) < 1e-9);
	/* A phrase of two words, one of them a phrase itself: one tree, three labels, two XPOS. */
	found = loss_of(&b, (uint32_t[]){ 6 }, 1, false);
	expected = 3 * log((double)b.bank.label[LABEL_SPAN].n) +
		   2 * log((double)b.bank.label[LABEL_XPOS].n);
	assert_true(off_by(found, expected, 1) < 1e-9);
	close_bench(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_gradient_is_that_of_the_loss),
		cmocka_unit_test(a_sentence_does_not_depend_on_its_batch),
		cmocka_unit_test(missing_annotations_have_no_loss),
	};

	return cmocka_run_group_tests_name("parsers", tests, NULL, NULL);
}
