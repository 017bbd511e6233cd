/* tensor/ew_run.c - walks an element-wise loop over arrays of any strides. */
#include "config.h"

#include "core/cpu.h"
#include "tensor/elementwise.h"

enum { MAX_OPERANDS = 4, GRAIN = 1 << 15 };

agni_loop *agni_ew_loop(int row, int dtype)
{
    switch (agni_cpu_level()) {
#ifdef AGNI_HAVE_AVX512
    case 2:
        return agni_ew_avx512[row][dtype];
#endif
#ifdef AGNI_HAVE_AVX2
    case 1:
        return agni_ew_avx2[row][dtype];
#endif
    default:
        return agni_ew_base[row][dtype];
    }
}

/* Axes with equal nesting in all operands are merged; the last one is walked by the loop. */
typedef struct walk {
    agni_loop *loop;
    const int64_t *at;
    int nops, ndim;
    char *p[MAX_OPERANDS];
    int64_t shape[AGNI_MAX_RANK];
    int64_t stride[AGNI_MAX_RANK][MAX_OPERANDS]; /* bytes */
    int64_t grain; /* rows or elements per job */
} walk;

static void run_rows(const walk *w, int64_t lo, int64_t hi)
{
    int last = w->ndim - 1;
    int64_t at[AGNI_MAX_RANK] = {0}, rest = lo;
    char *p[MAX_OPERANDS];
    for (int i = 0; i < w->nops; i++)
        p[i] = w->p[i];
    for (int d = last - 1; d >= 0; d--) {
        at[d] = rest % w->shape[d];
        rest /= w->shape[d];
        for (int i = 0; i < w->nops; i++)
            p[i] += at[d] * w->stride[d][i];
    }
    for (int64_t row = lo; row < hi; row++) {
        w->loop(p, w->stride[last], w->shape[last], w->at);
        for (int d = last - 1; d >= 0; d--) {
            for (int i = 0; i < w->nops; i++)
                p[i] += w->stride[d][i];
            if (++at[d] < w->shape[d])
                break;
            for (int i = 0; i < w->nops; i++)
                p[i] -= w->shape[d] * w->stride[d][i];
            at[d] = 0;
        }
    }
}

static void job_rows(void *user, int64_t i, int worker)
{
    const walk *w = user;
    (void)worker;
    int64_t rows = 1;
    for (int d = 0; d < w->ndim - 1; d++)
        rows *= w->shape[d];
    int64_t lo = i * w->grain, hi = lo + w->grain;
    run_rows(w, lo, hi < rows ? hi : rows);
}

static void job_flat(void *user, int64_t i, int worker)
{
    const walk *w = user;
    (void)worker;
    int64_t lo = i * w->grain, n = w->shape[0] - lo;
    char *p[MAX_OPERANDS];
    for (int k = 0; k < w->nops; k++)
        p[k] = w->p[k] + lo * w->stride[0][k];
    w->loop(p, w->stride[0], n < w->grain ? n : w->grain, w->at);
}

static void set_operand(walk *w, int i, const agn_array *x, int ndim)
{
    int64_t bytes = agni_dtypes[x->dtype].bytes;
    w->p[i] = x->data;
    for (int d = 0; d < ndim; d++) {
        int k = d - (ndim - x->ndim);
        w->stride[d][i] = k < 0 || x->shape[k] == 1 ? 0 : x->stride[k] * bytes;
    }
}

/* drops axes of size 1 and merges neighbours that all operands walk as one */
static void coalesce(walk *w)
{
    int n = 0;
    for (int d = 0; d < w->ndim; d++) {
        if (w->shape[d] == 1)
            continue;
        bool merge = n > 0;
        for (int i = 0; merge && i < w->nops; i++)
            merge = w->stride[n - 1][i] == w->stride[d][i] * w->shape[d];
        if (merge)
            w->shape[n - 1] *= w->shape[d];
        else
            w->shape[n++] = w->shape[d];
        for (int i = 0; i < w->nops; i++)
            w->stride[n - 1][i] = w->stride[d][i];
    }
    if (n == 0) {
        w->shape[n++] = 1;
        for (int i = 0; i < w->nops; i++)
            w->stride[0][i] = 0;
    }
    w->ndim = n;
}

/* The common case, without a walk: out is row-major and every operand either lies like it or
   is one element. */
static bool run_flat(agni_loop *loop, const agn_array *out, int nin, const agn_array *in,
                     const int64_t *at)
{
    char *p[MAX_OPERANDS] = {out->data};
    int64_t step[MAX_OPERANDS] = {agni_dtypes[out->dtype].bytes}, size = 1;
    for (int d = out->ndim - 1; d >= 0; d--) {
        if (out->stride[d] != size && out->shape[d] != 1)
            return false;
        size *= out->shape[d];
    }
    if (size >= 2 * GRAIN)
        return false;
    for (int i = 0; i < nin; i++) {
        const agn_array *x = in + i;
        int64_t n = 1;
        bool like = true;
        for (int d = x->ndim - 1; d >= 0; d--) {
            like = like && (x->stride[d] == n || x->shape[d] == 1);
            n *= x->shape[d];
        }
        if (n != 1 && (!like || n != size))
            return false;
        p[i + 1] = x->data;
        step[i + 1] = n == 1 ? 0 : agni_dtypes[x->dtype].bytes;
    }
    if (size)
        loop(p, step, size, at);
    return true;
}

agn_status agni_ew_run(int row, int dtype, const agn_array *out, int nin, const agn_array *in,
                       const int64_t *at)
{
    agni_loop *loop = agni_ew_loop(row, dtype);
    if (run_flat(loop, out, nin, in, at))
        return AGN_OK;
    walk w;
    w.loop = loop;
    w.at = at;
    w.nops = nin + 1;
    w.ndim = out->ndim;
    int64_t size = 1;
    for (int d = 0; d < out->ndim; d++)
        size *= w.shape[d] = out->shape[d];
    if (size == 0)
        return AGN_OK;
    set_operand(&w, 0, out, out->ndim);
    for (int i = 0; i < nin; i++)
        set_operand(&w, i + 1, in + i, out->ndim);
    coalesce(&w);
    int64_t inner = w.shape[w.ndim - 1], rows = size / inner;
    if (size < 2 * GRAIN) {
        run_rows(&w, 0, rows);
    } else if (w.ndim == 1) {
        w.grain = GRAIN;
        agni_parallel((size + GRAIN - 1) / GRAIN, job_flat, &w);
    } else {
        w.grain = (GRAIN + inner - 1) / inner;
        agni_parallel((rows + w.grain - 1) / w.grain, job_rows, &w);
    }
    return AGN_OK;
}
