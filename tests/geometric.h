/* tests/geometric.h - graphs, integers and keys for tests of geometric functions. */
#ifndef AGN_TESTS_GEOMETRIC_H
#define AGN_TESTS_GEOMETRIC_H

#include "modes.h"

#include <agnesi/geometric_graph.h>

/* integers as i64 [n] */
static inline agn_tensor *whole(int64_t n, const int64_t *v)
{
    agn_tensor *x = NULL;
    must(agn_from_host(&x, AGN_I64, 1, &n, v));
    return x;
}
/* a key of a seed */
static inline agn_tensor *key_of(int64_t seed)
{
    return whole(2, (int64_t[]){seed, 7});
}
/* m edges */
static inline agn_graph *make_graph(int64_t m, const int64_t *from, const int64_t *to,
                                    int64_t n_src, int64_t n_dst)
{
    agn_tensor *s = whole(m, from), *d = whole(m, to);
    agn_graph *g = NULL;
    must(agn_graph_from_edges(&g, s, d, n_src, n_dst));
    agn_release(s);
    agn_release(d);
    return g;
}
/* an element as a number, and as an integer */
static inline double get(const agn_tensor *x, int64_t i)
{
    return creal(peekz(x, i));
}
static inline int64_t at(const agn_tensor *x, int64_t i)
{
    return (int64_t)get(x, i);
}
/* the ends of the edges of g; how many */
static inline int64_t read_edges(const agn_graph *g, int64_t *from, int64_t *to)
{
    agn_tensor *s, *d;
    int64_t m;
    must(agn_graph_size(NULL, NULL, &m, g));
    must(agn_graph_edges(&s, &d, g));
    for (int64_t e = 0; e < m; e++) {
        from[e] = at(s, e);
        to[e] = at(d, e);
    }
    agn_release(s);
    agn_release(d);
    return m;
}
/* same shapes and integers */
static inline bool same(const agn_tensor *a, const agn_tensor *b)
{
    bool is = same_shapes(a, b);
    for (int64_t i = 0; is && i < agn_numel(a); i++)
        is = at(a, i) == at(b, i);
    return is;
}
#define RELEASE(...) \
    release_all((agn_tensor *[]){__VA_ARGS__}, COUNT(((agn_tensor *[]){__VA_ARGS__})))

/* m edges in any order, or by destination; nothing reaches the last node */
static inline agn_graph *random_graph(int64_t m, int64_t n_src, int64_t n_dst, bool sorted)
{
    int64_t *from = malloc((size_t)(m + 1) * sizeof *from), *to = malloc((size_t)(m + 1) * sizeof *to);
    for (int64_t e = 0; e < m; e++) {
        from[e] = rnd_below((int)n_src);
        to[e] = sorted ? e * (n_dst - 1) / m : rnd_below((int)n_dst - 1); /* the last one has none */
    }
    agn_graph *g = make_graph(m, from, to, n_src, n_dst);
    free(from);
    free(to);
    return g;
}

#endif
