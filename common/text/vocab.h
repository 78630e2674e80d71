/*
 * vocab: subwords and their numbers.
 *
 * A vocabulary starts with four special symbols, then the types by falling
 * count, ties by bytes.  As text (in models): one type a line, in order,
 * without the specials, so that line i is number VOCAB_SPECIALS + i - 1.  A
 * type may look like a special ("<s>" in a corpus): it is another one.
 */
#ifndef VOCAB_H
#define VOCAB_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"

enum { VOCAB_PAD, VOCAB_BOS, VOCAB_EOS, VOCAB_UNK, VOCAB_SPECIALS };	/* <pad> <s> </s> <unk> */

struct vocab {
	struct strmap types;		/* without the specials: number i here is id VOCAB_SPECIALS + i */
	int n;				/* of all, with the specials */
};

void vocab_init(struct vocab *v);		/* just the specials */
void vocab_release(struct vocab *v);
int vocab_id(const struct vocab *v, const char *s, size_t n);	/* VOCAB_UNK if unknown; never another special */
const char *vocab_text(const struct vocab *v, int id, size_t *n);	/* 0 <= id < v->n; n may be NULL */

/*
 * From counted types: those with count >= min_count, at most max_types (0: all).
 * v is overwritten.  What the text form cannot hold (an empty type, a newline,
 * invalid UTF-8) is left out and so stays unknown.
 */
void vocab_from_counts(struct vocab *v, const struct strmap *types, const int64_t *count,
		       int64_t min_count, int max_types);

/*
 * The text form and back (v is overwritten, empty on error); reading checks
 * duplicates and UTF-8, errors with the line.
 */
void vocab_write(const struct vocab *v, struct buf *out);
int vocab_read(struct vocab *v, const char *text, size_t n, struct err *e);
int vocab_copy(struct vocab *to, const struct vocab *from,
	       struct err *e);	/* to is overwritten */
uint64_t vocab_digest(const struct vocab *v);	/* stable: FNV-1a of the text form */

#endif
