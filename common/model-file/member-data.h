/*
 * member-data: conversion of a parameter's elements to bytes of a file and back; see heed-model(5).
 *
 * f32 is little-endian IEEE 754 single precision.  i8 is a signed byte for each element, whose
 * value is scale * byte.  Each row has one scale, its unit in tensor/int8.h: max |x| / 127,
 * truncated to 11 bits, so the rounding error of an element is at most half the scale.  If another
 * scale of 11 bits has no rounding error, the row has this one.  Storing values of i8 again thus
 * gives the same values, also those of some of the columns only, as in a pruned matrix.
 *
 * A scale is at least I8_SCALE_MIN, that of a row of zeros.  It is less than I8_SCALE_END, since
 * other rows have a byte of at least 64, whose element is finite.
 */
#ifndef MEMBER_DATA_H
#define MEMBER_DATA_H

#include <stddef.h>

#include "tensor/real.h"

#define F32_SIZE ((size_t)4)

/* Converts n elements of x to F32_SIZE * n bytes, and back. */
void f32_put(const real *x, size_t n, unsigned char *out);
void f32_get(const unsigned char *p, size_t n, real *x);

#define I8_SCALE_MIN 0x1p-126
#define I8_SCALE_END 0x1p122

/* The scale of n elements: NaN if any is not finite. */
real i8_scale(const real *x, size_t n);

/* Converts n elements of x, at most INT_MAX, to n bytes, and back. */
void i8_put(const real *x, size_t n, real scale, unsigned char *out);
void i8_get(const unsigned char *p, size_t n, real scale, real *x);

#endif
