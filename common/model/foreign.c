/* foreign: see foreign.h. */
#include "model/foreign.h"

#include <string.h>

#include "base/err.h"

/* What to segment text with, or NULL. */
static const char *
segments_with(const struct model *m)
{
	return m->codes ? "with its BPE codes (nmt-info --codes)" :
	       m->spm[0] || m->spm[1] ? "with its SentencePiece model (nmt-info --spm)" : NULL;
}

static void
warn_of_languages(const struct model *m, const struct unknown *u, const struct header *h,
		  const char *name)
{
	static const char *const side_of[] = { "source", "target" };
	struct languages found;
	bool other[2];

	languages_of(h, &found);
	for (int k = 0; k < 2; k++) {
		const char *mine = m->languages.side[k];

		other[k] = u->tokens[k] && *mine && *found.side[k] && strcmp(mine, found.side[k]);
		if (other[k])
			warn("%s: the language of the %s is %s, expected %s, that of the model",
			     name, side_of[k], found.side[k], mine);
	}
	if (other[0] && other[1] && !strcmp(found.side[0], m->languages.side[1]) &&
	    !strcmp(found.side[1], m->languages.side[0]))
		warn("%s: source and target seem to be exchanged", name);
}

void
foreign_warn(const struct model *m, const struct unknown *u, const struct header *h,
	     const char *name)
{
	warn_of_languages(m, u, h, name);
	unknown_warn(u, name, segments_with(m));
}
