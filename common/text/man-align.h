/*
 * man-align: which blocks of a manual page are those of its translation.
 *
 * po4a, which makes nearly all translated pages, keeps the macros: a translation has
 * the blocks of its original, and perhaps a section about the translation at its end.
 * Where that is so, the k-th block is the translation of the k-th.  Otherwise one of the two
 * is of another version.  Then blocks with the same words that nobody translates (options,
 * names with a digit or an underscore, numbers) are anchors, by a longest common subsequence,
 * and the blocks between two anchors are joined if they are of the same kinds on both sides.
 */
#ifndef MAN_ALIGN_H
#define MAN_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "text/man-blocks.h"

/*
 * For each block of a, its block in b, or SIZE_MAX.  Returns whether the pages have the same
 * blocks.  Pages that have not, and are too long to compare, have none in common.
 */
bool man_align(const struct man_page *a, const struct man_page *b, size_t *partner);

#endif
