/* sparse/derivative/colouring.c - colourings of patterns. Columns that have no row in common may
   share one product; they are the vertices of a bipartite graph at distance two of each other.
   Gebremedhin, Manne & Pothen 2005, "What color is your Jacobian?", sections 3 and 4. */
#include "sparse/derivative/derivative.h"

#include <string.h>

/* A bipartite graph: lines are coloured; a line has crossings, a crossing has lines. */
typedef struct grid {
    int64_t n, n_cross;
    const agni_pattern *cross; /* crossings of a line */
    const agni_pattern *line;  /* lines of a crossing */
    const bool *on, *cross_on; /* those that count; NULL: all */
} grid;

#define EACH_CROSS(g, v, c)                            \
    for (int64_t e_##c = agni_row_begin((g)->cross, v), c; \
         e_##c < agni_row_begin((g)->cross, (v) + 1) &&    \
         (c = agni_entry_col((g)->cross, e_##c), true);      \
         e_##c++)                                      \
        if (!(g)->cross_on || (g)->cross_on[c])
#define EACH_LINE(g, c, w)                            \
    for (int64_t e_##w = agni_row_begin((g)->line, c), w; \
         e_##w < agni_row_begin((g)->line, (c) + 1) &&    \
         (w = agni_entry_col((g)->line, e_##w), true);      \
         e_##w++)                                     \
        if (!(g)->on || (g)->on[w])

static int64_t count_neighbours(const grid *g, int64_t v)
{
    int64_t n = 0;
    EACH_CROSS(g, v, c)
    {
        n += agni_row_begin(g->line, c + 1) - agni_row_begin(g->line, c) - 1;
    }
    return n;
}

/* ---- orders --------------------------------------------------------------------- */

/* Bucket queue: doubly linked lists of lines by number of neighbours, clamped to most. */
typedef struct buckets {
    int64_t most, *head, *next, *prev, *key;
} buckets;

static void remove_from_bucket(buckets *b, int64_t v)
{
    int64_t p = b->prev[v], n = b->next[v];
    if (p >= 0)
        b->next[p] = n;
    else
        b->head[b->key[v]] = n;
    if (n >= 0)
        b->prev[n] = p;
}
static void add_to_bucket(buckets *b, int64_t v, int64_t key)
{
    b->key[v] = key < b->most ? key : b->most;
    int64_t n = b->head[b->key[v]];
    b->prev[v] = -1;
    b->next[v] = n;
    if (n >= 0)
        b->prev[n] = v;
    b->head[b->key[v]] = v;
}

static void order_smallest_last(const grid *g, buckets *b, int64_t *many, int64_t *order)
{
    int64_t least = 0;
    for (int64_t at = g->n - 1; at >= 0; at--) {
        while (b->head[least] < 0)
            least++;
        int64_t v = b->head[least];
        remove_from_bucket(b, v);
        b->key[v] = -1;
        order[at] = v;
        if (g->on && !g->on[v])
            continue;
        EACH_CROSS(g, v, c)
        {
            EACH_LINE(g, c, w)
            {
                if (b->key[w] < 0 || many[w] == 0)
                    continue;
                remove_from_bucket(b, w);
                add_to_bucket(b, w, --many[w]);
                least = b->key[w] < least ? b->key[w] : least;
            }
        }
    }
}

static agn_status order_lines(const grid *g, agn_colour_order by, int64_t *order)
{
    for (int64_t v = 0; v < g->n; v++)
        order[v] = v;
    if (by == AGN_COLOUR_NATURAL || g->n == 0)
        return AGN_OK;
    buckets b = {.most = g->n < 4096 ? 4096 : g->n};
    size_t n = (size_t)g->n;
    int64_t *room = agni_alloc((4 * n + (size_t)b.most + 1) * sizeof *room);
    if (!room)
        return agni_nomem("sparse_colours", 4 * n * sizeof *room);
    int64_t *many = room;
    b.next = room + n;
    b.prev = room + 2 * n;
    b.key = room + 3 * n;
    b.head = room + 4 * n;
    for (int64_t k = 0; k <= b.most; k++)
        b.head[k] = -1;
    for (int64_t v = g->n - 1; v >= 0; v--)
        add_to_bucket(&b, v, many[v] = count_neighbours(g, v));
    int64_t at = 0;
    if (by == AGN_COLOUR_SMALLEST_LAST)
        order_smallest_last(g, &b, many, order);
    else
        for (int64_t k = b.most; k >= 0; k--)
            for (int64_t v = b.head[k]; v >= 0; v = b.next[v])
                order[at++] = v;
    agni_free(room);
    return AGN_OK;
}

/* ---- greedy --------------------------------------------------------------------- */

/* forbidden[k] is the last line that may not have colour k */
static int32_t first_free(const int64_t *forbidden, int64_t v)
{
    int32_t k = 0;
    while (forbidden[k] == v)
        k++;
    return k;
}

typedef void forbid_fn(const grid *g, int64_t v, const int32_t *colour,
                       int64_t *forbidden);

static void forbid_distance_two(const grid *g, int64_t v, const int32_t *colour, int64_t *forbidden)
{
    EACH_CROSS(g, v, c)
    {
        EACH_LINE(g, c, w)
        {
            if (colour[w] >= 0)
                forbidden[colour[w]] = v;
        }
    }
}

static bool has_coloured_crossing(const grid *g, int64_t x, int64_t but, int32_t k,
                                  const int32_t *colour)
{
    EACH_CROSS(g, x, y)
    {
        if (y != but && y != x && colour[y] == k)
            return true;
    }
    return false;
}

/* No path of four vertices has two colours: algorithm 4.1 there. Lines are their own
   crossings; the diagonal is no edge. */
static void forbid_star(const grid *g, int64_t v, const int32_t *colour, int64_t *forbidden)
{
    EACH_CROSS(g, v, w)
    {
        if (w == v)
            continue;
        if (colour[w] >= 0)
            forbidden[colour[w]] = v;
        EACH_CROSS(g, w, x)
        {
            if (x != v && x != w && colour[x] >= 0 && forbidden[colour[x]] != v &&
                (colour[w] < 0 || has_coloured_crossing(g, x, w, colour[w], colour)))
                forbidden[colour[x]] = v;
        }
    }
}

/* greedy colouring: colour[n], -1 for lines that are off or without a crossing; *count colours */
static agn_status colour_greedily(const grid *g, agn_colour_order by, forbid_fn *forbid,
                                  int32_t *colour, int32_t *count)
{
    size_t n = (size_t)g->n + 1;
    int64_t *order = agni_alloc(n * sizeof *order),
            *forbidden = agni_alloc(n * sizeof *order);
    agn_status st = order && forbidden ? order_lines(g, by, order)
                                       : agni_nomem("sparse_colours", 2 * n * sizeof *order);
    *count = 0;
    for (int64_t v = 0; v < g->n; v++)
        colour[v] = -1;
    for (size_t k = 0; !st && k < n; k++)
        forbidden[k] = -1;
    for (int64_t k = 0; !st && k < g->n; k++) {
        int64_t v = order[k];
        bool any = false;
        if (g->on && !g->on[v])
            continue;
        EACH_CROSS(g, v, c)
        {
            any = true;
            break;
        }
        if (!any)
            continue;
        forbid(g, v, colour, forbidden);
        colour[v] = first_free(forbidden, v);
        *count = colour[v] >= *count ? colour[v] + 1 : *count;
    }
    agni_free(order);
    agni_free(forbidden);
    return st;
}

/* ---- rows and columns ----------------------------------------------------------- */

static grid column_grid(const agni_pattern *p, const agni_transposed_pattern *t)
{
    return (grid){p->cols, p->rows, t->p, p, NULL, NULL};
}
static grid row_grid(const agni_pattern *p, const agni_transposed_pattern *t)
{
    return (grid){p->rows, p->cols, p, t->p, NULL, NULL};
}

/* Rows of more than `many` entries by themselves, the columns of the others. */
static agn_status colour_split(agni_colours *c, const agni_pattern *p,
                               const agni_transposed_pattern *t, int64_t many,
                               agn_colour_order order)
{
    bool *wide = agni_alloc(2 * (size_t)p->rows + 1);
    if (!wide)
        return agni_nomem("sparse_colours", (size_t)p->rows);
    bool *rest = wide + p->rows;
    for (int64_t i = 0; i < p->rows; i++)
        rest[i] = !(wide[i] = agni_row_begin(p, i + 1) - agni_row_begin(p, i) > many);
    grid columns = column_grid(p, t), rows = row_grid(p, t);
    columns.cross_on = rest;
    rows.on = wide;
    agn_status st = colour_greedily(&columns, order, forbid_distance_two, c->column, &c->n_column);
    if (!st)
        st = colour_greedily(&rows, order, forbid_distance_two, c->row, &c->n_row);
    agni_free(wide);
    return st;
}

/* how many colours such a split needs at least */
static agn_status bound_colours(int64_t *least, const agni_pattern *p, int64_t many, int64_t *room)
{
    int64_t row = 0, column = 0;
    memset(room, 0, (size_t)p->cols * sizeof *room);
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t n = agni_row_begin(p, i + 1) - agni_row_begin(p, i);
        if (n <= many)
            row = n > row ? n : row;
        for (int64_t e = agni_row_begin(p, i); n > many && e < agni_row_begin(p, i + 1); e++)
            column = ++room[agni_entry_col(p, e)] > column ? room[agni_entry_col(p, e)] : column;
    }
    *least = row + column;
    return AGN_OK;
}

static agn_status colours_new(agni_colours *c, const agni_pattern *p)
{
    *c = (agni_colours){.column = agni_alloc((size_t)(p->cols + 1) * sizeof(int32_t)),
                        .row = agni_alloc((size_t)(p->rows + 1) * sizeof(int32_t))};
    if (!c->column || !c->row)
        return agni_nomem("sparse_colours",
                          (size_t)(p->cols + p->rows) * sizeof(int32_t));
    for (int64_t j = 0; j < p->cols; j++)
        c->column[j] = -1;
    for (int64_t i = 0; i < p->rows; i++)
        c->row[i] = -1;
    return AGN_OK;
}

void agni_colours_free(agni_colours *c)
{
    agni_free(c->column);
    agni_free(c->row);
    *c = (agni_colours){0};
}

static void keep_fewer(agni_colours *best, agni_colours *c)
{
    if (!best->column || c->n_column + c->n_row < best->n_column + best->n_row) {
        agni_colours t = *best;
        *best = *c;
        *c = t;
    }
    agni_colours_free(c);
}

/* Splits at halves of the longest row, the most promising first. */
static agn_status best_split(agni_colours *best, const agni_pattern *p,
                             const agni_transposed_pattern *t, agn_colour_order order)
{
    int64_t least[64], many[64], longest = 0, *room;
    int n = 0;
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t k = agni_row_begin(p, i + 1) - agni_row_begin(p, i);
        longest = k > longest ? k : longest;
    }
    if (!(room = agni_alloc((size_t)(p->cols + 1) * sizeof *room)))
        return agni_nomem("sparse_colours", (size_t)p->cols * sizeof *room);
    for (int64_t k = longest;; k /= 2) {
        many[n] = k;
        bound_colours(&least[n++], p, k, room);
        if (k == 0)
            break;
    }
    agni_free(room);
    agn_status st = AGN_OK;
    for (int tried = 0; !st && tried < n; tried++) {
        int at = 0;
        for (int k = 1; k < n; k++)
            at = least[k] < least[at] ? k : at;
        if (least[at] == INT64_MAX ||
            (best->column && least[at] >= best->n_column + best->n_row))
            break;
        agni_colours c;
        st = colours_new(&c, p);
        if (!st)
            st = colour_split(&c, p, t, many[at], order);
        least[at] = INT64_MAX;
        if (st)
            agni_colours_free(&c);
        else
            keep_fewer(best, &c);
    }
    return st;
}

static agn_status check_symmetric(const agni_pattern *p, const agni_transposed_pattern *t)
{
    if (p->rows != p->cols)
        return agni_fail(AGN_EARG,
                         "sparse_colours: a [%lld,%lld] pattern is not symmetric",
                         (long long)p->rows, (long long)p->cols);
    for (int64_t i = 0; i < p->rows; i++) {
        int64_t a = agni_row_begin(p, i), b = agni_row_begin(t->p, i);
        for (; a < agni_row_begin(p, i + 1) || b < agni_row_begin(t->p, i + 1); a++, b++) {
            int64_t j = a < agni_row_begin(p, i + 1) ? agni_entry_col(p, a) : INT64_MAX;
            int64_t k = b < agni_row_begin(t->p, i + 1) ? agni_entry_col(t->p, b) : INT64_MAX;
            if (j != k) {
                k = j < k ? j : k;
                return agni_fail(
                    AGN_EARG,
                    "sparse_colours: not symmetric: of entries [%lld,%lld] and "
                    "[%lld,%lld] one is there",
                    (long long)i, (long long)k, (long long)k, (long long)i);
            }
        }
    }
    return AGN_OK;
}

agn_status agni_colour_pattern(agni_colours *out, const agni_pattern *p, agn_colour_by by,
                               agn_colour_order order)
{
    const agni_transposed_pattern *t = agni_pattern_transposed(p);
    if (!t)
        return agni_nomem("sparse_colours", (size_t)p->nnz * sizeof(int64_t));
    *out = (agni_colours){0};
    if (by == AGN_COLOUR_AUTO || by == AGN_COLOUR_BOTH) {
        agn_status failed = best_split(out, p, t, order);
        if (failed)
            agni_colours_free(out);
        return failed;
    }
    agn_status st = by == AGN_COLOUR_STAR ? check_symmetric(p, t) : AGN_OK;
    if (!st)
        st = colours_new(out, p);
    grid columns = column_grid(p, t), rows = row_grid(p, t);
    if (!st)
        st = by == AGN_COLOUR_ROWS
                 ? colour_greedily(&rows, order, forbid_distance_two, out->row, &out->n_row)
                 : colour_greedily(&columns, order,
                                   by == AGN_COLOUR_STAR ? forbid_star : forbid_distance_two,
                                   out->column, &out->n_column);
    if (st)
        agni_colours_free(out);
    return st;
}

/* ---- the public function -------------------------------------------------------- */

agn_status agni_check_colouring(const char *op, int by, int order)
{
    if (by < 0 || by > AGN_COLOUR_STAR)
        return agni_fail(AGN_EARG, "%s: there is no way %d to colour; the last is %d",
                         op, by, AGN_COLOUR_STAR);
    if (order < 0 || order > AGN_COLOUR_SMALLEST_LAST)
        return agni_fail(AGN_EARG, "%s: there is no order %d; the last is %d", op,
                         order, AGN_COLOUR_SMALLEST_LAST);
    return AGN_OK;
}

static agn_status colours_to_tensor(agn_tensor **out, int64_t n, const int32_t *colour)
{
    agn_tensor *y = NULL;
    agn_status st = agni_tensor_make(&y, "sparse_colours", AGN_I64, 1, &n, AGN_CPU);
    for (int64_t k = 0; !st && k < n; k++)
        ((int64_t *)y->data)[k] = colour[k];
    *out = y;
    return st;
}

agn_status agn_sparse_colours(agn_tensor **columns, agn_tensor **rows,
                              const agn_tensor *a, agn_colour_by by,
                              agn_colour_order order)
{
    AGNI_NEED("sparse_colours", columns);
    AGNI_NEED("sparse_colours", rows);
    AGNI_NEED("sparse_colours", a);
    AGNI_BY_ROWS("sparse_colours", a, agn_sparse_colours(columns, rows, a, by, order));
    const agni_csr *m = NULL;
    agn_status st = agni_csr_parts("sparse_colours", a, &m);
    if (!st)
        st = agni_check_colouring("sparse_colours", (int)by, (int)order);
    if (st)
        return st;
    agni_colours c = {0};
    agn_tensor *y[2] = {NULL, NULL};
    const agni_pattern *p = m->pattern;
    st = agni_colour_pattern(&c, p, by, order);
    if (!st)
        st = colours_to_tensor(&y[0], p->cols, c.column);
    if (!st)
        st = colours_to_tensor(&y[1], p->rows, c.row);
    agni_colours_free(&c);
    if (st) {
        agn_release(y[0]);
        return st;
    }
    *columns = y[0];
    *rows = y[1];
    return AGN_OK;
}
