/*
 * head-patch: activation patching of heads.
 *
 * A pair is a sentence with its target and a corrupted source of the same number of tokens.  The
 * model runs on both sources with the same target, teacher-forced.  Then it runs again, with the
 * output of one head at all positions replaced by that of the other run; everything that depends on
 * this output is computed again.  With L = log P(target), in nats, summed over the tokens and the
 * end token:
 *
 *	noise	the clean run with the head output of the corrupted run:
 *		effect = L(clean) - L(patched)
 *	denoise	the corrupted run with the head output of the clean run:
 *		effect = L(patched) - L(corrupted)
 *
 * The total effect of a pair is L(clean) - L(corrupted).
 *
 * Sources: Vig et al. 2020, Investigating gender bias in language models using causal mediation
 * analysis, section 3 (the indirect effect of a head); Wang et al. 2023, Interpretability in the
 * wild, section 3; Zhang and Nanda 2024, Towards best practices of activation patching in language
 * models, section 2 (noising, denoising, normalization by the total effect; as the metric they also
 * consider the log-probability).
 *
 * The cost is that of two forward passes, and of one for each head, which begins at the head's
 * output (layer-pass.h).  Two other methods need no pass for each head:
 *
 *	gradient	attribution patching, the first order of the effect in both directions:
 *			z is the head output, summed over elements and rows,
 *			effect = sum of (z corrupted - z clean) * d(-L)/dz
 *			with the gradient in the run that is patched.  Nanda 2023, Attribution
 *			patching: activation patching at industrial scale; Syed, Rager and Conmy
 *			2023, Attribution patching outperforms automated circuit discovery,
 *			equation 2 (there with |effect|)
 *	integrated	EAP-IG: the mean of this gradient over m runs, with the embeddings of the
 *			source on the straight line between those of the two sources, at k / m for
 *			k = 1 ... m; 1 is the run that is patched.  Hanna, Pezzelle and Belinkov
 *			2024, Have faith in faithfulness, equation 3, for the nodes (head outputs)
 *			instead of the edges between them
 *
 * The cost is that of a forward pass and of m (for gradient, 1) forward and backward passes.
 */
#ifndef HEAD_PATCH_H
#define HEAD_PATCH_H

#include "analysis/head-table.h"
#include "model/layer-pass.h"
#include "search/forced.h"

enum head_patch_direction { PATCH_NOISE, PATCH_DENOISE };
/* The names by enum head_patch_direction, then NULL. */
extern const char *const head_patch_directions[];

enum head_patch_method { PATCH_EXACT, PATCH_GRADIENT, PATCH_INTEGRATED, PATCH_METHODS };

struct head_patch_how {
	enum head_patch_direction direction;
	bool method[PATCH_METHODS];	/* which methods; without any, exact */
	int steps;			/* m of integrated */
};

/*
 * Sets the methods by a list of names, separated by commas: exact, gradient, integrated.  Fails
 * with EXIT_USAGE for another name.
 */
int head_patch_choose(struct head_patch_how *settings, const char *list, struct err *e) MUST_USE;
/* Do the methods need a model that was loaded with gradients? */
bool head_patch_backward(const struct head_patch_how *settings);

struct head_patching {
	struct model *m;		/* the caller's; NULL: not begun */
	struct head_patch_how how;
	size_t heads, n;		/* number of heads of all sites; of pairs so far */
	double *effect[PATCH_METHODS];	/* by method: [n, heads], or NULL if the method is not
					 * chosen */
	double *total;			/* [n] */
	bool *masked;			/* [n] the target has tokens of probability 0 (output_mask);
					 * such a pair has only effects of PATCH_EXACT, without
					 * these tokens */
	size_t room[PATCH_METHODS], total_room, masked_room;
	real *gates;			/* [heads] all 1: the gates of a model without gates */
	real **output;			/* private: [heads] of one run, [rows, head_dim] each */
	struct layer_pass pass;
	struct arena mem;		/* memory that is reused for each batch */
	struct writer *sentences;	/* effects of each sentence, or NULL */
};

/*
 * Sets gates of 1, unless the model has gates, and turns label smoothing off; for gradients,
 * freezes most parameters.
 */
void head_patch_begin(struct head_patching *p, struct model *m,
		      const struct head_patch_how *settings);
/* p may be all zeros. */
void head_patch_release(struct head_patching *p);
/*
 * head_patch_begin() for the pairs of a stream.  Unless `path` is NULL, the effects on each
 * sentence are written there; `path` and flags as in writer_open().  head_patch_end() completes
 * the file.
 */
int head_patch_open(struct head_patching *p, struct model *m,
		    const struct head_patch_how *settings, const struct reader *reader,
		    const char *path, unsigned flags, struct err *e) MUST_USE;
/* Does nothing without a file.  Returns -1 if the file cannot be written. */
int head_patch_end(struct head_patching *p, struct err *e) MUST_USE;

/*
 * Adds pairs: batches of clean and of corrupted sources that are otherwise equal.  Rewinds the
 * tape; the batches must not be in its arena.
 */
void head_patch_pairs(struct head_patching *p, struct tape *t, const struct batch *clean,
		      const struct batch *corrupted);
/*
 * Adds a batch of forced_run(), whose records have the corrupted sources.  Returns -1 with
 * EXIT_INPUT if a record lacks its corrupted source, or it has another number of tokens.  The
 * errors name the record.
 */
int head_patch_add(struct head_patching *p, const struct forced *f, const struct batch *b,
		   struct err *e) MUST_USE;

/* The mean total effect of the pairs, in nats; NAN without pairs. */
double head_patch_total(const struct head_patching *p);
/*
 * Fills the columns "patch", the mean effect, "patch.error", its standard error, and "patch.share",
 * the sum of the effects divided by the sum of the total effects; the other methods have
 * "patch.gradient" and "patch.integrated" instead of "patch".  Fails with EXIT_INPUT if a sum
 * overflowed, or if all pairs have target tokens that a gradient leaves out.
 */
int head_patch_fill(const struct head_patching *p, struct head_table *t, struct err *e) MUST_USE;

#endif
