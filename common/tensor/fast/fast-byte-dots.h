/* fast-byte-dots: products of bytes with selected rows, for AVX-512 VNNI; see dots.h. */

/* The sums of the lanes of four vectors. */
INLINE __m128i
byte_sums_of(const __m512i v[4])
{
	const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(v[0], v[1]),
					    _mm512_unpackhi_epi32(v[0], v[1]));
	const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(v[2], v[3]),
					    _mm512_unpackhi_epi32(v[2], v[3]));
	const __m512i all = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd),
					     _mm512_unpackhi_epi64(ab, cd));
	const __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(all),
					      _mm512_extracti64x4_epi64(all, 1));

	return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* Four rows of w. */
struct four { const int8_t *w[4]; __m128i start; __m128 unit; int n; };

INLINE struct four
four_rows(const struct byte_dots *d, int j)
{
	struct four f = { .n = d->n - j < 4 ? d->n - j : 4 };
	int32_t start[4];
	float unit[4];

	for (int i = 0; i < 4; i++) {
		const int id = d->id[j + (i < f.n ? i : 0)];

		f.w[i] = d->w + id * d->ldw;
		start[i] = d->start[id];
		unit[i] = d->w_unit[id];
	}
	memcpy(&f.start, start, sizeof(start));
	memcpy(&f.unit, unit, sizeof(unit));
	return f;
}

/* Multiplies by units in the order of fast-words.h. */
INLINE void
put_four(const struct four *f, const __m512i sum[4], float unit, float *c)
{
	const __m128i whole = _mm_add_epi32(byte_sums_of(sum), f->start);
	__m128 y = _mm_mul_ps(_mm_cvtepi32_ps(whole), _mm_set1_ps(unit < 1 ? unit : 1));

	y = _mm_mul_ps(_mm_mul_ps(y, f->unit), _mm_set1_ps(unit < 1 ? 1 : unit));
	if (f->n == 4)
		_mm_storeu_ps(c, y);
	else
		memcpy(c, &y, (size_t)f->n * sizeof(*c));
}

/* rows is a constant after inlining. */
INLINE void
byte_block(const struct byte_dots *d, const struct four *f, int j, int first, int rows)
{
	const uint8_t *a = d->a + first * d->lda;
	__m512i sum[5][4];

	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
		for (int i = 0; i < 4; i++)
			sum[r][i] = _mm512_setzero_si512();
	for (int p = 0; p < d->k; p += DOTS_BYTES) {
		__m512i w[4];

		UNROLL
		for (int i = 0; i < 4; i++)
			w[i] = _mm512_loadu_si512(f->w[i] + p);
		UNROLL
		for (int r = 0; r < rows; r++) {
			const __m512i x = _mm512_loadu_si512(a + r * d->lda + p);

			UNROLL
			for (int i = 0; i < 4; i++)
				sum[r][i] = _mm512_dpbusd_epi32(sum[r][i], x, w[i]);
		}
	}
	UNROLL
	for (int r = 0; r < rows; r++)
		put_four(f, sum[r], d->a_unit[first + r], d->c + (first + r) * d->ldc + j);
}

void
LEVEL(k_byte_dots)(const struct byte_dots *d)
{
	for (int j = 0; j < d->n; j += 4) {
		const struct four f = four_rows(d, j);
		int r = 0;

		for (int i = j + 4; i < j + 8 && i < d->n; i++)
			for (int p = 0; p < d->k; p += DOTS_BYTES)
				__builtin_prefetch(d->w + d->id[i] * d->ldw + p, 0, 3);
		for (; r + 5 <= d->rows; r += 5)
			byte_block(d, &f, j, r, 5);
		for (; r + 3 <= d->rows; r += 3)
			byte_block(d, &f, j, r, 3);
		for (; r < d->rows; r++)
			byte_block(d, &f, j, r, 1);
	}
}
