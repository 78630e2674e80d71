/*
 * attention-heads: lists of heads on command lines and in settings.
 *
 * A site is an attention layer of the encoder or the decoder (attention.h).  A list such as
 * "enc-self.2:1,3 cross.4:all" names sites, and heads of each site:
 *
 *	site	kind and layer, "enc-self.2", or the name of its parameters, "enc.2.self"; a kind
 *		alone is all layers; "all" is all sites
 *	heads	"3", a range "2-4", or "all"; several are separated by "," or "+"
 *
 * "all" alone means all heads of the model.  Sites are separated by blanks, ";" or "/".  With "/"
 * and "+", a list can be a value in a setting name:key=value,..., where blanks and commas have
 * other meanings.  Heads count from 1 and keep their numbers after pruning.  To name a pruned head
 * is an error, and so is a range without retained heads.
 *
 * In memory, a set is an array with a bool for each retained head: first the heads of the first
 * site, then those of the second site, and so on.  All arrays with the shape [heads of all sites]
 * have this order.
 */
#ifndef ATTENTION_HEADS_H
#define ATTENTION_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attention/attention.h"
#include "base/buf.h"
#include "base/err.h"

/* The names of enum site_where: enc-self, dec-self, cross; then NULL. */
extern const char *const site_kinds[];

/*
 * Returns the name of a site in the names of its parameters, such as "enc.2.self".  `layer` counts
 * from 1.  The caller frees the name.
 */
char *site_name(enum site_where where, int layer);

/*
 * The number of retained heads at the sites before index `site`.  If `site` is the number of sites,
 * this is the number of all retained heads.
 */
size_t heads_before(const struct site *sites, size_t site);
/*
 * Stores in `head` the indices of the retained heads at the sites of this kind (enum site_where),
 * or at all sites if `kind` is -1, and returns their number.  An index is that of the head in a
 * set.
 */
size_t heads_of_kind(const struct site *sites, size_t n_sites, int kind, size_t *head);
/*
 * The site of a head; `head` is its index among all retained heads.  Unless `number` is NULL, sets
 * *number to the number of the head at the site before pruning, from 1.
 */
const struct site *site_of_head(const struct site *sites, size_t head, int *number);
/* Appends the name of that head, such as "enc-self.2:3". */
void head_name_put(const struct site *sites, size_t head, struct buf *out);

/*
 * Finds the sites that the `n` bytes at `name` mean, such as "enc-self.2", "enc.2.self", "enc-self"
 * or "all".  The sites are consecutive; their indices are *first to *end - 1.  Returns -1 with
 * EXIT_USAGE if there are none.
 */
int sites_find(const struct site *sites, size_t n_sites, const char *name, size_t n, size_t *first,
	       size_t *end, struct err *e) MUST_USE;
/*
 * Reads the `n` bytes at `s`, such as "3", "2-4" or "all", as a range of heads from *from to *to,
 * both counted from 1 and both in the range.  `heads` is the number of heads of the site before
 * pruning.  Returns -1 with EXIT_USAGE for other texts.
 */
int head_range_read(const char *s, size_t n, int heads, int64_t *from, int64_t *to,
		    struct err *e) MUST_USE;

/*
 * Sets the elements of `set` to true for the heads of a list; the other elements do not change.
 * `set` has heads_before(sites, n_sites) elements.  Returns -1 with EXIT_USAGE for a malformed
 * list, an unknown site, a pruned head, or a range without retained heads; the contents of `set`
 * are then undefined.
 */
int head_set_add(bool *set, const char *list, const struct site *sites, size_t n_sites,
		 struct err *e) MUST_USE;
/* Appends the set as a list, as in "enc-self.2:1+3/cross.4:2"; appends nothing for an empty set. */
void head_set_describe(const bool *set, const struct site *sites, size_t n_sites, struct buf *out);

/*
 * Reads the value of the setting at= of an attention variant with gates: a list of kinds of sites
 * such as "enc-self+cross", or "all".  "enc", NULL and "" mean enc-self.  Returns 1 if the list
 * includes the kind `where`, 0 if it does not, and -1 with EXIT_USAGE if the list has an unknown
 * word.
 */
int site_kind_in(enum site_where where, const char *list, struct err *e) MUST_USE;
/*
 * The number of retained heads at the sites whose kind is in `list`, a list as for site_kind_in()
 * without unknown words.
 */
int site_kind_heads(const struct site *sites, size_t n_sites, const char *list);

#endif
