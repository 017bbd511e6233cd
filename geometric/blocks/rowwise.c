/* geometric/blocks/rowwise.c - dependence of rows: which ops keep the rows of their arguments
   apart, so that a program may run over blocks of rows. What is not known to does not. */
#include "geometric/blocks/edge_blocks.h"

#include <string.h>

typedef struct row_walk {
    const agni_prog *p;
    int64_t n;     /* rows */
    const bool *has; /* by value: a row of it belongs to a row of the arguments */
} row_walk;

static const agn_tensor *find_argument(const row_walk *w, const agni_pnode *node, int i)
{
    return w->p->val[w->p->arg[node->arg + i]];
}
static bool has_rows(const row_walk *w, const agni_pnode *node, int i)
{
    return w->has[w->p->arg[node->arg + i]];
}

/* x without rows, beside rows of so many axes: the same for all of them */
static bool is_shared(const agn_tensor *x, int ndim)
{
    return x->ndim < ndim ||
           (x->ndim == ndim && (x->shape[0] == 1 || (x->st && x->stride[0] == 0)));
}

static bool are_aligned(const row_walk *w, const agni_pnode *node)
{
    const agn_tensor *y = w->p->val[node->val];
    bool good = y->ndim > 0 && y->shape[0] == w->n;
    for (int i = 0; good && i < node->nin; i++) {
        const agn_tensor *x = find_argument(w, node, i);
        good = has_rows(w, node, i) ? x->ndim == y->ndim && x->shape[0] == w->n
                                    : is_shared(x, y->ndim);
    }
    return good;
}

static bool product_keeps_rows(const row_walk *w, const agni_pnode *node)
{
    const agn_tensor *a = find_argument(w, node, 0), *b = find_argument(w, node, 1),
                     *y = w->p->val[node->val];
    bool left = has_rows(w, node, 0), right = has_rows(w, node, 1);
    if (y->ndim < 2 || y->shape[0] != w->n)
        return false;
    if (y->ndim == 2) /* rows of a are rows of the result */
        return left && !right && a->ndim == 2;
    return (left ? a->ndim == y->ndim : is_shared(a, y->ndim)) &&
           (right ? b->ndim == y->ndim : is_shared(b, y->ndim));
}

/* None of the axes, which begin at integer `from`, is the first. */
static bool axes_spare_rows(const agni_pnode *node, int from, int last, int ndim)
{
    bool good = node->at && node->at->ni > from;
    for (int k = from; good && k < node->at->ni && k < last; k++)
        good = node->at->i[k] != -ndim;
    return good;
}

static bool is_one_of(const agni_op *op, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(op->name, *names))
            return true;
    return false;
}

static bool keeps_rows(const row_walk *w, const agni_pnode *node)
{
    static const char *const reductions[] = {"sum",  "max", "min", "logsumexp",
                                             "prod", "all", "any", NULL},
                             *const along[] = {"softmax", "cumsum", NULL},
                             *const views[] = {"reshape", "broadcast_to", NULL},
                             *const alike[] = {"cast",  "copy",  "contiguous",
                                               "named", "where", NULL};
    const agn_tensor *x = find_argument(w, node, 0), *y = w->p->val[node->val];
    const agni_op *op = node->op;
    if (node->nout != 1)
        return false;
    if (op->cls == AGNI_EW || is_one_of(op, alike))
        return are_aligned(w, node);
    if (op == &agni_op_matmul)
        return product_keeps_rows(w, node);
    bool front = x->ndim > 0 && y->ndim > 0 && x->shape[0] == w->n && y->shape[0] == w->n;
    if (!front)
        return false;
    if (is_one_of(op, reductions))
        return axes_spare_rows(node, 1, INT32_MAX, x->ndim);
    if (is_one_of(op, along))
        return axes_spare_rows(node, 0, 1, x->ndim);
    if (op == &agni_op_concat)
        return are_aligned(w, node) && axes_spare_rows(node, 0, 1, x->ndim);
    if (is_one_of(op, views))
        return op == &agni_op_reshape || x->ndim == y->ndim;
    if (op == &agni_op_permute)
        return node->at->ni == x->ndim && node->at->i[0] == -x->ndim;
    if (op == &agni_op_slice) /* all rows, in their order */
        return node->at->ni < 3 * x->ndim || (node->at->i[0] == 0 && node->at->i[1] == 1);
    return false;
}

agn_status agni_find_rowwise(bool *is, const agni_prog *p, int n_rows, int64_t rows)
{
    bool *has = agni_zalloc((size_t)p->n_val + 1), good = true;
    if (!has)
        return agni_nomem("graph_messages", (size_t)p->n_val);
    row_walk w = {p, rows, has};
    for (int i = 0; good && i < n_rows; i++)
        has[i] = true;
    for (int k = 0; good && k < p->n_node; k++) {
        const agni_pnode *node = &p->node[k];
        bool any = false;
        for (int i = 0; i < node->nin; i++)
            any |= has_rows(&w, node, i);
        /* one draw for all blocks is none for each */
        good = node->op->cls != AGNI_RANDOM && (!any || keeps_rows(&w, node));
        for (int o = 0; o < node->nout; o++)
            has[node->val + o] = any;
    }
    for (int o = 0; good && o < p->n_out; o++)
        good = has[p->out[o]] && p->val[p->out[o]]->ndim > 0 && p->val[p->out[o]]->shape[0] == rows;
    agni_free(has);
    *is = good;
    return AGN_OK;
}

/* ops that compute nothing, or each element from its own */
static const char *const moves[] = {"cast",    "copy",   "contiguous", "named",
                                    "where",   "concat", "reshape",    "broadcast_to",
                                    "permute", "slice",  NULL};

bool agni_is_elementwise(const agni_prog *p)
{
    bool good = true;
    for (int k = 0; good && k < p->n_node; k++)
        good = p->node[k].op->cls == AGNI_EW || is_one_of(p->node[k].op, moves);
    return good;
}

/* a b + c, where a b may be moved, in one instruction or in two, as its neighbours have it: other bits
   in another program. Without memory to tell: yes. */
bool agni_has_multiply_add(const agni_prog *p)
{
    static const char *const products[] = {"mul", "mulz", "square", NULL},
                      *const sums[] = {"add", "sub", NULL};
    bool *product = agni_zalloc((size_t)p->n_val + 1), has = !product;
    for (int k = 0; !has && k < p->n_node; k++) {
        const agni_pnode *node = &p->node[k];
        bool any = false;
        for (int i = 0; i < node->nin; i++)
            any |= product[p->arg[node->arg + i]];
        has = any && is_one_of(node->op, sums);
        for (int o = 0; o < node->nout; o++)
            product[node->val + o] = is_one_of(node->op, products) ||
                                     (any && is_one_of(node->op, moves));
    }
    agni_free(product);
    return has;
}

bool agni_reads_argument(const agni_prog *p, int i)
{
    bool read = false;
    for (int k = 0; !read && k < p->n_node; k++)
        for (int j = 0; j < p->node[k].nin; j++)
            read |= p->arg[p->node[k].arg + j] == i;
    for (int o = 0; !read && o < p->n_out; o++)
        read = p->out[o] == i;
    return read;
}

bool agni_argument_reaches(const agni_prog *p, int i, const bool *of)
{
    bool *has = agni_zalloc((size_t)p->n_val + 1), any = !has; /* without memory: it may */
    if (has)
        has[i] = true;
    for (int k = 0; has && k < p->n_node; k++) {
        const agni_pnode *node = &p->node[k];
        bool on = false;
        for (int j = 0; j < node->nin; j++)
            on |= has[p->arg[node->arg + j]];
        for (int o = 0; o < node->nout; o++)
            has[node->val + o] = on;
    }
    for (int o = 0; has && o < p->n_out; o++)
        any |= of[o] && has[p->out[o]];
    agni_free(has);
    return any;
}
