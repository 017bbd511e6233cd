/* geometric/pool/partition.c - multilevel k-way partitions (Karypis and Kumar 1998): heavy edges
   are contracted, parts grow in the smallest graph, and at each level nodes at borders move where
   fewer edges are cut (Fiduccia and Mattheyses 1982, one node at a time and never uphill). */
#include "geometric/layers/layers.h"
#include "geometric/pool/partition.h"

#include <agnesi/geometric_pool.h>
#include <string.h>

enum { LEVELS = 64, PASSES = 8, NODES_A_PART = 30 };

typedef struct split {
    int64_t parts, most; /* nodes of a part at most */
    int64_t *size;       /* nodes of each part */
    double *to;          /* [parts] weights from one node to each part, 0 between uses */
} split;

/* the weights of the ties of node i by part; those of its neighbours' parts alone */
static void weigh_parts(const split *q, const agni_ties *t, const int64_t *part, int64_t i)
{
    for (int64_t e = t->begin[i]; e < t->begin[i + 1]; e++)
        if (part[t->to[e]] >= 0)
            q->to[part[t->to[e]]] += t->weight[e];
}
static void forget_parts(const split *q, const agni_ties *t, const int64_t *part, int64_t i)
{
    for (int64_t e = t->begin[i]; e < t->begin[i + 1]; e++)
        if (part[t->to[e]] >= 0)
            q->to[part[t->to[e]]] = 0;
}

/* the part with room to which most leads, else the smallest one with room, else the smallest */
static int64_t best_part(const split *q, const agni_ties *t, const int64_t *part, int64_t i)
{
    int64_t best = -1, least = 0;
    weigh_parts(q, t, part, i);
    for (int64_t e = t->begin[i]; e < t->begin[i + 1]; e++) {
        int64_t p = part[t->to[e]];
        if (p >= 0 && p != part[i] && q->size[p] + t->size[i] <= q->most &&
            (best < 0 || q->to[p] > q->to[best] || (q->to[p] == q->to[best] && p < best)))
            best = p;
    }
    for (int64_t p = 1; best < 0 && part[i] < 0 && p < q->parts; p++)
        least = q->size[p] < q->size[least] ? p : least;
    return best < 0 && part[i] < 0 ? least : best;
}

/* Parts grow one after the other from a node without a part, breadth first, to about equal size;
   what is left goes where most of its ties lead. */
static void grow_parts(split *q, const agni_ties *t, int64_t *part, int64_t *queue)
{
    int64_t all = 0, next = 0;
    for (int64_t i = 0; i < t->n; i++) {
        part[i] = -1;
        all += t->size[i];
    }
    for (int64_t p = 0; p < q->parts; p++) {
        int64_t want = all / q->parts + (p < all % q->parts), head = 0, tail = 0;
        q->size[p] = 0;
        while (q->size[p] < want) {
            if (head == tail) { /* another component */
                while (next < t->n && part[next] >= 0)
                    next++;
                if (next == t->n)
                    break;
                head = tail = 0;
                queue[tail++] = next;
                part[next] = p;
                q->size[p] += t->size[next];
                continue;
            }
            int64_t i = queue[head++];
            for (int64_t e = t->begin[i]; e < t->begin[i + 1] && q->size[p] < want; e++) {
                int64_t j = t->to[e];
                if (part[j] < 0 && q->size[p] + t->size[j] <= q->most) {
                    part[j] = p;
                    q->size[p] += t->size[j];
                    queue[tail++] = j;
                }
            }
        }
    }
    for (int64_t i = 0; i < t->n; i++)
        if (part[i] < 0) {
            int64_t p = best_part(q, t, part, i);
            forget_parts(q, t, part, i);
            part[i] = p;
            q->size[p] += t->size[i];
        }
}

/* nodes move where that cuts less, or as much and evens out; those of parts that are too large move
   to any with room */
static void move_nodes(split *q, const agni_ties *t, int64_t *part)
{
    bool more = true;
    for (int pass = 0; more && pass < PASSES; pass++) {
        more = false;
        for (int64_t i = 0; i < t->n; i++) {
            int64_t from = part[i], to = best_part(q, t, part, i);
            bool full = q->size[from] > q->most;
            if (to < 0 && full) { /* no neighbour's part has room */
                to = from;
                for (int64_t p = 0; p < q->parts; p++)
                    to = q->size[p] < q->size[to] ? p : to;
                to = q->size[to] + t->size[i] <= q->most ? to : -1;
            }
            double gain = to < 0 ? -1 : q->to[to] - q->to[from];
            forget_parts(q, t, part, i);
            if (to < 0 ||
                (!full && (gain < 0 || (gain == 0 && q->size[to] + t->size[i] >= q->size[from]))))
                continue;
            q->size[from] -= t->size[i];
            q->size[to] += t->size[i];
            part[i] = to;
            more = true;
        }
    }
}

typedef struct levels {
    agni_ties t[LEVELS];
    int64_t *ids[LEVELS], n; /* ids[k]: the node of level k + 1 of each node of level k */
} levels;

static agn_status make_levels(levels *l, const char *op, int64_t parts)
{
    agn_status st = AGN_OK;
    int64_t few = NODES_A_PART * parts;
    while (!st && l->n < LEVELS && l->t[l->n - 1].n > few) {
        const agni_ties *t = &l->t[l->n - 1];
        int64_t count = 0, heavy = l->t[0].n / few + 1;
        int64_t *ids = l->ids[l->n - 1] = agni_alloc((size_t)(t->n + 1) * sizeof *ids);
        st = ids ? agni_ties_match(t, op, NULL, heavy, ids, &count)
                 : agni_nomem(op, (size_t)t->n * sizeof *ids);
        if (!st && count > t->n - t->n / 20) /* hardly any pairs are left */
            break;
        if (!st && !(st = agni_ties_contract(&l->t[l->n], op, t, ids, count)))
            l->n++;
    }
    return st;
}

static agn_status divide_graph(int64_t *part, const char *op, levels *l, split *q)
{
    const agni_ties *last;
    agn_status st = make_levels(l, op, q->parts);
    int64_t n = l->t[0].n, *room = st ? NULL : agni_alloc((size_t)(2 * n + 1) * sizeof *room);
    if (!st && !room)
        st = agni_nomem(op, (size_t)n * 2 * sizeof *room);
    if (st)
        return st;
    last = &l->t[l->n - 1];
    grow_parts(q, last, part, room);
    move_nodes(q, last, part);
    for (int64_t k = l->n - 1; k-- > 0;) {
        memcpy(room, part, (size_t)l->t[k + 1].n * sizeof *part);
        for (int64_t i = 0; i < l->t[k].n; i++)
            part[i] = room[l->ids[k][i]];
        move_nodes(q, &l->t[k], part);
    }
    agni_free(room);
    return AGN_OK;
}

/* parts found elsewhere */
static void improve_parts(split *q, const agni_ties *t, int64_t *part)
{
    for (int64_t i = 0; i < t->n; i++)
        q->size[part[i]] += t->size[i];
    move_nodes(q, t, part);
}

agn_status agn_graph_partition(agn_tensor **ids, int64_t *cut, const agn_graph *g, int64_t parts)
{
    static const char op[] = "graph_partition";
    levels *l = NULL;
    split q = {parts, 0, NULL, NULL};
    agn_tensor *y = NULL;
    AGNI_NEED(op, ids);
    AGNI_NEED(op, g);
    agn_status st = agni_check_one_kind(op, g);
    if (!st && (parts < 1 || parts > INT32_MAX))
        st = agni_fail(AGN_EARG, "%s: %lld parts, 1 or more are needed", op, (long long)parts);
    if (st)
        return st;
    int64_t n = g->n[AGN_GRAPH_SRC];
    q.most = (int64_t)(1.05 * (double)n / (double)parts) + 1;
    l = agni_zalloc(sizeof *l);
    q.size = agni_zalloc((size_t)parts * sizeof *q.size);
    q.to = agni_zalloc((size_t)parts * sizeof *q.to);
    if (!l || !q.size || !q.to)
        st = agni_nomem(op, (size_t)parts * 2 * sizeof *q.to);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &n, AGN_CPU);
    if (!st && !(st = agni_ties_open(&l->t[0], op, g, NULL))) {
        bool found = false;
        l->n = 1;
        st = agni_metis_parts(y->data, &found, op, &l->t[0], parts, q.most);
        if (!st && !found)
            st = divide_graph(y->data, op, l, &q);
        else if (!st)
            improve_parts(&q, &l->t[0], y->data);
    }
    for (int64_t k = 0; l && k < LEVELS; k++) {
        agni_ties_close(&l->t[k]);
        agni_free(l->ids[k]);
    }
    agni_free(l);
    agni_free(q.size);
    agni_free(q.to);
    if (st) {
        agn_release(y);
        return st;
    }
    const int64_t *part = y->data;
    int64_t between = 0;
    for (int64_t e = 0; e < g->edges; e++)
        between += part[agni_graph_end(g, AGN_GRAPH_SRC, e)] !=
                   part[agni_graph_end(g, AGN_GRAPH_DST, e)];
    if (cut)
        *cut = between;
    *ids = y;
    return AGN_OK;
}
