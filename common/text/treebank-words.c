/* treebank-words: see treebank-words.h. */
#include "text/treebank-words.h"

#include <string.h>
#include <strings.h>

#include "text/treebank-rules.h"

static const struct treebank_rules *const rules_of[] = { &treebank_en, &treebank_de };

const struct treebank_rules *
treebank_rules_of(const char *lang)
{
	for (size_t i = 0; i < sizeof(rules_of) / sizeof(*rules_of); i++)
		if (!strcmp(rules_of[i]->lang, lang))
			return rules_of[i];
	return NULL;
}

void
treebank_add(struct treebank_work *w, const char *s, size_t n, int i)
{
	struct treebank_words *t = w->to;
	char *form = arena_get(w->mem, n + 1);

	memcpy(form, s, n);
	form[n] = 0;
	t->form[t->n] = form;
	t->in_text[t->n++] = i;
}

/* The first k words from the current one, without spaces. */
static const char *
joined(const struct treebank_work *w, int k)
{
	size_t n = 1;
	char *s, *end;

	for (int i = 0; i < k; i++)
		n += strlen(w->word[w->i + i]);
	s = end = arena_get(w->mem, n);
	*end = 0;
	for (int i = 0; i < k; i++)
		end = stpcpy(end, w->word[w->i + i]);
	return s;
}

/* Adds the words that begin in the current word, and returns the number of words used. */
static int
treebank_add_words(struct treebank_work *w, const struct treebank_rules *rules)
{
	struct treebank_words *t = w->to;
	const int first = t->n;
	int k = rules->move ? rules->move(w) : 0;

	if (k) {
		t->same = false;
		t->in_parse[w->i] = first;
		for (int i = 1; i < k; i++)
			t->in_parse[w->i + i] = first + 1;
		return k;
	}
	k = 1;
	for (int i = 0; k == 1 && rules->join[i]; i++)
		k = rules->join[i](w);
	rules->split(w, joined(w, k));
	for (int i = 0; i < k; i++)
		t->in_parse[w->i + i] = first;
	t->same = t->same && k == 1 && t->n == first + 1;
	return k;
}

void
treebank_words(struct treebank_words *t, const struct treebank_rules *rules,
	       const char *const *word, int n, struct arena *mem)
{
	struct treebank_work w = { .to = t, .word = word, .n = n, .mem = mem };
	size_t most = 0;

	/* A word of the treebank has a byte of the text, or is one of two in a German token. */
	for (int i = 0; i < n; i++)
		most += strlen(word[i]) + 1;
	*t = (struct treebank_words){
		.form = ARENA_ARRAY(mem, const char *, most),
		.in_text = ARENA_ARRAY(mem, int, most),
		.in_parse = ARENA_ARRAY(mem, int, n), .n_text = n, .same = true
	};
	while (w.i < n)
		w.i += treebank_add_words(&w, rules);
}

/* --- for the rules of the languages --- */

const char *
treebank_word(const struct treebank_work *w, int k)
{
	return w->i + k < w->n ? w->word[w->i + k] : "";
}

bool
treebank_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool
treebank_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

bool
treebank_is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

bool
treebank_is_wordy(const char *s)
{
	return treebank_is_letter(*s) || treebank_is_digit(*s);
}

bool
treebank_is_one_of(const char *s, size_t n, const char *list)
{
	for (size_t k; *list; list += k + (list[k] == ' ')) {
		k = strcspn(list, " ");
		if (k == n && !strncasecmp(s, list, n))
			return true;
	}
	return false;
}

/* Is s one of the marks? */
static bool
is_mark(const char *s, const char *marks)
{
	return s[0] && !s[1] && strchr(marks, s[0]);
}

int
treebank_join_ends(const struct treebank_work *w)
{
	int k = 1;

	if (is_mark(treebank_word(w, 0), ".!?"))
		while (is_mark(treebank_word(w, k), "!?"))
			k++;
	return k;
}

int
treebank_join_repeated(const struct treebank_work *w)
{
	const char *s = treebank_word(w, 0);
	int k = 1;

	if (is_mark(s, "=*><+-_~#'`^") || !strcmp(s, "’") || !strcmp(s, "‘"))
		while (!strcmp(treebank_word(w, k), s))
			k++;
	return k;
}

int
treebank_join_emoticon(const struct treebank_work *w)
{
	const int nose = is_mark(treebank_word(w, 1), "-");

	if (!is_mark(treebank_word(w, 0), ":;=") || !is_mark(treebank_word(w, 1 + nose), ")DP"))
		return 1;
	for (int i = 0; i < w->i; i++)
		if (is_mark(w->word[i], "("))	/* the bracket closes this one */
			return 1;
	return 2 + nose;
}

/* The number of words that continue an address after k words: marks and what follows them. */
static int
address_part(const struct treebank_work *w, int k)
{
	int marks = 0;

	while (is_mark(treebank_word(w, k + marks), "/_#?=&%~"))
		marks++;
	if (marks && treebank_is_wordy(treebank_word(w, k + marks)))
		return marks + 1;
	return marks && is_mark(treebank_word(w, k), "/");
}

int
treebank_join_address(const struct treebank_work *w)
{
	const char *s = treebank_word(w, 0);
	int k = 1, more;

	if (treebank_is_one_of(s, strlen(s), "http https ftp") &&
	    is_mark(treebank_word(w, 1), ":") && is_mark(treebank_word(w, 2), "/") &&
	    is_mark(treebank_word(w, 3), "/"))
		k = 2;
	else if (strncasecmp(s, "www.", 4))
		return 1;
	while ((more = address_part(w, k)) > 0)
		k += more;
	return k;
}

/* Is s a part of an acronym with &, such as AT&T: at most two letters, not a word? */
static bool
is_initial(const char *s)
{
	return s[0] >= 'A' && s[0] <= 'Z' && (!s[1] || (s[1] >= 'A' && s[1] <= 'Z' && !s[2]));
}

/* Does the mark, with a before it and b after it, join them? */
static bool
links(const char *a, const char *mark, const char *b)
{
	if (is_mark(mark, ":/"))
		return treebank_is_number(a) && treebank_is_digit(*b);
	if (is_mark(mark, "_"))
		return treebank_is_wordy(a) && treebank_is_wordy(b);
	if (is_mark(mark, "&"))
		return is_initial(a) && is_initial(b);
	return is_mark(mark, "@") && treebank_is_wordy(a) && treebank_is_letter(*b) &&
	       strchr(b, '.');
}

int
treebank_join_linked(const struct treebank_work *w)
{
	int k = 1;

	while (links(treebank_word(w, k - 1), treebank_word(w, k), treebank_word(w, k + 1)))
		k += 2;
	return k;
}
