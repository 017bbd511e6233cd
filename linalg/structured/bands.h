/* linalg/structured/bands.h - matrices that are held by their diagonals (LAPACK Users' Guide 1999, 5.3.3):
   what the files of bands share, in a scope. Row u + i - j of a band holds entry [i, j] in column j; half a
   band is the upper or the lower part of it. */
#ifndef AGNI_LINALG_BANDS_H
#define AGNI_LINALG_BANDS_H

#include "linalg/linalg.h"

agn_kernel agni_cpu_eigh_banded, agni_cpu_eigvalsh_banded, agni_cpu_cholesky_banded,
    agni_cpu_band_tangent;

struct agni_vlanes;
/* kernels of bands of real or complex numbers; NULL where half a band has more diagonals than they
   or the matrix have room for */
const struct agni_vlanes *agni_band_lanes(int dtype);
const struct agni_vlanes *agni_half_band_lanes(int dtype, int64_t n, int64_t w);

static inline int64_t agni_band_rows(const agn_tensor *ab)
{
    return ab->shape[ab->ndim - 2];
}
static inline int64_t agni_band_order(const agn_tensor *ab)
{
    return ab->shape[ab->ndim - 1];
}

/* x with a 0 behind the last along the axis, gathered there by places */
const agn_tensor *agni_gather_or_zero(agn_scope *s, const agn_tensor *x, const agn_tensor *places,
                                      int axis);
/* the last two axes as one */
const agn_tensor *agni_flatten_matrix(agn_scope *s, const agn_tensor *x);
/* the band of a^T, and of a^H, of a with l diagonals below the main one */
const agn_tensor *agni_transposed_band(agn_scope *s, const agn_tensor *ab, int64_t l);
const agn_tensor *agni_adjoint_band(agn_scope *s, const agn_tensor *ab, int64_t l);
/* dl of a Cholesky factor l by da, of half bands; adjoint: a cotangent of a by one of l. 0 outside of
   the matrix, which is not read */
const agn_tensor *agni_band_tangent(agn_scope *s, const agn_tensor *l, const agn_tensor *x,
                                    bool upper, bool adjoint);
/* x of a x = b; definite: a is Hermitian and positive definite, and its lower triangle is factored */
const agn_tensor *agni_solve_band(agn_scope *s, const agn_tensor *ab, const agn_tensor *b,
                                  int64_t l, bool definite);
/* the same with b of one axis or more, as the result of a public function */
agn_status agni_return_band_solution(const char *op, agn_scope *s, agn_tensor **out,
                                     const agn_tensor *ab, const agn_tensor *b, int64_t l,
                                     bool definite);

#endif
