/* tests/fuzz/edge-list.c - any bytes as lines of edges, and as documents and their citations */
#include "exchange/text/text.h"
#include "tests/fuzz/reader.h"

static agn_status read_edges(const agni_input *in)
{
    agni_text t;
    agn_graph *g = NULL;
    agn_tensor *v = NULL;
    agn_status st = agni_text_read(&t, in, ",;");
    if (st)
        return st;
    st = agni_edge_list_read(&g, &v, &t);
    agni_text_close(&t);
    if (!st != (g != NULL))
        abort();
    if (v)
        fuzz_touch(v);
    agn_release(v);
    agn_graph_release(g);
    return st;
}

/* the bytes as both files */
static agn_status read_documents(const agni_input *in)
{
    agni_text t, u = {0};
    agn_graph *g = NULL;
    agn_tensor *x = NULL, *labels = NULL;
    int64_t unknown;
    agn_status st = agni_text_read(&t, in, ",");
    if (!st)
        st = agni_text_read(&u, in, ",");
    if (!st)
        st = agni_citations_read(&g, &x, &labels, &unknown, &t, &u);
    agni_text_close(&t);
    agni_text_close(&u);
    if (!st != (g != NULL) || !st != (x != NULL) || !st != (labels != NULL))
        abort();
    if (x)
        fuzz_touch(x), fuzz_touch(labels);
    agn_release(x);
    agn_release(labels);
    agn_graph_release(g);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_one(data, n, read_edges, 8192, 128);
    fuzz_one(data, n, read_documents, 16384, 256);
    return 0;
}
