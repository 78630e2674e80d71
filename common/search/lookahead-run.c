/* lookahead-run: translates a whole input, window after window; see lookahead.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "search/lookahead.h"

/* where: the name of the input. */
static int
lookahead_run_translate(struct lookahead *l, const char *where, struct err *e)
{
	if (lookahead_translate(l, e))	/* the error names the record */
		return err_wrap(e, "%s", where);
	if (l->show)
		l->show(l);
	return 0;
}

static int
write_records(struct lookahead *l, struct writer *out, struct err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		if (lookahead_set_fields(l, i, e) || writer_put(out, l->rec[i], e))
			return -1;
	}
	return l->flush ? writer_flush(out, e) : 0;
}

static int
write_lines(struct lookahead *l, struct output *out, struct err *e)
{
	for (size_t i = 0; i < l->n; i++) {
		buf_clear(&l->line);
		if (lookahead_text(l, i, &l->line, e))
			return -1;
		buf_add_char(&l->line, '\n');
		if (output_write(out, l->line.data, l->line.n, e))
			return -1;
	}
	return l->flush ? output_flush(out, e) : 0;
}

/* Models of an ensemble with the same source vocabulary do not know the same tokens. */
static void
warn_of_foreign(const struct lookahead *l, const struct header *h, const char *name)
{
	const struct translator *t = &l->translator;

	model_audit_warn_tokens(t->model, &l->audit.tokens, h, name);
	for (int k = 0; k < t->n_others; k++) {
		char *which = xasprintf("%s, model %d", name, k + 2);

		if (vocab_digest(&t->others[k]->src) != vocab_digest(&t->model->src))
			model_audit_warn_tokens(t->others[k], &l->others[k], h, which);
		free(which);
	}
}

void
lookahead_warn(const struct lookahead *l, const struct header *h, const char *name)
{
	audit_warn_length(&l->audit);
	warn_of_foreign(l, h, name);
	if (l->translator.n_unknown)
		warn("%lld tokens of prefixes are not in the model's vocabulary; they became <unk>",
		     (long long)l->translator.n_unknown);
}

int
lookahead_stream(struct lookahead *l, struct reader *reader, struct writer *out, struct err *e)
{
	struct record *rec;
	int r;

	do {
		while ((r = reader_next(reader, &rec, e)) > 0) {
			audit_fields(&l->audit, rec);
			if (record_copy(lookahead_record(l), rec) ||
			    lookahead_add(l, reader_where(reader), e))
				return err_wrap(e, "%s", reader_where(reader));
			if (l->flush || lookahead_full(l))
				break;
		}
		if (r < 0 || lookahead_run_translate(l, reader_name(reader), e) ||
		    write_records(l, out, e))
			return -1;
		lookahead_clear(l);
	} while (r);
	return 0;
}

int
lookahead_lines(struct lookahead *l, struct input *input, struct output *out, struct err *e)
{
	const char *line;
	size_t n;
	int r;

	do {
		while ((r = input_line(input, &line, &n, e)) > 0) {
			if (lookahead_add_line(l, input, line, n, e))
				return -1;
			if (l->flush || lookahead_full(l))
				break;
		}
		/* About the first lines only, before most of the time is spent. */
		if (l->read == (int64_t)l->n && !l->quiet)
			joined_warn(&l->joined, l->read);
		if (r < 0 || lookahead_run_translate(l, input_name(input), e) ||
		    write_lines(l, out, e))
			return -1;
		lookahead_clear(l);
	} while (r);
	return 0;
}
