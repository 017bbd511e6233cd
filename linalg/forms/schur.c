/* linalg/forms/schur.c - Schur's and Hessenberg's forms: records, derivatives, public functions.
   Phases of vectors are fixed, so that simple eigenvalues make both factors of Schur's form
   functions of the matrix, and a subdiagonal without zeros those of Hessenberg's; elsewhere a
   derivative is refused. */
#include "linalg/forms/forms.h"
#include "tensor/create/constants.h"

#include <agnesi/ag.h>
#include <agnesi/linalg.h>
#include <string.h>

static agn_status infer_form(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    st = st ? st : agni_infer_same(c);
    if (!st)
        c->meta[1] = c->meta[0];
    return st;
}

/* ---- parts of matrices ------------------------------------------------------------- */

const agn_tensor *agni_matrix_block(agn_scope *s, const agn_tensor *x, int64_t r0, int64_t r1,
                                    int64_t c0, int64_t c1)
{
    int64_t start[AGNI_MAX_RANK] = {0}, stop[AGNI_MAX_RANK], step[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    for (int d = 0; d < x->ndim; d++) {
        stop[d] = x->shape[d];
        step[d] = 1;
    }
    start[x->ndim - 2] = r0;
    stop[x->ndim - 2] = r1;
    start[x->ndim - 1] = c0;
    stop[x->ndim - 1] = c1;
    return ag_slice(s, x, x->ndim, start, stop, step);
}

const agn_tensor *agni_pad_column(agn_scope *s, const agn_tensor *x, int64_t n)
{
    if (!x || x->shape[x->ndim - 2] == n)
        return x;
    int64_t shape[AGNI_MAX_RANK];
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    shape[x->ndim - 2] = n - x->shape[x->ndim - 2];
    return ag_concat(s, (const agn_tensor *[]){agni_full(s, 0, x->dtype, x->ndim, shape), x}, 2,
                     -2);
}

static const agn_tensor *zeros_of(agn_scope *s, const agn_tensor *x, int64_t cut)
{
    int64_t shape[AGNI_MAX_RANK];
    if (!x)
        return NULL;
    memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
    return agni_full(s, 0, x->dtype, x->ndim - (int)cut, shape);
}

const agn_tensor *agni_refuse_blocks(agn_scope *s, const agn_tensor *t)
{
    const agn_tensor *one = ag_ones_like(s, agni_matrix_block(s, t, 0, 1, 0, 1));
    if (!one || agni_kind(t->dtype) == AGNI_KIND_COMPLEX)
        return one;
    const agn_tensor *low = ag_stop_gradient(s, ag_diagonal(s, t, -1, -2, -1)),
                     *none = zeros_of(s, low, 0);
    /* a quotient by 0 where a block has an entry there */
    const agn_tensor *at = ag_zeros_like(s, ag_squeeze(s, one, -1));
    const agn_tensor *clear = agni_gap_quotient(s, ag_expand_dims(s, low, -2), at, none, 0, false);
    return ag_add(s, one, ag_sum(s, clear, (const int32_t[]){-1}, 1, true));
}

/* ---- Schur's form -------------------------------------------------------------------- */

/* With dz = z x, p = z^H da z: dt = p + t x - x t is upper triangular. Below the diagonal, column
   by column and by columns of l, the part of x there: (t_jj - t) l_j = p_j - sum over k < j of l_k
   t_kj in the rows below j. Gaps that are ties are refused, and so are blocks of order 2, whose
   basis could be turned. x is sought from t and p near 1, whose squares are in range. */
void agni_schur_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *da,
                    const agn_tensor **ty)
{
    const agn_tensor *t = r->y[0], *z = r->y[1], *zh = agni_conjugate_transpose(s, z);
    const agn_tensor *p = ag_matmul(s, zh, ag_matmul(s, da[0], z)), *x = NULL;
    int64_t n = t->shape[t->ndim - 1];
    if (n < 2) {
        ty[0] = p;
        ty[1] = ag_zeros_like(s, z);
        return;
    }
    const agn_tensor *unit = agn_numel(t) ? agni_unit_scale(s, t) : ag_ones_like(s, t),
                     *near = ag_mul(s, t, unit), *w = ag_diagonal(s, near, 0, -2, -1),
                     *ones = p ? ag_ones_like(s, p) : NULL;
    const agn_tensor *left = ag_mul(s, ag_mul(s, p, unit), agni_refuse_blocks(s, t));
    const agn_tensor *gaps = agni_gap_quotient(s, ones, w, w, 1, true);
    for (int64_t j = 0; j + 1 < n; j++) {
        const agn_tensor *g = agni_matrix_block(s, gaps, j + 1, n, j, j + 1);
        const agn_tensor *above = ag_triu(s, agni_matrix_block(s, near, j + 1, n, j + 1, n), 1);
        const agn_tensor *upper = ag_sub(s, agni_identity_like(s, above), ag_mul(s, g, above));
        const agn_tensor *l = ag_linalg_triangular_solve(
            s, upper, ag_mul(s, g, agni_matrix_block(s, left, j + 1, n, j, j + 1)), true);
        l = agni_pad_column(s, l, n);
        left = ag_sub(s, left, ag_matmul(s, l, agni_matrix_block(s, near, j, j + 1, 0, n)));
        x = x ? ag_concat(s, (const agn_tensor *[]){x, l}, 2, -1) : l;
        if (!x)
            return;
    }
    x = ag_concat(
        s, (const agn_tensor *[]){x, ag_zeros_like(s, agni_matrix_block(s, x, 0, n, 0, 1))}, 2, -1);
    x = ag_sub(s, x, agni_conjugate_transpose(s, x));
    const agn_tensor *dz = agni_hold_phases(s, z, ag_matmul(s, z, x));
    x = ag_matmul(s, zh, dz); /* with what phases turn */
    ty[1] = dz;
    ty[0] = ag_triu(s, ag_add(s, p, ag_sub(s, ag_matmul(s, t, x), ag_matmul(s, x, t))), 0);
}

/* ---- Hessenberg's form ----------------------------------------------------------------- */

/* With dq = q x, x skew, its first column 0: dh = p + h x - x h is 0 below the subdiagonal, which
   is real. So column j of p + h x - sum over k <= j of x_k h_kj is x_j+1 times the subdiagonal
   entry, below that entry; beside it the imaginary part. */
static void hessenberg_jvp(agn_scope *s, const agni_rule *r, const agn_tensor *const *da,
                           const agn_tensor **ty)
{
    const agn_tensor *h = r->y[0], *q = r->y[1];
    const agn_tensor *p = ag_matmul(s, agni_conjugate_transpose(s, q), ag_matmul(s, da[0], q));
    int64_t n = h->shape[h->ndim - 1];
    const bool turns = agni_kind(h->dtype) == AGNI_KIND_COMPLEX;
    if (n < 2 || (n == 2 && !turns)) {
        ty[0] = p;
        ty[1] = ag_zeros_like(s, q);
        return;
    }
    const agn_tensor *unit = agn_numel(h) ? agni_unit_scale(s, h) : ag_ones_like(s, h),
                     *near = ag_mul(s, h, unit), *rate = ag_mul(s, p, unit);
    /* reciprocals of the subdiagonal, of which none may be rounding beside the largest entry */
    const agn_tensor *sub = ag_diagonal(s, near, -1, -2, -1), *row = ag_expand_dims(s, sub, -2);
    const agn_tensor *size = ag_cast(
        s, ag_amax(s, ag_abs(s, near), (const int32_t[]){-2, -1}, 2, false), h->dtype);
    row = agni_matrix_block(s, row, 0, 1, 0, turns ? n - 1 : n - 2);
    size = ag_expand_dims(s, ag_expand_dims(s, size, -1), -1);
    row = ag_concat(s, (const agn_tensor *[]){row, size}, 2, -1);
    const agn_tensor *by = row ? ag_squeeze(s, row, -2) : NULL,
                     *at = by ? ag_zeros_like(s, ag_squeeze(s, size, -1)) : NULL;
    const agn_tensor *quotient = agni_gap_quotient(s, row ? ag_ones_like(s, row) : NULL, at, by, 0,
                                                   false);
    const agn_tensor *x = ag_zeros_like(s, agni_matrix_block(s, p, 0, n, 0, 1)); /* columns so far */
    for (int64_t j = 0; j + 1 < n; j++) {
        const agn_tensor *xj = agni_matrix_block(s, x, 0, n, j, j + 1),
                         *c = ag_add(s, agni_matrix_block(s, rate, 0, n, j, j + 1),
                                     ag_matmul(s, near, xj));
        c = ag_sub(s, c, ag_matmul(s, x, agni_matrix_block(s, near, 0, j + 1, j, j + 1)));
        const agn_tensor *head = ag_neg(
            s, agni_conjugate_transpose(s, agni_matrix_block(s, x, j + 1, j + 2, 0, j + 1)));
        const agn_tensor *middle = ag_zeros_like(s, agni_matrix_block(s, c, j + 1, j + 2, 0, 1)),
                         *tail = agni_matrix_block(s, c, j + 2, n, 0, 1);
        if (turns || j + 2 < n) {
            const agn_tensor *g = agni_matrix_block(s, quotient, 0, 1, j, j + 1);
            tail = ag_mul(s, tail, g);
            if (turns && middle) {
                const agn_tensor *turn = ag_imag(
                    s, ag_mul(s, agni_matrix_block(s, c, j + 1, j + 2, 0, 1), g));
                middle = turn ? ag_complex(s, ag_zeros_like(s, turn), turn) : NULL;
            }
        }
        const agn_tensor *next = ag_concat(s, (const agn_tensor *[]){head, middle, tail}, 3, -2);
        x = ag_concat(s, (const agn_tensor *[]){x, next}, 2, -1);
        if (!x)
            return;
    }
    ty[1] = ag_matmul(s, q, x);
    const agn_tensor *dh = ag_triu(
        s, ag_add(s, p, ag_sub(s, ag_matmul(s, h, x), ag_matmul(s, x, h))), -1);
    ty[0] = dh;
}

static agni_slots slots[3];
#define RECORD(op, number, rule, text)                                           \
    const agni_op agni_op_linalg_##op = {.name = "linalg_" #op,            \
                                         .takes = "a",                     \
                                         .cls = AGNI_SOLVE,                \
                                         .nin = 1,                         \
                                         .nout = 2,                        \
                                         .dtypes = AGNI_FIELDS,            \
                                         .diff = 1,                        \
                                         .promote = 1,                     \
                                         .ew = -1,                         \
                                         .infer = infer_form,              \
                                         .cpu = agni_cpu_##op,             \
                                         .jvp = rule,                  \
                                         .batch = agni_batch_front,        \
                                         .slots = &slots[number],          \
                                         .lo = -2,                         \
                                         .hi = 2,                          \
                                         .doc = text}
RECORD(schur, 0, agni_schur_jvp,
       "a = z t z^H with t upper triangular, of a real matrix in blocks of at most 2");
RECORD(hessenberg, 1, hessenberg_jvp, "a = q h q^H with h 0 below the first subdiagonal");

/* ---- complex form of a real one ------------------------------------------------------------ */

static agn_status infer_complex(agni_call *c)
{
    agn_status st = agni_check_square(c->op->name, c->in[0]);
    st = st ? st : agni_check_square(c->op->name, c->in[1]);
    if (st)
        return st;
    const agn_tensor *t = c->in[0], *z = c->in[1];
    int64_t n = t->shape[t->ndim - 1];
    if (z->shape[z->ndim - 1] != n)
        return agni_fail(AGN_ESHAPE, "%s: orders differ: t is %s, z is %s", c->op->name,
                         AGNI_SHAPE(t), AGNI_SHAPE(z));
    st = agni_infer_batches(c, n, n);
    c->meta->dtype = t->dtype == AGN_F32 || t->dtype == AGN_C64 ? AGN_C64 : AGN_C128;
    c->meta[1] = c->meta[0];
    return st;
}

const agni_op agni_op_linalg_schur_complex = {.name = "linalg_schur_complex",
                                              .takes = "t z",
                                              .cls = AGNI_SOLVE,
                                              .nin = 2,
                                              .nout = 2,
                                              .dtypes = AGNI_FIELDS,
                                              .diff = 3,
                                              .promote = 3,
                                              .ew = -1,
                                              .infer = infer_complex,
                                              .cpu = agni_cpu_schur_complex,
                                              .jvp = agni_schur_complex_jvp,
                                              .batch = agni_batch_aligned,
                                              .slots = &slots[2],
                                              .lo = -2,
                                              .hi = 2,
                                              .lo2 = -2,
                                              .hi2 = 2,
                                              .doc = "complex Schur's form from the real one"};

/* ---- public functions ------------------------------------------------------------------------ */

static agn_status apply_form(const agni_op *op, agn_tensor **form, agn_tensor **basis, int n,
                             const agn_tensor *const *in)
{
    agn_tensor *y[2] = {NULL};
    agn_status st = agni_apply(op, NULL, n, in, 2, y);
    if (st)
        return st;
    *form = y[0];
    *basis = y[1];
    return AGN_OK;
}

agn_status agn_linalg_schur(agn_tensor **t, agn_tensor **z, const agn_tensor *a)
{
    AGNI_NEED("linalg_schur", t);
    AGNI_NEED("linalg_schur", z);
    AGNI_NEED("linalg_schur", a);
    return apply_form(&agni_op_linalg_schur, t, z, 1, &a);
}

agn_status agn_linalg_hessenberg(agn_tensor **h, agn_tensor **q, const agn_tensor *a)
{
    AGNI_NEED("linalg_hessenberg", h);
    AGNI_NEED("linalg_hessenberg", q);
    AGNI_NEED("linalg_hessenberg", a);
    return apply_form(&agni_op_linalg_hessenberg, h, q, 1, &a);
}

agn_status agn_linalg_schur_complex(agn_tensor **t1, agn_tensor **z1, const agn_tensor *t,
                                    const agn_tensor *z)
{
    AGNI_NEED("linalg_schur_complex", t1);
    AGNI_NEED("linalg_schur_complex", z1);
    AGNI_NEED("linalg_schur_complex", t);
    AGNI_NEED("linalg_schur_complex", z);
    return apply_form(&agni_op_linalg_schur_complex, t1, z1, 2, (const agn_tensor *[]){t, z});
}
