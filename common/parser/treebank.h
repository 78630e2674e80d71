/*
 * treebank: sentences with trees in memory, whose forms and labels are integer ids, and a reader of
 * the files of treebanks.
 *
 * A sentence with only a bracketed tree has language-specific tags (XPOS), but neither universal
 * tags (UPOS) nor heads.
 */
#ifndef TREEBANK_H
#define TREEBANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cli.h"
#include "base/err.h"
#include "base/strmap.h"
#include "trees/conllu.h"
#include "trees/ptb.h"

/*
 * The label sets: universal tags, language-specific tags, relations of arcs, and labels of spans
 * (binary.h).  The first LABEL_TAGS are those of tags.
 */
enum { LABEL_UPOS, LABEL_XPOS, LABEL_REL, LABEL_SPAN, LABEL_SETS, LABEL_TAGS = LABEL_REL };

struct gold_span { int first, end, label; };	/* words `first` to `end` - 1, counted from 0 */

/* Ids are indices in the maps of the treebank; -1: the annotation is missing. */
struct sentence {
	int n;				/* words */
	int *form, *tag[LABEL_TAGS];	/* [n]; a tag is NULL without such tags, as UPOS in a
					 * sentence with only a bracketed tree */
	int *head, *rel;		/* [n] number of the head, from 1, or 0 for the root;
					 * relation; NULL if the sentence has no dependency tree */
	struct gold_span *span;		/* [2n - 1] spans of the binarized constituency tree
					 * (binary.h); or NULL */
};

struct treebank {
	struct sentence *sentence;	/* [n] */
	size_t n, room;
	int max_words;			/* set by the caller: longer sentences are skipped; 0: no
					 * limit */
	int64_t words;			/* number of words of all sentences */
	int64_t too_long;		/* number of sentences that were skipped because of
					 * max_words */
	struct strmap form, label[LABEL_SETS];	/* maps from texts to ids */
	struct arena mem;
};

void treebank_init(struct treebank *b);
void treebank_release(struct treebank *b);

struct leave_out;
/*
 * Adds the sentences of files, except those without words.  `files` and `leave_out` are those of
 * bank_open().  Returns -1 also if all words are "_", as in treebanks that are published without
 * their text.
 */
int treebank_read(struct treebank *b, const char *files, struct leave_out *leave_out,
		  struct err *e) MUST_USE;
/* Does any sentence have heads? */
bool treebank_has_heads(const struct treebank *b);
uint64_t treebank_digest(const struct treebank *b);	/* digest of all contents */

/*
 * A reader of the sentences of a treebank, with dependency trees, constituency trees or both.
 *
 * A file that begins with an opening bracket has bracketed trees; any other file is CoNLL-U.  A
 * name "a.conllu,b.ptb" stands for two files with trees of the same sentences, whose words must be
 * the same.
 */

/* The documents of CoNLL-U files to skip. */
struct leave_out {
	const struct opt_list *pattern;	/* shell patterns of names of documents */
	bool *matched;			/* [pattern->n] a document with a matching name was found */
};

void leave_out_init(struct leave_out *l, const struct opt_list *pattern);
void leave_out_warn(const struct leave_out *l);	/* warns about each pattern that matched no
						 * document */
void leave_out_release(struct leave_out *l);

struct bank_reader {
	struct conllu_reader *conllu;	/* NULL if there is no CoNLL-U file */
	struct ptb_reader *ptb;		/* NULL if there is no file with brackets */
	struct dep_sentence dep;	/* the current sentence, if there is a CoNLL-U file */
	struct tree tree;		/* the current sentence, if there is a file with brackets */
	char *name[2];			/* names of the CoNLL-U file and of the file with
					 * brackets */
	struct leave_out *leave_out;	/* or NULL */
};

/*
 * Opens one or two files, named as above.  Sentences of documents whose "# newdoc id" matches a
 * pattern of `leave_out` are skipped; `leave_out`, which may be NULL, must outlive the reader.
 * Call bank_close() also after an error.
 */
int bank_open(struct bank_reader *r, const char *files, struct leave_out *leave_out,
	      struct err *e) MUST_USE;
/*
 * Reads the next sentence.  Returns 1, or 0 at the end, or -1 with an error that names the file
 * and, if there is one, the line.
 */
int bank_next(struct bank_reader *r, struct err *e) MUST_USE;
void bank_close(struct bank_reader *r);		/* also after bank_open() failed */

#endif
