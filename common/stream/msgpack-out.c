/* msgpack-out: see msgpack-out.h. */
#include "stream/msgpack-out.h"

#include <msgpack.h>
#include <string.h>

static int
mp_put_add(void *b, const char *p, size_t n)
{
	buf_add(b, p, n);
	return 0;
}

static msgpack_packer
packer(struct buf *b)
{
	msgpack_packer pk;

	msgpack_packer_init(&pk, b, mp_put_add);
	return pk;
}

void
mp_put_nil(struct buf *b)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_nil(&pk);
}

void
mp_put_bool(struct buf *b, bool v)
{
	msgpack_packer pk = packer(b);

	if (v)
		msgpack_pack_true(&pk);
	else
		msgpack_pack_false(&pk);
}

void
mp_put_int(struct buf *b, int64_t v)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_int64(&pk, v);
}

void
mp_put_uint(struct buf *b, uint64_t v)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_uint64(&pk, v);
}

void
mp_put_float(struct buf *b, double v)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_double(&pk, v);
}

void
mp_put_single(struct buf *b, float v)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_float(&pk, v);
}

void
mp_put_str(struct buf *b, const char *s, size_t n)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_str(&pk, n);
	buf_add(b, s, n);
}

void
mp_put_text(struct buf *b, const char *s)
{
	mp_put_str(b, s, strlen(s));
}

void
mp_put_bin(struct buf *b, const void *p, size_t n)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_bin(&pk, n);
	buf_add(b, p, n);
}

void
mp_put_array(struct buf *b, size_t n)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_array(&pk, n);
}

void
mp_put_map(struct buf *b, size_t n)
{
	msgpack_packer pk = packer(b);

	msgpack_pack_map(&pk, n);
}
