/* geometric/points/periodic.c - near points where space repeats: images of the points around the
   cell, and the tree over them. How many there are follows from the heights of the cell (Larsen et
   al. 2017 do alike by bins). */
#include "geometric/points/points.h"

#include <agnesi/ag.h>
#include <agnesi/geometric_points.h>
#include <math.h>

enum { MOST_AXES = 8 };

typedef struct lattice {
    int64_t d;
    const double *row;                        /* [d, d] */
    bool repeats[MOST_AXES];
    double dual[MOST_AXES][MOST_AXES];        /* of a place, its coordinate along row k: dual[k] . x */
} lattice;

/* The duals of the rows that repeat, within their span: inverse of the Gram matrix, by Gauss and
   Jordan with the largest pivot. False where they have no volume. */
static bool find_duals(lattice *l)
{
    double a[MOST_AXES][2 * MOST_AXES] = {{0}};
    int64_t at[MOST_AXES], r = 0, d = l->d;
    for (int64_t k = 0; k < d; k++)
        if (l->repeats[k])
            at[r++] = k;
    double scale[MOST_AXES];
    for (int64_t i = 0; i < r; i++) {
        double sum = 0;
        for (int64_t c = 0; c < d; c++)
            sum = hypot(sum, l->row[at[i] * d + c]);
        scale[i] = sum;
    }
    for (int64_t i = 0; i < r; i++) {
        for (int64_t j = 0; j < r; j++)
            for (int64_t c = 0; c < d; c++)
                a[i][j] += l->row[at[i] * d + c] / scale[i] * (l->row[at[j] * d + c] / scale[j]);
        a[i][r + i] = 1;
    }
    for (int64_t k = 0; k < r; k++) {
        int64_t p = k;
        for (int64_t i = k; i < r; i++)
            p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
        if (!(fabs(a[p][k]) > 1e-14))
            return false;
        for (int64_t j = 0; j < 2 * r; j++) {
            double t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        for (int64_t j = 2 * r; j-- > k;)
            a[k][j] /= a[k][k];
        for (int64_t i = 0; i < r; i++)
            for (int64_t j = 2 * r; i != k && j-- > k;)
                a[i][j] -= a[i][k] * a[k][j];
    }
    for (int64_t i = 0; i < r; i++)
        for (int64_t c = 0; c < d; c++) {
            l->dual[at[i]][c] = 0;
            for (int64_t j = 0; j < r; j++)
                l->dual[at[i]][c] += a[i][r + j] / (scale[i] * scale[j]) * l->row[at[j] * d + c];
        }
    return true;
}

static double project_along(const lattice *l, int64_t k, const double *x)
{
    double sum = 0;
    for (int64_t c = 0; c < l->d; c++)
        sum += l->dual[k][c] * x[c];
    return sum;
}

/* Images that may be near a point: those whose coordinates lie within reach of all coordinates. */
typedef struct images {
    double lo[MOST_AXES], hi[MOST_AXES], reach[MOST_AXES];
    double *x;
    int64_t *of, *shift, n, room; /* the point of an image; [n, d] */
} images;

static bool grow_images(images *m, int64_t d)
{
    int64_t room = 2 * m->room + 64;
    double *x = agni_alloc((size_t)(room * d + 1) * sizeof *x);
    int64_t *of = agni_alloc((size_t)room * sizeof *of),
            *shift = agni_alloc((size_t)(room * d + 1) * sizeof *shift);
    if (!x || !of || !shift) {
        agni_free(x);
        agni_free(of);
        agni_free(shift);
        return false;
    }
    for (int64_t i = 0; i < m->n * d; i++) {
        x[i] = m->x[i];
        shift[i] = m->shift[i];
    }
    for (int64_t i = 0; i < m->n; i++)
        of[i] = m->of[i];
    agni_free(m->x);
    agni_free(m->of);
    agni_free(m->shift);
    m->x = x;
    m->of = of;
    m->shift = shift;
    m->room = room;
    return true;
}

/* the images of point i with the shifts of axes before k chosen */
static bool add_images(images *m, const lattice *l, const agni_cloud *c, int64_t i, int64_t k,
                       int64_t *s)
{
    if (k < l->d && !l->repeats[k]) {
        s[k] = 0;
        return add_images(m, l, c, i, k + 1, s);
    }
    if (k < l->d) {
        double at = project_along(l, k, c->x + i * l->d);
        int64_t lo = (int64_t)ceil(m->lo[k] - m->reach[k] - at),
                hi = (int64_t)floor(m->hi[k] + m->reach[k] - at);
        for (int64_t v = lo; v <= hi; v++) {
            s[k] = v;
            if (!add_images(m, l, c, i, k + 1, s))
                return false;
        }
        return true;
    }
    if (m->n == m->room && !grow_images(m, l->d))
        return false;
    for (int64_t a = 0; a < l->d; a++) {
        double x = c->x[i * l->d + a];
        for (int64_t b = 0; b < l->d; b++)
            x += (double)s[b] * l->row[b * l->d + a];
        m->x[m->n * l->d + a] = x;
        m->shift[m->n * l->d + a] = s[a];
    }
    m->of[m->n++] = i;
    return true;
}

static agn_status make_images(images *m, const char *op, const lattice *l, const agni_cloud *c,
                              double radius)
{
    int64_t s[MOST_AXES] = {0};
    double many = (double)c->n;
    for (int64_t k = 0; k < l->d; k++) {
        double size = 0;
        m->lo[k] = (double)INFINITY;
        m->hi[k] = -(double)INFINITY;
        for (int64_t i = 0; l->repeats[k] && i < c->n; i++) {
            double at = project_along(l, k, c->x + i * l->d);
            m->lo[k] = at < m->lo[k] ? at : m->lo[k];
            m->hi[k] = at > m->hi[k] ? at : m->hi[k];
        }
        for (int64_t a = 0; l->repeats[k] && a < l->d; a++)
            size = hypot(size, l->dual[k][a]);
        m->reach[k] = radius * size * (1 + 1e-9) + 1e-9;
        if (l->repeats[k] && c->n)
            many *= 2 * m->reach[k] + m->hi[k] - m->lo[k] + 1;
    }
    if (!(many < (double)(INT64_MAX / 64)))
        return agni_nomem(op, SIZE_MAX);
    for (int64_t i = 0; i < c->n; i++)
        if (!add_images(m, l, c, i, 0, s))
            return agni_nomem(op, (size_t)m->n * 2 * sizeof *m->x);
    return AGN_OK;
}

/* ---- edges ---------------------------------------------------------------------------------- */

typedef struct found {
    int64_t *src, *dst, *shift, n, room;
} found;

static bool add_found(found *to, const images *m, const agni_search *s, int64_t dst, int64_t d)
{
    if (to->n + s->n > to->room) {
        int64_t room = 2 * (to->n + s->n) + 64, width = d + 2;
        int64_t *v = agni_alloc((size_t)(room * width) * sizeof *v);
        if (!v)
            return false;
        for (int64_t k = 0; k < to->n; k++) {
            v[k] = to->src[k];
            v[room + k] = to->dst[k];
        }
        for (int64_t k = 0; k < to->n * d; k++)
            v[2 * room + k] = to->shift[k];
        agni_free(to->src);
        *to = (found){v, v + room, v + 2 * room, to->n, room};
    }
    for (int64_t k = 0; k < s->n; k++) {
        int64_t i = s->found[k].point;
        to->src[to->n] = m->of[i];
        to->dst[to->n] = dst;
        for (int64_t a = 0; a < d; a++)
            to->shift[to->n * d + a] = m->shift[i * d + a];
        to->n++;
    }
    return true;
}

/* Edges from the images that a search finds of each point, its own place not among them; *few: how
   many of the points have less than s->most. */
static agn_status find_edges(found *to, const char *op, const images *m, const agni_cloud *c,
                             agni_search *s, int64_t *few)
{
    agni_cloud all = {m->n, c->d, m->x, NULL};
    agni_kd_tree t = {&all, agni_alloc((size_t)(m->n + 1) * sizeof(int64_t)),
                      agni_alloc((size_t)(m->n + 1) * sizeof(int32_t))};
    int64_t *own = agni_alloc((size_t)(c->n + 1) * sizeof *own);
    agn_status st = t.order && t.axis && own ? AGN_OK
                                             : agni_nomem(op, (size_t)m->n * 3 * sizeof(int64_t));
    for (int64_t i = 0; !st && i < m->n; i++) {
        bool moved = false;
        for (int64_t a = 0; a < c->d; a++)
            moved |= m->shift[i * c->d + a] != 0;
        if (!moved)
            own[m->of[i]] = i;
        t.order[i] = i;
    }
    if (!st)
        agni_kd_build(&t, 0, m->n);
    *few = 0;
    for (int64_t i = 0; !st && i < c->n; i++) {
        s->q = c->x + i * c->d;
        s->skip = own[i];
        if (!agni_kd_search(&t, 0, m->n, s) || !add_found(to, m, s, i, c->d))
            st = agni_nomem(op, (size_t)(to->n + s->n) * 3 * sizeof(int64_t));
        *few += s->n < s->most;
    }
    agni_free(s->found);
    s->found = NULL;
    s->room = 0;
    agni_free(own);
    agni_free(t.order);
    agni_free(t.axis);
    return st;
}

static agn_status read_lattice(lattice *l, const char *op, const agni_cloud *cell, int64_t d,
                               const agn_tensor *shown)
{
    if (d > MOST_AXES)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %lld coordinates, %d at most", op, (long long)d,
                         MOST_AXES);
    if (cell->n != d || cell->d != d)
        return agni_fail(AGN_ESHAPE, "%s: cell is %s, [%lld,%lld] is needed", op, AGNI_SHAPE(shown),
                         (long long)d, (long long)d);
    *l = (lattice){.d = d, .row = cell->x};
    for (int64_t k = 0; k < d; k++)
        for (int64_t c = 0; c < d; c++)
            l->repeats[k] |= cell->x[k * d + c] != 0;
    return find_duals(l) ? AGN_OK : agni_fail(AGN_EDOMAIN, "%s: cell has no volume", op);
}

static void free_images(images *m)
{
    agni_free(m->x);
    agni_free(m->of);
    agni_free(m->shift);
    *m = (images){.n = 0};
}

/* What is within a distance, or with most >= 0 the nearest ones: the distance grows until all
   points have as many. */
static agn_status search_lattice(found *to, const char *op, const lattice *l, const agni_cloud *c,
                                 double radius, int64_t most)
{
    images m = {.n = 0};
    agni_search s = {.most = most};
    bool more = true;
    agn_status st = AGN_OK;
    while (more && !st) {
        int64_t few = 0;
        s.within = radius * radius;
        to->n = 0;
        st = make_images(&m, op, l, c, radius);
        if (!st)
            st = find_edges(to, op, &m, c, &s, &few);
        free_images(&m);
        more = few > 0 && !isinf(radius);
        radius *= 1.5;
    }
    return st;
}

/* closes nothing: edges and shifts as a graph and a tensor of s */
static agn_status give_edges(agn_scope *s, agn_graph **g, agn_tensor **shift, const char *op,
                             const agni_cloud *c, const found *to)
{
    static const int64_t nothing[1];
    agn_status st = agni_graph_make(g, op, c->n, c->n, to->n, to->src, to->dst);
    if (!st)
        agn_scope_return(
            s, shift,
            ag_from_host(s, AGN_I64, 2, (int64_t[]){to->n, c->d}, to->n ? to->shift : nothing));
    return st;
}

/* where to begin: the shortest of the rows that repeat, shared by the points; infinite where none
   does */
static double first_radius(const lattice *l, int64_t n, int64_t most)
{
    double least = (double)INFINITY;
    int64_t axes = 0;
    for (int64_t k = 0; k < l->d; k++) {
        double size = 0;
        for (int64_t c = 0; c < l->d; c++)
            size = hypot(size, l->row[k * l->d + c]);
        least = l->repeats[k] && size < least ? size : least;
        axes += l->repeats[k];
    }
    return axes ? least * pow(((double)most + 1) / (double)(n ? n : 1), 1 / (double)axes) : least;
}

static agn_status near_periodic(agn_graph **out, agn_tensor **shift, const char *op,
                                const agn_tensor *x, const agn_tensor *cell, double radius,
                                int64_t most)
{
    agni_cloud c = {0}, rows = {0};
    lattice l;
    found to = {0};
    agn_graph *g = NULL;
    agn_scope *s = agn_scope_open(NULL);
    bool good = agni_read_cloud(s, op, "x", x, NULL, &c) &&
                agni_read_cloud(s, op, "cell", cell, NULL, &rows);
    agn_status st = good ? read_lattice(&l, op, &rows, c.d, cell) : agn_scope_status(s);
    if (!st)
        st = search_lattice(&to, op, &l, &c, most < 0 ? radius : first_radius(&l, c.n, most), most);
    if (!st)
        st = give_edges(s, &g, shift, op, &c, &to);
    agn_scope_fail(s, st);
    agni_free(to.src);
    st = agni_rename_error(op, agn_scope_close(s));
    if (st)
        agn_graph_release(g);
    else
        *out = g;
    return st;
}

agn_status agn_graph_radius_periodic(agn_graph **out, agn_tensor **shift, const agn_tensor *x,
                                     const agn_tensor *cell, double radius)
{
    static const char op[] = "graph_radius_periodic";
    AGNI_NEED(op, out);
    AGNI_NEED(op, shift);
    if (!(radius > 0) || isinf(radius))
        return agni_fail(AGN_EDOMAIN, "%s: the radius is %g, a finite number above 0 is needed", op,
                         radius);
    return near_periodic(out, shift, op, x, cell, radius, -1);
}

agn_status agn_graph_knn_periodic(agn_graph **out, agn_tensor **shift, const agn_tensor *x,
                                  const agn_tensor *cell, int64_t k)
{
    static const char op[] = "graph_knn_periodic";
    AGNI_NEED(op, out);
    AGNI_NEED(op, shift);
    if (k < 0)
        return agni_fail(AGN_EARG, "%s: %lld neighbours, 0 or more are needed", op, (long long)k);
    return near_periodic(out, shift, op, x, cell, 0, k);
}
