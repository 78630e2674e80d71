/* fast-bf16: see kernels-bf16.c; the compiler makes vectors of the plain loops. */
void
LEVEL(k_to_bf16)(size_t n, const real *restrict x, bf16 *restrict y)
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

#ifndef REAL_DOUBLE
/* Layouts move pairs of bf16 as if each were one float. */
enum { PAIRS = 64 / sizeof(float) };

/* n <= 16 numbers of two rows (the second may be NULL: zeros), number beside number. */
INLINE vec
beside(int n, const real *a, const real *b)
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

/* n <= 32 numbers of a row, those that follow each other together. */
INLINE vec
following(int n, const real *a)
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

INLINE int
at_most(int a, int b)
{
	return a < b ? a : b;
}

/* At most 32 x 16, constants where it matters. */
INLINE void
turn_block(int rows, int columns, const real *from, ptrdiff_t ld, bf16 *to, ptrdiff_t ldt)
{
	vec x[PAIRS];

	for (int p = 0; p < PAIRS; p++, from += 2 * ld)
		x[p] = 2 * p < rows ? beside(columns, from, 2 * p + 1 < rows ? from + ld : NULL) : (vec){0};
	transpose_square(x);
	for (int c = 0; c < columns; c++)
		memcpy(to + c * ldt, &x[c], (size_t)rows * sizeof(*to));
}

void
LEVEL(k_transpose_bf16)(int m, int n, const real *from, ptrdiff_t ld, bf16 *to, ptrdiff_t ldt)
{
	for (int i = 0; i < m; i += 2 * PAIRS) {
		for (int j = 0; j < n; j += PAIRS) {
			int rows = at_most(2 * PAIRS, m - i), columns = at_most(PAIRS, n - j);

			if (rows == 2 * PAIRS && columns == PAIRS)
				turn_block(2 * PAIRS, PAIRS, from + i * ld + j, ld, to + j * ldt + i, ldt);
			else
				turn_block(rows, columns, from + i * ld + j, ld, to + j * ldt + i, ldt);
		}
	}
}

/* Columns [j, j + 16) of a panel, where the numbers of a column follow each other in memory. */
INLINE void
panel_of_columns(int m, int columns, const real *from, ptrdiff_t column, bf16 *to, int width)
{
	vec x[PAIRS];

	for (int i = 0; i < m; i += 2 * PAIRS) {
		for (int c = 0; c < PAIRS; c++)
			x[c] = c < columns ? following(at_most(2 * PAIRS, m - i), from + c * column + i) : (vec){0};
		transpose_square(x);
		for (int p = 0; p < PAIRS && i + 2 * p < m; p++)
			memcpy(to + (ptrdiff_t)(i / 2 + p) * 2 * width, &x[p], sizeof(x[p]));
	}
}

void
LEVEL(k_pairs_bf16)(int m, int n, const real *from, ptrdiff_t row, ptrdiff_t column, bf16 *to, int width)
{
	for (int j = 0; j < width; j += PAIRS) {
		int columns = j >= n ? 0 : at_most(PAIRS, n - j);
		bf16 *out = to + 2 * (ptrdiff_t)j;

		if (row == 1) {
			panel_of_columns(m, columns, from + j * column, column, out, width);
			continue;
		}
		for (int i = 0; i < m; i += 2) {
			const real *a = from + i * row + j;
			vec v = beside(columns, a, i + 1 < m ? a + row : NULL);

			memcpy(out + (ptrdiff_t)i * width, &v, sizeof(v));
		}
	}
}
#endif
