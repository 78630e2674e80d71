/* tiles: see tiles.h. */
#include "tensor/tiles.h"

#include <string.h>

#include "tensor/fast.h"

#define KERNELS(name, text, v) { name, text, tiles##v, tiles_pack_a##v, tiles_pack_b##v }

static const struct tile_kernels all[] = {
	KERNELS("v2", "portable", _v2),
#if defined(__x86_64__)
	KERNELS("v3", "AVX2", _v3),
	KERNELS("v4", "AVX-512", _v4),
#endif
};

const struct tile_kernels *
tile_kernels_find(const char *name)
{
	int best = fast_level();

	if (!*name)
		return &all[best];
	for (int i = 0; i <= best; i++)
		if (!strcmp(name, all[i].name))
			return &all[i];
	return NULL;
}
