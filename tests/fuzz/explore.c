/*
 * explore: any bytes are a request of the page of heed-explore with what request.h promises, or are
 * refused.
 */
#include <string.h>

#include "explore/request.h"
#include "fuzz.h"

static void
check_line(struct str s, size_t max)
{
	must(s.n <= max);
	for (size_t i = 0; i < s.n; i++)
		must((unsigned char)s.s[i] >= ' ' || s.s[i] == '\t');
}

static void
check_request(const struct explore_request *r, int models)
{
	check_line(r->view, REQUEST_VIEW);
	check_line(r->text, REQUEST_TEXT);
	check_line(r->target, REQUEST_TEXT);
	must(r->view.n && r->number >= 0);
	must((r->text.s != NULL) != (r->sentence >= 0));
	must(r->beam >= 0 && r->beam <= REQUEST_BEAM);
	must(r->penalty == -1 || (r->penalty >= 0 && r->penalty <= 100));
	for (int i = 0; i < EXPLORE_MODELS; i++) {
		must(!r->removed[i] == (i >= models));
		must(r->n_compare[i] <= REQUEST_TOKENS);
		for (size_t k = 0; k < r->n_compare[i]; k++)
			check_line(r->compare[i][k], REQUEST_TEXT);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	for (int models = 1; models <= EXPLORE_MODELS; models++) {
		struct explore_request r;
		struct err e;

		if (!explore_request_read(&r, (const char *)data, n, models, &e))
			check_request(&r, models);
		else
			must(*e.text);
		explore_request_release(&r);
	}
	return 0;
}
