/*
 * export-t5: T5 and UMT5 for transformers, as a part of the layout export_huggingface: models
 * without positions and with the attention variant bucket-bias.
 */
#ifndef EXPORT_T5_H
#define EXPORT_T5_H

#include "export/export.h"

/* Is it such a model?  If so, the two functions below are its check and write. */
bool export_is_t5(const struct model *m);
int export_t5_check(struct export *x, struct err *e) MUST_USE;
int export_t5_write(struct export *x, struct err *e) MUST_USE;

#endif
