/* tiles: see tiles.h. */
#include "tensor/tiles.h"

#include <string.h>

#include "tensor/fast.h"

tiles_function *
tiles_choose(const char **name)
{
	static const char *const names[] = { "portable", "AVX2", "AVX-512" };

	*name = names[fast_level()];
	return FASTEST(tiles);
}

/* Columns that lie apart (a transposed b): small squares, so that both sides stay in the cache. */
static void
pack_panel(int depth, int width, const real *b, ptrdiff_t b_depth, ptrdiff_t b_column, real *to)
{
	if (b_column == 1 && width == TILE_WIDTH) {
		for (int d = 0; d < depth; d++)
			memcpy(to + d * TILE_WIDTH, b + d * b_depth, TILE_WIDTH * sizeof(*b));
		return;
	}
	if (width < TILE_WIDTH)
		memset(to, 0, (size_t)depth * TILE_WIDTH * sizeof(*to));
	for (int first = 0; first < depth; first += 16) {
		int last = first + 16 < depth ? first + 16 : depth;

		for (int j = 0; j < width; j++)
			for (int d = first; d < last; d++)
				to[d * TILE_WIDTH + j] = b[d * b_depth + j * b_column];
	}
}

void
tiles_pack(int depth, int width, const real *b, ptrdiff_t b_depth, ptrdiff_t b_column, real *to)
{
	for (int j = 0; j < width; j += TILE_WIDTH) {
		pack_panel(depth, width - j < TILE_WIDTH ? width - j : TILE_WIDTH, b + j * b_column, b_depth, b_column, to);
		to += (ptrdiff_t)depth * TILE_WIDTH;
	}
}
