/* run-settings: settings of runs; see run-settings.h. */
#include <string.h>

#include "plan/run-settings.h"

/* The value of PAPER.KEY.NAME as it is written, or NULL. */
const char *
named(const struct plan *p, const struct paper *paper, const char *key, const char *name)
{
	const struct keyfile_entry *k =
		keyfile_find(&p->conf, text_print(p->a, "%s.%s.%s", paper->name, key, name));

	return k ? k->value : NULL;
}

const char *
paper_data(const struct plan *p, const struct paper *paper)
{
	const struct keyfile_entry *k =
		keyfile_find(&p->conf, text_print(p->a, "%s.data", paper->name));

	return k && *k->value ? k->value : "plain";
}

/* --- settings --- */

/* Each word of a value after the option. */
static void
add_option(struct buf *b, struct arena *a, const char *option, const char *value)
{
	const struct list words = list_words(a, value);

	for (size_t i = 0; i < words.n; i++)
		buf_printf(b, " %s %s", option, words.s[i]);
}

/* The options that all variants have. */
const char *
common_options(const struct scope *s, const char *seed, struct err *e)
{
	static const char *const key[] = { "preset", "size",	 "arch",  "updates",
					   "batch",  "validate", "recipe" };
	const char *value[7];
	struct buf b = { 0 };

	for (int i = 0; i < 7; i++)
		if (!(value[i] = setting(s, key[i], e)))
			return NULL;
	buf_printf(&b, "--preset %s --size %s", *value[0] ? value[0] : "fairseq", value[1]);
	add_option(&b, s->p->a, "--arch", value[2]);
	if (seed)
		buf_printf(&b, " --seed %s", seed);
	add_option(&b, s->p->a, "--updates", value[3]);
	buf_printf(&b, " --batch-tokens %s --validate-every %s %s", value[4], value[5], value[6]);
	return text_take(s->p->a, &b);
}

const char *
stripped(struct arena *a, const char *text)
{
	const struct list words = list_words(a, text);

	return list_text(a, &words);
}

/* Options of nmt-train for a run; in a scope with `shell`, lists of heads are commands. */
const char *
run_options(const struct scope *s, struct err *e)
{
	const struct run *r = s->run;
	const struct search *search = plan_search(s->p, r->search);
	const char *common = common_options(s, r->seed, e), *variant;
	struct scope own = *s;

	own.home = r->paper->name;
	own.from = keyfile_find(&s->p->conf,
				text_print(s->p->a, "%s.variant.%s", own.home, r->variant));
	variant = common ? expanded(&own, own.from->value, e) : NULL;
	if (!variant)
		return NULL;
	return options_last(
		s->p->a,
		stripped(s->p->a, text_print(s->p->a, "%s %s %s", common,
					     search && search->best ? search->best : "", variant)));
}

/* A measure of heads by its settings. */
const char *
measured_by(const struct scope *s, struct err *e)
{
	const char *probe = setting(s, "probe", e), *few = probe ? setting(s, "few", e) : NULL;
	const char *heads = few ? setting(s, "heads", e) : NULL;

	return heads ? stripped(s->p->a,
				text_print(s->p->a, "probe=%s few=%s %s", probe, few, heads))
		     : NULL;
}
