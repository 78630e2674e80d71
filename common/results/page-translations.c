/* page-translations: translations of the same sentences by several systems; see page.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/page-parts.h"
#include "stream/stream.h"

struct sentence { char *id, *src, *tgt, *hyp; };	/* tgt and id may be NULL */
struct text { size_t n; struct sentence *s; };

static const struct field needs[] = {
	{ "id", "int", true }, { "src", "str", false }, { "tgt", "str", true },
	{ "hyp", "str", false }, { 0 }
};

static char *
text_of(const struct record *rec, const char *name)
{
	struct str s;

	return record_str(rec, name, &s) ? NULL : xstrndup(s.s, s.n);
}

static char *
translations_id_of(const struct record *rec)
{
	int64_t id;

	return record_int(rec, "id", &id) ? NULL : xasprintf("%" PRId64, id);
}

static void
translations_release(struct text *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->s[i].id);
		free(t->s[i].src);
		free(t->s[i].tgt);
		free(t->s[i].hyp);
	}
	free(t->s);
}

/*
 * Keeps at most that many sentences.  The stream is read to its end, because only its end record
 * shows that it is complete.
 */
static int
read_some(struct text *t, const char *path, int64_t sentences, struct err *e)
{
	struct reader *in = reader_open(path, "sentence", needs, 0, e);
	struct record *rec;
	size_t room = 0;
	int more = in ? 1 : -1;

	*t = (struct text){ .n = 0 };
	while (more > 0 && (more = reader_next(in, &rec, e)) > 0) {
		if ((int64_t)t->n == sentences)
			continue;
		t->s = mem_grow(t->s, &room, t->n + 1, sizeof(*t->s));
		t->s[t->n++] = (struct sentence){ .id = translations_id_of(rec),
						 .src = text_of(rec, "src"),
			.tgt = text_of(rec, "tgt"), .hyp = text_of(rec, "hyp") };
	}
	reader_close(in);
	return more < 0 ? -1 : 0;
}

/*
 * Whether the references or, without them, the sources of two sentences differ, apart from blanks:
 * systems may have other tokens.  With references, sources may differ, because some systems read
 * linearized trees.
 */
static bool
translations_differ(const struct sentence *a, const struct sentence *b)
{
	const bool tgt = a->tgt && b->tgt;
	const char *s = tgt ? a->tgt : a->src, *t = tgt ? b->tgt : b->src;

	if (!s || !t)
		return false;
	for (;; s++, t++) {
		s += strspn(s, " ");
		t += strspn(t, " ");
		if (*s != *t)
			return true;
		if (!*s)
			return false;
	}
}

/* Checks that b has the same sentences as a: their number, ids where both have them, and texts. */
static int
translations_compare(const struct text *a, const struct text *b, const char *path, struct err *e)
{
	if (a->n != b->n)
		return err_set(e, EXIT_INPUT, "%s: %zu sentences, expected %zu", path, b->n, a->n);
	for (size_t i = 0; i < a->n; i++) {
		if (a->s[i].id && b->s[i].id && strcmp(a->s[i].id, b->s[i].id))
			return err_set(e, EXIT_INPUT, "%s: sentence %zu has id %s, expected %s",
				       path, i + 1, b->s[i].id, a->s[i].id);
		if (translations_differ(&a->s[i], &b->s[i]))
			return err_set(e, EXIT_INPUT, "%s: sentence %zu is another one than in "
				       "the first stream of translations", path, i + 1);
	}
	return 0;
}

/* --- words that are not in the reference --- */

/* Words of a reference, separated by blanks; used[i]: word i was matched. */
struct words { const char *text; bool *used; };

/* Finds an unused word equal to [w, w+n) and marks it as used; false if there is none. */
static bool
use_word(struct words *words, const char *w, size_t n)
{
	size_t i = 0;

	for (const char *at = words->text; *at; i++) {
		const size_t length = strcspn(at, " ");

		if (!words->used[i] && length == n && !memcmp(at, w, n))
			return words->used[i] = true;
		at += length + (at[length] == ' ');
	}
	return false;
}

static void
translations_add_word(struct buf *out, const char *w, size_t n, bool known)
{
	char *word = xstrndup(w, n);

	buf_add_str(out, known ? "" : "<mark>");
	page_escape(out, word);
	buf_add_str(out, known ? "" : "</mark>");
	free(word);
}

static void
add_translation(struct buf *out, const char *hyp, const char *reference)
{
	struct words in = { .text = reference, .used = xcalloc(strlen(reference) + 1, 1) };

	for (const char *at = hyp; *at; ) {
		const size_t n = strcspn(at, " ");

		translations_add_word(out, at, n, use_word(&in, at, n));
		at += n;
		if (*at == ' ')
			buf_add_char(out, *at++);
	}
	free(in.used);
}

/* --- the list --- */

static void
add_item(struct buf *out, const char *name, const char *text, const char *reference)
{
	if (!text)
		return;
	buf_add_str(out, "<dt>");
	page_escape(out, name);
	buf_add_str(out, "</dt><dd>");
	if (reference)
		add_translation(out, text, reference);
	else
		page_escape(out, text);
	buf_add_str(out, "</dd>\n");
}

static void
translations_add_sentence(struct buf *out, const struct page_stream *stream, const struct text *t,
			  size_t n, size_t i)
{
	const struct sentence *s = &t->s[i];

	buf_add_str(out, "<dl class=\"sample\">\n");
	add_item(out, "source", s->src, NULL);
	add_item(out, "reference", s->tgt, NULL);
	for (size_t k = 0; k < n; k++)
		add_item(out, stream[k].name, t[k].s[i].hyp, s->tgt);
	buf_add_str(out, "</dl>\n");
}

int
page_translations(struct page *p, const struct page_stream *stream, size_t n_streams,
		  int64_t sentences, struct err *e)
{
	struct text *t = xcalloc(n_streams, sizeof(*t));
	int r = 0;

	for (size_t k = 0; !r && k < n_streams; k++) {
		r = read_some(&t[k], stream[k].path, sentences, e);
		if (!r)
			r = translations_compare(&t[0], &t[k], stream[k].path, e);
	}
	for (size_t i = 0; !r && i < t[0].n; i++)
		translations_add_sentence(&p->body, stream, t, n_streams, i);
	for (size_t k = 0; k < n_streams; k++)
		translations_release(&t[k]);
	free(t);
	return r;
}
