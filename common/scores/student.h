/* student: Student's t distribution, for tests on a few measurements. */
#ifndef STUDENT_H
#define STUDENT_H

/*
 * The upper tail probability P(T >= t) of Student's t with df > 0 degrees of freedom; 0.5 at t =
 * 0.  For t >= 0 it is I(df / (df + t t); df/2, 1/2) / 2, where the incomplete beta function I is
 * computed as a continued fraction (Abramowitz and Stegun 26.5.8, 26.7.1).
 */
double student_above(double t, double df);

/* The t with P(T >= t) = p, 0 < p < 1: the inverse of student_above(). */
double student_point(double p, double df);

/*
 * The smallest detectable effect: the true mean, in units of the standard error of its estimate,
 * that a two-sided t test with df > 0 degrees of freedom at level alpha detects with the given
 * power.  It is the noncentrality of the noncentral t distribution with probability `power` outside
 * of +-student_point(alpha / 2, df) (Cohen 1988, section 2.4).
 */
double student_detectable(double df, double alpha, double power);

#endif
