/* head-search: see head-search.h. */
#include "analysis/head-search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "base/ranked.h"
#include "model/model-input.h"
#include "search/forced.h"

const char *const head_search_methods[] = {
	"fisher", "fisher-swap", "greedy", "greedy-swap", NULL
};

void
head_search_begin(struct head_search *s, struct model *m, struct tape *t, int kind)
{
	memset(s, 0, sizeof(*s));
	s->m = m;
	s->tape = t;
	s->n_gates = heads_before(m->sites, m->n_sites);
	s->head = xcalloc(s->n_gates + 1, sizeof(*s->head));
	s->masked = xcalloc(s->n_gates + 1, sizeof(*s->masked));
	s->place = xcalloc(s->n_gates + 1, sizeof(*s->place));
	s->n = heads_of_kind(m->sites, m->n_sites, kind, s->head);
	kept_batches_begin(&s->sample, m);
	s->losses.fisher = true;
	head_losses_begin(&s->losses, m);
}

void
head_search_release(struct head_search *s)
{
	kept_batches_release(&s->sample);
	head_losses_release(&s->losses);
	free(s->head);
	free(s->masked);
	free(s->place);
}

int
head_search_add(struct head_search *s, const struct forced *f, struct err *e)
{
	return kept_batches_take(&s->sample, f, (const struct record *const *)f->rec, f->n, e);
}

static int
add_batch(void *arg, struct forced *f, struct batch *b, struct err *e)
{
	(void)b;
	return head_search_add(arg, f, e);
}

int
head_search_read(struct head_search *s, struct runtime *run, const char *path, unsigned flags,
		 int too_long, struct err *e)
{
	struct forced f = { .m = s->m, .run = run, .target = TARGET_REF, .work = add_batch,
			    .audit.too_long = too_long, .arg = s,
			    .masked_effect = "left out of the loss" };
	int r;

	f.in = forced_open(s->m, TARGET_REF, NULL, path, flags, e);
	if (!f.in)
		return -1;
	r = forced_run(&f, e);
	reader_close(f.in);
	return r;
}

/* --- losses --- */

static void
set_gate(struct head_search *s, size_t gate, bool masked)
{
	s->losses.gated.gates[gate] = masked ? 0 : 1;
}

/* An attempt: masks one head, and unmasks another unless it is NONE.  nll: the loss with it. */
struct attempt { size_t mask, unmask; double nll; };
enum { NONE = -1 };

static void
try_on(struct head_search *s, const struct attempt *x, bool undo)
{
	set_gate(s, x->mask, !undo);
	if (x->unmask != (size_t)NONE)
		set_gate(s, x->unmask, undo);
}

/* The losses of all attempts, batch by batch, so that neighbors share the encoder's output. */
static void
try_all(struct head_search *s, struct attempt *x, size_t n)
{
	for (size_t k = 0; k < n; k++)
		x[k].nll = 0;
	for (size_t i = 0; i < s->sample.n; i++) {
		gated_loss_next(&s->losses.gated);
		for (size_t k = 0; k < n; k++) {
			try_on(s, &x[k], false);
			x[k].nll += gated_loss_of(&s->losses.gated, s->tape,
						  &s->sample.batch[i].batch);
			try_on(s, &x[k], true);
		}
		if (s->done)
			s->done(s->arg, s->passes + (int64_t)(n * (i + 1) / s->sample.n));
	}
	s->passes += (int64_t)n;
}

/* The attempt with the lowest loss, the first of equal ones; NULL if no loss is finite. */
static const struct attempt *
best_of(const struct attempt *x, size_t n)
{
	const struct attempt *best = NULL;

	for (size_t k = 0; k < n; k++)
		if (isfinite(x[k].nll) && (!best || x[k].nll < best->nll))
			best = &x[k];
	return best;
}

static void
accept(struct head_search *s, const struct attempt *x)
{
	s->masked[x->mask] = true;
	if (x->unmask != (size_t)NONE)
		s->masked[x->unmask] = false;
	try_on(s, x, false);
	s->nll = x->nll;
}

/* --- greedy and swaps --- */

static int
no_finite_loss(struct err *e)
{
	return err_set(e, EXIT_INPUT, "no loss with a head masked is finite, expected one");
}

static int
greedy(struct head_search *s, size_t n_kept, struct err *e)
{
	struct attempt *x = xcalloc(s->n + 1, sizeof(*x));
	const struct attempt *best = x;

	for (size_t left = s->n; best && left > n_kept; left--) {
		size_t n = 0;

		for (size_t i = 0; i < s->n; i++)
			if (!s->masked[s->head[i]])
				x[n++] = (struct attempt){ s->head[i], (size_t)NONE, 0 };
		try_all(s, x, n);
		best = best_of(x, n);
		if (!best)
			break;
		accept(s, best);
		s->place[best->mask] = s->n - left + 1;
	}
	free(x);
	return best ? 0 : no_finite_loss(e);
}

/* All exchanges of a masked and a retained head; returns their number. */
static size_t
list_swaps(const struct head_search *s, struct attempt *x)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; s->masked[s->head[i]] && j < s->n; j++)
			if (!s->masked[s->head[j]])
				x[n++] = (struct attempt){ s->head[j], s->head[i], 0 };
	return n;
}

static void
head_search_swap(struct head_search *s, size_t n_kept)
{
	struct attempt *x = xcalloc(n_kept * (s->n - n_kept) + 1, sizeof(*x));
	const struct attempt *best;

	do {
		const size_t n = list_swaps(s, x);

		try_all(s, x, n);
		best = best_of(x, n);
		if (best && best->nll < s->nll)
			accept(s, best);
		else
			best = NULL;
	} while (best);
	free(x);
}

/* --- Fisher information --- */

/* Keeps the heads with more information; of equal ones, earlier ones. */
static void
search_mask(struct head_search *s, size_t n_kept)
{
	struct ranked *x = xcalloc(s->n + 1, sizeof(*x));

	for (size_t i = 0; i < s->n; i++)
		x[i] = (struct ranked){ s->losses.head[s->head[i]].fisher, s->head[i] };
	ranked_sort(x, s->n);
	for (size_t i = n_kept; i < s->n; i++)
		s->masked[x[i].at] = true;
	free(x);
}

/* The change of the sum over pairs of masked heads when `mask` replaces `unmask` among them. */
static double
change(const bool *masked, const double *block, int heads, int mask, int unmask)
{
	double sum = block[mask * heads + mask] - block[unmask * heads + unmask];

	for (int h = 0; h < heads; h++)
		if (masked[h] && h != unmask)
			sum += 2 * (block[mask * heads + h] - block[unmask * heads + h]);
	return sum;
}

/* Exchanges the two heads of a layer for which this lowers the sum most; false if none does. */
static bool
exchange(bool *masked, const double *block, int heads)
{
	double trace = 0, lowest;
	int mask = -1, unmask = -1;

	for (int h = 0; h < heads; h++)
		trace += block[h * heads + h];
	lowest = -1e-12 * trace;	/* so that rounding cannot exchange them forever */
	for (int i = 0; i < heads; i++)
		for (int j = 0; masked[i] && j < heads; j++) {
			const double x = masked[j] ? 0 : change(masked, block, heads, j, i);

			if (x < lowest) {
				lowest = x;
				mask = j;
				unmask = i;
			}
		}
	if (mask < 0)
		return false;
	masked[mask] = true;
	masked[unmask] = false;
	return true;
}

static void
rearrange(struct head_search *s)
{
	for (size_t i = 0; i < s->m->n_sites; i++) {
		bool *masked = s->masked + heads_before(s->m->sites, i);

		while (exchange(masked, head_losses_block(&s->losses, i), s->m->sites[i].heads))
			;
	}
}

/* --- the search --- */

/* One pass over the sample: Fisher information, and the loss of the whole model. */
static int
measure(struct head_search *s, struct err *e)
{
	const struct head_losses *l = &s->losses;

	for (size_t i = 0; i < s->sample.n; i++) {
		struct node *nll;

		tape_rewind(s->tape);
		model_loss(s->m, s->tape, &s->sample.batch[i].batch, &nll);
		head_losses_add(&s->losses, s->tape, &s->sample.batch[i].batch, nll);
	}
	tape_rewind(s->tape);
	s->nll = s->whole = l->whole;
	s->tokens = l->tokens;
	if (!l->gradient_sentences)
		return err_set(e, EXIT_INPUT, "no sentence whose target tokens are all possible, "
			       "expected one");
	if (!isfinite(l->whole))
		return err_set(e, EXIT_INPUT, "the loss is %g, expected a finite number",
			       l->whole);
	return 0;
}

/* The loss of the current mask: an attempt to mask a head that is masked. */
static void
measure_mask(struct head_search *s)
{
	struct attempt now = { (size_t)NONE, (size_t)NONE, 0 };

	for (size_t i = 0; i < s->n_gates; i++) {
		set_gate(s, i, s->masked[i]);
		if (s->masked[i])
			now.mask = i;
	}
	if (now.mask == (size_t)NONE)
		return;
	try_all(s, &now, 1);
	s->nll = now.nll;
	set_gate(s, now.mask, true);
}

int
head_search_run(struct head_search *s, enum head_search_method method, int64_t n_kept,
		struct err *e)
{
	if (n_kept > (int64_t)s->n)
		return err_set(e, EXIT_USAGE, "%lld heads to keep, expected at most %zu, the "
			       "number of heads that may be removed", (long long)n_kept, s->n);
	if (measure(s, e))
		return -1;
	if (method == SEARCH_GREEDY || method == SEARCH_GREEDY_SWAP) {
		if (greedy(s, (size_t)n_kept, e))
			return -1;
	} else {
		search_mask(s, (size_t)n_kept);
		rearrange(s);
		measure_mask(s);
	}
	if (method == SEARCH_FISHER_SWAP || method == SEARCH_GREEDY_SWAP)
		head_search_swap(s, (size_t)n_kept);
	return 0;
}
