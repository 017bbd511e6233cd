/* geometric/layers/dimenet.c - DimeNet++ (Gasteiger et al. 2020): messages on edges, filtered by
   distances and by the angles between edges. */
#include "geometric/blocks/messages.h"
#include "geometric/layers/layers.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_networks.h>
#include <agnesi/hypergeometric.h>
#include <agnesi/nn.h>
#include <math.h>

enum { ANY = -1 };

/* The parameters in their order; each is looked at before it is used. */
typedef struct parameters {
    const char *op;
    const agn_tensor *const *w;
    int n, at, dtype;
} parameters;

/* the next one, [rows, columns], or [rows] where columns is 0; NULL after a failure */
static const agn_tensor *take_parameter(agn_scope *s, parameters *p, int64_t rows, int64_t columns)
{
    int i = p->at++;
    const agn_tensor *w = i < p->n ? p->w[i] : NULL;
    if (agn_scope_status(s))
        return NULL;
    if (!w) {
        agn_scope_fail(s, agni_fail(AGN_ENULL, "%s: w[%d] is NULL", p->op, i));
        return NULL;
    }
    if (agn_scope_fail(s, agni_require_dense(w, p->op)))
        return NULL;
    bool good = w->ndim == (columns ? 2 : 1) && (rows == ANY || w->shape[0] == rows) &&
                (!columns || columns == ANY || w->shape[1] == columns);
    if (!good || agni_kind(w->dtype) == AGNI_KIND_COMPLEX) {
        agn_scope_fail(s, good ? agni_fail(AGN_EDTYPE, "%s: w[%d] is %s, a real dtype is needed",
                                           p->op, i, agni_dtypes[w->dtype].name)
                               : agni_fail(AGN_ESHAPE,
                                           "%s: w[%d] is %s, %lld rows and %lld columns are "
                                           "needed (-1: any, 0: one axis)",
                                           p->op, i, AGNI_SHAPE(w), (long long)rows,
                                           (long long)columns));
        return NULL;
    }
    return agni_cast(s, w, p->dtype);
}

/* w x for rows x, the next parameter w of so many rows */
static const agn_tensor *map_rows(agn_scope *s, parameters *p, const agn_tensor *x, int64_t rows)
{
    const agn_tensor *w = x ? take_parameter(s, p, rows, x->shape[1]) : NULL;
    return w ? ag_nn_linear(s, x, w, NULL) : NULL;
}
/* act(w x + b) */
static const agn_tensor *apply_layer(agn_scope *s, parameters *p, const agn_tensor *x, int64_t rows)
{
    const agn_tensor *w = x ? take_parameter(s, p, rows, x->shape[1]) : NULL,
                     *b = w ? take_parameter(s, p, w->shape[0], 0) : NULL;
    return b ? ag_nn_silu(s, ag_nn_linear(s, x, w, b)) : NULL;
}
static const agn_tensor *apply_residual(agn_scope *s, parameters *p, const agn_tensor *x)
{
    const agn_tensor *y = x ? apply_layer(s, p, x, x->shape[1]) : NULL;
    y = apply_layer(s, p, y, x ? x->shape[1] : ANY);
    return y ? ag_add(s, x, y) : NULL;
}

/* ---- the basis ------------------------------------------------------------------------------- */

agn_status agn_graph_spherical_basis(agn_tensor **out, const agn_tensor *d, int64_t degrees,
                                     int64_t n, double cutoff, int32_t p)
{
    static const char op[] = "graph_spherical_basis";
    AGNI_NEED(op, out);
    AGNI_NEED(op, d);
    if (degrees < 1 || degrees > 64 || n < 1 || n > 1000)
        return agni_fail(AGN_EARG, "%s: %lld degrees of %lld functions, 1 to 64 of 1 to 1000 are "
                                   "needed",
                         op, (long long)degrees, (long long)n);
    if (d->ndim > AGNI_MAX_RANK - 2)
        return agni_fail(AGN_ESHAPE, "%s: d is %s with %d axes, two fewer are needed", op,
                         AGNI_SHAPE(d), d->ndim);
    agn_scope *s = agn_scope_open(NULL);
    /* the envelope is in the first of these: (2 / c)^(1/2) pi / c u sinc(d / c) */
    const agn_tensor *list[64], *one = ag_graph_bessel_basis(s, d, 1, cutoff, p), *t, *u, *y = NULL;
    t = one ? ag_mul_c(s, agni_cast(s, d, one->dtype), 1 / cutoff) : NULL;
    int64_t shape[AGNI_MAX_RANK];
    for (int k = 0; t && k < t->ndim; k++)
        shape[k] = t->shape[k];
    if (t) {
        shape[t->ndim] = 1;
        t = agni_reshape(s, t, d->ndim + 1, shape);
        /* u(t) / t: 1/t where the envelope is 0, too, is finite for t above 0 */
        u = ag_div(s, one, ag_mul_c(s, ag_sinc(s, t), acos(-1) / cutoff * sqrt(2 / cutoff)));
        u = ag_where(s, ag_lt(s, t, agni_full_like(s, 1, t)), ag_div(s, u, t),
                     agni_full_like(s, 0, t));
    }
    for (int32_t l = 0; t && l < degrees && !agn_scope_status(s); l++) {
        const agn_tensor *z = agni_put_beside(
            s, agni_cast(s, ag_bessel_zeros(s, l + 0.5, 0, (int32_t)n), t->dtype), t);
        const agn_tensor *next = z ? ag_abs(s, ag_spherical_jn(s, z, l + 1)) : NULL;
        const agn_tensor *j = next ? ag_div(s, ag_spherical_jn(s, ag_mul(s, t, z), l), next) : NULL;
        j = j ? ag_mul_c(s, ag_mul(s, j, u), sqrt(2 * (2.0 * l + 1) / (4 * acos(-1)))) : NULL;
        shape[d->ndim] = 1, shape[d->ndim + 1] = n;
        list[l] = j ? agni_reshape(s, j, d->ndim + 2, shape) : NULL;
    }
    if (t && !agn_scope_status(s))
        y = ag_concat(s, list, (int32_t)degrees, -2);
    return agni_return(op, s, out, y);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* What the blocks read: the graph of edges, bases by edge and by triplet, sizes. */
typedef struct network {
    const agn_graph *g, *line;
    const agn_tensor *r;     /* [edges, radial] */
    const agn_tensor *far;   /* [edges, degrees radial] */
    const agn_tensor *polar; /* [triplets, degrees] */
    agn_dimenet_options o;
} network;

/* rows of nodes from messages m */
static const agn_tensor *read_out(agn_scope *s, parameters *p, const network *q,
                                  const agn_tensor *m, int64_t width)
{
    const agn_tensor *y = map_rows(s, p, q->r, m ? m->shape[1] : ANY);
    y = y && m ? ag_mul(s, y, m) : NULL;
    y = y ? agni_gspmm(s, q->g, NULL, y, AGN_MESSAGE_COPY, AGN_GEOMETRIC_SUM) : NULL;
    y = map_rows(s, p, y, ANY);
    for (int k = 0; k < q->o.layers && y; k++)
        y = apply_layer(s, p, y, y->shape[1]);
    return map_rows(s, p, y, width);
}

/* rows of a triplet: t and radial functions of the edge it comes from, functions of the angle */
typedef struct filter {
    const network *q;
    const agn_tensor *w1, *w2;
} filter;
static agn_status filter_triplets(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const filter *f = user;
    int64_t n = in[0]->shape[0], l = f->q->o.degrees, r = f->q->o.radial;
    const agn_tensor *a = agni_reshape(s, in[1], 3, (int64_t[]){n, l, r}),
                     *b = agni_reshape(s, in[2], 3, (int64_t[]){n, l, 1});
    const agn_tensor *both = a && b ? ag_mul(s, a, b) : NULL;
    both = both ? agni_reshape(s, both, 2, (int64_t[]){n, l * r}) : NULL;
    both = both ? ag_nn_linear(s, ag_nn_linear(s, both, f->w1, NULL), f->w2, NULL) : NULL;
    out[0] = both ? ag_mul(s, in[0], both) : NULL;
    return agn_scope_status(s);
}

static const agn_tensor *update_messages(agn_scope *s, parameters *p, const network *q,
                                  const agn_tensor *m)
{
    int64_t f = m ? m->shape[1] : ANY, basis = (int64_t)q->o.degrees * q->o.radial;
    const agn_tensor *own = apply_layer(s, p, m, f), *t = apply_layer(s, p, m, f);
    const agn_tensor *by = map_rows(s, p, q->r, ANY), *y = NULL;
    by = map_rows(s, p, by, f);
    filter w = {q, take_parameter(s, p, ANY, basis), NULL};
    w.w2 = w.w1 ? take_parameter(s, p, ANY, w.w1->shape[0]) : NULL;
    t = t && by && w.w2 ? map_rows(s, p, ag_mul(s, t, by), w.w2->shape[0]) : NULL;
    t = t ? ag_nn_silu(s, t) : NULL;
    if (t) {
        agni_messages call = {.g = q->line,
                              .body = {filter_triplets, &w},
                              .n = 3,
                              .n_out = 1,
                              .in = {t, q->far, q->polar},
                              .side = {AGN_GRAPH_SRC, AGN_GRAPH_SRC, AGN_GRAPH_EDGE},
                              .target = {AGN_GRAPH_DST}};
        agni_run_messages(s, &call, &y);
    }
    y = map_rows(s, p, y, f);
    y = y && own ? ag_add(s, own, ag_nn_silu(s, y)) : NULL;
    for (int k = 0; k < q->o.before; k++)
        y = apply_residual(s, p, y);
    y = apply_layer(s, p, y, f);
    y = y ? ag_add(s, y, m) : NULL;
    for (int k = 0; k < q->o.after; k++)
        y = apply_residual(s, p, y);
    return y;
}

/* messages from rows of both ends and of the distance */
static const agn_tensor *embed_edges(agn_scope *s, parameters *p, const network *q,
                                     const agn_tensor *h)
{
    int64_t f = h->shape[1];
    const agn_tensor *r = apply_layer(s, p, q->r, f);
    const agn_tensor *both[3] = {agni_gather_ends(s, q->g, h, AGN_GRAPH_DST),
                                 agni_gather_ends(s, q->g, h, AGN_GRAPH_SRC), r};
    return r && both[0] && both[1] ? apply_layer(s, p, ag_concat(s, both, 3, 1), f) : NULL;
}

/* distances, angles and their bases. The angle of DimeNet++ is that by which the way turns. */
static void measure_edges(agn_scope *s, network *q, const agn_tensor *x)
{
    const agn_dimenet_options *o = &q->o;
    int64_t edges = q->g->edges, wide = (int64_t)o->degrees * o->radial;
    const agn_tensor *way = agni_gsddmm(s, q->g, x, AGN_GRAPH_SRC, x, AGN_GRAPH_DST,
                                        AGN_MESSAGE_SUB);
    const agn_tensor *d = way ? ag_square(s, way) : NULL;
    d = d ? ag_sqrt(s, agni_sum_axes(s, d, 1, (int64_t[]){-1}, false)) : NULL;
    q->r = d ? ag_graph_bessel_basis(s, d, o->radial, o->cutoff, o->envelope) : NULL;
    q->r = q->r ? ag_mul_c(s, q->r, o->cutoff * sqrt(o->cutoff / 2)) : NULL;
    q->far = d ? ag_graph_spherical_basis(s, d, o->degrees, o->radial, o->cutoff, o->envelope)
               : NULL;
    q->far = q->far ? agni_reshape(s, q->far, 2, (int64_t[]){edges, wide}) : NULL;
    const agn_tensor *turn = ag_graph_angles(s, q->line, q->g, x);
    turn = turn ? ag_add_c(s, ag_neg(s, turn), acos(-1)) : NULL;
    q->polar = turn ? ag_graph_legendre_basis(s, turn, o->degrees) : NULL;
}

/* ---- the network ----------------------------------------------------------------------------- */

static int32_t or_default(int32_t x, int32_t otherwise)
{
    return x == 0 ? otherwise : x == -1 ? 0 : x;
}

static agn_status read_options(const char *op, agn_dimenet_options *o,
                               const agn_dimenet_options *opts, int32_t n_w)
{
    *o = opts ? *opts : (agn_dimenet_options){.size = sizeof *o};
    agn_status st = agni_check_size(op, agn_dimenet_options, o);
    if (st)
        return st;
    o->blocks = or_default(o->blocks, 4);
    o->before = or_default(o->before, 1);
    o->after = or_default(o->after, 2);
    o->layers = or_default(o->layers, 3);
    o->degrees = o->degrees ? o->degrees : 7;
    o->radial = o->radial ? o->radial : 6;
    o->envelope = o->envelope ? o->envelope : 6;
    o->cutoff = o->cutoff != 0 ? o->cutoff : 5;
    enum { MOST = 1000 };
    if (o->blocks < 0 || o->before < 0 || o->after < 0 || o->layers < 0 || o->blocks > MOST ||
        o->before > MOST || o->after > MOST || o->layers > MOST)
        return agni_fail(AGN_EARG, "%s: %d blocks, %d and %d residual layers, %d layers: 0 to %d "
                                   "are needed",
                         op, o->blocks, o->before, o->after, o->layers, MOST);
    int32_t need = 7 + 2 * o->layers +
                   o->blocks * (15 + 4 * (o->before + o->after) + 2 * o->layers);
    return n_w == need ? AGN_OK
                       : agni_fail(AGN_EARG, "%s: %d parameters, %d are needed", op, n_w, need);
}

agn_status agn_graph_dimenet(agn_tensor **out, const agn_graph *g, const agn_graph *line,
                             const agn_tensor *h, const agn_tensor *x, const agn_tensor *const *w,
                             int32_t n_w, const agn_dimenet_options *opts)
{
    static const char op[] = "graph_dimenet";
    AGNI_NEED(op, out);
    AGNI_NEED(op, g);
    AGNI_NEED(op, line);
    AGNI_NEED(op, h);
    AGNI_NEED(op, x);
    AGNI_NEED(op, w);
    network q = {.g = g, .line = line};
    agn_status st = read_options(op, &q.o, opts, n_w);
    if (!st)
        st = agni_check_one_kind(op, g);
    if (!st)
        st = agni_check_node_rows(op, "h", h, g->n[AGN_GRAPH_SRC]);
    if (!st)
        st = agni_check_node_rows(op, "x", x, g->n[AGN_GRAPH_SRC]);
    if (!st && x->shape[1] != 3)
        st = agni_fail(AGN_ESHAPE, "%s: x is %s, [n,3] is needed", op, AGNI_SHAPE(x));
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    parameters p = {op, w, n_w, 0, agni_layer_dtype(h)};
    const agn_tensor *rows = agni_cast(s, h, p.dtype), *places = agni_cast(s, x, p.dtype),
                     *y = NULL;
    if (rows && places)
        measure_edges(s, &q, places);
    const agn_tensor *m = q.polar && q.far && q.r ? embed_edges(s, &p, &q, rows) : NULL;
    if (m)
        y = read_out(s, &p, &q, m, ANY);
    for (int k = 0; k < q.o.blocks && y; k++) {
        m = update_messages(s, &p, &q, m);
        const agn_tensor *more = m ? read_out(s, &p, &q, m, y->shape[1]) : NULL;
        y = more ? ag_add(s, y, more) : NULL;
    }
    return agni_return(op, s, out, y);
}
