/*
 * temporary: files that must not outlive the process that writes them.
 *
 * Signals that end a process remove them and then do what they would have done, but for KILL and
 * those of a fault.  A signal that the process was started to ignore, or has a handler for, is
 * left alone.
 */
#ifndef TEMPORARY_H
#define TEMPORARY_H

/* path stays the caller's until temporary_forget(). */
void temporary_remember(const char *path);
void temporary_forget(const char *path);

#endif
