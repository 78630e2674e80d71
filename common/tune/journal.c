/* journal: see journal.h. */
#include "tune/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cli.h"
#include "base/hash.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/strmap.h"
#include "base/text-line.h"
#include "base/texts.h"
#include "exchange/file.h"

enum { MAX_JOURNAL = 1 << 30 };		/* bytes */

struct journal {
	char *path;
	const char *search;
	int64_t engine;
	int fd;				/* -1 of bytes in memory */
	struct lock *lock;
	struct strmap trials;		/* journal_key_of() them */
	const char **score;		/* [trials.n] */
	struct texts texts;
	size_t line, unknown;		/* lines so far, and those without an engine */
};

/* --- reading --- */

/* What remains of a line. */
struct rest { const char *p, *end; };

static bool
journal_eat(struct rest *r, const char *word)
{
	const size_t n = strlen(word);

	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n))
		return false;
	r->p += n;
	return true;
}

/* A text up to a quote, which is skipped. */
static bool
eat_text(struct rest *r)
{
	while (r->p < r->end && *r->p != '"') {
		if ((unsigned char)*r->p < ' ' || *r->p == 127)
			return false;
		r->p++;
	}
	return journal_eat(r, "\"");
}

static size_t
eat_digits(struct rest *r)
{
	const char *from = r->p;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return (size_t)(r->p - from);
}

/* A whole number from 0, without leading zeros. */
static bool
eat_whole(struct rest *r)
{
	const char *from = r->p;
	const size_t n = eat_digits(r);

	return n == 1 || (n && *from != '0');
}

/* null or a number of at most 1e300. */
static bool
eat_score(struct rest *r)
{
	const char *from = r->p;
	struct err e;
	double v;

	if (journal_eat(r, "null"))
		return true;
	journal_eat(r, "-");
	if (!eat_digits(r) || (journal_eat(r, ".") && !eat_digits(r)))
		return false;
	if (journal_eat(r, "e") || journal_eat(r, "E")) {
		if (!journal_eat(r, "+"))
			journal_eat(r, "-");
		if (!eat_digits(r))
			return false;
	}
	return !num_float(from, (size_t)(r->p - from), -1e300, 1e300, &v, &e);
}

/* Adds the place and a hint to the error of the present line. */
static int
bad_line(const struct journal *j, struct err *e, const char *cure)
{
	err_wrap(e, "%s: line %zu", j->path, j->line);
	err_hint(e, "%s", cure);
	return -1;
}

/* Checksums of heed 0.6 and earlier are hexadecimal. */
static bool
is_earlier(struct rest r)
{
	const char *sum;

	if (!journal_eat(&r, "{\"data\":\""))
		return false;
	sum = r.p;
	return eat_text(&r) && journal_eat(&r, ",") && strspn(sum, "0123456789abcdef-") ==
	       (size_t)(r.p - sum) - 2 && memchr(sum, '-', (size_t)(r.p - sum));
}

static int
other_search(const struct journal *j, struct rest line, struct err *e)
{
	err_set(e, EXIT_INPUT, is_earlier(line) ?
		"checksums of an earlier version, expected checksums of all fields" :
		"other data, another objective or other settings");
	return bad_line(j, e, "use another journal, or delete this one");
}

static int
take_score(struct journal *j, struct str key, struct str score, struct err *e)
{
	const size_t before = j->trials.n;
	const int i = strmap_add(&j->trials, key.s, key.n);

	if ((size_t)i == before) {
		j->score = xreallocarray(j->score, before + 1, sizeof(*j->score));
		j->score[i] = texts_add(&j->texts, score.s, score.n);
		return 0;
	}
	if (strlen(j->score[i]) == score.n && !memcmp(j->score[i], score.s, score.n))
		return 0;
	err_set(e, EXIT_INPUT, "score %.*s, but %s in an earlier line, expected one score of a "
		"trial", (int)score.n, score.s, j->score[i]);
	return bad_line(j, e, "delete one of the two lines");
}

/* The engine of a line, after its stage; such lines without one are of heed 0.6 and earlier. */
static int
take_engine(struct journal *j, struct rest *r, struct err *e)
{
	const char *digits = r->p + strlen(",\"engine\":");
	int64_t engine;

	if (!journal_eat(r, ",\"engine\":")) {
		j->unknown++;
		return 0;
	}
	if (!eat_whole(r) || num_int(digits, (size_t)(r->p - digits), 1, INT32_MAX, &engine, e) ||
	    !journal_eat(r, ",\"version\":\"") || !eat_text(r)) {
		err_set(e, EXIT_INPUT, "expected engine and version after stage");
		return bad_line(j, e, "delete the line; the trial is then repeated");
	}
	if (engine == j->engine)
		return 0;
	err_set(e, EXIT_INPUT, "trained with engine %lld, expected %lld", (long long)engine,
		(long long)j->engine);
	return bad_line(j, e, "use another journal, or resume this one with the version that "
			"wrote it");
}

static int
take_line(struct journal *j, struct rest r, struct err *e)
{
	const struct rest whole = r;
	struct str key, score;
	bool good;

	j->line++;
	if (!journal_eat(&r, j->search))
		return other_search(j, whole, e);
	key.s = r.p;
	good = journal_eat(&r, "\"trial\":\"") && eat_text(&r) &&
	       (!journal_eat(&r, ",\"files\":\"") || eat_text(&r)) &&
	       journal_eat(&r, ",\"seed\":") && eat_whole(&r) &&
	       journal_eat(&r, ",\"updates\":") && eat_whole(&r);
	key.n = (size_t)(r.p - key.s);
	good = good && journal_eat(&r, ",\"score\":");
	score.s = r.p;
	good = good && eat_score(&r);
	score.n = (size_t)(r.p - score.s);
	good = good && journal_eat(&r, ",\"stage\":\"") && eat_text(&r);
	if (good && take_engine(j, &r, e))
		return -1;
	good = good && journal_eat(&r, ",\"seconds\":");
	if (good)	/* of earlier versions, when the clock was set back */
		journal_eat(&r, "-");
	if (!good || !eat_digits(&r) || !journal_eat(&r, "}") || r.p != r.end) {
		err_set(e, EXIT_INPUT, "expected trial, seed, updates, score, stage and seconds of "
			"a trial");
		return bad_line(j, e, "delete the line; the trial is then repeated");
	}
	return take_score(j, key, score, e);
}

/* The truncated last line must begin like a line: no file of another kind loses anything. */
static int
check_truncated(struct journal *j, struct rest r, struct err *e)
{
	const size_t n = strlen(j->search), have = (size_t)(r.end - r.p);

	j->line++;
	return memcmp(r.p, j->search, have < n ? have : n) ? other_search(j, r, e) : 0;
}

static struct journal *
journal_new(const char *name, const char *search, int64_t engine)
{
	struct journal *j = xcalloc(1, sizeof(*j));

	j->path = xstrdup(name);
	j->search = search;
	j->engine = engine;
	j->fd = -1;
	return j;
}

static int
take_lines(struct journal *j, const char *text, size_t n, size_t *whole, struct err *e)
{
	struct text_line l = text_lines(text, n);

	*whole = n;
	while (text_line_next(&l)) {
		const struct rest line = { l.s, l.s + l.n };

		if (!l.ended)
			*whole = n - l.n;
		if (l.ended ? take_line(j, line, e) : check_truncated(j, line, e))
			return -1;
	}
	return 0;
}

struct journal *
journal_memory(const char *name, const char *text, size_t n, const char *search, int64_t engine,
	       size_t *whole, struct err *e)
{
	struct journal *j = journal_new(name, search, engine);

	if (!take_lines(j, text, n, whole, e))
		return j;
	journal_close(j);
	return NULL;
}

/* --- the file --- */

static int
open_file(struct journal *j, struct err *e)
{
	struct stat st;

	j->fd = open(j->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
	if (j->fd < 0)
		return err_system(e, "cannot write %s", j->path);
	if (fstat(j->fd, &st) || !S_ISREG(st.st_mode))
		return err_set(e, EXIT_SYSTEM, "cannot write %s: not a regular file", j->path);
	j->lock = lock_take(j->path, e);
	return j->lock ? 0 : -1;
}

/* Reads the file, and removes a truncated last line. */
static int
read_file(struct journal *j, struct err *e)
{
	size_t n, whole;
	char *text = file_text(j->path, MAX_JOURNAL, &n, e);
	int bad = text ? take_lines(j, text, n, &whole, e) : -1;

	free(text);
	if (!bad && whole < n && (ftruncate(j->fd, (off_t)whole) || fsync(j->fd)))
		bad = err_system(e, "cannot write %s", j->path);
	return bad;
}

struct journal *
journal_open(const char *path, const char *search, int64_t engine, struct err *e)
{
	struct journal *j = journal_new(path, search, engine);

	if (open_file(j, e) || read_file(j, e)) {
		journal_close(j);
		return NULL;
	}
	if (j->unknown)
		warn("%s: %zu of %zu lines have no engine number, as of heed 0.6; their trainings "
		     "are compared with those of engine %lld", path, j->unknown, j->line,
		     (long long)engine);
	return j;
}

void
journal_close(struct journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	lock_release(j->lock);
	strmap_release(&j->trials);
	texts_release(&j->texts);
	free(j->score);
	free(j->path);
	free(j);
}

/* What identifies a training in the journal. */
static void
journal_key_of(const struct trial *t, struct buf *out)
{
	buf_printf(out, "\"trial\":\"%s\"", t->options);
	if (t->files && *t->files)
		buf_printf(out, ",\"files\":\"%s\"", t->files);
	buf_printf(out, ",\"seed\":%lld,\"updates\":%lld", (long long)t->seed,
		   (long long)t->updates);
}

const char *
journal_score(const struct journal *j, const struct trial *t)
{
	struct buf key = { 0 };
	int i;

	journal_key_of(t, &key);
	i = j->trials.n ? strmap_find(&j->trials, key.data, key.n) : -1;
	buf_release(&key);
	return i < 0 ? NULL : j->score[i];
}

static int
journal_write_line(const struct journal *j, const struct buf *line, struct err *e)
{
	for (size_t done = 0; done < line->n;) {
		const ssize_t k = write(j->fd, line->data + done, line->n - done);

		if (k < 0 && errno != EINTR)
			return err_system(e, "cannot write %s", j->path);
		done += k > 0 ? (size_t)k : 0;
	}
	return fsync(j->fd) ? err_system(e, "cannot write %s", j->path) : 0;
}

int
journal_add(struct journal *j, const struct trial *t, struct err *e)
{
	struct buf line = { 0 };
	int bad;

	buf_add_str(&line, j->search);
	journal_key_of(t, &line);
	buf_printf(&line, ",\"score\":%s,\"stage\":\"%s\"", t->score, t->stage);
	if (t->engine)
		buf_printf(&line, ",\"engine\":%lld,\"version\":\"%s\"", (long long)t->engine,
			   cli_version());
	buf_printf(&line, ",\"seconds\":%lld}", (long long)t->seconds);
	bad = take_line(j, (struct rest){ line.data, line.data + line.n }, e);
	buf_add_char(&line, '\n');
	if (!bad)
		bad = journal_write_line(j, &line, e);
	buf_release(&line);
	return bad;
}

/* --- folders of trainings --- */

static int
make_folder(const char *path, struct err *e)
{
	return mkdir(path, 0777) && errno != EEXIST ? err_system(e, "cannot make %s", path) : 0;
}

char *
journal_folder(const struct journal *j, const struct trial *t, struct err *e)
{
	char *all = xasprintf("%s.trials", j->path);
	const bool files = t->files && *t->files;
	char *what = xasprintf("%s%s %lld%s%s", j->search, t->options, (long long)t->seed,
			       files ? " " : "", files ? t->files : "");
	const size_t n = strlen(what);
	char *path = xasprintf("%s/%u-%zu", all, cksum_end(cksum_add(0, what, n), n), n);

	if (make_folder(all, e) || make_folder(path, e)) {
		free(path);
		path = NULL;
	}
	free(what);
	free(all);
	return path;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

int
journal_clean(const struct journal *j, struct err *e)
{
	char *all = xasprintf("%s.trials", j->path);
	const bool bad = nftw(all, remove_one, 8, FTW_DEPTH | FTW_PHYS) && errno != ENOENT;

	if (bad)
		err_system(e, "cannot remove %s", all);
	free(all);
	return bad ? -1 : 0;
}
