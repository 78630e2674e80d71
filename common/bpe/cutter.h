/*
 * cutter: segments texts with BPE codes or a SentencePiece model, as bpe-apply(1) does.
 */
#ifndef CUTTER_H
#define CUTTER_H

#include <stdbool.h>
#include <stdint.h>

#include "bpe/subwords.h"
#include "text/lines.h"

struct cutter_settings {
	/* For BPE codes (bpe.h): */
	const char *separator;		/* NULL: BPE_SEPARATOR, except in cutter_restore() */
	int64_t merges, threshold;	/* number of merges to use, or BPE_NO_LIMIT; minimum
					 * frequency in the vocabulary */
	const char *const *glossary;	/* [n_glossaries] regular expressions */
	size_t n_glossaries;
	double dropout;			/* probability that a merge is skipped; 0: no dropout */
	/*
	 * For a SentencePiece model: segmentations are drawn at random if alpha >= 0; see struct
	 * spm_sampling in spm.h.
	 */
	double alpha;
	int nbest;
	uint64_t seed;			/* also of the dropout of BPE codes */
};

struct cutter {
	const struct cutter_settings *set;	/* not copied */
	struct bpe *bpe;		/* BPE codes; NULL with a SentencePiece model */
	struct bpe_coder *coder;
	struct spm *spm;		/* a SentencePiece model, or NULL */
	struct spm_sampling sampling;
	struct subwords subwords;	/* of the last text of cutter_cut() */
	/* Number of that text, from 1; random numbers are a function of it. */
	uint32_t number;
	/*
	 * Number of texts with a word that has no subwords, because the normalization of the
	 * SentencePiece model removes it; and the number of the first such text.
	 */
	uint32_t gaps, first_gap;
};

/*
 * cutter_codes() opens the file of BPE codes at `path`, and the file of a vocabulary (bpe.h) unless
 * `vocabulary` is NULL.  cutter_spm() opens the file of a SentencePiece model.  The struct must be
 * all zeros before.  `set` must outlive it.  `purpose` is the purpose of the random numbers
 * (rng_purpose(), in rng.h).  Both return -1 with an error if the files or settings are invalid.
 * Call cutter_close() in any case.
 */
int cutter_codes(struct cutter *c, const struct cutter_settings *set, const char *path,
		 const char *vocabulary, uint32_t purpose, struct err *e) MUST_USE;
int cutter_spm(struct cutter *c, const struct cutter_settings *set, const char *path,
	       uint32_t purpose, struct err *e) MUST_USE;
bool cutter_is_open(const struct cutter *c);	/* false for a struct of zeros */
void cutter_close(struct cutter *c);

/* Segments the next text, of n bytes, into c->subwords.  Returns -1 if spm_cut() (spm.h) fails. */
int cutter_cut(struct cutter *c, const char *text, size_t n, struct err *e) MUST_USE;
/*
 * Prints a warning if c->gaps is not 0.  `field` is the name of the stream field that has the
 * texts.
 */
void cutter_warn_gaps(const struct cutter *c, const char *field);

/*
 * For lines_run() (text/lines.h), with a cutter as `arg`.  Appends the subwords of a line to `out`,
 * separated by spaces.  With BPE codes, random numbers are a function of the number of the line,
 * and spaces and CRs at both ends of the line are kept; with SentencePiece, random numbers are a
 * function of c->number.  Returns -1 if spm_cut() fails.
 */
lines_work cutter_line;
/*
 * The inverse of cutter_line(): appends the text of a line of subwords to `out`.  Uses the
 * SentencePiece model if one is open, and otherwise c->set->separator, which must not be NULL; BPE
 * codes need not be open.  Returns -1 if spm_restore() fails.
 */
lines_work cutter_restore;

#endif
