/* fast-dots: products with selected rows; see dots.h. */

/* The products of a row of a with four rows of w. */
INLINE void
four_dots(int k, const real *a, const real *const w[4], real *c)
{
	vec sum[4] = { {0} };
	int p = 0;

	for (; p + LANES <= k; p += LANES) {
		const vec x = vec_load(a + p);

		UNROLL
		for (int j = 0; j < 4; j++)
			sum[j] += x * vec_load(w[j] + p);
	}
	if (p < k) {
		const vec x = vec_load_part(a + p, k - p, 0);

		UNROLL
		for (int j = 0; j < 4; j++)
			sum[j] += x * vec_load_part(w[j] + p, k - p, 0);
	}
	UNROLL
	for (int j = 0; j < 4; j++)
		c[j] = vec_sum(sum[j]);
}

void
LEVEL(k_dots)(const struct dots *d)
{
	for (int j = 0; j < d->n; j += 4) {
		const int n = d->n - j < 4 ? d->n - j : 4;
		const real *w[4];
		real c[4];

		for (int i = 0; i < 4; i++)
			w[i] = d->w + d->id[j + (i < n ? i : 0)] * d->ldw;
		for (int r = 0; r < d->rows; r++) {
			four_dots(d->k, d->a + r * d->lda, w, c);
			memcpy(d->c + r * d->ldc + j, c, (size_t)n * sizeof(*c));
		}
	}
}

/* In the order of fast-words.h. */
INLINE real
times_units(int32_t sum, real a, real b)
{
	return (real)sum * (a < 1 ? a : 1) * b * (a < 1 ? 1 : a);
}

void
LEVEL(k_byte_dots)(const struct byte_dots *d)
{
	for (int j = 0; j < d->n; j++) {
		const int8_t *w = d->w + d->id[j] * d->ldw;
		const real unit = d->w_unit[d->id[j]];

		for (int r = 0; r < d->rows; r++) {
			const uint8_t *a = d->a + r * d->lda;
			int32_t sum = 0;

			for (int p = 0; p < d->k; p++)
				sum += (int16_t)((int16_t)a[p] * (int16_t)w[p]);
			sum = (int32_t)((uint32_t)sum + (uint32_t)d->start[d->id[j]]);
			d->c[r * d->ldc + j] = times_units(sum, d->a_unit[r], unit);
		}
	}
}
