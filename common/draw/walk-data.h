/*
 * walk-data: writes attention weights of sentences as a JSON document, for the HTML page of walk.h
 * and for other programs.  head-map(1) describes the format under ATTENTION AS JSON.
 *
 * A document has one or more models; a model has measures of its heads, and sentences.  To write a
 * document, call:
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

/* Maxima of a document.  The script of the page, walk-data.js, has the same values. */
enum {
	WALK_MODELS = 8, WALK_SENTENCES = 100, WALK_TOKENS = 1000, WALK_MIB = 64,
	WALK_TEXT = 1000	/* characters of a token, a word or any other text */
};

struct walk_data {
	struct buf json;
	int digits;			/* digits after the decimal point of a weight */
	int models, sentences;		/* number of models so far, and of sentences of the last
					 * model */
	size_t long_text;		/* number of characters of the first text with more than
					 * WALK_TEXT; 0: none */
	bool no_tree;			/* a tree was left out, and the user was warned */
	/*
	 * Set by the caller: further JSON members of the next sentence, each after a comma; or
	 * NULL.
	 */
	const struct buf *more;
};

void walk_data_begin(struct walk_data *d, int digits);
/*
 * Begins the model of `l`, or a stream of weights in its place, named `name`.  The table `t` has
 * the measures of its heads, and must have no other heads.  If the model has gates, they are added
 * to `t` as a measure.  `measure` is the name of the measure that the page shows first; NULL: the
 * page chooses.
 */
void walk_data_model(struct walk_data *d, const struct look *l, const char *name,
		     struct head_table *t, const char *measure);
/*
 * Appends the JSON member "heads": the measures in `t` of the heads of the attention layers
 * `sites`.  walk_data_model() calls it.
 */
void walk_data_heads(struct walk_data *d, struct site_list sites, const struct head_table *t);
/*
 * Adds the sentence of `l` (look_at() or look_stored()) with the id `id`, and its weights at all
 * sites (attention layers) for which they have been computed, over subwords even if l->words is
 * true.  The dependency trees in the fields src.heads and tgt.heads are included.  A tree whose
 * number of words differs from that of the subwords is left out; the first time, the user is
 * warned.  Returns -1 with EXIT_INPUT for malformed trees, and if a maximum is exceeded:
 * WALK_SENTENCES sentences of a model, WALK_TOKENS tokens of a sentence, WALK_MIB MiB of the
 * document, or WALK_TEXT characters of a text, be it of the sentence or of its model.  The message
 * does not name the record.
 */
int walk_data_add(struct walk_data *d, struct look *l, const char *id, struct err *e) MUST_USE;
void walk_data_end(struct walk_data *d);
void walk_data_release(struct walk_data *d);

#endif
