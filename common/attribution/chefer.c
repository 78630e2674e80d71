/*
 * chefer: relevance of tokens by attention weights times their gradients (Chefer, Gur and Wolf
 * 2021, Generic attention-model explainability for interpreting bi-modal and encoder-decoder
 * transformers).
 *
 * For a target position, y is the logit of its most probable token, or that minus the logit of the
 * foil.  For each site, A' is the mean over heads of the positive elements of A * dy/dA (equation
 * 5).  R_ss, R_tt and R_ts are the relevance of source tokens to source rows, of target tokens to
 * target rows, and of source tokens to target rows; at first, they are I, I and 0.
 *
 *	self-attention		R_ss += A' R_ss; R_tt += A' R_tt, R_ts += A' R_ts	(6, 7)
 *	cross-attention		R_ts += N(R_tt)' A' N(R_ss)				(10)
 *
 * N(R) divides the rows of R - I by their sums and adds I (8, 9); a row of zeros remains.  Equation
 * 11 has no effect, because source rows do not attend to the target.  The attributions of the
 * position are its rows of R_ts and R_tt, which do not sum to 1.  Pruned heads count as heads with
 * zeros.
 *
 * Each target position has its own copy of the sentence.  The cost is that of T forward and
 * backward passes.
 */
#include <string.h>

#include "analysis/head-saliency.h"
#include "attribution/method.h"

/* The relevance of one target position. */
struct relevance {
	int S, T;
	double *ss, *tt, *ts;		/* [S, S], [T, T], [T, S] */
	double *a, *room, *left, *right;	/* [n, n], n = max(S, T) */
};

static void
relevance_init(struct relevance *x, int S, int T, struct arena *mem)
{
	const size_t s = (size_t)S, t = (size_t)T, n = s > t ? s : t, most = n * n;
	double **const square[] = { &x->ss, &x->tt, &x->ts, &x->a, &x->room, &x->left, &x->right };

	*x = (struct relevance){ .S = S, .T = T };
	for (size_t i = 0; i < sizeof(square) / sizeof(*square); i++)
		*square[i] = arena_zero(mem, most * sizeof(double));
}

static void
set_identity(double *x, int n)
{
	memset(x, 0, (size_t)n * (size_t)n * sizeof(*x));
	for (ptrdiff_t i = 0; i < n; i++)
		x[i * n + i] = 1;
}

/* rollout_add_product() to zeros */
static void
chefer_product(int m, int k, int n, bool turned, const double *a, const double *b, double *out)
{
	memset(out, 0, (size_t)m * (size_t)n * sizeof(*out));
	rollout_add_product(m, k, n, turned, a, b, out);
}

/* x [m, n] += A' x */
static void
chefer_attend(const struct relevance *r, int m, int n, double *x)
{
	chefer_product(m, m, n, false, r->a, x, r->room);
	for (ptrdiff_t i = 0; i < (ptrdiff_t)m * n; i++)
		x[i] += r->room[i];
}

static void
chefer_normalize(int n, const double *x, double *out)
{
	for (ptrdiff_t i = 0; i < n; i++) {
		double sum = -1;

		for (int j = 0; j < n; j++)
			sum += x[i * n + j];
		for (int j = 0; j < n; j++) {
			const double rest = x[i * n + j] - (i == j);

			out[i * n + j] = (sum > 0 ? rest / sum : 0) + (i == j);
		}
	}
}

static void
attend_across(const struct relevance *r)
{
	chefer_normalize(r->S, r->ss, r->right);
	chefer_product(r->T, r->S, r->S, false, r->a, r->right, r->room);
	chefer_normalize(r->T, r->tt, r->left);
	chefer_product(r->T, r->T, r->S, true, r->left, r->room, r->right);
	for (ptrdiff_t i = 0; i < (ptrdiff_t)r->T * r->S; i++)
		r->ts[i] += r->right[i];
}

/* A' of a site in a copy; -1 with EXIT_INPUT if a variant replaces the head outputs. */
static int
find_weights(const struct method_run *r, const struct relevance *x, size_t site, int copy,
	     struct err *e)
{
	const struct site *s = &r->m->sites[site];
	const int rows = s->where == ENCODER_SELF ? x->S : x->T;
	const int keys = s->where == DECODER_SELF ? x->T : x->S;

	memset(x->a, 0, (size_t)rows * (size_t)keys * sizeof(*x->a));
	if (!s->heads || head_saliency_add(r->m, r->tape, site,
					   tape_find(r->tape, r->m->gate_name[site]), copy,
					   1 / (double)s->all_heads, x->a))
		return 0;
	return err_set(e, EXIT_INPUT, "%s: an attention variant replaces the head outputs, "
		       "expected weighted sums of values", s->name);
}

/* The relevance of a position, from the gradients of its copy. */
static int
find_relevance(const struct method_run *r, struct relevance *x, int copy, struct err *e)
{
	const size_t enc = (size_t)r->m->config.enc_layers, dec = (size_t)r->m->config.dec_layers;

	set_identity(x->ss, x->S);
	set_identity(x->tt, x->T);
	memset(x->ts, 0, (size_t)x->T * (size_t)x->S * sizeof(*x->ts));
	for (size_t i = 0; i < enc; i++) {
		if (find_weights(r, x, i, copy, e))
			return -1;
		chefer_attend(x, x->S, x->S, x->ss);
	}
	for (size_t i = 0; i < dec; i++) {
		if (find_weights(r, x, enc + i, copy, e))
			return -1;
		chefer_attend(x, x->T, x->T, x->tt);
		chefer_attend(x, x->T, x->S, x->ts);
		if (find_weights(r, x, enc + dec + i, copy, e))
			return -1;
		attend_across(x);
	}
	return 0;
}

/* Runs copies as method_logits() and their gradients; head_saliency_add() reads -dy. */
static int
differentiate(struct method_run *r, int first, int n, struct batch *b, struct err *e)
{
	struct node *sum;

	if (method_logits(r, first, n, b, &sum, e))
		return -1;
	for (size_t i = 0; i < r->m->n_sites; i++)
		if (r->m->sites[i].heads)
			tape_keep_gradient(r->tape, tape_find(r->tape, r->m->gate_name[i]));
	tape_gradient(r->tape, sum, -1);
	return 0;
}

static void
chefer_put(const struct method_run *r, const struct relevance *x, int position)
{
	struct lrp_sentence *out = r->out;
	const size_t S = (size_t)x->S, T = (size_t)x->T, t = (size_t)position;

	if (out->none[t])
		return;
	memcpy(out->src + t * S, x->ts + t * S, S * sizeof(double));
	memcpy(out->tgt + t * T, x->tt + t * T, T * sizeof(double));
}

static int
chefer_run(struct method_run *r, struct err *e)
{
	const int T = r->out->positions, most = method_together(T + r->out->source_tokens);
	struct relevance x;

	relevance_init(&x, r->out->source_tokens, T, r->keep);
	for (int first = 0; first < T; first += most) {
		const int n = T - first < most ? T - first : most;
		struct batch b;

		if (differentiate(r, first, n, &b, e))
			return -1;
		for (int i = 0; i < n; i++) {
			if (find_relevance(r, &x, i, e))
				return -1;
			chefer_put(r, &x, first + i);
		}
	}
	return 0;
}

const struct lrp_method method_chefer = { .run = chefer_run, .gradients = true, .foil = true };
