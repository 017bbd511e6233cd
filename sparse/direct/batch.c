/* sparse/direct/batch.c - kernels of the ops of direct solves: the factor of each matrix of a batch
   is taken from the factor cache, right-hand sides are passed to it by columns. */
#include "sparse/direct/direct.h"
#include "sparse/products/products.h"

#include <string.h>

/* row-major [n, k] into columns, and back */
static void to_columns(double *to, const double *x, int64_t n, int64_t k, int parts)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            for (int c = 0; c < parts; c++)
                to[(j * n + i) * parts + c] = *x++;
}
static void from_columns(double *to, const double *x, int64_t n, int64_t k, int parts)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < k; j++)
            for (int c = 0; c < parts; c++)
                *to++ = x[(j * n + i) * parts + c];
}

agn_status agni_numeric_solve_rows(agni_numeric *n, const agni_direct_problem *a,
                                   agni_direct_system system, int64_t rows, int64_t cols, int64_t k,
                                   const double *b, double *x)
{
    if (k == 1)
        return agni_numeric_solve(n, a, system, 1, b, x);
    size_t room = (size_t)((rows + cols) * k * a->parts) * sizeof *b;
    double *work = agni_alloc(room ? room : 1), *back = work + rows * k * a->parts;
    if (!work)
        return agni_nomem(a->op, room);
    to_columns(work, b, rows, k, a->parts);
    agn_status st = agni_numeric_solve(n, a, system, k, work, back);
    if (!st)
        from_columns(x, back, cols, k, a->parts);
    agni_free(work);
    return st;
}

/* one call: which matrices, how they are solved */
typedef struct job {
    const agn_kernel_call *c;
    const agn_array *v;
    int method, order, trailing; /* axes of the result that belong to one matrix */
    agni_direct_problem a;
    int64_t batch, matrices;
    const double *at; /* values of num */
    agni_numeric *num;
} job;

static job make_job(const agn_kernel_call *c, int method, int order, int trailing)
{
    const agn_array *y = c->out, *v = c->in;
    job q = {.c = c,
             .v = v,
             .method = method,
             .order = order,
             .trailing = trailing,
             .batch = 1};
    q.a = (agni_direct_problem){
        .op = "sparse_solve", .p = c->object, .v = v->data, .parts = v->dtype == AGN_C128 ? 2 : 1};
    for (int d = 0; d < y->ndim - trailing; d++)
        q.batch *= y->shape[d];
    q.matrices = 1;
    for (int d = 0; d < v->ndim - 1; d++)
        q.matrices *= v->shape[d];
    return q;
}

/* the numbers of the matrix that part b of the result is about */
static agn_status find_factor(job *q, int64_t b)
{
    int64_t off = agni_batch_offset(q->v, 1, q->c->out, q->trailing, b);
    const double *at = (const double *)q->v->data + off * q->a.parts;
    if (q->num && at == q->at)
        return AGN_OK;
    agni_numeric_unref(q->num);
    q->num = NULL;
    q->at = q->a.v = at;
    q->a.lane = b;
    return agni_numeric_get(&q->num, &q->a, q->method, q->order, q->matrices);
}

/* rhs [m, k] to y [n, k] */
static agn_status solve_batch(const agn_kernel_call *c, int method, int order,
                              agni_direct_system system)
{
    const agn_array *rhs = c->in + 1, *y = c->out;
    job q = make_job(c, method, order, 2);
    int parts = q.a.parts;
    int64_t m = rhs->shape[rhs->ndim - 2], n = y->shape[y->ndim - 2],
            k = y->shape[y->ndim - 1];
    if (!m || !n || !k || !q.batch) {
        if (n * k * q.batch > 0)
            memset(y->data, 0, (size_t)(n * k * q.batch * parts) * sizeof(double));
        return AGN_OK;
    }
    agn_status st = AGN_OK;
    for (int64_t b = 0; !st && b < q.batch; b++) {
        const double *from = (const double *)rhs->data + agni_batch_offset(rhs, 2, y, 2, b) * parts;
        double *to = (double *)y->data + b * n * k * parts;
        st = find_factor(&q, b);
        if (!st)
            st = agni_numeric_solve_rows(q.num, &q.a, system, m, n, k, from, to);
    }
    agni_numeric_unref(q.num);
    return st;
}

agn_status agni_cpu_linsolve(const agn_kernel_call *c)
{
    return solve_batch(c, (int)c->ints[1], (int)c->ints[2],
                       c->ints[0] ? AGNI_SOLVE_TRANSPOSED : AGNI_SOLVE_PLAIN);
}

agn_status agni_cpu_lstsq(const agn_kernel_call *c)
{
    return solve_batch(c, AGN_SPARSE_QR, (int)c->ints[1],
                       (agni_direct_system)(AGNI_SOLVE_LEAST_SQUARES + c->ints[0]));
}

/* real numbers, a complex array of which has no imaginary part */
agn_status agni_cpu_logdet(const agn_kernel_call *c)
{
    job q = make_job(c, (int)c->ints[0], (int)c->ints[1], 0);
    double *y = c->out->data;
    agn_status st = AGN_OK;
    for (int64_t b = 0; !st && b < q.batch; b++) {
        double log = 0;
        st = q.a.p->rows ? find_factor(&q, b) : AGN_OK;
        if (!st && q.a.p->rows)
            st = agni_numeric_det(q.num, &q.a, &log, NULL);
        y[b] = log;
    }
    agni_numeric_unref(q.num);
    return st;
}

/* z_e = (A^-1)[j, i] for entry e = (i, j): rows of A that are not empty ask for their column of
   the inverse, BLOCK of them together */
enum { BLOCK = 16 };

static agn_status inverse_entries(job *q, double *z, double *unit, double *x)
{
    const agni_pattern *p = q->a.p;
    int64_t n = p->rows;
    int parts = q->a.parts;
    agn_status st = AGN_OK;
    if (agni_numeric_inverse(q->num, &q->a, z, &st))
        return st;
    for (int64_t first = 0; !st && first < n; first += BLOCK) {
        int64_t k = n - first < BLOCK ? n - first : BLOCK;
        memset(unit, 0, (size_t)(n * k * parts) * sizeof *unit);
        for (int64_t c = 0; c < k; c++)
            unit[(c * n + first + c) * parts] = 1;
        st = agni_numeric_solve(q->num, &q->a, AGNI_SOLVE_PLAIN, k, unit, x);
        for (int64_t c = 0; !st && c < k; c++)
            for (int64_t e = agni_row_begin(p, first + c); e < agni_row_begin(p, first + c + 1);
                 e++)
                memcpy(z + e * parts, x + (c * n + agni_entry_col(p, e)) * parts,
                       (size_t)parts * sizeof *z);
    }
    return st;
}

agn_status agni_cpu_inverse(const agn_kernel_call *c)
{
    job q = make_job(c, (int)c->ints[0], (int)c->ints[1], 1);
    int64_t n = q.a.p->rows, nnz = q.a.p->nnz;
    size_t one = (size_t)(n * BLOCK * q.a.parts) * sizeof(double);
    if (!nnz || !q.batch)
        return AGN_OK;
    double *work = agni_alloc(2 * one);
    agn_status st = work ? AGN_OK : agni_nomem(c->op, 2 * one);
    for (int64_t b = 0; !st && b < q.batch; b++) {
        st = find_factor(&q, b);
        if (!st)
            st = inverse_entries(&q, (double *)c->out->data + b * nnz * q.a.parts, work,
                                 work + n * BLOCK * q.a.parts);
    }
    agni_numeric_unref(q.num);
    agni_free(work);
    return st;
}
