/*
 * figure-run: makes figures from files: from a model that reads a sentence, from stored attention
 * weights, from tables, and from measures of heads.
 */
#ifndef FIGURE_RUN_H
#define FIGURE_RUN_H

#include <stdbool.h>

#include "draw/figure.h"
#include "draw/pick.h"

/*
 * Adds the panels of f->kind from the model file `model`, which reads the one sentence of `source`
 * if the kind needs a sentence.  `words` and `read` are those of struct look.  Returns -1 as
 * figure_add_model() and pick.h do, and with EXIT_USAGE if `source` selects several sentences.
 */
int figure_run_model(struct figure *f, const char *model, const struct pick_source *source,
		     bool words, bool read, struct err *e) MUST_USE;
/*
 * The same for the attention weights of a sentence in a stream, without a model; f->kind is
 * FIGURE_WEIGHTS.
 */
int figure_run_stored(struct figure *f, const struct pick_source *source, bool words, bool read,
		      struct err *e) MUST_USE;
/*
 * Adds the tables of n files or, if n is 0, of standard input.  Returns -1 as figure_add_table().
 */
int figure_run_tables(struct figure *f, char **path, int n, bool words, struct err *e) MUST_USE;
/*
 * Makes a figure of measures of heads from n streams of kind head or, if n is 0, from standard
 * input.  `measures` is the list of head_figure_make(), whose errors it returns.
 */
int figure_run_heads(struct figure *f, char **path, int n, const char *measures, bool force,
		     struct err *e) MUST_USE;

#endif
