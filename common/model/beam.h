/*
 * beam: the search of search.h over anything that scores continuations.
 *
 * search.c puts the model behind it; tests put a script there.
 */
#ifndef BEAM_H
#define BEAM_H

#include "base/arena.h"
#include "base/pool.h"
#include "model/search.h"
#include "tensor/real.h"

struct scorer {
	int n_types, first;		/* V; what the first step reads */
	/*
	 * One step for n hypotheses: number i, of sentence sentence[i], stands in slot slot[i] and
	 * reads id[i] at position pos[i].  Gives log-probabilities [n, n_types] that live until the next call.
	 */
	const real *(*step)(void *arg, int n, const int *slot, const int *sentence, const int *pos, const int *id);
	/* Slot to[i] becomes a copy of slot from[i], as far as position len; no slot is in both lists. */
	void (*copy)(void *arg, int n, const int *from, const int *to, int len);
	void (*ended)(void *arg, int sentence);	/* no more steps for it; may be NULL */
	void *arg;
};

/*
 * Searches n sentences at once; sentence i has at most max_len[i] symbols and owns slots i * beam to
 * (i + 1) * beam - 1.  prefix and prefix_n as in search_batch(); out[i].n is 0 where no hypothesis
 * has a score that is a number.
 */
void beam_search(const struct scorer *sc, const struct search_settings *set, int n, const int *max_len,
		 const int *const *prefix, const int *prefix_n, struct pool *pool, struct arena *mem,
		 struct translation *out);

#endif
