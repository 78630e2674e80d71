/*
 * content-policy: the Content-Security-Policy of a self-contained HTML page, as a string constant.
 *
 * It allows the listed styles and scripts, by the SHA-256 of their texts, and images inside the
 * page.  It forbids everything else: all other scripts, handlers in attributes, javascript:
 * addresses, the network.  An element is allowed only if its content is byte by byte one of the
 * texts.  A page in a srcdoc frame is also subject to the policy of the enclosing page, which must
 * list the texts of both.
 *
 * The build makes the constants WALK_STYLE, WALK_SCRIPT, PAGE_STYLE, PAGE_SCRIPT, EXPLORE_STYLE
 * and EXPLORE_SCRIPT in content-hashes.h from the files; several are separated by " ".
 */
#ifndef CONTENT_POLICY_H
#define CONTENT_POLICY_H

#include "draw/content-hashes.h"

#define CONTENT_RULES(styles, scripts) \
	"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; " \
	"style-src " styles "; script-src " scripts
#define CONTENT_POLICY(styles, scripts) \
	"<meta http-equiv=\"Content-Security-Policy\" content=\"" CONTENT_RULES(styles, scripts) \
	"\">\n"

#endif
