/* means: named means that are accumulated over batches. */
#ifndef MEANS_H
#define MEANS_H

#include <stddef.h>

/* A struct that is all zeros is empty. */
struct means {
	struct mean { char *name; double sum, count; } *entry;
	size_t n, room;
};

void means_release(struct means *t);

/* Adds `count` values with this sum to the mean called name, which is copied. */
void means_add(struct means *t, const char *name, double sum, double count);

/* Sets the mean called name to x if it is less than x or does not exist. */
void means_raise(struct means *t, const char *name, double x);

/* The mean called name; NAN if it does not exist or has no values. */
double means_get(const struct means *t, const char *name);

#endif
