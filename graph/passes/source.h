/* graph/passes/source.h - the source of a rewrite: a program or an IR as one of the two, with what
   the analyses say of its values. */
#ifndef AGNI_GRAPH_PASSES_SOURCE_H
#define AGNI_GRAPH_PASSES_SOURCE_H

#include "graph/passes/ir.h"

/* What is rewritten, a program or an IR, as one of the two: nodes, arguments and results alike. */
typedef struct agni_source_view {
    const agni_prog *prog;
    const agni_ir *ir;
    const agni_pnode *node;
    const int32_t *arg, *out;
    int n_val, n_node, n_in, n_out;
} agni_source_view;

static inline const agn_tensor *agni_source_tensor(const agni_source_view *s, int32_t v)
{
    return s->prog ? s->prog->val[v] : s->ir->val[v].t;
}


/* A source with what the analyses say of it, its values renamed by map (-1: not emitted yet). */
typedef struct agni_source {
    agni_source_view of;
    bool *read, *live;              /* of values: by a live node or the caller; of nodes */
    bool *done;                     /* of nodes: emitted */
    bool *read_in_slices, *shown;   /* of values: mark_sliced_elementwise */
    uint8_t *sign;                  /* of values: zero_signs.c */
    int64_t *unread;                /* of values: elements that no slice read so far; -1 */
    int32_t *map;
    bool pairs;                     /* ops that stand for two nodes may be emitted */
    int32_t *along;                 /* live nodes whose op has along, where pairs */
    int n_along;
    agni_ir_replace_node *other; /* what emits other nodes for some, for user; or NULL */
    void *user;
} agni_source;

/* Arguments of a node that need no allocation. */
enum { AGNI_FEW_ARGS = 16 };

/* dead_code.c: read[] and live[] from the results back */
void agni_mark_live(agni_source *q);
/* zero_signs.c: sign[] of each value, from the results back */
void agni_analyse_zero_signs(agni_source *q);

/* rewrite.c: node k emitted as it is, or as the rules have it */
void agni_copy_node(agni_ir *ir, agni_source *q, int k);
/* n's results are those at first[], or, which says which, some of them */
void agni_rename_results(agni_source *q, const agni_pnode *n, int32_t first, const int32_t *which);
/* the arguments of n by their new names, in few if they fit; NULL without memory */
int32_t *agni_map_arguments(agni_ir *ir, const agni_source *q, const agni_pnode *n, int32_t *few);

/* merge_nodes.c: node k and a later one of the same op as one application, if that op knows how */
void agni_merge_node(agni_ir *ir, agni_source *q, int k);
/* node k and a later one by an op that gives the results of both: any, if k's own op knows how,
   else one whose op does */
void agni_pair_node(agni_ir *ir, agni_source *q, int k);
#endif
