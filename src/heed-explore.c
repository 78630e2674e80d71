/*
 * heed-explore: a page in the browser to translate sentences without some attention heads.  See
 * heed-explore(1).
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/machine.h"
#include "explore/explorer.h"
#include "explore/server.h"

static struct opt_parts models;
static const char *dev, *language, *backend;
static int64_t port, number = 100, threads;
static int precision = -1;
static bool open_page, parse, quiet;

static const struct opt options[] = {
	OPT_GROUP("Model and input"),
	{ .kind = OPT_PARTS, .short_name = 'm', .long_name = "model", .arg = "file",
	  .help = "explore this model (required); with two: side by side", .to = &models },
	OPT_ROW_PART("head-measures", "file", &models, "show measures of this model's heads"),
	OPT_ROW_TEXT(0, "dev", "file", &dev, "offer the sentences of this stream"),
	{ .kind = OPT_INT, .short_name = 'n', .long_name = "number", .arg = "n", .to = &number,
	  .help = "sentences of --dev: the first n (100)", .min = 1, .max = 1000 },
	OPT_ROW_TEXT('l', "language", "code", &language,
		     "tokenize by the rules of this language; none: as typed"),
	OPT_ROW_FLAG(0, "parse", &parse, "add trees of the sources, by the built-in parser"),
	OPT_GROUP("Page"),
	OPT_ROW_INT("port", &port, 0, 65535, "port on 127.0.0.1; 0 (the default): any"),
	OPT_ROW_FLAG(0, "open", &open_page, "open the page with xdg-open"),
	OPT_GROUP("Computation"),
	OPT_THREADS(&threads),
	OPT_PRECISION(&precision, precision_names),
	OPT_BACKEND(&backend),
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	OPT_NEEDS("number", "--dev"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-explore", .synopsis = "-m model [-m model] [options]",
	.summary = "translate in the browser without some attention heads",
	.options = options,
	.example = "heed-explore -m model.tar --head-measures heads.heed --dev dev.heed",
};

/* The parser is that of --language, or of the first model's source. */
static int
open_parser(struct explorer *x, struct err *e)
{
	const char *known = x->model[0]->languages.side[0];
	const char *code = language && strcmp(language, "none") ? language : known;

	if (!*code)
		return err_usage(e, "--parse: the source language is unknown, expected -l");
	x->parser = source_tree_open(code, e);
	return x->parser ? 0 : err_wrap(e, "--parse");
}

/* All threads inherit the mask, so that only wait_for_end() gets these signals. */
static void
block_signals(sigset_t *ends)
{
	sigemptyset(ends);
	sigaddset(ends, SIGINT);
	sigaddset(ends, SIGTERM);
	sigaddset(ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, ends, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* With a browser of the desktop; its failure is not ours. */
static void
show_page(const char *address)
{
	const pid_t child = fork();

	if (child == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execlp("xdg-open", "xdg-open", address, (char *)NULL);
		_exit(127);
	}
	if (child < 0)
		warn("cannot start xdg-open");
}

static int
serve(struct explorer *x, const sigset_t *ends, struct err *e)
{
	struct buf page = { 0 };
	struct server *s = NULL;
	struct jobs *q;
	int caught;

	explore_page(x, dev, &page);
	q = jobs_start(x, threads ? (int)threads : machine_usable(), e);
	if (q)
		s = server_start(q, (int)port, &page, explore_policy, e);
	if (s) {
		printf("%s\n", server_address(s));
		fflush(stdout);
		if (!quiet)
			fprintf(stderr, "heed-explore: open this address in a browser on this "
				"machine; Ctrl-C ends it\n");
		if (open_page)
			show_page(server_address(s));
		sigwait(ends, &caught);
	}
	if (q)
		jobs_end(q);
	if (s)
		server_stop(s);
	if (q)
		jobs_free(q);
	buf_release(&page);
	return s ? 0 : -1;
}

int
main(int argc, char **argv)
{
	static struct explorer x;
	struct err e;
	char **file;
	sigset_t ends;
	const int n = cli_begin(&program, argc, argv, &file);

	if (n)
		die_usage("%d input files, expected none", n);
	if (server_check(&e))
		die(&e);
	block_signals(&ends);
	if (explorer_open(&x, &models, backend, precision, &e) ||
	    explorer_tokenize(&x, language, &e) || (parse && open_parser(&x, &e)) ||
	    (dev && explorer_read_dev(&x, dev, (int)number, &e)) || serve(&x, &ends, &e))
		die(&e);
	explorer_close(&x);
	return cli_end(EXIT_OK);
}
