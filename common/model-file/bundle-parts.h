/*
 * bundle-parts: the state of a bundle that is being read (bundle.h), for the files of model-file/.
 */
#ifndef BUNDLE_PARTS_H
#define BUNDLE_PARTS_H

#include "model-file/bundle.h"
#include "model-file/member.h"
#include "stream/archive.h"

#define BUNDLE_PIECE ((size_t)16384)	/* bytes read at a time */

struct bundle_in {
	const struct bundle_kind *kind;
	char *name;
	void *mapped;			/* the file mapped into memory, or NULL for a bundle in
					 * memory of the caller */
	const void *bytes;		/* [size] the whole bundle */
	size_t size;
	struct archive_in *in;
	char *map_bytes;
	struct record *map;
	struct member *member;		/* [n] the table of members */
	size_t n, at;			/* at: the row of the next member */
	uint32_t crc, crc_member;	/* CRC-32 of the contents of all earlier members; of those
					 * bytes of the current member that were read */
	size_t counted;			/* number of these bytes of the current member */
	size_t header, done;		/* offset of the header of the next member; number of mapped
					 * bytes whose memory was freed */
	size_t bad_row;			/* first row with an invalid scale in the current i8
					 * parameter, from 1; 0: none */
	real bad_scale;
	enum bundle_fault fault;
};

/*
 * Functions to read the next member, which becomes the current one.  bundle_in_begin() returns its
 * row of the table, or NULL if the archive has a member of another name or size there.
 * bundle_in_take() reads the next n bytes of the contents into p.  bundle_in_check_sum(), called
 * after the last byte, compares the checksum with that of row `m`.  They return 0 or -1.
 */
const struct member *bundle_in_begin(struct bundle_in *b, struct err *e);
int bundle_in_take(struct bundle_in *b, unsigned char *p, size_t n, struct err *e);
int bundle_in_check_sum(const struct bundle_in *b, const struct member *m, struct err *e);

/*
 * Prefixes `e` with the name of the file and a description of b->fault.  For a file of another
 * version, adds a hint with that version and the version of this program.
 */
void bundle_in_name_fault(const struct bundle_in *b, struct err *e);
/*
 * Changes the faults BUNDLE_NEWER and BUNDLE_OLDER to BUNDLE_DAMAGED if the checksum in `end` is
 * wrong, because damage can also produce unknown names and numbers.
 */
void bundle_in_doubt_version(struct bundle_in *b, struct err *e);

#endif
