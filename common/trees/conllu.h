/*
 * conllu: reads and writes sentences with dependencies in CoNLL-U and CoNLL-X.
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
 * Build a sentence word by word.  dep_sentence_clear() keeps the memory.  dep_sentence_add() adds a
 * word with a copy of the form, "_" in the other columns and head 0.  Other texts must come from
 * texts_add(&s->texts, ...) or outlive the sentence.  The pointer is valid until the next call.
 */
void dep_sentence_clear(struct dep_sentence *s);
struct dep_word *dep_sentence_add(struct dep_sentence *s, const char *form, size_t n);

struct conllu_reader;

/* Reads from n bytes at p, which remain the caller's and must outlive the reader. */
struct conllu_reader *conllu_open_memory(const char *name, const void *p, size_t n,
					 struct err *e) MUST_USE;
/* Takes over an open input; conllu_close() closes it. */
struct conllu_reader *conllu_from(struct input *input) MUST_USE;
/*
 * Reads the next sentence.  Returns 1, 0 at the end, or -1 with EXIT_INPUT and a message with file
 * and line.  Errors are malformed columns, IDs out of order, a head outside the sentence, no root,
 * a cycle, and text that is not UTF-8.
 */
int conllu_next(struct conllu_reader *r, struct dep_sentence *s, struct err *e) MUST_USE;
/*
 * From now on, a sentence whose heads are not a tree, or of which only some words have a head, is
 * no error: it has no heads, and its `fault` says why.
 */
void conllu_tolerate(struct conllu_reader *r);
/* The line of a word, from 0, of the last sentence. */
int64_t conllu_line(const struct conllu_reader *r, int word);
void conllu_close(struct conllu_reader *r);	/* r may be NULL */

/* Appends a sentence in CoNLL-U to `out`, with its comments and the empty line after it. */
void conllu_write(const struct dep_sentence *s, struct buf *out);

/*
 * Check that `head[n]` is a tree, or several, where `head[i]` is the head of word i+1: heads are
 * from 0 to n, at least one is 0, and there is no cycle.  dep_fault() returns 0, or the first wrong
 * word (from 1) and e, whose message does not name the word; without a root, -1. dep_check()
 * returns 0, or -1 and e with a message "word 3: ..." or "no word has head 0 ...".
 */
int dep_fault(const int *head, int n, struct err *e) MUST_USE;
int dep_check(const int *head, int n, struct err *e) MUST_USE;

#endif
