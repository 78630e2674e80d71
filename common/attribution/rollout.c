/* rollout: see rollout.h. */
#include "attribution/rollout.h"

#include <string.h>

void
rollout_init(struct rollout *r, int sources, int targets, struct arena *mem)
{
	const size_t S = (size_t)sources, T = (size_t)targets, most = S > T ? S : T;

	*r = (struct rollout){
		.sources = sources, .targets = targets,
		.enc = arena_zero(mem, S * S * sizeof(double)),
		.src = arena_zero(mem, T * S * sizeof(double)),
		.tgt = arena_zero(mem, T * T * sizeof(double)),
		.room = arena_zero(mem, most * most * sizeof(double)),
	};
	for (size_t i = 0; i < S; i++)
		r->enc[i * S + i] = 1;
	for (size_t i = 0; i < T; i++)
		r->tgt[i * T + i] = 1;
}

void
rollout_add_product(int m, int k, int n, bool turned, const double *a, const double *b, double *out)
{
	for (ptrdiff_t i = 0; i < m; i++)
		for (ptrdiff_t j = 0; j < k; j++) {
			const double by = turned ? a[j * m + i] : a[i * k + j];

			for (ptrdiff_t c = 0; by != 0 && c < n; c++)
				out[i * n + c] += by * b[j * n + c];
		}
}

/* x [m, n] = self [m, m] x */
static void
rollout_mix(const struct rollout *r, int m, int n, const double *self, double *x)
{
	const size_t size = (size_t)m * (size_t)n * sizeof(*x);

	memcpy(r->room, x, size);
	memset(x, 0, size);
	rollout_add_product(m, m, n, false, self, r->room, x);
}

void
rollout_encoder(struct rollout *r, const double *self)
{
	rollout_mix(r, r->sources, r->sources, self, r->enc);
}

void
rollout_decoder(struct rollout *r, const double *self, const double *cross)
{
	rollout_mix(r, r->targets, r->sources, self, r->src);
	rollout_mix(r, r->targets, r->targets, self, r->tgt);
	rollout_add_product(r->targets, r->sources, r->sources, false, cross, r->enc, r->src);
}
