/*
 * head-saliency, head-norms: attention weights times their gradients, with and without fused
 * attention, equal those of the tape's gradient of the weights; norms of contributions equal those
 * of explicit products.
 */
#include "setup.h"

#include "analysis/head-losses.h"
#include "analysis/head-norms.h"
#include "attention/attention-heads.h"

static struct node *
give_weights(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	(void)t;
	return n->weights;
}

static struct node *
give_context(const struct attention *a, struct tape *t, const struct att_nodes *n)
{
	(void)a;
	return op_scale(t, n->context, 1);
}

/* Attention is unfused; with "joined", head outputs are no sums of values any more. */
static const struct attention_variant apart = {
	.name = "apart", .paper = "nobody, a variant that changes nothing", .version = 1,
	.weights = give_weights,
};
static const struct attention_variant joined = {
	.name = "joined", .paper = "nobody, a variant that changes nothing", .version = 1,
	.context = give_context,
};
const struct attention_variant *const attention_extra[] = { &apart, &joined, NULL };

struct trial {
	struct model *m;
	struct runtime run;
	struct setup_batch batch;
};

static void
begin(struct trial *y, const char *preset, const char *spec)
{
	const struct model_config c = setup_config(preset);

	y->m = setup_model_of(&c, preset, &spec, spec != NULL, 7);
	y->m->recipe.label_smoothing = 0;
	setup_stir(y->m);
	setup_runtime(&y->run, 1, false);
	setup_batch(&y->batch, y->m, setup_text, NULL, 4);
}

static void
end(struct trial *y)
{
	setup_batch_end(&y->batch);
	runtime_close(&y->run);
	model_free(y->m);
}

/* The sums for all heads by the tape's gradient of the nodes of weights. */
static void
by_tape(struct trial *y, double *to)
{
	struct tape *t = y->run.tape;
	const struct batch *b = &y->batch.b;
	struct node *nll;

	tape_rewind(t);
	model_loss(y->m, t, b, &nll);
	for (size_t i = 0; i < y->m->n_sites; i++)
		tape_keep_gradient(t, model_site_node(y->m, t, i));
	tape_gradient(t, nll, 1);
	for (size_t i = 0; i < y->m->n_sites; i++) {
		const struct node *w = model_site_node(y->m, t, i);
		double *sum = to + heads_before(y->m->sites, i);

		for (int h = 0; h < y->m->sites[i].heads; h++)
			sum[h] = 0;
		for (int k = 0; k < b->n; k++) {
			const ptrdiff_t size = (ptrdiff_t)w->queries->len[k] * w->keys->len[k];

			for (ptrdiff_t j = 0; j < size * y->m->sites[i].heads; j++) {
				const double x = -(double)w->grad[w->block[k] + j] *
						 (double)w->x[w->block[k] + j];

				sum[j / size] += x > 0 ? x : 0;
			}
		}
	}
}

static void
measure(struct trial *y, double *to, size_t heads)
{
	struct head_losses l = { .saliency = true };
	struct node *nll;

	head_losses_begin(&l, y->m);
	tape_rewind(y->run.tape);
	model_loss(y->m, y->run.tape, &y->batch.b, &nll);
	head_losses_add(&l, y->run.tape, &y->batch.b, nll);
	for (size_t h = 0; h < heads; h++)
		to[h] = l.head[h].saliency;
	head_losses_release(&l);
}

static void
saliency_is_that_of_the_tape(void **state)
{
	static const char *const kinds[] = { "fairseq", "onmt", "story", "m2m", "t5" };

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		double want[64], found[64], fused[64];
		struct trial y, z;
		size_t heads;

		begin(&y, kinds[i], "apart");
		begin(&z, kinds[i], NULL);
		heads = heads_before(y.m->sites, y.m->n_sites);
		by_tape(&y, want);
		measure(&y, found, heads);
		measure(&z, fused, heads);
		for (size_t h = 0; h < heads; h++) {
			assert_true(want[h] > 0);
			assert_true(off_by(want[h], found[h], 1e-3) < 1e-9);
			assert_true(off_by(want[h], fused[h], 1e-3) < 1e-9);
		}
		end(&z);
		end(&y);
	}
}

static void
without_sums_of_values_there_is_none(void **state)
{
	struct trial y;
	double found[64];

	(void)state;
	begin(&y, "fairseq", "joined");
	measure(&y, found, heads_before(y.m->sites, y.m->n_sites));
	assert_true(isnan(found[0]));
	end(&y);
}

/* The contribution of a head to a row, element by element. */
static double
contribution(const struct trial *y, size_t site, int head, int row)
{
	const struct site *s = &y->m->sites[site];
	const struct node *gated = tape_find(y->run.tape, y->m->gate_name[site]);
	char name[64];
	const struct param *w;
	double squares = 0;

	snprintf(name, sizeof(name), "%s.out.weight", s->name);
	w = params_find(&y->m->params, name);
	for (int i = 0; i < s->model_dim; i++) {
		double sum = 0;

		for (int k = 0; k < s->head_dim; k++)
			sum += (double)w->x[i * w->d[1] + head * s->head_dim + k] *
			       (double)gated->x[row * gated->ld + head * s->head_dim + k];
		squares += sum * sum;
	}
	return sqrt(squares);
}

static void
norms_are_those_of_products(void **state)
{
	struct trial y;
	struct head_norms x;
	real gates[12];

	(void)state;
	begin(&y, "fairseq", NULL);
	for (int h = 0; h < 12; h++)
		gates[h] = 1 - 0.05 * h;
	model_gate(y.m, gates);
	head_norms_begin(&x, y.m);
	tape_rewind(y.run.tape);
	model_loss(y.m, y.run.tape, &y.batch.b, NULL);
	head_norms_add(&x, y.run.tape, &y.batch.b);
	for (size_t i = 0; i < y.m->n_sites; i++) {
		const bool target = y.m->sites[i].where != ENCODER_SELF;
		const struct layout *l = target ? &y.batch.b.tgt.layout : &y.batch.b.src.layout;

		assert_int_equal(x.rows[target], l->rows);
		for (int h = 0; h < 2; h++) {
			double sum = 0;

			for (int r = 0; r < l->rows; r++)
				sum += contribution(&y, i, h, r);
			assert_true(off_by(sum, x.sum[2 * i + (size_t)h], 1e-3) < 1e-9);
		}
	}
	head_norms_release(&x);
	model_gate(y.m, NULL);
	end(&y);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saliency_is_that_of_the_tape),
		cmocka_unit_test(without_sums_of_values_there_is_none),
		cmocka_unit_test(norms_are_those_of_products),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
