/* relation-list: any text is a list or is refused; relations and subtypes are found by name. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/relation-list.h"
#include "base/mem.h"

#include "fuzz.h"

static void
find_all(const struct relation_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->entry[i].n; k++) {
			char *subtype = xasprintf("%s:x", l->entry[i].relation[k]);

			must(relation_list_find(l, l->entry[i].relation[k]) == (int)i);
			must(relation_list_find(l, subtype) == (int)i);
			free(subtype);
		}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *text = xstrndup((const char *)data, n);
	struct relation_list l;
	struct err e;

	if (relation_list_parse(&l, text, &e))
		must(e.status == EXIT_USAGE);
	else
		find_all(&l);
	relation_list_release(&l);
	free(text);
	return 0;
}
