/* Candidate values of a knob: its ends, and twice and half its current value. */
#include "tune/tune.h"

#include "base/text/number.h"

#include <math.h>
#include <stdio.h>

/* A knob that accepts any positive number is a distance: its ends are not useful candidates. */
static bool is_distance(const fr_knob *k) { return k->low > 0 && k->low < 1e-100; }

/* Rounds to a sensible value: most knobs are integers, fractions are below 2; three digits are
 * enough for a distance. */
static double rounded(const fr_knob *k, double value) {
    char text[FRI_NUMBER_TEXT];
    value = value < k->low ? k->low : value > k->high ? k->high : value;
    if (!is_distance(k))
        return value < 2 ? value : nearbyint(value);
    fri_print_number(text, 3, value);
    return fri_parse_number(text, NULL);
}

static int add(const fr_knob *k, double value, double current, double *out, int count) {
    value = rounded(k, value);
    for (int i = 0; i < count; i++)
        if (out[i] == value)
            return count;
    if (value == current)
        return count;
    out[count] = value;
    return count + 1;
}

int fri_knob_candidates(const fr_knob *k, double current, double weight,
                        double out[FRI_CANDIDATES]) {
    int count = 0;
    bool is_auto = current < 0;
    if (k->switches) /* these knobs turn features off for measurements */
        return 0;
    if (is_distance(k) && is_auto) {
        /* delta is a few mean weights divided by a mean degree, or a few mean weights */
        static const double parts[] = {0.125, 0.5, 2, 8};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            count = add(k, parts[i] * weight, current, out, count);
        return count;
    }
    if (!is_distance(k)) {
        count = add(k, k->low, current, out, count);
        count = add(k, k->high, current, out, count);
    }
    if (is_auto)
        return add(k, sqrt((k->low + 1) * (k->high + 1)) - 1, current, out, count);
    count = add(k, current * 2, current, out, count);
    return add(k, current / 2, current, out, count);
}

fri_config fri_config_default(const fri_strategy *strategy) {
    fri_config s = {.strategy = strategy};
    for (int i = 0; strategy->knobs && strategy->knobs[i].name; i++)
        s.knob[i] = strategy->knobs[i].value;
    return s;
}

const char *fri_config_text(const fri_config *s, char text[FRI_KNOBS_CAPACITY]) {
    const fr_knob *k = s->strategy->knobs;
    char value[FRI_NUMBER_TEXT];
    size_t used = 0;
    *text = 0;
    for (int i = 0; k && k[i].name; i++)
        if (s->knob[i] != k[i].value && used < FRI_KNOBS_CAPACITY) {
            fri_print_number(value, 10, s->knob[i]);
            used += (size_t)snprintf(text + used, FRI_KNOBS_CAPACITY - used, "%s%s=%s",
                                     used ? "," : "", k[i].name, value);
        }
    return text;
}
