/* karate.c - Zachary's karate club (1977, J. Anthropol. Res. 33): 34 members, 78 ties, and the club
   splits in two. A graph convolutional network is told on which side the instructor (0) and the
   president (33) stand, and says where the others go (Kipf and Welling 2017). */
#include <agnesi/agnesi.h>
#include <agnesi/geometric_layers.h>
#include <agnesi/nn.h>
#include <stdio.h>

enum { N = 34, TIES = 78, HIDDEN = 4, PARAMETERS = 2, STEPS = 60 };
static const int8_t ties[TIES][2] = {
    {1, 0},   {2, 0},   {2, 1},   {3, 0},   {3, 1},   {3, 2},   {4, 0},   {5, 0},   {6, 0},
    {6, 4},   {6, 5},   {7, 0},   {7, 1},   {7, 2},   {7, 3},   {8, 0},   {8, 2},   {9, 2},
    {10, 0},  {10, 4},  {10, 5},  {11, 0},  {12, 0},  {12, 3},  {13, 0},  {13, 1},  {13, 2},
    {13, 3},  {16, 5},  {16, 6},  {17, 0},  {17, 1},  {19, 0},  {19, 1},  {21, 0},  {21, 1},
    {25, 23}, {25, 24}, {27, 2},  {27, 23}, {27, 24}, {28, 2},  {29, 23}, {29, 26}, {30, 1},
    {30, 8},  {31, 0},  {31, 24}, {31, 25}, {31, 28}, {32, 2},  {32, 8},  {32, 14}, {32, 15},
    {32, 18}, {32, 20}, {32, 22}, {32, 23}, {32, 29}, {32, 30}, {32, 31}, {33, 8},  {33, 9},
    {33, 13}, {33, 14}, {33, 15}, {33, 18}, {33, 19}, {33, 20}, {33, 22}, {33, 23}, {33, 26},
    {33, 27}, {33, 28}, {33, 29}, {33, 30}, {33, 31}, {33, 32}};
/* who went with the president */
static const int64_t side[N] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0,
                                0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* two convolutions; members have no features but who they are */
static const agn_tensor *network(agn_scope *s, const agn_graph *g, const agn_tensor *const *w)
{
    const agn_tensor *h = ag_graph_gcn(s, g, ag_eye(s, AGN_F64, N, N, 0), NULL, w[0], NULL);
    return ag_graph_gcn(s, g, ag_tanh(s, h), NULL, w[1], NULL); /* [N, 1]: above 0 for the president */
}

static agn_status loss(void *g, agn_scope *s, const agn_tensor *const *w, const agn_tensor **out)
{
    const agn_tensor *score = ag_reshape(s, network(s, g, w), 1, (const int64_t[]){N});
    const agn_tensor *instructor = ag_index_axis(s, score, 0, 0),
                     *president = ag_index_axis(s, score, 0, N - 1);
    out[0] = ag_add(s, ag_softplus(s, instructor), ag_softplus(s, ag_neg(s, president)));
    return agn_scope_status(s);
}

static agn_status make_graph(agn_graph **out)
{
    int64_t from[2 * TIES], to[2 * TIES], m = 2 * TIES;
    agn_tensor *src = NULL, *dst = NULL;
    agn_graph *ties_alone = NULL;
    for (int k = 0; k < TIES; k++) {
        from[2 * k] = to[2 * k + 1] = ties[k][0];
        to[2 * k] = from[2 * k + 1] = ties[k][1];
    }
    agn_status st = agn_from_host(&src, AGN_I64, 1, &m, from);
    if (!st)
        st = agn_from_host(&dst, AGN_I64, 1, &m, to);
    if (!st)
        st = agn_graph_from_edges(&ties_alone, src, dst, N, N);
    if (!st)
        st = agn_graph_add_loops(out, ties_alone);
    agn_graph_release(ties_alone);
    agn_release(src);
    agn_release(dst);
    return st;
}

int main(void)
{
    agn_graph *g = NULL;
    agn_fn *f = NULL, *slopes = NULL;
    agn_tensor *w[PARAMETERS] = {NULL}, *slope[PARAMETERS] = {NULL};
    double first[HIDDEN * N], last[HIDDEN];
    for (int k = 0; k < HIDDEN * N; k++)
        first[k] = 0.1 * ((k * 37 + 11) % 21 - 10) / 10;
    for (int k = 0; k < HIDDEN; k++)
        last[k] = k % 2 ? 0.5 : -0.5;
    agn_status st = make_graph(&g);
    if (!st)
        st = agn_from_host(&w[0], AGN_F64, 2, (const int64_t[]){HIDDEN, N}, first);
    if (!st)
        st = agn_from_host(&w[1], AGN_F64, 2, (const int64_t[]){1, HIDDEN}, last);
    if (!st)
        st = agn_fn_new(&f, loss, g, NULL, PARAMETERS, 1);
    if (!st)
        st = agn_fn_grad(&slopes, f, (const int32_t[]){0, 1}, PARAMETERS);
    for (int step = 0; !st && step < STEPS; step++) {
        st = agn_fn_call(slope, PARAMETERS, slopes, (const agn_tensor *const *)w, PARAMETERS);
        for (int k = 0; !st && k < PARAMETERS; k++) {
            agn_scope *s = agn_scope_open(NULL);
            agn_tensor *next = NULL;
            agn_scope_return(s, &next, ag_sub(s, w[k], ag_mul_c(s, slope[k], 0.5)));
            st = agn_scope_close(s);
            if (!st) {
                agn_release(w[k]);
                w[k] = next;
            }
        }
        for (int k = 0; k < PARAMETERS; k++) {
            agn_release(slope[k]);
            slope[k] = NULL;
        }
    }
    agn_scope *s = agn_scope_open(NULL);
    double score[N] = {0};
    int right = 0;
    const agn_tensor *y = st ? NULL : network(s, g, (const agn_tensor *const *)w);
    if (y && !(st = agn_to_host(score, y, sizeof score)))
        for (int i = 0; i < N; i++)
            right += (score[i] > 0) == side[i];
    if (agn_scope_close(s) || st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        printf("%d of %d members are placed where they went\n", right, N);
    for (int k = 0; k < PARAMETERS; k++)
        agn_release(w[k]);
    agn_fn_release(slopes);
    agn_fn_release(f);
    agn_graph_release(g);
    return st != AGN_OK;
}
