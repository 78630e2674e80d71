/* parse-ahead: sentences that are read ahead and parsed together; see parse-ahead.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "parser/parse-ahead.h"
#include "stream/language.h"
#include "text/form.h"
#include "text/joined.h"
#include "text/unicode.h"

/* Sentences and words that are read before they are parsed; the last sentence may exceed them. */
enum { AHEAD_SENTENCES = 4096, AHEAD_WORDS = 1 << 18 };

/*
 * Warn if more than two thirds of the words with letters, and of at least MIN_LETTERED, are
 * unknown.  The built-in parsers do not know up to 35% of the words in their language (CRAFT,
 * Multi30k), and 80% to 100% of those in others.
 */
enum { MIN_LETTERED = 50 };

int
parse_ahead_init(struct parse_ahead *a, const struct parse_settings *set, const char *side,
		 struct moses *moses, const struct treebank_rules *rules, struct err *e)
{
	*a = (struct parse_ahead){ .set = *set, .side = side, .field = *side_fields_of(side),
				   .moses = moses, .rules = rules };
	a->parsing = parsing_new(&a->set, e);
	if (!a->parsing)
		return -1;
	a->job = xcalloc(AHEAD_SENTENCES, sizeof(*a->job));
	a->rec = xcalloc(AHEAD_SENTENCES, sizeof(*a->rec));
	a->transferred = rules ? xcalloc(AHEAD_SENTENCES, sizeof(*a->transferred)) : NULL;
	dep_derived(&a->field, (set->arcs ? DEP_FROM_HEADS : 0) | (set->spans ? DEP_FROM_TREE : 0),
		    a->stale);
	arena_init(&a->words, 0);
	return 0;
}

void
parse_ahead_release(struct parse_ahead *a)
{
	parsing_free(a->parsing);
	for (int i = 0; i < a->records; i++)
		record_free(a->rec[i]);
	free(a->rec);
	free(a->job);
	free(a->transferred);
	word_transfer_release(&a->transfer);
	arena_release(&a->words);
	dep_sentence_release(&a->dep);
	buf_release(&a->line);
}

/* --- input --- */

/*
 * Adds a sentence: a copy of s, split into words at the characters in `blanks`.  A tab or line end
 * inside a word becomes '_', because neither brackets nor columns can hold it.
 */
static void
parse_ahead_add_words(struct parse_ahead *a, const char *s, size_t n, const char *blanks)
{
	struct parse_job *job = &a->job[a->n++];
	char *copy = arena_get(&a->words, n + 1);
	const char **word = ARENA_ARRAY(&a->words, const char *, n / 2 + 1);
	int k = 0;

	memcpy(copy, s, n);
	copy[n] = 0;
	for (char *at = copy; *at; at++)
		if (strchr("\t\r\n", *at) && !strchr(blanks, *at))
			*at = '_';
	for (char *at = copy; *at;) {
		at += strspn(at, blanks);
		if (*at)
			word[k++] = at;
		at += strcspn(at, blanks);
		if (*at)
			*at++ = 0;
	}
	a->n_words += k;
	*job = (struct parse_job){ .word = word, .n = k, .number = (uint32_t)a->read++ };
}

int
parse_ahead_line(struct parse_ahead *a, struct input *input, struct err *e)
{
	const char *line;
	size_t n;
	int r = input_line(input, &line, &n, e);

	if (r <= 0)
		return r;
	if (a->moses) {
		buf_clear(&a->line);
		moses_tokenize(a->moses, line, n, false, false, &a->line);
		line = a->line.n ? a->line.data : "";
		n = a->line.n;
	}
	parse_ahead_add_words(a, line, n, " \t\r");
	return 1;
}

int
parse_ahead_record(struct parse_ahead *a, struct reader *reader, struct err *e)
{
	struct record *rec;
	struct str s;
	int r = reader_next(reader, &rec, e);

	if (r <= 0)
		return r;
	if (a->n == a->records)
		a->rec[a->records++] = record_new();
	record_clear(a->rec[a->n]);
	if (a->set.spans && dep_check_pieces(rec, &a->field, e))
		return err_wrap(e, "%s", reader_where(reader));
	if (record_copy(a->rec[a->n], rec) || record_text(rec, a->field.text, &s, e))
		return err_wrap(e, "%s", reader_where(reader));
	parse_ahead_add_words(a, s.s, s.n, " ");
	return 1;
}

bool
parse_ahead_full(const struct parse_ahead *a)
{
	return a->n >= AHEAD_SENTENCES || a->n_words >= AHEAD_WORDS;
}

static bool
has_letter(const char *word)
{
	size_t n = strlen(word), len;

	for (; n; word += len, n -= len)
		if (unicode_classes(utf8_next(word, n, &len)) & UNICODE_ALPHA)
			return true;
	return false;
}

static bool
parse_ahead_is_known(const struct parse_settings *set, const char *form)
{
	return set->grammar ? pcfg_knows(set->grammar, form)
			    : vocab_id(&set->network->words, form, strlen(form)) != VOCAB_UNK;
}

static void
warn_of_unknown(const struct parse_ahead *a)
{
	const char *language = a->set.language;
	int64_t lettered = 0, unknown = 0;
	char plain[FORM_ROOM];

	for (int i = 0; i < a->n; i++)
		for (int k = 0; k < a->job[i].n; k++) {
			const char *form = form_plain(a->job[i].word[k], plain);

			if (!has_letter(form))
				continue;
			lettered++;
			unknown += !parse_ahead_is_known(&a->set, form);
		}
	if (lettered >= MIN_LETTERED && unknown * 3 > lettered * 2)
		warn("the parser does not know %lld of the first %lld words with letters, expected "
		     "text in its language%s%s", (long long)unknown, (long long)lettered,
		     language ? ", " : "", language ? language : "");
}

void
parse_ahead_compare(const struct parse_ahead *a, const struct reader *reader)
{
	const char *own = a->set.network || a->set.grammar ? a->set.language : NULL, *found;
	struct languages l;

	languages_of(reader_header(reader), &l);
	found = l.side[!strcmp(a->side, stream_sides[1])];
	if (own && *found && strcmp(found, own))
		warn("%s: the language of %s is %s, expected %s, that of the parser",
		     reader_name(reader), a->side, found, own);
}

void
parse_ahead_warn(const struct parse_ahead *a)
{
	struct joined j = { 0 };

	for (int i = 0; i < a->n; i++)
		joined_add(&j, a->job[i].word, a->job[i].n);
	joined_warn(&j, a->n);
	if (a->set.network || a->set.grammar)
		warn_of_unknown(a);
}

void
parse_ahead_parse(struct parse_ahead *a)
{
	for (int i = 0; a->rules && i < a->n; i++)
		word_transfer_split(&a->transferred[i], a->rules, &a->job[i], &a->words);
	parsing_begin(a->parsing);
	parsing_window(a->parsing, a->job, a->n);
	for (int i = 0; a->rules && i < a->n; i++)
		word_transfer_back(&a->transfer, &a->transferred[i], &a->job[i], &a->words);
}

void
parse_ahead_clear(struct parse_ahead *a)
{
	a->n = a->n_words = 0;
	arena_rewind(&a->words);
}

/* --- output --- */

void
parse_ahead_declare(const struct parse_ahead *a, struct writer *out)
{
	if (a->set.arcs) {
		writer_add_field(out, a->field.heads, "[int]");
		writer_add_field(out, a->field.rels, "[str]");
	}
	if (a->upos)
		writer_add_field(out, a->field.upos, "[str]");
	if (a->set.spans)
		writer_add_field(out, a->field.tree, "str");
	for (const char *const *name = a->stale; *name; name++)
		writer_drop_field(out, *name);
}

static void
set_labels(struct record *rec, const char *field, const char *const *label, int n,
	   struct arena *mem)
{
	struct str *v = ARENA_ARRAY(mem, struct str, n);

	for (int i = 0; i < n; i++)
		v[i] = (struct str){ label[i], strlen(label[i]) };
	record_set_strs(rec, field, v, (size_t)n);
}

static void
parse_ahead_set_fields(struct parse_ahead *a, int i)
{
	const struct side_fields *name = &a->field;
	const struct parse_job *job = &a->job[i];
	struct record *rec = a->rec[i];

	if (a->set.arcs) {
		record_set_ints(rec, name->heads, job->head, (size_t)(job->head ? job->n : 0));
		set_labels(rec, name->rels, job->rel, job->head ? job->n : 0, &a->words);
	}
	if (a->upos)
		set_labels(rec, name->upos, job->upos, job->upos ? job->n : 0, &a->words);
	if (a->set.spans)
		record_set_str(rec, name->tree, job->tree ? job->tree : "",
			       job->tree ? strlen(job->tree) : 0);
	for (const char *const *stale = a->stale; *stale; stale++)
		record_delete(rec, *stale);
}

int
parse_ahead_put(struct parse_ahead *a, struct writer *out, struct err *e)
{
	for (int i = 0; i < a->n; i++) {
		parse_ahead_set_fields(a, i);
		if (writer_put_fitting(out, a->rec[i], e))
			return -1;
	}
	return 0;
}

int
parse_ahead_print(struct parse_ahead *a, bool conllu, struct output *out, struct err *e)
{
	for (int i = 0; i < a->n; i++) {
		const char *tree = a->job[i].tree;

		buf_clear(&a->line);
		if (conllu) {
			parse_job_deps(&a->job[i], &a->dep);
			conllu_write(&a->dep, &a->line);
		} else {
			buf_printf(&a->line, "%s\n", tree ? tree : "");
		}
		if (output_write(out, a->line.data, a->line.n, e))
			return -1;
	}
	return 0;
}
