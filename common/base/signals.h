/*
 * signals: TERM, INT and USR1 ask a loop to end after the current update.
 *
 * PIPE ends the program silently: its default action is restored if a parent ignored it.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdint.h>

void signals_catch(void);	/* after this, the three signals only set a flag */

/*
 * Warns that a signal stopped the training after this update, and how to resume it.  `checkpoint`
 * is NULL if the training writes none.
 */
void signals_warn(int number, int64_t updates, const char *checkpoint);
int signals_caught(void);	/* 0, or the signal's number n; exit with status 128 + n */

#endif
