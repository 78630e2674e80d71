/*
 * ter-edits: the number of edits between two sentences, as TER counts them (ter.h).
 *
 * An edit is an insertion, a deletion or a substitution of a word, or a shift of a sequence of
 * words.  The minimum number of edits is hard to find.  Therefore, Tercom searches greedily (Snover
 * et al. 2006, A study of translation edit rate with targeted human annotation, section 2): as long
 * as any shift lowers the edit distance without shifts, it makes the shift that lowers this
 * distance most.  The search here is that of sacreBLEU 2.6:
 *
 *   - A shift moves a sequence of at most 10 words of the hypothesis that the reference also has,
 *     at most 50 positions apart.  The new place is after the hypothesis word that is aligned to
 *     the reference word before the sequence or to any word of the sequence in the reference.
 *     Neither the sequence in the hypothesis nor that in the reference may already be aligned
 *     without an error, and the first word of the latter may not be aligned to a word of the
 *     former.
 *   - Of the shifts that lower the distance equally, the longest is made; of equally long ones, the
 *     one whose words come first; then the one whose new place comes first.
 *   - The edit distance is computed only near the diagonal: 25 words before and after it, or more
 *     if the reference has more than 50 times as many words as the hypothesis.  An alignment
 *     prefers a match or substitution, then a deletion, then an insertion.
 *   - After 1,000 shifts have been tried, no further shift is made.
 */
#ifndef TER_EDITS_H
#define TER_EDITS_H

#include <stdint.h>

/* The memory of the search, for one thread. */
struct ter_edits;

struct ter_edits *ter_edits_new(void);
void ter_edits_free(struct ter_edits *x);	/* `x` may be NULL */

/*
 * Returns the number of edits that turn the words `hyp` [n_hyp] into the words `ref` [n_ref].
 * Words are given by ids.
 */
int ter_edits(struct ter_edits *x, const int32_t *hyp, int n_hyp, const int32_t *ref, int n_ref);

#endif
