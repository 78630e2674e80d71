/* decode: the highest-scoring trees by the scores of a network. */
#ifndef DECODE_H
#define DECODE_H

#include "parser/network.h"

struct decode_settings {
	bool projective;		/* arcs do not cross */
	bool arcs, spans;		/* predict arcs, and spans, if the network has their
					 * scorers */
};

/*
 * Parses the sentences of p into `out[p->n]`, allocated in `mem`.  Labels are indices of the
 * network's label sets; form is NULL.  The first span never has the label BINARY_NONE.  Everything
 * is computed by the calling thread and the thread pool of the tape.
 */
void network_decode(struct network *n, struct tape *t, const struct pack *p,
		    const struct decode_settings *s, struct arena *mem, struct sentence *out);

#endif
