/* parse-join: see parse-join.h. */
#include "trees/parse-join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near-name.h"
#include "trees/ptb.h"

const char *const join_invalid_names[] = { "error", "drop-tree", "skip", NULL };
const char *const join_align_names[] = { "words", "char", NULL };

/* Results of the steps below, or -1 on error; after INVALID, e says what is invalid. */
enum { NO, YES, INVALID };

int
join_open(struct join *j, const char *path, unsigned kind, bool heads, struct err *e)
{
	j->field = *side_fields_of(j->side);
	j->kind = kind;
	j->parses = parses_open(path, heads ? NULL : j->side, e);
	if (!j->parses)
		return -1;
	if (!(parses_has(j->parses) & kind))
		return err_set(e, EXIT_INPUT, "%s has no %s", parses_name(j->parses),
			       kind == PARSES_DEPS ? "dependencies, expected CoNLL-U"
						   : "bracketed trees");
	parses_tolerate(j->parses);
	return 0;
}

void
join_release(struct join *j)
{
	parses_close(j->parses);
	dep_sentence_release(&j->text);
	tree_release(&j->tree);
	retokenize_release(&j->cut);
	free(j->shifted);
	texts_release(&j->shifted_texts);
	free(j->word);
	buf_release(&j->plain);
	texts_release(&j->plains);
}

/* Reads the next parse, unless one is held.  1, 0 at the end, -1 on error. */
static int
join_fetch(struct join *j, struct err *e)
{
	const int more = j->held ? 1 : parses_next(j->parses, e);

	j->held = more > 0;
	return more;
}

static int
n_parsed(const struct join *j)
{
	int n;

	parses_words(j->parses, &n);
	return n;
}

/* A sentence without words takes a parse without words, if that is the next one. */
static int
pass_empty(struct join *j, struct err *e)
{
	const int more = join_fetch(j, e);

	if (more < 0)
		return -1;
	j->held = more && n_parsed(j) > 0;
	return NO;
}

/*
 * Escapes of treebanks in the text are words of the tree as they are; or the tree was parsed from
 * the text and written by tree_write(), and reading it replaced those of brackets (BRACKETS); or
 * the file of trees has the same escapes, and reading it replaced all (UNESCAPED).
 */
enum form { AS_IT_IS, BRACKETS, UNESCAPED, FORMS };

/* The words of the text in a form. */
static const char *const *
text_words(struct join *j, enum form form)
{
	texts_clear(&j->plains);
	j->word = mem_grow(j->word, &j->word_room, (size_t)j->text.n, sizeof(*j->word));
	for (int i = 0; i < j->text.n; i++) {
		j->word[i] = j->text.word[i].form;
		if (form == AS_IT_IS)
			continue;
		if (form == BRACKETS)
			ptb_unescape_brackets(j->word[i], strlen(j->word[i]), &j->plain);
		else
			ptb_unescape(j->word[i], strlen(j->word[i]), &j->plain);
		j->word[i] = texts_add(&j->plains, j->plain.data, j->plain.n);
	}
	return j->word;
}

/*
 * The error for word a of the text and word b of the parse, which differ.  The number of words
 * stands for the end of the text or the parse.
 */
static int
join_mismatch(struct join *j, const char *const *parsed, int n, int a, int b, struct err *e)
{
	const char *where = parses_where_word(j->parses, b);

	if (a == j->text.n)
		err_set(e, EXIT_INPUT, "%s: word %d is '%.60s', but %s has only %d words", where,
			b + 1, parsed[b], j->side, a);
	else if (b == n)
		err_set(e, EXIT_INPUT, "%s: %d words, but word %d of %s is '%.60s'", where, n,
			a + 1, j->side, j->text.word[a].form);
	else
		err_set(e, EXIT_INPUT, "%s: word %d is '%.60s', but word %d of %s is '%.60s'",
			where, b + 1, parsed[b], a + 1, j->side, j->text.word[a].form);
	if (a < j->text.n && b < n)
		hint_look_alike(parsed[b], j->text.word[a].form, e);
	return INVALID;
}

/* The error for different words a and b; its hint depends on the characters. */
static int
other_words(struct join *j, const char *const *parsed, int n, const int at[2], struct err *e)
{
	const char *const *surface = parses_surfaces(j->parses, &n);
	int bad[2];

	join_mismatch(j, parsed, n, at[0], at[1], e);
	if (!retokenize_align(&j->cut, j->word, j->text.n, surface ? surface : parsed, n, bad))
		return INVALID;
	err_hint(e, "the characters are the same: --align char ignores spaces");
	j->respaced++;
	return INVALID;
}

/* The number of words of the multi-word token that begins here and that the word is, or 0. */
static int
words_of_token(const char *word, const char *const *token, int n)
{
	int k = 1;

	if (!token || !token[0] || strcmp(word, token[0]))
		return 0;
	while (k < n && token[k] && !*token[k])
		k++;
	return k;
}

/*
 * The number of words of the parse that the first of the n_text words is: 1, those of a multi-word
 * token, or 0.  A token may be equal to its first word, as is Czech aby, whose words are aby and
 * by: it is the token, unless the next words of the text are the token's other words.
 */
static int
words_in(const char *const *word, int n_text, const char *const *parsed, const char *const *token,
	 int n)
{
	const int k = words_of_token(word[0], token, n);
	int same = 0;

	while (same < k && same < n_text && !strcmp(word[same], parsed[same]))
		same++;
	if (k)
		return same == k ? 1 : k;
	return !strcmp(word[0], parsed[0]);
}

/*
 * Aligns words with equal words, or with multi-word tokens of the same text.  Returns false if a
 * word differs; at[] are then the numbers of words that are equal, in text and parse.
 */
static bool
match_words(struct join *j, const char *const *parsed, int n, int at[2])
{
	const char *const *token = parses_tokens(j->parses);
	int i = 0, k = 0, words = 1;

	retokenize_begin(&j->cut, j->text.n, n);
	while (words && i < j->text.n && k < n) {
		words = words_in(j->word + i, j->text.n - i, parsed + k, token ? token + k : NULL,
				 n - k);
		j->cut.place[i] = j->cut.in_parse[i] = k;
		for (int w = 0; w < words; w++)
			j->cut.in_text[k++] = i;
		i += words > 0;
	}
	at[0] = i;
	at[1] = k;
	return i == j->text.n && k == n;
}

static bool
aligns(struct join *j, const char *const *parsed, int n, int bad[2])
{
	return j->by_characters
		? retokenize_align(&j->cut, j->word, j->text.n, parsed, n, bad)
		: match_words(j, parsed, n, bad);
}

/*
 * The words of the text may be those of the treebank, with its escapes.  A file of heads has no
 * words: its heads are those of the words of the text.
 */
static int
join_check_words(struct join *j, struct err *e)
{
	const char *const *text = text_words(j, AS_IT_IS);
	const enum form forms = j->kind == PARSES_TREES ? FORMS : BRACKETS;
	int n, bad[2], other[2];
	const char *const *parsed = j->by_characters ? parses_surfaces(j->parses, &n)
						     : parses_words(j->parses, &n);

	if (!parsed && n != j->text.n) {
		err_set(e, EXIT_INPUT, "%s: heads of %d words, but %s has %d",
			parses_where(j->parses), n, j->side, j->text.n);
		return INVALID;
	}
	if (!parsed)
		parsed = text;
	if (aligns(j, parsed, n, bad))
		return YES;
	for (enum form form = BRACKETS; form < forms; form++)
		if (text_words(j, form) && aligns(j, parsed, n, other))
			return YES;
	text_words(j, AS_IT_IS);
	return j->by_characters ? join_mismatch(j, parsed, n, bad[0], bad[1], e)
				: other_words(j, parsed, n, bad, e);
}

static int
take_parse(struct join *j, struct err *e)
{
	const struct dep_sentence *deps = parses_deps(j->parses);
	const struct tree *tree = parses_tree(j->parses);
	int found;

	if (j->kind == PARSES_TREES && !tree)
		return NO;
	found = join_check_words(j, e);
	if (found != YES)
		return found;
	if (parses_fault(j->parses)) {
		err_set(e, EXIT_INPUT, "%s", parses_fault(j->parses));
		return INVALID;
	}
	if (j->kind == PARSES_TREES)
		retokenize_tree(&j->cut, tree, &j->text, &j->tree);
	else if (deps) {
		retokenize_heads(&j->cut, deps, &j->text);
		retokenize_tags(&j->cut, deps, &j->text);
	}
	return j->kind == PARSES_TREES || deps ? YES : NO;
}

static int
join_find(struct join *j, const struct record *rec, struct err *e)
{
	int more;

	if (record_words(rec, j->side, &j->text, e))
		return -1;
	if (!j->text.n)
		return pass_empty(j, e);
	more = join_fetch(j, e);
	if (more < 0)
		return -1;
	if (!more)
		return err_set(e, EXIT_INPUT, "%s has no more parses, expected one for '%.60s ...'",
			       parses_name(j->parses), j->text.word[0].form);
	j->held = false;
	return take_parse(j, e);
}

/* Does the sentence have the same characters as the parse before, apart from spaces? */
static bool
fits_shifted(struct join *j)
{
	int bad[2];

	return j->n_shifted && retokenize_align(&j->cut, text_words(j, AS_IT_IS), j->text.n,
						j->shifted, j->n_shifted, bad);
}

/* Parses that do not fit their sentences, but the next ones. */
static void
note_shift(struct join *j, bool invalid)
{
	const char *const *parsed;
	int n;

	j->late += invalid && fits_shifted(j);
	j->n_shifted = 0;
	texts_clear(&j->shifted_texts);
	if (!invalid || !(parsed = parses_surfaces(j->parses, &n)))
		return;
	j->shifted = mem_grow(j->shifted, &j->shifted_room, (size_t)n, sizeof(*j->shifted));
	for (int i = 0; i < n; i++)
		j->shifted[i] = texts_add(&j->shifted_texts, parsed[i], strlen(parsed[i]));
	j->n_shifted = n;
}

int
join_next(struct join *j, const struct record *rec, struct err *e)
{
	const int found = join_find(j, rec, e);

	if (found < 0)
		return -1;
	j->all++;
	note_shift(j, found == INVALID);
	if (found == INVALID && j->invalid == JOIN_ERROR)
		return -1;
	j->wrong += found == INVALID;
	j->without += found == NO && j->text.n;
	if (found == YES)
		return JOIN_FOUND;
	return found == INVALID && j->invalid == JOIN_SKIP ? JOIN_LEFT_OUT : JOIN_NONE;
}

int
join_end(void *join, struct err *e)
{
	struct join *j = join;
	const int more = join_fetch(j, e);

	if (more < 0)
		return -1;
	if (!more)
		return 0;
	return err_set(e, EXIT_INPUT, "%s: more parses than sentences, expected %" PRId64,
		       parses_where(j->parses), j->all);
}

/* What stands for a missing parse. */
static const char *
stand_in(const struct join *j)
{
	return j->kind == PARSES_DEPS ? "words with HEAD _" : "(())";
}

void
join_failed(void *join, struct reader *reader, struct err *e)
{
	struct join *j = join;
	struct record *rec;
	struct err other;

	if (j->invalid != JOIN_ERROR && !j->quiet)
		join_report(j, err_program_name());
	if (j->invalid != JOIN_ERROR || !j->n_shifted || e->hint[0] ||
	    reader_next(reader, &rec, &other) <= 0 || record_words(rec, j->side, &j->text, &other))
		return;
	if (fits_shifted(j))
		err_hint(e, "the next sentence has the words of this parse: add a parse before it, "
			 "%s for a sentence without a tree", stand_in(j));
}

void
join_report(const struct join *j, const char *program)
{
	const bool removed = j->invalid == JOIN_SKIP;

	if (j->without || j->wrong)
		fprintf(stderr, "%s: %" PRId64 " sentences: %" PRId64 " without a tree", program,
			j->all, j->without + (removed ? 0 : j->wrong));
	if (j->wrong)
		fprintf(stderr, ", %" PRId64 "%s", j->wrong,
			removed ? " invalid, removed" : " of them with an invalid parse");
	if (j->without || j->wrong)
		fputc('\n', stderr);
	if (j->late)
		fprintf(stderr, "%s: hint: %" PRId64 " invalid parses have the words of the next "
			"sentence, so a parse is missing before them: add %s\n", program, j->late,
			stand_in(j));
	if (j->respaced)
		fprintf(stderr, "%s: hint: %" PRId64 " invalid parses have the same characters: "
			"--align char ignores spaces\n", program, j->respaced);
}

/* --- filter --- */

void
join_begin(struct join *j, const struct join_options *o, unsigned kind)
{
	struct err e;

	if (!o->parses)
		die_usage("no parses, expected -p file");
	if (o->heads && o->align == ALIGN_CHAR)
		die_usage("--heads has no words to align, expected --align words");
	j->side = stream_sides[o->side];
	j->invalid = (enum join_invalid)o->invalid;
	j->by_characters = o->align == ALIGN_CHAR;
	j->quiet = o->quiet;
	if (join_open(j, o->parses, kind, o->heads, &e))
		die(&e);
}

void
join_filter(struct join *j, const struct join_options *o, const struct field *adds,
	    const char *const *drops, filter_work *work, const char *input)
{
	const struct field needs[] = { { j->field.text, "str", 0 }, { 0 } };
	const struct filter f = {
		.kind = "sentence", .needs = needs, .adds = adds, .drops = drops, .work = work,
		.end = join_end, .failed = join_failed, .arg = j, .input = input,
		.output = o->output, .force = o->force
	};

	filter_run(&f);
	if (!o->quiet)
		join_report(j, err_program_name());
	join_release(j);
}
