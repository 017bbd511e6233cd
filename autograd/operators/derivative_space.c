/* derivative_space.c - derivatives of polynomials, in echelon form.

   In the divided monomials x^g / g! a derivative shifts coefficients, and (x + y)^g / g! is the
   sum of x^a / a! y^b / b! over a + b = g. With bases in reduced echelon form the coordinate of
   a polynomial is its coefficient at the pivot, so the weight of lanes a and b in lane c is the
   coefficient of basis element c at the product of the pivots of a and b. */
#include "autograd/operators/derivative_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* variables + 1, ascending, then zeros */
typedef struct mono {
    uint16_t v[AGNI_MAX_ORDER];
} mono;

typedef struct poly {
    int32_t n;
    struct monoterm {
        mono m;
        double c;
    } * t; /* ascending */
    mono pivot;
} poly;

typedef struct space { /* of one degree */
    poly *p;
    int32_t n, cap;
} space;

static int compare_monomials(const void *a, const void *b)
{
    const uint16_t *x = ((const mono *)a)->v, *y = ((const mono *)b)->v;
    for (int i = 0; i < AGNI_MAX_ORDER; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}
static int compare_pivots(const void *a, const void *b)
{
    return compare_monomials(&((const poly *)a)->pivot, &((const poly *)b)->pivot);
}

static double coefficient_of(const poly *p, const mono *m)
{
    const struct monoterm *t = p->n
                                   ? bsearch(m, p->t, (size_t)p->n, sizeof *p->t, compare_monomials)
                                   : NULL;
    return t ? t->c : 0;
}

/* p <- p - c q; parts below tiny are rounding */
static bool subtract_multiple(poly *p, double c, const poly *q, double tiny)
{
    struct monoterm *t = agni_alloc((size_t)(p->n + q->n + 1) * sizeof *t);
    int32_t n = 0;
    if (!t)
        return false;
    for (int32_t i = 0, j = 0; i < p->n || j < q->n;) {
        int side = i == p->n ? 1 : j == q->n ? -1 : compare_monomials(&p->t[i].m, &q->t[j].m);
        t[n] = side <= 0 ? p->t[i] : (struct monoterm){q->t[j].m, 0};
        t[n].c -= side >= 0 ? c * q->t[j].c : 0;
        i += side <= 0;
        j += side >= 0;
        n += fabs(t[n].c) > tiny;
    }
    agni_free(p->t);
    p->t = t;
    p->n = n;
    return true;
}

/* The span of s and p; takes p over. */
static bool add_to_span(space *s, poly p)
{
    double top = 0;
    for (int32_t i = 0; i < p.n; i++)
        top = fmax(top, fabs(p.t[i].c));
    double tiny = 1e-13 * top;
    bool ok = true;
    for (int32_t k = 0; ok && k < s->n; k++) {
        double c = coefficient_of(&p, &s->p[k].pivot);
        ok = c == 0 || subtract_multiple(&p, c, &s->p[k], tiny);
    }
    if (ok && s->n == s->cap) {
        int32_t cap = s->cap ? 2 * s->cap : 16;
        poly *more = agni_realloc(s->p, (size_t)cap * sizeof *more);
        ok = more;
        s->p = more ? more : s->p;
        s->cap = more ? cap : s->cap;
    }
    if (!ok || p.n == 0) {
        agni_free(p.t);
        return ok;
    }
    int32_t best = 0;
    for (int32_t i = 1; i < p.n; i++)
        best = fabs(p.t[i].c) > fabs(p.t[best].c) ? i : best;
    double lead = p.t[best].c;
    for (int32_t i = 0; i < p.n; i++)
        p.t[i].c /= lead;
    p.pivot = p.t[best].m;
    for (int32_t k = 0; ok && k < s->n; k++) {
        double c = coefficient_of(&s->p[k], &p.pivot);
        ok = c == 0 || subtract_multiple(&s->p[k], c, &p, 0);
    }
    s->p[s->n++] = p;
    return ok;
}

/* dp/dx_v */
static bool differentiate(poly *out, const poly *p, uint16_t v)
{
    *out = (poly){0, agni_alloc((size_t)(p->n + 1) * sizeof *out->t), {{0}}};
    for (int32_t i = 0; out->t && i < p->n; i++) {
        struct monoterm q = p->t[i];
        int at = 0;
        while (at < AGNI_MAX_ORDER && q.m.v[at] != v)
            at++;
        if (at == AGNI_MAX_ORDER)
            continue;
        memmove(q.m.v + at, q.m.v + at + 1, (size_t)(AGNI_MAX_ORDER - 1 - at) * sizeof *q.m.v);
        q.m.v[AGNI_MAX_ORDER - 1] = 0;
        out->t[out->n++] = q;
    }
    if (out->t)
        qsort(out->t, (size_t)out->n, sizeof *out->t, compare_monomials);
    return out->t;
}

/* ---- a grading ----------------------------------------------------------------------------- */

typedef struct build {
    space degree[AGNI_MAX_ORDER + 1];
    poly *part; /* [n_poly][AGNI_MAX_ORDER + 1] of the polynomials */
    int32_t n_poly, K;
} build;

static bool collect_polynomials(build *b, int32_t d, int32_t n, const int32_t *alpha,
                                const double *c, const int32_t *of)
{
    for (int32_t t = 0; t < n; t++)
        b->n_poly = of[t] >= b->n_poly ? of[t] + 1 : b->n_poly;
    b->part = agni_zalloc((size_t)(b->n_poly * (AGNI_MAX_ORDER + 1) + 1) * sizeof *b->part);
    if (!b->part)
        return false;
    for (int32_t t = 0; t < n; t++) {
        struct monoterm q = {.c = -c[t]};
        int total = 0;
        for (int32_t j = 0; j < d; j++)
            for (int32_t k = 1; k <= alpha[t * d + j]; k++) {
                q.m.v[total++] = (uint16_t)(j + 1);
                q.c *= k; /* x^a = a! (x^a / a!) */
            }
        b->K = total > b->K ? total : b->K;
        poly one = {1, &q, q.m};
        if (!subtract_multiple(&b->part[of[t] * (AGNI_MAX_ORDER + 1) + total], 1, &one, 0))
            return false;
    }
    return true;
}

/* the first variable of p after v; 0: none */
static uint16_t next_variable(const poly *p, uint16_t v)
{
    uint16_t next = 0;
    for (int32_t i = 0; i < p->n; i++)
        for (int k = 0; k < AGNI_MAX_ORDER; k++) {
            uint16_t w = p->t[i].m.v[k];
            next = w > v && (!next || w < next) ? w : next;
        }
    return next;
}

/* all derivatives, from the highest degree down */
static agn_status close_under_derivatives(build *b, const char *op)
{
    for (int k = b->K; k > 0; k--) {
        space *s = &b->degree[k];
        const space *up = k < b->K ? &b->degree[k + 1] : NULL;
        bool ok = true;
        for (int32_t q = 0; ok && q < b->n_poly; q++) {
            const poly *p = &b->part[q * (AGNI_MAX_ORDER + 1) + k];
            poly copy = {0, NULL, {{0}}};
            ok = !p->n || (subtract_multiple(&copy, -1, p, 0) && add_to_span(s, copy));
        }
        for (int32_t i = 0; ok && up && i < up->n && s->n <= AGNI_MAX_LANES; i++)
            for (uint16_t v = next_variable(&up->p[i], 0); ok && v;
                 v = next_variable(&up->p[i], v)) {
                poly p;
                ok = differentiate(&p, &up->p[i], v) && add_to_span(s, p);
            }
        if (!ok)
            return agni_nomem(op, sizeof(poly));
        if (s->n > AGNI_MAX_LANES)
            return agni_fail(AGN_EUNSUPPORTED,
                             "%s: more than %d derivatives of order %d would be carried along; "
                             "take samples",
                             op, AGNI_MAX_LANES, k);
        if (s->n)
            qsort(s->p, (size_t)s->n, sizeof *s->p, compare_pivots);
    }
    while (b->K > 0 && b->degree[b->K].n == 0) /* terms may cancel */
        b->K--;
    return AGN_OK;
}

/* the basis element whose pivot is m, or -1 */
static int32_t find_pivot(const space *s, const mono *m)
{
    poly key = {.pivot = *m};
    const poly *p = s->n ? bsearch(&key, s->p, (size_t)s->n, sizeof *s->p, compare_pivots) : NULL;
    return p ? (int32_t)(p - s->p) : -1;
}

/* The product whose result has degree k: every way to part a monomial of the basis into pivots
   of degrees j and k - j. */
static bool build_product_weights(agni_grading_weights *t, const space *sj, const space *sm,
                                  const space *sk, int j, int k)
{
    int32_t cap = 0;
    for (int32_t c = 0; c < sk->n; c++)
        for (int32_t i = 0; i < sk->p[c].n; i++)
            for (int set = 0; set < 1 << k; set++) {
                const struct monoterm *q = &sk->p[c].t[i];
                mono m[2] = {{{0}}, {{0}}};
                int n[2] = {0, 0};
                bool once = true; /* of equal variables the first ones go left */
                for (int v = 0; v < k; v++) {
                    int side = !(set >> v & 1);
                    m[side].v[n[side]++] = q->m.v[v];
                    once &= side || v == 0 || q->m.v[v - 1] != q->m.v[v] || set >> (v - 1) & 1;
                }
                int32_t a = once && n[0] == j ? find_pivot(sj, &m[0]) : -1;
                int32_t b = a >= 0 ? find_pivot(sm, &m[1]) : -1;
                if (b < 0)
                    continue;
                if (t->n == cap) {
                    cap = cap ? 2 * cap : 16;
                    agni_grading_weight *more = agni_realloc(t->term, (size_t)cap * sizeof *more);
                    if (!more)
                        return false;
                    t->term = more;
                }
                t->term[t->n++] = (agni_grading_weight){a, b, c, q->c};
            }
    t->dot = sk->n == 1 && sj->n == sm->n && t->n == sj->n;
    for (int32_t i = 0; t->dot && i < t->n; i++)
        t->dot = t->term[i].a == t->term[i].b && t->term[i].w == t->term[0].w;
    return true;
}

/* how the polynomials are read: coordinates are coefficients at pivots */
static bool build_readouts(agni_derivative_space *a, const build *b)
{
    int32_t room = b->n_poly;
    for (int k = 1; k <= b->K; k++)
        room += b->n_poly * b->degree[k].n;
    a->read = agni_alloc((size_t)room * sizeof *a->read);
    for (int32_t q = 0; a->read && q < b->n_poly; q++)
        for (int k = 0; k <= b->K; k++) {
            const poly *p = &b->part[q * (AGNI_MAX_ORDER + 1) + k];
            int32_t n = k ? b->degree[k].n : 1;
            for (int32_t i = 0; i < n; i++) {
                double w = coefficient_of(p, k ? &b->degree[k].p[i].pivot : &(mono){{0}});
                if (w != 0)
                    a->read[a->n_read++] = (agni_readout){q, k, i, w};
            }
        }
    return a->read;
}

static bool fill_grading(agni_derivative_space *a, const build *b)
{
    int n = b->K + 1;
    a->g.K = b->K;
    a->g.lanes[0] = 1;
    for (int k = 1; k <= b->K; k++)
        a->g.lanes[k] = b->degree[k].n;
    a->g.by = agni_zalloc((size_t)(n * n) * sizeof *a->g.by);
    a->seed = agni_zalloc((size_t)(b->degree[1].n * a->d + 1) * sizeof *a->seed);
    bool ok = a->g.by && a->seed && build_readouts(a, b);
    for (int32_t i = 0; ok && i < b->degree[1].n; i++)
        for (int32_t t = 0; t < b->degree[1].p[i].n; t++)
            a->seed[i * a->d + b->degree[1].p[i].t[t].m.v[0] - 1] = b->degree[1].p[i].t[t].c;
    for (int j = 1; ok && j < b->K; j++)
        for (int m = 1; ok && j + m <= b->K; m++)
            ok = build_product_weights(&a->g.by[j * n + m], &b->degree[j], &b->degree[m],
                                       &b->degree[j + m], j, j + m);
    return ok;
}

void agni_derivative_space_free(agni_derivative_space *a)
{
    int n = a ? a->g.K + 1 : 0;
    for (int i = 0; a && a->g.by && i < n * n; i++)
        agni_free(a->g.by[i].term);
    if (a) {
        agni_free(a->g.by);
        agni_free(a->seed);
        agni_free(a->read);
    }
    agni_free(a);
}

agn_status agni_derivative_space_make(agni_derivative_space **out, const char *op, int32_t d,
                                      int32_t n, const int32_t *alpha, const double *c,
                                      const int32_t *of)
{
    build b = {.K = 0};
    agni_derivative_space *a = agni_zalloc(sizeof *a);
    agn_status st = a && collect_polynomials(&b, d, n, alpha, c, of) ? AGN_OK
                                                                     : agni_nomem(op, sizeof *a);
    if (a)
        a->d = d;
    if (!st)
        st = close_under_derivatives(&b, op);
    if (!st && !fill_grading(a, &b))
        st = agni_nomem(op, sizeof *a);
    for (int k = 0; k <= AGNI_MAX_ORDER; k++) {
        for (int32_t i = 0; i < b.degree[k].n; i++)
            agni_free(b.degree[k].p[i].t);
        agni_free(b.degree[k].p);
    }
    for (int32_t i = 0; b.part && i < b.n_poly * (AGNI_MAX_ORDER + 1); i++)
        agni_free(b.part[i].t);
    agni_free(b.part);
    if (st)
        agni_derivative_space_free(a);
    else
        *out = a;
    return st;
}
