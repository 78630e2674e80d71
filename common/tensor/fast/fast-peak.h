/*
 * fast-peak: multiply-adds in registers, to measure the peak rate (peak.c).  Returns the number of
 * operations.
 */
#define PEAK_SUMS (SIMD_ROWS > 4 ? 12 : 4)

double
LEVEL(fma_loop)(long rounds, real *sink)
{
	vec sum[PEAK_SUMS], half = vec_all((real)0.5), one = vec_all(*sink);

	UNROLL
	for (int i = 0; i < PEAK_SUMS; i++)
		sum[i] = vec_all((real)i);
	for (long r = 0; r < rounds; r++)
		UNROLL
		for (int i = 0; i < PEAK_SUMS; i++)
			sum[i] = sum[i] * half + one;
	UNROLL
	for (int i = 1; i < PEAK_SUMS; i++)
		sum[0] += sum[i];
	*sink = vec_sum(sum[0]);
	return 2.0 * PEAK_SUMS * LANES * (double)rounds;
}
