/* infer/approximation/pathfinder.c - normal laws along paths of a quasi-Newton method, of which the
   best is drawn from (Zhang, Carpenter, Gelman & Vehtari 2022). */
#include "infer/approximation/approximation.h"
#include "core/random/philox.h"
#include <agnesi/create.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PATHS = 256, MOST_HISTORY = 20, WIDE = 2 * MOST_HISTORY, BOUND_DRAWS = 10 };

/* The covariance D^1/2 (I + Q (M M^T - I) Q^T) D^1/2: diagonal d, r orthonormal rows q, lower
   factor m [r, r]; about at. */
typedef struct law {
    double *d, *q, *at;
    double m[WIDE * WIDE];
    int64_t r;
    double log_det; /* of the covariance's root */
} law;

typedef struct path {
    agni_density density;
    agni_stream g;
    int64_t n;
    int32_t room, have, newest; /* pairs */
    double *x, *slope, *next, *next_slope, *way, *s, *y, *d, *tmp, *z;
    law now, best;
    double elbo;
    double *work;
} path;

static double dot_product(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- the inverse Hessian ---------------------------------------------------------------- */

/* pair k of those kept, the oldest first */
static const double *pair_of(const path *p, const double *v, int k)
{
    return v + ((p->newest - p->have + 1 + k + 2 * p->room) % p->room) * p->n;
}
/* A pair is kept where the curvature along it is positive; d follows it (Gilbert & Lemarechal 1989,
   4.9). */
static void keep_pair(path *p)
{
    int64_t n = p->n;
    int to = (p->newest + 1) % p->room;
    double *s = p->s + to * n, *y = p->y + to * n;
    for (int64_t i = 0; i < n; i++) {
        s[i] = p->next[i] - p->x[i];
        y[i] = p->slope[i] - p->next_slope[i];
    }
    double sy = dot_product(s, y, n), yy = dot_product(y, y, n);
    if (!(sy > 1e-12 * yy) || !isfinite(yy))
        return;
    double ydy = 0, sds = 0;
    for (int64_t i = 0; i < n; i++) {
        ydy += y[i] * y[i] * p->d[i];
        sds += s[i] * s[i] / p->d[i];
    }
    for (int64_t i = 0; i < n; i++) {
        double v = ydy / sy / p->d[i] + y[i] * y[i] / sy -
                   ydy * s[i] * s[i] / (sy * sds * p->d[i] * p->d[i]);
        if (v > 0 && isfinite(1 / v))
            p->d[i] = 1 / v;
    }
    p->newest = to;
    p->have += p->have < p->room;
}
/* H = D + [D Y, S] G [D Y, S]^T with G = [0, -R^-1; -R^-T, R^-T (E + Y^T D Y) R^-1] (Byrd, Nocedal
   & Schnabel 1994, 2.2), as a law about x + H slope; false: it is not positive definite */
static bool make_law(path *p)
{
    law *l = &p->now;
    int64_t n = p->n;
    int j = p->have, w = 2 * j;
    double r[MOST_HISTORY * MOST_HISTORY] = {0}, inv[MOST_HISTORY * MOST_HISTORY] = {0},
                            e[MOST_HISTORY * MOST_HISTORY], g[WIDE * WIDE] = {0},
                            c[WIDE * WIDE] = {0};
    for (int a = 0; a < j; a++)
        for (int b = 0; b < j; b++) {
            const double *ya = pair_of(p, p->y, a), *yb = pair_of(p, p->y, b),
                         *sa = pair_of(p, p->s, a);
            double sum = 0;
            for (int64_t i = 0; i < n; i++)
                sum += ya[i] * p->d[i] * yb[i];
            if (b >= a)
                r[a * j + b] = dot_product(sa, yb, n);
            e[a * j + b] = sum + (a == b ? r[a * j + a] : 0);
        }
    for (int b = 0; b < j; b++)
        for (int a = b; a >= 0; a--) {
            double sum = a == b;
            for (int k = a + 1; k <= b; k++)
                sum -= r[a * j + k] * inv[k * j + b];
            inv[a * j + b] = sum / r[a * j + a];
        }
    for (int a = 0; a < j; a++)
        for (int b = 0; b < j; b++) {
            g[a * w + j + b] = g[(j + b) * w + a] = -inv[a * j + b];
            double sum = 0;
            for (int k = 0; k < j; k++)
                for (int m = 0; m < j; m++)
                    sum += inv[k * j + a] * e[k * j + m] * inv[m * j + b];
            g[(j + a) * w + j + b] = sum;
        }
    /* D^-1/2 [D Y, S] = Q C by orthonormal rows */
    l->r = 0;
    for (int k = 0; k < w; k++) {
        const double *v = k < j ? pair_of(p, p->y, k) : pair_of(p, p->s, k - j);
        double *to = l->q + l->r * n, before = 0;
        for (int64_t i = 0; i < n; i++) {
            to[i] = k < j ? v[i] * sqrt(p->d[i]) : v[i] / sqrt(p->d[i]);
            before += to[i] * to[i];
        }
        for (int twice = 0; twice < 2; twice++)
            for (int64_t a = 0; a < l->r; a++) {
                double by = dot_product(l->q + a * n, to, n);
                c[a * w + k] += by;
                for (int64_t i = 0; i < n; i++)
                    to[i] -= by * l->q[a * n + i];
            }
        double left = dot_product(to, to, n);
        if (l->r < n && left > 1e-20 * before && left > 0) {
            double root = sqrt(left);
            c[l->r * w + k] = root;
            for (int64_t i = 0; i < n; i++)
                to[i] /= root;
            l->r++;
        }
    }
    for (int64_t a = 0; a < l->r; a++)
        for (int64_t b = 0; b < l->r; b++) {
            double sum = a == b;
            for (int k = 0; k < w; k++)
                for (int m = 0; m < w; m++)
                    sum += c[a * w + k] * g[k * w + m] * c[b * w + m];
            l->m[a * l->r + b] = sum;
        }
    if (!agni_lower_factor(l->m, l->r))
        return false;
    l->log_det = 0;
    for (int64_t i = 0; i < n; i++) {
        l->d[i] = p->d[i];
        l->log_det += 0.5 * log(p->d[i]);
    }
    for (int64_t a = 0; a < l->r; a++)
        l->log_det += log(l->m[a * l->r + a]);
    /* x + H slope */
    double u[WIDE], t[WIDE];
    for (int64_t i = 0; i < n; i++)
        p->tmp[i] = sqrt(l->d[i]) * p->slope[i];
    for (int64_t a = 0; a < l->r; a++)
        u[a] = dot_product(l->q + a * n, p->tmp, n);
    for (int64_t a = 0; a < l->r; a++) {
        t[a] = 0;
        for (int64_t b = a; b < l->r; b++)
            t[a] += l->m[b * l->r + a] * u[b];
    }
    for (int64_t a = l->r; a-- > 0;) {
        double sum = 0;
        for (int64_t b = 0; b <= a; b++)
            sum += l->m[a * l->r + b] * t[b];
        t[a] = sum;
    }
    for (int64_t a = 0; a < l->r; a++)
        for (int64_t i = 0; i < n; i++)
            p->tmp[i] += (t[a] - u[a]) * l->q[a * n + i];
    for (int64_t i = 0; i < n; i++)
        l->at[i] = p->x[i] + sqrt(l->d[i]) * p->tmp[i];
    return true;
}
/* a draw, and its log density */
static double draw_law(path *p, const law *l, double *x)
{
    int64_t n = p->n;
    double u[WIDE], square = 0;
    for (int64_t i = 0; i < n; i++) {
        x[i] = agni_stream_normal(&p->g);
        square += x[i] * x[i];
    }
    for (int64_t a = 0; a < l->r; a++)
        u[a] = dot_product(l->q + a * n, x, n);
    for (int64_t a = l->r; a-- > 0;) {
        double sum = -u[a];
        for (int64_t b = 0; b <= a; b++)
            sum += l->m[a * l->r + b] * u[b];
        for (int64_t i = 0; i < n; i++)
            x[i] += sum * l->q[a * n + i];
    }
    for (int64_t i = 0; i < n; i++)
        x[i] = l->at[i] + sqrt(l->d[i]) * x[i];
    return -0.5 * square - l->log_det - 0.91893853320467274178 * (double)n;
}
static agn_status bound_of(path *p, const law *l, double *elbo)
{
    agn_status st = AGN_OK;
    *elbo = 0;
    for (int k = 0; !st && k < BOUND_DRAWS; k++) {
        double value;
        bool finite;
        double own = draw_law(p, l, p->z);
        st = agni_density_at(&p->density, p->z, &value, p->tmp, &finite);
        *elbo += isfinite(value) ? (value - own) / BOUND_DRAWS : -(double)INFINITY;
    }
    return st;
}

/* ---- the path ------------------------------------------------------------------------- */

/* way = H slope, by two loops */
static void quasi_newton_direction(path *p)
{
    int64_t n = p->n;
    double a[MOST_HISTORY];
    memcpy(p->way, p->slope, (size_t)n * sizeof *p->way);
    for (int k = p->have; k-- > 0;) {
        const double *s = pair_of(p, p->s, k), *y = pair_of(p, p->y, k);
        a[k] = dot_product(s, p->way, n) / dot_product(s, y, n);
        for (int64_t i = 0; i < n; i++)
            p->way[i] -= a[k] * y[i];
    }
    for (int64_t i = 0; i < n; i++)
        p->way[i] *= p->d[i];
    for (int k = 0; k < p->have; k++) {
        const double *s = pair_of(p, p->s, k), *y = pair_of(p, p->y, k);
        double b = dot_product(y, p->way, n) / dot_product(s, y, n);
        for (int64_t i = 0; i < n; i++)
            p->way[i] += (a[k] - b) * s[i];
    }
}
static agn_status walk_path(path *p, const agn_pathfinder_options *o, const char *op)
{
    int64_t n = p->n;
    double value;
    bool finite;
    p->elbo = -(double)INFINITY;
    agn_status st = agni_density_at(&p->density, p->x, &value, p->slope, &finite);
    double size = sqrt(dot_product(p->slope, p->slope, n));
    for (int64_t i = 0; i < n; i++)
        p->d[i] = 1 / fmax(size, 1); /* the first step is of length 1 at most */
    for (int32_t k = 0; !st && k < o->max_steps; k++) {
        if (agni_check_interrupt())
            return agni_fail(AGN_ECANCELLED, "%s: interrupted", op);
        quasi_newton_direction(p);
        double rise = dot_product(p->way, p->slope, n), low = 0, high = (double)INFINITY, t = 1,
               there = 0;
        if (!(rise > 1e-12 * (1 + fabs(value))))
            break;
        bool found = false;
        for (int tries = 0; !st && tries < 40;
             tries++) { /* weak Wolfe conditions by bisection (Lewis & Overton 2013) */
            for (int64_t i = 0; i < n; i++)
                p->next[i] = p->x[i] + t * p->way[i];
            st = agni_density_at(&p->density, p->next, &there, p->next_slope, &finite);
            if (st)
                break;
            if (!finite || !(there >= value + 1e-4 * t * rise))
                high = t;
            else {
                found = true;
                if (dot_product(p->way, p->next_slope, n) <= 0.9 * rise)
                    break;
                low = t;
            }
            t = isinf(high) ? 2 * t : 0.5 * (low + high);
        }
        if (st || !found || !finite || !(there > value))
            break;
        keep_pair(p);
        memcpy(p->x, p->next, (size_t)n * sizeof *p->x);
        memcpy(p->slope, p->next_slope, (size_t)n * sizeof *p->x);
        double gain = there - value;
        value = there;
        if (p->have && make_law(p)) {
            double elbo;
            st = bound_of(p, &p->now, &elbo);
            if (!st && elbo > p->elbo) {
                law was = p->best;
                p->best = p->now;
                p->now = was;
                p->elbo = elbo;
            }
        }
        if (gain <= 1e-13 * (1 + fabs(value)))
            break;
    }
    return st;
}

/* ---- paths ------------------------------------------------------------------------------ */

typedef struct job {
    const char *op;
    const agn_model *m;
    agn_fn *log_density;
    agn_pathfinder_options o;
    const double *start;
    int64_t stride;
    double *points, *ratio, *elbo, *first; /* [paths draws, n], [paths draws], [paths], [paths, n] */
    agn_status status[MOST_PATHS];
    char reason[MOST_PATHS][160];
} job;

static agn_status make_path(path *p, const job *b)
{
    int64_t n = p->n = b->m->dims, wide = 2 * b->o.history;
    p->room = b->o.history + 1;
    p->have = 0;
    p->newest = -1;
    int64_t all = n * (8 + 2 * p->room + 2 * (2 + wide + 1));
    p->work = agni_zalloc((size_t)all * sizeof *p->work);
    if (!p->work)
        return agni_nomem(b->op, (size_t)all * sizeof *p->work);
    double *v = p->work;
    double **const one[] = {&p->x,   &p->slope, &p->next,  &p->next_slope, &p->way,    &p->d,
                            &p->tmp, &p->z,     &p->now.d, &p->now.at,     &p->best.d, &p->best.at};
    for (int k = 0; k < AGNI_COUNT(one); k++, v += n)
        *one[k] = v;
    p->s = v;
    p->y = v + p->room * n;
    p->now.q = p->y + p->room * n;
    p->best.q = p->now.q + (wide + 1) * n;
    return agni_density_make(&p->density, b->op, b->log_density, n, true);
}
static agn_status run_path(job *b, int64_t k)
{
    path *p = agni_zalloc(sizeof *p);
    if (!p)
        return agni_nomem(b->op, sizeof *p);
    p->g.key = agni_philox_subkey(b->o.seed, (uint64_t)k);
    agn_status st = make_path(p, b);
    b->elbo[k] = -(double)INFINITY;
    bool finite = false;
    for (int tries = 0; !st && !finite && tries < (b->start ? 1 : 100); tries++) {
        double value;
        for (int64_t i = 0; i < p->n; i++)
            p->x[i] = b->start ? b->start[k * b->stride + i] : 4 * agni_stream_uniform(&p->g) - 2;
        st = agni_density_at(&p->density, p->x, &value, p->slope, &finite);
    }
    if (!st && finite)
        st = walk_path(p, &b->o, b->op);
    if (!st && isfinite(p->elbo)) {
        b->elbo[k] = p->elbo;
        for (int64_t i = 0; !st && i < b->o.draws; i++) {
            double *x = b->points + (k * b->o.draws + i) * p->n, value;
            double own = draw_law(p, &p->best, x);
            st = agni_density_at(&p->density, x, &value, p->tmp, &finite);
            b->ratio[k * b->o.draws + i] = isfinite(value) ? value - own : -(double)INFINITY;
            if (i == 0)
                memcpy(b->first + k * p->n, x, (size_t)p->n * sizeof *x);
        }
    } else
        for (int64_t i = 0; i < b->o.draws; i++)
            b->ratio[k * b->o.draws + i] = -(double)INFINITY;
    agni_density_free(&p->density);
    agni_free(p->work);
    agni_free(p);
    return st;
}
static void path_job(void *user, int64_t k, int worker)
{
    (void)worker;
    job *b = user;
    b->status[k] = run_path(b, k);
    if (b->status[k])
        snprintf(b->reason[k], sizeof b->reason[k], "%s", agn_error_message());
}
agn_status agn_infer_pathfinder(agn_dict **out, const agn_model *m,
                                const agn_pathfinder_options *opts)
{
    const char *op = "infer_pathfinder";
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_pathfinder_options, opts))
        return AGN_EARG;
    job *b = agni_zalloc(sizeof *b);
    if (!b)
        return agni_nomem(op, sizeof *b);
    *b = (job){.op = op, .m = m};
    agn_pathfinder_options *o = &b->o;
    if (opts)
        *o = *opts;
    o->paths = o->paths ? o->paths : 4;
    o->draws = o->draws ? o->draws : 1000;
    o->max_steps = o->max_steps ? o->max_steps : 1000;
    o->history = o->history ? o->history : 6;
    int64_t n = m->dims, rows[2] = {o->paths, n}, numbers = 0;
    agn_tensor *kept = NULL;
    agn_dict *d = NULL;
    double *room = NULL;
    agn_status st = AGN_OK;
    if (o->paths < 1 || o->paths > MOST_PATHS || o->draws < 1 || o->draws > 1 << 24 ||
        o->max_steps < 1 || o->history < 1 || o->history >= MOST_HISTORY)
        st = agni_fail(AGN_EARG,
                       "%s: %lld paths of %d steps with %d pairs, %lld draws: not possible", op,
                       (long long)o->paths, o->max_steps, o->history, (long long)o->draws);
    if (!st && o->start) {
        bool one = agn_ndim(o->start) == 1;
        st = agni_read_host(&b->start, &kept, op, "start", o->start, one ? 1 : 2,
                            one ? rows + 1 : rows);
        b->stride = one ? 0 : n;
    }
    if (!st && !agni_checked_mul(o->paths * o->draws, 8 * (n + 2), &numbers))
        st = agni_fail(AGN_ENOMEM, "%s: %lld draws of %lld numbers", op, (long long)o->draws,
                       (long long)n);
    if (!st && !(room = agni_zalloc((size_t)numbers + (size_t)(o->paths * (n + 1)) * sizeof *room)))
        st = agni_nomem(op, (size_t)numbers);
    st = st ? st : agn_model_log_density(&b->log_density, m);
    if (!st) {
        b->points = room;
        b->ratio = room + o->paths * o->draws * n;
        b->elbo = b->ratio + o->paths * o->draws;
        b->first = b->elbo + o->paths;
        agni_parallel_for(o->paths, path_job, b);
    }
    bool any = false;
    for (int64_t k = 0; !st && k < o->paths; k++) {
        if (b->status[k])
            st = agni_fail(b->status[k], "%s", b->reason[k]);
        any = any || isfinite(b->elbo[k]);
    }
    if (!st && !any)
        st = agni_fail(AGN_EDOMAIN, "%s: on none of %lld paths was a place with a finite bound", op,
                       (long long)o->paths);
    for (int64_t k = 0; !st && k < o->paths; k++) /* a path that failed starts where another ended */
        for (int64_t j = 0; !isfinite(b->elbo[k]) && j < o->paths; j++)
            if (isfinite(b->elbo[j])) {
                memcpy(b->first + k * n, b->first + j * n, (size_t)n * sizeof *b->first);
                break;
            }
    st = st ? st
            : agni_weigh_draws(&d, op, m, b->points, b->ratio, o->paths * o->draws, o->draws,
                               o->seed);
    st = st ? st : agni_put_host(d, "sampler/elbo", AGN_F64, 1, rows, b->elbo);
    st = st ? st : agni_put_host(d, "sampler/start", AGN_F64, 2, rows, b->first);
    agni_free(room);
    agn_fn_release(b->log_density);
    agni_free(b);
    agn_release(kept);
    if (st)
        agn_dict_release(d);
    else
        *out = d;
    return st;
}
