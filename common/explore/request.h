/*
 * request: reads a request of the page of heed-explore(1), a JSON object with these members:
 *
 *	view		text: names the page; a later request of a page overtakes earlier ones
 *	number		integer: number of the request among those of its page
 *	text		text: the sentence to translate, or
 *	sentence	integer: its index, from 0, among the sentences of --dev
 *	removed		list of texts: for each model, a list of the heads to remove, as in
 *			attention/attention-heads.h
 *	target		text: a translation that the models score; without it, they translate
 *	compare0, compare1
 *			list of texts: the tokens of a further translation, which model 0 or
 *			model 1 also scores
 *	beam		integer: beam size
 *	penalty		number: length penalty
 *	relevance	truth value: whether relevance is computed
 *
 * view, number, removed, and one of text and sentence are required.  A member that is not listed
 * here is an error.
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
	REQUEST_TEXT = 4000,		/* maximum size of a sentence or translation in bytes */
	/* Maxima: bytes of view, tokens of compare0 and compare1, and beam size. */
	REQUEST_VIEW = 40, REQUEST_TOKENS = 1000, REQUEST_BEAM = 32
};

struct explore_request {
	struct str view;
	int64_t number;
	struct str text;		/* its s is NULL if `sentence` is given instead */
	int64_t sentence;
	char *removed[EXPLORE_MODELS];
	struct str target;		/* its s is NULL if the models translate */
	const struct str *compare[EXPLORE_MODELS];	/* [n_compare[k]] tokens for model k; or
							 * NULL */
	size_t n_compare[EXPLORE_MODELS];
	int beam;			/* 0: the beam size of the model */
	double penalty;			/* negative: the length penalty of the model */
	bool relevance;
	struct record *rec;		/* private; its fields and the texts above point into
					 * `bytes` */
	struct buf bytes;
};

/*
 * Overwrites *r with the request in the `n` bytes of JSON at `s`.  `models` is the number of
 * models.  Returns -1 with EXIT_INPUT if the request is malformed or has more than REQUEST_BYTES
 * bytes.  Release `r` also after an error.
 */
int explore_request_read(struct explore_request *r, const char *s, size_t n, int models,
			 struct err *e) MUST_USE;
void explore_request_release(struct explore_request *r);

#endif
