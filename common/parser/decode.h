/* decode: finds the trees to which a network gives the highest scores. */
#ifndef DECODE_H
#define DECODE_H

#include "parser/network.h"

struct decode_settings {
	bool projective;		/* only trees without crossing arcs */
	bool arcs, spans;		/* predict dependency trees, and constituency trees, if the
					 * network has the scorers */
};

/*
 * Parses the sentences of p into `out` [p->n], with arrays in `mem`.  Labels are indices in
 * n->labels; the members for what was not predicted are NULL, and so is `form`.  The first span of
 * a sentence never has the label BINARY_NONE (binary.h) if there is another label.  If there is a
 * relation "root", the root word has it, and no other word if there is another relation.  Only the
 * calling thread and the thread pool of the tape compute.
 */
void network_decode(struct network *n, struct tape *t, const struct pack *p,
		    const struct decode_settings *s, struct arena *mem, struct sentence *out);

#endif
