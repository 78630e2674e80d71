/* facts-json: facts as JSON. */
#ifndef FACTS_JSON_H
#define FACTS_JSON_H

#include "base/buf.h"
#include "results/facts.h"

/*
 * Appends the facts as one object on a line, in their order.  Values that are decimal numbers
 * without exponent become numbers with the same digits; all others become strings.
 */
void facts_json(const struct facts *f, struct buf *out);

/* Reads n records and prints them to standard output. */
int facts_json_print(const char *const *path, int n, struct err *e) MUST_USE;

#endif
