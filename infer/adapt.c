/* infer/adapt.c - what a chain learns while it warms up: its step size by dual averaging (Nesterov
   2009; Hoffman & Gelman 2014, 3.2), its diagonal metric from variances of draws and gradients
   (Tran & Kleppe 2024). */
#include "infer/chain.h"
#include "infer/adapt.h"

#include <math.h>
#include <string.h>

void agni_dual_start(agni_dual *a, double step)
{
    *a = (agni_dual){.mu = log(10 * step), .log_mean = log(step)};
}
double agni_dual_next(agni_dual *a, double accept, double target)
{
    double n = (double)++a->n, eta = 1 / (n + 10);
    a->gap = (1 - eta) * a->gap + eta * (target - accept);
    double log_step = a->mu - a->gap * sqrt(n) / 0.05, weight = pow(n, -0.75);
    a->log_mean = weight * log_step + (1 - weight) * a->log_mean;
    return exp(log_step);
}
double agni_dual_mean(const agni_dual *a)
{
    return exp(a->log_mean);
}

/* ---- metric ------------------------------------------------------------------------- */

void agni_spread_clear(agni_spread *v, int64_t n)
{
    v->n = 0;
    memset(v->mean_q, 0, (size_t)(4 * n) * sizeof *v->mean_q);
}
void agni_spread_add(agni_spread *v, int64_t n, const double *q, const double *g)
{
    double k = (double)++v->n;
    for (int64_t i = 0; i < n; i++) {
        double dq = q[i] - v->mean_q[i], dg = g[i] - v->mean_g[i];
        v->mean_q[i] += dq / k;
        v->mean_g[i] += dg / k;
        v->sum_q[i] += dq * (q[i] - v->mean_q[i]);
        v->sum_g[i] += dg * (g[i] - v->mean_g[i]);
    }
}
/* The metric for which draws and gradients have one scale: the root of var(q) / var(g). An element
   of which nothing is known keeps what it has. */
void agni_spread_metric(const agni_spread *v, int64_t n, double *metric)
{
    for (int64_t i = 0; i < n; i++) {
        double m = sqrt(v->sum_q[i] / v->sum_g[i]);
        if (isfinite(m) && m > 1e-20 && m < 1e20)
            metric[i] = m;
    }
}

/* ---- first step size: halved or doubled until the acceptance of one step crosses 0.8 -- */

agn_status agni_first_step(agni_chain *c)
{
    agni_phase z = {c->level[0], c->level[1], c->level[2], 0};
    double way = 0;
    for (int tries = 0; tries < 60; tries++) {
        size_t bytes = (size_t)c->n * sizeof *z.q;
        memcpy(z.q, c->z.q, bytes);
        memcpy(z.g, c->z.g, bytes);
        agni_draw_momentum(c, z.p);
        double h0 = agni_kinetic(c, z.p) - c->z.log_density;
        bool finite;
        agn_status st = agni_leapfrog(c, &z, c->step, &finite);
        if (st)
            return st;
        double gain = finite ? h0 - agni_kinetic(c, z.p) + z.log_density : -(double)INFINITY;
        double turn = gain > log(0.8) ? 1 : -1;
        if (way * turn < 0)
            return AGN_OK;
        way = turn;
        c->step *= turn > 0 ? 2 : 0.5;
    }
    return AGN_OK;
}
