/* machine: the model of the processors, and the number of those that this process may use. */
#ifndef MACHINE_H
#define MACHINE_H

/*
 * Returns the model of the processor, for example "AMD EPYC 7B13" or, for ARM, "aarch64,
 * implementer 0x41, part 0xd40"; "unknown" if the system does not report the model.  Not
 * thread-safe.  The string is static.
 */
const char *machine_processor(void);

/*
 * Returns the number of processors that this process may run on, which taskset(1) or a launcher may
 * have reduced, but at most the quota of the container (machine_limit()).  At least 1.
 */
int machine_usable(void);

/*
 * Returns n, or the container's quota of processors (docker run --cpus, Kubernetes), rounded up, if
 * that is smaller.  `groups` is the folder where control groups are mounted: MACHINE_GROUPS, or
 * another one in tests.
 */
int machine_limit(int n, const char *groups);
#define MACHINE_GROUPS "/sys/fs/cgroup"

#endif
