/*
 * explorer: answers to the requests of a page: translations, scores and attention weights of models
 * without some of their heads.
 *
 * The models are loaded once and shared by workers, each of which answers one request at a time on
 * one thread.  No answer opens a file.
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

enum { EXPLORE_TOKENS = 250 };		/* maximum number of tokens of the source, and of a forced
					 * target */

struct explorer {
	int n;				/* models */
	const char *path[EXPLORE_MODELS];
	char *name[EXPLORE_MODELS];
	struct model *model[EXPLORE_MODELS];
	struct head_table measures[EXPLORE_MODELS];
	struct runtime run;		/* the models are prepared on its back end */
	const char *backend;
	struct pick dev;		/* the sentences of --dev; n is 0 without that option */
	char language[LANGUAGE_ROOM];	/* the language whose rules tokenize texts; "": texts are
					 * not tokenized */
	struct source_tree *parser;	/* parser of the sentences, or NULL; explorer_close() closes
					 * it */
};

struct explorer_worker {
	struct explorer *x;
	struct runtime run;
	struct probe probe[EXPLORE_MODELS];
	struct moses *moses;		/* or NULL */
	struct buf text;
};

/*
 * Loads models and measures.  In int8, the matrices remain 8-bit integers, as in nmt-translate.
 * `models`: the options --model and --head-measures, in order, as in walk-run.h.  Returns -1 with
 * EXIT_USAGE for an impossible order of options, EXIT_INPUT for files that do not fit the models.
 * Call explorer_close() in any case.  x must not be moved.
 */
int explorer_open(struct explorer *x, const struct opt_parts *models, const char *backend,
		  int precision, struct err *e) MUST_USE;
/* Reads at most `number` sentences, which all models must be able to read. */
int explorer_read_dev(struct explorer *x, const char *path, int number, struct err *e) MUST_USE;
/* Chooses the rules for tokens: of a language, none, or with NULL the first model's source. */
int explorer_tokenize(struct explorer *x, const char *language, struct err *e) MUST_USE;
void explorer_close(struct explorer *x);

/*
 * Makes a worker, which must not be moved; x must outlive it.  Returns -1 as runtime_open() and
 * probe_open(); then explorer_worker_close() must not be called.
 */
int explorer_worker_open(struct explorer_worker *w, struct explorer *x, struct err *e) MUST_USE;
void explorer_worker_close(struct explorer_worker *w);

/*
 * Appends the answer to a request: a document of attention weights, as head-map(1) describes, with
 * one sentence for each model.  If *overtaken becomes true, it stops and returns -1 with an empty
 * message.  Returns -1 with EXIT_INPUT for a sentence or a head that a model does not accept.
 */
int explorer_answer(struct explorer_worker *w, const struct explore_request *r,
		    const atomic_bool *overtaken, struct buf *out, struct err *e) MUST_USE;
/* Appends the HTML page of heed-explore.  `dev`: the file of --dev in its commands, or NULL. */
void explore_page(struct explorer *x, const char *dev, struct buf *out);
/* The Content-Security-Policy of the page, for its header. */
extern const char explore_policy[];

#endif
