/*
 * man-align: aligns the blocks of a manual page with those of its translation.
 *
 * Nearly all translated pages are made by po4a, which keeps the macros.  A translation therefore
 * has the blocks of its original, and perhaps an additional section about the translation at its
 * end.  If so, the k-th block is the translation of the k-th block.
 *
 * Otherwise the pages are of different versions.  Then blocks with the same untranslated words
 * (options, numbers, names with a digit or an underscore) are anchors, paired by a longest common
 * subsequence.  The blocks between two anchors are paired if both sides have the same kinds.
 */
#ifndef MAN_ALIGN_H
#define MAN_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "corpora/man-blocks.h"

/*
 * Sets `partner[i]` to the block in b that corresponds to block i of a, or to SIZE_MAX.  Returns
 * whether the pages have the same blocks.  If they do not and are too long for the comparison, no
 * blocks are paired.
 */
bool man_align(const struct man_page *a, const struct man_page *b, size_t *partner);

#endif
