/* fast-pack: packs blocks of a and panels of b for fast-tiles.h; see tiles.h. */
INLINE void
pack_square(const real *b, ptrdiff_t ldb, real *packed)
{
	vec v[LANES];

	UNROLL
	for (int j = 0; j < LANES; j++)
		v[j] = vec_load(b + j * ldb);
	transpose_square(v);
	UNROLL
	for (int d = 0; d < LANES; d++)
		vec_store(packed + d * TILE_WIDTH, v[d]);
}

INLINE void
pack_part(int depth, int width, const real *b, ptrdiff_t ldb, real *packed)
{
	for (int j = 0; j < width; j++)
		for (int d = 0; d < depth; d++)
			packed[d * TILE_WIDTH + j] = b[d + j * ldb];
}

/* In squares, so that both sides stay in the cache. */
INLINE void
pack_transposed_panel(int depth, int width, const real *b, ptrdiff_t ldb, real *packed)
{
	for (int d = 0; d < depth; d += LANES) {
		for (int j = 0; j < width; j += LANES) {
			int n = depth - d < LANES ? depth - d : LANES;
			int m = width - j < LANES ? width - j : LANES;

			if (SIMD_ROWS >= 12 && n == LANES && m == LANES)
				pack_square(b + d + j * ldb, ldb, packed + d * TILE_WIDTH + j);
			else
				pack_part(n, m, b + d + j * ldb, ldb, packed + d * TILE_WIDTH + j);
		}
	}
}

void
LEVEL(tiles_pack_b)(int depth, int width, const real *b, ptrdiff_t ldb, bool trans, real *packed)
{
	if (width < TILE_WIDTH)
		memset(packed, 0, (size_t)depth * TILE_WIDTH * sizeof(*packed));
	if (trans)
		pack_transposed_panel(depth, width, b, ldb, packed);
	else if (width == TILE_WIDTH)
		for (int d = 0; d < depth; d++)
			memcpy(packed + d * TILE_WIDTH, b + d * ldb, TILE_WIDTH * sizeof(*b));
	else
		for (int d = 0; d < depth; d++)
			memcpy(packed + d * TILE_WIDTH, b + d * ldb, (size_t)width * sizeof(*b));
}

INLINE void
pack_group(int rows, int depth, const real *a, ptrdiff_t lda, bool trans, real *packed)
{
	if (!trans)
		for (int r = 0; r < rows; r++)
			memcpy(packed + r * TILE_ROOM, a + r * lda, (size_t)depth * sizeof(*a));
	else if (rows == TILE_ROWS)
		for (int d = 0; d < depth; d++)
			memcpy(packed + d * TILE_ROWS, a + d * lda, TILE_ROWS * sizeof(*a));
	else
		for (int d = 0; d < depth; d++)
			memcpy(packed + d * TILE_ROWS, a + d * lda, (size_t)rows * sizeof(*a));
}

void
LEVEL(tiles_pack_a)(int rows, int depth, const real *a, ptrdiff_t lda, bool trans, real *packed)
{
	for (int i = 0; i < rows; i += TILE_ROWS, packed += TILE_ROWS * TILE_ROOM) {
		int n = rows - i < TILE_ROWS ? rows - i : TILE_ROWS;

		pack_group(n, depth, a + (trans ? i : i * lda), lda, trans, packed);
	}
}
