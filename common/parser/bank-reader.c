/* bank-reader: see bank-reader.h. */
#include "parser/bank-reader.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/input.h"

void
leave_out_init(struct leave_out *l, const struct opt_list *pattern)
{
	l->pattern = pattern;
	l->matched = xcalloc(pattern->n + 1, sizeof(*l->matched));
}

void
leave_out_warn(const struct leave_out *l)
{
	for (size_t i = 0; i < l->pattern->n; i++)
		if (!l->matched[i])
			warn("--leave-out %s matches no document", l->pattern->v[i]);
}

void
leave_out_release(struct leave_out *l)
{
	free(l->matched);
}

/* The words of both files must be the same. */
static int
bank_reader_check_words(const struct bank_reader *r, struct err *e)
{
	const struct tree *t = &r->tree;
	long long conllu = (long long)r->dep.line, ptb = (long long)ptb_line(r->ptb);

	if (t->n_words != r->dep.n)
		return err_set(e, EXIT_INPUT, "%s: line %lld: %d words, line %lld of %s has %d",
			       r->name[0], conllu, r->dep.n, ptb, r->name[1], t->n_words);
	for (int i = 0; i < t->n; i++)
		if (t->node[i].leaf && strcmp(t->node[i].label, r->dep.word[t->node[i].first].form))
			return err_set(e, EXIT_INPUT,
				       "%s: line %lld: word %d is '%s', line %lld of %s has '%s'",
				       r->name[0], conllu, t->node[i].first + 1,
				       r->dep.word[t->node[i].first].form, ptb, r->name[1],
				       t->node[i].label);
	return 0;
}

static bool
is_left_out(const struct bank_reader *r)
{
	const struct leave_out *l = r->leave_out;
	bool found = false;

	for (size_t i = 0; l && r->conllu && r->dep.doc && i < l->pattern->n; i++)
		if (!fnmatch(l->pattern->v[i], r->dep.doc, 0))
			found = l->matched[i] = true;
	return found;
}

static int
read_one(struct bank_reader *r, struct err *e)
{
	int conllu = r->conllu ? conllu_next(r->conllu, &r->dep, e) : 1;
	int ptb = conllu >= 0 && r->ptb ? ptb_next(r->ptb, &r->tree, e) : 1;

	if (conllu < 0 || ptb < 0)
		return -1;
	if (r->conllu && r->ptb && conllu != ptb)
		return err_set(e, EXIT_INPUT, "%s ends before %s does", r->name[conllu ? 1 : 0],
			       r->name[ptb ? 1 : 0]);
	if (!conllu || !ptb)
		return 0;
	return r->conllu && r->ptb && bank_reader_check_words(r, e) ? -1 : 1;
}

int
bank_next(struct bank_reader *r, struct err *e)
{
	int status;

	do
		status = read_one(r, e);
	while (status > 0 && is_left_out(r));
	return status;
}

static int
open_one(struct bank_reader *r, const char *path, size_t n, struct err *e)
{
	char *name = xstrndup(path, n);
	struct input *in = input_open(name, INPUT_UTF8, e);
	int first = in ? ptb_first(in, e) : -1;
	bool brackets = first == '(';

	if (first < 0 || (brackets ? r->ptb != NULL : r->conllu != NULL)) {
		if (first >= 0)
			err_set(e, EXIT_USAGE, "%s is a second file of %s, expected one",
				name, brackets ? "bracketed trees" : "CoNLL-U");
		input_close(in);
		free(name);
		return -1;
	}
	r->name[brackets] = name;
	if (brackets)
		r->ptb = ptb_from(in, 0);
	else
		r->conllu = conllu_from(in);
	return 0;
}

int
bank_open(struct bank_reader *r, const char *files, struct leave_out *leave_out, struct err *e)
{
	size_t n = strcspn(files, ",");

	memset(r, 0, sizeof(*r));
	r->leave_out = leave_out;
	dep_sentence_init(&r->dep);
	tree_init(&r->tree);
	if (open_one(r, files, n, e))
		return -1;
	return files[n] ? open_one(r, files + n + 1, strlen(files + n + 1), e) : 0;
}

void
bank_close(struct bank_reader *r)
{
	conllu_close(r->conllu);
	ptb_close(r->ptb);
	free(r->name[0]);
	free(r->name[1]);
	dep_sentence_release(&r->dep);
	tree_release(&r->tree);
}
