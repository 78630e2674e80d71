/* fast-small: products of one sentence and one head, in vectors. */
#define SMALL_ROWS 4		/* of c at a time */

/* SMALL_ROWS x vecs vectors of c stay in registers; both are constants where this is inlined. */
INLINE void
block(const struct small *s, int i, int j, int rows, int vecs)
{
	vec acc[SMALL_ROWS][4];

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

			vec_store(c + v * LANES, s->beta != 0 ? y + s->beta * vec_load(c + v * LANES) : y);
		}
	}
}

/* The columns that do not fill a vector. */
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

INLINE void
rows_of(const struct small *s, int i, int rows)
{
	int j = 0;

	for (; j + 4 * LANES <= s->n; j += 4 * LANES)
		block(s, i, j, rows, 4);
	for (; j + 2 * LANES <= s->n; j += 2 * LANES)
		block(s, i, j, rows, 2);
	for (; j + LANES <= s->n; j += LANES)
		block(s, i, j, rows, 1);
	if (j < s->n)
		for (int r = 0; r < rows; r++)
			tail(s, i + r, j);
}

void
LEVEL(k_small)(const struct small *s)
{
	int i = 0;

	for (; i + SMALL_ROWS <= s->m; i += SMALL_ROWS)
		rows_of(s, i, SMALL_ROWS);
	if (s->m - i == 3)
		rows_of(s, i, 3);
	else if (s->m - i == 2)
		rows_of(s, i, 2);
	else if (s->m - i == 1)
		rows_of(s, i, 1);
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
