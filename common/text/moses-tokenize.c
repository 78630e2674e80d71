/*
 * moses-tokenize: see moses.h.
 *
 * Each rule is one pass over the whole line, in the order of tokenizer.perl.  Where the script
 * uses a regular expression, matches do not overlap, and so it is here.
 */
#include <string.h>

#include "base/utf8.h"
#include "text/moses-internal.h"
#include "text/moses.h"

#define DOTS 0x110000		/* DOTS + k encodes k periods; it is above all code points */

static bool
is_letter(int32_t c)
{
	return c < DOTS && moses_is(c, UNICODE_ALPHA);
}

static bool
moses_tokenize_is_number(int32_t c)
{
	return c < DOTS && moses_is(c, UNICODE_NUMBER);
}

bool
moses_is_blank(const char *s, size_t n)
{
	size_t len;

	for (size_t i = 0; i < n; i += len)
		if (!moses_is(utf8_next(s + i, n - i, &len), UNICODE_SPACE))
			return false;
	return true;
}

/* Replaces white space by single spaces and removes other control characters. */
static void
moses_tokenize_clean(struct chars *a)
{
	size_t m = 0;

	for (size_t i = 0; i < a->n; i++)
		if (moses_is(a->c[i], UNICODE_SPACE))
			a->c[m++] = ' ';
		else if (a->c[i] >= 0x20)
			a->c[m++] = a->c[i];
	a->n = m;
	chars_squeeze(a);
}

enum script { OTHER, IDEOGRAPH, HIRAGANA, KATAKANA };

static enum script
script_of(int32_t c)
{
	if ((c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
	    (c >= 0x20000 && c <= 0x2ffff) || c == 0x3005 || c == 0x3007)
		return IDEOGRAPH;
	if (c >= 0x3041 && c <= 0x309f)
		return HIRAGANA;
	if ((c >= 0x30a1 && c <= 0x30ff) || (c >= 0x31f0 && c <= 0x31ff) ||
	    (c >= 0xff66 && c <= 0xff9f))
		return KATAKANA;
	return OTHER;
}

/* Inserts spaces where the script changes, and around each ideograph. */
static void
split_scripts(const struct chars *a, struct chars *b)
{
	enum script before = OTHER;

	for (size_t i = 0; i < a->n; i++) {
		const enum script s = script_of(a->c[i]);

		if (i && (s != before || s == IDEOGRAPH))
			chars_add(b, ' ');
		chars_add(b, a->c[i]);
		before = s;
	}
}

static void
split_others(const struct moses *m, const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const int32_t c = a->c[i];

		if (moses_is(c, UNICODE_ALNUM | UNICODE_SPACE) ||
		    (c < 0x80 && strchr(".'`,-", (int)c)) ||
		    (c == ':' && m->word_colons && i + 1 < a->n &&
		     moses_is(a->c[i + 1], UNICODE_LOWER)))
			chars_add(b, c);
		else
			chars_add_spaced(b, c);
	}
}

static void
split_hyphens(const struct chars *a, struct chars *b)
{
	static const int32_t mark[] = { ' ', '@', '-', '@', ' ' };

	for (size_t i = 0; i < a->n; i++) {
		if (a->c[i] == '-' && i > 0 && i + 1 < a->n &&
		    moses_is(a->c[i - 1], UNICODE_ALNUM) && moses_is(a->c[i + 1], UNICODE_ALNUM))
			chars_append(b, mark, 5);
		else
			chars_add(b, a->c[i]);
	}
}

static void
join_dots(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		size_t k = 0;

		while (i + k < a->n && a->c[i + k] == '.')
			k++;
		if (k < 2) {
			chars_add(b, a->c[i]);
			continue;
		}
		chars_add(b, ' ');
		chars_add(b, k < 0x1000000 ? DOTS + (int32_t)k : '.');
		if (i + k < a->n)
			chars_add(b, ' ');
		i += k - 1;
	}
}

static void
split_commas_after(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		chars_add(b, a->c[i]);
		if (i + 1 < a->n && !moses_tokenize_is_number(a->c[i]) && a->c[i + 1] == ',') {
			chars_add_spaced(b, ',');
			i++;
		}
	}
}

static void
split_commas_before(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		if (a->c[i] == ',' && i + 1 < a->n && !moses_tokenize_is_number(a->c[i + 1])) {
			chars_add_spaced(b, ',');
			chars_add(b, a->c[++i]);
		} else if (a->c[i] == ',' && i + 1 == a->n && i > 0 &&
			   moses_tokenize_is_number(a->c[i - 1])) {
			chars_add(b, ' ');
			chars_add(b, ',');
		} else {
			chars_add(b, a->c[i]);
		}
	}
}

enum kind { ANY_BUT_LETTER, NO_LETTER_OR_NUMBER, LETTER, NUMBER, SMALL_S };

static bool
moses_tokenize_is_kind(int32_t c, enum kind k)
{
	switch (k) {
	case ANY_BUT_LETTER: return !is_letter(c);
	case NO_LETTER_OR_NUMBER: return !is_letter(c) && !moses_tokenize_is_number(c);
	case LETTER: return is_letter(c);
	case NUMBER: return moses_tokenize_is_number(c);
	case SMALL_S: return c == 's';
	}
	return false;
}

/*
 * An apostrophe between two kinds of characters gets a space on its left, its right or both
 * sides.
 */
struct apostrophe_rule { enum kind before, after; bool left, right; };

static void
split_apostrophes(const struct apostrophe_rule *r, const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++) {
		chars_add(b, a->c[i]);
		if (i + 2 >= a->n || a->c[i + 1] != '\'' ||
		    !moses_tokenize_is_kind(a->c[i], r->before) ||
		    !moses_tokenize_is_kind(a->c[i + 2], r->after))
			continue;
		if (r->left)
			chars_add(b, ' ');
		chars_add(b, '\'');
		if (r->right)
			chars_add(b, ' ');
		chars_add(b, a->c[i + 2]);
		i += 2;
	}
}

static void
split_all_apostrophes(const struct chars *a, struct chars *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->c[i] == '\'')
			chars_add_spaced(b, '\'');
		else
			chars_add(b, a->c[i]);
}

static void
apostrophes(struct moses *m)
{
	static const struct apostrophe_rule english[] = {
		{ ANY_BUT_LETTER, ANY_BUT_LETTER, true, true },
		{ NO_LETTER_OR_NUMBER, LETTER, true, true },
		{ LETTER, ANY_BUT_LETTER, true, true },
		{ LETTER, LETTER, true, false },
		{ NUMBER, SMALL_S, true, false }
	};
	static const struct apostrophe_rule french[] = {
		{ ANY_BUT_LETTER, ANY_BUT_LETTER, true, true },
		{ ANY_BUT_LETTER, LETTER, true, true },
		{ LETTER, ANY_BUT_LETTER, true, true },
		{ LETTER, LETTER, false, true }
	};
	const struct apostrophe_rule *rule = m->apostrophes == APOSTROPHE_RIGHT ? english : french;
	const size_t n = m->apostrophes == APOSTROPHE_RIGHT ? 5 :
			 m->apostrophes == APOSTROPHE_LEFT ? 4 : 3;

	if (m->apostrophes == APOSTROPHE_APART) {
		m->b.n = 0;
		split_all_apostrophes(&m->a, &m->b);
		chars_swap(&m->a, &m->b);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		m->b.n = 0;
		split_apostrophes(&rule[i], &m->a, &m->b);
		chars_swap(&m->a, &m->b);
	}
}

/*
 * Is the period after a word part of it?  next is the first character of the next word, NULL at
 * the end of the line.
 */
static bool
keeps_period(struct moses *m, const int32_t *word, size_t n, const int32_t *next)
{
	bool period = false, letter = false;
	int id;

	if (!next)
		return false;
	for (size_t i = 0; i < n; i++) {
		period |= word[i] == '.';
		letter |= is_letter(word[i]);
	}
	if ((period && letter) || (*next < DOTS && moses_is(*next, UNICODE_LOWER)))
		return true;
	buf_clear(&m->word);
	chars_write(word, n, &m->word);
	id = strmap_find(&m->prefixes, m->word.data, m->word.n);
	return id >= 0 && (!m->numeric[id] || (*next >= '0' && *next <= '9'));
}

/* Splits periods from the ends of words. */
static void
split_periods(struct moses *m, const struct chars *a, struct chars *b)
{
	size_t n = a->n;

	while (n && a->c[n - 1] == ' ')
		n--;
	for (size_t i = 0; i < n; i++) {
		size_t end = i;

		while (end < n && a->c[end] != ' ')
			end++;
		if (end - i >= 2 && a->c[end - 1] == '.' &&
		    !keeps_period(m, a->c + i, end - 1 - i, end < n ? a->c + end + 1 : NULL)) {
			chars_append(b, a->c + i, end - 1 - i);
			chars_add(b, ' ');
			chars_add(b, '.');
		} else {
			chars_append(b, a->c + i, end - i);
		}
		chars_add(b, ' ');
		i = end;
	}
	chars_squeeze(b);
}

const struct moses_entity moses_entities[] = {
	{ "&amp;", '&' }, { "&#124;", '|' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&apos;", '\'' },
	{ "&quot;", '"' }, { "&#91;", '[' }, { "&#93;", ']' },
	{ "&bar;", '|' }, { "&bra;", '[' }, { "&ket;", ']' }, { NULL, 0 }
};

static const char *
moses_tokenize_entity(int32_t c)
{
	const struct moses_entity *e = moses_entities;

	while (e->text && e->c != c)
		e++;
	return e->text;
}

static void
write_line(const struct chars *a, bool escape, struct buf *out)
{
	for (size_t i = 0; i < a->n; i++) {
		const char *as = escape ? moses_tokenize_entity(a->c[i]) : NULL;

		if (as) {
			buf_add_str(out, as);
		} else if (a->c[i] >= DOTS) {
			for (int32_t k = a->c[i] - DOTS; k > 0; k--)
				buf_add_char(out, '.');
		} else {
			chars_write(a->c + i, 1, out);
		}
	}
}

/* The rules do not match a period and an apostrophe at the end; Moses adds a space after them. */
static void
split_end(struct chars *a)
{
	if (a->n < 2 || a->c[a->n - 1] != '\'' || a->c[a->n - 2] != '.')
		return;
	a->n -= 2;
	chars_add_spaced(a, '.');
	chars_add(a, '\'');
	chars_add(a, ' ');
}

void
moses_tokenize(struct moses *m, const char *s, size_t n, bool aggressive, bool escape,
	       struct buf *out)
{
	struct chars *const a = &m->a, *const b = &m->b;

	if (moses_is_blank(s, n)) {
		buf_add(out, s, n);
		return;
	}
	chars_read(a, s, n);
	moses_tokenize_clean(a);
	b->n = 0;
	if (m->ideographs) {
		split_scripts(a, b);
		chars_swap(a, b);
		b->n = 0;
	}
	split_others(m, a, b);
	if (aggressive) {
		a->n = 0;
		split_hyphens(b, a);
		chars_swap(a, b);
	}
	a->n = 0;
	join_dots(b, a);
	b->n = 0;
	split_commas_after(a, b);
	a->n = 0;
	split_commas_before(b, a);
	apostrophes(m);
	b->n = 0;
	split_periods(m, a, b);
	split_end(b);
	write_line(b, escape, out);
}

/*
 * --- nonbreaking prefixes ---
 *
 * The built-in ones, which keep their period: common abbreviations, grouped by meaning.
 * Abbreviations with an inner period (e.g., z.B., т.е.) need no entry, because the rules keep their
 * periods.
 */

#define LATIN_CAPITALS "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z "
#define LATIN_SMALL "a b c d e f g h i j k l m n o p q r s t u v w x y z "
#define CYRILLIC_CAPITALS "А Б В Г Д Е Ё Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я "
#define ROMAN "II III IV VI VII VIII IX XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI "
#define ORDINALS "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 " \
	"30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 " \
	"58 59 " \
	"60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 " \
	"88 89 " \
	"90 91 92 93 94 95 96 97 98 99 "

static const struct { const char *language, *always, *numeric; } lists[] = {
	{ "en", LATIN_CAPITALS
	  /* titles, ranks and offices */
	  "Mr Mrs Ms Messrs Mme Mlle MM Dr Drs Prof Rev Hon St Sr Jr Gen Col Lt Maj Capt Cpl Sgt "
	  "Pvt Adm "
	  "Cmdr Brig Gov Sen Sens Rep Reps Supt Insp Msgr Asst "
	  /* firms and places */
	  "Bros Co Corp Bldg Hosp Rd "
	  /* learned words */
	  "v vs cf al viz Ph Op Rs "
	  "Jan Feb Apr Jun Jul Aug Sep Sept Oct Nov Dec",
	  "No Nos Nr pp p Art" },
	{ "de", LATIN_CAPITALS LATIN_SMALL ROMAN ORDINALS
	  /* titles and persons */
	  "Dr Prof Dipl Ing Mag Hr Hrn Fr Frl Mr Mrs Ms St Jr Sr Sen Pfr Gebr Vors "
	  /* text and quotations */
	  "bzw usw usf etc ca vgl Vgl bspw ggf evtl inkl exkl insb sog bzgl z.B d.h u.a o.ä Abs "
	  "Art Aufl "
	  "Bd Hrsg Kap Nr Ziff Abb Tab Anm Bsp geb gest verh ev kath betr allg entspr ehem lt "
	  /* measures, firms, streets */
	  "Mio Mrd Tsd Std Tel Str Fa Jh Jhd Jhdt Okt Dez Nov Feb Jan Sep Sept",
	  "No Nos pp S" },
	{ "fr", LATIN_CAPITALS LATIN_SMALL
	  /* persons */
	  "MM Mr Mrs Ms Dr Pr Prof Mgr Me St Ste Gén Col Cap Lieut Cdt "
	  /* text and quotations */
	  "etc art chap fig éd ibid id cf vol coll env ex p.ex réf suppl trad tél fasc masc fém "
	  "sing plur "
	  "Art Chap Fig Éd Vol Coll Tél apr av "
	  /* months, firms, streets */
	  "janv févr juil sept oct nov déc Cie Sté Bd Av",
	  "No no n pp p" },
	{ "cs",
	  /* degrees, offices and ranks */
	  "Bc Mgr Ing MUDr MVDr JUDr PhDr RNDr ThDr PaedDr PharmDr CSc DrSc Dr Doc Prof doc prof "
	  "dr akad arch "
	  "gen plk pplk mjr kpt npor por rtm prap pí sv st ml "
	  /* text and quotations */
	  "např tzv tzn tj resp popř příp event ap apod atd atp aj mj zvl zejm vč viz srov pozn "
	  "red "
	  "obr tab str kap odst čl písm vyd př cca ca tis mil mld mn "
	  /* languages and grammar */
	  "angl čes něm franc lat řec rus slov pol it šp",
	  "č čís" },
	{ "ru", CYRILLIC_CAPITALS LATIN_CAPITALS
	  /* persons and offices */
	  "акад проф доц инж канд им тов гр зам зав ред "
	  /* text and quotations */
	  "е см ср др пр гл стр рис табл ил прим изд пер ст п пп т тт в вв г гг н напр соч сб "
	  "англ фр франц ит лат греч рус "
	  /* measures and places */
	  "руб коп тыс млн млрд кв куб мин сек обл ул просп пл пос р оз о с д тел факс",
	  "" },
	{ "ro", LATIN_CAPITALS
	  /* persons */
	  "dl dna d-na d-l dr ing prof conf lect acad av gen col cpt lt sf Dl Dna Dr Prof Sf "
	  /* text, places and measures */
	  "nr art alin cap fig pag vol ed etc ex str bd bl sc ap jud com tel mil mld",
	  "" }
};

bool
moses_own_prefixes(const char *language, const char **always, const char **numeric)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(lists[i].language, language)) {
			*always = lists[i].always;
			*numeric = lists[i].numeric;
			return true;
		}
	return false;
}
