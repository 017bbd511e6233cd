/* tests/fuzz/saved.c - any bytes as a saved function. The header and the checksum are made to fit, so
   that the program behind them is what is read. A function that loads is called on zeros where
   that is little work, planned, and has a text; nothing leaks. */
#include "exchange/program/program.h"
#include "exchange/file/zip.h"
#include "sparse/products/spgemm.h"
#include "tests/fuzz/reader.h"

enum { MOST = 1 << 16, SMALL = 256, FEW = 64, LOOPS = 64 };

/* a product of sparse matrices takes the memory of a row */
static bool long_rows(const agni_pnode *n)
{
    return n->op == &agni_op_sparse_spgemm &&
           ((const agni_triple *)n->at->obj)->p[AGNI_ONTO_C]->cols > SMALL;
}

/* little work, and no loop that the file may have made endless */
static bool is_small(const agni_prog *p)
{
    bool small = p->n_node <= FEW && p->n_in <= FEW;
    for (int v = 0; small && v < p->n_val; v++)
        small = p->val[v]->size <= SMALL;
    for (int k = 0; small && k < p->n_node; k++)
        small = p->node[k].op->cls != AGNI_CONTROL && !long_rows(&p->node[k]);
    return small;
}

static void call(const agni_prog *p)
{
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor **in = calloc((size_t)p->n_in + 1, sizeof *in),
                     **out = calloc((size_t)p->n_out + 1, sizeof *out);
    for (int i = 0; i < p->n_in; i++) {
        agn_tensor *x = NULL;
        agn_status st = agn_zeros(&x, p->val[i]->dtype, p->val[i]->ndim,
                                  p->val[i]->shape);
        in[i] = agn_scope_adopt(s, st, &x);
    }
    if (!agn_scope_status(s) && !agni_prog_replay(p, s, in, out, NULL))
        for (int o = 0; o < p->n_out; o++)
            if (out[o]->ndim != p->val[p->out[o]]->ndim)
                abort();
    agn_status st = agn_scope_close(s);
    if (st && !*agn_error_message())
        abort();
    free(in);
    free(out);
}

static agn_status read_saved(const agni_input *in)
{
    agni_prog *p = NULL;
    agn_status st = agni_program_read(&p, in);
    if (!st != (p != NULL))
        abort();
    if (p && is_small(p)) {
        size_t need;
        if (agni_prog_text(NULL, 0, &need, p))
            abort();
        call(p);
    }
    agni_prog_release(p);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static uint8_t file[MOST];
    if (n < AGNI_PROGRAM_HEADER + 4 || n > MOST) {
        fuzz_one(data, n, read_saved, 16384, 64);
        return 0;
    }
    memcpy(file, data, n);
    memcpy(file,
           "\x93"
           "AGNFN\r\n\1\0\0\0\0\0\0\0",
           16);
    uint64_t bytes = n - AGNI_PROGRAM_HEADER - 4;
    uint32_t crc = agni_crc32(0, file + AGNI_PROGRAM_HEADER, (size_t)bytes);
    for (int k = 0; k < 8; k++)
        file[16 + k] = (uint8_t)(bytes >> 8 * k);
    for (int k = 0; k < 4; k++)
        file[n - 4 + (size_t)k] = (uint8_t)(crc >> 8 * k);
    fuzz_one(file, n, read_saved, 1 << 22, 4096);
    return 0;
}
