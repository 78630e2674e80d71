/*
 * cutter: segments texts with BPE codes or a SentencePiece model, as bpe-apply(1) does.
 */
#ifndef CUTTER_H
#define CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpe/subwords.h"

struct cutter_settings {
	/* For BPE codes (bpe.h): */
	const char *separator;
	int64_t merges, threshold;
	const char *const *glossary;	/* [n_glossaries] regular expressions */
	size_t n_glossaries;
	double dropout;
	/*
	 * For a SentencePiece model: segmentations are drawn at random if alpha >= 0; see struct
	 * spm_sampling in spm.h.
	 */
	double alpha;
	int nbest;
	uint64_t seed;
};

struct cutter {
	const struct cutter_settings *set;	/* the caller's */
	struct bpe *bpe;		/* BPE codes; NULL with a SentencePiece model */
	struct bpe_coder *coder;
	struct spm *spm;		/* a SentencePiece model, or NULL */
	struct spm_sampling sampling;
	struct subwords subwords;	/* of the last text */
	uint32_t number;		/* number of the last text, from 1, of which random numbers
					 * are a function */
	/* Texts with words that a SentencePiece model removes, and the number of the first. */
	uint32_t gaps, first_gap;
};

/*
 * Open BPE codes, with a vocabulary unless that is NULL, or a SentencePiece model.  c must be all
 * zeros at first.  Call cutter_close() in any case.  `purpose` is that of the random numbers
 * (rng_purpose()).
 */
int cutter_codes(struct cutter *c, const struct cutter_settings *set, const char *path,
		 const char *vocabulary, uint32_t purpose, struct err *e) MUST_USE;
int cutter_spm(struct cutter *c, const struct cutter_settings *set, const char *path,
	       uint32_t purpose, struct err *e) MUST_USE;
bool cutter_is_open(const struct cutter *c);
void cutter_close(struct cutter *c);

/* Segments the next text into c->subwords.  Returns -1 as spm_cut(). */
int cutter_cut(struct cutter *c, const char *text, size_t n, struct err *e) MUST_USE;
/* Prints a warning if c->gaps is not 0; `field` is the field of the texts, for the message. */
void cutter_warn_gaps(const struct cutter *c, const char *field);

/*
 * Appends the subwords of line `number`, separated by spaces.  With BPE codes, spaces at both ends
 * of the line are kept.  The error names the line.
 */
int cutter_line(struct cutter *c, const char *line, size_t n, int64_t number, struct buf *out,
		struct err *e) MUST_USE;
/*
 * The inverse: appends the text of a line of subwords, by the SentencePiece model or, if there is
 * none, by the separator of BPE.
 */
int cutter_restore(struct cutter *c, const char *line, size_t n, int64_t number, struct buf *out,
		   struct err *e) MUST_USE;

#endif
