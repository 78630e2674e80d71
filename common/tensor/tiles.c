/* tiles: see tiles.h. */
#include "tensor/tiles.h"

#include <string.h>

#include "tensor/fast/fast.h"
#include "tensor/int8.h"
#include "tensor/processor.h"

#ifdef REAL_DOUBLE
#define WORDS(name) NULL
#define BYTE_DOTS_VNNI k_byte_dots_v4
#else
#define WORDS(name) name
#define BYTE_DOTS_VNNI k_byte_dots_vnni
#endif

/* The instructions of VNNI multiply bytes.  Without them, bytes are multiplied as pairs. */
#define PAIRS(v, to) { 2, 0, k_unit_##to##v, k_to_int16##v, WORDS(pair_tiles##v) }
#define QUADS(v, p, shift) { 4, shift, k_unit_int8##v, k_to_int8##v, WORDS(quad_tiles##p) }
#define TILES(v) tiles##v, tiles_pack_a##v, tiles_pack_b##v
#define VNNI(v, p) \
	{ 2, 0, k_unit_int16##v, k_to_int16##v, WORDS(pair_tiles##p) }, QUADS(v, p, INT8_SHIFT)

static const struct tile_kernels all[] = {
	{ "v2", "portable", TILES(_v2), PAIRS(_v2, int16), PAIRS(_v2, int8),
	  k_byte_dots_v2 },
#ifdef X86_64
	{ "v3", "AVX2", TILES(_v3), PAIRS(_v3, int16), PAIRS(_v3, int8),
	  k_byte_dots_v3 },
	{ "avxvnni", "AVX-VNNI", TILES(_v3), VNNI(_v3, _avxvnni), k_byte_dots_v3 },
	{ "v4", "AVX-512", TILES(_v4), PAIRS(_v4, int16), PAIRS(_v4, int8),
	  k_byte_dots_v4 },
	{ "vnni", "AVX-512 VNNI", TILES(_v4), VNNI(_v4, _vnni), BYTE_DOTS_VNNI },
#elif defined(__aarch64__)
	{ "dotprod", "NEON with dot products", TILES(_v2), PAIRS(_v2, int16),
	  QUADS(_v2, _dotprod, 0), k_byte_dots_v2 },
#endif
};

enum { N_KERNELS = sizeof(all) / sizeof(*all) };

static bool
supported(int i)
{
	struct processor p;

	processor_read(&p);
#ifdef __aarch64__
	return i == 0 || p.dotprod;
#else
	return i == 1 ? fast_level() >= 1 : i == 2 ? p.avx_vnni :
		i == 3 ? fast_level() >= 2 : i != 4 || p.avx512_vnni;
#endif
}

/* The fastest kernels are the last. */
const struct tile_kernels *
tile_kernels_find(const char *name)
{
	for (int i = N_KERNELS - 1; i >= 0; i--)
		if ((!*name || !strcmp(name, all[i].name)) && supported(i))
			return &all[i];
	return NULL;
}
