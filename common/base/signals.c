/* signals: see signals.h. */
#include "base/signals.h"

#include <signal.h>
#include <string.h>

#include "base/err.h"

static volatile sig_atomic_t caught;

static void
remember(int number)
{
	caught = number;
}

void
signals_catch(void)
{
	struct sigaction a;

	memset(&a, 0, sizeof(a));
	sigemptyset(&a.sa_mask);
	a.sa_handler = remember;
	a.sa_flags = SA_RESTART;
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGUSR1, &a, NULL);
	a.sa_handler = SIG_DFL;
	sigaction(SIGPIPE, &a, NULL);
}

int
signals_caught(void)
{
	return caught;
}

void
signals_warn(int number, int64_t updates, const char *checkpoint)
{
	if (checkpoint)
		warn("stopped by signal %d after update %lld; the same command resumes from %s",
		     number, (long long)updates, checkpoint);
	else
		warn("stopped by signal %d after update %lld; nothing is saved without "
		     "--checkpoint", number, (long long)updates);
}
