/* bundle-fault: what is wrong with a bundle, for messages; see bundle-parts.h. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model-file/bundle-parts.h"

enum { MAX_WRITER = 80 };	/* length of a program's name and version in a message */

/* "nmt-train 0.6.0": the last program in the map's provenance; n is 0 if there is none. */
static struct str
written_by(const struct bundle_in *b)
{
	struct str pg = { "", 0 };
	size_t at, end;

	if (!b->map || record_str(b->map, "pg", &pg))
		return (struct str){ "", 0 };
	for (end = pg.n; end && pg.s[end - 1] == '\n'; end--)
		;
	for (at = end; at && pg.s[at - 1] != '\n'; at--)
		;
	pg = (struct str){ pg.s + at, end - at };
	for (size_t i = 0, blanks = 0; i < pg.n; i++)
		if (pg.s[i] == ' ' && ++blanks == 2)
			pg.n = i;
	return pg;
}

/* Is it short and printable ASCII, so that it can be shown on a terminal? */
static bool
bundle_fault_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] < ' ' || s.s[i] > '~')
			return false;
	return s.n && s.n <= MAX_WRITER;
}

static void
hint_versions(const struct bundle_in *b, struct err *e)
{
	const struct str by = written_by(b);

	if (bundle_fault_is_plain(by))
		err_hint(e, "written by %.*s; this is version %s", (int)by.n, by.s, cli_version());
	else
		err_hint(e, "this is version %s", cli_version());
}

void
bundle_in_name_fault(const struct bundle_in *b, struct err *e)
{
	static const char *const what[] = {
		[BUNDLE_DAMAGED] = ": model file is damaged",
		[BUNDLE_TRUNCATED] = ": model file is truncated",
		[BUNDLE_NEWER] = ": model file is of a newer version",
		[BUNDLE_OLDER] = ": model file is of an older version", [BUNDLE_CONTENT] = "",
	};

	if (e->status == EXIT_INPUT)
		err_wrap(e, "%s%s", b->name, what[b->fault]);
	else
		err_wrap(e, "%s", b->name);
	if (b->fault == BUNDLE_NEWER || b->fault == BUNDLE_OLDER)
		hint_versions(b, e);
}

/* Does `end` have the checksum and the number of all members before it, whatever they are? */
static bool
end_agrees(struct archive_in *archive)
{
	struct buf expected = { 0 };
	struct err unused;
	const char *name;
	int64_t size;
	uint32_t crc = 0;
	bool agrees = false;
	size_t n, members = 0;
	char *p;

	while (archive && archive_in_next(archive, &name, &size, &unused) > 0) {
		const bool end = !strcmp(name, MEMBER_END);

		p = archive_in_all(archive, size < 0 ? SIZE_MAX : (size_t)size, &n, &unused);
		if (!p)
			break;
		if (end) {
			member_end(crc, members, &expected);
			agrees = n == expected.n && !memcmp(p, expected.data, n);
		}
		crc = crc32_add(crc, p, n);
		members++;
		free(p);
		if (end)
			break;
	}
	buf_release(&expected);
	return agrees;
}

void
bundle_in_doubt_version(struct bundle_in *b, struct err *e)
{
	struct archive_in *in;
	struct err unused;

	if (b->fault != BUNDLE_NEWER && b->fault != BUNDLE_OLDER)
		return;
	in = archive_in_memory(b->name, b->bytes, b->size, &unused);
	if (!end_agrees(in)) {
		b->fault = BUNDLE_DAMAGED;
		err_set(e, EXIT_INPUT, "the contents do not have the checksum in end");
	}
	archive_in_close(in);
}
