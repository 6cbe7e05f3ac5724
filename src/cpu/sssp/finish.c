/* What every SSSP strategy ends with: the rule of targets and limits, and the check for overflow.
 *
 * Targets: exactly the vertices at most as far as the farthest target keep their values (all of
 *   them when a target cannot be reached); the others become not reached, whatever a strategy had
 *   found out about them, so that every strategy gives the same answer. With negative weights all
 *   keep theirs.
 * Limit: vertices farther than max_distance become not reached.
 * Overflow: strategies compare sums as unsigned numbers (or as floats) and drop what leaves D, so
 *   a vertex whose distance does not fit stays not reached beside a neighbour that is. That can
 *   only be when the greatest distance plus the greatest weight leaves D: one pass over the
 *   vertices excludes it, and only otherwise are the edges looked at.
 */
#include "cpu/sssp/typed.h"

#define TYPED_BODY "cpu/sssp/finish.inc.h"
#include "cpu/sssp/typed.inc.h"

static fr_status (*const finish_pair[])(fri_job *) = TYPED_TABLE(finish);

fr_status fri_sssp_finish(fri_job *job, void *spare) {
    fr_status status = finish_pair[fri_sssp_type(job)](job);
    if (!status && job->query.min_parents && job->out->parent)
        fri_sssp_min_parents(job, spare);
    return status;
}

size_t fri_sssp_finish_bytes(const fri_job *job) {
    return fri_bytes(job->csr.n, 2 * sizeof(int32_t));
}
