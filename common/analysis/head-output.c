/* head-output: see head-output.h. */
#include "analysis/head-output.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/output.h"

const char *const head_forms[] = { "stream", "tsv", "md", "latex", NULL };

struct notes { const struct head_output *how; struct writer *to; };

/* Writes a note to the stream, if there is one, and to standard error. */
static int
head_measures_note(void *arg, const char *name, const char *value, struct err *e)
{
	const struct notes *n = arg;

	if (n->how->verbose)
		fprintf(stderr, "%s: %s: %s\n", n->how->name, name, value);
	return n->to ? writer_note(n->to, name, value, e) : 0;
}

static int
head_measures_write_stream(const struct head_measures *h, const struct forced *f,
			   const struct head_table *t,
			   const struct head_output *form, struct err *e)
{
	struct field *fields = head_table_fields(t);
	struct notes n = { form, writer_open(form->path, "head", NULL, fields, form->flags, e) };

	free(fields);
	if (!n.to)
		return -1;
	head_table_name_model(n.to, f->m);
	writer_add_provenance(n.to, reader_header(f->in));
	if (!head_measures_notes(h, f, head_measures_note, &n, e) && !head_table_put(t, n.to, e))
		return writer_finish(n.to, e);
	writer_abandon(n.to);
	return -1;
}

static int
head_measures_write_text(const struct head_measures *h, const struct forced *f,
			 const struct head_table *t, const struct head_output *form, struct err *e)
{
	struct notes n = { form, NULL };
	struct buf text = { 0 };
	int bad;

	if (form->form == HEAD_TSV)
		head_table_tsv(t, &text);
	else
		head_table_layout(t, form->form == HEAD_LATEX ? TABLE_LATEX : TABLE_MARKDOWN,
				  &text);
	bad = head_measures_notes(h, f, head_measures_note, &n, e) ||
	      output_all(form->path, 0, text.data, text.n, e) ? -1 : 0;
	buf_release(&text);
	return bad;
}

int
head_measures_write(const struct head_measures *h, const struct forced *f,
		    const struct head_table *t, const struct head_output *form, struct err *e)
{
	return form->form == HEAD_STREAM ? head_measures_write_stream(h, f, t, form, e)
					 : head_measures_write_text(h, f, t, form, e);
}
