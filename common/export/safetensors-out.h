/* safetensors-out: writes tensors in the format that safetensors.h describes, as F32. */
#ifndef SAFETENSORS_OUT_H
#define SAFETENSORS_OUT_H

#include "base/compiler.h"
#include "base/output.h"
#include "export/tensor-views.h"

int safetensors_write(struct output *o, const struct tensor_views *v, struct err *e) MUST_USE;

#endif
