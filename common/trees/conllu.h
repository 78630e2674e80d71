/*
 * conllu: reads sentences with dependencies in CoNLL-U and CoNLL-X, and writes them in CoNLL-U.
 *
 * A line has ten tab-separated columns: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC.  No
 * column is empty; UPOS, XPOS and DEPREL have no spaces.  CoNLL-X has the same columns up to
 * DEPREL.  A sentence ends at an empty line or at the end of the file; # begins a comment.
 *
 * The tree is over syntactic words.  Multi-word tokens (3-4) and empty nodes (8.1) are checked and
 * counted; only the text of a token is kept.  A sentence with HEAD _ in all words has no tree.
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
	 * The text of the word.  This is its form, except in a multi-word token that is not the
	 * concatenation of its words (zum: zu dem): there the first word has the text of the token,
	 * and the others are empty.
	 */
	const char *surface;
	/* The text of a multi-word token in its first word, "" in its other words; else NULL. */
	const char *token;
};

/* A sentence, empty if zero-initialized.  Its texts live until the next one is read into it. */
struct dep_sentence {
	struct dep_word *word;		/* [n] */
	int n;
	size_t room;
	bool has_heads;
	const char *fault;		/* why its heads are not a tree, or NULL */
	bool new_doc;			/* a document begins here */
	const char *id, *doc;		/* of "# sent_id =" and the last "# newdoc id =", or NULL */
	int64_t line;			/* its first line, including comments */
	int ranges, empties;		/* multi-word tokens, empty nodes */
	struct texts texts;
};

void dep_sentence_init(struct dep_sentence *s);
void dep_sentence_release(struct dep_sentence *s);

/*
 * Build a sentence word by word.  dep_sentence_clear() makes the sentence empty, but keeps the
 * memory.  dep_sentence_add() adds a word with a copy of the n bytes of its form, which is also its
 * surface; upos, xpos and rel are "_", token is NULL, and `head` is 0.  The caller then sets other
 * members, and has_heads of the sentence, which is false, once all words have heads.  Texts must
 * come from texts_add(&s->texts, ...) or outlive the sentence.  The pointer is valid until the next
 * call of dep_sentence_add().
 */
void dep_sentence_clear(struct dep_sentence *s);
struct dep_word *dep_sentence_add(struct dep_sentence *s, const char *form, size_t n);

struct conllu_reader;

/*
 * Reads from n bytes at p, which remain the caller's and must outlive the reader; `name` is for
 * messages.  Returns NULL and e as input_memory() (input.h).
 */
struct conllu_reader *conllu_open_memory(const char *name, const void *p, size_t n,
					 struct err *e) MUST_USE;
/* Takes over an open input, which conllu_close() closes.  Never fails. */
struct conllu_reader *conllu_from(struct input *input) MUST_USE;
/*
 * Reads the next sentence into s, which must be initialized and is overwritten.  Returns 1, 0 at
 * the end, or -1 and e, which names file and line.  It is an error (EXIT_INPUT) if a line is
 * malformed or not UTF-8, if IDs are out of order, and if the heads are not a tree as for
 * dep_check().
 */
int conllu_next(struct conllu_reader *r, struct dep_sentence *s, struct err *e) MUST_USE;
/*
 * From now on, a sentence whose heads are not a tree, or of which only some words have a head, is
 * no error: it has no heads, and its `fault` says why.
 */
void conllu_tolerate(struct conllu_reader *r);
/*
 * The number of the line that has word number `word`, counted from 0, of the sentence that was read
 * last.
 */
int64_t conllu_line(const struct conllu_reader *r, int word);
void conllu_close(struct conllu_reader *r);	/* r may be NULL */

/*
 * Appends a sentence in CoNLL-U to `out`, with the comments newdoc and sent_id, if it has them, and
 * the empty line after it.  Multi-word tokens and empty nodes are not written.
 */
void conllu_write(const struct dep_sentence *s, struct buf *out);

/*
 * Check that `head[n]` is a tree, or several, where `head[i]` is the head of word i+1: heads are
 * from 0 to n, at least one is 0 unless n is 0, and there is no cycle.  Both return 0 if it is.
 * Otherwise e has EXIT_INPUT and a message.
 *
 * dep_check() returns -1; its message begins with the wrong word, "word 3: ", counted from 1,
 * unless no word has head 0.  dep_fault() returns the number of the wrong word instead, and its
 * message does not name the word; if no word has head 0, it returns -1.
 */
int dep_fault(const int *head, int n, struct err *e) MUST_USE;
int dep_check(const int *head, int n, struct err *e) MUST_USE;

#endif
