/* attention-set: the structures of attention.h, for the files that implement it. */
#ifndef ATTENTION_SET_H
#define ATTENTION_SET_H

#include "attention/attention.h"

/* One variant at one site. */
struct attention {
	const struct attention_variant *variant;
	const struct attention_set *set;
	size_t member, at;		/* indices in the set: of its spec, and of its site */
	const struct site *site;
	void *state;			/* state_size bytes */
	bool here, opened;		/* here: the variant is active at this site; opened: open()
					 * has succeeded */
};

/* One spec: its variant at every site. */
struct member {
	const struct attention_variant *variant;
	struct attention *at;		/* [n_sites] */
};

struct attention_set {
	struct member *member;		/* [n] in the order of the command line */
	size_t n, n_sites;
	struct field *needs, *training_needs;	/* each ends with {0} */
	const struct attention **output;	/* [n_sites] the variant that replaces the output
						 * projection, or NULL */
};

#endif
