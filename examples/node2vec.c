/* node2vec.c - communities laid out by walks (Grover and Leskovec 2016): nodes that walks meet
   together come to lie together. Draws node2vec.svg: ties, and nodes coloured by
   community. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <agnesi/geometric_structure.h>
#include <math.h>

enum { GROUPS = 6, SIZE = 9, N = GROUPS * SIZE, WALKS = 20 * N, LENGTH = 12, WINDOW = 4 };

static int64_t from[N * SIZE], to[N * SIZE], m; /* ties */

/* circles of friends, each tied to the next by one edge, and some ties across */
static agn_status make_graph(agn_graph **out)
{
    for (int g = 0; g < GROUPS; g++) {
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < i; j++)
                if ((i * 7 + j * 3 + g) % 4) { /* three ties of four */
                    from[m] = g * SIZE + i;
                    to[m++] = g * SIZE + j;
                }
        from[m] = g * SIZE;
        to[m++] = (g + 1) % GROUPS * SIZE + 1;
    }
    agn_tensor *a = NULL, *b = NULL;
    agn_graph *one = NULL;
    agn_status st = agn_from_host(&a, AGN_I64, 1, &m, from);
    st = st ? st : agn_from_host(&b, AGN_I64, 1, &m, to);
    st = st ? st : agn_graph_from_edges(&one, a, b, N, N);
    st = st ? st : agn_graph_undirected(out, NULL, one);
    agn_graph_release(one);
    agn_release(a);
    agn_release(b);
    return st;
}

/* how often walks have i and j within a window, over all */
static agn_status count_pairs(agn_tensor **out, const agn_graph *g)
{
    static int64_t walk[WALKS][LENGTH + 1], start[WALKS];
    static double pair[N][N];
    int64_t n = WALKS;
    double all = 0;
    for (int k = 0; k < WALKS; k++)
        start[k] = k % N;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *key = ag_from_host(s, AGN_I64, 1, (const int64_t[]){2},
                                         (const int64_t[]){3, 1});
    const agn_tensor *w = ag_graph_random_walk(s, g, ag_from_host(s, AGN_I64, 1, &n, start), LENGTH,
                                               1, 0.5, key);
    agn_status st = w ? agn_to_host(walk, w, sizeof walk) : agn_scope_status(s);
    for (int k = 0; !st && k < WALKS; k++)
        for (int i = 0; i <= LENGTH; i++)
            for (int j = i - WINDOW; j <= i + WINDOW; j++)
                if (j >= 0 && j <= LENGTH && j != i) {
                    pair[walk[k][i]][walk[k][j]]++;
                    all++;
                }
    for (int i = 0; i < N * N; i++)
        pair[i / N][i % N] /= all > 0 ? all : 1;
    if (!st)
        agn_scope_return(s, out, ag_from_host(s, AGN_F64, 2, (const int64_t[]){N, N}, pair));
    agn_status closed = agn_scope_close(s);
    return st ? st : closed;
}

/* cross entropy of the softmax over -|z_i - z_j|^2 */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const agn_tensor *z = in[0], *a = ag_expand_dims(s, z, 0), *b = ag_expand_dims(s, z, 1);
    const agn_tensor *near = ag_neg(
        s, ag_sum(s, ag_square(s, ag_sub(s, a, b)), (const int32_t[]){2}, 1, false));
    const agn_tensor *log = ag_sub(s, near, ag_logsumexp(s, near, (const int32_t[]){1}, 1, true));
    out[0] = ag_neg(s, ag_sum_all(s, ag_mul(s, in[1], log)));
    return agn_scope_status(s);
}

static agn_status lay_out(double z[N][2], const agn_tensor *pairs)
{
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    agn_tensor *first = NULL, *last = NULL;
    for (int i = 0; i < N; i++) {
        z[i][0] = cos(i * 2.4) * sqrt(i + 0.5) / 4;
        z[i][1] = sin(i * 2.4) * sqrt(i + 0.5) / 4;
    }
    agn_status st = agn_from_host(&first, AGN_F64, 2, (const int64_t[]){N, 2}, z);
    st = st ? st : agn_fn_new(&f, loss, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0}, 1);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_BFGS, (const agn_tensor *const[]){first}, 1, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, fast, &pairs, 1, 300, NULL, NULL);
    st = st ? st : agn_optim_params(&last, 1, o);
    st = st ? st : agn_to_host(z, last, N * sizeof *z);
    agn_release(first);
    agn_release(last);
    agn_optim_release(o);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st;
}

static void draw(double z[N][2])
{
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    FILE *f = picture_open("node2vec.svg", 600, 600);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], z[i][k]);
            high[k] = fmax(high[k], z[i][k]);
        }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++)
            z[i][k] = 20 + 560 * (z[i][k] - low[k]) / (high[k] - low[k]);
    for (int64_t e = 0; e < m; e++)
        picture_line(f, z[from[e]][0], z[from[e]][1], z[to[e]][0], z[to[e]][1]);
    for (int i = 0; i < N; i++)
        picture_disc(f, z[i][0], z[i][1], 8, (double)(i / SIZE) / (GROUPS - 1));
    picture_close(f);
}

int main(void)
{
    agn_graph *g = NULL;
    agn_tensor *pairs = NULL;
    double z[N][2];
    int right = 0;
    agn_status st = make_graph(&g);
    st = st ? st : count_pairs(&pairs, g);
    st = st ? st : lay_out(z, pairs);
    for (int i = 0; !st && i < N; i++) {
        int best = -1;
        for (int j = 0; j < N; j++)
            if (j != i && (best < 0 || hypot(z[i][0] - z[j][0], z[i][1] - z[j][1]) <
                                           hypot(z[i][0] - z[best][0], z[i][1] - z[best][1])))
                best = j;
        right += best / SIZE == i / SIZE;
    }
    if (st) {
        fprintf(stderr, "%s\n", agn_error_message());
    } else {
        draw(z);
        printf("the nearest node is of the same community for nine of ten or more: %s\n",
               right * 10 >= 9 * N ? "yes" : "no");
    }
    agn_graph_release(g);
    agn_release(pairs);
    return st != AGN_OK;
}
