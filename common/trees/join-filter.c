/* join-filter: a filter that joins parses with the sentences of a stream; see join-filter.h. */
#include "trees/join-filter.h"

void
join_begin(struct join *j, const struct join_options *o, unsigned kind, int n)
{
	struct err e;

	if (n > 1)
		die_usage("%d files, expected at most one", n);
	if (!o->parses)
		die_usage("no parses, expected -p file");
	if (o->heads && o->align == ALIGN_CHAR)
		die_usage("--heads has no words to align, expected --align words");
	j->side = stream_sides[o->side];
	j->invalid = (enum join_invalid)o->invalid;
	j->by_characters = o->align == ALIGN_CHAR;
	j->quiet = o->quiet;
	if (join_open(j, o->parses, kind, o->heads, &e))
		die(&e);
}

void
join_filter(struct join *j, const struct join_options *o, const struct field *adds,
	    const char *const *drops, filter_work *work, const char *input)
{
	const struct field needs[] = { { j->field.text, "str", 0 }, { 0 } };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .drops = drops, .work = work,
		.end = join_end, .failed = join_failed, .arg = j, .input = input,
		.output = o->output, .force = o->force
	};

	filter_run(&f);
	if (!o->quiet)
		join_report(j, err_program_name());
	join_release(j);
}
