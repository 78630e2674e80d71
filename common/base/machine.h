/* machine: the processor's model name. */
#ifndef MACHINE_H
#define MACHINE_H

/* For example "AMD EPYC 7B13"; "unknown" if the system does not report it.  Not thread-safe. */
const char *machine_processor(void);

#endif
