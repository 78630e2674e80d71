#!/bin/sh
# The tests of mpi.t with MPICH.
HEED_MPI=mpich
. "$HEED_TOP/tests/cli/mpi.t"
