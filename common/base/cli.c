/* cli: the table-driven command-line parser; see cli.h. */
#include "base/cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/near-name.h"
#include "base/num.h"
#include "base/option-needs.h"
#include "base/utf8.h"

bool cli_no_pg;

static const struct opt *options;	/* of the program */
static struct buf args;
static int before_dashes = -1;		/* -1: there was no "--" */

const char *
cli_args(void)
{
	return args.data ? args.data : "";
}

const char *
cli_version(void)
{
	return HEED_VERSION;
}

/* Appends s as UTF-8: a byte that is not, such as one of a file name, as \xNN. */
static void
add_utf8(struct buf *b, const char *s)
{
	size_t good;

	while (s[good = utf8_check(s, strlen(s))]) {
		buf_add(b, s, good);
		buf_printf(b, "\\x%02x", (unsigned)(unsigned char)s[good]);
		s += good + 1;
	}
	buf_add_str(b, s);
}

void
cli_add_arg(struct buf *b, const char *arg)
{
	const char *slash = strrchr(arg, '/'), *equals = strchr(arg, '=');

	buf_add(b, " ", b->n > 0);
	if (slash && equals && equals < slash && *arg == '-')
		buf_add(b, arg, (size_t)(equals - arg) + 1);
	add_utf8(b, slash ? slash + 1 : arg);
}

static void
remember_args(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		cli_add_arg(&args, argv[i]);
}

static int
cli_choose(const struct opt *o, const char *text, size_t n, int *value, struct err *e)
{
	struct near_name best = { .name = NULL };
	struct buf all = { 0 };
	const int chosen = name_index(o->choice, text, n);

	if (chosen >= 0) {
		*value = chosen;
		return 0;
	}
	for (int i = 0; o->choice[i]; i++) {
		near_name_add(&best, text, n, o->choice[i]);
		buf_printf(&all, "%s%s", i ? ", " : "", o->choice[i]);
	}
	err_set(e, EXIT_USAGE, "'%.*s', expected one of %s", (int)n, text, all.data);
	near_name_hint(&best, e);
	buf_release(&all);
	return err_unknown(e);
}

/* Strings are copied: they outlive the caller's buffer and may be parts of a longer string. */
static int
cli_set_value(const struct opt *o, void *value, const char *text, size_t n, struct err *e)
{
	struct opt_list *list = value;
	struct opt_parts *parts = value;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)value = true;
		return 0;
	case OPT_INT:
		return num_int(text, n, (int64_t)o->min, (int64_t)o->max, value, e);
	case OPT_FLOAT:
		return num_float(text, n, o->min, o->max, value, e);
	case OPT_STRING:
		*(const char **)value = xstrndup(text, n);
		return 0;
	case OPT_CHOICE:
		return cli_choose(o, text, n, value, e);
	case OPT_LIST:
		list->v = xreallocarray(list->v, list->n + 1, sizeof(*list->v));
		list->v[list->n++] = xstrndup(text, n);
		return 0;
	case OPT_PARTS:
		parts->part = xreallocarray(parts->part, parts->n + 1, sizeof(*parts->part));
		parts->part[parts->n++] = (struct opt_part){ .opt = o, .v = xstrndup(text, n) };
		return 0;
	case OPT_HEADING:
	case OPT_OLD:
	case OPT_NEED:
	case OPT_NOT:
	case OPT_END:
		break;
	}
	bug("option %s has no kind", o->long_name);
}

#define HELP_WIDTH 80			/* columns of --help */
#define HELP_INDENT 31			/* where the texts of options begin */

/* The length of the first word of text; a space inside of brackets does not end it. */
static size_t
help_word(const char *text)
{
	size_t n = 0;

	for (int depth = 0; text[n] && (depth > 0 || text[n] != ' '); n++) {
		depth += text[n] == '[' || text[n] == '(';
		depth -= text[n] == ']' || text[n] == ')';
	}
	return n;
}

/* Prints words, the first at this column, and starts a line there before HELP_WIDTH is exceeded. */
static void
print_wrapped(const char *text, size_t indent)
{
	for (size_t column = indent; *text;) {
		const size_t n = help_word(text);

		if (column > indent && column + 1 + n > HELP_WIDTH) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)n, text);
		column += n;
		text += n + (text[n] == ' ');
	}
	putchar('\n');
}

static void
show_option(const struct opt *o)
{
	struct buf left = { 0 }, help = { 0 };

	if (o->kind == OPT_HEADING) {
		printf("\n%s:\n", o->help);
		return;
	}
	if (opt_is_rule(o))
		return;
	if (o->short_name)
		buf_printf(&left, "  -%c, --%s", o->short_name, o->long_name);
	else
		buf_printf(&left, "      --%s", o->long_name);
	if (o->arg)
		buf_printf(&left, " %s", o->arg);
	buf_add_str(&help, o->help);
	if (o->kind == OPT_CHOICE)
		for (int i = 0; o->choice[i]; i++)
			buf_printf(&help, "%s%s", i ? ", " : ": ", o->choice[i]);
	if (left.n < HELP_INDENT - 1)
		printf("%-*s", HELP_INDENT, left.data);
	else
		printf("%s\n%*s", left.data, HELP_INDENT, "");
	print_wrapped(help.data, HELP_INDENT);
	buf_release(&left);
	buf_release(&help);
}

static const struct opt answers[] = {
	{ .kind = OPT_FLAG, .short_name = 'h', .long_name = "help",
	  .help = "print this help and exit" },
	{ .kind = OPT_FLAG, .long_name = "version", .help = "print the version and exit" },
	{ .kind = OPT_END }
};

static void
show_help(const struct program *p)
{
	printf("usage: %s ", p->name);
	print_wrapped(p->synopsis, strlen("usage:  ") + strlen(p->name));
	puts(p->summary);
	if (p->options->kind != OPT_HEADING)
		putchar('\n');
	for (const struct opt *o = p->options; o->kind != OPT_END; o++)
		show_option(o);
	for (const struct opt *o = answers; o->kind != OPT_END; o++)
		show_option(o);
	if (p->example)
		printf("\nexample:\n  %s\n", p->example);
	printf("\nsee %s(1)\n", p->name);
}

/* May be given several times: values accumulate, and a repeated flag has no further effect. */
static bool
opt_repeats(const struct opt *o)
{
	return o->kind == OPT_FLAG || o->kind == OPT_LIST || o->kind == OPT_PARTS;
}

static void
show_tsv(const struct opt *table)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++) {
		char letter[2] = { o->short_name, 0 };

		if (o->kind == OPT_HEADING || opt_is_rule(o))
			continue;
		printf("%s\t%s\t%s\t%s\t%s\t", letter, o->long_name, o->arg ? o->arg : "", o->help,
		       opt_repeats(o) ? "+" : "1");
		for (int i = 0; o->kind == OPT_CHOICE && o->choice[i]; i++)
			printf("%s%s", i ? " " : "", o->choice[i]);
		putchar('\t');
		needs_print(table, o);
		putchar('\n');
	}
}

static void
answer(const struct program *p, const char *name)
{
	if (!strcmp(name, "help")) {
		show_help(p);
	} else if (!strcmp(name, "version")) {
		printf("%s (heed) %s\n", p->name, cli_version());
	} else if (!strcmp(name, "options-tsv")) {
		show_tsv(p->options);
		show_tsv(answers);
	} else {
		return;
	}
	exit(cli_end(EXIT_OK));
}

const struct opt *
opt_find_long(const struct opt *table, const char *name, size_t n)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++)
		if (!opt_is_rule(o) && o->long_name && strlen(o->long_name) == n &&
		    !memcmp(o->long_name, name, n))
			return o;
	return NULL;
}

const struct opt *
opt_find_letter(const struct opt *table, char letter)
{
	for (const struct opt *o = table; o->kind != OPT_END; o++)
		if (!opt_is_rule(o) && o->short_name == letter)
			return o;
	return NULL;
}

/* A duplicate is an error, because silently taking one of two values could be the wrong one. */
static void
set_or_die(const struct program *p, const struct opt *o, const char *text)
{
	struct err e;

	if (needs_note(p, o, text) && !opt_repeats(o))
		die_usage("--%s is given twice, expected once", o->long_name);
	if (!cli_set_value(o, o->to, text, strlen(text), &e))
		return;
	err_wrap(&e, "--%s", o->long_name);
	if (!*e.hint)
		die_usage("%s", e.text);
	die(&e);
}

/* "--name", "--name=value" or "--name value"; returns 1 if the next argument is the value. */
static int
take_long(const struct program *p, char **argv)
{
	const char *name = argv[0] + 2, *value = strchr(name, '=');
	size_t n = value ? (size_t)(value - name) : strlen(name);
	const struct opt *o = opt_find_long(p->options, name, n);

	if (!o && !value)
		answer(p, name);
	if (!o && opt_find_long(answers, name, n))
		die_usage("--%.*s takes no value", (int)n, name);
	if (!o)
		unknown_long(p, answers, name, n);
	if (o->kind == OPT_FLAG) {
		if (value)
			die_usage("--%s takes no value", o->long_name);
		set_or_die(p, o, "");
		return 0;
	}
	if (!value && !argv[1])
		die_usage("--%s needs a value: %s", o->long_name, o->arg);
	set_or_die(p, o, value ? value + 1 : argv[1]);
	return value ? 0 : 1;
}

/* "-abc", "-x value" or "-xvalue"; returns 1 if the next argument is the value. */
static int
take_short(const struct program *p, char **argv)
{
	for (const char *c = argv[0] + 1; *c; c++) {
		const struct opt *o = opt_find_letter(p->options, *c);

		if (!o && *c == 'h')
			answer(p, "help");
		if (!o)
			unknown_letter(p, *c);
		if (o->kind == OPT_FLAG) {
			set_or_die(p, o, "");
			continue;
		}
		if (!c[1] && !argv[1])
			die_usage("-%c needs a value: %s", *c, o->arg);
		set_or_die(p, o, c[1] ? c + 1 : argv[1]);
		return c[1] ? 0 : 1;
	}
	return 0;
}

/*
 * If a program is started with a standard stream closed, the next file that it opens gets that
 * descriptor, and messages would be written into the file.  Each closed stream is replaced by one
 * whose reads or writes fail.
 */
static void
guard_standard_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(EXIT_SYSTEM);
}

/*
 * Some functions have frames of 25 KB, and those of other libraries are not known.  The limit is
 * also that of threads; with too small a stack, programs would end with a segmentation fault.
 */
static void
guard_stack(void)
{
	enum { MIN_STACK_KIB = 256 };
	struct rlimit limit;
	struct err e;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= (rlim_t)MIN_STACK_KIB * 1024)
		return;
	err_set(&e, EXIT_SYSTEM, "the stack is limited to %llu KiB, expected at least %d KiB",
		(unsigned long long)(limit.rlim_cur / 1024), MIN_STACK_KIB);
	err_hint(&e, "ulimit -s prints and sets this limit");
	die(&e);
}

void
cli_hint_limit(const void *limit, struct err *e)
{
	for (const struct opt *o = options; o && o->kind != OPT_END; o++)
		if (o->to == limit)
			err_hint(e, "--%s raises the limit", o->long_name);
}

int
cli_before_dashes(int n)
{
	return before_dashes < 0 ? n : before_dashes;
}

int
cli_begin(const struct program *p, int argc, char **argv, char ***operands)
{
	int n = 0;

	guard_standard_streams();
	options = p->options;
	err_program(p->name);
	guard_stack();
	former_check(p);
	needs_check_table(p);
	remember_args(argc, argv);
	for (int i = 1; i < argc; i++) {
		char *a = argv[i];

		if (before_dashes >= 0 || a[0] != '-' || !a[1])
			argv[1 + n++] = a;
		else if (!strcmp(a, "--"))
			before_dashes = n;
		else
			i += a[1] == '-' ? take_long(p, argv + i) : take_short(p, argv + i);
	}
	argv[1 + n] = NULL;
	needs_check(p);
	*operands = argv + 1;
	return n;
}

const char *
cli_begin_one(const struct program *p, int argc, char **argv)
{
	char **path;
	const int n = cli_begin(p, argc, argv, &path);

	if (n > 1)
		die_usage("%d files, expected at most one", n);
	return path[0];
}

/* An earlier string belongs to the state and is freed. */
static int
set_in(const struct opt *o, void *state, const char *text, size_t n, struct err *e)
{
	void *to = (char *)state + o->at;

	if (o->kind == OPT_STRING)
		free(*(char **)to);
	return cli_set_value(o, to, text, n, e);
}

/* Does the key of n bytes at s occur earlier in the settings? */
static bool
is_duplicate(const char *text, const char *s, size_t n)
{
	while (text < s) {
		if (!strncmp(text, s, n) && strchr("=,", text[n]))
			return true;
		text += strcspn(text, ",") + 1;
	}
	return false;
}

int
cli_settings(const struct opt *table, void *state, const char *text, struct err *e)
{
	const char *all = text;

	while (*text) {
		size_t n = strcspn(text, ","), key = strcspn(text, "=,");
		const struct opt *o = opt_find_long(table, text, key);
		const char *value = text + key + (key < n);

		if (!o)
			return unknown_setting(table, text, key, e);
		if (is_duplicate(all, text, key))
			return err_set(e, EXIT_USAGE, "setting %s is given twice, expected once",
				       o->long_name);
		if (key == n && o->kind != OPT_FLAG)
			return err_set(e, EXIT_USAGE, "setting %s needs a value: %s=%s",
				       o->long_name, o->long_name, o->arg ? o->arg : "value");
		if (o->kind == OPT_FLAG && key < n) {
			static const char *const words[] = {
				"off", "on", "0", "1", "no", "yes", NULL
			};
			const struct opt yes_no = { .kind = OPT_CHOICE, .choice = words };
			int v;

			if (cli_choose(&yes_no, value, n - key - 1, &v, e))
				return err_wrap(e, "%s", o->long_name);
			*(bool *)((char *)state + o->at) = v & 1;
		} else if (set_in(o, state, value, (size_t)(text + n - value), e)) {
			return err_wrap(e, "%s", o->long_name);
		}
		text += n + (text[n] == ',');
	}
	return 0;
}

int
cli_end(enum exit_status s)
{
	struct err e;
	int bad = ferror(stdout);

	if (fclose(stdout) || bad) {
		err_system(&e, "cannot write standard output");
		if (s == EXIT_OK || s == EXIT_NO)
			die(&e);
	}
	return (int)s;
}
