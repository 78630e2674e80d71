/* source-tree: see source-tree.h. */
#include "explore/source-tree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model-file/bundle.h"
#include "parser/embedded.h"
#include "parser/parsing.h"
#include "trees/dep-mask.h"
#include "trees/record-deps.h"
#include "trees/record-pieces.h"

enum { MAX_WORDS = 200 };		/* as in parse(1), also the precision */

struct source_tree {
	struct parser parser;
	struct parse_settings set;
	struct parsing *parsing;
	struct piece_words pieces;
	struct matrix mask;
	pthread_mutex_t lock;		/* one sentence at a time */
};

struct source_tree *
source_tree_open(const char *language, struct err *e)
{
	struct source_tree *t = xcalloc(1, sizeof(*t));
	struct bundle_in *b = embedded_parser(&t->parser, language, e);

	pthread_mutex_init(&t->lock, NULL);
	if (!b || bundle_in_close(b, 0, e)) {
		source_tree_close(t);
		return NULL;
	}
	t->set = (struct parse_settings){
		.language = language, .network = t->parser.network, .control = -1, .arcs = true,
		.max_words = MAX_WORDS, .batch_words = MAX_WORDS, .precision = PRECISION_INT16,
		.threads = 1
	};
	t->parsing = parsing_new(&t->set, e);
	if (t->parsing)
		return t;
	source_tree_close(t);
	return NULL;
}

void
source_tree_close(struct source_tree *t)
{
	if (!t)
		return;
	if (t->parsing)
		parsing_free(t->parsing);
	parser_release(&t->parser);
	piece_words_release(&t->pieces);
	matrix_release(&t->mask);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

static void
set_parse_tree(struct record *rec, const struct side_fields *f, const struct parse_job *job)
{
	struct str *rel = xcalloc((size_t)job->n + 1, sizeof(*rel));

	for (int i = 0; i < job->n; i++)
		rel[i] = (struct str){ job->rel[i], strlen(job->rel[i]) };
	record_set_ints(rec, f->heads, job->head, (size_t)job->n);
	record_set_strs(rec, f->rels, rel, (size_t)job->n);
	free(rel);
}

static int
set_dependency_mask(struct source_tree *t, struct record *rec, const struct side_fields *f,
		    const struct parse_job *job, struct err *e)
{
	struct piece_words *p = &t->pieces;

	if (record_pieces(rec, f, job->n, p, e) || matrix_size(&t->mask, TENSOR_BITS, p->n, e))
		return -1;
	dep_mask_words(p->word, p->n, job->head, t->mask.cell);
	record_set_matrix(rec, f->dep, &t->mask);
	return 0;
}

static int
parse_record(struct source_tree *t, struct record *rec, const struct dep_sentence *s,
	     struct err *e)
{
	const struct side_fields *f = side_fields_of("src");
	const char **word = xcalloc((size_t)s->n + 1, sizeof(*word));
	struct parse_job job = { .word = word, .n = s->n };
	int bad = 0;

	for (int i = 0; i < s->n; i++)
		word[i] = s->word[i].form;
	parsing_begin(t->parsing);
	parsing_window(t->parsing, &job, 1);
	if (job.head) {
		set_parse_tree(rec, f, &job);
		bad = set_dependency_mask(t, rec, f, &job, e);
	}
	free(word);
	return bad;
}

int
source_tree_add(struct source_tree *t, struct record *rec, struct err *e)
{
	struct dep_sentence s = { .n = 0 };
	int bad;

	if (record_has(rec, side_fields[0].heads))
		return 0;
	bad = record_words(rec, side_fields[0].text, &s, e);
	pthread_mutex_lock(&t->lock);
	bad = bad || parse_record(t, rec, &s, e) ? -1 : 0;
	pthread_mutex_unlock(&t->lock);
	dep_sentence_release(&s);
	return bad;
}
