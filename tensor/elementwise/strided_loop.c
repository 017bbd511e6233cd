/* tensor/elementwise/strided_loop.c - element-wise loops over arrays of any strides: axes
   coalesced, operands that are dense along another axis transposed in strips, rows shared by
   threads. */
#include "config.h"

#include "core/device/cpu_level.h"
#include "tensor/rows/elementwise.h"
#include "tensor/create/nontemporal.h"
#include "tensor/create/layout_copy.h"
#include <string.h>

enum { MAX_OPERANDS = 4, GRAIN = 1 << 15, LINE = 64, STRIP = 128, AHEAD = 16 };

agni_loop *agni_ew_find_loop(int row, int dtype)
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

/* Strips of gathered operands are short, so that the strips of all operands stay in the first
   cache. */
enum { STRIP_BYTES = 4096, FETCHED_BYTES = 512 };

void agni_ew_run_strided(agni_loop *loop, int n_op, char *const *p, const int64_t *step,
                    const int *bytes, int64_t n, const int64_t *at)
{
    uint32_t apart = 0;
    int widest = 1;
    bool fetched = false;
    for (int i = 0; i < n_op; i++) {
        apart |= (uint32_t)(step[i] != bytes[i]) << i;
        fetched = fetched || (step[i] != bytes[i] && step[i]);
        widest = bytes[i] > widest ? bytes[i] : widest;
    }
    if (!apart || n <= 1) {
        loop(p, n, at);
        return;
    }
    _Alignas(LINE) char strip[MAX_OPERANDS][STRIP_BYTES];
    const int64_t most = (fetched ? FETCHED_BYTES : STRIP_BYTES) / widest;
    char *q[MAX_OPERANDS];
    for (int64_t k = 0; k < n; k += most) {
        const int64_t m = n - k < most ? n - k : most;
        for (int i = 0; i < n_op; i++) {
            q[i] = apart >> i & 1 ? strip[i] : p[i] + k * bytes[i];
            if (i > 0 && apart >> i & 1 && (step[i] || k == 0))
                agni_copy_row(strip[i], bytes[i], p[i] + k * step[i], step[i], m, bytes[i]);
        }
        loop(q, m, at);
        if (apart & 1)
            agni_copy_row(p[0] + k * step[0], step[0], strip[0], bytes[0], m, bytes[0]);
    }
}

/* The loop nest: axes that are one axis in all operands are merged; the row's loop runs along the
   last. */
typedef struct walk {
    agni_loop *loop;
    const int64_t *at;
    int nops, ndim;
    char *p[MAX_OPERANDS];
    int64_t shape[AGNI_MAX_RANK];
    int64_t stride[AGNI_MAX_RANK][MAX_OPERANDS]; /* bytes */
    int64_t grain; /* rows or elements per job */
    int bytes[MAX_OPERANDS];
    uint32_t transposed; /* operands that are dense along the last axis but one, or every second */
    int64_t slab;    /* rows that are transposed at a time */
    bool far;        /* the result is larger than the caches, and contiguous along the last axis */
} walk;

/* n elements of the last axis; for non-temporal stores strip by strip in the first cache */
static void run_last_axis(const walk *w, char *const *p, int64_t n)
{
    const int64_t *step = w->stride[w->ndim - 1];
    if (!w->far) {
        agni_ew_run_strided(w->loop, w->nops, p, step, w->bytes, n, w->at);
        return;
    }
    _Alignas(LINE) char strip[AGNI_NONTEMPORAL_STRIP];
    char *q[MAX_OPERANDS] = {strip};
    int widest = 1;
    for (int i = 0; i < w->nops; i++)
        widest = w->bytes[i] > widest ? w->bytes[i] : widest;
    for (int64_t k = 0, m; k < n; k += m) {
        char *to = p[0] + k * w->bytes[0];
        m = agni_nontemporal_strip(to, w->bytes[0], AGNI_NONTEMPORAL_STRIP / widest, n - k);
        for (int i = 1; i < w->nops; i++)
            q[i] = p[i] + k * step[i];
        agni_ew_run_strided(w->loop, w->nops, q, step, w->bytes, m, w->at);
        agni_nontemporal_copy(to, strip, m * w->bytes[0]);
    }
}

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
        run_last_axis(w, p, w->shape[last]);
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
    if (w->far)
        agni_nontemporal_fence();
}

static void job_flat(void *user, int64_t i, int worker)
{
    const walk *w = user;
    (void)worker;
    int64_t lo = i * w->grain, n = w->shape[0] - lo;
    char *p[MAX_OPERANDS];
    for (int k = 0; k < w->nops; k++)
        p[k] = w->p[k] + lo * w->stride[0][k];
    run_last_axis(w, p, n < w->grain ? n : w->grain);
    if (w->far)
        agni_nontemporal_fence();
}

static void set_operand(walk *w, int i, const agn_array *x, int ndim)
{
    int bytes = agni_dtypes[x->dtype].bytes;
    w->p[i] = x->data;
    w->bytes[i] = bytes;
    for (int d = 0; d < ndim; d++) {
        int k = d - (ndim - x->ndim);
        w->stride[d][i] = k < 0 || x->shape[k] == 1 ? 0 : x->stride[k] * bytes;
    }
}

/* at least one axis is left */
static void coalesce_axes(walk *w)
{
    w->ndim = agni_ew_coalesce(w->ndim, w->shape, w->stride[0], MAX_OPERANDS, w->nops);
    if (w->ndim > 0)
        return;
    w->shape[w->ndim++] = 1;
    for (int i = 0; i < w->nops; i++)
        w->stride[0][i] = 0;
}

/* Does operand i lie along axis d, without gaps or as parts of complex numbers, and not along the
   last axis? */
static bool lies_along(const walk *w, int i, int d)
{
    int64_t step = w->stride[d][i], last = w->stride[w->ndim - 1][i];
    bool dense = step == w->bytes[i] && last != w->bytes[i];
    bool parts = step == 2 * w->bytes[i] && (last < -step || last > step);
    return last && (dense || parts);
}

/* Such an operand would fetch a line for every element. That axis becomes the last but one, and the
   operand is transposed in strips that stay in the first cache. */
static void find_transposed_operands(walk *w)
{
    enum { FEW = 8 };
    int last = w->ndim - 1, with = -1;
    w->transposed = 0;
    for (int i = 1; i < w->nops && with < 0; i++)
        for (int d = 0; d < last && with < 0; d++)
            if (w->shape[d] >= FEW && w->shape[last] >= FEW && lies_along(w, i, d))
                with = d;
    if (with < 0)
        return;
    int64_t n = w->shape[with], stride[MAX_OPERANDS];
    memcpy(stride, w->stride[with], sizeof stride);
    for (int d = with; d < last - 1; d++) {
        w->shape[d] = w->shape[d + 1];
        memcpy(w->stride[d], w->stride[d + 1], sizeof stride);
    }
    w->shape[last - 1] = n;
    memcpy(w->stride[last - 1], stride, sizeof stride);
    int64_t widest = 1;
    for (int i = 1; i < w->nops; i++)
        if (lies_along(w, i, last - 1)) {
            w->transposed |= 1u << i;
            widest = stride[i] > widest ? stride[i] : widest;
        }
    w->slab = LINE / widest;
}

/* The strip of operand i at x, row by row: parts of complex numbers one row after the other, whose
   lines are in the first cache from the first row on. */
static void transpose_strip(const walk *w, int i, char *to, const char *x, int64_t rows, int64_t n)
{
    int64_t across = w->stride[w->ndim - 1][i], down = w->stride[w->ndim - 2][i];
    int bytes = w->bytes[i];
    if (down == bytes)
        agni_transpose_matrix(to, STRIP * bytes, x, across, rows, n, bytes);
    else
        for (int64_t c = 0; c < n; c++) {
            if (c + AHEAD < n)
                __builtin_prefetch(x + (c + AHEAD) * across);
            agni_copy_row(to + c * bytes, STRIP * bytes, x + c * across, down, rows, bytes);
        }
}

static void run_slab(const walk *w, char *const *p, int64_t rows)
{
    _Alignas(LINE) char buffer[MAX_OPERANDS][LINE * STRIP];
    int last = w->ndim - 1;
    const int64_t *across = w->stride[last], *down = w->stride[last - 1];
    int64_t step[MAX_OPERANDS], cols = w->shape[last];
    char *q[MAX_OPERANDS];
    for (int i = 0; i < w->nops; i++)
        step[i] = w->transposed >> i & 1 ? w->bytes[i] : across[i];
    for (int64_t c = 0; c < cols; c += STRIP) {
        int64_t n = cols - c < STRIP ? cols - c : STRIP;
        for (int i = 1; i < w->nops; i++)
            if (w->transposed >> i & 1)
                transpose_strip(w, i, buffer[i], p[i] + c * across[i], rows, n);
        for (int64_t r = 0; r < rows; r++) {
            for (int i = 0; i < w->nops; i++)
                q[i] = w->transposed >> i & 1 ? buffer[i] + r * STRIP * w->bytes[i]
                                          : p[i] + r * down[i] + c * across[i];
            agni_ew_run_strided(w->loop, w->nops, q, step, w->bytes, n, w->at);
        }
    }
}

static void job_slab(void *user, int64_t job, int worker)
{
    const walk *w = user;
    int last = w->ndim - 1;
    int64_t per = (w->shape[last - 1] + w->slab - 1) / w->slab, row = job % per * w->slab;
    int64_t rows = w->shape[last - 1] - row, rest = job / per;
    char *p[MAX_OPERANDS];
    (void)worker;
    for (int i = 0; i < w->nops; i++)
        p[i] = w->p[i] + row * w->stride[last - 1][i];
    for (int d = last - 2; d >= 0; d--) {
        for (int i = 0; i < w->nops; i++)
            p[i] += rest % w->shape[d] * w->stride[d][i];
        rest /= w->shape[d];
    }
    run_slab(w, p, rows < w->slab ? rows : w->slab);
}

static void run_slabs(walk *w)
{
    int last = w->ndim - 1;
    int64_t jobs = (w->shape[last - 1] + w->slab - 1) / w->slab;
    for (int d = 0; d < last - 1; d++)
        jobs *= w->shape[d];
    if (jobs * w->slab * w->shape[last] < 2 * GRAIN)
        for (int64_t k = 0; k < jobs; k++)
            job_slab(w, k, 0);
    else
        agni_parallel_for(jobs, job_slab, w);
}

/* The common case, without a loop nest: out is row-major, and every operand is row-major of the
   same size or has one element. */
static bool run_flat(agni_loop *loop, const agn_array *out, int nin, const agn_array *in,
                     const int64_t *at)
{
    char *p[MAX_OPERANDS] = {out->data};
    int bytes[MAX_OPERANDS] = {agni_dtypes[out->dtype].bytes};
    int64_t step[MAX_OPERANDS] = {bytes[0]}, size = 1;
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
        bytes[i + 1] = agni_dtypes[x->dtype].bytes;
        step[i + 1] = n == 1 ? 0 : bytes[i + 1];
    }
    if (size)
        agni_ew_run_strided(loop, nin + 1, p, step, bytes, size, at);
    return true;
}

/* for large results with rows of a strip or more, where no operand is the result itself */
static bool use_nontemporal_stores(const walk *w, int64_t size)
{
    int last = w->ndim - 1;
    bool far = size * w->bytes[0] >= AGNI_NONTEMPORAL_BYTES && w->stride[last][0] == w->bytes[0] &&
               w->shape[last] * w->bytes[0] >= AGNI_NONTEMPORAL_STRIP;
    for (int i = 1; i < w->nops; i++)
        far = far && w->p[i] != w->p[0];
    return far;
}

agn_status agni_ew_run(int row, int dtype, const agn_array *out, int nin, const agn_array *in,
                       const int64_t *at)
{
    agni_loop *loop = agni_ew_find_loop(row, dtype);
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
    coalesce_axes(&w);
    w.far = use_nontemporal_stores(&w, size);
    find_transposed_operands(&w);
    if (w.transposed) {
        run_slabs(&w);
        return AGN_OK;
    }
    int64_t inner = w.shape[w.ndim - 1], rows = size / inner;
    if (size < 2 * GRAIN) {
        run_rows(&w, 0, rows);
    } else if (w.ndim == 1) {
        w.grain = GRAIN;
        agni_parallel_for((size + GRAIN - 1) / GRAIN, job_flat, &w);
    } else {
        w.grain = (GRAIN + inner - 1) / inner;
        agni_parallel_for((rows + w.grain - 1) / w.grain, job_rows, &w);
    }
    return AGN_OK;
}
