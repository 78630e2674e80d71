/*
 * assignment: assigns the columns of a matrix of costs to its rows, so that the total cost is
 * lowest.  No column has several rows.
 *
 * This is the Hungarian method (Kuhn 1955, The Hungarian method for the assignment problem) in the
 * form of shortest augmenting paths (Jonker and Volgenant 1987, A shortest augmenting path
 * algorithm for dense and sparse linear assignment problems): rows are added one after another,
 * each along a path of lowest cost, and potentials keep the reduced costs from being negative.
 */
#ifndef ASSIGNMENT_H
#define ASSIGNMENT_H

/*
 * Sets column[i] to the column of row i, or to -1 for rows without one if there are fewer columns.
 * `cost` is [rows, columns], finite.  Of several solutions, one is chosen by the order of
 * rows and columns.
 */
void assignment_find(int rows, int columns, const double *cost, int *column);

#endif
