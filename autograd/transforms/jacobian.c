/* jacobian.c - Jacobians: a linear program batched over rows of the identity, in chunks where
   memory is bounded; rows that do not meet in one sweep (diagonal_seeds.c). */
#include "autograd/transforms/diagonal_seeds.h"

#include <agnesi/ag.h>

typedef struct jacobian_data {
    agn_fn *f;
    int32_t n, *list; /* arguments */
    int32_t n_y;      /* results that are differentiated */
    bool pairs;       /* result i by argument i alone */
    agn_jacobian_options o;
} jacobian_data;

static void free_jacobian(void *data)
{
    jacobian_data *m = data;
    agn_fn_release(m->f);
    agni_free(m->list);
    agni_free(m);
}

/* All seeds of one source: from one argument to results (forward), or from one result to
   arguments. */
typedef struct source_pass {
    const jacobian_data *m;
    agni_linear_map q; /* one source, n or n_y sinks */
    bool forward;
    const agn_tensor *from;
} source_pass;

static const agn_tensor *result_value(const source_pass *w, int o)
{
    const agni_traversal *k = &w->q.r->w;
    return k->prim[k->p->out[w->q.y[o]]];
}
static const agn_tensor *argument_value(const source_pass *w, int i)
{
    return w->q.r->w.prim[w->q.list[i]];
}

static int64_t shape_size(int n, const int64_t *shape)
{
    int64_t size = 1;
    for (int d = 0; d < n; d++)
        size *= shape[d];
    return size;
}

/* rows from .. from + n - 1 of the identity, or of i times it, each in the shape of x, repeated
   over the batch */
static const agn_tensor *identity_rows(agn_scope *s, const agn_tensor *x, int batch, int64_t from,
                                       int64_t n, bool imaginary)
{
    agn_tensor *e = NULL;
    int64_t shape[AGNI_MAX_RANK + 1] = {n}, all = shape_size(x->ndim - batch, x->shape + batch);
    agn_status st = agn_eye(&e, x->dtype, n, all, from);
    const agn_tensor *eye = agni_adopt_constant(s, st, e);
    if (imaginary && eye)
        eye = ag_mul(s, eye, ag_complex(s, ag_lit(s, 0), ag_lit(s, 1)));
    for (int d = 0; d < x->ndim; d++)
        shape[1 + d] = d < batch ? 1 : x->shape[d];
    eye = eye ? agni_reshape(s, eye, x->ndim + 1, shape) : NULL;
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    return eye ? agni_broadcast(s, eye, x->ndim + 1, shape) : NULL;
}

/* j is [seeds, shape of the sink] to [shape of y, shape of x], a shared batch once */
static const agn_tensor *arrange_block(agn_scope *s, const agn_tensor *j, const agn_tensor *y,
                                       const agn_tensor *x, int batch, bool forward)
{
    const agn_tensor *from = forward ? x : y, *sink = forward ? y : x;
    int64_t shape[2 * AGNI_MAX_RANK] = {shape_size(from->ndim - batch, from->shape + batch)};
    memcpy(shape + 1, sink->shape, (size_t)sink->ndim * sizeof *shape);
    j = agni_reshape(s, j, sink->ndim + 1, shape);
    j = j ? agni_move_axis(s, j, 0, forward ? sink->ndim : batch) : NULL;
    memcpy(shape, y->shape, (size_t)y->ndim * sizeof *shape);
    memcpy(shape + y->ndim, x->shape + batch,
           (size_t)(x->ndim - batch) * sizeof *shape);
    return j ? agni_reshape(s, j, y->ndim + x->ndim - batch, shape) : NULL;
}

/* seeds [n, ...] of the source to out[sinks], each [n, ...], in a scope of its own */
static agn_status run_seed_chunk(agn_tensor **out, const agni_prog *p, const source_pass *w,
                                 int64_t from, int64_t n, bool imaginary)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **y = agni_zalloc((size_t)(p->n_out + 1) * sizeof *y);
    bool *yon = agni_zalloc((size_t)p->n_out + 1);
    if (!y || !yon)
        agn_scope_fail(s, agni_nomem("jacobian", (size_t)p->n_out * sizeof *y));
    const agn_tensor *e = y && yon ? identity_rows(s, w->from, w->m->o.batch, from, n, imaginary)
                                   : NULL;
    if (e)
        agni_batch_over_seeds(s, p, n, e, y, yon);
    for (int o = 0; o < p->n_out && !agn_scope_status(s); o++)
        agn_scope_return(s, out + o, agni_ensure_batch_axis(s, y[o], yon[o], n));
    agni_free(y);
    agni_free(yon);
    return agn_scope_close(s);
}

/* How many seeds at a time where nobody says: so many that what the program makes of them takes no
   more than some memory, but not more than some chunks, for each is part of a plan. */
enum { CHUNK_BYTES = 1 << 28, MOST_CHUNKS = 64 };
static int64_t choose_chunk(const agni_prog *p, int64_t n)
{
    double fit = (double)CHUNK_BYTES / (agni_bytes_of_seed(p) + 1);
    int64_t least = (n + MOST_CHUNKS - 1) / MOST_CHUNKS;
    return fit >= (double)n ? n : fit > (double)least ? (int64_t)fit : least;
}

/* all seeds, or i times them, at most chunk at a time, to j[sinks] */
static void run_all_seeds(agn_scope *s, const agni_prog *p, const source_pass *w, bool imaginary,
                          const agn_tensor **j)
{
    int batch = w->m->o.batch, sinks = p->n_out;
    int64_t n = shape_size(w->from->ndim - batch, w->from->shape + batch);
    if (!batch && agni_run_diagonal_seeds(s, p, w->from, imaginary, j))
        return;
    int64_t chunk = !w->m->o.chunk ? choose_chunk(p, n) : w->m->o.chunk < n ? w->m->o.chunk : n;
    int64_t parts = (n + chunk - 1) / chunk;
    agn_tensor **got = agni_zalloc((size_t)(sinks * parts) * sizeof *got);
    const agn_tensor **row = agni_alloc((size_t)parts * sizeof *row);
    agn_status st = got && row ? AGN_OK
                               : agni_nomem("jacobian", (size_t)parts * sizeof *row);
    for (int64_t c = 0; !st && c < parts; c++)
        st = run_seed_chunk(got + c * sinks, p, w, c * chunk,
                            n - c * chunk < chunk ? n - c * chunk : chunk, imaginary);
    agn_scope_fail(s, st);
    for (int64_t c = 0; got && c < parts; c++)
        for (int o = 0; o < sinks; o++)
            if (got[c * sinks + o])
                agn_scope_adopt(s, AGN_OK, &got[c * sinks + o]); /* released if s has failed */
    for (int o = 0; o < sinks && !agn_scope_status(s); o++) {
        for (int64_t c = 0; c < parts; c++)
            row[c] = got[c * sinks + o];
        j[o] = parts == 1 ? row[0] : ag_concat(s, row, (int32_t)parts, 0);
    }
    agni_free(got);
    agni_free(row);
}

/* block(o, i) of result o by argument i */
static const agn_tensor **block_slot(const jacobian_data *m, const agn_tensor **blocks, int o,
                                     int i)
{
    return blocks + (m->pairs ? o : o * m->n + i);
}

static agn_status check_blocks(const jacobian_data *m, const source_pass *w)
{
    for (int o = 0; o < w->q.n_y; o++)
        for (int i = 0; i < w->q.n; i++) {
            const agn_tensor *y = result_value(w, o), *x = argument_value(w, i);
            int batch = m->o.batch;
            if (agni_is_complex(x) && agni_is_complex(y) && !m->o.holomorphic)
                return agni_fail(
                    AGN_EDTYPE,
                    "jacobian: result %d is %s, argument %d %s: the derivative is a "
                    "matrix of complex numbers if f is holomorphic; the options say so",
                    o, agni_dtypes[y->dtype].name, w->q.list[i], agni_dtypes[x->dtype].name);
            if (y->ndim + x->ndim - batch > AGNI_MAX_RANK)
                return agni_fail(AGN_ESHAPE, "jacobian: %s by %s has a rank above %d",
                                 AGNI_SHAPE(y), AGNI_SHAPE(x), AGN_MAX_RANK);
            bool same = y->ndim >= batch && x->ndim >= batch;
            for (int d = 0; same && d < batch; d++)
                same = y->shape[d] == x->shape[d];
            if (!same)
                return agni_fail(
                    AGN_ESHAPE,
                    "jacobian: %s by %s: %d leading axes are to be the same",
                    AGNI_SHAPE(y), AGNI_SHAPE(x), batch);
        }
    return AGN_OK;
}

/* A block from a complex source has two numbers for each element of a real sink, which seeds of
   1 and of i find: dy/dx of a real argument, or the gradient of a real result. Between complex
   ones the derivative is taken for dy/dx of a holomorphic function, whose adjoint holds the
   conjugate. */
static void combine_complex(agn_scope *s, const agni_prog *p, const source_pass *w,
                            const agn_tensor **j)
{
    int sinks = p->n_out;
    bool twice = false;
    const agn_tensor **im = agni_zalloc((size_t)(sinks + 1) * sizeof *im);
    if (!im)
        agn_scope_fail(s, agni_nomem("jacobian", (size_t)sinks * sizeof *im));
    for (int k = 0; im && k < sinks && !agn_scope_status(s); k++)
        twice |= !agni_is_complex(j[k]);
    if (twice)
        run_all_seeds(s, p, w, true, im);
    for (int k = 0; im && k < sinks && !agn_scope_status(s); k++)
        if (!agni_is_complex(j[k]))
            j[k] = ag_complex(s, j[k], im[k]);
        else if (!w->forward)
            j[k] = ag_conj(s, j[k]);
    agni_free(im);
}

/* the blocks of one source */
static void compute_source_blocks(agn_scope *s, const jacobian_data *m, source_pass *w,
                                  const agn_tensor **blocks, int at)
{
    int sinks = w->forward ? w->q.n_y : w->q.n;
    w->from = w->forward ? argument_value(w, 0) : result_value(w, 0);
    agni_prog *p = NULL;
    uint64_t first;
    const agn_tensor **j = agni_zalloc((size_t)(sinks + 1) * sizeof *j);
    bool smooth = agni_is_differentiable(w->from);
    if (!j)
        agn_scope_fail(s, agni_nomem("jacobian", (size_t)sinks * sizeof *j));
    else if (smooth && w->from->size &&
             !agn_scope_fail(
                 s, agni_trace_body(&p, &first,
                                    w->forward ? agni_linear_map_push : agni_linear_map_pull, &w->q,
                                    1, &w->from, sinks, true))) {
        run_all_seeds(s, p, w, false, j);
        if (agni_is_complex(w->from) && !agn_scope_status(s))
            combine_complex(s, p, w, j);
    }
    for (int k = 0; k < sinks && !agn_scope_status(s); k++) {
        const agn_tensor *y = result_value(w, w->forward ? k : 0);
        const agn_tensor *x = argument_value(w, w->forward ? 0 : k);
        int64_t none[1] = {0},
                n = shape_size(x->ndim - m->o.batch, x->shape + m->o.batch) * y->size;
        if (!j[k]) /* empty, or of whole numbers: zeros */
            j[k] = agni_full(
                s, 0, agni_is_differentiable(y) ? agni_promote(y->dtype, x->dtype) : y->dtype, 1,
                n ? (int64_t[]){n} : none);
        else if (agni_is_differentiable(y)) /* in either direction the same dtype */
            j[k] = agni_cast(s, j[k], agni_promote(y->dtype, x->dtype));
        const agn_tensor *b = j[k] ? arrange_block(s, j[k], y, x, m->o.batch, w->forward) : NULL;
        *block_slot(m, blocks, w->forward ? k : at, w->forward ? at : k) = agni_detach_result(s, b);
    }
    agni_prog_release(p);
    agni_free(j);
}

/* Forward mode is cheaper by the number of seeds. But of results whose rows stay apart reverse mode
   does not need one sweep a row. */
static agn_status choose_mode(bool *forward, const source_pass *w)
{
    const jacobian_data *m = w->m;
    agn_status st = agni_choose_forward(forward, &w->q, m->o.batch, m->pairs);
    const agn_tensor *y = result_value(w, 0);
    if (st || !*forward || m->o.batch || m->n_y > 1 || !y->ndim || !agni_is_differentiable(y))
        return st;
    int64_t seeds = 0;
    for (int i = 0; i < m->n; i++)
        seeds += argument_value(w, i)->size;
    agni_prog *p = NULL;
    uint64_t first;
    bool apart = false;
    if (y->shape[0] && seeds > 2 * (y->size / y->shape[0])) {
        agni_linear_map q = w->q;
        st = agni_trace_body(&p, &first, agni_linear_map_pull, &q, 1, &y, m->n, true);
        st = st ? st : agni_rows_stay_apart(&apart, p, y);
    }
    *forward = !apart;
    agni_prog_release(p);
    return st;
}

static agn_status run_jacobian(const agn_fn *f, agn_scope *s,
                               const agn_tensor *const *in, const agn_tensor **out)
{
    const jacobian_data *m = f->data;
    agn_status st = agni_check_smooth("jacobian", m->n, m->list, in);
    if (st)
        return st;
    bool *want = agni_argnum_mask(s, m->f->n_in, m->n, m->list);
    int32_t *results = agni_alloc((size_t)m->n_y * sizeof *results);
    agni_recorded r = {.p = NULL};
    if (!results)
        agn_scope_fail(s, agni_nomem("jacobian", (size_t)m->n_y * sizeof *results));
    for (int o = 0; results && o < m->n_y; o++)
        results[o] = o;
    if (want && results && agni_record_call(&r, s, m->f, in, want)) {
        r.w.seeds = AGNI_SEEDS_UNITS;
        source_pass w = {m, {&r, m->n, m->list, m->n_y, results}, false, NULL};
        agn_scope_fail(s, check_blocks(m, &w));
        bool forward = m->o.mode == AGN_JACOBIAN_FORWARD;
        if (m->o.mode == AGN_JACOBIAN_BY_COST && !agn_scope_status(s))
            agn_scope_fail(s, choose_mode(&forward, &w));
        for (int o = 0; m->o.values && o < m->f->n_out && !agn_scope_status(s); o++)
            *out++ = agni_recorded_result(&r, s, o);
        for (int i = 0; i < (forward ? m->n : m->n_y) && !agn_scope_status(s); i++) {
            source_pass one = {m, w.q, forward, NULL};
            if (forward || m->pairs) {
                one.q.n = 1;
                one.q.list = m->list + i;
            }
            if (!forward || m->pairs) {
                one.q.n_y = 1;
                one.q.y = results + i;
            }
            if (m->pairs)
                compute_source_blocks(s, m, &one, out + i, 0);
            else
                compute_source_blocks(s, m, &one, out, i);
        }
    }
    agni_recorded_close(&r);
    agni_free(want);
    agni_free(results);
    return agn_scope_status(s);
}

static agn_status check_options(const char *op, agn_jacobian_options *o,
                                const agn_jacobian_options *opts, const agn_fn *f)
{
    *o = (agn_jacobian_options){.size = sizeof *o};
    if (agni_check_size(op, agn_jacobian_options, opts))
        return AGN_EARG;
    if (opts)
        *o = *opts;
    if (o->mode < 0 || o->mode > AGN_JACOBIAN_REVERSE)
        return agni_fail(AGN_EARG, "%s: there is no mode %d; the last is %d", op,
                         o->mode, AGN_JACOBIAN_REVERSE);
    if (o->chunk < 0 || o->batch < 0 || o->batch > AGN_MAX_RANK)
        return agni_fail(AGN_EARG,
                         "%s: chunks of %lld, %d axes of a batch are not possible", op,
                         (long long)o->chunk, o->batch);
    if (o->results < 0 || o->results > f->n_out)
        return agni_fail(AGN_EARG, "%s: %d results are to be differentiated, f has %d",
                         op, o->results, f->n_out);
    if (!o->results)
        o->results = 1;
    return AGN_OK;
}

static agn_status make_jacobian(const char *op, agn_fn **out, const agn_fn *f,
                                const int32_t *argnums, int32_t n, bool pairs,
                                const agn_jacobian_options *opts)
{
    agn_jacobian_options o;
    agn_status st = agni_check_handles(op, out, f);
    if (!st)
        st = agni_check_argnums(op, f, &argnums, &n);
    if (!st)
        st = check_options(op, &o, opts, f);
    if (st)
        return st;
    jacobian_data *m = agni_zalloc(sizeof *m);
    if (!m || !(m->list = agni_copy_list(argnums, n))) {
        agni_free(m);
        return agni_nomem(op, sizeof *m);
    }
    m->f = agn_fn_retain(f);
    m->n = n;
    m->pairs = pairs;
    m->n_y = o.results;
    m->o = o;
    int64_t blocks = (pairs ? n : (int64_t)n * m->n_y) + (o.values ? f->n_out : 0);
    st = blocks > INT32_MAX
             ? agni_fail(AGN_EARG, "%s: %d results by %d arguments are too many", op, m->n_y, n)
             : agni_fn_make_derived(out, run_jacobian, f->n_in, (int)blocks, m, free_jacobian);
    if (st)
        free_jacobian(m);
    return st;
}

agn_status agn_fn_jacobian_with(agn_fn **out, const agn_fn *f, const int32_t *argnums,
                                int32_t n, const agn_jacobian_options *opts)
{
    return make_jacobian("fn_jacobian_with", out, f, argnums, n, false, opts);
}

agn_status agn_fn_jacobian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    return make_jacobian("fn_jacobian", out, f, &argnum, 1, false, NULL);
}

/* the Jacobian of the gradient in the same arguments */
agn_status agni_hessian(const char *op, agn_fn **out, const agn_fn *f,
                        const int32_t *argnums, int32_t n, bool pairs,
                        const agn_jacobian_options *opts)
{
    agn_fn *g = NULL;
    agn_jacobian_options o = {.size = sizeof o};
    agn_status st = agni_check_handles(op, out, f);
    if (!st)
        st = agni_check_argnums(op, f, &argnums, &n);
    if (!st)
        st = check_options(op, &o, opts, f);
    if (!st && o.values)
        st = agni_fail(AGN_EARG,
                       "%s: values are asked for; those of f are no results of its %d "
                       "gradients",
                       op, n);
    if (!st)
        st = agn_fn_grad(&g, f, argnums, n);
    o.results = n;
    if (!st)
        st = make_jacobian(op, out, g, argnums, n, pairs, &o);
    agn_fn_release(g);
    return st;
}

agn_status agn_fn_hessian(agn_fn **out, const agn_fn *f, int32_t argnum)
{
    return agni_hessian("fn_hessian", out, f, &argnum, 1, false, NULL);
}
