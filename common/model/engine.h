/*
 * engine: the version number of results.
 *
 * The same settings, data, back end and engine number give the same model and the same
 * translations.  Raise the number in every commit that changes the result of a training or a
 * translation with unchanged settings: another order of random numbers, another formula, another
 * default; HACKING.md has the exception.  Speed, messages, formats, new options and new variants do
 * not raise it.  tests/cli/engine.t stores results with the number and fails when they change
 * without it.
 *
 * Runs of different engines are never compared (results/ledger.h).
 */
#ifndef ENGINE_H
#define ENGINE_H

#define HEED_ENGINE 1

#endif
