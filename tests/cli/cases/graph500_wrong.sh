#!/bin/bash
# Exit 1, no results: a library that stands before fringe's spoils the parent of the first key.
command -v cc >/dev/null || { echo "skip: no compiler"; exit 77; }
ldd "$FRINGE" | grep -q asan && { echo "skip: AddressSanitizer wants to stand first itself"; exit 77; }
cat >spoil.c <<'END'
#include <dlfcn.h>
#include <fringe.h>
fr_status fr_solve(fr_solver *solver, const fr_query *query, fr_result *result) {
    static fr_status (*real)(fr_solver *, const fr_query *, fr_result *);
    static int calls;
    *(void **)&real = dlsym(RTLD_NEXT, "fr_solve");
    fr_status status = real(solver, query, result);
    if (!status && result->PART && ++calls == 3) /* after the warm-up and a right answer */
        SPOIL;
    return status;
}
END
headers=$(dirname "$0")/../../../include
spoiled() { # PART SPOIL ARGS...: runs graph500 with it
    cc -D_GNU_SOURCE -DPART="$1" -DSPOIL="$2" -shared -fPIC -I"$headers" -o spoil.so spoil.c -ldl || exit 77
    LD_PRELOAD=$PWD/spoil.so "$FRINGE" graph500 --scale 8 --seed 1 --backend cpu --threads 1 "${@:3}" 2>&1
    echo "exit $?"
}
spoiled parent 'result->parent[query->sources[0]] ^= 1' --problem bfs --strategy serial
spoiled level 'result->level[query->sources[0]]++' --problem bfs --strategy serial --json
spoiled dist '((float *)result->dist)[query->sources[0] ^ 1] += 1' --problem sssp --strategy dijkstra
