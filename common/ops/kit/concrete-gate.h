/*
 * concrete-gate: gates in [0, 1] that are exactly 0 or 1 with a trainable probability; Louizos,
 * Welling and Kingma 2018, Learning sparse neural networks through L0 regularization, equations 10
 * to 13.  The temperature is 0.33 and the interval is stretched to (-0.1, 1.1), as in Voita et al.
 * 2019.
 */
#ifndef CONCRETE_GATE_H
#define CONCRETE_GATE_H

/* A gate, and its derivative with respect to log alpha, which is 0 if the gate is 0 or 1. */
struct hard_concrete { double gate, slope; };

/* The sample for a uniform u in [0, 1), which is mapped to (1e-6, 1 - 1e-6). */
struct hard_concrete hard_concrete_sample(double log_alpha, double u);
/* The gate outside training, without randomness and temperature. */
struct hard_concrete hard_concrete_test(double log_alpha);
/* The constant c for which a sample is not 0 with probability sigmoid(log alpha + c). */
double hard_concrete_shift(void);
/* That probability. */
double hard_concrete_open(double log_alpha);

#endif
