/* fast-norm-relevance: relevance of the inputs of a norm, several planes in a vector. */
typedef double vec_planes __attribute__((vector_size(NORM_SIDE * sizeof(double))));

INLINE vec_planes
planes_load(const double *p)
{
	vec_planes v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Computes vecs vectors of planes from plane p on; vecs is constant after inlining. */
INLINE void
sweep_planes(const struct norm_sweep *s, const int vecs, int p)
{
	vec_planes of[NORM_TERMS][2] = { { {0} } };

	for (int k = 0; k < s->n; k++) {
		const int it = s->order[k];

		for (int i = s->first[k]; i >= 0; i = s->change[i].next) {
			const struct norm_change *c = &s->change[i];

			UNROLL
			for (int v = 0; v < vecs; v++) {
				const ptrdiff_t at =
					(ptrdiff_t)c->j * s->planes + p + v * NORM_SIDE;
				const vec_planes rel = planes_load(s->c + at);

				UNROLL
				for (int e = 0; e < NORM_TERMS; e++)
					of[e][v] += c->by[e] * rel;
			}
		}
		UNROLL
		for (int v = 0; v < vecs; v++) {
			const ptrdiff_t at = p + v * NORM_SIDE;
			const vec_planes own =
				s->own[it] * planes_load(s->c + (ptrdiff_t)it * s->planes + at);
			const vec_planes all =
				of[0][v] + s->u[k] * (of[1][v] + s->u[k] * of[2][v]) + own;

			UNROLL
			for (int e = 0; e < NORM_SIDE; e++)
				s->out[(ptrdiff_t)k * s->planes + at + e] = (real)all[e];
		}
	}
}

void
LEVEL(k_norm_sweep)(const struct norm_sweep *s)
{
	int p = 0;

	for (; p + 2 * NORM_SIDE <= s->planes; p += 2 * NORM_SIDE)
		sweep_planes(s, 2, p);
	if (p < s->planes)
		sweep_planes(s, 1, p);
}
