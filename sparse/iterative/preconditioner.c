/* sparse/iterative/preconditioner.c - ILU(0), IC(0) and block Jacobi, computed in f64 and c128. */
#include "sparse/iterative/preconditioner.h"

#include <math.h>
#include <string.h>

struct agni_precondition {
    int kind, dtype, wide;
    int64_t block;
    agni_rows a;     /* owned copies */
    int64_t *diag;   /* entry on the diagonal of each row, -1 for none */
    int64_t *at;     /* [n] */
    void *numbers;   /* factor or inverses */
    void *x, *work;  /* a vector, and a block */
};

#define T double
#define NAME(x) x##_real
#define CONJ(x) (x)
#define REAL(x) (x)
#define ABS(x) fabs(x)
#include "sparse/iterative/preconditioner_body.h"
#undef T
#undef NAME
#undef CONJ
#undef REAL
#undef ABS
#define T double complex
#define NAME(x) x##_complex
#define CONJ(x) conj(x)
#define REAL(x) creal(x)
#define ABS(x) cabs(x)
#include "sparse/iterative/preconditioner_body.h"

/* n numbers of one dtype as those of another of the same kind */
static void convert_dtype(int64_t n, int from, const void *x, int to, void *y)
{
    int64_t parts = from == AGN_C64 || from == AGN_C128 ? 2 * n : n;
    bool narrow = from == AGN_F32 || from == AGN_C64, thin = to == AGN_F32 || to == AGN_C64;
    if (narrow == thin)
        memcpy(y, x, (size_t)n * agn_dtype_size(to));
    else if (narrow)
        for (int64_t i = 0; i < parts; i++)
            ((double *)y)[i] = ((const float *)x)[i];
    else
        for (int64_t i = 0; i < parts; i++)
            ((float *)y)[i] = (float)((const double *)x)[i];
}

void agni_precondition_free(agni_precondition *m)
{
    if (!m)
        return;
    agni_free((void *)(uintptr_t)m->a.indptr);
    agni_free(m->numbers);
    agni_free(m);
}

/* all arrays: integers in one piece, numbers in another */
static bool alloc_arrays(agni_precondition *m, const agni_rows *a)
{
    int64_t nnz = a->indptr[a->n], b = m->block, one = (int64_t)agn_dtype_size(m->wide), count;
    bool whole = m->kind == AGN_PRECONDITION_ILU0 || m->kind == AGN_PRECONDITION_IC0;
    int64_t numbers = whole ? nnz : (a->n + b - 1) / b;
    if (!whole &&
        (!agni_checked_mul(numbers, b, &numbers) || !agni_checked_mul(numbers, b, &numbers)))
        return false;
    if (!agni_checked_add(numbers, a->n + b * b + 3, &count) ||
        !agni_checked_mul(count, one, &count))
        return false;
    int64_t *ints = agni_alloc((size_t)(3 * a->n + 1 + nnz) * sizeof *ints);
    char *room = agni_alloc((size_t)count);
    m->a = (agni_rows){a->n, ints, ints + 3 * a->n + 1};
    m->numbers = room;
    if (!ints || !room)
        return false;
    memcpy(ints, a->indptr, (size_t)(a->n + 1) * sizeof *ints);
    if (nnz)
        memcpy(ints + 3 * a->n + 1, a->index, (size_t)nnz * sizeof *ints);
    m->diag = ints + a->n + 1;
    m->at = m->diag + a->n;
    m->x = room + numbers * one;
    m->work = (char *)m->x + (a->n + 1) * one;
    for (int64_t i = 0; i < a->n; i++) {
        m->diag[i] = -1;
        for (int64_t e = a->indptr[i]; e < a->indptr[i + 1]; e++)
            if (a->index[e] == i)
                m->diag[i] = e;
    }
    return true;
}

agn_status agni_precondition_make(agni_precondition **out, const char *op, int kind, int64_t block,
                                  int dtype, const agni_rows *a, const void *values)
{
    int64_t nnz = a->indptr[a->n];
    agni_precondition *m = agni_zalloc(sizeof *m);
    if (!m)
        return agni_nomem(op, sizeof *m);
    bool complex_ = dtype == AGN_C64 || dtype == AGN_C128;
    m->kind = kind;
    m->dtype = dtype;
    m->wide = complex_ ? AGN_C128 : AGN_F64;
    m->block = kind == AGN_PRECONDITION_JACOBI ? 1 : block < a->n || !a->n ? block : a->n;
    void *v = agni_alloc((size_t)(nnz + 1) * agn_dtype_size(m->wide));
    agn_status st = AGN_OK;
    if (!alloc_arrays(m, a) || !v)
        st = agni_nomem(op, (size_t)nnz * agn_dtype_size(m->wide));
    else {
        convert_dtype(nnz, dtype, values, m->wide, v);
        st = complex_ ? factor_matrix_complex(m, op, v) : factor_matrix_real(m, op, v);
    }
    agni_free(v);
    if (st)
        agni_precondition_free(m);
    else
        *out = m;
    return st;
}

agn_status agni_precondition_apply(void *user, bool adjoint, const void *r, void *z)
{
    agni_precondition *m = user;
    convert_dtype(m->a.n, m->dtype, r, m->wide, m->x);
    if (m->wide == AGN_C128)
        apply_factor_complex(m, adjoint, m->x);
    else
        apply_factor_real(m, adjoint, m->x);
    convert_dtype(m->a.n, m->wide, m->x, m->dtype, z);
    return AGN_OK;
}
