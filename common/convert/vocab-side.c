/* vocab-side: see vocab-side.h. */
#include "convert/vocab-side.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* What model files take of a vocabulary; see bundle.h. */
#define MAX_TEXT ((size_t)32 << 20)

struct building {
	struct vocab_side *s;
	struct strmap seen;
	struct buf text;		/* of the vocabulary */
	bool *used;			/* [rows] */
};

/* Of the entries with one row, the first that claims it can be produced. */
static void
claim_row(struct vocab_side *s, int id, bool *used)
{
	const int row = s->row[id];

	s->valid[id] = row >= 0 && !used[row];
	if (row >= 0)
		used[row] = true;
}

/*
 * The search produces </s>, <unk> and entries, but neither padding nor <s>: a row with several
 * roles counts as an output for the one that is produced, and that of <s> remains an entry.
 */
static void
put_specials(struct vocab_side *s, const struct special_rows *special, bool *used)
{
	const int row[VOCAB_SPECIALS] = {
		[VOCAB_PAD] = special->pad, [VOCAB_BOS] = special->start,
		[VOCAB_EOS] = special->eos, [VOCAB_UNK] = special->unk,
	};
	static const int claims[] = { VOCAB_EOS, VOCAB_UNK, VOCAB_PAD };

	s->n = VOCAB_SPECIALS;
	memcpy(s->row, row, sizeof(row));
	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		claim_row(s, claims[i], used);
}

/* May it be an entry, and is it not one yet? */
static bool
usable(const struct building *b, const struct buf *text)
{
	return text->n && !memchr(text->data, '\n', text->n) && !memchr(text->data, 0, text->n) &&
	       utf8_check(text->data, text->n) == text->n &&
	       strmap_find(&b->seen, text->data, text->n) < 0;
}

static void
vocab_side_put_entry(struct building *b, int row, struct buf *text)
{
	int copy = 0;

	while (!usable(b, text)) {
		buf_clear(text);
		if (copy)
			buf_printf(text, "<row-%d.%d>", row, copy);
		else
			buf_printf(text, "<row-%d>", row);
		copy++;
	}
	strmap_add(&b->seen, text->data, text->n);
	buf_add(&b->text, text->data, text->n);
	buf_add_char(&b->text, '\n');
	b->s->row[b->s->n] = row;
	claim_row(b->s, b->s->n++, b->used);
}

static void
vocab_side_put_all(struct building *b, const struct ids *ids, int rows, spell *spelling)
{
	int *of_row = ids_by_row(ids, rows);
	struct buf text = { 0 };

	for (int row = 0; row < rows; row++) {
		if (b->used[row])
			continue;
		buf_clear(&text);
		buf_add(&text, "", 0);
		b->s->nameless += of_row[row] < 0;
		if (of_row[row] >= 0) {
			size_t n;
			const char *s = strmap_text(&ids->texts, of_row[row], &n);

			if (spelling)
				spelling(s, n, &text);
			else
				buf_add(&text, s, n);
		}
		vocab_side_put_entry(b, row, &text);
	}
	buf_release(&text);
	free(of_row);
}

int
vocab_side_build(struct vocab_side *s, const struct ids *ids, int rows,
		 const struct special_rows *special, spell *spelling, struct err *e)
{
	struct building b = { .s = s };
	int r;

	*s = (struct vocab_side){ .rows = rows };
	vocab_init(&s->vocab);
	s->row = xcalloc((size_t)rows + VOCAB_SPECIALS, sizeof(*s->row));
	s->valid = xcalloc((size_t)rows + VOCAB_SPECIALS, 1);
	b.used = xcalloc((size_t)rows + 1, sizeof(*b.used));
	buf_add(&b.text, "", 0);
	put_specials(s, special, b.used);
	vocab_side_put_all(&b, ids, rows, spelling);
	if (b.text.n > MAX_TEXT)
		r = err_set(e, EXIT_INPUT, "%s: %zu bytes of text, expected at most %zu", ids->name,
			    b.text.n, MAX_TEXT);
	else
		r = vocab_read(&s->vocab, b.text.data, b.text.n, e);
	buf_release(&b.text);
	strmap_release(&b.seen);
	free(b.used);
	return r;
}

void
vocab_side_release(struct vocab_side *s)
{
	vocab_release(&s->vocab);
	free(s->row);
	free(s->valid);
	*s = (struct vocab_side){ .n = 0 };
}

bool
vocab_side_masks(const struct vocab_side *s)
{
	for (int i = 0; i < s->n; i++)
		if (!s->valid[i])
			return true;
	return false;
}
