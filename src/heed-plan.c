/* heed-plan: lists the runs that a ledger lacks, with estimated times.  See heed-plan(1). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/mem.h"
#include "model/engine.h"
#include "results/data-sums.h"
#include "results/ledger.h"
#include "results/run-cost.h"
#include "results/run-scores.h"
#include "stream/input.h"

static bool kept, strict, drafts, quiet;
static const char *ledger = "results", *command = "";

static const struct opt options[] = {
	{ .kind = OPT_STRING, .long_name = "ledger", .arg = "folder",
	  .help = "compare with the ledger in folder (results)", .to = &ledger },
	{ .kind = OPT_STRING, .long_name = "command", .arg = "text", .to = &command,
	  .help = "print text before the name of the run in the last column" },
	{ .kind = OPT_FLAG, .long_name = "kept", .to = &kept,
	  .help = "list instead the runs that the ledger has, with their digests" },
	{ .kind = OPT_FLAG, .long_name = "strict", .to = &strict,
	  .help = "exit with status 3 if the ledger lacks a run" },
	{ .kind = OPT_FLAG, .long_name = "drafts", .to = &drafts,
	  .help = "accept entries without commit or engine, or with uncommitted changes" },
	OPT_MAX_LINE,
	OPT_QUIET(&quiet),
	OPT_OLD_LETTER('l', "--ledger"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-plan",
	.synopsis = "[--ledger folder] [--command text] [--drafts] [--kept] [--strict] [wanted]",
	.summary = "list the runs that a ledger lacks",
	.example = "heed-plan --ledger results --command "
		   "'make -f pipeline.mk run-one RUN_NAME=' wanted",
	.options = options, .reads = "-", .writes = "-",
};

/*
 * A wanted run.  name is PAPER/COLUMN/VARIANT/SEED; after has the names of the runs that it
 * depends on, separated by blanks, or is "-".
 */
struct wanted {
	char *name, *after, *sums, *settings;
	enum { UNKNOWN, VISITING, KEPT, LACKING } state;
	bool printed;
	char digest[DIGEST_LENGTH + 1];	/* of its entry, if state is KEPT */
};

static struct wanted *wanted;
static size_t n_wanted;

/* --- the list of wanted runs --- */

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

static bool
is_run(const char *name)
{
	int slashes = 0;

	for (const char *s = name; *s; s++) {
		if (*s == '/' && (s == name || s[-1] == '/' || !s[1]))
			return false;
		slashes += *s == '/';
	}
	return slashes == 3;
}

static void
read_wanted(const char *path)
{
	struct err e;
	struct input *in = input_open(path, INPUT_UTF8, &e);
	const char *line;
	size_t n, room = 0;
	int more = -1;

	while (in && (more = input_line(in, &line, &n, &e)) > 0) {
		char *rest = xstrndup(line, n);		/* kept */
		struct wanted w = { 0 };

		w.name = cut_field(&rest);
		w.after = cut_field(&rest);
		w.sums = cut_field(&rest);
		w.settings = cut_field(&rest);
		if (!w.settings || rest || !is_run(w.name)) {
			more = input_error(in, &e, "expected paper/column/variant/seed, runs that "
					   "it depends on, file of checksums and settings, "
					   "separated by tabs");
			break;
		}
		wanted = mem_grow(wanted, &room, n_wanted + 1, sizeof(*wanted));
		wanted[n_wanted++] = w;
	}
	if (more)
		die(&e);
	input_close(in);
}

static struct wanted *
find(const char *name, size_t n)
{
	for (size_t i = 0; i < n_wanted; i++)
		if (strlen(wanted[i].name) == n && !memcmp(wanted[i].name, name, n))
			return &wanted[i];
	return NULL;
}

static char *
record_of(const char *name)
{
	const size_t n = strcspn(name, "/");

	return xasprintf("%s/%.*s/run%s/record", ledger, (int)n, name, name + n);
}

/* --- comparison with the ledger --- */

static void resolve(struct wanted *w);

/* The next run that w depends on, NULL at the end; *s is w->after at first. */
static struct wanted *
next_before(const struct wanted *w, const char **s)
{
	const char *name = *s + strspn(*s, " ");
	const size_t n = strcspn(name, " ");
	struct wanted *before = find(name, n);

	*s = name + n;
	if (!n || (n == 1 && *name == '-'))
		return NULL;
	if (!before)
		die_usage("%s depends on %.*s, which is not in the list of wanted runs", w->name,
			  (int)n, name);
	return before;
}

/* The digests of the runs that w depends on, as in the fact "after"; false if one is lacking. */
static bool
digests_before(const struct wanted *w, struct buf *out)
{
	const char *names = w->after;
	struct wanted *before;

	while ((before = next_before(w, &names))) {
		resolve(before);
		if (before->state != KEPT)
			return false;
		buf_printf(out, "%s%s", out->n ? " " : "", before->digest);
	}
	return true;
}

/* The facts of a run that are known before it is made. */
static void
wanted_facts(const struct wanted *w, const char *after, struct buf *text, struct facts *f)
{
	static const char *const part[] = { "paper", "column", "variant", "seed" };
	const char *s = w->name;
	struct err e;

	for (int i = 0; i < 4; i++) {
		const size_t n = strcspn(s, "/");

		buf_printf(text, "%s\t%.*s\n", part[i], (int)n, s);
		s += n + (s[n] == '/');
	}
	buf_add_str(text, "settings\t");
	ledger_settings(w->settings, text);
	buf_printf(text, "\nafter\t%s\n", *after ? after : "-");
	if (strcmp(w->sums, "-") && !access(w->sums, R_OK) && data_sums_facts(w->sums, text, &e))
		die(&e);
	if (facts_read_memory(f, w->name, text->data, text->n, &e))
		die(&e);
}

/* Prints why an entry is not used. */
static void
report(const struct wanted *w, struct err *why)
{
	if (quiet || kept)
		return;
	err_wrap(why, "%s", w->name);
	err_print(why);
}

/* Whether the other files of the entry exist; a copy may be incomplete. */
static bool
is_whole(const struct wanted *w, const char *record)
{
	static const char *const other[] = { SCORES_FILE, SCORES_LOG };
	bool whole = true;

	for (size_t i = 0; i < sizeof(other) / sizeof(*other) && whole; i++) {
		char *path = xasprintf("%.*s/%s", (int)(strrchr(record, '/') - record), record,
				       other[i]);
		struct err e;

		whole = !access(path, R_OK);
		if (!whole) {
			err_system(&e, "%s", path);
			report(w, &e);
		}
		free(path);
	}
	return whole;
}

/* Reads the entry and compares it with the wanted run; reports why it is not used. */
static void
check_entry(struct wanted *w, const char *path, const char *after)
{
	struct facts entry, want;
	struct buf text = { 0 };
	const char *fact;
	struct err e;

	wanted_facts(w, after, &text, &want);
	if (facts_read(&entry, path, &e)) {
		report(w, &e);
	} else if (ledger_admit(&entry, HEED_ENGINE, drafts, &e)) {
		report(w, &e);
	} else if ((fact = ledger_differs(&entry, &want))) {
		err_set(&e, EXIT_INPUT, "%s: %s differs from the wanted run", path, fact);
		report(w, &e);
	} else if (is_whole(w, path)) {
		w->state = KEPT;
		ledger_digest(&entry, w->digest);
	}
	facts_release(&entry);
	facts_release(&want);
	buf_release(&text);
}

static void
resolve(struct wanted *w)
{
	struct buf after = { 0 };
	char *path;

	if (w->state == VISITING)
		die_usage("%s depends on itself", w->name);
	if (w->state != UNKNOWN)
		return;
	w->state = VISITING;
	path = record_of(w->name);
	if (digests_before(w, &after) && !access(path, F_OK))
		check_entry(w, path, after.n ? after.data : "");
	if (w->state != KEPT)
		w->state = LACKING;
	buf_release(&after);
	free(path);
}

/* --- the list --- */

/* The runs that w depends on and the ledger lacks, separated by blanks, or "-". */
static void
add_lacking(const struct wanted *w, struct buf *out)
{
	const size_t from = out->n;
	const char *names = w->after;
	struct wanted *before;

	while ((before = next_before(w, &names)))
		if (before->state == LACKING)
			buf_printf(out, "%s%s", out->n > from ? " " : "", before->name);
	if (out->n == from)
		buf_add_char(out, '-');
}

/* Prints a run after the runs that it depends on. */
static void
print_run(struct wanted *w, const struct run_costs *costs, double *minutes)
{
	const char *names = w->after;
	struct buf lacking = { 0 };
	struct wanted *before;
	double cost;

	if (w->state != LACKING || w->printed)
		return;
	w->printed = true;
	while ((before = next_before(w, &names)))
		print_run(before, costs, minutes);
	cost = run_cost_minutes(costs, w->name, w->settings);
	*minutes += cost;
	add_lacking(w, &lacking);
	printf("%.1f\t%s\t%s\t%s%s\n", cost, w->name, lacking.data, command, w->name);
	buf_release(&lacking);
}

static void
print_plan(size_t lacking)
{
	struct run_costs costs;
	double minutes = 0;

	run_costs_read(&costs, ledger);
	for (size_t i = 0; i < n_wanted; i++)
		print_run(&wanted[i], &costs, &minutes);
	run_costs_release(&costs);
	if (!quiet)
		fprintf(stderr, "%s: %zu of %zu runs to make, about %.1f hours\n",
			err_program_name(), lacking, n_wanted, minutes / 60);
}

int
main(int argc, char **argv)
{
	size_t lacking = 0;
	char **file;
	const int n = cli_begin(&program, argc, argv, &file);

	if (n > 1)
		die_usage("%d lists, expected one", n);
	read_wanted(n ? file[0] : NULL);
	for (size_t i = 0; i < n_wanted; i++)
		resolve(&wanted[i]);
	for (size_t i = 0; i < n_wanted; i++)
		lacking += wanted[i].state == LACKING;
	if (!kept)
		print_plan(lacking);
	for (size_t i = 0; i < n_wanted && kept; i++)
		if (wanted[i].state == KEPT)
			printf("%s\t%s\n", wanted[i].name, wanted[i].digest);
	for (size_t i = 0; i < n_wanted; i++)
		free(wanted[i].name);		/* the whole line */
	free(wanted);
	return cli_end(strict && lacking ? EXIT_INPUT : EXIT_OK);
}
