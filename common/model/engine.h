/*
 * engine: the number of the computations that produce models and translations.
 *
 * The same settings, data, back end and engine number give the same model and the same
 * translations.  Raise the number in every commit that changes the model or the translations that
 * unchanged settings give, for example by another order of random numbers, another formula or
 * another default.  HACKING.md states the exception: changes that affect no published run.  Changes
 * of speed, messages and formats, new options and new attention variants leave the number
 * unchanged.  tests/cli/engine.t stores results for this number, and fails if the results change
 * and the number does not.
 *
 * The ledger of runs (results/ledger.h) refuses runs of another engine number, so that they are
 * never compared.
 */
#ifndef ENGINE_H
#define ENGINE_H

#define HEED_ENGINE 1

#endif
