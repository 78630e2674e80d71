/* profile: training time by operation; see profile.h. */
#include "tape/profile.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "base/pool.h"
#include "tape/op.h"
#include "tensor/peak.h"
#include "tensor/product.h"

struct row {
	const char *name, *pass;
	double seconds, products, flops;
	double idle;			/* seconds of threads */
	long calls;
};

/* The clocks and counters at a moment. */
struct reading { double now, products, flops; struct pool_times pool; long page_faults; };

struct profile {
	struct tape *tape;
	struct backend *backend;
	struct pool *pool;
	struct product_meter meter;
	struct row *row;		/* [n]: PROFILE_PARTS parts, then each op forward and
					 * backward */
	const struct op *const *ops;	/* NULL at the end */
	size_t n, now;			/* now: the row that is being measured */
	enum profile_part part;
	bool on;
	struct reading first, last;
	long steps;
};

static size_t
profile_row_of(const struct profile *p, const struct op *op, enum tape_phase phase)
{
	size_t i = 0;

	while (p->ops[i] != op)
		i++;
	return PROFILE_PARTS + 2 * i + (phase != TAPE_FORWARD);
}

static struct reading
read_clocks(const struct profile *p)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (struct reading){ p->meter.clock(), p->meter.seconds, p->meter.flops,
				 pool_times(p->pool), use.ru_minflt };
}

/* The idle time of all threads.  Outside of the pool's loops one thread works. */
static double
idle_between(const struct profile *p, const struct reading *a, const struct reading *b)
{
	double time = b->now - a->now, shared = b->pool.seconds - a->pool.seconds;

	return pool_threads(p->pool) * time - (b->pool.worked - a->pool.worked) - (time - shared);
}

/* Adds the time since the last reading to the current row, and makes another row current. */
static void
switch_to(struct profile *p, size_t row)
{
	struct reading r = read_clocks(p);
	struct row *w = &p->row[p->now];

	w->seconds += r.now - p->last.now;
	w->products += r.products - p->last.products;
	w->flops += r.flops - p->last.flops;
	if (pool_threads(p->pool) > 1)
		w->idle += idle_between(p, &p->last, &r);
	p->last = r;
	p->now = row;
}

static void
observe(void *arg, const struct node *n, enum tape_phase phase, bool done)
{
	struct profile *p = arg;

	if (!p->on || p->part != PROFILE_STEP)
		return;
	switch_to(p, done ? PROFILE_STEP : profile_row_of(p, n->op, phase));
	if (!done)
		p->row[p->now].calls++;
}

static void
name_rows(struct profile *p)
{
	static const char *const parts[] = { "(between)", "(data)", "(optimizer)", "(validation)",
					     "(files)", "(ranks)" };

	for (size_t i = 0; i < PROFILE_PARTS; i++)
		p->row[i].name = parts[i], p->row[i].pass = "";
	for (size_t i = PROFILE_PARTS; i < p->n; i++) {
		p->row[i].name = p->ops[(i - PROFILE_PARTS) / 2]->name;
		p->row[i].pass = (i - PROFILE_PARTS) % 2 ? "backward" : "forward";
	}
}

void
profile_watch(struct profile *p, struct tape *t)
{
	if (p)
		tape_watch_with(t, observe, p);
}

struct profile *
profile_new(struct tape *t, struct backend *b, const struct op *const *ops, double (*clock)(void))
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->tape = t;
	p->ops = ops;
	p->backend = b;
	p->pool = tape_pass(t)->pool;
	p->meter.clock = clock;
	for (p->n = 0; ops[p->n]; p->n++)
		;
	p->n = PROFILE_PARTS + 2 * p->n;
	p->row = xcalloc(p->n, sizeof(*p->row));
	name_rows(p);
	b->meter = &p->meter;
	pool_measure(p->pool, clock);
	profile_watch(p, t);
	return p;
}

void
profile_free(struct profile *p)
{
	if (!p)
		return;
	p->backend->meter = NULL;
	pool_measure(p->pool, NULL);
	tape_watch_with(p->tape, NULL, NULL);
	free(p->row);
	free(p);
}

void
profile_start(struct profile *p)
{
	if (!p || p->on)
		return;
	p->on = true;
	p->first = p->last = read_clocks(p);
}

enum profile_part
profile_part(struct profile *p, enum profile_part part)
{
	enum profile_part before = p ? p->part : PROFILE_STEP;

	if (p && p->on && part != before) {
		switch_to(p, part);
		p->part = part;
	}
	return before;
}

void
profile_step(struct profile *p)
{
	if (p && p->on)
		p->steps++;
}

static int
longest_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

struct table { FILE *to; double steps, seconds, peak; int threads; };

static void
profile_print_row(const struct table *t, const struct row *r)
{
	fprintf(t->to, "%-16s %-8s %7.1f %9.2f %6.1f %9.2f %6.1f", r->name, r->pass,
		(double)r->calls / t->steps, 1e3 * r->seconds / t->steps,
		100 * r->seconds / t->seconds,
		1e3 * (r->seconds - r->products) / t->steps,
		r->seconds > 0 ? 100 * r->idle / (t->threads * r->seconds) : 0);
	if (r->flops > 0 && r->products > 0)
		fprintf(t->to, " %8.0f %6.1f", 1e-9 * r->flops / r->products,
			100 * r->flops / r->products / t->peak);
	fputc('\n', t->to);
}

static struct row
total_of(const struct profile *p)
{
	struct row all = { .name = "total", .pass = "" };

	for (size_t i = 0; i < p->n; i++) {
		all.seconds += p->row[i].seconds;
		all.products += p->row[i].products;
		all.flops += p->row[i].flops;
		all.idle += p->row[i].idle;
		all.calls += p->row[i].calls;
	}
	return all;
}

static void
profile_print_summary(const struct profile *p, const struct table *t, const struct row *all)
{
	double products = 1e3 * all->products / t->steps;
	double rest = 1e3 * all->seconds / t->steps - products;

	fprintf(t->to, "in matrix products %.2f ms (%.1f %%), outside %.2f ms (%.1f %%)\n",
		products, 100 * all->products / all->seconds, rest,
		100 - 100 * all->products / all->seconds);
	fprintf(t->to,
		"%ld steps, %d threads, peak %.0f GFLOP/s; %.0f parallel loops and %.0f page "
		"faults per step\n", p->steps, t->threads, 1e-9 * t->peak,
		(double)(p->last.pool.loops - p->first.pool.loops) / t->steps,
		(double)(p->last.page_faults - p->first.page_faults) / t->steps);
}

static void
print_table(const struct profile *p, const struct table *t, const struct row *all)
{
	struct row *sorted = xcalloc(p->n, sizeof(*sorted));

	memcpy(sorted, p->row, p->n * sizeof(*sorted));
	qsort(sorted, p->n, sizeof(*sorted), longest_first);
	fprintf(t->to, "%-16s %-8s %7s %9s %6s %9s %6s %8s %6s\n", "op", "pass", "calls", "ms", "%",
		"outside", "idle", "GFLOP/s", "peak");
	for (size_t i = 0; i < p->n && sorted[i].seconds > 0; i++)
		profile_print_row(t, &sorted[i]);
	profile_print_row(t, all);
	profile_print_summary(p, t, all);
	free(sorted);
}

void
profile_print(struct profile *p, FILE *file)
{
	struct row all;
	struct table t;

	if (!p || !p->on || !p->steps) {
		fputs("profile: no step was measured\n", file);
		return;
	}
	switch_to(p, p->now);
	p->on = false;
	all = total_of(p);
	t = (struct table){
		.to = file, .steps = (double)p->steps, .seconds = all.seconds,
		.peak = peak_flops(p->pool, p->backend->caps, p->meter.clock),
		.threads = pool_threads(p->pool),
	};
	print_table(p, &t, &all);
}
