/*
 * other-tests: the differences of claims on further test sets.
 *
 * A run may have the NLL of test sets besides the main one (heed-record --also).  They decide
 * nothing: of a decided claim, they show whether another sample of sentences has the same sign.
 */
#ifndef OTHER_TESTS_H
#define OTHER_TESTS_H

#include "base/buf.h"
#include "results/claims.h"

/*
 * Appends "NAME DIFFERENCE [LOW, HIGH]; ..." for each further test set that runs of both systems
 * have, with 95% intervals by the model of the host group; nothing for a claim that is neither
 * confirmed nor reversed, or that is not a claim on BLEU that NLL decides.
 */
void other_tests_put(const struct claim *c, const struct outcomes *o, struct buf *out);

#endif
