/* machine: the model of the processors, and the number of those that this process may use. */
#ifndef MACHINE_H
#define MACHINE_H

/*
 * The model of the processor, for example "AMD EPYC 7B13" or, for ARM, "aarch64, implementer 0x41,
 * part 0xd40"; "unknown" if the system does not report it.  Not thread-safe.
 */
const char *machine_processor(void);

/*
 * The number of processors in the affinity of this process, which taskset(1) or a launcher may have
 * set; at most the quota of its container.  At least 1.
 */
int machine_usable(void);

/*
 * n processors, or fewer if the container has a smaller quota of processor time (docker run --cpus,
 * Kubernetes), which is rounded up.  `groups` is where control groups are mounted.
 */
int machine_limit(int n, const char *groups);
#define MACHINE_GROUPS "/sys/fs/cgroup"

#endif
