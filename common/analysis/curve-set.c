/* curve-set: reads pruning curves and computes areas and differences; see curve-set.h. */
#include "analysis/curve-set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strmap.h"
#include "scores/holm.h"
#include "scores/median.h"
#include "scores/moments.h"
#include "scores/student.h"
#include "stream/signature.h"

const char *const curve_scores[] = { "nll", "bleu", "drop" };

void
curve_set_release(struct curve_set *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct curve_model *m = &s->model[i];

		for (size_t k = 0; k < m->n; k++) {
			free(m->curve[k].order);
			free(m->curve[k].y);
		}
		free(m->curve);
		free(m->name);
	}
	free(s->model);
	free(s->retained);
	free(s->site);
	free(s->signature);
}

/* --- reading --- */

static int
curve_text_of(const struct record *rec, const char *field, struct str *s, struct err *e)
{
	if (record_str(rec, field, s))
		return err_set(e, EXIT_INPUT, "no %s, expected text", field);
	for (size_t i = 0; i < s->n; i++)
		if ((unsigned char)s->s[i] < ' ' || s->s[i] == 0x7f)
			return err_set(e, EXIT_INPUT, "%s has control characters, expected none",
				       field);
	return 0;
}

static int
curve_number_of(const struct record *rec, const char *field, int64_t *x, struct err *e)
{
	if (record_int(rec, field, x))
		return err_set(e, EXIT_INPUT, "no %s, expected an integer", field);
	if (*x < 0 || *x > 1000000)
		return err_set(e, EXIT_INPUT, "%s is %lld, expected 0 to 1000000", field,
			       (long long)*x);
	return 0;
}

/* What the points of a curve count. */
static const char *
curve_unit_of(int64_t heads)
{
	return heads ? "heads" : "% of the tokens";
}

static int
check_place(struct curve_set *s, const struct record *rec, struct err *e)
{
	struct str site;
	int64_t heads;

	if (curve_text_of(rec, "site", &site, e))
		return -1;
	if (record_has(rec, "drop"))
		heads = 0;
	else if (curve_number_of(rec, "heads", &heads, e))
		return -1;
	if (!s->site) {
		s->site = xstrndup(site.s, site.n);
		s->heads = heads;
	}
	if (strlen(s->site) == site.n && !memcmp(s->site, site.s, site.n) && s->heads == heads)
		return 0;
	if (!heads || !s->heads)
		return err_set(e, EXIT_INPUT, "%s of %.*s, expected %s of %s as before",
			       curve_unit_of(heads), (int)(site.n < 60 ? site.n : 60), site.s,
			       curve_unit_of(s->heads), s->site);
	return err_set(e, EXIT_INPUT, "%lld heads of %.*s, expected %lld of %s as before",
		       (long long)heads, (int)(site.n < 60 ? site.n : 60), site.s,
		       (long long)s->heads, s->site);
}

struct curve *
curve_find(const struct curve_model *m, const char *order, size_t n)
{
	for (size_t i = 0; i < m->n; i++)
		if (strlen(m->curve[i].order) == n && !memcmp(m->curve[i].order, order, n))
			return &m->curve[i];
	return NULL;
}

static struct curve *
curve_of(struct curve_model *m, struct str order)
{
	struct curve *c = curve_find(m, order.s, order.n);

	if (c)
		return c;
	m->curve = mem_grow(m->curve, &m->room, m->n + 1, sizeof(*m->curve));
	m->curve[m->n] = (struct curve){ .order = xstrndup(order.s, order.n) };
	return &m->curve[m->n++];
}

/* The first curve of the first model defines the points; all others must have the same. */
static int
check_point(struct curve_set *s, const struct curve *c, int64_t retained, struct err *e)
{
	const bool first = c == s->model[0].curve;

	if (first && c->n && retained >= s->retained[c->n - 1])
		return err_set(e, EXIT_INPUT, "%s: %lld %s retained after %lld, expected fewer",
			       c->order, (long long)retained, curve_unit_of(s->heads),
			       (long long)s->retained[c->n - 1]);
	if (first) {
		s->retained = mem_grow(s->retained, &s->point_room, c->n + 1, sizeof(*s->retained));
		s->retained[s->n_points++] = retained;
		return 0;
	}
	if (c->n >= s->n_points)
		return err_set(e, EXIT_INPUT, "%s: more points than other curves, expected %zu",
			       c->order, s->n_points);
	if (s->retained[c->n] != retained)
		return err_set(e, EXIT_INPUT, "%s: %lld %s retained, expected %lld as in other "
			       "curves", c->order, (long long)retained, curve_unit_of(s->heads),
			       (long long)s->retained[c->n]);
	return 0;
}

/* The loss, or the drop, must be present and finite; BLEU may be missing. */
static int
add_point(struct curve *c, const struct record *rec, bool tokens, struct err *e)
{
	const int needed = tokens ? CURVE_DROP : CURVE_NLL;
	double *x;

	c->y = mem_grow(c->y, &c->room, c->n + 1, sizeof(*c->y));
	x = c->y[c->n++];
	for (int y = 0; y < CURVE_SCORES; y++)
		if (record_float(rec, curve_scores[y], &x[y]) || !isfinite(x[y]))
			x[y] = NAN;
	if (isnan(x[needed]))
		return err_set(e, EXIT_INPUT, "%s: no %s, expected a finite number", c->order,
			       curve_scores[needed]);
	if (x[CURVE_NLL] < 0)
		return err_set(e, EXIT_INPUT, "%s: nll is %g, expected no negative loss", c->order,
			       x[CURVE_NLL]);
	return 0;
}

static int
curve_take(struct curve_set *s, const struct record *rec, struct err *e)
{
	struct curve *c;
	struct str order;
	int64_t retained;

	if (check_place(s, rec, e) || curve_text_of(rec, "order", &order, e) ||
	    curve_number_of(rec, "retained", &retained, e))
		return -1;
	c = curve_of(&s->model[s->n - 1], order);
	if (check_point(s, c, retained, e))
		return -1;
	return add_point(c, rec, !s->heads, e);
}

static bool
same_curve(const struct curve *a, const struct curve *b)
{
	for (size_t i = 0; i < a->n; i++)
		for (int y = 0; y < CURVE_SCORES; y++)
			if (a->y[i][y] != b->y[i][y] && !(isnan(a->y[i][y]) && isnan(b->y[i][y])))
				return false;
	return true;
}

/*
 * A model given twice would count as two, with an interval of width 0.  Its files may differ in
 * their orders, such as random ones of another seed.
 */
static int
curve_check_distinct(const struct curve_set *s, const struct curve_model *m, struct err *e)
{
	for (const struct curve_model *other = s->model; other < m; other++) {
		size_t common = 0, same = 0;

		for (size_t i = 0; i < m->n; i++) {
			const char *order = m->curve[i].order;
			const struct curve *c = curve_find(other, order, strlen(order));

			common += c != NULL;
			same += c && same_curve(c, &m->curve[i]);
		}
		if (same && same == common)
			return err_set(e, EXIT_INPUT, "%s has the curves of %s, expected those of "
				       "another model", m->name, other->name);
	}
	return 0;
}

static int
curve_check_model(const struct curve_set *s, struct err *e)
{
	const struct curve_model *m = &s->model[s->n - 1];

	if (!m->n)
		return err_set(e, EXIT_INPUT, "%s has no curves, expected at least one", m->name);
	if (s->n_points < 2)
		return err_set(e, EXIT_INPUT, "%s: a curve of one point, expected two or more",
			       m->name);
	for (size_t i = 0; i < m->n; i++)
		if (m->curve[i].n != s->n_points)
			return err_set(e, EXIT_INPUT, "%s: %s has %zu points, expected %zu as "
				       "other curves", m->name, m->curve[i].order, m->curve[i].n,
				       s->n_points);
	return curve_check_distinct(s, m, e);
}

int
curve_set_read(struct curve_set *s, struct reader *reader, struct err *e)
{
	struct record *rec;
	int more;

	s->model = mem_grow(s->model, &s->room, s->n + 1, sizeof(*s->model));
	s->model[s->n++] = (struct curve_model){ .name = xstrdup(reader_name(reader)) };
	signature_take(&s->signature, header_meta(reader_header(reader), HEADER_SIGNATURE),
		       reader_name(reader));
	while ((more = reader_next(reader, &rec, e)) > 0)
		if (curve_take(s, rec, e))
			return err_wrap(e, "%s", reader_where(reader));
	return more < 0 ? -1 : curve_check_model(s, e);
}

/* --- areas and bands --- */

bool
curve_is_random(const char *order)
{
	return !strncmp(order, "random.", 7);
}

/* The mean of min(y, limit) along a straight line from y = a to y = b. */
static double
curve_mean_height(double a, double b, double limit)
{
	const double low = a < b ? a : b, high = a < b ? b : a;
	const double below = high > low ? (limit - low) / (high - low) : 1;

	if (isnan(a) || isnan(b) || high <= limit)
		return (a + b) / 2;
	if (low >= limit)
		return limit;
	return below * (low + limit) / 2 + (1 - below) * limit;
}

double
curve_area(const struct curve_set *s, const struct curve *c, enum curve_score score)
{
	const bool above = score == CURVE_NLL && s->limit > 0;
	const double whole = above ? c->y[0][score] : 0, limit = above ? s->limit : INFINITY;
	double sum = 0;

	for (size_t i = 1; i < s->n_points; i++)
		sum += (double)(s->retained[i - 1] - s->retained[i]) *
		       curve_mean_height(c->y[i - 1][score] - whole, c->y[i][score] - whole, limit);
	return sum / (double)(s->retained[0] - s->retained[s->n_points - 1]);
}

static bool
has_score(const struct curve_set *s, size_t model, enum curve_score score)
{
	const struct curve_model *m = &s->model[model];

	for (size_t i = 0; i < m->n; i++)
		if (!isnan(curve_area(s, &m->curve[i], score)))
			return true;
	return false;
}

bool
curve_set_has(const struct curve_set *s, enum curve_score score)
{
	for (size_t i = 0; i < s->n; i++)
		if (has_score(s, i, score))
			return true;
	return false;
}

/* Computes the statistics of x[0..n), which it sorts. */
static struct curve_band
band_of(double *x, size_t n)
{
	if (!n)
		return (struct curve_band){ 0, NAN, NAN, NAN, NAN };
	sort_ascending(x, n);
	return (struct curve_band){ n, moments_of(x, n).mean, x[0], x[n - 1], median(x, n) };
}

/* Statistics at a point, or of the areas if point is n_points. */
struct curve_band
curve_band_at(const struct curve_set *s, size_t model, enum curve_score score, size_t point)
{
	const struct curve_model *m = &s->model[model];
	double *x = xcalloc(m->n + 1, sizeof(*x));
	struct curve_band b;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct curve *c = &m->curve[i];

		x[n] = point < s->n_points ? c->y[point][score] : curve_area(s, c, score);
		n += curve_is_random(c->order) && !isnan(x[n]);
	}
	b = band_of(x, n);
	free(x);
	return b;
}

struct curve_band
curve_band_of_areas(const struct curve_set *s, size_t model, enum curve_score score)
{
	return curve_band_at(s, model, score, s->n_points);
}

/* --- results --- */

int
curve_set_check(const struct curve_set *s, struct err *e)
{
	for (int y = 0; y < CURVE_SCORES; y++) {
		const char *with = NULL, *without = NULL;

		for (size_t i = 0; i < s->n; i++)
			if (curve_band_of_areas(s, i, (enum curve_score)y).n)
				with = s->model[i].name;
			else if (has_score(s, i, (enum curve_score)y))
				without = s->model[i].name;
		if (with && without)
			return err_set(e, EXIT_INPUT, "%s: no %s of random orders, expected it as "
				       "in %s", without, curve_scores[y], with);
	}
	return 0;
}

const char **
curve_orders(const struct curve_set *s, size_t *n)
{
	const char **list = NULL;
	struct strmap listed = { 0 };
	size_t room = 0;

	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->model[i].n; k++) {
			const char *order = s->model[i].curve[k].order;

			if (curve_is_random(order) ||
			    (size_t)strmap_add(&listed, order, strlen(order)) < *n)
				continue;
			list = mem_grow(list, &room, *n + 1, sizeof(*list));
			list[(*n)++] = order;
		}
	strmap_release(&listed);
	return list;
}

/* Sets the mean, the interval and p of n differences. */
static void
set_difference(struct curve_result *r, const double *x, size_t n)
{
	const struct moments m = n ? moments_of(x, n) : (struct moments){ NAN, NAN };
	const double error = n < 2 ? NAN : m.deviation / sqrt((double)n);
	const double half = n < 2 ? NAN : student_point(0.025, (double)n - 1) * error;

	r->difference = m.mean;
	r->low = m.mean - half;
	r->high = m.mean + half;
	r->p = n < 2 ? NAN : m.mean == 0 ? 1 :
	       2 * student_above(fabs(m.mean) / error, (double)n - 1);
}

static struct curve_result
result_of(const struct curve_set *s, const char *order, enum curve_score score)
{
	struct curve_result r = { .order = order };
	double *area = xcalloc(s->n + 1, sizeof(*area)), *x = xcalloc(s->n + 1, sizeof(*x));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct curve *c = curve_find(&s->model[i], order, strlen(order));
		const struct curve_band b = curve_band_of_areas(s, i, score);
		const double a = c ? curve_area(s, c, score) : NAN;

		if (isnan(a))
			continue;
		area[r.models++] = a;
		if (!b.n)
			continue;
		x[n++] = a - b.mean;
		r.better += score == CURVE_NLL ? a < b.low : a > b.high;
		r.worse += score == CURVE_NLL ? a > b.high : a < b.low;
	}
	r.area = r.models ? moments_of(area, r.models).mean : NAN;
	set_difference(&r, x, n);
	free(area);
	free(x);
	return r;
}

static void
curve_adjust(struct curve_result *r, size_t n)
{
	double *p = xcalloc(n + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i] = r[i].p;
	holm_adjust(p, n, p, NULL);
	for (size_t i = 0; i < n; i++)
		r[i].adjusted = p[i];
	free(p);
}

struct curve_result *
curve_results(const struct curve_set *s, enum curve_score score, size_t *n)
{
	size_t orders;
	const char **order = curve_orders(s, &orders);
	struct curve_result *r = xcalloc(orders + 1, sizeof(*r));

	*n = 0;
	for (size_t i = 0; i < orders; i++) {
		r[*n] = result_of(s, order[i], score);
		*n += r[*n].models > 0;
	}
	curve_adjust(r, *n);
	free(order);
	return r;
}

int
curve_result_verdict(const struct curve_result *r, enum curve_score score)
{
	const int lower = score == CURVE_NLL ? 1 : -1;

	if (isnan(r->adjusted) || r->adjusted >= 0.05)
		return 0;
	if (r->better == r->models)
		return r->difference * lower < 0;
	return r->worse == r->models && r->difference * lower > 0 ? -1 : 0;
}
