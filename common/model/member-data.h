/*
 * member-data: the numbers of a parameter as bytes of a file, and back; see heed-model(5).
 *
 * f32: little-endian IEEE 754 single precision.  i8: signed bytes that stand for scale * byte;
 * the scale, one a row, is max |x| / 127, so that no number moves by more than half of it.
 */
#ifndef MEMBER_DATA_H
#define MEMBER_DATA_H

#include <stddef.h>

#include "tensor/real.h"

#define F32_SIZE ((size_t)4)

/* n numbers of x to and from F32_SIZE * n bytes. */
void f32_put(const real *x, size_t n, unsigned char *out);
void f32_get(const unsigned char *p, size_t n, real *x);

/* The scale of n numbers, as f32 keeps it: 0 if all are 0, NaN if one is not finite. */
real i8_scale(const real *x, size_t n);

/* n numbers of x to and from n bytes. */
void i8_put(const real *x, size_t n, real scale, unsigned char *out);
void i8_get(const unsigned char *p, size_t n, real scale, real *x);

#endif
