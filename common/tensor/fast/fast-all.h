/* fast-all: all vector kernels, under the names of LEVEL() in the including file; see fast.h. */
#include <math.h>
#include <string.h>

#include "tensor/fast/fast.h"
#include "tensor/int16.h"
#include "tensor/int8.h"
#include "tensor/simd.h"

#include "tensor/fast/fast-share.h"
#include "tensor/fast/fast-square.h"

#include "tensor/fast/fast-element.h"
#include "tensor/fast/fast-small.h"
#include "tensor/fast/fast-softmax.h"

#include "tensor/fast/fast-attention.h"
#include "tensor/fast/fast-bf16.h"
#include "tensor/fast/fast-core.h"
#include "tensor/fast/fast-decode.h"
#include "tensor/fast/fast-dots.h"
#include "tensor/fast/fast-dropout.h"
#include "tensor/fast/fast-int16.h"
#include "tensor/fast/fast-int8.h"
#include "tensor/fast/fast-norm-relevance.h"
#include "tensor/fast/fast-norm.h"
#include "tensor/fast/fast-pack.h"
#include "tensor/fast/fast-peak.h"
#include "tensor/fast/fast-tiles.h"
#include "tensor/fast/fast-words.h"
