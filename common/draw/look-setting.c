/* look-setting: settings of attention variants; see look-parts.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "draw/look-parts.h"

/* The value of key in "name:key=value,key=value", or NULL. */
static char *
value_of(const char *spec, const char *key)
{
	const size_t n = strlen(key);

	for (const char *s = strchr(spec, ':'); s; s = strchr(s, ',')) {
		s++;
		if (!strncmp(s, key, n) && s[n] == '=')
			return xstrndup(s + n + 1, strcspn(s + n + 1, ","));
	}
	return NULL;
}

char *
look_setting(const struct model *m, const char *variant, const char *key)
{
	struct buf spec = { 0 };
	char *value = NULL;
	int version;

	for (size_t i = 0; !value && i < attention_set_n(m->attention); i++) {
		if (strcmp(attention_set_variant(m->attention, i)->name, variant))
			continue;
		buf_clear(&spec);
		attention_set_describe(m->attention, i, &spec, &version);
		value = value_of(spec.data, key);
	}
	buf_release(&spec);
	return value;
}

int64_t
look_number(const struct model *m, const char *variant, const char *key, int64_t otherwise)
{
	char *value = look_setting(m, variant, key);
	int64_t v = otherwise;
	struct err e;

	if (value && num_int(value, strlen(value), 0, INT32_MAX, &v, &e))
		v = otherwise;
	free(value);
	return v;
}
