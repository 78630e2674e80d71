/* sync: the loss that compares dependencies of both sides, against its equations. */
#include "syntax-case.h"

#include "data/means.h"

enum { SENTENCES = 2, LONGEST = 6 };
static const char *const text[SENTENCES] = { "abcde|klm", "fg|nopqr" };

struct settings {
	const char *spec;
	double weight;
	const char *cross;		/* the site of C */
	int head;			/* of C, or -1: the mean of both */
	bool renorm;
	double temperature;
	enum { TOKEN, SENTENCE, CELL } norm;
};

static const struct settings tries[] = {
	{ "sync:weight=0.25", 0.25, "dec.1.cross", -1, false, 1, TOKEN },
	{ "sync:map=renorm,norm=cell,head=1,layer=2,stop=dec", 0.5, "dec.2.cross", 0, true, 1,
	  CELL },
	{ "sync:map=renorm,stop=mapped", 0.5, "dec.1.cross", -1, true, 1, TOKEN },
	{ "sync:weight=10,temperature=0.3,head=2,norm=sentence,stop=mapped", 10, "dec.1.cross", 1,
	  false, 0.3, SENTENCE },
	{ "sync:weight=10,temperature=3,stop=dec", 10, "dec.1.cross", -1, false, 3, TOKEN },
};

/* The weights of the three modules in a sentence with I source rows and J target rows. */
struct modules {
	int I, J;
	double E[LONGEST][LONGEST], C[LONGEST][LONGEST], D[LONGEST][LONGEST];
};

static void
take(struct run *r, const struct settings *s, struct modules to[SENTENCES])
{
	forward(r);
	for (int k = 0; k < SENTENCES; k++) {
		struct modules *m = &to[k];
		const int I = m->I = r->s.b.src.layout.len[k], J = m->J = r->s.b.tgt.layout.len[k];
		const real *e = weights_of(r, "enc.1.self", k), *d = weights_of(r, "dec.1.self", k);
		const real *c = weights_of(r, s->cross, k);

		for (int i = 0; i < I; i++)
			for (int j = 0; j < I; j++)
				m->E[i][j] = e[i * I + j];
		for (int t = 0; t < J; t++)
			for (int q = 0; q < J; q++)
				m->D[t][q] = d[t * J + q];
		for (int t = 0; t < J; t++)
			for (int i = 0; i < I; i++)
				m->C[t][i] = s->head < 0
					? (c[t * I + i] + c[(J + t) * I + i]) / 2
					: c[(s->head * J + t) * I + i];
	}
}

/* M = C E C', D'_t = weights of M_t up to t; the sum of (D' - D)^2. */
static double
distance(const struct modules *m, const struct settings *s)
{
	double sum = 0;

	for (int t = 0; t < m->J; t++) {
		double row[LONGEST] = { 0 }, all = 0;

		for (int q = 0; q <= t; q++) {
			for (int i = 0; i < m->I; i++)
				for (int j = 0; j < m->I; j++)
					row[q] += m->C[t][i] * m->E[i][j] * m->C[q][j];
			row[q] = s->renorm ? row[q] : exp(row[q] / s->temperature);
			all += row[q];
		}
		for (int q = 0; q <= t; q++)
			sum += pow(row[q] / all - m->D[t][q], 2);
	}
	return sum;
}

static double
synchrony(const struct modules m[SENTENCES], const struct settings *s)
{
	double sum = 0, tokens = 0, cells = 0;

	for (int k = 0; k < SENTENCES; k++) {
		sum += distance(&m[k], s);
		tokens += m[k].J;
		for (int t = 0; t < m[k].J; t++)
			cells += t + 1;
	}
	return sum / (s->norm == TOKEN ? tokens : s->norm == SENTENCE ? SENTENCES : cells);
}

/* The model with this loss, and the same one without it. */
static void
start_both(struct run *r, struct run *base, const struct settings *s)
{
	const char *spec[] = { "dbsa:src_weight=0,tgt_weight=0", s->spec };
	const char *without[] = { spec[0], "sync:weight=0" };

	start_batch(r, spec, 2, true, text, SENTENCES);
	start_batch(base, without, 2, true, text, SENTENCES);
}

/* The loss is added to the sum of the losses of all target tokens. */
static void
synchrony_follows_the_equations(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		const struct settings *s = &tries[i];
		struct modules m[SENTENCES];
		struct means y = { 0 };
		struct run r, base;
		double want;

		start_both(&r, &base, s);
		take(&r, s, m);
		want = synchrony(m, s);
		attention_set_report(r.m->attention, r.run.tape, &r.s.b, &y);
		if (off_by(r.loss - base.loss, (m[0].J + m[1].J) * s->weight * want, 1) > 1e-12)
			fail_msg("%s: loss %.15g", s->spec, r.loss - base.loss);
		assert_true(off_by(means_get(&y, "dev.synchrony"), want, 1) < 1e-12);
		means_release(&y);
		stop(&r);
		stop(&base);
	}
}

/* --- gradients --- */

/*
 * The loss after a step of a parameter, with the weights of `fixed' in place of those that receive
 * no gradient.
 */
static double
stepped(struct run *r, const struct settings *s, real *x, double step,
	const struct modules fixed[SENTENCES])
{
	const bool mapped = strstr(s->spec, "stop=mapped"), dec = strstr(s->spec, "stop=dec");
	const real old = *x;
	struct modules m[SENTENCES];

	*x = old + step;
	take(r, s, m);
	*x = old;
	for (int k = 0; k < SENTENCES; k++) {
		if (mapped) {
			memcpy(m[k].E, fixed[k].E, sizeof(m[k].E));
			memcpy(m[k].C, fixed[k].C, sizeof(m[k].C));
		}
		if (dec)
			memcpy(m[k].D, fixed[k].D, sizeof(m[k].D));
	}
	return synchrony(m, s);
}

/* The gradient of this loss is a difference of gradients. */
static void
check_gradient(struct run *r, struct run *base, const struct settings *s, const char *name)
{
	struct param *p = params_find(&r->m->params, name);
	const struct param *without = params_find(&base->m->params, name);
	const double step = 1e-5;
	struct modules m[SENTENCES];

	take(r, s, m);
	for (size_t i = 0; i < p->n; i++) {
		const double found = p->grad[i] - without->grad[i];
		const double up = stepped(r, s, &p->x[i], step, m);
		const double down = stepped(r, s, &p->x[i], -step, m);
		const double want = s->weight * (m[0].J + m[1].J) * (up - down) / (2 * step);

		if (off_by(found, want, 1e-2) > 1e-6)
			fail_msg("%s, %s[%zu]: gradient %.12g, difference %.12g", s->spec, name, i,
				 found, want);
	}
}

/* The parameters change E or D and, in later layers, C. */
static void
gradients_are_blocked(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		struct run r, base;

		start_both(&r, &base, &tries[i]);
		check_gradient(&r, &base, &tries[i], "enc.1.self.dbsa.1.weight");
		check_gradient(&r, &base, &tries[i], "dec.1.self.dbsa.1.weight");
		stop(&r);
		stop(&base);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(synchrony_follows_the_equations),
		cmocka_unit_test(gradients_are_blocked),
	};

	return cmocka_run_group_tests_name("synchronous attention", tests, NULL, NULL);
}
