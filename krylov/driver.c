/* driver.c - the driver around every method: options, the true residual, restarts, the reason of
   the end. */
#include "krylov/krylov.h"

#include <math.h>
#include <string.h>

static const struct row {
    const char *name;
    agni_krylov_method *run;
    bool definite, least;
} methods[] = {
    [AGN_KRYLOV_GMRES] = {"gmres", agni_krylov_gmres, false, false},
    [AGN_KRYLOV_CG] = {"cg", agni_krylov_cg, true, false},
    [AGN_KRYLOV_MINRES] = {"minres", agni_krylov_minres, false, false},
    [AGN_KRYLOV_BICGSTAB] = {"bicgstab", agni_krylov_bicgstab, false, false},
    [AGN_KRYLOV_LSQR] = {"lsqr", agni_krylov_lsqr, false, true},
    [AGN_KRYLOV_LSMR] = {"lsmr", agni_krylov_lsmr, false, true},
};

agn_status agni_krylov_defaults(const char *op, agn_krylov_options *o,
                                const agn_krylov_options *given, int dtype, int64_t n)
{
    *o = (agn_krylov_options){.size = sizeof *o};
    if (agni_check_size(op, agn_krylov_options, given))
        return AGN_EARG;
    if (given)
        *o = *given;
    if (o->method < 0 || o->method >= AGNI_COUNT(methods))
        return agni_fail(AGN_EARG, "%s: method %d is none of %d", op, o->method,
                         AGNI_COUNT(methods));
    if (o->precondition < 0 || o->precondition > AGN_PRECONDITION_IC0)
        return agni_fail(AGN_EARG, "%s: precondition %d is none of %d", op, o->precondition,
                         AGN_PRECONDITION_IC0 + 1);
    if (o->restart < 0 || o->max_iterations < 0 || o->block < 0)
        return agni_fail(AGN_EARG,
                         "%s: restart %d, max_iterations %lld, block %d: one is negative",
                         op, o->restart, (long long)o->max_iterations, o->block);
    if (!(o->damp >= 0) || !(o->atol >= 0) || isnan(o->rtol))
        return agni_fail(AGN_EARG, "%s: damp %g, atol %g, rtol %g: one is no such number", op,
                         o->damp, o->atol, o->rtol);
    bool least = methods[o->method].least;
    if ((o->precondition || o->preconditioner) && least)
        return agni_fail(AGN_EARG, "%s: %s takes no preconditioner, precondition is %d", op,
                         methods[o->method].name, o->precondition);
    if (o->precondition && o->preconditioner)
        return agni_fail(AGN_EARG, "%s: precondition is %d, and a function is given too", op,
                         o->precondition);
    if (o->damp > 0 && !least)
        return agni_fail(AGN_EARG, "%s: damp %g is for lsqr and lsmr, not %s", op, o->damp,
                         methods[o->method].name);
    o->restart = o->restart ? o->restart : 30;
    o->block = o->block ? o->block : 8;
    if (!o->max_iterations)
        o->max_iterations = n < 10 ? 100 : n < INT64_MAX / 10 ? 10 * n : INT64_MAX;
    if (o->rtol == 0)
        o->rtol = agni_krylov_eps(dtype) > 1e-10 ? 1e-5 : 1e-10;
    o->rtol = fmax(o->rtol, 0);
    return AGN_OK;
}

/* ---- for methods --------------------------------------------------------------------------- */

bool agni_krylov_note(agni_krylov *k, agn_status st)
{
    if (st && !k->st)
        k->st = st;
    return !k->st;
}

bool agni_krylov_apply(agni_krylov *k, bool adjoint, const void *x, void *y)
{
    k->info.products++;
    return agni_krylov_note(k, k->a.apply(k->a.user, adjoint != k->adjoint, x, y));
}

bool agni_krylov_precondition(agni_krylov *k, const void *x, void *y)
{
    if (k->m.apply)
        return agni_krylov_note(k, k->m.apply(k->m.user, k->adjoint, x, y));
    agni_krylov_copy(k, k->n, x, y);
    return true;
}

static void report_progress(agni_krylov *k, double residual, int *reason)
{
    k->info.residual = residual * k->scale;
    if (k->o.monitor && k->o.monitor(k->o.user, &k->info) && *reason == AGN_KRYLOV_RUNNING)
        *reason = AGN_KRYLOV_CANCELLED;
}

bool agni_krylov_step(agni_krylov *k, double residual, int *reason)
{
    *reason = AGN_KRYLOV_RUNNING;
    k->info.iterations++;
    report_progress(k, residual, reason);
    if (*reason != AGN_KRYLOV_RUNNING)
        return false;
    if (agni_check_interrupt())
        agni_krylov_note(k, agni_fail(AGN_ECANCELLED, "%s: cancelled after %lld iterations", k->op,
                                 (long long)k->info.iterations));
    *reason = !isfinite(residual)                          ? AGN_KRYLOV_NOT_FINITE
              : residual <= k->target                      ? AGN_KRYLOV_CONVERGED
              : k->info.iterations >= k->o.max_iterations  ? AGN_KRYLOV_ITERATIONS
                                                           : AGN_KRYLOV_RUNNING;
    return *reason == AGN_KRYLOV_RUNNING && !k->st;
}

/* ---- the solve ------------------------------------------------------------------------------- */

double agni_krylov_residual(agni_krylov *k, const void *b, const void *x, void *r)
{
    if (!agni_krylov_apply(k, false, x, r))
        return (double)NAN;
    return agni_krylov_axpby_norm(k, k->rows, 1, b, -1, r);
}

/* Reasons are ordered: of several systems the worst is reported. */
static agn_status finish_solve(agni_krylov *k, int reason, double now)
{
    const char *method = methods[k->o.method].name;
    k->info.reason = reason;
    report_progress(k, now, &reason);
    if (reason == AGN_KRYLOV_CONVERGED ||
        (reason == AGN_KRYLOV_LEAST && methods[k->o.method].least))
        return AGN_OK;
    if (reason == AGN_KRYLOV_NOT_FINITE)
        return agni_fail(AGN_EDOMAIN, "%s: %s: a NaN or an infinity after %lld products%s", k->op,
                         method, (long long)k->info.products, k->why);
    if (reason == AGN_KRYLOV_INDEFINITE)
        return agni_fail(AGN_EDOMAIN, "%s: %s: %s in iteration %lld", k->op, method, k->why,
                         (long long)k->info.iterations + 1);
    if (k->o.accept)
        return AGN_OK;
    static const char *const words[] = {
        [AGN_KRYLOV_LEAST] = "singular: only a least-squares solution",
        [AGN_KRYLOV_ILL_CONDITIONED] = "ill conditioned: it may be far from the least one",
        [AGN_KRYLOV_ITERATIONS] = "no convergence",
        [AGN_KRYLOV_STAGNATION] = "no more progress",
        [AGN_KRYLOV_BREAKDOWN] = "breakdown",
        [AGN_KRYLOV_CANCELLED] = "stopped by the monitor",
    };
    return agni_fail(reason == AGN_KRYLOV_CANCELLED ? AGN_ECANCELLED : AGN_ENOCONV,
                     "%s: %s: %s: residual %.3g, not %.3g, after %lld iterations%s", k->op, method,
                     words[reason], k->info.residual, k->info.target,
                     (long long)k->info.iterations, k->why);
}

int agni_krylov_blame(agni_krylov *k, int reason, const void *r, void *d)
{
    if (k->st || (reason != AGN_KRYLOV_NOT_FINITE &&
                  isfinite(agni_krylov_max_abs(k, k->n, d))))
        return reason;
    bool finite = agni_krylov_apply(k, false, r, d) &&
                  isfinite(agni_krylov_max_abs(k, k->rows, d)) &&
                  agni_krylov_precondition(k, r, d) &&
                  isfinite(agni_krylov_max_abs(k, k->n, d));
    agni_krylov_zero(k, k->n, d);
    return finite ? AGN_KRYLOV_BREAKDOWN : AGN_KRYLOV_NOT_FINITE;
}

/* x = up / down x, for powers of two, by factors that every dtype has */
static void scale_result(agni_krylov *k, int64_t n, double up, double down, void *x)
{
    int e = ilogb(up) - ilogb(down);
    do {
        int now = e < -100 ? -100 : e > 100 ? 100 : e;
        agni_krylov_axpby(k, n, 0, x, ldexp(1, now), x);
        e -= now;
    } while (e);
}

/* Method after method, each from the residual that the last one left. r and d are room. */
static int iterate_refinement(agni_krylov *k, const void *b, void *x, void *r, void *d, double *now)
{
    for (int reason;;) {
        if (!isfinite(*now))
            return AGN_KRYLOV_NOT_FINITE;
        if (*now <= k->target)
            return AGN_KRYLOV_CONVERGED;
        if (k->info.iterations >= k->o.max_iterations)
            return AGN_KRYLOV_ITERATIONS;
        double before = *now;
        reason = agni_krylov_blame(k, methods[k->o.method].run(k, r, d), r, d);
        if (k->st || reason == AGN_KRYLOV_NOT_FINITE || reason == AGN_KRYLOV_INDEFINITE)
            return reason;
        agni_krylov_axpby(k, k->n, 1, d, 1, x);
        *now = agni_krylov_residual(k, b, x, r);
        if (k->st)
            return reason;
        bool retry = reason == AGN_KRYLOV_BREAKDOWN && k->breakdowns < 3;
        if (!(*now <= before)) { /* the correction made it worse */
            agni_krylov_axpby(k, k->n, -1, d, 1, x);
            *now = retry ? agni_krylov_residual(k, b, x, r) : before;
            if (retry && k->breakdowns++ < 3)
                continue;
            return reason == AGN_KRYLOV_CONVERGED || reason == AGN_KRYLOV_RUNNING
                       ? AGN_KRYLOV_STAGNATION
                       : reason;
        }
        if (*now <= k->target)
            return AGN_KRYLOV_CONVERGED;
        if (reason == AGN_KRYLOV_ITERATIONS || reason == AGN_KRYLOV_CANCELLED ||
            reason == AGN_KRYLOV_LEAST)
            return reason;
        /* a restart need only progress; other ends must halve the residual */
        double enough = reason == AGN_KRYLOV_RUNNING ? 1 - 1e-9 : 0.5;
        if (isfinite(*now) && *now > enough * before && !(retry && k->breakdowns++ < 3))
            return reason == AGN_KRYLOV_BREAKDOWN ? reason : AGN_KRYLOV_STAGNATION;
    }
}

/* a power of two near v, so that squares neither overflow nor vanish */
static double nearest_power_of_two(double v)
{
    int e;
    frexp(v, &e);
    return ldexp(1, e < -1000 ? -1000 : e > 1000 ? 1000 : e);
}

static agn_status run_solve(agni_krylov *k, const void *b, const void *x0, void *x)
{
    k->st = AGN_OK;
    double most = agni_krylov_max_abs(k, k->rows, b), now = 0;
    k->info = (agn_krylov_info){.size = sizeof k->info, .method = k->o.method};
    k->scale = 1;
    k->unit = k->unit > 0 ? k->unit : 1;
    k->size = k->inverse = 0;
    k->why[0] = 0;
    k->breakdowns = 0;
    if (k->st)
        return k->st;
    if (!isfinite(most))
        return agni_fail(AGN_EDOMAIN,
                         "%s: %s: the right-hand side of %lld has a NaN or an infinity", k->op,
                         methods[k->o.method].name, (long long)k->rows);
    if (k->n)
        agni_krylov_zero(k, k->n, x);
    if (k->z && k->rows)
        agni_krylov_zero(k, k->rows, k->z);
    if (k->residual && k->rows)
        agni_krylov_copy(k, k->rows, b, k->residual);
    if (most == 0 || k->n == 0) {
        k->info.target = k->o.atol;
        k->info.residual = most == 0 ? 0 : agni_krylov_norm(k, k->rows, b);
        return finish_solve(k, k->n == 0 && k->rows ? AGN_KRYLOV_LEAST : AGN_KRYLOV_CONVERGED,
                            k->info.residual);
    }
    int64_t longest = k->n > k->rows ? k->n : k->rows;
    void *room = agni_krylov_alloc(k, 5, longest);
    if (!room)
        return k->st;
    void *c = room, *r = agni_krylov_vector_at(k, room, longest, 1),
         *d = agni_krylov_vector_at(k, room, longest, 2);
    k->scale = nearest_power_of_two(most);
    agni_krylov_axpby(k, k->rows, 1 / k->scale, b, 0, c);
    double norm = agni_krylov_norm(k, k->rows, c);
    k->target = fmax(k->o.rtol * norm, k->o.atol / k->scale);
    k->info.target = k->target * k->scale;
    agni_krylov_copy(k, k->rows, c, r);
    now = norm;
    if (x0 && agni_krylov_max_abs(k, k->n, x0) > 0) {
        agni_krylov_copy(k, k->n, x0, x);
        scale_result(k, k->n, k->unit, k->scale, x);
        now = agni_krylov_residual(k, c, x, r);
        if (!k->st && !(now < norm)) {
            agni_krylov_zero(k, k->n, x);
            agni_krylov_copy(k, k->rows, c, r);
            now = norm;
        }
    }
    k->dz = k->z ? agni_krylov_vector_at(k, room, longest, 4) : NULL;
    int reason = AGN_KRYLOV_RUNNING;
    if (!k->st && methods[k->o.method].least)
        reason = agni_krylov_refine_least(k, methods[k->o.method].run, c, x, r, d,
                                          agni_krylov_vector_at(k, room, longest, 3), &now);
    else if (!k->st)
        reason = iterate_refinement(k, c, x, r, d, &now);
    scale_result(k, k->n, k->scale, k->unit, x);
    if (k->z)
        scale_result(k, k->rows, k->scale, k->unit, k->z);
    if (k->residual)
        agni_krylov_axpby(k, k->rows, k->scale, r, 0, k->residual);
    agni_krylov_free(k, room, 5, longest);
    if (!k->st && isfinite(now) && !isfinite(agni_krylov_max_abs(k, k->n, x))) {
        agni_format(k->why, sizeof k->why, ": the solution is beyond the largest number");
        reason = AGN_KRYLOV_NOT_FINITE;
    }
    return k->st ? k->st : finish_solve(k, reason, now);
}

agn_status agni_krylov_run(agni_krylov *k, const void *b, const void *x0, void *x)
{
    agn_status st = run_solve(k, b, x0, x);
    agni_krylov_end(k);
    return st;
}
