/* trial-streams: what a search reads from streams: the identity of its data, and scores in logs. */
#ifndef TRIAL_STREAMS_H
#define TRIAL_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"

/*
 * Appends the cksum(1) of a stream as JSON lines, "CRC-LENGTH": of all fields of all records in
 * their order, but not of the header, which has the commands that made the stream.
 */
int stream_cksum(const char *path, struct buf *out, struct err *e) MUST_USE;

/*
 * The best value of a field in the log of a training, as text in `score`, which is empty without a
 * finite value.  Stores the engine of the training (model/engine.h), 0 if it is unknown.
 */
int log_best(const char *path, const char *field, bool highest, struct buf *score,
	     int64_t *engine, struct err *e) MUST_USE;

#endif
