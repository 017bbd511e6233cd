/* linalg/linalg.h - what the files of this module share: rows, rules, kernels.

   Primitives, over any leading batch axes; attributes behind a semicolon:
     linalg_cholesky(a; upper)                   the factor; one triangle of a is read
     linalg_triangle(a; upper, d)                a triangle with its diagonal times d, else 0
     linalg_triangular_solve(l, b; triangle)     l x = b; one triangle is read, its diagonal or ones
     linalg_lu_factor(a) -> lu, pivots           opaque; a constant for derivatives
     linalg_lu_solve(lu, pivots, a, b; form)     op(a) x = b by a's factor; derivatives see a
     linalg_eigh(a; upper) -> w, v               a = v diag(w) v^H; one triangle of a is read
     linalg_eigvalsh(a; upper)                   w alone
     linalg_svd(a; full) -> u, s, vh             a = u diag(s) vh
     linalg_svdvals(a)                           s alone
     linalg_qr(a; complete) -> q, r              a = q r, r's diagonal real
     linalg_det(a)                               determinant, by LU
     linalg_slogdet(a) -> sign, logabs           by LU; sign 0 and -inf where a is singular
     linalg_pinv(a; hermitian, rcond)            Moore-Penrose inverse of constant rank
     linalg_matrix_exp(a)                        exponential of a matrix
     linalg_eig(a) -> w, v                       a v = v diag(w), of complex matrices
     linalg_eigvals(a)                           w alone
     linalg_sylvester(a, b, c)                   x of a x + x b = c
     linalg_riccati(a, b, q, r; discrete)        stabilising x of a^H x + x a - x b r^-1 b^H x + q = 0, or
                                                 of x = q + a^H x a - a^H x b (r + b^H x b)^-1 b^H x a
     linalg_sqrtm(a), linalg_logm(a)             principal square root and logarithm
     linalg_signm(a)                             sign
     linalg_polar(a) -> u, h                     a = u h, u orthonormal, h Hermitian
     linalg_lu(a) -> lu, perm                    a[perm] = l u, of any shape
     linalg_cholesky_info(a; upper) -> l, info   the factor, or the identity where there is none; 0, the
                                                 order of a minor that is not positive, -1
     linalg_lu_info(a) -> lu, pivots, info       as linalg_lu_factor, of the identity where it fails
     linalg_cholesky_pivots(a; upper, tol) -> l, perm, rank   a[perm, perm] = l l^H, a semidefinite
     linalg_qr_change(q, r, x, y; ..) -> q, r    after a change of rank 1, of rows or of columns
     linalg_schur_complex(t, z) -> t, z          complex Schur's form from the real one
     linalg_mixed_solve(a, b) -> x, steps        a x = b by factors of half the digits
     linalg_banded_solve(ab, b; lower, definite) a x = b, rows of ab are the diagonals of a
     linalg_eigh_banded(ab; upper) -> w, v       as linalg_eigh, of half of the diagonals
     linalg_eigvalsh_banded(ab; upper)           w alone
     linalg_cholesky_banded(ab; upper)           as linalg_cholesky, of half of the diagonals
     linalg_band_tangent(l, x; upper, adjoint)   the tangent of that factor, or its adjoint
     linalg_toeplitz_solve(c, r, b)              t x = b, t of a first column and row [..., n, 1]
     linalg_cholesky_update(l, x; upper, down)   the factor of l l^H +- x x^H
     linalg_qr_pivots(a)                         the order of columns of QR with interchanges
     linalg_ldl(a; upper, hermitian) -> l, d, perm   a[perm, perm] = l d l^H or l d l^T
     linalg_schur(a) -> t, z                     a = z t z^H
     linalg_hessenberg(a) -> h, q                a = q h q^H
     linalg_rcond(a)                             estimate of 1 / (|a| |a^-1|) in the 1-norm
     linalg_qz(a, b; order) -> s, t, q, z, count a = q s z^H, b = q t z^H
     linalg_schur_ordered(a; order) -> t, z, count   a = z t z^H, chosen values first
     linalg_eig_pencil(a, b) -> v, w, u          a v = b v diag(w), u = (b v)^-1, of complex matrices
     linalg_lstsq(a, b; driver, rcond) -> x, rank, s   x of least |a x - b|, of those the shortest
     linalg_refined_solve(a, b) -> x, rcond, forward, backward   a x = b with error bounds
     linalg_any_solve(a, b) -> x, kind           a x = b as the zeros and symmetry of a allow
     linalg_cossin(x; p, q) -> u1, u2, theta, v1h, v2h   blocks of a unitary matrix
     linalg_geqrf(a) -> packed, tau              QR as LAPACK stores it
     linalg_balance(a) -> scale, perm            scales and order of rows and columns alike
     linalg_spectrum(a) -> t, z, centre          Schur's form with near values together, their means
     linalg_parlett(t, centre, c)                f(t) by Taylor coefficients c of f at the centres
   and, for the derivatives of eigenvalues,
     linalg_gap_quotient(p, u, v; order, skip)   p_ij / (v_j - u_i), refused at ties
     linalg_tie_diagonal(p, w; order, zero)      the diagonal of p, eigenvalues of its block at a tie
     linalg_tie_embed(g, w; order, zero)         its adjoint: a diagonal matrix, equal at a tie */
#ifndef AGNI_LINALG_H
#define AGNI_LINALG_H

#include "tensor/dispatch/op_helpers.h"

/* what linalg_triangular_solve reads */
enum { AGNI_TRIANGLE_UPPER = 1, AGNI_TRIANGLE_UNIT = 2 };

/* x of t x = b */
const agn_tensor *agni_solve_triangle(agn_scope *s, const agn_tensor *t, const agn_tensor *b,
                                      int64_t triangle);

/* what op() does to a in linalg_lu_solve */
enum { AGNI_FORM_TRANSPOSED = 1, AGNI_FORM_CONJUGATE = 2 };

agni_jvp_fn agni_cholesky_jvp, agni_cholesky_info_jvp, agni_triangular_jvp, agni_lu_solve_jvp;
agni_vjp_fn agni_cholesky_vjp, agni_triangular_vjp, agni_lu_solve_vjp;
agni_jvp_fn agni_eigh_jvp, agni_eigvalsh_jvp, agni_svd_jvp, agni_svdvals_jvp, agni_qr_jvp;
agni_transpose_fn agni_triangle_transpose;
agni_batch_fn agni_batch_lu_solve;

agn_kernel agni_cpu_cholesky, agni_cpu_triangle, agni_cpu_triangular_solve, agni_cpu_lu_factor,
    agni_cpu_lu_solve, agni_cpu_eigh, agni_cpu_eigvalsh, agni_cpu_svd, agni_cpu_svdvals,
    agni_cpu_qr, agni_cpu_det, agni_cpu_slogdet, agni_cpu_matrix_exp, agni_cpu_pinv,
    agni_cpu_gap_quotient, agni_cpu_lu, agni_cpu_cholesky_info, agni_cpu_eig, agni_cpu_eigvals,
    agni_cpu_sylvester, agni_cpu_riccati, agni_cpu_sqrtm, agni_cpu_logm, agni_cpu_signm,
    agni_cpu_polar, agni_cpu_tie_diagonal, agni_cpu_tie_embed, agni_cpu_banded_solve,
    agni_cpu_toeplitz_solve,
    agni_cpu_cholesky_update, agni_cpu_qr_pivots, agni_cpu_ldl, agni_cpu_schur, agni_cpu_hessenberg,
    agni_cpu_rcond, agni_cpu_qz, agni_cpu_schur_ordered, agni_cpu_eig_pencil, agni_cpu_dense_lstsq,
    agni_cpu_refined_solve, agni_cpu_any_solve, agni_cpu_cossin, agni_cpu_geqrf, agni_cpu_balance,
    agni_cpu_spectrum, agni_cpu_parlett, agni_cpu_lu_info, agni_cpu_cholesky_pivots,
    agni_cpu_qr_change, agni_cpu_schur_complex, agni_cpu_mixed_solve, agni_cpu_pinv_hermitian;

/* what the kernels of ties do where values are complex: clusters in the plane */
agn_kernel agni_general_tie_diagonal, agni_general_tie_check;

/* Phases of vectors: the first entry whose modulus is at least this part of the largest one's is
   real and positive. Less than 1, so that rounding does not choose among equal entries. */
#define AGNI_PHASE_NEAR (1 - 0x1p-6)

/* [..., n, n] with n within the integers of LAPACK; [..., m, n] likewise */
agn_status agni_check_square(const char *op, const agn_tensor *a);
agn_status agni_check_matrix(const char *op, const agn_tensor *a);
/* the common batch of all arguments, then a matrix [rows, cols] of the first one's dtype */
agn_status agni_infer_batches(agni_call *c, int64_t rows, int64_t cols);

/* the same of an argument of a composition, which may be sparse: that is refused */
agn_status agni_need_square(const char *op, const agn_tensor *a);
agn_status agni_need_matrix(const char *op, const agn_tensor *a);
/* x as one of the four dtypes of LAPACK: whole numbers are f64, narrow floats f32 */
const agn_tensor *agni_as_field(agn_scope *s, const agn_tensor *x);
/* the same, or their complex partner */
const agn_tensor *agni_as_complex(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_identity_like(agn_scope *s, const agn_tensor *a);
/* [x, e; 0, x]; [n, n] of y from that row and column on; above the diagonal of f([x, e; 0, x]) lies
   the derivative of the function r->op at x along e */
const agn_tensor *agni_block_triangle(agn_scope *s, const agn_tensor *x, const agn_tensor *e);
const agn_tensor *agni_take_block(agn_scope *s, const agn_tensor *y, int64_t row, int64_t col,
                                  int64_t n);
const agn_tensor *agni_frechet(agn_scope *s, const agni_rule *r, const agn_tensor *x,
                               const agn_tensor *e);
/* x of a x + x b = c */
const agn_tensor *agni_sylvester(agn_scope *s, const agn_tensor *a, const agn_tensor *b,
                                 const agn_tensor *c);
/* r = d n with n of unit diagonal, the result; a pivot that is rounding is refused */
const agn_tensor *agni_split_triangle(agn_scope *s, const agn_tensor *r,
                                      const agn_tensor **inverse);
/* x of least |a x - b|, a of full rank, by its factors q and r */
const agn_tensor *agni_lstsq_by_qr(agn_scope *s, const agn_tensor *a, const agn_tensor *b);
/* tangents of q and r along da, of a = q r [m, n] with min(m, n) columns of q; r's diagonal real */
void agni_qr_tangent(agn_scope *s, const agn_tensor *da, const agn_tensor *q, const agn_tensor *r,
                     int64_t m, int64_t n, const agn_tensor **ty);
/* the first rows and columns of matrices */
const agn_tensor *agni_leading_block(agn_scope *s, const agn_tensor *x, int64_t rows, int64_t cols);

/* within a scope: the ops of derivatives */
const agn_tensor *agni_gap_quotient(agn_scope *s, const agn_tensor *p, const agn_tensor *u,
                                    const agn_tensor *v, int64_t order, bool skip);
const agn_tensor *agni_tie_diagonal(agn_scope *s, const agn_tensor *p, const agn_tensor *w,
                                    int64_t order, bool zero);
/* dv without what would turn the phases of v */
const agn_tensor *agni_hold_phases(agn_scope *s, const agn_tensor *v, const agn_tensor *dv);
/* the triangle that is read, completed to a Hermitian matrix */
const agn_tensor *agni_complete_triangle(agn_scope *s, const agn_tensor *t, bool upper);

/* the power of 2 that makes the largest entry of each matrix, of one entry or more, near 1: a
   constant [..., 1, 1] */
const agn_tensor *agni_unit_scale(agn_scope *s, const agn_tensor *x);

/* swaps the last two axes, and conjugates */
const agn_tensor *agni_matrix_transpose(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_conjugate_dense(agn_scope *s, const agn_tensor *x);
const agn_tensor *agni_conjugate_transpose(agn_scope *s, const agn_tensor *x);

#endif
