/* joined: see joined.h. */
#include "text/joined.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool
joined_is_letter(char c)
{
	return strchr(LETTERS, c) || (unsigned char)c >= 0x80;
}

static bool
is_apart(const char *word)
{
	return word[0] && !word[1] && strchr(".,!?", word[0]);
}

static bool
is_joined(const char *word, bool is_last)
{
	const size_t n = strlen(word);

	if (n < 3 || !joined_is_letter(word[n - 2]))
		return false;
	return strchr(",!?", word[n - 1]) ||
	       (is_last && word[n - 1] == '.' && strchr(word, '.') == word + n - 1);
}

static void
keep_example(struct joined *j, const char *word)
{
	const size_t n = strlen(word);

	if (!j->example[0] && n < sizeof(j->example) && strspn(word, LETTERS) == n - 1)
		memcpy(j->example, word, n + 1);
}

void
joined_add(struct joined *j, const char *const *word, int n)
{
	const char *found = NULL;

	for (int i = 0; i < n; i++) {
		if (is_apart(word[i])) {
			j->apart++;
			return;
		}
		if (is_joined(word[i], i == n - 1))
			found = word[i];
	}
	if (!found)
		return;
	j->joined++;
	keep_example(j, found);
}

void
joined_add_line(struct joined *j, char *line)
{
	const char **word = xmalloc((strlen(line) / 2 + 1) * sizeof(*word));
	char *rest = NULL;
	int n = 0;

	for (char *w = strtok_r(line, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		word[n++] = w;
	joined_add(j, word, n);
	free(word);
}

void
joined_warn(const struct joined *j, int64_t n)
{
	if (j->joined > j->apart)
		warn("%lld of the first %lld sentences have punctuation attached to words%s%s%s, "
		     "expected tokens: run tokenize(1) first", (long long)j->joined, (long long)n,
		     *j->example ? ", such as '" : "", j->example, *j->example ? "'" : "");
}
