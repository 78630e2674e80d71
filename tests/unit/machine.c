/* machine: quotas of both versions of control groups, in C and in the pipeline's script. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/machine.h"

static char folder[64], command[256];

static void
write_file(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_non_null(f = fopen(path, "w"));
	fputs(text, f);
	fclose(f);
}

static int
open_folder(void **state)
{
	char path[128];

	(void)state;
	strcpy(folder, "/tmp/heed-processors-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	write_file("nproc", "#!/bin/sh\necho 8\n");
	snprintf(path, sizeof(path), "%s/nproc", folder);
	if (chmod(path, 0700))
		return -1;
	snprintf(path, sizeof(path), "%s/cpu", folder);
	return mkdir(path, 0700);
}

static int
close_folder(void **state)
{
	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

/* What the script prints if nproc(1) prints 8. */
static int
script(void)
{
	int n = -1;
	FILE *f;

	snprintf(command, sizeof(command),
		 "PATH=\"%s:$PATH\" sh \"$HEED_TOP/src/papers/processors.sh\" %s", folder, folder);
	assert_non_null(f = popen(command, "r"));
	assert_int_equal(fscanf(f, "%d", &n), 1);
	pclose(f);
	return n;
}

/* Eight processors are limited to this number. */
static void
check(int limit)
{
	assert_int_equal(machine_limit(8, folder), limit);
	if (getenv("HEED_TOP"))
		assert_int_equal(script(), limit);
}

static void
version_2(void **state)
{
	(void)state;
	check(8);
	write_file("cpu.max", "100000 100000\n");
	check(1);
	write_file("cpu.max", "100001 100000\n");
	check(2);
	write_file("cpu.max", "6400000 100000\n");
	check(8);
	write_file("cpu.max", "max 100000\n");
	check(8);
	write_file("cpu.max", "50000 100000\n");
	check(1);
	write_file("cpu.max", "");
	check(8);
}

static void
version_1(void **state)
{
	(void)state;
	write_file("cpu/cpu.cfs_quota_us", "-1\n");
	write_file("cpu/cpu.cfs_period_us", "100000\n");
	check(8);
	write_file("cpu/cpu.cfs_quota_us", "40000\n");
	check(1);
	write_file("cpu/cpu.cfs_quota_us", "250000\n");
	check(3);
	write_file("cpu/cpu.cfs_period_us", "0\n");
	check(8);
}

static void
at_least_one_is_usable(void **state)
{
	(void)state;
	assert_in_range(machine_usable(), 1, sysconf(_SC_NPROCESSORS_ONLN));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(version_2, open_folder, close_folder),
		cmocka_unit_test_setup_teardown(version_1, open_folder, close_folder),
		cmocka_unit_test(at_least_one_is_usable),
	};

	return cmocka_run_group_tests_name("usable processors", tests, NULL, NULL);
}
