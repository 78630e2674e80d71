/*
 * record-deps: the words, heads and trees of a sentence that a record holds.
 *
 * Words are what blanks separate in src (or tgt).  Errors say which field is at fault; where it is
 * the caller knows.
 */
#ifndef RECORD_DEPS_H
#define RECORD_DEPS_H

#include "stream/stream.h"
#include "text/conllu.h"
#include "text/tree.h"

/* Names of the fields of a side. */
enum { DEP_FIELD_NAME = 16 };
struct dep_fields {
	char text[DEP_FIELD_NAME], heads[DEP_FIELD_NAME], rels[DEP_FIELD_NAME],
	     tree[DEP_FIELD_NAME], pieces[DEP_FIELD_NAME], word[DEP_FIELD_NAME],
	     parent[DEP_FIELD_NAME], dep[DEP_FIELD_NAME], phrase[DEP_FIELD_NAME],
	     relation[DEP_FIELD_NAME];
};

void dep_fields_of(struct dep_fields *f, const char *side);	/* "src" or "tgt" */

/* A text, which is UTF-8 and has no NUL bytes; it lives as long as the record does not change. */
int record_text(const struct record *rec, const char *field, struct str *text, struct err *e) MUST_USE;
/* s becomes the words of the text, without heads. */
int record_words(const struct record *rec, const char *field, struct dep_sentence *s,
		 struct err *e) MUST_USE;
/* One head for each word, and all of them a tree. */
int record_heads(const struct record *rec, const char *field, bool many_roots,
		 struct dep_sentence *s, struct err *e) MUST_USE;
/* The tree; empty, without nodes, if the field is "". */
int record_tree(const struct record *rec, const char *field, struct tree *t,
		struct err *e) MUST_USE;
/* One text for each word: its part of speech or its relation. */
enum dep_column { DEP_UPOS, DEP_REL };
int record_column(const struct record *rec, const char *field, enum dep_column column,
		  struct dep_sentence *s, struct err *e) MUST_USE;

#endif
