/* translation-alignment: see translation-alignment.h. */
#include "analysis/translation-alignment.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "search/forced.h"

enum { SENTENCES = 256 };		/* maximum number in a batch */

/* Sentences first ... first + n - 1 of l, but those that are empty or skipped. */
struct chunk { struct lookahead *l; size_t first, n, from[SENTENCES]; int in_batch; };

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

/* Appends the links of the chunk's sentences; those of the others are empty. */
static int
put_links(struct translation_alignment *a, const struct chunk *c, const struct batch *b,
	  struct err *e)
{
	int k = 0;

	for (size_t i = c->first; i < c->first + c->n; i++) {
		a->start[i] = a->text.n;
		if (k < c->in_batch && c->from[k] == i) {
			if (word_alignment_of(&a->links, a->run->tape, b, k, -1, 0, e))
				return err_wrap(e, "record %lld", (long long)b->number[k] + 1);
			word_alignment_put(&a->links, &a->text);
			k++;
		}
		buf_add(&a->text, "", 1);
	}
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
	c->in_batch = 0;
	if (translation_alignment_fill(a, c, number, e))
		return -1;
	if (c->in_batch) {
		tape_rewind(t);
		model_batch_rules(a->m, &rules);
		rules.word_dropout = 0;
		if (model_batch(a->m, &b, &a->mem, (const struct record *const *)a->rec, number,
				c->in_batch, &rules, e))
			return -1;
		model_decode(a->m, t, &b, model_encode(a->m, t, &b));
	}
	return put_links(a, c, &b, e);
}

static int
translation_alignment_find(void *arg, struct lookahead *l, struct err *e)
{
	struct translation_alignment *a = arg;
	struct chunk c = { .l = l };

	buf_clear(&a->text);
	a->start = mem_grow(a->start, &a->start_room, l->n + 1, sizeof(*a->start));
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
	return word_alignment_begin(&a->links, a->m, heads, e);
}
