#!/bin/bash
# Installs below a temporary prefix, moves the prefix, and builds the README's example against what
# was installed: through pkg-config, and through find_package with either library. Then examples/.
# usage: check_install.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/moved
cmake --install "$build" --prefix "$work/prefix" >"$work/log"
mv "$work/prefix" "$prefix"
cd "$work"

lib=$(dirname "$(find "$prefix" -name libfringe.so)")
for file in "$lib/libfringe.a" "$prefix"/include/fringe{,_measures,_ranks,_tune}.h; do
    [ -f "$file" ] || { echo "not installed: $file"; exit 1; }
done
strays=$(nm -D --defined-only "$lib/libfringe.so" | awk '$3 !~ /^fr_/ && $2 ~ /[TDBR]/ { print $3 }')
[ -z "$strays" ] || { echo "exported, but not the library's own names:" "$strays"; exit 1; }

"$source/tools/readme_part.sh" c >example.c
lines=$(wc -l <example.c)
[ "$lines" -gt 10 ] && [ "$lines" -le 30 ] || { echo "the README's example has $lines lines"; exit 1; }
printf 'p sp 4 3\na 1 2 5\na 2 3 5\na 3 4 5\n' >path.gr

runs() { # PROGRAM: it reads the path of four vertices and finds depth 3
    local said
    said=$(LD_LIBRARY_PATH=$lib "$1" path.gr)
    case $said in *"depth 3"*) echo "$1: $said" ;; *) echo "$1 said: $said"; exit 1 ;; esac
}

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$lib/pkgconfig
    # README's own line; what it makes needs no LD_LIBRARY_PATH
    cp example.c depth.c
    eval "$("$source/tools/readme_part.sh" cc) -Wall -Wextra -Wpedantic -Werror"
    env -u LD_LIBRARY_PATH ./a.out path.gr | grep 'depth 3'
    # shellcheck disable=SC2046 # words
    cc -o by_static example.c $(pkg-config --cflags fringe) "$lib/libfringe.a" \
        $(pkg-config --static --libs-only-l --libs-only-other fringe | sed 's/-lfringe//')
    runs ./by_static
else
    echo "skip: pkg-config is not installed, the half that uses it is left out"
fi

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(fringe 0.3 REQUIRED COMPONENTS static)
add_executable(shared example.c)
target_link_libraries(shared fringe::fringe)
add_executable(static example.c)
target_link_libraries(static fringe::fringe_static)
END
cmake -S . -B b -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 || { cat cmake.log; exit 1; }
cmake --build b >cmake.log 2>&1 || { cat cmake.log; exit 1; }
runs b/shared
runs b/static

# The examples build outside of fringe's tree, too.
cmake -S "$source/examples" -B examples -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 || { cat cmake.log; exit 1; }
cmake --build examples >cmake.log 2>&1 || { cat cmake.log; exit 1; }
examples/negative_cycle | grep "gains" || { echo "the installed example found no cycle"; exit 1; }

if command -v c++ >/dev/null; then # the header also serves C++
    echo '#include <fringe_tune.h>
    int main() {
        fr_tuning tuning = FR_INIT(fr_tuning);
        return fr_version()[0] != 48 || tuning.struct_size != sizeof tuning;
    }' >user.cpp
    c++ -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -o user user.cpp -L"$lib" -lfringe
    LD_LIBRARY_PATH=$lib ./user
else
    echo "skip: no C++ compiler, the header is not tried with one"
fi

if [ -x "$prefix/bin/fringe" ]; then
    LD_LIBRARY_PATH=$lib "$prefix/bin/fringe" --version
    [ -f "$prefix/share/man/man1/fringe.1" ] || { echo "no manual was installed"; exit 1; }
    while read -r page; do
        [ -f "$prefix/share/man/man1/$page.1" ] || { echo "$page has no manual"; exit 1; }
    done < <(sed -nE '/^\.BR fringe/ { s/\\//g; s/.BR (.*) \(1\)$/\1/p }' "$prefix/share/man/man1/fringe.1")
    for file in bash-completion/completions/fringe zsh/site-functions/_fringe fish/vendor_completions.d/fringe.fish; do
        grep -q centrality "$prefix/share/$file" || { echo "no completion was installed as share/$file"; exit 1; }
    done
fi
