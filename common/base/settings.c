/* settings: writes a struct as "key=value,key=value", the inverse of cli_settings(); see cli.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cli.h"

/* The shortest decimal that reads back as the same number, in plain notation: 20, not 2e+01. */
static void
settings_add_float(double v, struct buf *out)
{
	const bool plain = v == 0 || (fabs(v) >= 1e-4 && fabs(v) < 1e15);
	char text[40];

	for (int digits = 0; digits <= 21; digits++) {
		snprintf(text, sizeof(text), plain ? "%.*f" : "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	buf_add_str(out, text);
}

static void
settings_add_value(const struct opt *o, const void *at, struct buf *out)
{
	const char *text;

	switch (o->kind) {
	case OPT_FLAG:
		buf_add_str(out, *(const bool *)at ? "on" : "off");
		break;
	case OPT_INT:
		buf_printf(out, "%lld", (long long)*(const int64_t *)at);
		break;
	case OPT_FLOAT:
		settings_add_float(*(const double *)at, out);
		break;
	case OPT_CHOICE:
		buf_add_str(out, o->choice[*(const int *)at]);
		break;
	case OPT_STRING:
		memcpy(&text, at, sizeof(text));
		buf_add_str(out, text ? text : "");
		break;
	case OPT_LIST:
	case OPT_PARTS:
	case OPT_HEADING:
	case OPT_OLD:
	case OPT_NEED:
	case OPT_NOT:
	case OPT_END:
		bug("setting %s cannot be described", o->long_name);
	}
}

void
cli_settings_release(const struct opt *table, void *state)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		char **text = (char **)((char *)state + o->at);

		if (o->kind != OPT_STRING)
			continue;
		free(*text);
		*text = NULL;
	}
}

/* Is this the value of a setting that descriptions leave out? */
static bool
left_out(const struct opt *o, const void *at)
{
	if (!o->omit)
		return false;
	switch (o->kind) {
	case OPT_FLAG:
		return !*(const bool *)at;
	case OPT_INT:
		return !*(const int64_t *)at;
	case OPT_CHOICE:
		return !*(const int *)at;
	default:
		bug("setting %s cannot be left out", o->long_name);
	}
}

void
cli_settings_describe(const struct opt *table, const void *state, struct buf *out)
{
	bool any = false;

	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		const void *at = (const char *)state + o->at;

		if (left_out(o, at))
			continue;
		if (any)
			buf_add_char(out, ',');
		buf_printf(out, "%s=", o->long_name);
		settings_add_value(o, at, out);
		any = true;
	}
}
