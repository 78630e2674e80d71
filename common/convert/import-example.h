/*
 * import-example: shows how an imported model processes one sentence, token by token, so that the
 * user can compare it with the original.
 */
#ifndef IMPORT_EXAMPLE_H
#define IMPORT_EXAMPLE_H

#include "convert/import.h"

/*
 * Translates a sentence of a few vocabulary entries with the model that import_write() wrote to
 * `path`.  Adds lines to the notes of the import with the tokens that the encoder reads, the token
 * that the decoder reads first, the first target token if the model prescribes one, and the tokens
 * that are produced.  Each token is shown as its number in the original and its text.  If the
 * translation fails, adds a note with the error.
 */
void import_example(struct import *im, const char *path);

#endif
