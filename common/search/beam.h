/*
 * beam: beam search as search.h describes it, with any function that scores continuations.
 *
 * search-steps.c provides a scorer that runs a model; tests provide scorers with fixed scores.  A
 * slot is a place where the scorer stores the state of a hypothesis, such as its keys and values.
 */
#ifndef BEAM_H
#define BEAM_H

#include "base/arena.h"
#include "search/search.h"
#include "tensor/kernels.h"

/*
 * One step of n hypotheses.  Hypothesis i belongs to sentence[i], has its state in slot[i], and
 * reads the token id[i] at position pos[i].  Sentences are numbered as in the task, and positions
 * from 0.  The scorer fills the list best[i], which is empty, with the most probable next tokens
 * among the ids from[i] to to[i] - 1, as many as it has room for (tensor/kernels.h).  If `coverage`
 * is not NULL, the scorer sets coverage[i] to the sum over source positions in the coverage penalty
 * (search.h), given all positions of the hypothesis so far.
 */
struct beam_step {
	int n;
	const int *slot, *sentence, *pos, *id, *from, *to;
	struct best *best;
	double *coverage;
};

struct scorer {
	int n_vocab;			/* V, the number of target vocabulary entries */
	int first;			/* the token that the first step reads; -1: a zero vector */
	void (*step)(void *arg, const struct beam_step *s);
	/*
	 * Copies the first len[i] positions of slot from[i] to slot to[i], for n pairs.  No slot is
	 * in both lists.
	 */
	void (*copy)(void *arg, int n, const int *from, const int *to, const int *len);
	void *arg;			/* the first argument of step() and copy() */
};

struct beam_task {
	int n;				/* sentences */
	int live;			/* maximum number of sentences that are searched at the same
					 * time */
	int together;			/* sentences start in groups of this number, each when all
					 * sentences of a previous group have finished; 0: one by
					 * one */
	const int *max_len;		/* [n] maximum number of tokens of a hypothesis */
	const int *const *prefix;	/* [n] forced first tokens, as in search_batch(); or NULL */
	const int *prefix_n;
};

/*
 * Searches all sentences of the task.  When a sentence has finished, the next one starts in its
 * slots, at position 0.  There are `live` * beam slots, numbered from 0.  The results are stored in
 * `out` [n], with memory in `mem`.  `out[i].n` is 0 if no hypothesis of sentence i has a finite
 * score.
 */
void beam_search(const struct scorer *sc, const struct search_settings *set,
		 const struct beam_task *task, struct arena *mem, struct translation *out);

#endif
