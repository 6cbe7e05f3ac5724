/* What a file system takes from one process: GB/s of each way to write a fresh file, compared with memcpy.
 * usage: bench_write FOLDER [MIB [THREADS]]     /dev/shm for memory-backed files
 *
 * One buffer per thread is written again and again, as `fringe bfs -o` does (src/io/result_rows.c);
 * the formatting of the numbers is left out. */
#include "micro.h"

#include <fcntl.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 19, REPEATS = 5 };

typedef struct job {
    int fd, threads;
    int64_t pieces;
} job;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static char *make_piece(void) {
    char *piece = malloc(PIECE);
    if (!piece)
        fail("malloc");
    memset(piece, 7, PIECE);
    return piece;
}

static void copy_memory(const job *j) {
    char *from = make_piece(), *to = make_piece();
    for (int64_t i = 0; i < j->pieces; i++) {
        memcpy(to, from, PIECE);
        __asm__ volatile("" : : "r"(to) : "memory");
    }
    free(from);
    free(to);
}

static void write_loop(const job *j) {
    char *piece = make_piece();
    for (int64_t i = 0; i < j->pieces; i++)
        if (write(j->fd, piece, PIECE) != PIECE)
            fail("write");
    free(piece);
}

static void write_threads(const job *j) {
#pragma omp parallel num_threads(j->threads)
    {
        char *piece = make_piece();
#pragma omp for schedule(static, 1)
        for (int64_t i = 0; i < j->pieces; i++)
            if (pwrite(j->fd, piece, PIECE, i * PIECE) != PIECE)
                fail("pwrite");
        free(piece);
    }
}

static void reserve_and_write(const job *j) {
    if (posix_fallocate(j->fd, 0, j->pieces * PIECE))
        fail("posix_fallocate");
    write_threads(j);
}

static void map_file(const job *j) {
    size_t bytes = (size_t)j->pieces * PIECE;
    char *map = ftruncate(j->fd, (off_t)bytes)
                    ? MAP_FAILED
                    : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, j->fd, 0);
    if (map == MAP_FAILED)
        fail("mmap");
#pragma omp parallel num_threads(j->threads)
    {
        char *piece = make_piece();
#pragma omp for schedule(static, 1)
        for (int64_t i = 0; i < j->pieces; i++)
            memcpy(map + i * PIECE, piece, PIECE);
        free(piece);
    }
    munmap(map, bytes);
}

static const struct way {
    const char *name;
    void (*run)(const job *j);
} ways[] = {{"memcpy in the cache, one thread", copy_memory},
            {"write, one thread", write_loop},
            {"pwrite, all threads", write_threads},
            {"fallocate, then pwrite, all threads", reserve_and_write},
            {"mmap, all threads", map_file}};

/* The median seconds of a way, each time into a new file. */
static double measure(const struct way *w, job j, const char *path) {
    double seconds[REPEATS];
    for (int r = 0; r < REPEATS; r++) {
        j.fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (j.fd < 0)
            fail(path);
        double begin = now_s();
        w->run(&j);
        seconds[r] = now_s() - begin;
        close(j.fd);
        unlink(path);
    }
    return median(seconds, REPEATS);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: bench_write FOLDER [MIB [THREADS]]\n");
        return 2;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_write.%d", argv[1], (int)getpid());
    int64_t mib = argc > 2 ? strtoll(argv[2], NULL, 10) : 320;
    job j = {.threads = argc > 3 ? atoi(argv[3]) : omp_get_max_threads(),
             .pieces = (mib << 20) / PIECE};
    printf("%lld MiB, %d threads, median of %d\n", (long long)mib, j.threads, REPEATS);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        printf("%-38s %6.2f GB/s\n", ways[i].name,
               (double)j.pieces * PIECE / 1e9 / measure(&ways[i], j, path));
    return 0;
}
