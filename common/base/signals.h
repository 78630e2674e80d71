/*
 * signals: TERM, INT and USR1 ask the training loop to end after the current update.
 *
 * PIPE ends the program silently: signals_catch() restores its default action, in case the parent
 * process ignored PIPE.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdint.h>

void signals_catch(void);	/* from now on, TERM, INT and USR1 only set a flag */

/*
 * Warns that signal `number` stopped the training after update `updates`, and says how to resume
 * the training from the file `checkpoint`; NULL if the training writes no checkpoints.
 */
void signals_warn(int number, int64_t updates, const char *checkpoint);
/*
 * Returns the number of the last of these signals, or 0 if there was none.  The program then exits
 * with 128 + this number.
 */
int signals_caught(void);

#endif
