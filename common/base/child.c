/* child: see child.h. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_TEXT = 1 << 20 };

/* The end of the child, and the signals that ask this process to end, unless they are ignored. */
static void
awaited(sigset_t *set)
{
	static const int number[] = { SIGINT, SIGHUP, SIGTERM, SIGUSR1 };
	struct sigaction now;

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		if (!sigaction(number[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(set, number[i]);
}

/* Returns 0 or an errno.  mask: the signal mask of the child. */
static int
child_start(char *const *argv, int text, enum child_text kind, const sigset_t *mask, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	int bad;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (text >= 0)
		posix_spawn_file_actions_adddup2(&files, text, kind == CHILD_OUTPUT ? STDOUT_FILENO
							       : STDERR_FILENO);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&how, mask);
	bad = posix_spawnp(pid, argv[0], &files, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return bad;
}

/* Reads to the end, so that the child can write everything. */
static void
read_text(int fd, struct buf *text)
{
	ssize_t n;

	buf_clear(text);
	buf_add(text, "", 0);
	do {
		char *p = buf_room(text, BUFSIZ);

		n = read(fd, p, BUFSIZ);
		if (n > 0 && text->n + (size_t)n <= MAX_TEXT)
			text->n += (size_t)n;
		text->data[text->n] = 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
}

/* Waits for the child; signals that arrive meanwhile are raised again, and stay blocked. */
static int
wait_for(pid_t pid, const sigset_t *set)
{
	int status, number;
	pid_t ended;

	while (!(ended = waitpid(pid, &status, WNOHANG))) {
		if (sigwait(set, &number) || number == SIGCHLD)
			continue;
		kill(pid, SIGTERM);
		raise(number);
		ended = waitpid(pid, &status, 0);
		break;
	}
	if (ended < 0)
		bug("cannot wait for process %ld", (long)pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
open_pipe(int end[2], struct err *e)
{
	if (pipe(end))
		return err_system(e, "cannot open a pipe");
	for (int i = 0; i < 2; i++)
		fcntl(end[i], F_SETFD, FD_CLOEXEC);
	return 0;
}

int
child_run(char *const *argv, struct buf *text, enum child_text kind, struct err *e)
{
	sigset_t set, mask;
	int end[2] = { -1, -1 }, status = -1;
	pid_t pid;

	if (text && open_pipe(end, e))
		return -1;
	signal(SIGCHLD, SIG_DFL);
	awaited(&set);
	sigprocmask(SIG_BLOCK, &set, &mask);
	errno = child_start(argv, end[1], kind, &mask, &pid);
	if (errno)
		err_system(e, "cannot run %s", argv[0]);
	else
		status = 0;
	if (text) {
		close(end[1]);
		read_text(end[0], text);
		close(end[0]);
	}
	if (!status)
		status = wait_for(pid, &set);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return status;
}
