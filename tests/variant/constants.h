/*
 * constants: whether the constant of a variant is whole: its settings, fields, cases, and its entry
 * in nmt-train(1).  Each test file is one program and includes this at most once.
 */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#include <stdio.h>

#include "base/buf.h"
#include "setup.h"
#include "stream/fields.h"
#include "stream/stream.h"

/* Where fields are declared. */
#define FIELD_LISTS "common/stream/fields.c and heed-fields(5)"

UNUSED static char *
read_page(void)
{
	const char *top = getenv("HEED_TOP");
	char *path = xasprintf("%s/man/nmt-train.1", top ? top : ".");
	FILE *f = fopen(path, "r");
	struct buf b = { 0 };
	char block[4096];
	size_t n;

	if (!f)
		fail_msg("cannot open %s", path);
	while ((n = fread(block, 1, sizeof(block), f)))
		buf_add(&b, block, n);
	fclose(f);
	free(path);
	return b.data;
}

/* A copy of the text after an item of a list, up to the next item or the end of the list. */
static char *
entry_after(const char *item)
{
	const char *end = item;
	int depth = 0;

	while (*end && (depth || strncmp(end, ".It", 3)) && depth >= 0) {
		depth += !strncmp(end, ".Bl", 3) - !strncmp(end, ".El", 3);
		end += strcspn(end, "\n");
		end += *end == '\n';
	}
	return xstrndup(item, (size_t)(end - item));
}

/* The page has an item for the variant and, in its entry, one for each option. */
UNUSED static void
check_page(const struct attention_variant *v, const char *page)
{
	char *item = xasprintf("\n.It Cm %s\n", v->name);
	const char *at = strstr(page, item);
	char *entry;

	if (!at)
		fail_msg("%s: nmt-train(1) does not list it", v->name);
	entry = entry_after(at + strlen(item));
	free(item);
	for (const struct opt *o = v->options; o && o->kind != OPT_END; o++) {
		item = xasprintf("\n.It Cm %s Ns = ", o->long_name);
		if (!strstr(entry, item))
			fail_msg("%s: nmt-train(1) does not list its setting %s", v->name,
				 o->long_name);
		free(item);
	}
	free(entry);
}

/* The page has the log field: "dev.gates.*" as an item or word that begins with dev.gates. */
UNUSED static void
check_log_field(const struct field_info *f, const char *page)
{
	char *stem = xasprintf(" %.*s", (int)strcspn(f->name, "*"), f->name);

	if (!strstr(page, stem))
		fail_msg("nmt-train(1) does not have the log field %s", f->name);
	free(stem);
}

UNUSED static void
check_fields(const struct attention_variant *v, const struct field *f)
{
	for (; f && f->name; f++) {
		const struct field_info *known = fields_find("sentence", f->name);

		if (!known || !known->kind)
			fail_msg("%s: " FIELD_LISTS " do not have %s, which it needs", v->name,
				 f->name);
		if (strcmp(known->type, f->type))
			fail_msg("%s: needs %s as %s, " FIELD_LISTS " have %s", v->name, f->name,
				 f->type, known->type);
	}
}

/* Settings are read into the state. */
UNUSED static void
check_state(const struct attention_variant *v)
{
	for (const struct opt *o = v->options; o && o->kind != OPT_END; o++) {
		if (o->at >= v->state_size)
			fail_msg("%s: %s at byte %zu of a state of %zu bytes", v->name,
				 o->long_name, o->at, v->state_size);
		if (!o->help)
			fail_msg("%s: the setting %s has no help", v->name, o->long_name);
	}
	if (v->defaults && !v->state_size)
		fail_msg("%s: defaults of a state of no bytes", v->name);
}

static bool
has_spec(const char *specs, const char *name)
{
	const size_t n = strlen(name);

	for (; *specs; specs += strcspn(specs, " "), specs += strspn(specs, " "))
		if (!strncmp(specs, name, n) && strchr(": ", specs[n]))
			return true;
	return false;
}

UNUSED static void
check_cases(const struct attention_variant *v)
{
	if (!v->cases || !v->cases->specs)
		fail_msg("%s: no cases", v->name);
	for (const struct attention_case *c = v->cases; c->specs; c++)
		if (!has_spec(c->specs, v->name))
			fail_msg("%s: the case '%s' is not one of it", v->name, c->specs);
}

#endif
