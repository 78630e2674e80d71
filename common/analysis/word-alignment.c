/* word-alignment: see word-alignment.h. */
#include "analysis/word-alignment.h"

#include <stdlib.h>
#include <string.h>

#include "attention/attention-heads.h"
#include "base/mem.h"
#include "data/links.h"
#include "model/model-input.h"
#include "search/forced.h"

static void
choose_default(struct word_alignment *a, const real *mask)
{
	const struct site *s = a->sites.site;
	size_t last = a->sites.n, site;

	for (size_t i = 0; i < a->sites.n; i++)
		if (s[i].where == DECODER_CROSS)
			last = i;
	if (last == a->sites.n)
		return;
	site = last && s[last - 1].where == DECODER_CROSS ? last - 1 : last;
	for (int h = 0; h < s[site].heads; h++) {
		const size_t at = heads_before(s, site) + (size_t)h;

		a->chosen[at] = !mask || mask[at] != 0;
	}
}

/* Are there heads, and only such of cross-attention? */
static int
word_alignment_check_heads(const struct word_alignment *a, struct err *e)
{
	const struct site *site = a->sites.site;
	bool any = false;

	for (size_t i = 0; i < a->sites.n; i++)
		for (int h = 0; h < site[i].heads; h++) {
			if (!a->chosen[heads_before(site, i) + (size_t)h])
				continue;
			any = true;
			if (site[i].where != DECODER_CROSS)
				return err_usage(e, "%s is no cross-attention, expected heads of "
						 "cross-attention", site[i].name);
		}
	return any ? 0 : err_usage(e, "no heads of cross-attention, expected at least one");
}

int
word_alignment_begin(struct word_alignment *a, struct site_list sites, const real *mask,
		     const char *heads, struct err *e)
{
	*a = (struct word_alignment){ .sites = sites };
	a->chosen = xcalloc(heads_before(sites.site, sites.n) + 1, sizeof(*a->chosen));
	if (!heads)
		choose_default(a, mask);
	else if (head_set_add(a->chosen, heads, sites.site, sites.n, e))
		return -1;
	if (!word_alignment_check_heads(a, e))
		return 0;
	if (!heads) {
		err_set(e, EXIT_USAGE, "no heads of cross-attention in the penultimate decoder "
			"layer are left, expected some");
		err_hint(e, "--alignment-heads chooses heads of other layers");
	}
	return -1;
}

void
word_alignment_release(struct word_alignment *a)
{
	free(a->chosen);
	word_sums_release(&a->sums);
	*a = (struct word_alignment){ .chosen = NULL };
}

/* Adds the weights of a head, from tokens to tokens, to those from words to words. */
static void
word_alignment_add_head(struct word_alignment *a, const struct sentence_attention *s, size_t head,
			const struct link_side *src, const struct link_side *tgt)
{
	const struct head_weights w = sentence_attention_head(s, &a->sites, head);

	for (int i = 0; w.x && i < tgt->tokens; i++)
		word_sums_add(&a->sums, link_side_word(tgt, i), src,
			      w.x + (ptrdiff_t)i * w.keys);
}

int
word_alignment_of(struct word_alignment *a, const struct sentence_attention *s, ptrdiff_t head,
		  struct err *e)
{
	const size_t heads = heads_before(a->sites.site, a->sites.n);
	struct link_side src, tgt;

	if (link_side_read(&src, s->rec, "src.word", s->source - s->source_end, e) ||
	    link_side_read(&tgt, s->rec, "tgt.word", s->target - 1, e))
		return -1;
	word_sums_begin(&a->sums, tgt.words, src.words);
	for (size_t i = 0; i < heads; i++)
		if (head < 0 ? a->chosen[i] : (ptrdiff_t)i == head)
			word_alignment_add_head(a, s, i, &src, &tgt);
	return 0;
}

void
word_alignment_links(const struct word_alignment *a, struct link_set *links)
{
	word_sums_links(&a->sums, links);
}

void
word_alignment_put(const struct word_alignment *a, struct buf *out)
{
	const char *blank = "";

	for (int v = 0; v < a->sums.words; v++) {
		const int source = word_sums_best(&a->sums, v);

		if (source >= 0) {
			buf_printf(out, "%s%d-%d", blank, source, v);
			blank = " ";
		}
	}
}

int
word_alignment_set(struct word_alignment *a, const struct sentence_attention *s,
		   struct record *rec, struct err *e)
{
	struct buf links = { 0 };

	if (word_alignment_of(a, s, -1, e))
		return -1;
	buf_add(&links, "", 0);
	if (side_tokens_count(rec, false) > 0 && side_tokens_count(rec, true) > 0)
		word_alignment_put(a, &links);
	record_set_str(rec, "alignment", links.data, links.n);
	buf_release(&links);
	return 0;
}

/* --- translations --- */

enum { SENTENCES = 256 };		/* maximum number in a batch */

/* Sentences first ... first + n - 1 of l, but those that are empty or skipped. */
struct chunk {
	struct translation_alignment *a;
	struct lookahead *l;
	size_t first, n, from[SENTENCES];
	int in_batch, done;		/* sentences of the batch; those that have links */
};

void
translation_alignment_release(struct translation_alignment *a)
{
	if (!a->m)
		return;
	for (size_t i = 0; i < a->records; i++)
		record_free(a->rec[i]);
	free(a->rec);
	free(a->start);
	buf_release(&a->text);
	arena_release(&a->mem);
	word_alignment_release(&a->links);
	*a = (struct translation_alignment){ .m = NULL };
}

/* The words of the target subwords; a first token that the model adds belongs to the first word. */
static void
set_words(struct translation_alignment *a, struct record *rec, const struct str *piece, size_t n)
{
	int32_t *word = ARENA_ARRAY(&a->mem, int32_t, n + 2);
	const struct str *all;
	size_t with_first;

	word[0] = 0;
	if (record_strs(rec, "tgt.pieces", &all, &with_first))
		return;
	subwords_words_of(piece, n, a->m->spm[0] != NULL, word + (with_first - n));
	record_set_ints(rec, "tgt.word", word, with_first);
}

/* Makes the record of sentence i with its translation as the target. */
static int
make_record(struct translation_alignment *a, const struct translate_job *job, struct record *rec,
	    struct err *e)
{
	const struct hypothesis *h = &job->out.best[0];
	const struct str *piece = translate_pieces(a->m, h, &a->mem);

	record_clear(rec);
	if (record_copy(rec, job->rec))
		return err_set(e, EXIT_INPUT, "cannot be copied");
	record_delete(rec, "hyp");
	record_set_strs(rec, "hyp.pieces", piece, (size_t)h->n);
	if (forced_choose(a->m, rec, TARGET_HYP, e))
		return -1;
	set_words(a, rec, piece, (size_t)h->n);
	return 0;
}

/* Fills a chunk from sentence c->first on. */
static int
translation_alignment_fill(struct translation_alignment *a, struct chunk *c, int64_t *number,
			   struct err *e)
{
	const int64_t most = c->l->translator.batch_tokens;
	int64_t tokens = 0;

	for (c->n = 0; c->first + c->n < c->l->n; c->n++) {
		const struct translate_job *job = &c->l->job[c->first + c->n];
		const int n = job->skip || !job->n_tokens ? 0 : job->out.best[0].n;

		if (!n)
			continue;
		tokens += job->n_tokens + n;
		if (c->in_batch && (c->in_batch == SENTENCES || tokens > most))
			return 0;
		if ((size_t)c->in_batch == a->records)
			a->rec[a->records++] = record_new();
		if (make_record(a, job, a->rec[c->in_batch], e))
			return err_wrap(e, "record %lld", (long long)job->number + 1);
		number[c->in_batch] = job->number;
		c->from[c->in_batch++] = c->first + c->n;
	}
	return 0;
}

/* Appends the links of the next sentence of the batch. */
static int
put_links(void *arg, const struct sentence_attention *s, struct err *e)
{
	struct chunk *c = arg;
	struct translation_alignment *a = c->a;

	if (word_alignment_of(&a->links, s, -1, e))
		return -1;
	a->start[c->from[c->done++]] = a->text.n;
	word_alignment_put(&a->links, &a->text);
	buf_add(&a->text, "", 1);
	return 0;
}

static int
translation_alignment_align(struct translation_alignment *a, struct chunk *c, struct err *e)
{
	struct tape *t = a->run->tape;
	int64_t number[SENTENCES];
	struct batch_rules rules;
	struct batch b = { .n = 0 };

	arena_rewind(&a->mem);
	c->in_batch = c->done = 0;
	if (translation_alignment_fill(a, c, number, e))
		return -1;
	if (!c->in_batch)
		return 0;
	tape_rewind(t);
	model_batch_rules(a->m, &rules);
	rules.word_dropout = 0;
	if (model_batch(a->m, &b, &a->mem, (const struct record *const *)a->rec, number,
			c->in_batch, &rules, e))
		return -1;
	model_decode(a->m, t, &b, model_encode(a->m, t, &b));
	return sentence_attention_each(a->m, t, &b, put_links, c, e);
}

static int
translation_alignment_find(void *arg, struct lookahead *l, struct err *e)
{
	struct translation_alignment *a = arg;
	struct chunk c = { .a = a, .l = l };

	buf_clear(&a->text);
	buf_add(&a->text, "", 1);
	a->start = mem_grow(a->start, &a->start_room, l->n + 1, sizeof(*a->start));
	memset(a->start, 0, l->n * sizeof(*a->start));
	for (; c.first < l->n; c.first += c.n)
		if (translation_alignment_align(a, &c, e))
			return -1;
	return 0;
}

static const char *
links_of(const void *arg, size_t i)
{
	const struct translation_alignment *a = arg;

	return a->text.data + a->start[i];
}

int
translation_alignment_begin(struct translation_alignment *a, struct lookahead *l,
			    struct runtime *run, const char *heads, struct err *e)
{
	*a = (struct translation_alignment){ .m = l->translator.model, .run = run };
	arena_init(&a->mem, 0);
	a->rec = xcalloc(SENTENCES, sizeof(*a->rec));
	l->alignment = (struct lookahead_alignment){ translation_alignment_find, links_of, a };
	return word_alignment_begin(&a->links, sites_of_model(a->m), a->m->mask, heads, e);
}
