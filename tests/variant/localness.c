/*
 * Localness: weights of a model computed from its parameters by the paper's equations, and the
 * number of parameters.
 */
#include "setup.h"

enum { WIDTH = 8, HEADS = 2, D = WIDTH / HEADS };

static const struct param *
find(const struct model *m, const char *name)
{
	const struct param *p = params_find(&m->params, name);

	if (!p)
		fail_msg("no parameter %s", name);
	return p;
}

/* Row r of x w' + b; b may be NULL. */
static double
product_at(const struct param *w, const struct param *b, int r, const double *x)
{
	double sum = b ? b->x[r] : 0;

	for (int i = 0; i < w->d[1]; i++)
		sum += w->x[r * w->d[1] + i] * x[i];
	return sum;
}

static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/* u tanh(W x) of head h, x [WIDTH]; `hidden` and `out` are the names of the matrices. */
static double
predicted(const struct model *m, bool full, const char *hidden, const char *out, int h,
	  const double *x)
{
	char name[4][64];
	double y[WIDTH];

	for (int i = 0; i < 4; i++)
		snprintf(name[i], sizeof(name[i]), "enc.1.self.localness.%s.%s",
			 i < 2 ? hidden : out, i % 2 ? "bias" : "weight");
	for (int i = 0; i < (full ? WIDTH : D); i++)
		y[i] = tanh(product_at(find(m, name[0]), full ? find(m, name[1]) : NULL, i,
				       full ? x : x + h * D));
	return product_at(find(m, name[2]), full ? find(m, name[3]) : NULL, full ? h : 0, y);
}

enum { MANY = 8 };

struct looks { bool full; enum { QUERY, LAYER, FIXED } window; double width; };

/* The weights of query i for head h of a sentence of n rows x [n,WIDTH]. */
static void
brute(const struct model *m, const struct looks *l, int n, const real *x, int h, int i,
      double *weights)
{
	const struct param *w = find(m, "enc.1.self.qkv.weight"),
			   *b = find(m, "enc.1.self.qkv.bias");
	double row[MANY][WIDTH], q[WIDTH], k[MANY][WIDTH], mean[WIDTH] = { 0 };
	double all = 0, centre, wide = l->width;

	for (int j = 0; j < n; j++) {
		for (int c = 0; c < WIDTH; c++)
			row[j][c] = x[j * WIDTH + c];
		for (int c = 0; c < WIDTH; c++)
			mean[c] += (k[j][c] = product_at(w, b, WIDTH + c, row[j])) / n;
	}
	for (int c = 0; c < WIDTH; c++)
		q[c] = product_at(w, b, c, row[i]);
	centre = (n - 1) * sigmoid(predicted(m, l->full, "hidden", "centre", h, q));
	if (l->window != FIXED)
		wide = 0.1 +
		       n * sigmoid(predicted(m, l->full, l->window == LAYER ? "key" : "hidden",
					     "window", h, l->window == LAYER ? mean : q));
	for (int j = 0; j < n; j++) {
		double sum = 0;

		for (int c = h * D; c < (h + 1) * D; c++)
			sum += q[c] * k[j][c];
		weights[j] = exp(sum / sqrt(D) - 2 * (j - centre) / wide * (j - centre) / wide);
		all += weights[j];
	}
	for (int j = 0; j < n; j++)
		weights[j] /= all;
}

static void
check_weights(const char *spec, const struct looks *look)
{
	struct model_config c = setup_config("fairseq");
	struct model *m;
	struct setup_batch s;
	struct runtime run;
	const ptrdiff_t *block;
	const struct layout *q, *k;
	const struct node *x;
	const real *weights;

	m = setup_model_of(&c, "fairseq", &spec, 1, 7);
	setup_stir(m);
	setup_batch(&s, m, setup_text, NULL, 4);
	setup_runtime(&run, 1, false);
	model_encode(m, run.tape, &s.b);
	x = tape_find(run.tape, "src.embed");
	weights = model_site_weights(m, run.tape, 0, &block, &q, &k);
	for (int i = 0; i < 4; i++)
		for (int r = 0; r < HEADS * q->len[i]; r++) {
			const int n = q->len[i];
			double expected[MANY];

			brute(m, look, n, x->x + q->start[i] * WIDTH, r / n, r % n, expected);
			for (int j = 0; j < n; j++)
				assert_true(off_by(weights[block[i] + r * n + j], expected[j], 1) <
					    1e-14);
		}
	setup_batch_end(&s);
	runtime_close(&run);
	model_free(m);
}

static void
weights_follow_the_equations(void **state)
{
	static const char *const spec[] = {
		"localness",
		"localness:window=layer",
		"localness:window=fixed,width=2",
		"localness:proj=full",
		"localness:proj=full,window=layer,last=1",
		"localness:proj=full,window=fixed",
	};
	static const struct looks looks[] = {
		{ .window = QUERY },
		{ .window = LAYER },
		{ .window = FIXED, .width = 2 },
		{ .full = true },
		{ .full = true, .window = LAYER },
		{ .full = true, .window = FIXED, .width = 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++)
		check_weights(spec[i], &looks[i]);
}

static size_t
extra(const char *spec)
{
	struct model_config c = setup_config("onmt");
	struct model *m;
	size_t n = 0;

	c.enc_layers = 6;
	c.width = 512;
	c.heads = 8;
	m = setup_model_of(&c, "onmt", &spec, 1, 0);
	for (size_t i = 0; i < m->params.n; i++)
		if (strstr(m->params.list[i]->name, ".localness."))
			n += m->params.list[i]->n;
	model_free(m);
	return n;
}

/* 0.26 M parameters per layer in the authors' program; 0.004 M in Zhang et al. 2021. */
static void
the_number_of_parameters_is_as_published(void **state)
{
	(void)state;
	assert_int_equal(extra("localness"), 3 * (64 * 64 + 2 * 64));
	assert_int_equal(extra("localness:last=1"), 64 * 64 + 2 * 64);
	assert_int_equal(extra("localness:first=5,last=9,window=fixed"), 2 * (64 * 64 + 64));
	assert_int_equal(extra("localness:last=1,window=layer"), 2 * (64 * 64 + 64));
	assert_int_equal(extra("localness:last=1,proj=full"), 512 * 513 + 2 * 8 * 513);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_follow_the_equations),
		cmocka_unit_test(the_number_of_parameters_is_as_published),
	};

	return cmocka_run_group_tests_name("localness", tests, NULL, NULL);
}
