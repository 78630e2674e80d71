/* policy: what a page of HTML that stands alone lets a browser load and run. */
#ifndef POLICY_H
#define POLICY_H

#include "base/buf.h"

/*
 * Adds the meta element of a Content-Security-Policy that allows the styles and scripts whose
 * texts are listed (NULL-terminated), by their SHA-256, and images inside the page.  It forbids
 * everything else: other scripts wherever they come from, handlers in attributes, javascript:
 * addresses, the network.  An element matches only if its content is byte by byte one of these
 * texts.  A page framed by srcdoc is also subject to the policy of the page around it, which
 * therefore lists the texts of both.
 */
void policy_add(struct buf *out, const char *const *styles, const char *const *scripts);

#endif
