/* segmenter: see segmenter.h. */
#include "search/segmenter.h"

static int
open_codes(struct segmenter *s, const struct model *m, struct err *e)
{
	if (!m->codes)
		return 0;
	s->codes = bpe_read(m->codes, m->codes_n, BPE_NO_LIMIT, e);
	if (!s->codes)
		return err_wrap(e, "codes");
	s->coder = bpe_coder_new(s->codes, NULL);
	return 0;
}

static int
open_spm(struct segmenter *s, const struct model *m, struct err *e)
{
	for (int side = 0; side < 2; side++) {
		if (!m->spm[side])
			continue;
		s->spm[side] = spm_read(m->spm[side], m->spm_n[side], e);
		if (!s->spm[side])
			return err_wrap(e, "SentencePiece model");
	}
	if (!s->spm[1])
		s->spm[1] = s->spm[0];
	return 0;
}

int
segmenter_init(struct segmenter *s, const struct model *m, const char *name, struct err *e)
{
	*s = (struct segmenter){ .codes = NULL };
	return open_codes(s, m, e) || open_spm(s, m, e) ? err_wrap(e, "%s", name) : 0;
}

void
segmenter_release(struct segmenter *s)
{
	bpe_coder_free(s->coder);
	bpe_free(s->codes);
	if (s->spm[1] != s->spm[0])
		spm_free(s->spm[1]);
	spm_free(s->spm[0]);
	subwords_release(&s->subwords);
	buf_release(&s->text);
}

int
segmenter_cut(struct segmenter *s, const char *text, size_t n, bool target, struct err *e)
{
	if (s->spm[target])
		return subwords_spm(&s->subwords, s->spm[target], text, n, NULL, e);
	buf_clear(&s->text);
	for (size_t i = 0; i < n; i++)
		buf_add_char(&s->text, text[i] == '\t' || text[i] == '\r' ? ' ' : text[i]);
	if (s->coder)
		subwords_bpe(&s->subwords, s->coder, s->text.data, n);
	else
		subwords_words(&s->subwords, s->text.data, n);
	return 0;
}

int
segmenter_join(struct segmenter *s, const struct str *v, size_t n, struct buf *out,
		  struct err *e)
{
	if (s->spm[1])
		return spm_restore(s->spm[1], v, n, out, e);
	buf_clear(&s->text);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_add_char(&s->text, ' ');
		buf_add(&s->text, v[i].s, v[i].n);
	}
	if (n)
		bpe_restore(s->text.data, s->text.n, BPE_SEPARATOR, out);
	return 0;
}
