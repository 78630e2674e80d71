/*
 * libarchive: the functions of libarchive, which is loaded when libarchive() is first called
 * (base/library.h).  A function is called as in libarchive()->archive_read_new().
 */
#ifndef LIBARCHIVE_H
#define LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#include "base/library.h"

#define LIBARCHIVE_FUNCTIONS(F) \
	F(archive_entry_copy_pathname) \
	F(archive_entry_filetype) \
	F(archive_entry_free) \
	F(archive_entry_hardlink) \
	F(archive_entry_hardlink_utf8) \
	F(archive_entry_new) \
	F(archive_entry_nlink) \
	F(archive_entry_pathname) \
	F(archive_entry_pathname_utf8) \
	F(archive_entry_set_filetype) \
	F(archive_entry_set_mtime) \
	F(archive_entry_set_perm) \
	F(archive_entry_set_size) \
	F(archive_entry_size) \
	F(archive_entry_size_is_set) \
	F(archive_error_string) \
	F(archive_filter_bytes) \
	F(archive_format) \
	F(archive_read_data) \
	F(archive_read_free) \
	F(archive_read_new) \
	F(archive_read_next_header) \
	F(archive_read_open) \
	F(archive_read_support_filter_bzip2) \
	F(archive_read_support_filter_gzip) \
	F(archive_read_support_filter_lzma) \
	F(archive_read_support_filter_xz) \
	F(archive_read_support_filter_zstd) \
	F(archive_read_support_format_7zip) \
	F(archive_read_support_format_ar) \
	F(archive_read_support_format_cpio) \
	F(archive_read_support_format_empty) \
	F(archive_read_support_format_raw) \
	F(archive_read_support_format_tar) \
	F(archive_read_support_format_zip) \
	F(archive_set_error) \
	F(archive_write_add_filter_zstd) \
	F(archive_write_close) \
	F(archive_write_data) \
	F(archive_write_free) \
	F(archive_write_header) \
	F(archive_write_new) \
	F(archive_write_open) \
	F(archive_write_set_bytes_in_last_block) \
	F(archive_write_set_bytes_per_block) \
	F(archive_write_set_format_pax_restricted) \
	F(archive_write_set_format_raw) \
	F(archive_write_set_format_zip) \
	F(archive_write_set_options) \
	F(archive_write_zip_set_compression_store)

struct libarchive { LIBARCHIVE_FUNCTIONS(LIBRARY_MEMBER) };

/* Returns the functions.  Exits with EXIT_SYSTEM if libarchive cannot be loaded. */
const struct libarchive *libarchive(void);

#endif
