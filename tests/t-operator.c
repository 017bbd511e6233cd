/* tests/t-operator.c - differential operators against Hessians, nested derivatives and formulas;
   within loops, branches, solves and each other; their estimates and their errors. */
#include "whole.h"

#include "config.h"

/* u(x) of rows, by hand-made layers: [n, d] to [n, 1] */
typedef struct net {
    int layers;
    agn_tensor *w[4], *b[4];
} net;
BODY(network)
{
    const net *q = user;
    T h = in[0];
    for (int l = 0; l < q->layers; l++) {
        h = ag_add(s, ag_matmul(s, h, q->w[l]), q->b[l]);
        h = l < q->layers - 1 ? ag_tanh(s, h) : h;
    }
    out[0] = h;
    return agn_scope_status(s);
}
static net new_net(int d, int width, int outputs, agn_dtype dtype)
{
    net q = {.layers = 3};
    for (int l = 0; l < q.layers; l++) {
        int64_t size[2] = {l ? width : d, l < q.layers - 1 ? width : outputs};
        q.w[l] = random_of(dtype, 2, size, -1, 1);
        q.b[l] = random_of(dtype, 1, size + 1, -0.5, 0.5);
    }
    return q;
}
static void drop_net(net *q)
{
    for (int l = 0; l < q->layers; l++) {
        agn_release(q->w[l]);
        agn_release(q->b[l]);
    }
}

typedef agn_status maker(agn_fn **out, const agn_fn *f, int32_t argnum);
static agn_fn *make(maker *m, const agn_fn *f)
{
    return MADE(m(&made_, f, 0));
}

/* ---- the Laplacian: the trace of the Hessian, row by row --------------------------------------- */

/* in: x [n, d]; user: the function */
BODY(trace)
{
    T sum = NULL;
    int64_t n = agn_shape(in[0])[0], d = agn_shape(in[0])[1];
    agn_fn *one = user, *h = NULL, *many = NULL;
    T y = NULL;
    if (!agn_scope_fail(s, agn_fn_hessian(&h, one, 0)) &&
        !agn_scope_fail(s, agn_fn_vmap(&many, h, NULL, 0, NULL, 0)))
        agn_fn_apply(s, &y, 1, many, in, agn_fn_n_in(many));
    for (int64_t i = 0; i < d && !agn_scope_status(s); i++) {
        T e = ag_index_axis(s, ag_index_axis(s, y, 1, i), 1, i);
        sum = sum ? ag_add(s, sum, e) : e;
    }
    out[0] = agn_scope_status(s) ? NULL : ag_reshape(s, sum, 2, I64(n, 1));
    agn_fn_release(h);
    agn_fn_release(many);
    return agn_scope_status(s);
}
/* one row, to a number */
BODY(one_row)
{
    T y = NULL, x = ag_expand_dims(s, in[0], 0);
    out[0] = agn_fn_apply(s, &y, 1, user, &x, 1) ? NULL : ag_sum_all(s, y);
    return agn_scope_status(s);
}

static void laplacians(void)
{
    for (int d = 1; d <= 7; d += 2)
        for (int single = 0; single < 2; single++) {
            net q = new_net(d, 6, 1, single ? AGN_F32 : AGN_F64);
            agn_fn *u = whole_fn(network, &q, 1, 1), *row = whole_fn(one_row, u, 1, 1);
            agn_fn *lap = make(agn_fn_laplacian, u), *want = whole_fn(trace, row, 1, 1), *fast;
            agn_tensor *x = random_of(single ? AGN_F32 : AGN_F64, 2, I64(5, d), -1, 1);
            char name[64];
            snprintf(name, sizeof name, "Laplacian of a network, %d columns, %s", d,
                     single ? "f32" : "f64");
            whole_same(want, (const T[]){x}, lap, (const T[]){x}, 0, single ? 1e-4 : 1e-12, name);
            fast = MADE(agn_fn_compile(&made_, lap, NULL));
            whole_same(want, (const T[]){x}, fast, (const T[]){x}, 0, single ? 1e-4 : 1e-12, name);
            agn_release(x);
            agn_fn_release(fast), agn_fn_release(lap), agn_fn_release(want);
            agn_fn_release(row), agn_fn_release(u);
            drop_net(&q);
        }
}

/* ---- every element-wise op: op(affine(x)), within its domain ------------------------------------ */

typedef struct row_of {
    agn_op_info info;
    int n; /* operands */
} row_of;
BODY(of_row)
{
    const row_of *q = user;
    T a[3], y;
    double mid = (q->info.lo + q->info.hi) / 2, half = (q->info.hi - q->info.lo) / 2;
    for (int i = 0; i < q->n; i++) { /* different curves through the middle of the domain */
        T c0 = ag_index_axis(s, in[0], -1, i % 3), c1 = ag_index_axis(s, in[0], -1, (i + 1) % 3);
        T c = ag_sin(s, ag_add(s, ag_mul_c(s, c0, 0.7 + 0.2 * i), ag_mul(s, c1, c1)));
        a[i] = ag_add(s, ag_mul_c(s, c, 0.35 * half), ag_lit(s, mid + (0.13 - 0.21 * i) * half));
    }
    agn_tensor *t = NULL;
    if (agn_scope_status(s))
        return agn_scope_status(s);
    agn_status st = agn_op_apply(&t, 1, q->info.name, a, q->n, NULL, 0, NULL, 0);
    y = agn_scope_adopt(s, st, &t);
    out[0] = y;
    return agn_scope_status(s);
}
/* d^2/dx_i^2 summed, by tangents of tangents */
BODY(by_tangents)
{
    agn_fn *once = NULL, *twice = NULL;
    T sum = NULL;
    if (!agn_scope_fail(s, agn_fn_jvp(&once, user)) && !agn_scope_fail(s, agn_fn_jvp(&twice, once)))
        for (int i = 0; i < 3 && !agn_scope_status(s); i++) {
            double unit[3] = {i == 0, i == 1, i == 2};
            agn_tensor *e = NULL;
            agn_status st = agn_from_host(&e, AGN_F64, 1, I64(3), unit);
            T v = ag_broadcast_to(s, agn_scope_adopt(s, st, &e), 2, agn_shape(in[0]));
            T zero = ag_mul_c(s, v, 0), y[4];
            if (!agn_fn_apply(s, y, 4, twice, AGN_ARGS(in[0], v, v, zero)))
                sum = sum ? ag_add(s, sum, y[3]) : y[3];
        }
    agn_fn_release(once);
    agn_fn_release(twice);
    out[0] = sum;
    return agn_scope_status(s);
}

static void rows_of_the_table(void)
{
    int tried = 0;
    tally t = {0, 0};
    agn_tensor *x = random_of(AGN_F64, 2, I64(4, 3), -1, 1);
    for (int32_t id = 0; id < agn_op_count(); id++) {
        row_of q = {.info = {.size = sizeof q.info}};
        must(agn_op_describe(&q.info, id));
        uint32_t all = (1u << (q.info.n_in > 0 ? q.info.n_in : 0)) - 1;
        if (strcmp(q.info.kind, "element-wise") || !q.info.jet || q.info.n_in < 1 ||
            q.info.n_in > 3 || !(q.info.dtypes >> AGN_F64 & 1) || (q.info.diff & all) != all)
            continue;
        q.n = q.info.n_in;
        agn_fn *f = whole_fn(of_row, &q, 1, 1), *want = whole_fn(by_tangents, f, 1, 1), *lap;
        agn_tensor *y = NULL, *z[2] = {NULL};
        if (agn_fn_call(&y, 1, f, AGN_ARGS(x))) { /* takes attributes */
            agn_fn_release(want);
            agn_fn_release(f);
            continue;
        }
        agn_release(y);
        y = NULL;
        lap = make(agn_fn_laplacian, f);
        agn_status st = agn_fn_call(&y, 1, want, AGN_ARGS(x));
        st = st ? st : agn_fn_call(z, 2, lap, AGN_ARGS(x));
        double off = st ? 1e300 : modes_apart(z[0], y);
        bool outside = !st && isnan(modes_apart(y, y)); /* of another operand's domain */
        check(&t, outside || off < 1e-11, "%s: apart %.1e%s%s", q.info.name, off, st ? ": " : "",
              st ? agn_error_message() : "");
        tried += !outside;
        agn_release(y);
        agn_release(z[0]);
        agn_release(z[1]);
        agn_fn_release(lap);
        agn_fn_release(want);
        agn_fn_release(f);
    }
    agn_release(x);
    tell(&t, "Laplacians of %d element-wise rows against tangents of tangents", tried);
    ok(tried > 50, "%d rows were asked", tried);
}

/* ---- operators of an exponential: L exp(a.x) = P(a) exp(a.x) ------------------------------------ */

static const double slope[3] = {0.7, -0.4, 0.9};
BODY(exponential)
{
    agn_tensor *a = NULL;
    int64_t d = agn_shape(in[0])[agn_ndim(in[0]) - 1];
    (void)user;
    agn_status st = agn_from_host(&a, AGN_F64, 1, &d, slope);
    out[0] = ag_exp(s, ag_vecdot(s, in[0], agn_scope_adopt(s, st, &a), -1));
    return agn_scope_status(s);
}

static void operators(void)
{
    agn_fn *u = whole_fn(exponential, NULL, 1, 1);
    tally t = {0, 0};
    for (int trial = 0; trial < 40; trial++) {
        enum { MOST = 6 };
        int32_t alpha[MOST][3] = {{0}}, factor[MOST];
        double c[MOST], poly[3] = {0, 0, 0}, have[8], q[2][4], value[4];
        int n = 1 + (int)rnd_below(MOST), top = trial < 20 ? 4 : 10;
        for (int k = 0; k < n; k++) {
            for (int left = (int)rnd_below(top + 1); left > 0; left--)
                alpha[k][(int)rnd_below(3)]++;
            c[k] = rnd_in(-2, 2);
            factor[k] = trial % 2 ? (int)rnd_below(3) - 1 : -1;
            double m = c[k];
            for (int j = 0; j < 3; j++)
                m *= pow(slope[j], alpha[k][j]);
            poly[factor[k] + 1] += m;
        }
        int n_factor = 0;
        for (int k = 0; k < n; k++)
            n_factor = factor[k] + 1 > n_factor ? factor[k] + 1 : n_factor;
        agn_tensor *x = random_of(AGN_F64, 2, I64(4, 3), -1, 1), *g[2], *y[2] = {NULL};
        for (int k = 0; k < 2; k++) {
            g[k] = random_of(AGN_F64, 1, I64(4), -1, 1);
            must(agn_to_host(q[k], g[k], sizeof q[k]));
        }
        agn_fn *f = MADE(agn_fn_operator(&made_, u, 0, alpha[0], n, 3, c, factor));
        must(agn_fn_call(y, 2, f, (const T[]){x, g[0], g[1]}, agn_fn_n_in(f)));
        must(agn_to_host(have, y[0], 4 * sizeof *have));
        must(agn_to_host(value, y[1], sizeof value));
        check(&t, agn_fn_n_in(f) == 1 + n_factor, "%d arguments", agn_fn_n_in(f));
        for (int p = 0; p < 4; p++) {
            double want = (poly[0] + poly[1] * q[0][p] + poly[2] * q[1][p]) * value[p];
            check(&t, fabs(have[p] - want) < 1e-11 * (1 + fabs(want)), "trial %d: %.17g, not %.17g",
                  trial, have[p], want);
        }
        agn_release(x), agn_release(g[0]), agn_release(g[1]), agn_release(y[0]), agn_release(y[1]);
        agn_fn_release(f);
    }
    tell(&t, "random operators to order 10, some with factors");
    /* nothing, a number, terms that cancel */
    agn_tensor *x = random_of(AGN_F64, 2, I64(4, 2), -1, 1), *y[2] = {NULL};
    agn_fn *none = MADE(agn_fn_operator(&made_, u, 0, NULL, 0, 2, NULL, NULL));
    must(agn_fn_call(y, 2, none, AGN_ARGS(x)));
    double v[4];
    must(agn_to_host(v, y[0], sizeof v));
    ok(v[0] == 0 && v[3] == 0, "no terms: zeros");
    agn_release(y[0]), agn_release(y[1]);
    agn_fn_release(none);
    agn_fn *cancel = MADE(agn_fn_operator(&made_, u, 0, (const int32_t[]){2, 0, 2, 0, 0, 0}, 3, 2,
                                          (const double[]){1, -1, 3}, NULL));
    must(agn_fn_call(y, 2, cancel, AGN_ARGS(x)));
    double w[4];
    must(agn_to_host(v, y[0], sizeof v));
    must(agn_to_host(w, y[1], sizeof w));
    ok(fabs(v[1] - 3 * w[1]) < 1e-15, "terms that cancel leave the others");
    agn_release(y[0]), agn_release(y[1]), agn_release(x);
    agn_fn_release(cancel);
    agn_fn_release(u);
}

static void biharmonics(void)
{
    for (int d = 1; d <= 6; d++) {
        net q = new_net(d, 5, 1, AGN_F64);
        agn_fn *u = whole_fn(network, &q, 1, 1), *b = make(agn_fn_biharmonic, u);
        agn_fn *lap = make(agn_fn_laplacian, u), *twice = make(agn_fn_laplacian, lap), *fast;
        agn_tensor *x = random_of(AGN_F64, 2, I64(3, d), -1, 1), *y[2] = {NULL}, *z[2] = {NULL};
        must(agn_fn_call(y, 2, b, AGN_ARGS(x)));
        must(agn_fn_call(z, 2, twice, AGN_ARGS(x)));
        double off = modes_apart(y[0], z[0]);
        ok(off < 1e-11, "biharmonic of %d columns against the Laplacian of the Laplacian: %.1e", d,
           off);
        fast = MADE(agn_fn_compile(&made_, b, NULL));
        whole_same(b, (const T[]){x}, fast, (const T[]){x}, 0, 1e-12, "compiled");
        for (int i = 0; i < 2; i++)
            agn_release(y[i]), agn_release(z[i]);
        agn_release(x);
        agn_fn_release(fast), agn_fn_release(lap), agn_fn_release(twice);
        agn_fn_release(b), agn_fn_release(u);
        drop_net(&q);
    }
}

/* ---- what a function may hold -------------------------------------------------------------------- */

/* a matrix that depends on x: [3, 3] */
static T matrix(agn_scope *s, T x)
{
    double eye[9] = {4, 0.3, 0, 0.3, 5, 0.2, 0, 0.2, 6};
    agn_tensor *e = NULL;
    agn_status st = agn_from_host(&e, AGN_F64, 2, I64(3, 3), eye);
    T c = ag_sin(s, x);
    return ag_add(s, agn_scope_adopt(s, st, &e), ag_outer(s, c, ag_cos(s, x)));
}
FORMULA(solving, ag_sum_all(s, ag_linalg_solve(s, matrix(s, in[0]), ag_exp(s, in[0]))))
FORMULA(sorting, ag_sum_all(s, ag_mul(s, ag_sort(s, ag_mul(s, in[0], in[0]), -1, false), in[0])))
FORMULA(products, ag_prod(s, ag_sin(s, in[0]), NULL, 0, false))
FORMULA(attention, ag_sum_all(s, ag_matmul(s, ag_nn_softmax(s, matrix(s, in[0]), -1), matrix(s, in[0]))))
FORMULA(mixed_ranks, ag_sum_all(s, ag_mul(s, matrix(s, in[0]), ag_add(s, in[0], ag_sum_all(s, in[0])))))
FORMULA(step, ag_sin(s, ag_add(s, ag_mul(s, in[0], ag_mul_c(s, in[2], 0.5)), in[1])),
        ag_mul(s, in[0], in[1]))
BODY(looping)
{
    agn_fn *f = whole_fn_in(s, step, NULL, 3, 2), *loop = NULL;
    T y[2];
    (void)user;
    if (f && !agn_scope_fail(s, agn_fn_scan(&loop, f, 1, 0, 3, false)) &&
        !agn_fn_apply(s, y, 2, loop, AGN_ARGS(ag_sum_all(s, in[0]), in[0], ag_cos(s, in[0]))))
        out[0] = ag_add(s, y[0], ag_sum_all(s, ag_exp(s, y[1])));
    agn_fn_release(loop);
    agn_fn_release(f);
    return agn_scope_status(s);
}
FORMULA(left, ag_sum_all(s, ag_exp(s, in[0])))
FORMULA(right, ag_prod(s, in[0], NULL, 0, false))
BODY(branching)
{
    agn_fn *f = whole_fn_in(s, left, NULL, 1, 1), *g = whole_fn_in(s, right, NULL, 1, 1), *c = NULL;
    (void)user;
    if (f && g && !agn_scope_fail(s, agn_fn_cond(&c, f, g)))
        agn_fn_apply(s, out, agn_fn_n_out(c), c,
                     AGN_ARGS(ag_lt(s, ag_sum_all(s, in[0]), ag_lit(s, 0)), ag_sin(s, in[0])));
    agn_fn_release(c);
    agn_fn_release(f);
    agn_fn_release(g);
    return agn_scope_status(s);
}
BODY(transforming) /* |grad g|^2 and an inner Laplacian */
{
    agn_fn *g = whole_fn_in(s, left, NULL, 1, 1), *dg = NULL, *lap = NULL;
    T y = NULL, z[2];
    (void)user;
    if (g && !agn_scope_fail(s, agn_fn_grad(&dg, g, NULL, 0)) &&
        !agn_scope_fail(s, agn_fn_laplacian(&lap, g, 0)) && !agn_fn_apply(s, &y, 1, dg, in,
                                                                          agn_fn_n_in(dg)) &&
        !agn_fn_apply(s, z, 2, lap, AGN_ARGS(ag_sin(s, in[0]))))
        out[0] = ag_add(s, ag_vecdot(s, y, y, -1), z[0]);
    agn_fn_release(lap);
    agn_fn_release(dg);
    agn_fn_release(g);
    return agn_scope_status(s);
}

BODY(plain_trace) /* of one row: trace of the Hessian */
{
    agn_fn *h = NULL;
    T y = NULL;
    if (!agn_scope_fail(s, agn_fn_hessian(&h, user, 0)) && !agn_fn_apply(s, &y, 1, h, in,
                                                                         agn_fn_n_in(h)))
        out[0] = ag_sum_all(s, ag_diagonal(s, y, 0, 0, 1));
    agn_fn_release(h);
    return agn_scope_status(s);
}

static void contents(void)
{
    static const struct {
        const char *name;
        agn_body *body;
    } all[] = {{"a solve", solving},       {"a sort", sorting},     {"a product", products},
               {"products of matrices", attention}, {"ranks", mixed_ranks}, {"a loop", looping},
               {"a branch", branching},    {"transforms", transforming}};
    double at[3] = {0.3, -0.5, 0.8};
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_F64, 1, I64(3), at));
    for (int i = 0; i < COUNT(all); i++) {
        agn_fn *f = whole_fn(all[i].body, NULL, 1, 1), *lap = make(agn_fn_laplacian, f);
        agn_fn *want = whole_fn(plain_trace, f, 1, 1), *b = make(agn_fn_biharmonic, f), *fast;
        agn_fn *lap2 = make(agn_fn_laplacian, lap);
        char name[64];
        snprintf(name, sizeof name, "%s: Laplacian", all[i].name);
        whole_same(want, (const T[]){x}, lap, (const T[]){x}, 0, 1e-12, name);
        agn_tensor *y[2] = {NULL}, *z[2] = {NULL};
        agn_status st = agn_fn_call(y, 2, b, AGN_ARGS(x));
        st = st ? st : agn_fn_call(z, 2, lap2, AGN_ARGS(x));
        double off = st ? 1e300 : modes_apart(y[0], z[0]);
        ok(off < 1e-10, "%s: biharmonic %.1e%s", all[i].name, off, st ? agn_error_message() : "");
        fast = MADE(agn_fn_compile(&made_, b, NULL));
        snprintf(name, sizeof name, "%s: compiled", all[i].name);
        whole_same(b, (const T[]){x}, fast, (const T[]){x}, 0, 1e-11, name);
        for (int k = 0; k < 2; k++)
            agn_release(y[k]), agn_release(z[k]);
        agn_fn_release(fast), agn_fn_release(lap2), agn_fn_release(b);
        agn_fn_release(want), agn_fn_release(lap), agn_fn_release(f);
    }
    agn_release(x);
}

/* ---- fields and directions ----------------------------------------------------------------------- */

/* F = (y z, sin x + z^2, x y^2): divergence 2 z' ... by hand */
BODY(field)
{
    T x = ag_index_axis(s, in[0], -1, 0), y = ag_index_axis(s, in[0], -1, 1),
      z = ag_index_axis(s, in[0], -1, 2);
    (void)user;
    out[0] = ag_stack(s, (const T[]){ag_mul(s, ag_mul(s, x, y), z), ag_add(s, ag_sin(s, y), ag_square(s, z)),
                                     ag_mul(s, x, ag_square(s, z))}, 3, -1);
    return agn_scope_status(s);
}
BODY(plane) /* (x y^2, x^3) */
{
    T x = ag_index_axis(s, in[0], -1, 0), y = ag_index_axis(s, in[0], -1, 1);
    (void)user;
    out[0] = ag_stack(s, (const T[]){ag_mul(s, x, ag_square(s, y)), ag_mul(s, x, ag_square(s, x))}, 2, -1);
    return agn_scope_status(s);
}
FORMULA(identity, ag_add(s, in[0], ag_lit(s, 0)))
BODY(still)
{
    (void)user, (void)in;
    out[0] = ag_lit(s, 1.5);
    return agn_scope_status(s);
}

static void fields(void)
{
    agn_fn *f = whole_fn(field, NULL, 1, 1), *g = whole_fn(plane, NULL, 1, 1), *id = whole_fn(identity, NULL, 1, 1);
    agn_fn *div = make(agn_fn_divergence, f), *curl = make(agn_fn_curl, f), *rot = make(agn_fn_curl, g);
    agn_tensor *p = random_of(AGN_F64, 2, I64(5, 3), -1, 1), *q = random_of(AGN_F64, 2, I64(4, 2), -1, 1);
    agn_tensor *y[2] = {NULL};
    double v[15], at[15], w[15];
    tally t = {0, 0};
    must(agn_to_host(at, p, sizeof at));
    must(agn_fn_call(y, 2, div, AGN_ARGS(p)));
    must(agn_to_host(v, y[0], 5 * sizeof *v));
    for (int i = 0; i < 5; i++) {
        const double *x = at + 3 * i;
        double want = x[1] * x[2] + cos(x[1]) + 2 * x[0] * x[2];
        check(&t, fabs(v[i] - want) < 1e-14, "divergence %g, not %g", v[i], want);
    }
    agn_release(y[0]), agn_release(y[1]);
    must(agn_fn_call(y, 2, curl, AGN_ARGS(p)));
    must(agn_to_host(w, y[0], sizeof w));
    for (int i = 0; i < 5; i++) {
        const double *x = at + 3 * i;
        double want[3] = {-2 * x[2], x[0] * x[1] - x[2] * x[2], -x[0] * x[2]};
        for (int k = 0; k < 3; k++)
            check(&t, fabs(w[3 * i + k] - want[k]) < 1e-14, "curl %g, not %g", w[3 * i + k], want[k]);
    }
    agn_release(y[0]), agn_release(y[1]);
    must(agn_fn_call(y, 2, rot, AGN_ARGS(q)));
    must(agn_to_host(v, y[0], 4 * sizeof *v));
    must(agn_to_host(at, q, 8 * sizeof *at));
    for (int i = 0; i < 4; i++)
        check(&t, fabs(v[i] - (3 * at[2 * i] * at[2 * i] - 2 * at[2 * i] * at[2 * i + 1])) < 1e-14, "plane");
    agn_release(y[0]), agn_release(y[1]);
    agn_fn_release(div);
    div = make(agn_fn_divergence, id); /* one column */
    agn_tensor *one = random_of(AGN_F64, 2, I64(4, 1), -1, 1);
    must(agn_fn_call(y, 2, div, AGN_ARGS(one)));
    must(agn_to_host(v, y[0], 4 * sizeof *v));
    check(&t, v[0] == 1 && v[3] == 1, "one column");
    agn_release(y[0]), agn_release(y[1]), agn_release(one), agn_release(p), agn_release(q);
    tell(&t, "divergence and curl against formulas");
    agn_fn_release(div), agn_fn_release(curl), agn_fn_release(rot);
    agn_fn_release(f), agn_fn_release(g), agn_fn_release(id);
}

/* jets along lanes are those along each lane */
static void directions(void)
{
    enum { R = 3, K = 4 };
    net q = new_net(2, 4, 2, AGN_F64);
    agn_fn *u = whole_fn(network, &q, 1, 1), *one = MADE(agn_fn_jet(&made_, u, K));
    agn_tensor *x = random_of(AGN_F64, 2, I64(3, 2), -1, 1), *zero = NULL;
    tally t = {0, 0};
    must(agn_mul(&zero, x, x));
    for (int lanes = 1; lanes <= R; lanes += R - 1) {
        agn_fn *many = MADE(agn_fn_jets(&made_, u, K));
        agn_tensor *c[K + 1], *y[K + 1] = {NULL}, *z[K + 1] = {NULL}, *d[2] = {NULL};
        c[0] = agn_retain(x);
        for (int k = 1; k <= K; k++)
            c[k] = random_of(AGN_F64, 3, I64(lanes, 3, 2), -1, 1);
        must(agn_fn_call(y, K + 1, many, (const T *)c, K + 1));
        for (int r = 0; r < lanes; r++) {
            T a[K + 1] = {x};
            agn_tensor *l[K + 1];
            for (int k = 1; k <= K; k++) {
                must(agn_index_axis(&l[k], c[k], 0, r));
                a[k] = l[k];
            }
            must(agn_fn_call(z, K + 1, one, a, K + 1));
            for (int k = 0; k <= K; k++) {
                agn_tensor *have = NULL;
                if (k)
                    must(agn_index_axis(&have, y[k], 0, r));
                check(&t, modes_apart(k ? have : y[0], z[k]) < 1e-13, "coefficient %d of lane %d", k, r);
                agn_release(have);
                agn_release(z[k]);
                if (k)
                    agn_release(l[k]);
            }
        }
        /* directional derivatives: curves without curvature */
        agn_fn *dir = MADE(agn_fn_directional(&made_, u, 0, K));
        must(agn_fn_call(d, 2, dir, AGN_ARGS(x, c[1])));
        for (int r = 0; r < lanes; r++) {
            agn_tensor *l = NULL, *have = NULL, *none = NULL, *all[K + 1] = {NULL}, *want = NULL,
                       *f = scalar_of(AGN_F64, 24);
            must(agn_index_axis(&l, c[1], 0, r));
            must(agn_index_axis(&have, d[0], 0, r));
            must(agn_zeros(&none, AGN_F64, 2, I64(3, 2)));
            must(agn_fn_call(all, K + 1, one, AGN_ARGS(x, l, none, none, none)));
            must(agn_mul(&want, all[K], f));
            check(&t, modes_apart(have, want) < 1e-12, "direction %d", r);
            for (int k = 0; k <= K; k++)
                agn_release(all[k]);
            agn_release(l), agn_release(have), agn_release(none), agn_release(want), agn_release(f);
        }
        for (int k = 0; k <= K; k++)
            agn_release(c[k]), agn_release(y[k]);
        agn_release(d[0]), agn_release(d[1]);
        agn_fn_release(dir);
        agn_fn_release(many);
    }
    tell(&t, "jets and derivatives along several directions at once");
    agn_release(x), agn_release(zero);
    agn_fn_release(one), agn_fn_release(u);
    drop_net(&q);
}

/* ---- estimates: the mean within four standard errors ---------------------------------------------- */

enum { ESTIMATES = 400 };

/* rows of in[0] are all the same point; guess takes in[n] and a key */
static void unbiased(const agn_fn *sure, const agn_fn *guess, const T *in, int n, T key, const char *what)
{
    agn_tensor *exact[2] = {NULL}, *y[2] = {NULL}, *again[2] = {NULL};
    double v[ESTIMATES], w[ESTIMATES], mean = 0, spread = 0;
    T with_key[8];
    memcpy(with_key, in, (size_t)n * sizeof *in);
    with_key[n] = key;
    must(agn_fn_call(exact, 2, sure, in, agn_fn_n_in(sure)));
    must(agn_fn_call(y, 2, guess, with_key, agn_fn_n_in(guess)));
    must(agn_fn_call(again, 2, guess, with_key, agn_fn_n_in(guess)));
    must(agn_to_host(v, y[0], sizeof v));
    must(agn_to_host(w, exact[0], sizeof w));
    for (int i = 0; i < ESTIMATES; i++)
        mean += v[i] / ESTIMATES;
    for (int i = 0; i < ESTIMATES; i++)
        spread += (v[i] - mean) * (v[i] - mean) / (ESTIMATES - 1);
    double error = sqrt(spread / ESTIMATES);
    ok(fabs(mean - w[0]) <= 4 * error + 1e-12 && modes_apart(y[0], again[0]) == 0 &&
           modes_apart(y[1], exact[1]) <= 1e-15,
       "%s: %.5g, exactly %.5g, standard error %.2g", what, mean, w[0], error);
    for (int i = 0; i < 2; i++)
        agn_release(y[i]), agn_release(again[i]), agn_release(exact[i]);
}

static void estimates(void)
{
    enum { D = 4 };
    net q = new_net(D, 6, 1, AGN_F64);
    agn_fn *u = whole_fn(network, &q, 1, 1), *f = whole_fn(identity, NULL, 1, 1);
    agn_generator *g = NULL;
    agn_tensor *x0 = random_of(AGN_F64, 2, I64(1, D), -1, 1), *x = NULL, *key = NULL;
    agn_tensor *two = scalar_of(AGN_F64, 2);
    must(agn_generator_new(&g, 7));
    must(agn_broadcast_to(&x, x0, 2, I64(ESTIMATES, D))); /* one point, many directions */
    for (int kind = 0; kind < 8; kind++) {
        bool plate = kind == 3, div = kind > 3;
        static const char *const names[] = {"signs", "normal", "sparse"};
        agn_fn *sure = div     ? make(agn_fn_divergence, f)
                       : plate ? make(agn_fn_biharmonic, u)
                               : make(agn_fn_laplacian, u);
        int law = plate ? 1 : kind % 4, n = kind == 7 ? 1 : 5;
        char what[64];
        if (kind == 7)
            law = 1;
        agn_fn *guess = div    ? MADE(agn_fn_divergence_sampled(&made_, f, 0, n, (agn_directions)law))
                        : plate ? MADE(agn_fn_biharmonic_sampled(&made_, u, 0, n))
                                : MADE(agn_fn_laplacian_sampled(&made_, u, 0, n, (agn_directions)law));
        snprintf(what, sizeof what, "%s by %s directions", div ? "divergence" : plate ? "biharmonic" : "Laplacian",
                 names[law]);
        must(agn_key(&key, g));
        unbiased(sure, guess, (const T[]){x}, 1, key, what);
        agn_release(key);
        agn_fn_release(guess);
        agn_fn_release(sure);
    }
    /* terms of orders 2, 2, 3, 3, 4, 1, 0, of both signs, the last three times a factor */
    const int32_t *alpha = I32(2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 3, 0, 0, 2, 0, 1, 2, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0);
    const double c[] = {1, -2, 0.5, -1, 0.3, 2, 0.7};
    const int32_t factor[] = {-1, -1, -1, -1, 0, 0, 0};
    static const struct {
        int from, to, samples;
        const char *what;
    } some[] = {{0, 7, 5, "an operator"}, {0, 7, 1, "by one direction"}, {0, 2, 5, "of order 2"},
                {2, 4, 5, "of order 3"}, {4, 7, 3, "with a factor"}};
    for (int i = 0; i < COUNT(some); i++) {
        int k = some[i].from, n = some[i].to - k, more = some[i].to > 4;
        agn_fn *sure = MADE(agn_fn_operator(&made_, u, 0, alpha + k * D, n, D, c + k, factor + k));
        agn_fn *guess =
            MADE(agn_fn_operator_sampled(&made_, u, 0, alpha + k * D, n, D, c + k, factor + k,
                                         some[i].samples));
        must(agn_key(&key, g));
        unbiased(sure, guess, (const T[]){x, two}, 1 + more, key, some[i].what);
        agn_release(key);
        agn_fn_release(guess);
        agn_fn_release(sure);
    }
    /* orders 0 and 1, and no term: nothing is drawn */
    for (int n = 0; n <= 2; n += 2) {
        agn_fn *sure = MADE(agn_fn_operator(&made_, u, 0, alpha + 5 * D, n, D, c + 5, NULL));
        agn_fn *same = MADE(agn_fn_operator_sampled(&made_, u, 0, alpha + 5 * D, n, D, c + 5, NULL,
                                                    1));
        agn_tensor *want[2] = {NULL}, *have[2] = {NULL};
        must(agn_key(&key, g));
        must(agn_fn_call(want, 2, sure, AGN_ARGS(x)));
        must(agn_fn_call(have, 2, same, AGN_ARGS(x, key)));
        ok(modes_apart(have[0], want[0]) <= 1e-15, "%d terms of orders 0 and 1 are exact", n);
        agn_release(want[0]), agn_release(want[1]), agn_release(have[0]), agn_release(have[1]), agn_release(key);
        agn_fn_release(sure);
        agn_fn_release(same);
    }
    agn_release(x), agn_release(x0), agn_release(two);
    agn_generator_release(g);
    agn_fn_release(u), agn_fn_release(f);
    drop_net(&q);
}

/* ---- in every mode, and errors ----------------------------------------------------------------------- */

BODY(of_weights) /* sum of squares of the operator's values, of x and the first weights */
{
    T y[2] = {NULL};
    out[0] = agn_fn_apply(s, y, 2, user, in, agn_fn_n_in(user)) ? NULL : ag_sum_all(s, ag_square(s, y[0]));
    return agn_scope_status(s);
}
FORMULA(two_layers, ag_matmul(s, ag_tanh(s, ag_matmul(s, in[0], in[1])), ag_sin(s, in[1])))

static void modes(void)
{
    agn_fn *u = whole_fn(two_layers, NULL, 2, 1), *g[4];
    static const char *const names[] = {"Laplacian", "biharmonic", "operator", "divergence"};
    agn_tensor *x = random_of(AGN_F64, 2, I64(2, 2), -1, 1), *w = random_of(AGN_F64, 2, I64(2, 2), -1, 1);
    g[0] = make(agn_fn_laplacian, u);
    g[1] = make(agn_fn_biharmonic, u);
    g[2] = MADE(agn_fn_operator(&made_, u, 0, I32(1, 1, 0, 1, 3, 0), 3, 2,
                                (const double[]){1, -2, 0.5}, NULL));
    g[3] = make(agn_fn_divergence, u);
    for (int i = 0; i < 4; i++) {
        agn_fn *f = whole_fn(of_weights, g[i], 2, 1);
        whole(f, 2, (const T[]){x, w}, 2e-6, names[i]);
        agn_fn_release(f);
        agn_fn_release(g[i]);
    }
    agn_release(x), agn_release(w);
    agn_fn_release(u);
}

static void makes(void) /* every allocation while they are made, and while they run */
{
    agn_fn *u = whole_fn(two_layers, NULL, 2, 1);
    agn_tensor *x = random_of(AGN_F64, 2, I64(2, 2), -1, 1), *w = random_of(AGN_F64, 2, I64(2, 2), -1, 1);
    agn_tensor *v = random_of(AGN_F64, 3, I64(3, 2, 2), -1, 1), *key = NULL;
    agn_generator *gen = NULL;
    must(agn_generator_new(&gen, 3));
    must(agn_key(&key, gen));
    agn_fn *f[9];
    f[0] = make(agn_fn_curl, u);
    f[1] = MADE(agn_fn_directional(&made_, u, 0, 2));
    f[2] = MADE(agn_fn_jets(&made_, u, 2));
    f[3] = MADE(agn_fn_laplacian_sampled(&made_, u, 0, 2, AGN_DIRECTIONS_SIGNS));
    f[4] = MADE(agn_fn_laplacian_sampled(&made_, u, 0, 2, AGN_DIRECTIONS_SPARSE));
    f[5] = MADE(agn_fn_divergence_sampled(&made_, u, 0, 2, AGN_DIRECTIONS_NORMAL));
    f[6] = MADE(agn_fn_biharmonic_sampled(&made_, u, 0, 2));
    f[7] = MADE(agn_fn_partials(&made_, u, 0, I32(1, 1, 2, 1), 2, 2));
    f[8] = MADE(agn_fn_operator_sampled(&made_, u, 0, I32(1, 1, 3, 0, 1, 0), 3, 2, NULL, NULL, 2));
    const T in[][6] = {{x, w},      {x, w, v},   {x, v, v, w, v, v}, {x, w, key}, {x, w, key},
                       {x, w, key}, {x, w, key}, {x, w},             {x, w, key}};
    for (int i = 0; i < COUNT(f); i++) {
        char name[32];
        snprintf(name, sizeof name, "operator %d", i);
        every_allocation(whole_run, &(whole_call){f[i], in[i]}, name);
        agn_fn_release(f[i]);
    }
    agn_release(x), agn_release(w), agn_release(v), agn_release(key);
    agn_generator_release(gen);
    agn_fn_release(u);
}

static agn_status make_operator(void *user, agn_tensor **out)
{
    agn_fn *f = NULL;
    agn_status st = agn_fn_operator(&f, user, 0, I32(2, 0, 0, 2, 1, 1), 3, 2, NULL, I32(-1, -1, 0));
    agn_fn_release(f);
    f = NULL;
    if (!st)
        st = agn_fn_operator_sampled(&f, user, 0, I32(2, 0, 0, 2, 1, 1), 3, 2, NULL, I32(-1, -1, 0),
                                     2);
    agn_fn_release(f);
    return st ? st : agn_lit(out, 0);
}

static void errors(void)
{
    tally t = {0, 0};
    agn_fn *u = whole_fn(two_layers, NULL, 2, 1), *p = whole_fn(plane, NULL, 1, 1), *c = whole_fn(still, NULL, 1, 1);
    agn_tensor *x = random_of(AGN_F64, 2, I64(2, 2), -1, 1), *whole_number = scalar_of(AGN_I64, 3),
               *v0 = scalar_of(AGN_F64, 1);
    agn_tensor *z = random_of(AGN_C128, 2, I64(2, 2), -1, 1), *x3 = random_of(AGN_F64, 2, I64(2, 3), -1, 1);
    agn_tensor *x4 = random_of(AGN_F64, 2, I64(2, 4), -1, 1), *wide = random_of(AGN_F64, 1, I64(95), -1, 1);
    agn_tensor *v = random_of(AGN_F64, 3, I64(3, 2, 2), -1, 1), *key = NULL, *y[2] = {NULL};
    const T on_whole[3] = {whole_number, x, x}, on_nothing[3] = {v0, x, x};
    static const struct {
        const char *op, *call;
        maker *m;
    } of[] = {{"fn_laplacian", "laplacian", agn_fn_laplacian}, {"fn_biharmonic", "biharmonic", agn_fn_biharmonic},
              {"fn_divergence", "divergence", agn_fn_divergence}, {"fn_curl", "curl", agn_fn_curl}};
    for (int i = 0; i < COUNT(of); i++) {
        NO_FN(AGN_ENULL, of[i].op, "out", NULL, of[i].m(NULL, u, 0));
        NO_FN(AGN_ENULL, of[i].op, "f is", NULL, of[i].m(&out, NULL, 0));
        NO_FN(AGN_EINDEX, of[i].op, "argument 2", "f has 2", of[i].m(&out, u, 2));
        check(&t, no_call(make(of[i].m, u), on_whole, AGN_EDTYPE, of[i].call, "i64"), "dtype");
        check(&t, no_call(make(of[i].m, u), on_nothing, AGN_ESHAPE, of[i].call, "[]"), "columns");
    }
    check(&t, no_call(make(agn_fn_divergence, p), (const T[]){x3}, AGN_ESHAPE, "divergence", "[2,3]"), "axes");
    check(&t, no_call(make(agn_fn_curl, p), (const T[]){x3}, AGN_ESHAPE, "curl", "[2,3]"), "axes");
    check(&t, no_call(make(agn_fn_curl, p), (const T[]){x4}, AGN_ESHAPE, "curl", "2 or 3"), "four columns");
    check(&t, no_call(make(agn_fn_biharmonic, c), (const T[]){wide}, AGN_EUNSUPPORTED, "biharmonic", "95"), "columns");
    NO_FN(AGN_ENULL, "fn_operator", "out", NULL, agn_fn_operator(NULL, u, 0, I32(1), 1, 1, NULL,
                                                                 NULL));
    NO_FN(AGN_ENULL, "fn_operator", "alpha", "1", agn_fn_operator(&out, u, 0, NULL, 1, 1, NULL,
                                                                  NULL));
    NO_FN(AGN_EINDEX, "fn_operator", "argument 3", "2", agn_fn_operator(&out, u, 3, I32(1), 1, 1,
                                                                        NULL, NULL));
    NO_FN(AGN_EINDEX, "fn_operator", "factor -2", "term 0", agn_fn_operator(&out, u, 0, I32(1), 1,
                                                                            1, NULL, I32(-2)));
    NO_FN(AGN_EARG, "fn_operator", "order 11", "column 0", agn_fn_operator(&out, u, 0, I32(11), 1,
                                                                           1, NULL, NULL));
    NO_FN(AGN_EARG, "fn_operator", "0 columns", NULL, agn_fn_operator(&out, u, 0, I32(1), 1, 0,
                                                                      NULL, NULL));
    NO_FN(AGN_EARG, "fn_operator", "finite", "0 of 1",
          agn_fn_operator(&out, u, 0, I32(1), 1, 1, (const double[]){(double)NAN}, NULL));
    int32_t *many = calloc(95 * 190, sizeof *many);
    for (int i = 0; many && i < 95; i++) { /* the square of |x|^2, by its expansion */
        many[i * 95 + i] = 2;
        many[(95 + i) * 95 + i] += 2;
        many[(95 + i) * 95 + (i + 1) % 95] += 2;
    }
    if (many) {
        agn_fn *good = MADE(agn_fn_operator(&made_, c, 0, many, 190, 95, NULL, NULL));
        check(&t, no_call(good, (const T[]){x}, AGN_ESHAPE, "operator", "95 columns"), "columns");
    }
    free(many);
    int32_t *cross = calloc(100 * 10, sizeof *cross);
    double *sum = calloc(10, sizeof *sum);
    for (int i = 0; cross && i < 10; i++) /* one term in ten columns each: 2^10 and more divisors */
        for (int k = 0; k < 10; k++)
            cross[i * 100 + 10 * i + k] = 1;
    if (cross) {
        agn_fn *ten = MADE(agn_fn_operator(&made_, c, 0, cross, 10, 100, NULL, NULL));
        agn_fn_release(ten);
    }
    free(cross), free(sum);
    check(&t,
          no_call(MADE(agn_fn_operator(&made_, u, 0, I32(1, 1), 1, 2, NULL, NULL)), on_nothing,
                  AGN_ESHAPE, "operator", "2 columns"),
          "columns");
    agn_fn *int_op = MADE(agn_fn_operator(&made_, u, 0, I32(1, 1), 1, 2, NULL, NULL));
    agn_tensor *ints = NULL;
    must(agn_cast(&ints, x, AGN_I64));
    check(&t, no_call(int_op, (const T[]){ints, x}, AGN_EDTYPE, "operator", "i64"), "dtype");
    check(&t,
          no_call(MADE(agn_fn_partials(&made_, u, 0, I32(1, 1), 1, 2)), (const T[]){ints, x},
                  AGN_EDTYPE, "partials", "i64"),
          "dtype");
    NO_FN(AGN_EARG, "fn_directional", "0", "10", agn_fn_directional(&out, u, 0, 0));
    NO_FN(AGN_EARG, "fn_directional", "11", "10", agn_fn_directional(&out, u, 0, 11));
    NO_FN(AGN_EINDEX, "fn_directional", "argument -1", "2", agn_fn_directional(&out, u, -1, 1));
    NO_FN(AGN_ENULL, "fn_directional", "f is", NULL, agn_fn_directional(&out, NULL, 0, 1));
    agn_fn *dir = MADE(agn_fn_directional(&made_, u, 0, 1));
    check(&t, no_call(agn_fn_retain(dir), (const T[]){x, x, x}, AGN_ESHAPE, "directional", "[2,2]"), "directions");
    check(&t, no_call(agn_fn_retain(dir), (const T[]){x, x, z}, AGN_EDTYPE, "directional", "c128"), "complex ones");
    check(&t, no_call(dir, on_whole, AGN_EDTYPE, "directional", "i64"), "an integer");
    NO_FN(AGN_EARG, "fn_jets", "order 65", "64", agn_fn_jets(&out, u, 65));
    NO_FN(AGN_ENULL, "fn_jets", "out", NULL, agn_fn_jets(NULL, u, 1));
    agn_fn *jets = MADE(agn_fn_jets(&made_, p, 2));
    check(&t, no_call(agn_fn_retain(jets), (const T[]){x, v, x}, AGN_ESHAPE, "jets", "curves"), "numbers of curves");
    check(&t, no_call(agn_fn_retain(jets), (const T[]){x3, v, v}, AGN_ESHAPE, "jets", "[3,2,2]"), "a shape");
    agn_tensor *zz = random_of(AGN_C128, 3, I64(3, 2, 2), -1, 1);
    check(&t, no_call(jets, (const T[]){x, zz, v}, AGN_EDTYPE, "jets", "c128"), "complex ones");
    agn_release(zz);
    NO_FN(AGN_EARG, "fn_laplacian_sampled", "0 directions", "4096", agn_fn_laplacian_sampled(&out, u, 0, 0, 0));
    NO_FN(AGN_EARG, "fn_laplacian_sampled", "law 3", "2", agn_fn_laplacian_sampled(&out, u, 0, 1, (agn_directions)3));
    NO_FN(AGN_EINDEX, "fn_laplacian_sampled", "argument 2", "2", agn_fn_laplacian_sampled(&out, u, 2, 1, 0));
    NO_FN(AGN_EARG, "fn_biharmonic_sampled", "4097", "4096", agn_fn_biharmonic_sampled(&out, u, 0, 4097));
    NO_FN(AGN_ENULL, "fn_biharmonic_sampled", "f is", NULL, agn_fn_biharmonic_sampled(&out, NULL, 0, 1));
    NO_FN(AGN_EARG, "fn_divergence_sampled", "law 5", "2", agn_fn_divergence_sampled(&out, u, 0, 1, (agn_directions)5));
    NO_FN(AGN_EARG, "fn_operator_sampled", "0 directions", "4096",
          agn_fn_operator_sampled(&out, u, 0, I32(1, 1), 1, 2, NULL, NULL, 0));
    NO_FN(AGN_EARG, "fn_operator_sampled", "order 11", "10",
          agn_fn_operator_sampled(&out, u, 0, I32(11, 0), 1, 2, NULL, NULL, 1));
    NO_FN(AGN_EARG, "fn_operator_sampled", "finite", "1",
          agn_fn_operator_sampled(&out, u, 0, I32(1, 1), 1, 2, &(double){NAN}, NULL, 1));
    NO_FN(AGN_EINDEX, "fn_operator_sampled", "factor -2", "1023",
          agn_fn_operator_sampled(&out, u, 0, I32(1, 1), 1, 2, NULL, I32(-2), 1));
    NO_FN(AGN_EINDEX, "fn_operator_sampled", "argument 2", "2",
          agn_fn_operator_sampled(&out, u, 2, I32(1, 1), 1, 2, NULL, NULL, 1));
    NO_FN(AGN_ENULL, "fn_operator_sampled", "f is", NULL,
          agn_fn_operator_sampled(&out, NULL, 0, I32(1, 1), 1, 2, NULL, NULL, 1));
    int32_t *long_row = calloc(2 << 14, sizeof *long_row); /* two mixed derivatives of order 10 */
    for (int j = 0; j < 10; j++)
        long_row[j] = long_row[(1 << 14) + j + 1] = 1;
    NO_FN(AGN_EUNSUPPORTED, "fn_operator_sampled", "directions", "16384",
          agn_fn_operator_sampled(&out, u, 0, long_row, 2, 1 << 14, NULL, NULL, 1));
    free(long_row);
    agn_generator *gen = NULL;
    must(agn_generator_new(&gen, 3));
    must(agn_key(&key, gen));
    check(&t,
          no_call(MADE(agn_fn_laplacian_sampled(&made_, p, 0, 2, 0)), (const T[]){z, key},
                  AGN_EDTYPE, "laplacian_sampled", "c128"),
          "real");
    agn_fn *terms = MADE(agn_fn_operator_sampled(&made_, p, 0, I32(1, 1), 1, 2, NULL, NULL, 2));
    check(&t, no_call(agn_fn_retain(terms), (const T[]){z, key}, AGN_EDTYPE, "operator_sampled", "c128"), "dtype");
    check(&t, no_call(terms, (const T[]){x3, key}, AGN_ESHAPE, "operator_sampled", "2 columns"), "columns");
    check(&t,
          no_call(MADE(agn_fn_biharmonic_sampled(&made_, p, 0, 2)), (const T[]){whole_number, key},
                  AGN_EDTYPE, "biharmonic_sampled", "i64"),
          "real");
    check(&t,
          no_call(MADE(agn_fn_laplacian_sampled(&made_, p, 0, 2, 0)), (const T[]){v0, key},
                  AGN_ESHAPE, "laplacian_sampled", "[]"),
          "columns");
    check(&t,
          no_call(MADE(agn_fn_divergence_sampled(&made_, p, 0, 2, 0)), (const T[]){x3, key},
                  AGN_ESHAPE, "divergence_sampled", "[2,3]"),
          "axes");
    /* a function that does not depend on its argument */
    agn_fn *lap = make(agn_fn_laplacian, c);
    must(agn_fn_call(y, 2, lap, AGN_ARGS(x)));
    double v1;
    check(&t, !agn_item_f64(&v1, y[0]) && v1 == 0 && !agn_item_f64(&v1, y[1]) && v1 == 1.5, "zeros");
    agn_release(y[0]), agn_release(y[1]);
    agn_fn_release(lap);
    tell(&t, "errors");
    every_allocation(make_operator, u, "making an operator");
    agn_release(ints), agn_release(x), agn_release(whole_number), agn_release(v0), agn_release(z), agn_release(x3);
    agn_release(x4), agn_release(wide), agn_release(v), agn_release(key);
    agn_generator_release(gen);
    agn_fn_release(u), agn_fn_release(p), agn_fn_release(c);
}

int main(void)
{
    laplacians();
    rows_of_the_table();
    operators();
    biharmonics();
    contents();
    fields();
    directions();
    estimates();
    modes();
    makes();
    errors();
    return done();
}
