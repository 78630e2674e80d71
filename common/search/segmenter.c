/* segmenter: between lines of words and the subwords of a model; see segmenter.h. */
#include <string.h>

#include "bpe/bpe.h"
#include "search/segmenter.h"

int
segmenter_init(struct segmenter *s, const struct model *m, const char *name, struct err *e)
{
	memset(s, 0, sizeof(*s));
	if (!m->codes)
		return 0;
	s->codes = bpe_read(m->codes, m->codes_n, BPE_NO_LIMIT, e);
	if (!s->codes)
		return err_wrap(e, "%s: codes", name);
	s->coder = bpe_coder_new(s->codes, NULL);
	return 0;
}

void
segmenter_release(struct segmenter *s)
{
	bpe_coder_free(s->coder);
	bpe_free(s->codes);
	buf_release(&s->line);
	buf_release(&s->pieces);
}

static struct str *
split(const char *s, size_t n, struct arena *mem, size_t *count)
{
	struct str *v = ARENA_ARRAY(mem, struct str, n / 2 + 1);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == ' ')
			continue;
		v[k].s = s + i;
		while (i < n && s[i] != ' ')
			i++;
		v[k].n = (size_t)(s + i - v[k].s);
		k++;
	}
	*count = k;
	return v;
}

struct str *
segmenter_cut(struct segmenter *s, const char *text, size_t n, struct arena *mem, size_t *count)
{
	buf_clear(&s->line);
	buf_clear(&s->pieces);
	for (size_t i = 0; i < n; i++)
		buf_add_char(&s->line, text[i] == '\t' || text[i] == '\r' ? ' ' : text[i]);
	if (s->coder && n)
		bpe_coder_line(s->coder, s->line.data, n, &s->pieces);
	else
		buf_add(&s->pieces, s->line.data, n);
	return split(s->pieces.data, s->pieces.n, mem, count);
}

void
segmenter_join(struct segmenter *s, const struct str *piece, int n, struct buf *out)
{
	buf_clear(&s->line);
	for (int i = 0; i < n; i++) {
		if (i)
			buf_add_char(&s->line, ' ');
		buf_add(&s->line, piece[i].s, piece[i].n);
	}
	if (n)
		bpe_restore(s->line.data, s->line.n, "@@", out);
}
