/* fast-small: small matrix products, in vectors. */
/* The number of vectors of c in registers: rows times vectors per row. */
#define SMALL_SUMS (SIMD_BYTES == 64 ? 24 : 8)
#define SMALL_MAX_ROWS  (SIMD_BYTES == 64 ? 16 : 8)

/* Computes rows x vecs vectors of c in registers; both are constants after inlining. */
INLINE void
block(const struct small *s, int i, int j, int rows, int vecs)
{
	vec acc[SMALL_MAX_ROWS][4];

	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int v = 0; v < vecs; v++)
			acc[r][v] = (vec){0};
	for (int p = 0; p < s->k; p++) {
		const real *b = s->b + p * s->ldb + j, *a = s->a + i * s->as + p * s->ap;

		UNROLL
		for (int v = 0; v < vecs; v++) {
			vec bv = vec_load(b + v * LANES);

			UNROLL
			for (int r = 0; r < rows; r++)
				acc[r][v] += vec_all(a[r * s->as]) * bv;
		}
	}
	UNROLL
	for (int r = 0; r < rows; r++) {
		real *c = s->c + (i + r) * s->ldc + j;

		UNROLL
		for (int v = 0; v < vecs; v++) {
			vec y = s->alpha * acc[r][v];

			vec_store(c + v * LANES,
				  s->beta != 0 ? y + s->beta * vec_load(c + v * LANES) : y);
		}
	}
}

/* Computes the columns after the last full vector. */
INLINE void
tail(const struct small *s, int i, int j)
{
	for (; j < s->n; j++) {
		real sum = 0, *c = s->c + i * s->ldc + j;

		for (int p = 0; p < s->k; p++)
			sum += s->a[i * s->as + p * s->ap] * s->b[p * s->ldb + j];
		*c = s->alpha * sum + (s->beta != 0 ? s->beta * *c : 0);
	}
}

#define CASE_ROWS(n) \
	case n: \
		if (n <= SMALL_MAX_ROWS && n * vecs <= SMALL_SUMS) \
			block(s, i, j, n, vecs); \
		break;

/*
 * Computes all rows of `vecs` vectors of columns, in blocks of about the same number of rows: a
 * block with few sums in registers would wait for each addition.
 */
INLINE void
stripe(const struct small *s, int j, int vecs)
{
	const int sums = SMALL_SUMS / vecs;
	const int max_rows = sums < SMALL_MAX_ROWS ? sums : SMALL_MAX_ROWS;
	int i = 0;

	for (int blocks = (s->m + max_rows - 1) / max_rows; blocks > 0; blocks--) {
		const int rows = (s->m - i + blocks - 1) / blocks;

		switch (rows) {
		CASE_ROWS(1) CASE_ROWS(2) CASE_ROWS(3) CASE_ROWS(4)
		CASE_ROWS(5) CASE_ROWS(6) CASE_ROWS(7) CASE_ROWS(8)
		CASE_ROWS(9) CASE_ROWS(10) CASE_ROWS(11) CASE_ROWS(12)
		CASE_ROWS(13) CASE_ROWS(14) CASE_ROWS(15) CASE_ROWS(16)
		}
		i += rows;
	}
}

INLINE void
small(const struct small *s)
{
	int j = 0;

	for (; j + 4 * LANES <= s->n && SMALL_SUMS >= 16; j += 4 * LANES)
		stripe(s, j, 4);
	for (; j + 2 * LANES <= s->n && SMALL_SUMS >= 8; j += 2 * LANES)
		stripe(s, j, 2);
	for (; j + LANES <= s->n; j += LANES)
		stripe(s, j, 1);
	for (int i = 0; i < s->m && j < s->n; i++)
		tail(s, i, j);
}

void
LEVEL(k_small)(const struct small *s)
{
	small(s);
}

void
LEVEL(k_small_dots)(const struct small *s)
{
	for (int i = 0; i < s->m; i++) {
		const real *a = s->a + i * s->as;

		for (int j = 0; j < s->n; j++) {
			const real *b = s->b + j * s->ldb;
			vec sum = {0};
			real rest = 0, *c = s->c + i * s->ldc + j;
			int p = 0;

			for (; p + LANES <= s->k; p += LANES)
				sum += vec_load(a + p) * vec_load(b + p);
			for (; p < s->k; p++)
				rest += a[p] * b[p];
			*c = s->alpha * (vec_sum(sum) + rest) + (s->beta != 0 ? s->beta * *c : 0);
		}
	}
}

#if SIMD_BYTES == 64

/* Transposes the columns of whole squares; returns their number. */
INLINE int
transpose_squares(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad)
{
	int whole = pad % LANES ? 0 : n / LANES * LANES;

	for (int i = 0; i < pad; i += LANES) {
		for (int j = 0; j < whole; j += LANES) {
			vec r[LANES];

			UNROLL
			for (int k = 0; k < LANES; k++)
				r[k] = i + k < m ? vec_load(x + (i + k) * ld + j) : (vec){0};
			transpose_square(r);
			UNROLL
			for (int k = 0; k < LANES; k++)
				vec_store(y + (j + k) * ldt + i, r[k]);
		}
	}
	return whole;
}

#else

INLINE int
transpose_squares(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad)
{
	(void)m, (void)n, (void)x, (void)ld, (void)y, (void)ldt, (void)pad;
	return 0;
}

#endif

INLINE void
transpose(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad)
{
	for (int j = transpose_squares(m, n, x, ld, y, ldt, pad); j < n; j++) {
		for (int i = 0; i < m; i++)
			y[j * ldt + i] = x[i * ld + j];
		for (int i = m; i < pad; i++)
			y[j * ldt + i] = 0;
	}
}

void
LEVEL(k_transpose)(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad)
{
	transpose(m, n, x, ld, y, ldt, pad);
}
