/* geometric/sample/sample.h - draws from the edges of a node. */
#ifndef AGNI_GRAPH_SAMPLE_H
#define AGNI_GRAPH_SAMPLE_H

#include "geometric/graph/graph.h"

/* Room for the edges of one node, and what is drawn of them. */
typedef struct agni_edge_draw {
    const agn_graph *g;
    const agni_incidence *t;
    const double *weight; /* by edge, or NULL */
    int64_t most;         /* below 0: all */
    uint64_t key;
    int64_t *slot;  /* [room] drawn slots of the node, ascending */
    double *time;   /* [room] of weighted draws */
    int64_t room;
} agni_edge_draw;

agn_status agni_edge_draw_open(agni_edge_draw *q, const char *op, const agn_graph *g,
                               const double *weight, int64_t most, uint64_t key);
void agni_edge_draw_close(agni_edge_draw *q);
/* draws for the node at a place; how many are in q->slot */
int64_t agni_draw_edges(agni_edge_draw *q, int64_t node, int64_t place);
/* the sub-key of a key tensor of one lane */
agn_status agni_read_sample_key(const char *op, const agn_tensor *key, uint64_t *sub);
/* integers in [0, n), read within s; NULL after a failure that names op and the place */
const int64_t *agni_read_nodes(agn_scope *s, const char *op, const char *what, const agn_tensor *x,
                               int64_t n, int64_t *count);
/* weights of edges, finite and from 0 on; NULL after a failure that names op and the edge */
const double *agni_read_sample_weights(agn_scope *s, const char *op, const agn_graph *g,
                                       const agn_tensor *x);
/* an integer in [0, n) for an element of a key */
int64_t agni_draw_below(uint64_t key, uint64_t element, int64_t n);
/* k of n without replacement, ascending; key, k and n say which */
void agni_draw_subset(uint64_t key, int64_t n, int64_t k, int64_t *v);
/* a growing list of integers; NULL elements where memory ran out */
typedef struct agni_integers {
    int64_t *v, n, room;
} agni_integers;
bool agni_integers_add(agni_integers *q, int64_t x);
bool agni_integers_reserve(agni_integers *q, int64_t more); /* room for so many */
/* an i64 tensor of it, adopted by s */
const agn_tensor *agni_integers_tensor(agn_scope *s, const agni_integers *q);
/* *x, which is on the host, to the device of like */
static inline agn_status agni_move_beside(agn_tensor **x, const agn_tensor *like)
{
    agn_tensor *far = NULL;
    agn_status st = agn_to_device(&far, *x, agni_tensor_device(like));
    if (st)
        return st;
    agn_release(*x);
    *x = far;
    return AGN_OK;
}

#endif
