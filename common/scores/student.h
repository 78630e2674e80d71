/* student: Student's t distribution, for tests on few measurements. */
#ifndef STUDENT_H
#define STUDENT_H

/*
 * The upper tail probability P(T >= t) of Student's t distribution with `df` > 0 degrees of
 * freedom; 0.5 for t = 0.  For t >= 0, it is I(df / (df + t t); df/2, 1/2) / 2.  I is the
 * incomplete beta function, which is computed as a continued fraction (Abramowitz and Stegun
 * 26.5.8, 26.7.1).
 */
double student_above(double t, double df);

/* The inverse of student_above(): the t with P(T >= t) = `p`, for 0 < `p` < 1. */
double student_point(double p, double df);

/*
 * The smallest detectable effect: the true mean, in units of the standard error of its estimate,
 * that a two-sided t test with `df` > 0 degrees of freedom detects at level `alpha` with
 * probability `power`.  This is the noncentrality of the noncentral t distribution that has
 * probability `power` outside of the interval from -x to x, x = student_point(alpha / 2, df) (Cohen
 * 1988, section 2.4).
 */
double student_detectable(double df, double alpha, double power);

#endif
