/* lacking: see lacking.h. */
#include "data/lacking.h"

#include "base/err.h"

void
lacking_add(struct lacking *l, const struct record *rec)
{
	l->sentences++;
	for (int i = 0; i < LACKING_FIELDS && l->read[i].name; i++)
		l->without[i] += !record_has(rec, l->read[i].name);
}

void
lacking_warn(const struct lacking *l)
{
	for (int i = 0; i < LACKING_FIELDS && l->read[i].name; i++)
		if (l->without[i])
			warn("%lld of %lld sentences lack %s, which the model reads",
			     (long long)l->without[i], (long long)l->sentences, l->read[i].name);
}
