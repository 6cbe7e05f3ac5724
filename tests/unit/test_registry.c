/* The tables of strategies, knobs and counters, and the bounds that a new row must keep. */
#include "core/options.h"
#include "support/support.h"

#include <string.h>

static void every_counter_has_a_name(void **state) {
    (void)state;
    for (int kind = 0; kind < FR_COUNTER_COUNT; kind++)
        assert_non_null(fr_counter_name((fr_counter)kind));
    assert_string_equal(fr_counter_name(FR_COUNTER_COUNT), "?");
}

static void the_knobs_of_every_strategy_fit(void **state) {
    fri_job job = {.ctx = *state};
    for (int i = 0; fri_strategies[i]; i++) {
        job.strategy = fri_strategies[i];
        assert_ok(*state, fri_options_knobs(&job, NULL));
    }
}

static void too_many_knobs_are_refused(void **state) {
    fr_knob knobs[FRI_MAX_KNOBS + 2] = {{0}};
    fri_strategy strategy = {.name = "wide", .knobs = knobs};
    fri_job job = {.ctx = *state, .strategy = &strategy};
    for (int i = 0; i < FRI_MAX_KNOBS; i++)
        knobs[i] = (fr_knob){.name = "k", .value = 1, .high = 1};
    assert_ok(*state, fri_options_knobs(&job, NULL));
    knobs[FRI_MAX_KNOBS] = knobs[0];
    assert_refused(*state, fri_options_knobs(&job, NULL), FR_INVALID, "FRI_MAX_KNOBS");
}

TEST_PROGRAM(TEST(every_counter_has_a_name), TEST(the_knobs_of_every_strategy_fit),
             TEST(too_many_knobs_are_refused))
