/* infer/nuts.c - the no-U-turn sampler with multinomial choice (Hoffman & Gelman 2014; Betancourt
   2017, A.4), its steps halved where the energy asks for it (Bou-Rabee & al. 2025), and Hamiltonian
   Monte Carlo with a fixed number of steps (Neal 2011). */
#include "infer/chain.h"

#include <math.h>
#include <string.h>

static const double divergence = 1000; /* of the energy */
enum { MAX_HALVINGS = 10 };

double agni_kinetic(const agni_chain *c, const double *p)
{
    double sum = 0;
    for (int64_t i = 0; i < c->n; i++)
        sum += c->metric[i] * p[i] * p[i];
    return 0.5 * sum;
}
void agni_draw_momentum(agni_chain *c, double *p)
{
    for (int64_t i = 0; i < c->n; i++)
        p[i] = agni_stream_normal(&c->stream) / sqrt(c->metric[i]);
}
agn_status agni_leapfrog(agni_chain *c, agni_phase *z, double step, bool *finite)
{
    for (int64_t i = 0; i < c->n; i++) {
        z->p[i] += 0.5 * step * z->g[i];
        z->q[i] += step * c->metric[i] * z->p[i];
    }
    agn_status st = agni_density_at(c->density, z->q, &z->log_density, z->g, finite);
    if (!st && *finite)
        for (int64_t i = 0; i < c->n; i++)
            z->p[i] += 0.5 * step * z->g[i];
    return st;
}

static double log_sum(double a, double b)
{
    double hi = a > b ? a : b;
    return isinf(hi) ? hi : hi + log(exp(a - hi) + exp(b - hi));
}
static void copy_position(const agni_chain *c, double *to, const double *from)
{
    memcpy(to, from, (size_t)c->n * sizeof *to);
}
static void copy_phase(const agni_chain *c, agni_phase *to, const agni_phase *from)
{
    copy_position(c, to->q, from->q);
    copy_position(c, to->p, from->p);
    copy_position(c, to->g, from->g);
    to->log_density = from->log_density;
}
/* Do both ends of a stretch with the sum rho (and more) of momenta still move apart? */
static bool moves_apart(const agni_chain *c, const double *first, const double *last,
                        const double *rho, const double *more)
{
    double a = 0, b = 0;
    for (int64_t i = 0; i < c->n; i++) {
        double r = c->metric[i] * (rho[i] + (more ? more[i] : 0));
        a += first[i] * r;
        b += last[i] * r;
    }
    return a > 0 && b > 0;
}

/* A tree of 2^depth points from *z on, which ends at its last one. */
typedef struct tree {
    double *first, *last, *rho; /* momenta at its ends as they were walked, their sum */
    double *q, *g;              /* the point chosen */
    double log_density, log_weight;
} tree;

typedef struct walk {
    agni_chain *c;
    agni_phase *z;
    double step, energy, metropolis;
    int64_t leapfrogs, steps;
    bool divergent;
} walk;

static double energy_of(const agni_chain *c, const agni_phase *z)
{
    return agni_kinetic(c, z->p) - z->log_density;
}
/* From z a step in 2^halvings parts, if the energy moves by no more than max_error along it; h:
   where it ended */
static agn_status walk_parts(walk *w, agni_phase *z, double step, int halvings, bool *steady,
                             double *h)
{
    double low = energy_of(w->c, z), high = low;
    *steady = true;
    for (int k = 0; k < 1 << halvings && *steady; k++) {
        bool finite = false;
        agn_status st = agni_leapfrog(w->c, z, ldexp(step, -halvings), &finite);
        if (st)
            return st;
        w->leapfrogs++;
        *h = finite ? energy_of(w->c, z) : (double)INFINITY;
        low = fmin(low, *h);
        high = fmax(high, *h);
        *steady = !isnan(*h) && high - low <= w->c->max_error;
    }
    return AGN_OK;
}
/* The step from z in the fewest parts that hold the energy; not *valid where none do, which is a
   divergence, or where fewer would do for the way back: no walk from there comes here. */
static agn_status halve_step(walk *w, bool *valid, double *h)
{
    agni_chain *c = w->c;
    double **v = c->level + c->max_depth * 10 + 9, first = energy_of(c, w->z);
    agni_phase start = {v[0], v[1], v[2], 0}, back = {v[3], v[4], v[5], 0};
    copy_phase(c, &start, w->z);
    int halvings = 0;
    bool steady = false;
    for (;; halvings++) {
        agn_status st = walk_parts(w, w->z, w->step, halvings, &steady, h);
        if (st)
            return st;
        if (halvings == 0)
            w->metropolis += *h <= first ? 1 : *h > first ? exp(first - *h) : 0;
        if (steady || halvings == MAX_HALVINGS)
            break;
        copy_phase(c, w->z, &start);
    }
    w->divergent = w->divergent || !steady;
    *valid = steady;
    for (int k = 0; k < halvings && *valid; k++) {
        double end;
        copy_phase(c, &back, w->z);
        agn_status st = walk_parts(w, &back, -w->step, k, &steady, &end);
        if (st)
            return st;
        *valid = !steady;
    }
    return AGN_OK;
}
static agn_status whole_step(walk *w, bool *valid, double *h)
{
    bool finite = false;
    agn_status st = agni_leapfrog(w->c, w->z, w->step, &finite);
    if (st)
        return st;
    w->leapfrogs++;
    *h = finite ? energy_of(w->c, w->z) : (double)INFINITY;
    double gain = w->energy - *h;
    *valid = gain > -divergence;
    w->divergent = w->divergent || !*valid;
    w->metropolis += gain > 0 ? 1 : *valid ? exp(gain) : 0;
    return AGN_OK;
}

/* vectors that a tree of this depth leaves behind */
static tree tree_at(agni_chain *c, int depth, int which)
{
    double **v = c->level + (depth * 2 + which) * 5;
    return (tree){v[0], v[1], v[2], v[3], v[4], 0, -(double)INFINITY};
}

/* false in *valid: it turns or diverges */
static agn_status build_tree(walk *w, int depth, tree *t, bool *valid)
{
    agni_chain *c = w->c;
    if (depth == 0) {
        double h;
        agn_status st = c->max_error > 0 ? halve_step(w, valid, &h) : whole_step(w, valid, &h);
        w->steps++;
        if (st || !*valid)
            return st;
        t->log_weight = w->energy - h;
        t->log_density = w->z->log_density;
        copy_position(c, t->q, w->z->q);
        copy_position(c, t->g, w->z->g);
        copy_position(c, t->first, w->z->p);
        copy_position(c, t->last, w->z->p);
        copy_position(c, t->rho, w->z->p);
        return AGN_OK;
    }
    tree a = tree_at(c, depth - 1, 0), b = tree_at(c, depth - 1, 1);
    agn_status st = build_tree(w, depth - 1, &a, valid);
    if (st || !*valid)
        return st;
    /* what b is built of overwrites the lower levels alone, and the other half of this one */
    st = build_tree(w, depth - 1, &b, valid);
    if (st || !*valid)
        return st;
    t->log_weight = log_sum(a.log_weight, b.log_weight);
    bool second = log(agni_stream_uniform(&c->stream)) < b.log_weight - t->log_weight;
    const tree *chosen = second ? &b : &a;
    copy_position(c, t->q, chosen->q);
    copy_position(c, t->g, chosen->g);
    t->log_density = chosen->log_density;
    copy_position(c, t->first, a.first);
    copy_position(c, t->last, b.last);
    for (int64_t i = 0; i < c->n; i++)
        t->rho[i] = a.rho[i] + b.rho[i];
    /* the whole, and each half with the first point of the other */
    *valid = moves_apart(c, a.first, b.last, t->rho, NULL) &&
             moves_apart(c, a.first, b.first, a.rho, b.first) &&
             moves_apart(c, a.last, b.last, b.rho, a.last);
    return AGN_OK;
}

static agn_status next_nuts(agni_chain *c)
{
    double **v = c->level + c->max_depth * 10;
    agni_phase ends[2] = {{v[0], v[1], v[2], 0}, {v[3], v[4], v[5], 0}}, *z = &c->z;
    double *first = v[6], *last = v[7], *rho = v[8]; /* of the whole, in forward time */
    agni_draw_momentum(c, z->p);
    copy_phase(c, &ends[0], z);
    copy_phase(c, &ends[1], z);
    copy_position(c, first, z->p);
    copy_position(c, last, z->p);
    copy_position(c, rho, z->p);
    double h0 = agni_kinetic(c, z->p) - z->log_density, log_weight = 0;
    walk w = {.c = c, .energy = h0};
    c->depth = 0;
    bool going = true;
    while (going && c->depth < c->max_depth) {
        bool forward = agni_stream_uniform(&c->stream) < 0.5, valid = false;
        tree t = tree_at(c, c->depth, 0);
        w.z = &ends[forward];
        w.step = forward ? c->step : -c->step;
        agn_status st = build_tree(&w, c->depth, &t, &valid);
        if (st)
            return st;
        c->depth++;
        if (!valid)
            break;
        /* biased to what is new (Betancourt 2017, A.3.2) */
        if (log(agni_stream_uniform(&c->stream)) < t.log_weight - log_weight) {
            copy_position(c, z->q, t.q);
            copy_position(c, z->g, t.g);
            z->log_density = t.log_density;
        }
        log_weight = log_sum(log_weight, t.log_weight);
        /* Walked backwards all momenta have the other sign, which the criteria do not see. */
        double *near_end = forward ? last : first, *far_end = forward ? first : last;
        going = moves_apart(c, far_end, t.last, rho, t.rho) &&
                moves_apart(c, far_end, t.first, rho, t.first) &&
                moves_apart(c, near_end, t.last, t.rho, near_end);
        for (int64_t i = 0; i < c->n; i++)
            rho[i] += t.rho[i];
        copy_position(c, near_end, t.last);
    }
    c->accept = w.steps ? w.metropolis / (double)w.steps : 0;
    c->energy = h0;
    c->leapfrogs = w.leapfrogs;
    c->divergent = w.divergent;
    return AGN_OK;
}

static agn_status next_hmc(agni_chain *c)
{
    double **v = c->level;
    agni_phase end = {v[0], v[1], v[2], 0};
    agni_draw_momentum(c, c->z.p);
    copy_phase(c, &end, &c->z);
    double h0 = agni_kinetic(c, c->z.p) - c->z.log_density;
    bool finite = true;
    int k = 0;
    for (; k < c->steps && finite; k++) {
        agn_status st = agni_leapfrog(c, &end, c->step, &finite);
        if (st)
            return st;
    }
    double gain = finite ? h0 - (agni_kinetic(c, end.p) - end.log_density) : -(double)INFINITY;
    c->divergent = !(gain > -divergence);
    c->accept = gain > 0 ? 1 : gain > -divergence ? exp(gain) : 0;
    c->energy = h0;
    c->leapfrogs = k;
    c->depth = 0;
    if (agni_stream_uniform(&c->stream) < c->accept)
        copy_phase(c, &c->z, &end);
    return AGN_OK;
}

agn_status agni_next_hamiltonian(agni_chain *c)
{
    return c->steps ? next_hmc(c) : next_nuts(c);
}
