/* t-sparse-derivative - sparse Jacobians and Hessians against dense ones: on stencils,
   arrows, control flow and programs drawn at random, by every colouring; patterns that miss
   nothing and are as small as stated; colourings that keep apart what meets; matrices made
   inside of other functions; every documented failure. */
#include "laws.h"

#include <agnesi/sparse_derivative.h>

typedef const agn_tensor *T;

/* ---- programs of one argument, x [n] -------------------------------------------- */

static T part(agn_scope *s, T x, int64_t start, int64_t stop)
{
    return ag_slice(s, x, 1, &start, &stop, NULL);
}
static T folded(agn_scope *s, T x, int64_t rows)
{
    return ag_reshape(s, x, 2, (int64_t[]){rows, agn_numel(x) / rows});
}
static T along(agn_scope *s, T x, int32_t axis)
{
    return ag_sum(s, x, &axis, 1, false);
}
static T rolled(agn_scope *s, T x, int64_t by, int32_t axis)
{
    return ag_roll(s, x, &by, &axis, 1);
}
static T owned(agn_scope *s, agn_tensor *x)
{
    return agn_scope_adopt(s, AGN_OK, &x);
}

/* as of_reals(), but may fail */
static T listed(agn_scope *s, agn_dtype dtype, int ndim, const int64_t *shape,
                const double *v)
{
    agn_tensor *x = NULL, *y = NULL;
    agn_status st = agn_from_host(&x, AGN_F64, ndim, shape, v);
    if (!st)
        st = agn_cast(&y, x, dtype);
    agn_release(x);
    return agn_scope_adopt(s, st, &y);
}

static T chain(agn_scope *s, T x)
{
    return ag_sub(s, part(s, x, 1, AGN_END), ag_square(s, part(s, x, 0, -1)));
}
static T laplacian(agn_scope *s, T x)
{
    T u = folded(s, x, 3), sum = ag_mul_c(s, u, -4);
    for (int k = 0; k < 4; k++)
        sum = ag_add(s, sum, rolled(s, u, k % 2 ? 1 : -1, k / 2));
    return ag_add(s, sum, ag_exp(s, u));
}
static T reactions(agn_scope *s, T x)
{
    T u = part(s, x, 0, 6), v = part(s, x, 6, 12), uuv = ag_mul(s, ag_square(s, u), v);
    T y[2] = {ag_add(s, uuv, rolled(s, u, 1, 0)), ag_sub(s, rolled(s, v, -1, 0), uuv)};
    return ag_stack(s, y, 2, 0);
}
static T arrow(agn_scope *s, T x)
{
    T head = ag_sum_all(s, ag_square(s, x)),
      y[2] = {ag_reshape(s, head, 1, (int64_t[]){1})};
    y[1] = ag_mul(s, ag_sin(s, x), part(s, x, 0, 1));
    return ag_concat(s, y, 2, 0);
}
static T nothing(agn_scope *s, T x)
{
    return ag_mul_c(s, ag_floor(s, x), 2);
}
static T gaps(agn_scope *s, T x)
{
    double mask[12] = {1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 3, 1};
    return ag_mul(s, ag_exp(s, x), listed(s, AGN_F64, 1, (int64_t[]){12}, mask));
}
static T picked(agn_scope *s, T x)
{
    T idx = listed(s, AGN_I64, 1, (int64_t[]){5}, (double[]){3, 3, 0, -1, 7});
    return ag_square(s, ag_gather(s, x, idx, 0));
}
static T assembled(agn_scope *s, T x)
{
    double at[18] = {0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11, 0};
    T idx = listed(s, AGN_I64, 1, (int64_t[]){18}, at);
    T e = folded(s, ag_gather(s, x, idx, 0), 6), mean = along(s, e, 1);
    T r = ag_mul(s, ag_tanh(s, e), ag_expand_dims(s, mean, 1));
    return ag_scatter_add(s, ag_zeros_like(s, x), idx,
                          ag_reshape(s, r, 1, (int64_t[]){18}), 0);
}
static T rows_of_sums(agn_scope *s, T x)
{
    T u = ag_sin(s, folded(s, x, 4));
    return ag_mul(s, u, ag_expand_dims(s, along(s, u, 1), 1));
}
static T extremes(agn_scope *s, T x)
{
    T u = folded(s, ag_square(s, x), 4), y[3];
    y[0] = ag_max(s, u, (int32_t[]){1}, 1, false);
    y[1] = ag_logsumexp(s, u, (int32_t[]){1}, 1, false);
    y[2] = ag_var(s, u, (int32_t[]){1}, 1, 0, false);
    return ag_stack(s, y, 3, 0);
}
static T sorted(agn_scope *s, T x)
{
    return ag_sort(s, folded(s, x, 4), 1, false);
}
static T running(agn_scope *s, T x)
{
    return ag_cumsum(s, ag_square(s, x), 0);
}
static T products(agn_scope *s, T x)
{
    T u = folded(s, x, 3), v = ag_reshape(s, ag_sin(s, x), 2, (int64_t[]){4, 3});
    return ag_matmul(s, u, v);
}
static T banded(agn_scope *s, T x)
{
    double a[144] = {0};
    for (int i = 0; i < 12; i++)
        for (int j = i ? i - 1 : 0; j < 12 && j <= i + 1; j++)
            a[12 * i + j] = 1 + i + 0.5 * j;
    T A = listed(s, AGN_F64, 2, (int64_t[]){12, 12}, a);
    T y = ag_matmul(s, A, ag_reshape(s, ag_sin(s, x), 2, (int64_t[]){12, 1}));
    return ag_matmul(s, ag_reshape(s, ag_square(s, y), 2, (int64_t[]){1, 12}), A);
}
static T by_sparse(agn_scope *s, T x)
{
    T p = listed(s, AGN_I64, 1, (int64_t[]){5}, (double[]){0, 2, 2, 3, 5});
    T i = listed(s, AGN_I64, 1, (int64_t[]){5}, (double[]){0, 3, 5, 1, 2});
    T v = part(s, ag_exp(s, x), 0, 5), u = ag_square(s, part(s, x, 5, 11));
    agn_tensor *a = NULL, *y = NULL;
    agn_status st = agn_sparse_csr(&a, 4, 6, p, i, v);
    if (!st)
        st = agn_sparse_matmul(&y, a, u);
    agn_release(a);
    return agn_scope_adopt(s, st, &y);
}
static T chosen(agn_scope *s, T x)
{
    T a = rolled(s, x, 1, 0), b = rolled(s, x, 2, 0);
    return ag_where(s, ag_lt(s, a, b), ag_square(s, a), ag_sin(s, b));
}
static T anything(agn_scope *s, T x)
{
    return ag_fft_irfft(s, ag_fft_rfft(s, ag_square(s, x), 12, 0, 0), 12, 0, 0);
}

static const struct program {
    const char *name;
    T (*body)(agn_scope *s, T x);
    int64_t entries; /* of the pattern */
    bool exact;      /* and none of them is zero */
} programs[] = {
    {"chain", chain, 22, true},
    {"laplacian", laplacian, 60, true},
    {"reactions", reactions, 36, true},
    {"arrow", arrow, 35, true},
    {"nothing", nothing, 0, true},
    {"gaps", gaps, 5, true},
    {"picked", picked, 5, true},
    {"assembled", assembled, 48, true},
    {"rows of sums", rows_of_sums, 36, true},
    {"extremes", extremes, 36, false},
    {"sorted", sorted, 36, false},
    {"running", running, 78, true},
    {"products", products, 0, false},
    {"banded", banded, 54, true},
    {"by a sparse matrix", by_sparse, 10, true},
    {"chosen", chosen, 24, false},
    {"anything", anything, 144, false},
};

static agn_status run_program(void *user, agn_scope *s, const agn_tensor *const *in,
                              T *out)
{
    const struct program *p = user;
    out[0] = p->body(s, in[0]);
    return agn_scope_status(s);
}
/* a scalar whose gradient mixes what the program mixes */
static agn_status run_energy(void *user, agn_scope *s, const agn_tensor *const *in,
                             T *out)
{
    const struct program *p = user;
    out[0] = ag_sum_all(s, ag_square(s, p->body(s, in[0])));
    return agn_scope_status(s);
}

/* ---- against dense matrices ----------------------------------------------------- */

static agn_tensor *call1(const agn_fn *f, T x)
{
    agn_tensor *y = NULL;
    must(agn_fn_call(&y, 1, f, &x, 1));
    return y;
}

/* [m, n] whatever the shapes were */
static agn_tensor *dense_of(const agn_fn *f, T x, bool second)
{
    agn_fn *d = NULL;
    agn_tensor *m = NULL;
    must(second ? agn_fn_hessian(&d, f, 0) : agn_fn_jacobian(&d, f, 0));
    agn_tensor *j = call1(d, x);
    int64_t n = agn_numel(x);
    must(agn_reshape(&m, j, 2, (int64_t[]){n ? agn_numel(j) / n : 0, n}));
    agn_release(j);
    agn_fn_release(d);
    return m;
}

static int64_t entries_of(T a)
{
    agn_tensor *v = NULL;
    must(agn_sparse_values(&v, a));
    int64_t n = agn_numel(v);
    agn_release(v);
    return n;
}

/* largest difference, relative to the largest entry */
static double apart(T sparse, T dense)
{
    agn_tensor *a = NULL;
    double d = 0, most = 1;
    must(agn_sparse_to_dense(&a, sparse));
    if (!same_shapes(a, dense))
        d = (double)INFINITY;
    for (int64_t k = 0; d < 1 && k < agn_numel(a); k++) {
        double e = fabs(peek(a, k) - peek(dense, k));
        d = e > d || isnan(e) ? e : d;
        most = fmax(most, fabs(peek(dense, k)));
    }
    agn_release(a);
    return d / most;
}

static int64_t zeros_in(T sparse)
{
    agn_tensor *v = NULL;
    int64_t n = 0;
    must(agn_sparse_values(&v, sparse));
    for (int64_t k = 0; k < agn_numel(v); k++)
        n += peek(v, k) == 0;
    agn_release(v);
    return n;
}

static const struct {
    agn_colour_by by;
    agn_colour_order order;
    bool coloured, star;
    const char *name;
} ways[] = {
    {AGN_COLOUR_AUTO, AGN_COLOUR_NATURAL, false, true, "by itself"},
    {AGN_COLOUR_AUTO, AGN_COLOUR_NATURAL, true, true, "fewest"},
    {AGN_COLOUR_COLUMNS, AGN_COLOUR_LARGEST_FIRST, true, true, "columns"},
    {AGN_COLOUR_ROWS, AGN_COLOUR_SMALLEST_LAST, true, true, "rows"},
    {AGN_COLOUR_BOTH, AGN_COLOUR_SMALLEST_LAST, true, true, "both"},
    {AGN_COLOUR_STAR, AGN_COLOUR_LARGEST_FIRST, true, false, "star"},
};

static void against_dense(tally *q, const agn_fn *f, T x, bool second, const char *name,
                          int64_t entries, bool exact)
{
    agn_tensor *d = dense_of(f, x, second);
    for (int w = 0; w < COUNT(ways); w++) {
        agn_sparse_options o = {sizeof o, ways[w].by, ways[w].order, ways[w].coloured};
        agn_fn *g = NULL;
        if (!second && !ways[w].star)
            continue;
        must(second ? agn_fn_sparse_hessian(&g, f, 0, NULL, &o)
                    : agn_fn_sparse_jacobian(&g, f, 0, NULL, &o));
        for (int again = 0; again < 2; again++) {
            agn_tensor *a = call1(g, x);
            double e = apart(a, d);
            check(q, e < 1e-13, "%s, %s: apart %.1e", name, ways[w].name, e);
            check(q, !entries || entries_of(a) == entries, "%s: %lld entries, not %lld",
                  name, (long long)entries_of(a), (long long)entries);
            check(q, !exact || !zeros_in(a), "%s, %s: %lld zeros among the entries",
                  name, ways[w].name, (long long)zeros_in(a));
            agn_release(a);
        }
        agn_fn_release(g);
    }
    agn_release(d);
}

static void known_programs(void)
{
    tally q = {0, 0}, h = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){12}, 0.2, 1.8);
    for (int k = 0; k < COUNT(programs); k++) {
        agn_fn *f = NULL;
        void *user = (void *)(uintptr_t)&programs[k];
        must(agn_fn_new(&f, run_program, user, NULL, 1, 1));
        against_dense(&q, f, x, false, programs[k].name, programs[k].entries,
                      programs[k].exact);
        agn_fn_release(f);
        must(agn_fn_new(&f, run_energy, user, NULL, 1, 1));
        against_dense(&h, f, x, true, programs[k].name, 0, false);
        agn_fn_release(f);
    }
    tell(&q, "Jacobians of %d programs, by every colouring", COUNT(programs));
    tell(&h, "Hessians of %d programs, by every colouring", COUNT(programs));
    agn_release(x);
}

/* ---- control ops ---------------------------------------------------------------- */

static agn_status body_mix(void *user, agn_scope *s, const agn_tensor *const *in,
                           T *out)
{
    (void)user;
    out[0] = ag_sin(s, ag_mul(s, in[0], rolled(s, in[0], 1, 0)));
    return agn_scope_status(s);
}
static agn_status body_turn(void *user, agn_scope *s, const agn_tensor *const *in,
                            T *out)
{
    (void)user;
    out[0] = ag_square(s, rolled(s, in[0], -1, 0));
    return agn_scope_status(s);
}
/* carries x, takes a slice of an array, gives the second element of x */
static agn_status body_step(void *user, agn_scope *s, const agn_tensor *const *in,
                            T *out)
{
    (void)user;
    out[0] = ag_mul(s, rolled(s, in[0], 1, 0), ag_add_c(s, in[1], 1));
    out[1] = ag_mul(s, part(s, in[0], 1, 2), in[1]);
    return agn_scope_status(s);
}
static agn_status body_small(void *user, agn_scope *s, const agn_tensor *const *in,
                             T *out)
{
    (void)user;
    out[0] = ag_lt(s, ag_sum_all(s, ag_abs(s, in[0])), ag_lit(s, 40));
    return agn_scope_status(s);
}
static agn_status body_grow(void *user, agn_scope *s, const agn_tensor *const *in,
                            T *out)
{
    double w[12] = {1, 1, 1, 0, 1, 1,
                    1, 1, 1, 1, 1, 1}; /* nothing is passed on from 3 to 4 */
    (void)user;
    T m = listed(s, AGN_F64, 1, (int64_t[]){12}, w);
    out[0] = ag_add(s, ag_mul_c(s, in[0], 1.25), rolled(s, ag_mul(s, in[0], m), 1, 0));
    return agn_scope_status(s);
}

enum { CHECKPOINT, COND, SCAN, BACKWARDS, WHILE, N_CONTROL };
static const int64_t control_entries[] = {24, 36, 0, 0, 0};

static agn_status run_control(void *user, agn_scope *s, const agn_tensor *const *in,
                              T *out)
{
    int which = *(const int *)user;
    agn_fn *f = NULL, *g = NULL, *c = NULL;
    T x = in[0], y[4] = {NULL}, a[3] = {x};
    switch (which) {
    case CHECKPOINT:
        must(agn_fn_new(&f, body_mix, NULL, NULL, 1, 1));
        must(agn_fn_checkpoint(&c, f));
        break;
    case COND:
        must(agn_fn_new(&f, body_mix, NULL, NULL, 1, 1));
        must(agn_fn_new(&g, body_turn, NULL, NULL, 1, 1));
        must(agn_fn_cond(&c, f, g));
        a[0] = ag_gt(s, ag_sum_all(s, x), ag_lit(s, 12));
        a[1] = x;
        break;
    case SCAN:
    case BACKWARDS:
        must(agn_fn_new(&f, body_step, NULL, NULL, 2, 2));
        must(agn_fn_scan(&c, f, 1, 0, 3, which == BACKWARDS));
        a[1] = ag_reshape(s, part(s, x, 0, 3), 2, (int64_t[]){3, 1});
        break;
    default:
        must(agn_fn_new(&f, body_small, NULL, NULL, 1, 1));
        must(agn_fn_new(&g, body_grow, NULL, NULL, 1, 1));
        must(agn_fn_while(
            &c, f, g,
            &(agn_while_options){.size = sizeof(agn_while_options), .max_steps = 20}));
    }
    agn_fn_apply(s, y, agn_fn_n_out(c), c, a, agn_fn_n_in(c));
    out[0] = y[0];
    if (which == SCAN || which == BACKWARDS)
        out[0] = ag_concat(s, (T[]){y[0], ag_reshape(s, y[1], 1, (int64_t[]){3})}, 2,
                           0);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(c);
    return agn_scope_status(s);
}
static agn_status run_control_energy(void *user, agn_scope *s,
                                     const agn_tensor *const *in, T *out)
{
    agn_status st = run_control(user, s, in, out);
    out[0] = ag_sum_all(s, ag_square(s, out[0]));
    return st ? st : agn_scope_status(s);
}

static void control_ops(void)
{
    static const char *const names[] = {"checkpoint", "cond", "scan", "scan backwards",
                                        "while"};
    tally q = {0, 0}, h = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){12}, 0.2, 1.8), *p = NULL;
    for (int k = 0; k < N_CONTROL; k++) {
        agn_fn *f = NULL;
        must(agn_fn_new(&f, run_control, &k, NULL, 1, 1));
        against_dense(&q, f, x, false, names[k], control_entries[k], false);
        must(agn_fn_pattern(&p, f, 0, (const agn_tensor *const *)&x, 1));
        int64_t n = entries_of(p);
        check(&q, n < 144 && n >= 12, "%s: %lld entries", names[k], (long long)n);
        agn_release(p);
        agn_fn_release(f);
        must(agn_fn_new(&f, run_control_energy, &k, NULL, 1, 1));
        against_dense(&h, f, x, true, names[k], 0, false);
        agn_fn_release(f);
    }
    tell(&q, "Jacobians through control ops");
    tell(&h, "Hessians through control ops");
    agn_release(x);
}

/* ---- programs drawn at random --------------------------------------------------- */

enum { STEPS = 12, SIZE = 12 };
typedef struct drawn {
    int n;
    struct {
        int op, a, b;
        int64_t by;
    } step[STEPS];
} drawn;

static drawn draw(void)
{
    drawn p = {.n = 4 + (int)rnd_below(STEPS - 3)};
    for (int k = 0; k < p.n; k++) {
        p.step[k].op = (int)rnd_below(16);
        p.step[k].a = (int)rnd_below(k + 1);
        p.step[k].b = (int)rnd_below(k + 1);
        p.step[k].by = rnd_below(SIZE);
    }
    return p;
}

static T one_step(agn_scope *s, int op, T a, T b, int64_t by)
{
    double at[SIZE];
    for (int i = 0; i < SIZE; i++)
        at[i] = (double)((i * by + 3) % SIZE);
    T idx = listed(s, AGN_I64, 1, (int64_t[]){SIZE}, at), y[2];
    int64_t zero[1] = {0};
    int32_t rows = (int32_t)(by % 2);
    switch (op) {
    case 0:
        return ag_add(s, a, b);
    case 1:
        return ag_mul(s, a, b);
    case 2:
        return ag_sin(s, a);
    case 3:
        return rolled(s, a, by, 0);
    case 4:
        return ag_gather(s, a, idx, 0);
    case 5:
        return ag_scatter_add(s, b, idx, a, 0);
    case 6:
        return ag_pad(s, part(s, a, 0, SIZE - by), 1, &by, zero, 0);
    case 7:
        y[0] = part(s, a, 0, by);
        y[1] = part(s, b, by, SIZE);
        return ag_concat(s, y, 2, 0);
    case 8:
        return ag_reshape(s, ag_permute(s, folded(s, a, 3), (int32_t[]){1, 0}, 2), 1,
                          (int64_t[]){SIZE});
    case 9:
        a = folded(s, a, 3);
        a = ag_mul(s, a, ag_sum(s, a, &rows, 1, true));
        return ag_reshape(s, a, 1, (int64_t[]){SIZE});
    case 10:
        return ag_where(s, ag_lt(s, a, b), ag_exp(s, ag_neg(s, ag_square(s, a))), b);
    case 11:
        return ag_sub(s, ag_mul_c(s, a, 0.5), ag_tanh(s, b));
    case 12:
        return ag_stop_gradient(s, a);
    case 13:
        return ag_mul(s, a, ag_gather(s, ag_lt(s, a, b), idx, 0));
    case 14:
        return ag_flip(s, a, (int32_t[]){0}, 1);
    default:
        return by == 3 ? ag_cumsum(s, a, 0) : ag_div_c(s, a, 1.5);
    }
}
static agn_status run_drawn(void *user, agn_scope *s, const agn_tensor *const *in,
                            T *out)
{
    const drawn *p = user;
    T v[STEPS + 1] = {in[0]};
    for (int k = 0; k < p->n; k++)
        v[k + 1] = one_step(s, p->step[k].op, v[p->step[k].a], v[p->step[k].b],
                            p->step[k].by);
    out[0] = ag_add(s, v[p->n], v[p->n / 2]);
    return agn_scope_status(s);
}
static agn_status run_drawn_energy(void *user, agn_scope *s,
                                   const agn_tensor *const *in, T *out)
{
    agn_status st = run_drawn(user, s, in, out);
    out[0] = ag_sum_all(s, ag_sin(s, out[0]));
    return st ? st : agn_scope_status(s);
}

static void random_programs(void)
{
    tally q = {0, 0};
    for (int round = 0; round < tap_scale(300); round++) {
        drawn p = draw();
        char name[160];
        int at = snprintf(name, sizeof name, "program %d:", round);
        for (int k = 0; k < p.n; k++)
            at += snprintf(name + at, sizeof name - (size_t)at, " %d(%d,%d,%d)",
                           p.step[k].op, p.step[k].a, p.step[k].b, (int)p.step[k].by);
        agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){SIZE}, -1, 1);
        agn_fn *f = NULL;
        bool second = round % 3 == 2;
        must(agn_fn_new(&f, second ? run_drawn_energy : run_drawn, &p, NULL, 1, 1));
        against_dense(&q, f, x, second, name, 0, false);
        agn_fn_release(f);
        agn_release(x);
    }
    tell(&q, "programs drawn at random");
}

/* ---- colourings ----------------------------------------------------------------- */

static agn_tensor *csr_of(int64_t rows, int64_t cols, const bool *on)
{
    double *p = room_for((size_t)(rows + 1) * sizeof *p);
    double *ix = room_for((size_t)(rows * cols + 1) * sizeof *ix);
    int64_t nnz = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++)
            if (on[i * cols + j])
                ix[nnz++] = (double)j;
        p[i + 1] = (double)nnz;
    }
    agn_tensor *tp = of_reals(AGN_I64, 1, (int64_t[]){rows + 1}, p),
               *ti = of_reals(AGN_I64, 1, &nnz, ix),
               *v = random_of(AGN_F64, 1, &nnz, 1, 2), *a = NULL;
    must(agn_sparse_csr(&a, rows, cols, tp, ti, v));
    agn_release(tp);
    agn_release(ti);
    agn_release(v);
    free(p);
    free(ix);
    return a;
}

static int64_t colours_in(T c)
{
    double n = 0;
    for (int64_t k = 0; k < agn_numel(c); k++)
        n = fmax(n, peek(c, k) + 1);
    return (int64_t)n;
}

/* Is entry (i, j) alone in row i with the colour of j? */
static bool alone(const bool *on, int64_t cols, T column, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < cols; k++)
        if (k != j && on[i * cols + k] && peek(column, k) == peek(column, j))
            return false;
    return peek(column, j) >= 0;
}
static bool alone_below(const bool *on, int64_t rows, int64_t cols, T row, int64_t i,
                        int64_t j)
{
    for (int64_t k = 0; k < rows; k++)
        if (k != i && on[k * cols + j] && peek(row, k) == peek(row, i))
            return false;
    return peek(row, i) >= 0;
}

static void check_colours(tally *q, const bool *on, int64_t rows, int64_t cols, T a,
                          agn_colour_by by, agn_colour_order order)
{
    agn_tensor *column = NULL, *row = NULL;
    must(agn_sparse_colours(&column, &row, a, by, order));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            if (!on[i * cols + j])
                continue;
            bool good = by == AGN_COLOUR_STAR ? alone(on, cols, column, i, j) ||
                                                    alone(on, cols, column, j, i)
                        : peek(row, i) >= 0 ? alone_below(on, rows, cols, row, i, j)
                                            : alone(on, cols, column, i, j);
            check(
                q, good,
                "entry [%d,%d] of a [%d,%d] pattern cannot be read, by %d in order %d",
                (int)i, (int)j, (int)rows, (int)cols, by, order);
        }
    check(q, by != AGN_COLOUR_ROWS || !colours_in(column),
          "rows need no colours of columns");
    check(q, (by != AGN_COLOUR_COLUMNS && by != AGN_COLOUR_STAR) || !colours_in(row),
          "columns need no colours of rows");
    agn_release(column);
    agn_release(row);
}

static void colourings(void)
{
    tally q = {0, 0};
    for (int round = 0; round < tap_scale(200); round++) {
        int64_t rows = rnd_below(14), cols = round % 2 ? rows : rnd_below(14);
        double share = rnd_in(0, 0.6);
        bool *on = room_for((size_t)(rows * cols));
        for (int64_t k = 0; k < rows * cols; k++)
            on[k] = rnd_in(0, 1) < share;
        for (int64_t j = 0; rows && round % 3 == 0 && j < cols; j++)
            on[j] = true; /* a full row */
        for (int64_t i = 0; round % 2 && i < rows; i++)
            for (int64_t j = 0; j < i; j++)
                on[i * cols + j] = on[j * cols + i];
        agn_tensor *a = csr_of(rows, cols, on);
        for (int by = AGN_COLOUR_AUTO; by <= AGN_COLOUR_STAR; by++)
            for (int order = 0; order <= AGN_COLOUR_SMALLEST_LAST; order++)
                if (by != AGN_COLOUR_STAR || round % 2)
                    check_colours(&q, on, rows, cols, a, (agn_colour_by)by,
                                  (agn_colour_order)order);
        agn_release(a);
        free(on);
    }
    tell(&q, "every entry of random patterns can be read from one product");
}

/* Known numbers of colours: a band of three takes three, an arrow two of columns and one row. */
static void fewest(void)
{
    enum { N = 40 };
    static bool band[N * N], head[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            band[N * i + j] = abs(i - j) <= 1;
            head[N * i + j] = i == j || i == 0 || j == 0;
        }
    tally q = {0, 0};
    agn_tensor *a = csr_of(N, N, band), *b = csr_of(N, N, head), *column = NULL,
               *row = NULL;
    static const struct {
        bool arrow;
        agn_colour_by by;
        int columns, rows;
    } want[] = {
        {false, AGN_COLOUR_AUTO, 3, 0}, {false, AGN_COLOUR_ROWS, 0, 3},
        {false, AGN_COLOUR_STAR, 3, 0}, {true, AGN_COLOUR_COLUMNS, N, 0},
        {true, AGN_COLOUR_ROWS, 0, N},  {true, AGN_COLOUR_BOTH, 2, 1},
        {true, AGN_COLOUR_AUTO, 2, 1},  {true, AGN_COLOUR_STAR, 2, 0},
    };
    for (int k = 0; k < COUNT(want); k++)
        for (int order = 0; order <= AGN_COLOUR_SMALLEST_LAST; order++) {
            must(agn_sparse_colours(&column, &row, want[k].arrow ? b : a, want[k].by,
                                    (agn_colour_order)order));
            check(&q,
                  colours_in(column) == want[k].columns &&
                      colours_in(row) == want[k].rows,
                  "%s by %d in order %d: %d of columns, %d of rows",
                  want[k].arrow ? "arrow" : "band", want[k].by, order,
                  (int)colours_in(column), (int)colours_in(row));
            agn_release(column);
            agn_release(row);
        }
    tell(&q, "a band and an arrow take as few colours as they can");
    agn_release(a);
    agn_release(b);
}

/* ---- inside of other functions -------------------------------------------------- */

/* J(x)^T J(x) x through the sparse matrix, or the dense one; user: the Jacobian */
static agn_status with_matrix(void *user, agn_scope *s, const agn_tensor *const *in,
                              T *out)
{
    T j = NULL, x = in[0];
    agn_tensor *u = NULL;
    agn_fn_apply(s, &j, 1, user, in, agn_fn_n_in(user));
    if (agn_scope_status(s))
        return agn_scope_status(s);
    if (agn_layout_of(j) == AGN_CSR)
        u = agn_scope_fail(s, agn_sparse_matmul(&u, j, x)) ? NULL : u;
    T y = u ? owned(s, u) : ag_matmul(s, j, x);
    out[0] = ag_sum_all(s, ag_square(s, y));
    return agn_scope_status(s);
}

static void nested(void)
{
    agn_fn *f = NULL, *d[2] = {NULL}, *g[2], *h[2], *c[2], *v[2];
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[0], NULL, 1, 1));
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){12}, 0.2, 1.8), *y[2], *z[2],
               *l[2];
    agn_tensor *many = random_of(AGN_F64, 2, (int64_t[]){3, 12}, 0.2, 1.8);
    agn_sparse_options o = {.size = sizeof o};
    for (int coloured = 0; coloured < 2; coloured++) {
        o.coloured = coloured;
        must(agn_fn_jacobian(&d[0], f, 0));
        must(agn_fn_sparse_jacobian(&d[1], f, 0, NULL, &o));
        for (int k = 0; k < 2; k++) {
            must(agn_fn_new(&g[k], with_matrix, d[k], NULL, 1, 1));
            must(agn_fn_grad(&h[k], g[k], NULL, 1));
            must(agn_fn_compile(&c[k], h[k], NULL));
            must(agn_fn_vmap(&v[k], h[k], NULL, 0, NULL, 0));
            y[k] = call1(h[k], x);
            z[k] = call1(c[k], x);
            l[k] = call1(v[k], many);
        }
        double e = 0;
        for (int64_t i = 0; i < 36; i++) {
            e = fmax(e, fabs(peek(y[0], i % 12) - peek(y[1], i % 12)));
            e = fmax(e, fabs(peek(y[0], i % 12) - peek(z[1], i % 12)));
            e = fmax(e, fabs(peek(l[0], i) - peek(l[1], i)));
        }
        ok(e < 1e-11, "a matrix %s is differentiated, compiled, mapped: apart %.1e",
           coloured ? "by colours" : "by tangents", e);
        for (int k = 0; k < 2; k++) {
            agn_release(y[k]);
            agn_release(z[k]);
            agn_release(l[k]);
            agn_fn_release(c[k]);
            agn_fn_release(v[k]);
            agn_fn_release(h[k]);
            agn_fn_release(g[k]);
            agn_fn_release(d[k]);
        }
    }
    must(agn_fn_sparse_jacobian(&d[0], f, 0, NULL, NULL));
    must(agn_fn_compile(&c[0], d[0], NULL));
    y[0] = untouched;
    ok(refused(agn_fn_call(y, 1, c[0], (const agn_tensor *const *)&x, 1), AGN_EUNSUPPORTED,
               "trace", "sparse", NULL, y[0]),
       "a compiled function has no sparse result");
    agn_fn_release(c[0]);
    agn_fn_release(d[0]);
    agn_fn_release(f);
    agn_release(x);
    agn_release(many);
}

/* ---- shapes, dtypes, odd values ------------------------------------------------- */

static void shapes(void)
{
    tally q = {0, 0};
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[0], NULL, 1, 1));
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    for (int turn = 0; turn < 2; turn++)
        for (int64_t n = 1; n < 70; n++)
            for (int dtype = AGN_F32; dtype <= AGN_F64; dtype++) {
                agn_tensor *x = random_of(dtype, 1, &n, 0, 1), *y = call1(g, x);
                agn_tensor *d = dense_of(f, x, false);
                double e = apart(y, d);
                check(&q, e < (dtype == AGN_F32 ? 1e-6 : 1e-14), "n = %d: apart %.1e",
                      (int)n, e);
                check(&q, agn_dtype_of(y) == (agn_dtype)dtype, "n = %d: another dtype",
                      (int)n);
                agn_release(x);
                agn_release(y);
                agn_release(d);
            }
    agn_fn_release(g);
    agn_fn_release(f);
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[4], NULL, 1, 1));
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    for (int64_t n = 0; n < 3; n++) {
        agn_tensor *x = random_of(AGN_F64, 1, &n, 0, 1), *y = call1(g, x);
        check(&q, entries_of(y) == 0 && agn_shape(y)[0] == n, "no entries of %d",
              (int)n);
        agn_release(x);
        agn_release(y);
    }
    agn_fn_release(g);
    agn_fn_release(f);
    tell(&q, "more shapes than are kept, f32 and f64, none empty of surprises");
}

/* Infinities and NaN stay in their own rows; places that are no entries stay zero. */
static void odd_values(void)
{
    agn_tensor *x = of_reals(
        AGN_F64, 1, (int64_t[]){12},
        (double[]){1, 2, NAN, 4, 5, (double)INFINITY, 7, 8, 9, 1, 2, 3});
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[0], NULL, 1, 1));
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    agn_tensor *a = call1(g, x), *d = NULL;
    must(agn_sparse_to_dense(&d, a));
    bool good = true;
    for (int i = 0; i < 11; i++)
        for (int j = 0; j < 12; j++) {
            double v = peek(d, 12 * i + j), want = j == i + 1 ? 1
                                                   : j == i   ? -2 * peek(x, i)
                                                              : 0;
            good &= v == want || (isnan(v) && isnan(want));
        }
    ok(good, "NaN and infinity stay where they are");
    agn_release(a);
    agn_release(d);
    agn_release(x);
    agn_fn_release(g);
    agn_fn_release(f);
}

static agn_status run_rosenbrock(void *user, agn_scope *s, const agn_tensor *const *in,
                                 T *out)
{
    (void)user;
    T a = part(s, in[0], 0, -1), b = part(s, in[0], 1, AGN_END);
    T d = ag_square(s, ag_sub(s, b, ag_square(s, a)));
    out[0] = ag_sum_all(
        s, ag_add(s, ag_mul_c(s, d, 100), ag_square(s, ag_sub_c(s, a, 1))));
    return agn_scope_status(s);
}

/* The cost of pattern and colours is near that of the entries. */
static void large(void)
{
    int64_t n = 200000;
    agn_tensor *x = random_of(AGN_F64, 1, &n, -1, 1), *v = NULL;
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, run_rosenbrock, NULL, NULL, 1, 1));
    for (int coloured = 0; coloured < 2; coloured++) {
        agn_sparse_options o = {.size = sizeof o, .coloured = coloured};
        must(agn_fn_sparse_hessian(&g, f, 0, NULL, &o));
        agn_tensor *h = call1(g, x);
        must(agn_sparse_values(&v, h));
        double e = 0;
        for (int64_t i = 1; i + 1 < n; i++) {
            double a = peek(x, i), b = peek(x, i + 1);
            e = fmax(e, fabs(peek(v, 3 * i - 1) + 400 * peek(x, i - 1)));
            e = fmax(e, fabs(peek(v, 3 * i) - (1200 * a * a - 400 * b + 202)));
            e = fmax(e, fabs(peek(v, 3 * i + 1) + 400 * a));
        }
        ok(agn_numel(v) == 3 * n - 2 && e < 1e-11,
           "Hessian of %d variables %s: %d entries, apart %.1e", (int)n,
           coloured ? "by colours" : "by tangents", (int)agn_numel(v), e);
        agn_release(v);
        agn_release(h);
        agn_fn_release(g);
    }
    agn_fn_release(f);
    agn_release(x);
}

/* ---- patterns of the user ------------------------------------------------------- */

static void given(void)
{
    enum { N = 12 };
    bool on[(N - 1) * N] = {false};
    for (int i = 0; i < N - 1; i++)
        on[N * i + i] = on[N * i + i + 1] = on[N * i + (i + 5) % N] = true;
    agn_tensor *p = csr_of(N - 1, N, on),
               *x = random_of(AGN_F64, 1, (int64_t[]){N}, 0.2, 1.8);
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[0], NULL, 1, 1));
    agn_tensor *d = dense_of(f, x, false), *y = NULL;
    for (int coloured = 0; coloured < 2; coloured++) {
        agn_sparse_options o = {.size = sizeof o, .coloured = coloured};
        must(agn_fn_sparse_jacobian(&g, f, 0, p, &o));
        y = call1(g, x);
        ok(apart(y, d) < 1e-14 && entries_of(y) == entries_of(p),
           "a pattern of the user with more entries than needed");
        agn_release(y);
        agn_fn_release(g);
    }
    agn_release(p);
    on[N * 4 + 5] = false;
    p = csr_of(N - 1, N, on);
    for (int coloured = 0; coloured < 2; coloured++) {
        agn_sparse_options o = {.size = sizeof o, .coloured = coloured};
        must(agn_fn_sparse_jacobian(&g, f, 0, p, &o));
        for (int again = 0; again < 2; again++) {
            y = untouched;
            ok(refused(agn_fn_call(&y, 1, g, (const agn_tensor *const *)&x, 1), AGN_EARG,
                       "sparse_jacobian", "leaves out an entry", "element", y),
               "one that leaves an entry out");
        }
        agn_fn_release(g);
    }
    agn_release(p);
    agn_release(d);
    agn_release(x);
    agn_fn_release(f);
}

/* ---- failures ------------------------------------------------------------------- */

static agn_status reads_value(void *user, agn_scope *s, const agn_tensor *const *in,
                              T *out)
{
    double v = 0;
    (void)user;
    out[0] = in[0];
    return agn_scope_fail(s, agn_item_f64(&v, in[0]));
}
static agn_status captures(void *user, agn_scope *s, const agn_tensor *const *in,
                           T *out)
{
    out[0] = ag_mul(s, ag_sin(s, in[0]), user);
    return agn_scope_status(s);
}
static agn_status whole_numbers(void *user, agn_scope *s, const agn_tensor *const *in,
                                T *out)
{
    (void)user;
    out[0] = ag_cast(s, in[0], AGN_I64);
    return agn_scope_status(s);
}

static bool call_refused(const agn_fn *g, T x, agn_status want, const char *op,
                         const char *fact)
{
    agn_tensor *y = untouched;
    return refused(agn_fn_call(&y, 1, g, &x, 1), want, op, fact, NULL, y);
}

static void failures(void)
{
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){12}, 0, 1),
               *one = scalar_of(AGN_F64, 2);
    agn_tensor *z = random_of(AGN_C128, 1, (int64_t[]){12}, 0, 1),
               *n = scalar_of(AGN_I64, 2);
    agn_tensor *t = untouched, *u = untouched;
    agn_fn *f = NULL, *g = NULL, *const same = (agn_fn *)(uintptr_t)untouched;
    bool on[12] = {[1] = true, [5] = true};
    agn_tensor *p = csr_of(3, 4, on), *square = csr_of(3, 3, on);
    T none[1] = {NULL};
    agn_sparse_options odd = {.size = 3},
                       way = {.size = sizeof way, .by = (agn_colour_by)9},
                       order = {.size = sizeof order, .order = (agn_colour_order)-1},
                       star = {.size = sizeof star, .by = AGN_COLOUR_STAR};
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[0], NULL, 1, 1));
    for (int h = 0; h < 2; h++) {
        agn_status (*make)(agn_fn **, const agn_fn *, int32_t, const agn_tensor *,
                           const agn_sparse_options *) = h ? agn_fn_sparse_hessian
                                                           : agn_fn_sparse_jacobian;
        const char *op = h ? "fn_sparse_hessian" : "fn_sparse_jacobian";
        g = same;
#define REFUSED(call, status, fact)                                                \
    ok(refused(call, status, op, fact, NULL, (const agn_tensor *)(const void *)g), \
       "%s: %s", op, fact)
        REFUSED(make(NULL, f, 0, NULL, NULL), AGN_ENULL, "out is NULL");
        REFUSED(make(&g, NULL, 0, NULL, NULL), AGN_ENULL, "f is NULL");
        REFUSED(make(&g, f, 1, NULL, NULL), AGN_EINDEX, "no argument 1");
        REFUSED(make(&g, f, 0, x, NULL), AGN_EUNSUPPORTED, "dense");
        REFUSED(make(&g, f, 0, NULL, &odd), AGN_EARG, "3 bytes");
        REFUSED(make(&g, f, 0, NULL, &way), AGN_EARG, "way 9");
        REFUSED(make(&g, f, 0, NULL, &order), AGN_EARG, "order -1");
#undef REFUSED
    }
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    ok(call_refused(g, z, AGN_EDTYPE, "sparse_jacobian", "c128"), "a complex argument");
    ok(call_refused(g, p, AGN_EUNSUPPORTED, "sparse_jacobian", "sparse"),
       "a sparse argument");
    ok(call_refused(g, NULL, AGN_ENULL, "call", "argument 0"), "no argument");
    agn_fn_release(g);
    must(agn_fn_sparse_jacobian(&g, f, 0, p, NULL));
    ok(call_refused(g, x, AGN_ESHAPE, "sparse_jacobian", "[3,4]"),
       "a pattern that does not fit");
    agn_fn_release(g);
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, &star));
    ok(call_refused(g, x, AGN_EARG, "sparse_colours", "not symmetric"),
       "a star of no symmetry");
    agn_fn_release(g);
    must(agn_fn_sparse_hessian(&g, f, 0, NULL, NULL));
    ok(call_refused(g, x, AGN_ESHAPE, "grad", "scalar"), "the Hessian of no scalar");
    agn_fn_release(g);

    ok(refused(agn_fn_pattern(NULL, f, 0, AGN_ARGS(x)), AGN_ENULL, "fn_pattern", "out",
               NULL, t) &&
           refused(agn_fn_pattern(&t, NULL, 0, AGN_ARGS(x)), AGN_ENULL, "fn_pattern", "f",
                   NULL, t) &&
           refused(agn_fn_pattern(&t, f, 0, NULL, 1), AGN_ENULL, "fn_pattern", "in", NULL,
                   t) &&
           refused(agn_fn_pattern(&t, f, 0, AGN_ARGS(x, x)), AGN_EARG, "fn_pattern",
                   "2 arguments", "has 1", t) &&
           refused(agn_fn_pattern(&t, f, 0, none, 1), AGN_ENULL, "fn_pattern",
                   "argument 0", NULL, t),
       "fn_pattern: what is NULL");
    ok(refused(agn_fn_pattern(&t, f, -1, AGN_ARGS(x)), AGN_EINDEX, "fn_pattern", "-1",
               NULL, t),
       "fn_pattern: no such argument");
    ok(refused(agn_fn_pattern(&t, f, 0, AGN_ARGS(z)), AGN_EDTYPE, "fn_pattern", "c128",
               NULL, t),
       "fn_pattern: a complex argument");
    ok(refused(agn_fn_pattern(&t, f, 0, AGN_ARGS(p)), AGN_EUNSUPPORTED, "trace", "sparse",
               NULL, t),
       "fn_pattern: a sparse argument");
    agn_fn_release(f);
    must(agn_fn_new(&f, whole_numbers, NULL, NULL, 1, 1));
    ok(refused(agn_fn_pattern(&t, f, 0, AGN_ARGS(x)), AGN_EDTYPE, "fn_pattern", "i64",
               NULL, t),
       "fn_pattern: a result of whole numbers");
    agn_fn_release(f);
    must(agn_fn_new(&f, reads_value, NULL, NULL, 1, 1));
    ok(agn_fn_pattern(&t, f, 0, AGN_ARGS(one)) == AGN_ESYMBOLIC && t == untouched,
       "fn_pattern: a body that reads a value");
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    t = NULL;
    ok(agn_fn_call(&t, 1, g, AGN_ARGS(one)) == AGN_ESYMBOLIC && !t,
       "a body that reads a value");
    agn_fn_release(g);
    agn_fn_release(f);

    agn_tensor *held = random_of(AGN_F64, 1, (int64_t[]){12}, 0, 1), *w = NULL;
    void *data = NULL;
    must(agn_fn_new(&f, captures, held, NULL, 1, 1));
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    t = call1(g, x);
    agn_release(t);
    must(agn_data_mut(&data, held));
    ok(call_refused(g, x, AGN_ESTALE, "call", "captured"),
       "a captured tensor that was written");
    agn_fn_release(g);
    agn_fn_release(f);
    must(agn_watch(&w, held));
    must(agn_fn_new(&f, captures, w, NULL, 1, 1));
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    ok(call_refused(g, x, AGN_EARG, "compile", "recorded"),
       "a captured tensor that is recorded");
    agn_fn_release(g);

    t = u = untouched;
    ok(refused(agn_sparse_colours(NULL, &u, p, 0, 0), AGN_ENULL, "sparse_colours",
               "columns", NULL, u) &&
           refused(agn_sparse_colours(&t, NULL, p, 0, 0), AGN_ENULL, "sparse_colours",
                   "rows", NULL, t) &&
           refused(agn_sparse_colours(&t, &u, NULL, 0, 0), AGN_ENULL, "sparse_colours",
                   "a is", NULL, t),
       "sparse_colours: what is NULL");
    ok(refused(agn_sparse_colours(&t, &u, x, 0, 0), AGN_EUNSUPPORTED, "sparse_colours",
               "dense", NULL, u),
       "sparse_colours: a dense matrix");
    ok(refused(agn_sparse_colours(&t, &u, p, (agn_colour_by)-1, 0), AGN_EARG,
               "sparse_colours", "way -1", NULL, u) &&
           refused(agn_sparse_colours(&t, &u, p, 0, (agn_colour_order)3), AGN_EARG,
                   "sparse_colours", "order 3", NULL, u),
       "sparse_colours: no such way, no such order");
    ok(refused(agn_sparse_colours(&t, &u, p, AGN_COLOUR_STAR, 0), AGN_EARG,
               "sparse_colours", "[3,4]", NULL, t) &&
           refused(agn_sparse_colours(&t, &u, square, AGN_COLOUR_STAR, 0), AGN_EARG,
                   "sparse_colours", "[0,1]", "[1,0]", t),
       "sparse_colours: a star of no symmetry");

    size_t need = 0;
    char text[4096], few[8];
    agn_status st = agn_fn_sparse_explain(text, sizeof text, NULL, NULL);
    ok(st == AGN_ENULL && agn_fn_sparse_explain(NULL, 3, NULL, f) == AGN_ENULL,
       "fn_sparse_explain: what is NULL");
    ok(agn_fn_sparse_explain(text, sizeof text, NULL, f) == AGN_EARG,
       "fn_sparse_explain: another function");
    agn_fn_release(f);
    must(agn_fn_new(&f, run_program, (void *)(uintptr_t)&programs[0], NULL, 1, 1));
    must(agn_fn_sparse_jacobian(&g, f, 0, NULL, NULL));
    must(agn_fn_sparse_explain(text, sizeof text, &need, g));
    ok(need == 1 && !*text, "nothing to explain before the first call");
    t = call1(g, x);
    must(agn_fn_sparse_explain(text, sizeof text, &need, g));
    must(agn_fn_sparse_explain(few, sizeof few, NULL, g));
    ok(strstr(text, "[11,12], 22 entries: 2 sparse tangents") && need == strlen(text) + 1 &&
           !strncmp(few, text, 7) && !few[7],
       "what was found, as text");
    agn_release(t);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_release(held);
    agn_release(w);
    agn_release(x);
    agn_release(z);
    agn_release(n);
    agn_release(one);
    agn_release(p);
    agn_release(square);
}

/* ---- memory --------------------------------------------------------------------- */

static int64_t live(void)
{
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    return blocks;
}

/* all there is, from nothing: made, called twice, coloured, explained */
static agn_status everything(const agn_fn *f, T x, bool second, bool coloured)
{
    agn_sparse_options o = {.size = sizeof o, .coloured = coloured};
    agn_fn *g = NULL;
    agn_tensor *a = NULL, *b = NULL, *p = NULL, *columns = NULL, *rows = NULL;
    char text[64];
    agn_status st = second ? agn_fn_sparse_hessian(&g, f, 0, NULL, &o)
                           : agn_fn_pattern(&p, f, 0, &x, 1);
    if (!st && !second)
        st = agn_fn_sparse_jacobian(&g, f, 0, p, &o);
    if (!st)
        st = agn_fn_call(&a, 1, g, &x, 1);
    if (!st)
        st = agn_fn_call(&b, 1, g, &x, 1);
    if (!st)
        st = agn_sparse_colours(&columns, &rows, a, AGN_COLOUR_AUTO,
                                AGN_COLOUR_SMALLEST_LAST);
    if (!st)
        st = agn_fn_sparse_explain(text, sizeof text, NULL, g);
    agn_release(a);
    agn_release(b);
    agn_release(p);
    agn_release(columns);
    agn_release(rows);
    agn_fn_release(g);
    return st;
}

static void faults(void)
{
    static const char *const names[] = {"assembled", "banded", "arrow", "rows of sums"};
    tally q = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 1, (int64_t[]){12}, 0.2, 1.8);
    must(agn_threads_set(1));
    for (int k = 0; k < COUNT(programs); k++)
        for (int w = 0, chosen = 0; w < 4; w++) {
            for (int i = 0; i < COUNT(names); i++)
                chosen |= !strcmp(programs[k].name, names[i]);
            if (!chosen)
                continue;
            agn_fn *f = NULL;
            must(agn_fn_new(&f, w & 1 ? run_energy : run_program,
                            (void *)(uintptr_t)&programs[k], NULL, 1, 1));
            must(everything(f, x, w & 1, w & 2));
            int64_t base = live(), before = agn_memory_count();
            must(everything(f, x, w & 1, w & 2));
            int64_t count = agn_memory_count() - before;
            for (int64_t n = 0; n <= count;
                 n += 1 + (count > 400 ? rnd_below(count / 200) : 0)) {
                agn_memory_fail_after(n);
                agn_status st = everything(f, x, w & 1, w & 2);
                agn_memory_fail_after(-1);
                check(&q, !st || st == AGN_ENOMEM, "%s, allocation %d of %d: %s",
                      programs[k].name, (int)n, (int)count, agn_error_message());
                check(&q, live() == base, "%s, allocation %d of %d: %d blocks leaked",
                      programs[k].name, (int)n, (int)count, (int)(live() - base));
            }
            agn_fn_release(f);
        }
    tell(&q, "allocations that fail: AGN_ENOMEM, no leak");
    agn_release(x);
}

int main(void)
{
    known_programs();
    control_ops();
    random_programs();
    colourings();
    fewest();
    nested();
    shapes();
    odd_values();
    large();
    given();
    failures();
    faults();
    return done();
}
