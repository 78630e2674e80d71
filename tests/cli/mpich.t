#!/bin/sh
# The tests of mpi.t with MPICH, in make check-long only: its launcher adds uncertainties of its own.
if [ -z "${HEED_LONG-}" ]; then echo '1..0 # SKIP HEED_LONG is not set'; exit 0; fi
HEED_MPI=mpich
. "$HEED_TOP/tests/cli/mpi.t"
