/* autograd/operators/first_order.c - first derivatives along several columns by one sweep back
   (Griewank and Walther 2008, chapter 4): of a function of one number a row, the gradient in the
   row costs what a curve along one column does. An energy of |grad u|^2 in two columns is 2
   products for each layer, not 3, and the sweep of its loss does as much less again. */
#include "autograd/operators/operator.h"

#include <agnesi/ag.h>

/* derivatives of one column each, none above the first order, along at least two columns */
static bool asks_for_gradient(const int32_t *alpha, int32_t n, int32_t d)
{
    int32_t first = -1;
    bool several = false;
    for (int t = 0; t < n; t++) {
        int total = 0;
        for (int j = 0; j < d; j++) {
            total += alpha[t * d + j];
            several |= alpha[t * d + j] && first >= 0 && first != j;
            first = alpha[t * d + j] ? j : first;
        }
        if (total > 1)
            return false;
    }
    return several;
}

/* One number for each row of x, by ops all of which have transposes. */
static bool has_gradient_rows(const agni_prog *p, const agn_tensor *x)
{
    const agn_tensor *y = p->val[p->out[0]];
    bool same = y->dtype == x->dtype && agni_kind(x->dtype) == AGNI_KIND_FLOAT;
    same = same && (y->ndim == x->ndim - 1 || (y->ndim == x->ndim && y->shape[y->ndim - 1] == 1));
    for (int k = 0; same && k < x->ndim - 1; k++)
        same = y->shape[k] == x->shape[k];
    for (int k = 0; same && k < p->n_node; k++) {
        agni_class c = p->node[k].op->cls;
        same = c == AGNI_EW || c == AGNI_LINEAR || c == AGNI_MULTI || c == AGNI_CHOICE;
    }
    return same;
}

bool agni_partials_by_gradient(const agn_fn *f, agn_scope *s, int argnum, const int32_t *alpha,
                               int32_t n, int32_t d, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    enum { LEAST_POINTS = 256 };
    const agn_tensor *x = in[argnum];
    bool symbolic = false, taken = false;
    for (int i = 0; i < f->n_in; i++)
        symbolic |= agni_is_symbolic(in[i]);
    if (!symbolic || x->size < (int64_t)LEAST_POINTS * d || !asks_for_gradient(alpha, n, d))
        return false;
    bool *want = agni_argnum_mask(s, f->n_in, 1, &argnum);
    const agn_tensor **g = agni_zalloc((size_t)(f->n_in + f->n_out) * sizeof *g);
    agni_recorded r = {.p = NULL};
    if (!g)
        agn_scope_fail(s, agni_nomem("partials", (size_t)f->n_in * sizeof *g));
    if (want && g && agni_record_call(&r, s, f, in, want) && has_gradient_rows(r.p, x)) {
        const agn_tensor *y = r.w.prim[r.p->out[0]], **gx = g + f->n_out;
        taken = true;
        g[0] = agni_full_like(s, 1, y);
        agni_traverse_vjp(&r.w, g, gx);
        out[0] = agni_recorded_result(&r, s, 0);
        const agn_tensor *rows = agn_scope_status(s) ? NULL : agni_or_zero(s, gx[argnum], x);
        for (int t = 0; t < n && !agn_scope_status(s); t++) {
            int j = 0;
            while (j < d && !alpha[t * d + j])
                j++;
            const agn_tensor *column = j < d ? ag_index_axis(s, rows, x->ndim - 1, j) : NULL;
            out[1 + t] = column ? agni_reshape(s, column, y->ndim, y->shape) : out[0];
        }
    }
    agni_recorded_close(&r);
    agni_free(want);
    agni_free(g);
    return taken || agn_scope_status(s);
}
