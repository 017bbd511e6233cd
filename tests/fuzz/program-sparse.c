/* tests/fuzz/program-sparse.c - functions of sparse tensors by rows, columns and coordinates, as
   steps of a program: values in, a dense tensor out. */
#include "program.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_layout.h>

#define I64(...) ((const int64_t[]){__VA_ARGS__})
#define AXES(...) ((const int32_t[]){__VA_ARGS__})
enum { SIDE = 3, ENTRIES = 7 };

bool fuzz_whole;

/* of results, by way; X: as many as x has columns, X - 1: those twice beside a matrix */
enum { X = -1 };
static const int8_t shapes[FUZZ_FORM_WAYS][2] = {
    {3, 3}, {3, 0}, {3, 1}, {3, X},  {X, 3}, {3, 3}, {3, 3}, {3, 3}, {2, 3}, {6, 3}, {3, 3}, {3, 0},
    {3, 3}, {3, 3}, {3, 3}, {9, 0}, {3, 3}, {3, 3}, {3, X}, {3, X - 1}, {9, 3}, {3, 3}, {3, 3}};

static agn_status infer(agni_call *c)
{
    int64_t k = c->in[2]->shape[1];
    agni_meta m = {.dtype = AGN_F64};
    for (int d = 0; d < 2 && shapes[c->at->i[2]][d]; d++) {
        int64_t n = shapes[c->at->i[2]][d];
        m.shape[m.ndim++] = n == X ? k : n < X ? SIDE + 2 * k : n;
    }
    c->meta[0] = m;
    return AGN_OK;
}

const agni_op fuzz_form = {.name = "sparse_function", .takes = "v w x layout:i other:i way:i", .cls = AGNI_OPAQUE,
                           .nin = 3, .nout = 1, .ew = -1, .dtypes = AGNI_FIELDS, .infer = infer};

/* ---- patterns ------------------------------------------------------------------------------ */

static const int64_t begins[] = {0, 2, 5, 7}, columns[] = {0, 1, 0, 1, 2, 1, 2};

/* judge-nest.py tells them apart by their numbers of entries */
static const struct {
    int64_t rows, cols, nnz;
    const int64_t *begin, *column;
} patterns[] = {
    [FUZZ_SQUARE] = {SIDE, SIDE, ENTRIES, begins, columns},
    [FUZZ_FEW] = {SIDE, SIDE, 3, I64(0, 1, 2, 3), I64(2, 1, 1)},
    [FUZZ_LOWER] = {SIDE, SIDE, 5, I64(0, 1, 3, 5), I64(0, 0, 1, 1, 2)},
    [FUZZ_TALL] = {4, 2, 6, I64(0, 2, 3, 4, 6), I64(0, 1, 0, 1, 0, 1)},
};

agni_pattern *fuzz_pattern(int which)
{
    int64_t rows = patterns[which].rows, nnz = patterns[which].nnz, n = rows + 1;
    agn_tensor *p = NULL, *i = NULL, *v = NULL, *a = NULL;
    agn_status st = agn_from_host(&p, AGN_I64, 1, &n, patterns[which].begin);
    if (!st)
        st = agn_from_host(&i, AGN_I64, 1, &nnz, patterns[which].column);
    if (!st)
        st = agn_full(&v, AGN_F64, 1, &nnz, 1);
    if (!st)
        st = agn_sparse_csr(&a, rows, patterns[which].cols, p, i, v);
    agni_pattern *out = st ? NULL : agni_csr_of(a)->pattern;
    if (out)
        agni_obj_retain(&out->head);
    agn_release(p);
    agn_release(i);
    agn_release(v);
    agn_release(a);
    return out;
}

/* ---- functions of tensors of any layout --------------------------------------------------- */

static agn_status by_rows(agn_tensor **out, T v, bool turned)
{
    agn_tensor *p = NULL, *i = NULL;
    agn_status st = agn_from_host(&p, AGN_I64, 1, I64(SIDE + 1), begins);
    if (!st)
        st = agn_from_host(&i, AGN_I64, 1, I64(ENTRIES), columns);
    if (!st)
        st = turned ? agn_sparse_csc(out, SIDE, SIDE, p, i, v) : agn_sparse_csr(out, SIDE, SIDE, p, i, v);
    agn_release(p);
    agn_release(i);
    return st;
}

static T weights(agn_scope *s)
{
    agn_tensor *w = NULL;
    agn_status st = agn_from_host(&w, AGN_F64, 1, I64(4), (double[]){0.75, 1, 1, 0.25});
    return agn_scope_adopt(s, st, &w);
}

/* slices in no order and one of them twice: every place has an entry */
static T hybrid(agn_scope *s, T rows)
{
    agn_tensor *i = NULL, *j = NULL;
    agn_status st = agn_from_host(&i, AGN_I64, 1, I64(4), I64(2, 0, 1, 2));
    if (!st)
        st = agn_from_host(&j, AGN_I64, 2, I64(1, 4), I64(2, 0, 1, 2));
    T at = agn_scope_adopt(s, st, &i), places = agn_scope_adopt(s, st, &j);
    T slices = ag_gather(s, ag_sparse_to_dense(s, rows), at, 0);
    T part = ag_mul(s, slices, ag_reshape(s, weights(s), 2, I64(4, 1)));
    return places && part ? ag_sparse_coo(s, 2, I64(SIDE, SIDE), places, part) : NULL;
}

/* rows, columns, coordinates in order, in no order and with places twice, a batch of one, or slices */
static T formed(agn_scope *s, int64_t layout, T v)
{
    agn_tensor *a = NULL;
    agn_status st = by_rows(&a, v, layout == 1);
    T rows = agn_scope_adopt(s, st, &a);
    if (layout < 2)
        return rows;
    if (layout == 5)
        return hybrid(s, rows);
    if (layout == 4)
        return ag_index_axis(s, ag_stack(s, (T[]){rows, rows}, 2, 0), 0, 1);
    T coo = ag_sparse_to_coo(s, rows, -1);
    if (layout == 2)
        return coo;
    T at = ag_sparse_coordinates(s, coo);
    at = ag_flip(s, ag_concat(s, (T[]){at, at}, 2, 1), AXES(1), 1);
    T w = ag_flip(s, ag_concat(s, (T[]){ag_mul_c(s, v, 0.75), ag_mul_c(s, v, 0.25)}, 2, 0), AXES(0), 1);
    return at && w ? ag_sparse_coo(s, 2, I64(SIDE, SIDE), at, w) : NULL;
}

static T function(agn_scope *s, int64_t way, T a, T b, T x)
{
    T column = ag_slice(s, x, 2, I64(0, 0), I64(SIDE, 1), I64(1, 1));
    switch (way) {
    case 0: return ag_transpose(s, a);
    case 1: return ag_sum(s, a, AXES(0), 1, false);
    case 2: return ag_sum(s, a, AXES(1), 1, true);
    case 3: return ag_matmul(s, a, x);
    case 4: return ag_matmul(s, ag_transpose(s, x), a);
    case 5: return ag_matmul(s, a, b);
    case 6: return ag_add(s, a, b);
    case 7: return ag_mul(s, a, b);
    case 8: return ag_slice(s, a, 2, I64(1, AGN_BEGIN), I64(AGN_END, AGN_END), I64(1, -1));
    case 9: return ag_concat(s, (T[]){a, b}, 2, 0);
    case 10: return ag_tril(s, a, 0);
    case 11: return ag_diagonal(s, a, 0, 0, 1);
    case 12: return ag_sparse_softmax(s, a, 1);
    case 13: return ag_sin(s, a);
    case 14: return ag_mul(s, a, column);
    case 15: return ag_reshape(s, a, 1, I64(SIDE * SIDE));
    case 16: return ag_sparse_mask_as(s, ag_matmul(s, column, ag_transpose(s, column)), a);
    case 17: return ag_sparse_masked_matmul(s, x, ag_transpose(s, x), a);
    case 18: return ag_sparse_addmm(s, x, a, x, 0.5, 2);
    case 19: return ag_concat(s, (T[]){x, a, x}, 3, 1);
    case 20: return ag_concat(s, (T[]){a, ag_matmul(s, column, ag_transpose(s, column)), b}, 3, 0);
    case 21: return ag_real(s, ag_polar(s, a, b));
    default: return ag_sub(s, ag_transpose(s, a), ag_mul_c(s, b, 0.5));
    }
}

agn_status fuzz_form_apply(agn_tensor **out, const step *q, const T *in)
{
    bool known = in[0]->st && in[1]->st && in[2]->st;
    if (fuzz_whole && !known)
        return agni_apply(&fuzz_form, &(agni_attr){.ni = q->n_int, .i = q->ints}, 3, in, 1, out);
    agn_scope *s = agn_scope_open(NULL);
    T a = formed(s, q->ints[0], in[0]), b = formed(s, q->ints[1], in[1]);
    T y = agn_scope_status(s) ? NULL : function(s, q->ints[2], a, b, in[2]);
    if (y && agn_layout_of(y) != AGN_DENSE)
        y = ag_sparse_to_dense(s, y);
    agn_scope_return(s, out, y);
    return agn_scope_close(s);
}
