/* attention-set: opens the variants of a model, each spec at every site; see attention.h. */
#include "attention/attention-set.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "stream/stream.h"

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

/* Is this what a variant's paper calls it, as (DEA) in "dependency-enhanced attention (DEA)"? */
static bool
is_abbreviated(const struct attention_variant *v, const char *name)
{
	char *known = xasprintf("(%s)", name);
	bool found;

	for (char *s = known; *s; s++)
		*s = (char)toupper((unsigned char)*s);
	found = v->paper && strstr(v->paper, known);
	free(known);
	return found;
}

static void
hint_variant(const char *name, struct err *e)
{
	struct near_name best = { .name = NULL };

	for (const struct attention_variant *const *v = attention_variants; *v; v++) {
		near_name_add(&best, name, strlen(name), (*v)->name);
		if (is_abbreviated(*v, name))
			best.name = (*v)->name;
	}
	if (!near_name_hint(&best, e))
		err_hint(e, "-a help lists the variants");
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
	if (!m->variant) {
		err_set(e, EXIT_USAGE, "unknown attention variant '%s'", name);
		hint_variant(name, e);
	}
	free(name);
	if (!m->variant)
		return err_unknown(e);
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

static bool
reads_field(const struct member *m, const char *field)
{
	return !m->variant->reads || m->variant->reads(&m->at[0], field);
}

/* Adds the fields that one variant needs, and those that it needs in training. */
static int
add_needs_of(struct attention_set *s, const struct member *m, struct err *e)
{
	for (const struct field *f = m->variant->needs; f && f->name; f++)
		if (add_need(&s->needs, f, e) || add_need(&s->training_needs, f, e))
			return -1;
	for (const struct field *f = m->variant->training_needs; f && f->name; f++)
		if (s->n_sites && reads_field(m, f->name) && add_need(&s->training_needs, f, e))
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

const struct attention *
attention_set_find(const struct attention_set *s, const char *name, size_t site)
{
	const struct attention *first = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct member *m = &s->member[i];

		if (strcmp(m->variant->name, name))
			continue;
		if (m->at[site].here)
			return &m->at[site];
		for (size_t j = 0; !first && j < s->n_sites; j++)
			if (m->at[j].here)
				first = &m->at[j];
	}
	return first;
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

/* --- help --- */

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

/* The default in parentheses, unless the help has it, or says that the setting is required. */
static void
print_default(const struct attention_variant *v, const struct opt *o)
{
	struct opt one[] = { *o, { .kind = OPT_END } };
	struct buf text = { 0 };
	void *state = xcalloc(1, v->state_size);

	one[0].omit = false;
	if (v->defaults)
		memcpy(state, v->defaults, v->state_size);
	cli_settings_describe(one, state, &text);
	if (o->kind != OPT_STRING && !strstr(o->help, "(required)"))
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
