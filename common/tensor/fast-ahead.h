/* fast-ahead: memory asked for before it is needed; see tiles.h. */

/* The next lines of what is wanted later. */
INLINE void
look_ahead(struct ahead *w)
{
	for (int i = 0; i < w->share && w->rows > 0; i++) {
		__builtin_prefetch(w->row + (ptrdiff_t)w->line * 64, 0, 2);
		if (++w->line == w->lines) {
			w->line = 0;
			w->row += w->stride;
			w->rows--;
		}
	}
}
