/* beam-parts: the state of a beam search (beam.h), for beam.c and beam-variants.c. */
#ifndef BEAM_PARTS_H
#define BEAM_PARTS_H

#include <stdbool.h>

#include "search/beam.h"

/*
 * A possible continuation of a sentence: hypothesis number `from` of the beam, extended by the
 * token `id`.
 */
struct beam_candidate {
	double score, log_prob;		/* of the extended hypothesis; candidates are ranked by
					 * score */
	int from, id;
};

/* An entry of a beam: a hypothesis, whose tokens are a chain of links. */
struct beam_entry {
	double log_prob, score;
	int slot, link, row;		/* slot of its keys and values; link of its last token, or
					 * -1; its index among all hypotheses of this step */
	bool finished;			/* variant gnmt: the hypothesis has ended, and keeps its
					 * place and score */
	int len;			/* variant gnmt: number of tokens, without the end token */
	double covered;			/* coverage penalty up to its last token */
};

struct beam_link { int id, before; };	/* a token; `before`: the link of the previous token, or
					 * -1 */

/* A finished hypothesis of n tokens, of which `link` is the last. */
struct beam_final { double score, log_prob; int link, n; };

struct beam_sentence {
	int number, t;			/* index of the sentence in the task; number of tokens so
					 * far of each hypothesis */
	struct beam_entry *beam;	/* [n], best first; n is 0 if no sentence is in this
					 * place */
	int n;
	struct beam_final *final;	/* [n_final] finished hypotheses, best first; only the best
					 * `room` are kept */
	int n_final, room;
	struct beam_link *link;		/* [n_links] the tokens of all hypotheses of the sentence */
	size_t n_links, links_room;
	bool top_ended, done;		/* top_ended: variant onmt: in some step, the best candidate
					 * was an end token; done: the search of the sentence has
					 * ended */
};

struct beam_state {
	const struct scorer *sc;
	const struct search_settings *set;
	const struct beam_task *task;
	int started, width;		/* number of sentences that were started; maximum number of
					 * candidates in a step of a sentence */
	int together;			/* `together` of the task, but at least 1 */
	struct beam_sentence *s;	/* [live] sentences in progress; s[i] has the slots i * beam
					 * to (i + 1) * beam - 1 */
	struct beam_entry *next;	/* [width] entries of the beam after this step */
	struct beam_candidate *merged;	/* [width] the best candidates of a sentence */
	int rows, *slot, *sentence, *pos, *id, *from, *to;	/* members of struct beam_step for
								 * the next step, which has `rows`
								 * hypotheses */
	struct best *best;		/* [rows] */
	struct scored *scored;		/* [rows, width] memory of the lists in `best` */
	double *coverage;		/* [rows]; NULL without a coverage penalty */
	int copies, *copy_from, *copy_to, *copy_len;	/* arguments of the next call of copy()
							 * (struct scorer) */
	struct arena *mem, *results;	/* memory of the search; memory of the results */
	struct translation *out;	/* [task->n] */
};

/*
 * A step of a sentence in one variant: turns its n best candidates `c` into entries of x->next, and
 * returns their number.  Ended hypotheses go to s->final, in gnmt when the search ends.  `is_last`
 * is true if hypotheses have the maximum length after this step.  beam_advances is indexed by enum
 * search_variant.
 */
typedef int beam_advance(struct beam_state *x, struct beam_sentence *s,
			 const struct beam_candidate *c, int n, bool is_last);
extern beam_advance *const beam_advances[];

/*
 * The score of a hypothesis of the sentence after the present step, without coverage penalty, given
 * the sum of its log-probabilities.  Its length does not include a free prefix unless
 * set->count_first is true.
 */
double beam_score(const struct beam_state *x, const struct beam_sentence *s, double log_prob);
/* The coverage penalty of all continuations of a hypothesis that has not ended. */
double beam_covered(const struct beam_state *x, const struct beam_entry *h);

#endif
