/*
 * export-t5: writes models as T5 or UMT5 of Hugging Face transformers, a part of the layout
 * export_huggingface (export.h).  These are models without position embeddings and with the
 * attention variant bucket-bias.
 */
#ifndef EXPORT_T5_H
#define EXPORT_T5_H

#include "export/export.h"

/*
 * Whether `m` is such a model.  If so, the functions below are the members check and write of its
 * layout.
 */
bool export_is_t5(const struct model *m);
int export_t5_check(struct export *x, struct err *e) MUST_USE;
int export_t5_write(struct export *x, struct err *e) MUST_USE;

/*
 * Appends a setting of config.json as a float of JSON: transformers 5 refuses 1 where it expects
 * 1.0.
 */
void export_put_float(struct buf *b, const char *key, double value);

#endif
