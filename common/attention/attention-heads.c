/* attention-heads: see attention-heads.h. */
#include "attention/attention-heads.h"

#include <string.h>

#include "base/mem.h"
#include "base/near-name.h"
#include "base/num.h"

#define SITE_END " ;/\t\n"
#define HEAD_END ",+"

const char *const site_kinds[] = { "enc-self", "dec-self", "cross", NULL };

char *
site_name(enum site_where where, int layer)
{
	static const char *const form[] = { "enc.%d.self", "dec.%d.self", "dec.%d.cross" };

	return xasprintf(form[where], layer);
}

size_t
heads_before(const struct site *sites, size_t site)
{
	size_t n = 0;

	for (size_t i = 0; i < site; i++)
		n += (size_t)sites[i].heads;
	return n;
}

size_t
heads_of_kind(const struct site *sites, size_t n_sites, int kind, size_t *head)
{
	size_t n = 0, index = 0;

	for (size_t i = 0; i < n_sites; i++)
		for (int h = 0; h < sites[i].heads; h++, index++)
			if (kind < 0 || (int)sites[i].where == kind)
				head[n++] = index;
	return n;
}

const struct site *
site_of_head(const struct site *sites, size_t head, int *number)
{
	while (head >= (size_t)sites->heads)
		head -= (size_t)sites++->heads;
	if (number)
		*number = sites->head[head] + 1;
	return sites;
}

void
head_name_put(const struct site *sites, size_t head, struct buf *out)
{
	int number;
	const struct site *s = site_of_head(sites, head, &number);

	buf_printf(out, "%s.%d:%d", site_kinds[s->where], s->layer, number);
}

/* The name of sites: of parameters (kind -1), of a kind and a layer, or of a kind (layer 0). */
struct name { const char *s; size_t n; int kind; int64_t layer; };

static bool
is_all(const char *s, size_t n)
{
	return n == 3 && !memcmp(s, "all", 3);
}

static struct name
read_name(const char *s, size_t n)
{
	struct name name = { s, n, -1, 0 };
	struct err e;

	for (int i = 0; site_kinds[i]; i++) {
		const size_t k = strlen(site_kinds[i]);

		if (n < k || memcmp(s, site_kinds[i], k))
			continue;
		if (n == k ||
		    (s[k] == '.' && !num_int(s + k + 1, n - k - 1, 1, INT32_MAX, &name.layer, &e)))
			name.kind = i;
	}
	return name;
}

static bool
is_called(const struct site *site, const struct name *name)
{
	if (is_all(name->s, name->n))
		return true;
	if ((int)site->where == name->kind)
		return !name->layer || site->layer == name->layer;
	return name->kind < 0 && name->n == strlen(site->name) &&
		!memcmp(site->name, name->s, name->n);
}

int
sites_find(const struct site *sites, size_t n_sites, const char *name, size_t n, size_t *first,
	   size_t *end, struct err *e)
{
	const struct name what = read_name(name, n);
	size_t i = 0;

	while (i < n_sites && !is_called(&sites[i], &what))
		i++;
	*first = i;
	while (i < n_sites && is_called(&sites[i], &what))
		i++;
	*end = i;
	if (*first < *end)
		return 0;
	return err_set(e, EXIT_USAGE, "unknown site %.*s, expected one like %s.%d", (int)n, name,
		       site_kinds[sites[0].where], sites[0].layer);
}

int
head_range_read(const char *s, size_t n, int heads, int64_t *from, int64_t *to, struct err *e)
{
	const char *dash = memchr(s, '-', n);
	const size_t first = dash ? (size_t)(dash - s) : n;

	*from = 1;
	*to = heads;
	if (is_all(s, n))
		return 0;
	if (num_int(s, first, 1, heads, from, e))
		return -1;
	*to = *from;
	return dash ? num_int(dash + 1, n - first - 1, *from, heads, to, e) : 0;
}

/* Adds the retained heads of a range, and returns their number; a single head must be retained. */
static int
add_retained(bool *set, int64_t from, int64_t to, bool single, const struct site *site,
	     struct err *e)
{
	int found = 0;

	if (site->heads == site->all_heads) {
		memset(set + from - 1, true, (size_t)(to - from + 1));
		return (int)(to - from + 1);
	}
	for (int h = 0; h < site->heads; h++)
		if (site->head[h] + 1 >= from && site->head[h] + 1 <= to) {
			set[h] = true;
			found++;
		}
	return found || !single ? found
				: err_set(e, EXIT_USAGE, "%lld was pruned", (long long)from);
}

/* Adds a range at each of n_sites; it is read again only where the number of heads differs. */
static int
add_range(bool *set, const char *s, size_t n, const struct site *site, size_t n_sites,
	  struct err *e)
{
	int64_t from = 0, to = 0;
	bool any = false;

	for (size_t i = 0; i < n_sites; set += site[i++].heads) {
		const bool again = i && site[i].all_heads == site[i - 1].all_heads;
		const int found = !again && head_range_read(s, n, site[i].all_heads, &from, &to, e)
			? -1 : add_retained(set, from, to, from == to && !is_all(s, n), &site[i],
					    e);

		if (found < 0)
			return err_wrap(e, "head of %s.%d", site_kinds[site[i].where],
					site[i].layer);
		any |= found > 0;
	}
	return any ? 0 : err_set(e, EXIT_USAGE, "heads of %s.%d: %.*s were pruned%s",
				 site_kinds[site->where], site->layer, (int)n, s,
				 n_sites > 1 ? ", here and in the following layers" : "");
}

static int
add_site_heads(bool *set, const char *s, size_t n, const struct site *site,
	       size_t n_sites, struct err *e)
{
	for (size_t at = 0, k; at <= n; at += k + 1) {
		for (k = 0; at + k < n && !strchr(HEAD_END, s[at + k]); k++)
			;
		if (add_range(set, s + at, k, site, n_sites, e))
			return -1;
	}
	return 0;
}

/* Adds one element of a list, [s, s+n): consecutive sites, and heads of each. */
static int
attention_heads_add_site(bool *set, const char *s, size_t n, const struct site *sites,
			 size_t n_sites, struct err *e)
{
	const char *colon = memchr(s, ':', n);
	const size_t name = colon ? (size_t)(colon - s) : n;
	size_t first, last;

	if (is_all(s, n))
		return add_site_heads(set, s, n, sites, n_sites, e);
	if (!colon)
		return err_set(e, EXIT_USAGE,
			       "%.*s has no heads, expected a list like enc-self.2:1,3", (int)n,
			       s);
	if (sites_find(sites, n_sites, s, name, &first, &last, e))
		return -1;
	return add_site_heads(set + heads_before(sites, first), colon + 1, n - name - 1,
			      sites + first, last - first, e);
}

int
head_set_add(bool *set, const char *list, const struct site *sites, size_t n_sites, struct err *e)
{
	size_t n, sites_named = 0;

	for (list += strspn(list, SITE_END); *list; list += strspn(list, SITE_END)) {
		n = strcspn(list, SITE_END);
		if (attention_heads_add_site(set, list, n, sites, n_sites, e))
			return -1;
		list += n;
		sites_named++;
	}
	if (sites_named)
		return 0;
	return err_set(e, EXIT_USAGE, "empty list of heads, expected one like enc-self.2:1,3");
}

void
head_set_describe(const bool *set, const struct site *sites, size_t n_sites, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < n_sites; set += sites[i++].heads) {
		bool more = false;

		for (int h = 0; h < sites[i].heads; h++) {
			if (!set[h])
				continue;
			if (!more)
				buf_printf(out, "%s%s.%d:", any ? "/" : "",
					   site_kinds[sites[i].where], sites[i].layer);
			buf_printf(out, "%s%d", more ? "+" : "", sites[i].head[h] + 1);
			any = more = true;
		}
	}
}

/* 1 if a word of a list includes sites of this kind, 0 if not, -1 for an unknown word. */
static int
means_kind(const char *s, size_t n, enum site_where where)
{
	const int kind = n == 3 && !memcmp(s, "enc", n) ? ENCODER_SELF
							: name_index(site_kinds, s, n);

	return is_all(s, n) ? 1 : kind < 0 ? -1 : kind == (int)where;
}

int
site_kind_in(enum site_where where, const char *list, struct err *e)
{
	const char *s = list && *list ? list : "enc";
	int here = 0;

	for (size_t n; *s; s += n + (s[n] == '+')) {
		int means;

		n = strcspn(s, "+");
		means = means_kind(s, n, where);
		if (means < 0)
			return err_set(e, EXIT_USAGE,
				       "at: '%.*s', expected enc, all, enc-self, dec-self "
				       "or cross", (int)n, s);
		here |= means;
	}
	return here;
}

int
site_kind_heads(const struct site *sites, size_t n_sites, const char *list)
{
	struct err e;
	int n = 0;

	for (size_t i = 0; i < n_sites; i++)
		n += site_kind_in(sites[i].where, list, &e) > 0 ? sites[i].heads : 0;
	return n;
}
