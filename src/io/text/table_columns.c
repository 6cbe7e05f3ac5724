/* What the first line of a text table says: the separator, whether it has the names of the columns, and
 * which columns are read. See fri_table_open. */
#include "io/text/digits.h"
#include "io/text/number_scan.h"
#include "io/text/table.h"
#include "base/text/number.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_COLUMN = 1 << 20 };

static const char *const roles[FRI_TABLE_VALUES] = {"source", "target", "weight"};

/* ---- the names that columns of edge tables usually have ----------------------------------------
 * Source: the tables that NetworkX, igraph, Gephi, Neo4j, GraphFrames, cuGraph, OSMnx, pgRouting, SNAP,
 *   TNTP and ArangoDB write or document. Neo4j's ":START_ID(Group)" and "weight:float" have a type
 *   behind the name.
 */

typedef enum {
    COLUMN_UNKNOWN,
    COLUMN_SOURCE,
    COLUMN_TARGET,
    COLUMN_WEIGHT,
    COLUMN_MAYBE_SOURCE, /* counts if no column is surely one */
    COLUMN_MAYBE_TARGET,
    COLUMN_MAYBE_WEIGHT,
    COLUMN_TYPE,  /* may say whether the edge is directed */
    COLUMN_OTHER, /* certainly none of these: an id of the edge, a time, a label */
    COLUMN_KINDS
} column_kind;

enum { LONGEST = 24 };

/* Words in lower case, each between two blanks. */
static const char *const words[COLUMN_KINDS] = {
    [COLUMN_SOURCE] = " source src from sourceid srcid fromid sourcenode srcnode fromnode "
                      "sourcenodeid fromnodeid node1 nodeid1 node1id id1 vertex1 v1 n1 startid "
                      "startnode startnodeid initnode origin orig tail tailnode ",
    [COLUMN_TARGET] = " target tgt dst dest destination to targetid dstid destid toid "
                      "targetnode dstnode tonode targetnodeid tonodeid node2 nodeid2 node2id "
                      "id2 vertex2 v2 n2 endid endnode endnodeid termnode head headnode ",
    [COLUMN_WEIGHT] = " weight weights w cost costs length len distance dist edgeweight ",
    [COLUMN_MAYBE_SOURCE] = " u i start sender ",
    [COLUMN_MAYBE_TARGET] = " v j end receiver ",
    [COLUMN_MAYBE_WEIGHT] =
        " value val wt wgt km meters metres miles lengthm lengthkm distancem distancekm ",
    [COLUMN_TYPE] = " type ",
    [COLUMN_OTHER] =
        "  id gid fid eid edge edgeid index key osmid label name time times timestamp ts date "
        "datetime year epoch unixtime directed reversecost rcost capacity ",
};

/* The name as it is compared; its length, LONGEST if it is too long for any word. */
static size_t plain_name(const char *name, size_t length, char *out) {
    size_t used = 0;
    for (size_t i = 0; i < length && used < LONGEST; i++) {
        const char c = name[i];
        if (used && (c == ':' || c == '(' || c == '['))
            break;
        if (c >= 'A' && c <= 'Z')
            out[used++] = (char)(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80)
            out[used++] = c;
    }
    return used;
}

/* In any case, without blanks and punctuation: "Source", "src_id", ":START_ID(Person)", "weight:float",
 * "length [km]". */
static column_kind kind_of(const char *name, size_t length) {
    char word[LONGEST + 3] = " ";
    const size_t used = plain_name(name, length, word + 1);
    if (used == LONGEST)
        return COLUMN_UNKNOWN;
    memcpy(word + 1 + used, " ", 2);
    for (int kind = COLUMN_SOURCE; kind < COLUMN_KINDS; kind++)
        if (strstr(words[kind], word))
            return (column_kind)kind;
    return COLUMN_UNKNOWN;
}

/* Where the names of the first line are. */
typedef struct {
    int first[COLUMN_KINDS], second[COLUMN_KINDS]; /* columns; 0: none */
    column_kind at[4];                             /* of the columns 1 to 3 */
} kinds;

int fri_column_number(const char *column) {
    if (!column)
        return 0;
    char *end;
    long number = strtol(column, &end, 10);
    return fri_is_digit(*column) && !*end && number > 0 && number <= MAX_COLUMN ? (int)number : -1;
}

static const char *end_of(const fri_table *t) { return t->text->data + t->text->size; }

/* ---- the separator -------------------------------------------------------------------------- */

/* Whether c occurs outside of quotes. */
static bool occurs(const char *at, const char *end, char c) {
    bool quoted = false;
    for (; at < end; at++) {
        quoted ^= *at == '"' && (quoted || memchr(at + 1, '"', (size_t)(end - at - 1)));
        if (*at == c && !quoted)
            return true;
    }
    return false;
}

/* Whether the line has nothing but numbers and what may divide them. */
static bool has_only_numbers(const char *at, const char *end) {
    for (; at < end; at++)
        if (!fri_is_digit(*at) && !strchr(" \t\r,+-.eE", *at))
            return false;
    return true;
}

/* Whether some numbers are divided by commas alone, and others by blanks alone, as in "1 2 1,5". */
static bool divides_in_two_ways(const char *at, const char *end) {
    bool by_comma = false, by_blank = false;
    while (end > at && fri_is_blank(end[-1]))
        end--;
    at = fri_skip_blanks(at, end);
    while (at < end) {
        const char *gap = at;
        at = fri_skip_blanks(at, end);
        if (at > gap) {
            by_comma |= *gap == ',' && at - gap == 1;
            by_blank |= !memchr(gap, ',', (size_t)(at - gap));
        } else
            at++;
    }
    return by_comma && by_blank;
}

static fr_status choose_separator(fri_table *t, const fr_load_options *options, const char *end) {
    const char *at = t->body;
    const bool numbers = has_only_numbers(at, end);
    t->divided = options->separator != 0;
    t->decimal_comma = options->decimal == ',';
    t->unweighted = options->weights != FR_WEIGHTS_FILE;
    t->separator = t->divided ? (char)options->separator
                   : occurs(at, end, '\t') && !(numbers && occurs(at, end, ' ')) ? '\t'
                   : occurs(at, end, ';')                                        ? ';'
                   : !t->decimal_comma && occurs(at, end, ',')                   ? ','
                                                                                 : ' ';
    const bool commas_alone = !occurs(at, end, ' ') && occurs(at, end, ',');
    if (t->decimal_comma &&
        (t->separator == ',' || (t->separator == ' ' && !t->divided && commas_alone)))
        return fri_input_fail(t->ctx, FR_INVALID, t->text, at,
                              "commas divide the columns, so that they cannot be decimal signs; "
                              "the field separator chooses what divides them");
    if (!t->divided && t->separator == ',' && numbers && divides_in_two_ways(at, end))
        return fri_input_fail(t->ctx, FR_FORMAT, t->text, at,
                              "blanks and commas both stand between numbers: the field separator "
                              "says which of them divides "
                              "the columns, decimal comma that a weight has one");
    return FR_OK;
}

/* ---- the names ------------------------------------------------------------------------------ */

static void find_kinds(fri_table *t, const char *end, kinds *k) {
    const char *at = t->body;
    fri_field f;
    *k = (kinds){0};
    while (fri_table_next_field(t, &at, end, &f)) {
        const int column = ++t->columns;
        const column_kind kind = kind_of(f.at, f.length);
        if (column < (int)(sizeof k->at / sizeof *k->at))
            k->at[column] = kind;
        if (!k->first[kind])
            k->first[kind] = column;
        else if (!k->second[kind])
            k->second[kind] = column;
    }
}

static bool find_field(const fri_table *t, const char *at, int wanted, const char *end,
                       fri_field *out) {
    for (int column = 1; column <= wanted; column++)
        if (!fri_table_next_field(t, &at, end, out))
            return false;
    return wanted > 0;
}

/* The number of the column with that name in the first line; 0: none. */
static int find_name(const fri_table *t, const char *name, const char *end) {
    const char *at = t->body;
    fri_field f;
    for (int column = 1; fri_table_next_field(t, &at, end, &f); column++)
        if (f.length == strlen(name) && memcmp(f.at, name, f.length) == 0)
            return column;
    return 0;
}

static bool is_integer(fri_field f) {
    int64_t ignored;
    fri_scan scan = {f.at, f.at + f.length};
    return fri_scan_int64(&scan, &ignored) != FRI_SCAN_NONE;
}

static bool is_number(fri_field f) {
    double ignored;
    fri_scan scan = {f.at, f.at + f.length};
    return fri_scan_double(&scan, &ignored) != FRI_SCAN_NONE || is_integer(f);
}

/* Whether the first line has the names of the columns, if none is chosen by name. */
static bool has_names(const fri_table *t, const kinds *k, const char *const *asked, bool strings,
                      bool weights, const char *end) {
    fri_field f = {0};
    const bool ends = asked[FRI_TABLE_SOURCE] || asked[FRI_TABLE_TARGET];
    const bool sure = k->first[COLUMN_SOURCE] && k->first[COLUMN_TARGET];
    if (strings) {
        const int weight = asked[FRI_TABLE_WEIGHT] ? fri_column_number(asked[FRI_TABLE_WEIGHT])
                           : ends                  ? 0
                                                   : 3;
        const char *all = end_of(t), *next = fri_table_next_content(fri_skip_line(end, all), all);
        return (sure && !ends) ||
               (find_field(t, t->body, weight, end, &f) && !is_number(f) &&
                /* else a column of words */
                (weights ||
                 (find_field(t, next, weight, fri_table_line_end(next, all), &f) && is_number(f))));
    }
    const int source = asked[FRI_TABLE_SOURCE] ? fri_column_number(asked[FRI_TABLE_SOURCE]) : 1;
    return (sure && !ends) || (find_field(t, t->body, source, end, &f) && !is_integer(f));
}

/* ---- the columns ---------------------------------------------------------------------------- */

#define FAIL(...) fri_input_fail(t->ctx, FR_FORMAT, t->text, t->names, __VA_ARGS__)

/* The column with a name of this kind, or else of the kind `maybe`; 0: none. FR_FORMAT: two have one. */
static fr_status find_known(const fri_table *t, const kinds *k, int role, int *column) {
    static const column_kind known[FRI_TABLE_VALUES][2] = {{COLUMN_SOURCE, COLUMN_MAYBE_SOURCE},
                                                           {COLUMN_TARGET, COLUMN_MAYBE_TARGET},
                                                           {COLUMN_WEIGHT, COLUMN_MAYBE_WEIGHT}};
    const column_kind kind = known[role][k->first[known[role][0]] ? 0 : 1];
    *column = t->names ? k->first[kind] : 0;
    if (!*column || !k->second[kind])
        return FR_OK;
    const char *end = fri_table_line_end(t->names, end_of(t));
    fri_field a, b;
    find_field(t, t->names, k->first[kind], end, &a);
    find_field(t, t->names, k->second[kind], end, &b);
    return FAIL(
        "\"%.*s\" and \"%.*s\" may both be the name of the %s's column; --%s-column chooses",
        (int)FRI_MIN(a.length, 40), a.at, (int)FRI_MIN(b.length, 40), b.at, roles[role],
        roles[role]);
}

/* Source and target, of which the options choose neither. */
static fr_status find_ends(fri_table *t, const kinds *k) {
    int source, target;
    fr_status status = find_known(t, k, FRI_TABLE_SOURCE, &source);
    if (!status)
        status = find_known(t, k, FRI_TABLE_TARGET, &target);
    if (status)
        return status;
    t->column[FRI_TABLE_SOURCE] = source ? source : 1;
    t->column[FRI_TABLE_TARGET] = target ? target : 2;
    t->guessed =
        !t->names ? 0 : (source ? 0 : FRI_TABLE_NO_SOURCE) | (target ? 0 : FRI_TABLE_NO_TARGET);
    if (!t->guessed)
        return FR_OK;
    const bool usual = (source == 1 || (!source && k->at[1] == COLUMN_UNKNOWN)) &&
                       (target == 2 || (!target && k->at[2] == COLUMN_UNKNOWN));
    return usual ? FR_OK
                 : FAIL("no column has a name that is known as the %s's: source_column and "
                        "target_column choose; the line is \"%.*s\"",
                        source ? "target" : "source",
                        (int)FRI_MIN(fri_table_line_end(t->names, end_of(t)) - t->names, 80),
                        t->names);
}

/* The end that the options do not choose, if they choose the other. */
static fr_status find_other_end(fri_table *t, const kinds *k, int role) {
    int known;
    fr_status status = find_known(t, k, role, &known);
    const int other = t->column[role == FRI_TABLE_SOURCE ? FRI_TABLE_TARGET : FRI_TABLE_SOURCE];
    t->column[role] = known && known != other ? known : role + 1;
    return status;
}

static fr_status find_weight(fri_table *t, const kinds *k) {
    int known;
    fr_status status = find_known(t, k, FRI_TABLE_WEIGHT, &known);
    const bool third =
        t->columns >= 3 &&
        (!t->names || (t->guessed == FRI_TABLE_NO_END && k->at[3] == COLUMN_UNKNOWN));
    t->column[FRI_TABLE_WEIGHT] = known ? known : third ? 3 : 0;
    return status;
}

static fr_status find_asked(fri_table *t, const char *const *asked, const char *first_line) {
    const char *end = fri_table_line_end(first_line, end_of(t));
    for (int i = 0; i < FRI_TABLE_VALUES; i++) {
        t->column[i] = fri_column_number(asked[i]);
        t->chosen |= asked[i] != NULL;
        if (t->column[i] < 0)
            t->column[i] = find_name(t, asked[i], end);
        if (asked[i] && !t->column[i])
            return fri_input_fail(t->ctx, FR_FORMAT, t->text, first_line,
                                  "no column is called \"%.40s\"; the first line is \"%.*s\"",
                                  asked[i], (int)FRI_MIN(end - first_line, 120), first_line);
    }
    return FR_OK;
}

static fr_status check_distinct(const fri_table *t) {
    for (int i = 0; i < FRI_TABLE_VALUES; i++)
        for (int j = 0; j < i; j++)
            if (t->column[i] == t->column[j])
                return fri_fail(t->ctx, FR_INVALID, "%s and %s are both column %d", roles[j],
                                roles[i], t->column[i]);
    return FR_OK;
}

static fr_status choose_columns(fri_table *t, const kinds *k, const char *const *asked,
                                bool weights) {
    const char *source = asked[FRI_TABLE_SOURCE], *target = asked[FRI_TABLE_TARGET];
    fr_status status = FR_OK;
    if (!source && !target)
        status = find_ends(t, k);
    else if (!source || !target)
        status = find_other_end(t, k, source ? FRI_TABLE_TARGET : FRI_TABLE_SOURCE);
    if (!status && !asked[FRI_TABLE_WEIGHT] && weights && !source && !target)
        status = find_weight(t, k);
    return status ? status : check_distinct(t);
}

/* A column of types counts if it has the words of Gephi. */
static void find_type(fri_table *t, const kinds *k, const fr_load_options *options) {
    const char *line = fri_table_next_content(t->body, end_of(t)),
               *end = fri_table_line_end(line, end_of(t));
    const int column = k->first[COLUMN_TYPE];
    fri_field f;
    if (!t->names || options->direction != FR_DIRECTION_FILE ||
        !find_field(t, line, column, end, &f))
        return;
    t->undirected = fri_table_type_is(f, true);
    if (t->undirected || fri_table_type_is(f, false))
        t->column[FRI_TABLE_TYPE] = column;
}

static void find_last(fri_table *t) {
    t->last = 0;
    for (int i = 0; i < FRI_TABLE_CHOSEN; i++)
        t->last = FRI_MAX(t->last, t->column[i]);
}

void fri_table_drop_weight(fri_table *t) {
    t->column[FRI_TABLE_WEIGHT] = 0;
    find_last(t);
}

/* Looks at the lines from `first` to the first one of the body. A line of names may be divided at blanks
 * where commas divide the columns. */
static bool has_empty_field(const fri_table *t, const char *at, const char *end) {
    fri_field f;
    while (fri_table_next_field(t, &at, end, &f))
        if (!f.length)
            return true;
    return false;
}

static bool is_textual(const fri_table *t, const char *first) {
    const char *all = end_of(t), *body = fri_table_next_content(t->body, all);
    const char *end = fri_table_line_end(body, all);
    const bool commas_divide = t->separator == ',' || (t->separator == ' ' && t->names);
    return memchr(first, '"', (size_t)(end - first)) ||
           (t->names && has_empty_field(t, body, end)) ||
           (!commas_divide && memchr(body, ',', (size_t)(end - body)));
}

fr_status fri_table_open(fri_table *t, const fr_load_options *options, bool strings, bool weights) {
    const char *const asked[] = {options->source_column, options->target_column,
                                 options->weight_column};
    const char *line = t->body = fri_table_next_content(t->text->data, end_of(t));
    const char *end = fri_table_line_end(line, end_of(t));
    bool named = false;
    kinds k;
    fr_status status = choose_separator(t, options, end);
    find_kinds(t, end, &k);
    if (!status)
        status = find_asked(t, asked, line);
    for (int i = 0; i < FRI_TABLE_VALUES; i++)
        named |= fri_column_number(asked[i]) < 0;
    if (!status && line < end && (named || has_names(t, &k, asked, strings, weights, end))) {
        t->names = line;
        t->body = fri_skip_line(end, end_of(t));
    }
    if (!status)
        status = choose_columns(t, &k, asked, weights);
    find_type(t, &k, options);
    find_last(t);
    t->textual = is_textual(t, line);
    return status;
}

bool fri_table_is_plain(const fri_table *t) {
    const int *column = t->column, weight = column[FRI_TABLE_WEIGHT];
    return !t->divided && !t->decimal_comma && !t->textual && t->separator != ';' &&
           column[FRI_TABLE_SOURCE] == 1 && column[FRI_TABLE_TARGET] == 2 &&
           !column[FRI_TABLE_TYPE] && (weight == 0 || weight >= 3) &&
           (!t->names || t->columns < 2 || t->columns == (weight ? 3 : 2));
}

/* ---- what is said --------------------------------------------------------------------------- */

/* `"a" (column 1)`, or `column 1`. */
static int put_column(const fri_table *t, int role, char *to, size_t capacity) {
    fri_field f = {0};
    if (t->names)
        find_field(t, t->names, t->column[role], fri_table_line_end(t->names, end_of(t)), &f);
    return snprintf(to, capacity, "%s%s is column %d%s%.*s%s", role ? ", " : "", roles[role],
                    t->column[role], t->names ? " \"" : "", (int)FRI_MIN(f.length, 30), f.at,
                    t->names ? "\"" : "");
}

static bool is_read(const fri_table *t, int column) {
    for (int i = 0; i < FRI_TABLE_CHOSEN; i++)
        if (t->column[i] == column)
            return true;
    return false;
}

static void note_unread(const fri_table *t, fri_edge_list *edges) {
    char names[FRI_NOTE_BYTES / 4] = "";
    const char *at = t->names, *end = at ? fri_table_line_end(at, end_of(t)) : NULL;
    int unread = 0, used = 0, column = 0;
    for (fri_field f = {0}; ++column <= t->columns;) {
        if (at)
            fri_table_next_field(t, &at, end, &f);
        unread += !is_read(t, column);
        if (at && !is_read(t, column) && used < (int)sizeof names)
            used +=
                snprintf(names + used, sizeof names - (size_t)used, "%s%.*s", used ? ", " : " (",
                         f.length ? (int)FRI_MIN(f.length, 30) : 2, f.length ? f.at : "\"\"");
    }
    if (used >= (int)sizeof names)
        memcpy(names + sizeof names - 4, "...", 4);
    if (unread)
        (t->chosen || t->unweighted ? fri_edge_list_note : fri_edge_list_warn)(
            edges, "%d of %d columns %s not read%s%s", unread, t->columns,
            fri_words(unread, "is", "are"), names, used ? ")" : "");
}

void fri_table_note_columns(const fri_table *t, fri_edge_list *edges) {
    static const char *const unknown[] = {
        [FRI_TABLE_NO_SOURCE] = "the name of the source's column is",
        [FRI_TABLE_NO_TARGET] = "the name of the target's column is",
        [FRI_TABLE_NO_END] = "names of columns are"};
    char text[FRI_NOTE_BYTES] = "";
    const int *column = t->column, weight = column[FRI_TABLE_WEIGHT];
    size_t used = 0;
    for (int i = 0; i < FRI_TABLE_VALUES && used < sizeof text; i++)
        if (column[i])
            used += (size_t)put_column(t, i, text + used, sizeof text - used);
    const bool usual = column[FRI_TABLE_SOURCE] == 1 && column[FRI_TABLE_TARGET] == 2 &&
                       (weight == 0 || weight == 3);
    if (t->guessed)
        fri_edge_list_warn(edges,
                           "%s not known, so that by their places %s; "
                           "source_column, target_column and weight_column choose",
                           unknown[t->guessed], text);
    else if (t->names && !usual)
        fri_edge_list_note(edges, "%s", text);
    if (column[FRI_TABLE_TYPE])
        fri_edge_list_note(edges, "column %d says %s", column[FRI_TABLE_TYPE],
                           t->undirected ? "undirected" : "directed");
    note_unread(t, edges);
}
