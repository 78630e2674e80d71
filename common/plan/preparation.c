/* preparation: see preparation.h. */
#include "plan/preparation.h"

#include <string.h>

const char *
preparation_parser(const struct plan *p, const struct paper *paper, const char *data)
{
	const char *own = key_text(p, paper, text_print(p->a, "parse.%s", data));

	return *own			   ? own
	       : list_has(&p->forms, data) ? data
					   : key_text(p, paper, "parse");
}

/* The entry of KEY.NAME or, if there is none, of KEY. */
static const struct keyfile_entry *
entry_for(const struct plan *p, const struct paper *paper, const char *key, const char *name)
{
	const struct keyfile_entry *own =
		key_entry(p, paper, text_print(p->a, "%s.%s", key, name));

	return own ? own : key_entry(p, paper, key);
}

void
probe_check(struct plan *p, const struct run *r)
{
	const char *data = name_part(p->a, r->data, 1);
	const char *parser = preparation_parser(p, r->paper, data);
	const char *probe = preparation_parser(p, r->paper, "probe");

	if (!key_entry(p, r->paper, "prepare.probe") &&
	    strcmp(key_of(p, r->paper, "prepare", data), key_text(p, r->paper, "prepare")))
		fault_key(p, entry_for(p, r->paper, "prepare", data),
			  "the heads of %s are measured on the preparation probe, expected "
			  "prepare.probe with the commands of this one", r->variant);
	if (strcmp(parser, "none") && strcmp(parser, probe))
		fault_key(p, entry_for(p, r->paper, "data", r->variant),
			  "%s reads trees of the parser %s, and its heads are measured with those "
			  "of %s, expected parse.probe = %s", r->variant, parser, probe, parser);
}

void
measured_check(struct plan *p, const struct paper *paper)
{
	const struct list timed = key_words(p, paper, "timed");

	if (*key_text(p, paper, "studied") && !key_entry(p, paper, "parse.probe") &&
	    !strcmp(preparation_parser(p, paper, "probe"), "none"))
		fault_key(p, key_entry(p, paper, "studied"),
			  "the roles of heads need trees, expected parse.probe = src, or "
			  "parse.probe = none if no head is to be syntactic");
	for (size_t i = 1; i < timed.n; i++) {
		const char *first = key_of(p, paper, "data", timed.s[0]);
		const char *data = key_of(p, paper, "data", timed.s[i]);

		if (strcmp(data, first))
			fault_key(p, key_entry(p, paper, "timed"),
				  "%s reads the data preparation %s and %s reads %s, expected "
				  "variants with the same data", timed.s[0], first, timed.s[i],
				  data);
	}
}
