/* dense_solve.c - a linear system by its matrix: the unknowns become one real vector, the matrix
   is the operator batched over an identity, and the ops of agni_solvers factor and solve it.
   Being ops, they bring their derivatives, lanes and devices along. */
#include "autograd/implicit/implicit.h"

#include <agnesi/ag.h>

/* The system in real numbers: R-linear operators of complex unknowns are pairs of reals. */
typedef struct packing {
    const agni_linear_system *q;
    agn_body *apply;             /* the operator, of user q */
    const agn_tensor *const *in; /* b, p, extra */
    int dtype;
    int64_t size;
} packing;

static int64_t count_reals(const agn_tensor *x)
{
    return x->size * (agni_kind(x->dtype) == AGNI_KIND_COMPLEX ? 2 : 1);
}

static packing describe_packing(const agni_linear_system *q, agn_body *apply,
                                const agn_tensor *const *in)
{
    packing k = {q, apply, in, AGN_F32, 0};
    for (int i = 0; i < q->n; i++) {
        k.dtype = agni_promote(k.dtype, agni_dtypes[in[i]->dtype].real);
        k.size += count_reals(in[i]);
    }
    return k;
}

static const agn_tensor *pack_unknowns(const packing *k, agn_scope *s, const agn_tensor *const *x)
{
    int n = k->q->n;
    const agn_tensor **part = agni_alloc((size_t)n * sizeof *part), *y = NULL;
    if (!part) {
        agn_scope_fail(s, agni_nomem("linear_solve", (size_t)n * sizeof *part));
        return NULL;
    }
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        bool complex = agni_kind(x[i]->dtype) == AGNI_KIND_COMPLEX;
        const agn_tensor *v = complex ? ag_as_real(s, x[i]) : x[i];
        v = v ? agni_reshape(s, v, 1, (int64_t[]){v->size}) : NULL;
        part[i] = v ? agni_cast(s, v, k->dtype) : NULL;
    }
    if (!agn_scope_status(s))
        y = n == 1 ? part[0] : ag_concat(s, part, n, 0);
    agni_free(part);
    return y;
}

static void unpack_unknowns(const packing *k, agn_scope *s, const agn_tensor *y,
                            const agn_tensor **x)
{
    int64_t at = 0;
    for (int i = 0; i < k->q->n && !agn_scope_status(s); i++) {
        const agn_tensor *like = k->in[i];
        bool complex = agni_kind(like->dtype) == AGNI_KIND_COMPLEX;
        int64_t n = count_reals(like), shape[AGNI_MAX_RANK + 1];
        const agn_tensor *v = ag_slice(s, y, 1, (int64_t[]){at}, (int64_t[]){at + n},
                                       (int64_t[]){1});
        memcpy(shape, like->shape, (size_t)like->ndim * sizeof *shape);
        shape[like->ndim] = 2;
        v = v ? agni_reshape(s, v, like->ndim + complex, shape) : NULL;
        v = v && complex ? ag_as_complex(s, v) : v;
        x[i] = v ? agni_cast(s, v, like->dtype) : NULL;
        at += n;
    }
}

/* a vector of reals to A times it */
static agn_status column_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const packing *k = user;
    const agni_linear_system *q = k->q;
    int n = q->n_in;
    const agn_tensor **x = agni_alloc((size_t)(n + q->n) * sizeof *x), **y = x + n;
    if (!x)
        return agni_nomem("linear_solve", (size_t)n * sizeof *x);
    unpack_unknowns(k, s, in[0], x);
    memcpy(x + q->n, k->in + q->n, (size_t)(n - q->n) * sizeof *x);
    if (!agn_scope_status(s) && !agn_scope_fail(s, k->apply((void *)(uintptr_t)q, s, x, y)))
        out[0] = pack_unknowns(k, s, y);
    agni_free(x);
    return agn_scope_status(s);
}

/* the transpose of the matrix: row j is A e_j */
static const agn_tensor *form_transposed_matrix(const packing *k, agn_scope *s)
{
    agni_prog *p = NULL;
    uint64_t first;
    agn_tensor *e = NULL, *header = agni_tensor_header(k->dtype, 1, &k->size);
    const agn_tensor *like = agn_scope_adopt(
        s, header ? AGN_OK : agni_nomem("linear_solve", sizeof *like), &header);
    const agn_tensor *y = NULL;
    bool yon = false;
    if (!like || agn_scope_fail(s, agni_trace_body(&p, &first, column_body, (void *)(uintptr_t)k, 1,
                                                   &like, 1, true)))
        return NULL;
    agn_status st = agn_eye(&e, k->dtype, k->size, k->size, 0);
    const agn_tensor *eye = agni_adopt_constant(s, st, e);
    if (eye)
        agni_batch_over_seeds(s, p, k->size, eye, &y, &yon);
    y = agn_scope_status(s) ? NULL
                            : agni_detach_result(s, agni_ensure_batch_axis(s, y, yon, k->size));
    agni_prog_release(p);
    return y;
}

void agni_dense_solve(agn_scope *s, const agni_linear_system *q, agn_body *apply,
                      const agn_tensor *const *in, const agn_tensor **out)
{
    packing k = describe_packing(q, apply, in);
    if (agn_scope_status(s))
        return;
    if (!k.size) {
        for (int i = 0; i < q->n; i++)
            out[i] = agni_zeros_like(s, in[i]);
        return;
    }
    const agn_tensor *x[4] = {NULL}, *t = form_transposed_matrix(&k, s),
                     *b = pack_unknowns(&k, s, in);
    x[2] = t ? agni_move_axis(s, t, 0, 1) : NULL;
    x[3] = b ? agni_reshape(s, b, 2, (int64_t[]){k.size, 1}) : NULL;
    if (!x[2] || !x[3] || !agni_apply_many_in(s, agni_solvers.factor, NULL, 1, x + 2, 2, x))
        return;
    const agn_tensor *y = agni_apply_in(s, agni_solvers.solve,
                                        &(agni_attr){.ni = 1, .i = (const int64_t[]){0}}, 4, x);
    y = y ? agni_reshape(s, y, 1, &k.size) : NULL;
    if (y)
        unpack_unknowns(&k, s, y, out);
}
