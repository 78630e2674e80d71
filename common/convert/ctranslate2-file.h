/*
 * ctranslate2-file: the tensors in model.bin of CTranslate2.
 *
 * All numbers are little-endian.  A text is its length with a NUL byte (16 bits), and its bytes.
 * The file consists of:
 *
 *	version (32 bits): 1 to 6
 *	from version 2: the name of the specification, a text, and its revision (32 bits)
 *	the number of tensors (32 bits); each: name, a text; number of dimensions (8 bits); each
 *	dimension (32 bits); then from version 4 the type (8 bits) and the number of bytes (32
 *	bits), and before that the bytes of an element (8 bits) and the number of elements (32
 *	bits); the bytes
 *	from version 3: the number of aliases (32 bits); each: the new name and the name of a tensor
 *
 * Types are float32, int8, int16, int32, float16 and bfloat16, numbered from 0.  In versions before
 * 4, elements of 4, 2 and 1 bytes are float32, int16 and int8.  NAME_scale has the scale of a
 * quantized matrix NAME; the int16 matrices of version 1 have the scale 1000.
 */
#ifndef CTRANSLATE2_FILE_H
#define CTRANSLATE2_FILE_H

#include "convert/weights.h"

struct ct2_file {
	int version;
	int64_t revision;		/* of the specification; 1 in version 1 */
	char spec[32];			/* "TransformerSpec"; "" in version 1 */
};

/*
 * Maps the file and adds its tensors and aliases to w, which must be initialized and keeps the file
 * mapped; sets *f.  The tensors of revision 1 get the names that they have from revision 2 on.
 * Returns -1 if the file cannot be read, and with EXIT_INPUT if it is malformed.
 */
int ct2_open(struct weights *w, const char *path, struct ct2_file *f, struct err *e) MUST_USE;
/*
 * The same for bytes in memory, which remain the caller's and must outlive w; `name` is for
 * messages.
 */
int ct2_memory(struct weights *w, const char *name, const void *p, size_t n, struct ct2_file *f,
	       struct err *e) MUST_USE;

/*
 * Does the file begin like model.bin of any version?  Pickles do not; false if it cannot be read.
 */
bool ct2_is(const char *path);

/*
 * Stores a setting of the file, such as num_heads, in *x: the only element of tensor w.  Returns
 * false if w has several elements.
 */
bool ct2_number(const struct weight *w, double *x);

#endif
