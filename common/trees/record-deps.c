/* record-deps: see record-deps.h. */
#include "trees/record-deps.h"

#include <string.h>

#include "base/utf8.h"
#include "stream/cells.h"
#include "trees/ptb.h"

int
dep_derived(const struct side_fields *f, unsigned sources, const char *name[DEP_MAX_DERIVED])
{
	const struct {
		const char *name;
		unsigned from;		/* besides the text */
	} field[DEP_MAX_DERIVED] = {
		{ f->heads, 0 },
		{ f->rels, DEP_WITH_HEADS },
		{ f->upos, 0 },
		{ f->tree, 0 },
		{ f->pieces, 0 },
		{ f->word, DEP_WITH_PIECES },
		{ f->dep, DEP_FROM_HEADS | DEP_FROM_PIECES },
		{ f->phrase, DEP_FROM_TREE | DEP_FROM_PIECES },
		{ f->parent, DEP_FROM_TREE | DEP_FROM_NODES },
		{ f->relation, DEP_FROM_TREE | DEP_FROM_NODES | DEP_FROM_PIECES },
		{ f->cut, DEP_FROM_PIECES },
	};
	int n = 0;

	for (int i = 0; i < DEP_MAX_DERIVED; i++)
		if ((field[i].from | DEP_FROM_TEXT) & sources)
			name[n++] = field[i].name;
	return n;
}

int
dep_check_pieces(const struct record *rec, const struct side_fields *f, struct err *e)
{
	if (!record_has(rec, f->pieces) || record_has(rec, f->word))
		return 0;
	err_set(e, EXIT_INPUT, "%s without %s, as in a linearized tree, expected both or neither",
		f->pieces, f->word);
	err_hint(e, "run %s before tree-linearize", err_program_name());
	return -1;
}

static int
record_deps_check_text(struct str s, const char *field, struct err *e)
{
	if (utf8_text(s.s, s.n) == s.n)
		return 0;
	return err_set(e, EXIT_INPUT, "%s is not UTF-8 or has a NUL byte", field);
}

int
record_text(const struct record *rec, const char *field, struct str *text, struct err *e)
{
	if (record_str(rec, field, text))
		return err_set(e, EXIT_INPUT, "no %s, expected a text", field);
	return record_deps_check_text(*text, field, e);
}

int
record_words(const struct record *rec, const char *field, struct dep_sentence *s, struct err *e)
{
	struct str text, word;

	dep_sentence_clear(s);
	if (record_text(rec, field, &text, e))
		return -1;
	while (word_next(&text, &word))
		dep_sentence_add(s, word.s, word.n);
	return 0;
}

static int
check_count(const char *field, size_t n, const struct dep_sentence *s, struct err *e)
{
	if (n == (size_t)s->n)
		return 0;
	return err_set(e, EXIT_INPUT, "%s has %zu elements, expected %d as words", field, n, s->n);
}

int
record_heads(const struct record *rec, const char *field, struct dep_sentence *s, struct err *e)
{
	const int32_t *head;
	size_t n;

	if (record_ints(rec, field, &head, &n))
		return err_set(e, EXIT_INPUT, "no %s", field);
	if (check_count(field, n, s, e))
		return -1;
	if (dep_check(head, s->n, e))
		return err_wrap(e, "%s", field);
	for (int i = 0; i < s->n; i++)
		s->word[i].head = head[i];
	s->has_heads = true;
	return 0;
}

int
record_tree(const struct record *rec, const char *field, struct tree *t, struct err *e)
{
	struct str text;

	if (record_str(rec, field, &text))
		return err_set(e, EXIT_INPUT, "no %s", field);
	tree_clear(t);
	if (text.n && ptb_parse(t, text.s, text.n, PTB_KEEP_FUNCTIONS, e))
		return err_wrap(e, "%s", field);
	return 0;
}

int
record_column(const struct record *rec, const char *field, enum dep_column column,
	      struct dep_sentence *s, struct err *e)
{
	const struct str *v;
	size_t n;

	if (record_strs(rec, field, &v, &n))
		return err_set(e, EXIT_INPUT, "no %s", field);
	if (check_count(field, n, s, e))
		return -1;
	for (int i = 0; i < s->n; i++) {
		const char *text;

		if (record_deps_check_text(v[i], field, e))
			return -1;
		text = texts_add(&s->texts, v[i].s, v[i].n);
		if (column == DEP_UPOS)
			s->word[i].upos = text;
		else
			s->word[i].rel = text;
	}
	return 0;
}
