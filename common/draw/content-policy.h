/* content-policy: the Content-Security-Policy of a self-contained HTML page. */
#ifndef CONTENT_POLICY_H
#define CONTENT_POLICY_H

#include "base/buf.h"

/*
 * Appends the meta element of a Content-Security-Policy.  It allows the listed styles and scripts
 * (NULL-terminated), by the SHA-256 of their texts, and images inside the page.  It forbids
 * everything else: all other scripts, handlers in attributes, javascript: addresses, the network.
 * An element is allowed only if its content is byte by byte one of the texts.  A page in a srcdoc
 * frame is also subject to the policy of the enclosing page, which must list the texts of both.
 */
void content_policy_add(struct buf *out, const char *const *styles, const char *const *scripts);

#endif
