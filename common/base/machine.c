/* machine: see machine.h. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/machine.h"

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
