/*
 * concrete-gate: gates in [0, 1] that are exactly 0 or 1 with a trainable probability; Louizos,
 * Welling and Kingma 2018, Learning sparse neural networks through L0 regularization, equations 10
 * to 13.  With the temperature beta = 0.33 and the stretched interval (gamma, zeta) = (-0.1, 1.1),
 * as in Voita et al. 2019, section 6:
 *
 *	sample	clip(gamma + (zeta - gamma) sigmoid((ln u - ln(1 - u) + log alpha) / beta), 0, 1)
 *	test	clip(gamma + (zeta - gamma) sigmoid(log alpha), 0, 1)
 *	open	P(sample > 0) = sigmoid(log alpha - beta ln(-gamma / zeta))
 */
#ifndef CONCRETE_GATE_H
#define CONCRETE_GATE_H

/* A gate, and its derivative with respect to log alpha, which is 0 if the gate is 0 or 1. */
struct hard_concrete { double gate, slope; };

/* The sample for a uniform u in [0, 1), which is mapped to (1e-6, 1 - 1e-6). */
struct hard_concrete hard_concrete_sample(double log_alpha, double u);
/* The gate outside training, without randomness and temperature. */
struct hard_concrete hard_concrete_test(double log_alpha);
/* The constant -beta ln(-gamma / zeta) in the formula of P(sample > 0). */
double hard_concrete_shift(void);
/* P(sample > 0). */
double hard_concrete_open(double log_alpha);

#endif
