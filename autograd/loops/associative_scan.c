/* associative_scan.c - parallel prefix scan (Brent & Kung 1982): neighbours are combined, the
   half is scanned recursively, the values between follow: 2 log2 n rounds. Each round is the
   function under vmap, so every mode follows. */
#include "autograd/transforms/transform.h"

#include <agnesi/ag.h>
#include <agnesi/control.h>

/* rows first, first + step, ... before end */
static const agn_tensor *take_strided(agn_scope *s, const agn_tensor *x, int64_t first, int64_t end,
                                      int64_t step)
{
    return x ? ag_slice(s, x, 1, &first, &end, &step) : NULL;
}

/* y[i] = the function of a[i] and b[i], row by row */
static void combine_rows(agn_scope *s, const agni_prog *p, int n, const agn_tensor **ab,
                         const agn_tensor **y)
{
    int64_t rows = agn_scope_status(s) ? 0 : ab[0]->shape[0];
    bool *on = agni_alloc((size_t)p->n_in + (size_t)n);
    if (!on) {
        agn_scope_fail(s, agni_nomem("associative_scan", (size_t)p->n_in));
        return;
    }
    memset(on, true, (size_t)p->n_in);
    if (!agn_scope_status(s))
        agni_traverse_batch_from(s, NULL, p, rows, ab, on, y, on + p->n_in);
    for (int i = 0; i < n && !agn_scope_status(s); i++)
        y[i] = agni_ensure_batch_axis(s, y[i], on[p->n_in + i], rows);
    agni_free(on);
}

/* even[0], odd[0], even[1], ...; even may have one row more */
static const agn_tensor *interleave_halves(agn_scope *s, const agn_tensor *even,
                                           const agn_tensor *odd)
{
    if (!even || !odd)
        return NULL;
    int64_t n = odd->shape[0], rest = even->shape[0] - n, shape[AGNI_MAX_RANK];
    const agn_tensor *pair[2] = {take_strided(s, even, 0, n, 1), odd}, *y = ag_stack(s, pair, 2, 1);
    memcpy(shape, odd->shape, (size_t)odd->ndim * sizeof *shape);
    shape[0] = 2 * n;
    y = y ? agni_reshape(s, y, odd->ndim, shape) : NULL;
    return !rest
               ? y
               : ag_concat(s, (const agn_tensor *[]){y, take_strided(s, even, n, n + 1, 1)}, 2, 0);
}

/* y[i], i < n: the partial results of x[i] along axis 0 */
static void partial_results(agn_scope *s, const agni_prog *p, int n,
                            const agn_tensor *const *x, const agn_tensor **y)
{
    int64_t rows = agn_scope_status(s) ? 0 : x[0]->shape[0];
    const agn_tensor **a = agni_zalloc(4 * (size_t)n * sizeof *a), **half = a + 2 * n,
                     **odd = a + 3 * n;
    if (!a) {
        agn_scope_fail(s, agni_nomem("associative_scan", 4 * (size_t)n * sizeof *a));
        return;
    }
    for (int i = 0; i < n; i++) {
        y[i] = x[i];
        a[i] = rows > 1 ? take_strided(s, x[i], 0, rows - 1, 2) : NULL;
        a[n + i] = rows > 1 ? take_strided(s, x[i], 1, rows, 2) : NULL;
    }
    if (rows > 1) {
        combine_rows(s, p, n, a, half);
        partial_results(s, p, n, half, odd);
        int64_t between = (rows - 1) / 2;
        for (int i = 0; i < n && !agn_scope_status(s); i++) {
            a[i] = take_strided(s, odd[i], 0, between, 1);
            a[n + i] = take_strided(s, x[i], 2, rows, 2);
        }
        if (between)
            combine_rows(s, p, n, a, half);
        for (int i = 0; i < n && !agn_scope_status(s); i++) {
            const agn_tensor *even = take_strided(s, x[i], 0, 1, 1);
            if (between)
                even = ag_concat(s, (const agn_tensor *[]){even, half[i]}, 2, 0);
            y[i] = interleave_halves(s, even, odd[i]);
        }
    }
    agni_free(a);
}

/* x[i] with its axis in front; one[i] and one[n + i] describe a row of it */
static agn_status move_axis_to_front(const agni_transform *m, agn_scope *s,
                                     const agn_tensor *const *in, int n, const agn_tensor **x,
                                     const agn_tensor **one)
{
    for (int i = 0; i < n; i++) {
        int axis;
        agn_status st = agni_axis("associative_scan", m->list[0], in[i]->ndim, &axis);
        x[i] = st ? NULL : agni_move_axis(s, in[i], axis, 0);
        if (x[i] && m->list[1])
            x[i] = ag_flip(s, x[i], (const int32_t[]){0}, 1);
        if (!st && x[i] && x[i]->shape[0] != x[0]->shape[0])
            st = agni_fail(
                AGN_ESHAPE,
                "associative_scan: argument %d is %s, the first one %s: other lengths",
                i, AGNI_SHAPE(in[i]), AGNI_SHAPE(in[0]));
        if (agn_scope_fail(s, st) || !x[i])
            break;
        agn_tensor *h = agni_tensor_header(x[i]->dtype, x[i]->ndim - 1,
                                           x[i]->shape + 1);
        one[i] = one[n + i] = agn_scope_adopt(
            s, h ? AGN_OK : agni_nomem("associative_scan", sizeof *h), &h);
    }
    return agn_scope_status(s);
}

static agn_status check_closed(const agni_prog *p, int n, const agn_tensor *const *one)
{
    for (int i = 0; i < n; i++) {
        const agn_tensor *y = p->val[p->out[i]];
        if (y->dtype != one[i]->dtype || !agni_same_shape(y, one[i]))
            return agni_fail(
                y->dtype != one[i]->dtype ? AGN_EDTYPE : AGN_ESHAPE,
                "associative_scan: result %d is %s %s, its arguments %s %s", i,
                agni_dtypes[y->dtype].name, AGNI_SHAPE(y),
                agni_dtypes[one[i]->dtype].name, AGNI_SHAPE(one[i]));
    }
    return AGN_OK;
}

static agn_status run_associative(const agn_fn *f, agn_scope *s,
                                  const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_transform *m = f->data;
    int n = f->n_in;
    const agn_tensor **x = agni_zalloc(4 * (size_t)n * sizeof *x), **one = x + n,
                     **y = x + 3 * n;
    agni_prog *p = NULL;
    uint64_t first;
    if (!x)
        return agn_scope_fail(
            s, agni_nomem("associative_scan", 4 * (size_t)n * sizeof *x));
    if (!move_axis_to_front(m, s, in, n, x, one) &&
        !agn_scope_fail(s, agni_trace(&p, &first, m->f, one, true)) &&
        !agn_scope_fail(s, check_closed(p, n, one)))
        partial_results(s, p, n, x, y);
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        if (m->list[1])
            y[i] = ag_flip(s, y[i], (const int32_t[]){0}, 1);
        int axis = m->list[0];
        if (y[i] &&
            !agn_scope_fail(s, agni_axis("associative_scan", axis, in[i]->ndim, &axis)))
            out[i] = agni_detach_result(s, agni_move_axis(s, y[i], 0, axis));
    }
    agni_prog_release(p);
    agni_free(x);
    return agn_scope_status(s);
}

agn_status agn_fn_associative_scan(agn_fn **out, const agn_fn *f, int32_t axis,
                                   bool reverse)
{
    agn_status st = agni_check_handles("fn_associative_scan", out, f);
    if (!st && f->n_in != 2 * f->n_out)
        st = agni_fail(
            AGN_EARG,
            "fn_associative_scan: %d arguments are not two for each of %d results",
            f->n_in, f->n_out);
    return st ? st
              : agni_transform_new(out, run_associative, f, f->n_out, f->n_out, 0,
                                   (const int32_t[]){axis, reverse}, 2, 0);
}
