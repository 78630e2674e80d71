/*
 * head-measures: all measures of heads from one pass over a stream: attention and roles, losses,
 * and what the attention variants report.
 */
#ifndef HEAD_MEASURES_H
#define HEAD_MEASURES_H

#include "analysis/head-alignment.h"
#include "analysis/head-gating.h"
#include "analysis/head-greedy.h"
#include "analysis/head-losses.h"
#include "analysis/head-patch.h"
#include "analysis/head-roles.h"
#include "base/progress.h"
#include "data/means.h"
#include "search/forced.h"

struct head_measures {
	/*
	 * The caller sets the members of roles, losses and gating that their headers leave to the
	 * caller.
	 */
	struct head_roles roles;
	struct head_losses losses;	/* begun unless m of head_measures_begin() is NULL */
	struct head_alignment alignment;	/* if it has been begun */
	struct head_patching patching;	/* if it has been begun */
	struct head_greedy greedy;	/* if it has been begun */
	struct head_gating gating;	/* if it has been begun */
	struct means means;		/* measures that the attention variants report */
};

/*
 * Optional fields: those of trees and words, and those of pairs for patching.  The function returns
 * whether a stream has all fields of trees.
 */
extern const struct field head_measures_needs[];
bool head_measures_has_trees(const struct header *h);

void head_measures_begin(struct head_measures *h, struct model *m);	/* NULL: no losses */
void head_measures_release(struct head_measures *h);

/* Adds a sentence of a struct head_measures to the measures that need only its weights. */
sentence_attention_take head_measures_see;
/*
 * Runs the model on a batch of forced_run() and adds it to the measures.  Returns -1 with an error
 * that names the input.
 */
int head_measures_add(struct head_measures *h, struct forced *f, struct batch *b,
		      struct err *e) MUST_USE;

/*
 * Checks that the stream has a target, as losses need, and that it is clear which one.  Returns -1
 * with EXIT_INPUT if there is none, and with EXIT_USAGE if there are two and `is_chosen` is false.
 * `option` is the option that needs a target, for the message.
 */
int head_measures_check_target(const struct forced *f, bool is_chosen, const char *option,
			       struct err *e) MUST_USE;
/*
 * Computes, after the last batch, what passes over the text again: the translations for
 * ablation.bleu, with this beam size, the search of greedy, and the updates of gating.  Shows their
 * progress unless `quiet`.
 */
int head_measures_again(struct head_measures *h, struct forced *f, int beam, bool quiet,
			struct progress *progress, struct err *e) MUST_USE;
/*
 * After the last batch: -1 with EXIT_INPUT if tokens of the targets were all masked, or if there
 * are gold alignments of more sentences.
 */
int head_measures_check(struct head_measures *h, const struct forced *f, struct err *e) MUST_USE;
/*
 * Warns of relations without arcs: a chosen name may be misspelled or belong to another label set.
 * Of the default relations, a small corpus may lack some, so that only the absence of all counts.
 */
void head_measures_warn(const struct head_measures *h, bool chosen);

/*
 * In the functions below, f->m is NULL if the weights come from a stream, f->in.
 */
/*
 * Adds the columns of all measures, and the signature.  Returns -1 with EXIT_INPUT if a loss
 * overflowed.
 */
int head_measures_fill(const struct head_measures *h, const struct forced *f,
		       struct head_table *t, struct err *e) MUST_USE;

/* Calls put() for each note: the numbers of sentences, rows, targets and arcs. */
typedef int head_measures_put(void *arg, const char *name, const char *value, struct err *e);
int head_measures_notes(const struct head_measures *h, const struct forced *f,
			head_measures_put *put, void *arg, struct err *e) MUST_USE;

/* The measures of head-stat as a stream or as a table, with their notes. */
enum head_form { HEAD_STREAM, HEAD_TSV, HEAD_MARKDOWN, HEAD_LATEX };
extern const char *const head_forms[];	/* the names by enum head_form, then NULL */

struct head_output {
	const char *name;		/* of the program, for notes */
	const char *path;		/* NULL: standard output */
	enum head_form form;
	unsigned flags;			/* of the stream, STREAM_* */
	bool verbose;			/* print the notes on standard error, too */
};

/*
 * Writes the table, which head_measures_fill() filled, and, to a stream, the provenance of the
 * input and the notes.  Returns -1 as writer_open() or output_all().
 */
int head_measures_write(const struct head_measures *h, const struct forced *f,
			const struct head_table *t, const struct head_output *form,
			struct err *e) MUST_USE;

#endif
