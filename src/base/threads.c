/* How many threads the system starts. An OpenMP runtime that cannot start its threads ends the
 * process, with an exit code of its own; asked before, the answer is a status. */
#include "base/base.h"

#include <pthread.h>
#include <stdlib.h>

static void *wait_for_gate(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int fri_startable_threads(int wanted) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = calloc((size_t)FRI_MAX(wanted, 1), sizeof *thread);
    int started = 0;
    if (!thread)
        return 1;
    pthread_mutex_lock(&gate); /* all exist at the same time */
    while (started < wanted - 1 &&
           pthread_create(&thread[started], NULL, wait_for_gate, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&gate);
    free(thread);
    return started + 1;
}
