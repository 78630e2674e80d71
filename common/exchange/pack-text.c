/* pack-text: text with a sentence in each line; see pack.h. */
#include <inttypes.h>

#include "exchange/pack.h"
#include "stream/stream.h"

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
pack_text_pack_all_lines(struct pack *p, struct pack_lines *side, int n, struct writer *w,
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
pack_end(struct writer *w, int bad, struct err *e)
{
	if (!bad)
		return writer_finish(w, e);
	writer_abandon(w);
	return -1;
}

int
pack_text(struct pack *p, struct input *const *inputs, int n, struct err *e)
{
	static const struct field adds[] = {
		{ "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 }, { 0 }
	};
	struct writer *w = pack_open(p, adds, e);
	struct pack_lines side[2];
	int bad;

	if (!w)
		return -1;
	if (n == 1)
		writer_drop_field(w, "tgt");
	for (int i = 0; i < n; i++)
		pack_lines_init(&side[i], inputs[i], p->invalid);
	bad = pack_end(w, pack_text_pack_all_lines(p, side, n, w, e), e);
	for (int i = 0; i < n; i++) {
		p->replaced += side[i].replaced;
		pack_lines_release(&side[i]);
	}
	return bad;
}
