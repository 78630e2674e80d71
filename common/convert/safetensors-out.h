/* safetensors-out: writes tensors in the format that safetensors.h describes, as F32. */
#ifndef SAFETENSORS_OUT_H
#define SAFETENSORS_OUT_H

#include "base/compiler.h"
#include "convert/views.h"

int safetensors_write(const char *path, const struct views *v, struct err *e) MUST_USE;

#endif
