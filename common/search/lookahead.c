/* lookahead: sentences that are read ahead and translated together; see lookahead.h. */
#include "search/lookahead.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/side-tokens.h"
#include "stream/fields.h"
#include "trees/dependents.h"

/* Sentences are read until they fill LOOKAHEAD_BATCHES batches, but at most LOOKAHEAD_MAX. */
enum { LOOKAHEAD_BATCHES = 32, LOOKAHEAD_MAX = 65536 };

int
lookahead_init(struct lookahead *l, struct model *m, struct pass *pass, int too_long,
	       const char *name, struct err *e)
{
	memset(l, 0, sizeof(*l));
	translator_init(&l->translator, m, pass);
	l->translator.cut = too_long == TOO_LONG_CUT;
	l->audit.too_long = too_long;
	if (model_audit(m, false, &l->audit, e))
		return -1;
	return segmenter_init(&l->segmenter, m, name, e);
}

void
lookahead_release(struct lookahead *l)
{
	translator_release(&l->translator);
	segmenter_release(&l->segmenter);
	for (size_t i = 0; i < l->records; i++)
		record_free(l->rec[i]);
	free(l->rec);
	free(l->job);
	buf_release(&l->line);
}

/* Was the model trained on BPE subwords?  Then a stream must have them too. */
static bool
lookahead_has_pieces(const struct vocab *v)
{
	for (int i = VOCAB_SPECIALS; i < v->n; i++) {
		size_t n;
		const char *s = vocab_text(v, i, &n);

		if (n > strlen(BPE_SEPARATOR) && subword_continues(s, n))
			return true;
	}
	return false;
}

/* Adds the fields of a model's variants to the n in needs, each once; returns their number. */
static size_t
add_needs(struct field **needs, size_t n, const struct model *m)
{
	for (const struct field *f = attention_set_needs(m->attention, false); f->name; f++) {
		size_t k = 0;

		while (k < n && strcmp((*needs)[k].name, f->name))
			k++;
		if (k < n)
			continue;
		*needs = xreallocarray(*needs, n + 2, sizeof(**needs));
		(*needs)[n++] = *f;
	}
	return n;
}

struct field *
lookahead_needs(const struct lookahead *l)
{
	const struct translator *t = &l->translator;
	struct field *needs = xcalloc(2, sizeof(*needs));
	size_t n = 0;

	if (t->model->spm[0] || lookahead_has_pieces(&t->model->src))
		needs[n++] = (struct field){ "src.pieces", "[str]", 0 };
	n = add_needs(&needs, n, t->model);
	for (int k = 0; k < t->n_others; k++)
		n = add_needs(&needs, n, t->others[k]);
	needs[n] = (struct field){ 0 };
	return needs;
}

/* The first field of needs that lines of text do not have, such as that of a tree, or NULL. */
static const char *
find_lacking(const struct field *needs)
{
	while (needs->name && (!strcmp(needs->name, "src.pieces") ||
			       !strcmp(needs->name, "src.word")))
		needs++;
	return needs->name;
}

int
lookahead_check_text(const struct lookahead *l, struct err *e)
{
	struct field *needs = lookahead_needs(l);
	const char *lacking = find_lacking(needs);
	const struct field_info *known = lacking ? fields_find("sentence", lacking) : NULL;

	if (lacking) {
		err_set(e, EXIT_USAGE, "--text: the model reads %s, which lines of text do not "
			"have", lacking);
		err_hint(e, "omit --text and translate a stream%s%s", known && known->from
			 ? " of " : "", known && known->from ? known->from : "");
	}
	free(needs);
	return lacking ? -1 : 0;
}

struct record *
lookahead_record(struct lookahead *l)
{
	size_t room = l->room;

	l->rec = mem_grow(l->rec, &room, l->n + 1, sizeof(*l->rec));
	l->job = mem_grow(l->job, &l->room, l->n + 1, sizeof(*l->job));
	if (l->n == l->records)
		l->rec[l->records++] = record_new();
	record_clear(l->rec[l->n]);
	l->job[l->n] = (struct translate_job){ .rec = l->rec[l->n], .number = l->read };
	return l->rec[l->n];
}

int
lookahead_prefix(struct lookahead *l, const char *text, struct err *e)
{
	const struct subwords *cut = &l->segmenter.subwords;

	if (segmenter_cut(&l->segmenter, text, strlen(text), true, e))
		return err_wrap(e, "--prefix");
	for (size_t i = 0; i < cut->n; i++)
		if (vocab_id(&l->translator.model->tgt, cut->v[i].s, cut->v[i].n) == VOCAB_UNK)
			return err_set(e, EXIT_USAGE, "--prefix: '%.*s' is not in the model's "
				       "vocabulary, expected tokens that are", (int)cut->v[i].n,
				       cut->v[i].s);
	l->prefix = text;
	return 0;
}

static int
set_prefix(struct lookahead *l, struct translate_job *job, struct err *e)
{
	struct translator *t = &l->translator;
	const struct str *v = NULL;
	struct str s = { l->prefix, l->prefix ? strlen(l->prefix) : 0 };
	size_t n = 0;

	if (l->prefix_field && !record_has(job->rec, l->prefix_field))
		return 0;
	if (l->prefix_field && record_strs(job->rec, l->prefix_field, &v, &n) &&
	    record_str(job->rec, l->prefix_field, &s))
		return err_set(e, EXIT_INPUT, "%s is neither a text nor a list of texts",
			       l->prefix_field);
	if (s.n && !v) {
		if (segmenter_cut(&l->segmenter, s.s, s.n, true, e))
			return -1;
		v = l->segmenter.subwords.v;
		n = l->segmenter.subwords.n;
	}
	if (n)
		translate_prefix(t, job, v, n);
	return 0;
}

static const struct model *
model_of_lookahead(const struct lookahead *l, int k)
{
	return k ? l->translator.others[k - 1] : l->translator.model;
}

int
lookahead_add(struct lookahead *l, const struct reader *reader, const char *where, struct err *e)
{
	struct translate_job *job = &l->job[l->n];
	int skip;

	job->n_tokens = side_tokens_count(job->rec, false);
	if (job->n_tokens < 0)
		return err_set(e, EXIT_INPUT, "no src.pieces and no src, expected one of them");
	skip = audit_length(&l->audit, job->rec, reader, where, e);
	if (skip < 0 || (!skip && set_prefix(l, job, e)))
		return -1;
	for (int k = 0; !skip && k <= l->translator.n_others; k++)
		audit_tokens(k ? &l->others[k - 1] : &l->audit.tokens, job->rec,
			     &model_of_lookahead(l, k)->src, NULL);
	l->tokens += job->n_tokens;		/* also if skipped: it is in memory, too */
	job->skip = skip;
	l->read++;
	l->n++;
	return 0;
}

int
lookahead_add_line(struct lookahead *l, const struct input *input, const char *line, size_t n,
		   struct err *e)
{
	char *where = xasprintf("%s: line %lld", input_name(input),
				(long long)input_line_number(input));
	struct record *rec = lookahead_record(l);
	const struct subwords *cut = &l->segmenter.subwords;
	int r = segmenter_cut(&l->segmenter, line, n, false, e);

	if (!r) {
		record_set_strs(rec, "src.pieces", cut->v, cut->n);
		record_set_ints(rec, "src.word", cut->word, cut->n);
		if (l->segmenter.coder && n)
			joined_add_line(&l->joined, l->segmenter.text.data);
		r = lookahead_add(l, NULL, where, e);
	}
	if (r)
		err_wrap(e, "%s", where);
	free(where);
	return r;
}

bool
lookahead_full(const struct lookahead *l)
{
	return l->n == LOOKAHEAD_MAX ||
	       l->tokens >= LOOKAHEAD_BATCHES * l->translator.batch_tokens;
}

int
lookahead_translate(struct lookahead *l, struct err *e)
{
	if (translate_window(&l->translator, l->job, (int)l->n, e))
		return -1;
	return l->alignment.find ? l->alignment.find(l->alignment.arg, l, e) : 0;
}

void
lookahead_clear(struct lookahead *l)
{
	l->n = 0;
	l->tokens = 0;
	translate_begin(&l->translator);
}

/* --- results --- */

static int
lookahead_add_text(struct lookahead *l, const struct hypothesis *h, struct buf *out, struct err *e)
{
	struct translator *t = &l->translator;
	const struct str *v = translate_pieces(t->model, h, &t->results);

	return segmenter_join(&l->segmenter, v, (size_t)h->n, out, e);
}

int
lookahead_text(struct lookahead *l, size_t i, struct buf *out, struct err *e)
{
	if (lookahead_add_text(l, &l->job[i].out.best[0], out, e))
		return -1;
	if (l->alignment.find)
		buf_printf(out, " ||| %s", l->alignment.links(l->alignment.arg, i));
	return 0;
}

static const struct field fields[] = {
	{ "hyp", "str", 0 }, { "hyp.pieces", "[str]", 0 }, { "hyp.score", "float", 0 },
	{ "hyp.nbest", "[str]", 0 }, { "hyp.nbest.score", "f32[k]", 0 }, { 0 }
};

const struct field *
lookahead_fields(int n_best)
{
	static const struct field best[] = {
		{ "hyp", "str", 0 }, { "hyp.pieces", "[str]", 0 }, { "hyp.score", "float", 0 },
		{ 0 }
	};

	return n_best > 1 ? fields : best;
}

/* Is this field computed again, or from the reference instead of the translation? */
static bool
is_kept(const char *name, const void *arg)
{
	const struct lookahead *l = arg;
	const char *target = l->from ? header_meta(l->from, "lrp.target") : NULL;

	for (const struct field *f = fields; f->name; f++)
		if (!strcmp(name, f->name))
			return true;
	return (l->alignment.find && !strcmp(name, "hyp.alignment")) ||
	       (target && !strcmp(target, "ref") && !strncmp(name, "relevance.", 10));
}

void
lookahead_declare(struct lookahead *l, const struct header *header, struct writer *out)
{
	l->from = header;
	dependents_drop(out, "hyp", is_kept, l);
}

/* Removes a translation by another model, so that it is not taken for one by this model. */
static void
delete_fields(struct lookahead *l, struct record *rec)
{
	dependents_delete(rec, "hyp", is_kept, l);
	for (const struct field *f = fields; f->name; f++)
		record_delete(rec, f->name);
}

static int
set_n_best(struct lookahead *l, struct record *rec, const struct translation *t, struct err *e)
{
	struct arena *mem = &l->translator.results;
	struct str *v = ARENA_ARRAY(mem, struct str, t->n);
	float *score = ARENA_ARRAY(mem, float, t->n);

	for (int i = 0; i < t->n; i++) {
		buf_clear(&l->line);
		if (lookahead_add_text(l, &t->best[i], &l->line, e))
			return -1;
		v[i].s = arena_copy(mem, l->line.n ? l->line.data : "", l->line.n + 1);
		v[i].n = l->line.n;
		score[i] = (float)t->best[i].score;
	}
	record_set_strs(rec, "hyp.nbest", v, (size_t)t->n);
	record_set_tensor(rec, "hyp.nbest.score",
			  &(struct tensor){ .type = TENSOR_F32, .n_dim = 1, .d = { t->n },
					    .data = score });
	return 0;
}

static int
lookahead_set_translation(struct lookahead *l, struct record *rec, const struct translation *t,
			  struct err *e)
{
	struct arena *mem = &l->translator.results;
	const struct hypothesis *best = &t->best[0];

	buf_clear(&l->line);
	if (lookahead_add_text(l, best, &l->line, e))
		return -1;
	delete_fields(l, rec);
	record_set_str(rec, "hyp", l->line.n ? l->line.data : "", l->line.n);
	record_set_strs(rec, "hyp.pieces", translate_pieces(l->translator.model, best, mem),
			(size_t)best->n);
	record_set_float(rec, "hyp.score", best->score);
	return l->translator.search.n_best > 1 ? set_n_best(l, rec, t, e) : 0;
}

/* Without an alignment, deletes that of another translation. */
static void
set_alignment(struct lookahead *l, size_t i)
{
	const struct lookahead_alignment *a = &l->alignment;
	const char *s = a->find && !l->job[i].skip ? a->links(a->arg, i) : NULL;

	if (s)
		record_set_str(l->rec[i], "hyp.alignment", s, strlen(s));
	else
		record_delete(l->rec[i], "hyp.alignment");
}

int
lookahead_set_fields(struct lookahead *l, size_t i, struct err *e)
{
	if (l->job[i].skip)
		delete_fields(l, l->rec[i]);
	else if (lookahead_set_translation(l, l->rec[i], &l->job[i].out, e))
		return -1;
	set_alignment(l, i);
	audit_set_cut(&l->audit, l->rec[i], l->rec[i]);
	return 0;
}

/* --- the whole input --- */

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
		if (lookahead_set_fields(l, i, e) || writer_put_fitting(out, l->rec[i], e))
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
			    lookahead_add(l, reader, NULL, e))
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
