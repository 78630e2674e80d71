/* err: error messages; see err.h. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"

static const char *program = "heed";
static bool silent;

void
err_program(const char *name)
{
	program = name;
}

const char *
err_program_name(void)
{
	return program;
}

void
err_silence(bool yes)
{
	silent = yes;
}

int
err_set(struct err *e, enum exit_status s, const char *fmt, ...)
{
	va_list ap;

	e->status = s;
	e->unknown = false;
	e->hint[0] = 0;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	return -1;
}

int
err_wrap(struct err *e, const char *fmt, ...)
{
	char front[sizeof(e->text)], all[2 * sizeof(e->text) + 2];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(front, sizeof(front), fmt, ap);
	va_end(ap);
	snprintf(all, sizeof(all), "%s: %s", front, e->text);
	memcpy(e->text, all, sizeof(e->text) - 1);
	e->text[sizeof(e->text) - 1] = 0;
	return -1;
}

int
err_system(struct err *e, const char *fmt, ...)
{
	int number = errno;
	size_t n;
	va_list ap;

	e->status = EXIT_SYSTEM;
	e->unknown = false;
	e->hint[0] = 0;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	n = strlen(e->text);
	snprintf(e->text + n, sizeof(e->text) - n, ": %s", strerror(number));
	return -1;
}

int
err_unknown(struct err *e)
{
	e->unknown = true;
	return -1;
}

void
err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	va_end(ap);
}

static void
err_put(const char *kind, const char *text)
{
	if (silent)
		return;
	fprintf(stderr, "%s: %s", program, kind);
	escape_put(stderr, text, "");
	fputc('\n', stderr);
}

void
warn(const char *fmt, ...)
{
	struct buf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	err_put("warning: ", text.data);
	buf_release(&text);
}

void
err_print(const struct err *e)
{
	err_put("", e->text);
	if (e->hint[0])
		err_put("hint: ", e->hint);
}

void
die(const struct err *e)
{
	err_print(e);
	exit((int)e->status);
}

static void
set_usage(struct err *e, const char *fmt, va_list ap)
{
	e->status = EXIT_USAGE;
	e->unknown = false;
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	err_hint(e, "%s --help lists the options", program);
}

int
err_usage(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_usage(e, fmt, ap);
	va_end(ap);
	return -1;
}

void
die_usage(const char *fmt, ...)
{
	struct err e;
	va_list ap;

	va_start(ap, fmt);
	set_usage(&e, fmt, ap);
	va_end(ap);
	die(&e);
}

void
die_memory(size_t n)
{
	fprintf(stderr, "%s: out of memory: cannot allocate %zu bytes\n", program, n);
	exit(EXIT_SYSTEM);
}

void
bug(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: this is a bug: ", program);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
