/* train-options: see train-options.h. */
#include "tune/train-options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stream/cells.h"

/* --- the table --- */

void
train_table_read(struct train_table *t, const char *tsv)
{
	*t = (struct train_table){ .n = 0 };
	for (const char *line = tsv; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		struct str rest = { line, strcspn(line, "\n") }, cell[5] = { { "", 0 } };
		struct buf name = { 0 };

		for (int i = 0; i < 5 && cell_next(&rest, &cell[i]); i++)
			;
		buf_printf(&name, "--%.*s", (int)cell[1].n, cell[1].s);
		t->row = xreallocarray(t->row, t->n + 1, sizeof(*t->row));
		t->row[t->n++] = (struct train_row){
			.letter = cell[0].n ? *cell[0].s : 0, .takes = cell[2].n,
			.keyed = cell[2].n > 9 && !strncmp(cell[2].s, "key=value", 9),
			.many = cell[4].n && *cell[4].s == '+',
			.name = texts_add(&t->texts, name.data, name.n)
		};
		buf_release(&name);
	}
}

void
train_table_release(struct train_table *t)
{
	free(t->row);
	texts_release(&t->texts);
}

static const struct train_row *
find_letter(const struct train_table *t, char letter)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].letter == letter)
			return &t->row[i];
	return NULL;
}

/* name: n bytes with the dashes. */
static const struct train_row *
find_name(const struct train_table *t, const char *name, size_t n)
{
	for (size_t i = 0; i < t->n; i++)
		if (strlen(t->row[i].name) == n && !memcmp(t->row[i].name, name, n))
			return &t->row[i];
	return NULL;
}

/* --- the options --- */

/* Adds an option: its name and attached value, and its value unless that is NULL. */
static void
train_options_add(struct train_options *o, const struct train_row *row, struct str word,
		  size_t value, const struct str *next)
{
	struct buf text = { 0 };
	struct train_option *new;

	buf_add(&text, word.s, word.n);
	if (next) {
		buf_add_char(&text, ' ');
		value = text.n;
		buf_add(&text, next->s, next->n);
	}
	o->option = xreallocarray(o->option, o->n + 1, sizeof(*o->option));
	new = &o->option[o->n++];
	new->row = row;
	new->text = texts_add(&o->texts, text.data, text.n);
	new->value = value ? new->text + value : NULL;
	buf_release(&text);
}

static struct str
train_options_next_word(const char **text)
{
	struct str word;

	word.s = *text += strspn(*text, " ");
	word.n = strcspn(*text, " ");
	*text += word.n;
	return word;
}

/* Adds the flags that begin a word of bundled letters; returns the rest, with its dash, in rest. */
static struct str
take_flags(struct train_options *o, const struct train_table *t, struct str word, struct buf *rest)
{
	const struct train_row *row;

	buf_clear(rest);
	buf_add(rest, word.s, word.n);
	while (rest->n > 2 && rest->data[0] == '-' && rest->data[1] != '-' &&
	       (row = find_letter(t, rest->data[1])) && !row->takes) {
		train_options_add(o, row, (struct str){ rest->data, 2 }, 0, NULL);
		memmove(rest->data + 1, rest->data + 2, rest->n - 1);
		rest->n--;
	}
	return (struct str){ rest->data, rest->n };
}

void
train_options_parse(struct train_options *o, const struct train_table *t, const char *text)
{
	struct buf own = { 0 };
	struct str word, next;

	*o = (struct train_options){ .n = 0 };
	while ((word = train_options_next_word(&text)).n) {
		const struct train_row *row = NULL;
		size_t name;		/* bytes of the name in the word */

		word = take_flags(o, t, word, &own);
		name = word.n < 2 ? word.n : 2;
		if (name == 2 && !memcmp(word.s, "--", 2)) {
			name = strcspn(word.s, "=");
			row = find_name(t, word.s, name);
		} else if (name == 2 && word.s[0] == '-') {
			row = find_letter(t, word.s[1]);
		}
		if (row && row->takes && name == word.n &&
		    (next = train_options_next_word(&text)).n)
			train_options_add(o, row, word, 0, &next);
		else
			train_options_add(o, row, word, name < word.n ? name +
					  (word.s[name] == '=') : 0, NULL);
	}
	buf_release(&own);
}

void
train_options_release(struct train_options *o)
{
	free(o->option);
	texts_release(&o->texts);
}

static bool
is_replaced(const struct train_options *o, size_t i)
{
	const struct train_row *row = o->option[i].row;

	for (size_t k = i + 1; row && !row->many && k < o->n; k++)
		if (o->option[k].row == row)
			return true;
	return false;
}

void
train_options_merge(const struct train_table *t, const char *text, struct buf *out)
{
	struct train_options o;
	const size_t from = out->n;

	train_options_parse(&o, t, text);
	for (size_t i = 0; i < o.n; i++)
		if (!is_replaced(&o, i))
			buf_printf(out, "%s%s", out->n > from ? " " : "", o.option[i].text);
	train_options_release(&o);
}
