/* ranked: numbers in the order of their values. */
#ifndef RANKED_H
#define RANKED_H

#include <stddef.h>

/* A value, and the index of what has it. */
struct ranked { double value; size_t at; };

/* Sorts n values, the highest first; equal ones by their indices, the lowest first. */
void ranked_sort(struct ranked *r, size_t n);

#endif
