#!/bin/bash
# Ranks started by Slurm: a cluster of two nodes on this host, whose daemons see only a loopback interface of
# their own and end with the script; then srun with every MPI that is found and every way to start it.
# usage: slurm.sh FRINGE PLUGIN SOURCE_DIR
set -u
fringe=$1 plugin=$2 source=$3
export OMP_NUM_THREADS=1 NO_COLOR=1
for name in ip slurmctld slurmd munged srun; do
    command -v $name >/dev/null || { echo "skip: no $name is found (apt-get install slurmctld slurmd slurm-client munge iproute2)"; exit 77; }
done
if [ "${4:-}" != inside ]; then
    unshare -nmup true 2>/dev/null || { echo "skip: no namespaces without being root"; exit 77; }
    exec unshare -nmup --fork --kill-child --mount-proc "$0" "$@" inside
fi

# ---- inside: a network of one loopback interface, in which the daemons are the only processes ----
set -e
ip link set lo up
ip link add br0 type bridge # getaddrinfo finds no address, not even 127.0.0.1, where there is only loopback
ip addr add 10.77.0.1/24 dev br0
ip link set br0 up
hostname head
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
echo "127.0.0.1 localhost head node1 node2" >hosts
mount --bind hosts /etc/hosts
set +e
export SLURM_CONF=$work/slurm.conf
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=head(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
TmpFS=$work/tmp-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmctldPort=16817
NodeName=node[1-2] NodeHostname=head NodeAddr=127.0.0.1 Port=[16818-16819] CPUs=4
PartitionName=all Nodes=ALL Default=YES
END
fail() {
    tail -n 20 ./*.log
    echo "FAILED $*"
    exit 1
}
mkdir state tmp-node1 tmp-node2
(umask 077 && head -c 128 /dev/urandom >munge.key)
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
    --log-file="$work/munge.log" --seed-file="$work/munge.seed" || fail "munged does not start"
slurmctld || fail "slurmctld does not start"
slurmd -N node1 || fail "slurmd does not start"
slurmd -N node2 || fail "slurmd does not start"
for _ in $(seq 60); do
    [ "$(sinfo -h -t idle -o %D)" = 2 ] && break
    sleep 0.5
done
[ "$(sinfo -h -t idle -o %D)" = 2 ] || fail "the nodes are not idle: $(sinfo -h)"

# ---- srun ----
bad=0
complain() {
    cat log
    echo "FAILED $*"
    bad=1
}
ranks() { # MPI-OF-SRUN ARGS...: of fringe, four ranks on both nodes
    local how=$1
    shift
    timeout 60 srun -N 2 -n 4 --mpi="$how" "$fringe" "$@" --ranks >log 2>&1
}
refused() { # WORD: the last command exited with 2, and its message has the word
    [ $? = 2 ] && grep -q -e "$1" log
}
check() { # NAME MPI-OF-SRUN
    ranks "$2" bfs $graph -s 5 -q --verify -o out.tsv || complain "$1: bfs"
    cmp <(cut -f1,2 bfs.tsv) <(cut -f1,2 out.tsv) || complain "$1: levels"
    ranks "$2" sssp $graph --weights $weights -s 5 -q --verify -o out.tsv || complain "$1: sssp"
    cmp <(cut -f1,2 sssp.tsv) <(cut -f1,2 out.tsv) || complain "$1: distances"
    ranks "$2" graph500 --scale 8 --sources 4 || complain "$1: graph500"
    timeout 60 srun -N 2 -n 4 --mpi="$2" "$fringe" bfs $graph -s 5 >log 2>&1
    refused --ranks || complain "$1: several ranks without --ranks"
    echo "ran: $1, srun --mpi=$2"
}
graph=kronecker:scale=10,seed=2
weights=random:1,255
"$fringe" bfs $graph -s 5 -q -o bfs.tsv || exit 1
"$fringe" sssp $graph --weights $weights -s 5 -q -o sssp.tsv || exit 1
export FRINGE_MPI=$plugin
if [ -f "$plugin" ] && srun --mpi=list 2>&1 | grep -q pmix; then check "Open MPI" pmix; fi
if command -v mpicc.mpich >/dev/null; then
    mpicc.mpich -shared -fPIC -O2 -D_GNU_SOURCE -I"$source/include" -I"$source/src" -o mpich.so \
        "$source/plugins/fringe_mpi.c" || exit 1
    export FRINGE_MPI=$work/mpich.so
    check MPICH pmi2
    ranks none bfs $graph -s 5 # starts four that are not connected
    refused --mpi=pmi2 || complain "MPICH: ranks that are not connected"
fi
exit $bad
