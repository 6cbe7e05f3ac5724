# shellcheck shell=bash
# Bare Debian roots for tests, made by mmdebstrap of this machine's release and apt sources; read by the
# scripts that use them. All of it needs root, and mounts only in namespaces of its own.
#   root_refused                  prints why no root can be made here; silent where one can
#   root_make DIR PACKAGES ARG... a root of apt's own packages and PACKAGES (a,b,c); ARGs are mmdebstrap's
#   root_run DIR COMMAND          runs COMMAND in / there without network, with nothing of this machine's environment
#   emulate_begin DIR             lets programs of 64-bit Arm run by the qemu of the root DIR, in a user namespace of their
#                                 own, so that this machine's table of binary formats stays as it is; Linux 6.7 or later
#   emulate FUNCTION ARG...       root_make or root_run there
#   emulate_end

root_refused() {
    [ "$(id -u)" = 0 ] || { echo "only root can make a bare Debian"; return; }
    command -v mmdebstrap >/dev/null || { echo "mmdebstrap is not installed"; return; }
    [ "$(. /etc/os-release && echo "$ID")" = debian ] || { echo "this is not Debian"; return; }
    unshare --net --mount --pid --fork true 2>/dev/null || { echo "this container may not make namespaces"; return; }
    [ -n "$(root_sources)" ] || echo "no file of apt's sources names this release"
}

root_sources() { # the files of apt's sources that name this release, a line each
    local codename
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    grep -lsE "(^|[[:space:]])$codename([[:space:]]|\$)" /etc/apt/sources.list \
        /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources
}

root_make() {
    local directory=$1 packages=$2 log=$1.log sources
    shift 2
    mapfile -t sources < <(root_sources)
    apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-|Retries)' >"$directory.aptopt"
    unshare --mount --pid --fork --kill-child mmdebstrap --quiet --variant=minbase --include="$packages" \
        --aptopt="$directory.aptopt" --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' "$@" \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$directory" "${sources[@]}" >"$log" 2>&1 ||
        { tail -20 "$log"; return 1; }
}

root_run() {
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare --net --mount --pid --fork bash -c '
        mount -t proc proc "$1/proc" && mkdir -p "$1/dev/pts" &&
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" && ln -sf pts/ptmx "$1/dev/ptmx" &&
        mkdir -p "$1/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" &&
        exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LC_ALL=C sh -c "$2"' _ "$1" "$2" 2>&1
}

emulate_begin() {
    local formats=/proc/sys/fs/binfmt_misc holder
    # the rights in a namespace come with entering it once its users are mapped; the first process only holds it
    unshare --user sleep infinity &
    holder=$!
    until [ "$(readlink /proc/$holder/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do
        kill -0 $holder || return 1
        sleep 0.1
    done
    echo 0 0 65536 >/proc/$holder/uid_map && echo 0 0 65536 >/proc/$holder/gid_map || return 1
    # shellcheck disable=SC2016 # the inner shell expands it
    nsenter --user -t $holder unshare --mount sh -c 'mount -t binfmt_misc binfmt_misc $1 &&
        sed "s|:/usr/[^:]*:\([A-Z]*\)\$|:$0/usr/bin/qemu-aarch64-static:\1|" "$0/usr/lib/binfmt.d/qemu-aarch64.conf" >$1/register &&
        exec sleep infinity' "$1" $formats &
    emulator=$!
    until nsenter --user --mount -t $emulator test -e $formats/qemu-aarch64 2>/dev/null; do
        kill -0 $emulator || break
        sleep 0.1
    done
    kill $holder
    kill -0 $emulator
}

emulate() {
    # shellcheck disable=SC2016 # the inner shell expands it
    nsenter --user --mount -t "$emulator" bash -c 'cd "$0" && . tools/debian_root.sh && "$@"' "$PWD" "$@"
}

emulate_end() { kill "$emulator"; }
