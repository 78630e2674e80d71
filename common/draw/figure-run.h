/*
 * figure-run: makes figures (figure.h) from files.  The input is a model with a sentence, a stream
 * with attention weights, a table, or a stream of measures of heads.
 */
#ifndef FIGURE_RUN_H
#define FIGURE_RUN_H

#include <stdbool.h>

#include "draw/figure.h"
#include "draw/pick.h"

/*
 * Adds the panels of f->kind for the model in the file `model`.  If the kind needs a sentence, the
 * model processes the sentence that `source` (pick.h) selects.  `words` and `read` are those of
 * struct look (look.h).  Returns -1 as figure_add_model(), pick_open(), pick_read() or pick_fit(),
 * with EXIT_USAGE if `source` selects several sentences, or if the model cannot be loaded.
 */
int figure_run_model(struct figure *f, const char *model, const struct pick_source *source,
		     bool words, bool read, struct err *e) MUST_USE;
/*
 * Like figure_run_model(), without a model: the stream of `source` has the attention weights of the
 * sentence.  The kind f->kind must be FIGURE_WEIGHTS.
 */
int figure_run_stored(struct figure *f, const struct pick_source *source, bool words, bool read,
		      struct err *e) MUST_USE;
/*
 * Adds the tables in the `n` files of `path` or, if `n` is 0, in standard input.  With `words`,
 * combines subwords into words.  Returns -1 as figure_add_table().
 */
int figure_run_tables(struct figure *f, char **path, int n, bool words, struct err *e) MUST_USE;
/*
 * Makes a figure of measures of heads from the `n` streams of kind "head" in `path` or, if `n` is
 * 0, from standard input.  `measures` is the list of head_figure_make() (head-figure.h).  `force`
 * allows reading a binary stream from a terminal.  Returns -1 as head_table_read() or
 * head_figure_make().
 */
int figure_run_heads(struct figure *f, char **path, int n, const char *measures, bool force,
		     struct err *e) MUST_USE;

#endif
