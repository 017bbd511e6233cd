/* citations.c - topics of documents from their words and from what they cite, where few topics are
   told: a graph convolutional network (Kipf and Welling 2017), beside the same network without the
   graph.

     citations                    documents that are drawn at random: seven topics, words and
     citations that lean to them citations CONTENT CITES      Cora or one of its kin (Sen et al.
     2008), as cora.content and cora.cites

   Told are 20 documents of each topic; counted is how many of the last 1000, or of the last half,
   come out right. */
#include <agnesi/agnesi.h>
#include <agnesi/exchange_graph.h>
#include <agnesi/geometric_layers.h>
#include <agnesi/geometric_structure.h>
#include <agnesi/nn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DRAWN = 560, WORDS = 200, TOPICS = 7, TOLD = 20, HIDDEN = 16, STEPS = 100 };

typedef struct documents {
    agn_graph *g;                 /* both ways, with loops; NULL: none is looked at */
    agn_tensor *x, *label, *told; /* words, topics, which documents are told */
    int64_t n, words, topics;
} documents;

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* A third of the words of a document is of its topic, four of five of its citations are. */
static agn_status draw_documents(agn_graph **g, agn_tensor **x, agn_tensor **label)
{
    static double word[DRAWN][WORDS];
    static int64_t topic[DRAWN], src[4 * DRAWN], dst[4 * DRAWN];
    const int64_t n = DRAWN, m = 4 * DRAWN;
    uint64_t seed = 11;
    agn_tensor *a = NULL, *b = NULL;
    for (int i = 0; i < DRAWN; i++) {
        topic[i] = (int64_t)(TOPICS * draw(&seed));
        for (int k = 0; k < 12; k++) {
            int64_t w = (int64_t)(draw(&seed) * WORDS);
            word[i][draw(&seed) < 0.3 ? w / TOPICS * TOPICS % (WORDS - TOPICS) + topic[i] : w] = 1;
        }
    }
    for (int64_t e = 0; e < m; e++) {
        bool mate = draw(&seed) < 0.8;
        src[e] = e / 4;
        do
            dst[e] = (int64_t)(DRAWN * draw(&seed));
        while (dst[e] == src[e] || (mate && topic[dst[e]] != topic[src[e]]));
    }
    agn_status st = agn_from_host(x, AGN_F64, 2, (const int64_t[]){DRAWN, WORDS}, word);
    st = st ? st : agn_from_host(label, AGN_I64, 1, &n, topic);
    st = st ? st : agn_from_host(&a, AGN_I64, 1, &m, src);
    st = st ? st : agn_from_host(&b, AGN_I64, 1, &m, dst);
    st = st ? st : agn_graph_from_edges(g, a, b, DRAWN, DRAWN);
    agn_release(a);
    agn_release(b);
    return st;
}

/* rows of words sum to 1; ties lead both ways; the first TOLD documents of each topic are told */
static agn_status prepare(documents *q, const agn_graph *cites, const agn_tensor *x)
{
    agn_graph *both = NULL;
    int64_t count[64] = {0}, told[64 * TOLD], n = 0;
    const int64_t *label = agn_data(q->label);
    q->n = agn_numel(q->label);
    q->words = agn_shape(x)[1];
    for (int64_t i = 0; i < q->n; i++)
        q->topics = label[i] >= q->topics ? label[i] + 1 : q->topics;
    for (int64_t i = 0; i < q->n && q->topics <= 64; i++)
        if (count[label[i]]++ < TOLD)
            told[n++] = i;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *sum = ag_sum(s, x, (const int32_t[]){1}, 1, true);
    sum = ag_maximum(s, sum, ag_full(s, AGN_F64, 0, NULL, 1));
    agn_scope_return(s, &q->x, ag_div(s, x, sum));
    agn_status st = agn_scope_close(s);
    st = st ? st : agn_from_host(&q->told, AGN_I64, 1, &n, told);
    st = st ? st : agn_graph_undirected(&both, NULL, cites);
    st = st ? st : agn_graph_add_loops(&q->g, both);
    agn_graph_release(both);
    return st;
}

/* two convolutions, or two dense layers where there is no graph */
static const agn_tensor *network(agn_scope *s, const documents *q, const agn_tensor *const *p)
{
    if (!q->g)
        return ag_nn_linear(s, ag_relu(s, ag_nn_linear(s, q->x, p[0], p[1])), p[2], p[3]);
    const agn_tensor *h = ag_relu(s, ag_graph_gcn(s, q->g, q->x, NULL, p[0], p[1]));
    return ag_graph_gcn(s, q->g, h, NULL, p[2], p[3]);
}

static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *p, const agn_tensor **out)
{
    const documents *q = user;
    const agn_tensor *known = ag_gather(s, network(s, q, p), q->told, 0),
                     *label = ag_gather(s, q->label, q->told, 0);
    const agn_tensor *size = ag_mul_c(s, ag_sum_all(s, ag_square(s, p[0])), 2.5e-4);
    out[0] = ag_add(s, size, ag_nn_cross_entropy(s, known, label, 1, NULL));
    return agn_scope_status(s);
}

/* uniform, as wide as Glorot and Bengio 2010 say; biases 0 */
static agn_status begin(agn_tensor **p, const documents *q)
{
    const int64_t shape[4][2] = {
        {HIDDEN, q->words}, {HIDDEN, 0}, {q->topics, HIDDEN}, {q->topics, 0}};
    uint64_t seed = 5;
    agn_status st = AGN_OK;
    for (int k = 0; k < 4 && !st; k++) {
        int64_t n = shape[k][0] * (k % 2 ? 1 : shape[k][1]);
        double *v = calloc((size_t)n, sizeof *v),
               wide = sqrt(6.0 / (double)(shape[k][0] + shape[k][1]));
        for (int64_t i = 0; v && i < n && k % 2 == 0; i++)
            v[i] = wide * (2 * draw(&seed) - 1);
        st = v ? agn_from_host(&p[k], AGN_F64, k % 2 ? 1 : 2, shape[k], v) : AGN_ENOMEM;
        free(v);
    }
    return st;
}

static agn_status train(agn_tensor **p, documents *q)
{
    agn_tensor *start[4] = {NULL};
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    agn_optim_options opts = {.size = sizeof opts, .rate = 0.02};
    agn_status st = begin(start, q);
    st = st ? st : agn_fn_new(&f, loss, q, NULL, 4, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, (const int32_t[]){0, 1, 2, 3}, 4);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_ADAM, (const agn_tensor *const *)start, 4, &opts);
    st = st ? st : agn_optim_minimise(NULL, o, fast, NULL, 0, STEPS, NULL, NULL);
    st = st ? st : agn_optim_params(p, 4, o);
    for (int k = 0; k < 4; k++)
        agn_release(start[k]);
    agn_optim_release(o);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st;
}

/* the share of the last documents whose topic is found */
static agn_status measure(double *share, documents *q)
{
    agn_tensor *p[4] = {NULL};
    agn_status st = train(p, q);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *y = st ? NULL : network(s, q, (const agn_tensor *const *)p);
    const int64_t *label = agn_data(q->label);
    const double *v = y ? agn_data(y) : NULL;
    int64_t from = q->n >= 2 * 1000 ? q->n - 1000 : q->n / 2, right = 0;
    for (int64_t i = from; v && i < q->n; i++) {
        int64_t best = 0;
        for (int64_t k = 1; k < q->topics; k++)
            best = v[i * q->topics + k] > v[i * q->topics + best] ? k : best;
        right += best == label[i];
    }
    *share = (double)right / (double)(q->n - from);
    agn_status closed = agn_scope_close(s);
    for (int k = 0; k < 4; k++)
        agn_release(p[k]);
    return st ? st : closed;
}

int main(int argc, char **argv)
{
    documents q = {0};
    agn_graph *cites = NULL, *kept = NULL;
    agn_tensor *x = NULL;
    double with = 0, without = 0;
    agn_status st = argc > 2 ? agn_citations_load(&cites, &x, &q.label, NULL, argv[1], argv[2])
                             : draw_documents(&cites, &x, &q.label);
    st = st ? st : prepare(&q, cites, x);
    st = st ? st : measure(&with, &q);
    kept = q.g;
    q.g = NULL;
    st = st ? st : measure(&without, &q);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else if (argc > 2)
        printf("right: %.1f %% with the graph, %.1f %% by words alone\n", 100 * with,
               100 * without);
    else
        printf(
            "of documents whose topic is not told, with the graph\nthree of four or more come out right: %s\n"
            "a fifth more of all than by words alone: %s\n",
            with >= 0.75 ? "yes" : "no", with >= without + 0.2 ? "yes" : "no");
    if (getenv("CITATIONS_SHARES"))
        printf("%.3f %.3f\n", with, without);
    agn_graph_release(kept);
    agn_graph_release(cites);
    agn_release(x);
    agn_release(q.x);
    agn_release(q.label);
    agn_release(q.told);
    return st != AGN_OK;
}
