/* page-runs: results, settings and models of runs; see page.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/regular.h"
#include "exchange/file.h"
#include "model-file/model-file.h"
#include "model-file/model-info.h"
#include "results/facts.h"
#include "results/page-parts.h"
#include "text/lines.h"

struct page_runs_run {
	const char *folder;
	char *name;
	char id[80];			/* of the element with its details */
	struct facts facts;		/* none without a record */
};

/* Facts of a record in the table of all runs. */
static const struct { const char *fact, *name; } columns[] = {
	{ "bleu", "BLEU" }, { "sacrebleu", "sacreBLEU" }, { "dev.nll", "dev NLL" },
	{ "updates", "updates" }, { "parameters", "parameters" }, { "seconds", "seconds" },
	{ "speed", "tokens/s" }, { "version", "heed" }, { "commit", "commit" },
	{ "finished", "finished" },
};
enum { N_COLUMNS = sizeof(columns) / sizeof(*columns) };

/* --- files of a run --- */

static bool
is_there(const char *path)
{
	struct stat s;

	return !stat(path, &s);
}

/* The last four parts of the folder: paper, column, variant, seed. */
static const char *
last_parts(const char *folder)
{
	const char *at = folder + strlen(folder);

	for (int slashes = 0; at > folder; at--)
		if (at[-1] == '/' && *at && ++slashes == 4)
			break;
	return at + strspn(at, "/");
}

/* EXIT_INPUT if the folder lacks all files that are shown. */
static int
check_run(const struct page_runs_run *r, struct err *e)
{
	static const char *const name[] = {
		"record", "settings", "model.tar", "model.tsv"
	};
	bool any = false;

	if (!is_there(r->folder))
		return err_system(e, "%s", r->folder);
	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++) {
		char *path = file_in(r->folder, name[i]);

		any |= is_there(path);
		free(path);
	}
	return any ? 0 : err_set(e, EXIT_INPUT, "%s: no record, settings, model.tar "
				 "or model.tsv, expected the folder of a run", r->folder);
}

static int
open_run(struct page_runs_run *r, const char *folder, struct err *e)
{
	char *path;
	int bad;

	r->folder = folder;
	if (check_run(r, e))
		return -1;
	path = file_in(r->folder, "record");
	bad = is_there(path) && (regular_check(path, e) || facts_read(&r->facts, path, e));
	free(path);
	if (bad)
		return -1;
	r->name = r->facts.n ?
		xasprintf("%s/%s/%s/%s", r->facts.paper, r->facts.column, r->facts.variant,
			  r->facts.seed) : xstrdup(last_parts(folder));
	return 0;
}

static const char *
fact(const struct page_runs_run *r, const char *name)
{
	const char *value = facts_find(&r->facts, name);

	return value ? value : "";
}

/* --- the table of all runs --- */

static bool
any_has(const struct page_runs_run *run, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (*fact(&run[i], name))
			return true;
	return false;
}

static void
add_overview(struct page *p, const struct page_runs_run *run, size_t n)
{
	struct buf *out = &p->body;
	bool shown[N_COLUMNS];

	page_wide_begin(p, "runs", NULL);
	buf_add_str(out, "<table>\n<thead>\n<tr><th scope=\"col\">run</th>");
	for (size_t c = 0; c < N_COLUMNS; c++) {
		shown[c] = any_has(run, n, columns[c].fact);
		if (shown[c])
			buf_printf(out, "<th scope=\"col\" class=\"n\">%s</th>", columns[c].name);
	}
	buf_add_str(out, "</tr>\n</thead>\n<tbody>\n");
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "<tr><th scope=\"row\" class=\"brief\"><a href=\"#%s\">",
			   run[i].id);
		page_add_text(out, "", run[i].name, "</a></th>");
		for (size_t c = 0; c < N_COLUMNS; c++)
			if (shown[c])
				page_add_text(out, "<td class=\"n\">",
					      fact(&run[i], columns[c].fact), "</td>");
		buf_add_str(out, "</tr>\n");
	}
	buf_add_str(out, "</tbody>\n</table>\n");
	page_wide_end(p);
}

/* --- one run --- */

static void
begin_facts(struct buf *out, const char *caption)
{
	buf_printf(out, "<table class=\"facts\">\n<caption>%s</caption>\n<tbody>\n", caption);
}

static void
add_fact(struct buf *out, const char *name, const char *value)
{
	page_add_text(out, "<tr><th scope=\"row\">", name, "</th><td>");
	page_add_text(out, "", value, "</td></tr>\n");
}

static void
end_facts(struct buf *out)
{
	buf_add_str(out, "</tbody>\n</table>\n");
}

static void
add_record(struct page *p, const struct page_runs_run *r)
{
	if (!r->facts.n)
		return;
	begin_facts(&p->body, "Record");
	for (size_t i = 0; i < r->facts.n; i++)
		add_fact(&p->body, r->facts.fact[i].name, r->facts.fact[i].value);
	end_facts(&p->body);
}

/* Reads a file of the run into `text`, whose data stay NULL if there is no such file. */
static int
read_optional(const struct page_runs_run *r, const char *name, struct buf *text, struct err *e)
{
	char *path = file_in(r->folder, name);
	const bool bad = is_there(path) &&
			 (regular_check(path, e) || lines_read_all(path, text, e));

	free(path);
	return bad ? -1 : 0;
}

static int
add_settings(struct page *p, const struct page_runs_run *r, struct err *e)
{
	struct buf text = { 0 };
	const int status = read_optional(r, "settings", &text, e);

	while (text.n && text.data[text.n - 1] == '\n')
		text.data[--text.n] = 0;
	if (text.data) {
		begin_facts(&p->body, "Settings");
		add_fact(&p->body, "settings", text.data);
		end_facts(&p->body);
	}
	buf_release(&text);
	return status;
}

/*
 * text: tab-separated rows, the first field is the name; modified.  Rows of single parameters are
 * left out.
 */
static void
page_runs_add_rows(struct page *p, char *text)
{
	begin_facts(&p->body, "Model: configuration, recipe, provenance");
	for (char *line = text, *end; line && *line; line = end) {
		char *tab;

		end = strchr(line, '\n');
		if (end)
			*end++ = 0;
		tab = strchr(line, '\t');
		if (!tab || !strncmp(line, "parameter\t", 10))
			continue;
		*tab = 0;
		for (char *more = tab + 1; (more = strchr(more, '\t')); )
			*more = ' ';
		add_fact(&p->body, line, tab + 1);
	}
	end_facts(&p->body);
}

/* From model.tar, or else from model.tsv, which heed-record wrote. */
static int
read_model(const struct page_runs_run *r, struct buf *rows, struct err *e)
{
	char *path = file_in(r->folder, "model.tar");
	const bool there = is_there(path);
	struct model *m = there ? model_load(path, false, NULL, NULL, e) : NULL;

	free(path);
	if (!there)
		return read_optional(r, "model.tsv", rows, e);
	if (!m)
		return -1;
	model_info(m, rows);
	info_provenance(m->pg, rows);
	model_free(m);
	return 0;
}

static int
page_runs_add_model(struct page *p, const struct page_runs_run *r, struct err *e)
{
	struct buf rows = { 0 };
	const int status = read_model(r, &rows, e);

	if (!status && rows.n)
		page_runs_add_rows(p, rows.data);
	buf_release(&rows);
	return status;
}

static int
add_run(struct page *p, const struct page_runs_run *r, struct err *e)
{
	int status;

	buf_printf(&p->body, "<details class=\"run\" id=\"%s\">\n<summary>", r->id);
	page_add_text(&p->body, "", r->name, "</summary>\n");
	add_record(p, r);
	status = add_settings(p, r, e);
	if (!status)
		status = page_runs_add_model(p, r, e);
	buf_add_str(&p->body, "</details>\n");
	return status;
}

int
page_runs(struct page *p, const char *const *folder, size_t n, struct err *e)
{
	struct page_runs_run *run = xcalloc(n, sizeof(*run));
	int status = 0;

	for (size_t i = 0; !status && i < n; i++) {
		status = open_run(&run[i], folder[i], e);
		if (!status)
			strcpy(run[i].id, page_id(p, run[i].name));
	}
	if (!status)
		add_overview(p, run, n);
	for (size_t i = 0; !status && i < n; i++)
		status = add_run(p, &run[i], e);
	for (size_t i = 0; i < n; i++) {
		facts_release(&run[i].facts);
		free(run[i].name);
	}
	free(run);
	return status;
}
