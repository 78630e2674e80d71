/*
 * attention: finds variants by name, opens each spec at every site, and runs the hooks; see
 * attention.h.  The Makefile writes attention-list.inc from the names of the files in this folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "data/batch.h"
#include "ops/ops.h"
#include "stream/stream.h"
#include "tape/params.h"

#define V(name) extern const struct attention_variant attention_##name;
#include "attention-list.inc"
#undef V

#define V(name) &attention_##name,
const struct attention_variant *const attention_variants[] = {
#include "attention-list.inc"
	NULL
};
#undef V

struct attention {
	const struct attention_variant *variant;
	const struct attention_set *set;
	size_t member, at;		/* indices of its spec and its site in the set */
	const struct site *site;
	void *state;			/* state_size bytes */
	bool here, opened;		/* here: the variant is active at this site */
};

/* One spec: its variant at every site. */
struct member {
	const struct attention_variant *variant;
	struct attention *at;		/* [n_sites] */
};

struct attention_set {
	struct member *member;
	size_t n, n_sites;
	struct field *needs, *training_needs;
	const struct attention **output;	/* [n_sites] the variant that replaces the output
						 * projection, or NULL */
};

void *
attention_state(const struct attention *a)
{
	return a->state;
}

const struct site *
attention_site(const struct attention *a)
{
	return a->site;
}

struct cut
site_cut(const struct site *s, int axis, int parts)
{
	return (struct cut){ .axis = axis, .parts = parts, .of = s->all_heads, .n = s->heads,
			     .block = s->head };
}

int
attention_in_encoder(const struct site *s, int64_t first, int64_t last, struct err *e)
{
	if (s->where != ENCODER_SELF)
		return 1;
	if (last == 0)
		last = s->n_layers;
	if (first < 1 || first > last || last > s->n_layers)
		return err_set(e, EXIT_USAGE, "layers %lld to %lld, expected them from 1 to %d",
			       (long long)first, (long long)last, s->n_layers);
	return s->layer < first || s->layer > last;
}

/* The last spec before number *i that is active at a's site, or NULL; *i becomes its number. */
static const struct attention *
one_before(const struct attention *a, size_t *i)
{
	while ((*i)-- > 0) {
		const struct attention *b = &a->set->member[*i].at[a->at];

		if (b->here)
			return b;
	}
	return NULL;
}

const struct attention *
attention_before(const struct attention *a, const char *name)
{
	const struct attention *b;

	for (size_t i = a->member; (b = one_before(a, &i));)
		if (!strcmp(b->variant->name, name))
			return b;
	return NULL;
}

const struct attention *
attention_anywhere_before(const struct attention *a, const char *name, enum site_where where)
{
	for (size_t i = a->member; i-- > 0;) {
		const struct member *m = &a->set->member[i];

		for (size_t j = 0; j < a->set->n_sites && !strcmp(m->variant->name, name); j++)
			if (m->at[j].here && m->at[j].site->where == where)
				return &m->at[j];
	}
	return NULL;
}

const struct attention *
attention_leader(const struct attention *a)
{
	const struct attention *at = a->set->member[a->member].at;

	while (!at->here)
		at++;
	return at;
}

size_t
attention_n_sites(const struct attention *a)
{
	const struct attention *at = a->set->member[a->member].at;
	size_t n = 0;

	for (size_t i = 0; i < a->set->n_sites; i++)
		n += at[i].here;
	return n;
}

const struct site *
attention_sites(const struct attention *a, size_t *n)
{
	*n = a->set->n_sites;
	return a->site - a->at;
}

struct node *
attention_weights(const struct attention *a, const struct tape *t)
{
	return tape_find(t, a->site->name);
}

extern const struct op ops_softmax;

struct node *
attention_scores(const struct attention *a, const struct tape *t)
{
	struct node *n = attention_weights(a, t);

	while (n->op != &ops_softmax)
		n = n->in[0];
	return n->in[0];
}

bool
attention_biased(const struct attention *a)
{
	const struct attention *b;

	for (size_t i = a->member; (b = one_before(a, &i));)
		if (b->variant->scores)
			return true;
	return false;
}

static const struct attention_variant *
find_in(const struct attention_variant *const *list, const char *name)
{
	for (; *list; list++)
		if (!strcmp((*list)->name, name))
			return *list;
	return NULL;
}

const struct attention_variant *
attention_find(const char *name)
{
	const struct attention_variant *v = find_in(attention_variants, name);

	return v || !attention_extra ? v : find_in(attention_extra, name);
}

static void
close_member(struct member *m, size_t n_sites)
{
	for (size_t i = 0; m->at && i < n_sites; i++) {
		if (m->at[i].opened && m->variant->close)
			m->variant->close(&m->at[i]);
		if (m->at[i].state && m->variant->options)
			cli_settings_release(m->variant->options, m->at[i].state);
		free(m->at[i].state);
	}
	free(m->at);
}

/* Opens a variant at one site.  The same variant twice at a site is an error. */
static int
open_at(struct attention *a, const struct attention_variant *v, const char *settings, struct err *e)
{
	int r;

	a->variant = v;
	a->state = xcalloc(1, v->state_size ? v->state_size : 1);
	if (v->defaults)
		memcpy(a->state, v->defaults, v->state_size);
	if (*settings) {
		if (!v->options) {
			err_set(e, EXIT_USAGE, "'%s', expected no settings", settings);
			return err_unknown(e);
		}
		if (cli_settings(v->options, a->state, settings, e))
			return -1;
	}
	r = v->open ? v->open(a, a->site, e) : 0;
	a->opened = r >= 0;
	a->here = r == 0 && a->site->heads > 0;
	if (a->here && attention_before(a, v->name))
		return err_set(e, EXIT_USAGE, "variant given twice");
	return r < 0 ? -1 : 0;
}

/* Opens one spec at every site.  After an error, too, close_member() closes what was opened. */
static int
open_member(struct attention_set *s, size_t number, const char *spec, const struct site *sites,
	    struct err *e)
{
	const size_t n = strcspn(spec, ":");
	struct member *m = &s->member[number];
	char *name = xstrndup(spec, n);

	m->variant = attention_find(name);
	free(name);
	if (!m->variant) {
		err_set(e, EXIT_USAGE, "unknown attention variant '%.*s'", (int)n, spec);
		err_hint(e, "-a help lists the variants");
		return err_unknown(e);
	}
	m->at = xcalloc(s->n_sites ? s->n_sites : 1, sizeof(*m->at));
	for (size_t i = 0; i < s->n_sites; i++) {
		struct attention *a = &m->at[i];

		a->set = s;
		a->member = number;
		a->at = i;
		a->site = &sites[i];
		if (open_at(a, m->variant, spec + n + (spec[n] == ':'), e))
			return err_wrap(e, "attention %s at %s", m->variant->name, sites[i].name);
	}
	return 0;
}

/* At most one variant may replace the output projection of a site. */
static int
find_owners(struct attention_set *s, struct err *e)
{
	s->output = xcalloc(s->n_sites ? s->n_sites : 1, sizeof(*s->output));
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n_sites; j++) {
			const struct attention *a = &s->member[i].at[j];

			if (!a->here || !a->variant->owns_output || !a->variant->owns_output(a))
				continue;
			if (s->output[j])
				return err_set(e, EXIT_USAGE,
					       "attention %s and %s both replace the output "
					       "projection of %s",
					       s->output[j]->variant->name, a->variant->name,
					       a->site->name);
			s->output[j] = a;
		}
	return 0;
}

/* Adds f to a list of needs unless it is in the list; its type must then be the same. */
static int
add_need(struct field **list, const struct field *f, struct err *e)
{
	struct field *have = *list;
	size_t n = 0;

	for (; have[n].name; n++) {
		if (strcmp(have[n].name, f->name))
			continue;
		if (strcmp(have[n].type, f->type))
			return err_set(e, EXIT_USAGE,
				       "one attention variant needs %s as %s, another as %s",
				       f->name, have[n].type, f->type);
		have[n].optional &= f->optional;
		return 0;
	}
	*list = xreallocarray(have, n + 2, sizeof(*have));
	(*list)[n] = *f;
	memset(&(*list)[n + 1], 0, sizeof(*have));
	return 0;
}

/* Adds the fields that one variant needs, and those that it needs in training. */
static int
add_needs_of(struct attention_set *s, const struct member *m, struct err *e)
{
	for (const struct field *f = m->variant->needs; f && f->name; f++)
		if (add_need(&s->needs, f, e) || add_need(&s->training_needs, f, e))
			return -1;
	for (const struct field *f = m->variant->training_needs; f && f->name; f++)
		if (s->n_sites && m->variant->reads(&m->at[0], f->name) &&
		    add_need(&s->training_needs, f, e))
			return -1;
	return 0;
}

static int
collect_needs(struct attention_set *s, struct err *e)
{
	s->needs = xcalloc(1, sizeof(*s->needs));
	s->training_needs = xcalloc(1, sizeof(*s->training_needs));
	for (size_t i = 0; i < s->n; i++)
		if (add_needs_of(s, &s->member[i], e))
			return -1;
	return 0;
}

struct attention_set *
attention_set_new(const char *const *spec, size_t n, const struct site *sites, size_t n_sites,
		  struct err *e)
{
	struct attention_set *s = xcalloc(1, sizeof(*s));

	s->n_sites = n_sites;
	s->member = xcalloc(n ? n : 1, sizeof(*s->member));
	for (; s->n < n; s->n++)
		if (open_member(s, s->n, spec[s->n], sites, e)) {
			close_member(&s->member[s->n], n_sites);
			break;
		}
	if (s->n == n && !collect_needs(s, e) && !find_owners(s, e))
		return s;
	attention_set_free(s);
	return NULL;
}

void
attention_set_free(struct attention_set *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		close_member(&s->member[i], s->n_sites);
	free(s->member);
	free(s->needs);
	free(s->training_needs);
	free(s->output);
	free(s);
}

void
attention_set_params(struct attention_set *s, struct params *p)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n_sites; j++)
			if (s->member[i].at[j].here && s->member[i].variant->params)
				s->member[i].variant->params(&s->member[i].at[j], p);
}

int
attention_set_batch(struct attention_set *s, struct batch *b, struct err *e)
{
	for (size_t i = 0; i < s->n; i++) {
		struct member *m = &s->member[i];

		for (size_t j = 0; j < s->n_sites && m->variant->batch; j++)
			if (m->at[j].here && m->variant->batch(&m->at[j], b, e))
				return err_wrap(e, "attention %s", m->variant->name);
	}
	b->ready = s;
	return 0;
}

bool
attention_set_ready(const struct attention_set *s, const struct batch *b)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].variant->batch)
			return b->ready == s;
	return true;
}

static bool
may_be_fused(const struct attention_variant *v)
{
	return !v->scores && !v->weights && !v->unfused;
}

int
attention_set_fused(const struct attention_set *s, size_t site)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].at[site].here && !may_be_fused(s->member[i].variant))
			return 0;
	return 1;
}

bool
attention_set_owns_output(const struct attention_set *s, size_t site)
{
	return s->output[site] != NULL;
}

bool
attention_set_projects_heads(const struct attention_set *s, size_t site)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];

		if (m->at[site].here && m->variant->heads && !m->variant->gate)
			return false;
	}
	return !s->output[site];
}

/* The member of n that the result of a hook replaces. */
static struct node **
place_of(struct att_nodes *n, size_t hook)
{
	if (hook == offsetof(struct attention_variant, queries))
		return &n->q;
	if (hook == offsetof(struct attention_variant, scores))
		return &n->scores;
	return hook == offsetof(struct attention_variant, weights) ? &n->weights : &n->context;
}

struct node *
attention_set_output(const struct attention_set *s, size_t site, struct tape *t,
		     const struct att_nodes *n)
{
	const struct attention *a = s->output[site];

	return a ? a->variant->output(a, t, n) : NULL;
}

struct node *
attention_set_hook(const struct attention_set *s, size_t site, size_t hook, struct tape *t,
		   struct att_nodes *n)
{
	struct node **place = place_of(n, hook);

	for (size_t i = 0; i < s->n; i++) {
		const struct attention *a = &s->member[i].at[site];
		att_hook *h;

		memcpy(&h, (const char *)a->variant + hook, sizeof(h));
		if (a->here && h)
			*place = h(a, t, n);
	}
	return *place;
}

static void
multiply_gates(const struct member *m, size_t n_sites, double *gate)
{
	for (size_t j = 0; j < n_sites; gate += m->at[j++].site->heads)
		for (int h = 0; m->at[j].here && h < m->at[j].site->heads; h++)
			gate[h] *= m->variant->gate(&m->at[j], h);
}

bool
attention_set_gates(const struct attention_set *s, double *gate)
{
	bool any = false;

	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].variant->gate) {
			multiply_gates(&s->member[i], s->n_sites, gate);
			any = true;
		}
	return any;
}

bool
attention_set_gated(const struct attention_set *s, size_t site)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].at[site].here && s->member[i].variant->gate)
			return true;
	return false;
}

size_t
attention_set_n_counts(const struct attention_set *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->member[i].variant->count)
			return s->n * s->n_sites;
	return 0;
}

void
attention_set_count(const struct attention_set *s, const struct batch *b, double *counts)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];

		for (size_t j = 0; j < s->n_sites && m->variant->count; j++)
			if (m->at[j].here)
				counts[i * s->n_sites + j] += m->variant->count(&m->at[j], b);
	}
}

/* Target tokens per counted item, in the update or, without its counts, in b alone. */
static double
targets_per_item(const struct attention *a, const struct batch *b)
{
	double count;

	if (!a->variant->count)
		return 1;
	count = b->counts ? b->counts[a->member * a->set->n_sites + a->at]
			  : a->variant->count(a, b);
	return count > 0 ? batch_update_targets(b) / count : 0;
}

struct node *
attention_set_loss(const struct attention_set *s, struct tape *t, const struct batch *b)
{
	struct node *sum = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];

		for (size_t j = 0; j < s->n_sites && m->variant->loss; j++) {
			const struct attention *a = &m->at[j];
			struct node *l;

			if (!a->here)
				continue;
			l = m->variant->loss(a, t, b, (real)targets_per_item(a, b));
			sum = sum && l ? op_add(t, sum, l) : l ? l : sum;
		}
	}
	return sum;
}

void
attention_set_report(const struct attention_set *s, struct tape *t, const struct batch *b,
		     struct means *y)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n_sites; j++)
			if (s->member[i].at[j].here && s->member[i].variant->report)
				s->member[i].variant->report(&s->member[i].at[j], t, b, y);
}

void
attention_set_conclude(const struct attention_set *s, struct means *y, attention_warn *warn_fn,
		       void *arg)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];
		struct buf warning = { 0 };

		for (size_t j = 0; j < s->n_sites && m->variant->conclude; j++)
			if (m->at[j].here)
				m->variant->conclude(&m->at[j], y, &warning);
		if (warning.n)
			warn_fn(arg, m->variant->name, warning.data);
		buf_release(&warning);
	}
}

const struct field *
attention_set_needs(const struct attention_set *s, bool training)
{
	return training ? s->training_needs : s->needs;
}

size_t
attention_set_n(const struct attention_set *s)
{
	return s->n;
}

const struct attention_variant *
attention_set_variant(const struct attention_set *s, size_t i)
{
	return s->member[i].variant;
}

void
attention_set_describe(const struct attention_set *s, size_t i, struct buf *spec, int *version)
{
	const struct member *m = &s->member[i];

	buf_add_str(spec, m->variant->name);
	if (m->variant->options && s->n_sites) {
		buf_add_char(spec, ':');
		cli_settings_describe(m->variant->options, m->at[0].state, spec);
	}
	*version = m->variant->version;
}

/* "name=value" as the option takes it: its choices, on|off, or the word for its value. */
static void
add_form(const struct opt *o, struct buf *out)
{
	buf_printf(out, "%s=", o->long_name);
	if (o->kind != OPT_CHOICE)
		buf_add_str(out, o->arg ? o->arg : "on|off");
	for (int i = 0; o->kind == OPT_CHOICE && o->choice[i]; i++)
		buf_printf(out, "%s%s", i ? "|" : "", o->choice[i]);
}

/* The default in parentheses; the help of a text names its default itself. */
static void
print_default(const struct attention_variant *v, const struct opt *o)
{
	const struct opt one[] = { *o, { .kind = OPT_END } };
	struct buf text = { 0 };
	void *state = xcalloc(1, v->state_size);

	if (v->defaults)
		memcpy(state, v->defaults, v->state_size);
	cli_settings_describe(one, state, &text);
	if (o->kind != OPT_STRING)
		printf(" (%s)", strchr(text.data, '=') + 1);
	buf_release(&text);
	free(state);
}

static void
help_option(const struct attention_variant *v, const struct opt *o)
{
	struct buf form = { 0 };

	add_form(o, &form);
	printf("  %-24s%s%s", form.data, form.n < 25 ? " " : "\n                           ",
	       o->help);
	print_default(v, o);
	putchar('\n');
	buf_release(&form);
}

static void
help_variant(const struct attention_variant *v)
{
	printf("\n%s: %s\n", v->name, v->paper);
	for (const struct opt *o = v->options; o && o->kind != OPT_END; o++)
		help_option(v, o);
	for (const struct field *f = v->needs; f && f->name; f++)
		printf("  needs %s %s\n", f->name, f->type);
	for (const struct field *f = v->training_needs; f && f->name; f++)
		printf("  training needs %s %s\n", f->name, f->type);
}

void
attention_help(void)
{
	puts("plain: Vaswani et al. 2017, Attention is all you need; no variant");
	for (const struct attention_variant *const *v = attention_variants; *v; v++)
		help_variant(*v);
	for (const struct attention_variant *const *v = attention_extra; v && *v; v++)
		help_variant(*v);
}
