/* log-probs: log-softmax over the types, as decoding wants it; see model_log_probs() in model.h. */
#include <math.h>

#include "model/layers.h"
#include "tensor/kernels.h"
#include "tensor/product.h"

enum { CHUNK = 256 };

struct finish {
	real *out;
	int n;				/* types */
	const real *bias;		/* or NULL */
	const unsigned char *valid;	/* or NULL */
};

static double
sum_exp(const real *x, int n, real largest)
{
	real chunk[CHUNK];
	double sum = 0;

	for (int i = 0; i < n; i += CHUNK) {
		const int k = n - i < CHUNK ? n - i : CHUNK;

		for (int j = 0; j < k; j++)
			chunk[j] = x[i + j] - largest;
		k_exp((size_t)k, chunk, chunk);
		for (int j = 0; j < k; j++)
			sum += chunk[j];
	}
	return sum;
}

static void
log_softmax(int n, real *x)
{
	real largest = -(real)INFINITY, shift;

	for (int i = 0; i < n; i++)
		if (x[i] > largest)
			largest = x[i];
	shift = (real)(largest + log(sum_exp(x, n, largest)));
	for (int i = 0; i < n; i++)
		x[i] -= shift;
}

/* Rows of products become rows of log-probabilities while they are in the cache. */
static void
finish_rows(void *arg, int from, int to)
{
	const struct finish *f = arg;

	for (int r = from; r < to; r++) {
		real *x = f->out + (ptrdiff_t)r * f->n;

		if (f->bias)
			k_bias(f->n, f->bias, x);
		for (int i = 0; f->valid && i < f->n; i++)
			if (!f->valid[i])
				x[i] = -(real)INFINITY;
		log_softmax(f->n, x);
	}
}

void
model_log_probs(struct model *m, struct tape *t, struct node *h, real *out)
{
	const struct param *w = m->layers->output, *b = m->layers->output_bias;
	const struct pass *p = tape_pass(t);
	struct finish f = {
		.out = out, .n = w->d[0], .bias = b ? b->x : NULL, .valid = m->tgt_valid
	};
	const struct gemm g = {
		.m = h->d[0], .n = w->d[0], .k = w->d[1], .trans_b = true, .alpha = 1,
		.a = h->x, .lda = h->ld, .b = w->x, .ldb = w->d[1], .c = out, .ldc = w->d[0],
	};

	product(p->backend, p->pool, p->scratch, &g, finish_rows, &f);
}
