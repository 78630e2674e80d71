/* grammar: see grammar.h. */
#include "parser/grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "parser/treebank.h"
#include "stream/input.h"
#include "text/lines.h"

static int
add_trees(struct pcfg *g, const char *files, struct leave_out *leave_out, struct err *e)
{
	struct bank_reader r;
	int status = bank_open(&r, files, leave_out, e) ? -1 : 1;

	while (status > 0 && (status = bank_next(&r, e)) > 0)
		if (r.ptb)
			pcfg_add(g, &r.tree);
	bank_close(&r);
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
grammar_train(char *const *treebanks, const struct opt_list *without, const char *output,
	      struct err *e)
{
	struct leave_out leave_out;
	struct pcfg *g;
	int r = 0;

	if (output_check(output, e))
		return -1;
	g = pcfg_new(PCFG_ORDER);
	leave_out_init(&leave_out, without);
	for (; !r && *treebanks; treebanks++)
		r = add_trees(g, *treebanks, &leave_out, e);
	if (!r)
		leave_out_warn(&leave_out);
	leave_out_release(&leave_out);
	r = r || pcfg_finish(g, e) || write_grammar(g, output, e) ? -1 : 0;
	pcfg_free(g);
	return r;
}

bool
grammar_is(const char *path)
{
	static const char magic[] = "heed-pcfg	";
	char first[sizeof(magic) - 1];
	struct stat at;
	FILE *f = !stat(path, &at) && S_ISREG(at.st_mode) ? fopen(path, "r") : NULL;
	bool is = f && fread(first, 1, sizeof(first), f) == sizeof(first) &&
		  !memcmp(first, magic, sizeof(first));

	if (f)
		fclose(f);
	return is;
}

struct pcfg *
grammar_read(const char *path, struct err *e)
{
	struct pcfg *g = NULL;
	struct buf text;

	buf_init(&text);
	if (!lines_read_all(path, &text, e)) {
		g = pcfg_read(text.data, text.n, e);
		if (!g && input_is_tar(text.data, text.n)) {
			err_set(e, EXIT_INPUT, "%s is a tar file, such as a parser, expected a "
				"grammar", path);
			err_hint(e, "omit --pcfg");
		} else if (!g) {
			err_wrap(e, "%s", path);
		}
	}
	buf_release(&text);
	return g;
}
