/* request: see request.h. */
#include "explore/request.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/near-name.h"
#include "stream/json-in.h"

static const char *const members[] = {
	"view", "number", "text", "sentence", "removed", "target", "compare0", "compare1", "beam",
	"penalty", "relevance", NULL
};

static int
check_members(const struct record *rec, struct err *e)
{
	for (int i = 0; i < record_n_fields(rec); i++) {
		const struct str name = record_name(rec, i);

		if (name_index(members, name.s, name.n) < 0)
			return err_set(e, EXIT_INPUT, "unknown member '%.*s'",
				       name.n < 40 ? (int)name.n : 40, name.s);
	}
	return 0;
}

/* Texts are lines: they have no line ends and other control characters but tabs. */
static int
check_text_line(const char *name, struct str s, size_t max, struct err *e)
{
	if (s.n > max)
		return err_set(e, EXIT_INPUT, "%s has %zu bytes, expected at most %zu", name, s.n,
			       max);
	for (size_t i = 0; i < s.n; i++)
		if (((unsigned char)s.s[i] < ' ' && s.s[i] != '\t') || s.s[i] == 0x7f)
			return err_set(e, EXIT_INPUT, "%s has a control character, expected a "
				       "line of text", name);
	return 0;
}

/* An optional text: s is NULL without it. */
static int
get_line(const struct record *rec, const char *name, size_t max, struct str *s, struct err *e)
{
	*s = (struct str){ NULL, 0 };
	if (!record_has(rec, name))
		return 0;
	if (record_str(rec, name, s))
		return err_set(e, EXIT_INPUT, "%s is no text", name);
	if (!s->s)
		s->s = "";
	return check_text_line(name, *s, max, e);
}

static int
get_int(const struct record *rec, const char *name, int64_t low, int64_t high, int64_t *v,
	struct err *e)
{
	if (!record_has(rec, name))
		return 0;
	if (record_int(rec, name, v) || *v < low || *v > high)
		return err_set(e, EXIT_INPUT, "%s, expected a whole number from %lld to %lld", name,
			       (long long)low, (long long)high);
	return 0;
}

static int
get_removed(struct explore_request *r, int models, struct err *e)
{
	const struct str *list;
	size_t n;

	if (record_strs(r->rec, "removed", &list, &n) || n != (size_t)models)
		return err_set(e, EXIT_INPUT, "removed, expected a list of %d texts", models);
	for (int i = 0; i < models; i++) {
		if (check_text_line("removed", list[i], REQUEST_BYTES, e))
			return -1;
		r->removed[i] = xstrndup(list[i].n ? list[i].s : "", list[i].n);
	}
	return 0;
}

static int
get_compare(struct explore_request *r, int model, struct err *e)
{
	const char *name = model ? "compare1" : "compare0";

	if (!record_has(r->rec, name))
		return 0;
	if (record_strs(r->rec, name, &r->compare[model], &r->n_compare[model]) ||
	    r->n_compare[model] > REQUEST_TOKENS)
		return err_set(e, EXIT_INPUT, "%s, expected a list of at most %d texts", name,
			       REQUEST_TOKENS);
	for (size_t i = 0; i < r->n_compare[model]; i++)
		if (check_text_line(name, r->compare[model][i], REQUEST_TEXT, e))
			return -1;
	return 0;
}

/* The settings of the search. */
static int
get_settings(struct explore_request *r, struct err *e)
{
	const struct record *rec = r->rec;
	int64_t beam = 0;

	if (get_int(rec, "beam", 1, REQUEST_BEAM, &beam, e))
		return -1;
	r->beam = (int)beam;
	if (record_has(rec, "penalty") && (record_float(rec, "penalty", &r->penalty) ||
					   !(r->penalty >= 0 && r->penalty <= 100)))
		return err_set(e, EXIT_INPUT, "penalty, expected a number from 0 to 100");
	if (record_has(rec, "relevance") && record_bool(rec, "relevance", &r->relevance))
		return err_set(e, EXIT_INPUT, "relevance, expected true or false");
	return 0;
}

static int
get_members(struct explore_request *r, int models, struct err *e)
{
	const int64_t most = INT64_C(1) << 53;

	r->number = r->sentence = -1;
	r->penalty = -1;
	if (check_members(r->rec, e) || get_line(r->rec, "view", REQUEST_VIEW, &r->view, e) ||
	    get_int(r->rec, "number", 0, most, &r->number, e) ||
	    get_line(r->rec, "text", REQUEST_TEXT, &r->text, e) ||
	    get_int(r->rec, "sentence", 0, most, &r->sentence, e) || get_removed(r, models, e) ||
	    get_line(r->rec, "target", REQUEST_TEXT, &r->target, e) || get_settings(r, e))
		return -1;
	if (!r->view.n || r->number < 0)
		return err_set(e, EXIT_INPUT, "no view and number, expected both");
	if (!r->text.s == (r->sentence < 0))
		return err_set(e, EXIT_INPUT, "expected either a text or a sentence");
	for (int i = 0; i < EXPLORE_MODELS; i++)
		if (get_compare(r, i, e))
			return -1;
	return 0;
}

int
explore_request_read(struct explore_request *r, const char *s, size_t n, int models, struct err *e)
{
	char *text;
	int bad;

	*r = (struct explore_request){ .rec = record_new() };
	if (n > REQUEST_BYTES)
		return err_set(e, EXIT_INPUT, "more than %d bytes", REQUEST_BYTES);
	text = xstrndup(s, n);		/* a NUL byte must follow */
	bad = json_read_plain(text, n, false, &r->bytes, e) ||
	      record_decode(r->rec, r->bytes.data, r->bytes.n, e) || get_members(r, models, e);
	free(text);
	return bad ? -1 : 0;
}

void
explore_request_release(struct explore_request *r)
{
	for (int i = 0; i < EXPLORE_MODELS; i++)
		free(r->removed[i]);
	record_free(r->rec);
	buf_release(&r->bytes);
}
