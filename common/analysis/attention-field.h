/*
 * attention-field: the attention weights of a site, an attention layer of the model, as a field of
 * records.
 */
#ifndef ATTENTION_FIELD_H
#define ATTENTION_FIELD_H

#include "data/batch.h"
#include "model/model.h"
#include "stream/stream.h"

/*
 * Returns the name and type of a site's field.  The name has the kind of attention and the layer,
 * from 1: "att.enc-self.1", "att.dec-self.1" or "att.cross.1".  The caller frees the name.
 */
struct field attention_field(const struct site *s);

/*
 * Sets the field `name` of each record to the weights of a site in its sentence: a tensor [heads,
 * queries, keys] of float32, with zeros for pruned heads.  `rec` has the b->n records of the batch
 * `b`, which the model must just have processed on tape `t`.  `site` is an index of m->sites.
 */
void attention_field_set(const struct model *m, struct tape *t, const struct batch *b, size_t site,
			 const char *name, struct record *const *rec);

/*
 * Returns whether the attention weights of a stream may be from another model than the one with
 * this digest and precision.  This is so if the header `h` names no model or another one, or
 * another precision.  Headers of older versions name no precision, which fits any.
 */
bool attention_fields_foreign(const struct header *h, const char *digest, const char *precision);
/*
 * These remove all fields of attention weights, except those in `adds`: the first from the header
 * that `w` will write, the second from a record.  The last element of `adds` has the name NULL.
 */
void attention_fields_drop(struct writer *w, const struct field *adds);
void attention_fields_delete(struct record *rec, const struct field *adds);

#endif
