/*
 * walk-run: writes an HTML page (walk.h) with the attention weights of selected sentences of a
 * stream, or only its data as JSON (walk-data.h).  The weights are computed by one or more models,
 * or are already in the stream.
 */
#ifndef WALK_RUN_H
#define WALK_RUN_H

#include <stdbool.h>

#include "base/cli.h"
#include "draw/pick.h"
#include "draw/walk-data.h"

struct walk_run {
	const struct opt_parts *models;	/* the options --model and --head-measures, in the order of
					 * the command line */
	struct pick_source from;
	bool stored;			/* the stream has the weights; there is no --model */
	bool read;			/* label decoder positions with the tokens that they read
					 * (look.h) */
	const char *title;		/* title of the page; or NULL */
	const char *by;			/* name of the measure that the page shows first; or NULL */
	bool without;			/* with models: include the translations without each head
					 * (without.h) */
};

/*
 * Writes the page or, with `json`, only its data to the file `output`; NULL means standard output.
 * The argument of an option --head-measures is a stream of kind "head".  It belongs to the last
 * --model before this option or, if r->stored is true, to the weights in the stream.  With stored
 * weights, the page has the sentences in the order of the stream.  Without models and without
 * stored weights, the page is empty, and the user opens files in the browser.  Returns -1 with
 * EXIT_USAGE if the options contradict each other, and with EXIT_INPUT if the input does not fit a
 * model.
 */
int walk_write(const struct walk_run *r, bool json, const char *output, struct err *e) MUST_USE;

#endif
