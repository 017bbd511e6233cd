/* t-loops - loops of a plan that carry the same values are one loop: how often its steps run is
   counted, and values, tangents and gradients are those of the loops called one by one. */
#include "tests/control.h"
#include "tests/counted.h"

enum { STEPS = 7, WIDTH = 3, MOST = 8 };

/* ---- steps ---------------------------------------------------------------------------------- */

/* carried: a; slices: x; constants captured by nobody. Gives a slice too. */
static agn_status one(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_tanh(s, ag_add(s, counted(s, in[0]), in[1]));
    out[1] = ag_mul(s, out[0], in[1]);
    return AGN_OK;
}
/* the same beside another value, which comes first, and with other slices of its own */
static agn_status beside(void *u, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)u;
    const agn_tensor *a = ag_tanh(s, ag_add(s, counted(s, in[1]), in[2]));
    out[0] = ag_mul(s, in[0], ag_sin(s, a));
    out[1] = a;
    out[2] = ag_exp(s, in[0]);
    return AGN_OK;
}
/* almost the same: what is carried on differs from the second step */
static agn_status other(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_tanh(s, ag_sub(s, counted(s, in[0]), in[1]));
    out[1] = ag_mul(s, out[0], in[1]);
    return AGN_OK;
}
/* two that begin alike and part, one of them that never looks at its slice */
static agn_status parting(void *u, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    (void)u;
    out[0] = ag_sin(s, ag_add(s, counted(s, in[0]), in[2]));
    out[1] = ag_cos(s, ag_add(s, in[0], in[1]));
    return AGN_OK;
}

static agn_fn *loop_of(agn_body *step, int nc, int n_in, int n_out, int64_t length, bool reverse)
{
    agn_fn *f = NULL, *loop = NULL;
    CHECK(agn_fn_new(&f, step, NULL, NULL, n_in, n_out));
    CHECK(agn_fn_scan(&loop, f, nc, 0, length, reverse));
    agn_fn_release(f);
    return loop;
}

/* ---- programs of two loops: of a [WIDTH] and slices x [STEPS, WIDTH] ------------------------------ */

typedef struct loops {
    agn_fn *f[2];
} loops;

static agn_status apply(agn_fn *f, agn_scope *s, const agn_tensor **y, const agn_tensor *a,
                        const agn_tensor *b, const agn_tensor *c)
{
    return agn_fn_apply(s, y, agn_fn_n_out(f), f, (const agn_tensor *[]){a, b, c}, agn_fn_n_in(f));
}

static agn_status narrow_first(void *u, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    loops *q = u;
    const agn_tensor *y[2], *z[3];
    if (apply(q->f[0], s, y, in[0], in[1], NULL))
        return agn_scope_status(s);
    const agn_tensor *used = ag_square(s, y[0]); /* before the arguments of the other are made */
    if (apply(q->f[1], s, z, ag_exp(s, in[0]), in[0], in[1]))
        return agn_scope_status(s);
    out[0] = ag_add(s, ag_add(s, used, z[0]), z[1]);
    out[1] = ag_add(s, y[1], z[2]);
    return agn_scope_status(s);
}
static agn_status narrow_last(void *u, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    loops *q = u;
    const agn_tensor *y[2], *z[3];
    if (apply(q->f[1], s, z, ag_exp(s, in[0]), in[0], in[1]) ||
        apply(q->f[0], s, y, in[0], in[1], NULL))
        return agn_scope_status(s);
    out[0] = ag_add(s, ag_sub(s, y[0], z[0]), z[1]);
    out[1] = ag_mul(s, y[1], z[2]);
    return agn_scope_status(s);
}
/* the second begins with what the first ends with: nothing to share, whatever begins alike */
static agn_status after(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    loops *q = u;
    const agn_tensor *y[2], *z[3];
    if (apply(q->f[0], s, y, in[0], in[1], NULL) || apply(q->f[1], s, z, y[0], in[0], in[1]))
        return agn_scope_status(s);
    out[0] = ag_add(s, z[0], z[1]);
    out[1] = ag_add(s, y[1], z[2]);
    return agn_scope_status(s);
}
static agn_status two_alike(void *u, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    loops *q = u;
    const agn_tensor *y[2], *z[2];
    if (apply(q->f[0], s, y, in[0], in[1], NULL) || apply(q->f[1], s, z, in[0], in[1], NULL))
        return agn_scope_status(s);
    out[0] = ag_add(s, y[0], ag_square(s, z[0]));
    out[1] = ag_add(s, y[1], ag_square(s, z[1]));
    return agn_scope_status(s);
}
static agn_status alone(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    loops *q = u;
    const agn_tensor *y[2];
    if (apply(q->f[0], s, y, in[0], in[1], NULL))
        return agn_scope_status(s);
    out[0] = ag_sum_all(s, ag_add(s, ag_sum(s, y[1], (int32_t[]){0}, 1, false), y[0]));
    return agn_scope_status(s);
}
/* both carried values begin with a, as do their tangents where a's is a itself */
static agn_status both_begin(void *u, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    loops *q = u;
    const agn_tensor *y[2];
    if (apply(q->f[0], s, y, in[0], in[0], in[1]))
        return agn_scope_status(s);
    out[0] = ag_sum_all(s, ag_mul(s, y[0], y[1]));
    return agn_scope_status(s);
}

/* ---- counting ----------------------------------------------------------------------------------- */

/* f called and planned gives the same; the plan takes so many steps. Takes f. */
static void takes(agn_fn *f, const agn_tensor *const *in, int steps, const char *what)
{
    agn_fn *plan = NULL;
    agn_tensor *a[MOST] = {NULL}, *b[MOST] = {NULL}, *c[MOST] = {NULL};
    double worst = 0;
    CHECK(agn_fn_compile(&plan, f, NULL));
    CHECK(agn_fn_call(a, agn_fn_n_out(f), f, in, agn_fn_n_in(f)));
    CHECK(agn_fn_call(b, agn_fn_n_out(plan), plan, in, agn_fn_n_in(plan)));
    big_ones = 0;
    CHECK(agn_fn_call(c, agn_fn_n_out(plan), plan, in, agn_fn_n_in(plan)));
    ok(big_ones == steps, "%s: %d steps, %d are needed", what, big_ones, steps);
    for (int i = 0; i < agn_fn_n_out(f); i++) {
        double d = distance(b[i], a[i]), e = distance(c[i], b[i]);
        worst = d > worst || d != d ? d : worst;
        worst = e != 0 ? (double)INFINITY : worst;
    }
    ok(worst < 1e-14, "%s: planned as called, to %.1e", what, worst);
    for (int i = 0; i < MOST; i++) {
        agn_release(a[i]);
        agn_release(b[i]);
        agn_release(c[i]);
    }
    agn_fn_release(plan);
    agn_fn_release(f);
}

static agn_fn *program(agn_body *body, loops *q, int n_out)
{
    agn_fn *f = NULL;
    CHECK(agn_fn_new(&f, body, q, NULL, 2, n_out));
    return f;
}

static void test_pairs(const agn_tensor *const *in)
{
    for (int back = 0; back < 2; back++) {
        loops q = {{loop_of(one, 1, 2, 2, STEPS, back), loop_of(beside, 2, 3, 3, STEPS, back)}};
        takes(program(narrow_first, &q, 2), in, STEPS, "a loop and the same beside another value");
        takes(program(narrow_last, &q, 2), in, STEPS, "the same in another order");
        takes(program(after, &q, 2), in, 2 * STEPS, "a loop from where another ends");
        loops r = {{q.f[0], q.f[0]}}, t = {{q.f[0], loop_of(one, 1, 2, 2, STEPS, back)}};
        takes(program(two_alike, &r, 2), in, STEPS, "a loop twice");
        takes(program(two_alike, &t, 2), in, STEPS, "a loop and its twin");
        loops v = {{q.f[0], loop_of(other, 1, 2, 2, STEPS, back)}},
              w = {{q.f[0], loop_of(one, 1, 2, 2, STEPS, !back)}};
        takes(program(two_alike, &v, 2), in, 2 * STEPS, "loops that part at the first step");
        takes(program(two_alike, &w, 2), in, 2 * STEPS, "loops in opposite directions");
        agn_fn *all[] = {q.f[0], q.f[1], t.f[1], v.f[1], w.f[1]};
        for (int i = 0; i < 5; i++)
            agn_fn_release(all[i]);
    }
}

/* ---- derivatives --------------------------------------------------------------------------------- */

static void test_derivatives(const agn_tensor *const *in)
{
    static const int32_t both[] = {0, 1};
    const agn_tensor *with[] = {in[0], in[1], in[0], in[1]};
    const agn_tensor *curve[] = {in[0], in[0], in[0], in[0], in[1], in[1], in[1], in[1]};
    loops q = {{loop_of(one, 1, 2, 2, STEPS, false), NULL}},
          r = {{loop_of(parting, 2, 3, 2, STEPS, false), NULL}};
    agn_body *bodies[] = {alone, both_begin};
    loops *users[] = {&q, &r};
    for (int k = 0; k < 2; k++) {
        agn_fn *f = program(bodies[k], users[k], 1), *d = NULL, *dd = NULL;
        takes(agn_fn_retain(f), in, STEPS, "values");
        CHECK(agn_fn_jvp(&d, f));
        takes(agn_fn_retain(d), with, STEPS, "tangents");
        agn_fn_release(d);
        CHECK(agn_fn_jet(&d, f, 3));
        takes(d, curve, STEPS, "coefficients to order 3");
        CHECK(agn_fn_value_and_grad(&d, f, both, 2));
        takes(agn_fn_retain(d), in, STEPS, "a value and its gradient");
        CHECK(agn_fn_jvp(&dd, d));
        takes(dd, with, STEPS, "tangents of a gradient");
        agn_fn_release(d);
        CHECK(agn_check_grads(NULL, f, in, 2, NULL));
        agn_fn_release(f);
    }
    agn_fn_release(q.f[0]);
    agn_fn_release(r.f[0]);
}

/* ---- loops that stop by a value ------------------------------------------------------------------ */

static agn_status grow(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u;
    out[0] = ag_add(s, counted(s, in[0]), ag_square(s, in[1]));
    return AGN_OK;
}
static agn_status small(void *u, agn_scope *s, const agn_tensor *const *in, const agn_tensor **out)
{
    (void)u, (void)in;
    out[0] = ag_lt(s, ag_sum_all(s, in[0]), ag_lit(s, 9));
    return AGN_OK;
}
static agn_status open_loop(void *loop, agn_scope *s, const agn_tensor *const *in,
                            const agn_tensor **out)
{
    const agn_tensor *y[2];
    if (!apply(loop, s, y, in[0], in[1], NULL))
        out[0] = ag_sum_all(s, ag_square(s, y[0]));
    return agn_scope_status(s);
}
static void test_open(void)
{
    agn_tensor *a = vec(WIDTH, (double[]){0.1, 0.2, 0.3}), *b = vec(WIDTH, (double[]){0.8, 1, 1.1});
    const agn_tensor *in[] = {a, b, a, b};
    agn_fn *c = NULL, *step = NULL, *loop = NULL, *f = NULL, *d = NULL;
    CHECK(agn_fn_new(&c, small, NULL, NULL, 2, 1));
    CHECK(agn_fn_new(&step, grow, NULL, NULL, 2, 1));
    CHECK(agn_fn_while(&loop, c, step, NULL));
    CHECK(agn_fn_new(&f, open_loop, loop, NULL, 2, 1));
    big_ones = 0;
    agn_tensor *y = NULL;
    CHECK(agn_fn_call(&y, 1, f, in, 2));
    int steps = big_ones;
    ok(steps > 1 && steps < 9, "a loop that stops after %d steps", steps);
    CHECK(agn_fn_jvp(&d, f));
    takes(d, in, steps, "its tangents");
    CHECK(agn_fn_jet(&d, f, 1));
    takes(d, (const agn_tensor *[]){a, a, b, b}, steps, "its coefficients");
    agn_fn *all[] = {c, step, loop, f};
    for (int i = 0; i < 4; i++)
        agn_fn_release(all[i]);
    agn_release(y);
    agn_release(a);
    agn_release(b);
}

/* ---- coefficients that are 0 by chance ------------------------------------------------------- */

static agn_status squares_step(void *u, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    (void)u;
    out[0] = in[0];
    out[1] = ag_square(s, in[1]);
    return AGN_OK;
}
/* sum of (tanh x + 1/2)^2, by a loop where one is given */
static agn_status squares(void *u, agn_scope *s, const agn_tensor *const *in,
                          const agn_tensor **out)
{
    const agn_tensor *y = ag_add_c(s, ag_tanh(s, in[0]), 0.5), *r[2] = {NULL};
    if (u)
        agn_fn_apply(s, r, 2, u, AGN_ARGS(y, y));
    else
        r[1] = ag_square(s, y);
    out[0] = ag_sum_all(s, r[1]);
    return AGN_OK;
}
/* The second coefficient of tanh is 0 at 0, and its derivative is not: the tangent of a jet takes
   it through the loop. */
static void test_zero_coefficients(void)
{
    static const double xs[] = {-0.5, 0, 0.25}, as[] = {0.18, 0.91, 0.64}, bs[] = {-0.87, 0.73, -0.86};
    agn_tensor *x = vec(WIDTH, xs), *a = vec(WIDTH, as), *b = vec(WIDTH, bs),
               *z = vec(WIDTH, (double[]){0, 0, 0}), *y[2][6] = {{NULL}};
    double want = 0; /* of the second coefficient g' x2 + g'' x1^2 / 2, where x2 is 0 and moves by a */
    for (int i = 0; i < WIDTH; i++) {
        double u = tanh(xs[i]), s = 1 - u * u, slope = (2 * u + 1) * s;
        double third = -16 * u * s * s + 8 * u * u * u * s - 2 * s * s + 4 * u * u * s;
        want += slope * as[i] + third / 2 * bs[i] * as[i] * as[i];
    }
    agn_fn *step = NULL, *loop = NULL;
    CHECK(agn_fn_new(&step, squares_step, NULL, NULL, 2, 2));
    CHECK(agn_fn_scan(&loop, step, 1, 0, WIDTH, false));
    for (int k = 0; k < 2; k++) {
        agn_fn *f = NULL, *jet = NULL, *tangent = NULL;
        CHECK(agn_fn_new(&f, squares, k ? loop : NULL, NULL, 1, 1));
        CHECK(agn_fn_jet(&jet, f, 2));
        CHECK(agn_fn_jvp(&tangent, jet));
        CHECK(agn_fn_call(y[k], 6, tangent, AGN_ARGS(x, a, z, b, z, a)));
        agn_fn_release(f);
        agn_fn_release(jet);
        agn_fn_release(tangent);
    }
    for (int o = 0; o < 6; o++) {
        double line = *(const double *)agn_data(y[0][o]), looped = *(const double *)agn_data(y[1][o]);
        ok(fabs(line - looped) < 1e-13, "tangent of a jet through a loop: %.15g, in line %.15g", looped,
           line);
        if (o == 5)
            ok(fabs(line - want) < 1e-13, "which is %.15g, %.15g by hand", line, want);
    }
    for (int o = 0; o < 12; o++)
        agn_release(y[o / 6][o % 6]);
    agn_fn_release(loop);
    agn_fn_release(step);
    agn_release(x), agn_release(a), agn_release(b), agn_release(z);
}

int main(void)
{
    double v[STEPS * WIDTH];
    for (int i = 0; i < STEPS * WIDTH; i++)
        v[i] = sin(1.0 + i) / 2;
    agn_tensor *a = vec(WIDTH, (double[]){0.3, -0.2, 0.7}), *x = NULL;
    CHECK(agn_from_host(&x, AGN_F64, 2, (int64_t[]){STEPS, WIDTH}, v));
    const agn_tensor *in[] = {a, x};
    CHECK(agn_op_register(&counter));
    test_pairs(in);
    test_derivatives(in);
    test_open();
    test_zero_coefficients();
    agn_release(a);
    agn_release(x);
    int64_t blocks = 0;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks <= 8, "all is released: %lld blocks are alive", (long long)blocks);
    return done();
}
