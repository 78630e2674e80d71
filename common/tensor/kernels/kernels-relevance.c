/*
 * kernels-relevance: distributes the relevance of an output over its inputs; see
 * relevance-kernels.h.
 */
#include "tensor/relevance-kernels.h"

#include <math.h>
#include <string.h>

#include "tensor/fast/fast.h"

struct shares
k_shares(const struct share *s, int n, real positive, real negative, real r)
{
	struct shares k = { 0, 0, 0 };
	real z = positive + negative;

	if (s->halves && (positive > 0 || negative < 0)) {
		k.positive = positive > 0 ? s->alpha * r / (positive + s->eps) : 0;
		k.negative = negative < 0 ? s->beta * r / (negative - s->eps) : 0;
	} else if (s->signs && positive > 0 && negative < 0) {
		k.positive = s->alpha * r / positive;
		k.negative = s->beta * r / negative;
	} else if (s->signs && (positive > 0 || negative < 0)) {
		k.positive = k.negative = r / z;
	} else if (!s->signs && z != 0) {
		k.positive = k.negative = r / (z + (z < 0 ? -s->eps : s->eps));
	} else {
		k.uniform = r / (real)n;
	}
	return k;
}

void
k_add_flow(const struct share *s, const struct shares *k, real positive, real negative, int planes,
	   const real *r, ptrdiff_t step)
{
	const double of_z = k->positive;
	const double absorbed = of_z * (positive + negative < 0 ? -s->eps : s->eps);
	const double size = of_z * ((double)positive - negative);

	for (int p = 0; p < planes; p++, r += step) {
		s->flow[p].absorbed += absorbed * *r;
		s->flow[p].magnitude += fabs(size * *r);
	}
}

struct shares
k_shares_bias(const struct share *s, int n, struct signs sum, real bias)
{
	return k_shares(s, n, sum.positive + (bias > 0 ? bias : 0),
			sum.negative + (bias < 0 ? bias : 0), 1);
}

void
k_count_bias(const struct share *s, const struct shares *k, struct signs sum, real bias, int planes,
	     const real *r, ptrdiff_t step)
{
	k_count_flow(s, k, sum.positive + (bias > 0 ? bias : 0),
		     sum.negative + (bias < 0 ? bias : 0), planes, r, step);
	for (int p = 0; s->flow && bias != 0 && p < planes; p++)
		s->flow[p].absorbed += (double)k->positive * (double)bias * (double)r[p * step];
}

void
slow_share(const struct share *s, int n, const real *w, const real *x, real bias, real r, real *rel)
{
	double p = 0, m = 0;
	struct shares k;

	for (int i = 0; i < n; i++) {
		double z = (w ? (double)x[i] * w[i] : x[i]) + (double)bias / n;

		if (z > 0)
			p += z;
		else
			m += z;
	}
	k = k_shares(s, n, (real)p, (real)m, r);
	k_count_flow(s, &k, (real)p, (real)m, 1, &(real){ 1 }, 0);
	for (int i = 0; i < n; i++) {
		double z = (w ? (double)x[i] * w[i] : x[i]) + (double)bias / n;

		rel[i] += (real)(z * (z > 0 ? k.positive : k.negative) + k.uniform);
	}
}

struct signs
slow_signs(int n, const real *w, const real *x, real add)
{
	double p = 0, m = 0;

	for (int i = 0; i < n; i++) {
		const double z = (w ? (double)x[i] * w[i] : x[i]) + (double)add;

		p += z > 0 ? z : 0;
		m += z > 0 ? 0 : z;
	}
	return (struct signs){ (real)p, (real)m };
}

void
k_share_pairs(const struct share *s, int n, const real *x, const real *y, int planes,
	      const real *rel, ptrdiff_t step, real *of_x, real *of_y)
{
	for (int i = 0; i < n; i++) {
		const real z[2] = { x[i], y[i] };
		const struct signs sum = slow_signs(2, NULL, z, 0);
		const struct shares k = k_shares(s, 2, sum.positive, sum.negative, 1);

		k_count_flow(s, &k, sum.positive, sum.negative, planes, rel + i, step);
		of_x[i] = z[0] * (z[0] > 0 ? k.positive : k.negative) + k.uniform;
		of_y[i] = z[1] * (z[1] > 0 ? k.positive : k.negative) + k.uniform;
	}
}

void
slow_signs_of(int n, const real *const *w, const real *x, const real *add, struct signs *s)
{
	for (int k = 0; k < SHARE_SUMS; k++)
		s[k] = slow_signs(n, w[k], x, add[k]);
}

static bool
any(const real *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] != 0)
			return true;
	return false;
}

struct planes
k_planes(int planes, int n, const real *x, ptrdiff_t step)
{
	struct planes p = { 0, planes };

	while (p.from < p.to && !any(x + p.from * step, n))
		p.from++;
	while (p.to > p.from && !any(x + (p.to - 1) * step, n))
		p.to--;
	return p;
}

void
slow_share_tile(const struct share_tile *t)
{
	for (int p = 0; p < t->planes; p++)
		for (int i = 0; i < t->n; i++) {
			double sum = 0;

			for (int k = 0; k < t->outputs + t->alike; k++) {
				const int j = t->output[k], from = k < t->outputs ? k : t->outputs;
				const struct unit *u = &t->unit[j];
				const double z = (double)t->w[j * t->ldw + i] * t->x[i] + u->add;

				sum += (double)t->c[from * t->planes + p] *
				       (z * (z > 0 ? u->k.positive : u->k.negative) + u->k.uniform);
			}
			t->to[p * t->step + i] += (real)sum;
		}
}

void
slow_pick(int rows, const int *row, const bool *kept, int n, const real *x, real *y, ptrdiff_t ld)
{
	for (int r = 0; r < rows; r++) {
		const real *a = x + row[r] * ld;
		real *b = y + row[r] * ld;

		for (int i = 0; i < n; i++)
			if (kept[i])
				*b++ = a[i];
	}
}

size_t
k_core_room(int S, int d, int planes)
{
	const size_t query =
		(size_t)S * (size_t)d + 2 * (size_t)planes * (size_t)S + (size_t)planes;
	const size_t gathered = 2 * (size_t)S * (size_t)planes * ((size_t)d + 64 / sizeof(real));
	const size_t fast = (size_t)d * (size_t)(3 * S + d + 6) + CORE_QUERIES * query + gathered;
	const size_t slow = 3 * ((size_t)d + (size_t)S * (size_t)d + (size_t)S);

	return fast > slow ? fast : slow;
}

/*
 * An output's inputs, a row of q [d], keys [S,d] and a column of v [S], with Jacobian, relevance.
 */
struct inputs { real *x, *w, *rel; int n; };

static void
gather(const struct core *c, int i, int column, struct inputs *u)
{
	const struct head *h = &c->h;
	const real *a = c->weights, *q = h->q + i * h->ldq;
	double o = 0;

	u->n = 0;
	for (int j = 0; j < h->S; j++)
		o += (double)a[j] * h->v[j * h->ldv + column];
	for (int e = 0; e < h->d && !c->constant; e++) {
		double sum = 0;

		for (int j = 0; j < h->S; j++)
			sum += a[j] * (h->v[j * h->ldv + column] - o) * h->k[j * h->ldk + e];
		u->x[u->n] = q[e];
		u->w[u->n++] = (real)(h->scale * sum);
	}
	for (int j = 0; j < h->S && !c->constant; j++)
		for (int e = 0; e < h->d; e++) {
			u->x[u->n] = h->k[j * h->ldk + e];
			u->w[u->n++] =
				(real)(h->scale * q[e] * a[j] * (h->v[j * h->ldv + column] - o));
		}
	for (int j = 0; j < h->S; j++) {
		u->x[u->n] = h->v[j * h->ldv + column];
		u->w[u->n++] = a[j];
	}
}

static void
spread(const struct core *c, int plane, int i, int column, const struct inputs *u)
{
	const struct head *h = &c->h;
	int at = 0;

	for (int e = 0; e < h->d && !c->constant; e++)
		c->q[plane * c->step_q + i * h->ldq + e] += u->rel[at++];
	for (int j = 0; j < h->S && !c->constant; j++)
		for (int e = 0; e < h->d; e++)
			c->k[plane * c->step_k + j * h->ldk + e] += u->rel[at++];
	for (int j = 0; j < h->S; j++)
		c->v[plane * c->step_v + j * h->ldv + column] += u->rel[at++];
}

void
slow_core(const struct core *c, const struct share *s, real *room)
{
	const size_t n = (size_t)c->h.d + (size_t)c->h.S * (size_t)c->h.d + (size_t)c->h.S;
	struct inputs u = { .x = room, .w = room + n, .rel = room + 2 * n };
	struct core seen = *c;

	for (int p = 0; p < c->planes; p++)
		for (int i = 0; i < c->h.T; i++)
			for (int column = 0; column < c->h.d; column++) {
				const real rel = c->rel[p * c->step + i * c->ld + column];
				const struct share of_plane = k_share_from(s, p);

				if (rel == 0)
					continue;
				seen.weights = c->weights + (ptrdiff_t)i * c->h.S;
				seen.h.S = k_core_keys(&c->h, i);
				gather(&seen, i, column, &u);
				memset(u.rel, 0, (size_t)u.n * sizeof(*u.rel));
				slow_share(&of_plane, u.n, u.w, u.x, 0, rel, u.rel);
				spread(&seen, p, i, column, &u);
			}
}
