/* means: by name, added up batch after batch. */
#ifndef MEANS_H
#define MEANS_H

#include <stddef.h>

struct means {
	struct mean { char *name; double sum, count; } *entry;
	size_t n, room;
};

/* A struct means that is all zeros is an empty one. */
void means_release(struct means *t);
/* The mean of name counts what was given so far; the name is copied. */
void means_add(struct means *t, const char *name, double sum, double count);

#endif
