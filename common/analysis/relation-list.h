/*
 * relation-list: dependency relations by the names they are counted under.
 *
 * Text: "nsubj,dobj=obj+dobj,amod": names with commas between; behind = the relations that are
 * counted there, with + between, otherwise just the one of that name.  A relation takes its
 * subtypes along: obj is obj:lvc, too.
 */
#ifndef RELATION_LIST_H
#define RELATION_LIST_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct relation_list {
	struct relation_name {
		char *name;
		char **relation;	/* [n] */
		size_t n;
	} *entry;
	size_t n;
};

/*
 * -1 and EXIT_USAGE: an empty name, one twice, a relation under two names, or characters beyond
 * letters, digits, '_', '-' and, in relations, ':'.
 */
int relation_list_parse(struct relation_list *l, const char *text, struct err *e) MUST_USE;
void relation_list_release(struct relation_list *l);

int relation_list_find(const struct relation_list *l,
		       const char *relation);	/* an entry, or -1 */

#endif
