#!/bin/sh
# The end of `make install`: what was installed, and the lines that a shell needs to find it; none where it finds all.
# Programs that are built through pkg-config or CMake find the library by their rpath (cmake/install.cmake).
# usage: tools/installed.sh PREFIX MANIFEST
set -eu
prefix=$1 manifest=$2
pc=$(sed -n 's|/fringe\.pc$||p' "$manifest")
searched=$(pkg-config --variable pc_path pkg-config 2>/dev/null || echo /usr/local/lib/pkgconfig)

needs() { # LIST FOLDER: the list, as PATH is one, lacks the folder
    case :$1: in *":$2:"*) false ;; esac
}

echo "installed: $prefix/bin/fringe and its manuals, $prefix/include/fringe.h, ${pc%/pkgconfig}/libfringe.so"
if needs "$PATH" "$prefix/bin"; then
    echo "  export PATH=$prefix/bin:\$PATH    # \`fringe\`, man fringe"
fi
if needs "${PKG_CONFIG_PATH:-}:$searched" "$pc"; then
    echo "  export PKG_CONFIG_PATH=$pc    # cc FILE \$(pkg-config --cflags --libs fringe)"
fi
