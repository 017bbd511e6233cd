/* tests/fuzz/mesh.c - any bytes as OFF, OBJ and VTU files */
#include "exchange/text/text.h"
#include "tests/fuzz/reader.h"

static const char *ending;
static agn_status read_mesh(const agni_input *in)
{
    agni_text t;
    agn_tensor *x = NULL, *cells = NULL;
    int32_t kind = 0;
    agn_status st = agni_text_read(&t, in, "");
    if (st)
        return st;
    st = agni_mesh_read(&x, &cells, &kind, &t, ending);
    agni_text_close(&t);
    if (!st != (x != NULL) || !st != (cells != NULL))
        abort();
    for (int64_t i = 0; cells && i < cells->size; i++)
        if (((int64_t *)cells->data)[i] < 0 || ((int64_t *)cells->data)[i] >= x->shape[0])
            abort();
    if (x)
        fuzz_touch(x), fuzz_touch(cells);
    agn_release(x);
    agn_release(cells);
    return st == AGN_EUNSUPPORTED ? AGN_EFORMAT : st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const endings[] = {".off", ".obj", ".vtu"};
    for (int k = 0; k < 3; k++) {
        ending = endings[k];
        fuzz_one(data, n, read_mesh, 8192, 128);
    }
    return 0;
}
