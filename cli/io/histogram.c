/* A histogram by powers of two on the terminal. */
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/traversal.h"

#include <math.h>
#include <string.h>

void summary_histogram(const session *x, const char *what, const char *counted,
                       const int64_t *bins) {
    /* columns before the bars; columns of the longest bar */
    enum { LABELS = 38, MAX_COLUMNS = 40 };
    int last = 0, capacity = screen_width(x->summary_out) - LABELS,
        width = capacity < MAX_COLUMNS ? capacity : MAX_COLUMNS;
    int64_t max_count = 1;
    for (int k = 0; k < FR_DEGREE_BINS; k++) {
        last = bins[k] ? k : last;
        max_count = bins[k] > max_count ? bins[k] : max_count;
    }
    fprintf(x->summary_out, "\n%22s  %12s%s\n", what, counted,
            width < 20 ? "" : "  (length: log scale)");
    for (int k = 0; k <= last; k++) {
        int64_t count = bins[k], low = k ? (int64_t)1 << (k - 1) : 0;
        char range[112], cells[MAX_COLUMNS + 1];
        if (k < 2)
            snprintf(range, sizeof range, "%lld", (long long)low);
        else
            snprintf(range, sizeof range, "%s..%s", human_count(low).text,
                     human_count(2 * low - 1).text);
        double part = count ? log2((double)count + 1) / log2((double)max_count + 1) : 0;
        int length = count ? (int)ceil(part * width) : 0;
        memset(cells, '#', (size_t)length);
        cells[length] = 0;
        fprintf(x->summary_out, "%22s  %12s%s%s%s%s\n", range, human_count(count).text,
                length ? "  " : "", color(x->summary_out, "36"), cells, color(x->summary_out, "0"));
    }
}
