/* kernels-dots: see dots.h.  struct tile_kernels has the kernels for bytes. */
#include "tensor/dots.h"

#include "tensor/fast/fast.h"

void
k_dots(const struct dots *d)
{
	FASTEST(k_dots)(d);
}
