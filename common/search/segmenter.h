/*
 * segmenter: between lines of words and the subwords of a model.
 *
 * Uses the BPE codes that the model contains.  Without codes, a line is split at its blanks.
 */
#ifndef SEGMENTER_H
#define SEGMENTER_H

#include "base/arena.h"
#include "base/buf.h"
#include "model/model.h"

struct segmenter {
	struct bpe *codes;		/* or NULL */
	struct bpe_coder *coder;
	struct buf line, pieces;	/* scratch; the subwords of the last line */
};

/* Reads the BPE codes of m; returns -1 with EXIT_INPUT, naming the file, if they are malformed. */
int segmenter_init(struct segmenter *s, const struct model *m, const char *name,
		   struct err *e) MUST_USE;
void segmenter_release(struct segmenter *s);

/*
 * Segments n bytes.  A tab and a CR count as blanks.  Returns an array of *count subwords in mem;
 * their texts are valid until the next segmenter_cut().
 */
struct str *segmenter_cut(struct segmenter *s, const char *text, size_t n, struct arena *mem,
			  size_t *count);

/* Appends n subwords, joined into words: without "@@" and the blanks after it. */
void segmenter_join(struct segmenter *s, const struct str *piece, int n, struct buf *out);

#endif
