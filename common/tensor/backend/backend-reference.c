/* backend-reference: textbook matrix products, for comparison with the other back ends. */
#include "tensor/backend/backend.h"

static int
reference_open(struct backend *b, const char *options, struct err *e)
{
	(void)b;
	if (options && *options)
		return err_set(e, EXIT_USAGE, "reference: found option '%s', expected none",
			       options);
	return 0;
}

static void
reference_close(struct backend *b)
{
	(void)b;
}

static const char *
reference_version(const struct backend *b)
{
	(void)b;
	return "three loops, sums in double";
}

static void
reference_gemm(const struct backend *b, const struct gemm *g)
{
	ptrdiff_t ai = g->trans_a ? 1 : g->lda, ap = g->trans_a ? g->lda : 1;
	ptrdiff_t bp = g->trans_b ? 1 : g->ldb, bj = g->trans_b ? g->ldb : 1;

	(void)b;
	for (int i = 0; i < g->m; i++) {
		for (int j = 0; j < g->n; j++) {
			real *c = g->c + (ptrdiff_t)i * g->ldc + j;
			double sum = 0;

			for (int p = 0; p < g->k; p++)
				sum += (double)g->a[i * ai + p * ap] *
				       (double)g->b[p * bp + j * bj];
			*c = (real)(g->alpha * sum + (g->beta != 0 ? g->beta * *c : 0));
		}
	}
}

const struct backend backend_reference = {
	.name = "reference",
	.caps = BACKEND_THREAD_SAFE,
	.open = reference_open,
	.close = reference_close,
	.version = reference_version,
	.gemm = reference_gemm,
};
