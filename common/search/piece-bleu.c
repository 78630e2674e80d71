/* piece-bleu: see piece-bleu.h. */
#include "search/piece-bleu.h"
#include "data/side-tokens.h"
#include "model/model-input.h"

void
piece_bleu_open(struct piece_bleu *p)
{
	*p = (struct piece_bleu){
		.how = { .variant = BLEU_SACREBLEU, .tokenizer = "none", .tokenize = tokenize_none,
			 .smooth = BLEU_EXP, .smooth_value = -1 }
	};
	p->metric = bleu_metric(&p->how);
	p->scratch = p->metric.open(p->metric.how);
}

void
piece_bleu_close(struct piece_bleu *p)
{
	p->metric.close(p->scratch);
	buf_release(&p->pieces);
	buf_release(&p->words);
	subwords_release(&p->split);
}

static void
piece_bleu_join(struct piece_bleu *p, const char *piece, size_t n)
{
	if (p->pieces.n)
		buf_add_char(&p->pieces, ' ');
	buf_add(&p->pieces, piece, n);
}

/* Joins the subwords in p->pieces into words in p->words, and clears p->pieces. */
static void
piece_bleu_restore(struct piece_bleu *p, bool sentencepiece)
{
	const char *s = p->pieces.n ? p->pieces.data : "";

	buf_clear(&p->words);
	if (sentencepiece) {
		subwords_words(&p->split, s, p->pieces.n);
		subwords_merge(p->split.v, p->split.n, &p->words);
	} else {
		bpe_restore(s, p->pieces.n, BPE_SEPARATOR, &p->words);
	}
	buf_clear(&p->pieces);
	buf_room(&p->words, 1);
}

/* Search drops the first token of a model from hypotheses, so the reference loses it, too. */
static void
restore_target(struct piece_bleu *p, const struct model *m, const struct record *rec,
	       bool sentencepiece)
{
	const struct str *piece;
	struct batch_rules rules;
	struct str text, token;
	size_t n = 0, at = 0;
	bool first;

	model_batch_rules(m, &rules);
	first = batch_has_first(rec, &rules, true);
	if (!record_strs(rec, "tgt.pieces", &piece, &n)) {
		for (size_t i = first; i < n; i++)
			piece_bleu_join(p, piece[i].s, piece[i].n);
		piece_bleu_restore(p, sentencepiece);
		return;
	}
	if (!record_str(rec, "tgt", &text)) {
		if (first)
			text_token(text, &at, &token);
		piece_bleu_join(p, text.s + at, text.n - at);
	}
	piece_bleu_restore(p, false);
}

void
piece_bleu_add(struct piece_bleu *p, const struct model *m, const struct record *reference,
	       const struct hypothesis *h)
{
	const bool sentencepiece = m->spm[0] || m->spm[1];
	int32_t stats[BLEU_WIDTH];

	restore_target(p, m, reference, sentencepiece);
	p->metric.reference(p->scratch, 0, p->words.data, p->words.n);
	for (int i = 0; i < h->n; i++) {
		size_t n;
		const char *text = vocab_text(&m->tgt, h->id[i], &n);

		piece_bleu_join(p, text, n);
	}
	piece_bleu_restore(p, sentencepiece);
	p->metric.hypothesis(p->scratch, p->words.data, p->words.n, stats);
	for (int i = 0; i < BLEU_WIDTH; i++)
		p->sums[i] += stats[i];
}

double
piece_bleu_score(const struct piece_bleu *p)
{
	return p->metric.score(p->sums, p->metric.how);
}

struct search_settings
piece_bleu_search(const struct recipe *r, int beam)
{
	return (struct search_settings){
		.variant = (enum search_variant)r->search, .beam = beam, .n_best = 1,
		.length_penalty = r->length_penalty, .max_ratio = 1.5, .max_extra = 10,
		.min_length = 1, .count_first = r->count_first, .noun = "record",
	};
}
