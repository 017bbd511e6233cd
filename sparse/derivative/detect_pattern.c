/* sparse/derivative/detect_pattern.c - detection of the sparsity pattern: an index set for each
   element of each value of a program, propagated from the arguments to the results. The pattern
   holds for all arguments of these shapes; what is known while tracing (masks, indices, matrices)
   is used as a constant. Griewank & Walther 2008, section 7.1; Walther 2012. */
#include "sparse/derivative/control_flow.h"

#include <string.h>

static bool is_differentiable(const agni_prog *p, int32_t v)
{
    return agni_is_differentiable(p->val[v]);
}

static int32_t set_of_source(const agni_element_sources *q, const int32_t *set, int64_t e)
{
    int64_t at = q->from ? q->from[e] : e;
    return at < 0 ? 0 : set[at];
}

/* sets of the groups of an argument; *made to be freed */
static const int32_t *join_groups(agni_sets *z, const agni_element_sources *q, const int32_t *set,
                                  int32_t **made)
{
    int64_t *begin = agni_zalloc(((size_t)q->groups + 2) * sizeof *begin);
    int32_t *of = agni_alloc((size_t)(q->m ? q->m : 1) * sizeof *of);
    int32_t *sum = agni_zalloc(((size_t)q->groups + 1) * sizeof *sum);
    bool ok = begin && of && sum;
    for (int64_t e = 0; ok && e < q->m; e++)
        if (q->group[e] >= 0)
            begin[q->group[e] + 2]++;
    for (int64_t g = 0; ok && g < q->groups; g++)
        begin[g + 2] += begin[g + 1];
    for (int64_t e = 0; ok && e < q->m; e++)
        if (q->group[e] >= 0)
            of[begin[q->group[e] + 1]++] = set[e];
    for (int64_t g = 0; ok && g < q->groups; g++)
        sum[g] = agni_sets_join_all(z, of + begin[g], begin[g + 1] - begin[g]);
    agni_free(begin);
    agni_free(of);
    if (!ok) {
        agni_free(sum);
        return NULL;
    }
    return *made = sum;
}

/* the sets of one argument joined to those of the result */
static agn_status join_argument(agni_sets *z, const agni_element_sources *q, const int32_t *set,
                                int32_t *to)
{
    int32_t *made = NULL, *list = NULL;
    if (q->group && !(set = join_groups(z, q, set, &made)))
        return agni_nomem("pattern", (size_t)q->m * sizeof *set);
    if (q->begin) {
        int64_t most = 1;
        for (int64_t e = 0; e < q->n; e++)
            most = q->begin[e + 1] - q->begin[e] > most ? q->begin[e + 1] - q->begin[e]
                                                        : most;
        if (!(list = agni_alloc((size_t)most * sizeof *list)))
            return agni_nomem("pattern", (size_t)most * sizeof *list);
    }
    for (int64_t k = 0; k < q->n; k++) {
        int64_t e = q->backwards ? q->n - 1 - k : k, n = 0;
        int32_t s = 0;
        if (list) {
            for (int64_t l = q->begin[e]; l < q->begin[e + 1]; l++)
                list[n++] = set[q->item[l]];
            s = agni_sets_join_all(z, list, n);
        } else {
            s = set_of_source(q, set, e);
        }
        to[e] = agni_sets_join(z, to[e], s);
        if (q->before && q->before[e] >= 0)
            to[e] = agni_sets_join(z, to[e], to[q->before[e]]);
    }
    agni_free(made);
    agni_free(list);
    return agni_sets_failed(z) ? agni_nomem("pattern", (size_t)q->n * sizeof *to)
                               : AGN_OK;
}

static agn_status propagate_node(agni_flow *f, int k)
{
    const agni_pnode *n = &f->p->node[k];
    agn_status st = AGN_OK;
    agni_flow_fn *control = agni_flow_of(n->op);
    if (n->op->cls == AGNI_DISCRETE || n->op->cls == AGNI_RANDOM)
        return AGN_OK;
    if (control)
        return control(f, n);
    for (int o = 0; !st && o < n->nout; o++) {
        int32_t v = n->val + o;
        for (int i = 0; !st && i < n->nin && is_differentiable(f->p, v); i++) {
            const int32_t *set = f->set[f->p->arg[n->arg + i]];
            agni_element_sources q = {0};
            if (!set || !agni_is_diff_argument(n->op, i))
                continue;
            size_t bytes = (size_t)(f->p->val[v]->size + 1) * sizeof **f->set;
            if (!f->set[v] && !(f->set[v] = agni_zalloc(bytes)))
                return agni_nomem("pattern", bytes);
            st = agni_element_sources_of(&q, f->p, k, i, o);
            if (!st)
                st = join_argument(f->z, &q, set, f->set[v]);
            agni_element_sources_free(&q);
        }
    }
    return st;
}

static void free_set(agni_flow *f, int32_t v)
{
    agni_free(f->set[v]);
    f->set[v] = NULL;
}

/* set[n_in] of the inputs are there; those of the results remain */
static agn_status propagate_program(agni_flow *f, int32_t *last)
{
    const agni_prog *p = f->p;
    for (int k = 0; k < p->n_node; k++)
        for (int i = 0; i < p->node[k].nin; i++)
            last[p->arg[p->node[k].arg + i]] = k;
    for (int o = 0; o < p->n_out; o++)
        last[p->out[o]] = p->n_node;
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < p->n_node; k++) {
        st = propagate_node(f, k);
        for (int i = 0; i < p->node[k].nin; i++)
            if (last[p->arg[p->node[k].arg + i]] == k)
                free_set(f, p->arg[p->node[k].arg + i]);
    }
    return st;
}

agn_status agni_flow_through(agni_sets *z, const agni_prog *p, const int32_t *const *in,
                             int32_t **out)
{
    size_t n = (size_t)p->n_val + 1;
    agni_flow f = {z, p, agni_zalloc(n * sizeof *f.set)};
    int32_t *last = agni_zalloc(n * sizeof *last);
    agn_status st = f.set && last ? AGN_OK : agni_nomem("pattern", n * sizeof *f.set);
    for (int i = 0; !st && i < p->n_in; i++)
        st = agni_flow_join(z, &f.set[i], in[i], p->val[i]->size);
    if (!st)
        st = propagate_program(&f, last);
    for (int o = 0; !st && o < p->n_out; o++)
        st = agni_flow_join(z, &out[o], f.set[p->out[o]], p->val[p->out[o]]->size);
    for (int v = 0; f.set && v < p->n_val; v++)
        agni_free(f.set[v]);
    agni_free(f.set);
    agni_free(last);
    return st;
}

agn_status agni_flow_join(agni_sets *z, int32_t **to, const int32_t *from, int64_t n)
{
    if (!from)
        return AGN_OK;
    if (!*to && !(*to = agni_zalloc((size_t)(n + 1) * sizeof **to)))
        return agni_nomem("pattern", (size_t)n * sizeof **to);
    for (int64_t e = 0; e < n; e++)
        (*to)[e] = agni_sets_join(z, (*to)[e], from[e]);
    return agni_sets_failed(z) ? agni_nomem("pattern", (size_t)n * sizeof **to)
                               : AGN_OK;
}

/* ---- a pattern from sets -------------------------------------------------------- */

static agn_status pattern_of_sets(agni_pattern **out, const agni_sets *z, const int32_t *set,
                                  int64_t m, int64_t n)
{
    int64_t nnz = 0, k;
    for (int64_t i = 0; set && i < m; i++) {
        agni_set_items(z, set[i], &k);
        nnz += k;
    }
    int64_t *indptr = agni_zalloc((size_t)(m + 1) * sizeof *indptr);
    int64_t *index = agni_alloc((size_t)(nnz ? nnz : 1) * sizeof *index), e = 0;
    if (!indptr || !index) {
        agni_free(indptr);
        agni_free(index);
        return agni_nomem("pattern", (size_t)(nnz + m) * sizeof *index);
    }
    for (int64_t i = 0; i < m; i++) {
        const int32_t *item = set ? agni_set_items(z, set[i], &k) : NULL;
        for (int64_t l = 0; item && l < k; l++)
            index[e++] = item[l];
        indptr[i + 1] = e;
    }
    return agni_pattern_new(out, m, n, indptr, index);
}

/* sets of rows joined with those of the transpose */
static agn_status symmetrise_sets(agni_sets *z, int32_t *set, int64_t n)
{
    agni_pattern *p = NULL;
    agn_status st = pattern_of_sets(&p, z, set, n, n);
    const agni_transposed_pattern *t = st ? NULL : agni_pattern_transposed(p);
    int32_t *one = st ? NULL : agni_alloc((size_t)(n + 2) * sizeof *one);
    if (!st && (!t || !one))
        st = agni_nomem("pattern", (size_t)n * sizeof *set);
    for (int64_t i = 0; !st && i < n; i++) {
        int64_t k = 0;
        one[k++] = set[i];
        for (int64_t e = agni_row_begin(t->p, i); e < agni_row_begin(t->p, i + 1); e++)
            one[k++] = 1 + (int32_t)agni_entry_col(t->p, e);
        set[i] = agni_sets_join_all(z, one, k);
    }
    agni_free(one);
    if (p)
        agni_obj_release(&p->head);
    if (!st && agni_sets_failed(z))
        st = agni_nomem("pattern", (size_t)n * sizeof *set);
    return st;
}

agn_status agni_detect_pattern(agni_pattern **out, const agni_prog *p, int argnum, bool symmetric)
{
    int64_t n = p->val[argnum]->size, m = p->val[p->out[0]]->size;
    agni_sets *z = agni_sets_new(n);
    const int32_t **in = agni_zalloc((size_t)(p->n_in + 1) * sizeof *in);
    int32_t **y = agni_zalloc((size_t)(p->n_out + 1) * sizeof *y);
    int32_t *x = agni_alloc((size_t)(n + 1) * sizeof *x);
    bool ok = z && in && y && x;
    agn_status st = ok ? AGN_OK : agni_nomem("pattern", (size_t)n * sizeof *x);
    for (int64_t j = 0; ok && j < n; j++)
        x[j] = 1 + (int32_t)j;
    if (ok) {
        in[argnum] = x;
        st = agni_flow_through(z, p, in, y);
    }
    if (!st && y[0] && symmetric)
        st = symmetrise_sets(z, y[0], n);
    if (!st)
        st = pattern_of_sets(out, z, y[0], m, n);
    for (int o = 0; y && o < p->n_out; o++)
        agni_free(y[o]);
    agni_free(y);
    agni_free(x);
    agni_free(in);
    agni_sets_free(z);
    return st;
}
