/* graph/program/print.c - a program as text: one line per value, for people and for tests/judge.py.

     input 0 f64 [3]
     constant 1 f64 [2] 0x1.8p+0 -0x1p-1
     node 2 = slice 0 : 0 1 2 ; f64 [2]              integer attributes behind the colon,
     node 3 = mul 2 1 : ; f64 [2]                    real ones behind the semicolon
     result 3

   Floating constants are hexadecimal, complex ones pairs, others integers; a constant without
   a value ends in "?".                                                                   */
#include "graph/program/program.h"

#include <string.h>

typedef struct sink {
    char *buf;
    size_t n, len; /* len goes on counting when buf is full */
} sink;

static void put_text(sink *k, const char *text)
{
    size_t m = strlen(text);
    if (k->len < k->n) {
        size_t room = k->n - k->len - 1, some = m < room ? m : room;
        memcpy(k->buf + k->len, text, some);
        k->buf[k->len + some] = 0;
    }
    k->len += m;
}
static void put_int(sink *k, const char *before, int64_t v)
{
    char t[64];
    agni_format(t, sizeof t, "%s%lld", before, (long long)v);
    put_text(k, t);
}
static void put_real(sink *k, double v)
{
    char t[64];
    agni_format(t, sizeof t, " %a", v);
    put_text(k, t);
}
static void put_kind(sink *k, const agn_tensor *x)
{
    put_text(k, " ");
    put_text(k, agni_dtypes[x->dtype].name);
    put_text(k, " ");
    put_text(k, AGNI_SHAPE(x));
}

static agn_status put_elements(sink *k, const agn_tensor *x)
{
    if (!x->st || x->stale) {
        put_text(k, " ?");
        return AGN_OK;
    }
    int kind = agni_kind(x->dtype);
    int wide = kind == AGNI_KIND_COMPLEX ? AGN_C128 : kind == AGNI_KIND_FLOAT ? AGN_F64 : AGN_I64;
    size_t bytes = (size_t)x->size * (size_t)agni_dtypes[wide].bytes;
    void *data = agni_alloc(bytes ? bytes : 1);
    agn_tensor *alias = agni_tensor_alias(x), *y = NULL; /* printing leaves no record */
    agn_status st = data && alias ? agn_cast(&y, alias, wide) : agni_nomem("text", bytes);
    if (!st)
        st = agn_to_host(data, y, bytes);
    int64_t n = x->size * (wide == AGN_C128 ? 2 : 1);
    for (int64_t i = 0; !st && i < n; i++)
        if (wide == AGN_I64)
            put_int(k, " ", ((const int64_t *)data)[i]);
        else
            put_real(k, ((const double *)data)[i]);
    agn_release(y);
    agn_release(alias);
    agni_free(data);
    return st;
}

static void put_node(sink *k, const agni_prog *p, const agni_pnode *n)
{
    put_text(k, "node");
    for (int o = 0; o < n->nout; o++)
        put_int(k, " ", n->val + o);
    put_text(k, " = ");
    put_text(k, n->op->name);
    for (int i = 0; i < n->nin; i++)
        put_int(k, " ", p->arg[n->arg + i]);
    put_text(k, " :");
    for (int i = 0; n->at && i < n->at->ni; i++)
        put_int(k, " ", n->at->i[i]);
    put_text(k, " ;");
    for (int i = 0; n->at && i < n->at->nf; i++)
        put_real(k, n->at->f[i]);
    for (int o = 0; o < n->nout; o++)
        put_kind(k, p->val[n->val + o]);
    put_text(k, "\n");
}

agn_status agni_prog_text(char *buf, size_t n, size_t *need, const agni_prog *p)
{
    sink k = {buf, buf ? n : 0, 0};
    agn_status st = AGN_OK;
    if (k.n)
        buf[0] = 0;
    for (int v = 0; !st && v < p->n_in + p->n_cap; v++) {
        put_int(&k, v < p->n_in ? "input " : "constant ", v);
        put_kind(&k, p->val[v]);
        if (v >= p->n_in)
            st = put_elements(&k, p->val[v]);
        put_text(&k, "\n");
    }
    for (int i = 0; i < p->n_node; i++)
        put_node(&k, p, &p->node[i]);
    for (int o = 0; o < p->n_out; o++) {
        put_int(&k, "result ", p->out[o]);
        put_text(&k, "\n");
    }
    if (need)
        *need = k.len + 1;
    return st;
}
