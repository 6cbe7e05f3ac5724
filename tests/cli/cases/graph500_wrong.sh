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

# Kernel 1: a list that reaches the builder with an edge changed.
cat >change.c <<'END'
#include <dlfcn.h>
#include <fringe.h>
fr_status fr_graph_from_edges(fr_ctx *ctx, int32_t n, int64_t m, const int32_t *src, const int32_t *dst,
                              const void *weights, fr_type type, const fr_load_options *options, fr_graph **out) {
    fr_status (*real)(fr_ctx *, int32_t, int64_t, const int32_t *, const int32_t *, const void *, fr_type,
                      const fr_load_options *, fr_graph **);
    *(void **)&real = dlsym(RTLD_NEXT, "fr_graph_from_edges");
    for (int64_t i = 0; i < m; i++)
        CHANGE;
    return real(ctx, n, m, src, dst, weights, type, options, out);
}
END
changed() { # CHANGE THREADS ARGS...
    cc -D_GNU_SOURCE -DCHANGE="$1" -shared -fPIC -I"$headers" -o change.so change.c -ldl || exit 77
    LD_PRELOAD=$PWD/change.so "$FRINGE" graph500 --scale 8 --seed 1 --threads "$2" --sources 1 "${@:3}" 2>&1
    echo "exit $?"
}
for threads in 1 2; do
    changed 'if (src[i] == 100) ((int32_t *)dst)[i] = 100' $threads --problem bfs
    changed 'if (src[i] == 100) ((int32_t *)dst)[i] ^= 1' $threads --problem bfs
    changed 'if (src[i] == 100) ((float *)weights)[i] = 0' $threads --problem sssp
    changed 'if (src[i] == 100) ((float *)weights)[i] = 2' $threads --problem sssp
done
