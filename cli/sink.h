/* The output file: big buffers, a temporary name, renamed when whole, removed otherwise. */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sink {
    int fd;
    const char *path; /* as the user named it */
    char *target;     /* what is renamed onto: path with links followed; NULL: written in place */
    char *temporary;
    char *buffer;
    size_t used;
    int error;    /* errno of the first write that failed */
    bool stopped; /* by Ctrl-C */
} sink;

/* path "-" is standard output; what is there and no plain file (a pipe, /dev/full) is written in
 * place. Returns an exit code, the sentence printed. */
int sink_open(sink *s, const char *path);
/* Room for `bytes` (at most SINK_ROOM) at the returned address; sink_end says how far it got. */
enum { SINK_ROOM = 1 << 12 };
char *sink_room(sink *s);
void sink_end(sink *s, const char *end);
void sink_put(sink *s, const void *data, size_t bytes);
bool sink_failed(const sink *s); /* no use to go on */
/* Finishes: keeps the file when `keep` and all went well, else removes it. Returns an exit code. */
int sink_close(sink *s, bool keep);

#endif
