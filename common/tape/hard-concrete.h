/*
 * hard-concrete: gates in [0, 1] that are exactly 0 or 1 with a probability that can be trained;
 * Louizos, Welling and Kingma 2018, Learning sparse neural networks through L0 regularization,
 * equations 10 to 13, with temperature 0.33 and stretched to (-0.1, 1.1), as Voita et al. 2019 have
 * it.
 */
#ifndef HARD_CONCRETE_H
#define HARD_CONCRETE_H

/* A gate and its derivative by log alpha, which is 0 where the gate is 0 or 1. */
struct hard_concrete { double gate, slope; };

/* The sample at u of [0, 1), which is taken to (1e-6, 1 - 1e-6). */
struct hard_concrete hard_concrete_sample(double log_alpha, double u);
/* What takes its place outside training: no chance and no temperature. */
struct hard_concrete hard_concrete_test(double log_alpha);
/* The probability that a sample is not 0 is the sigmoid of log alpha and this. */
double hard_concrete_shift(void);
double hard_concrete_open(double log_alpha);	/* that probability */

#endif
