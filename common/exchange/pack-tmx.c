/* pack-tmx: units of a translation memory; see pack.h. */
#include "exchange/pack.h"
#include "exchange/tmx.h"

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
	static const struct field adds[] = {
		{ "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 }, { 0 }
	};
	struct memory m = { .rec = NULL };
	struct tmx_counts counts;
	int bad;

	m.w = pack_open(p, adds, e);
	if (!m.w)
		return -1;
	if (!p->lang[1])
		writer_drop_field(m.w, "tgt");
	m.rec = record_new();
	bad = tmx_read(input, p->lang, p->lang[1] ? 2 : 1, put_unit, &m, &counts, e);
	if (!bad)
		bad = check_counts(p, input_name(input), &counts, e);
	p->skipped = counts.units - counts.taken;
	record_free(m.rec);
	return pack_end(m.w, bad, e);
}
