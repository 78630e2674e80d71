/*
 * conllu: words with dependencies, a sentence at a time, from CoNLL-U and CoNLL-X files.
 *
 * Ten columns, ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC, with tabs between; a sentence ends
 * at an empty line or the end; # begins a comment.  Multi-word tokens (3-4) and empty nodes (8.1) are
 * skipped and counted: the tree is over syntactic words.  HEAD _ in all words: a sentence without a tree.
 */
#ifndef CONLLU_H
#define CONLLU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct dep_word {
	const char *form, *upos, *xpos, *rel;	/* "_" where the file has it */
	int head;				/* 1-based, 0: the root */
};

/* A sentence; everything in it lives until the next one is read into it. */
struct dep_sentence {
	struct dep_word *word;
	int n;
	bool has_heads;
	const char *id, *doc;		/* of "# sent_id = " and the last "# newdoc id = ", or NULL */
	int64_t line;			/* its first, comments counted */
	int ranges, empties;		/* skipped */
	struct arena mem;
};

void dep_sentence_init(struct dep_sentence *s);
void dep_sentence_release(struct dep_sentence *s);

struct conllu_reader;

struct conllu_reader *conllu_open(const char *path, struct err *e) MUST_USE;
struct conllu_reader *conllu_open_memory(const char *name, const void *p, size_t n, struct err *e) MUST_USE;
/*
 * 1, 0 at the end, -1 with file and line: columns, numbers out of order, a head outside of the
 * sentence, no root or (unless many_roots) two, a cycle.
 */
int conllu_next(struct conllu_reader *r, struct dep_sentence *s, bool many_roots, struct err *e) MUST_USE;
void conllu_close(struct conllu_reader *r);	/* NULL is fine */

/* A sentence as CoNLL-U, with the empty line behind it; comments only for what is there. */
void conllu_write(const struct dep_sentence *s, struct buf *out);

/*
 * heads[i] of word i+1.  0, or -1 and which rule is broken at which word, in words: "word 3: ..."; for
 * whoever gets heads from a stream.
 */
int dep_check(const int *head, int n, bool many_roots, struct err *e) MUST_USE;

#endif
