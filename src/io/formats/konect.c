/* The first lines of a file of the KONECT collection (out.NAME).
 *
 * Source: J. Kunegis: Handbook of Network Analysis: The KONECT Project, 2017, section "File formats".
 * Format: "% sym|asym|bip WEIGHTS", and perhaps "% EDGES VERTICES [VERTICES]": the vertices of the left side
 *   and of the right one, which are the same unless the network is bipartite (bip). Then lines "source
 *   target [weight or multiplicity [time]]" with ids from 1 on, in a bipartite network on each side.
 */
#include "io/formats/konect.h"
#include "io/text/digits.h"
#include "io/text/number_scan.h"

static const struct {
    const char *word;
    bool weighted, multiplicities, dynamic;
} kinds[] = {
    {"unweighted", false, false, false},  {"positive", false, true, false},
    {"posweighted", true, false, false},  {"signed", true, false, false},
    {"multisigned", true, true, false},   {"weighted", true, false, false},
    {"multiweighted", true, true, false}, {"multiposweighted", true, true, false},
    {"dynamic", false, false, true},
};

/* The next word of the line; length 0 at its end. */
static const char *next_word(fri_scan *scan, size_t *length) {
    fri_scan_at_eol(scan);
    const char *at = scan->at;
    while (scan->at < scan->end && (unsigned char)*scan->at > ' ')
        scan->at++;
    *length = (size_t)(scan->at - at);
    return at;
}

static bool is_word(const char *at, size_t length, const char *word) {
    return length == strlen(word) && memcmp(at, word, length) == 0;
}

static void read_counts(fri_konect *k, fri_scan scan) {
    int64_t count[3] = {-1, -1, -1};
    if (scan.at == scan.end || *scan.at != '%')
        return;
    k->counts = scan.at++;
    for (int i = 0; i < 3 && !fri_scan_at_eol(&scan); i++)
        if (fri_scan_int64(&scan, &count[i]) != FRI_SCAN_OK || count[i] < 0)
            return;
    k->edges = count[0];
    k->left = count[1];
    k->right = count[2];
}

fri_konect fri_konect_read(const fri_input *text) {
    static const fri_konect none = {.edges = -1, .left = -1, .right = -1};
    fri_konect k = none;
    fri_scan scan = {text->data, text->data + text->size};
    if (scan.at == scan.end || *scan.at != '%')
        return none;
    scan.at++;
    size_t length;
    const char *shape = next_word(&scan, &length);
    k.undirected = is_word(shape, length, "sym");
    k.bipartite = is_word(shape, length, "bip");
    if (!k.undirected && !k.bipartite && !is_word(shape, length, "asym"))
        return none;
    k.undirected |= k.bipartite;
    const char *weights = next_word(&scan, &length);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_word(weights, length, kinds[i].word)) {
            k.found = true;
            k.weighted = kinds[i].weighted;
            k.multiplicities = kinds[i].multiplicities;
            k.dynamic = kinds[i].dynamic;
        }
    if (!k.found)
        return none;
    if (fri_scan_next_line(&scan))
        read_counts(&k, scan);
    return k;
}
