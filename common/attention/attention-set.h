/*
 * attention-set: the structs that attention.h declares without their members.  Only the files that
 * implement attention.h include this header; attention variants use the functions of attention.h.
 */
#ifndef ATTENTION_SET_H
#define ATTENTION_SET_H

#include "attention/attention.h"

/* One variant at one site, that is, at one attention layer. */
struct attention {
	const struct attention_variant *variant;
	const struct attention_set *set;
	size_t member, at;		/* indices: of its member in the set, and of its site */
	const struct site *site;
	void *state;			/* variant->state_size bytes */
	bool here, opened;		/* the variant is active at this site; its open() has
					 * succeeded */
};

/* One variant that the user chose by a spec such as "dbsa:align=input", at all sites. */
struct member {
	const struct attention_variant *variant;
	struct attention *at;		/* [n_sites] */
};

struct attention_set {
	struct member *member;		/* [n] in the order of the command line */
	size_t n, n_sites;
	struct field *needs, *training_needs;	/* the needs and training_needs of all variants,
						 * without duplicates; each ends with {0} */
	const struct attention **output;	/* [n_sites] the variant that replaces the output
						 * projection of the site, or NULL */
};

#endif
