/*
 * preparation: the preparations of papers, and checks of those on which models are measured.
 * Errors are those of the plan, see fault() in plan.h.
 */
#ifndef PLAN_PREPARATION_H
#define PLAN_PREPARATION_H

#include "plan/plan.h"

/* The parser of a preparation: a name in src/forms.conf, or "none". */
const char *preparation_parser(const struct plan *p, const struct paper *paper, const char *data);
/*
 * The heads of all runs of a paper are measured on the preparation "probe".  probe_check() refuses
 * a run that reads texts after other commands, unless the paper has the key prepare.probe, and a
 * run that reads trees of another parser.
 */
void probe_check(struct plan *p, const struct run *r);
/*
 * Checks of a paper: that it names the parser of "probe" if heads are studied, and that all
 * variants of the key `timed`, which translate the same text, have the same data.
 */
void measured_check(struct plan *p, const struct paper *paper);

#endif
