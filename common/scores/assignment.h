/*
 * assignment: assigns the columns of a matrix of costs to its rows, one to one, so that the sum of
 * the costs is minimal.
 *
 * This is the Hungarian method (Kuhn 1955, The Hungarian method for the assignment problem) in the
 * form of shortest augmenting paths (Jonker and Volgenant 1987, A shortest augmenting path
 * algorithm for dense and sparse linear assignment problems).  Rows are added one after another,
 * each along a path of lowest cost.  Potentials of rows and columns keep the reduced costs from
 * being negative.
 */
#ifndef ASSIGNMENT_H
#define ASSIGNMENT_H

/*
 * Sets column[i] to the column of row i.  If there are fewer columns than rows, column[i] is -1 for
 * the rows without a column.  `cost` is [rows, columns]; all elements must be finite.  If several
 * assignments are optimal, the order of rows and columns decides which one is found.
 */
void assignment_find(int rows, int columns, const double *cost, int *column);

#endif
