/*
 * pairs: texts of two languages joined by a key, cut into sentences, freed of
 * repetitions, and dealt out to train, dev and test by the group they come from.
 *
 * A text's source side is added before its target side; each text has a
 * key (unique on its side; the first one of a key wins) and a group, such as the
 * path of its page.  A whole group goes to one part, chosen by a hash of its
 * name and a seed alone, so that the same pages are test in every language.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"

enum pairs_part { PAIRS_TEST, PAIRS_DEV, PAIRS_TRAIN, PAIRS_PARTS };

struct pairs {
	const char *lang[2];
	double share[PAIRS_PARTS];	/* of the groups; train gets what is left */
	uint64_t seed;
	size_t limit;			/* bytes of text kept at most */

	struct strmap keys, groups;
	struct pairs_text { int group; size_t at[2], n[2]; } *text;	/* by key; n of SIZE_MAX: not there */
	size_t room;
	struct buf pool;
	struct strmap seen, sources;

	/* What became of it all. */
	int64_t joined;			/* texts with both sides, ... */
	int64_t empty, untranslated;	/* ... of which one side was empty, both were equal, */
	int64_t cut;			/* ... were cut into sentences */
	int64_t repeated, leaked;	/* pairs that were there already; whose source is in dev or test */
	int64_t out[PAIRS_PARTS];
};

void pairs_init(struct pairs *p, const char *source, const char *target);
void pairs_release(struct pairs *p);

/* side 0 or 1.  Texts of side 1 whose key side 0 lacks are dropped.  EXIT_INPUT over the limit. */
int pairs_add(struct pairs *p, int side, const char *key, const char *group, const char *s, size_t n,
	      struct err *e) MUST_USE;

/* One pair of sentences; s[0], s[1] are not NUL-terminated.  place is "GROUP:N", N from 1. */
typedef int pairs_take(void *arg, enum pairs_part part, const char *place, const char *const s[2], const size_t n[2],
		       struct err *e);

/*
 * Hands out all pairs, the parts in the order test, dev, train, within a part in the
 * order in which the source side was added.  A source that was in an earlier part is not
 * given to a later one, differences of case, digits and punctuation disregarded.
 */
int pairs_deal(struct pairs *p, pairs_take *take, void *arg, struct err *e) MUST_USE;

#endif
