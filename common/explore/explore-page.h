/* explore-page: the HTML page of heed-explore. */
#ifndef EXPLORE_PAGE_H
#define EXPLORE_PAGE_H

#include "explore/explorer.h"

/* Appends the page.  dev: the file of --dev in commands that it shows, or NULL. */
void explore_page(struct explorer *x, const char *dev, const char *precision, struct buf *out);
/* The Content-Security-Policy of the page, for its header. */
extern const char explore_policy[];

#endif
