/* means: see means.h. */
#include "data/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static struct mean *
means_find(const struct means *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->entry[i].name, name))
			return &t->entry[i];
	return NULL;
}

static struct mean *
needed_mean(struct means *t, const char *name)
{
	struct mean *e = means_find(t, name);

	if (e)
		return e;
	t->entry = mem_grow(t->entry, &t->room, t->n + 1, sizeof(*t->entry));
	t->entry[t->n] = (struct mean){ .name = xstrdup(name) };
	return &t->entry[t->n++];
}

void
means_release(struct means *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->entry[i].name);
	free(t->entry);
	*t = (struct means){ 0 };
}

void
means_add(struct means *t, const char *name, double sum, double count)
{
	struct mean *e = needed_mean(t, name);

	e->sum += sum;
	e->count += count;
}

double
means_get(const struct means *t, const char *name)
{
	const struct mean *e = means_find(t, name);

	return e && e->count > 0 ? e->sum / e->count : NAN;
}

void
means_raise(struct means *t, const char *name, double x)
{
	if (!(means_get(t, name) >= x)) {
		struct mean *e = needed_mean(t, name);

		e->sum = x;
		e->count = 1;
	}
}
