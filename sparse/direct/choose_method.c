/* sparse/direct/choose_method.c - the method for a square matrix by its structure: substitution for
   a triangle with its diagonal; Cholesky, which is tried, for a Hermitian matrix with a positive
   diagonal; else LU. What depends on the pattern is found once for each pattern, values are
   compared for each matrix. */
#include "sparse/direct/direct.h"

agn_status agni_find_structure(agni_structure *out, const char *op, const agni_pattern *p)
{
    bool lower = true, upper = true, diagonal = true, symmetric = false;
    for (int64_t i = 0; i < p->rows && (lower || upper); i++) {
        int64_t e = agni_row_begin(p, i), end = agni_row_begin(p, i + 1);
        lower = lower && e < end && agni_entry_col(p, end - 1) == i;
        upper = upper && e < end && agni_entry_col(p, e) == i;
    }
    *out = (agni_structure){.triangular = lower || upper};
    if (out->triangular)
        return AGN_OK;
    agn_status st = agni_find_mirror_entries(&out->mirror, &symmetric, op, p);
    for (int64_t i = 0; symmetric && diagonal && i < p->rows; i++) {
        diagonal = false;
        for (int64_t e = agni_row_begin(p, i); !diagonal && e < agni_row_begin(p, i + 1); e++)
            diagonal = agni_entry_col(p, e) == i;
    }
    out->symmetric = symmetric && diagonal;
    return st;
}

void agni_structure_free(agni_structure *s)
{
    agni_mirror_map_free(&s->mirror);
}

/* v is conj(v at the mirrored entry) exactly, and positive on the diagonal */
#define IS_HERMITIAN(name, type)                                                             \
    static bool name(const double *v, const type *mirror, int64_t n, int parts)              \
    {                                                                                        \
        bool good = true;                                                                    \
        for (int64_t e = 0; good && e < n; e++) {                                            \
            int64_t f = mirror[e];                                                           \
            good = v[e * parts] == v[f * parts] && (e != f || v[e * parts] > 0);             \
            if (parts == 2)                                                                  \
                good = good && v[2 * e + 1] == -v[2 * f + 1];                                \
        }                                                                                    \
        return good;                                                                         \
    }
IS_HERMITIAN(is_hermitian, int32_t)
IS_HERMITIAN(is_hermitian_wide, int64_t)

int agni_choose_method(const agni_structure *s, const agni_direct_problem *a)
{
    if (s->triangular)
        return AGN_SPARSE_TRIANGULAR;
    if (!s->symmetric)
        return AGN_SPARSE_LU;
    bool hermitian = s->mirror.wide
                         ? is_hermitian_wide(a->v, s->mirror.at, a->p->nnz, a->parts)
                         : is_hermitian(a->v, s->mirror.at, a->p->nnz, a->parts);
    return hermitian ? AGN_SPARSE_CHOLESKY : AGN_SPARSE_LU;
}
