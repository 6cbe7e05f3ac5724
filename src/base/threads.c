/* Determines how many threads the system can start. An OpenMP runtime that cannot start its threads
 * terminates the process with its own exit code; this check returns a status instead. */
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
    pthread_mutex_lock(&gate); /* keeps all threads alive at the same time */
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
