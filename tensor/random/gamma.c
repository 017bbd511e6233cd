/* tensor/random/gamma.c - gamma numbers and their logarithms (Marsaglia & Tsang 2000), with
   implicit reparameterisation in the concentration.

   random_gamma draws. As a function of the concentration a, a draw y keeps F(a, t) constant, t =
   log y: dt/da = -(dF/da) / h with h the density of t (Figurnov, Mohamed & Mnih 2018).
   gamma_path is the identity in value with this derivative, gamma_slope the quotient, of any
   order in a; so derivatives of any order exist. */
#include "tensor/random/cpu/rejection.h"
#include "tensor/random/sampler.h"

#include "tensor/cpu/level_dispatch.h"
#include "tensor/cpu/special/gamma_slope.h"
#include "tensor/cpu/special/normal.h"
#include "tensor/rows/elementwise.h"
#include <agnesi/ag.h>
#include <math.h>

/* ---- drawing: Marsaglia & Tsang 2000 ------------------------------------------------------- */

/* u in (0, 1) of the words from `from` on of each block */
static void units_of_blocks(const agni_vrandom *fast, double *u, const uint32_t *w, int from, int n)
{
    uint32_t pair[2 * AGNI_SAMPLE_ROOM];
    for (int j = 0; j < n; j++) {
        pair[2 * j] = w[4 * j + from];
        pair[2 * j + 1] = w[4 * j + from + 1] | 1u << 11;
    }
    fast->unit53(u, pair, n);
}

/* Most numbers come of the first try; the others, and what they need, one by one. */
static void draw_gamma(const agni_sample *b, agni_sample_block_values *y)
{
    uint32_t w[4 * AGNI_SAMPLE_ROOM], more[4 * AGNI_SAMPLE_ROOM];
    double q[AGNI_SAMPLE_ROOM], z[AGNI_SAMPLE_ROOM], u[AGNI_SAMPLE_ROOM];
    const double *a = b->p[0].f;
    bool log_form = b->call->ints[0] != 0, low = false;
    int place[AGNI_SAMPLE + 1], m = 0;
    agni_sample_philox_words(b, w);
    units_of_blocks(b->fast, u, w, 2, b->n);
    for (int j = 0; j < b->n; j++) {
        q[j] = (agni_philox_to_f64(w[4 * j], w[4 * j + 1]) - 0.5) + 0x1p-54;
        low |= a[j] < 1;
    }
    b->fast->normal(z, q, b->n);
    b->fast->gamma_first_try(y->f, a, z, u, b->n);
    for (int j = 0; j < b->n; j++) {
        place[m] = j;
        m += isnan(y->f[j]);
    }
    if (low) {
        b->fast->tries(more, b->key, (uint64_t)b->first, b->n, 0, 1);
        units_of_blocks(b->fast, u, more, 0, b->n);
        b->fast->minus_log(u, u, b->n);
    }
    if (low || log_form)
        b->fast->gamma_finish(y->f, a, u, b->n, log_form);
    for (int k = 0; k < m; k++) {
        int j = place[k];
        y->f[j] = agni_draw_one_gamma(b->key, (uint64_t)(b->first + j), a[j], z[j], w + 4 * j,
                                      log_form);
    }
}

static agn_status check_gamma(const agni_sample *b)
{
    for (int j = 0; j < b->n; j++)
        if (!(b->p[0].f[j] >= 0x1p-1000 && b->p[0].f[j] <= 0x1p1000))
            return agni_sample_fail_parameter(b, j, 0, "concentration",
                                              "a number from 2^-1000 to 2^1000");
    return AGN_OK;
}

static agn_status cpu_gamma(const agn_kernel_call *c)
{
    return agni_sample_draw_all(c, draw_gamma, check_gamma);
}
static agn_status infer_gamma(agni_call *c)
{
    return agni_infer_sample(c, c->in[1]->dtype, 1);
}

/* ---- gamma_slope(a, t), attribute k: the k-th derivative in a of F(a, t), over h ------------- */

static agn_status infer_slope(agni_call *c)
{
    int64_t k = c->at->i[0];
    if (k < 1)
        return agni_fail(AGN_EARG, "gamma_slope: order %lld, at least 1 is needed", (long long)k);
    if (k > AGNI_GAMMA_ORDERS)
        return agni_fail(AGN_EUNSUPPORTED,
                         "gamma_slope: derivative %lld in concentration; %d are there",
                         (long long)k, AGNI_GAMMA_ORDERS);
    return agni_infer_ew(c);
}

enum { GRAIN = 2048, ROOM = GRAIN + 2 * AGNI_RANDOM_SLACK };

/* Numbers of terms in quarters of octaves: each element takes the next one, whatever its
   neighbours take. Classes of the series, of the fraction, and what is left for quadrature. */
enum { CLASSES = 28, QUADRATURE = 2 * CLASSES };
static int find_term_class(double terms)
{
    double size = fmax(fabs(terms), 8);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    int c = (int)(bits >> 50) - ((1023 + 3) << 2);
    return terms == 0 ? QUADRATURE : terms > 0 ? c : CLASSES + c;
}
static int count_terms(int class)
{
    int c = class % CLASSES;
    return 2 * (c % 4 + 5) << c / 4;
}

/* First derivatives of one block, sorted by their class. */
static void slopes_of_block(const double *a, const double *t, int n, double *slope)
{
    const agni_vrandom *fast = agni_simd_kernels_get()->random;
    double y[ROOM], d[ROOM], own[ROOM], at[ROOM], out[ROOM], v[ROOM];
    int first[QUADRATURE + 2] = {0}, place[GRAIN];
    uint8_t class[GRAIN];
    agni_ew_find_loop(AGNI_EW_exp, AGN_F64)((char *const[]){(char *)y, (char *)(uintptr_t)t}, n,
                                            NULL);
    fast->gamma_slope_plan(d, out, a, t, y, n);
    for (int j = 0; j < n; j++) {
        class[j] = (uint8_t)find_term_class(out[j]);
        first[class[j] + 1]++;
    }
    for (int c = 0; c <= QUADRATURE; c++)
        first[c + 1] += first[c];
    int next[QUADRATURE + 1];
    memcpy(next, first, sizeof next);
    for (int j = 0; j < n; j++)
        place[next[class[j]]++] = j;
    for (int c = 0; c < QUADRATURE; c++) {
        int m = first[c + 1] - first[c];
        if (!m)
            continue;
        for (int k = 0; k < m + AGNI_RANDOM_SLACK; k++) { /* vectors are filled up */
            int j = place[first[c] + (k < m ? k : m - 1)];
            own[k] = a[j];
            v[k] = y[j];
            at[k] = d[j];
        }
        (c < CLASSES ? fast->gamma_slope_series : fast->gamma_slope_fraction)(out, own, v, at, m,
                                                                             count_terms(c));
        for (int k = 0; k < m; k++)
            slope[place[first[c] + k]] = out[k];
    }
    for (int k = first[QUADRATURE]; k < n; k++)
        slope[place[k]] = agni_gamma_slope(a[place[k]], t[place[k]], 1);
}

static void slope_job(void *user, int64_t job, int worker)
{
    const agn_kernel_call *c = user;
    (void)worker;
    int64_t size = 1;
    for (int d = 0; d < c->out[0].ndim; d++)
        size *= c->out[0].shape[d];
    int64_t first = job * GRAIN;
    int n = size - first < GRAIN ? (int)(size - first) : GRAIN;
    agni_sample_block_values part;
    double a[ROOM], t[ROOM], slope[ROOM];
    for (int i = 0; i < n; i += AGNI_SAMPLE) {
        int m = n - i < AGNI_SAMPLE ? n - i : AGNI_SAMPLE;
        agni_sample_gather(&part, c->in, c->out, first + i, m);
        memcpy(a + i, part.f, (size_t)m * sizeof *a);
        agni_sample_gather(&part, c->in + 1, c->out, first + i, m);
        memcpy(t + i, part.f, (size_t)m * sizeof *t);
    }
    if (c->ints[0] == 1)
        slopes_of_block(a, t, n, slope);
    else
        for (int j = 0; j < n; j++)
            slope[j] = agni_gamma_slope(a[j], t[j], (int)c->ints[0]);
    for (int i = 0; i < n; i += AGNI_SAMPLE) {
        int m = n - i < AGNI_SAMPLE ? n - i : AGNI_SAMPLE;
        memcpy(part.f, slope + i, (size_t)m * sizeof *slope);
        agni_sample_store(c->out, first + i, m, &part);
    }
}
static agn_status cpu_slope(const agn_kernel_call *c)
{
    int64_t size = 1;
    for (int d = 0; d < c->out[0].ndim; d++)
        size *= c->out[0].shape[d];
    agni_parallel_for((size + GRAIN - 1) / GRAIN, slope_job, (void *)(uintptr_t)c);
    return AGN_OK;
}

static const agn_tensor *apply_gamma_slope(agn_scope *s, const agn_tensor *a, const agn_tensor *t,
                                           int64_t k)
{
    return agni_apply_in(s, &agni_op_gamma_slope, &(agni_attr){.ni = 1, .i = &k}, 2,
                         (const agn_tensor *[]){a, t});
}

/* x_i of the density's derivatives h^(k) / h = B_k(x_1, ..., x_k): t - psi(a), then -psi'(a),
   ... */
static const agn_tensor *log_density_cumulant(agn_scope *s, const agn_tensor *a,
                                              const agn_tensor *t, int i)
{
    return i == 1 ? ag_sub(s, t, ag_digamma(s, a)) : ag_neg(s, ag_polygamma(s, a, i - 1));
}

/* complete Bell polynomial: B_k = sum_i C(k - 1, i) B_(k-1-i) x_(i+1) */
static const agn_tensor *bell_polynomial(agn_scope *s, const agn_tensor *a, const agn_tensor *t,
                                         int k)
{
    const agn_tensor *B[AGNI_GAMMA_ORDERS + 1] = {NULL}; /* B[0] is 1 */
    for (int m = 1; m <= k; m++) {
        double choose = 1;
        for (int i = 0; i < m; i++) {
            const agn_tensor *x = ag_mul_c(s, log_density_cumulant(s, a, t, i + 1), choose);
            if (m - 1 - i > 0)
                x = ag_mul(s, x, B[m - 1 - i]);
            B[m] = agni_add_present(s, B[m], x);
            choose *= (double)(m - 1 - i) / (i + 1);
        }
    }
    return B[k];
}

/* H_k = F^(k) / h, with (log h)_a = t - psi(a) and (log h)_t = a - e^t:
   dH_k/da = H_(k+1) - H_k (t - psi(a)),  dH_k/dt = B_k - H_k (a - e^t) */
static void slope_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                      const agn_tensor **ty)
{
    const agn_tensor *a = r->x[0], *t = r->x[1], *y = r->y[0];
    int k = (int)r->at->i[0];
    if (d[0]) {
        const agn_tensor *g = ag_sub(s, apply_gamma_slope(s, a, t, k + 1),
                                     ag_mul(s, y, log_density_cumulant(s, a, t, 1)));
        ty[0] = ag_mulz(s, d[0], g);
    }
    if (d[1]) {
        const agn_tensor *g = ag_mul(s, y, ag_sub(s, a, ag_exp(s, t)));
        ty[0] = agni_add_present(s, ty[0],
                                 ag_mulz(s, d[1], ag_sub(s, bell_polynomial(s, a, t, k), g)));
    }
}

/* ---- gamma_path(y, a), attribute: y is a logarithm ------------------------------------------- */

/* where y underflowed to 0 its derivative is 0 */
static void path_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *d,
                     const agn_tensor **ty)
{
    const agn_tensor *y = r->y[0], *a = r->x[1];
    if (!d[1])
        return;
    if (r->at->i[0]) {
        ty[0] = ag_mulz(s, d[1], ag_neg(s, apply_gamma_slope(s, a, y, 1)));
        return;
    }
    const agn_tensor *none = ag_eq(s, y, ag_lit(s, 0));
    const agn_tensor *safe = ag_where(s, none, agni_full_like(s, 1, y), y);
    ty[0] = ag_mulz(s, ag_mul(s, d[1], ag_neg(s, y)), apply_gamma_slope(s, a, ag_log(s, safe), 1));
}

/* ---- op records ------------------------------------------------------------------------------ */

static agni_slots slots_gamma, slots_slope, slots_path;
const agni_op agni_op_random_gamma = {.name = "random_gamma",
                                      .takes = "key concentration log:b shape:i*",
                                      .cls = AGNI_RANDOM,
                                      .nin = 2,
                                      .nout = 1,
                                      .dtypes = AGNI_FLOATS,
                                      .promote = 2,
                                      .result = AGNI_OUT_SAME,
                                      .ew = -1,
                                      .infer = infer_gamma,
                                      .cpu = cpu_gamma,
                                      .contiguous = true,
                                      .batch = agni_batch_sample,
                                      .slots = &slots_gamma,
                                      .lo = 0.3,
                                      .hi = 4,
                                      .doc = "gamma random numbers or their logarithms"};
const agni_op agni_op_gamma_slope = {.name = "gamma_slope",
                                     .takes = "concentration t order:i",
                                     .cls = AGNI_SOLVE,
                                     .nin = 2,
                                     .nout = 1,
                                     .dtypes = AGNI_FLOATS,
                                     .diff = 3,
                                     .promote = 3,
                                     .result = AGNI_OUT_SAME,
                                     .ew = -1,
                                     .infer = infer_slope,
                                     .cpu = cpu_slope,
                                     .contiguous = true,
                                     .jvp = slope_jvp,
                                     .batch = agni_batch_aligned,
                                     .slots = &slots_slope,
                                     .lo = 0.4,
                                     .hi = 4,
                                     .doc = "derivatives of the gamma distribution function in the "
                                            "concentration"};
const agni_op agni_op_gamma_path = {.name = "gamma_path",
                                    .takes = "y concentration log:b",
                                    .cls = AGNI_SOLVE,
                                    .nin = 2,
                                    .nout = 1,
                                    .dtypes = AGNI_FLOATS,
                                    .diff = 2,
                                    .promote = 3,
                                    .result = AGNI_OUT_SAME,
                                    .ew = -1,
                                    .infer = agni_infer_reparameterised,
                                    .view = agni_view_reparameterised,
                                    .cpu = agni_sample_copy,
                                    .contiguous = true,
                                    .jvp = path_jvp,
                                    .batch = agni_batch_reparameterised,
                                    .slots = &slots_path,
                                    .lo = 0.4,
                                    .hi = 4,
                                    .doc = "a gamma number that moves with its concentration"};

/* ---- public functions ------------------------------------------------------------------------ */

static agn_status sample_gamma(agn_tensor **out, const char *name, const agn_tensor *key,
                               const agn_tensor *concentration, int64_t log_form, int32_t ndim,
                               const int64_t *shape)
{
    if (!out)
        return agni_fail(AGN_ENULL, "%s: out is NULL", name);
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *y = NULL;
    agn_status st = agni_sample_apply_public(&y, &agni_op_random_gamma, key, 1, &concentration, 1,
                                             &log_form, ndim, shape);
    const agn_tensor *drawn = agn_scope_adopt(s, agni_rename_error(name, st), &y);
    agn_scope_return(s, out,
                     agni_apply_in(s, &agni_op_gamma_path, &(agni_attr){.ni = 1, .i = &log_form}, 2,
                                   (const agn_tensor *[]){drawn, concentration}));
    return agn_scope_close(s);
}

agn_status agn_random_gamma(agn_tensor **out, const agn_tensor *key,
                            const agn_tensor *concentration, int32_t ndim, const int64_t *shape)
{
    return sample_gamma(out, "random_gamma", key, concentration, 0, ndim, shape);
}

agn_status agn_random_log_gamma(agn_tensor **out, const agn_tensor *key,
                                const agn_tensor *concentration, int32_t ndim,
                                const int64_t *shape)
{
    return sample_gamma(out, "random_log_gamma", key, concentration, 1, ndim, shape);
}
