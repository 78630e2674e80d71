/*
 * kernels-attention: attention of one sentence and one head: T queries, S keys, d elements each.
 *
 * Keys are transposed to [d, S'], where S' is a multiple of the vector length, so that all products
 * run along a row.  With few queries this would cost more than it saves, and rows are multiplied
 * without transposition.
 */
#include "tensor/kernels.h"

#include <math.h>

#include "tensor/simd.h"

enum { FEW = 4 };

int
k_attention_pad(int S)
{
	return (S + LANES - 1) / LANES * LANES;
}

size_t
k_attention_room(int T, int S, int d)
{
	size_t pad = (size_t)k_attention_pad(S);

	return 2 * (size_t)d * pad + 2 * (size_t)T * pad + 64;
}

/* c[T, pad] = alpha a b'; rows of a and b have d elements. */
static void
rows_by_rows(int T, int S, int d, real alpha, const real *a, ptrdiff_t lda, const real *b,
	     ptrdiff_t ldb, real *c, real *room)
{
	int pad = k_attention_pad(S);
	struct small s = { .m = T, .n = pad, .k = d, .a = a, .b = room, .c = c, .as = lda, .ap = 1,
			   .ldb = pad, .ldc = pad, .alpha = alpha };

	if (T < FEW) {
		s.n = S;
		s.b = b;
		s.ldb = ldb;
		k_small_dots(&s);
		return;
	}
	k_transpose(S, d, b, ldb, room, pad, pad);
	k_small(&s);
}

void
k_mask_future(int T, int S, real *scores, ptrdiff_t ld)
{
	for (int t = 0; t < T; t++)
		for (int s = t + S - T + 1 > 0 ? t + S - T + 1 : 0; s < S; s++)
			scores[t * ld + s] = -INFINITY;
}

void
k_attention_scores(const struct head *h, real *scores, real *room)
{
	int pad = k_attention_pad(h->S);
	real *c = room + (size_t)h->d * (size_t)pad;

	rows_by_rows(h->T, h->S, h->d, h->scale, h->q, h->ldq, h->k, h->ldk, c, room);
	if (h->causal)
		k_mask_future(h->T, h->S, c, pad);
	for (int t = 0; t < h->T; t++)
		memcpy(scores + (ptrdiff_t)t * h->S, c + (ptrdiff_t)t * pad,
		       (size_t)h->S * sizeof(*c));
}

void
k_attention_scores_back(const struct head *h, const real *g, real *dq, real *dk)
{
	struct small to_q = { .m = h->T, .n = h->d, .k = h->S, .a = g, .as = h->S, .ap = 1,
			      .b = h->k, .ldb = h->ldk, .c = dq, .ldc = h->ldq,
			      .alpha = h->scale, .beta = 1 };
	struct small to_k = { .m = h->S, .n = h->d, .k = h->T, .a = g, .as = 1, .ap = h->S,
			      .b = h->q, .ldb = h->ldq, .c = dk, .ldc = h->ldk,
			      .alpha = h->scale, .beta = 1 };

	if (dq)
		k_small(&to_q);
	if (dk)
		k_small(&to_k);
}

void
k_attention_context(const struct head *h, const real *weights, real *out, ptrdiff_t ld)
{
	struct small s = { .m = h->T, .n = h->d, .k = h->S, .a = weights, .as = h->S, .ap = 1,
			   .b = h->v, .ldb = h->ldv, .c = out, .ldc = ld, .alpha = 1, .beta = 0 };

	k_small(&s);
}

void
k_attention_context_back(const struct head *h, const real *weights, const real *g, ptrdiff_t ld,
			 real *dw, real *dv, real *room)
{
	int pad = k_attention_pad(h->S);
	real *c = room + (size_t)h->d * (size_t)pad;
	struct small to_v = { .m = h->S, .n = h->d, .k = h->T, .a = weights, .as = 1, .ap = h->S,
			      .b = g, .ldb = ld, .c = dv, .ldc = h->ldv, .alpha = 1, .beta = 1 };

	if (dv)
		k_small(&to_v);
	if (!dw)
		return;
	rows_by_rows(h->T, h->S, h->d, 1, g, ld, h->v, h->ldv, c, room);
	for (int t = 0; t < h->T; t++)
		memcpy(dw + (ptrdiff_t)t * h->S, c + (ptrdiff_t)t * pad, (size_t)h->S * sizeof(*c));
}

static double
dot(int n, const real *a, const real *b)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += (double)a[i] * b[i];
	return sum;
}

static double
mask_at(struct head_mask mask, int t, int s)
{
	return mask.m ? (double)mask.m[t * mask.ld + s] : 1;
}

static double
bias_at(const struct head *h, int t, int s)
{
	return h->bias ? (double)k_head_bias(h, t)[s] : 0;
}

void
slow_attend(const struct head *h, struct head_mask mask, real *weights, real *out, ptrdiff_t ld)
{
	for (int t = 0; t < h->T; t++) {
		real *w = weights + (ptrdiff_t)t * h->S;

		for (int s = 0; s < h->S; s++)
			w[s] = h->causal && s > t + h->S - h->T ? -INFINITY :
				(real)(h->scale * dot(h->d, h->q + t * h->ldq, h->k + s * h->ldk) +
				       bias_at(h, t, s));
		slow_softmax(h->S, w, w);
		for (int c = 0; c < h->d_v; c++) {
			double sum = 0;

			for (int s = 0; s < h->S; s++)
				sum += w[s] * mask_at(mask, t, s) * h->v[s * h->ldv + c];
			out[t * ld + c] = (real)sum;
		}
	}
}

/* y[i] = factor x[i] + beta y[i] */
static void
put_row(int n, double factor, const real *x, real beta, real *y)
{
	for (int i = 0; i < n && y; i++)
		y[i] = (real)(factor * x[i] + (beta != 0 ? beta * y[i] : 0));
}

static real *
row_of(real *x, ptrdiff_t ld, int r)
{
	return x ? x + r * ld : NULL;
}

void
slow_attend_back(const struct head *h, struct head_mask mask, const real *weights, const real *g,
		 ptrdiff_t ld, const struct head_back *back)
{
	for (int t = 0; t < h->T; t++) {
		const real *w = weights + (ptrdiff_t)t * h->S, *gt = g + t * ld;
		double sum = 0;

		for (int s = 0; s < h->S; s++)
			sum += w[s] * mask_at(mask, t, s) * dot(h->d_v, gt, h->v + s * h->ldv);
		for (int s = 0; s < h->S; s++) {
			double dw = mask_at(mask, t, s) * dot(h->d_v, gt, h->v + s * h->ldv);
			double x = h->scale * w[s] * (dw - sum);

			if (back->bias)
				back->bias[s - t - h->S + h->T] += (real)(w[s] * (dw - sum));
			put_row(h->d, x, h->k + s * h->ldk, s ? 1 : back->beta_q,
				row_of(back->q, h->ldq, t));
			put_row(h->d, x, h->q + t * h->ldq, t ? 1 : back->beta_k,
				row_of(back->k, h->ldk, s));
			put_row(h->d_v, w[s] * mask_at(mask, t, s), gt, t ? 1 : back->beta_v,
				row_of(back->v, h->ldv, s));
		}
	}
}
