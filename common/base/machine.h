/* machine: the make of the processor, as the system names it. */
#ifndef MACHINE_H
#define MACHINE_H

/* Such as "AMD EPYC 7B13"; "unknown" where the system does not tell.  Not for threads. */
const char *machine_processor(void);

#endif
