/* language: see language.h. */
#include "stream/language.h"

#include <stdio.h>
#include <string.h>

static const char *const keys[2] = { HEADER_SRC_LANGUAGE, HEADER_TGT_LANGUAGE };

/* ISO 639-1. */
static const char iso[] =
	"aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy "
	"da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht "
	"hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky "
	"la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny "
	"oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss "
	"st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo "
	"za zh zu";

bool
language_is_code(const char *code)
{
	const size_t n = strlen(code);

	return (n == 2 || n == 3) && strspn(code, "abcdefghijklmnopqrstuvwxyz") == n;
}

static void
language_set(struct languages *l, int side, const char *code)
{
	snprintf(l->side[side], sizeof(l->side[side]), "%.*s", LANGUAGE_ROOM - 1, code);
}

int
languages_parse(struct languages *l, const char *text, struct err *e)
{
	char pair[2 * LANGUAGE_ROOM], *target;

	*l = (struct languages){ { "", "" } };
	if (!strcmp(text, "none"))
		return 0;
	snprintf(pair, sizeof(pair), "%s", strlen(text) < sizeof(pair) ? text : "");
	target = strchr(pair, '-');
	if (target)
		*target++ = '\0';
	if (!language_is_code(pair) || (target && !language_is_code(target)))
		return err_set(e, EXIT_USAGE, "'%s', expected two codes, as in en-de, one code or "
			       "none", text);
	language_set(l, 0, pair);
	if (target)
		language_set(l, 1, target);
	return 0;
}

/* The length of a name without a compression suffix. */
static size_t
length_of(const char *path)
{
	static const char *const suffix[] = { ".gz", ".xz", ".zst", ".bz2" };
	const size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(suffix) / sizeof(*suffix); i++) {
		const size_t k = strlen(suffix[i]);

		if (n > k && !strcmp(path + n - k, suffix[i]))
			return n - k;
	}
	return n;
}

void
language_of_name(const char *path, char code[LANGUAGE_ROOM])
{
	const size_t n = length_of(path);

	*code = '\0';
	if (n < 4 || path[n - 3] != '.' || path[n - 4] == '/')
		return;
	snprintf(code, LANGUAGE_ROOM, "%.2s", path + n - 2);
	if (!language_is_code(code) || !strstr(iso, code))
		*code = '\0';
}

void
languages_of(const struct header *h, struct languages *l)
{
	*l = (struct languages){ { "", "" } };
	for (int side = 0; h && side < 2; side++) {
		const char *code = header_meta(h, keys[side]);

		if (code && language_is_code(code))
			language_set(l, side, code);
	}
}

void
languages_set(const struct languages *l, struct writer *w)
{
	for (int side = 0; side < 2; side++)
		if (*l->side[side])
			writer_set_meta(w, keys[side], l->side[side]);
}
