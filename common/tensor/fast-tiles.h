/* fast-tiles: a few rows times panels; see tiles.h. */
/* Where the rows of a and c are, and one panel of b. */
struct place { const real *a, *b; real *c; ptrdiff_t ldc; real alpha, beta; int depth, width; };

INLINE void
put(real *c, vec sum, real alpha, real beta)
{
	vec y = alpha * sum;

	vec_store(c, beta != 0 ? y + beta * vec_load(c) : y);
}

/* rows x two vectors of c; rows, a_row and a_depth are constants where this is inlined. */
INLINE void
tile(const struct place *p, int rows, ptrdiff_t a_row, ptrdiff_t a_depth)
{
	vec sum[TILE_ROWS][2];
	const real *a = p->a, *b = p->b;
	real edge[TILE_ROWS * TILE_WIDTH];

	UNROLL
	for (int r = 0; r < rows; r++)
		sum[r][0] = sum[r][1] = (vec){0};
	for (int d = 0; d < p->depth; d++, a += a_depth, b += TILE_WIDTH) {
		vec left = vec_load(b), right = vec_load(b + LANES);

		UNROLL
		for (int r = 0; r < rows; r++) {
			vec x = vec_all(a[r * a_row]);

			sum[r][0] += x * left;
			sum[r][1] += x * right;
		}
	}
	if (p->width == TILE_WIDTH) {
		UNROLL
		for (int r = 0; r < rows; r++) {
			put(p->c + r * p->ldc, sum[r][0], p->alpha, p->beta);
			put(p->c + r * p->ldc + LANES, sum[r][1], p->alpha, p->beta);
		}
		return;
	}
	UNROLL
	for (int r = 0; r < rows; r++) {
		vec_store(edge + r * TILE_WIDTH, sum[r][0]);
		vec_store(edge + r * TILE_WIDTH + LANES, sum[r][1]);
	}
	for (int r = 0; r < rows; r++) {
		for (int j = 0; j < p->width; j++) {
			real *c = p->c + r * p->ldc + j, y = p->alpha * edge[r * TILE_WIDTH + j];

			*c = p->beta != 0 ? y + p->beta * *c : y;
		}
	}
}

/* All panels for `rows` rows of a, which were brought together in the cache. */
INLINE void
panels(const struct tiles *t, int from, int rows, const real *a, ptrdiff_t a_row, ptrdiff_t a_depth)
{
	struct place p = { .a = a, .b = t->b, .ldc = t->ldc, .alpha = t->alpha, .beta = t->beta, .depth = t->depth };

	for (int j = 0; j < t->width; j += TILE_WIDTH, p.b += (ptrdiff_t)t->depth * TILE_WIDTH) {
		p.c = t->c + from * t->ldc + j;
		p.width = t->width - j < TILE_WIDTH ? t->width - j : TILE_WIDTH;
		tile(&p, rows, a_row, a_depth);
	}
}

/* Rows that lie far apart would fall into the same few sets of the cache: they are copied. */
INLINE void
some_rows(const struct tiles *t, int from, int rows, real *room)
{
	const real *a = t->a + from * t->a_row;

	if (t->a_depth == 1) {
		for (int r = 0; r < rows; r++)
			memcpy(room + r * (TILE_DEPTH + LANES), a + r * t->a_row, (size_t)t->depth * sizeof(*a));
		panels(t, from, rows, room, TILE_DEPTH + LANES, 1);
	} else {
		for (int d = 0; d < t->depth; d++)
			for (int r = 0; r < rows; r++)
				room[d * TILE_ROWS + r] = a[d * t->a_depth + r];
		panels(t, from, rows, room, 1, TILE_ROWS);
	}
}

void
LEVEL(tiles)(const struct tiles *t)
{
	real room[TILE_ROWS * (TILE_DEPTH + LANES)];
	int i = 0;

	for (; i + 12 <= t->rows && SIMD_ROWS >= 12; i += 12)
		some_rows(t, i, 12, room);
	for (; i + 8 <= t->rows && SIMD_ROWS >= 8; i += 8)
		some_rows(t, i, 8, room);
	for (; i + 4 <= t->rows && SIMD_ROWS >= 4; i += 4)
		some_rows(t, i, 4, room);
	for (; i + 2 <= t->rows; i += 2)
		some_rows(t, i, 2, room);
	for (; i < t->rows; i++)
		some_rows(t, i, 1, room);
}
