/* pagerank.c - ranks of pages by the links between them, and what each link is worth to a page */
#include <agnesi/agnesi.h>
#include <stdio.h>

enum { PAGES = 7, LINKS = 15 };
static const char *const name[PAGES] = {"home", "news", "shop", "blog", "wiki", "help", "jobs"};
static const int64_t from[PAGES + 1] = {0, 3, 5, 7, 10, 12, 14, 15};
static const int64_t to[LINKS] = {1, 2, 3, 0, 3, 0, 5, 0, 1, 4, 0, 3, 0, 4, 0};

/* x - 0.85 P^T x, with P the weights of in[1] divided by the sums of their rows; user: the links */
static agn_status surf(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const int64_t n = PAGES;
    const agn_tensor *a = ag_sparse_with_values(s, user, in[1]);
    const agn_tensor *sum = ag_sparse_matmul(s, a, ag_full(s, AGN_F64, 1, &n, 1));
    out[0] = ag_sub(s, in[0], ag_mul_c(s, ag_sparse_matmul_t(s, a, ag_div(s, in[0], sum)), 0.85));
    return agn_scope_status(s);
}

int main(void)
{
    const int64_t pages = PAGES, ends = PAGES + 1, links = LINKS;
    agn_krylov_options opts = {.size = sizeof opts, .method = AGN_KRYLOV_BICGSTAB};
    agn_fn *f = NULL, *rank_of = NULL;
    agn_tensor *w = NULL, *g = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *ones = ag_full(s, AGN_F64, 1, &links, 1), *rank = NULL;
    const agn_tensor *a = ag_sparse_csr(s, pages, pages, ag_from_host(s, AGN_I64, 1, &ends, from),
                                        ag_from_host(s, AGN_I64, 1, &links, to), ones);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, surf, (void *)(uintptr_t)a, NULL, 2, 1);
    st = st ? st : agn_fn_krylov_solve(&rank_of, f, &opts);
    st = st ? st : agn_watch(&w, ones);
    const agn_tensor *b = ag_full(s, AGN_F64, 1, &pages, 0.15 / PAGES);
    if (!st)
        agn_fn_apply(s, &rank, 1, rank_of, AGN_ARGS(b, b, w));
    const agn_tensor *wiki = ag_index_axis(s, rank, 0, 4);
    st = st ? st : agn_scope_status(s);
    st = st ? st : agn_gradient(&g, &wiki, 1, (const agn_tensor *const *)&w, 1, NULL);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        const double *r = agn_data(rank), *d = agn_data(g);
        for (int i = 0; i < PAGES; i++)
            printf("%s  %.4f\n", name[i], r[i]);
        printf("the rank of %s by the weight of a link:\n", name[4]);
        for (int i = 0; i < PAGES; i++)
            for (int64_t e = from[i]; e < from[i + 1]; e++)
                if (d[e] > 0.004 || d[e] < -0.004)
                    printf("  %s to %s  %+.4f\n", name[i], name[to[e]], d[e]);
    }
    agn_release(w);
    agn_release(g);
    agn_fn_release(f);
    agn_fn_release(rank_of);
    return agn_scope_close(s) || st;
}
