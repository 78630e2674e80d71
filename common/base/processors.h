/* processors: how many processors this process may use. */
#ifndef PROCESSORS_H
#define PROCESSORS_H

/*
 * The processors of the process's affinity, which taskset(1) or a launcher may have set; at most
 * the quota of its container.  At least 1.
 */
int processors_usable(void);

/*
 * The quota of processor time of a container (docker run --cpus, Kubernetes), in processors and
 * rounded up; 0: there is none.  groups is where control groups are mounted, /sys/fs/cgroup.
 */
int processors_quota(const char *groups);

#endif
