/*
 * request: what a page of heed-explore asks for: one JSON object with these members:
 *
 *	view		text: names the page; a later request of a page overtakes earlier ones
 *	number		integer: of the request in its page
 *	text		text: the sentence to translate, or
 *	sentence	integer: its index, from 0, among the sentences of --dev
 *	removed		list of texts: for each model, the heads that it lacks, as in
 *			attention-heads.h
 *	target		text: a translation to be forced; without it, the models translate
 *	compare0, compare1
 *			list of texts: the tokens of another translation, which model 0 or 1 scores
 *	beam		integer: beam size
 *	penalty		number: length penalty
 *	relevance	truth value: whether relevance is computed
 *
 * A request has view, number, removed, and text or sentence; other members are an error.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

enum {
	EXPLORE_MODELS = 2,
	REQUEST_BYTES = 65536,		/* maximum size of a request in bytes */
	REQUEST_TEXT = 4000,		/* bytes of a sentence or translation */
	REQUEST_VIEW = 40, REQUEST_TOKENS = 1000, REQUEST_BEAM = 32
};

struct explore_request {
	struct str view;
	int64_t number;
	struct str text;		/* s is NULL if the request has a sentence of --dev */
	int64_t sentence;
	char *removed[EXPLORE_MODELS];
	struct str target;		/* s is NULL without a forced translation */
	const struct str *compare[EXPLORE_MODELS];	/* or NULL */
	size_t n_compare[EXPLORE_MODELS];
	int beam;			/* 0: that of the model */
	double penalty;			/* below 0: that of the model */
	bool relevance;
	struct record *rec;		/* points into bytes, as the texts do */
	struct buf bytes;
};

/*
 * Reads n bytes of JSON, at most REQUEST_BYTES, for this number of models.  r must be released in
 * any case.  Returns -1 with EXIT_INPUT.
 */
int explore_request_read(struct explore_request *r, const char *s, size_t n, int models,
			 struct err *e) MUST_USE;
void explore_request_release(struct explore_request *r);

#endif
