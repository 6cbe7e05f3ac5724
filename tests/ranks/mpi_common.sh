# shellcheck shell=bash disable=SC2034 # the scripts use the variables
# The beginning of the tests over MPI on one host; they source it with their own arguments. It skips where there is
# no MPI, enters a temporary folder, and defines how ranks are started and failures are counted.
# FRINGE MPIRUN PLUGIN ...
fringe=$1 mpirun=$2
export FRINGE_MPI=$3 OMP_NUM_THREADS=1 NO_COLOR=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
if ! { [ -x "$mpirun" ] && [ -f "$FRINGE_MPI" ]; }; then
    echo "skip: no MPI is found (apt-get install libopenmpi-dev openmpi-bin)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
complain() {
    echo "FAILED $*"
    bad=1
}
limited() { # COMMAND...: well within the 600 s for which a rank waits, and enough for a busy machine
    timeout 240 "$@"
}
ranks() { # NUMBER ARGS...: of fringe, --ranks
    local n=$1
    shift
    limited "$mpirun" -n "$n" "$fringe" "$@" --ranks
}
