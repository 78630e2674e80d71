/* safetensors: any bytes are refused, or are tensors whose values can be read. */
#include "convert/safetensors.h"
#include "weights.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	fuzz_weights(safetensors_memory, data, n);
	return 0;
}
