/* sparse/products/cpu/spgemm_numeric.c - products of sparse matrices whose patterns are known
   (Gustavson 1978: rows of the product are summed in an array of all columns). Threads share the
   rows. */
#include "sparse/products/cpu/multiply_add.h"
#include "sparse/products/spgemm.h"

#include <complex.h>
#include <string.h>

/* rows of a pattern; entry e has value from[e], or e where that is NULL */
typedef struct lines {
    const void *indptr, *index, *from;
} lines;

#define INT int32_t
#define IN(x, s) x##_##s##_i32
#include "sparse/products/cpu/spgemm_types.h"
#undef INT
#undef IN
#define INT int64_t
#define IN(x, s) x##_##s##_i64
#include "sparse/products/cpu/spgemm_types.h"
#undef INT
#undef IN

typedef void loop(const lines *y, const lines *a, const lines *b, const void *u,
                  const void *w, void *to, void *acc, int64_t lo, int64_t hi);
#define LOOPS(i)                                                            \
    {                                                                       \
        {onto_c_f32_##i, onto_c_f64_##i, onto_c_c64_##i, onto_c_c128_##i},  \
        {                                                                   \
            onto_a_f32_##i, onto_a_f64_##i, onto_a_c64_##i, onto_a_c128_##i \
        }                                                                   \
    }
static loop *const loops[2][2][4] = {LOOPS(i32), LOOPS(i64)};

typedef struct job {
    const agn_kernel_call *c;
    loop *run;
    lines y, a, b;          /* of the result, the first and the second argument */
    const agni_pattern *by; /* whose rows are shared, and are about even in work */
    int64_t runs, bytes, cols;
    void **acc; /* one for each worker */
    const void *u, *w;
    void *to;
    _Atomic(bool) failed;
} job;

static lines rows_of_pattern(const agni_pattern *p)
{
    return (lines){p->indptr, p->index, NULL};
}
static lines rows_of_transpose(const agni_transposed_pattern *t)
{
    return (lines){t->p->indptr, t->p->index, t->from};
}

static void multiply_run(void *user, int64_t k, int worker)
{
    job *q = user;
    if (!q->acc[worker] &&
        !(q->acc[worker] = agni_zalloc((size_t)(q->cols * q->bytes)))) {
        atomic_store(&q->failed, true);
        return;
    }
    q->run(&q->y, &q->a, &q->b, q->u, q->w, q->to, q->acc[worker],
           agni_pattern_split_rows(q->by, k, q->runs),
           agni_pattern_split_rows(q->by, k + 1, q->runs));
}

/* Onto B is onto A of the transposes: C^T = B^T A^T. */
static agn_status arrange_operands(job *q, const agni_triple *t, int64_t onto, int dtype)
{
    const agni_pattern *c = t->p[AGNI_ONTO_C], *a = t->p[AGNI_ONTO_A],
                       *b = t->p[AGNI_ONTO_B];
    int k = dtype == AGN_F32 ? 0 : dtype == AGN_F64 ? 1 : dtype == AGN_C64 ? 2 : 3;
    q->run = loops[c->wide][onto != AGNI_ONTO_C][k];
    q->by = c;
    q->cols = c->cols + 1;
    if (onto == AGNI_ONTO_C) {
        q->y = rows_of_pattern(c);
        q->a = rows_of_pattern(a);
        q->b = rows_of_pattern(b);
    } else if (onto == AGNI_ONTO_A) {
        q->y = rows_of_pattern(a);
        q->a = rows_of_pattern(c);
        q->b = rows_of_pattern(b);
    } else {
        const agni_transposed_pattern *tc = agni_pattern_transposed(c),
                                      *ta = agni_pattern_transposed(a),
                                      *tb = agni_pattern_transposed(b);
        if (!tc || !ta || !tb)
            return agni_nomem(q->c->op, (size_t)c->nnz * 2 * sizeof(int32_t));
        q->y = rows_of_transpose(tb);
        q->a = rows_of_transpose(tc);
        q->b = rows_of_transpose(ta);
        q->by = tc->p;
        q->cols = c->rows + 1;
    }
    return AGN_OK;
}

agn_status agni_cpu_spgemm(const agn_kernel_call *c)
{
    const agn_array *y = c->out, *u = c->in, *w = c->in + 1;
    const agni_triple *t = c->object;
    int64_t onto = c->ints[0], batch = 1, nnz = y->shape[y->ndim - 1];
    job q = {.c = c, .bytes = agni_dtypes[y->dtype].bytes};
    int width = agni_parallel_width();
    agn_status st = arrange_operands(&q, t, onto, y->dtype);
    if (st)
        return st;
    for (int d = 0; d < y->ndim - 1; d++)
        batch *= y->shape[d];
    /* C is on both sides onto A and B: u is its argument onto A, w onto B */
    bool swapped = onto == AGNI_ONTO_B;
    if (!(q.acc = agni_zalloc((size_t)width * sizeof *q.acc)))
        return agni_nomem(c->op, (size_t)width * sizeof *q.acc);
    q.runs = q.by->nnz / 4096 + 1;
    for (int64_t b = 0; b < batch && !atomic_load(&q.failed); b++) {
        const char *pu = (const char *)u->data + agni_batch_offset(u, 1, y, 1, b) * q.bytes;
        const char *pw = (const char *)w->data + agni_batch_offset(w, 1, y, 1, b) * q.bytes;
        q.u = swapped ? pw : pu;
        q.w = swapped ? pu : pw;
        q.to = (char *)y->data + b * nnz * q.bytes;
        if (q.runs == 1)
            multiply_run(&q, 0, 0);
        else
            agni_parallel_for(q.runs, multiply_run, &q);
    }
    for (int k = 0; k < width; k++)
        agni_free(q.acc[k]);
    agni_free(q.acc);
    return atomic_load(&q.failed) ? agni_nomem(c->op, (size_t)(q.cols * q.bytes))
                                  : AGN_OK;
}
