/* wanted: a list of wanted runs, and which of them a ledger has; see wanted.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/regular.h"
#include "model/engine.h"
#include "results/data-sums.h"
#include "results/ledger-check.h"
#include "results/wanted.h"
#include "stream/input.h"

/* Cuts the first field off a tab-separated line, in place; NULL if there is none. */
static char *
cut_field(char **line)
{
	char *field = *line, *tab = field ? strchr(field, '\t') : NULL;

	if (tab)
		*tab++ = '\0';
	*line = tab;
	return field;
}

/*
 * Four names without blanks, none of which leads out of the ledger; the last one of a run is its
 * seed, as in records (facts.h).
 */
static bool
is_run(const char *name)
{
	int parts = 0;

	for (const char *s = name;; s++, parts++) {
		const size_t n = strcspn(s, "/");

		if (!n || memchr(s, ' ', n) || (*s == '.' && (n == 1 || (n == 2 && s[1] == '.'))))
			return false;
		if (!s[n])
			return parts == 3 &&
			       (wanted_is_search(name) ||
				(!s[strspn(s, "0123456789")] && (n == 1 || *s != '0')));
		s += n;
	}
}

bool
wanted_is_search(const char *name)
{
	return !strncmp(name + strcspn(name, "/"), "/search/", 8);
}

static struct wanted_run *
wanted_find(const struct wanted *w, const char *name, size_t n)
{
	for (size_t i = 0; i < w->n; i++)
		if (strlen(w->run[i].name) == n && !memcmp(w->run[i].name, name, n))
			return &w->run[i];
	return NULL;
}

/*
 * Checks the numbers on which the time of a run depends: --updates N, @VARIANT or @VARIANT+N, and
 * trainings=N.
 */
static int
check_cost(const char *settings, struct err *e)
{
	static const char *const key[] = { "--updates ", "trainings=" };
	int64_t v;

	for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
		for (const char *s = settings; (s = strstr(s, key[i])); ) {
			const size_t n = strcspn(s += strlen(key[i]), " ");
			const size_t base = *s == '@' && !i ? strcspn(s, "+ ") + 1 : 0;

			if (base <= n && num_int(s + base, n - base, 0, INT64_MAX, &v, e))
				return err_set(e, EXIT_INPUT, "%s%.*s, expected a number%s",
					       key[i], (int)n, s, i ? "" : " or @variant+number");
		}
	return 0;
}

/* Takes ownership of input.  If it is NULL, e holds the reason already. */
static int
wanted_read_all(struct wanted *w, struct input *input, struct err *e)
{
	const char *line;
	size_t n, room = 0;
	int more = input ? 1 : -1;

	while (more > 0 && (more = input_line(input, &line, &n, e)) > 0) {
		char *rest = xstrndup(line, n);
		struct wanted_run r = { 0 };
		struct err bad;
		bool again;

		r.name = cut_field(&rest);
		r.after = cut_field(&rest);
		r.sums = cut_field(&rest);
		r.settings = cut_field(&rest);
		r.line = input_line_number(input);
		again = wanted_find(w, r.name, strlen(r.name));
		w->run = mem_grow(w->run, &room, w->n + 1, sizeof(*w->run));
		w->run[w->n++] = r;
		if (again)
			more = input_error(input, e, "duplicate run %s", r.name);
		else if (r.settings && check_cost(r.settings, &bad))
			more = input_error(input, e, "%s", bad.text);
		else if (!r.settings || rest || !is_run(r.name))
			more = input_error(input, e, "expected paper/column/variant/seed, runs "
					   "that it depends on, file of checksums and settings, "
					   "separated by tabs");
	}
	w->list = input ? xstrdup(input_name(input)) : NULL;
	input_close(input);
	return more ? -1 : 0;
}

int
wanted_read(struct wanted *w, const char *path, struct err *e)
{
	return wanted_read_all(w, input_open(path, INPUT_UTF8, e), e);
}

int
wanted_read_memory(struct wanted *w, const char *name, const void *p, size_t n, struct err *e)
{
	return wanted_read_all(w, input_memory(name, p, n, INPUT_UTF8, e), e);
}

void
wanted_release(struct wanted *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->run[i].name);		/* the whole line */
	free(w->run);
	free(w->list);
}

/* --- dependencies --- */

/* Cuts the next name off a list of names; false at the end. */
static bool
next_name(const char **s, const char **name, size_t *n)
{
	*name = *s + strspn(*s, " ");
	*n = strcspn(*name, " ");
	*s = *name + *n;
	return *n && (*n > 1 || **name != '-');
}

struct wanted_run *
wanted_next(const struct wanted *w, const char **s)
{
	const char *name;
	size_t n;

	return next_name(s, &name, &n) ? wanted_find(w, name, n) : NULL;
}

static int resolve(struct wanted *w, struct wanted_run *r, struct err *e);

/*
 * Appends the digests of the runs that r depends on, as in the fact "after".  *whole: none of them
 * is lacking.
 */
static int
digests_before(struct wanted *w, const struct wanted_run *r, struct buf *out, bool *whole,
	       struct err *e)
{
	const char *names = r->after, *name;
	size_t n;

	*whole = true;
	while (next_name(&names, &name, &n)) {
		struct wanted_run *before = wanted_find(w, name, n);

		if (!before)
			return err_set(e, EXIT_USAGE, "%s: line %" PRId64 ": %s depends on %.*s, "
				       "which is not in the list of wanted runs", w->list, r->line,
				       r->name, (int)n, name);
		if (resolve(w, before, e))
			return -1;
		*whole = *whole && before->state == WANTED_KEPT;
		if (*whole)
			buf_printf(out, "%s%s", out->n ? " " : "", before->digest);
	}
	return 0;
}

/* --- comparison with the ledger --- */

static char *
record_of(const struct wanted *w, const char *name)
{
	const size_t n = strcspn(name, "/");

	return xasprintf("%s/%.*s/run%s/record", w->ledger, (int)n, name, name + n);
}

/* Appends the facts of a run that are known before it is made, and reads them. */
static int
wanted_facts(const struct wanted_run *r, const char *after, struct buf *text, struct facts *f,
	     struct err *e)
{
	static const char *const part[] = { "paper", "column", "variant", "seed" };
	const char *s = r->name;

	for (int i = 0; i < 4; i++) {
		const size_t n = strcspn(s, "/");

		buf_printf(text, "%s\t%.*s\n", part[i], (int)n, s);
		s += n + (s[n] == '/');
	}
	buf_add_str(text, "settings\t");
	ledger_settings(r->settings, text);
	buf_printf(text, "\nafter\t%s\n", *after ? after : "-");
	if (strcmp(r->sums, "-") && !access(r->sums, R_OK) &&
	    (regular_check(r->sums, e) || data_sums_facts(r->sums, text, e)))
		return -1;
	return facts_read_memory(f, r->name, text->data, text->n, e);
}

static int
wanted_same(const struct facts *entry, const struct facts *want, struct err *e)
{
	const char *fact = ledger_differs(entry, want);

	if (!fact)
		return 0;
	return err_set(e, EXIT_INPUT, "%s: %s differs from the wanted run", entry->path, fact);
}

/* Compares the entry with the wanted run; reports why it is not used. */
static void
check_entry(const struct wanted *w, struct wanted_run *r, const char *path,
	    const struct facts *want)
{
	struct facts entry = { .n = 0 };
	struct err e;

	if (!regular_check(path, &e) && !facts_read(&entry, path, &e) &&
	    !ledger_admit(&entry, HEED_ENGINE, w->drafts, &e) &&
	    !ledger_check_digest(&entry, &e) && !wanted_same(&entry, want, &e) &&
	    !ledger_check_files(&entry, &e)) {	/* a copy may be incomplete */
		r->state = WANTED_KEPT;
		ledger_digest(&entry, r->digest);
	} else if (w->report) {
		err_wrap(&e, "%s", r->name);
		err_print(&e);
	}
	facts_release(&entry);
}

static int
wanted_compare_run(const struct wanted *w, struct wanted_run *r, const char *after, struct err *e)
{
	char *path = record_of(w, r->name);
	struct facts want = { .n = 0 };
	struct buf text = { 0 };
	int bad = 0;

	if (!access(path, F_OK)) {
		bad = wanted_facts(r, after, &text, &want, e);
		if (!bad)
			check_entry(w, r, path, &want);
	}
	facts_release(&want);
	buf_release(&text);
	free(path);
	return bad;
}

static int
resolve(struct wanted *w, struct wanted_run *r, struct err *e)
{
	struct buf after = { 0 };
	bool whole;
	int bad;

	if (r->state == WANTED_VISITING)
		return err_set(e, EXIT_USAGE, "%s: line %" PRId64 ": %s depends on itself",
			       w->list, r->line, r->name);
	if (r->state != WANTED_UNKNOWN)
		return 0;
	r->state = WANTED_VISITING;
	bad = digests_before(w, r, &after, &whole, e) ||
	      (whole && wanted_compare_run(w, r, after.n ? after.data : "", e));
	if (r->state != WANTED_KEPT)
		r->state = WANTED_LACKING;
	buf_release(&after);
	return bad ? -1 : 0;
}

int
wanted_compare(struct wanted *w, struct err *e)
{
	for (size_t i = 0; i < w->n; i++)
		if (resolve(w, &w->run[i], e))
			return -1;
	for (size_t i = 0; i < w->n; i++)
		w->lacking += w->run[i].state == WANTED_LACKING;
	return 0;
}
