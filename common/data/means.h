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
/* The mean of name becomes x if it is less, or if there is none. */
void means_raise(struct means *t, const char *name, double x);
/* The mean of name; NAN if there is none, or it counts nothing. */
double means_get(const struct means *t, const char *name);

#endif
