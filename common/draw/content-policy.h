/*
 * content-policy: the Content-Security-Policy of a self-contained HTML page, as a string constant.
 *
 * The policy allows styles and scripts that are listed by the SHA-256 of their texts, and images
 * whose data are in the page (data: addresses).  It forbids everything else: other scripts,
 * handlers in attributes, javascript: addresses, and access to the network.  A <style> or <script>
 * element is allowed only if its content equals a listed text byte for byte.  A page in a srcdoc
 * frame is also subject to the policy of the enclosing page; that policy must therefore list the
 * texts of both pages.
 *
 * The arguments of the macros are the constants WALK_STYLE, WALK_SCRIPT, PAGE_STYLE, PAGE_SCRIPT,
 * EXPLORE_STYLE and EXPLORE_SCRIPT, which are string literals with these hashes.  Several constants
 * are joined as in WALK_STYLE " " PAGE_STYLE.  The build computes content-hashes.h from the files
 * of styles and scripts.  CONTENT_RULES is the policy itself, CONTENT_POLICY the <meta> element
 * with it.
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
