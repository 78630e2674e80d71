/* beam-parts: the state of a beam search, for beam.c and beam-variants.c. */
#ifndef BEAM_PARTS_H
#define BEAM_PARTS_H

#include <stdbool.h>

#include "search/beam.h"

/* A continuation: hypothesis number `from` of the beam, extended by the token `id`. */
struct beam_candidate {
	double score, log_prob;		/* candidates are ranked by score */
	int from, id;
};

/* A hypothesis in a beam.  Its tokens are a chain of links. */
struct beam_entry {
	double log_prob, score;
	int slot, link, row;		/* slot: of its keys and values; link: its last token; row:
					 * its index in this step */
	bool finished;			/* variant gnmt: it has ended, and keeps its place and its
					 * score */
	int len;			/* variant gnmt: number of its tokens, without the end
					 * token */
	double covered;			/* its coverage penalty, up to its last token */
};

struct beam_link { int id, before; };	/* before: the previous link, -1 for the first token */

/* A finished hypothesis of n tokens, of which `link` is the last. */
struct beam_final { double score, log_prob; int link, n; };

struct beam_sentence {
	int number, t;			/* number: index in the task; t: number of tokens so far of
					 * each hypothesis */
	struct beam_entry *beam;	/* [n], best first; n is 0 if there is no sentence */
	int n;
	struct beam_final *final;	/* best first; only the best `room` are kept */
	int n_final, room;
	struct beam_link *link;		/* [n_links] the tokens of all its hypotheses */
	size_t n_links, links_room;
	bool top_ended, done;		/* top_ended: in variant onmt, the best candidate of a step
					 * has ended; done: the search of the sentence has ended */
};

struct beam_state {
	const struct scorer *sc;
	const struct search_settings *set;
	const struct beam_task *task;
	int started, width;		/* number of sentences started so far; of candidates per
					 * step */
	int together;			/* as in the task, at least 1 */
	struct beam_sentence *s;	/* [live] s[i] has the slots from i * beam on */
	struct beam_entry *next;	/* [beam] */
	struct beam_candidate *merged;	/* [width] */
	int rows, *slot, *sentence, *pos, *id, *from, *to;	/* the members of struct beam_step
								 * for the next step, of `rows`
								 * hypotheses */
	struct best *best;		/* [rows] */
	struct scored *scored;		/* [rows, width] */
	double *coverage;		/* [rows], or NULL without coverage penalty */
	int copies, *copy_from, *copy_to, *copy_len;	/* the arguments of the next call of
							 * copy() */
	struct arena *mem, *results;	/* scratch memory; memory of the results */
	struct translation *out;	/* [task->n] */
};

/*
 * One step of a sentence, by variant: turns n candidates into entries of x->next, and returns their
 * number.  `is_last`: after this step, hypotheses have the maximum length.
 */
typedef int beam_advance(struct beam_state *x, struct beam_sentence *s,
			 const struct beam_candidate *c, int n, bool is_last);
extern beam_advance *const beam_advances[];

/*
 * The score of a continuation of the sentence, without coverage.  A free prefix does not count in
 * its length.
 */
double beam_score(const struct beam_state *x, const struct beam_sentence *s, double log_prob);
/* The coverage penalty of the continuations of a hypothesis that is not finished. */
double beam_covered(const struct beam_state *x, const struct beam_entry *h);

#endif
