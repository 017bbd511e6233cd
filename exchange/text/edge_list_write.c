/* exchange/text/edge_list_write.c - graphs as lines of text, one an edge. */
#include "exchange/file/file.h"
#include "geometric/graph/graph.h"

#include <agnesi/ag.h>
#include <agnesi/exchange_graph.h>

typedef struct edge_file {
    const agn_graph *g;
    const double *value; /* NULL: none */
} edge_file;

static agn_status write_edges(agni_output *o, const void *user)
{
    const edge_file *f = user;
    agn_status st = AGN_OK;
    for (int64_t e = 0; !st && e < f->g->edges; e++) {
        char text[120];
        int n = agni_format_int(text, agni_graph_end(f->g, AGN_GRAPH_SRC, e));
        text[n++] = ' ';
        n += agni_format_int(text + n, agni_graph_end(f->g, AGN_GRAPH_DST, e));
        if (f->value) {
            text[n++] = ' ';
            n += agni_format_double(text + n, sizeof text - (size_t)n, f->value[e], -1);
        }
        text[n++] = '\n';
        st = agni_put(o, text, (size_t)n);
    }
    return st;
}

agn_status agn_edge_list_save(const char *path, const agn_graph *g, const agn_tensor *values)
{
    static const char op[] = "edge_list_save";
    AGNI_NEED(op, path);
    AGNI_NEED(op, g);
    edge_file f = {g, NULL};
    if (!values)
        return agni_save(op, path, write_edges, &f);
    agn_status st = agni_require_dense(values, op);
    if (!st && agni_kind(values->dtype) == AGNI_KIND_COMPLEX)
        st = agni_fail(AGN_EDTYPE, "%s: values are %s, a real dtype is needed", op,
                       agni_dtypes[values->dtype].name);
    if (!st && (values->ndim != 1 || values->shape[0] != g->edges))
        st = agni_fail(AGN_ESHAPE, "%s: values are %s, [%lld] is needed", op, AGNI_SHAPE(values),
                       (long long)g->edges);
    if (!st)
        st = agni_require_host(values, op);
    if (st)
        return st;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *v = ag_contiguous(s, agni_cast(s, values, AGN_F64));
    if (v) {
        f.value = v->data;
        agn_scope_fail(s, agni_save(op, path, write_edges, &f));
    }
    return agni_rename_error(op, agn_scope_close(s));
}
