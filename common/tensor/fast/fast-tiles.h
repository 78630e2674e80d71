/* fast-tiles: multiplies groups of packed rows with a panel; see tiles.h. */
#define PAIR ((int)(2 * SIMD_BYTES / sizeof(real)))	/* columns of a tile: two registers */

typedef real vec_reg __attribute__((vector_size(SIMD_BYTES)));

INLINE vec_reg
load_reg(const real *p)
{
	vec_reg v;

	memcpy(&v, p, sizeof(v));
	return v;
}

INLINE void
put(real *c, vec_reg sum, real alpha, real beta)
{
	vec_reg y = alpha * sum;

	if (beta != 0)
		y += beta * load_reg(c);
	memcpy(c, &y, sizeof(y));
}

INLINE void
prefetch_row(const real *c)
{
	for (int i = 0; i < PAIR; i += 64 / (int)sizeof(*c))
		__builtin_prefetch(c + i, 1, 3);
	__builtin_prefetch(c + PAIR - 1, 1, 3);
}

INLINE void
put_part(const struct tiles *t, int rows, int width, const real *sum, real *c)
{
	for (int r = 0; r < rows; r++, c += t->ldc, sum += PAIR) {
		for (int j = 0; j < width; j++) {
			real y = t->alpha * sum[j];

			c[j] = t->beta != 0 ? y + t->beta * c[j] : y;
		}
	}
}

/* Computes rows x two registers of c.  rows, a_row and a_depth are constants after inlining. */
INLINE void
tile(const struct tiles *t, int rows, int width, const real *a, ptrdiff_t a_row, ptrdiff_t a_depth,
     const real *b, real *c)
{
	vec_reg sum[TILE_ROWS][2];
	real edge[TILE_ROWS * PAIR];

	UNROLL
	for (int r = 0; r < rows; r++)
		sum[r][0] = sum[r][1] = (vec_reg){0};
	for (int first = 0; first < t->depth; first += TILE_STEP) {
		int n = t->depth - first < TILE_STEP ? t->depth - first : TILE_STEP;

		if (first / TILE_STEP < rows)
			prefetch_row(c + first / TILE_STEP * t->ldc);
		prefetch_lines(&t->prefetch[0]);
		prefetch_lines(&t->prefetch[1]);
		for (int d = 0; d < n; d++, a += a_depth, b += TILE_WIDTH) {
			vec_reg left = load_reg(b), right = load_reg(b + PAIR / 2);

			UNROLL
			for (int r = 0; r < rows; r++) {
				vec_reg x = a[r * a_row] - (vec_reg){0};

				sum[r][0] += x * left;
				sum[r][1] += x * right;
			}
		}
	}
	if (width < PAIR) {
		UNROLL
		for (int r = 0; r < rows; r++)
			memcpy(edge + r * PAIR, sum[r], sizeof(sum[r]));
		put_part(t, rows, width, edge, c);
		return;
	}
	UNROLL
	for (int r = 0; r < rows; r++) {
		put(c + r * t->ldc, sum[r][0], t->alpha, t->beta);
		put(c + r * t->ldc + PAIR / 2, sum[r][1], t->alpha, t->beta);
	}
}

INLINE void
some_rows(const struct tiles *t, int first, int rows)
{
	const real *a = t->a + (ptrdiff_t)(first / TILE_ROWS) * (TILE_ROWS * TILE_ROOM);
	real *c = t->c + first * t->ldc;

	for (int at = 0; at < t->width; at += PAIR)
		if (t->trans_a)
			tile(t, rows, t->width - at, a + first % TILE_ROWS, 1, TILE_ROWS, t->b + at,
			     c + at);
		else
			tile(t, rows, t->width - at, a + first % TILE_ROWS * TILE_ROOM, TILE_ROOM,
			     1, t->b + at, c + at);
}

_Static_assert(TILE_ROWS % SIMD_REAL_ROWS == 0, "rows of one group are taken together");

/* Computes as many rows at a time as there are registers for. */
void
LEVEL(tiles)(const struct tiles *t)
{
	int i = 0;

	for (; i + 12 <= t->rows && SIMD_REAL_ROWS >= 12; i += 12)
		some_rows(t, i, 12);
	for (; i + 8 <= t->rows && SIMD_REAL_ROWS >= 8; i += 8)
		some_rows(t, i, 8);
	for (; i + 6 <= t->rows && SIMD_REAL_ROWS == 6; i += 6)
		some_rows(t, i, 6);
	for (; i + 4 <= t->rows; i += 4)
		some_rows(t, i, 4);
	for (; i + 2 <= t->rows; i += 2)
		some_rows(t, i, 2);
	for (; i < t->rows; i++)
		some_rows(t, i, 1);
}
