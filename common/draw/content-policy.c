/* content-policy: hash sources of Content Security Policy Level 3; see content-policy.h. */
#include "draw/content-policy.h"

#include <string.h>

#include "base/sha256.h"
#include "stream/json-out.h"

static void
add_hashes(struct buf *out, const char *directive, const char *const *texts)
{
	uint8_t hash[SHA256_BYTES];

	buf_printf(out, "; %s", directive);
	for (; *texts; texts++) {
		sha256(*texts, strlen(*texts), hash);
		buf_add_str(out, " 'sha256-");
		base64_add(out, hash, sizeof(hash));
		buf_add_char(out, '\'');
	}
}

void
content_policy_add(struct buf *out, const char *const *styles, const char *const *scripts)
{
	buf_add_str(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
		    "'none'; img-src data:; base-uri 'none'; form-action 'none'");
	add_hashes(out, "style-src", styles);
	add_hashes(out, "script-src", scripts);
	buf_add_str(out, "\">\n");
}
