/* too-long: see too-long.h. */
#include "model/too-long.h"

#include "stream/stream.h"

const char *const too_long_actions[] = { "fail", "skip", "cut", NULL };

static const char *const done[] = {
	[TOO_LONG_SKIP] = "skipped", [TOO_LONG_CUT] = "cut"
};
static const char *const marks[] = { "src.cut", "tgt.cut" };

int
too_long_begin(struct too_long *t, const struct model *m, bool with_target, struct err *e)
{
	const struct field *needs = attention_set_needs(m->attention, false);

	model_batch_rules(m, &t->rules);
	t->rules.with_target = with_target;
	if (t->action != TOO_LONG_CUT || !needs->name)
		return 0;
	return err_set(e, EXIT_USAGE, "--too-long cut: the model reads %s of whole sentences, "
		       "expected skip or fail", needs->name);
}

int
too_long_check(struct too_long *t, const struct record *rec, const char *where, struct err *e)
{
	t->sentences++;
	if (!batch_fits(rec, &t->rules, e))
		return 0;
	t->found++;
	if (t->action == TOO_LONG_FAIL) {
		err_hint(e, "--too-long skip leaves such sentences out, "
			 "--too-long cut drops their end");
		return -1;
	}
	warn("%s: %s: %s", where, e->text, done[t->action]);
	return t->action == TOO_LONG_SKIP;
}

void
too_long_mark(const struct too_long *t, const struct record *checked, struct record *written)
{
	for (int side = 0; side < 2; side++) {
		const int room = batch_room(&t->rules, side);

		record_delete(written, marks[side]);
		if (t->action == TOO_LONG_CUT && side <= t->rules.with_target &&
		    batch_pieces(checked, side) - batch_has_first(checked, &t->rules, side) > room)
			record_set_int(written, marks[side],
				       room + batch_has_first(written, &t->rules, side));
	}
}

void
too_long_declare(const struct too_long *t, bool with_target, struct writer *out)
{
	for (int side = 0; t->action == TOO_LONG_CUT && side <= with_target; side++)
		writer_add_field(out, marks[side], "int");
}

const char *
too_long_note(const struct too_long *t)
{
	return t->action == TOO_LONG_CUT ? "sentences.cut" : "sentences.skipped";
}

void
too_long_end(const struct too_long *t)
{
	if (t->found)
		warn("%lld of %lld sentences were longer than the model accepts and were %s",
		     (long long)t->found, (long long)t->sentences, done[t->action]);
}
