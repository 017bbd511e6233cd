/* sparse/iterative/column_cosine.c - how far a vector is from orthogonal to the columns of a
   matrix, each by its own length: a column that is 1e-200 of another one counts as much. */
#include "sparse/iterative/linear_operator.h"

#include <math.h>
#include <string.h>

static agni_z read_element(const agn_tensor *v, int64_t e)
{
    const float *f = v->data;
    const double *d = v->data;
    bool single = v->dtype == AGN_F32 || v->dtype == AGN_C64;
    bool pair = v->dtype == AGN_C64 || v->dtype == AGN_C128;
    int64_t at = pair ? 2 * e : e;
    double part[2] = {single ? (double)f[at] : d[at], 0};
    if (pair)
        part[1] = single ? (double)f[at + 1] : d[at + 1];
    agni_z z;
    memcpy(&z, part, sizeof z);
    return z;
}

/* One pass over the entries for a function of entry, row and column. */
typedef struct column_sums {
    const agn_tensor *v, *r; /* values; the vector, of the same dtype */
    bool rows;               /* columns of A^H: the rows of A, conjugated */
    double *most, *size2;    /* of each column: the largest |element|; of elements divided by it, */
    double *re, *im;         /* the sum of squares and the product with r */
} column_sums;

static void note_largest(const column_sums *q, int64_t e, int64_t i, int64_t j)
{
    int64_t c = q->rows ? i : j;
    q->most[c] = fmax(q->most[c], cabs(read_element(q->v, e)));
}

static void add_product(const column_sums *q, int64_t e, int64_t i, int64_t j)
{
    int64_t c = q->rows ? i : j;
    if (!(q->most[c] > 0))
        return;
    agni_z a = read_element(q->v, e) / q->most[c], x = read_element(q->r, q->rows ? j : i);
    agni_z product = (q->rows ? a : conj(a)) * x;
    q->size2[c] += creal(a) * creal(a) + cimag(a) * cimag(a);
    q->re[c] += creal(product);
    q->im[c] += cimag(product);
}

static void visit_entries(const column_sums *q, const agni_linear_operator *o,
                          void (*visit)(const column_sums *, int64_t, int64_t, int64_t))
{
    const agni_pattern *p = o->pattern;
    for (int64_t i = 0; i < o->rows; i++)
        if (p)
            for (int64_t e = agni_row_begin(p, i); e < agni_row_begin(p, i + 1); e++)
                visit(q, e, i, agni_entry_col(p, e));
        else
            for (int64_t j = 0; j < o->cols; j++)
                visit(q, i * o->cols + j, i, j);
}

double agni_linear_operator_cosine(const agni_linear_operator *o, const agn_tensor *v, bool rows,
                                   double damp, const void *r, double *room)
{
    int64_t n = rows ? o->rows : o->cols, first = rows ? 0 : o->rows;
    int64_t length = (rows ? o->cols : o->rows) + (damp > 0 && !rows ? o->cols : 0);
    agn_tensor x = {.dtype = v->dtype, .data = (void *)(uintptr_t)r};
    column_sums q = {v, &x, rows, room, room + n, room + 2 * n, room + 3 * n};
    double norm = agni_vector_norm(v->dtype, length, r), largest = 0;
    for (int64_t c = 0; c < 4 * n; c++)
        room[c] = c < n && !rows ? damp : 0;
    visit_entries(&q, o, note_largest);
    for (int64_t c = 0; c < n && damp > 0 && !rows; c++) { /* the row of damp below the others */
        agni_z a = damp / q.most[c], product = a * read_element(&x, first + c);
        q.size2[c] = creal(a) * creal(a);
        q.re[c] = creal(product);
        q.im[c] = cimag(product);
    }
    visit_entries(&q, o, add_product);
    for (int64_t c = 0; c < n; c++)
        if (q.size2[c] > 0)
            largest = fmax(largest, hypot(q.re[c], q.im[c]) / (sqrt(q.size2[c]) * norm));
    for (int64_t j = 0; damp > 0 && rows && j < o->cols; j++) /* columns that damp alone makes */
        largest = fmax(largest, cabs(read_element(&x, j)) / norm);
    return norm > 0 ? largest : 0;
}
