/* fast-amx: products of bf16-tiles.h for processors with AMX. */
#include "base/compiler.h"
#include "base/err.h"
#include "tensor/bf16-tiles.h"

#if defined(X86_64) && !defined(REAL_DOUBLE)

#include <immintrin.h>
#include <string.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target( \
	"avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,amx-tile,amx-bf16"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512vl,avx512dq,avx512bw,amx-tile,amx-bf16")
#endif

/* The operand of ldtilecfg: eight tiles of 16 rows of 64 bytes (Intel 2023, LDTILECFG). */
struct config {
	uint8_t palette, start, reserved[14];
	uint16_t bytes[16];
	uint8_t rows[16];
};

static const struct config config = {
	.palette = 1,
	.bytes = { 64, 64, 64, 64, 64, 64, 64, 64 },
	.rows = { 16, 16, 16, 16, 16, 16, 16, 16 },
};

/* gcc does not know that a tile that is loaded reads memory. */
#define TILE_BEGIN do { \
	_tile_loadconfig(&config); \
	__asm__ volatile("" : : : "memory"); \
} while (0)
#define TILE_END   _tile_release()
#define TILE_ZERO(i) _tile_zero(i)
#define TILE_LOAD(i, from, bytes) _tile_loadd(i, from, bytes)
#define TILE_STORE(i, to, bytes) _tile_stored(i, to, bytes)
#define TILE_PRODUCTS(c, a, b) _tile_dpbf16ps(c, a, b)

#include "tensor/fast/fast-amx.h"

double
amx_loop(long rounds, float *sink)
{
	float sums[BF16_TILE * BF16_TILE] = { *sink };

	TILE_BEGIN;
	TILE_ZERO(0);
	TILE_ZERO(1);
	TILE_ZERO(2);
	TILE_ZERO(3);
	TILE_LOAD(4, sums, 64);
	TILE_LOAD(5, sums, 64);
	for (long r = 0; r < rounds; r++) {
		TILE_PRODUCTS(0, 4, 5);
		TILE_PRODUCTS(1, 4, 5);
		TILE_PRODUCTS(2, 4, 5);
		TILE_PRODUCTS(3, 4, 5);
	}
	TILE_STORE(0, sums, 64);
	TILE_END;
	*sink = sums[0];
	return 4 * 4.0 * BF16_TILE * BF16_TILE * BF16_TILE * (double)rounds;
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#else
#define AMX_KERNEL { \
	.rows = 2 * BF16_TILE, .pairs = BF16_TILE, .transposes = true, .tiles = amx_tiles, \
}

static void
amx_tiles(const struct bf16_tiles *t)
{
	bug("%d rows: this processor lacks AMX", t->rows);
}

double
amx_loop(long rounds, float *sink)
{
	bug("%ld rounds from %g: this processor lacks AMX", rounds, (double)*sink);
}
#endif

const struct bf16_kernel bf16_amx = AMX_KERNEL;
