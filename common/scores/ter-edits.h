/*
 * ter-edits: the number of edits of TER between two sentences.
 *
 * An edit is an insertion, a deletion or a substitution of a word, or a shift of a sequence of
 * words.  The minimum is hard to find, so Tercom searches greedily (Snover et al. 2006, A study of
 * translation edit rate with targeted human annotation, section 2): as long as a shift lowers the
 * edit distance, it makes the one that lowers it most.  This is the search of sacreBLEU 2.6:
 *
 *   - A shift moves at most 10 words of the hypothesis that also are in the reference, at most 50
 *     positions apart, to where the reference has them: before the first of these, or after any
 *     of them.  Neither side may already be aligned there without an error.
 *   - Of the shifts with the same gain, the longest is made, then the one whose words come first,
 *     then the one whose target comes first.
 *   - The edit distance is computed only near the diagonal: 25 words before and after it.  An
 *     alignment prefers a match or substitution, then a deletion, then an insertion.
 *   - After 1,000 shifts have been tried, no further shift is made.
 */
#ifndef TER_EDITS_H
#define TER_EDITS_H

#include <stdint.h>

/* The memory of the search, for one thread. */
struct ter_edits;

struct ter_edits *ter_edits_new(void);
void ter_edits_free(struct ter_edits *x);	/* x may be NULL */

/*
 * The number of edits that turn the words `hyp` [n_hyp] into `ref` [n_ref].  Words are equal if
 * their ids are equal.
 */
int ter_edits(struct ter_edits *x, const int32_t *hyp, int n_hyp, const int32_t *ref, int n_ref);

#endif
