/* exchange/formats/npz_sparse.c - sparse tensors as .npz files of SciPy: save_npz, load_npz. A
   member "format" names the layout, "shape" the sizes, "data" the values; "indices" and "indptr"
   are those of compressed rows or columns, "row" and "col" or "coords" the coordinates. */
#include "exchange/file/dict.h"
#include "exchange/file/readers.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/ag.h>
#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>
#include <string.h>

/* ---- writing ------------------------------------------------------------------------- */

static void put_member(agn_scope *s, agn_dict *d, const char *name, const agn_tensor *x)
{
    if (x && !agn_scope_status(s))
        agn_scope_fail(s, agn_dict_put(d, name, x));
}

static agn_status put_parts(agn_dict *d, const agn_tensor *a)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *shape = NULL, *yes = NULL;
    if (a->layout == AGN_COO) {
        a = ag_sparse_coalesce(s, a);
        const agn_tensor *at = ag_sparse_coordinates(s, a);
        if (a && a->ndim == 2) {
            put_member(s, d, "row", ag_index_axis(s, at, 0, 0));
            put_member(s, d, "col", ag_index_axis(s, at, 0, 1));
        } else {
            put_member(s, d, "coords", at);
        }
    } else {
        put_member(s, d, "indices", ag_sparse_indices(s, a));
        put_member(s, d, "indptr", ag_sparse_indptr(s, a));
    }
    put_member(s, d, "data", ag_sparse_values(s, a));
    if (a && !agn_scope_status(s)) {
        int64_t n = a->ndim;
        agn_status st = agn_from_host(&shape, AGN_I64, 1, &n, a->shape);
        put_member(s, d, "shape", agn_scope_adopt(s, st, &shape));
        st = agn_from_host(&yes, AGN_BOOL, 0, NULL, &(bool){true});
        put_member(s, d, "_is_array", agn_scope_adopt(s, st, &yes));
    }
    return agn_scope_close(s);
}

agn_status agn_npz_save_sparse(const char *path, const agn_tensor *a, bool compress)
{
    static const char op[] = "npz_save_sparse";
    AGNI_NEED(op, path);
    AGNI_NEED(op, a);
    if (a->layout == AGN_DENSE || agn_sparse_dense_dim(a) ||
        agni_values_of(a)->ndim != 1)
        return agni_fail(AGN_EUNSUPPORTED, "%s: %s %s %s: the format has sparse axes alone", op,
                         agni_layout_names[a->layout], agni_dtypes[a->dtype].name, AGNI_SHAPE(a));
    agn_dict *d = NULL;
    agn_status st = agn_dict_new(&d);
    if (!st)
        st = agni_rename_error(op, put_parts(d, a));
    if (!st)
        st = agni_npz_write(op, path, d, compress, agni_layout_names[a->layout]);
    agn_dict_release(d);
    return st;
}

/* ---- reading -------------------------------------------------------------------------- */

/* the tensor of a name, NULL where there is none */
static const agn_tensor *find_member(agn_scope *s, const agn_dict *d, const char *name)
{
    agn_tensor *x = NULL;
    if (agn_scope_status(s) || !agni_dict_has(d, name))
        return NULL;
    agn_status st = agn_dict_get(&x, d, name);
    return agn_scope_adopt(s, st, &x);
}

/* a member of that many axes, or NULL with a failure */
static const agn_tensor *require_member(agn_scope *s, const agni_input *in, const agn_dict *d,
                                        const char *name, int ndim)
{
    const agn_tensor *x = find_member(s, d, name);
    if (!x || x->ndim != ndim) {
        agn_scope_fail(s, agni_fail(AGN_EFORMAT, "%s: %s: '%s' is %s; %d axes are needed", in->op,
                                    in->file, name, x ? AGNI_SHAPE(x) : "not there", ndim));
        return NULL;
    }
    return x;
}

static const agn_tensor *read_parts(agn_scope *s, const agni_input *in, const agn_dict *d,
                                    const char *word)
{
    const agn_tensor *data = require_member(s, in, d, "data", 1),
                     *shape = require_member(s, in, d, "shape", 1);
    int64_t size[AGNI_MAX_RANK];
    shape = shape ? ag_cast(s, shape, AGN_I64) : NULL;
    if (!data || !shape)
        return NULL;
    int n = shape->size <= AGNI_MAX_RANK ? (int)shape->size : 0;
    memcpy(size, shape->data, (size_t)n * sizeof *size);
    if (!strcmp(word, "coo")) {
        const agn_tensor *at = find_member(s, d, "coords");
        if (!at) {
            const agn_tensor *row = require_member(s, in, d, "row", 1),
                             *col = require_member(s, in, d, "col", 1);
            at = row && col ? ag_stack(s, (const agn_tensor *[]){row, col}, 2, 0) : NULL;
        }
        return ag_sparse_coo(s, n, size, at, data);
    }
    bool rows = !strcmp(word, "csr");
    if ((!rows && strcmp(word, "csc") != 0) || n != 2) {
        agn_scope_fail(s, agni_fail(AGN_EFORMAT,
                                    "%s: %s: the format is '%.3s' of %d axes; csr and csc of two, "
                                    "and coo are known",
                                    in->op, in->file, word, n));
        return NULL;
    }
    const agn_tensor *indices = require_member(s, in, d, "indices", 1),
                     *indptr = require_member(s, in, d, "indptr", 1);
    return rows ? ag_sparse_csr(s, size[0], size[1], indptr, indices, data)
                : ag_sparse_csc(s, size[0], size[1], indptr, indices, data);
}

agn_status agn_npz_load_sparse(agn_tensor **out, const char *path)
{
    static const char op[] = "npz_load_sparse";
    AGNI_NEED(op, out);
    AGNI_NEED(op, path);
    char word[4] = "";
    agni_input in;
    agn_dict *d = NULL;
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = agni_npz_read_word(&d, &in, word);
    if (!st) {
        agn_scope *s = agn_scope_open(NULL);
        agn_scope_return(s, out, read_parts(s, &in, d, word));
        st = agn_scope_close(s);
        if (st && st != AGN_ENOMEM && st != AGN_EFORMAT) /* the fault of the file */
            st = agni_fail(AGN_EFORMAT, "%s: %s: %s", op, in.file, agn_error_message());
    }
    agn_dict_release(d);
    agni_input_close(&in);
    return st;
}
