/* means: named means that are accumulated over batches. */
#ifndef MEANS_H
#define MEANS_H

#include <stddef.h>

/* Empty if zero-initialized. */
struct means {
	struct mean { char *name; double sum, count; } *entry;
	size_t n, room;
};

void means_release(struct means *t);

/* Adds `count` values with the sum `sum` to the mean called `name`.  The name is copied. */
void means_add(struct means *t, const char *name, double sum, double count);

/* Sets the mean called `name` to x if it is less than x, has no values, or does not exist. */
void means_raise(struct means *t, const char *name, double x);

/* Returns the mean called `name`; NAN if it does not exist or has no values. */
double means_get(const struct means *t, const char *name);

#endif
