/* The threads of a context; base/team.h runs teams of them. */
#ifndef FRI_CREW_H
#define FRI_CREW_H

#include "base/team.h"

/* Ends the workers. NULL is allowed. */
void fri_crew_free(struct fri_crew *crew);

#endif
