/* real: the type of all elements of tensors: float, or double in the build of the op checker. */
#ifndef REAL_H
#define REAL_H

#ifdef REAL_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
