/*
 * beam: the search of search.h over anything that scores continuations.
 *
 * search.c puts the model behind it; tests put a script there.
 */
#ifndef BEAM_H
#define BEAM_H

#include "base/arena.h"
#include "model/search.h"
#include "tensor/kernels.h"

/*
 * One step for n hypotheses: number i, of sentence sentence[i], stands in slot slot[i] and reads
 * id[i] at position pos[i].  Wanted are the best of the types [from[i], to[i]), in best[i], which
 * is empty and has room.
 */
struct beam_step {
	int n;
	const int *slot, *sentence, *pos, *id, *from, *to;
	struct best *best;
};

struct scorer {
	int n_types, first;		/* V; what the first step reads */
	void (*step)(void *arg, const struct beam_step *s);
	/* Slot to[i] becomes a copy of slot from[i], as far as position len[i]; no slot is in both lists. */
	void (*copy)(void *arg, int n, const int *from, const int *to, const int *len);
	void *arg;
};

struct beam_task {
	int n, live;			/* sentences; at most so many at a time */
	const int *max_len;		/* [n] symbols of a hypothesis */
	const int *const *prefix;	/* as in search_batch(), or NULL */
	const int *prefix_n;
};

/*
 * Searches the sentences, the next as soon as one is done; they use the slots below live * beam, and
 * one that begins finds its slots at position 0.  Results, out[0..n), are allocated in mem; out[i].n is 0
 * where no hypothesis has a score that is a number.
 */
void beam_search(const struct scorer *sc, const struct search_settings *set, const struct beam_task *task,
		 struct arena *mem, struct translation *out);

#endif
