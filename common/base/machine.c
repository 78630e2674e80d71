/* machine: see machine.h. */
#define _GNU_SOURCE			/* sched_getaffinity */
#include "base/machine.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Linux: "key\t: VALUE" in /proc/cpuinfo.  Returns "" at value if no line has this key. */
static void
cpuinfo(const char *key, char *value, size_t n)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[512];
	const char *at;

	*value = '\0';
	while (f && !*value && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, key, strlen(key)) && (at = strchr(line, ':')))
			snprintf(value, n, "%s", at + 1 + strspn(at + 1, " \t"));
	}
	if (f)
		fclose(f);
}

/* Processors with the ARM architecture have numbers instead of a name. */
static void
numbers(char *name, size_t n)
{
	char implementer[32], part[32];
	struct utsname u;

	cpuinfo("CPU implementer", implementer, sizeof(implementer));
	cpuinfo("CPU part", part, sizeof(part));
	if (*implementer && *part && !uname(&u))
		snprintf(name, n, "%s, implementer %s, part %s", u.machine, implementer, part);
}

const char *
machine_processor(void)
{
	static char name[256];

	if (*name)
		return name;
	cpuinfo("model name", name, sizeof(name));
	if (!*name)
		numbers(name, sizeof(name));
	return *name ? name : strcpy(name, "unknown");
}

/* Reads one or two numbers from groups/name; returns how many there are. */
static int
read_numbers(const char *groups, const char *name, double *a, double *b)
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
machine_limit(int n, const char *groups)
{
	double quota = 0, period = 0, unused;

	if (read_numbers(groups, "cpu.max", &quota, &period) != 2 &&
	    !(read_numbers(groups, "cpu/cpu.cfs_quota_us", &quota, &unused) == 1 &&
	      read_numbers(groups, "cpu/cpu.cfs_period_us", &period, &unused) == 1))
		return n;
	return quota > 0 && period > 0 ? (int)fmin(ceil(quota / period), n) : n;
}

int
machine_usable(void)
{
	cpu_set_t set;
	const long n = sched_getaffinity(0, sizeof(set), &set) ? sysconf(_SC_NPROCESSORS_ONLN) :
		CPU_COUNT(&set);

	return machine_limit(n > 1 ? (int)n : 1, MACHINE_GROUPS);
}
