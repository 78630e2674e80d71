/*
 * fast-bf16: see kernels-bf16.c.  The compiler vectorizes the loops.
 *
 * The including file may define CONVERT_BF16(a, b), a vector with the elements of a and then those
 * of b as bf16, and INTERLEAVE_BF16(v), which exchanges its halves for even and odd positions.
 */
#ifndef CONVERT_BF16
void
LEVEL(k_to_bf16)(size_t n, const real *x, bf16 *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (bf16)(bf16_bits((float)x[i]) >> 16);
}

void
LEVEL(k_from_bf16)(size_t n, const bf16 *restrict x, real *restrict y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)bf16_float((uint32_t)x[i] << 16);
}

void
LEVEL(k_round_bf16)(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)bf16_float(bf16_bits((float)x[i]));
}

#endif

#ifndef REAL_DOUBLE
/* The packing functions move a pair of bf16 like one float. */
enum { PAIRS = 64 / sizeof(float) };

#ifdef CONVERT_BF16
void
LEVEL(k_to_bf16)(size_t n, const real *x, bf16 *y)
{
	vec last;
	size_t i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		const vec words = CONVERT_BF16(vec_load(x + i), vec_load(x + i + LANES));

		memcpy(y + i, &words, sizeof(words));
	}
	if (i == n)
		return;
	last = CONVERT_BF16(vec_load_left(x + i, (int)(n - i)),
			    vec_load_left(x + i + LANES, (int)(n - i) - LANES));
	memcpy(y + i, &last, (n - i) * sizeof(*y));
}

/* Interleaves n <= 16 elements of two rows as bf16; b may be NULL: zeros. */
INLINE vec
interleave(int n, const real *a, const real *b)
{
	return INTERLEAVE_BF16(CONVERT_BF16(vec_load_left(a, n), vec_load_left(b, b ? n : 0)));
}

/* Converts n <= 32 elements of a row to bf16. */
INLINE vec
to_pairs(int n, const real *a)
{
	return CONVERT_BF16(vec_load_left(a, n), vec_load_left(a + PAIRS, n - PAIRS));
}
#else
/* Interleaves n <= 16 elements of two rows as bf16; b may be NULL: zeros. */
INLINE vec
interleave(int n, const real *a, const real *b)
{
	uint32_t w[PAIRS] = { 0 };
	vec v;

	if (n == PAIRS && b) {
		for (int i = 0; i < PAIRS; i++)
			w[i] = bf16_bits((float)a[i]) >> 16 | bf16_bits((float)b[i]);
	} else {
		for (int i = 0; i < n; i++)
			w[i] = bf16_bits((float)a[i]) >> 16 | (b ? bf16_bits((float)b[i]) : 0);
	}
	memcpy(&v, w, sizeof(v));
	return v;
}

/* Converts n <= 32 elements of a row to bf16. */
INLINE vec
to_pairs(int n, const real *a)
{
	bf16 w[2 * PAIRS] = { 0 };
	vec v;

	if (n == 2 * PAIRS)
		for (int i = 0; i < 2 * PAIRS; i++)
			w[i] = (bf16)(bf16_bits((float)a[i]) >> 16);
	else
		for (int i = 0; i < n; i++)
			w[i] = (bf16)(bf16_bits((float)a[i]) >> 16);
	memcpy(&v, w, sizeof(v));
	return v;
}
#endif

INLINE int
min_int(int a, int b)
{
	return a < b ? a : b;
}

/* Packs at most 16 columns of a panel whose columns are contiguous in memory. */
INLINE void
panel_of_columns(int m, int columns, const real *x, ptrdiff_t column, bf16 *y, int width)
{
	vec v[PAIRS];

	for (int i = 0; i < m; i += 2 * PAIRS) {
		for (int c = 0; c < PAIRS; c++)
			v[c] = c >= columns ? (vec){0} :
			       to_pairs(min_int(2 * PAIRS, m - i), x + c * column + i);
		transpose_square(v);
		for (int p = 0; p < PAIRS && i + 2 * p < m; p++)
			memcpy(y + (ptrdiff_t)(i / 2 + p) * 2 * width, &v[p], sizeof(v[p]));
	}
}

/* Packs a panel whose rows are contiguous in memory. */
INLINE void
panel_of_rows(int m, int n, const real *x, ptrdiff_t row, bf16 *y, int width)
{
	enum { AHEAD = 16 };	/* rows that are fetched early */

	for (int i = 0; i < m; i += 2, x += 2 * row, y += 2 * (ptrdiff_t)width) {
		for (int j = 0; j < width; j += PAIRS) {
			const int columns = j >= n ? 0 : min_int(PAIRS, n - j);
			const real *a = x + j, *b = i + 1 < m ? a + row : NULL;
			const vec v = interleave(columns, a, b);

			if (i + AHEAD + 1 < m && columns) {
				__builtin_prefetch(a + AHEAD * row, 0, 3);
				__builtin_prefetch(a + (AHEAD + 1) * row, 0, 3);
			}
			memcpy(y + 2 * (ptrdiff_t)j, &v, sizeof(v));
		}
	}
}

void
LEVEL(k_pairs_bf16)(int m, int n, const real *x, ptrdiff_t row, ptrdiff_t column, bf16 *y,
		    int width)
{
	if (row != 1) {
		panel_of_rows(m, n, x, row, y, width);
		return;
	}
	for (int j = 0; j < width; j += PAIRS)
		panel_of_columns(m, j >= n ? 0 : min_int(PAIRS, n - j), x + j * column, column,
				 y + 2 * (ptrdiff_t)j, width);
}
#endif
