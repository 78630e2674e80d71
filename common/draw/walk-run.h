/*
 * walk-run: runs models over the selected sentences of a stream, or takes the attention weights in
 * the stream, and writes a page of them, walk.h, or its data, walk-data.h.
 */
#ifndef WALK_RUN_H
#define WALK_RUN_H

#include <stdbool.h>

#include "base/cli.h"
#include "draw/pick.h"
#include "draw/walk-data.h"

struct walk_run {
	const struct opt_parts *models;	/* the options --model and --head-measures, in order */
	struct pick_source from;
	bool stored;			/* there is no --model: the stream has the weights */
	bool read;			/* as in look.h */
	const char *title;		/* of the page, or NULL */
	const char *by;			/* the measure that the page shows first, or NULL */
	bool without;			/* include the translations without each head (without.h) */
};

/*
 * Writes a page or, with json, its data to output (NULL: standard output).  --head-measures FILE, a
 * stream of kind head, belongs to the --model before it, or to the weights in the stream, whose
 * sentences the page has in the order of the stream.  A page with neither opens files by itself.
 * Returns -1 with EXIT_USAGE for an impossible list of options, EXIT_INPUT for input that
 * does not fit a model.
 */
int walk_write(const struct walk_run *r, bool json, const char *output, struct err *e) MUST_USE;

#endif
