// Times PIGO (github.com/GT-TDAlg/PIGO) on the same task: an edge list to a sorted symmetric CSR
// without parallel edges. Built by bench/load.py against the user's own copy.
#include <chrono>
#include <cstdio>
#include <string>

#include "pigo.hpp"

int main(int argc, char **argv) {
    using coo = pigo::COO<uint32_t, uint32_t, uint32_t *, true>;
    using csr = pigo::CSR<uint32_t, uint32_t, uint32_t *>;
    for (int run = 0; argc > 1 && run < 5; run++) {
        auto begin = std::chrono::steady_clock::now();
        coo edges{std::string(argv[1]), pigo::EDGE_LIST};
        auto parsed = std::chrono::steady_clock::now();
        csr graph{edges};
        graph.sort();
        csr unique = graph.new_csr_without_dups();
        auto built = std::chrono::steady_clock::now();
        std::printf("pigo: parse %.3f s, load %.3f s, %lld entries\n",
                    std::chrono::duration<double>(parsed - begin).count(),
                    std::chrono::duration<double>(built - begin).count(), (long long)unique.m());
        edges.free();
        graph.free();
        unique.free();
    }
    return argc > 1 ? 0 : 2;
}
