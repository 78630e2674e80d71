/* grammar: see grammar.h. */
#include "parser/grammar.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/output.h"
#include "stream/input.h"
#include "text/lines.h"
#include "text/ptb.h"

static int
add_trees(struct pcfg *g, struct ptb_reader *r, struct err *e)
{
	struct tree t;
	int status;

	tree_init(&t);
	while ((status = ptb_next(r, &t, e)) > 0)
		pcfg_add(g, &t);
	tree_release(&t);
	return status;
}

static int
add_file(struct pcfg *g, const char *path, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	const char *p;
	ptrdiff_t k = in ? input_ahead(in, 1, &p, e) : -1;
	struct ptb_reader *r;
	int status;

	if (k <= 0 || *p != '(') {
		input_close(in);
		return k < 0 ? -1 : 0;
	}
	r = ptb_from(in, 0);
	status = add_trees(g, r, e);
	ptb_close(r);
	return status;
}

static int
add_files(struct pcfg *g, const char *files, struct err *e)
{
	int status = 0;

	for (size_t n; !status && *files; files += n + (files[n] == ',')) {
		char *path;

		n = strcspn(files, ",");
		path = xstrndup(files, n);
		status = add_file(g, path, e);
		free(path);
	}
	return status;
}

static int
write_grammar(const struct pcfg *g, const char *path, struct err *e)
{
	struct output *out = output_open(path, 0, e);
	struct buf text;
	int r;

	if (!out)
		return -1;
	buf_init(&text);
	pcfg_write(g, &text);
	r = output_write(out, text.data, text.n, e);
	buf_release(&text);
	if (!r)
		return output_finish(out, e);
	output_abandon(out);
	return -1;
}

int
grammar_train(char *const *treebanks, const char *output, struct err *e)
{
	struct pcfg *g = pcfg_new(PCFG_ORDER);
	int r = 0;

	for (; !r && *treebanks; treebanks++)
		r = add_files(g, *treebanks, e);
	r = r || pcfg_finish(g, e) || write_grammar(g, output, e) ? -1 : 0;
	pcfg_free(g);
	return r;
}

struct pcfg *
grammar_read(const char *path, struct err *e)
{
	struct pcfg *g = NULL;
	struct buf text;

	buf_init(&text);
	if (!lines_read_all(path, &text, e)) {
		g = pcfg_read(text.n ? text.data : "", text.n, e);
		if (!g)
			err_wrap(e, "%s", path);
	}
	buf_release(&text);
	return g;
}
