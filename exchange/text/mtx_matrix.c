/* exchange/text/mtx_matrix.c - a dense or CSR matrix from the entries of a Matrix Market
   file. */
#include "exchange/text/mtx.h"

#include <string.h>

/* ---- array format: columns one after the other, of all rows or of those of a triangle ---- */

/* number k of the file is element (i, j) with j <= i where there is symmetry */
static void set_element(agn_tensor *x, const agni_mtx *m, int64_t k, int64_t i, int64_t j)
{
    size_t bytes = (size_t)agni_dtypes[x->dtype].bytes;
    const char *from = (const char *)m->values->data + (size_t)k * bytes;
    char *at = (char *)x->data + (size_t)(i * m->head.cols + j) * bytes;
    char *mirror = (char *)x->data + (size_t)(j * m->head.cols + i) * bytes;
    memcpy(at, from, bytes);
    if (m->head.symmetry == AGN_MTX_GENERAL || i == j)
        return;
    memcpy(mirror, from, bytes);
    double *re = (double *)(void *)mirror;
    int64_t *whole = (int64_t *)(void *)mirror;
    bool skew = m->head.symmetry == AGN_MTX_SKEW;
    if (x->dtype == AGN_I64)
        *whole = skew ? (int64_t)(0 - (uint64_t)*whole) : *whole;
    else
        re[0] = skew ? -re[0] : re[0];
    if (x->dtype == AGN_C128)
        re[1] = m->head.symmetry == AGN_MTX_SYMMETRIC ? re[1] : -re[1];
}

static agn_status make_dense(agn_tensor **out, const agni_mtx *m, const agni_input *in)
{
    const agni_mtx_head *h = &m->head;
    agn_tensor *x = NULL;
    agn_status st = agni_tensor_make(&x, in->op, h->dtype, 2,
                                     (int64_t[]){h->rows, h->cols}, AGN_CPU);
    if (st)
        return st;
    memset(x->data, 0,
           x->st->bytes); /* the diagonal of a skew-symmetric matrix is not there */
    int64_t k = 0, skip = h->symmetry == AGN_MTX_SKEW;
    for (int64_t j = 0; j < h->cols; j++)
        for (int64_t i = h->symmetry == AGN_MTX_GENERAL ? 0 : j + skip; i < h->rows;
             i++)
            set_element(x, m, k++, i, j);
    const double *z = x->data;
    for (int64_t i = 0; i < h->rows && h->symmetry == AGN_MTX_HERMITIAN && !st; i++)
        if (z[2 * (i * h->cols + i) + 1] != 0.0)
            st = agni_fail(AGN_EFORMAT,
                           "%s: %s: element (%lld, %lld) of a Hermitian matrix is "
                           "not real",
                           in->op, in->file, (long long)i + 1, (long long)i + 1);
    if (st)
        agn_release(x);
    else
        *out = x;
    return st;
}

/* ---- coordinate format: compressed rows ------------------------------------------------ */

/* Entries in order of rows: indptr[rows + 1], and where each one goes. */
static agn_status sort_rows(agn_tensor **indptr, agn_tensor **place, const agni_mtx *m,
                            const char *op)
{
    int64_t n = m->values->size, room = m->head.rows + 1;
    const int64_t *row = m->rows->data;
    agn_status st = agni_tensor_make(indptr, op, AGN_I64, 1, &room, AGN_CPU);
    if (!st)
        st = agni_tensor_make(place, op, AGN_I64, 1, &n, AGN_CPU);
    if (st)
        return st;
    int64_t *ptr = (*indptr)->data, *to = (*place)->data;
    memset(ptr, 0, (size_t)room * sizeof *ptr);
    for (int64_t k = 0; k < n; k++)
        to[k] = ptr[row[k] + 1]++; /* rank within its row */
    for (int64_t i = 0; i < m->head.rows; i++)
        ptr[i + 1] += ptr[i];
    for (int64_t k = 0; k < n; k++)
        to[k] += ptr[row[k]];
    return AGN_OK;
}

/* y[to[k]] = x[k], where a pattern has ones and integers become reals; the first integer that
   does not fit goes to *bad */
static void place_values(agn_tensor *y, const agn_tensor *x, const int64_t *to,
                         int64_t *bad)
{
    double *v = y->data;
    const double *re = x->data;
    const int64_t *whole = x->data;
    const int64_t most = (int64_t)1 << 53;
    for (int64_t k = 0; k < x->size; k++) {
        switch (x->dtype) {
        case AGN_C128:
            v[2 * to[k]] = re[2 * k];
            v[2 * to[k] + 1] = re[2 * k + 1];
            break;
        case AGN_I64:
            v[to[k]] = (double)whole[k];
            if (*bad < 0 && (whole[k] > most || whole[k] < -most))
                *bad = k;
            break;
        default:
            v[to[k]] = x->dtype == AGN_BOOL ? 1.0 : re[k];
        }
    }
}

agn_status agni_mtx_to_csr(agn_tensor **out, const agni_mtx *m, const agni_input *in)
{
    agn_tensor *indptr = NULL, *place = NULL, *cols = NULL, *values = NULL;
    int64_t n = m->values->size, bad = -1;
    agn_status st = sort_rows(&indptr, &place, m, in->op);
    if (!st)
        st = agni_tensor_make(&cols, in->op, AGN_I64, 1, &n, AGN_CPU);
    if (!st)
        st = agni_tensor_make(&values, in->op,
                              m->head.dtype == AGN_C128 ? AGN_C128 : AGN_F64, 1, &n,
                              AGN_CPU);
    if (!st) {
        const int64_t *to = place->data, *col = m->cols->data;
        for (int64_t k = 0; k < n; k++)
            ((int64_t *)cols->data)[to[k]] = col[k];
        place_values(values, m->values, to, &bad);
    }
    if (!st && bad >= 0)
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: the integer %lld is no f64; mtx_load_entries takes it",
                       in->op, in->file, (long long)((int64_t *)m->values->data)[bad]);
    if (!st)
        st = agn_sparse_csr(out, m->head.rows, m->head.cols, indptr, cols, values);
    if (st == AGN_EARG) /* an entry twice: the fault of the file */
        st = agni_fail(AGN_EFORMAT, "%s: %s: %s", in->op, in->file,
                       agn_error_message());
    agn_release(indptr);
    agn_release(place);
    agn_release(cols);
    agn_release(values);
    return st;
}

/* Row and column pointers cost memory, so a short file must not claim very many. */
static agn_status make_sparse(agn_tensor **out, const agni_mtx *m, const agni_input *in)
{
    int64_t most = (1 << 20) + 8 * in->size;
    if (m->head.rows <= most && m->head.cols <= most)
        return agni_mtx_to_csr(out, m, in);
    return agni_fail(
        AGN_EFORMAT,
        "%s: %s: %lld rows and %lld columns, at most %lld are believed of %lld bytes; "
        "mtx_load_entries takes them",
        in->op, in->file, (long long)m->head.rows, (long long)m->head.cols,
        (long long)most, (long long)in->size);
}

agn_status agni_mtx_matrix(agn_tensor **out, const agni_input *in)
{
    agni_mtx m;
    agn_status st = agni_mtx_read(&m, in);
    if (st)
        return st;
    st = m.head.format == AGNI_MTX_ARRAY ? make_dense(out, &m, in) : make_sparse(out, &m, in);
    agni_mtx_free(&m);
    return st;
}

/* ---- public ------------------------------------------------------------------------------- */

agn_status agn_mtx_load(agn_tensor **out, const char *path)
{
    if (!out || !path)
        return agni_fail(AGN_ENULL, "mtx_load: %s is NULL", out ? "path" : "out");
    agni_input in;
    agn_status st = agni_input_open(&in, "mtx_load", path);
    if (st)
        return st;
    st = agni_mtx_matrix(out, &in);
    agni_input_close(&in);
    return st;
}

agn_status agn_mtx_load_entries(agn_tensor **rows, agn_tensor **cols,
                                agn_tensor **values, int64_t *shape, const char *path)
{
    static const char op[] = "mtx_load_entries";
    if (!rows || !cols || !values || !path)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !rows     ? "rows"
                         : !cols   ? "cols"
                         : !values ? "values"
                                   : "path");
    agni_input in;
    agni_mtx m;
    agn_status st = agni_input_open(&in, op, path);
    if (st)
        return st;
    st = agni_mtx_read(&m, &in);
    if (!st && m.head.format == AGNI_MTX_ARRAY) {
        st = agni_fail(AGN_EFORMAT,
                       "%s: %s: is in array format, [%lld,%lld]; mtx_load reads it", op,
                       in.file, (long long)m.head.rows, (long long)m.head.cols);
        agni_mtx_free(&m);
    }
    agni_input_close(&in);
    if (st)
        return st;
    *rows = m.rows;
    *cols = m.cols;
    *values = m.values;
    if (shape) {
        shape[0] = m.head.rows;
        shape[1] = m.head.cols;
    }
    return AGN_OK;
}
