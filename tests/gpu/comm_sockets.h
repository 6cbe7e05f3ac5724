/* Ranks as processes of one host, connected by sockets: a transport for tests on machines without MPI. */
#ifndef GPU_COMM_SOCKETS_H
#define GPU_COMM_SOCKETS_H

#include "ranks/world/world.h"

enum { SOCKETS_MAX = 8 };

typedef struct sockets_mesh {
    int size;
    int end[SOCKETS_MAX][SOCKETS_MAX]; /* end[r][q]: rank r's end of its connection with rank q */
} sockets_mesh;

/* Connects all pairs of ranks; called before the processes start. */
bool sockets_connect(sockets_mesh *mesh, int size);
/* Called in the process of a rank: closes the sockets of the others. */
fri_comm *sockets_comm(const sockets_mesh *mesh, int rank);

#endif
