/* roots: the number of words whose head is 0. */
#ifndef ROOTS_H
#define ROOTS_H

static int
count_roots(const int *head, int n)
{
	int roots = 0;

	for (int i = 0; i < n; i++)
		roots += !head[i];
	return roots;
}

#endif
