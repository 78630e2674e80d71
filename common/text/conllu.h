/*
 * conllu: words with dependencies, a sentence at a time, from CoNLL-U and CoNLL-X files.
 *
 * Ten columns, ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC, with tabs between and none
 * empty; UPOS, XPOS and DEPREL have no blanks.  A sentence ends at an empty line or the end; #
 * begins a comment.  CoNLL-X has the same columns up to DEPREL.  The tree is over syntactic words:
 * multi-word tokens (3-4) and empty nodes (8.1) are checked and counted, and of a token only its
 * text is kept.  HEAD _ in all words: a sentence without a tree.
 */
#ifndef CONLLU_H
#define CONLLU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/texts.h"
#include "stream/input.h"

struct dep_word {
	const char *form, *upos, *xpos, *rel;	/* "_" where the file has it */
	int head;				/* 1-based, 0: the root */
	/*
	 * Its part of the text: the form, except in a multi-word token that is not its words side by side
	 * (zum: zu dem).  There the first word has the text of the token, the others are empty.
	 */
	const char *surface;
};

/* A sentence; everything in it lives until the next one is read into it.  All zeros: empty. */
struct dep_sentence {
	struct dep_word *word;
	int n;
	size_t room;
	bool has_heads;
	const char *fault;		/* why its heads are no tree (conllu_tolerate()), or NULL */
	bool new_doc;			/* a document begins here */
	const char *id, *doc;		/* of "# sent_id =" and the last "# newdoc id =", or NULL */
	int64_t line;			/* its first, comments counted */
	int ranges, empties;		/* multi-word tokens, empty nodes */
	struct texts texts;
};

void dep_sentence_init(struct dep_sentence *s);
void dep_sentence_release(struct dep_sentence *s);

/*
 * To build one by hand.  The word has its form, copied, "_" in the other columns and head 0; other
 * texts come from texts_add(&s->texts, ...) or outlive the sentence.  It moves when another one is
 * added.
 */
void dep_sentence_clear(struct dep_sentence *s);		/* empty, but keeps its room */
struct dep_word *dep_sentence_add(struct dep_sentence *s, const char *form, size_t n);

struct conllu_reader;

struct conllu_reader *conllu_open(const char *path, struct err *e) MUST_USE;
struct conllu_reader *conllu_open_memory(const char *name, const void *p, size_t n,
					 struct err *e) MUST_USE;
/* An input that is already open; the reader closes it in the end. */
struct conllu_reader *conllu_from(struct input *in) MUST_USE;
/*
 * 1, 0 at the end, -1 with file and line: columns, numbers out of order, a head outside of the
 * sentence, no root or (unless many_roots) two, a cycle, what is not UTF-8.
 */
int conllu_next(struct conllu_reader *r, struct dep_sentence *s, bool many_roots,
		struct err *e) MUST_USE;
/* From now on a sentence whose heads are no tree is one without heads: its fault says why. */
void conllu_tolerate(struct conllu_reader *r);
/* Of a word, from 0, of the sentence last read. */
int64_t conllu_line(const struct conllu_reader *r, int word);
void conllu_close(struct conllu_reader *r);	/* NULL is fine */

/* A sentence as CoNLL-U, with the empty line behind it; comments only for what is there. */
void conllu_write(const struct dep_sentence *s, struct buf *out);

/*
 * The rules of a tree for head[i] of word i+1: heads 0..n, one 0 (or, with many_roots, one at
 * least), no cycle.  dep_fault() gives 0, or the word (from 1) that breaks one, and e without its
 * number; dep_check(), for whoever gets heads from a stream, 0 or -1 and "word 3: ...".
 */
int dep_fault(const int *head, int n, bool many_roots, struct err *e) MUST_USE;
int dep_check(const int *head, int n, bool many_roots, struct err *e) MUST_USE;

#endif
