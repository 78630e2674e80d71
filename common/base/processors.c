/* processors: see processors.h. */
#define _GNU_SOURCE			/* sched_getaffinity */
#include "base/processors.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* Reads one or two numbers from groups/name; returns how many there are. */
static int
numbers(const char *groups, const char *name, double *a, double *b)
{
	char path[PATH_MAX];
	FILE *f;
	int n;

	snprintf(path, sizeof(path), "%s/%s", groups, name);
	if (!(f = fopen(path, "r")))
		return 0;
	n = fscanf(f, "%lf %lf", a, b);
	fclose(f);
	return n;
}

/*
 * Version 2 of control groups has "QUOTA PERIOD" or "max PERIOD" in one file, version 1 two files,
 * with a quota of -1 if there is no limit.  A container sees its own group as the topmost one.
 */
int
processors_quota(const char *groups)
{
	double quota = 0, period = 0, unused;

	if (numbers(groups, "cpu.max", &quota, &period) != 2 &&
	    !(numbers(groups, "cpu/cpu.cfs_quota_us", &quota, &unused) == 1 &&
	      numbers(groups, "cpu/cpu.cfs_period_us", &period, &unused) == 1))
		return 0;
	if (!(quota > 0) || !(period > 0) || quota / period > INT_MAX / 2)
		return 0;
	return (int)ceil(quota / period);
}

int
processors_usable(void)
{
	const int quota = processors_quota("/sys/fs/cgroup");
	cpu_set_t set;
	long n = sched_getaffinity(0, sizeof(set), &set) ? sysconf(_SC_NPROCESSORS_ONLN) :
		CPU_COUNT(&set);

	if (quota && quota < n)
		n = quota;
	return n > 1 ? (int)n : 1;
}
