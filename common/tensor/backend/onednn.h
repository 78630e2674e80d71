/*
 * onednn: matrix products with oneDNN, compiled once per size and kept; for backend-onednn.c.
 *
 * oneDNN compiles a product for its exact size.  This takes longer than most products, so the
 * number of sizes must be small.  The compiled code is fast only for matrices without gaps between
 * rows, with the second factor in panels of 64 columns (BA16a64b, and for bf16 BA16a64b2a).
 */
#ifndef ONEDNN_H
#define ONEDNN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct onednn;
struct onednn_product;

enum { ONEDNN_PANEL = 64 };		/* columns of a panel */

/*
 * Loads the library.  bf16: the factors are bf16, otherwise float.  Returns NULL if the library
 * cannot be loaded or if the processor lacks the instructions that make it fast.
 */
struct onednn *onednn_open(bool bf16, struct err *e);
void onednn_close(struct onednn *o);		/* o may be NULL */
const char *onednn_version(const struct onednn *o);
/* The depth of a panel is a multiple of this. */
int onednn_depth(const struct onednn *o);

/*
 * Returns the product c[m,n] = a[m,k] b[k,n], or c += a b if add is true; never NULL.  Any thread
 * may call it.  Only a limited number of products is kept, so the caller must call
 * onednn_product_done() after the last onednn_run().
 */
const struct onednn_product *onednn_product(struct onednn *o, int m, int n, int k, bool add);
void onednn_product_done(struct onednn *o, const struct onednn_product *p);
/* The number of bytes of scratch memory that onednn_run() needs. */
size_t onednn_product_room(const struct onednn_product *p);

/* Computes a product on the calling thread; room is scratch memory. */
void onednn_run(const struct onednn *o, const struct onednn_product *p, const void *a,
		const void *b, float *c, void *room);

/* Does the processor have AMX, matrix units for bf16? */
bool onednn_matrix_units(const struct onednn *o);

#endif
