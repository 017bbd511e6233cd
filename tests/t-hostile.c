/* tests/t-hostile.c - what no user would write: every op with random operands and
 * attributes, alone and in random programs under every transform.
 *
 *     tests/t-hostile [SECONDS [SEED [each [program]]]]
 *
 * The law: a call succeeds with the shape it says, or fails with its results untouched and
 * a message that begins with the name of an op; nothing crashes, nothing stays alive. A
 * compiled or mapped program gives what the plain one gives. A round is repeated from its
 * seed alone: tests/t-hostile 0 SEED runs that one,
 * any third argument shows the seeds and a fourth the programs.
 */
#include "hostile.h"

#include <agnesi/ag.h>

#include <float.h>
#include <math.h>

enum { MOST = 12 };

/* ---- one op ----------------------------------------------------------------------------- */

typedef struct step {
    const char *op;
    int n_in, n_out, n_int, n_real;
    int arg[MOST];
    int64_t ints[24];
    double reals[4];
} step;

/* is the result a draw, or a constant of its own under other transforms? */
static bool draws(const char *op)
{
    agn_op_info info = {.size = sizeof info};
    for (int32_t id = 0; id < agn_op_count(); id++)
        if (!strcmp(agn_op_name(id), op))
            return !agn_op_describe(&info, id) &&
                   (!strcmp(info.kind, "random") || strstr(op, "_path"));
    return false;
}

static void choose_step(step *q, int n_values)
{
    agn_op_info info = {.size = sizeof info};
    memset(q, 0, sizeof *q);
    do
        if (agn_op_describe(&info, below(agn_op_count())))
            fault("failed", "op_describe");
    while (!strcmp(info.kind, "control") && !one_in(20));
    q->op = info.name;
    q->n_in = info.n_in < 0 || one_in(100) ? below(MOST) : info.n_in;
    q->n_out = info.n_out < 0 || one_in(100) ? below(5) : info.n_out;
    for (int i = 0; i < q->n_in; i++)
        q->arg[i] = one_in(3) ? n_values - 1 : below(n_values);
    bool row = !strcmp(info.kind, "element-wise");
    q->n_int = row && !one_in(10) ? 0 : one_in(30) ? below(24) : below(8);
    q->n_real = row || one_in(2) ? 0 : below(4);
    for (int i = 0; i < q->n_int; i++)
        q->ints[i] = one_in(2) ? below(3) : integer();
    if (!strcmp(info.name, "cast"))
        q->ints[0] = below(AGN_NDTYPES);
    for (int i = 0; i < q->n_real; i++)
        q->reals[i] = real();
}

static agn_status take(const step *q, agn_tensor **out, const agn_tensor *const *val)
{
    const agn_tensor *in[MOST];
    for (int i = 0; i < q->n_in; i++)
        in[i] = val[q->arg[i]];
    return agn_op_apply(out, q->n_out, q->op, in, q->n_in, q->n_int ? q->ints : NULL, q->n_int,
                        q->n_real ? q->reals : NULL, q->n_real);
}

static void one_op(void)
{
    agn_tensor *x[MOST], *y[8];
    step q;
    int dtype = one_in(3) ? -1 : below(AGN_NDTYPES);
    for (int i = 0; i < MOST; i++)
        x[i] = one_in(60) ? NULL : operand(dtype);
    for (int k = 0; k < 12; k++) {
        choose_step(&q, MOST);
        for (int o = 0; o < 8; o++)
            y[o] = (agn_tensor *)(void *)&q;
        forget();
        agn_status st = take(&q, y, (const agn_tensor *const *)x);
        judge(st, q.op);
        for (int o = 0; o < 8; o++)
            if (!st && o < q.n_out) {
                judge_result(y[o], q.op);
                agn_release(y[o]);
            } else if (y[o] != (agn_tensor *)(void *)&q) {
                fault("wrote a result it did not give", q.op);
            }
    }
    for (int i = 0; i < MOST; i++)
        agn_release(x[i]);
}

/* ---- random programs ------------------------------------------------------------------------ */

enum { ARGS = 2, STEPS = 6, VALUES = 32 };

typedef struct recipe {
    int n;
    bool random, cut;
    step s[STEPS];
} recipe;

static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const recipe *r = user;
    const agn_tensor *val[VALUES] = {in[0], in[1]};
    int n = ARGS;
    for (int k = 0; k < r->n && !agn_scope_status(s); k++) {
        agn_tensor *y[8] = {NULL};
        agn_status st = take(&r->s[k], y, val);
        for (int o = 0; o < r->s[k].n_out; o++)
            val[n++] = agn_scope_adopt(s, st, &y[o]);
    }
    out[0] = val[n - 1];
    return agn_scope_status(s);
}

/* of few elements; the axes of an empty tensor may be of any size */
static bool modest(const agn_tensor *y)
{
    return agn_numel(y) <= 512 && agn_ndim(y) <= 8;
}

static bool coarse; /* some operand has less than 53 bits */

/* Has op a branch cut, where the sign of a zero chooses the side? Plans do not keep that sign
   (graph/passes/rules/simplify.c), so values on the cut are not compared. */
static bool has_cut(const char *op, const agn_tensor *y)
{
    static const char *const all[] = {"sqrt", "log",   "asin",  "acos", "atan",
                                      "pow",  "asinh", "acosh", "atanh"};
    bool some = false;
    for (int i = 0; i < 9; i++)
        some |= !strcmp(op, all[i]);
    return !strcmp(op, "atan2") ||
           (some && (agn_dtype_of(y) == AGN_C64 || agn_dtype_of(y) == AGN_C128));
}

/* a program that works on x, made by trying */
static void cook(recipe *r, agn_tensor *const *x, int steps)
{
    const agn_tensor *val[VALUES] = {x[0], x[1]};
    int n = ARGS;
    r->n = 0;
    r->random = r->cut = false;
    for (int k = 0; k < 40 * steps && r->n < steps; k++) {
        step *q = &r->s[r->n];
        choose_step(q, n);
        agn_tensor *y[8] = {NULL};
        if (q->n_out > 4 || take(q, y, val))
            continue;
        bool small = true;
        for (int o = 0; o < q->n_out; o++)
            small = small && modest(y[o]);
        for (int o = 0; o < q->n_out; o++)
            if (small)
                val[n++] = y[o];
            else
                agn_release(y[o]);
        if (!small)
            continue;
        coarse |= !strcmp(q->op, "cast");
        r->cut |= has_cut(q->op, y[0]);
        r->random |= draws(q->op);
        r->n++;
    }
    for (int i = ARGS; i < n; i++)
        agn_release((agn_tensor *)(uintptr_t)val[i]);
}

/* same shape and dtype; *close: and elements that differ little beside scale */
static bool alike(const agn_tensor *a, const agn_tensor *b, double scale, bool *close)
{
    *close = true;
    if (agn_ndim(a) != agn_ndim(b) || agn_dtype_of(a) != agn_dtype_of(b))
        return false;
    for (int i = 0; i < agn_ndim(a); i++)
        if (agn_shape(a)[i] != agn_shape(b)[i])
            return false;
    if (agn_numel(a) > ROOM)
        return true;
    static double p[2 * ROOM], q[2 * ROOM];
    agn_tensor *u = NULL, *v = NULL;
    size_t n = (size_t)agn_numel(a);
    if (agn_cast(&u, a, AGN_C128) || agn_cast(&v, b, AGN_C128) || agn_to_host(p, u, 16 * n) ||
        agn_to_host(q, v, 16 * n))
        fault("cannot be read as c128", "cast");
    agn_release(u);
    agn_release(v);
    double tol = coarse ? 3e-5 : 1e-9;
    for (size_t i = 0; i < 2 * n; i++)
        if (isfinite(p[i]) && isfinite(q[i]) && !(fabs(p[i] - q[i]) <= tol * (1 + scale)))
            *close = false;
    return true;
}

/* the largest finite number of a, for what cancels */
static double largest(const agn_tensor *a, double m)
{
    static double p[2 * ROOM];
    agn_tensor *u = NULL;
    if (agn_numel(a) <= ROOM && !agn_cast(&u, a, AGN_C128) && !agn_to_host(p, u, 16 * (size_t)agn_numel(a)))
        for (int64_t i = 0; i < 2 * agn_numel(a); i++)
            if (isfinite(p[i]) && fabs(p[i]) > m)
                m = fabs(p[i]);
    agn_release(u);
    return m;
}

static void show(const recipe *r, agn_tensor *const *x)
{
    for (int i = 0; i < ARGS; i++) {
        char t[300];
        if (!agn_format(t, sizeof t, NULL, x[i]))
            diag("  x%d = %s of %d axes: %s", i, agn_dtype_name(agn_dtype_of(x[i])),
                 agn_ndim(x[i]), t);
    }
    for (int k = 0; k < r->n; k++) {
        char t[400];
        int len = snprintf(t, sizeof t, "%s(", r->s[k].op);
        for (int i = 0; i < r->s[k].n_in; i++)
            len += snprintf(t + len, sizeof t - (size_t)len, " v%d", r->s[k].arg[i]);
        for (int i = 0; i < r->s[k].n_int; i++)
            len += snprintf(t + len, sizeof t - (size_t)len, " %" PRId64, r->s[k].ints[i]);
        for (int i = 0; i < r->s[k].n_real; i++)
            len += snprintf(t + len, sizeof t - (size_t)len, " %g", r->s[k].reals[i]);
        diag("  %s ) gives %d", t, r->s[k].n_out);
    }
}

static void show_both(int o, const agn_tensor *plain, const agn_tensor *other)
{
    char t[300], u[300];
    if (!agn_format(t, sizeof t, NULL, plain) && !agn_format(u, sizeof u, NULL, other))
        diag("  result %d: plain %s, now %s", o, t, u);
}

/* f on in[]; out[] are new references or all NULL */
static agn_status call(const char *of, const agn_fn *f, agn_tensor **out,
                       const agn_tensor *const *in)
{
    int n = agn_fn_n_out(f);
    for (int o = 0; o < n; o++)
        out[o] = (agn_tensor *)(void *)&round_seed;
    forget();
    agn_status st = agn_fn_call(out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    judge(st, of);
    for (int o = 0; o < n; o++)
        if (!st) {
            judge_result(out[o], of);
        } else {
            if (out[o] != (agn_tensor *)(void *)&round_seed)
                fault("wrote a result it did not give", of);
            out[o] = NULL;
        }
    return st;
}

static void drop(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(x[i]);
        x[i] = NULL;
    }
}

/* x with every number moved by some units in the last place, away from 0 or towards it; or x */
static agn_tensor *move_operand(const agn_tensor *x, double units)
{
    static double v[2 * ROOM];
    agn_dtype dtype = agn_dtype_of(x);
    agn_tensor *wide = NULL, *moved = NULL, *y = NULL;
    size_t n = (size_t)agn_numel(x);
    double eps = dtype == AGN_F64 || dtype == AGN_C128  ? DBL_EPSILON
                 : dtype == AGN_F32 || dtype == AGN_C64 ? (double)FLT_EPSILON
                 : dtype == AGN_F16                     ? 1.0 / 1024
                                                        : 1.0 / 128;
    bool inexact = dtype == AGN_F64 || dtype == AGN_C128 || dtype == AGN_F32 || dtype == AGN_C64 ||
                   dtype == AGN_F16 || dtype == AGN_BF16;
    if (inexact && n <= ROOM && !agn_cast(&wide, x, AGN_C128) && !agn_to_host(v, wide, 16 * n)) {
        for (size_t i = 0; i < 2 * n; i++) {
            double by = v[i] * eps * units;
            v[i] += v[i] != 0 && by == 0 ? copysign(5e-324, v[i] * units) : by;
        }
        if (agn_from_host(&moved, AGN_C128, agn_ndim(x), agn_shape(x), v) ||
            agn_cast(&y, moved, dtype))
            fault("cannot be made", "from_host");
    }
    agn_release(wide);
    agn_release(moved);
    return y ? y : agn_retain((agn_tensor *)(uintptr_t)x);
}

/* Do neighbours of in[] change result o of f as much as b differs from its value a? Second
   derivatives may cancel to nothing but rounding (slopes of 1 / (a + b) for b = 60 a, a = 1e-30),
   and numbers below DBL_MIN have few bits: there no order of operations is right. Both sides must
   say so, for a jump of a choice has one side only; 0 stays 0. */
static bool is_rounding(const agn_fn *f, const agn_tensor *const *in, int o, const agn_tensor *a,
                        const agn_tensor *b, double scale)
{
    enum { SIDES = 2, UNITS = 3 };
    static double p[2 * ROOM], q[2 * ROOM], w[2 * ROOM], spread[SIDES][2 * ROOM];
    agn_tensor *wide[2] = {NULL}, *near[8] = {NULL}, *y[8] = {NULL}, *c = NULL;
    size_t n = (size_t)agn_numel(a);
    bool fine = n <= ROOM && !agn_cast(&wide[0], a, AGN_C128) &&
                !agn_cast(&wide[1], b, AGN_C128) && !agn_to_host(p, wide[0], 16 * n) &&
                !agn_to_host(q, wide[1], 16 * n);
    memset(spread, 0, sizeof spread);
    for (int k = 0; fine && k < SIDES * UNITS; k++) {
        for (int i = 0; i < agn_fn_n_in(f); i++)
            near[i] = move_operand(in[i], k % SIDES ? -1 - k / SIDES : 1 + k / SIDES);
        if (!agn_fn_call(y, agn_fn_n_out(f), f, (const agn_tensor *const *)near, agn_fn_n_in(f)) &&
            agn_numel(y[o]) == agn_numel(a) && !agn_cast(&c, y[o], AGN_C128) &&
            !agn_to_host(w, c, 16 * n))
            for (size_t i = 0; i < 2 * n; i++)
                if (!(fabs(w[i] - p[i]) <= spread[k % SIDES][i]))
                    spread[k % SIDES][i] = isfinite(w[i]) ? fabs(w[i] - p[i]) : (double)INFINITY;
        drop(y, 8);
        drop(near, 8);
        drop(&c, 1);
    }
    for (size_t i = 0; fine && i < 2 * n; i++)
        if (isfinite(p[i]) && isfinite(q[i]))
            fine = fabs(p[i] - q[i]) <= (coarse ? 3e-5 : 1e-9) * (1 + scale) +
                                            8 * fmin(spread[0][i], spread[1][i]);
    drop(wide, 2);
    return fine;
}

/* f and compiled f agree on in[] */
static void compare_compiled(const char *of, const agn_fn *f, const agn_tensor *const *in,
                             const recipe *r, agn_tensor *const *x)
{
    agn_tensor *a[8] = {NULL}, *b[8] = {NULL};
    agn_fn *g = NULL;
    int n = agn_fn_n_out(f);
    agn_status st = call(of, f, a, in);
    if (agn_fn_compile(&g, f, NULL)) {
        fault("cannot be compiled", of);
    } else {
        for (int again = 0; again < 2; again++) { /* a plan is made, then used */
            agn_status tt = call(of, g, b, in);
            if (!st != !tt) {
                fault(st ? "works compiled alone" : "fails compiled", of);
                show(r, x);
            }
            bool close;
            double scale = 0;
            for (int o = 0; !st && o < n; o++)
                scale = largest(a[o], scale);
            for (int o = 0; !st && !tt && o < n; o++)
                if (!alike(a[o], b[o], scale, &close)) {
                    fault("has another shape compiled", of);
                    show(r, x);
                } else if (!close && !r->random && !r->cut &&
                           !is_rounding(f, in, o, a[o], b[o], scale)) {
                    fault("has another value compiled", of);
                    show(r, x);
                    show_both(o, a[o], b[o]);
                }
            drop(b, n);
        }
    }
    drop(a, n);
    agn_fn_release(g);
}

static void taped(const agn_fn *f, agn_tensor *const *x)
{
    agn_tensor *w[ARGS] = {NULL}, *y = NULL, *g[ARGS] = {NULL};
    if (agn_watch(&w[0], x[0]) || agn_watch(&w[1], x[1]))
        fault("failed", "watch");
    else if (!call("watched", f, &y, (const agn_tensor *const *)w)) {
        forget();
        agn_status st = agn_gradient(g, (const agn_tensor *const *)&y, 1,
                                     (const agn_tensor *const *)w, ARGS, NULL);
        judge(st, "gradient");
        for (int i = 0; i < ARGS; i++) {
            if (st ? g[i] != NULL : g[i] == NULL)
                fault("results do not fit the status", "gradient");
            else if (!st)
                judge_result(g[i], "gradient");
            bool close;
            if (!st && agn_ndim(g[i]) != agn_ndim(x[i]))
                fault("a gradient of another rank", "gradient");
            else if (!st && !alike(g[i], g[i], 0, &close))
                fault("unlike itself", "gradient");
        }
    }
    drop(g, ARGS);
    drop(w, ARGS);
    agn_release(y);
}

static void mapped(const agn_fn *f, agn_tensor *const *x, const recipe *r)
{
    agn_tensor *lane[ARGS] = {NULL}, *b[ARGS] = {NULL}, *y[2] = {NULL}, *z = NULL, *part = NULL;
    agn_fn *g = NULL;
    int32_t axes[ARGS] = {0, 0};
    int which = below(3); /* the first, the second or both have lanes */
    bool fine = true;
    for (int i = 0; i < ARGS; i++) {
        if (agn_copy(&lane[i], x[i]))
            fault("failed", "copy");
        const agn_tensor *two[2] = {x[i], lane[i]};
        if (which == i || which == 2) {
            agn_tensor *flat = NULL;
            if (agn_dtype_of(x[i]) > AGN_U8 && !agn_neg(&flat, x[i])) {
                agn_release(lane[i]);
                lane[i] = flat;
                two[1] = flat;
            }
            if (agn_stack(&b[i], two, 2, 0))
                fine = false;
        } else {
            b[i] = agn_retain(x[i]);
            axes[i] = AGN_UNBATCHED;
        }
    }
    if (fine && agn_fn_vmap(&g, f, axes, agn_fn_n_in(f), NULL, 0))
        fault("failed", "fn_vmap");
    if (g) {
        agn_status s0 = call("plain", f, &y[0], (const agn_tensor *const *)x);
        agn_status s1 = call("plain", f, &y[1], (const agn_tensor *const *)lane);
        agn_status sb = call("vmap", g, &z, (const agn_tensor *const *)b);
        /* beside an axis of lanes no more than 31 others are possible */
        bool possible = agn_ndim(x[0]) < 32 && agn_ndim(x[1]) < 32;
        if (!s0 && !s1 && sb && possible) {
            fault("fails where each lane works", "vmap");
            show(r, x);
        }
        for (int k = 0; k < 2 && !s0 && !s1 && !sb; k++) {
            bool close = true;
            if (agn_index_axis(&part, z, 0, k))
                fault("failed", "index");
            else if (!alike(y[k], part, largest(y[k], 0), &close) || (!close && !r->random)) {
                fault(close ? "has another shape than the lane" : "has another value than the lane",
                      "vmap");
                show(r, x);
            }
            agn_release(part);
            part = NULL;
        }
        drop(y, 2);
        agn_release(z);
        compare_compiled("compiled vmap", g, (const agn_tensor *const *)b, r, x);
    }
    agn_fn_release(g);
    drop(lane, ARGS);
    drop(b, ARGS);
}

/* r on x, plain, compiled, mapped and under derivatives */
static void judge_program(recipe *r, agn_tensor *const *x)
{
    agn_fn *f = NULL, *g = NULL, *h = NULL;
    if (agn_fn_new(&f, body, r, NULL, ARGS, 1)) {
        fault("failed", "fn_new");
    } else {
        compare_compiled("compiled", f, (const agn_tensor *const *)x, r, x);
        taped(f, x);
        if (!literal)
            mapped(f, x, r);
        const agn_tensor *in[8] = {x[0], x[1], x[0], x[1], x[0], x[1]};
        if (agn_fn_jvp(&g, f))
            fault("failed", "fn_jvp");
        else
            compare_compiled("jvp", g, in, r, x);
        agn_fn_release(g);
        g = NULL;
        const agn_tensor *c[8] = {x[0], x[0], x[0], x[1], x[1], x[1]};
        if (agn_fn_jet(&g, f, 2))
            fault("failed", "fn_jet");
        else
            compare_compiled("jet", g, c, r, x);
        agn_fn_release(g);
        g = NULL;
        agn_tensor *y = NULL;
        if (!call("plain", f, &y, (const agn_tensor *const *)x)) {
            const agn_tensor *v[8] = {x[0], x[1], y};
            if (agn_fn_vjp(&g, f) || agn_fn_jvp(&h, g)) {
                fault("failed", "fn_vjp");
            } else {
                compare_compiled("vjp", g, v, r, x);
                v[3] = x[0], v[4] = x[1], v[5] = y;
                compare_compiled("jvp of vjp", h, v, r, x);
            }
        }
        agn_release(y);
        agn_fn_release(g);
        agn_fn_release(h);
    }
    agn_fn_release(f);
}

static void one_program(void)
{
    recipe r;
    agn_tensor *x[ARGS] = {NULL};
    int dtype = one_in(3) ? -1 : one_in(2) ? AGN_F64 : below(AGN_NDTYPES);
    literal = false;
    x[0] = operand(dtype);
    x[1] = operand(dtype);
    coarse = false;
    for (int i = 0; i < ARGS; i++)
        coarse |= agn_dtype_of(x[i]) != AGN_F64 && agn_dtype_of(x[i]) != AGN_C128;
    cook(&r, x, 1 + below(STEPS));
    if (verbose)
        show(&r, x);
    judge_program(&r, x);
    drop(x, ARGS);
}

/* ---- rounds ------------------------------------------------------------------------------------ */

static void one_round(void)
{
    choose_base();
    if (one_in(2))
        one_op();
    else
        one_program();
}

/* ---- what was once found ------------------------------------------------------------------------- */

static agn_status twice(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    out[0] = ag_add(s, in[0], ag_add(s, in[0], in[1]));
    return agn_scope_status(s);
}
static agn_status captures(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    out[0] = ag_mul(s, ag_add(s, in[0], user), user);
    return agn_scope_status(s);
}

/* f of x and y, compiled and called twice, gives v */
static void gives(agn_fn *f, const agn_tensor *const *in, double v, const char *what)
{
    agn_fn *g = NULL;
    agn_tensor *y = NULL;
    double have = 0;
    bool good = !agn_fn_compile(&g, f, NULL);
    for (int again = 0; good && again < 2; again++) {
        good = !agn_fn_call(&y, 1, g, in, agn_fn_n_in(g)) && !agn_item_f64(&have, y) && have == v;
        agn_release(y);
        y = NULL;
    }
    ok(good, "%s is %g: %s", what, v, good ? "" : agn_error_message());
    agn_fn_release(g);
    agn_fn_release(f);
}

/* programs that plan and plain call answered differently: factors without a rule whose values only
   a truth value reads, second derivatives that cancel, steps below DBL_MIN */
static void once_found_programs(void)
{
    static const struct {
        double x[ARGS];
        recipe r;
    } found[] = {
        {{-0.5, 3},
         {3, false, false,
          {{"linalg_geqrf", 1, 2, 0, 0, {1}, {0}, {0}},
           {"logical_xor", 2, 1, 0, 0, {3, 3}, {0}, {0}},
           {"sub", 2, 1, 0, 0, {4, 1}, {0}, {0}}}}},
        {{1e-30, 0.5},
         {3, false, false,
          {{"deg2rad", 1, 1, 0, 0, {0}, {0}, {0}},
           {"atanh", 1, 1, 0, 0, {2}, {0}, {0}},
           {"beta_d", 3, 1, 0, 0, {0, 3, 3}, {0}, {0}}}}},
        {{5e-324, 0.5},
         {3, false, false,
          {{"cosh", 1, 1, 0, 0, {0}, {0}, {0}},
           {"erf", 1, 1, 0, 0, {0}, {0}, {0}},
           {"cbrt", 1, 1, 0, 0, {3}, {0}, {0}}}}},
    };
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        recipe r = found[k].r;
        agn_tensor *x[ARGS] = {NULL};
        int before = faults;
        choose_base();
        for (int i = 0; i < ARGS; i++)
            if (agn_full(&x[i], AGN_F64, 2, (const int64_t[]){1, 1}, found[k].x[i]))
                bail_out("%s", agn_error_message());
        judge_program(&r, x);
        ok(faults == before, "%s .. %s is one answer in all modes", r.s[0].op, r.s[r.n - 1].op);
        drop(x, ARGS);
    }
}

static void once_found(void)
{
    agn_tensor *x = NULL, *y = NULL, *none = (agn_tensor *)(void *)&x;
    agn_fn *f = NULL, *g = (agn_fn *)(void *)&x;
    int64_t axis = -1;
    if (agn_full(&x, AGN_F64, 0, NULL, 3) || agn_full(&y, AGN_F64, 0, NULL, 0.5))
        bail_out("%s", agn_error_message());
    ok(agn_op_apply(&none, 1, "concat", NULL, 0, &axis, 1, NULL, 0) == AGN_EARG &&
           none == (agn_tensor *)(void *)&x && strstr(agn_error_message(), "concat: got 0"),
       "no tensors are not joined by name: %s", agn_error_message());
    ok(agn_concat(&none, (const agn_tensor *[]){x}, 0, 0) == AGN_EARG &&
           none == (agn_tensor *)(void *)&x,
       "nor by the public function: %s", agn_error_message());
    if (agn_fn_new(&f, captures, y, NULL, 1, 1))
        bail_out("%s", agn_error_message());
    gives(f, (const agn_tensor *[]){x}, 1.75, "a compiled function with a captured number");
    if (agn_fn_new(&f, twice, NULL, NULL, 2, 1))
        bail_out("%s", agn_error_message());
    gives(f, (const agn_tensor *[]){x, y}, 6.5, "x + (x + y), compiled,");
    ok(agn_fn_new(&g, twice, NULL, NULL, INT32_MAX, 1) == AGN_EARG &&
           g == (agn_fn *)(void *)&x && strstr(agn_error_message(), "2147483647 arguments"),
       "2^31 - 1 arguments: %s", agn_error_message());
    f = NULL; /* as many as there can be: a transform with more has none */
    for (int n = INT32_MAX / 2; n > 0 && agn_fn_new(&f, twice, NULL, NULL, n, 1); n /= 2)
        ;
    ok(f && agn_fn_jvp(&g, f) == AGN_EARG && g == (agn_fn *)(void *)&x,
       "%d arguments and their tangents: %s", agn_fn_n_in(f), agn_error_message());
    agn_fn_release(f);
    f = NULL;
    for (int n = INT32_MAX / 2; n > 0 && agn_fn_new(&f, twice, NULL, NULL, n, n); n /= 2)
        ;
    ok(f && agn_fn_vjp(&g, f) == AGN_EARG && g == (agn_fn *)(void *)&x,
       "%d arguments and as many cotangents: %s", agn_fn_n_in(f), agn_error_message());
    agn_fn_release(f);
    agn_release(x);
    agn_release(y);
}

int main(int argc, char **argv)
{
    once_found();
    once_found_programs();
    return hostile_main(argc, argv, one_round);
}
