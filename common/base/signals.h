/*
 * signals: TERM, INT and USR1 ask a loop to end after what it is doing; PIPE ends
 * the program quietly (the default action, restored if a parent ignored it).
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdint.h>

void signals_catch(void);	/* from now on these only set a flag */
/*
 * Says that one stopped a training after so many updates, and how it goes on; checkpoint or NULL.
 */
void signals_warn(int number, int64_t updates, const char *checkpoint);
int signals_caught(void);	/* 0, or the signal's number; exit with 128 + it */

#endif
