/*
 * import-example: shows how an imported model processes one sentence, token by token, so that the
 * user can compare it with the original.
 */
#ifndef IMPORT_EXAMPLE_H
#define IMPORT_EXAMPLE_H

#include "convert/import.h"

/*
 * Translates a sentence of a few entries of the vocabulary with the model that import_write() wrote
 * to `path`, and adds lines to the notes of the import: what the encoder reads, what the decoder
 * reads first, the first target token if the model prescribes one, and what is produced, each as a
 * number of the original and an entry.  A failure becomes a note, too.
 */
void import_example(struct import *im, const char *path);

#endif
