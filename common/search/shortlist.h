/*
 * shortlist: the target vocabulary entries that may translate a sentence.
 *
 * A lexical shortlist restricts the output layer to the most frequent target entries and to the
 * probable translations of each source entry (Jean et al. 2015, On using very large target
 * vocabulary for neural machine translation, section 3.2).  shortlist-learn(1) describes the file.
 */
#ifndef SHORTLIST_H
#define SHORTLIST_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/model.h"
#include "search/next-token.h"
#include "stream/input.h"
#include "text/vocab.h"

#define SHORTLIST_MAGIC "heed-shortlist 1"	/* what the first line starts with */

struct shortlist {
	int n_src, n_tgt;
	struct candidates always, *of;	/* for every sentence; [n_src] for each source entry */
	struct arena mem;
};

/*
 * Reads a shortlist.  Errors, such as entries that are not in the vocabularies, are EXIT_INPUT and
 * name the line.  The caller releases s, also after an error.
 */
int shortlist_read(struct shortlist *s, struct input *input, const struct vocab *src,
		   const struct vocab *tgt, struct err *e) MUST_USE;
/* Reads a file for a model that is ready to translate, and calls model_prepare_candidates(). */
int shortlist_load(struct shortlist *s, const char *path, struct model *m, const struct backend *b,
		   struct pool *pool, struct err *e) MUST_USE;
void shortlist_release(struct shortlist *s);

/*
 * The candidates of a sentence of n source tokens, in `mem`: the special tokens, those of s, and
 * the n_more tokens in `more`.
 */
struct candidates shortlist_candidates(const struct shortlist *s, int n, const int *src,
				       int n_more, const int *more, struct arena *mem);

#endif
