/* fast-all: all vector kernels, for the LEVEL that the including file defines. */
#include <math.h>
#include <string.h>

#include "tensor/fast.h"
#include "tensor/int16.h"
#include "tensor/simd.h"

#include "tensor/fast-small.h"
#include "tensor/fast-share.h"
#include "tensor/fast-softmax.h"

#include "tensor/fast-attention.h"
#include "tensor/fast-bf16.h"
#include "tensor/fast-core.h"
#include "tensor/fast-decode.h"
#include "tensor/fast-dropout.h"
#include "tensor/fast-element.h"
#include "tensor/fast-int16.h"
#include "tensor/fast-norm.h"
#include "tensor/fast-norm-relevance.h"
#include "tensor/fast-pack.h"
#include "tensor/fast-pairs.h"
#include "tensor/fast-peak.h"
#include "tensor/fast-tiles.h"
