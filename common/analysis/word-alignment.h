/*
 * word-alignment: word alignments from the weights of cross-attention.
 *
 * Each target word is aligned to the source word that it attends to most.  The weights of a target
 * token are those of the decoder step that predicts the token (Garg et al. 2019, Jointly learning
 * to align and translate, section 3).  The weights between two words are averaged over heads and
 * over the tokens of the target word, and summed over the tokens of the source word.  The
 * end-of-sentence tokens of both sides are left out.
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
	bool *chosen;			/* [heads of all sites] (attention/attention-heads.h) the
					 * heads that are averaged */
	struct word_sums sums;		/* of the last sentence */
};

/*
 * Overwrites *a.  `sites` are those of a model or of a stream with weights, and must outlive `a`.
 * `heads` is a list of the heads of cross-attention to average (attention/attention-heads.h).  NULL
 * means all heads of the last layer but one or, with one decoder layer, of that layer; of these,
 * heads with a 0 in `mask`, that of model_mask(), are left out, unless `mask` is NULL.  Returns -1
 * with EXIT_USAGE if the list is malformed or has heads that are not of cross-attention, or if no
 * head is left in the layer that NULL means.  Release `a` also after an error.
 */
int word_alignment_begin(struct word_alignment *a, struct site_list sites, const real *mask,
			 const char *heads, struct err *e) MUST_USE;
void word_alignment_release(struct word_alignment *a);

/*
 * Aligns a sentence, which must have a target, and sets a->sums.  If `head` is negative, the
 * weights are averaged over a->chosen, else they are those of this head, an index among all
 * retained heads, which must be of cross-attention.  Words are those of the fields src.word and
 * tgt.word; without these fields, each subword is a word.  Returns -1 with EXIT_INPUT if a field
 * does not fit the subwords; the caller adds the name of the record to the message.
 */
int word_alignment_of(struct word_alignment *a, const struct sentence_attention *s, ptrdiff_t head,
		      struct err *e) MUST_USE;
/*
 * Aligns a sentence by the mean of the chosen heads, and sets the field "alignment" of `rec` to the
 * links.  The field is empty if the source or the target has no tokens.  Returns -1 as
 * word_alignment_of().
 */
int word_alignment_set(struct word_alignment *a, const struct sentence_attention *s,
		       struct record *rec, struct err *e) MUST_USE;
/* Replaces the contents of `links`, an initialized set, by the links of the last sentence. */
void word_alignment_links(const struct word_alignment *a, struct link_set *links);
/*
 * Appends the links of the last sentence in Pharaoh format, as in "0-0 1-2".  Each link is a source
 * word and a target word, both from 0.
 */
void word_alignment_put(const struct word_alignment *a, struct buf *out);

/*
 * Word alignments of translations.
 *
 * Beam search keeps no attention weights.  Therefore, the decoder processes each translation again,
 * with teacher forcing, which costs one forward pass.
 */
struct translation_alignment {
	struct word_alignment links;
	struct model *m;
	struct runtime *run;
	struct arena mem;		/* memory for the current batch */
	struct record **rec;		/* [records] records of the current batch */
	size_t records;
	struct buf text;		/* a NUL, for sentences that are not aligned, and the
					 * alignments of all others, each ending with a NUL */
	size_t *start;			/* [sentences] offset of each alignment in `text` */
	size_t start_room;
};

/*
 * Overwrites *a, and makes the lookahead `l` (search/lookahead.h) align the best translation of
 * each sentence, in Pharaoh format.  Source words are those of the field src.word or, in a record
 * without it, the source subwords.  Target words are the words of the translation.  If src.word
 * does not fit the subwords of a record, the lookahead fails with EXIT_INPUT, and the message names
 * the record.  `l` must not cut sentences.
 *
 * `heads` is that of word_alignment_begin(); errors are also those of that function.  `run` remains
 * the caller's; its tape is rewound for each batch.  `a` and `run` must outlive `l`.
 */
int translation_alignment_begin(struct translation_alignment *a, struct lookahead *l,
				struct runtime *run, const char *heads, struct err *e) MUST_USE;
/* `a` may be all zeros. */
void translation_alignment_release(struct translation_alignment *a);

#endif
