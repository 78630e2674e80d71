/*
 * head-patch: activation patching of heads, which measures the effect of one head's output on the
 * probability of the target.
 *
 * A pair is a sentence with its target and a corrupted source of the same number of tokens.  The
 * model first runs on the clean and on the corrupted source with the same target, teacher-forced.
 * One of these two runs is then patched: it is repeated with the output of one head, at all
 * positions, taken from the other run.  With L = log P(target), in nats, summed over the target
 * tokens and the end token:
 *
 *	noise	the clean run is patched with the head output of the corrupted run:
 *		effect = L(clean) - L(patched)
 *	denoise	the corrupted run is patched with the head output of the clean run:
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
 * The cost of this exact method is two forward passes, and a further one for each head, which
 * begins at the head's output (model/layer-pass.h).  Two other methods approximate the effects of
 * all heads at once:
 *
 *	gradient	attribution patching, a first-order approximation for noise and denoise:
 *			effect = sum of (z corrupted - z clean) * d(-L)/dz
 *			where z is the head output, the sum is over its elements and positions, and
 *			the gradient is that of the run that is patched.  Nanda 2023, Attribution
 *			patching: activation patching at industrial scale; Syed, Rager and Conmy
 *			2023, Attribution patching outperforms automated circuit discovery,
 *			equation 2 (there with |effect|)
 *	integrated	EAP-IG: as gradient, but with the mean of the gradients of m runs.  In run
 *			k = 1 ... m, the source embeddings are at k / m of the straight line from
 *			those of the other run to those of the run that is patched.  Hanna,
 *			Pezzelle and Belinkov 2024, Have faith in faithfulness, equation 3, for
 *			nodes (head outputs) instead of the edges between them
 *
 * Each costs a forward pass, and m forward and backward passes; for gradient, m = 1.
 */
#ifndef HEAD_PATCH_H
#define HEAD_PATCH_H

#include "analysis/head-table.h"
#include "model/layer-pass.h"
#include "search/forced.h"

enum head_patch_direction { PATCH_NOISE, PATCH_DENOISE };
/* The names of enum head_patch_direction, noise and denoise, then NULL. */
extern const char *const head_patch_directions[];

enum head_patch_method { PATCH_EXACT, PATCH_GRADIENT, PATCH_INTEGRATED, PATCH_METHODS };

struct head_patch_how {
	enum head_patch_direction direction;
	bool method[PATCH_METHODS];	/* the chosen methods; if all are false, PATCH_EXACT */
	int steps;			/* m of PATCH_INTEGRATED */
};

/*
 * Sets settings->method by a list of names, separated by commas: exact, gradient, integrated.
 * Returns -1 with EXIT_USAGE for another name.
 */
int head_patch_choose(struct head_patch_how *settings, const char *list, struct err *e) MUST_USE;
/* Whether the chosen methods need a model that was loaded with gradients. */
bool head_patch_backward(const struct head_patch_how *settings);

struct head_patching {
	struct model *m;		/* the caller's; NULL: not begun */
	struct head_patch_how how;
	size_t heads, n;		/* number of heads of all sites
					 * (attention/attention-heads.h); of pairs so far */
	double *effect[PATCH_METHODS];	/* for each method its effects [n, heads], in nats; zeros if
					 * the method was not chosen */
	double *total;			/* [n] total effects, in nats */
	bool *masked;			/* [n] whether the target has tokens that the model's
					 * output_mask excludes, with probability 0; such a pair has
					 * only effects of PATCH_EXACT, which leave these tokens
					 * out */
	size_t room[PATCH_METHODS], total_room, masked_room;
	real *gates;			/* [heads] all 1; set in a model without gates */
	real **output;			/* private: [heads] head outputs of one run, [rows,
					 * head_dim] each */
	struct layer_pass pass;
	struct arena mem;		/* memory for the current batch */
	struct writer *sentences;	/* writes the effects of each sentence; or NULL */
};

/*
 * Overwrites *p.  Sets gates of 1 in the model unless it has gates (model_gate() in model/model.h),
 * and turns label smoothing off.  If head_patch_backward(), freezes most parameters.  `m` must
 * outlive `p`.
 */
void head_patch_begin(struct head_patching *p, struct model *m,
		      const struct head_patch_how *settings);
/* `p` may be all zeros. */
void head_patch_release(struct head_patching *p);
/*
 * head_patch_begin() for the pairs of the stream that `reader` reads.  Unless `path` is NULL, opens
 * the file `path` as writer_open() with these `flags`; the effects on each sentence are written
 * there, and head_patch_end() completes the file.  Returns -1 as writer_open().
 */
int head_patch_open(struct head_patching *p, struct model *m,
		    const struct head_patch_how *settings, const struct reader *reader,
		    const char *path, unsigned flags, struct err *e) MUST_USE;
/*
 * Completes the file of head_patch_open(), if there is one.  Returns -1 if the file cannot be
 * written.
 */
int head_patch_end(struct head_patching *p, struct err *e) MUST_USE;

/*
 * Adds pairs.  Sentence i of `clean` and sentence i of `corrupted` are the two sides of a pair;
 * both batches have the same targets.  Rewinds the tape `t`, so that the batches must not be in its
 * arena.
 */
void head_patch_pairs(struct head_patching *p, struct tape *t, const struct batch *clean,
		      const struct batch *corrupted);
/*
 * Adds the pairs of a batch of forced_run() (search/forced.h); their corrupted sources are in the
 * fields of the records.  Returns -1 with EXIT_INPUT, naming the record, if a corrupted source is
 * missing or has another number of tokens than the source.
 */
int head_patch_add(struct head_patching *p, const struct forced *f, const struct batch *b,
		   struct err *e) MUST_USE;

/* The mean total effect of the pairs, in nats; NAN without pairs. */
double head_patch_total(const struct head_patching *p);
/*
 * Sets columns of the table for each chosen method.  For the exact method, "patch" is the mean
 * effect over pairs, "patch.error" the standard error of this mean, and "patch.share" the sum of
 * the effects divided by the sum of the total effects.  The other methods have "patch.gradient" or
 * "patch.integrated" in place of "patch" in these names.  Returns -1 with EXIT_INPUT if a sum
 * overflowed, or if no pair can have an effect by a chosen gradient method because of the
 * output_mask.
 */
int head_patch_fill(const struct head_patching *p, struct head_table *t, struct err *e) MUST_USE;

#endif
