/* fast-square: transposes squares of vectors. */
#ifdef REAL_DOUBLE
#define ZIP_LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, \
	0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, \
	8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif

/* Transposes a square: interleaves rows half a square apart, log2(LANES) times. */
INLINE void
transpose_square(vec r[LANES])
{
	UNROLL
	for (int done = 1; done < LANES; done *= 2) {
		vec t[LANES];

		UNROLL
		for (int i = 0; i < LANES / 2; i++) {
			t[2 * i] = ZIP_LOW(r[i], r[i + LANES / 2]);
			t[2 * i + 1] = ZIP_HIGH(r[i], r[i + LANES / 2]);
		}
		UNROLL
		for (int i = 0; i < LANES; i++)
			r[i] = t[i];
	}
}
