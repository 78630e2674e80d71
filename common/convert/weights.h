/*
 * weights: the tensors of a model of another toolkit, by name.
 *
 * Before elements are read, names and types are checked, and the number of bytes that shapes and
 * types require is compared with the size of the file.  The elements of safetensors and CTranslate2
 * stay in the mapped files; those of an .npz are in memory.
 */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"
#include "exchange/file.h"
#include "tensor/real.h"

/*
 * The type of the elements.  WEIGHT_I8 and WEIGHT_I16 are quantized: an integer divided by a scale
 * is the value.  WEIGHT_OTHER: weight_get() cannot convert the elements.
 */
enum weight_type {
	WEIGHT_F32, WEIGHT_F16, WEIGHT_BF16, WEIGHT_F64, WEIGHT_I8, WEIGHT_I16, WEIGHT_OTHER
};

enum { WEIGHT_DIMS = 8 };

struct weight {
	const char *name;		/* belongs to `names` of struct weights */
	enum weight_type type;
	char type_name[12];		/* the type as in the file: "F16", "<f4" */
	int n_dim;			/* number of dimensions; 0 for a scalar */
	int64_t d[WEIGHT_DIMS];
	size_t n, bytes;		/* number of elements; number of their bytes */
	const unsigned char *data;	/* the elements, little-endian, row after row */
	unsigned char *own;		/* the same as data, or NULL if data is mapped */
	float *scale;			/* [scales] for WEIGHT_I8 and WEIGHT_I16, else NULL */
	size_t scales;			/* 1, or the number of rows; 0 without scales */
	struct buf use;			/* for the option --list of nmt-import: the parameters that
					 * are made of the tensor, or why none is; empty: not used
					 * so far */
};

/* Initialize it with zeros. */
struct weights {
	struct weight *list;		/* [n] in the order of the numbers in `names` */
	size_t n, room;
	struct strmap names;
	struct file_map *file;		/* [files] the mapped files */
	size_t files, files_room;
};

void weights_release(struct weights *w);

/*
 * Maps a file, which remains until weights_release().  The result is valid until the next call.
 * Returns NULL with the error of file_map().
 */
const struct file_map *weights_map(struct weights *w, const char *path, struct err *e) MUST_USE;

/* Returns the tensor with this name, or NULL. */
struct weight *weights_find(const struct weights *w, const char *name);
bool weights_has(const struct weights *w, const char *name);	/* is there such a tensor? */
/* Are there both tensors, and are they the same by weight_same()? */
bool weights_same(const struct weights *w, const char *a, const char *b);

/*
 * Adds a tensor with a name of `name_n` bytes, this type, and the dimensions `d[n_dim]`; an element
 * has `element` bytes.  The caller then checks the number of bytes and sets `data` of the tensor.
 * The texts are copied.  Returns NULL with EXIT_INPUT if the name is a duplicate, is empty or has a
 * line end or NUL byte, if a dimension is negative, or if there are too many elements for any
 * file.  The call invalidates pointers to other tensors of w.
 */
struct weight *weights_add(struct weights *w, const char *name, size_t name_n,
			   enum weight_type type, const char *type_name, size_t element, int n_dim,
			   const int64_t *d, struct err *e) MUST_USE;

/* Appends the shape of a tensor to `out`, such as "512x2048", or "-" for a scalar. */
void weight_shape(const struct weight *w, struct buf *out);

/*
 * Sets `out[n]` to the values of elements `start` to `start` + n - 1.  The type must not be
 * WEIGHT_OTHER.
 */
void weight_get(const struct weight *w, size_t start, size_t n, real *out);
/*
 * Changes the type of a tensor from WEIGHT_OTHER to WEIGHT_I8 or WEIGHT_I16, with the n scales
 * `scale[n]`, which are copied.  The elements must be integers of 8 or 16 bits.  Returns -1 with
 * EXIT_INPUT if n is neither 1 nor the number of rows, or if a scale is not positive or not finite.
 */
int weight_quantized(struct weight *w, enum weight_type type, const real *scale, size_t n,
		     struct err *e) MUST_USE;
/*
 * Do the values of elements `start` to `start` + n - 1 differ from `x[n]` by less than `within`
 * each?  The type must not be WEIGHT_OTHER.
 */
bool weight_near(const struct weight *w, size_t start, size_t n, const real *x, double within);
/*
 * Tells the system that the tensor will not be read soon, so that its mapped pages need not stay in
 * memory.
 */
void weight_forget(const struct weight *w);
/* Do two tensors have the same type, shape, bytes and scales? */
bool weight_same(const struct weight *a, const struct weight *b);

#endif
