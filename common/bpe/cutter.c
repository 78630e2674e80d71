/* cutter: segments texts with BPE codes or a SentencePiece model; see cutter.h. */
#include "bpe/cutter.h"

static int
read_vocabulary(struct cutter *c, const char *path, struct err *e)
{
	struct buf list = { 0 };
	int bad = lines_read_all(path, &list, e);

	if (!bad && bpe_coder_vocabulary(c->coder, list.data, list.n, c->set->threshold, e))
		bad = err_wrap(e, "%s", path);
	buf_release(&list);
	return bad;
}

int
cutter_codes(struct cutter *c, const struct cutter_settings *set, const char *path,
	     const char *vocabulary, uint32_t purpose, struct err *e)
{
	c->set = set;
	c->bpe = bpe_open(path, set->merges, e);
	if (!c->bpe)
		return -1;
	c->coder = bpe_coder_new(c->bpe, set->separator);
	if (vocabulary && read_vocabulary(c, vocabulary, e))
		return -1;
	for (size_t i = 0; i < set->n_glossaries; i++)
		if (bpe_coder_glossary(c->coder, set->glossary[i], e))
			return -1;
	if (set->dropout > 0)
		bpe_coder_dropout(c->coder, set->dropout, set->seed, purpose);
	return 0;
}

int
cutter_spm(struct cutter *c, const struct cutter_settings *set, const char *path,
	   uint32_t purpose, struct err *e)
{
	c->set = set;
	c->spm = spm_open(path, e);
	c->sampling = (struct spm_sampling){ set->nbest, set->alpha, set->seed, purpose, 0 };
	if (!c->spm)
		return -1;
	if (set->alpha >= 0 && spm_bytes(c->spm))
		return err_set(e, EXIT_USAGE, "--alpha with %s, which segments text into bytes, "
			       "expected a SentencePiece model", path);
	if (set->alpha > 1 && !spm_unigram(c->spm))
		return err_set(e, EXIT_USAGE, "--alpha %g with %s, a BPE model, expected a "
			       "probability", set->alpha, path);
	return 0;
}

bool
cutter_is_open(const struct cutter *c)
{
	return c->bpe || c->spm;
}

void
cutter_close(struct cutter *c)
{
	bpe_coder_free(c->coder);
	bpe_free(c->bpe);
	spm_free(c->spm);
	subwords_release(&c->subwords);
}

int
cutter_cut(struct cutter *c, const char *text, size_t n, struct err *e)
{
	c->number++;
	if (c->spm) {
		const struct spm_sampling *how = c->set->alpha < 0 ? NULL : &c->sampling;

		c->sampling.number = c->number;
		if (subwords_spm(&c->subwords, c->spm, text, n, how, e))
			return -1;
		if (!subwords_of_all_words(&c->subwords, text, n) && !c->gaps++)
			c->first_gap = c->number;
		return 0;
	}
	if (c->set->dropout > 0)
		bpe_coder_at(c->coder, c->number);
	subwords_bpe(&c->subwords, c->coder, text, n);
	return 0;
}

void
cutter_warn_gaps(const struct cutter *c, const char *field)
{
	if (c->gaps)
		warn("%s: words of %u sentences have no subwords, first in record %u; programs "
		     "that need trees or alignments reject these sentences", field, c->gaps,
		     c->first_gap);
}

int
cutter_line(const char *line, size_t n, int64_t number, struct buf *out, void *arg, struct err *e)
{
	struct cutter *c = arg;

	if (c->spm) {
		if (cutter_cut(c, line, n, e))
			return err_wrap(e, "line %lld", (long long)number);
		subwords_join(&c->subwords, out);
		return 0;
	}
	if (c->set->dropout > 0)
		bpe_coder_at(c->coder, (uint32_t)number);
	bpe_coder_line(c->coder, line, n, out);
	return 0;
}

int
cutter_restore(const char *line, size_t n, int64_t number, struct buf *out, void *arg,
	       struct err *e)
{
	struct cutter *c = arg;

	if (!c->spm) {
		bpe_restore(line, n, c->set->separator, out);
		return 0;
	}
	subwords_words(&c->subwords, line, n);
	if (spm_restore(c->spm, c->subwords.v, c->subwords.n, out, e))
		return err_wrap(e, "line %lld", (long long)number);
	return 0;
}
