/* dep-mask: see dep-mask.h. */
#include "trees/dep-mask.h"

#include <string.h>

#include "trees/piece-heads.h"

struct pieces { int first, last; };

static void
allow(uint8_t *bits, size_t stride, int row, int column)
{
	bits[(size_t)row * stride + (size_t)column / 8] |= (uint8_t)(1 << column % 8);
}

static void
allow_all(uint8_t *bits, size_t stride, struct pieces rows, struct pieces columns)
{
	for (int i = rows.first; i <= rows.last; i++)
		for (int j = columns.first; j <= columns.last; j++)
			allow(bits, stride, i, j);
}

void
dep_mask_words(const int32_t *word, int n, const int32_t *head, uint8_t *bits)
{
	const size_t stride = dep_mask_stride(n);

	memset(bits, 0, (size_t)n * stride);
	for (int i = 0; i < n; ) {
		const struct pieces own = { i, piece_last(word, n, word[i]) };
		const int32_t h = head[word[i]];

		allow_all(bits, stride, own, own);
		if (h) {
			const struct pieces other = { piece_first(word, n, h - 1),
						      piece_last(word, n, h - 1) };

			allow_all(bits, stride, own, other);
			allow_all(bits, stride, other, own);
		}
		i = own.last + 1;
	}
}

void
dep_mask_pieces(const int32_t *arc, int n, uint8_t *bits)
{
	const size_t stride = dep_mask_stride(n);

	memset(bits, 0, (size_t)n * stride);
	for (int i = 0; i < n; i++) {
		allow(bits, stride, i, i);
		allow(bits, stride, i, arc[i]);
		allow(bits, stride, arc[i], i);
	}
}
