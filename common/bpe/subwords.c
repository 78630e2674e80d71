/* subwords: see subwords.h. */
#include "bpe/subwords.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "text/unicode.h"

void
subwords_release(struct subwords *p)
{
	free(p->v);
	free(p->word);
	buf_release(&p->text);
	*p = (struct subwords){ .n = 0 };
}

static void
subwords_clear(struct subwords *p)
{
	buf_clear(&p->text);
	buf_add(&p->text, "", 0);
	p->n = 0;
}

/* Adds a subword of n bytes, which is in the text from here on, once the text does not move. */
static void
subwords_add(struct subwords *p, size_t n, int32_t word)
{
	p->v = mem_grow(p->v, &p->v_room, p->n + 1, sizeof(*p->v));
	p->word = mem_grow(p->word, &p->word_room, p->n + 1, sizeof(*p->word));
	p->v[p->n].n = n;
	p->word[p->n++] = word;
}

static void
set_places(struct subwords *p)
{
	const char *at = p->text.data;

	p->v = mem_grow(p->v, &p->v_room, 1, sizeof(*p->v));
	for (size_t i = 0; i < p->n; i++) {
		p->v[i].s = at;
		at += p->v[i].n + 1;
	}
}

/* Adds the k subwords at the end of the text, which begin at byte start. */
static void
subwords_add_word(struct subwords *p, size_t start, size_t k, int32_t word)
{
	buf_add_char(&p->text, ' ');
	for (; k; k--) {
		const char *at = p->text.data + start, *end = memchr(at, ' ', p->text.n - start);

		subwords_add(p, (size_t)(end - at), word);
		start += (size_t)(end - at) + 1;
	}
}

/* The subwords of each word: those of c, or the word itself if c is NULL. */
static void
cut_words(struct subwords *p, struct bpe_coder *c, const char *s, size_t n)
{
	int32_t word = 0;

	subwords_clear(p);
	for (size_t start = 0, end; start < n; start = end + 1) {
		const char *space = memchr(s + start, ' ', n - start);
		const size_t from = p->text.n;
		size_t k = 1;

		end = space ? (size_t)(space - s) : n;
		if (end == start)
			continue;
		if (c)
			k = bpe_coder_word(c, s + start, end - start, &p->text);
		else
			buf_add(&p->text, s + start, end - start);
		subwords_add_word(p, from, k, word++);
	}
	set_places(p);
}

void
subwords_words(struct subwords *p, const char *s, size_t n)
{
	cut_words(p, NULL, s, n);
}

void
subwords_bpe(struct subwords *p, struct bpe_coder *c, const char *s, size_t n)
{
	cut_words(p, c, s, n);
}

static bool
begins_text_word(const char *s, size_t i)
{
	return s[i] != ' ' && (!i || s[i - 1] == ' ');
}

/*
 * The text up to byte `at` has the words 0 to word.  `kept` is the byte of the last character that
 * vanishes() found to be kept, or n.
 */
struct walk {
	struct subwords *p;
	const struct spm *m;
	const char *s;
	size_t n, at;
	int32_t word;
	size_t kept;
};

/* Adds the bytes of a subword, and as many as the mark has if it does not begin with the mark. */
static void
count_bytes(void *arg, const char *s, size_t n, size_t begin)
{
	(void)begin;
	*(size_t *)arg += n + (subword_begins_with_mark(s, n) ? 0 : strlen(SUBWORD_MARK));
}

/* Does the character of n bytes give more than the mark that begins each text? */
static bool
char_is_kept(const struct spm *m, const char *s, size_t n)
{
	struct err unused;
	size_t len, bytes = 0;
	const int32_t c = utf8_next(s, n, &len);

	if ((c > ' ' && c < 0x7f) || (unicode_classes(c) & UNICODE_ALNUM))
		return true;
	return !spm_cut(m, s, n, NULL, count_bytes, &bytes, &unused) &&
	       bytes > strlen(SUBWORD_MARK);
}

/*
 * Does normalization leave nothing of the bytes from begin to end, which are the end of a word?
 * The model decides.  Words may be as long as the text, and this is asked for each subword.  The
 * characters are therefore asked about first, up to one that is kept.
 */
static bool
vanishes(struct walk *w, size_t begin, size_t end)
{
	struct err unused;
	size_t len, bytes = 0;

	if (begin <= w->kept && w->kept < end)
		return false;
	for (size_t at = begin; at < end; at += len) {
		utf8_next(w->s + at, end - at, &len);
		if (char_is_kept(w->m, w->s + at, len)) {
			w->kept = at;
			return false;
		}
	}
	return !spm_cut(w->m, w->s + begin, end - begin, NULL, count_bytes, &bytes, &unused) &&
	       !bytes;
}

/*
 * The first character of a subword that normalization keeps: its surface may begin with spaces, and
 * with words or ends of words that become part of the space, such as U+00A0.
 */
static size_t
first_kept(struct walk *w, size_t begin)
{
	for (;;) {
		const char *space;
		size_t end;

		while (begin < w->n && w->s[begin] == ' ')
			begin++;
		if (begin == w->n)
			return begin;
		space = memchr(w->s + begin, ' ', w->n - begin);
		end = space ? (size_t)(space - w->s) : w->n;
		if (!vanishes(w, begin, end))
			return begin;
		begin = end;
	}
}

static void
add_spm(void *arg, const char *s, size_t n, size_t begin)
{
	struct walk *w = arg;

	begin = first_kept(w, begin);
	for (; w->at <= begin && w->at < w->n; w->at++)
		w->word += begins_text_word(w->s, w->at);
	buf_add(&w->p->text, s, n);
	buf_add_char(&w->p->text, ' ');
	subwords_add(w->p, n, w->word < 0 ? 0 : w->word);
}

/* A space belongs to the word after it, if there is one. */
static void
add_byte(void *arg, const char *s, size_t n, size_t begin)
{
	struct walk *w = arg;

	w->word += begins_text_word(w->s, begin);
	buf_add(&w->p->text, s, n);
	buf_add_char(&w->p->text, ' ');
	subwords_add(w->p, n, w->word + (w->s[begin] == ' '));
}

static void
end_bytes(const struct walk *w)
{
	const int32_t last = w->word < 0 ? 0 : w->word;

	for (size_t i = w->p->n; i > 0 && w->p->word[i - 1] > last; i--)
		w->p->word[i - 1] = last;
}

int
subwords_spm(struct subwords *p, const struct spm *m, const char *s, size_t n,
	     const struct spm_sampling *sampling, struct err *e)
{
	struct walk w = { .p = p, .m = m, .s = s, .n = n, .word = -1, .kept = n };

	subwords_clear(p);
	if (spm_cut(m, s, n, sampling, spm_bytes(m) ? add_byte : add_spm, &w, e))
		return -1;
	if (spm_bytes(m))
		end_bytes(&w);
	set_places(p);
	return 0;
}

bool
subwords_of_all_words(const struct subwords *p, const char *s, size_t n)
{
	int32_t words = 0, next = 0;

	for (size_t i = 0; i < n; i++)
		words += begins_text_word(s, i);
	for (size_t i = 0; i < p->n && p->word[i] <= next; i++)
		next = p->word[i] + 1;
	return next == words;
}

bool
subword_begins_with_mark(const char *s, size_t n)
{
	const size_t mark = strlen(SUBWORD_MARK);

	return n >= mark && !memcmp(s, SUBWORD_MARK, mark);
}

bool
subword_continues(const char *s, size_t n)
{
	const size_t end = strlen(BPE_SEPARATOR);

	return n >= end && !memcmp(s + n - end, BPE_SEPARATOR, end);
}

static bool
begins_word(const struct str *piece, size_t i, bool marks)
{
	return marks ? subword_begins_with_mark(piece[i].s, piece[i].n)
		     : !subword_continues(piece[i - 1].s, piece[i - 1].n);
}

void
subwords_words_of(const struct str *piece, size_t n, bool marks, int32_t *word)
{
	for (size_t i = 0; i < n; i++)
		word[i] = i ? word[i - 1] + begins_word(piece, i, marks) : 0;
}

void
subwords_join(const struct subwords *p, struct buf *out)
{
	if (p->n)
		buf_add(out, p->text.data, p->text.n - 1);
}

void
subwords_merge(const struct str *piece, size_t n, struct buf *out)
{
	const size_t start = out->n, mark = strlen(SUBWORD_MARK);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < piece[i].n; k++) {
			const char *s = piece[i].s + k;
			const bool space = subword_begins_with_mark(s, piece[i].n - k);

			if (!space || out->n > start)
				buf_add_char(out, space ? ' ' : *s);
			k += space ? mark - 1 : 0;
		}
}
