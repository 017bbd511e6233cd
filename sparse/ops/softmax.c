/* sparse/ops/softmax.c - softmax over groups of entries, shifted by the largest of each. Rows of a
   pattern are contiguous: they have an op of their own, which reads memory once. */
#include "sparse/ops/ops.h"
#include "sparse/pattern/pattern.h"

#include "tensor/reduce/cpu/softmax.h"
#include "tensor/cpu/level_dispatch.h"

#include <agnesi/ag.h>
#include <math.h>
#include <string.h>

const agn_tensor *agni_softmax_groups(agn_scope *s, const agn_tensor *v, int first,
                                      const agn_tensor *of, int64_t m, bool logs)
{
    if (!v || !of)
        return NULL;
    int dtype = v->dtype;
    v = agni_cast(s, v, agni_dtypes[dtype].wide);
    int64_t shape[AGNI_MAX_RANK], at[3] = {first - v->ndim, 0, 1};
    memcpy(shape, v->shape, (size_t)v->ndim * sizeof *shape);
    shape[first] = m;
    const agn_tensor *low = agni_full(s, (double)-INFINITY, v->dtype, v->ndim, shape);
    const agn_tensor *still = ag_stop_gradient(s, v);
    const agn_tensor *top = low && still ? agni_apply_in(s, &agni_op_scatter_max,
                                                         &(agni_attr){.ni = 3, .i = at}, 3,
                                                         (const agn_tensor *[]){low, of, still})
                                         : NULL;
    const agn_tensor *z = ag_sub(s, v, agni_gather_values(s, top, first, of));
    const agn_tensor *e = ag_exp(s, z), *sum = agni_sum_groups(s, e, first, of, m);
    if (logs)
        v = ag_sub(s, z, agni_gather_values(s, ag_log(s, sum), first, of));
    else
        v = ag_div(s, e, agni_gather_values(s, sum, first, of));
    return agni_cast(s, v, dtype);
}

/* the row of each entry of a pattern with rows < 2^31 */
static const agn_tensor *row_indices(agn_scope *s, const char *op, const agni_pattern *p)
{
    int32_t *row = agni_alloc((size_t)(p->nnz ? p->nnz : 1) * sizeof *row);
    agn_tensor *x = NULL;
    for (int64_t i = 0; row && i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i), end = agni_row_begin(p, i + 1); e < end; e++)
            row[e] = (int32_t)i;
    agn_status st = row ? agn_wrap_host(&x, AGN_I32, 1, &p->nnz, NULL, row, true, agni_free, row)
                        : agni_nomem(op, (size_t)p->nnz * sizeof *row);
    if (st)
        agni_free(row);
    return agni_adopt_constant(s, st, x);
}

const agn_tensor *agni_softmax_rows(agn_scope *s, const char *op, const agni_pattern *p,
                                    const agn_tensor *v, bool logs)
{
    if (logs)
        return agni_softmax_groups(s, v, v->ndim - 1, row_indices(s, op, p), p->rows, true);
    int dtype = v->dtype;
    v = agni_cast(s, v, agni_dtypes[dtype].wide);
    if (v)
        v = agni_apply_in(s, &agni_op_sparse_softmax,
                          &(agni_attr){.obj = (agni_obj *)(uintptr_t)&p->head}, 1, &v);
    return agni_cast(s, v, dtype);
}

/* ---- the op ------------------------------------------------------------------------------- */

static agn_status infer_softmax(agni_call *c)
{
    const agni_pattern *p = (const agni_pattern *)c->at->obj;
    const agn_tensor *v = c->in[0];
    if (v->ndim < 1 || v->shape[v->ndim - 1] != p->nnz || p->rows >= INT32_MAX)
        return agni_fail(AGN_ESHAPE, "%s: values are %s, the pattern has %lld entries in %lld rows",
                         c->op->name, AGNI_SHAPE(v), (long long)p->nnz, (long long)p->rows);
    return agni_infer_same(c);
}

typedef struct job {
    const agni_vsoftmax *f;
    const agni_pattern *p;
    const char *x;
    char *y;
    int64_t bytes, runs;
} job;

static void softmax_run(void *user, int64_t k, int worker)
{
    const job *q = user;
    const agni_pattern *p = q->p;
    int64_t b = k / q->runs * p->nnz, end = agni_pattern_split_rows(p, k % q->runs + 1, q->runs);
    (void)worker;
    for (int64_t i = agni_pattern_split_rows(p, k % q->runs, q->runs); i < end; i++) {
        int64_t e = agni_row_begin(p, i), n = agni_row_begin(p, i + 1) - e;
        if (n)
            q->f->whole(q->y + (b + e) * q->bytes, q->x + (b + e) * q->bytes, n, 1, 1);
    }
}

enum { RUN = 1 << 13 }; /* entries, about */

static agn_status run_softmax(const agn_kernel_call *c)
{
    const agn_array *x = c->in;
    const agni_pattern *p = c->object;
    int64_t batch = 1;
    job q = {&agni_simd_kernels_get()->softmax[x->dtype == AGN_F64 ? AGNI_SIMD_F64 : AGNI_SIMD_F32],
             p, x->data, c->out->data, agni_dtypes[x->dtype].bytes,
             (p->nnz + p->rows) / RUN + 1};
    for (int d = 0; d < x->ndim - 1; d++)
        batch *= x->shape[d];
    q.runs = q.runs < p->rows ? q.runs : p->rows;
    if (batch * q.runs == 1)
        softmax_run(&q, 0, 0);
    else if (batch * q.runs > 1)
        agni_parallel_for(batch * q.runs, softmax_run, &q);
    return AGN_OK;
}

/* y (t - sum(y t)); where y is 0 and t is not finite there is no slope */
static void softmax_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agni_pattern *p = (const agni_pattern *)r->at->obj;
    const agn_tensor *w = ag_mulz(s, r->y[0], t[0]);
    const agn_tensor *one = agni_full(s, 1, r->y[0]->dtype, 2, (int64_t[]){p->cols, 1});
    int64_t plain = 0;
    const agn_tensor *sum = w && one ? agni_apply_in(
                                           s, &agni_op_sparse_spmm,
                                           &(agni_attr){.ni = 1, .i = &plain, .obj = r->at->obj}, 2,
                                           (const agn_tensor *[]){w, one})
                                     : NULL;
    sum = sum ? agni_apply_in(s, &agni_op_sparse_sddmm, &(agni_attr){.obj = r->at->obj}, 2,
                              (const agn_tensor *[]){sum, one})
              : NULL;
    ty[0] = ag_sub(s, w, ag_mul(s, r->y[0], sum));
}

/* where a device has no kernel */
static agn_status eval_softmax(const agni_call *c, agn_tensor **out)
{
    const agni_pattern *p = (const agni_pattern *)c->at->obj;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_detach_node(s, c->op->name, c->in[0]);
    x = x ? agni_softmax_groups(s, x, x->ndim - 1, row_indices(s, c->op->name, p), p->rows, false)
          : x;
    return agni_return(c->op->name, s, out, x);
}

static agni_slots slots;
const agni_op agni_op_sparse_softmax = {.name = "sparse_softmax",
                                        .takes = "values pattern:o",
                                        .cls = AGNI_SOLVE,
                                        .nin = 1,
                                        .nout = 1,
                                        .dtypes = AGNI_BIT(F32) | AGNI_BIT(F64),
                                        .diff = 1,
                                        .promote = 1,
                                        .result = AGNI_OUT_SAME,
                                        .ew = -1,
                                        .infer = infer_softmax,
                                        .cpu = run_softmax,
                                        .eval = eval_softmax,
                                        .contiguous = true,
                                        .jvp = softmax_jvp,
                                        .batch = agni_batch_front,
                                        .slots = &slots,
                                        .lo = -3,
                                        .hi = 3,
                                        .doc = "exponentials over their sums along rows"};
