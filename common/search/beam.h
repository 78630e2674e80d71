/*
 * beam: the search of search.h over any scorer of continuations.
 *
 * search.c provides a scorer that runs the model; tests provide one that runs a script.
 */
#ifndef BEAM_H
#define BEAM_H

#include "base/arena.h"
#include "search/search.h"
#include "tensor/kernels.h"

/*
 * One step of n hypotheses.  Hypothesis i belongs to sentence[i], is stored in slot[i], and reads
 * token id[i] at position pos[i].  The scorer fills best[i], which is empty and has room, with the
 * best next tokens among the ids from[i] to to[i] - 1.  If coverage is not NULL, the scorer sets
 * coverage[i] to the sum over source positions in the coverage penalty (search.h), given the steps
 * so far.
 */
struct beam_step {
	int n;
	const int *slot, *sentence, *pos, *id, *from, *to;
	struct best *best;
	double *coverage;
};

struct scorer {
	int n_vocab;			/* V */
	int first;			/* the token that the first step reads */
	void (*step)(void *arg, const struct beam_step *s);
	/* Copies len[i] positions of slot from[i] to slot to[i].  No slot is in both lists. */
	void (*copy)(void *arg, int n, const int *from, const int *to, const int *len);
	void *arg;
};

struct beam_task {
	int n;				/* sentences */
	int live;			/* maximum number of sentences searched at the same time */
	int together;			/* sentences start in groups of this number, as soon as all
					 * sentences in the slots of the group have finished; 0: one
					 * by one */
	const int *max_len;		/* [n] maximum number of tokens of a hypothesis */
	const int *const *prefix;	/* as in search_batch(), or NULL */
	const int *prefix_n;
};

/*
 * Searches all sentences of the task.  A new sentence starts as soon as another is finished; its
 * slots, which are below live * beam, then start at position 0.  The results, `out` [n], are
 * allocated in `mem`.  `out[i].n` is 0 if no hypothesis has a finite score.
 */
void beam_search(const struct scorer *sc, const struct search_settings *set,
		 const struct beam_task *task, struct arena *mem, struct translation *out);

#endif
