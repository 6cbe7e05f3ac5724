# shellcheck shell=bash
# Bare Debian roots for tests, made by mmdebstrap of this machine's release and apt sources; read by the
# scripts that use them. All of it needs root, and mounts only in namespaces of its own.
#   root_refused                  prints why no root can be made here; silent where one can
#   root_make DIR PACKAGES ARG... a root of apt's own packages and PACKAGES (a,b,c); ARGs are mmdebstrap's
#   root_run DIR COMMAND          runs COMMAND in / there without network, with nothing of this machine's environment

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
        mount -t proc proc "$1/proc" && exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LC_ALL=C OMP_WAIT_POLICY=passive sh -c "$2"' _ "$1" "$2" 2>&1
}
