/*
 * explorer: answers the requests of the page of heed-explore(1).  An answer has translations,
 * scores and attention weights of one or more models from which the user has removed heads.
 *
 * The models are loaded once and shared by several workers.  Each worker answers one request at a
 * time, on one thread.  No answer opens a file.
 */
#ifndef EXPLORER_H
#define EXPLORER_H

#include <stdatomic.h>

#include "analysis/head-table.h"
#include "draw/pick.h"
#include "draw/probe.h"
#include "explore/request.h"
#include "explore/source-tree.h"
#include "text/moses.h"

enum { EXPLORE_TOKENS = 250 };		/* maximum number of tokens of the source, and of a
					 * translation in the request */

struct explorer {
	int n;				/* number of models */
	const char *path[EXPLORE_MODELS];
	char *name[EXPLORE_MODELS];
	struct model *model[EXPLORE_MODELS];
	struct head_table measures[EXPLORE_MODELS];
	struct runtime run;		/* its back end holds the prepared models */
	const char *backend;
	struct pick dev;		/* the sentences of --dev; its n is 0 without this option */
	char language[EXPLORE_MODELS][LANGUAGE_ROOM];	/* code of the language by whose rules
					 * texts are tokenized for a model; "": they are not */
	struct source_tree *parser;	/* parses sentences for models that need dependency trees;
					 * NULL: none; explorer_close() closes it */
};

struct explorer_worker {
	struct explorer *x;
	struct runtime run;
	struct probe probe[EXPLORE_MODELS];
	int n;				/* number of open probes */
	struct moses *moses[EXPLORE_MODELS];	/* tokenizers; NULL: texts are not tokenized */
	struct buf text;
};

/*
 * Overwrites *x, and loads the models and the measures of their heads.  `models` has the options
 * --model and --head-measures in the order of the command line; the measures belong to the model
 * before them.  `backend` and `precision` are those of runtime_open() (model/runtime.h); with
 * PRECISION_INT8, matrices remain 8-bit integers.  The struct must not be moved afterward.  Returns
 * -1 with EXIT_USAGE if the order of the options is impossible or there are no or too many models,
 * and with EXIT_INPUT if a file of measures does not fit its model.  Call explorer_close() also
 * after an error.
 */
int explorer_open(struct explorer *x, const struct opt_parts *models, const char *backend,
		  int precision, struct err *e) MUST_USE;
/*
 * Reads the first `number` sentences of the stream `path` into x->dev; a shorter stream has fewer.
 * Returns -1 as pick_open() and pick_read(), or with EXIT_INPUT if the stream does not have the
 * fields that all models read.  Warns of each model whose vocabulary lacks many of the tokens, such
 * as those of another segmentation.
 */
int explorer_read_dev(struct explorer *x, const char *path, int number, struct err *e) MUST_USE;
/*
 * Chooses how texts are tokenized for each model without a SentencePiece model: by the rules of the
 * language with the code `language`, or not at all for "none".  NULL means the source language of
 * the model.  Models with SentencePiece read texts as they are.  Returns -1 with EXIT_USAGE for
 * other texts, and for a code if all models have SentencePiece models.
 */
int explorer_tokenize(struct explorer *x, const char *language, struct err *e) MUST_USE;
void explorer_close(struct explorer *x);

/*
 * Overwrites *w, which must not be moved afterward.  `x` must outlive `w`.  Returns -1 as
 * runtime_open() and probe_open(); then, explorer_worker_close() must not be called.
 */
int explorer_worker_open(struct explorer_worker *w, struct explorer *x, struct err *e) MUST_USE;
void explorer_worker_close(struct explorer_worker *w);

/*
 * Appends the answer to a request: a JSON document of attention weights (head-map(1)), with one
 * sentence for each model.  Returns -1 with EXIT_INPUT if the sentence does not fit a model, and
 * with EXIT_USAGE if a head of the request does not.  If another thread sets *overtaken to true,
 * the function stops and returns -1 with an empty message.
 */
int explorer_answer(struct explorer_worker *w, const struct explore_request *r,
		    const atomic_bool *overtaken, struct buf *out, struct err *e) MUST_USE;
/*
 * Appends the HTML page of heed-explore(1).  `dev` is the file of --dev, which the page prints in
 * commands for the shell; or NULL.
 */
void explore_page(struct explorer *x, const char *dev, struct buf *out);
/* The Content-Security-Policy of the page, for the HTTP header of the same name. */
extern const char explore_policy[];

#endif
