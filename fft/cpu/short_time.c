/* fft/cpu/short_time.c - short-time Fourier transform of real signals, or of complex ones with
   both sides of the spectrum, and its adjoint (Allen & Rabiner 1977): so many frames at a time as a
   cache holds are windowed side by side and go through one plan. Pieces of a signal depend on sizes
   alone; each sample of the adjoint adds up its frames in their order. */
#include "fft/fft.h"

#include <string.h>

enum {
    CHUNK_BYTES = 1 << 16,
    MOST_FRAMES = 64,
    CHUNKS = 4,
    LEAST_SPAN = 64,
    OVERLAPS = 32,
    LANES = 8
};

typedef struct stft_job {
    const agn_kernel_call *c;
    bool single;
    int64_t n, length, hop, frames, bins;
    int64_t chunk;         /* frames that go through one plan */
    int64_t pieces, piece; /* of a row; frames of one, or samples */
    int64_t bytes;         /* of a sample */
    int sign;              /* of complex signals; 0: they are real */
    double scale, pairs;
    atomic_bool failed;
} stft_job;

/* m transforms side by side */
static bool transform_frames(const stft_job *q, bool back, int64_t m, void *in, void *out)
{
    agni_fft_key key;
    memset(&key, 0, sizeof key); /* keys are compared by bytes */
    key.kind = q->sign ? AGNI_C2C : back ? AGNI_C2R : AGNI_R2C;
    key.sign = q->sign ? q->sign : back ? 1 : -1;
    key.single = q->single;
    key.rank = 1;
    key.dim[0] = (agni_fft_dim){q->length, 1, 1};
    if (m > 1) {
        key.many = 1;
        key.dim[1] = back ? (agni_fft_dim){m, q->bins, q->length}
                          : (agni_fft_dim){m, q->length, q->bins};
    }
    key.align_in = agni_fft_alignment(q->single, in);
    key.align_out = agni_fft_alignment(q->single, out);
    agni_fft_plan *p = agni_fft_acquire(&key, in, out);
    if (!p)
        return false;
    agni_fft_execute(p, in, out);
    agni_fft_release(p);
    return true;
}

/* Inner loops in steps of LANES: a loop of a fixed count becomes vectors. Bins count as pairs of
   reals; those inside are all but the first and, for even lengths, the last. */
#define LOOPS(T, s) \
    static void window_frame_##s(void *restrict to, const void *restrict from, \
                                 const void *restrict window, int64_t n) \
    { \
        const T *x = from, *w = window; \
        T *y = to; \
        int64_t i = 0; \
        for (; i + LANES <= n; i += LANES) \
            for (int k = 0; k < LANES; k++) \
                y[i + k] = x[i + k] * w[i + k]; \
        for (; i < n; i++) \
            y[i] = x[i] * w[i]; \
    } \
    static void add_frame_##s(void *restrict to, const void *restrict from, \
                              const void *restrict window, int64_t n, double scale) \
    { \
        const T *x = from, *w = window, f = (T)scale; \
        T *y = to; \
        int64_t i = 0; \
        for (; i + LANES <= n; i += LANES) \
            for (int k = 0; k < LANES; k++) \
                y[i + k] += x[i + k] * w[i + k] * f; \
        for (; i < n; i++) \
            y[i] += x[i] * w[i] * f; \
    } \
    static void window_pairs_##s(void *restrict to, const void *restrict from, \
                                 const void *restrict window, int64_t n) \
    { \
        const T *x = from, *w = window; \
        T *y = to; \
        for (int64_t i = 0; i < n; i++) { \
            y[2 * i] = x[2 * i] * w[i]; \
            y[2 * i + 1] = x[2 * i + 1] * w[i]; \
        } \
    } \
    static void add_pairs_##s(void *restrict to, const void *restrict from, \
                              const void *restrict window, int64_t n, double scale) \
    { \
        const T *x = from, *w = window, f = (T)scale; \
        T *y = to; \
        for (int64_t i = 0; i < n; i++) { \
            y[2 * i] += x[2 * i] * w[i] * f; \
            y[2 * i + 1] += x[2 * i + 1] * w[i] * f; \
        } \
    } \
    static void weigh_bins_##s(void *to, const void *from, int64_t m, int64_t length, double ends, \
                               double inside) \
    { \
        int64_t bins = length / 2 + 1, last = length % 2 ? bins : bins - 1; \
        const T e = (T)ends, f = (T)inside; \
        const T *x = from; \
        T *y = to; \
        for (; m > 0; m--, x += 2 * bins, y += 2 * bins) { \
            int64_t i = 2; \
            y[0] = x[0] * e; \
            y[1] = x[1] * e; \
            for (; i + LANES <= 2 * last; i += LANES) \
                for (int k = 0; k < LANES; k++) \
                    y[i + k] = x[i + k] * f; \
            for (; i < 2 * last; i++) \
                y[i] = x[i] * f; \
            for (; i < 2 * bins; i++) \
                y[i] = x[i] * e; \
        } \
    }
LOOPS(float, f32)
LOOPS(double, f64)

static void window_frame(const stft_job *q, void *to, const void *from)
{
    const void *w = q->c->in[1].data;
    if (q->sign)
        (q->single ? window_pairs_f32 : window_pairs_f64)(to, from, w, q->length);
    else
        (q->single ? window_frame_f32 : window_frame_f64)(to, from, w, q->length);
}
static void add_frame(const stft_job *q, void *to, const void *from, const void *w, int64_t n)
{
    if (q->sign)
        (q->single ? add_pairs_f32 : add_pairs_f64)(to, from, w, n, q->scale);
    else
        (q->single ? add_frame_f32 : add_frame_f64)(to, from, w, n, q->scale);
}
static void weigh_bins(const stft_job *q, void *to, const void *from, int64_t m, double scale)
{
    (q->single ? weigh_bins_f32 : weigh_bins_f64)(to, from, m, q->length, scale, scale * q->pairs);
}

/* sizes that both ways share; length is that of the window; sign 0 of real signals */
static void begin_job(stft_job *q, const agn_kernel_call *c, int64_t n, int64_t frames, int hop,
                      int sign)
{
    const agn_array *w = c->in + 1;
    q->c = c;
    q->single = w->dtype == AGN_F32;
    q->n = n;
    q->length = w->shape[0];
    q->hop = c->ints[hop];
    q->frames = frames;
    q->sign = sign;
    q->bytes = (q->single ? 4 : 8) * (sign ? 2 : 1);
    q->bins = sign ? q->length : q->length / 2 + 1;
    q->scale = c->reals[0];
    q->pairs = sign ? 1 : c->reals[1];
    q->chunk = CHUNK_BYTES / (q->length * q->bytes);
    q->chunk = q->chunk < 1 ? 1 : q->chunk > MOST_FRAMES ? MOST_FRAMES : q->chunk;
    atomic_init(&q->failed, false);
}

static int64_t count_rows(const agn_array *x, int ends)
{
    int64_t rows = 1;
    for (int d = 0; d < x->ndim - ends; d++)
        rows *= x->shape[d];
    return rows;
}

/* ---- forwards ------------------------------------------------------------------------------ */

static void transform_piece(void *user, int64_t i, int worker)
{
    stft_job *q = user;
    (void)worker;
    int64_t real = q->single ? 4 : 8, row = i / q->pieces, f = i % q->pieces * q->piece;
    int64_t end = f + q->piece < q->frames ? f + q->piece : q->frames;
    const char *x = (const char *)q->c->in[0].data + row * q->n * q->bytes;
    char *y = (char *)q->c->out->data + row * q->frames * q->bins * 2 * real;
    char *room = agni_alloc_aligned((size_t)(q->chunk * q->length * q->bytes));
    bool good = room != NULL;
    for (int64_t m; good && f < end; f += m) {
        m = end - f < q->chunk ? end - f : q->chunk;
        for (int64_t k = 0; k < m; k++)
            window_frame(q, room + k * q->length * q->bytes, x + (f + k) * q->hop * q->bytes);
        char *to = y + f * q->bins * 2 * real;
        good = transform_frames(q, false, m, room, to);
        if (good && q->sign)
            agni_fft_scale_run(q->single, to, 2 * m * q->bins, q->scale);
        else if (good && (q->scale != 1 || q->pairs != 1))
            weigh_bins(q, to, to, m, q->scale);
    }
    agni_free(room);
    if (!good)
        atomic_store(&q->failed, true);
}

static agn_status run_forwards(const agn_kernel_call *c, int sign)
{
    const agn_array *x = c->in;
    stft_job q;
    begin_job(&q, c, x->shape[x->ndim - 1], c->out->shape[c->out->ndim - 2], 0, sign);
    q.piece = CHUNKS * q.chunk;
    q.pieces = (q.frames + q.piece - 1) / q.piece;
    agni_parallel_for(count_rows(x, 1) * q.pieces, transform_piece, &q);
    return atomic_load(&q.failed) ? agni_nomem(c->op, (size_t)(q.chunk * q.length * 8)) : AGN_OK;
}

agn_status agni_cpu_stft(const agn_kernel_call *c)
{
    return run_forwards(c, 0);
}
agn_status agni_cpu_stft_both(const agn_kernel_call *c)
{
    return run_forwards(c, (int)c->ints[1]);
}

/* ---- the adjoint --------------------------------------------------------------------------- */

/* frames f to f + m over the samples from to end of y */
static void add_frames(const stft_job *q, char *y, const char *frame, int64_t f, int64_t m,
                       int64_t from, int64_t end)
{
    int64_t real = q->single ? 4 : 8;
    for (; m > 0; m--, f++, frame += q->length * q->bytes) {
        int64_t at = f * q->hop, lo = at > from ? at : from,
                hi = at + q->length < end ? at + q->length : end;
        if (lo < hi)
            add_frame(q, y + lo * q->bytes, frame + (lo - at) * q->bytes,
                      (const char *)q->c->in[1].data + (lo - at) * real, hi - lo);
    }
}

static void add_piece(void *user, int64_t i, int worker)
{
    stft_job *q = user;
    (void)worker;
    int64_t real = q->single ? 4 : 8, row = i / q->pieces, from = i % q->pieces * q->piece;
    int64_t end = i % q->pieces == q->pieces - 1 ? q->n : from + q->piece;
    int64_t f = from < q->length ? 0 : (from - q->length) / q->hop + 1,
            stop = (end - 1) / q->hop + 1;
    const char *g = (const char *)q->c->in[0].data + row * q->frames * q->bins * 2 * real;
    char *y = (char *)q->c->out->data + row * q->n * q->bytes;
    int64_t bytes = (q->chunk * q->length * q->bytes + 63) / 64 * 64;
    char *room = agni_alloc_aligned((size_t)(bytes + q->chunk * q->bins * 2 * real));
    bool good = room != NULL;
    memset(y + from * q->bytes, 0, (size_t)((end - from) * q->bytes));
    stop = stop < q->frames ? stop : q->frames;
    for (int64_t m; good && f < stop; f += m) {
        m = stop - f < q->chunk ? stop - f : q->chunk;
        if (q->sign)
            memcpy(room + bytes, g + f * q->bins * 2 * real, (size_t)(m * q->bins * 2 * real));
        else
            weigh_bins(q, room + bytes, g + f * q->bins * 2 * real, m, 1);
        good = transform_frames(q, true, m, room + bytes, room);
        if (good)
            add_frames(q, y, room, f, m, from, end);
    }
    agni_free(room);
    if (!good)
        atomic_store(&q->failed, true);
}

static agn_status run_backwards(const agn_kernel_call *c, int sign)
{
    const agn_array *g = c->in;
    stft_job q;
    begin_job(&q, c, c->ints[0], g->shape[g->ndim - 2], 1, sign);
    int64_t span = OVERLAPS * ((q.length + q.hop - 1) / q.hop);
    span = span < LEAST_SPAN ? LEAST_SPAN : span;
    if (!q.n)
        return AGN_OK;
    q.piece = span > q.n / q.hop ? q.n : span * q.hop;
    q.pieces = (q.n + q.piece - 1) / q.piece;
    agni_parallel_for(count_rows(g, 2) * q.pieces, add_piece, &q);
    return atomic_load(&q.failed) ? agni_nomem(c->op, (size_t)(q.chunk * q.length * 16)) : AGN_OK;
}

agn_status agni_cpu_stft_adjoint(const agn_kernel_call *c)
{
    return run_backwards(c, 0);
}
agn_status agni_cpu_stft_both_adjoint(const agn_kernel_call *c)
{
    return run_backwards(c, (int)c->ints[2]);
}
