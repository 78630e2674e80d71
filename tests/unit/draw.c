/*
 * draw: labels with any content, color scales of even lightness, words combined as computed by
 * hand, and figures that an XML parser reads, with every cell in its place.
 */
#include "draw-case.h"

/* --- texts --- */

/* --- colors --- */

/* --- matrices --- */

static void
axis_of(struct axis *a, const char *const *label, int n)
{
	*a = (struct axis){ 0 };
	for (int i = 0; i < n; i++)
		axis_add(a, label[i], strlen(label[i]));
}

/* "@@" alone is a subword like others; rows are the mean, columns the sum. */
static void
test_words(void **state)
{
	static const char *const label[] = { "ab@@", "c", "@@", "d@@" };
	static const float x[] = { 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.3F, 0.2F, 0,
				   1, 0, 0, 0, 0, 0, 0.25F, 0.75F };
	static const float want[] = { 0.55F, 0.25F, 0.2F, 1, 0, 0, 0, 0.25F, 0.75F };
	struct axis pieces, words = { 0 };
	struct panel m, merged;
	int *word;

	(void)state;
	axis_of(&pieces, label, 4);
	word = axis_word(&pieces);
	assert_memory_equal(word, ((int[]){ 0, 0, 1, 2 }), 4 * sizeof(*word));
	axis_words(&pieces, word, &words);
	assert_int_equal(words.n, 3);
	assert_string_equal(words.label[0], "abc");
	assert_string_equal(words.label[1], "@@");
	assert_string_equal(words.label[2], "d@@");	/* no subword follows */
	panel_init(&m, &pieces, &pieces);
	memcpy(m.x, x, sizeof(x));
	panel_init(&merged, &words, &words);
	panel_words(&m, word, word, &merged);
	for (int i = 0; i < 9; i++)
		near((double)merged.x[i], (double)want[i]);
	panel_release(&m);
	panel_release(&merged);
	axis_release(&pieces);
	axis_release(&words);
	free(word);
}

/* Marks of SentencePiece begin words; what is in angle brackets is a word, but a byte is none. */
static void
test_marked_words(void **state)
{
	static const char *const label[] = {
		("\xe2\x96\x81" "a@@"), "b", "\xe2\x96\x81", "<0x0A>", "\xe2\x96\x81", "</s>"
	};
	static const char *const want[] = { "a@@b", "<0x0A>", "\xe2\x96\x81", "</s>" };
	struct axis pieces, words = { 0 };
	int *word;

	(void)state;
	axis_of(&pieces, label, 6);
	word = axis_word(&pieces);
	assert_memory_equal(word, ((int[]){ 0, 0, 1, 1, 2, 3 }), 6 * sizeof(*word));
	axis_words(&pieces, word, &words);
	assert_int_equal(words.n, 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(words.label[i], want[i]);
	axis_release(&pieces);
	axis_release(&words);
	free(word);
}

static void
test_one_side(void **state)
{
	static const char *const label[] = { "a@@", "b" };
	struct axis pieces, word = { 0 }, heads;
	struct panel m, merged;

	(void)state;
	axis_of(&pieces, label, 2);
	axis_of(&heads, (const char *[]){ "1", "2" }, 2);
	axis_words(&pieces, (int[]){ 0, 0 }, &word);
	panel_init(&m, &pieces, &heads);
	memcpy(m.x, ((float[]){ 0.5F, 0.5F, 1, 0 }), 4 * sizeof(float));
	panel_init(&merged, &word, &heads);
	panel_words(&m, (int[]){ 0, 0 }, NULL, &merged);
	near((double)merged.x[0], 0.75);
	near((double)merged.x[1], 0.25);
	panel_release(&m);
	panel_release(&merged);
	axis_release(&pieces);
	axis_release(&word);
	axis_release(&heads);
}

static int
read_text(const char *text, struct panel *m, struct axis *rows, struct axis *columns,
	  struct err *e)
{
	struct input *in = input_memory("t.tsv", text, strlen(text), INPUT_UTF8, e);
	int r;

	*rows = *columns = (struct axis){ 0 };
	assert_non_null(in);
	r = panel_read(m, rows, columns, in, e);
	input_close(in);
	return r;
}

static void
release_text(struct panel *m, struct axis *rows, struct axis *columns)
{
	panel_release(m);
	axis_release(rows);
	axis_release(columns);
}

static void
test_read(void **state)
{
	struct axis rows, columns;
	struct panel m;
	struct err e;

	(void)state;
	assert_int_equal(
		read_text("loss\ta\tb c\nx\t1\t-2.5\n\t-\t\n", &m, &rows, &columns, &e), 0);
	assert_string_equal(m.title, "loss");
	assert_int_equal(rows.n, 2);
	assert_int_equal(columns.n, 2);
	assert_string_equal(columns.label[1], "b c");
	assert_string_equal(rows.label[1], "");
	near((double)m.x[0], 1);
	near((double)m.x[1], -2.5);
	assert_true(isnan(m.x[2]) && isnan(m.x[3]));
	release_text(&m, &rows, &columns);
}

static void
refuses(const char *text, const char *why)
{
	struct axis rows, columns;
	struct panel m;
	struct err e;

	assert_int_equal(read_text(text, &m, &rows, &columns, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	if (!strstr(e.text, why))
		fail_msg("'%s' is not in '%s'", why, e.text);
	release_text(&m, &rows, &columns);
}

static void
test_marks(void **state)
{
	struct axis rows, columns;
	struct panel m;
	struct err e;

	(void)state;
	assert_int_equal(read_text("\ta\tb\nx\t.5 p\t-2\ny\t\t1e3 Q\n", &m, &rows, &columns, &e),
			 0);
	near((double)m.x[0], 0.5);
	near((double)m.x[3], 1000);
	assert_memory_equal(m.mark, "p\0\0Q", 4);
	release_text(&m, &rows, &columns);
	refuses("a\tb\nx\t1 pq\n", "column 2: '1 pq', expected a number");
	refuses("a\tb\nx\t1 2\n", "column 2: '1 2', expected a number");
	refuses("a\tb\nx\t1p\n", "column 2: '1p', expected a number");
}

static void
test_refused(void **state)
{
	(void)state;
	refuses("", "no values");
	refuses("a\tb\n", "no values");
	refuses("a\nb\n", "no values");
	refuses("a\tb\tc\nx\t1\n", "t.tsv: line 2: 1 values, expected 2");
	refuses("a\tb\nx\t1\ny\t1\t2\n", "t.tsv: line 3: 2 values, expected 1");
	refuses("a\tb\nx\t1\ny\tz\n", "t.tsv: line 3: column 2: 'z', expected a number");
	refuses("a\tb\nx\tinf\n", "column 2: 'inf'");
}

/* --- figures --- */

static void
range_of(enum colors colors, const float x[2], double low, double high)
{
	static const char *const label[] = { "a", "b" };
	struct axis one, two;
	struct panel m;
	struct heat_map h = { .panel = &m, .n = 1, .colors = colors };

	axis_of(&one, label, 1);
	axis_of(&two, label, 2);
	panel_init(&m, &one, &two);
	memcpy(m.x, x, 2 * sizeof(*x));
	heat_map_range(&h);
	near(h.low, low);
	near(h.high, high);
	near(heat_scale_at(&h, (low + high) / 2), 0.5);
	panel_release(&m);
	axis_release(&one);
	axis_release(&two);
}

static void
test_range(void **state)
{
	(void)state;
	range_of(COLORS_BLUE, (float[]){ 0.1F, 0.97F }, 0, 1);
	range_of(COLORS_BLUE, (float[]){ 0.3F, 1 }, 0, 1);
	range_of(COLORS_BLUE, (float[]){ NAN, 0.31F }, 0, 0.32);
	range_of(COLORS_BLUE, (float[]){ -7.52F, 3.32F }, -8, 4);
	range_of(COLORS_BLUE, (float[]){ 0, 0 }, 0, 1);
	range_of(COLORS_BLUE, (float[]){ -4.49F, -1 }, -4.5, 0);
	range_of(COLORS_DIVERGING, (float[]){ -7.5F, 3 }, -8, 8);
	range_of(COLORS_DIVERGING, (float[]){ 0, 0 }, -1, 1);
	range_of(COLORS_BLUE, (float[]){ 2e-7F, 9e-7F }, 0, 9e-7);
}

struct seen { int rects, texts, titles, last_column; double bottom; };

static double
attribute(xmlNode *node, const char *name)
{
	xmlChar *text = xmlGetProp(node, (const xmlChar *)name);
	double v;

	assert_non_null(text);
	v = atof((const char *)text);
	xmlFree(text);
	return v;
}

static void
visit(xmlNode *node, struct seen *s)
{
	for (; node; node = node->next) {
		if (!xmlStrcmp(node->name, (const xmlChar *)"rect")) {
			s->rects++;
			s->bottom = fmax(s->bottom,
					 attribute(node, "y") + attribute(node, "height"));
		}
		s->texts += !xmlStrcmp(node->name, (const xmlChar *)"text");
		s->titles += !xmlStrcmp(node->name, (const xmlChar *)"title");
		visit(node->children, s);
	}
}

/* The elements that an XML parser finds; checks the size against that of heat_map_draw(). */
static struct seen
parse(const struct buf *svg, const struct heat_map_size *size)
{
	xmlDoc *doc = xmlReadMemory(svg->data, (int)svg->n, "svg", NULL, XML_PARSE_NONET);
	struct seen s = { 0 };

	assert_non_null(doc);
	near(attribute(xmlDocGetRootElement(doc), "width"), size->width);
	near(attribute(xmlDocGetRootElement(doc), "height"), size->height);
	visit(xmlDocGetRootElement(doc), &s);
	xmlFreeDoc(doc);
	return s;
}

/* Draws n panels of rows x columns with labels that need escaping. */
static void
draws(int n, int rows, int columns, bool numbers)
{
	static const char *const label[] = { "</svg>", "a&b", "\xff\x01", "\"'", "e\xcc\x81",
					     "\xe6\x97\xa5" };
	struct heat_map h = { .n = n, .title = "<&>", .caption = "]]>", .unit = "&",
			      .numbers = numbers };
	struct axis a = { 0 }, b = { 0 };
	struct panel *m = xcalloc((size_t)n, sizeof(*m));
	struct buf svg = { 0 };
	struct heat_map_size size;
	struct seen s;
	struct err e;

	for (int i = 0; i < rows; i++)
		axis_add(&a, label[i % 6], strlen(label[i % 6]));
	for (int i = 0; i < columns; i++)
		axis_add(&b, label[i % 6], strlen(label[i % 6]));
	for (int p = 0; p < n; p++) {
		panel_init(&m[p], &a, &b);
		m[p].title = xstrdup("<t>");
		m[p].x[0] = p ? NAN : 1;
	}
	h.panel = m;
	assert_int_equal(heat_map_draw(&h, &svg, &size, &e), 0);
	s = parse(&svg, &size);
	assert_int_equal(s.rects, n * rows * columns);
	assert_true(s.bottom < size.height);
	assert_true(s.texts >= n * (columns + 1) + rows + 3 +
			       (numbers ? n * rows * columns - n + 1 : 0));
	for (int p = 0; p < n; p++)
		panel_release(&m[p]);
	free(m);
	axis_release(&a);
	axis_release(&b);
	buf_release(&svg);
}

static void
test_figures(void **state)
{
	(void)state;
	draws(1, 1, 1, false);
	draws(1, 3, 7, true);
	draws(1, 60, 60, false);
	draws(5, 4, 9, false);
	draws(8, 12, 12, true);
	draws(16, 2, 2, false);
}

/* Position and color of each cell of a small matrix. */
static void
test_cells(void **state)
{
	static const char *const label[] = { "a", "b" };
	struct axis one, two;
	struct panel m;
	struct heat_map h = { .panel = &m, .n = 1, .colors = COLORS_GRAY, .low = 0, .high = 1 };
	struct buf svg = { 0 }, want = { 0 };
	struct heat_map_size size;
	struct err e;
	char hex[8];

	(void)state;
	axis_of(&one, label, 1);
	axis_of(&two, label, 2);
	panel_init(&m, &one, &two);
	m.x[1] = 0.5F;
	color_hex(color_at(COLORS_GRAY, 0.5), hex);
	assert_int_equal(heat_map_draw(&h, &svg, &size, &e), 0);
	buf_printf(&want, "<rect x=\"0\" y=\"0\" width=\"26\" height=\"26\" fill=\"#ffffff\"/>\n"
		   "<rect x=\"26\" y=\"0\" width=\"26\" height=\"26\" fill=\"%s\"/>\n", hex);
	assert_non_null(strstr(svg.data, want.data));
	panel_release(&m);
	axis_release(&one);
	axis_release(&two);
	buf_release(&svg);
	buf_release(&want);
}

static void
test_too_many(void **state)
{
	struct axis a = { 0 };
	struct panel m;
	struct heat_map h = { .panel = &m, .n = 1 };
	struct buf svg = { 0 };
	struct heat_map_size size;
	struct err e;

	(void)state;
	for (int i = 0; i < 633; i++)
		axis_add(&a, "x", 1);
	panel_init(&m, &a, &a);
	assert_int_equal(heat_map_draw(&h, &svg, &size, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "400689 cells"));
	panel_release(&m);
	axis_release(&a);
	buf_release(&svg);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_marked_words),
		cmocka_unit_test(test_one_side),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
