/* fast-tiles: groups of rows times a panel; see tiles.h. */
INLINE void
put(real *c, vec sum, real alpha, real beta)
{
	vec y = alpha * sum;

	vec_store(c, beta != 0 ? y + beta * vec_load(c) : y);
}

/* The next lines of what is wanted later. */
INLINE void
look_ahead(struct ahead *w)
{
	for (int i = 0; i < w->share && w->rows > 0; i++) {
		__builtin_prefetch(w->row + (ptrdiff_t)w->line * 64, 0, 2);
		if (++w->line == w->lines) {
			w->line = 0;
			w->row += w->stride;
			w->rows--;
		}
	}
}

INLINE void
ask_for_row(const real *c)
{
	__builtin_prefetch(c, 1, 3);
	__builtin_prefetch(c + LANES, 1, 3);
	__builtin_prefetch(c + TILE_WIDTH - 1, 1, 3);
}

INLINE void
put_part(const struct tiles *t, int rows, const real *sum, real *c)
{
	for (int r = 0; r < rows; r++, c += t->ldc, sum += TILE_WIDTH) {
		for (int j = 0; j < t->width; j++) {
			real y = t->alpha * sum[j];

			c[j] = t->beta != 0 ? y + t->beta * c[j] : y;
		}
	}
}

/* rows x two vectors of c; rows, a_row and a_depth are constants where this is inlined. */
INLINE void
tile(const struct tiles *t, int rows, const real *a, ptrdiff_t a_row, ptrdiff_t a_depth, real *c)
{
	vec sum[TILE_ROWS][2];
	const real *b = t->b;
	real edge[TILE_ROWS * TILE_WIDTH];

	UNROLL
	for (int r = 0; r < rows; r++)
		sum[r][0] = sum[r][1] = (vec){0};
	for (int first = 0; first < t->depth; first += TILE_STEP) {
		int n = t->depth - first < TILE_STEP ? t->depth - first : TILE_STEP;

		if (first / TILE_STEP < rows)
			ask_for_row(c + first / TILE_STEP * t->ldc);
		look_ahead(&t->ahead[0]);
		look_ahead(&t->ahead[1]);
		for (int d = 0; d < n; d++, a += a_depth, b += TILE_WIDTH) {
			vec left = vec_load(b), right = vec_load(b + LANES);

			UNROLL
			for (int r = 0; r < rows; r++) {
				vec x = vec_all(a[r * a_row]);

				sum[r][0] += x * left;
				sum[r][1] += x * right;
			}
		}
	}
	if (t->width < TILE_WIDTH) {
		UNROLL
		for (int r = 0; r < rows; r++) {
			vec_store(edge + r * TILE_WIDTH, sum[r][0]);
			vec_store(edge + r * TILE_WIDTH + LANES, sum[r][1]);
		}
		put_part(t, rows, edge, c);
		return;
	}
	UNROLL
	for (int r = 0; r < rows; r++) {
		put(c + r * t->ldc, sum[r][0], t->alpha, t->beta);
		put(c + r * t->ldc + LANES, sum[r][1], t->alpha, t->beta);
	}
}

INLINE void
some_rows(const struct tiles *t, int from, int rows)
{
	const real *a = t->a + (ptrdiff_t)(from / TILE_ROWS) * (TILE_ROWS * TILE_ROOM);
	real *c = t->c + from * t->ldc;

	if (t->trans_a)
		tile(t, rows, a + from % TILE_ROWS, 1, TILE_ROWS, c);
	else
		tile(t, rows, a + from % TILE_ROWS * TILE_ROOM, TILE_ROOM, 1, c);
}

void
LEVEL(tiles)(const struct tiles *t)
{
	int i = 0;

	for (; i + 12 <= t->rows && SIMD_ROWS >= 12; i += 12)
		some_rows(t, i, 12);
	for (; i + 8 <= t->rows && SIMD_ROWS >= 8; i += 8)
		some_rows(t, i, 8);
	for (; i + 4 <= t->rows && SIMD_ROWS >= 4; i += 4)
		some_rows(t, i, 4);
	for (; i + 2 <= t->rows; i += 2)
		some_rows(t, i, 2);
	for (; i < t->rows; i++)
		some_rows(t, i, 1);
}
