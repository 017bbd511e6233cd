/* sparse/cpu/spmm.c - products with a pattern, and to and from dense matrices. Threads
   share the rows of the result. */
#include "sparse/sparse.h"

#include <complex.h>
#include <string.h>

/* rows of a pattern or of its transpose */
typedef struct lines {
    const int64_t *indptr, *index, *from; /* from: NULL for the pattern itself */
} lines;

enum { WIDE = 8 };
#define T float
#define NAME(x) x##_f32
#include "sparse/cpu/loops.inc.h"
#undef T
#undef NAME
#define T double
#define NAME(x) x##_f64
#include "sparse/cpu/loops.inc.h"
#undef T
#undef NAME
#define T float complex
#define NAME(x) x##_c64
#include "sparse/cpu/loops.inc.h"
#undef T
#undef NAME
#define T double complex
#define NAME(x) x##_c128
#include "sparse/cpu/loops.inc.h"
#undef T
#undef NAME

/* ---- a batch, cut into runs of rows ---------------------------------------------- */

typedef struct job job;
typedef void run_rows(const job *q, int64_t b, int64_t lo, int64_t hi);
struct job {
    const agn_kernel_call *c;
    lines a;
    int64_t n, bytes; /* columns of the dense operands */
    int64_t rows, step, runs;
    run_rows *run;
};

enum { WORTH_A_THREAD = 1 << 14 }; /* multiplications */

static void one_run(void *user, int64_t k, int worker)
{
    const job *q = user;
    int64_t lo = k % q->runs * q->step, hi = lo + q->step;
    (void)worker;
    q->run(q, k / q->runs, lo, hi < q->rows ? hi : q->rows);
}

/* rows are many to a run where they are short: runs depend on sizes alone */
static void run_all(job *q, int64_t batch, int64_t nnz)
{
    int64_t work = nnz * (q->n ? q->n : 1) + q->rows, most = work / WORTH_A_THREAD + 1;
    if (q->rows == 0)
        return;
    most = most < q->rows ? most : q->rows;
    q->step = (q->rows + most - 1) / most;
    q->runs = (q->rows + q->step - 1) / q->step;
    if (batch * work < 2 * WORTH_A_THREAD)
        for (int64_t k = 0; k < batch * q->runs; k++)
            one_run(q, k, 0);
    else
        agni_parallel(batch * q->runs, one_run, q);
}

/* element where part b of the batch of y begins in row-major x; xa and ya are the last
   axes that belong to one part */
static int64_t part_of(const agn_array *x, int xa, const agn_array *y, int ya,
                       int64_t b)
{
    int64_t off = 0;
    for (int d = y->ndim - ya - 1; d >= 0; d--) {
        int e = d - (y->ndim - ya) + (x->ndim - xa);
        if (e >= 0 && x->shape[e] != 1)
            off += b % y->shape[d] * x->stride[e];
        b /= y->shape[d];
    }
    return off;
}

static int64_t batch_of(const agn_array *y, int ya)
{
    int64_t n = 1;
    for (int d = 0; d < y->ndim - ya; d++)
        n *= y->shape[d];
    return n;
}

static const char *at(const agn_array *x, int64_t element)
{
    return (const char *)x->data + element * agni_dtypes[x->dtype].bytes;
}

static void spmm_rows(const job *q, int64_t b, int64_t lo, int64_t hi)
{
    const agn_array *y = q->c->out, *vs = q->c->in, *xs = q->c->in + 1;
    const void *v = at(vs, part_of(vs, 1, y, 2, b)),
               *x = at(xs, part_of(xs, 2, y, 2, b));
    char *to = (char *)y->data + b * q->rows * q->n * q->bytes;
    switch (y->dtype) {
    case AGN_F32:
        spmm_f32(&q->a, v, x, (float *)(void *)to, q->n, lo, hi);
        break;
    case AGN_F64:
        spmm_f64(&q->a, v, x, (double *)(void *)to, q->n, lo, hi);
        break;
    case AGN_C64:
        spmm_c64(&q->a, v, x, (float complex *)(void *)to, q->n, lo, hi);
        break;
    default:
        spmm_c128(&q->a, v, x, (double complex *)(void *)to, q->n, lo, hi);
    }
}

agn_status agni_cpu_spmm(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_pattern *p = c->object;
    job q = {.c = c, .a = {p->indptr, p->index, NULL}, .run = spmm_rows};
    if (c->ints[0]) {
        const agni_turned *t = agni_pattern_turned(p);
        if (!t)
            return agni_nomem(c->op, (size_t)p->nnz * 2 * sizeof(int64_t));
        q.a = (lines){t->indptr, t->index, t->from};
    }
    q.rows = y->shape[y->ndim - 2];
    q.n = y->shape[y->ndim - 1];
    q.bytes = agni_dtypes[y->dtype].bytes;
    run_all(&q, batch_of(y, 2), p->nnz);
    return AGN_OK;
}

static void sddmm_rows(const job *q, int64_t b, int64_t lo, int64_t hi)
{
    const agn_array *y = q->c->out, *us = q->c->in, *ws = q->c->in + 1;
    const void *u = at(us, part_of(us, 2, y, 1, b)),
               *w = at(ws, part_of(ws, 2, y, 1, b));
    char *to = (char *)y->data + b * y->shape[y->ndim - 1] * q->bytes;
    switch (y->dtype) {
    case AGN_F32:
        sddmm_f32(&q->a, u, w, (float *)(void *)to, q->n, lo, hi);
        break;
    case AGN_F64:
        sddmm_f64(&q->a, u, w, (double *)(void *)to, q->n, lo, hi);
        break;
    case AGN_C64:
        sddmm_c64(&q->a, u, w, (float complex *)(void *)to, q->n, lo, hi);
        break;
    default:
        sddmm_c128(&q->a, u, w, (double complex *)(void *)to, q->n, lo, hi);
    }
}

agn_status agni_cpu_sddmm(const agn_kernel_call *c)
{
    const agn_array *u = c->in, *y = c->out;
    const agni_pattern *p = c->object;
    job q = {
        .c = c, .a = {p->indptr, p->index, NULL}, .run = sddmm_rows, .rows = p->rows};
    q.n = u->shape[u->ndim - 1];
    q.bytes = agni_dtypes[y->dtype].bytes;
    run_all(&q, batch_of(y, 1), p->nnz);
    return AGN_OK;
}

/* ---- dense matrices -------------------------------------------------------------- */

agn_status agni_cpu_scatter(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_pattern *p = c->object;
    int64_t bytes = agni_dtypes[y->dtype].bytes, batch = batch_of(y, 2);
    size_t whole = (size_t)(batch * p->rows * p->cols * bytes);
    const char *v = c->in[0].data;
    char *row = y->data;
    if (whole)
        memset(row, 0, whole);
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < p->rows; i++, row += p->cols * bytes)
            for (int64_t e = p->indptr[i]; e < p->indptr[i + 1]; e++, v += bytes)
                memcpy(row + p->index[e] * bytes, v, (size_t)bytes);
    return AGN_OK;
}

agn_status agni_cpu_gather(const agn_kernel_call *c)
{
    const agn_array *y = c->out;
    const agni_pattern *p = c->object;
    int64_t bytes = agni_dtypes[y->dtype].bytes, batch = batch_of(y, 1);
    const char *row = c->in[0].data;
    char *v = y->data;
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < p->rows; i++, row += p->cols * bytes)
            for (int64_t e = p->indptr[i]; e < p->indptr[i + 1]; e++, v += bytes)
                memcpy(v, row + p->index[e] * bytes, (size_t)bytes);
    return AGN_OK;
}
