/* Whether a context's teams pay on this machine as it is now: pure functions of measured times.
 *
 * Idea: where other processes occupy the cores, a team waits for members that the system does not run, a time
 *   slice at each barrier, and the thread that wakes others may be stopped in favor of them. The balance is
 *   the time that teams saved over one thread, less what they lost, limited on both sides. While it is
 *   negative calls run on one thread, and raise it by a small part of their time: this bounds what further
 *   trials lose by that part. Long calls gain by a team even if it waits more than it works, as two threads
 *   get twice the processor time that one gets beside others: where one thread then takes longer than the
 *   teams took, they may lose more before the next call on one thread. */
#ifndef FRI_BALANCE_H
#define FRI_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct fri_balance {
    double ns;
    double limit;             /* of ns: the sum of delays that does not stop teams */
    double team_ns, alone_ns; /* recent times of runs; 0: none yet */
} fri_balance;

/* Before any team. */
fri_balance fri_balance_new(void);
bool fri_balance_pays(const fri_balance *b);
/* After a team of `members`, whose first one worked for busy_ns, and for waited_ns called the others and waited.
 * All members are taken to have worked as long. */
void fri_balance_team(fri_balance *b, int members, int64_t busy_ns, int64_t waited_ns);
/* After one thread has run in place of a team, for `ns`. */
void fri_balance_alone(fri_balance *b, int64_t ns);

#endif
