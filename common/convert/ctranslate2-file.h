/*
 * ctranslate2-file: reads the tensors in model.bin, the file of a model of CTranslate2.
 *
 * All numbers are little-endian.  A text is a length of 16 bits, which counts a NUL byte at the end
 * of the text, and then the bytes of the text and the NUL byte.  The file consists of:
 *
 *	version (32 bits): 1 to 6
 *	from version 2: the name of the specification, a text, and its revision (32 bits)
 *	the number of tensors (32 bits); for each tensor: its name, a text; the number of
 *	dimensions (8 bits); each dimension (32 bits); from version 4 the type (8 bits) and the
 *	number of bytes (32 bits), in earlier versions the number of bytes of an element (8 bits)
 *	and the number of elements (32 bits); the bytes of the elements
 *	from version 3: the number of aliases (32 bits); for each alias: a new name and the name of
 *	a tensor, both texts
 *
 * The types are numbered from 0: float32, int8, int16, int32, float16, bfloat16.  In versions
 * before 4, elements of 4, 2 and 1 bytes are float32, int16 and int8.  The tensor NAME_scale has
 * the scale of a quantized matrix NAME; the int16 matrices of version 1 have the scale 1000.
 */
#ifndef CTRANSLATE2_FILE_H
#define CTRANSLATE2_FILE_H

#include "convert/weights.h"

struct ct2_file {
	int version;
	int64_t revision;		/* of the specification; 1 in version 1 */
	char spec[32];			/* name of the specification, such as "TransformerSpec"; ""
					 * in version 1 */
};

/*
 * Maps the file at `path` into memory, adds its tensors and aliases to w, which must be
 * initialized, and sets *f.  The file remains mapped until weights_release().  The tensors of
 * revision 1 get the names that they have from revision 2 on.  Returns -1 with EXIT_SYSTEM if the
 * file cannot be read, and with EXIT_INPUT if it is malformed.
 */
int ct2_open(struct weights *w, const char *path, struct ct2_file *f, struct err *e) MUST_USE;
/*
 * The same for the n bytes at p, which are not copied and must outlive w.  `name` is the name of
 * the file for messages.
 */
int ct2_memory(struct weights *w, const char *name, const void *p, size_t n, struct ct2_file *f,
	       struct err *e) MUST_USE;

/*
 * Does the file at `path` begin like a model.bin of any version?  Files of PyTorch (pickles) do
 * not.  False if the file cannot be read.
 */
bool ct2_is(const char *path);

/*
 * Settings, such as num_heads, are stored as tensors with one element.  Sets *x to the only element
 * of tensor w.  Returns false if w does not have exactly one element.
 */
bool ct2_number(const struct weight *w, double *x);

#endif
