/* panel-write: writes panels as tab-separated values; see panel.h. */
#include <math.h>
#include <string.h>

#include "draw/panel.h"

/* Tabs and line ends of a label are replaced, because they would break the table. */
static void
add_label(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_add_char(out, strchr("\t\n\r", *text) ? ' ' : *text);
	buf_add_char(out, '\t');
}

static void
write_row(const struct panel *m, int i, struct buf *out)
{
	for (int j = 0; j < m->columns->n; j++) {
		add_label(out, m->title ? m->title : "");
		buf_printf(out, "%d\t%d\t", i + 1, j + 1);
		add_label(out, m->rows->label[i]);
		add_label(out, m->columns->label[j]);
		if (isnan(panel_row(m, i)[j]))
			buf_add_str(out, "-\n");
		else
			buf_printf(out, "%.7g\n", (double)panel_row(m, i)[j]);
	}
}

void
panels_write(const struct panel *m, int n, struct buf *out)
{
	buf_add_str(out, "panel\trow\tcolumn\tfrom\tto\tweight\n");
	for (int k = 0; k < n; k++)
		for (int i = 0; i < m[k].rows->n; i++)
			write_row(&m[k], i, out);
}
