/* attention-help: the text of --attention help. */
#include <stdio.h>
#include <unistd.h>

#include "checks.h"
#include "base/buf.h"
#include "base/mem.h"

/* wordy: choices too long for a line. */
enum { LONG = 300000 };
static char long_word[LONG + 1];
static const char *const long_choices[] = { "short", long_word, long_word, "last", NULL };
static const struct opt wordy_options[] = {
	{ .kind = OPT_CHOICE, .long_name = "choice", .choice = long_choices, .help = "of some" },
	{ .kind = OPT_END }
};
static const struct attention_variant wordy = {
	.name = "wordy", .paper = "nobody", .version = 1, .state_size = sizeof(int),
	.options = wordy_options
};
const struct attention_variant *const attention_extra[] = { &wordy, NULL };

/* Captures the output of attention_help() in text. */
static size_t
capture_help(char *text, size_t room)
{
	FILE *f = tmpfile();
	const int old = dup(1);
	size_t n;

	assert_non_null(f);
	fflush(stdout);
	assert_true(old >= 0 && dup2(fileno(f), 1) == 1);
	attention_help();
	fflush(stdout);
	assert_true(dup2(old, 1) == 1);
	close(old);
	rewind(f);
	n = fread(text, 1, room - 1, f);
	text[n] = 0;
	fclose(f);
	return n;
}

static void
help_shows_choices_of_any_length(void **state)
{
	char *text = xmalloc(1 << 20), *at;

	(void)state;
	memset(long_word, 'w', LONG);
	capture_help(text, 1 << 20);
	at = strstr(text, "\n  choice=short|w");
	assert_non_null(at);
	at += strlen("\n  choice=short|");
	assert_int_equal(strspn(at, "w"), LONG);
	assert_int_equal(strspn(at + LONG + 1, "w"), LONG);
	assert_memory_equal(at + 2 * LONG + 1, "|last\n", 6);
	at += strcspn(at, "\n") + 1;
	assert_memory_equal(at + strspn(at, " "), "of some (short)\n", 16);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_shows_choices_of_any_length),
	};

	return cmocka_run_group_tests_name("help of attention variants", tests, NULL, NULL);
}
