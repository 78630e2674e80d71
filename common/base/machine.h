/* machine: the model of the processors, and the number of those that this process may use. */
#ifndef MACHINE_H
#define MACHINE_H

/*
 * For example "AMD EPYC 7B13" or, for ARM, "aarch64, implementer 0x41, part 0xd40"; "unknown" if
 * the system does not report it.  Not thread-safe.
 */
const char *machine_processor(void);

/*
 * The number of processors in the affinity of this process, which taskset(1) or a launcher may have
 * set; at most the quota of its container.  At least 1.
 */
int machine_usable(void);

/*
 * The quota of processor time of a container (docker run --cpus, Kubernetes), in processors and
 * rounded up; 0: there is none.  groups is where control groups are mounted, /sys/fs/cgroup.
 */
int machine_quota(const char *groups);

#endif
