/*
 * explore-page: see explore-page.h.  The page is that of head-map with an input line and a further
 * script, which the assembler includes as they are.
 */
#include "explore/explore-page.h"

#include "draw/content-policy.h"
#include "draw/walk.h"
#include "stream/json-out.h"

__asm__(".pushsection .rodata\n"
	"explore_input:\n.incbin \"common/explore/explore.html\"\n.byte 0\n"
	"explore_style:\n.incbin \"common/explore/explore.css\"\n.byte 0\n"
	"explore_script:\n.incbin \"common/explore/explore.js\"\n.byte 0\n"
	".popsection\n");
extern const char explore_input[], explore_style[], explore_script[];

#define RULES CONTENT_RULES(WALK_STYLE " " EXPLORE_STYLE, WALK_SCRIPT " " EXPLORE_SCRIPT) \
	"; connect-src 'self'"
const char explore_policy[] = RULES "; frame-ancestors 'none'";

/* The configuration as an element; walk_escape() keeps it from ending there. */
static void
add_config(struct explorer *x, const char *dev, const char *precision, struct buf *out)
{
	struct buf json = { 0 }, head = { 0 };

	explorer_config(x, &json);
	buf_add_str(&head, "{\"dev\":");
	json_add_text(&head, dev ? dev : "");
	buf_add_str(&head, ",\"precision\":");
	json_add_text(&head, precision ? precision : "");
	buf_add_char(&head, ',');
	buf_add(&head, json.data + 1, json.n - 1);
	buf_add_str(out, "<script type=\"application/json\" id=\"config\">");
	walk_escape(out, &head);
	buf_add_str(out, "</script>\n");
	buf_release(&json);
	buf_release(&head);
}

void
explore_page(struct explorer *x, const char *dev, const char *precision, struct buf *out)
{
	static const char policy[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"" RULES
		"\">\n";
	struct buf style = { 0 }, end = { 0 }, title = { 0 };

	buf_printf(&style, "<style>%s</style>\n", explore_style);
	add_config(x, dev, precision, &end);
	buf_printf(&end, "<script>%s</script>\n", explore_script);
	for (int i = 0; i < x->n; i++)
		buf_printf(&title, "%s%s", i ? ", " : "Explore ", x->name[i]);
	walk_page_more(out, title.data, NULL, &(struct walk_more){ policy, style.data,
								    explore_input, end.data });
	buf_release(&style);
	buf_release(&end);
	buf_release(&title);
}
