/* options: repeated options of a command in one text; see plan.h. */
#include <string.h>

#include "plan/plan.h"

/* Options that accumulate. */
static const char add_up[] = "--arch -a --attention --freeze";

/*
 * Cuts the next option off: a word that begins with "-" or with a byte 1, and the words after it.
 * Commands in $(...) are one word.
 */
static size_t
option_length(const char *s)
{
	size_t i = 1;
	int depth = 0;

	for (; s[i]; i++) {
		if (s[i] == '$' && s[i + 1] == '(')
			depth++;
		else if (s[i] == ')' && depth)
			depth--;
		if (!depth && s[i] == ' ' && (s[i + 1] == '-' || s[i + 1] == 1))
			break;
	}
	return i;
}

static size_t
option_name_length(const char *s)
{
	return *s == 1 ? option_length(s) : strcspn(s, " ");
}

static bool
same_option_name(const char *a, const char *b)
{
	const size_t n = option_name_length(a);

	return n == option_name_length(b) && !memcmp(a, b, n);
}

/* Whether the option at s is given again after its end. */
static bool
given_later(const char *s)
{
	const char *next = s + option_length(s);

	while (*next) {
		next++;
		if (same_option_name(s, next))
			return true;
		next += option_length(next);
	}
	return false;
}

const char *
options_kept(struct arena *a, const char *text, const char *without)
{
	struct buf b = { 0 };

	while (*text) {
		const size_t n = option_length(text);
		const char *name = text_copy(a, text, option_name_length(text));
		const bool skip = without ? !strcmp(name, without)
					  : !has_word(add_up, name) && given_later(text);
		const bool marked = *text == 1;

		if (!skip) {
			if (b.n)
				buf_add_char(&b, ' ');
			buf_add(&b, text + marked, n - marked);
		}
		text += n + (text[n] == ' ');
	}
	return text_take(a, &b);
}
