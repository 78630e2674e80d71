/*
 * logit: the logit of a token as a linear function of the decoder output, for attribution methods
 * that start from a logit or from the difference of two.
 */
#ifndef LOGIT_H
#define LOGIT_H

#include "model/model.h"

/*
 * The logit of the token is w h + bias, where h is a row of the decoder output.  Stores w [width]
 * and returns the bias.  Unless foil is -1, w and the bias of the foil are subtracted.
 */
real logit_weights(const struct model *m, int token, int foil, real *w);

/*
 * The id of a target vocabulary entry.  -1 with EXIT_USAGE if there is none; the message does not
 * name the option.
 */
int logit_token(const struct model *m, const char *text, int *id, struct err *e) MUST_USE;

#endif
