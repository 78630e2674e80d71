/* attention-field: the attention weights of a site as a field of records. */
#ifndef ATTENTION_FIELD_H
#define ATTENTION_FIELD_H

#include "data/batch.h"
#include "model/model.h"
#include "stream/stream.h"

/*
 * The field of a site: "att.enc-self.1", "att.dec-self.1", "att.cross.1", with its type.  The
 * caller frees its name.
 */
struct field attention_field(const struct site *s);

/*
 * Sets the field `name` in the records rec[0] ... rec[b->n - 1] of a batch that has just passed
 * through the model on this tape, to the weights of a site: a tensor [heads, queries, keys], with
 * zeros for pruned heads.
 */
void attention_field_set(const struct model *m, struct tape *t, const struct batch *b, size_t site,
			 const char *name, struct record *const *rec);

/*
 * Are the attention weights of a stream not known to be those of the model with this digest?  The
 * header may also name another precision than this one; those of older versions name none.
 */
bool attention_fields_foreign(const struct header *h, const char *digest, const char *precision);
/* Remove all fields of attention weights from a header or a record, except those in `adds`. */
void attention_fields_drop(struct writer *w, const struct field *adds);
void attention_fields_delete(struct record *rec, const struct field *adds);

#endif
