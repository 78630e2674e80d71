/* next-candidates: model_next() among the candidates of each row; see next-token.h. */
#ifndef NEXT_CANDIDATES_H
#define NEXT_CANDIDATES_H

#include "search/next-token.h"

void next_candidates(struct model *m, struct tape *t, struct node *h,
		     const struct next_tokens *next);

#endif
