/* attention-help: the list of variants, nmt-train -a help; see attention.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "stream/stream.h"

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
