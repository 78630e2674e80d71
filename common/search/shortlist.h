/*
 * shortlist: the target vocabulary entries that are considered for the translation of a sentence,
 * its candidates.
 *
 * A lexical shortlist restricts the output layer to the most frequent target entries and to the
 * probable translations of each token of the source sentence (Jean et al. 2015, On Using Very Large
 * Target Vocabulary for Neural Machine Translation, section 3.2).  shortlist-learn(1) describes the
 * file.
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

#define SHORTLIST_MAGIC "heed-shortlist 1"	/* the beginning of the first line */

struct shortlist {
	int n_src, n_tgt;		/* sizes of the vocabularies */
	struct candidates always;	/* candidates of every sentence */
	struct candidates *of;		/* [n_src]: candidates of each source entry */
	struct arena mem;
};

/*
 * Reads a shortlist for the vocabularies `src` and `tgt`.  Errors, such as entries that are not in
 * a vocabulary, are EXIT_INPUT and name the line.  The caller releases s, also after an error.
 */
int shortlist_read(struct shortlist *s, struct input *input, const struct vocab *src,
		   const struct vocab *tgt, struct err *e) MUST_USE;
/*
 * Reads the shortlist in the file `path` for the vocabularies of m, and calls
 * model_prepare_candidates() (next-token.h), so that the parameters of m must not change
 * afterwards.  Fails like input_open() and shortlist_read(), and has then already released s.
 * Otherwise the caller must release s.
 */
int shortlist_load(struct shortlist *s, const char *path, struct model *m, const struct backend *b,
		   struct pool *pool, struct err *e) MUST_USE;
void shortlist_release(struct shortlist *s);

/*
 * Returns the candidates of a sentence with the n source tokens `src`, in an array in `mem`: the
 * special tokens of the vocabulary, s->always, s->of of each source token, and the n_more target
 * tokens in `more`.  Ids that are not in a vocabulary, such as -1, are skipped.
 */
struct candidates shortlist_candidates(const struct shortlist *s, int n, const int *src,
				       int n_more, const int *more, struct arena *mem);

#endif
