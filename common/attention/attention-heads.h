/*
 * attention-heads: heads of a model, named on command lines and in settings.
 *
 * A list is "enc-self.2:1,3 cross.4:all": sites, each with heads.  A site is named by its kind and
 * layer, enc-self.2, as streams have it, or as parameters do, enc.2.self; a kind alone stands for
 * its sites in all layers, all for all sites; all alone is all heads of these.  Heads count from 1,
 * and keep their numbers when others are removed; 2-4 is a range, all are all there are.  A removed
 * head cannot be named by itself, nor a range without a head that is left.  Sites follow blanks,
 * ";" or "/", heads follow "," or "+", so that a list fits into name:key=value,... too.
 *
 * In memory a set is one bool a head: those of the first site, then those of the second, and so on.
 */
#ifndef ATTENTION_HEADS_H
#define ATTENTION_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/err.h"

extern const char *const site_kinds[];		/* by enum site_where: enc-self, dec-self, cross;
						 * NULL at the end */

size_t heads_before(const struct site *sites,
		    size_t site);	/* of the sites before it; heads in all for n_sites */

/*
 * The sites that the n bytes of a name mean, which stand together: [*first, *last).  -1 and
 * EXIT_USAGE if there are none.
 */
int sites_find(const struct site *sites, size_t n_sites, const char *name, size_t n, size_t *first,
	       size_t *last, struct err *e) MUST_USE;
/*
 * "3", "2-4" or "all" of so many heads, removed ones counted: [*from, *to], from 1.  -1 and
 * EXIT_USAGE.
 */
int head_range_read(const char *s, size_t n, int heads, int64_t *from, int64_t *to,
		    struct err *e) MUST_USE;

/*
 * Adds what the list names to set, heads_before(sites, n_sites) bools.  -1 and EXIT_USAGE for a
 * site or a head that is not there, for a range of none, and for what is no list; what set holds is
 * then undefined.
 */
int head_set_add(bool *set, const char *list, const struct site *sites, size_t n_sites,
		 struct err *e) MUST_USE;
/* Appends the set as a list, "enc-self.2:1+3/cross.4:2"; nothing if it is empty. */
void head_set_describe(const bool *set, const struct site *sites, size_t n_sites, struct buf *out);

#endif
