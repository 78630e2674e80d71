/*
 * onednn: products of one size each by oneDNN, made once and kept; for backend-onednn.c.
 *
 * oneDNN compiles a product for its exact size, which takes longer than most products; so
 * their sizes must be few.  What it compiles is fast only for matrices without gaps between
 * their rows and a second factor in panels of 64 columns (BA16a64b and, of bf16, BA16a64b2a).
 */
#ifndef ONEDNN_H
#define ONEDNN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct onednn;
struct onednn_product;

enum { ONEDNN_PANEL = 64 };		/* columns; the depth of a panel is a multiple of onednn_depth() */

/* bf16: factors are bf16, else float.  Refused where the processor lacks what makes it fast. */
struct onednn *onednn_open(bool bf16, struct err *e);
void onednn_close(struct onednn *o);		/* NULL is fine */
const char *onednn_version(const struct onednn *o);
int onednn_depth(const struct onednn *o);

/*
 * c[m,n] = a[m,k] b, or += with add.  From any thread; never NULL.  At most a fixed number of
 * them is kept: each must be given back when it has been run for the last time.
 */
const struct onednn_product *onednn_product(struct onednn *o, int m, int n, int k, bool add);
void onednn_product_done(struct onednn *o, const struct onednn_product *p);
size_t onednn_product_room(const struct onednn_product *p);	/* bytes */

/* On the calling thread alone; room is the thread's own. */
void onednn_run(const struct onednn *o, const struct onednn_product *p, const void *a, const void *b, float *c,
		void *room);

bool onednn_matrix_units(const struct onednn *o);	/* has AMX, which is made for bf16 */

#endif
