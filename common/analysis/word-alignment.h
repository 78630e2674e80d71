/*
 * word-alignment: word alignments from the weights of cross-attention.
 *
 * Each target word is aligned to the source word that it attends to most.  The weights are those of
 * the decoder step that predicts a token of the word (Garg et al. 2019, Jointly learning to align
 * and translate, section 3), averaged over heads and over the tokens of the target word, and summed
 * over the tokens of the source word.  The end-of-sentence tokens of both sides are left out.
 */
#ifndef WORD_ALIGNMENT_H
#define WORD_ALIGNMENT_H

#include <stdbool.h>

#include "analysis/sentence-attention.h"
#include "bpe/subwords.h"
#include "data/batch.h"
#include "data/links.h"
#include "data/word-sums.h"
#include "model/model.h"
#include "model/runtime.h"
#include "search/lookahead.h"

struct word_alignment {
	struct site_list sites;		/* the caller's */
	bool *chosen;			/* [heads of all sites] the heads that are averaged */
	/* The last sentence: the source word of each target word, from 0; -1: none. */
	int *source, words, source_words;
	size_t source_room;
	struct word_sums sums;		/* of the weights */
};

/*
 * Overwrites a.  `heads`: a list of heads of cross-attention (attention/attention-heads.h), or NULL
 * for all heads of the last layer but one, or of the only layer.  Returns -1 with EXIT_USAGE if the
 * list is malformed or has other heads, or if all heads of that layer were pruned.  Release a in
 * any case.
 */
int word_alignment_begin(struct word_alignment *a, const struct model *m, const char *heads,
			 struct err *e) MUST_USE;
/*
 * The same for the weights of sites that are not those of a model, such as those of a stream; none
 * of their heads is masked.
 */
int word_alignment_begin_sites(struct word_alignment *a, struct site_list sites, const char *heads,
			       struct err *e) MUST_USE;
void word_alignment_release(struct word_alignment *a);

/*
 * Aligns a sentence with a target: by head `head` of site `site` or, if `site` is negative, by the
 * mean of the chosen heads.  Words are those of src.word and tgt.word, or the subwords in a stream
 * without these fields.  Returns -1 with EXIT_INPUT if these do not fit the subwords; the caller
 * adds the record to the message.
 */
int word_alignment_of(struct word_alignment *a, const struct sentence_attention *s, int site,
		      int head, struct err *e) MUST_USE;
/*
 * Aligns a sentence by the mean of the chosen heads, and sets the field "alignment" of a record to
 * the links; to none if a side has no tokens.  Returns -1 as word_alignment_of().
 */
int word_alignment_set(struct word_alignment *a, const struct sentence_attention *s,
		       struct record *rec, struct err *e) MUST_USE;
/* Sets `links`, which must be initialized, to those of the last sentence. */
void word_alignment_links(const struct word_alignment *a, struct link_set *links);
/* Appends the links in Pharaoh format, "0-0 1-2": source word, target word, both from 0. */
void word_alignment_put(const struct word_alignment *a, struct buf *out);

/*
 * Word alignments of translations.
 *
 * The search keeps no attention weights.  The decoder reads each translation again, with teacher
 * forcing, which costs one forward pass.
 */
struct translation_alignment {
	struct word_alignment links;
	struct model *m;
	struct runtime *run;
	struct arena mem;		/* memory that is reused for each batch */
	struct record **rec;		/* [records] a batch, reused */
	size_t records;
	struct buf text;		/* the links of all sentences, each with a NUL */
	size_t *start;			/* [sentences] in text */
	size_t start_room;
};

/*
 * Lets l align the best translation of each sentence, in Pharaoh format.  Words are those of
 * src.word, or source subwords if a record lacks it, and of the translation.  If the words of a
 * record do not fit its subwords, the lookahead fails with EXIT_INPUT, and the message names the
 * record.  l must not cut sentences.
 *
 * `heads`: as in word_alignment_begin(), whose errors it returns.  `run` is the caller's, and its
 * tape is rewound.  a must outlive l.
 */
int translation_alignment_begin(struct translation_alignment *a, struct lookahead *l,
				struct runtime *run, const char *heads, struct err *e) MUST_USE;
/* a may be all zeros. */
void translation_alignment_release(struct translation_alignment *a);

#endif
