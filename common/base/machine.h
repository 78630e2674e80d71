/* machine: the processor's model name. */
#ifndef MACHINE_H
#define MACHINE_H

/*
 * For example "AMD EPYC 7B13" or, for ARM, "aarch64, implementer 0x41, part 0xd40"; "unknown" if
 * the system does not report it.  Not thread-safe.
 */
const char *machine_processor(void);

#endif
