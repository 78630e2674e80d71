/*
 * conllu: reads sentences with dependencies in CoNLL-U and CoNLL-X, and writes them in CoNLL-U.
 *
 * A line has ten tab-separated columns: ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC.  No
 * column is empty; UPOS, XPOS and DEPREL have no spaces.  CoNLL-X has the same columns up to
 * DEPREL, and two other ones, which are not read.  A sentence ends at an empty line or at the end
 * of the file.  A line that begins with # is a comment.
 *
 * The words of a sentence and its tree are the syntactic words.  Multi-word tokens (with ID 3-4)
 * and empty nodes (with ID 8.1) are checked and counted; of these, only the texts of multi-word
 * tokens are kept.  A sentence with HEAD _ in all words has no tree.
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
	 * The part of the sentence's text that the word stands for.  This is `form`, except in a
	 * multi-word token that is not the concatenation of its words, such as German zum for zu
	 * and dem.  There the first word has the text of the token, and the other words have "".
	 */
	const char *surface;
	/*
	 * In the first word of a multi-word token, the text of the token; in its other words, "";
	 * in words outside of multi-word tokens, and in those of a token with the text _, NULL.
	 */
	const char *token;
};

/*
 * A sentence; empty if zero-initialized.  Its texts are valid until the next sentence is read into
 * the same struct.
 */
struct dep_sentence {
	struct dep_word *word;		/* [n] */
	int n;
	size_t room;
	bool has_heads;			/* false: the sentence has no tree */
	const char *fault;		/* why its heads are not a tree, or NULL */
	bool new_doc;			/* a document begins with this sentence */
	const char *id, *doc;		/* of "# sent_id =" and the last "# newdoc id =", or NULL */
	int64_t line;			/* its first line in the file, including comments */
	int ranges, empties;		/* numbers of multi-word tokens and of empty nodes */
	struct texts texts;
};

void dep_sentence_release(struct dep_sentence *s);

/*
 * Build a sentence word by word.  dep_sentence_clear() makes the sentence empty, but keeps its
 * memory.  dep_sentence_add() adds a word with a copy of the n bytes of its form, which is also its
 * surface; upos, xpos and rel are "_", token is NULL, and head is 0.  The caller may then set these
 * members; their texts must come from texts_add(&s->texts, ...) or outlive the sentence.  Once all
 * words have heads, the caller sets s->has_heads, which is false before.  The pointer that
 * dep_sentence_add() returns is valid until its next call.
 */
void dep_sentence_clear(struct dep_sentence *s);
struct dep_word *dep_sentence_add(struct dep_sentence *s, const char *form, size_t n);

struct conllu_reader;

/*
 * Opens a reader of the n bytes at p, which are not copied and must outlive the reader.  `name` is
 * the name of the file for messages.  Returns NULL with the error of input_memory() (input.h).
 */
struct conllu_reader *conllu_open_memory(const char *name, const void *p, size_t n,
					 struct err *e) MUST_USE;
/* Opens a reader of an open input (input.h), which conllu_close() closes.  Never fails. */
struct conllu_reader *conllu_from(struct input *input) MUST_USE;
/*
 * Reads the next sentence into s, which must be initialized and is overwritten.  Returns 1, 0 at
 * the end of the file, or -1 with an error that names file and line.  Errors with EXIT_INPUT are a
 * line that is malformed or not UTF-8, IDs out of order, and heads that dep_check() rejects.
 */
int conllu_next(struct conllu_reader *r, struct dep_sentence *s, struct err *e) MUST_USE;
/*
 * From now on, it is no error if the heads of a sentence are not a tree, or if only some of its
 * words have a head.  Such a sentence has no heads, and its `fault` says why.
 */
void conllu_tolerate(struct conllu_reader *r);
/*
 * Returns the number of the line of a word, in the sentence that was read last.  `word` counts from
 * 0, lines from 1.
 */
int64_t conllu_line(const struct conllu_reader *r, int word);
void conllu_close(struct conllu_reader *r);	/* r may be NULL */

/*
 * Appends a sentence in CoNLL-U to `out`, with the comments newdoc and sent_id if new_doc and id
 * are set, and an empty line at the end.  Multi-word tokens and empty nodes are not written.
 */
void conllu_write(const struct dep_sentence *s, struct buf *out);

/*
 * Check that the heads of n words form a tree, or several trees.  `head[i]` is the head of word
 * i+1.  Heads must be from 0 to n, at least one must be 0 unless n is 0, and there must be no
 * cycle.  Both functions return 0 if this is true.  Otherwise they set EXIT_INPUT and a message.
 *
 * On failure, dep_check() returns -1, and its message begins with the number of a wrong word, such
 * as "word 3: ".  dep_fault() returns this number, and its message does not have it.  If no word
 * has head 0, no single word is wrong: dep_fault() then returns -1, and the message of dep_check()
 * names no word.  Words count from 1.
 */
int dep_fault(const int *head, int n, struct err *e) MUST_USE;
int dep_check(const int *head, int n, struct err *e) MUST_USE;

#endif
