/* hessian.c - second derivatives: blocks of several arguments, diagonal blocks, the diagonal by
   jets of order 2. */
#include "autograd/modes/grading.h"
#include "autograd/transforms/transform.h"

#include <agnesi/ag.h>

agn_status agn_fn_hessian_with(agn_fn **out, const agn_fn *f, const int32_t *argnums,
                               int32_t n, const agn_jacobian_options *opts)
{
    return agni_hessian("fn_hessian_with", out, f, argnums, n, false, opts);
}

agn_status agn_fn_hessian_blocks(agn_fn **out, const agn_fn *f, const int32_t *argnums,
                                 int32_t n, const agn_jacobian_options *opts)
{
    return agni_hessian("fn_hessian_blocks", out, f, argnums, n, true, opts);
}

/* ---- the diagonal: a jet of order 2 along each axis, e' H e = 2 y_2 -------------------------- */

typedef struct diagonal_axis {
    agni_recorded *r;
    int argnum;
} diagonal_axis;

static agn_status body_jet(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const diagonal_axis *q = user;
    agni_traversal w = q->r->w;
    size_t room = 3 * (size_t)(w.p->n_in + w.p->n_out);
    const agn_tensor **c = agni_zalloc(room * sizeof *c);
    if (!c)
        return agni_nomem("hessian_diagonal", room * sizeof *c);
    w.s = s;
    w.seeds = AGNI_SEEDS_UNITS;
    c[3 * q->argnum + 1] = in[0];
    const agn_tensor **y = c + 3 * w.p->n_in;
    agni_grading line = agni_grading_along(2, 1, false);
    agni_traverse_jet(&w, &line, c, y);
    const agn_tensor *two = agni_or_zero(s, y[2], w.prim[w.p->out[0]]);
    out[0] = ag_mul_c(s, two, 2);
    agni_free(c);
    return agn_scope_status(s);
}

/* entries from to from + n of the diagonal */
static agn_status diagonal_chunk(agn_tensor **out, const agni_prog *p, const agn_tensor *x,
                                 int64_t from, int64_t n)
{
    agn_scope *s = agn_scope_open(NULL);
    int64_t shape[AGNI_MAX_RANK + 1] = {n};
    agn_tensor *e = NULL;
    const agn_tensor *y = NULL;
    bool yon = false;
    memcpy(shape + 1, x->shape, (size_t)x->ndim * sizeof *shape);
    agn_status st = agn_eye(&e, x->dtype, n, x->size, from);
    const agn_tensor *eye = agni_adopt_constant(s, st, e);
    eye = eye ? agni_reshape(s, eye, x->ndim + 1, shape) : NULL;
    if (eye)
        agni_batch_over_seeds(s, p, n, eye, &y, &yon);
    y = agn_scope_status(s) ? NULL : agni_ensure_batch_axis(s, y, yon, n);
    agn_scope_return(s, out, agn_scope_status(s) ? NULL : y);
    return agn_scope_close(s);
}

static const agn_tensor *hessian_diagonal(agn_scope *s, agni_recorded *r, int argnum, int64_t chunk)
{
    const agn_tensor *x = r->w.prim[argnum];
    if (!x->size)
        return agni_zeros_like(s, x);
    agni_prog *p = NULL;
    uint64_t first;
    diagonal_axis q = {r, argnum};
    chunk = chunk && chunk < x->size ? chunk : x->size;
    int64_t parts = (x->size + chunk - 1) / chunk;
    const agn_tensor **row = agni_alloc((size_t)parts * sizeof *row), *d = NULL;
    agn_status st = row ? agni_trace_body(&p, &first, body_jet, &q, 1, &x, 1, true)
                        : agni_nomem("hessian_diagonal", (size_t)parts * sizeof *row);
    for (int64_t c = 0; !st && c < parts; c++) {
        agn_tensor *part = NULL;
        int64_t left = x->size - c * chunk;
        st = diagonal_chunk(&part, p, x, c * chunk, left < chunk ? left : chunk);
        row[c] = st ? NULL : agn_scope_adopt(s, AGN_OK, &part);
        st = st ? st : agn_scope_status(s);
    }
    if (!agn_scope_fail(s, st))
        d = parts == 1 ? row[0] : ag_concat(s, row, (int32_t)parts, 0);
    agni_prog_release(p);
    agni_free(row);
    return d ? agni_detach_result(s, agni_reshape(s, d, x->ndim, x->shape)) : NULL;
}

static agn_status run_diagonal(const agn_fn *f, agn_scope *s,
                               const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_transform *m = f->data;
    agn_status st = agni_check_smooth("hessian_diagonal", m->n, m->list, in);
    for (int i = 0; !st && i < m->n; i++)
        if (agni_kind(in[m->list[i]]->dtype) != AGNI_KIND_FLOAT)
            st = agni_fail(AGN_EDTYPE,
                           "hessian_diagonal: argument %d is %s; a real one is needed",
                           m->list[i], agni_dtypes[in[m->list[i]]->dtype].name);
    if (st)
        return st;
    bool *want = agni_argnum_mask(s, m->f->n_in, m->n, m->list);
    agni_recorded r = {.p = NULL};
    if (want && agni_record_call(&r, s, m->f, in, want) &&
        !agn_scope_fail(s,
                        agni_check_scalar("hessian_diagonal", r.w.prim[r.p->out[0]])))
        for (int i = 0; i < m->n && !agn_scope_status(s); i++)
            out[i] = hessian_diagonal(s, &r, m->list[i], m->chunk);
    agni_recorded_close(&r);
    agni_free(want);
    return agn_scope_status(s);
}

agn_status agn_fn_hessian_diagonal(agn_fn **out, const agn_fn *f,
                                   const int32_t *argnums, int32_t n, int64_t chunk)
{
    agn_status st = agni_check_handles("fn_hessian_diagonal", out, f);
    if (!st)
        st = agni_check_argnums("fn_hessian_diagonal", f, &argnums, &n);
    if (!st && chunk < 0)
        st = agni_fail(AGN_EARG,
                       "fn_hessian_diagonal: chunks of %lld entries for %d arguments",
                       (long long)chunk, n);
    if (st)
        return st;
    st = agni_transform_new(out, run_diagonal, f, f->n_in, n, n, argnums, n, 0);
    if (!st)
        ((agni_transform *)(*out)->data)->chunk = chunk;
    return st;
}
