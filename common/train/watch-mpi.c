/* watch-mpi: see watch-mpi.h. */
#include "train/watch-mpi.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define BUSY_SECONDS 0.2	/* a longer wait leaves the processor to others */
#define NAMES 4				/* number of ranks that a message names */

/* The tag of a note without contents is twice the number of the roll call, plus its kind. */
enum { ROLL, HERE, KINDS };

struct place { char host[MPI_MAX_PROCESSOR_NAME]; int process; };

void
watch_init(struct watch *w, MPI_Comm comm)
{
	struct place mine = { .process = (int)getpid() };
	int length;

	*w = (struct watch){ .comm = comm };
	MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
	MPI_Comm_rank(comm, &w->me);
	MPI_Comm_size(comm, &w->n);
	MPI_Get_processor_name(mine.host, &length);
	w->here = xcalloc((size_t)w->n, sizeof(*w->here));
	w->place = xcalloc((size_t)w->n, sizeof(*w->place));
	MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, w->place, sizeof(mine), MPI_BYTE, comm);
}

void
watch_release(struct watch *w)
{
	free(w->here);
	free(w->place);
}

/* A note that cannot be sent is a note without a reply. */
static void
send_note(const struct watch *w, int rank, int tag)
{
	MPI_Request sent;

	if (MPI_Isend(NULL, 0, MPI_BYTE, rank, tag, w->comm, &sent) == MPI_SUCCESS)
		MPI_Request_free(&sent);
}

/*
 * Takes the notes that have arrived: replies to calls, and marks the ranks that reply to the call
 * of this rank.  Returns whether a lower rank has called.
 */
static bool
take_notes(struct watch *w)
{
	bool lower = false;
	MPI_Status s;
	int there;

	while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &there, &s) == MPI_SUCCESS &&
	       there) {
		MPI_Recv(NULL, 0, MPI_BYTE, s.MPI_SOURCE, s.MPI_TAG, w->comm, MPI_STATUS_IGNORE);
		if (s.MPI_TAG % KINDS == ROLL) {
			send_note(w, s.MPI_SOURCE, s.MPI_TAG + HERE);
			lower |= s.MPI_SOURCE < w->me;
		} else if (s.MPI_TAG / KINDS == w->roll)
			w->here[s.MPI_SOURCE] = true;
	}
	return lower;
}

static void
name_missing(const struct watch *w, struct buf *out)
{
	int missing = 0;

	for (int i = 0; i < w->n; i++) {
		if (w->here[i] || missing++ >= NAMES)
			continue;
		buf_printf(out, "%srank %d (process %d on %s)", out->n ? ", " : "", i,
			   w->place[i].process, w->place[i].host);
	}
	if (missing > NAMES)
		buf_printf(out, " and %d more", missing - NAMES);
}

static NORETURN void
lost(const struct watch *w, const char *why)
{
	struct buf missing = { 0 };
	struct err e;

	name_missing(w, &missing);
	err_silence(false);
	if (missing.n)
		err_set(&e, EXIT_SYSTEM, "no response from %s: %s", missing.data, why);
	else
		err_set(&e, EXIT_SYSTEM, "all %d ranks respond, but %s", w->n, why);
	err_wrap(&e, "rank %d on %s", w->me, w->place[w->me].host);
	err_hint(&e, "the checkpoint is intact; see Interruption in heed-cluster(7)");
	die(&e);
}

/*
 * Waits for the replies to a call of the roll.  Returns if the request completes after all, or if
 * a lower rank calls, which then ends the job; does not return if ranks are missing.
 */
static void
call_roll(struct watch *w, MPI_Request *request, const char *why)
{
	const double end = MPI_Wtime() + ROLL_SECONDS;
	int done = 0;

	memset(w->here, 0, (size_t)w->n * sizeof(*w->here));
	w->here[w->me] = true;
	w->roll++;
	for (int i = 0; i < w->n; i++)
		if (i != w->me)
			send_note(w, i, w->roll * KINDS + ROLL);
	while (MPI_Wtime() < end) {
		if (take_notes(w))
			return;
		if (request && MPI_Test(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
			return;
		usleep(1000);
	}
	lost(w, why);
}

void
watch_check(struct watch *w, int code)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	if (code == MPI_SUCCESS)
		return;
	MPI_Error_string(code, text, &length);
	text[strcspn(text, "\n")] = '\0';
	for (;;)			/* a lower rank that calls ends the job */
		call_roll(w, NULL, text);
}

static bool
is_complete(struct watch *w, MPI_Request *request)
{
	int done = 0;

	watch_check(w, MPI_Test(request, &done, MPI_STATUS_IGNORE));
	return done;
}

void
watch_wait(struct watch *w, MPI_Request *request)
{
	const double start = MPI_Wtime();
	double deadline = start + w->limit, now = start;
	char why[48];

	snprintf(why, sizeof(why), "waited %.0f seconds", w->limit);
	for (; !is_complete(w, request); now = MPI_Wtime()) {
		if (now - start < BUSY_SECONDS) {
			sched_yield();
			continue;
		}
		usleep(100);
		if (take_notes(w))
			deadline = now + w->limit + 2 * ROLL_SECONDS;
		if (w->limit > 0 && now > deadline) {
			call_roll(w, request, why);
			deadline = now + 2 * ROLL_SECONDS;
		}
	}
	w->waited += MPI_Wtime() - start;
}
