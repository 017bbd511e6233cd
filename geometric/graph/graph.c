/* geometric/graph/graph.c - directed multigraphs as values: edges checked once, incidence lists by
   a stable counting sort (Knuth, The Art of Computer Programming 3, 5.2 algorithm D) on demand. */
#include "geometric/graph/graph.h"

#include <agnesi/ag.h>
#include <string.h>

/* ---- life ------------------------------------------------------------------------------------ */

static void free_incidence(const agn_graph *g, int side, agni_incidence *t)
{
    if (t) {
        agni_free(t->begin);
        if (t->other != g->end[!side])
            agni_free(t->other);
        agni_free(t->edge);
    }
    agni_free(t);
}

static void graph_destroy(agni_obj *o)
{
    agn_graph *g = (agn_graph *)o;
    agni_mirrors_free(&g->mirrors);
    for (int side = 0; side < 2; side++)
        free_incidence(g, side, atomic_load(&g->by[side]));
    agni_free(g->end[0]);
    agni_free(g->end[1]);
    agni_obj_free(&g->head, sizeof *g);
}

static bool graph_equal(const agni_obj *a, const agni_obj *b)
{
    const agn_graph *g = (const agn_graph *)a, *h = (const agn_graph *)b;
    size_t bytes = (size_t)g->edges * (g->wide ? sizeof(int64_t) : sizeof(int32_t));
    if (g->n[0] != h->n[0] || g->n[1] != h->n[1] || g->edges != h->edges || g->wide != h->wide)
        return false;
    return !bytes || (!memcmp(g->end[0], h->end[0], bytes) && !memcmp(g->end[1], h->end[1], bytes));
}
static const agni_obj_type graph_type = {
    .name = "graph", .destroy = graph_destroy, .equal = graph_equal};

bool agni_is_graph(const agni_obj *o)
{
    return o && o->type == &graph_type;
}

agn_graph *agn_graph_retain(const agn_graph *g)
{
    return (agn_graph *)(g ? agni_obj_retain(&g->head) : NULL);
}

void agn_graph_release(agn_graph *g)
{
    if (g)
        agni_obj_release(&g->head);
}

static void release_graph(void *user)
{
    agn_graph_release(user);
}

agn_status agni_graph_view(agn_tensor **out, const agn_graph *g, int64_t n, const void *v)
{
    agn_graph *keep = agn_graph_retain(g);
    agn_status st = agn_wrap_host(out, g->wide ? AGN_I64 : AGN_I32, 1, &n, NULL,
                                  (void *)(uintptr_t)v, true, release_graph, keep);
    if (st)
        agn_graph_release(keep);
    return st;
}

/* ---- making ---------------------------------------------------------------------------------- */

static const int64_t MOST_NODES = INT64_MAX / 64; /* a list of more has no size in bytes */

static bool fits_i32(int64_t n)
{
    return n < INT32_MAX;
}

static void *alloc_integers(bool wide, int64_t n)
{
    return agni_alloc((size_t)(n > 0 ? n : 1) * (wide ? sizeof(int64_t) : sizeof(int32_t)));
}

/* Checks the nodes of one side, in blocks that lie in a cache when they are written, and tells
   whether they ascend. What leaves the range or falls shows in the sign of a difference. */
#define TAKE_ENDS(INT, name) \
    static agn_status take_ends_##name(INT *to, bool *sorted, const char *op, const char *what, \
                                       int64_t m, const int64_t *v, int64_t n) \
    { \
        enum { BLOCK = 2048 }; \
        int64_t last = 0, falls = 0; \
        for (int64_t k = 0; k < m; k += BLOCK) { \
            int64_t end = m - k < BLOCK ? m : k + BLOCK; \
            uint64_t out = 0, fall = 0; \
            for (int64_t e = k; e < end; e++) { \
                uint64_t u = (uint64_t)v[e]; \
                out |= u | ((uint64_t)(n - 1) - u); \
                fall |= u - (uint64_t)last; \
                last = v[e]; \
                to[e] = (INT)v[e]; \
            } \
            for (int64_t e = k; (out >> 63) && e < end; e++) \
                if (v[e] < 0 || v[e] >= n) \
                    return agni_fail(AGN_EINDEX, \
                                     "%s: edge %lld has %s %lld, out of range for %lld nodes", op, \
                                     (long long)e, what, (long long)v[e], (long long)n); \
            falls |= (int64_t)(fall >> 63); \
        } \
        *sorted = !falls; \
        return AGN_OK; \
    }
TAKE_ENDS(int32_t, i32)
TAKE_ENDS(int64_t, i64)

agn_status agni_graph_make(agn_graph **out, const char *op, int64_t n_src, int64_t n_dst, int64_t m,
                           const int64_t *src, const int64_t *dst)
{
    bool wide = !fits_i32(n_src) || !fits_i32(n_dst) || !fits_i32(m);
    int64_t most = n_src > n_dst ? n_src : n_dst;
    agn_graph *g = most > MOST_NODES ? NULL : agni_zalloc(sizeof *g);
    size_t room = (size_t)(m > 0 ? m : 1) * (wide ? sizeof(int64_t) : sizeof(int32_t));
    void *end[2] = {!g    ? NULL
                    : src ? agni_alloc(room)
                          : agni_zalloc(room),
                    g ? agni_alloc(room) : NULL};
    agn_status st = g && end[0] && end[1]
                        ? AGN_OK
                        : agni_nomem(op, most > MOST_NODES ? SIZE_MAX
                                                           : (size_t)m * 2 * sizeof(int64_t));
    for (int side = 0; !st && side < 2; side++) {
        const int64_t *v = side == AGN_GRAPH_SRC ? src : dst,
                      n = side == AGN_GRAPH_SRC ? n_src : n_dst;
        if (!v) {
            g->sorted[side] = true;
            continue;
        }
        const char *what = side == AGN_GRAPH_SRC ? "src" : "dst";
        st = wide ? take_ends_i64(end[side], &g->sorted[side], op, what, m, v, n)
                  : take_ends_i32(end[side], &g->sorted[side], op, what, m, v, n);
    }
    if (st) {
        agni_free(end[0]);
        agni_free(end[1]);
        agni_free(g);
        return st;
    }
    agni_ref_init(&g->head.ref);
    g->head.type = &graph_type;
    g->n[AGN_GRAPH_SRC] = n_src;
    g->n[AGN_GRAPH_DST] = n_dst;
    g->edges = m;
    g->wide = wide;
    for (int side = 0; side < 2; side++) {
        g->end[side] = end[side];
        atomic_init(&g->by[side], NULL);
    }
    atomic_init(&g->mirrors, NULL);
    *out = g;
    return AGN_OK;
}

const int64_t *agni_read_integers(agn_scope *s, const char *op, const char *what,
                                  const agn_tensor *x, int64_t *n)
{
    agn_status st = x ? agni_require_dense(x, op)
                      : agni_fail(AGN_ENULL, "%s: %s is NULL", op, what);
    if (!st && agni_kind(x->dtype) != AGNI_KIND_INT)
        st = agni_fail(AGN_EDTYPE, "%s: %s is %s, an integer dtype is needed", op, what,
                       agni_dtypes[x->dtype].name);
    if (!st && x->ndim != 1)
        st = agni_fail(AGN_ESHAPE, "%s: %s is %s with %d axes, one is needed", op, what,
                       AGNI_SHAPE(x), x->ndim);
    if (agn_scope_fail(s, st) || !(x = agni_read_in(s, op, x)))
        return NULL;
    const agn_tensor *y = ag_contiguous(s, agni_cast(s, x, AGN_I64));
    *n = x->size;
    return y ? y->data : NULL;
}

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t agni_count_nodes(int64_t m, const int64_t *v)
{
    int64_t a = -1, b = -1, c = -1, d = -1, e = 0; /* four, as one would wait for itself */
    for (; e + 4 <= m; e += 4) {
        a = larger(a, v[e]);
        b = larger(b, v[e + 1]);
        c = larger(c, v[e + 2]);
        d = larger(d, v[e + 3]);
    }
    for (; e < m; e++)
        a = larger(a, v[e]);
    a = larger(larger(a, b), larger(c, d));
    if (a < INT64_MAX)
        return a + 1;
    for (a = -1, e = 0; e < m; e++)
        a = v[e] < INT64_MAX ? larger(a, v[e]) : a;
    return a + 1;
}

agn_status agn_graph_from_edges(agn_graph **out, const agn_tensor *src, const agn_tensor *dst,
                                int64_t n_src, int64_t n_dst)
{
    static const char op[] = "graph_from_edges";
    int64_t m = 0, k = 0;
    AGNI_NEED(op, out);
    agn_graph *g = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *from = agni_read_integers(s, op, "src", src, &m);
    const int64_t *to = from ? agni_read_integers(s, op, "dst", dst, &k) : NULL;
    if (to && m != k)
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: lengths differ: src is %s, dst is %s", op,
                                    AGNI_SHAPE(src), AGNI_SHAPE(dst)));
    if (to && !agn_scope_status(s)) {
        n_src = n_src > 0 ? n_src : agni_count_nodes(m, from);
        int64_t ends = n_dst > 0 ? 0 : agni_count_nodes(m, to);
        if (n_dst <= 0)
            n_dst = ends > n_src ? ends : n_src;
        agn_scope_fail(s, agni_graph_make(&g, op, n_src, n_dst, m, from, to));
    }
    agn_status st = agni_rename_error(op, agn_scope_close(s));
    if (!st)
        *out = g;
    return st;
}

/* the row of each entry, of compressed rows that are checked here */
static agn_status expand_rows(const char *op, int64_t n, const int64_t *begin, int64_t m,
                              int64_t *row)
{
    for (int64_t i = 0; i < n; i++) {
        if (begin[i] < 0 || begin[i + 1] < begin[i] || begin[i + 1] > m)
            return agni_fail(
                AGN_EARG, "%s: indptr goes from %lld to %lld at node %lld, of %lld edges", op,
                (long long)begin[i], (long long)begin[i + 1], (long long)i, (long long)m);
        for (int64_t e = begin[i]; e < begin[i + 1]; e++)
            row[e] = i;
    }
    return begin[0] == 0 && begin[n] == m
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: indptr goes from %lld to %lld, there are %lld edges", op,
                           (long long)begin[0], (long long)begin[n], (long long)m);
}

agn_status agn_graph_from_compressed(agn_graph **out, const agn_tensor *indptr,
                                     const agn_tensor *index, int64_t n_other, int32_t side)
{
    static const char op[] = "graph_from_compressed";
    int64_t n = 0, m = 0;
    AGNI_NEED(op, out);
    if (side != AGN_GRAPH_SRC && side != AGN_GRAPH_DST)
        return agni_fail(AGN_EARG, "%s: side %d is neither %d nor %d", op, side, AGN_GRAPH_SRC,
                         AGN_GRAPH_DST);
    agn_graph *g = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const int64_t *begin = agni_read_integers(s, op, "indptr", indptr, &n);
    const int64_t *other = begin ? agni_read_integers(s, op, "index", index, &m) : NULL;
    if (other && n == 0)
        agn_scope_fail(s, agni_fail(AGN_ESHAPE, "%s: indptr is %s, nodes and one more are needed",
                                    op, AGNI_SHAPE(indptr)));
    int64_t *row = NULL;
    if (other && !agn_scope_status(s)) {
        row = agni_alloc((size_t)(m + 1) * sizeof *row);
        agn_status st = row ? expand_rows(op, --n, begin, m, row)
                            : agni_nomem(op, (size_t)m * sizeof *row);
        int64_t ends = n_other > 0 ? 0 : agni_count_nodes(m, other);
        if (n_other <= 0)
            n_other = ends > n ? ends : n;
        if (!st)
            st = side == AGN_GRAPH_DST ? agni_graph_make(&g, op, n_other, n, m, other, row)
                                       : agni_graph_make(&g, op, n, n_other, m, row, other);
        agn_scope_fail(s, st);
    }
    agni_free(row);
    agn_status st = agni_rename_error(op, agn_scope_close(s));
    if (!st)
        *out = g;
    return st;
}

/* ---- facts ----------------------------------------------------------------------------------- */

#define SORT_EDGES(INT, name) \
    static void sort_edges_##name(const agn_graph *g, int side, INT *begin, INT *other, INT *edge) \
    { \
        const INT *key = g->end[side], *far = g->end[!side]; \
        int64_t n = g->n[side], m = g->edges; \
        memset(begin, 0, (size_t)(n + 1) * sizeof *begin); \
        for (int64_t e = 0; e < m; e++) \
            begin[key[e] + 1]++; \
        for (int64_t i = 0; i < n; i++) \
            begin[i + 1] = (INT)(begin[i + 1] + begin[i]); \
        for (int64_t e = 0; e < m; e++) { /* begin[i] runs to the end of node i */ \
            INT at = begin[key[e]]++; \
            if (other != far) \
                other[at] = far[e]; \
            edge[at] = (INT)e; \
        } \
        memmove(begin + 1, begin, (size_t)n * sizeof *begin); \
        begin[0] = 0; \
    }
SORT_EDGES(int32_t, i32)
SORT_EDGES(int64_t, i64)

/* the same where the nodes of the edges ascend */
#define KEEP_ORDER(INT, name) \
    static void keep_order_##name(const agn_graph *g, int side, INT *begin) \
    { \
        const INT *key = g->end[side]; \
        int64_t n = g->n[side], m = g->edges; \
        memset(begin, 0, (size_t)(n + 1) * sizeof *begin); \
        for (int64_t e = 0; e < m; e++) /* the last edge of a node stays */ \
            begin[key[e] + 1] = (INT)(e + 1); \
        for (int64_t i = 0; i < n; i++) \
            begin[i + 1] = begin[i + 1] ? begin[i + 1] : begin[i]; \
    }
KEEP_ORDER(int32_t, i32)
KEEP_ORDER(int64_t, i64)

static agni_incidence *build_incidence(const agn_graph *g, int side)
{
    agni_incidence *t = agni_zalloc(sizeof *t);
    if (!t)
        return NULL;
    t->in_order = g->sorted[side];
    bool alike = g->n[!side] <= 1; /* the other ends are one node */
    t->begin = alloc_integers(g->wide, g->n[side] + 1);
    t->other = t->in_order || alike ? g->end[!side] : alloc_integers(g->wide, g->edges);
    t->edge = t->in_order ? NULL : alloc_integers(g->wide, g->edges);
    if (!t->begin || !t->other || (!t->in_order && !t->edge)) {
        free_incidence(g, side, t);
        return NULL;
    }
    if (t->in_order && g->wide)
        keep_order_i64(g, side, t->begin);
    else if (t->in_order)
        keep_order_i32(g, side, t->begin);
    else if (g->wide)
        sort_edges_i64(g, side, t->begin, t->other, t->edge);
    else
        sort_edges_i32(g, side, t->begin, t->other, t->edge);
    return t;
}

const agni_incidence *agni_graph_incidence(const agn_graph *g, int side)
{
    agn_graph *h = (agn_graph *)(uintptr_t)g;
    agni_incidence *t = atomic_load(&h->by[side]), *none = NULL;
    if (t || !(t = build_incidence(g, side)))
        return t;
    if (atomic_compare_exchange_strong(&h->by[side], &none, t))
        return t;
    free_incidence(g, side, t);
    return none;
}

agn_status agn_graph_size(int64_t *n_src, int64_t *n_dst, int64_t *edges, const agn_graph *g)
{
    AGNI_NEED("graph_size", g);
    if (n_src)
        *n_src = g->n[AGN_GRAPH_SRC];
    if (n_dst)
        *n_dst = g->n[AGN_GRAPH_DST];
    if (edges)
        *edges = g->edges;
    return AGN_OK;
}

agn_status agn_graph_edges(agn_tensor **src, agn_tensor **dst, const agn_graph *g)
{
    static const char op[] = "graph_edges";
    agn_tensor *a = NULL;
    AGNI_NEED(op, src);
    AGNI_NEED(op, dst);
    AGNI_NEED(op, g);
    agn_status st = agni_graph_view(&a, g, g->edges, g->end[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_graph_view(dst, g, g->edges, g->end[AGN_GRAPH_DST]);
    if (st)
        agn_release(a);
    else
        *src = a;
    return agni_rename_error(op, st);
}

static agn_status check_side(const char *op, int32_t side)
{
    return side == AGN_GRAPH_SRC || side == AGN_GRAPH_DST
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: side %d is neither %d nor %d", op, side, AGN_GRAPH_SRC,
                           AGN_GRAPH_DST);
}

agn_status agn_graph_incidence(agn_tensor **indptr, agn_tensor **other, agn_tensor **edge,
                               const agn_graph *g, int32_t side)
{
    static const char op[] = "graph_incidence";
    agn_tensor *a = NULL, *b = NULL;
    AGNI_NEED(op, indptr);
    AGNI_NEED(op, other);
    AGNI_NEED(op, edge);
    AGNI_NEED(op, g);
    agn_status st = check_side(op, side);
    if (st)
        return st;
    const agni_incidence *t = agni_graph_incidence(g, side);
    if (!t)
        return agni_nomem(op, (size_t)g->edges * 2 * sizeof(int64_t));
    st = agni_graph_view(&a, g, g->n[side] + 1, t->begin);
    if (!st)
        st = agni_graph_view(&b, g, g->edges, t->other);
    if (!st && t->in_order)
        st = agn_arange(edge, g->wide ? AGN_I64 : AGN_I32, 0, (double)g->edges, 1);
    else if (!st)
        st = agni_graph_view(edge, g, g->edges, t->edge);
    if (st) {
        agn_release(a);
        agn_release(b);
        return agni_rename_error(op, st);
    }
    *indptr = a;
    *other = b;
    return AGN_OK;
}

agn_status agn_graph_degrees(agn_tensor **out, const agn_graph *g, int32_t side)
{
    static const char op[] = "graph_degrees";
    agn_tensor *y = NULL;
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    agn_status st = check_side(op, side);
    if (!st)
        st = agni_tensor_make(&y, op, AGN_I64, 1, &g->n[side], AGN_CPU);
    if (st)
        return st;
    int64_t *count = y->data;
    if (y->size)
        memset(count, 0, (size_t)y->size * sizeof *count);
    for (int64_t e = 0; e < g->edges; e++)
        count[agni_graph_end(g, side, e)]++;
    *out = y;
    return AGN_OK;
}

agn_status agni_check_one_kind(const char *op, const agn_graph *g)
{
    return g->n[AGN_GRAPH_SRC] == g->n[AGN_GRAPH_DST]
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: the graph has %lld sources and %lld destinations", op,
                           (long long)g->n[AGN_GRAPH_SRC], (long long)g->n[AGN_GRAPH_DST]);
}

/* ---- for back ends ---------------------------------------- */

agn_status agn_graph_read(agn_graph_view *out, const void *object)
{
    const agn_graph *g = object;
    if (!out || !object)
        return agni_fail(AGN_ENULL, "graph_read: %s is NULL", out ? "the object" : "out");
    if (!agni_is_graph(object))
        return agni_fail(AGN_EARG, "graph_read: the object is a %s, a graph is needed",
                         g->head.type->name);
    *out = (agn_graph_view){{g->n[0], g->n[1]}, g->edges, g->wide, {g->end[0], g->end[1]}};
    return AGN_OK;
}

void *agn_graph_mirror(const void *object, const void *key)
{
    return agni_is_graph(object)
               ? agni_mirrors_find(&((agn_graph *)(uintptr_t)object)->mirrors, key)
               : NULL;
}

void *agn_graph_keep(const void *object, const void *key, void *mirror,
                     void (*destroy)(void *mirror))
{
    if (agni_is_graph(object))
        return agni_mirrors_keep(&((agn_graph *)(uintptr_t)object)->mirrors, key, mirror, destroy);
    destroy(mirror);
    return NULL;
}
