/* pack-text: text with a sentence in each line, and translation memories; see pack.h. */
#include "exchange/pack-text.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "exchange/pack.h"
#include "exchange/tmx.h"
#include "stream/stream.h"

#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD */

unsigned
pack_lines_flags(enum pack_lines_invalid invalid)
{
	return invalid == PACK_ERROR ? INPUT_UTF8 : 0;
}

void
pack_lines_init(struct pack_lines *l, struct input *input, enum pack_lines_invalid invalid)
{
	*l = (struct pack_lines){ .in = input, .invalid = invalid };
}

void
pack_lines_release(struct pack_lines *l)
{
	buf_release(&l->fixed);
}

/* Appends n bytes of UTF-8, with U+FFFD for each NUL byte. */
static void
replace_nul(const char *p, size_t n, struct buf *out)
{
	const char *nul;

	while ((nul = n ? memchr(p, 0, n) : NULL)) {
		buf_add(out, p, (size_t)(nul - p));
		buf_add_str(out, REPLACEMENT);
		n -= (size_t)(nul - p) + 1;
		p = nul + 1;
	}
	buf_add(out, p, n);
}

/* Replaces each byte that is NUL or not part of a well-formed sequence by U+FFFD. */
static void
replace_wrong(struct pack_lines *l)
{
	const char *p = l->line;
	size_t n = l->n, good;

	buf_clear(&l->fixed);
	while ((good = utf8_check(p, n)) < n) {
		replace_nul(p, good, &l->fixed);
		buf_add_str(&l->fixed, REPLACEMENT);
		p += good + 1;
		n -= good + 1;
	}
	replace_nul(p, n, &l->fixed);
	l->line = l->fixed.data;
	l->n = l->fixed.n;
}

int
pack_lines_next(struct pack_lines *l, struct err *e)
{
	int r = input_line(l->in, &l->line, &l->n, e);

	if (r <= 0 || l->invalid == PACK_ERROR)
		return r;
	l->wrong = utf8_text(l->line, l->n) < l->n;
	if (l->wrong && l->invalid == PACK_REPLACE) {
		replace_wrong(l);
		l->replaced++;
		l->wrong = false;
	}
	return 1;
}

/* --- text --- */

static const char *const side_field[] = { "src", "tgt" };

/* One file ended before the other: reads the longer one to its end, for the message. */
static int
different_lengths(struct pack_lines *side, int longer, struct err *e)
{
	struct pack_lines *l = &side[longer];
	int r;

	while ((r = input_line(l->in, &l->line, &l->n, e)) > 0)
		;
	if (r < 0)
		return -1;
	return err_set(e, EXIT_INPUT,
		       "%s has %" PRId64 " lines, %s has %" PRId64 ", expected the same number",
		       input_name(side[0].in), input_line_number(side[0].in),
		       input_name(side[1].in), input_line_number(side[1].in));
}

/* Reads one line of each side; 1, 0 at the end, -1 on error. */
static int
next_lines(struct pack_lines *side, int n, struct err *e)
{
	int first = pack_lines_next(&side[0], e), second;

	if (first < 0 || n == 1)
		return first;
	second = pack_lines_next(&side[1], e);
	if (second < 0)
		return -1;
	return first == second ? first : different_lengths(side, second, e);
}

static int
pack_side_lines(struct pack *p, struct pack_lines *side, int n, struct writer *w,
		struct err *e)
{
	struct record *rec = record_new();
	int r, bad = 0;

	while (!bad && (r = next_lines(side, n, e)) != 0) {
		if (r < 0) {
			bad = -1;
			break;
		}
		if (side[0].wrong || (n > 1 && side[1].wrong)) {
			p->skipped++;
			continue;
		}
		record_clear(rec);
		record_set_int(rec, "id", input_line_number(side[0].in));
		for (int i = 0; i < n; i++)
			record_set_str(rec, side_field[i], side[i].line, side[i].n);
		bad = writer_put(w, rec, e);
		if (!bad && !input_held(side[0].in))
			bad = writer_flush(w, e);
	}
	record_free(rec);
	return bad;
}

struct writer *
pack_open(const struct pack *p, const struct field *adds, struct err *e)
{
	struct writer *w = writer_open(p->output, "sentence", NULL, adds, p->flags, e);

	if (w)
		languages_set(&p->languages, w);
	return w;
}

int
pack_each_line(struct pack *p, struct pack_lines *l, struct writer *w, pack_line *put, void *arg,
	       struct err *e)
{
	int r;

	while ((r = pack_lines_next(l, e)) > 0) {
		if (l->wrong) {
			p->skipped++;
			continue;
		}
		r = put(arg, e);
		p->skipped += r > 0;
		if (r < 0 || (!input_held(l->in) && writer_flush(w, e)))
			return -1;
	}
	return r;
}

/* Opens the output for source text or, if both, for source and target. */
static struct writer *
pack_open_sides(const struct pack *p, bool both, struct err *e)
{
	static const struct field adds[] = {
		{ "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 }, { 0 }
	};
	struct writer *w = pack_open(p, adds, e);

	if (w && !both)
		writer_drop_field(w, "tgt");
	return w;
}

int
pack_text(struct pack *p, struct input *const *inputs, int n, struct err *e)
{
	struct writer *w = pack_open_sides(p, n > 1, e);
	struct pack_lines side[2];
	int bad;

	if (!w)
		return -1;
	for (int i = 0; i < n; i++)
		pack_lines_init(&side[i], inputs[i], p->invalid);
	bad = writer_end(w, pack_side_lines(p, side, n, w, e), e);
	for (int i = 0; i < n; i++) {
		p->replaced += side[i].replaced;
		pack_lines_release(&side[i]);
	}
	return bad;
}

/* --- translation memories --- */

struct memory {
	struct writer *w;
	struct record *rec;
};

static int
put_unit(void *arg, const struct tmx_unit *unit, struct err *e)
{
	struct memory *m = arg;

	record_clear(m->rec);
	record_set_int(m->rec, "id", unit->number);
	record_set_str(m->rec, "src", unit->text[0].s, unit->text[0].n);
	if (unit->text[1].s)
		record_set_str(m->rec, "tgt", unit->text[1].s, unit->text[1].n);
	return writer_put(m->w, m->rec, e);
}

/* The languages are probably not those of the file if no unit has them. */
static int
check_counts(const struct pack *p, const char *name, const struct tmx_counts *c, struct err *e)
{
	if (c->taken || !c->units)
		return 0;
	err_set(e, EXIT_INPUT, "%s: no unit has a segment in %s%s%s", name, p->lang[0],
		p->lang[1] ? " and in " : "", p->lang[1] ? p->lang[1] : "");
	err_hint(e, "languages of the file: %s", c->languages);
	return -1;
}

int
pack_tmx(struct pack *p, struct input *input, struct err *e)
{
	struct memory m = { .w = pack_open_sides(p, p->lang[1] != NULL, e) };
	struct tmx_counts counts;
	int bad;

	if (!m.w)
		return -1;
	m.rec = record_new();
	bad = tmx_read(input, p->lang, p->lang[1] ? 2 : 1, put_unit, &m, &counts, e);
	if (!bad)
		bad = check_counts(p, input_name(input), &counts, e);
	p->skipped = counts.units - counts.taken;
	record_free(m.rec);
	return writer_end(m.w, bad, e);
}
