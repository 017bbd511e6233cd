/* t-custom - derivatives given by the user: each alone and together, missing ones
   derived or refused by name, lanes, many arguments, and how long the user's data
   lives. */
#include "tests/control.h"
#include <stddef.h>

static int freed, jets;
static void count_free(void *u)
{
    (void)u;
    freed++;
}

/* x exp(y) */
static agn_status body(void *u, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[0], ag_exp(s, in[1]));
    return AGN_OK;
}
static agn_status body_jvp(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u; /* x, y, z, x', y' */
    out[0] = ag_add(s, ag_mul(s, in[3], ag_exp(s, in[1])), ag_mul(s, in[2], in[4]));
    return AGN_OK;
}
static agn_status body_vjp(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u; /* x, y, z, g */
    out[0] = ag_mul(s, in[3], ag_exp(s, in[1]));
    out[1] = ag_mul(s, in[3], in[2]);
    return AGN_OK;
}
/* e = exp(y): k e_k = sum j y_j e_(k-j); z_k = sum x_j e_(k-j) */
static agn_status body_jet(void *u, agn_scope *s, int32_t K,
                           const agn_tensor *const *in, const agn_tensor **out)
{
    const agn_tensor *e[65], *const *x = in, *const *y = in + K + 1;
    (void)u;
    jets++;
    e[0] = ag_exp(s, y[0]);
    for (int k = 1; k <= K; k++) {
        e[k] = NULL;
        for (int j = 1; j <= k; j++) {
            const agn_tensor *t = ag_mul_c(s, ag_mul(s, y[j], e[k - j]), (double)j / k);
            e[k] = e[k] ? ag_add(s, e[k], t) : t;
        }
    }
    for (int k = 1; k <= K; k++) {
        out[k - 1] = ag_mul(s, x[0], e[k]);
        for (int j = 1; j <= k; j++)
            out[k - 1] = ag_add(s, out[k - 1], ag_mul(s, x[j], e[k - j]));
    }
    return AGN_OK;
}

static void test_modes(void)
{
    agn_fn *f = NULL;
    agn_tensor *x = num(0.7), *y = num(-0.4);
    const agn_tensor *in[2] = {x, y};
    CHECK(agn_fn_new(&f, body, NULL, NULL, 2, 1));
    for (int given = 1; given < 8; given++) {
        agn_custom_rule r = {.size = sizeof r, .destroy = count_free};
        agn_fn *c = NULL, *v = NULL;
        char name[48];
        r.jvp = given & 1 ? body_jvp : NULL;
        r.vjp = given & 2 ? body_vjp : NULL;
        r.jet = given & 4 ? body_jet : NULL;
        snprintf(name, sizeof name, "given%s%s%s", given & 1 ? " jvp" : "",
                 given & 2 ? " vjp" : "", given & 4 ? " jet" : "");
        CHECK(agn_fn_custom(&c, f, &r));
        freed = jets = 0;
        same_in_all_modes(c, f, in, 2, 0, name);
        same_in_all_modes(c, f, in, 2, 1, name);
        ok((jets > 0) == (given >= 4),
           "%s: coefficients are the user's where they are given", name);
        /* lanes of lanes, then coefficients */
        agn_fn *w = NULL, *j = NULL, *vf = NULL, *wf = NULL, *jf = NULL;
        CHECK(agn_fn_vmap(&v, c, (int32_t[]){0, AGN_UNBATCHED}, 2, NULL, 0));
        CHECK(agn_fn_vmap(&w, v, (int32_t[]){AGN_UNBATCHED, 0}, 2, NULL, 0));
        CHECK(agn_fn_jet(&j, w, 3));
        CHECK(agn_fn_vmap(&vf, f, (int32_t[]){0, AGN_UNBATCHED}, 2, NULL, 0));
        CHECK(agn_fn_vmap(&wf, vf, (int32_t[]){AGN_UNBATCHED, 0}, 2, NULL, 0));
        CHECK(agn_fn_jet(&jf, wf, 3));
        agn_tensor *xs = vec(3, (double[]){0.1, 0.2, 0.3}),
                   *ys = vec(2, (double[]){-1, 1});
        same(j, jf, (const agn_tensor *[]){xs, xs, xs, xs, ys, ys, ys, ys}, name);
        agn_fn *all[] = {v, w, j, vf, wf, jf};
        for (int i = 0; i < 6; i++)
            agn_fn_release(all[i]);
        agn_release(xs);
        agn_release(ys);
        ok(!freed, "the user's data lives as long as the function");
        agn_fn_release(c);
        ok(freed == 1, "and is freed once");
    }
    agn_fn_release(f);
    agn_release(x);
    agn_release(y);
}

/* ---- a recorded call outlives the function --------------------------------------- */

static agn_status scaled_vjp(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    out[0] = ag_mul_c(s, in[2], *(double *)user);
    return AGN_OK;
}
static agn_status same_one(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_copy(s, in[0]);
    return AGN_OK;
}
static void wipe(void *user)
{
    freed++;
    *(double *)user = NAN;
}

static void test_life(void)
{
    double factor = 5, v = 0;
    agn_custom_rule r = {
        .size = sizeof r, .user = &factor, .destroy = wipe, .vjp = scaled_vjp};
    agn_fn *f = NULL, *c = NULL;
    agn_tensor *x = num(2), *w = NULL, *y = NULL, *g = NULL;
    freed = 0;
    CHECK(agn_watch(&w, x));
    CHECK(agn_fn_new(&f, same_one, NULL, NULL, 1, 1));
    CHECK(agn_fn_custom(&c, f, &r));
    CHECK(agn_fn_call(&y, 1, c, AGN_ARGS(w)));
    agn_fn_release(c);
    agn_fn_release(f);
    ok(!freed, "a recorded call keeps the rules");
    CHECK(agn_gradient(&g, (const agn_tensor *[]){y}, 1, (const agn_tensor *[]){w}, 1,
                       NULL));
    CHECK(agn_item_f64(&v, g));
    ok(v == 5, "and uses them: %g", v);
    agn_tensor *all[] = {x, w, y, g};
    for (int i = 0; i < 4; i++)
        agn_release(all[i]);
    ok(freed == 1, "then they go");
}

/* ---- many arguments -------------------------------------------------------------- */

enum { MANY = 70 };
static agn_status sum_of_squares(void *u, agn_scope *s, const agn_tensor *const *in,
                                 const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[0], in[0]);
    for (int i = 1; i < MANY; i++)
        out[0] = ag_add(s, out[0], ag_mul_c(s, ag_mul(s, in[i], in[i]), i + 1));
    return AGN_OK;
}
static agn_status many_jvp(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul_c(s, ag_mul(s, in[0], in[MANY + 1]), 2);
    for (int i = 1; i < MANY; i++)
        out[0] = ag_add(s, out[0],
                        ag_mul_c(s, ag_mul(s, in[i], in[MANY + 1 + i]), 2 * i + 2));
    return AGN_OK;
}
static agn_status many_vjp(void *u, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    (void)u;
    for (int i = 0; i < MANY; i++)
        out[i] = ag_mul_c(s, ag_mul(s, in[i], in[MANY + 1]), 2 * i + 2);
    return AGN_OK;
}

static void test_many(void)
{
    agn_fn *f = NULL, *c = NULL;
    const agn_tensor *in[2 * MANY];
    agn_tensor *x[MANY], *y[2 * MANY];
    int32_t all[MANY];
    for (int i = 0; i < MANY; i++) {
        in[i] = in[MANY + i] = x[i] = num(0.1 * i - 1);
        all[i] = i;
    }
    agn_tensor *zero = num(0);
    CHECK(agn_fn_new(&f, sum_of_squares, NULL, NULL, MANY, 1));
    for (int forward = 0; forward < 2; forward++) {
        agn_custom_rule r = {
            .size = offsetof(agn_custom_rule, jet)}; /* as before there was jet */
        agn_fn *g = NULL, *j = NULL, *v = NULL;
        *(forward ? &r.jvp : &r.vjp) = forward ? many_jvp : many_vjp;
        memset(&r.jet, 1, sizeof r.jet); /* beyond that size: not looked at */
        CHECK(agn_fn_custom(&c, f, &r));
        CHECK(agn_fn_grad(&g, c, all, MANY));
        CHECK(agn_fn_jvp(&j, c));
        CHECK(agn_fn_call(y, agn_fn_n_out(g), g, in, agn_fn_n_in(g)));
        double worst = 0, want = 0, have = 0, value = 0;
        for (int i = 0; i < MANY; i++) {
            CHECK(agn_item_f64(&have, y[i]));
            worst = fmax(worst, fabs(have - (2 * i + 2) * (0.1 * i - 1)));
            want += (2 * i + 2) * (0.1 * i - 1) * (0.1 * i - 1);
            agn_release(y[i]);
        }
        ok(worst < 1e-12, "%d arguments, %s given: gradient", MANY,
           forward ? "jvp" : "vjp");
        CHECK(agn_fn_call(y, agn_fn_n_out(j), j, in, agn_fn_n_in(j)));
        CHECK(agn_item_f64(&value, y[0]));
        CHECK(agn_item_f64(&have, y[1]));
        ok(fabs(have - want) < 1e-9 && fabs(2 * value - want) < 1e-9, "and tangent");
        agn_release(y[0]);
        agn_release(y[1]);
        agn_fn *k = NULL;
        const agn_tensor *c2[3 * MANY]; /* along x + t x: coefficients 2 f, f */
        for (int i = 0; i < MANY; i++) {
            c2[3 * i] = c2[3 * i + 1] = in[i];
            c2[3 * i + 2] = zero;
        }
        CHECK(agn_fn_jet(&k, c, 2));
        CHECK(agn_fn_call(y, agn_fn_n_out(k), k, c2, agn_fn_n_in(k)));
        double first = 0, second = 0;
        CHECK(agn_item_f64(&first, y[1]));
        CHECK(agn_item_f64(&second, y[2]));
        ok(fabs(first - want) < 1e-9 && fabs(second - want / 2) < 1e-9,
           "and coefficients");
        for (int i = 0; i < 3; i++)
            agn_release(y[i]);
        agn_fn_release(k);
        agn_tensor *rows[MANY];
        const agn_tensor *lanes[MANY];
        for (int i = 0; i < MANY; i++) {
            CHECK(agn_full(&rows[i], AGN_F64, 1, (int64_t[]){2}, 0.1 * i - 1));
            lanes[i] = rows[i];
        }
        CHECK(agn_fn_vmap(&v, g, NULL, 0, NULL, 0));
        CHECK(agn_fn_call(y, agn_fn_n_out(v), v, lanes, agn_fn_n_in(v)));
        double pair[2];
        CHECK(agn_to_host(pair, y[MANY - 1], sizeof pair));
        ok(fabs(pair[1] - 2 * MANY * (0.1 * (MANY - 1) - 1)) < 1e-9, "and lanes");
        for (int i = 0; i < MANY; i++) {
            agn_release(y[i]);
            agn_release(rows[i]);
        }
        agn_fn *fs[] = {c, g, j, v};
        for (int i = 0; i < 4; i++)
            agn_fn_release(fs[i]);
    }
    agn_fn_release(f);
    agn_release(zero);
    for (int i = 0; i < MANY; i++)
        agn_release(x[i]);
}

/* ---- what cannot be derived ------------------------------------------------------ */

static agn_status squared_seed(void *u, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)u;
    out[0] = ag_mul(s, in[2], in[2]);
    return AGN_OK;
}
/* affine: zero seeds do not give zero; the second one does not look at its seed */
static agn_status shifted_seed(void *u, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)u;
    out[0] = ag_add_c(s, in[2], 1);
    return AGN_OK;
}
static agn_status no_seed(void *u, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[0];
    return AGN_OK;
}
/* fails, and says nothing */
static agn_status silent(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u, (void)in, (void)out;
    return agn_scope_fail(s, AGN_ENOCONV);
}
static agn_status linear_seed(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    (void)u; /* linear in every way that there is */
    const agn_tensor *g = ag_div(s, ag_neg(s, in[2]), ag_lit(s, 2));
    g = ag_where(s, ag_gt(s, in[0], ag_lit(s, 0)), g, ag_mul_c(s, g, 3));
    g = ag_sum_all(s,
                   ag_stack(s, (const agn_tensor *[]){g, ag_mul(s, g, in[1])}, 2, 0));
    out[0] = ag_sub(s, ag_cast(s, ag_cast(s, g, AGN_F64), AGN_F64),
                    ag_mul(s, in[0], g));
    return AGN_OK;
}
static agn_status deep_seed(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    (void)u, (void)s;
    out[0] = in[2];
    return AGN_OK;
}
static agn_status wrong_jet(void *u, agn_scope *s, int32_t K,
                            const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    for (int k = 0; k < K; k++)
        out[k] = ag_stack(s, (const agn_tensor *[]){in[0], in[0]}, 2, 0);
    return AGN_OK;
}

static void test_refused(void)
{
    agn_fn *f = NULL, *c = NULL, *d = NULL;
    agn_tensor *x = num(0.5), *y[3] = {NULL, NULL, NULL};
    const agn_tensor *in[3] = {x, x, x};
    CHECK(agn_fn_new(&f, same_one, NULL, NULL, 1, 1));
    agn_body *const bent[] = {squared_seed, shifted_seed, no_seed};
    for (int k = 0; k < 12; k++) {
        bool forward = k % 2, planned = k / 2 % 2;
        agn_custom_rule r = {.size = sizeof r};
        *(forward ? &r.jvp : &r.vjp) = bent[k / 4];
        CHECK(agn_fn_custom(&c, f, &r));
        CHECK(forward ? agn_fn_grad(&d, c, NULL, 0) : agn_fn_jvp(&d, c));
        if (planned && bent[k / 4] != no_seed) { /* of an argument without a value nobody can tell */
            agn_fn *g = d;
            CHECK(agn_fn_compile(&d, g, NULL));
            agn_fn_release(g);
        }
        agn_status st = agn_fn_call(y, agn_fn_n_out(d), d, in, agn_fn_n_in(d));
        ok(st == AGN_EUNSUPPORTED && !y[0] &&
               strstr(agn_error_message(),
                      forward ? "custom: reverse mode" : "custom: forward mode") &&
               strstr(agn_error_message(), "not linear"),
           "rule %d: %s", k / 4, agn_error_message());
        agn_fn_release(c);
        agn_fn_release(d);
    }
    for (int forward = 0; forward < 2; forward++) {
        agn_custom_rule r = {.size = sizeof r};
        *(forward ? &r.jvp : &r.vjp) = silent;
        CHECK(agn_fn_custom(&c, f, &r));
        CHECK(forward ? agn_fn_jvp(&d, c) : agn_fn_grad(&d, c, NULL, 0));
        ok(agn_matmul(&y[0], x, x) &&
               agn_fn_call(y, agn_fn_n_out(d), d, in, agn_fn_n_in(d)) == AGN_ENOCONV && !y[0] &&
               strstr(agn_error_message(), "no reason") && strstr(agn_error_message(), "AGN_ENOCONV"),
           "a rule that fails without a word: %s", agn_error_message());
        agn_fn_release(c);
        agn_fn_release(d);
        *(forward ? &r.jvp : &r.vjp) = linear_seed;
        CHECK(agn_fn_custom(&c, f, &r));
        CHECK(forward ? agn_fn_grad(&d, c, NULL, 0) : agn_fn_jvp(&d, c));
        agn_status st = agn_fn_call(y, agn_fn_n_out(d), d, in, agn_fn_n_in(d));
        double v = 0;
        CHECK(agn_item_f64(&v, y[!forward]));
        ok(!st && v == -0.5 * 1.5 * 0.5 * (forward ? 1 : 0.5),
           "what is linear is transposed: %g", v);
        agn_release(y[0]);
        agn_release(y[1]);
        y[0] = y[1] = NULL;
        agn_fn_release(c);
        agn_fn_release(d);
    }
    agn_custom_rule r = {.size = sizeof r, .jvp = deep_seed, .jet = wrong_jet};
    CHECK(agn_fn_custom(&c, f, &r));
    CHECK(agn_fn_jet(&d, c, 2));
    ok(agn_fn_call(y, agn_fn_n_out(d), d, in, agn_fn_n_in(d)) == AGN_ESHAPE && !y[0] &&
           strstr(agn_error_message(), "coefficient") &&
           strstr(agn_error_message(), "[2]"),
       "a coefficient of another shape: %s", agn_error_message());
    agn_fn_release(c);
    agn_fn_release(d);
    agn_fn_release(f);
    agn_release(x);
}

/* ---- a rule whose values are used again and again ---------------------------------------- */

enum { TIMES = 16 };
/* x' as 3 x' / 4 + x' / 4, of that the same: as a tree 2^TIMES leaves */
static agn_status shared_jvp(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const agn_tensor *t = in[2]; /* x, y, x' */
    (void)u;
    for (int k = 0; k < TIMES; k++)
        t = ag_add(s, ag_mul_c(s, t, 0.75), ag_mul_c(s, t, 0.25));
    out[0] = ag_mul(s, ag_mul_c(s, in[0], 2), t);
    return agn_scope_status(s);
}
static agn_status square(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_square(s, in[0]);
    return agn_scope_status(s);
}
static void test_shared(void)
{
    agn_fn *f = NULL, *c = NULL, *d = NULL;
    agn_tensor *x = num(0.5), *one = num(1), *zero = num(0), *y[4] = {NULL};
    const agn_tensor *in[4] = {x, one, zero, zero};
    agn_custom_rule r = {.size = sizeof r, .jvp = shared_jvp};
    CHECK(agn_fn_new(&f, square, NULL, NULL, 1, 1));
    CHECK(agn_fn_custom(&c, f, &r));
    CHECK(agn_fn_jet(&d, c, 3));
    int64_t before = agn_memory_count();
    CHECK(agn_fn_call(y, 4, d, in, 4));
    int64_t made = agn_memory_count() - before;
    double v[4] = {0};
    for (int k = 0; k < 4; k++) {
        CHECK(agn_item_f64(&v[k], y[k]));
        agn_release(y[k]);
    }
    ok(v[0] == 0.25 && v[1] == 1 && v[2] == 1 && v[3] == 0, "coefficients: %g %g %g %g", v[0], v[1], v[2],
       v[3]);
    ok(made < 400 * TIMES, "each application of a rule is one series: %lld allocations", (long long)made);
    agn_fn_release(f);
    agn_fn_release(c);
    agn_fn_release(d);
    agn_release(x);
    agn_release(one);
    agn_release(zero);
}

int main(void)
{
    test_modes();
    test_shared();
    test_life();
    test_many();
    test_refused();
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
