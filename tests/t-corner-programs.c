/* t-corner-programs.c - random programs at 0, 1, -1, 2, ties and infinities: all modes are finite
   together and then equal, and what is finite is the limit, by differences of an evaluation in
   long double that shares no code with the library. Where the two sides of a point have different
   slopes, a slope does not settle, or a choice is at its boundary, nothing is asked of it.

     t-corner-programs [COUNT [SEED]] */
#include "deriv.h"

#include <agnesi/nn.h>

typedef long double wide;
enum { N = 3, STEPS = 6, VALUES = STEPS + 1 };

/* ---- the ops, twice -------------------------------------------------------------------------- */

typedef T apply_op(agn_scope *s, T a, T b);
typedef void evaluate_op(wide *y, const wide *a, const wide *b);
typedef struct menu {
    const char *name;
    bool binary;
    apply_op *f;
    evaluate_op *g;
} menu;

#define OP(name, tensors, numbers) \
    static T f_##name(agn_scope *s, T a, T b) \
    { \
        (void)b; \
        return tensors; \
    } \
    static void g_##name(wide *y, const wide *a, const wide *b) \
    { \
        (void)b; \
        for (int i = 0; i < N; i++) \
            y[i] = numbers; \
    }
#define LIT(c) ag_lit(s, c)
static T reversed(agn_scope *s)
{
    return ag_cast(s, ag_arange(s, AGN_F64, N - 1, -1, -1), AGN_I64);
}
static wide sorted(const wide *a, int k)
{
    wide v[N];
    for (int i = 0; i < N; i++) {
        int j = i;
        for (; j && v[j - 1] > a[i]; j--)
            v[j] = v[j - 1];
        v[j] = a[i];
    }
    return v[k];
}
static wide prefix(const wide *a, int k)
{
    wide sum = 0;
    for (int i = 0; i <= k; i++)
        sum += a[i];
    return sum;
}
static wide norm(const wide *a)
{
    wide sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * a[i];
    return sqrtl(sum);
}
static wide add_exp(wide a, wide b)
{
    wide top = a > b ? a : b, low = a > b ? b : a;
    return top - low == 0 || isinf(top) ? top + (low == top ? logl(2) : 0)
                                        : top + log1pl(expl(low - top));
}

OP(square_root, ag_sqrt(s, a), sqrtl(a[i]))
OP(squared, ag_square(s, a), a[i] * a[i])
OP(size, ag_abs(s, a), fabsl(a[i]))
OP(exponential, ag_exp(s, a), expl(a[i]))
OP(logarithm, ag_log(s, a), logl(a[i]))
OP(ramp, ag_relu(s, a), a[i] > 0 ? a[i] : a[i] != a[i] ? a[i] : 0)
OP(cosine, ag_cos(s, a), cosl(a[i]))
OP(sine, ag_sin(s, a), sinl(a[i]))
OP(inverse, ag_reciprocal(s, a), 1 / a[i])
OP(cube_root, ag_cbrt(s, a), cbrtl(a[i]))
OP(negative, ag_neg(s, a), -a[i])
OP(hyperbolic, ag_tanh(s, a), tanhl(a[i]))
OP(half_power, ag_pow_c(s, a, 0.5), a[i] < 0 ? (wide)NAN : sqrtl(a[i]))
OP(high_power, ag_pow_c(s, a, 1.5), a[i] < 0 ? (wide)NAN : a[i] * sqrtl(a[i]))
OP(cube, ag_pow_c(s, a, 3), a[i] * a[i] * a[i])
OP(logarithm1, ag_log1p(s, a), log1pl(a[i]))
OP(logistic, ag_sigmoid(s, a), 1 / (1 + expl(-a[i])))
OP(gate, ag_nn_silu(s, a), a[i] < -1e4L ? 0 : a[i] / (1 + expl(-a[i])))
OP(sum, ag_add(s, a, b), a[i] + b[i])
OP(difference, ag_sub(s, a, b), a[i] - b[i])
OP(product, ag_mul(s, a, b), a[i] * b[i])
OP(quotient, ag_div(s, a, b), a[i] / b[i])
OP(larger, ag_maximum(s, a, b), a[i] != a[i] || a[i] >= b[i] ? a[i] : b[i])
OP(smaller, ag_minimum(s, a, b), a[i] != a[i] || a[i] <= b[i] ? a[i] : b[i])
OP(hypotenuse, ag_hypot(s, a, b), hypotl(a[i], b[i]))
OP(power, ag_pow(s, a, b), powl(a[i], b[i]))
OP(angle, ag_atan2(s, a, b), atan2l(a[i], b[i]))
OP(choice, ag_where(s, ag_gt(s, a, LIT(0)), b, a), a[i] > 0 ? b[i] : a[i])
OP(guard, ag_where(s, ag_gt(s, a, LIT(0.5)), b, LIT(1)), a[i] > 0.5L ? b[i] : 1)
OP(exponents, ag_logaddexp(s, a, b), add_exp(a[i], b[i]))
OP(running, ag_cumsum(s, a, 0), prefix(a, i))
OP(order, ag_sort(s, a, 0, false), sorted(a, i))
OP(flipped, ag_gather(s, a, reversed(s), 0), a[N - 1 - i])
OP(length, ag_mul(s, ag_pnorm(s, a, 2, NULL, 0, false), b), norm(a) * b[i])
OP(total, ag_mul(s, ag_prod(s, a, NULL, 0, false), b), a[0] * a[1] * a[2] * b[i])
OP(root_of_squares, ag_add(s, ag_sqrt(s, ag_sum_all(s, ag_square(s, a))), b), norm(a) + b[i])
OP(masked, ag_mul(s, ag_cast(s, ag_gt(s, a, LIT(0)), AGN_F64), b), a[i] > 0 ? b[i] : 0 * b[i])

#define UNARY(name) \
    { \
#name, false, f_##name, g_##name \
    }
#define BINARY(name) \
    { \
#name, true, f_##name, g_##name \
    }
static const menu ops[] = {
    UNARY(square_root), UNARY(squared),    UNARY(size),     UNARY(exponential),
    UNARY(logarithm),   UNARY(ramp),       UNARY(cosine),   UNARY(sine),
    UNARY(inverse),     UNARY(cube_root),  UNARY(negative), UNARY(hyperbolic),
    UNARY(half_power),  UNARY(high_power), UNARY(cube),     UNARY(logarithm1),
    UNARY(logistic),    UNARY(gate),       BINARY(sum),     BINARY(difference),
    BINARY(product),    BINARY(quotient),  BINARY(larger),  BINARY(smaller),
    BINARY(hypotenuse), BINARY(power),     BINARY(angle),   BINARY(choice),
    BINARY(guard),      BINARY(exponents), UNARY(running),  UNARY(order),
    UNARY(flipped),     BINARY(length),    BINARY(total),   BINARY(root_of_squares),
    BINARY(masked),
};
enum { OPS = sizeof ops / sizeof *ops };

/* ---- a program ------------------------------------------------------------------------------- */

typedef struct program {
    int steps, op[STEPS], a[STEPS], b[STEPS];
    double x[N];
} program;

static program draw_program(uint64_t seed)
{
    static const double corner[] = {0, 0, 1, 2, -1, 1, 0.5, 0};
    program p = {.steps = 2};
    deriv_seed = seed;
    p.steps += below(STEPS - 1);
    for (int k = 0; k < p.steps; k++) {
        p.op[k] = below(OPS);
        p.a[k] = below(3) ? k : below(k + 1); /* mostly the last value */
        p.b[k] = below(k + 1);
    }
    for (int i = 0; i < N; i++)
        p.x[i] = corner[below(8)];
    if (!below(16))
        p.x[below(N)] = below(2) ? (double)INFINITY : -(double)INFINITY;
    return p;
}
static void print_program(const program *p)
{
    diag("x = %g %g %g", p->x[0], p->x[1], p->x[2]);
    for (int k = 0; k < p->steps; k++)
        if (ops[p->op[k]].binary)
            diag("v%d = %s(v%d, v%d)", k + 1, ops[p->op[k]].name, p->a[k], p->b[k]);
        else
            diag("v%d = %s(v%d)", k + 1, ops[p->op[k]].name, p->a[k]);
}

static agn_status program_body(void *user, agn_scope *s, const T *in, T *out)
{
    const program *p = user;
    T v[VALUES] = {in[0]};
    for (int k = 0; k < p->steps; k++)
        v[k + 1] = ops[p->op[k]].f(s, v[p->a[k]], v[p->b[k]]);
    out[0] = ag_sum_all(s, v[p->steps]);
    return agn_scope_status(s);
}

/* does a choice between a and b, or by a, turn here? */
static bool turns(evaluate_op *g, const wide *a, const wide *b, int i)
{
    if (g == g_larger || g == g_smaller)
        return a[i] == b[i] || a[i] != a[i] || b[i] != b[i];
    if (g == g_order)
        return a[0] == a[1] || a[1] == a[2] || a[0] == a[2];
    bool zero = g == g_ramp || g == g_choice || g == g_masked, half = g == g_guard;
    return (zero && a[i] == 0) || (half && a[i] == 0.5L) || ((zero || half) && a[i] != a[i]);
}

/* The value. Open: a choice turns, or a derivative is 0 by convention, that of a sum of exponentials
   at -inf or of an angle at (0, 0). */
typedef struct facts {
    bool open;
    wide most; /* of all numbers on the way */
} facts;
static wide evaluate(const program *p, const wide *x, facts *q)
{
    wide v[VALUES][N] = {{0}}, sum = 0;
    for (int i = 0; i < N; i++)
        v[0][i] = x[i];
    for (int k = 0; k < p->steps; k++) {
        const wide *a = v[p->a[k]], *b = v[p->b[k]];
        ops[p->op[k]].g(v[k + 1], a, b);
        for (int i = 0; i < N; i++) {
            q->open |= turns(ops[p->op[k]].g, a, b, i) ||
                       (ops[p->op[k]].g == g_exponents && (isinf(a[i]) || isinf(b[i]))) ||
                       (ops[p->op[k]].g == g_angle && a[i] == 0 && b[i] == 0);
            q->most = fmaxl(q->most, fabsl(v[k + 1][i]));
        }
    }
    for (int i = 0; i < N; i++)
        sum += v[p->steps][i];
    return sum;
}

/* the slope along x_i from one side; NaN where it does not settle */
static wide slope(const program *p, int i, wide sign)
{
    wide d[3], value;
    facts here = {false, 0}, there = {false, 0};
    wide x[N];
    for (int k = 0; k < N; k++)
        x[k] = p->x[k];
    value = evaluate(p, x, &here);
    for (int k = 0; k < 3; k++) {
        wide h = sign * ldexpl(1, -16 - 3 * k);
        x[i] = (wide)p->x[i] + h;
        d[k] = (evaluate(p, x, &there) - value) / h;
        x[i] = p->x[i];
    }
    wide far = fabsl(d[1] - d[0]), near = fabsl(d[2] - d[1]), scale = 1 + fabsl(d[2]);
    bool settled = isfinite(value) && near <= far / 4 + 1e-9L * scale && near <= 1e-3L * scale;
    settled = settled &&
              here.most * 0x1p-62L * 0x1p22L <= 1e-5L * scale; /* rounding of the differences */
    return settled && !here.open ? d[2] : (wide)NAN;
}

/* ---- modes ----------------------------------------------------------------------------------- */

enum { GRAD, JET, FORWARD, REVERSE, LANES, PLANNED, PLANNED_FORWARD, TAPE, MODES };
static const char *const mode_names[] = {"grad",  "a jet",   "forward",         "reverse",
                                         "lanes", "planned", "planned forward", "the tape"};

static bool call(double *to, agn_fn *f, T x, int lanes)
{
    agn_tensor *y = NULL;
    double v[4 * N];
    bool good = f && !agn_fn_call(&y, 1, f, AGN_ARGS(x)) && numbers(v, 4 * N, y) == N * lanes;
    for (int i = 0; good && i < N; i++)
        to[i] = v[i];
    agn_release(y);
    return good;
}

/* along ones: zeros of a user's direction would be numbers */
static bool jets(double *to, const agn_fn *f, T x)
{
    static const double ones[N] = {1, 1, 1};
    agn_fn *jet = NULL;
    agn_tensor *y[2] = {NULL}, *v = vector(N, ones);
    bool good = !agn_fn_jet(&jet, f, 1) && !agn_fn_call(y, 2, jet, AGN_ARGS(x, v));
    to[0] = number(y[1]);
    agn_release(v);
    agn_release(y[0]);
    agn_release(y[1]);
    agn_fn_release(jet);
    return good;
}

static bool by_tape(double *to, const program *p, T x)
{
    agn_tensor *leaf = NULL, *g = NULL;
    agn_scope *s = agn_scope_open(NULL);
    T y = NULL;
    bool good = !agn_watch(&leaf, x) &&
                !program_body((void *)(uintptr_t)p, s, (const T[]){leaf}, &y) &&
                !agn_gradient(&g, &y, 1, (const T[]){leaf}, 1, NULL) && numbers(to, 2 * N, g) == N;
    agn_release(g);
    agn_release(leaf);
    return !agn_scope_close(s) && good;
}

static bool derivatives(const program *p, double d[MODES][2 * N])
{
    agn_fn *f = NULL, *g = NULL, *fwd = NULL, *rev = NULL, *lanes = NULL, *plan = NULL,
           *plan_fwd = NULL;
    agn_tensor *x = vector(N, p->x), *xs = NULL;
    agn_jacobian_options by[2] = {{.size = sizeof *by, .mode = AGN_JACOBIAN_FORWARD},
                                  {.size = sizeof *by, .mode = AGN_JACOBIAN_REVERSE}};
    bool good = !agn_fn_new(&f, program_body, (void *)(uintptr_t)p, NULL, 1, 1) &&
                !agn_fn_grad(&g, f, NULL, 1) &&
                !agn_fn_jacobian_with(&fwd, f, (int32_t[]){0}, 1, &by[0]) &&
                !agn_fn_jacobian_with(&rev, f, (int32_t[]){0}, 1, &by[1]) &&
                !agn_fn_vmap(&lanes, g, NULL, 0, NULL, 0) && !agn_fn_compile(&plan, g, NULL) &&
                !agn_fn_compile(&plan_fwd, fwd, NULL) && !agn_stack(&xs, (const T[]){x, x}, 2, 0);
    good = good && call(d[GRAD], g, x, 1) && call(d[FORWARD], fwd, x, 1) &&
           call(d[REVERSE], rev, x, 1) && jets(d[JET], f, x) && call(d[LANES], lanes, xs, 2) &&
           call(d[PLANNED], plan, x, 1) && call(d[PLANNED_FORWARD], plan_fwd, x, 1) &&
           by_tape(d[TAPE], p, x);
    agn_release(x);
    agn_release(xs);
    agn_fn_release(f);
    agn_fn_release(g);
    agn_fn_release(fwd);
    agn_fn_release(rev);
    agn_fn_release(lanes);
    agn_fn_release(plan);
    agn_fn_release(plan_fwd);
    return good;
}

/* Equal, and finite together; but masks of unit seeds are kept where a partial derivative may be
   singular at finite arguments, so that at an infinity one may be NaN. */
static bool same(double have, double want, double size, bool infinite)
{
    if (isfinite(have) && isfinite(want))
        return fabs(have - want) <= 1e-9 * size;
    return infinite || isfinite(have) == isfinite(want);
}

typedef struct tally {
    int finite, limits, bad;
} tally;

static void try_program(uint64_t seed, tally *t)
{
    program p = draw_program(seed);
    double d[MODES][2 * N] = {{0}};
    bool good = derivatives(&p, d);
    if (!good)
        diag("refused: %s", agn_error_message());
    facts q = {false, 0};
    wide x[N] = {p.x[0], p.x[1], p.x[2]}, value = evaluate(&p, x, &q);
    bool infinite = isinf(p.x[0]) || isinf(p.x[1]) || isinf(p.x[2]) || isinf(q.most);
    double ones = d[GRAD][0] + d[GRAD][1] + d[GRAD][2],
           size = 1 + fabs(d[GRAD][0]) + fabs(d[GRAD][1]) + fabs(d[GRAD][2]);
    if (good && isfinite(value) && !same(d[JET][0], ones, size, infinite)) {
        diag("along ones: grad has %.17g, a jet %.17g", ones, d[JET][0]);
        good = false;
    }
    for (int i = 0; i < N && good && isfinite(value); i++) {
        double have = d[GRAD][i];
        t->finite += isfinite(have);
        for (int m = JET + 1; m < MODES; m++)
            if (!same(d[m][i], have, 1 + fabs(have), infinite)) {
                diag("entry %d: %s has %.17g, %s %.17g", i, mode_names[GRAD], have, mode_names[m],
                     d[m][i]);
                good = false;
            }
        wide up = slope(&p, i, 1), down = slope(&p, i, -1);
        if (!isfinite(have) || !isfinite(up) || !isfinite(down) ||
            fabsl(up - down) > 1e-3L * (1 + fabsl(up)))
            continue;
        t->limits++;
        if (fabsl((wide)have - up) > 1e-2L * (1 + fabsl(up))) {
            diag("entry %d is %.17g, its limit %.17g", i, have, (double)up);
            good = false;
        }
    }
    if (!good) {
        t->bad++;
        diag("seed %llu", (unsigned long long)seed);
        print_program(&p);
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 400;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20261123;
    tally t = {0, 0, 0};
    for (int k = 0; k < count && t.bad < 20; k++)
        try_program(seed + (uint64_t)k, &t);
    ok(t.bad == 0, "%d programs: modes are finite together and equal, what is finite is the limit",
       count);
    ok(t.finite > count / 4 && t.limits > count / 8, "%d finite entries, %d limits", t.finite,
       t.limits);
    return done();
}
