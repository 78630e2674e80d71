/*
 * fast-amx: products of bf16-tiles.h with the tiles of AMX.
 *
 * Two by two tiles of c are computed at once, so that each tile of a and b that is loaded is used
 * twice: tiles 0 to 3 are those of c, 4 and 5 hold rows of a, 6 and 7 columns of b.
 *
 * The including file defines TILE_ZERO(i), TILE_LOAD(i, from, bytes), TILE_STORE(i, to, bytes),
 * where bytes is the distance of rows, and TILE_PRODUCTS(c, a, b); tiles are named by constants.
 * It also defines TILE_BEGIN and TILE_END, before and after any use.  The test emulates them.
 */
enum { A_BYTES = 4 * BF16_ROOM, B_BYTES = 4 * BF16_WIDTH };

/* Tiles i and k start with the sums of rows from `row`, or with 0. */
#define START_ROW(i, k, before, row) do { \
	if (before) { \
		TILE_LOAD(i, (before) + (row) * BF16_WIDTH, B_BYTES); \
		TILE_LOAD(k, (before) + (row) * BF16_WIDTH + BF16_TILE, B_BYTES); \
	} else { \
		TILE_ZERO(i); \
		TILE_ZERO(k); \
	} \
} while (0)

/* Adds the products of a block of pairs, of two tiles of rows if `both` is true, else of one. */
static inline __attribute__((always_inline)) void
amx_add_block(int pairs, const uint32_t *a, const uint32_t *b, bool both, struct prefetch *next)
{
	for (int i = 0; i < pairs; i += BF16_TILE, a += BF16_TILE, b += BF16_TILE * BF16_WIDTH) {
		prefetch_lines(&next[0]);
		prefetch_lines(&next[1]);
		TILE_LOAD(6, b, B_BYTES);
		TILE_LOAD(4, a, A_BYTES);
		TILE_LOAD(7, b + BF16_TILE, B_BYTES);
		TILE_PRODUCTS(0, 4, 6);
		TILE_PRODUCTS(1, 4, 7);
		if (both) {
			TILE_LOAD(5, a + BF16_TILE * BF16_ROOM, A_BYTES);
			TILE_PRODUCTS(2, 5, 6);
			TILE_PRODUCTS(3, 5, 7);
		}
	}
}

static inline __attribute__((always_inline)) void
amx_sums_of(const struct bf16_tiles *t, int row, bool both)
{
	const float *before = t->before ? t->before + row * BF16_WIDTH : NULL;
	const uint32_t *a = t->a + row * BF16_ROOM, *b = t->b;

	START_ROW(0, 1, before, 0);
	if (both)
		START_ROW(2, 3, before, BF16_TILE);
	for (int left = t->pairs; left > 0; left -= t->block) {
		amx_add_block(left < t->block ? left : t->block, a, b, both, t->next);
		a += t->a_block;
		b += (ptrdiff_t)t->block * BF16_WIDTH;
	}
}

/* Writes or adds the rows of two tiles to c. */
static void
put_rows(const struct bf16_tiles *t, int row, const float *sums)
{
	float *c = t->c + row * t->ldc;

	for (int r = row; r < t->rows && r < row + BF16_TILE; r++) {
		if (t->add)
			for (int j = 0; j < t->width; j++)
				c[j] += sums[j];
		else
			memcpy(c, sums, (size_t)t->width * sizeof(*c));
		c += t->ldc;
		sums += BF16_WIDTH;
	}
}

/* Stores tiles i and k, rows from `row`, in c where they fit. */
#define PUT_ROW(t, i, k, row) do { \
	float *c_ = (t)->c + (row) * (t)->ldc; \
	if (!(t)->add && ((t)->whole || ((row) + BF16_TILE <= (t)->rows && \
					 (t)->width == BF16_WIDTH))) { \
		TILE_STORE(i, c_, 4 * (t)->ldc); \
		TILE_STORE(k, c_ + BF16_TILE, 4 * (t)->ldc); \
	} else { \
		float sums_[BF16_TILE * BF16_WIDTH] __attribute__((aligned(64))); \
		TILE_STORE(i, sums_, B_BYTES); \
		TILE_STORE(k, sums_ + BF16_TILE, B_BYTES); \
		put_rows(t, row, sums_); \
	} \
} while (0)

static void
amx_begin(void)
{
	TILE_BEGIN;
}

static void
amx_end(void)
{
	TILE_END;
}

static void
amx_tiles(const struct bf16_tiles *t)
{
	int row = 0;

	for (; row + BF16_TILE < t->rows; row += 2 * BF16_TILE) {
		amx_sums_of(t, row, true);
		PUT_ROW(t, 0, 1, row);
		PUT_ROW(t, 2, 3, row + BF16_TILE);
	}
	if (row < t->rows) {
		amx_sums_of(t, row, false);
		PUT_ROW(t, 0, 1, row);
	}
}

#define AMX_KERNEL { \
	.rows = 2 * BF16_TILE, .pairs = BF16_TILE, .transposes = true, .begin = amx_begin, \
	.end = amx_end, .tiles = amx_tiles, \
}
