/* among: model_next() among the candidates of each row; see model.h. */
#ifndef AMONG_H
#define AMONG_H

#include "model/model.h"

void among_next(struct model *m, struct tape *t, struct node *h, const struct next *next);

#endif
