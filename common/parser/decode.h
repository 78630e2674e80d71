/* decode: the best trees by a network's scores. */
#ifndef DECODE_H
#define DECODE_H

#include "parser/network.h"

struct decode_settings {
	bool projective;		/* arcs do not cross */
	bool arcs, spans;		/* wanted, as far as the network has them */
};

/*
 * out[i], of sentence i of p, in mem: numbers are those of the network's labels; form is NULL.  The
 * first span always has a label.  Everything is computed by the calling thread and the tape's pool.
 */
void network_decode(struct network *n, struct tape *t, const struct pack *p,
		    const struct decode_settings *s, struct arena *mem, struct sentence *out);

#endif
