#!/bin/bash
# Two hosts out of network, mount and UTS namespaces, connected by a bridge: ranks over TCP between them.
# usage: hosts.sh FRINGE MPIRUN PLUGIN
set -u
fringe=$1 mpirun=$2
export FRINGE_MPI=$3 OMP_NUM_THREADS=1 NO_COLOR=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if ! { [ -x "$mpirun" ] && [ -f "$FRINGE_MPI" ]; }; then
    echo "skip: no MPI is found (apt-get install libopenmpi-dev openmpi-bin)"
    exit 77
fi
"$mpirun" --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE' || { echo "skip: no MPI is found whose launcher takes an agent (Open MPI)"; exit 77; }
command -v ip >/dev/null || { echo "skip: no ip is found (apt-get install iproute2)"; exit 77; }
if [ "${4:-}" != inside ]; then
    unshare -nm true 2>/dev/null || { echo "skip: no namespaces without being root"; exit 77; }
    exec unshare -nm "$0" "$@" inside
fi

# ---- inside: a bridge, and two hosts on it ----
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -e
mkdir -p /run/netns
mount -t tmpfs none /run/netns
ip link set lo up
ip link add br0 type bridge
ip addr add 10.77.0.254/24 dev br0
ip link set br0 up
for i in 1 2; do
    ip netns add h$i
    ip link add v$i type veth peer name e0 netns h$i
    ip link set v$i master br0 up
    ip -n h$i addr add 10.77.0.$i/24 dev e0
    ip -n h$i link set e0 up
    ip -n h$i link set lo up
done
set +e
# In place of ssh: $1 is a host's address, the rest a command.
cat >"$work/agent" <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=h${1##*.}
shift
exec ip netns exec "$host" unshare -u sh -c "hostname $host; $*"
END
chmod +x "$work/agent"
cd "$work" || exit 1
bad=0
complain() {
    cat log
    echo "FAILED $*"
    bad=1
}
limited() { # COMMAND...: as in mpi_common.sh
    timeout 240 "$@"
}
on_hosts() {
    limited "$mpirun" --mca plm_rsh_agent "$work/agent" --mca btl tcp,self --mca btl_tcp_if_include 10.77.0.0/24 \
        --mca oob_tcp_if_include 10.77.0.0/24 --host 10.77.0.1:2,10.77.0.2:2 -x FRINGE_MPI -x OMP_NUM_THREADS "$@" >log 2>&1
}
graph=kronecker:scale=12,seed=2
"$fringe" bfs $graph -s 5 -q -o one.tsv
on_hosts -n 4 "$fringe" bfs $graph -s 5 --ranks --verify -o four.tsv || complain "four ranks on two hosts"
grep -q '^ranks  *4, 2 on this host' log || complain "the hosts are not distinguished"
cmp <(cut -f1,2 one.tsv) <(cut -f1,2 four.tsv) || complain "levels on two hosts"
on_hosts -n 3 "$fringe" bfs $graph -s 5 --ranks -q : -n 1 "$fringe" bfs $graph -s 5 --ranks -q --max-memory 300K
[ "$(grep -c 'fringe: rank 3 on h2: not enough memory' log)" = 1 ] || complain "the message of the other host"
exit $bad
