/* Parses the specification of a generated graph, "name:key=value,key=value". */
#include "gen/generator.h"

#include "base/text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends to a text of capacity `size`; text that does not fit is cut off. */
static void append(char *message, size_t size, const char *separator, const char *text) {
    size_t used = strlen(message);
    snprintf(message + used, size - used, "%s%s", used ? separator : "", text);
}

static const fri_generator *find(fr_ctx *ctx, const char *name, size_t length) {
    char known[320] = "";
    for (int i = 0; fri_generators[i]; i++) {
        const char *candidate = fri_generators[i]->name;
        if (strlen(candidate) == length && !strncmp(candidate, name, length))
            return fri_generators[i];
        append(known, sizeof known, ", ", candidate);
    }
    fri_fail(ctx, FR_INVALID, "no generator '%.*s'; there are %s", (int)FRI_MIN(length, 40), name,
             known);
    return NULL;
}

static void range_text(const fri_parameter *p, char *out, size_t size) {
    if (p->kind == FRI_PARAM_INT)
        snprintf(out, size, "%s (integer, %.0f to %.0f)", p->name, p->low, p->high);
    else
        snprintf(out, size, "%s (%g to %g)", p->name, p->low, p->high);
}

static fr_status unknown(fr_ctx *ctx, const fri_generator *g, const char *key, size_t length) {
    char known[360] = "", one[96];
    for (const fri_parameter *p = g->parameters; p->name; p++) {
        range_text(p, one, sizeof one);
        append(known, sizeof known, ", ", one);
    }
    return fri_fail(ctx, FR_INVALID, "generator %s has no parameter '%.*s'; it takes %s", g->name,
                    (int)FRI_MIN(length, 40), key, known);
}

/* An integer may also be written as 1e6; without an exponent all 63 bits are significant. */
static bool parse_value(const fri_parameter *p, const char *text, size_t length,
                        fri_param_value *out) {
    char copy[64], *end;
    if (length == 0 || length >= sizeof copy || text[0] == ' ')
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    out->real = fri_parse_number(copy, &end);
    if (*end || !(out->real >= p->low) || !(out->real <= p->high) || !isfinite(out->real))
        return false;
    if (p->kind == FRI_PARAM_REAL)
        return true;
    out->whole = (int64_t)out->real;
    bool integral = (double)out->whole == out->real;
    long long exact = strtoll(copy, &end, 10);
    if (!*end)
        out->whole = exact;
    return integral;
}

static fr_status set(fr_ctx *ctx, const fri_generator *g, fri_gen_args *args, const char *item,
                     size_t length) {
    const char *equals = memchr(item, '=', length);
    size_t key = equals ? (size_t)(equals - item) : length;
    for (int i = 0; g->parameters[i].name; i++) {
        const fri_parameter *p = &g->parameters[i];
        if (strlen(p->name) != key || strncmp(p->name, item, key))
            continue;
        fri_param_value *value = &args->value[i];
        if (value->given)
            return fri_fail(ctx, FR_INVALID, "generator %s: %s is given twice", g->name, p->name);
        value->given = true;
        if (equals && parse_value(p, equals + 1, length - key - 1, value))
            return FR_OK;
        char range[96];
        range_text(p, range, sizeof range);
        return fri_fail(ctx, FR_INVALID, "generator %s: '%.*s' is not a valid value: %s", g->name,
                        (int)FRI_MIN(length, 80), item, range);
    }
    return unknown(ctx, g, item, key);
}

static void drop_blocks(fri_edge_list *edges) {
    fri_edge_list none = {.n = edges->n, .undirected = edges->undirected};
    fri_edge_list_free(edges);
    *edges = none;
}

fr_status fri_generate(fr_ctx *ctx, const char *description, fri_edge_list *edges) {
    return fri_generate_share(ctx, description, 0, 1, edges);
}

fr_status fri_generate_share(fr_ctx *ctx, const char *description, int share, int shares,
                             fri_edge_list *edges) {
    *edges = (fri_edge_list){0};
    size_t length = strcspn(description, ":");
    const fri_generator *g = find(ctx, description, length);
    if (!g)
        return FR_INVALID;
    fri_gen_args args = {
        .ctx = ctx, .name = g->name, .edges = edges, .share = share, .shares = shares};
    for (int i = 0; g->parameters[i].name; i++)
        args.value[i] =
            (fri_param_value){g->parameters[i].value, (int64_t)g->parameters[i].value, false};
    const char *at = description + length;
    fr_status status = FR_OK;
    while (!status && *at && !(*at == ':' && !at[1])) { /* "path:" is "path" */
        at++;
        size_t item = strcspn(at, ",");
        status = set(ctx, g, &args, at, item);
        at += item;
    }
    if (!status)
        status = g->make(&args);
    if (status)
        fri_edge_list_free(edges);
    else if (!args.divided && share > 0)
        drop_blocks(edges);
    return status;
}
