/* machine: see machine.h. */
#include <stdio.h>
#include <string.h>

#include "base/machine.h"

/* Linux: "model name\t: NAME" in /proc/cpuinfo. */
const char *
machine_processor(void)
{
	static char name[256];
	FILE *f = *name ? NULL : fopen("/proc/cpuinfo", "r");
	const char *at;

	while (f && fgets(name, sizeof(name), f))
		if (!strncmp(name, "model name", 10) && (at = strchr(name, ':'))) {
			at += 1 + strspn(at + 1, " \t");
			memmove(name, at, strlen(at) + 1);
			name[strcspn(name, "\n")] = '\0';
			fclose(f);
			return name;
		}
	if (f) {
		fclose(f);
		*name = '\0';
	}
	return *name ? name : strcpy(name, "unknown");
}
