/*
 * translate: sentences in any number and order of lengths, searched in good batches.
 *
 * Takes a window of sentences, sorts them by length, deals them out into batches of about
 * as many source symbols each, and searches every batch on one thread, or a single one on
 * all; results stay with their sentence, so the caller writes them in the order in which they
 * came.  What is in a batch depends on the window alone.
 */
#ifndef TRANSLATE_H
#define TRANSLATE_H

#include "base/arena.h"
#include "model/search.h"

enum { TRANSLATE_BATCH = 4096 };	/* source symbols in a batch, unless someone says otherwise */

struct job {
	const struct record *rec;
	int64_t number;			/* of the record in its stream, from 0 */
	int n_symbols;			/* of the source; a sentence of none gets an empty translation */
	bool skip;			/* and so does this one */
	int *prefix, n_prefix;		/* forced beginning */
	struct translation out;
};

struct translator {
	struct model *model;
	struct pass *pass;
	struct search_settings search;
	int64_t batch_tokens;		/* source symbols in a batch, about */
	bool cut;			/* what is too long loses its end; otherwise an error */
	struct stream *stream;		/* [n_streams]: who searches; translate.c's own */
	int n_streams;
	struct arena results;		/* of the last window, what the streams found apart */
	int64_t n_sentences, n_symbols;	/* translated since the beginning; symbols of the best hypotheses */
};

void translator_init(struct translator *t, struct model *m, struct pass *p);	/* search as the model's recipe says */
void translator_release(struct translator *t);

/* Symbols of a text's blank-separated pieces in the target vocabulary, in the results' arena. */
void translate_prefix(struct translator *t, struct job *job, const struct str *piece, size_t n);

/* Forgets the results of the window before.  Call it before the first translate_prefix() of a window. */
void translate_begin(struct translator *t);
int translate_window(struct translator *t, struct job *job, int n, struct err *e) MUST_USE;

/* A hypothesis as pieces: texts in the model's vocabulary, in arena mem. */
struct str *translate_pieces(const struct model *m, const struct hypothesis *h, struct arena *mem);

#endif
