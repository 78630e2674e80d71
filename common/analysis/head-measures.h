/*
 * head-measures: all measures of head-stat(1): those of attention weights, those of the loss, and
 * those that attention variants report.  Most are from one pass over a stream; the others need
 * head_measures_again().
 */
#ifndef HEAD_MEASURES_H
#define HEAD_MEASURES_H

#include "analysis/head-alignment.h"
#include "analysis/head-gating.h"
#include "analysis/head-losses.h"
#include "analysis/head-patch.h"
#include "analysis/head-roles.h"
#include "analysis/head-search.h"
#include "base/progress.h"
#include "data/means.h"
#include "search/forced.h"

struct head_measures {
	/*
	 * Before head_measures_begin(), the caller sets the members of `roles`, `losses` and
	 * `gating` that head-roles.h, head-losses.h and head-gating.h leave to the caller.
	 */
	struct head_roles roles;
	struct head_losses losses;	/* begun by head_measures_begin() if it gets a model */
	/* Each of these is measured if it has been begun; gating by head_measures_begin(). */
	struct head_alignment alignment;
	struct head_patching patching;
	/*
	 * Masks all heads, one after another: unlike measures of each head alone, this order takes
	 * into account that heads can replace each other.
	 */
	struct head_search greedy;
	struct head_gating gating;
	struct means means;		/* measures that the attention variants report */
};

/*
 * The fields of a stream that are read if it has them: dependency trees, words of subwords, and
 * corrupted sources (head-patch.h).  The last element has the name NULL.  The function returns
 * whether a stream with header `h` has all fields that measures of syntax need.
 */
extern const struct field head_measures_needs[];
bool head_measures_has_trees(const struct header *h);

void head_measures_begin(struct head_measures *h, struct model *m);	/* `m` NULL: no losses */
void head_measures_release(struct head_measures *h);

/*
 * Adds a sentence to the measures that need only attention weights: roles and alignments.  `arg` is
 * a struct head_measures.  Errors as in head_roles_add() and head_alignment_add().
 */
sentence_attention_take head_measures_see;
/*
 * Runs the model on a batch of forced_run() (search/forced.h) and adds the batch to all measures.
 * Returns -1 with an error that names the input.
 */
int head_measures_add(struct head_measures *h, struct forced *f, struct batch *b,
		      struct err *e) MUST_USE;

/*
 * Checks that the stream has a target, which losses need.  Returns -1 with EXIT_INPUT if there is
 * none, and with EXIT_USAGE if the stream has both references and translations and `is_chosen` is
 * false, that is, if the user has not chosen one of them.  `option` is the command-line option that
 * needs a target, for the message.
 */
int head_measures_check_target(const struct forced *f, bool is_chosen, const char *option,
			       struct err *e) MUST_USE;
/*
 * Computes the measures that need more passes over the text: the translations for ablation.bleu,
 * with beam size `beam`, the search of greedy, and the updates of gating.  Call it after the last
 * batch.  Shows their progress unless `quiet` is true.  Returns -1 with an error that names the
 * input.
 */
int head_measures_again(struct head_measures *h, struct forced *f, int beam, bool quiet,
			struct progress *progress, struct err *e) MUST_USE;
/*
 * Call it after the last batch.  Returns -1 with EXIT_INPUT if the model's output_mask leaves no
 * target tokens for a chosen loss, or as head_alignment_check().
 */
int head_measures_check(struct head_measures *h, const struct forced *f, struct err *e) MUST_USE;
/*
 * Warns if the trees have no arcs of a relation, whose name may be misspelled or belong to another
 * label set.  If `chosen` is false, that is, with the default relations, warns only if the trees
 * have no arcs of any of them: a small corpus may lack some.
 */
void head_measures_warn(const struct head_measures *h, bool chosen);

/* In the functions below, f->m is NULL if the attention weights come from the stream f->in. */
/*
 * Adds the columns of all measures and the signature (stream/signature.h) to the table.  Returns -1
 * with EXIT_INPUT as head_losses_fill() or head_patch_fill().
 */
int head_measures_fill(const struct head_measures *h, const struct forced *f,
		       struct head_table *t, struct err *e) MUST_USE;

/* The output of head-stat(1): the measures as a stream or as a table, and the notes. */
enum head_form { HEAD_STREAM, HEAD_TSV, HEAD_MARKDOWN, HEAD_LATEX };
extern const char *const head_forms[];	/* the names of enum head_form, then NULL */

struct head_output {
	const char *name;		/* of the program, printed before notes */
	const char *path;		/* NULL: standard output */
	enum head_form form;
	unsigned flags;			/* of the stream: STREAM_* of stream/stream.h */
	bool verbose;			/* also print the signature and the notes on standard
					 * error */
};

/*
 * Writes the table of head_measures_fill().  A stream also gets the notes and the provenance of the
 * input.  Returns -1 as writer_open() or output_all().
 */
int head_measures_write(const struct head_measures *h, const struct forced *f,
			const struct head_table *t, const struct head_output *form,
			struct err *e) MUST_USE;

#endif
