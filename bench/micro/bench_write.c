/* What a file system takes from one process: GB/s of each way to write a fresh file, compared with memcpy.
 * usage: bench_write FOLDER [MIB [THREADS]]     /dev/shm for memory-backed files
 *
 * One buffer per thread is written again and again, as `fringe bfs -o` does (src/io/results/result_rows.c);
 * the formatting of the numbers is left out. */
#include "turns.h"

#include <fcntl.h>
#include <omp.h>
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
    char *piece = need_memory(PIECE);
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

typedef struct file {
    const char *path;
    const struct way *way;
    job job;
} file;

/* GB/s of a way, into a new file. */
static double measure(void *what, int round) {
    file *f = what;
    (void)round;
    f->job.fd = open(f->path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (f->job.fd < 0)
        fail(f->path);
    const double begin = now_ms();
    f->way->run(&f->job);
    const double seconds = 1e-3 * (now_ms() - begin);
    close(f->job.fd);
    unlink(f->path);
    return (double)f->job.pieces * PIECE / 1e9 / seconds;
}

int main(int argc, char **argv) {
    enum { WAYS = sizeof ways / sizeof *ways };
    if (argc < 2) {
        fprintf(stderr, "usage: bench_write FOLDER [MIB [THREADS]]\n");
        return 2;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_write.%d", argv[1], (int)getpid());
    const int64_t mib = argc > 2 ? strtoll(argv[2], NULL, 10) : 320;
    file files[WAYS];
    turn turns[WAYS];
    for (int i = 0; i < WAYS; i++) {
        files[i] = (file){path,
                          &ways[i],
                          {.threads = argc > 3 ? atoi(argv[3]) : omp_get_max_threads(),
                           .pieces = (mib << 20) / PIECE}};
        turns[i] = (turn){.run = measure, .what = &files[i]};
    }
    take_turns(turns, WAYS, REPEATS, 0);
    for (int i = 0; i < WAYS; i++) {
        line_begin();
        line_text("way", ways[i].name);
        line_count("mib", mib);
        line_count("threads", files[i].job.threads);
        line_spread("gb_per_s", turns[i].values, REPEATS);
        line_end();
    }
    turns_free(turns, WAYS);
    return 0;
}
