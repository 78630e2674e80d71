/* bundle-parts: the internals of a bundle that is read, for the files of this folder. */
#ifndef BUNDLE_PARTS_H
#define BUNDLE_PARTS_H

#include "model-file/bundle.h"
#include "model-file/member.h"
#include "stream/archive.h"

#define BUNDLE_PIECE ((size_t)16384)	/* bytes read at a time */

struct bundle_in {
	const struct bundle_kind *kind;
	char *name;
	void *mapped;			/* the mapped file, if it was opened here; or NULL */
	const void *bytes;		/* [size] the contents */
	size_t size;
	struct archive_in *in;
	char *map_bytes;
	struct record *map;
	struct member *member;		/* [n] the table */
	size_t n, at;			/* at: the next row */
	uint32_t crc, crc_member;	/* of the members before; of the bytes of the current one so
					 * far */
	size_t counted;			/* bytes of crc_member */
	size_t header, done;		/* offset of the next header; bytes given back */
	size_t bad_row;			/* i8: the first with a wrong scale, from 1, or 0 */
	real bad_scale;
	enum bundle_fault fault;
};

/*
 * Functions for the current member.  bundle_in_begin() begins the member in the next row of the
 * table, and returns NULL if the archive has another member there.  bundle_in_take() reads its next
 * n bytes.  After the last byte, bundle_in_check_sum() compares the checksum with that of the
 * table.
 */
const struct member *bundle_in_begin(struct bundle_in *b, struct err *e);
int bundle_in_take(struct bundle_in *b, unsigned char *p, size_t n, struct err *e);
int bundle_in_check_sum(const struct bundle_in *b, const struct member *m, struct err *e);

/* Prefixes an error with the name of the file and its fault, with the versions if they differ. */
void bundle_in_name_fault(const struct bundle_in *b, struct err *e);
/*
 * Changes the faults BUNDLE_NEWER and BUNDLE_OLDER to BUNDLE_DAMAGED if the checksum of the file is
 * wrong: an unknown name or number is then probably a damaged one.
 */
void bundle_in_doubt_version(struct bundle_in *b, struct err *e);

#endif
