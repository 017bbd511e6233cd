/* exchange/text/mtx_write.c - matrices as Matrix Market files. */
#include "exchange/text/mtx.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/sparse_layout.h>
#include <math.h>
#include <string.h>

/* values as they are printed: bool and integers i64, real numbers f64 (and how short, by
   dtype), complex ones c128 */
typedef struct content {
    agni_mtx_head head;       /* dtype: AGN_BOOL where no values are written */
    const int64_t *row, *col; /* NULL: an array, row-major */
    const agn_tensor *values; /* NULL: a pattern */
    bool single;              /* f32 was what it was */
} content;

static const char *const fields[AGN_NDTYPES] = {[AGN_BOOL] = "pattern",
                                                [AGN_I64] = "integer",
                                                [AGN_F64] = "real",
                                                [AGN_C128] = "complex"};

static int format_number(char *buf, size_t n, double v, bool single)
{
    return single ? agni_format_float(buf, n, (float)v, -1)
                  : agni_format_double(buf, n, v, -1);
}

/* number k of the values, after whatever the line begins with */
static agn_status put_value(agni_output *o, const content *c, int64_t k)
{
    char text[80];
    int n = 0;
    const double *re = c->values->data;
    if (c->head.dtype == AGN_I64) {
        n = agni_format_int(text, ((int64_t *)c->values->data)[k]);
    } else if (c->head.dtype == AGN_F64) {
        n = format_number(text, sizeof text, re[k], c->single);
    } else {
        n = format_number(text, sizeof text, re[2 * k], c->single);
        text[n++] = ' ';
        n += format_number(text + n, sizeof text - (size_t)n, re[2 * k + 1], c->single);
    }
    text[n++] = '\n';
    return agni_put(o, text, (size_t)n);
}

static agn_status put_head(agni_output *o, const agni_mtx_head *h, int format)
{
    char text[160], entries[32] = "";
    if (format == AGNI_MTX_COORDINATE)
        agni_format(entries, sizeof entries, " %lld", (long long)h->n);
    agni_format(text, sizeof text, "%%%%MatrixMarket matrix %s %s %s\n%lld %lld%s\n",
                agni_mtx_formats[format], fields[h->dtype],
                agni_mtx_symmetries[h->symmetry], (long long)h->rows,
                (long long)h->cols, entries);
    return agni_put_text(o, text);
}

/* columns one after the other, of all rows or of those of a triangle */
static agn_status write_array(agni_output *o, const void *user)
{
    const content *c = user;
    const agni_mtx_head *h = &c->head;
    bool general = h->symmetry == AGN_MTX_GENERAL;
    agn_status st = put_head(o, h, AGNI_MTX_ARRAY);
    for (int64_t j = 0; j < h->cols && !st; j++)
        for (int64_t i = general ? 0 : j + (h->symmetry == AGN_MTX_SKEW);
             i < h->rows && !st; i++)
            st = put_value(o, c, i * h->cols + j);
    return st;
}

static agn_status write_entries(agni_output *o, const void *user)
{
    const content *c = user;
    agn_status st = put_head(o, &c->head, AGNI_MTX_COORDINATE);
    for (int64_t k = 0; k < c->head.n && !st; k++) {
        char text[64];
        int n = agni_format_int(text, c->row[k] + 1);
        text[n++] = ' ';
        n += agni_format_int(text + n, c->col[k] + 1);
        text[n++] = c->values ? ' ' : '\n';
        st = agni_put(o, text, (size_t)n);
        if (!st && c->values)
            st = put_value(o, c, k);
    }
    return st;
}

/* ---- operands ---------------------------------------------------------------------------- */

/* x row-major on the host, in the dtype it is printed in */
static agn_status cast_for_print(agn_tensor **out, content *c, const char *op, const agn_tensor *x)
{
    static const int8_t wide[] = {[AGNI_KIND_BOOL] = AGN_I64,
                                  [AGNI_KIND_INT] = AGN_I64,
                                  [AGNI_KIND_FLOAT] = AGN_F64,
                                  [AGNI_KIND_COMPLEX] = AGN_C128};
    agn_tensor *rows = NULL;
    agn_status st = agni_rows(&rows, op, x);
    if (!st)
        st = agn_cast(out, rows, wide[agni_kind(x->dtype)]);
    agn_release(rows);
    c->head.dtype = wide[agni_kind(x->dtype)];
    c->single = agni_kind(x->dtype) >= AGNI_KIND_FLOAT &&
                agni_dtypes[x->dtype].real != AGN_F64;
    c->values = *out;
    return st;
}

static agn_status check_symmetry(const char *op, const agni_mtx_head *h)
{
    if (h->symmetry < 0 || h->symmetry >= AGNI_COUNT(agni_mtx_symmetries))
        return agni_fail(AGN_EARG, "%s: %d is no symmetry; there are 4", op,
                         h->symmetry);
    if (h->symmetry != AGN_MTX_GENERAL && h->rows != h->cols)
        return agni_fail(
            AGN_ESHAPE, "%s: %s needs a square matrix, this is [%lld,%lld]", op,
            agni_mtx_symmetries[h->symmetry], (long long)h->rows, (long long)h->cols);
    return AGN_OK;
}

/* is number b what the symmetry makes of number a? a number and a NaN are as equal as two NaNs */
static bool satisfies_symmetry(const content *c, int64_t a, int64_t b)
{
    const int64_t *whole = c->values->data;
    const double *v = c->values->data;
    int parts = c->head.dtype == AGN_C128 ? 2 : 1;
    bool skew = c->head.symmetry == AGN_MTX_SKEW, same = true;
    if (c->head.dtype == AGN_I64)
        return whole[b] == (skew ? (int64_t)(0 - (uint64_t)whole[a]) : whole[a]);
    for (int k = 0; k < parts; k++) {
        bool minus = skew || (k && c->head.symmetry == AGN_MTX_HERMITIAN);
        double x = minus ? -v[parts * a + k] : v[parts * a + k], y = v[parts * b + k];
        same = same && (x == y || (isnan(x) && isnan(y)));
    }
    return same;
}

static agn_status fail_asymmetric(const content *c, int64_t i, int64_t j)
{
    return agni_fail(AGN_EDOMAIN,
                     "mtx_save: x is not %s: elements (%lld, %lld) and (%lld, %lld)",
                     agni_mtx_symmetries[c->head.symmetry], (long long)i, (long long)j,
                     (long long)j, (long long)i);
}

static agn_status save_dense(const char *path, content *c, const agn_tensor *x)
{
    agn_tensor *v = NULL;
    c->head.rows = x->shape[0];
    c->head.cols = x->shape[1];
    agn_status st = check_symmetry("mtx_save", &c->head);
    if (!st)
        st = cast_for_print(&v, c, "mtx_save", x);
    int64_t n = c->head.cols,
            last = c->head.symmetry == AGN_MTX_GENERAL ? 0 : c->head.rows;
    for (int64_t i = 0; i < last && !st; i++)
        for (int64_t j = 0; j <= i && !st; j++)
            if (!satisfies_symmetry(c, i * n + j, j * n + i))
                st = fail_asymmetric(c, i, j);
    if (!st)
        st = agni_save("mtx_save", path, write_array, c);
    agn_release(v);
    return st;
}

/* where entry (i, j) of the pattern is, -1: nowhere */
static int64_t find_entry(const agni_pattern *p, int64_t i, int64_t j)
{
    int64_t low = agni_row_begin(p, i), high = agni_row_begin(p, i + 1);
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (agni_entry_col(p, mid) < j)
            low = mid + 1;
        else
            high = mid;
    }
    return low < agni_row_begin(p, i + 1) && agni_entry_col(p, low) == j ? low : -1;
}

/* entries of the lower triangle come first in every list, each checked against its mirror */
static agn_status collect_triangle(content *c, const agni_pattern *p, int64_t *row, int64_t *col,
                                   int64_t *kept)
{
    bool general = c->head.symmetry == AGN_MTX_GENERAL;
    int64_t n = 0;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++) {
            int64_t j = agni_entry_col(p, e), mirror = general ? e : find_entry(p, j, i);
            if (!general && (mirror < 0 || !satisfies_symmetry(c, e, mirror)))
                return fail_asymmetric(c, i, j);
            /* the diagonal of a skew-symmetric matrix is zero, as was just checked */
            if (!general && (j > i || (i == j && c->head.symmetry == AGN_MTX_SKEW)))
                continue;
            row[n] = i;
            col[n] = j;
            kept[n++] = e;
        }
    c->head.n = n;
    return AGN_OK;
}

static agn_status save_sparse(const char *path, content *c, const agn_tensor *x)
{
    const agni_csr *s = agni_csr_of(x);
    int64_t nnz = s->pattern->nnz;
    agn_tensor *v = NULL, *few = NULL, *index = NULL;
    c->head.rows = s->pattern->rows;
    c->head.cols = s->pattern->cols;
    agn_status st = check_symmetry("mtx_save", &c->head);
    if (!st)
        st = cast_for_print(&v, c, "mtx_save", s->values);
    int64_t *lists = st ? NULL : agni_alloc(3 * (size_t)(nnz + !nnz) * sizeof *lists);
    if (!st && !lists)
        st = agni_nomem("mtx_save", 3 * (size_t)nnz * sizeof *lists);
    if (!st)
        st = collect_triangle(c, s->pattern, lists, lists + nnz, lists + 2 * nnz);
    if (!st)
        st = agn_wrap_host(&index, AGN_I64, 1, &c->head.n, NULL, lists + 2 * nnz, true,
                           NULL, NULL);
    if (!st)
        st = agn_take_along_axis(&few, v, index, 0);
    if (!st) {
        c->row = lists;
        c->col = lists + nnz;
        c->values = few;
        st = agni_save("mtx_save", path, write_entries, c);
    }
    agn_release(index);
    agn_release(few);
    agn_release(v);
    agni_free(lists);
    return st;
}

agn_status agn_mtx_save(const char *path, const agn_tensor *x, int32_t symmetry)
{
    if (!path || !x)
        return agni_fail(AGN_ENULL, "mtx_save: %s is NULL", path ? "x" : "path");
    content c = {.head = {.symmetry = symmetry}};
    if (x->ndim != 2)
        return agni_fail(AGN_ESHAPE, "mtx_save: x is %s, a matrix is needed",
                         AGNI_SHAPE(x));
    if (symmetry == AGN_MTX_HERMITIAN && agni_kind(x->dtype) != AGNI_KIND_COMPLEX)
        return agni_fail(AGN_EDOMAIN,
                         "mtx_save: x is %s %s, a hermitian matrix is complex",
                         agni_dtypes[x->dtype].name, AGNI_SHAPE(x));
    if (x->layout == AGN_DENSE)
        return save_dense(path, &c, x);
    agn_tensor *rows = NULL;
    agn_status st = agn_sparse_to_csr(&rows, x);
    st = st ? agni_rename_error("mtx_save", st) : save_sparse(path, &c, rows);
    agn_release(rows);
    return st;
}

/* ---- entries ----------------------------------------------------------------------------- */

/* row or column numbers as i64; each is within size */
static agn_status read_indices(agn_tensor **out, const char *op, const char *what,
                               const agn_tensor *x, int64_t size)
{
    agn_tensor *rows = NULL;
    if (agni_kind(x->dtype) != AGNI_KIND_INT)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s, integers are needed", op, what,
                         agni_dtypes[x->dtype].name);
    agn_status st = agni_rows(&rows, op, x);
    if (!st)
        st = agn_cast(out, rows, AGN_I64);
    agn_release(rows);
    for (int64_t k = 0; k < x->size && !st; k++) {
        int64_t v = ((int64_t *)(*out)->data)[k];
        if (v < 0 || v >= size)
            st = agni_fail(AGN_EINDEX, "%s: entry %lld of %s is %lld, not in 0 to %lld",
                           op, (long long)k, what, (long long)v, (long long)size - 1);
    }
    return st;
}

static agn_status check_entries(const char *op, const content *c)
{
    bool skew = c->head.symmetry == AGN_MTX_SKEW;
    for (int64_t k = 0; k < c->head.n && c->head.symmetry != AGN_MTX_GENERAL; k++)
        if (c->row[k] < c->col[k] + skew)
            return agni_fail(AGN_EDOMAIN,
                             "%s: entry %lld, (%lld, %lld), is not in the lower "
                             "triangle of a %s matrix",
                             op, (long long)k, (long long)c->row[k],
                             (long long)c->col[k],
                             agni_mtx_symmetries[c->head.symmetry]);
    bool complex_ = c->values && c->head.dtype == AGN_C128;
    if ((c->head.symmetry == AGN_MTX_HERMITIAN && !complex_) || (skew && !c->values))
        return agni_fail(AGN_EDOMAIN, "%s: no matrix is both %s and %s", op,
                         fields[c->head.dtype], agni_mtx_symmetries[c->head.symmetry]);
    for (int64_t k = 0; k < c->head.n && c->head.symmetry == AGN_MTX_HERMITIAN; k++)
        if (c->row[k] == c->col[k] && ((double *)c->values->data)[2 * k + 1] != 0.0)
            return agni_fail(AGN_EDOMAIN,
                             "%s: entry %lld, (%lld, %lld), of a hermitian matrix is "
                             "not real",
                             op, (long long)k, (long long)c->row[k],
                             (long long)c->col[k]);
    return AGN_OK;
}

agn_status agn_mtx_save_entries(const char *path, const agn_tensor *rows,
                                const agn_tensor *cols, const agn_tensor *values,
                                const int64_t *shape, int32_t symmetry)
{
    static const char op[] = "mtx_save_entries";
    if (!path || !rows || !cols || !shape)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op,
                         !path   ? "path"
                         : !rows ? "rows"
                         : !cols ? "cols"
                                 : "shape");
    if (rows->ndim != 1 || cols->ndim != 1 || rows->size != cols->size ||
        (values && (values->ndim != 1 || values->size != rows->size)) || shape[0] < 0 ||
        shape[1] < 0)
        return agni_fail(AGN_ESHAPE,
                         "%s: rows are %s, cols %s, values %s of a matrix [%lld,%lld]",
                         op, AGNI_SHAPE(rows), AGNI_SHAPE(cols),
                         values ? AGNI_SHAPE(values) : "none", (long long)shape[0],
                         (long long)shape[1]);
    content c = {.head = {.dtype = AGN_BOOL,
                          .symmetry = symmetry,
                          .rows = shape[0],
                          .cols = shape[1],
                          .n = rows->size}};
    agn_tensor *r = NULL, *q = NULL, *v = NULL;
    agn_status st = check_symmetry(op, &c.head);
    if (!st)
        st = read_indices(&r, op, "rows", rows, shape[0]);
    if (!st)
        st = read_indices(&q, op, "cols", cols, shape[1]);
    if (!st && values)
        st = cast_for_print(&v, &c, op, values);
    if (!st) {
        c.row = r->data;
        c.col = q->data;
        st = check_entries(op, &c);
    }
    if (!st)
        st = agni_save(op, path, write_entries, &c);
    agn_release(r);
    agn_release(q);
    agn_release(v);
    return st;
}
