/* look-parts: what the files of look share; see look.h. */
#ifndef LOOK_PARTS_H
#define LOOK_PARTS_H

#include "draw/look.h"

/* look_weights() over pieces, whatever l->words says; of a head that was removed zeros. */
int look_pieces(struct look *l, size_t site, int head, struct panel *to, struct err *e) MUST_USE;
/* Replaces pieces by words, if l->words; columns NULL: they are no symbols, and stay. */
void look_merge(const struct look *l, const struct look_side *rows,
		const struct look_side *columns, struct panel *m);

/* A setting of the first attention variant of this name, to be freed; NULL if none is in force. */
char *look_setting(const struct model *m, const char *variant, const char *key);
/* The same as a whole number; otherwise if the variant is not in force or has no such setting. */
int64_t look_number(const struct model *m, const char *variant, const char *key, int64_t otherwise);

#endif
