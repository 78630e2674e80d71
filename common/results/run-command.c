/* run-command: see run-command.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/mem.h"
#include "model-file/model-facts.h"
#include "results/run-command.h"

static const char program[] = "nmt-train ";

/* Appends the next word of a command of a shell, without its quotes; returns what follows. */
static const char *
run_command_word(const char *s, struct buf *word)
{
	char quote = 0;

	for (s += strspn(s, " "); *s && (quote || *s != ' '); s++)
		if (quote ? *s == quote : *s == '\'' || *s == '"')
			quote = quote ? 0 : *s;
		else
			buf_add_char(word, *s);
	return s + strspn(s, " ");
}

/* The options as provenance has them: between blanks. */
static void
run_command_options(const char *options, struct buf *out)
{
	struct buf word = { 0 };

	while (*options) {
		buf_clear(&word);
		options = run_command_word(options, &word);
		cli_add_arg(out, word.data ? word.data : "");
	}
	buf_release(&word);
}

/* Is the text of whole words in the other one? */
static bool
run_command_has(const char *all, const struct buf *words)
{
	char *outer = xasprintf(" %s ", all);
	char *inner = xasprintf(" %s ", words->n ? words->data : "");
	const bool has = !words->n || strstr(outer, inner);

	free(outer);
	free(inner);
	return has;
}

/* The value of a line of rows that begins with the program, the last one; or NULL. */
static char *
find_command(const char *rows, const char *name)
{
	const char *value;
	char *last = NULL;
	size_t n;

	while (model_facts_row(&rows, name, &value, &n))
		if (!strncmp(value, program, sizeof(program) - 1)) {
			free(last);
			last = xstrndup(value, n);
		}
	return last;
}

int
run_command_check(const char *facts, const char *info, struct err *e)
{
	char *command = find_command(facts, "command"), *trained = find_command(info, "pg");
	struct buf options = { 0 };
	int r = 0;

	if (command && trained) {
		run_command_options(command + sizeof(program) - 1, &options);
		if (!run_command_has(trained, &options))
			r = err_set(e, EXIT_INPUT, "trained by '%s', expected the options of "
				    "command=, '%s'", trained, command);
	}
	buf_release(&options);
	free(command);
	free(trained);
	return r;
}
