/* link-file: see link-file.h. */
#include "data/link-file.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stream/input.h"

static int
link_file_read_lines(struct link_file *f, struct input *input, struct err *e)
{
	const char *line;
	size_t n;
	int more;

	while ((more = input_line(input, &line, &n, e)) > 0) {
		f->line = mem_grow(f->line, &f->line_room, f->lines + 1, sizeof(*f->line));
		f->line[f->lines++] = f->text.n;
		buf_add(&f->text, line, n);
		buf_add_char(&f->text, '\0');
	}
	if (!more && !f->lines)
		return err_set(e, EXIT_INPUT, "%s has no lines, expected one for each sentence",
			       f->name);
	return more;
}

int
link_file_from(struct link_file *f, struct input *input, int first, struct err *e)
{
	int bad;

	*f = (struct link_file){ .name = xstrdup(input_name(input)), .first = first };
	bad = link_file_read_lines(f, input, e);
	input_close(input);
	return bad;
}

int
link_file_open(struct link_file *f, const char *path, int first, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);

	*f = (struct link_file){ .lines = 0 };
	return in ? link_file_from(f, in, first, e) : -1;
}

void
link_file_release(struct link_file *f)
{
	free(f->name);
	free(f->line);
	buf_release(&f->text);
	*f = (struct link_file){ .lines = 0 };
}

int
link_file_read(struct link_file *f, int64_t i, int source_words, int target_words,
	       struct link_set *set, struct err *e)
{
	const struct link_words w = { source_words, target_words, f->first };

	if (i >= (int64_t)f->lines)
		return err_set(e, EXIT_INPUT, "%s has %zu lines, expected one for each sentence",
			       f->name, f->lines);
	if (link_set_read(set, f->text.data + f->line[i], &w, e))
		return err_wrap(e, "%s: line %lld", f->name, (long long)i + 1);
	f->read = true;
	for (size_t k = 0; k < set->n; k++) {
		f->any = true;
		f->any_first |= !set->v[k].source || !set->v[k].target;
	}
	return 0;
}

int
link_file_check(struct link_file *f, int64_t sentences, struct err *e)
{
	if ((int64_t)f->lines != sentences)
		return err_set(e, EXIT_INPUT, "%s has %zu lines, expected one for each of %lld "
			       "sentences", f->name, f->lines, (long long)sentences);
	if (f->read && !f->any)
		return err_set(e, EXIT_INPUT, "%s has no links, expected at least one", f->name);
	if (f->any && !f->any_first && !f->first && !f->warned)
		warn("%s: no link has word 0; if words are counted from 1, use --one-based",
		     f->name);
	f->warned = true;
	return 0;
}
