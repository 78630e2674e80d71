/* look-parts: private functions of look; see look.h. */
#ifndef LOOK_PARTS_H
#define LOOK_PARTS_H

#include "draw/look.h"

/* look_weights() over subwords, regardless of l->words; zeros for a pruned head. */
int look_pieces(struct look *l, size_t site, int head, struct panel *panel, struct err *e) MUST_USE;
/* Combines subwords into words if l->words.  columns is NULL if columns are not tokens. */
void look_merge(const struct look *l, const struct look_side *rows,
		const struct look_side *columns, struct panel *m);

#endif
