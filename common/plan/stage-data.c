/* stage-data: the rules of texts, trees, BPE codes and preparations; see stages.h. */
#include <string.h>

#include "plan/stages.h"

static const char *const sides[] = { "src", "tgt" };

/* --- what is needed --- */

static const struct keyfile_entry *
paper_key(const struct plan *p, const char *paper, const char *key, const char *name)
{
	const struct keyfile_entry *k =
		keyfile_find(&p->conf, name ? text_print(p->a, "%s.%s.%s", paper, key, name)
					    : text_print(p->a, "%s.%s", paper, key));

	return k && *k->value ? k : NULL;
}

/* The parser of a preparation. */
static const char *
form_of(const struct plan *p, const char *paper, const char *data)
{
	const struct keyfile_entry *k = paper_key(p, paper, "parse", data);

	if (!k && list_has(&p->forms, data))
		return data;
	if (!k)
		k = paper_key(p, paper, "parse", NULL);
	return k ? k->value : "none";
}

static bool
is_made(const struct plan *p, const char *column)
{
	return !list_has(&p->corpora, column_corpus(p->a, column));
}

/* The paper that makes a corpus, and its name: "links", or "+links1" of "help+links1". */
static const struct paper *
maker_of(const struct plan *p, const char *column, const char **name)
{
	const char *corpus = column_corpus(p->a, column), *plus = strrchr(corpus, '+');

	*name = plus ? plus : corpus;
	for (size_t i = 0; i < p->n_papers; i++)
		if (paper_key(p, p->paper[i].name, "text", *name))
			return &p->paper[i];
	return NULL;
}

static int need_parsed(struct writer *w, const char *form, const char *column, const char *split);

/* The stream that a made corpus is made from, or NULL. */
static const char *
made_from(const struct plan *p, const char *column)
{
	const char *corpus = column_corpus(p->a, column), *plus = strrchr(corpus, '+');

	return plus ? text_print(p->a, "%.*s.%s", (int)(plus - corpus), corpus,
				 column_pair(p->a, column))
		    : NULL;
}

static int
need_text(struct writer *w, const char *column, const char *split)
{
	const char *text = text_print(w->p->a, "%s/%s", column, split), *from;

	if (list_has(&w->texts, text))
		return 0;
	list_add(w->p->a, &w->texts, text);
	from = is_made(w->p, column) ? made_from(w->p, column) : NULL;
	return from ? need_parsed(w, "src", from, split) : 0;
}

/* The parser whose output another one reads. */
static const char *
form_from(const struct plan *p, const char *form)
{
	const struct keyfile_entry *k =
		keyfile_find(&p->conf, text_print(p->a, "parse.%s.from", form));

	return k ? k->value : "none";
}

static int
need_parsed(struct writer *w, const char *form, const char *column, const char *split)
{
	const char *parsed = text_print(w->p->a, "%s/%s/%s", form, column, split);

	if (list_has(&w->parsed, parsed))
		return 0;
	if (!strcmp(form, "none") || !strcmp(form, "made")) {
		if (need_text(w, column, split))
			return -1;
	} else if (need_parsed(w, form_from(w->p, form), column, split)) {
		return -1;
	}
	list_add(w->p->a, &w->parsed, parsed);
	return 0;
}

/* The scope of a stream PAPER/PREPARATION/COLUMN[/SPLIT]. */
static void
stream_scope(const struct writer *w, const char *stream, struct scope *s)
{
	struct arena *a = w->p->a;

	s->p = w->p;
	s->paper = plan_paper(w->p, name_part(a, stream, 0));
	s->home = s->paper->name;
	s->data = name_part(a, stream, 1);
	s->column = name_part(a, stream, 2);
	s->split = name_part(a, stream, 3);
}

int
need_stream(struct writer *w, const char *stream)
{
	struct scope s = { .p = w->p };
	const struct list *codes;
	const char *whole;

	if (list_has(&w->streams, stream))
		return 0;
	stream_scope(w, stream, &s);
	whole = column_whole(w->p->a, s.column);
	codes = codes_files(&s, w->e);
	if (!codes || need_parsed(w, form_of(w->p, s.home, s.data), whole, s.split))
		return -1;
	for (size_t i = 0; i < codes->n; i++)
		list_once(w->p->a, &w->codes, text_print(w->p->a, "%s %s", codes->s[i], s.column));
	list_add(w->p->a, &w->streams, stream);
	return need_parsed(w, "none", whole, "train");
}

int
need_data(struct writer *w, const char *data)
{
	list_once(w->p->a, &w->data, data);
	for (int i = 0; i < 3; i++)
		if (need_stream(w, text_print(w->p->a, "%s/%s", data, split_names[i])))
			return -1;
	return 0;
}

/* All texts of the columns of the requested sections, and their numbers of pairs. */
int
need_columns(struct writer *w)
{
	for (size_t i = 0; i < w->p->n_papers; i++)
		for (size_t k = 0; k < w->p->paper[i].asked.n; k++) {
			const struct paper *paper = &w->p->paper[i];
			const struct grid_section *s = grid_find(&paper->grid, paper->asked.s[k]);
			struct list columns;

			if (grid_is_claims(s) || !(paper->goal || !w->p->goals.n))
				continue;
			columns = plan_section_columns(w->p, paper, s->name);
			for (size_t c = 0; c < columns.n; c++)
				list_once(w->p->a, &w->columns, columns.s[c]);
		}
	for (size_t c = 0; c < w->columns.n; c++)
		for (int i = 0; i < 3; i++)
			if (need_text(w, w->columns.s[c], split_names[i]))
				return -1;
	return 0;
}

/* The texts of the benchmark of measures, with trees if the language has them; *form: the parser.
 */
int
need_benchmark(struct writer *w, const char **form)
{
	const char *column = w->p->columns.s[0];
	struct scope s = { .p = w->p, .column = column, .side = "src", .split = "dev" };
	bool trained;

	*form = parser_file(&s, &trained) || *trees_command(&s) ? "src" : "none";
	for (int i = 1; i < 3; i++)
		if (need_text(w, column, split_names[i]) ||
		    need_parsed(w, *form, column, split_names[i]))
			return -1;
	return 0;
}

/* --- texts --- */

static int
write_made(struct writer *w, const char *column, const char *split)
{
	struct arena *a = w->p->a;
	const char *name, *from = made_from(w->p, column), *make;
	const struct paper *paper = maker_of(w->p, column, &name);
	struct scope s = { .p = w->p, .paper = paper, .column = column, .split = split };
	struct thing t;

	if (!paper)
		return err_set(w->e, EXIT_INPUT, "no paper has text.%s for the corpus of %s", name,
			       column);
	s.home = paper->name;
	s.from = paper_key(w->p, paper->name, "text", name);
	make = expanded(&s, s.from->value, w->e);
	if (!make)
		return -1;
	thing_init(&t, w);
	t.s.column = column;
	t.s.split = split;
	thing_set(&t, "make", make);
	thing_set(&t, "from",
		  from ? text_print(a, "%s/parsed/src/%s/%s.heed", w->p->work, from, split) : "");
	return thing_write(w, &t, "made-stream");
}

static int
write_text(struct writer *w, const char *column, const char *split, const char *side)
{
	const char *file, *sum;
	struct thing t;

	thing_init(&t, w);
	t.s.column = column;
	t.s.split = split;
	t.s.side = side;
	if (is_made(w->p, column))
		return thing_write(w, &t, "made-text");
	if (!w->p->folders.n)
		return thing_write(w, &t, "fetched-text") || thing_write(w, &t, "text") ? -1 : 0;
	if (text_find(&t.s, &file, &sum, w->e))
		return -1;
	thing_set(&t, "file", file);
	thing_set(&t, "sum", sum);
	return thing_write(w, &t, "given-text") || thing_write(w, &t, "text") ? -1 : 0;
}

static int
write_texts(struct writer *w)
{
	for (size_t i = 0; i < w->texts.n; i++) {
		const char *column = name_part(w->p->a, w->texts.s[i], 0);
		const char *split = name_part(w->p->a, w->texts.s[i], 1);

		if (is_made(w->p, column) && write_made(w, column, split))
			return -1;
		for (int k = 0; k < 2; k++)
			if (write_text(w, column, split, sides[k]))
				return -1;
	}
	for (size_t i = 0; i < w->columns.n; i++) {
		struct thing t;

		thing_init(&t, w);
		t.s.column = w->columns.s[i];
		if (thing_write(w, &t, "corpus"))
			return -1;
	}
	return 0;
}

/* --- trees --- */

/* The word after "-m ", if it is the file of a trained parser. */
static const char *
parser_in(struct arena *a, const char *step)
{
	const char *m = strstr(step, " -m ");

	return m ? text_copy(a, m + 4, strcspn(m + 4, " ")) : "";
}

static int
write_parsed(struct writer *w, const char *parsed)
{
	struct arena *a = w->p->a;
	const char *form = name_part(a, parsed, 0), *step = "";
	struct thing t;
	struct scope plain;

	thing_init(&t, w);
	t.s.column = name_part(a, parsed, 1);
	t.s.split = name_part(a, parsed, 2);
	if (!strcmp(form, "none"))
		return thing_write(w, &t, "unparsed");
	plain = t.s;
	plain.make = false;
	plain.from = keyfile_find(&w->p->conf, text_print(a, "parse.%s", form));
	step = expanded(&plain, plain.from->value, w->e);
	if (!step)
		return -1;
	if (!*step)
		step = "cat";
	thing_set(&t, "step", step);
	thing_set(&t, "stem", text_print(a, "%s/parsed/%s", w->p->work, parsed));
	thing_set(&t, "work", strstr(step, " -p ") ? "read-trees" : "parse");
	thing_set(&t, "sums", strstr(step, " -p ") ? trees_sums(&plain) : "");
	thing_set(&t, "parser", parser_in(a, step));
	thing_set(&t, "from",
		  !strcmp(form, "made")
			  ? text_print(a, "%s/text/%s/%s.heed", w->p->work, t.s.column, t.s.split)
			  : text_print(a, "%s/parsed/%s/%s/%s.heed", w->p->work,
				       form_from(w->p, form), t.s.column, t.s.split));
	return thing_write(w, &t, "parsed");
}

/* --- preparations --- */

/* A sample of a corpus has the same pairs in all preparations. */
static const char *
sample_of(struct arena *a, const char *column)
{
	const char *size = column_size(column), *dot = size ? strchr(size, '.') : NULL;

	return dot ? text_print(a, "heed-sample -n %.*s -s %s |", (int)(dot - size), size, dot + 1)
		   : "";
}

static int
write_codes(struct writer *w, const char *codes)
{
	struct arena *a = w->p->a;
	const struct list words = list_words(a, codes);
	const char *name = strrchr(words.s[0], '/') + 1, *dot = strchr(name, '.');
	struct thing t;

	thing_init(&t, w);
	t.s.column = words.s[1];
	thing_set(&t, "file", words.s[0]);
	thing_set(&t, "sides", dot ? dot + 1 : "src tgt");
	thing_set(&t, "merges", text_copy(a, name, strcspn(name, ".")));
	thing_set(&t, "sample", sample_of(a, words.s[1]));
	return thing_write(w, &t, "codes");
}

/* The commands of a preparation. */
static const char *
prepare_commands(struct writer *w, const struct scope *s)
{
	struct scope own = *s;

	own.from = paper_key(w->p, s->home, "prepare", s->data);
	if (!own.from)
		own.from = paper_key(w->p, s->home, "prepare", NULL);
	return expanded(&own, own.from ? own.from->value : "{bpe}", w->e);
}

static int
write_stream(struct writer *w, const char *stream)
{
	struct arena *a = w->p->a;
	const struct list *codes;
	const char *prepare;
	struct scope plain;
	struct thing t;

	thing_init(&t, w);
	stream_scope(w, stream, &t.s);
	plain = t.s;
	plain.make = false;
	prepare = prepare_commands(w, &plain);
	codes = prepare ? codes_files(&plain, w->e) : NULL;
	if (!codes)
		return -1;
	thing_set(&t, "stem", text_print(a, "%s/prepared/%s", w->p->work, stream));
	thing_set(&t, "prepare", prepare);
	thing_set(&t, "from",
		  text_print(a, "%s/parsed/%s/%s/%s.heed", w->p->work,
			     form_of(w->p, t.s.home, t.s.data), column_whole(a, t.s.column),
			     t.s.split));
	thing_set(&t, "codes", list_text(a, codes));
	thing_set(&t, "sample", strcmp(t.s.split, "train") ? "" : sample_of(a, t.s.column));
	return thing_write(w, &t, "prepared");
}

int
write_data(struct writer *w)
{
	if (write_texts(w))
		return -1;
	for (size_t i = 0; i < w->parsed.n; i++)
		if (write_parsed(w, w->parsed.s[i]))
			return -1;
	for (size_t i = 0; i < w->codes.n; i++)
		if (write_codes(w, w->codes.s[i]))
			return -1;
	for (size_t i = 0; i < w->streams.n; i++)
		if (write_stream(w, w->streams.s[i]))
			return -1;
	for (size_t i = 0; i < w->data.n + w->summed.n; i++) {
		const bool all = i < w->data.n;
		const char *name = all ? w->data.s[i] : w->summed.s[i - w->data.n];
		struct thing t;

		thing_init(&t, w);
		thing_set(&t, all ? "data" : "stem",
			  all ? name : text_print(w->p->a, "%s/prepared/%s", w->p->work, name));
		if (thing_write(w, &t, all ? "prepared-data" : "summed"))
			return -1;
	}
	return 0;
}
