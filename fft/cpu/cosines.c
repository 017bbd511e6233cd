/* fft/cpu/cosines.c - cosine and sine transforms of types 2 and 3 through one transform of real
   numbers of the same length (Makhoul 1980): even samples forwards, odd ones backwards, and bins
   turned by a quarter of their angle. FFTW's own kernels of these types have no vectors. Types
   of the sine are those of the cosine with the signs of odd samples changed and the bins, or
   samples, from the other end. */
#include "fft/fft.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LEAST = 16, CHUNK_BYTES = 1 << 15, MOST_LINES = 64, LANES = 8 };
enum { REDFT01 = 4, REDFT10 = 5, RODFT01 = 8, RODFT10 = 9 }; /* FFTW's numbers */

bool agni_fft_folds(int kind, int64_t n)
{
    return n >= LEAST && (kind == REDFT01 || kind == REDFT10 || kind == RODFT01 || kind == RODFT10);
}

typedef struct fold_job {
    bool single, back, sine; /* back: type 3 */
    int64_t n, bins, is, os;
    agni_fft_factors f;
} fold_job;

/* Turns are cos, sin of pi k / 2n, bins pairs of reals; all bins but the first and, for even n,
   the last give two numbers. */
#define FOLD(T, s) \
    static void fold_##s(T *restrict v, const T *restrict x, int64_t is, int64_t n, T odd) \
    { \
        T *back = v + n - 1; \
        int64_t pairs = n / 2, j = 0; \
        if (is == 1) \
            for (; j + LANES <= pairs; j += LANES) \
                for (int i = 0; i < LANES; i++) { \
                    v[j + i] = x[2 * (j + i)]; \
                    back[-(j + i)] = odd * x[2 * (j + i) + 1]; \
                } \
        for (; j < pairs; j++) { \
            v[j] = x[2 * j * is]; \
            back[-j] = odd * x[(2 * j + 1) * is]; \
        } \
        if (n % 2) \
            v[pairs] = x[2 * pairs * is]; \
    } \
    static void unfold_##s(T *restrict y, const T *restrict v, int64_t os, int64_t n, T odd) \
    { \
        const T *back = v + n - 1; \
        int64_t pairs = n / 2, j = 0; \
        if (os == 1) \
            for (; j + LANES <= pairs; j += LANES) \
                for (int i = 0; i < LANES; i++) { \
                    y[2 * (j + i)] = v[j + i]; \
                    y[2 * (j + i) + 1] = odd * back[-(j + i)]; \
                } \
        for (; j < pairs; j++) { \
            y[2 * j * os] = v[j]; \
            y[(2 * j + 1) * os] = odd * back[-j]; \
        } \
        if (n % 2) \
            y[2 * pairs * os] = v[pairs]; \
    } \
    static void turn_bins_##s(T *restrict y, const T *restrict z, const T *restrict turn, \
                              int64_t os, int64_t n, T first, T f) \
    { \
        int64_t k = 1, twice = (n - 1) / 2; \
        T *low = y, *high = y + n * os; \
        y[0] = z[0] * first; \
        if (os == 1) \
            for (; k + LANES <= twice + 1; k += LANES) \
                for (int64_t i = k; i < k + LANES; i++) { \
                    T a = f * turn[2 * i], b = f * turn[2 * i + 1]; \
                    low[i] = a * z[2 * i] + b * z[2 * i + 1]; \
                    high[-i] = b * z[2 * i] - a * z[2 * i + 1]; \
                } \
        for (; k <= twice; k++) { \
            T a = f * turn[2 * k], b = f * turn[2 * k + 1]; \
            low[k * os] = a * z[2 * k] + b * z[2 * k + 1]; \
            high[-k * os] = b * z[2 * k] - a * z[2 * k + 1]; \
        } \
        if (n % 2 == 0) \
            low[k * os] = f * turn[2 * k] * z[2 * k]; \
    } \
    static void turn_back_##s(T *restrict z, const T *restrict x, const T *restrict turn, \
                              int64_t is, int64_t n, T first, T f) \
    { \
        int64_t k = 1, twice = (n - 1) / 2; \
        const T *low = x, *high = x + n * is; \
        z[0] = x[0] * first; \
        z[1] = 0; \
        if (is == 1) \
            for (; k + LANES <= twice + 1; k += LANES) \
                for (int64_t i = k; i < k + LANES; i++) { \
                    T a = f * turn[2 * i], b = f * turn[2 * i + 1]; \
                    z[2 * i] = a * low[i] + b * high[-i]; \
                    z[2 * i + 1] = b * low[i] - a * high[-i]; \
                } \
        for (; k <= twice; k++) { \
            T a = f * turn[2 * k], b = f * turn[2 * k + 1]; \
            z[2 * k] = a * low[k * is] + b * high[-k * is]; \
            z[2 * k + 1] = b * low[k * is] - a * high[-k * is]; \
        } \
        if (n % 2 == 0) { \
            z[2 * k] = f * (turn[2 * k] + turn[2 * k + 1]) * low[k * is]; \
            z[2 * k + 1] = 0; \
        } \
    }
FOLD(float, f32)
FOLD(double, f64)

/* one line before and after its transform; room is real numbers, then bins */
static void enter_line(const fold_job *q, const void *x, void *v, void *z, const void *turn)
{
    double odd = q->sine ? -1 : 1;
    int64_t is = q->is;
    if (q->back && q->sine) { /* samples from the other end */
        x = (const char *)x + (q->n - 1) * is * (q->single ? 4 : 8);
        is = -is;
    }
    if (q->back && q->single)
        turn_back_f32(z, x, turn, is, q->n, (float)(q->f.scale * q->f.before), (float)q->f.scale);
    else if (q->back)
        turn_back_f64(z, x, turn, is, q->n, q->f.scale * q->f.before, q->f.scale);
    else if (q->single)
        fold_f32(v, x, is, q->n, (float)odd);
    else
        fold_f64(v, x, is, q->n, odd);
}
static void leave_line(const fold_job *q, void *y, const void *v, const void *z, const void *turn)
{
    double odd = q->sine ? -1 : 1, f = 2 * q->f.scale;
    int64_t os = q->os;
    if (!q->back && q->sine) { /* bins from the other end */
        y = (char *)y + (q->n - 1) * os * (q->single ? 4 : 8);
        os = -os;
    }
    if (q->back && q->single)
        unfold_f32(y, v, os, q->n, (float)odd);
    else if (q->back)
        unfold_f64(y, v, os, q->n, odd);
    else if (q->single)
        turn_bins_f32(y, z, turn, os, q->n, (float)(f * q->f.after), (float)f);
    else
        turn_bins_f64(y, z, turn, os, q->n, f * q->f.after, f);
}

/* cos, sin of pi k / 2n, k from 0 to n/2 */
static void *make_turns(const agni_fft_key *key)
{
    int64_t n = key->dim[0].n, bins = n / 2 + 1, real = key->single ? 4 : 8;
    void *made = agni_alloc((size_t)(2 * bins * real));
    for (int64_t k = 0; made && k < bins; k++) {
        double angle = 1.57079632679489661923 * (double)k / (double)n, c = cos(angle),
               s = sin(angle);
        if (key->single) {
            ((float *)made)[2 * k] = (float)c;
            ((float *)made)[2 * k + 1] = (float)s;
        } else {
            ((double *)made)[2 * k] = c;
            ((double *)made)[2 * k + 1] = s;
        }
    }
    return made;
}

static agni_fft_plan *acquire_lines(const fold_job *q, int64_t m, void *v, void *z)
{
    agni_fft_key key;
    memset(&key, 0, sizeof key); /* keys are compared by bytes */
    key.kind = q->back ? AGNI_C2R : AGNI_R2C;
    key.sign = q->back ? 1 : -1;
    key.single = q->single;
    key.rank = 1;
    key.dim[0] = (agni_fft_dim){q->n, 1, 1};
    if (m > 1) {
        key.many = 1;
        key.dim[1] = q->back ? (agni_fft_dim){m, q->bins, q->n} : (agni_fft_dim){m, q->n, q->bins};
    }
    key.align_in = agni_fft_alignment(q->single, q->back ? z : v);
    key.align_out = agni_fft_alignment(q->single, q->back ? v : z);
    return agni_fft_acquire(&key, q->back ? z : v, q->back ? v : z);
}

/* where line number i of the batch begins, in elements */
static void locate_line(const agni_fft_key *key, int64_t i, int64_t *in, int64_t *out)
{
    *in = *out = 0;
    for (int k = key->many; k > 0; k--) {
        const agni_fft_dim *d = &key->dim[k];
        *in += i % d->n * d->is;
        *out += i % d->n * d->os;
        i /= d->n;
    }
}

/* m lines from number i on, all of them read before one is written */
static void run_lines(const fold_job *q, const agni_fft_key *key, const agni_fft_plan *p,
                      const void *turn, char *in, char *out, int64_t i, int64_t m, char *v, char *z)
{
    int64_t real = q->single ? 4 : 8, from, to;
    for (int64_t k = 0; k < m; k++) {
        locate_line(key, i + k, &from, &to);
        enter_line(q, in + from * real, v + k * q->n * real, z + k * q->bins * 2 * real, turn);
    }
    agni_fft_execute(p, q->back ? z : v, q->back ? v : z);
    for (int64_t k = 0; k < m; k++) {
        locate_line(key, i + k, &from, &to);
        leave_line(q, out + to * real, v + k * q->n * real, z + k * q->bins * 2 * real, turn);
    }
}

bool agni_fft_run_folded(const agni_fft_key *key, const agni_fft_factors *f, char *in, char *out)
{
    int64_t n = key->dim[0].n, real = key->single ? 4 : 8, lines = 1;
    fold_job q = {key->single,
                  key->sign == REDFT01 || key->sign == RODFT01,
                  key->sign == RODFT01 || key->sign == RODFT10,
                  n,
                  n / 2 + 1,
                  key->dim[0].is,
                  key->dim[0].os,
                  *f};
    for (int k = 1; k <= key->many; k++)
        lines *= key->dim[k].n;
    int64_t most = CHUNK_BYTES / (n * real);
    most = most < 1 ? 1 : most > MOST_LINES ? MOST_LINES : most;
    most = most > lines ? lines : most;
    int64_t bytes = (most * n * real + 63) / 64 * 64;
    char *v = agni_alloc_aligned((size_t)(bytes + most * q.bins * 2 * real));
    agni_fft_plan *p = v ? acquire_lines(&q, most, v, v + bytes) : NULL, *last = NULL;
    const void *turn = p ? agni_fft_get_table(p, make_turns) : NULL;
    bool good = turn != NULL;
    for (int64_t i = 0, m; good && i < lines; i += m) {
        m = lines - i < most ? lines - i : most;
        if (m < most)
            good = (last = acquire_lines(&q, m, v, v + bytes)) != NULL;
        if (good)
            run_lines(&q, key, last ? last : p, turn, in, out, i, m, v, v + bytes);
    }
    if (last)
        agni_fft_release(last);
    if (p)
        agni_fft_release(p);
    agni_free(v);
    return good;
}
