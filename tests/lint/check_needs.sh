#!/bin/bash
# Where a dependency is missing, CMake names its Debian package. usage: check_needs.sh SOURCE_DIR
set -u
source=$1 bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/path"
for tool in cmake ninja uname sh; do ln -s "$(command -v $tool)" "$work/path/$tool"; done

search=$PATH

# Configures with the programs of $search and expects a refusal.
refuses() { # WORDS CMAKE_ARGS...
    local words=$1
    shift
    if PATH=$search cmake -S "$source" -B "$work/build" -G Ninja -DFRINGE_CUDA=OFF "$@" >"$work/log" 2>&1; then
        echo "nothing is missing with $*"
        bad=1
    elif ! tr -s ' \n' ' ' <"$work/log" | grep -qF -- "$words"; then
        cat "$work/log"
        echo "it does not say \"$words\" with $*"
        bad=1
    fi
    rm -rf "$work/build"
}

library=$(realpath "$(dirname "$(cc -print-file-name=libjansson.so)")")
search=$work/path
refuses 'apt-get install gcc libc6-dev'
echo 'set(CMAKE_C_COMPILER no-such-cc)' >"$work/toolchain.cmake" # which may name one for another processor
refuses 'no-such-cc' -DCMAKE_TOOLCHAIN_FILE="$work/toolchain.cmake"
search=$PATH
refuses 'apt-get install gcc' -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
refuses 'apt-get install libarchive-dev' -DCMAKE_DISABLE_FIND_PACKAGE_LibArchive=ON
refuses 'apt-get install libjansson-dev' -DFRINGE_ARCHIVE=OFF -DCMAKE_IGNORE_PATH=/usr/include
refuses 'apt-get install libcmocka-dev' -DFRINGE_ARCHIVE=OFF -DJANSSON="$library/libjansson.so" \
    -DOpenMP_pthread_LIBRARY="$library/libpthread.a" -DCMAKE_IGNORE_PATH="$library;${library#/usr}"
refuses 'FRINGE_CUDA is AUTO, GPU, ON or OFF, not yes' -DFRINGE_CUDA=yes
refuses 'FRINGE_GPU_STRATEGIES is all or auto, not some' -DFRINGE_GPU_STRATEGIES=some
refuses 'FRINGE_GPU_STRATEGIES=auto goes with FRINGE_TESTS=OFF' -DFRINGE_GPU_STRATEGIES=auto
refuses 'FRINGE_CUDA is ON and the GPU strategies cannot be built: not with sanitizers' \
    -DFRINGE_CUDA=ON -DFRINGE_SANITIZE=address
exit $bad
