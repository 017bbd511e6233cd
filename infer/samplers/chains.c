/* infer/samplers/chains.c - Langevin steps, slices along axes (Neal 2003), slices along ellipses
   (Murray, Adams & MacKay 2010; Nishihara, Murray & Adams 2014, 2). */
#include "infer/samplers/samplers.h"

#include <math.h>
#include <string.h>

agn_status agni_chain_options(agn_nuts_options *o, const char *op, const void *out,
                              const agn_model *m, const agn_chain_options *opts)
{
    if (!out || !m)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, !out ? "out" : "m");
    if (agni_check_size(op, agn_chain_options, opts))
        return AGN_EARG;
    *o = (agn_nuts_options){.size = sizeof *o, .max_depth = 1};
    if (opts) {
        o->warmup = opts->warmup;
        o->draws = opts->draws;
        o->chains = opts->chains;
        o->seed = opts->seed;
        o->target_accept = opts->target_accept;
        o->start = opts->start;
        o->resume = opts->resume;
    }
    return AGN_OK;
}
agn_status agn_infer_mala(agn_dict **out, const agn_model *m, const agn_chain_options *opts)
{
    const char *op = "infer_mala";
    agn_nuts_options o;
    agn_status st = agni_chain_options(&o, op, out, m, opts);
    if (st)
        return st;
    o.steps = 1;
    o.target_accept = o.target_accept != 0 ? o.target_accept : 0.574;
    st = agni_check_options(op, &o);
    return st ? st
              : agni_run_chains(out, op, m, &o, &(agni_sampler){agni_next_hamiltonian, true, NULL});
}

static void report_draw(agni_chain *c, int densities)
{
    c->accept = 1;
    c->energy = -c->z.log_density;
    c->depth = 0;
    c->leapfrogs = densities;
    c->divergent = false;
}

/* ---- along axes --------------------------------------------------------------------- */

enum { STEPS_OUT = 64, SHRINKS = 200 };

/* the log density with number i at x */
static agn_status density_along(agni_chain *c, int64_t i, double x, double *y, int *count)
{
    bool finite;
    double *q = c->level[0];
    memcpy(q, c->z.q, (size_t)c->n * sizeof *q);
    q[i] = x;
    ++*count;
    agn_status st = agni_density_at(c->density, q, y, NULL, &finite);
    if (!finite)
        *y = -(double)INFINITY;
    return st;
}
/* Doubling in the number of steps is left to their width; where both ends stay inside, the interval
   is theirs. */
static agn_status slice_axis(agni_chain *c, int64_t i, int *count)
{
    double at = c->z.q[i], w = c->metric[i],
           floor_y = c->z.log_density + log(agni_stream_uniform(&c->stream)), y;
    double left = at - w * agni_stream_uniform(&c->stream), right = left + w;
    int most = (int)(STEPS_OUT * agni_stream_uniform(&c->stream));
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < most; k++, left -= w) {
        st = density_along(c, i, left, &y, count);
        if (!(y > floor_y))
            break;
    }
    for (int k = most; !st && k < STEPS_OUT - 1; k++, right += w) {
        st = density_along(c, i, right, &y, count);
        if (!(y > floor_y))
            break;
    }
    for (int k = 0; !st && k < SHRINKS; k++) {
        double x = left + (right - left) * agni_stream_uniform(&c->stream);
        st = density_along(c, i, x, &y, count);
        if (!st && y > floor_y) {
            if (c->warming) { /* about the width of a slice: three times the mean jump */
                double jump = 3 * fabs(x - at), n = ++c->step;
                int64_t seen = (int64_t)((n - 1) / (double)c->n) + 1;
                double next = w + (jump - w) / (double)(seen + 1);
                c->metric[i] = next > 1e-100 && next < 1e100 ? next : w;
            }
            c->z.q[i] = x;
            c->z.log_density = y;
            return AGN_OK;
        }
        if (x < at)
            left = x;
        else
            right = x;
    }
    return st;
}
static agn_status next_slice(agni_chain *c)
{
    int count = 0;
    agn_status st = AGN_OK;
    for (int64_t i = 0; !st && i < c->n; i++)
        st = slice_axis(c, i, &count);
    report_draw(c, count);
    return st;
}
agn_status agn_infer_slice(agn_dict **out, const agn_model *m, const agn_chain_options *opts)
{
    const char *op = "infer_slice";
    agn_nuts_options o;
    agn_status st = agni_chain_options(&o, op, out, m, opts);
    st = st ? st : agni_check_options(op, &o);
    return st ? st : agni_run_chains(out, op, m, &o, &(agni_sampler){next_slice, false, NULL});
}

/* ---- along ellipses ----------------------------------------------------------------- */

typedef struct normal_law {
    const double *loc, *l;
} normal_law;

static agn_status next_ellipse(agni_chain *c)
{
    const normal_law *law = c->own;
    int64_t n = c->n;
    double **v = c->level, *f = v[0], *nu = v[1], *white = v[2], *other = v[3], *q = v[4],
           square = 0;
    /* the point less the mean, and a draw, with their white numbers */
    for (int64_t i = 0; i < n; i++) {
        double sum = f[i] = c->z.q[i] - law->loc[i];
        for (int64_t j = 0; j < i; j++)
            sum -= law->l[i * n + j] * white[j];
        white[i] = sum / law->l[i * n + i];
        square += white[i] * white[i];
        other[i] = agni_stream_normal(&c->stream);
        nu[i] = 0;
        for (int64_t j = 0; j <= i; j++)
            nu[i] += law->l[i * n + j] * other[j];
    }
    double level = c->z.log_density + 0.5 * square + log(agni_stream_uniform(&c->stream));
    double angle = 6.28318530717958647693 * agni_stream_uniform(&c->stream),
           low = angle - 6.28318530717958647693, high = angle;
    agn_status st = AGN_OK;
    int count = 0;
    while (!st && count < SHRINKS) {
        double a = cos(angle), b = sin(angle), y;
        bool finite;
        square = 0;
        for (int64_t i = 0; i < n; i++) {
            double w = a * white[i] + b * other[i];
            square += w * w;
            q[i] = law->loc[i] + a * f[i] + b * nu[i];
        }
        st = agni_density_at(c->density, q, &y, NULL, &finite);
        count++;
        if (!st && finite && y + 0.5 * square > level) {
            memcpy(c->z.q, q, (size_t)n * sizeof *q);
            c->z.log_density = y;
            break;
        }
        if (angle < 0)
            low = angle;
        else
            high = angle;
        angle = low + (high - low) * agni_stream_uniform(&c->stream);
    }
    report_draw(c, count);
    return st;
}
agn_status agni_read_normal(const double **loc, const double **l, agn_tensor *kept[2],
                            const char *op, const agn_model *m, const agn_tensor *at,
                            const agn_tensor *scale_tril)
{
    int64_t n = m->dims, shape[2] = {n, n};
    agn_status st = agni_read_host(loc, &kept[0], op, "loc", at, 1, shape);
    st = st ? st : agni_read_host(l, &kept[1], op, "scale_tril", scale_tril, 2, shape);
    for (int64_t i = 0; !st && i < n; i++)
        if (!((*l)[i * n + i] > 0) || !isfinite((*l)[i * n + i]))
            st = agni_fail(
                AGN_EDOMAIN,
                "%s: entry %lld of the diagonal of scale_tril is %g; it must be positive", op,
                (long long)i, (*l)[i * n + i]);
    return st;
}
agn_status agn_infer_elliptical_slice(agn_dict **out, const agn_model *m, const agn_tensor *loc,
                                      const agn_tensor *scale_tril, const agn_chain_options *opts)
{
    const char *op = "infer_elliptical_slice";
    agn_nuts_options o;
    agn_tensor *kept[2] = {NULL, NULL};
    normal_law law;
    agn_status st = agni_chain_options(&o, op, out, m, opts);
    st = st ? st : agni_check_options(op, &o);
    st = st ? st : agni_read_normal(&law.loc, &law.l, kept, op, m, loc, scale_tril);
    st = st ? st : agni_run_chains(out, op, m, &o, &(agni_sampler){next_ellipse, false, &law});
    agn_release(kept[0]);
    agn_release(kept[1]);
    return st;
}
