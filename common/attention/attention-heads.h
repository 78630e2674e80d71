/*
 * attention-heads: lists of heads on command lines and in settings.
 *
 * A list such as "enc-self.2:1,3 cross.4:all" names attention layers, which are called sites, and
 * heads of each:
 *
 *	site	kind and layer, "enc-self.2", or the name of its parameters, "enc.2.self"; a kind
 *		alone is all layers; "all" is all sites
 *	heads	"3", a range "2-4", or "all"; several are separated by "," or "+"
 *
 * "all" alone is all heads of the model.  Sites are separated by blanks, ";" or "/", so that a list
 * also fits into name:key=value,....  Heads count from 1 and keep their numbers after pruning.  A
 * pruned head is an error, and so is a range without retained heads.
 *
 * In memory a set is one bool for each retained head: those of the first site, then those of the
 * second, and so on.  Other arrays with a shape [heads of all sites] have the same order.
 */
#ifndef ATTENTION_HEADS_H
#define ATTENTION_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/err.h"

/* By enum site_where: enc-self, dec-self, cross; NULL at the end. */
extern const char *const site_kinds[];

/* The name of a site's parameters, such as "enc.2.self"; the caller frees it. */
char *site_name(enum site_where where, int layer);

/*
 * The number of retained heads at the sites before `site`; at all sites if `site` is their number.
 */
size_t heads_before(const struct site *sites, size_t site);

/*
 * Finds the sites that a name of n bytes means, "enc-self.2", "enc.2.self", "enc-self" or "all".
 * They are consecutive, from *first to *end - 1.  Returns -1 with EXIT_USAGE if there are none.
 */
int sites_find(const struct site *sites, size_t n_sites, const char *name, size_t n, size_t *first,
	       size_t *end, struct err *e) MUST_USE;
/*
 * Reads "3", "2-4" or "all" as heads [*from, *to], from 1, of `heads` heads before pruning.
 * Returns -1 with EXIT_USAGE for other texts.
 */
int head_range_read(const char *s, size_t n, int heads, int64_t *from, int64_t *to,
		    struct err *e) MUST_USE;

/*
 * Adds the heads of a list to `set`, which has heads_before(sites, n_sites) elements.  Returns -1
 * with EXIT_USAGE for a malformed list, an unknown site, and a head or range without a retained
 * head; the contents of set are then undefined.
 */
int head_set_add(bool *set, const char *list, const struct site *sites, size_t n_sites,
		 struct err *e) MUST_USE;
/* Appends the set as a list, "enc-self.2:1+3/cross.4:2"; nothing for an empty set. */
void head_set_describe(const bool *set, const struct site *sites, size_t n_sites, struct buf *out);

/*
 * Reads the setting at= of a variant with gates, a list of kinds of sites such as "enc-self+cross",
 * "all" or "enc", which means enc-self.  NULL and "" mean "enc".  Returns 1 if the list includes
 * sites of this kind, and 0 if it does not.  Returns -1 with EXIT_USAGE for an unknown word.
 */
int site_kind_in(enum site_where where, const char *list, struct err *e) MUST_USE;
/* The number of heads at the sites whose kind is in the list, which has no unknown word. */
int site_kind_heads(const struct site *sites, size_t n_sites, const char *list);

#endif
