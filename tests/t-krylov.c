/* tests/t-krylov.c - iterative solvers against dense ones: methods, preconditioners, dtypes, several
   right-hand sides, hard systems, and derivatives to order 3. */
#include "whole.h"

static const int dtypes[] = {AGN_F32, AGN_F64, AGN_C64, AGN_C128};
enum { PLAIN, DEFINITE, INDEFINITE, KINDS };

static bool is_complex(int dtype)
{
    return kind_of(dtype) == KIND_COMPLEX;
}
static double loose(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 2e-4 : 1e-8;
}

/* random sparse entries beside a heavy diagonal; self-adjoint but for PLAIN */
static agn_tensor *matrix(int dtype, int64_t n, int kind)
{
    size_t one = agn_dtype_size(dtype);
    char *v = room_for((size_t)(n * n + 1) * one);
    agn_tensor *x = NULL;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double re = rnd_in(-1, 1), im = is_complex(dtype) ? rnd_in(-1, 1) : 0;
            bool there = i == j || rnd_below(4) == 0 || j == i - 1;
            if (i == j) {
                re = kind == INDEFINITE && i % 2 ? -4 - (double)(i % 5) : 4 + (double)(i % 5);
                im = kind == PLAIN && is_complex(dtype) ? 1 : 0;
            }
            double scale = i == j ? 1 : 4.0 / (double)n;
            poke(v + (size_t)(i * n + j) * one, dtype, there * scale * re, there * scale * im);
            if (i != j)
                poke(v + (size_t)(j * n + i) * one, dtype, there * scale * re * (kind == PLAIN ? 0.3 : 1),
                     -there * scale * im);
        }
    must(agn_from_host(&x, dtype, 2, I64(n, n), v));
    free(v);
    return x;
}

static agn_krylov_options with(int method, int precondition)
{
    return (agn_krylov_options){.size = sizeof(agn_krylov_options),
                                .method = method,
                                .precondition = precondition};
}
static agn_krylov_info no_info(void)
{
    return (agn_krylov_info){.size = sizeof(agn_krylov_info)};
}

/* ---- values -------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int method, kind;
} rows[] = {
    {"gmres", AGN_KRYLOV_GMRES, PLAIN},       {"gmres", AGN_KRYLOV_GMRES, INDEFINITE},
    {"cg", AGN_KRYLOV_CG, DEFINITE},          {"minres", AGN_KRYLOV_MINRES, DEFINITE},
    {"minres", AGN_KRYLOV_MINRES, INDEFINITE}, {"bicgstab", AGN_KRYLOV_BICGSTAB, PLAIN},
    {"lsqr", AGN_KRYLOV_LSQR, PLAIN},         {"lsmr", AGN_KRYLOV_LSMR, PLAIN},
};

static void methods(void)
{
    static const int64_t sizes[] = {1, 2, 7, 40};
    for (int r = 0; r < COUNT(rows); r++) {
        tally q = {0, 0};
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int k = 0; k < COUNT(sizes); k++)
                for (int p = 0; p <= AGN_PRECONDITION_IC0; p++) {
                    int64_t n = sizes[k];
                    bool least = rows[r].method >= AGN_KRYLOV_LSQR;
                    if (p && (least || (p == AGN_PRECONDITION_IC0) != (rows[r].kind == DEFINITE) ||
                              (rows[r].method == AGN_KRYLOV_MINRES && rows[r].kind == INDEFINITE)))
                        continue;
                    agn_krylov_options o = with(rows[r].method, p);
                    agn_krylov_info info = no_info();
                    o.block = 3;
                    agn_tensor *a = matrix(dtypes[d], n, rows[r].kind), *sp = NULL, *x = NULL,
                               *y = NULL, *z = NULL;
                    agn_tensor *b = random_of(dtypes[d], 2, I64(n, 3), -1, 1);
                    must(agn_sparse_from_dense(&sp, a));
                    must(agn_linalg_solve(&z, a, b));
                    agn_status st = agn_krylov_solve(&x, &info, sp, b, NULL, &o);
                    if (!st)
                        st = agn_krylov_solve(&y, NULL, a, b, NULL, &o);
                    check(&q, !st, "%s %d: %s", agn_dtype_name(dtypes[d]), (int)n,
                          st ? agn_error_message() : "");
                    double e = st ? 0 : fmax(modes_apart(x, z), modes_apart(y, z));
                    check(&q, e < loose(dtypes[d]), "%s n %d precondition %d: apart %.1e",
                          agn_dtype_name(dtypes[d]), (int)n, p, e);
                    check(&q,
                          (info.reason == AGN_KRYLOV_CONVERGED ||
                           (least && info.reason == AGN_KRYLOV_LEAST)) &&
                              info.method == rows[r].method && info.iterations > 0 &&
                              info.products >= info.iterations,
                          "info: reason %d, %d iterations", info.reason, (int)info.iterations);
                    agn_tensor *drop[] = {a, sp, x, y, z, b};
                    for (int i = 0; i < COUNT(drop); i++)
                        agn_release(drop[i]);
                }
        tell(&q, "%s, kind %d: dtypes, sizes, preconditioners, columns, sparse and dense",
             rows[r].name, rows[r].kind);
    }
}

/* elements [from, to) along an axis */
static T cut(agn_scope *s, T x, int axis, int64_t from, int64_t to)
{
    const int64_t start[2] = {axis ? 0 : from, axis ? from : 0};
    const int64_t stop[2] = {axis ? AGN_END : to, axis ? to : AGN_END};
    return ag_slice(s, x, 2, start, stop, NULL);
}

/* tall, wide, damped, of low rank: against formulas made of dense ops */
static void rectangles(void)
{
    tally q = {0, 0};
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int c = 0; c < 10; c++) {
            int dt = dtypes[d], method = c % 2 ? AGN_KRYLOV_LSMR : AGN_KRYLOV_LSQR;
            bool wide = c / 2 == 1 || c / 2 == 3, damped = c / 2 == 2 || c / 2 == 3, low = c / 2 == 4;
            int64_t m = wide ? 5 : 9, n = wide ? 9 : 5;
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *a0 = random_of(dt, 2, I64(m, n), -1, 1), *b = random_of(dt, 2, I64(m, 2), -1, 1);
            T a = a0, x, y, ah;
            if (low) { /* two columns are the same: each of them gets half */
                a = ag_concat(s, (T[]){cut(s, a, 1, 0, 4), cut(s, a, 1, 3, 4)}, 2, 1);
            }
            ah = ag_conj(s, ag_swapaxes(s, a, 0, 1));
            agn_krylov_options o = with(method, 0);
            agn_krylov_info info = no_info();
            o.damp = damped ? 0.7 : 0;
            x = ag_krylov_solve(s, &info, c % 3 ? ag_sparse_from_dense(s, a) : a, b, NULL, &o);
            T inner = wide && !damped ? ag_matmul(s, a, ah) : ag_matmul(s, ah, a);
            if (low) {
                T few = cut(s, a, 1, 0, 4), ch = ag_conj(s, ag_swapaxes(s, few, 0, 1));
                T w = ag_from_host(s, AGN_F64, 2, I64(4, 1), (const double[]){1, 1, 1, 0.5});
                y = ag_linalg_solve(s, ag_matmul(s, ch, few), ag_matmul(s, ch, b));
                y = ag_cast(s, ag_mul(s, y, w), dt);
                y = ag_concat(s, (T[]){y, cut(s, y, 0, 3, 4)}, 2, 0);
            } else if (wide && !damped)
                y = ag_matmul(s, ah, ag_linalg_solve(s, inner, b));
            else {
                inner = ag_add(s, inner, ag_mul_c(s, ag_eye(s, dt, n, n, 0), o.damp * o.damp));
                y = ag_linalg_solve(s, inner, ag_matmul(s, ah, b));
            }
            double e = agn_scope_status(s) ? (double)INFINITY : modes_apart(x, y);
            check(&q, e < (loose(dt) > 1e-5 ? 2e-3 : 1e-7), "%s case %d: apart %.1e, %s",
                  agn_dtype_name(dt), c, e, agn_scope_status(s) ? agn_error_message() : "");
            must(agn_scope_close(s));
            agn_release(a0);
            agn_release(b);
        }
    tell(&q, "lsqr and lsmr: tall, wide, damped, rank-deficient");
}

/* ---- hard cases -------------------------------------------------------------------------------------- */

static agn_tensor *of(int64_t n, int64_t m, const double *v)
{
    return of_reals(AGN_F64, m ? 2 : 1, I64(n, m), v);
}
#define OF(n, m, ...) of(n, m, (const double[]){__VA_ARGS__})

/* solves and lets go of a and b */
static agn_status solved(agn_krylov_info *info, agn_tensor *a, agn_tensor *b, int method,
                         double *first)
{
    agn_krylov_options o = with(method, 0);
    agn_tensor *x = NULL;
    *info = no_info();
    agn_status st = agn_krylov_solve(&x, info, a, b, NULL, &o);
    if (!st && first && agn_numel(x))
        *first = peek(x, 0);
    agn_release(a);
    agn_release(b);
    agn_release(x);
    return st;
}

static bool said(agn_status st, agn_status want, const char *word)
{
    bool good = st == want && strstr(agn_error_message(), word);
    if (!good)
        diag("%s: %s", agn_status_name(st), st ? agn_error_message() : "");
    return good;
}

static void hard(void)
{
    agn_krylov_info info;
    double x = 0;
    tally q = {0, 0};
    for (int m = 0; m <= AGN_KRYLOV_LSMR; m++) {
        agn_tensor *none = NULL, *nothing = NULL;
        must(agn_full(&none, AGN_F64, 2, I64(0, 0), 0));
        must(agn_full(&nothing, AGN_F64, 1, I64(0), 0));
        check(&q, !solved(&info, none, nothing, m, NULL) && info.reason == AGN_KRYLOV_CONVERGED,
              "method %d: no unknowns", m);
        check(&q, !solved(&info, OF(1, 1, 4), OF(1, 0, 2), m, &x) && fabs(x - 0.5) < 1e-14,
              "method %d: one unknown: %g", m, x);
        check(&q,
              !solved(&info, OF(2, 2, 1, 0, 0, 1), OF(2, 0, 0, 0), m, &x) && x == 0 &&
                  info.iterations == 0 && info.residual == 0,
              "method %d: nothing on the right", m);
        check(&q,
              !solved(&info, OF(2, 2, 2, 1, 1, 3), OF(2, 0, 1e-200, 2e-200), m, &x) &&
                  fabs(x / 0.2e-200 - 1) < 1e-8,
              "method %d: tiny: %g", m, x);
        check(&q,
              !solved(&info, OF(2, 2, 2, 1, 1, 3), OF(2, 0, 1e200, 2e200), m, &x) &&
                  fabs(x / 0.2e200 - 1) < 1e-8,
              "method %d: huge: %g", m, x);
        check(&q,
              said(solved(&info, OF(2, 2, 2, 1, 1, 3), OF(2, 0, 1, NAN), m, NULL), AGN_EDOMAIN,
                   "right-hand side") &&
                  said(solved(&info, OF(2, 2, 2, 1, 1, 3), OF(2, 0, NAN, 0), m, NULL), AGN_EDOMAIN,
                       "right-hand side") &&
                  said(solved(&info, OF(2, 2, 2, 1, 1, 3), OF(2, 0, NAN, 1), m, NULL), AGN_EDOMAIN,
                       "right-hand side"),
              "method %d: NaN on the right", m);
        check(&q,
              said(solved(&info, OF(2, 2, 2, 1, 1, INFINITY), OF(2, 0, 1, 1), m, NULL),
                   AGN_EDOMAIN, "an infinity after"),
              "method %d: an infinite entry", m);
        bool least = m >= AGN_KRYLOV_LSQR;
        agn_status st = solved(&info, OF(2, 2, 1, 1, 1, 1), OF(2, 0, 1, 0), m, &x);
        check(&q,
              least ? !st && fabs(x - 0.25) < 1e-12 && info.reason == AGN_KRYLOV_LEAST
                    : st == AGN_ENOCONV || st == AGN_EDOMAIN,
              "method %d: singular, not in its range: %s", m, st ? agn_error_message() : "no error");
        st = solved(&info, OF(2, 2, 1, 1, 1, 1), OF(2, 0, 1, 1), m, &x);
        check(&q, !st && fabs(x - 0.5) < 1e-12, "method %d: singular, in its range: %s", m,
              st ? agn_error_message() : "");
        st = solved(&info, OF(3, 3, 1, 1, 1, 1, 1 + 1e-9, 1, 1, 1, 1 + 2e-9), OF(3, 0, 1, 1, 1), m, &x);
        check(&q,
              !st && (info.residual <= info.target * 1.001 || info.reason == AGN_KRYLOV_LEAST),
              "method %d: nearly singular: residual %.1e, %s", m, info.residual,
              st ? agn_error_message() : "");
    }
    tell(&q, "none and one unknown, zero, tiny, huge, NaN, singular");
    ok(said(solved(&info, OF(2, 2, 1, 0, 0, -1), OF(2, 0, 1, 2), AGN_KRYLOV_CG, NULL), AGN_EDOMAIN,
            "operator is not positive definite") &&
           info.reason == AGN_KRYLOV_INDEFINITE,
       "cg names an indefinite operator");
    ok(!solved(&info, OF(2, 2, 1, 0, 0, -1), OF(2, 0, 1, 2), AGN_KRYLOV_MINRES, &x) &&
           fabs(x - 1) < 1e-14,
       "minres takes it");
    ok(said(solved(&info, OF(2, 2, 0, 1, -1, 0), OF(2, 0, 1, 1), AGN_KRYLOV_BICGSTAB, NULL),
            AGN_ENOCONV, "breakdown"),
       "bicgstab breaks down on a rotation");
    ok(!solved(&info, OF(2, 2, 0, 1, -1, 0), OF(2, 0, 1, 1), AGN_KRYLOV_GMRES, &x) &&
           fabs(x + 1) < 1e-14,
       "gmres does not");
}

/* ---- what is told is what is given ------------------------------------------------------------------ */

/* one solve with a [m, n] and b [m] of reals of f64; x [n] */
static agn_status solve_reals(agn_krylov_info *info, double *x, int64_t m, int64_t n, const double *a,
                              const double *b, const agn_krylov_options *o)
{
    agn_tensor *ta = of(m, n, a), *tb = of(m, 0, b), *sp = NULL, *tx = NULL;
    *info = no_info();
    must(agn_sparse_from_dense(&sp, ta));
    agn_status st = agn_krylov_solve(&tx, info, sp, tb, NULL, o);
    for (int64_t i = 0; !st && i < n; i++)
        x[i] = peek(tx, i);
    agn_tensor *drop[] = {ta, tb, sp, tx};
    for (int i = 0; i < COUNT(drop); i++)
        agn_release(drop[i]);
    return st;
}

/* |b - A x|, A row-major */
static double residual_of(int64_t m, int64_t n, const double *a, const double *b, const double *x)
{
    double sum = 0;
    for (int64_t i = 0; i < m; i++) {
        double r = b[i];
        for (int64_t j = 0; j < n; j++)
            r -= a[i * n + j] * x[j];
        sum = hypot(sum, r);
    }
    return sum;
}

static void truth(void)
{
    for (int method = AGN_KRYLOV_LSQR; method <= AGN_KRYLOV_LSMR; method++) {
        const char *name = method == AGN_KRYLOV_LSQR ? "lsqr" : "lsmr";
        agn_krylov_options o = with(method, 0);
        agn_krylov_info info;
        double x[3] = {0}, c = 1e6, wide[6] = {1, 0, c, 0, 1, 0}, ones[3] = {1, 1, 1};
        agn_status st = solve_reals(&info, x, 2, 3, wide, ones, &o);
        double r = residual_of(2, 3, wide, ones, x);
        ok(!st && info.reason == AGN_KRYLOV_CONVERGED && r <= info.target &&
               fabs(r - info.residual) <= 1e-13 && fabs(x[0] * c - x[2]) <= 1e-9 && fabs(x[1] - 1) < 1e-9,
           "%s, wide: the residual that is told is that of x: %.2g, %.2g", name, info.residual, r);
        ok(info.products <= 2 * info.iterations + 6, "%s, wide: one solve: %d products, %d iterations",
           name, (int)info.products, (int)info.iterations);
        double small[4] = {1, 0, 0, 1e-11};
        st = solve_reals(&info, x, 2, 2, small, ones, &o);
        ok(!st && info.reason == AGN_KRYLOV_CONVERGED && fabs(x[1] * 1e-11 - 1) < 1e-9 &&
               info.condition > 1e10 && info.condition < 1e13,
           "%s, diag(1, 1e-11): solved: x1 %.3g, |r| %.2g, condition %.2g", name, x[1], info.residual,
           info.condition);
        small[3] = 1e-30; /* below the rounding of A: the column tells, another start finds it */
        st = solve_reals(&info, x, 2, 2, small, ones, &o);
        ok(!st && info.reason == AGN_KRYLOV_CONVERGED && fabs(x[1] * 1e-30 - 1) < 1e-9,
           "%s, diag(1, 1e-30): x1 %.3g", name, x[1]);
        small[3] = 1e-200; /* its square is nothing */
        st = solve_reals(&info, x, 2, 2, small, ones, &o);
        ok(said(st, AGN_ENOCONV, "ill conditioned") && info.reason == AGN_KRYLOV_ILL_CONDITIONED,
           "%s, diag(1, 1e-200): refused", name);
        o.accept = true;
        st = solve_reals(&info, x, 2, 2, small, ones, &o);
        ok(!st && info.reason == AGN_KRYLOV_ILL_CONDITIONED && fabs(info.residual - 1) < 1e-9,
           "%s, diag(1, 1e-200): accepted, and said", name);
        o.accept = false;
        small[3] = 0;
        st = solve_reals(&info, x, 2, 2, small, ones, &o);
        ok(!st && info.reason == AGN_KRYLOV_LEAST && x[0] == 1 && x[1] == 0 && info.normal < 1e-15,
           "%s, diag(1, 0): a least-squares solution", name);
        for (int k = 0; k < 4; k++) {
            static const double sizes[] = {1e-200, 1e200, 1e-300, 1e300};
            double u = sizes[k], uniform[4] = {u, 0, 0, u}, row[3] = {u, 0, 2 * u};
            st = solve_reals(&info, x, 2, 2, uniform, ones, &o);
            bool good = !st && info.reason == AGN_KRYLOV_CONVERGED && fabs(x[0] * u - 1) < 1e-12 &&
                        fabs(x[1] * u - 1) < 1e-12;
            st = solve_reals(&info, x, 1, 3, row, ones, &o);
            ok(good && !st && fabs(x[0] * u - 0.2) < 1e-12 && fabs(x[2] * u - 0.4) < 1e-12,
               "%s, of size %g", name, u);
        }
        double tiny[1] = {1e-200}, huge[1] = {1e200};
        ok(said(solve_reals(&info, x, 1, 1, tiny, huge, &o), AGN_EDOMAIN, "beyond the largest number"),
           "%s: a solution of 1e400 is refused", name);
    }
    for (int method = 0; method < AGN_KRYLOV_LSQR; method++) {
        agn_krylov_options o = with(method, 0);
        agn_krylov_info info;
        double x[2] = {0}, ones[2] = {1, 1};
        bool good = true;
        for (int k = 0; k < 2; k++) {
            double u = k ? 1e200 : 1e-200, uniform[4] = {2 * u, 0, 0, u};
            agn_status st = solve_reals(&info, x, 2, 2, uniform, ones, &o);
            good = good && !st && fabs(x[0] * u - 0.5) < 1e-9 && fabs(x[1] * u - 1) < 1e-9;
        }
        ok(good, "method %d: diag(2, 1) of sizes 1e-200 and 1e200", method);
    }
}

static bool stop_at_two(void *user, const agn_krylov_info *now)
{
    ++*(int *)user;
    return now->iterations >= 2 && now->reason == AGN_KRYLOV_RUNNING;
}

static void limits(void)
{
    agn_tensor *a = matrix(AGN_F64, 60, DEFINITE), *b = random_of(AGN_F64, 1, I64(60), -1, 1);
    agn_tensor *x = NULL, *y = NULL, *z = NULL;
    int calls = 0;
    must(agn_linalg_solve(&z, a, b));
    for (int m = 0; m <= AGN_KRYLOV_LSMR; m++) {
        agn_krylov_options o = with(m, 0);
        agn_krylov_info info = no_info();
        tally q = {0, 0};
        o.max_iterations = 2;
        x = untouched;
        check(&q, refused(agn_krylov_solve(&x, &info, a, b, NULL, &o), AGN_ENOCONV, "krylov_solve",
                          "no convergence", "2 iterations", x) &&
                      info.reason == AGN_KRYLOV_ITERATIONS && info.iterations == 2 && info.residual > 0,
              "too few iterations");
        o.accept = true;
        must(agn_krylov_solve(&x, &info, a, b, NULL, &o));
        check(&q, info.reason == AGN_KRYLOV_ITERATIONS && modes_apart(x, z) < 1, "accepted: %.1e",
              modes_apart(x, z));
        agn_release(x);
        o = with(m, 0);
        o.monitor = stop_at_two;
        o.user = &calls;
        calls = 0;
        x = untouched;
        check(&q, refused(agn_krylov_solve(&x, &info, a, b, NULL, &o), AGN_ECANCELLED,
                          "krylov_solve", "monitor", NULL, x) &&
                      calls == 3 && info.reason == AGN_KRYLOV_CANCELLED,
              "stopped by the monitor: %d calls, reason %d", calls, info.reason);
        o = with(m, 0);
        must(agn_krylov_solve(&y, &info, a, b, z, &o));
        check(&q, info.iterations == 0 && modes_apart(y, z) < 1e-12, "the solution as the guess");
        agn_release(y);
        y = NULL;
        agn_tensor *bad = NULL;
        must(agn_full(&bad, AGN_F64, 1, I64(60), 1e6));
        must(agn_krylov_solve(&y, &info, a, b, bad, &o));
        check(&q, modes_apart(y, z) < 1e-8, "a bad guess");
        agn_release(y);
        agn_release(bad);
        o.rtol = -1;
        o.atol = 1e-3;
        y = NULL;
        must(agn_krylov_solve(&y, &info, a, b, NULL, &o));
        check(&q, info.target == 1e-3 && info.residual <= 1e-3, "atol alone: %g, %g", info.target,
              info.residual);
        agn_release(y);
        y = x = NULL;
        tell(&q, "method %d: limits, monitor, guess, tolerances", m);
    }
    agn_krylov_options o = with(AGN_KRYLOV_CG, 0);
    tally q = {0, 0};
    uint64_t bits = 0;
    for (int t = 1; t <= 3; t++) {
        must(agn_threads_set(t));
        must(agn_krylov_solve(&x, NULL, a, b, NULL, &o));
        check(&q, t == 1 || hash_of(x) == bits, "%d threads", t);
        bits = hash_of(x);
        agn_release(x);
        x = NULL;
    }
    tell(&q, "the same bits for any number of threads");
    agn_release(a);
    agn_release(b);
    agn_release(z);
}

/* ---- derivatives ----------------------------------------------------------------------------------- */

typedef struct system_of {
    agn_tensor *a; /* its pattern */
    agn_krylov_options o;
    bool sparse;
} system_of;

/* values and b to x */
BODY(iterated)
{
    const system_of *q = user;
    out[0] = ag_krylov_solve(s, NULL, q->sparse ? ag_sparse_with_values(s, q->a, in[0]) : in[0], in[1],
                             NULL, &q->o);
    return agn_scope_status(s);
}
BODY(direct)
{
    const system_of *q = user;
    T a = q->sparse ? ag_sparse_to_dense(s, ag_sparse_with_values(s, q->a, in[0])) : in[0];
    if (q->o.method < AGN_KRYLOV_LSQR)
        out[0] = ag_linalg_solve(s, a, in[1]);
    else {
        T ah = ag_conj(s, ag_swapaxes(s, a, 0, 1));
        if (!agn_scope_status(s))
            out[0] = agn_shape(a)[0] < agn_shape(a)[1]
                         ? ag_matmul(s, ah, ag_linalg_solve(s, ag_matmul(s, a, ah), in[1]))
                         : ag_linalg_solve(s, ag_matmul(s, ah, a), ag_matmul(s, ah, in[1]));
    }
    return agn_scope_status(s);
}

static void derivatives(void)
{
    static const struct {
        const char *name;
        int dtype, method, kind, precondition;
        bool sparse;
        int64_t rows, k; /* 0: a vector */
    } cases[] = {
        {"gmres, sparse", AGN_F64, AGN_KRYLOV_GMRES, PLAIN, 0, true, 4, 0},
        {"gmres, dense, complex", AGN_C128, AGN_KRYLOV_GMRES, PLAIN, AGN_PRECONDITION_BLOCKS, false, 3, 2},
        {"gmres, ilu0, complex", AGN_C128, AGN_KRYLOV_GMRES, PLAIN, AGN_PRECONDITION_ILU0, true, 4, 2},
        {"bicgstab, ilu0", AGN_F64, AGN_KRYLOV_BICGSTAB, PLAIN, AGN_PRECONDITION_ILU0, true, 4, 2},
        {"lsqr, square", AGN_F64, AGN_KRYLOV_LSQR, PLAIN, 0, true, 4, 0},
        {"lsqr, tall", AGN_F64, AGN_KRYLOV_LSQR, PLAIN, 0, true, 6, 0},
        {"lsmr, tall, complex", AGN_C128, AGN_KRYLOV_LSMR, PLAIN, 0, false, 5, 2},
        {"lsmr, wide", AGN_F64, AGN_KRYLOV_LSMR, PLAIN, 0, true, 2, 0},
    };
    for (int c = 0; c < COUNT(cases); c++) {
        int64_t m = cases[c].rows, n = cases[c].method < AGN_KRYLOV_LSQR ? m : 4;
        int dt = cases[c].dtype;
        agn_tensor *d = m == n ? matrix(dt, n, cases[c].kind) : random_of(dt, 2, I64(m, n), -1, 1);
        agn_tensor *v = NULL, *b = random_of(dt, cases[c].k ? 2 : 1, I64(m, cases[c].k), -1, 1);
        system_of q = {NULL, with(cases[c].method, cases[c].precondition), cases[c].sparse};
        q.o.rtol = 1e-14;
        q.o.block = 2;
        if (q.sparse) {
            must(agn_sparse_from_dense(&q.a, d));
            must(agn_sparse_values(&v, q.a));
        } else
            v = agn_retain(d);
        agn_fn *f = whole_fn(iterated, &q, 2, 1), *g = whole_fn(direct, &q, 2, 1);
        const T in[2] = {v, b};
        whole_same(f, in, g, in, 0, 1e-11, cases[c].name);
        whole(f, 2, in, 1e-5, cases[c].name);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_release(d);
        agn_release(v);
        agn_release(b);
        agn_release(q.a);
    }
}

/* methods that need a self-adjoint matrix: it is made of what varies */
BODY(squared)
{
    const system_of *q = user;
    T a = in[0], ah = ag_conj(s, ag_swapaxes(s, a, 0, 1)), eye = NULL;
    if (!agn_scope_status(s))
        eye = ag_eye(s, agn_dtype_of(a), agn_shape(a)[0], agn_shape(a)[0], 0);
    a = ag_add(s, ag_matmul(s, ah, a), eye);
    if (q->o.method == AGN_KRYLOV_MINRES) /* signs */
        a = ag_sub(s, a, ag_mul_c(s, eye, 3));
    out[0] = q->sparse ? ag_linalg_solve(s, a, in[1]) : ag_krylov_solve(s, NULL, a, in[1], NULL, &q->o);
    return agn_scope_status(s);
}

static void self_adjoint(void)
{
    for (int c = 0; c < 4; c++) {
        int dt = c % 2 ? AGN_C128 : AGN_F64;
        system_of q = {NULL, with(c < 2 ? AGN_KRYLOV_CG : AGN_KRYLOV_MINRES,
                                  c == 0 ? AGN_PRECONDITION_IC0 : 0), false}, dense = q;
        q.o.rtol = 1e-14;
        dense.sparse = true;
        agn_tensor *a = random_of(dt, 2, I64(3, 3), -1, 1), *b = random_of(dt, 2, I64(3, 2), -1, 1);
        agn_fn *f = whole_fn(squared, &q, 2, 1), *g = whole_fn(squared, &dense, 2, 1);
        const T in[2] = {a, b};
        char name[40];
        snprintf(name, sizeof name, "%s %s", c < 2 ? "cg" : "minres", agn_dtype_name(dt));
        whole_same(f, in, g, in, 0, 1e-11, name);
        whole(f, 2, in, 1e-5, name);
        agn_fn_release(f);
        agn_fn_release(g);
        agn_release(a);
        agn_release(b);
    }
}

/* ---- functions --------------------------------------------------------------------------------------- */

static agn_tensor *W;
/* (diag(exp p) + W) x over a grid of two axes, W captured */
FORMULA(operator, ag_add(s, ag_mul(s, ag_exp(s, in[1]), in[0]), ag_matmul(s, (T)user, in[0])))
FORMULA(over_exp, ag_div(s, in[0], ag_exp(s, in[1])))
FORMULA(by_matrix, ag_linalg_solve(s, ag_add(s, ag_mul(s, ag_eye(s, AGN_F64, 3, 3, 0), ag_exp(s, in[2])),
                                             W), in[1]))
/* W is an argument of the whole, and captured by the operator */
BODY(capturing)
{
    agn_fn *a = whole_fn_in(s, operator, (void *)(uintptr_t)in[3], 2, 1), *f = NULL;
    if (!agn_scope_status(s) && !agn_scope_fail(s, agn_fn_krylov_solve(&f, a, user)))
        agn_fn_apply(s, out, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
    agn_fn_release(f);
    agn_fn_release(a);
    return agn_scope_status(s);
}
FORMULA(capturing_direct,
        ag_linalg_solve(s, ag_add(s, ag_mul(s, ag_eye(s, AGN_F64, 3, 3, 0), ag_exp(s, in[2])), in[3]),
                        in[1]))

static void functions(void)
{
    agn_tensor *x0 = NULL, *b = random_of(AGN_F64, 2, I64(3, 2), -1, 1);
    agn_tensor *p = random_of(AGN_F64, 2, I64(3, 1), 0.5, 1);
    must(agn_full(&x0, AGN_F64, 2, I64(3, 2), 0));
    W = random_of(AGN_F64, 2, I64(3, 3), -0.4, 0.4);
    agn_fn *a = whole_fn(operator, W, 2, 1), *m = whole_fn(over_exp, NULL, 2, 1);
    agn_fn *want = whole_fn(by_matrix, NULL, 3, 1);
    static const int each[] = {AGN_KRYLOV_GMRES, AGN_KRYLOV_BICGSTAB};
    const T in[4] = {x0, b, p, W};
    for (int k = 0; k < 4; k++) {
        agn_krylov_options o = with(each[k % 2], 0);
        o.rtol = 1e-14;
        if (k > 1)
            o.preconditioner = m;
        agn_fn *f = MADE(agn_fn_krylov_solve(&made_, a, &o));
        whole_same(f, in, want, in, 0, 1e-12, "a function of two axes and p");
        whole(f, 3, in, 1e-5, k > 1 ? "preconditioned" : "as it is");
        agn_fn_release(f);
    }
    agn_krylov_options o = with(AGN_KRYLOV_GMRES, 0);
    o.rtol = 1e-14;
    agn_fn *f = whole_fn(capturing, &o, 4, 1), *g = whole_fn(capturing_direct, NULL, 4, 1);
    whole_same(f, in, g, in, 0, 1e-12, "captured");
    in_every_mode(f, 4, in, 1e-2, 1e-5, "captured by the operator");
    agn_fn *drop[] = {a, m, want, f, g};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_tensor *gone[] = {x0, b, p, W};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
}

/* ---- errors ------------------------------------------------------------------------------------------ */

FORMULA(bad_square, ag_square(s, in[0]))
FORMULA(two, in[0], in[0])
FORMULA(shorter, ag_sum_all(s, in[0]))
FORMULA(negative, ag_neg(s, in[0]))
FORMULA(twice, ag_mul_c(s, in[0], 2))
FORMULA(and_p, ag_mul(s, in[0], in[1]))
static bool always(void *user)
{
    return user != NULL;
}

static agn_tensor *A, *B;
static void refusals(void)
{
    agn_tensor *sp = NULL, *tall = NULL, *out, *wide = random_of(AGN_F64, 2, I64(3, 4), -1, 1);
    agn_tensor *half = random_of(AGN_F16, 2, I64(3, 3), 0, 1), *z = random_of(AGN_C128, 1, I64(3), 0, 1);
    agn_tensor *many = random_of(AGN_F64, 3, I64(2, 3, 3), 0, 1), *more = random_of(AGN_F64, 3, I64(5, 3, 1), 0, 1);
    agn_fn *minus = whole_fn(negative, NULL, 1, 1), *pair = whole_fn(two, NULL, 1, 2),
           *less = whole_fn(shorter, NULL, 1, 1);
    tally q = {0, 0};
    agn_krylov_options o;
    must(agn_sparse_from_dense(&sp, A));
    must(agn_swapaxes(&tall, wide, 0, 1));
#define NO(st, f1, f2, a_, b_, g_, ...)                                                \
    do {                                                                               \
        o = with(AGN_KRYLOV_GMRES, 0);                                                 \
        __VA_ARGS__;                                                                   \
        out = untouched;                                                               \
        agn_status st_ = agn_krylov_solve(&out, NULL, a_, b_, g_, &o);                 \
        check(&q, refused(st_, st, "krylov_solve", f1, f2, out), "%s: %s", f1, #__VA_ARGS__); \
    } while (0)
    NO(AGN_ENULL, "a is NULL", NULL, NULL, B, NULL, );
    NO(AGN_ENULL, "b is NULL", NULL, A, NULL, NULL, );
    NO(AGN_ESHAPE, "[3]", "two are needed", B, B, NULL, );
    NO(AGN_ESHAPE, "[3,4]", "square", wide, B, NULL, );
    NO(AGN_ESHAPE, "rows differ", "[4,3]", A, tall, NULL, );
    NO(AGN_ESHAPE, "do not broadcast", "[5,3,1]", many, more, NULL, );
    NO(AGN_ESHAPE, "guess", "[3,4]", A, B, wide, );
    NO(AGN_EDTYPE, "guess is c128", "f64", A, B, z, );
    NO(AGN_EUNSUPPORTED, "sparse", NULL, A, sp, NULL, );
    NO(AGN_EARG, "method 6", "6", A, B, NULL, o.method = 6);
    NO(AGN_EARG, "precondition 5", "5", A, B, NULL, o.precondition = 5);
    NO(AGN_EARG, "restart -1", "negative", A, B, NULL, o.restart = -1);
    NO(AGN_EARG, "damp -1", NULL, A, B, NULL, o.damp = -1);
    NO(AGN_EARG, "damp 1", "gmres", A, B, NULL, o.damp = 1);
    NO(AGN_EARG, "lsqr takes no", "1", A, B, NULL, o = with(AGN_KRYLOV_LSQR, 1));
    NO(AGN_EARG, "precondition is 1", "function", A, B, NULL, o.precondition = 1;
       o.preconditioner = minus);
    NO(AGN_EARG, "0 bytes", NULL, A, B, NULL, o.size = 0);
    NO(AGN_EARG, "1 arguments and 2 results", NULL, A, B, NULL, o.preconditioner = pair);
    NO(AGN_ESHAPE, "the preconditioner makes", "[3]", A, B, NULL, o.preconditioner = less);
    NO(AGN_EDOMAIN, "the preconditioner is not positive", "iteration 1", A, B, NULL,
       o.method = AGN_KRYLOV_CG;
       o.preconditioner = minus);
    NO(AGN_EDOMAIN, "the preconditioner is not positive", "iteration 1", A, B, NULL,
       o.method = AGN_KRYLOV_MINRES;
       o.preconditioner = minus);
    agn_tensor *zero = NULL;
    must(agn_full(&zero, AGN_F64, 2, I64(3, 3), 0));
    for (int p = 1; p <= AGN_PRECONDITION_IC0; p++)
        NO(AGN_EDOMAIN, "no pivot in row 0", "of 3", zero, B, NULL, o.precondition = p);
    agn_krylov_info small = {.size = 1};
    out = untouched;
    check(&q, refused(agn_krylov_solve(&out, &small, A, B, NULL, NULL), AGN_EARG, "krylov_solve",
                      "1 bytes", NULL, out), "size of the info");
    agn_tensor *both = NULL;
    check(&q, !agn_krylov_solve(&both, NULL, half, B, NULL, NULL) && agn_dtype_of(both) == AGN_F64,
          "f16 beside f64");
    agn_release(both);
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks), .user = &small, .interrupt = always}));
    NO(AGN_ECANCELLED, "cancelled", "1 iterations", A, B, NULL, );
    must(agn_hooks_set(&(agn_hooks){.size = sizeof(agn_hooks)}));
    tell(&q, "what agn_krylov_solve refuses");
    agn_tensor *gone[] = {sp, tall, wide, half, z, many, more, zero};
    for (int i = 0; i < COUNT(gone); i++)
        agn_release(gone[i]);
    agn_fn *drop[] = {minus, pair, less};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
}

static void refused_functions(void)
{
    tally t = {0, 0};
    agn_krylov_options o = with(0, 0);
    agn_fn *a = whole_fn(twice, NULL, 1, 1), *square = whole_fn(bad_square, NULL, 1, 1),
           *pair = whole_fn(two, NULL, 1, 2), *less = whole_fn(shorter, NULL, 1, 1),
           *with_p = whole_fn(and_p, NULL, 2, 1);
    agn_tensor *short_ = random_of(AGN_F64, 1, I64(2), 0, 1), *narrow = random_of(AGN_F32, 1, I64(3), 0, 1);
    NO_FN(AGN_ENULL, "fn_krylov_solve", "a is NULL", NULL, agn_fn_krylov_solve(&out, NULL, &o));
    NO_FN(AGN_EARG, "fn_krylov_solve", "2 results", NULL, agn_fn_krylov_solve(&out, pair, &o));
    o.method = AGN_KRYLOV_LSQR;
    NO_FN(AGN_EARG, "fn_krylov_solve", "method 4", "matrix", agn_fn_krylov_solve(&out, a, &o));
    o = with(0, AGN_PRECONDITION_IC0);
    NO_FN(AGN_EARG, "fn_krylov_solve", "precondition 4", "matrix", agn_fn_krylov_solve(&out, a, &o));
    o = with(0, 0);
    o.preconditioner = a;
    NO_FN(AGN_EARG, "fn_krylov_solve", "1 arguments", "not 2", agn_fn_krylov_solve(&out, with_p, &o));
    o = with(0, 0);
    o.max_iterations = -3;
    NO_FN(AGN_EARG, "fn_krylov_solve", "-3", NULL, agn_fn_krylov_solve(&out, a, &o));
    const T in[2] = {B, B};
    check(&t, no_call(MADE(agn_fn_krylov_solve(&made_, square, NULL)), in, AGN_EDOMAIN,
                      "linear_solve", "square"), "not linear");
    check(&t, no_call(MADE(agn_fn_krylov_solve(&made_, less, NULL)), in, AGN_ESHAPE, NULL, NULL),
          "another shape");
    check(&t, no_call(MADE(agn_fn_krylov_solve(&made_, a, NULL)), (T[]){short_, B}, AGN_ESHAPE,
                      "krylov_solve", "[2]"), "guess of another shape");
    check(&t, no_call(MADE(agn_fn_krylov_solve(&made_, a, NULL)), (T[]){narrow, B}, AGN_EDTYPE,
                      "krylov_solve", "f32"), "guess of another dtype");
    o = with(AGN_KRYLOV_CG, 0);
    agn_fn *minus = whole_fn(negative, NULL, 1, 1);
    check(&t, no_call(MADE(agn_fn_krylov_solve(&made_, minus, &o)), in, AGN_EDOMAIN, "krylov_solve",
                      "operator is not positive definite"), "indefinite");
    o.method = AGN_KRYLOV_GMRES;
    o.preconditioner = less;
    check(&t, no_call(MADE(agn_fn_krylov_solve(&made_, a, &o)), in, AGN_ESHAPE, "krylov_solve",
                      "preconditioner"), "a preconditioner of another shape");
    tell(&t, "what agn_fn_krylov_solve and its calls refuse");
    agn_fn *drop[] = {a, square, pair, less, with_p, minus};
    for (int i = 0; i < COUNT(drop); i++)
        agn_fn_release(drop[i]);
    agn_release(short_);
    agn_release(narrow);
}

int main(void)
{
    methods();
    rectangles();
    hard();
    truth();
    limits();
    derivatives();
    self_adjoint();
    functions();
    A = matrix(AGN_F64, 3, DEFINITE);
    B = random_of(AGN_F64, 1, I64(3), -1, 1);
    refusals();
    refused_functions();
    agn_release(A);
    agn_release(B);
    int64_t blocks;
    agn_memory_live(NULL, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
