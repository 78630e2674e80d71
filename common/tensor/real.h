/* real: the type of all numbers on the tape; double in the op checker's build. */
#ifndef REAL_H
#define REAL_H

#ifdef REAL_DOUBLE
typedef double real;
#else
typedef float real;
#endif

#endif
