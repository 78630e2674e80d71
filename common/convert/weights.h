/*
 * weights: the tensors of a model of another toolkit, by name.
 *
 * Names, types and shapes are checked against the size of the file before they are used to read
 * anything.  Tensors of safetensors and CTranslate2 stay in the mapped files, those of an .npz are
 * in memory.
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

/* WEIGHT_I8 and WEIGHT_I16 are quantized: integers with a scale, by which they are divided. */
enum weight_type {
	WEIGHT_F32, WEIGHT_F16, WEIGHT_BF16, WEIGHT_F64, WEIGHT_I8, WEIGHT_I16, WEIGHT_OTHER
};

enum { WEIGHT_DIMS = 8 };

struct weight {
	const char *name;		/* owned by the map of names */
	enum weight_type type;
	char type_name[12];		/* as its file has it: "F16", "<f4" */
	int n_dim;
	int64_t d[WEIGHT_DIMS];
	size_t n, bytes;		/* elements; their bytes */
	const unsigned char *data;	/* little-endian, row after row */
	unsigned char *own;		/* data, if it is not mapped */
	float *scale;			/* [scales] for WEIGHT_I8 and WEIGHT_I16, else NULL */
	size_t scales;			/* 1, or one for each row */
	struct buf use;			/* the parameter it becomes, or why it is not needed, as
					 * --list prints it; empty: not used so far */
};

/* Initialize it with weights_init(). */
struct weights {
	struct weight *list;		/* [n] in the order of the numbers in `names` */
	size_t n, room;
	struct strmap names;
	struct file_map *file;		/* mapped */
	size_t files, files_room;
};

void weights_init(struct weights *w);
void weights_release(struct weights *w);

/* The tensor of this name, or NULL. */
struct weight *weights_find(const struct weights *w, const char *name);

/*
 * Adds a tensor of this type and shape, with `element` bytes per element; the caller checks and
 * sets its data.  The texts are copied.  Returns NULL with EXIT_INPUT if the name is a duplicate or
 * the shape is invalid: negative, or of more elements than a file can have.  The call invalidates
 * pointers to other tensors.
 */
struct weight *weights_add(struct weights *w, const char *name, size_t name_n,
			   enum weight_type type, const char *type_name, size_t element, int n_dim,
			   const int64_t *d, struct err *e) MUST_USE;

/* Appends the shape, such as "512x2048", or "-" for a scalar. */
void weight_shape(const struct weight *w, struct buf *out);

/* Converts elements [start, start + n) to real numbers.  The type must not be WEIGHT_OTHER. */
void weight_get(const struct weight *w, size_t start, size_t n, real *out);
/*
 * Gives a tensor of WEIGHT_OTHER, whose elements are integers of the type's size, the type
 * WEIGHT_I8 or WEIGHT_I16 and these scales.  Fails with EXIT_INPUT unless there is one scale, or
 * one for each row, and all are positive and finite.  The scales are copied.
 */
int weight_quantized(struct weight *w, enum weight_type type, const real *scale, size_t n,
		     struct err *e) MUST_USE;
/*
 * Do elements [start, start + n) equal x[0..n), apart from differences of less than `within`?  The
 * type must not be WEIGHT_OTHER.
 */
bool weight_near(const struct weight *w, size_t start, size_t n, const real *x, double within);
/* The tensor will not be read soon: its mapped pages need not stay in memory. */
void weight_forget(const struct weight *w);
/* Do two tensors have the same type, shape, bytes and scales? */
bool weight_same(const struct weight *a, const struct weight *b);

#endif
