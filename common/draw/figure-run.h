/* figure-run: figures from files: what a model has for a sentence, tables, measures of heads. */
#ifndef FIGURE_RUN_H
#define FIGURE_RUN_H

#include <stdbool.h>

#include "draw/figure.h"
#include "draw/pick.h"

/*
 * Adds the panels of f->kind from a model file, which reads the sentence of the source if the kind
 * needs one.  `words` and `read` are those of struct look.  Returns -1 as figure_add_model() and
 * pick.h do, and with EXIT_USAGE if the source has several sentences.
 */
int figure_run_model(struct figure *f, const char *model, const struct pick_source *source,
		     bool words, bool read, struct err *e) MUST_USE;
/*
 * The same for the attention weights of a sentence in a stream, without a model; f->kind is
 * FIGURE_WEIGHTS.
 */
int figure_run_stored(struct figure *f, const struct pick_source *source, bool words, bool read,
		      struct err *e) MUST_USE;
/* Adds n tables, or with n 0 one from standard input. */
int figure_run_tables(struct figure *f, char **path, int n, bool words, struct err *e) MUST_USE;
/*
 * Makes a figure of measures of heads from n streams of kind head, or with n 0 from standard input;
 * see head-figure.h.
 */
int figure_run_heads(struct figure *f, char **path, int n, const char *measures, bool force,
		     struct err *e) MUST_USE;

#endif
