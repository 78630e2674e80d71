/* word-transfer: see word-transfer.h. */
#include "parser/word-transfer.h"

#include <string.h>

#include "text/form.h"
#include "trees/ptb.h"

const char *const word_transfer_names[] = { "given", "treebank", NULL };

void
word_transfer_release(struct word_transfer *r)
{
	retokenize_release(&r->cut);
	dep_sentence_release(&r->parse);
	dep_sentence_release(&r->text);
	tree_release(&r->from);
	tree_release(&r->to);
	buf_release(&r->out);
}

void
word_transfer_split(struct word_transfer_words *words, const struct treebank_rules *rules,
		    struct parse_job *job, struct arena *mem)
{
	const char **plain = ARENA_ARRAY(mem, const char *, job->n);

	words->word = job->word;
	for (int i = 0; i < job->n; i++) {
		char room[FORM_ROOM];

		plain[i] = form_plain(job->word[i], room);
		if (plain[i] == room)
			plain[i] = arena_copy(mem, room, strlen(room) + 1);
	}
	treebank_words(&words->parts, rules, plain, job->n, mem);
	if (words->parts.same)
		return;
	job->word = words->parts.form;
	job->n = words->parts.n;
}

void
parse_job_deps(const struct parse_job *job, struct dep_sentence *s)
{
	dep_sentence_clear(s);
	for (int k = 0; k < job->n; k++) {
		struct dep_word *w = dep_sentence_add(s, job->word[k], strlen(job->word[k]));

		w->upos = job->upos ? job->upos[k] : w->upos;
		w->xpos = job->xpos ? job->xpos[k] : w->xpos;
		w->head = job->head ? job->head[k] : 0;
		w->rel = job->head ? job->rel[k] : w->rel;
	}
	s->has_heads = job->head != NULL;
}

/* The job's results for the words of the text; columns without a result stay NULL. */
static void
take_columns(const struct dep_sentence *text, struct parse_job *job, struct arena *mem)
{
	const int n = text->n;

	job->head = job->head ? ARENA_ARRAY(mem, int, n) : NULL;
	job->rel = job->head ? ARENA_ARRAY(mem, const char *, n) : NULL;
	job->upos = job->upos ? ARENA_ARRAY(mem, const char *, n) : NULL;
	job->xpos = job->xpos ? ARENA_ARRAY(mem, const char *, n) : NULL;
	for (int i = 0; i < n; i++) {
		const struct dep_word *w = &text->word[i];

		if (job->head) {
			job->head[i] = w->head;
			job->rel[i] = w->rel;
		}
		if (job->upos)
			job->upos[i] = w->upos;
		if (job->xpos)
			job->xpos[i] = w->xpos;
	}
}

static void
word_transfer_take_tree(struct word_transfer *r, struct parse_job *job, struct arena *mem)
{
	struct err e;

	if (ptb_parse(&r->from, job->tree, strlen(job->tree), PTB_KEEP_FUNCTIONS, &e))
		bug("a tree of the parser: %s", e.text);
	retokenize_tree(&r->cut, &r->from, &r->text, &r->to);
	buf_clear(&r->out);
	tree_write(&r->to, &r->out);
	buf_add_char(&r->out, 0);
	job->tree = arena_copy(mem, r->out.data, r->out.n);
}

void
word_transfer_back(struct word_transfer *r, const struct word_transfer_words *words,
		   struct parse_job *job, struct arena *mem)
{
	const struct treebank_words *t = &words->parts;

	if (t->same)
		return;
	parse_job_deps(job, &r->parse);
	parse_job_deps(&(struct parse_job){ .word = words->word, .n = t->n_text }, &r->text);
	retokenize_set(&r->cut, t->in_parse, t->n_text, t->in_text, t->n);
	if (job->head)
		retokenize_heads(&r->cut, &r->parse, &r->text);
	retokenize_tags(&r->cut, &r->parse, &r->text);
	take_columns(&r->text, job, mem);
	if (job->tree)
		word_transfer_take_tree(r, job, mem);
	job->word = words->word;
	job->n = t->n_text;
}
