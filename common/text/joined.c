/* joined: see joined.h. */
#include "text/joined.h"

#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool
is_letter(char c)
{
	return strchr(LETTERS, c) || (unsigned char)c >= 0x80;
}

static bool
is_apart(const char *word)
{
	return word[0] && !word[1] && strchr(".,!?", word[0]);
}

static bool
is_joined(const char *word, bool last)
{
	const size_t n = strlen(word);

	if (n < 3 || !is_letter(word[n - 2]))
		return false;
	return strchr(",!?", word[n - 1]) ||
	       (last && word[n - 1] == '.' && strchr(word, '.') == word + n - 1);
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

bool
joined_mostly(const struct joined *j)
{
	return j->joined > j->apart;
}
