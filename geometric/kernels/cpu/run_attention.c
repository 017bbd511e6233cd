/* geometric/kernels/cpu/run_attention.c - attention by terms of nodes on the host: rows of the
   result shared by threads, each made by one of them in the order of its edges. */
#include "config.h"

#include "geometric/kernels/attend.h"

#include "core/device/cpu_level.h"
#include "sparse/products/products.h"
#include "tensor/cpu/level_dispatch.h"

enum { OWN = 3 }; /* axes that are no batch */

static const agni_attend_kernels *select_kernels(const agn_graph *g, int dtype)
{
    static const agni_attend_table *const levels[] = {
        [AGNI_CPU_BASE] = &agni_attention_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = &agni_attention_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = &agni_attention_avx512,
#endif
    };
    return &(*levels[agni_cpu_level_below(AGNI_COUNT(levels))])[g->wide][dtype == AGN_F64];
}

typedef struct job {
    agni_attend_rows rows;
    agni_attend_fn *run;
    const agn_kernel_call *c;
    const agn_graph *g;
    int64_t n, shares, bytes;
} job;

static const void *data_of(const job *q, int i, int64_t b)
{
    const agn_array *x = q->c->in + i;
    return (const char *)x->data + agni_batch_offset(x, OWN, q->c->out, OWN, b) * q->bytes;
}

#define ADD_PRODUCTS(T, name) \
    static void add_products_##name(T *y, const T *c, const T *s, int64_t lo, int64_t hi, \
                                    int64_t heads, int64_t width) \
    { \
        for (int64_t i = lo * heads; i < hi * heads; i++) \
            for (int64_t j = 0; j < width; j++) \
                y[i * width + j] += c[i] * s[i % heads * width + j]; \
    }
ADD_PRODUCTS(float, f32)
ADD_PRODUCTS(double, f64)


static void run_share(void *user, int64_t k, int worker)
{
    const job *q = user;
    agni_attend_rows r = q->rows;
    int64_t b = k / q->shares, share = k % q->shares;
    int64_t lo = agni_split_rows(q->g, r.begin, q->n, share, q->shares),
            hi = agni_split_rows(q->g, r.begin, q->n, share + 1, q->shares);
    int64_t width = r.z || q->c->n_in == 2 ? 1 : r.width;
    bool into = q->c->ints[0] == AGN_GRAPH_DST;
    (void)worker;
    r.near = data_of(q, into ? AGNI_ATTEND_B : AGNI_ATTEND_A, b);
    r.far = data_of(q, into ? AGNI_ATTEND_A : AGNI_ATTEND_B, b);
    r.y = (char *)r.y + b * q->n * r.heads * width * q->bytes;
    if (q->c->n_in > 2) {
        r.norm = data_of(q, AGNI_ATTEND_L, b);
        r.x = data_of(q, AGNI_ATTEND_X, b);
    }
    if (r.z)
        r.z = data_of(q, AGNI_ATTEND_Z, b);
    q->run(&r, lo, hi);
    for (int i = 4; q->c->n_in == AGNI_ATTEND_MOST && i < AGNI_ATTEND_MOST; i += 2)
        if (q->c->out->dtype == AGN_F64)
            add_products_f64(r.y, data_of(q, i, b), data_of(q, i + 1, b), lo, hi, r.heads, r.width);
        else
            add_products_f32(r.y, data_of(q, i, b), data_of(q, i + 1, b), lo, hi, r.heads, r.width);
}

static agn_status run_attention(const agn_kernel_call *c, bool norm)
{
    const agn_array *y = c->out, *x = c->in + (norm ? 0 : AGNI_ATTEND_X);
    job q = {.c = c, .g = c->object, .bytes = agni_dtypes[y->dtype].bytes};
    int side = (int)c->ints[0];
    const agni_attend_kernels *k = select_kernels(q.g, y->dtype);
    const agni_incidence *t = agni_graph_incidence(q.g, side);
    int64_t batch = 1;
    if (!t)
        return agni_nomem(c->op, (size_t)q.g->edges * 2 * sizeof(int64_t));
    q.n = q.g->n[side];
    q.run = norm ? k->norm : k->weigh;
    q.rows = (agni_attend_rows){.begin = t->begin,
                                .other = t->other,
                                .y = y->data,
                                .norm_is_far = side == AGN_GRAPH_SRC,
                                .heads = x->shape[x->ndim - 2],
                                .width = x->shape[x->ndim - 1],
                                .slope = c->reals[0],
                                .power = (int)c->ints[1],
                                .z = c->n_in == 5 ? c->in[AGNI_ATTEND_Z].data : NULL};
    for (int d = 0; d < y->ndim - OWN; d++)
        batch *= y->shape[d];
    int64_t work = q.g->edges * q.rows.heads * (q.rows.width + 8) +
                   q.n * q.rows.heads * q.rows.width;
    q.shares = agni_count_shares(work, q.n);
    if (!agni_is_worth_threads(batch * work))
        for (int64_t i = 0; i < batch * q.shares; i++)
            run_share(&q, i, 0);
    else
        agni_parallel_for(batch * q.shares, run_share, &q);
    return AGN_OK;
}

agn_status agni_cpu_graph_attend(const agn_kernel_call *c)
{
    return run_attention(c, false);
}

agn_status agni_cpu_graph_attend_norm(const agn_kernel_call *c)
{
    return run_attention(c, true);
}
