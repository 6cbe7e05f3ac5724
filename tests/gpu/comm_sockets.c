#include "comm_sockets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct sockets_rank {
    fri_comm base;
    int end[SOCKETS_MAX];
} sockets_rank;

static bool failed(fri_comm *comm, int peer) {
    snprintf(comm->why, sizeof comm->why, "the connection with rank %d: %s", peer,
             errno ? strerror(errno) : "it is closed");
    return false;
}

static bool send_all(sockets_rank *c, int peer, const char *from, size_t bytes) {
    while (bytes) {
        ssize_t some = send(c->end[peer], from, bytes, MSG_NOSIGNAL);
        if (some <= 0)
            return failed(&c->base, peer);
        from += some;
        bytes -= (size_t)some;
    }
    return true;
}

static bool receive_all(sockets_rank *c, int peer, char *to, size_t bytes) {
    while (bytes) {
        errno = 0;
        ssize_t some = recv(c->end[peer], to, bytes, 0);
        if (some <= 0)
            return failed(&c->base, peer);
        to += some;
        bytes -= (size_t)some;
    }
    return true;
}

/* The lower rank sends first, and all ranks exchange with their peers in the same order, so no cycle of
 * waits can occur. */
static bool swap(sockets_rank *c, int peer, const char *out, size_t out_bytes, char *in,
                 size_t in_bytes) {
    if (c->base.rank < peer)
        return send_all(c, peer, out, out_bytes) && receive_all(c, peer, in, in_bytes);
    return receive_all(c, peer, in, in_bytes) && send_all(c, peer, out, out_bytes);
}

static bool allgather(fri_comm *comm, const void *mine, void *all, const int *counts,
                      size_t width) {
    sockets_rank *c = (sockets_rank *)comm;
    const size_t own = (size_t)counts[comm->rank] * width;
    char *at = all;
    for (int r = 0; r < comm->size; at += (size_t)counts[r] * width, r++) {
        if (r == comm->rank && own)
            memcpy(at, mine, own);
        else if (r != comm->rank && !swap(c, r, mine, own, at, (size_t)counts[r] * width))
            return false;
    }
    return true;
}

static bool alltoall(fri_comm *comm, const void *out, const int *out_counts, void *in,
                     const int *in_counts, size_t width) {
    sockets_rank *c = (sockets_rank *)comm;
    const char *from = out;
    char *to = in;
    for (int r = 0; r < comm->size; r++) {
        const size_t sent = (size_t)out_counts[r] * width, got = (size_t)in_counts[r] * width;
        if (r == comm->rank && got)
            memcpy(to, from, got);
        else if (r != comm->rank && !swap(c, r, from, sent, to, got))
            return false;
        from += sent;
        to += got;
    }
    return true;
}

static void end_all(fri_comm *comm, int exit_code) {
    (void)comm;
    (void)exit_code;
}

static void leave(fri_comm *comm, bool broken) {
    sockets_rank *c = (sockets_rank *)comm;
    (void)broken;
    for (int r = 0; r < comm->size; r++)
        if (r != comm->rank)
            close(c->end[r]);
    free(c);
}

static const fri_comm_calls calls = {allgather, alltoall, end_all, leave};

bool sockets_connect(sockets_mesh *mesh, int size) {
    mesh->size = size;
    for (int r = 0; r < size; r++)
        for (int q = r + 1; q < size; q++) {
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
                return false;
            mesh->end[r][q] = pair[0];
            mesh->end[q][r] = pair[1];
        }
    return true;
}

fri_comm *sockets_comm(const sockets_mesh *mesh, int rank) {
    sockets_rank *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->base.calls = &calls;
    c->base.rank = rank;
    c->base.size = mesh->size;
    for (int r = 0; r < mesh->size; r++)
        for (int q = 0; q < mesh->size; q++) {
            if (r == rank && q != r)
                c->end[q] = mesh->end[r][q];
            else if (q != r)
                close(mesh->end[r][q]);
        }
    return &c->base;
}
