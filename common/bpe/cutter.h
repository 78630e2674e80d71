/*
 * cutter: segments texts with BPE codes or a SentencePiece model, as bpe-apply(1) does.
 */
#ifndef CUTTER_H
#define CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpe/subwords.h"

struct cutter_settings {
	/* Of BPE codes; see bpe.h. */
	const char *separator;
	int64_t merges, threshold;
	const char *const *glossary;	/* [n_glossaries] regular expressions */
	size_t n_glossaries;
	double dropout;
	/* Of SentencePiece: draw from the nbest segmentations if alpha >= 0; see spm.h. */
	double alpha;
	int nbest;
	uint64_t seed;
};

struct cutter {
	const struct cutter_settings *set;	/* the caller's */
	struct bpe *bpe;		/* BPE codes ... */
	struct bpe_coder *coder;
	struct spm *spm;		/* ... or a SentencePiece model */
	struct spm_sampling sampling;
	struct subwords subwords;	/* of the last text */
	uint32_t number;		/* of the last text, from 1; addresses random numbers */
	/* Texts with words that a SentencePiece model removes, and the number of the first. */
	uint32_t gaps, first_gap;
};

/*
 * Open BPE codes, with a vocabulary unless that is NULL, or a SentencePiece model.  c must be
 * zeros.  c must be closed in any case.
 */
int cutter_codes(struct cutter *c, const struct cutter_settings *set, const char *path,
		 const char *vocabulary, uint32_t purpose, struct err *e) MUST_USE;
int cutter_spm(struct cutter *c, const struct cutter_settings *set, const char *path,
	       uint32_t purpose, struct err *e) MUST_USE;
bool cutter_is_open(const struct cutter *c);
void cutter_close(struct cutter *c);

/* Segments the next text into c->subwords. */
int cutter_cut(struct cutter *c, const char *text, size_t n, struct err *e) MUST_USE;
/* Prints a warning if there were gaps in the texts of this field. */
void cutter_warn_gaps(const struct cutter *c, const char *field);

/*
 * Appends the subwords of line `number`, separated by spaces.  With BPE codes, spaces at both ends
 * of the line are kept.  The error names the line.
 */
int cutter_line(struct cutter *c, const char *line, size_t n, int64_t number, struct buf *out,
		struct err *e) MUST_USE;
/* The inverse: with a SentencePiece model, or without a model by the separator. */
int cutter_restore(struct cutter *c, const char *line, size_t n, int64_t number, struct buf *out,
		   struct err *e) MUST_USE;

#endif
