/* link-file: any bytes are refused, or are sorted links without errors against themselves. */
#include <stdint.h>
#include <stdlib.h>

#include "data/links.h"
#include "stream/input.h"

#include "fuzz.h"

enum { SOURCE = 12, TARGET = 9 };

static void
check_set(const struct link_set *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct link *a = &s->v[i], *before = i ? a - 1 : NULL;

		must(a->source >= 0 && a->source < SOURCE && a->target >= 0 && a->target < TARGET);
		must(!before || before->target < a->target ||
		     (before->target == a->target && before->source < a->source));
	}
}

/* The file as gold alignments and as those that are scored. */
static void
check_score(const struct link_score *s)
{
	must(s->links == s->possible && s->sure == s->gold_sure && s->words == s->right);
	must(s->sure <= s->links && s->words <= s->links);
	if (s->links)
		must(link_score_aer(s) == 0 && link_score_translation(s) == 1);
}

static void
check_file(struct link_file *f)
{
	struct link_score score = { .links = 0 };
	struct link_set set = { .n = 0 };
	struct err e;

	for (size_t i = 0; i < f->lines; i++) {
		if (link_file_read(f, (int64_t)i, SOURCE, TARGET, &set, &e)) {
			must(e.status == EXIT_INPUT);
			continue;
		}
		check_set(&set);
		link_score_add(&score, &set, &set);
	}
	check_score(&score);
	must(link_file_read(f, (int64_t)f->lines, SOURCE, TARGET, &set, &e) &&
	     link_file_check(f, (int64_t)f->lines + 1, &e));
	link_set_release(&set);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	for (int first = 0; first < 2; first++) {
		struct err e;
		struct link_file f = { .lines = 0 };
		struct input *in = input_memory("fuzz", data, n, INPUT_UTF8, &e);

		if (!in || link_file_from(&f, in, first, &e))
			must(e.status == EXIT_INPUT);
		else
			check_file(&f);
		link_file_release(&f);
	}
	return 0;
}
