/*
 * relation-list: dependency relations, grouped under names.
 *
 * The text form is "nsubj,dobj=obj+dobj,amod": names separated by commas, each followed by "=" and
 * the relations that it groups, separated by "+".  A name without "=" is the relation of that name.
 * A relation includes its subtypes: obj includes obj:lvc.
 */
#ifndef RELATION_LIST_H
#define RELATION_LIST_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct relation_list {
	struct relation_name {
		char *name;		/* the name of the group */
		char **relation;	/* [n] */
		size_t n;
	} *entry;
	size_t n;
};

/* The relations that are measured by default, by their names in either version of UD. */
#define RELATION_LIST_USUAL "nsubj,dobj=obj+dobj,amod,advmod"

/*
 * Overwrites l with the relations of a text of this form.  Returns -1 with EXIT_USAGE for an empty
 * or duplicate name, for a relation or subtype counted twice, for characters other than letters,
 * digits, '_', '-' and, in relations, ':', and for too many names.  Call relation_list_release() in
 * any case.
 */
int relation_list_parse(struct relation_list *l, const char *text, struct err *e) MUST_USE;
void relation_list_release(struct relation_list *l);

/* The index of the entry that includes a relation, or -1. */
int relation_list_find(const struct relation_list *l, const char *relation);

#endif
