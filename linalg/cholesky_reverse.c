/* linalg/cholesky_reverse.c - cotangents of Cholesky factors, block by block (Murray 2016, section
   4.2).

   With w = a' + a'^H of the cotangent a' in the lower triangle, w = l^-H (h + h^H) l^-1 where h is
   the lower triangle of l^H g, half its diagonal taken: 4 n^3 operations of full matrices. In
   halves, a = [a11, .; a21, a22], from the last to the first,

   a22' = of (l22, g22),                  w22 = a22' + a22'^H a21' = (g21 - w22 l21) l11^-1 a11' =
   of (l11, g11 - a21'^H l21)

   takes 5/8 n^3 and two halves: 5/6 n^3 in all. Everything is made of ops that have derivatives. */
#include "linalg/linalg.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

enum { WHOLE = 128, DEPTH = 3 }; /* order that is not halved; nodes of a graph are few, too */

static const agn_tensor *take_part(agn_scope *s, const agn_tensor *x, int64_t row, int64_t col,
                                   int64_t rows, int64_t cols)
{
    if (!x)
        return NULL;
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim - 2] = row;
    stop[x->ndim - 2] = row + rows;
    start[x->ndim - 1] = col;
    stop[x->ndim - 1] = col + cols;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

static const agn_tensor *half_triangle(agn_scope *s, const agn_tensor *x)
{
    const double half = 0.5;
    return agni_apply_in(s, &agni_op_linalg_triangle,
                         &(agni_attr){.ni = 1, .i = (const int64_t[]){0}, .nf = 1, .f = &half}, 1,
                         &x);
}

static const agn_tensor *with_adjoint(agn_scope *s, const agn_tensor *x)
{
    return ag_add(s, x, agni_conjugate_transpose(s, x));
}

/* l^-H x */
static const agn_tensor *solve_adjoint(agn_scope *s, const agn_tensor *l, const agn_tensor *x)
{
    return ag_linalg_triangular_solve(s, agni_conjugate_transpose(s, l), x, true);
}

static const agn_tensor *reverse_whole(agn_scope *s, const agn_tensor *l, const agn_tensor *g)
{
    const agn_tensor *h = half_triangle(s, ag_matmul(s, agni_conjugate_transpose(s, l), g));
    const agn_tensor *left = solve_adjoint(s, l, with_adjoint(s, h));
    return half_triangle(s, solve_adjoint(s, l, agni_conjugate_transpose(s, left)));
}

static const agn_tensor *reverse_blocks(agn_scope *s, const agn_tensor *l, const agn_tensor *g,
                                        int depth)
{
    if (!l || !g)
        return NULL;
    const int64_t n = l->shape[l->ndim - 1], k = n / 2, m = n - k;
    if (n <= WHOLE || depth == 0)
        return reverse_whole(s, l, g);
    const agn_tensor *l11 = take_part(s, l, 0, 0, k, k), *l21 = take_part(s, l, k, 0, m, k);
    const agn_tensor *a22 = reverse_blocks(s, take_part(s, l, k, k, m, m),
                                           take_part(s, g, k, k, m, m), depth - 1);
    const agn_tensor *g21 = ag_sub(s, take_part(s, g, k, 0, m, k),
                                   ag_matmul(s, with_adjoint(s, a22), l21));
    const agn_tensor *h21 = solve_adjoint(s, l11, agni_conjugate_transpose(s, g21));
    const agn_tensor *g11 = ag_sub(s, take_part(s, g, 0, 0, k, k), ag_matmul(s, h21, l21));
    const agn_tensor *a11 = reverse_blocks(s, l11, g11, depth - 1);
    const agn_tensor *a21 = agni_conjugate_transpose(s, h21);
    const agn_tensor *none = ag_zeros_like(s, h21);
    const agn_tensor *top = ag_concat(s, (const agn_tensor *[]){a11, none}, 2, -1);
    const agn_tensor *low = ag_concat(s, (const agn_tensor *[]){a21, a22}, 2, -1);
    return ag_concat(s, (const agn_tensor *[]){top, low}, 2, -2);
}

void agni_cholesky_vjp(agn_scope *s, const agni_rule *r, const agn_tensor *const *g,
                       const bool *want, const agn_tensor **gx)
{
    const bool upper = r->at->i[0];
    if (!want[0] || !g[0])
        return;
    const agn_tensor *l = upper ? agni_conjugate_transpose(s, r->y[0]) : r->y[0];
    const agn_tensor *y = reverse_blocks(s, l, upper ? agni_conjugate_transpose(s, g[0]) : g[0],
                                         DEPTH);
    gx[0] = upper ? agni_conjugate_transpose(s, y) : y;
}
