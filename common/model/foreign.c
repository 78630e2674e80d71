/* foreign: see foreign.h. */
#include "model/foreign.h"

/* What to segment text with, or NULL. */
static const char *
segments_with(const struct model *m)
{
	return m->codes ? "with its BPE codes (nmt-info --codes)" :
	       m->spm[0] || m->spm[1] ? "with its SentencePiece model (nmt-info --spm)" : NULL;
}

void
foreign_warn(const struct model *m, const struct unknown *u, const char *name)
{
	unknown_warn(u, name, segments_with(m));
}
