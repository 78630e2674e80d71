/*
 * nonbreaking: the built-in nonbreaking prefixes, which keep their period; see moses.h.
 *
 * The lists have common abbreviations, grouped by meaning.  Abbreviations with an inner period
 * (e.g., z.B., т.е.) need no entry, because the rules keep their periods.
 */
#include <string.h>

#include "text/moses.h"

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
