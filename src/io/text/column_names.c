/* The names that columns of edge tables usually have.
 *
 * Source: the tables that NetworkX, igraph, Gephi, Neo4j, GraphFrames, cuGraph, OSMnx, pgRouting, SNAP,
 *   TNTP and ArangoDB write or document. Neo4j's ":START_ID(Group)" and "weight:float" have a type
 *   behind the name.
 */
#include "io/text/column_names.h"

#include <string.h>

enum { LONGEST = 24 };

/* Words in lower case, each between two blanks. */
static const char *const words[FRI_COLUMN_KINDS] = {
    [FRI_COLUMN_SOURCE] = " source src from sourceid srcid fromid sourcenode srcnode fromnode "
                          "sourcenodeid fromnodeid node1 nodeid1 node1id id1 vertex1 v1 n1 startid "
                          "startnode startnodeid initnode origin orig tail tailnode ",
    [FRI_COLUMN_TARGET] = " target tgt dst dest destination to targetid dstid destid toid "
                          "targetnode dstnode tonode targetnodeid tonodeid node2 nodeid2 node2id "
                          "id2 vertex2 v2 n2 endid endnode endnodeid termnode head headnode ",
    [FRI_COLUMN_WEIGHT] = " weight weights w cost costs length len distance dist edgeweight ",
    [FRI_COLUMN_MAYBE_SOURCE] = " u i start sender ",
    [FRI_COLUMN_MAYBE_TARGET] = " v j end receiver ",
    [FRI_COLUMN_MAYBE_WEIGHT] =
        " value val wt wgt km meters metres miles lengthm lengthkm distancem distancekm ",
    [FRI_COLUMN_TYPE] = " type ",
    [FRI_COLUMN_OTHER] =
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

fri_column_kind fri_column_kind_of(const char *name, size_t length) {
    char word[LONGEST + 3] = " ";
    const size_t used = plain_name(name, length, word + 1);
    if (used == LONGEST)
        return FRI_COLUMN_UNKNOWN;
    memcpy(word + 1 + used, " ", 2);
    for (int kind = FRI_COLUMN_SOURCE; kind < FRI_COLUMN_KINDS; kind++)
        if (strstr(words[kind], word))
            return (fri_column_kind)kind;
    return FRI_COLUMN_UNKNOWN;
}
