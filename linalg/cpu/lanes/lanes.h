/* linalg/cpu/lanes/lanes.h - factorisations and solves of small matrices, one matrix in each lane
   of a vector: the kernels of one CPU level, f32 and f64, c64 and c128.

   Entry (i, j) of all matrices of a group lies at (i rs + j cs) times the number of lanes; of
   complex ones twice as far, real parts before imaginary ones. A result
   does not depend on the lane nor on what the other lanes hold. Kernels that return a mask name the
   lanes (bit l) whose matrix they could not do: an entry is not finite, a pivot is 0 or not
   positive, or it or its reciprocal is near the ends of the range of the type. What such lanes hold
   then means nothing. Recursions along one matrix, in whole vectors, stand at the end. */
#ifndef AGNI_LANES_H
#define AGNI_LANES_H

#include <stdbool.h>
#include <stdint.h>

enum { AGNI_LANES_ORDER = 32, AGNI_LANES_MOST = 16 }; /* largest order; lanes at most */
enum { AGNI_MUCH_GROWTH = 4096 }; /* of pivots beside entries, that is looked into */

typedef struct agni_vlanes {
    int lanes;
    /* the same of complex matrices, NULL where there is none; itself NULL there */
    const struct agni_vlanes *complex_;
    /* the lower triangle becomes l of a = l l^H; what lies above the diagonal stays */
    uint32_t (*cholesky)(void *a, int64_t n, int64_t rs, int64_t cs);
    /* a (rs = n, cs = 1) becomes l and u of a = l u p^T, with columns interchanged and 1 on the
       diagonal of u; piv[k lanes + l] is the column, from 1, that column k changed places with.
       Pivots that grow much are named in the mask, too */
    uint32_t (*lu)(void *a, int32_t *piv, int64_t n);
    /* rows of x [n, k] change places as those columns did, in their order or back. In the mask:
       pivots that are not of a factor by lu, or one of 2 n numbers behind them that is not 0 */
    uint32_t (*interchange_rows)(void *x, const int32_t *piv, int64_t n, int64_t k, bool back);
    /* t x = b, b [n, k] in x (rs = k, cs = 1); which triangle, and whether its diagonal is taken as
       1 */
    uint32_t (*solve_triangle)(const void *t, int64_t rs, int64_t cs, bool upper, bool unit,
                               int64_t n, void *x, int64_t k);
    /* of factors by lu: the determinant of lane l is m[l] 2^e[l], 1/2 < |m| < 2
       about; of complex ones m[l] + i m[l + lanes] */
    void (*determinant)(const void *a, const int32_t *piv, int64_t n, void *m, int32_t *e);
    /* eigenvalues w [n] in no order, vectors in the rows of v [n, n] (NULL: none); a (rs = n) is
       lost */
    uint32_t (*eigh)(void *a, bool upper, int64_t n, void *v, void *w);
    /* a [n, m] with m >= n holds columns in its rows, which become left vectors where v is not
       NULL; singular values w [n] in no order, right vectors in the rows of v [n, n] */
    uint32_t (*svd)(void *a, int64_t m, int64_t n, void *v, void *w);
    /* a [m, n] becomes r, 0 below its diagonal; q [m, columns], columns min(m, n) or m */
    uint32_t (*qr)(void *a, int64_t m, int64_t n, void *q, int64_t columns);
    /* x of least |a x - b| with n <= m independent columns of a [m, n], b [m, k] and x [n, k]; or,
       wide, the shortest x of a^T x = b, b [n, k] and x [m, k]. x lies in b's place */
    uint32_t (*lstsq)(void *a, int64_t m, int64_t n, bool wide, void *b, int64_t k);
    /* of n numbers anywhere, in no lanes */
    bool (*all_finite)(const void *p, int64_t n);
    /* One matrix, in no lanes: a x = b with l diagonals below and u above the main one, which are
       the rows of ab from the highest, strides rs and cs. b [n, k] in y is lost. False: not done,
       numbers are not finite or of extreme size, or a pivot is near 0. room: so many numbers */
    int64_t (*band_room)(int64_t n, int64_t w);
    bool (*solve_band)(const void *ab, int64_t rs, int64_t cs, int64_t l, int64_t u, int64_t n,
                       int64_t k, void *y, void *x, void *room);
    /* t x = y of a triangle, whose diagonals are the w rows of ab from the highest, for one
       right-hand side; false as above, or of more diagonals than 4 vectors hold */
    int64_t (*triangle_room)(void);
    bool (*solve_band_triangle)(const void *ab, int64_t rs, int64_t cs, bool upper, int64_t w,
                                int64_t n, const void *y, void *x, void *room);
    /* Cholesky's factor l of a Hermitian band by its lower half of w diagonals: number k of column
       j is entry [j + k, j], `down` k + `along` j numbers from the first (conjugate: its
       conjugate), in ab as in out. False as above. room: so many numbers, kept: with those of a
       solve */
    int64_t (*half_band_room)(int64_t n, int64_t w, bool kept);
    bool (*factor_half_band)(const void *ab, int64_t down, int64_t along, bool conjugate, int64_t w,
                             int64_t n, void *out, int64_t out_down, void *room);
    /* a x = b of the same, b and x [n, k] */
    bool (*solve_half_band)(const void *ab, int64_t down, int64_t along, int64_t w, int64_t n,
                            const void *b, void *x, int64_t k, void *room);
    /* Columns from .. of a = l d l^T, bounded pivoting: s [n, lead] holds the upper triangle by
       rows, lead a multiple of 64 bytes with zeros from n on, less what columns before `from` take
       from it. Row j becomes column j of l below its diagonal; w [width, lead]: columns of -l d; d
       and e: the diagonal of d and what lies below it; piv[j]: the row that j changed places with,
       in this panel and behind it. The result is how many columns were done, width or width - 1.
       Then row r of so many columns of l, which is entry order[r] of them, to row r of out [n, n] */
    int64_t (*ldl_panel)(void *s, int64_t lead, int64_t n, int64_t from, int64_t width, void *w,
                         void *d, void *e, int32_t *piv);
    void (*ldl_rows)(const void *s, int64_t lead, int64_t n, int64_t from, int64_t count,
                     const int32_t *order, void *out);
    /* of f64 alone: one Toeplitz matrix t[n - 1 - i + j] = entry [i, j], columns of b and x [k, n];
       room: n numbers of f, 2 n of g. False: a minor is 0 */
    bool (*levinson)(int64_t n, int64_t k, const void *t, void *f, void *g, const void *b, void *x);
    /* b - t x of one column to rest, and its largest magnitude */
    double (*toeplitz_residual)(int64_t n, const void *t, const void *b, const void *x, void *rest);
    /* of f64 alone, for divide and conquer: the k roots x of 1 / rho + sum of z2[j] / (p[j] - x) =
       0, whose poles are the ascending d or their squares, each by its distance t from the pole
       `origin`; false where one does not settle. Then rho times the squares of weights that have
       these roots exactly, and z[i] / (p[i] - x) of one root with the sum of the squares of
       these. */
    bool (*secular_roots)(int64_t k, const void *d, const void *z2, double rho, bool squares,
                          int32_t *origin, void *t);
    void (*secular_weights)(int64_t k, const void *d, bool squares, const int32_t *origin,
                            const void *t, void *z2);
    double (*secular_column)(int64_t k, const void *d, const void *z, bool squares, int32_t origin,
                             double t, void *column);
} agni_vlanes;

#endif
