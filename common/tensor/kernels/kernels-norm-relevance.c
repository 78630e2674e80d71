/*
 * kernels-norm-relevance: relevance through the Jacobian of layer normalization, without computing
 * that matrix; see relevance-kernels.h.
 *
 * The contribution of input i to output j, i != j, is a quadratic polynomial in u_i, the normalized
 * input:
 *
 *	z_ji = b_j - c_j / n (1 + u_j u_i) (u_i / rstd + mean)
 *
 * Without means, the 1 is absent and mean is 0.
 *
 * If the inputs are sorted by u, its sign changes only at its roots, at most twice.  Sums over
 * ranges of inputs are differences of prefix sums of 1, u and u^2.  The relevance of input i is
 * again such a polynomial; its coefficients are sums over the outputs and change only where i
 * enters or leaves the range of an output.  This takes n log n steps instead of n^2, and n steps
 * per plane.  Prefix sums are in double precision because of cancellation.
 */
#include "tensor/fast/fast.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "tensor/norm-relevance.h"

/* An output: its polynomial, and the sign of it for the first inputs. */
struct output { double of[NORM_TERMS]; bool first_up; };

struct norm_relevance_job {
	const struct norm_share *n;
	int planes;			/* padded */
	int *order, *rank;		/* [n] inputs sorted by u, and the rank of each */
	double *u;			/* [n] in that order */
	double *sum[NORM_TERMS];	/* [n + 1] prefix sums of 1, u, u^2 */
	double *c;			/* [n, planes] relevance of outputs */
	double *own;			/* [n] the additional share of an output's own input */
	struct output *output;		/* [n] */
	double *root;			/* [n, 2] of each polynomial, or infinity */
	int *turn;			/* [n, 2] the positions where its sign changes */
	struct norm_change *change;	/* [3 n] in lists */
	int *first;			/* [n + 1] first change at each position */
	int n_changes;
	real *out;			/* [n, planes] in the order of u */
};

static size_t
lay_out(struct norm_relevance_job *s, char *room, int n, int planes)
{
	const size_t N = (size_t)n, wide = ((size_t)planes + NORM_SIDE - 1) / NORM_SIDE * NORM_SIDE;
	const struct { void *to; size_t bytes; } part[] = {
		{ &s->c, N * wide * sizeof(double) }, { &s->out, N * wide * sizeof(real) },
		{ &s->sum[0], (N + 1) * sizeof(double) }, { &s->sum[1], (N + 1) * sizeof(double) },
		{ &s->sum[2], (N + 1) * sizeof(double) }, { &s->u, N * sizeof(double) },
		{ &s->own, N * sizeof(double) },
		{ &s->output, N * sizeof(struct output) },
		{ &s->change, 3 * N * sizeof(struct norm_change) },
		{ &s->root, 2 * N * sizeof(double) }, { &s->turn, 2 * N * sizeof(int) },
		{ &s->first, (N + 1) * sizeof(int) }, { &s->order, N * sizeof(int) },
		{ &s->rank, N * sizeof(int) },
	};
	size_t at = 0;

	s->planes = (int)wide;
	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		char *p = room ? room + at : NULL;

		memcpy(part[i].to, &p, sizeof(p));
		at += (part[i].bytes + 63) / 64 * 64;
	}
	return at;
}

size_t
k_norm_share_room(int n, int planes)
{
	struct norm_relevance_job s;

	return lay_out(&s, NULL, n, planes);
}

/* The first 16 bits of a float, mapped so that they sort in its order. */
static unsigned
sort_key(real x)
{
	const float f = (float)x;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return (bits >> 31 ? ~bits : bits | 0x80000000u) >> 16;
}

static void
sort_by_byte(int n, const real *x, int shift, const int *from, int *to)
{
	int at[257] = { 0 };

	for (int i = 0; i < n; i++)
		at[(sort_key(x[i]) >> shift & 255) + 1]++;
	for (int b = 0; b < 256; b++)
		at[b + 1] += at[b];
	for (int i = 0; i < n; i++)
		to[at[sort_key(x[from[i]]) >> shift & 255]++] = from[i];
}

/* Sorts by the first bits, then finishes by insertion sort. */
static void
sort_inputs(int n, const real *x, int *order, int *room)
{
	for (int i = 0; i < n; i++)
		order[i] = i;
	sort_by_byte(n, x, 0, order, room);
	sort_by_byte(n, x, 8, room, order);
	for (int i = 1; i < n; i++) {
		const int it = order[i];
		int k = i;

		for (; k > 0 && x[order[k - 1]] > x[it]; k--)
			order[k] = order[k - 1];
		order[k] = it;
	}
}

static void
order_inputs(struct norm_relevance_job *s)
{
	const struct norm_share *n = s->n;

	sort_inputs(n->n, n->x, s->order, s->rank);
	for (int k = 0; k < NORM_TERMS; k++)
		s->sum[k][0] = 0;
	for (int k = 0; k < n->n; k++) {
		const double u = ((double)n->x[s->order[k]] - n->row.mean) * n->row.rstd;

		s->rank[s->order[k]] = k;
		s->u[k] = u;
		s->sum[0][k + 1] = k + 1;
		s->sum[1][k + 1] = s->sum[1][k] + u;
		s->sum[2][k + 1] = s->sum[2][k] + u * u;
	}
}

static double
value(const double *terms, double u)
{
	return terms[0] + u * (terms[1] + u * terms[2]);
}

/* Stores the roots, the lower one first; infinity if there is none. */
static void
find_roots(const double *terms, double *root)
{
	const double d = terms[1] * terms[1] - 4 * terms[2] * terms[0];
	const double q = -(terms[1] + copysign(sqrt(d > 0 ? d : 0), terms[1])) / 2;
	double one, other;

	root[0] = root[1] = INFINITY;
	if (terms[2] == 0 && terms[1] != 0)
		root[0] = -terms[0] / terms[1];
	if (terms[2] == 0 || d <= 0)
		return;
	one = q / terms[2];
	other = terms[0] / q;
	root[0] = one < other ? one : other;
	root[1] = one < other ? other : one;
}

static void
find_output(const struct norm_relevance_job *s, int j, struct output *o)
{
	const struct norm_share *n = s->n;
	const double u = s->u[s->rank[j]], mean = n->row.mean;
	const double c = -(double)n->gain[j] * n->row.rstd / n->n;
	const double deviation = 1 / (double)n->row.rstd, bend = n->frozen ? 0 : u;

	o->of[0] = c * mean + (n->bias && !n->absorb ? (double)n->bias[j] / n->n : 0);
	o->of[1] = n->rms ? 0 : c * (deviation + bend * mean);
	o->of[2] = c * bend * deviation;
	find_roots(o->of, s->root + 2 * j);
	o->first_up = o->of[2] != 0 ? o->of[2] > 0 : o->of[1] != 0 ? o->of[1] < 0 : o->of[0] > 0;
}

/*
 * The number of inputs before each x.  SIDE binary searches run together with the same number of
 * steps, without branches.
 */
CLONES static void
find_places(const double *u, int n, int m, const double *x, int *place)
{
	enum { SIDE = 8 };

	for (int i = 0; i < m; i += SIDE) {
		const int some = m - i < SIDE ? m - i : SIDE;
		int at[SIDE] = { 0 };
		double of[SIDE] = { 0 };

		memcpy(of, x + i, (size_t)some * sizeof(*of));
		for (int left = n, half; left > 1; left -= half) {
			half = left / 2;
			for (int e = 0; e < SIDE; e++)
				at[e] += half * (u[at[e] + half - 1] < of[e]);
		}
		for (int e = 0; e < some; e++)
			place[i + e] = at[e] + (u[at[e]] < of[e]);
	}
}

static void
find_outputs(struct norm_relevance_job *s)
{
	const int n = s->n->n;

	for (int j = 0; j < n; j++)
		find_output(s, j, &s->output[j]);
	find_places(s->u, n, 2 * n, s->root, s->turn);
}

static double
sum_of_range(const struct norm_relevance_job *s, const double *terms, int from, int to)
{
	double z = 0;

	for (int k = 0; k < NORM_TERMS; k++)
		z += terms[k] * (s->sum[k][to] - s->sum[k][from]);
	return z;
}

static void
change_at(struct norm_relevance_job *s, int at, int j, const double *terms, double step,
	  double constant)
{
	struct norm_change *c = &s->change[s->n_changes];

	for (int k = 0; k < NORM_TERMS; k++)
		c->by[k] = terms[k] * step;
	c->by[0] += constant;
	c->j = j;
	c->next = s->first[at];
	s->first[at] = s->n_changes++;
}

/* Adds the shares of relevance 1 of output j, and of its own input. */
static void
share_output(struct norm_relevance_job *s, const struct share *share, int j)
{
	const struct norm_share *n = s->n;
	const struct output *o = &s->output[j];
	const int rank = s->rank[j], at[4] = { 0, s->turn[2 * j], s->turn[2 * j + 1], n->n };
	const bool up = o->first_up ^ (rank >= at[1]) ^ (rank >= at[2]);
	const double z = value(o->of, s->u[rank]);
	const double own = z + (double)n->gain[j] * n->row.rstd * n->x[j];
	const real bias = n->bias && n->absorb ? n->bias[j] : 0;
	double sum[2] = { 0, 0 }, last = 0;	/* not positive, positive */
	int count[2] = { 0, 0 };
	struct shares k;

	for (int r = 0; r < 3; r++) {
		const bool is_up = o->first_up ^ (r & 1);

		sum[is_up] += sum_of_range(s, o->of, at[r], at[r + 1]);
		count[is_up] += at[r + 1] - at[r];
	}
	sum[up] -= z;
	count[up]--;
	sum[own > 0] += own;
	count[own > 0]++;
	for (int r = 0; r < 2; r++)
		sum[r] = count[r] ? sum[r] : 0;
	k = k_shares_bias(share, n->n, (struct signs){ (real)sum[1], (real)sum[0] }, bias);
	k_count_bias(share, &k, (struct signs){ (real)sum[1], (real)sum[0] }, bias, n->planes,
		     n->rel + j, n->step);
	for (int r = 0; r < 3; r++) {
		const double by = o->first_up ^ (r & 1) ? k.positive : k.negative;

		if (at[r] < at[r + 1]) {
			change_at(s, at[r], j, o->of, by - last, at[r] ? 0 : k.uniform);
			last = by;
		}
	}
	s->own[j] = own * (own > 0 ? k.positive : k.negative) - z * (up ? k.positive : k.negative);
}

CLONES static void
gather_planes(const struct norm_relevance_job *s)
{
	const struct norm_share *n = s->n;

	for (int j = 0; j < n->n; j++) {
		double *c = s->c + (ptrdiff_t)j * s->planes;

		for (int p = 0; p < n->planes; p++)
			c[p] = n->rel[p * n->step + j];
		for (int p = n->planes; p < s->planes; p++)
			c[p] = 0;
	}
}

CLONES static void
scatter(const struct norm_relevance_job *s)
{
	const struct norm_share *n = s->n;

	for (int p = 0; p < n->planes; p++)
		for (int i = 0; i < n->n; i++)
			n->to[p * n->step + i] += s->out[(ptrdiff_t)s->rank[i] * s->planes + p];
}

void
k_norm_share(const struct norm_share *n, const struct share *share, void *room)
{
	struct norm_relevance_job s = { .n = n };

	lay_out(&s, room, n->n, n->planes);
	order_inputs(&s);
	find_outputs(&s);
	for (int k = 0; k <= n->n; k++)
		s.first[k] = -1;
	for (int j = 0; j < n->n; j++)
		share_output(&s, share, j);
	gather_planes(&s);
	FASTEST(k_norm_sweep)(&(struct norm_sweep){
		.n = n->n, .planes = s.planes, .order = s.order, .u = s.u, .first = s.first,
		.change = s.change, .c = s.c, .own = s.own, .out = s.out,
	});
	scatter(&s);
}
