/* tiles: see tiles.h. */
#include "tensor/tiles.h"

#include <string.h>

#include "tensor/fast/fast.h"

#ifdef REAL_DOUBLE
#define PAIRS(v) NULL
#else
#define PAIRS(v) pair_tiles##v
#endif

#define KERNELS(name, text, v, p) { \
	name, text, tiles##v, tiles_pack_a##v, tiles_pack_b##v, k_unit_int16##v, k_to_int16##v, \
	PAIRS(p) \
}

static const struct tile_kernels all[] = {
	KERNELS("v2", "portable", _v2, _v2),
#if defined(__x86_64__)
	KERNELS("v3", "AVX2", _v3, _v3),
	KERNELS("v4", "AVX-512", _v4, _v4),
	KERNELS("vnni", "AVX-512 VNNI", _v4, _vnni),
#endif
};

static int
best_level(void)
{
#if defined(__x86_64__)
	if (fast_level() == 2 && __builtin_cpu_supports("avx512vnni"))
		return 3;
#endif
	return fast_level();
}

const struct tile_kernels *
tile_kernels_find(const char *name)
{
	int best = best_level();

	if (!*name)
		return &all[best];
	for (int i = 0; i <= best; i++)
		if (!strcmp(name, all[i].name))
			return &all[i];
	return NULL;
}
