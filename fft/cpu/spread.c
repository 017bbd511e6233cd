/* fft/cpu/spread.c - sums about points, sorted by cells of the grid and taken cell by cell (Barnett,
   Magland & af Klinteberg 2019). A grid is cut into an even number of slabs: what is added about the points
   of one reaches into its neighbours alone, so every second slab is filled at a time. Cells and
   slabs depend on sizes alone. */
#include "config.h"

#include "fft/spread.h"

#include "core/device/cpu_level.h"
#include "fft/cpu/spread_lanes.h"

#include <math.h>
#include <string.h>

enum {
    MORE_TERMS = 4, /* than the width: more would follow the slope at the kernel's ends, infinite */
    MOST_TERMS = AGNI_SPREAD_WIDTH + MORE_TERMS,
    MOST_CELLS = 1 << 22,
    LEAST_SLAB = 2 * AGNI_SPREAD_WIDTH, /* both halves of a kernel, and lanes behind it */
    MOST_SLABS = 32,
    CHUNK = 1 << 12
};

typedef struct spread_job {
    const agn_kernel_call *c;
    const agni_spread_kernels *kernels;
    agni_spread_form form;
    bool gather, single;
    int64_t m, rows, all; /* points, rows of values, samples of a grid */
    int64_t cell[AGNI_SPREAD_AXES], cells[AGNI_SPREAD_AXES];
    int64_t count;        /* of cells */
    int64_t slabs, slab;  /* of cells along the first axis */
    int64_t row, from;    /* of values; the first slab of every second */
    double *u;            /* sorted, [m, axes] */
    int64_t *at, *first;  /* numbers of points; where cells begin: the last has those not finite */
    char *table;
} spread_job;

static const agni_spread_kernels *find_kernels(bool single)
{
    static const agni_spread_kernels *const levels[] = {
        [AGNI_CPU_BASE] = agni_spread_base,
#ifdef AGNI_HAVE_AVX2
        [AGNI_CPU_AVX2] = agni_spread_avx2,
#endif
#ifdef AGNI_HAVE_AVX512
        [AGNI_CPU_AVX512] = agni_spread_avx512,
#endif
    };
    return &levels[agni_cpu_level_below(AGNI_COUNT(levels))][single];
}

/* ---- the kernel's polynomials --------------------------------------------------------------- */

/* lanes of pairs that hold width samples, by a count of vectors that lanes know */
static int pad_width(int width, int lanes)
{
    static const int counts[] = {1, 2, 3, 4, 6, 8, 12, 16};
    int k = 0;
    while (counts[k] * lanes < 2 * width)
        k++;
    return counts[k] * lanes / 2;
}

/* Coefficients in powers of s, -1 to 1, of derivative order in u of the kernel at sample j, which
   lies (2 j + s + 1) / width - 1 half widths from u: interpolation at Chebyshev's points, rewritten
   in powers, differentiated. s falls by 2 where u grows by 1. */
static void make_polynomial(double *power, int terms, int j, int width, double beta, int order)
{
    long double t[MOST_TERMS], value[MOST_TERMS], a[MOST_TERMS] = {0}, b[MOST_TERMS] = {0},
        next[MOST_TERMS], sum[MOST_TERMS] = {0};
    const long double pi = 3.14159265358979323846264338327950288L;
    for (int k = 0; k < terms; k++) {
        t[k] = cosl(pi * (k + 0.5L) / terms);
        long double z = (2 * j + t[k] + 1) / width - 1, root = 1 - z * z;
        value[k] = expl((long double)beta * (sqrtl(root > 0 ? root : 0) - 1));
    }
    a[0] = 1; /* T_0, then T_1, ... in powers */
    b[1] = 1;
    for (int i = 0; i < terms; i++) {
        long double c = 0;
        for (int k = 0; k < terms; k++)
            c += value[k] * cosl(pi * i * (k + 0.5L) / terms);
        c *= (i ? 2.0L : 1.0L) / terms;
        for (int k = 0; k <= i; k++)
            sum[k] += c * a[k];
        for (int k = 0; k < terms; k++)
            next[k] = (k ? 2 * b[k - 1] : 0) - a[k];
        memcpy(a, b, sizeof a);
        memcpy(b, next, sizeof b);
    }
    for (int o = 0; o < order; o++)
        for (int k = 0; k < terms; k++)
            sum[k] = k + 1 < terms ? -2 * (k + 1) * sum[k + 1] : 0;
    for (int k = 0; k < terms; k++)
        power[k] = (double)sum[k];
}

/* tables of all axes behind each other */
static bool make_tables(spread_job *q, const int64_t *orders, double beta)
{
    agni_spread_form *f = &q->form;
    double power[MOST_TERMS];
    int64_t real = q->single ? 4 : 8;
    f->padded = pad_width(f->width, q->kernels->lanes);
    f->terms = f->width + MORE_TERMS;
    int64_t each = (2 * f->padded * f->terms + q->kernels->lanes) * real;
    if (!(q->table = agni_alloc_aligned((size_t)(each * f->axes))))
        return false;
    memset(q->table, 0, (size_t)(each * f->axes));
    for (int d = 0; d < f->axes; d++) {
        int twice = d == f->axes - 1 ? 2 : 1;
        char *table = q->table + d * each;
        f->coefficient[d] = table;
        for (int j = 0; j < f->width; j++) {
            make_polynomial(power, f->terms, j, f->width, beta, (int)orders[d]);
            for (int k = 0; k < f->terms; k++)
                for (int l = twice * j; l < twice * (j + 1); l++) {
                    int64_t i = (int64_t)(f->terms - 1 - k) * f->padded * twice + l;
                    if (q->single)
                        ((float *)table)[i] = (float)power[k];
                    else
                        ((double *)table)[i] = power[k];
                }
        }
    }
    return true;
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* cells of 1024 samples or so; slabs of them */
static void choose_cells(spread_job *q)
{
    static const int64_t sides[][AGNI_SPREAD_AXES] = {{512}, {16, 64}, {4, 8, 32}};
    const agni_spread_form *f = &q->form;
    for (int64_t by = 1, count = MOST_CELLS + 1; count > MOST_CELLS; by *= 2) {
        count = 1;
        for (int d = 0; d < f->axes; d++) {
            q->cell[d] = by * sides[f->axes - 1][d];
            q->cells[d] = (f->n[d] + q->cell[d] - 1) / q->cell[d];
            count *= q->cells[d];
        }
        q->count = count;
    }
    q->slab = (LEAST_SLAB + q->cell[0] - 1) / q->cell[0];
    q->slab = q->cells[0] / MOST_SLABS > q->slab ? q->cells[0] / MOST_SLABS : q->slab;
    q->slabs = q->cells[0] / q->slab / 2 * 2; /* the last takes what is left */
    q->slabs = q->slabs ? q->slabs : 1;
}

/* u in samples, 0 to n; the cell it lies in, the last one where it is not finite */
static int64_t find_cell(const spread_job *q, const double *u, double *in)
{
    const agni_spread_form *f = &q->form;
    int64_t cell = 0;
    for (int d = 0; d < f->axes; d++) {
        double n = (double)f->n[d], x = u[d] - n * floor(u[d] / n);
        if (!isfinite(u[d]))
            return q->count;
        in[d] = x >= 0 && x < n ? x : 0; /* rounding at the end of a period */
        cell = cell * q->cells[d] + (int64_t)in[d] / q->cell[d];
    }
    return cell;
}

/* counting sort */
static bool sort_points(spread_job *q, const double *u)
{
    int axes = q->form.axes;
    double in[AGNI_SPREAD_AXES] = {0};
    q->first = agni_zalloc((size_t)(q->count + 3) * sizeof *q->first);
    q->at = agni_alloc((size_t)(q->m + 1) * sizeof *q->at);
    q->u = agni_alloc((size_t)(q->m * axes + 1) * sizeof *q->u);
    if (!q->first || !q->at || !q->u)
        return false;
    int64_t *next = q->first + 2;
    for (int64_t k = 0; k < q->m; k++)
        next[find_cell(q, u + k * axes, in)]++;
    for (int64_t c = 1; c <= q->count; c++)
        next[c] += next[c - 1];
    next = q->first + 1; /* where the cell begins; it ends where the next one does */
    for (int64_t k = 0; k < q->m; k++) {
        int64_t to = next[find_cell(q, u + k * axes, in)]++;
        q->at[to] = k;
        memcpy(q->u + to * axes, in, (size_t)axes * sizeof *in);
    }
    return true;
}

static void free_points(spread_job *q)
{
    agni_free(q->first);
    agni_free(q->at);
    agni_free(q->u);
    q->first = q->at = NULL;
    q->u = NULL;
}

/* ---- both ways ------------------------------------------------------------------------------ */

static void set_pair(const spread_job *q, void *pairs, int64_t i, double v)
{
    for (int64_t k = 2 * i; k < 2 * i + 2; k++)
        if (q->single)
            ((float *)pairs)[k] = (float)v;
        else
            ((double *)pairs)[k] = v;
}

static char *grid_of(const spread_job *q, int64_t row)
{
    const agn_array *grid = q->gather ? q->c->in : q->c->out;
    return (char *)grid->data + row * q->all * (q->single ? 8 : 16);
}
static char *values_of(const spread_job *q, int64_t row)
{
    const agn_array *values = q->gather ? q->c->out : q->c->in;
    return (char *)values->data + row * q->m * (q->single ? 8 : 16);
}

static void gather_chunk(void *user, int64_t i, int worker)
{
    const spread_job *q = user;
    (void)worker;
    int64_t good = q->first[q->count], lo = i * CHUNK, hi = lo + CHUNK < q->m ? lo + CHUNK : q->m,
            end = hi < good ? hi : good;
    void *values = values_of(q, q->row);
    if (lo < end)
        q->kernels->gather(&q->form, grid_of(q, q->row), end - lo, q->u + lo * q->form.axes,
                           q->at + lo, values);
    for (int64_t k = lo > good ? lo : good; k < hi; k++)
        set_pair(q, values, q->at[k], (double)NAN);
}

static void add_slab(void *user, int64_t i, int worker)
{
    const spread_job *q = user;
    (void)worker;
    int64_t slab = q->from + 2 * i, each = q->count / q->cells[0] * q->slab;
    int64_t lo = q->first[slab * each],
            hi = q->first[slab + 1 == q->slabs ? q->count : (slab + 1) * each];
    if (lo < hi)
        q->kernels->add(&q->form, grid_of(q, q->row), hi - lo, q->u + lo * q->form.axes,
                        q->at + lo, values_of(q, q->row));
}

static void run_row(spread_job *q)
{
    char *grid = grid_of(q, q->row);
    if (q->gather) {
        agni_parallel_for((q->m + CHUNK - 1) / CHUNK, gather_chunk, q);
        return;
    }
    memset(grid, 0, (size_t)(q->all * (q->single ? 8 : 16)));
    for (q->from = 0; q->from < 2; q->from++)
        agni_parallel_for((q->slabs - q->from + 1) / 2, add_slab, q);
    if (q->first[q->count] < q->m) /* what is no point is everywhere */
        for (int64_t k = 0; k < q->all; k++)
            set_pair(q, grid, k, (double)NAN);
}

static agn_status run_points(const agn_kernel_call *c, bool gather)
{
    const agn_array *x = c->in, *points = c->in + 1, *grid = gather ? c->in : c->out;
    int axes = (int)(gather ? c->n_int - 1 : (c->n_int - 1) / 2);
    int lead = grid->ndim - axes;
    bool single = x->dtype == AGN_C64, shared = points->ndim == 2;
    spread_job q = {.c = c, .kernels = find_kernels(single), .gather = gather, .single = single,
                    .m = points->shape[points->ndim - 2], .rows = 1, .all = 1};
    q.form.axes = axes;
    q.form.width = (int)c->ints[0];
    for (int d = 0; d < lead; d++)
        q.rows *= grid->shape[d];
    for (int d = 0; d < axes; d++)
        q.all *= q.form.n[d] = grid->shape[lead + d];
    if (!q.rows)
        return AGN_OK;
    choose_cells(&q);
    bool good = make_tables(&q, c->ints + 1 + (gather ? 0 : axes), c->reals[0]);
    for (q.row = 0; good && q.row < q.rows; q.row++) {
        const double *u = (const double *)points->data + (shared ? 0 : q.row * q.m * axes);
        if (!q.row || !shared) {
            free_points(&q);
            good = sort_points(&q, u);
        }
        if (good)
            run_row(&q);
    }
    free_points(&q);
    agni_free(q.table);
    return good ? AGN_OK : agni_nomem(c->op, (size_t)q.m * 8 * (size_t)(axes + 1));
}

agn_status agni_cpu_fft_gather(const agn_kernel_call *c)
{
    return run_points(c, true);
}
agn_status agni_cpu_fft_spread(const agn_kernel_call *c)
{
    return run_points(c, false);
}
