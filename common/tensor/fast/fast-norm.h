/* fast-norm: layer normalization of a row, in vectors. */
#define ROOT(x) ((real)sqrt((double)(x)))

INLINE real
sum_row(int n, const real *x)
{
	vec s = {0}, t = {0};
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		s += vec_load(x + i);
		t += vec_load(x + i + LANES);
	}
	for (; i < n; i += LANES)
		s += n - i >= LANES ? vec_load(x + i) : vec_load_part(x + i, n - i, 0);
	return vec_sum(s + t);
}

INLINE real
sum_squares_about(int n, const real *x, real mean)
{
	vec s = {0}, t = {0}, m = vec_all(mean);
	int i = 0;

	for (; i + 2 * LANES <= n; i += 2 * LANES) {
		vec a = vec_load(x + i) - m, b = vec_load(x + i + LANES) - m;

		s += a * a;
		t += b * b;
	}
	for (; i < n; i += LANES) {
		vec a = (n - i >= LANES ? vec_load(x + i) : vec_load_part(x + i, n - i, mean)) - m;

		s += a * a;
	}
	return vec_sum(s + t);
}

struct norm_row
LEVEL(k_norm)(int n, real eps, const real *x, const real *gain, const real *bias, real *y)
{
	struct norm_row s;

	s.mean = sum_row(n, x) / (real)n;
	s.rstd = 1 / ROOT(sum_squares_about(n, x, s.mean) / (real)n + eps);
	for (int i = 0; i < n; i++)
		y[i] = (x[i] - s.mean) * s.rstd * gain[i] + bias[i];
	return s;
}

struct norm_means { real a, b; };

/* The means of g gain and of g gain xhat. */
INLINE struct norm_means
back_means(int n, struct norm_row s, const real *x, const real *gain, const real *g)
{
	vec a = {0}, b = {0}, mean = vec_all(s.mean);
	int i = 0;

	for (; i + LANES <= n; i += LANES) {
		vec u = vec_load(g + i) * vec_load(gain + i);

		a += u;
		b += u * (vec_load(x + i) - mean);
	}
	if (i < n) {
		vec u = vec_load_part(g + i, n - i, 0) * vec_load_part(gain + i, n - i, 0);

		a += u;
		b += u * (vec_load_part(x + i, n - i, 0) - mean);
	}
	return (struct norm_means){ vec_sum(a) / (real)n, vec_sum(b) * s.rstd / (real)n };
}

void
LEVEL(k_norm_back)(int n, struct norm_row s, const real *x, const real *gain, const real *g,
      real beta, real *dx, real *dgain, real *dbias)
{
	struct norm_means m = back_means(n, s, x, gain, g);

	if (dgain)
		for (int i = 0; i < n; i++)
			dgain[i] += g[i] * ((x[i] - s.mean) * s.rstd);
	if (dbias)
		for (int i = 0; i < n; i++)
			dbias[i] += g[i];
	if (!dx)
		return;
	if (beta == 0) {
		for (int i = 0; i < n; i++)
			dx[i] = s.rstd * (g[i] * gain[i] - m.a - (x[i] - s.mean) * s.rstd * m.b);
	} else {
		for (int i = 0; i < n; i++)
			dx[i] = s.rstd * (g[i] * gain[i] - m.a - (x[i] - s.mean) * s.rstd * m.b) +
				beta * dx[i];
	}
}
