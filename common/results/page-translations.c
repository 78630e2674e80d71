/* page-translations: translations of the same sentences by several systems; see page.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/texts.h"
#include "draw/svg.h"
#include "results/page-parts.h"
#include "stream/stream.h"

struct sentence {
	int64_t id;
	bool has_id;
	const char *src, *tgt, *hyp;	/* tgt may be NULL */
};
/* n sentences of a stream that has `all`. */
struct text { size_t n, all; struct sentence *s; struct texts texts; };

static const struct field needs[] = {
	{ "id", "int", true }, { "src", "str", false }, { "tgt", "str", true },
	{ "hyp", "str", false }, { 0 }
};

static const char *
text_of(struct text *t, const struct record *rec, const char *name)
{
	struct str s;

	return record_str(rec, name, &s) ? NULL : texts_add(&t->texts, s.s, s.n);
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
	struct sentence *s;
	size_t room = 0;
	int more = in ? 1 : -1;

	while (more > 0 && (more = reader_next(in, &rec, e)) > 0) {
		t->all++;
		if ((int64_t)t->n == sentences)
			continue;
		t->s = mem_grow(t->s, &room, t->n + 1, sizeof(*t->s));
		s = &t->s[t->n++];
		s->has_id = !record_int(rec, "id", &s->id);
		s->src = text_of(t, rec, "src");
		s->tgt = text_of(t, rec, "tgt");
		s->hyp = text_of(t, rec, "hyp");
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
	if (a->all != b->all)
		return err_set(e, EXIT_INPUT, "%s: %zu sentences, expected %zu as in the first "
			       "stream of translations", path, b->all, a->all);
	for (size_t i = 0; i < a->n; i++) {
		if (a->s[i].has_id && b->s[i].has_id && a->s[i].id != b->s[i].id)
			return err_set(e, EXIT_INPUT, "%s: sentence %zu has id %" PRId64
				       ", expected %" PRId64, path, i + 1, b->s[i].id, a->s[i].id);
		if (translations_differ(&a->s[i], &b->s[i]))
			return err_set(e, EXIT_INPUT, "%s: sentence %zu is another one than in "
				       "the first stream of translations", path, i + 1);
	}
	return 0;
}

/* --- words that are not in the reference --- */

/*
 * Finds an unused word equal to [w, w+n) in a text, and marks it as used; false if there is none.
 * Words are separated by blanks; `used` has a flag for each word.
 */
static bool
use_word(const char *text, bool *used, const char *w, size_t n)
{
	for (const char *at = text; *at; used++) {
		const size_t length = strcspn(at, " ");

		if (!*used && length == n && !memcmp(at, w, n))
			return *used = true;
		at += length + (at[length] == ' ');
	}
	return false;
}

static void
add_translation(struct buf *out, const char *hyp, const char *reference)
{
	bool *used = xcalloc(strlen(reference) + 1, sizeof(*used));

	for (const char *at = hyp; *at; ) {
		const size_t n = strcspn(at, " ");
		const bool known = use_word(reference, used, at, n);

		buf_add_str(out, known ? "" : "<mark>");
		svg_escape(out, at, n);
		buf_add_str(out, known ? "" : "</mark>");
		at += n;
		if (*at == ' ')
			buf_add_char(out, *at++);
	}
	free(used);
}

/* --- the list --- */

static void
add_item(struct buf *out, const char *name, const char *text, const char *reference)
{
	if (!text)
		return;
	page_add_text(out, "<dt>", name, "</dt><dd>");
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
	for (size_t k = 0; k < n_streams; k++) {
		free(t[k].s);
		texts_release(&t[k].texts);
	}
	free(t);
	return r;
}
