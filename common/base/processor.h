/* processor: the make of the processor, as the system names it. */
#ifndef PROCESSOR_H
#define PROCESSOR_H

/* Such as "AMD EPYC 7B13"; "unknown" where the system does not tell.  Not for threads. */
const char *processor_name(void);

#endif
