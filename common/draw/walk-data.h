/*
 * walk-data: attention weights of sentences as JSON, for the page of walk.h and for other programs.
 * head-map(1) describes the format under ATTENTION AS JSON.
 *
 * A document has models, and a model has measures of heads and sentences:
 *
 *	walk_data_begin()
 *	for each model: walk_data_model(), for each sentence walk_data_add()
 *	walk_data_end()
 */
#ifndef WALK_DATA_H
#define WALK_DATA_H

#include "analysis/head-table.h"
#include "base/buf.h"
#include "base/err.h"
#include "draw/look.h"

/* Maxima of a document; the page, walk-data.js, has the same. */
enum {
	WALK_MODELS = 8, WALK_SENTENCES = 100, WALK_TOKENS = 1000, WALK_MIB = 64,
	WALK_TEXT = 1000	/* characters of a token, a word or any other text */
};

struct walk_data {
	struct buf json;
	int digits;			/* after the decimal point of a weight */
	int models, sentences;		/* so far; sentences of the last model */
	size_t long_text;		/* characters of the first text of more than WALK_TEXT */
	bool no_tree;			/* a tree was left out, of which the user was warned */
	/* Set by the caller: further members of the next sentence, each after a comma; or NULL. */
	const struct buf *more;
};

void walk_data_begin(struct walk_data *d, int digits);
/*
 * Begins a model, or a stream of weights, with the measures in t, all of whose heads must be among
 * its heads.  Adds the gates of a model to t as a measure.  `measure` is the one that the page
 * shows first, or NULL.
 */
void walk_data_model(struct walk_data *d, const struct look *l, const char *name,
		     struct head_table *t, const char *measure);
/* Appends the measures in t of the heads of these sites, as the member heads. */
void walk_data_heads(struct walk_data *d, struct site_list sites, const struct head_table *t);
/*
 * Adds the sentence of l, with all sites that have run; l->words is ignored.  The dependency trees
 * of src.heads and tgt.heads are included; a tree with a different number of words than the
 * subwords is left out, the first with a warning.  Returns -1 with EXIT_INPUT, naming no record,
 * for malformed trees, and if the document has more than WALK_SENTENCES sentences of a model,
 * WALK_TOKENS tokens of a sentence, WALK_MIB MiB, or a text of more
 * than WALK_TEXT characters, also in the model.
 */
int walk_data_add(struct walk_data *d, struct look *l, const char *id, struct err *e) MUST_USE;
void walk_data_end(struct walk_data *d);
void walk_data_release(struct walk_data *d);

#endif
