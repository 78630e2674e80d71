/*
 * relation-list: a list of dependency relations, of which several may be grouped under one name.
 *
 * A list is written as in "nsubj,dobj=obj+dobj,amod".  Entries are separated by commas.  An entry
 * is a name, "=", and the relations that it groups, separated by "+"; a name alone stands for the
 * relation of that name.  A relation includes its subtypes: obj includes obj:lvc.
 */
#ifndef RELATION_LIST_H
#define RELATION_LIST_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct relation_list {
	struct relation_name {
		char *name;		/* name of the entry */
		char **relation;	/* [n] the relations that it groups */
		size_t n;
	} *entry;
	size_t n;
};

/*
 * The default list.  It works with versions 1 and 2 of Universal Dependencies: dobj was renamed to
 * obj.
 */
#define RELATION_LIST_USUAL "nsubj,dobj=obj+dobj,amod,advmod"

/*
 * Overwrites *l with the list that is written in `text`.  Returns -1 with EXIT_USAGE for an empty
 * or duplicate name, for a relation or subtype that would be counted twice, for characters other
 * than letters, digits, '_', '-' and, after "=", ':', for a name or relation of more than 60
 * characters, and for more than 64 names.  Call relation_list_release() also after an error.
 */
int relation_list_parse(struct relation_list *l, const char *text, struct err *e) MUST_USE;
void relation_list_release(struct relation_list *l);

/* The index of the entry that includes a relation; -1 if there is none. */
int relation_list_find(const struct relation_list *l, const char *relation);

#endif
